package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doChroot(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	r := Run{Traits: umpire.Container | umpire.Privilege, Mounts: []Mount{{Host: c.Operands[0], Inside: "/"}}, Out: true}
	if c.Operands[0].Text == "/" {
		r.Traits, r.Mounts = umpire.Privilege, nil
	}
	if len(c.Operands) > 1 {
		c.Exec(c.Operands[1:], r)
		return
	}
	stdinShell(c, r)
}

func doProot(c *Call) {
	r := Run{Out: true, Traits: umpire.Container}
	root, ok := c.Opt("-r")
	if !ok {
		root, ok = c.Opt("-D")
	}
	if ok {
		r.Mounts = append(r.Mounts, Mount{Host: root, Inside: "/"})
	} else if c.Program == "proot" {
		r.Traits = 0
	}
	for _, o := range []string{"-b", "--bind"} {
		for _, w := range c.All(o) {
			src, dst, found := strings.Cut(w.Text, ":")
			if !found {
				dst = src
			}
			// The last mount comes first, since it hides the earlier ones.
			r.Mounts = append([]Mount{{Host: w.With(src), Inside: dst}}, r.Mounts...)
		}
	}
	if len(c.Operands) == 0 {
		stdinShell(c, r)
		return
	}
	c.Exec(c.Operands, r)
}

func doUnshare(c *Call) {
	r := Run{Out: true, Dir: dirOf(c, "-w")}
	if root, ok := c.Opt("-R"); ok {
		r.Traits |= umpire.Container
		r.Mounts = []Mount{{Host: root, Inside: "/"}}
	}
	if len(c.Operands) == 0 {
		stdinShell(c, r)
		return
	}
	c.Exec(c.Operands, r)
}

// doNsenter runs a command in the namespaces of a process. Those of process 1 are the host's.
func doNsenter(c *Call) {
	r := Run{Out: true, Traits: umpire.Privilege}
	if t, ok := c.Opt("-t"); ok && t.Text == "1" {
		r.Traits |= umpire.HostAccess
	}
	if len(c.Operands) == 0 {
		c.Op(umpire.Exec, "nsenter shell", r.Traits)
		stdinShell(c, r)
		return
	}
	c.Exec(c.Operands, r)
}

// doBwrap reads the options of bubblewrap, each of which takes a fixed number of values.
func doBwrap(c *Call) {
	r := Run{Out: true, Traits: umpire.Container}
	ws := c.Operands
	for len(ws) > 0 && strings.HasPrefix(ws[0].Text, "--") {
		o, n := ws[0].Text, 0
		if o == "--" {
			ws = ws[1:]
			break
		}
		switch o {
		case "--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--ro-bind", "--ro-bind-try":
			n = 2
			if len(ws) > 2 {
				r.Mounts = append([]Mount{{Host: ws[1], Inside: ws[2].Text}}, r.Mounts...)
			}
		case "--setenv":
			n = 2
			if len(ws) > 2 {
				r.Env = append(r.Env, ws[2].With(ws[1].Text+"="+ws[2].Text))
			}
		case "--symlink", "--file", "--bind-data", "--ro-bind-data", "--chmod", "--bind-fd", "--ro-bind-fd":
			n = 2
		case "--overlay":
			n = 3
		case "--help", "--version":
			return
		case "--chdir", "--unsetenv", "--uid", "--gid", "--hostname", "--proc", "--dev", "--tmpfs", "--mqueue", "--dir", "--lock-file", "--sync-fd", "--remount-ro",
			"--exec-label", "--file-label", "--seccomp", "--add-seccomp-fd", "--cap-add", "--cap-drop", "--perms", "--size", "--args", "--argv0", "--userns", "--userns2",
			"--pidns", "--block-fd", "--userns-block-fd", "--info-fd", "--json-status-fd", "--overlay-src", "--tmp-overlay", "--ro-overlay", "--level-prefix":
			n = 1
			if o == "--chdir" && len(ws) > 1 {
				r.Dir = &ws[1]
			}
		}
		ws = ws[min(n+1, len(ws)):]
	}
	c.Exec(ws, r)
}

func doSystemdRun(c *Call) {
	r := Run{Out: c.Has("-t", "--pty", "-P", "--pipe", "--wait"), Env: c.All("-E"), Dir: dirOf(c, "--working-directory")}
	if _, ok := c.Opt("-H"); ok {
		r.Traits |= umpire.Remote
	}
	if _, ok := c.Opt("-M"); ok {
		r.Traits |= umpire.Container | umpire.Remote
	}
	if c.Has("--on-active", "--on-boot", "--on-startup", "--on-unit-active", "--on-unit-inactive", "--on-calendar", "--path-property", "--socket-property") {
		r.Traits |= umpire.Persistence
		c.Op(umpire.System, Quote("job add", c.Operands), umpire.Persistence)
	}
	if len(c.Operands) == 0 {
		if c.Has("-S", "--shell") {
			stdinShell(c, r)
		}
		return
	}
	c.Exec(c.Operands, r)
}

func doStartStop(c *Call) {
	prog, ok := c.Opt("-x")
	if w, has := c.Opt("-a"); has {
		prog, ok = w, true
	}
	if c.Has("-K") {
		name, has := c.Opt("-n")
		if !has {
			name = prog
		}
		c.Op(umpire.System, Quote("process kill", []Word{name}), 0)
		return
	}
	if ok {
		c.Exec(append([]Word{prog}, c.Operands...), Run{})
	}
}

func doWsl(c *Call) {
	if w, ok := c.Opt("--unregister"); ok {
		sys(c, "volume destroy", umpire.Destroy|umpire.Irreversible|umpire.DataStore, w)
		return
	}
	if c.Has("--shutdown", "-t") { // with all that runs there
		sys(c, "service stop", umpire.Mutate, Lit("wsl"))
	}
	c.Exec(c.Operands, Run{Out: true})
}
