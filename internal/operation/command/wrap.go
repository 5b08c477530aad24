package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// wrapperModels are the programs that run another program named by their operands. An
// attacker puts them before a command because guards look at the first word, so each
// needs its option grammar: a wrong arity makes an option's value the program.
var wrapperModels = []Model{
	// Plain prefixes: options, then the command.
	{Names: "nohup setsid unbuffer eatmydata chronic catchsegv dbus-launch dbus-run-session primusrun prime-run linux32 linux64 i386 x86_64 please systemd-inhibit systemd-cat rtk noti with-contenv ifne detach nocache chayang", Args: "C", Style: Strict},
	{Names: "time gtime", Opts: "-f,--format=_ -o,--output=w", Args: "C", Style: Strict},
	{Names: "caffeinate", Opts: "-t=_ -w=_", Args: "C", Style: Strict},
	{Names: "fakeroot", Opts: "-l,--lib=_ --faked=_ -s=_ -i=_ -b=_", Args: "C", Style: Strict},
	{Names: "dumb-init", Opts: "-r,--rewrite=_", Args: "C", Style: Strict},
	{Names: "torsocks torify proxychains proxychains4 proxychains-ng tsocks", Opts: "-f=_ -u,--user=_ -p,--pass=_ -a=_ -P,--port=_", Args: "C", Style: Strict},
	{Names: "rlwrap", Opts: "-b,--break-chars=_ -f,--file=_ -H,--history-filename=_ -s,--histsize=_ -C,--command-name=_ -l,--logfile=w -q=_ -S=_ -t=_ -z,--filter=_ -e=_ -M=_ -m?=_ -p?=_ -P=_ -D=_ -g=_", Args: "C", Style: Strict},
	{Names: "xvfb-run", Opts: "-e,--error-file=w -f,--auth-file=_ -n,--server-num=_ -p,--xauth-protocol=_ -s,--server-args=_ -w,--wait=_", Args: "C", Style: Strict},
	{Names: "optirun", Opts: "-b,--backend=_ -C,--config=_", Args: "C", Style: Strict},
	{Names: "cgexec", Opts: "-g=_ --sticky", Args: "C", Style: Strict},
	{Names: "choom", Opts: "-n,--adjust=_ -p,--pid=_", Args: "C", Style: Strict},
	{Names: "nice", Opts: "-n,--adjustment=_", Args: "C", Style: Strict},
	{Names: "ionice", Opts: "-c,--class=_ -n,--classdata=_ -p,--pid=_ -P,--pgid=_ -u,--uid=_", Args: "C", Style: Strict},
	{Names: "stdbuf", Opts: "-i,--input=_ -o,--output=_ -e,--error=_", Args: "C", Style: Strict},
	{Names: "timeout gtimeout", Opts: "-s,--signal=_ -k,--kill-after=_", Args: "_ C", Style: Strict},
	{Names: "timelimit", Opts: "-t=_ -T=_ -s=_ -S=_", Args: "C", Style: Strict},
	{Names: "chrt", Opts: "-T,--sched-runtime=_ -P,--sched-period=_ -D,--sched-deadline=_", Args: "_ C", Style: Strict},
	{Names: "taskset", Style: Strict, Args: "_ C"},
	{Names: "numactl", Opts: "-C,--physcpubind=_ -N,--cpunodebind=_ -m,--membind=_ -i,--interleave=_ -p,--preferred=_ -l", Args: "C", Style: Strict},
	{Names: "prlimit", Opts: "-p,--pid=_ -o,--output=_", Args: "C", Style: Strict},
	{Names: "cpulimit", Opts: "-l,--limit=_ -p,--pid=_ -e,--exe=_ -P,--path=_", Args: "C", Style: Strict},
	{Names: "trickle", Opts: "-u=_ -d=_ -w=_ -t=_ -l=_ -n=_ -p=_ -L=_", Args: "C", Style: Strict},
	{Names: "setarch", Do: doSetarch, Style: NoOptions},
	{Names: "arch", Opts: "-arch=_ -d=_ -e=E", Args: "C", Style: Strict | LongDash},
	{Names: "setpriv", Opts: "--ambient-caps=_ --inh-caps=_ --bounding-set=_ --ruid=_ --euid=_ --rgid=_ --egid=_ --reuid=_ --regid=_ --groups=_ --securebits=_ --pdeathsig=_ --selinux-label=_ --apparmor-profile=_", Args: "C", Style: Strict},
	{Names: "tini", Opts: "-p=_ -e=_", Args: "C", Style: Strict},
	{Names: "gosu su-exec setuidgid", Style: Strict, Do: doAsUser},
	{Names: "envdir", Args: "_ C", Style: Strict},
	{Names: "envuidgid", Args: "_ C", Style: Strict},
	{Names: "softlimit", Opts: "-a=_ -c=_ -d=_ -f=_ -l=_ -m=_ -o=_ -p=_ -r=_ -s=_ -t=_", Args: "C", Style: Strict},
	{Names: "chpst", Opts: "-u=_ -U=_ -b=_ -e=_ -/=_ -n=_ -l=_ -L=_ -m=_ -d=_ -o=_ -p=_ -f=_ -c=_ -C=_", Args: "C", Style: Strict},
	{Names: "valgrind heaptrack memusage ltrace uftrace rr samply hotspot vtune kcov bcov",
		Opts: "-e=_ -o,--output=w -p=_ -n=_ -s=_ -l,--library=_ -F=_ -x=_ -a=_ -u=_ -c=_ -A=_ -D=_ --event=_ --freq=_", Style: Strict, Do: doProfiler},
	{Names: "perf", Sub: []Model{
		{Names: "stat record trace top mem lock sched c2c kmem", Opts: "-e,--event=_ -o,--output=w -p,--pid=_ -t,--tid=_ -C,--cpu=_ -F,--freq=_ -c,--count=_ -r,--repeat=_ -I,--interval-print=_ -x=_ -G,--cgroup=_ -D,--delay=_ -m,--mmap-pages=_ -u,--uid=_ -j,--branch-filter=_ --call-graph=_", Args: "C", Style: Strict},
	}},
	{Names: "ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld-linux-armhf.so.3 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld.so",
		Opts: "--library-path=_ --preload=_ --audit=_ --inhibit-rpath=_ --argv0=_ --glibc-hwcaps-prepend=_ --glibc-hwcaps-mask=_", Args: "C", Style: Strict},
	{Names: "busybox toybox", Style: NoOptions, Do: doApplet},
	{Names: "command_not_found_handle", Args: "C", Style: NoOptions},

	// Another user.
	{Names: "sudo", Opts: "-u,--user=_ -g,--group=_ -h,--host=_ -p,--prompt=_ -C,--close-from=_ -D,--chdir=_ -R,--chroot=_ -r,--role=_ -t,--type=_ -T,--command-timeout=_ -U,--other-user=_ -a,--auth-type=_ -c,--login-class=_ -l,--list+inert -v,--validate+inert -V,--version+inert -k,--reset-timestamp -K,--remove-timestamp -e,--edit -s,--shell -i,--login --preserve-env?=_",
		Style: Strict, Do: doSudo},
	{Names: "doas", Opts: "-u=_ -C=_ -a=_ -s -n -L", Style: Strict, Do: doDoas},
	{Names: "run0", Opts: "-u,--user=_ -g,--group=_ -D,--chdir=_ --setenv=_ --unit=_ --property=_ --description=_ --slice=_ --nice=_ --machine=_ --background=_", Style: Strict, Do: doDoas},
	{Names: "pkexec gksudo gksu kdesudo kdesu beesu lxsudo", Opts: "-u,--user=_ -m=_", Style: Strict, Do: doDoas},
	{Names: "su", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -w,--whitelist-environment=_ -l,--login", Do: doSu},
	{Names: "runuser", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -u,--user=_ -w,--whitelist-environment=_ -l,--login", Style: Strict, Do: doRunuser},
	{Names: "sg", Style: Strict, Do: doSg},
	{Names: "capsh", Opts: "", Style: NoOptions, Do: doCapsh},
	{Names: "machinectl", Opts: "-M,--machine=_ --uid=_ -E,--setenv=_", Sub: []Model{
		{Names: "shell", Opts: "--uid=_ -E,--setenv=_ -M,--machine=_", Style: Strict, Do: doMachineShell},
	}},

	// Another environment.
	{Names: "env genv", Opts: "-u,--unset=_ -C,--chdir=_ -S,--split-string=_ -P=_ -L=_ -U=_ -i,--ignore-environment -0,--null --block-signal?=_ --default-signal?=_ --ignore-signal?=_",
		Style: Strict, Do: doEnv},
	{Names: "cross-env cross-env-shell env-cmd", Opts: "-f,--file=_ -e,--environments=_ -r,--rc-file=_", Style: Strict, Do: doEnvPrefix},
	{Names: "dotenv dotenvx dotenv-vault dotenv-cli", Opts: "-f,-e,--env-file,--file=_ -q,--quote=_ -p=_ -v=_ -fv=_ --convention=_ -c", Style: Strict, Do: doDotenv},
	{Names: "direnv", Sub: []Model{{Names: "exec", Args: "_ C", Style: Strict}}},
	{Names: "mise rtx", Opts: "-C,--cd=_ -E,--env=_ -j,--jobs=_ -P,--profile=_", Sub: []Model{
		{Names: "exec x", Opts: "-c,--command=c -j,--jobs=_ -C,--cd=_", Style: Strict, Do: doAfterDash},
	}},
	{Names: "asdf rbenv pyenv nodenv goenv jenv plenv phpenv tfenv swiftenv", Sub: []Model{{Names: "exec", Args: "C", Style: Strict}}},
	{Names: "nvm", Sub: []Model{{Names: "exec run", Opts: "--silent", Args: "_ C", Style: Strict}}},
	{Names: "fnm", Sub: []Model{{Names: "exec", Opts: "--using=_", Args: "C", Style: Strict}}},
	{Names: "volta", Sub: []Model{{Names: "run", Opts: "--node=_ --npm=_ --yarn=_ --pnpm=_ --env=E", Args: "C", Style: Strict}}},
	{Names: "rvm", Sub: []Model{{Names: "do exec", Args: "C", Style: Strict}}, Do: doRvm},
	{Names: "chamber", Sub: []Model{{Names: "exec", Style: Strict, Do: doAfterDash}}},
	{Names: "aws-vault aws-okta saml2aws", Opts: "-d,--duration=_ -a,--idp-account=_", Sub: []Model{{Names: "exec", Opts: "-d,--duration=_ -m,--mfa-token=_ --region=_ --exec-profile=_", Style: Strict, Do: doAfterDash}}},
	{Names: "doppler infisical teller phase berglas", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --scope=_", Sub: []Model{{Names: "run exec", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --command=c --env=_ --path=_ --projectId=_", Style: Strict, Do: doAfterDash}}, Do: doCloud},
	{Names: "envchain", Args: "_ C", Style: Strict},

	// Another root, container or machine's edge.
	{Names: "chroot", Opts: "--userspec=_ --groups=_ -u=_ -g=_ -G=_", Style: Strict, Do: doChroot},
	{Names: "proot", Opts: "-r,--rootfs,-R,-S=_ -b,--bind,-m=_ -w,--pwd,--cwd=_ -q,--qemu=_ -k=_ -i=_ -v=_", Style: Strict, Do: doProot},
	{Names: "systemd-nspawn", Opts: "-D,--directory=_ -M,--machine=_ -u,--user=_ -i,--image=_ --bind=_ --bind-ro=_ -E,--setenv=_ --chdir=_", Style: Strict, Do: doProot},
	{Names: "unshare", Opts: "-m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -U,--user?=_ -C,--cgroup?=_ -T,--time?=_ --map-user=_ --map-group=_ --map-users=_ --map-groups=_ --kill-child?=_ --mount-proc?=_ --mount-binfmt?=_ -R,--root=_ -w,--wd=_ -S,--setuid=_ -G,--setgid=_ --propagation=_ --setgroups=_ --monotonic=_ --boottime=_",
		Style: Strict, Do: doUnshare},
	{Names: "nsenter", Opts: "-t,--target=_ -m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -C,--cgroup?=_ -U,--user?=_ -T,--time?=_ -S,--setuid=_ -G,--setgid=_ -r,--root?=_ -w,--wd?=_ -W,--wdns=_ -a,--all", Style: Strict, Do: doNsenter},
	{Names: "bwrap", Style: NoOptions, Do: doBwrap},
	{Names: "firejail", Style: Strict | NoInert, Args: "C"},
	{Names: "sandbox-exec", Opts: "-f=_ -n=_ -p=_ -D=_", Args: "C", Style: Strict},
	{Names: "systemd-run", Opts: "-H,--host=_ -M,--machine=_ -u,--unit=_ -p,--property=_ --description=_ --slice=_ --service-type=_ --uid=_ --gid=_ --nice=_ --working-directory=_ -E,--setenv=_ --path-property=_ --socket-property=_ --on-active=_ --on-boot=_ --on-startup=_ --on-unit-active=_ --on-unit-inactive=_ --on-calendar=_ --timer-property=_ --background=_",
		Style: Strict, Do: doSystemdRun},
	{Names: "start-stop-daemon", Opts: "-x,--exec=_ -a,--startas=_ -p,--pidfile=_ -n,--name=_ -u,--user=_ -c,--chuid=_ -d,--chdir=_ -s,--signal=_ -R,--retry=_ -N,--nicelevel=_ -P,--procsched=_ -I,--iosched=_ -k,--umask=_ -r,--chroot=_ -g,--group=_ -O,--output=_ --ppid=_ --pid=_ -S,--start -K,--stop -t,--test+inert", Style: Strict, Do: doStartStop},
	{Names: "daemonize", Opts: "-c=_ -e=_ -E=_ -o=_ -p=_ -l=_ -u=_", Args: "C", Style: Strict},
	{Names: "wsl", Opts: "-d,--distribution=_ -u,--user=_ --cd=_ -e,--exec --shell-type=_ --unregister=_", Style: Strict, Do: doWsl},

	// Terminals and recorders.
	{Names: "script", Opts: "-I,--log-in=w -O,--log-out=w -B,--log-io=w -T,--log-timing=w -m,--logging-format=_ -c,--command=_ -E,--echo=_ -o,--output-limit=_ --timing?=_", Style: Strict, Do: doScript},
	{Names: "asciinema", Sub: []Model{{Names: "rec record", Opts: "-c,--command=c -t,--title=_ -i,--idle-time-limit=_ -e,--env=_", Args: "w"}}},
	{Names: "expect", Opts: "-c=_ -f=_ -d -b", Style: Strict, Do: doExpect},
	{Names: "tmux", Opts: "-c=c -f=_ -L=_ -S=_ -T=_", Style: Strict, Do: doTmux},
	{Names: "byobu", Style: Strict, Do: doTmux},
	{Names: "screen", Opts: "-S=_ -c=_ -e=_ -h=_ -p=_ -s=_ -t=_ -T=_ -r?=_ -x -X", Style: Strict, Do: doScreen},
	{Names: "zellij", Sub: []Model{{Names: "run", Opts: "-n,--name=_ -d,--direction=_ --cwd=_", Args: "C", Style: Strict}, {Names: "action", Style: NoOptions, Do: func(c *Call) { remoteWindow(c, c.Operands) }}}},
	{Names: "dtach abduco", Opts: "-e=_ -r=_", Style: Strict, Args: "_ C"},

	// Repeaters and watchers.
	{Names: "watch viddy hwatch", Opts: "-n,--interval=_ -d,--differences?=_ -q,--equexit=_ -x,--exec -s,--shotsdir=_", Style: Strict, Do: doWatch},
	{Names: "entr", Opts: "-s", Style: Strict, Do: doEntr},
	{Names: "watchexec", Opts: "-w,--watch=_ -e,--exts=_ -f,--filter=_ -i,--ignore=_ -s,--signal=_ -d,--debounce=_ --shell=_ -n --project-origin=_ --workdir=_ -E,--env=_ --stop-signal=_ --on-busy-update,-o=_", Style: Strict, Do: doWatchexec},
	{Names: "hyperfine", Opts: "-w,--warmup=_ -m,--min-runs=_ -M,--max-runs=_ -r,--runs=_ -s,--setup=c -p,--prepare=c -c,--cleanup=c -C,--conclude=c -P,--parameter-scan=_ -D,--parameter-step-size=_ -L,--parameter-list=_ -S,--shell=_ -u,--time-unit=_ --style=_ --sort=_ --export-json=w --export-csv=w --export-markdown=w --export-asciidoc=w --export-orgmode=w -n,--command-name=_ --output=_ --input=_", Args: "c*"},
	{Names: "flock", Opts: "-w,--wait,--timeout=_ -E,--conflict-exit-code=_ -c,--command=c", Style: Strict, Do: doFlock},
	{Names: "lckdo setlock", Args: "_ C", Style: Strict},
	{Names: "retry", Opts: "-t,--times,--max-tries,-r=_ -d,--delay,-m,--min=_ -x,--max,--until,--while=_", Args: "C", Style: Strict},

	// Debuggers.
	{Names: "strace", Opts: "-e,--trace=_ -E,--env=E -p,--attach=_ -u,--user=_ -b,--detach-on=_ -I,--interruptible=_ -P,--trace-path=_ -a,--columns=_ -o,--output=_ -s,--string-limit=_ -X,--const-print-style=_ -O,--summary-syscall-overhead=_ -S,--summary-sort-by=_ -U,--summary-columns=_", Style: Strict, Do: doStrace},
	{Names: "gdb lldb cgdb rust-gdb rust-lldb gdb-multiarch", Style: NoOptions, Do: doGdb},
}

// doApplet runs an applet of a multi-call program.
func doApplet(c *Call) {
	if len(c.Operands) == 0 || strings.HasPrefix(c.Operands[0].Text, "-") {
		return
	}
	c.Exec(c.Operands, Run{Out: true})
}

// doProfiler runs what is traced; perf and its like have a sub-command in between.
func doProfiler(c *Call) {
	ws := c.Operands
	if len(ws) > 1 {
		switch ws[0].Text {
		case "record", "stat", "trace", "run", "top", "mem", "lock", "sched", "c2c", "kmem":
			ws = skipOptions(ws[1:])
		case "report", "annotate", "list", "script", "diff", "replay", "dump", "ps":
			return
		}
	}
	c.Exec(ws, Run{Out: true})
}

// doSetarch reads setarch [ARCH] [OPTION...] COMMAND.
func doSetarch(c *Call) {
	ws := c.Operands
	if len(ws) > 0 && !strings.HasPrefix(ws[0].Text, "-") {
		ws = ws[1:]
	}
	c.Exec(skipOptions(ws), Run{Out: true})
}

// skipOptions passes over options whose arity is not known: those attached to their
// value or without one.
func skipOptions(ws []Word) []Word {
	for i, w := range ws {
		if w.Text == "--" {
			return ws[i+1:]
		}
		if !strings.HasPrefix(w.Text, "-") {
			return ws[i:]
		}
	}
	return nil
}

// skipAssigns splits leading NAME=VALUE words off.
func skipAssigns(ws []Word) (env, rest []Word) {
	for i, w := range ws {
		if !isAssign(w.Text) {
			return ws[:i], ws[i:]
		}
	}
	return ws, nil
}

func isAssign(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/- \t\"'") && (name[0] < '0' || name[0] > '9')
}

// joined makes one shell text of words the way "sh -c" wrappers do: with blanks between.
func joined(ws []Word) (w Word) {
	for i, x := range ws {
		if i > 0 {
			w.Text += " "
		}
		w.Text += x.Text
		w.Taint |= x.Taint
	}
	return w
}

// dirOf makes an option's value the folder of a run.
func dirOf(c *Call, name string) *Word {
	if w, ok := c.Opt(name); ok {
		return &w
	}
	return nil
}

// stdinShell runs what a shell started without operands reads.
func stdinShell(c *Call, r Run) {
	if c.Inert() || !c.Stdin.Pipe && !c.Stdin.Seen && c.Stdin.Taint == 0 {
		return
	}
	if r.Via == "" {
		r.Via = c.Program
	}
	c.Script("sh", c.Stdin, r)
}

func doSudo(c *Call) {
	r := Run{Traits: umpire.Privilege, Out: true, Dir: dirOf(c, "-D")}
	env, ws := skipAssigns(c.Operands)
	r.Env = env
	if root, ok := c.Opt("-R"); ok {
		r.Traits |= umpire.Container
		r.Mounts = []Mount{{Host: root, Inside: "/"}}
	}
	switch {
	case c.Has("-e"):
		for _, w := range ws {
			c.Traits |= umpire.Privilege
			c.ReadFile(w)
			c.WriteFile(w, 0, Unseen(0))
		}
	case c.Has("-i", "-s") && len(ws) > 0:
		// sudo escapes what it hands to the shell, so words stay words.
		c.Exec(ws, r)
	case len(ws) > 0:
		c.Exec(ws, r)
	case c.Has("-i", "-s"):
		stdinShell(c, r)
	}
}

func doDoas(c *Call) {
	env, ws := skipAssigns(c.Operands)
	r := Run{Traits: umpire.Privilege, Env: env, Out: true, Dir: dirOf(c, "-D")}
	if len(ws) == 0 {
		if c.Has("-s") {
			stdinShell(c, r)
		}
		return
	}
	c.Exec(ws, r)
}

func doAsUser(c *Call) {
	if len(c.Operands) > 1 {
		c.Exec(c.Operands[1:], Run{Traits: umpire.Privilege, Out: true})
	}
}

func doSu(c *Call) {
	r := Run{Traits: umpire.Privilege, Out: true}
	ws := c.Operands
	if len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	if w, ok := c.Opt("-c"); ok {
		c.Shell(w, r)
		return
	}
	// What follows the user are the arguments of its shell.
	if len(ws) > 1 {
		c.Exec(append(Lits("sh"), ws[1:]...), r)
		return
	}
	stdinShell(c, r)
}

func doRunuser(c *Call) {
	r := Run{Traits: umpire.Privilege, Out: true}
	if w, ok := c.Opt("-c"); ok {
		c.Shell(w, r)
		return
	}
	ws := c.Operands
	if c.Has("-u") {
		c.Exec(ws, r)
		return
	}
	for len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	if len(ws) > 1 {
		c.Exec(append(Lits("sh"), ws[1:]...), r)
		return
	}
	stdinShell(c, r)
}

func doSg(c *Call) {
	ws := c.Operands
	for len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	if len(ws) < 2 {
		return
	}
	ws = ws[1:]
	if ws[0].Text == "-c" {
		ws = ws[1:]
	}
	c.Shell(joined(ws), Run{Out: true})
}

func doCapsh(c *Call) {
	for i, w := range c.Operands {
		if w.Text == "--" || w.Text == "==" {
			c.Exec(append(Lits("bash"), c.Operands[i+1:]...), Run{Out: true})
			return
		}
	}
}

func doMachineShell(c *Call) {
	if len(c.Operands) > 1 {
		t := umpire.Container
		if m := c.Operands[0].Text; m == ".host" || strings.HasSuffix(m, "@.host") || strings.HasSuffix(m, "@") {
			t = umpire.Privilege
		}
		c.Exec(c.Operands[1:], Run{Traits: t, Out: true})
	}
}

func doEnv(c *Call) {
	ws := c.Operands
	if s, ok := c.Opt("-S"); ok {
		ws = append(splitWords(s), ws...)
		if len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
			// env -S '-i rm x': options again.
			c.Exec(append(Lits("env"), ws...), Run{Out: true})
			return
		}
	}
	if len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	env, ws := skipAssigns(ws)
	if len(ws) == 0 {
		if !c.Inert() {
			c.SetOut(Unseen(FromEnv))
		}
		return
	}
	c.Exec(ws, Run{Env: env, Dir: dirOf(c, "-C"), Out: true})
}

func doEnvPrefix(c *Call) {
	env, ws := skipAssigns(c.Operands)
	if len(ws) == 0 {
		return
	}
	if c.Program == "cross-env-shell" || len(ws) == 1 && strings.Contains(ws[0].Text, " ") {
		c.Shell(joined(ws), Run{Env: env, Out: true})
		return
	}
	c.Exec(ws, Run{Env: env, Out: true})
}

func doDotenv(c *Call) {
	ws := c.Operands
	if len(ws) > 0 {
		switch ws[0].Text {
		case "run":
			ws = skipEnvFile(ws[1:])
		case "list", "get", "decrypt", "keypair":
			f, ok := c.Opt("-f")
			if !ok {
				f = Lit(".env")
			}
			c.ReadFile(f)
			return
		case "set", "unset", "encrypt", "rotate":
			f, ok := c.Opt("-f")
			if !ok {
				f = Lit(".env")
			}
			c.WriteFile(f, 0, Unseen(0))
			return
		}
	}
	c.Exec(ws, Run{Out: true})
}

// skipEnvFile passes over the options of "run", whose -f takes a value.
func skipEnvFile(ws []Word) []Word {
	for i := 0; i < len(ws); i++ {
		switch t := ws[i].Text; {
		case t == "--":
			return ws[i+1:]
		case t == "-f" || t == "--env-file" || t == "-e" || t == "--env" || t == "-fv" || t == "--env-vault-file":
			i++
		case strings.HasPrefix(t, "-"):
		default:
			return ws[i:]
		}
	}
	return nil
}

// doAfterDash runs what stands after --, or after the first operand where there is no --.
func doAfterDash(c *Call) {
	for i, w := range c.Args {
		if w.Text == "--" {
			c.Exec(c.Args[i+1:], Run{Out: true})
			return
		}
	}
	ws := c.Operands
	if (c.Program == "mise" || c.Program == "rtx" || c.Program == "chamber" || strings.HasPrefix(c.Program, "aws-")) && len(ws) > 0 {
		ws = ws[1:]
	}
	c.Exec(ws, Run{Out: true})
}

func doRvm(c *Call) {
	for i, w := range c.Operands {
		if w.Text == "do" || w.Text == "exec" {
			c.Exec(c.Operands[i+1:], Run{Out: true})
			return
		}
	}
}

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
			// The nearest mount must come first: it hides what lies below it.
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

// doNsenter enters the namespaces of a process: of process 1, those of the host.
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

// doBwrap reads bubblewrap's options, each of which takes a fixed number of values.
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
		r.Traits |= umpire.Container
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
		c.Op(umpire.System, Quote("distribution delete", []Word{w}), umpire.DataStore|umpire.Irreversible)
		return
	}
	c.Exec(c.Operands, Run{Out: true})
}

// doScript reads both forms: script -c COMMAND [FILE], and BSD's script FILE COMMAND...
func doScript(c *Call) {
	if len(c.Operands) > 0 {
		c.WriteFile(c.Operands[0], umpire.Truncate, Unseen(0))
	}
	if w, ok := c.Opt("-c"); ok {
		c.Shell(w, Run{Out: true})
		return
	}
	if len(c.Operands) > 1 {
		// What follows the file are options still to the one, and a command to the other.
		for i, w := range c.Operands[1:] {
			if t := w.Text; t == "--command" || len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.HasSuffix(t, "c") {
				c.Shell(joined(c.Operands[min(i+2, len(c.Operands)):]), Run{Out: true})
				return
			} else if text, ok := strings.CutPrefix(t, "--command="); ok {
				c.Shell(w.With(text), Run{Out: true})
				return
			} else if !strings.HasPrefix(t, "-") {
				c.Exec(c.Operands[i+1:], Run{Out: true})
				return
			}
		}
	}
	stdinShell(c, Run{Out: true})
}

// doExpect reads the programs that an expect script starts and the lines it types.
func doExpect(c *Call) {
	for _, w := range c.All("-c") {
		tcl(c, w)
	}
	f, ok := c.Opt("-f")
	if !ok && len(c.Operands) > 0 {
		f, ok = c.Operands[0], true
	}
	if ok && f.Text != "-" {
		c.ReadFile(f)
		tclStream(c, c.File(f))
		return
	}
	if !c.Has("-c") {
		tclStream(c, c.Stdin)
	}
}

func tclStream(c *Call, s Stream) {
	if !s.Seen {
		if s.Pipe || s.Taint != 0 {
			c.Script("tcl", s, Run{Via: c.Program})
		}
		return
	}
	tcl(c, Word{Text: s.Text, Taint: s.Taint})
}

// tcl reads the commands of a Tcl script that start programs or remove files. A light
// reading: words in braces or quotes are taken as they stand.
func tcl(c *Call, w Word) {
	if w.Taint&(FromNetwork|FromDecoder) != 0 {
		c.Script("tcl", Stream{Text: w.Text, Seen: true, Pipe: true, Taint: w.Taint}, Run{Via: c.Program})
	}
	text := w.Text
	if len(text) > maxTcl {
		text = text[:maxTcl]
	}
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.Trim(line, " \t{}[]")
		if i := strings.Index(line, "[exec "); i > 0 {
			line = strings.Trim(line[i:], "[]{} ")
		}
		cmd, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch cmd {
		case "spawn", "exec", "system", "exp_spawn", "overlay":
			for _, o := range []string{"-noecho ", "-ignorestderr ", "-nottycopy ", "-keepnewline ", "-- "} {
				rest = strings.TrimPrefix(rest, o)
			}
			if n := strings.Count(rest, "{") - strings.Count(rest, "}"); n > 0 { // trimmed above
				rest += strings.Repeat("}", n)
			}
			rest = strings.NewReplacer("{", "'", "}", "'").Replace(rest)
			c.Shell(w.With(rest), Run{Out: true})
		case "file":
			if rest, ok := strings.CutPrefix(rest, "delete"); ok {
				rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "-force"))
				for f := range strings.FieldsSeq(strings.TrimPrefix(rest, "--")) {
					c.Delete(w.With(strings.Trim(f, "\"{}")), umpire.Recursive|umpire.Force)
				}
			}
		case "send", "exp_send":
			// Typed into the program that was spawned, which often is a shell.
			if t := strings.Trim(strings.TrimPrefix(rest, "-- "), "\"{}"); strings.Contains(text, "spawn") && strings.HasSuffix(t, `\r`) {
				c.Shell(w.With(strings.TrimSuffix(t, `\r`)), Run{})
			}
		}
	}
}

const maxTcl = 64 << 10

// doTmux reads the commands of tmux that start programs or type into one. A word \; or
// ";" stands between commands.
func doTmux(c *Call) {
	for ws := c.Operands; len(ws) > 0; {
		n := 0
		for n < len(ws) && ws[n].Text != ";" && ws[n].Text != `\;` && !strings.HasSuffix(ws[n].Text, ";") {
			n++
		}
		cmd := ws[:n]
		if n < len(ws) && len(ws[n].Text) > 1 && ws[n].Text != `\;` {
			cmd = append(cmd[:n:n], ws[n].With(strings.TrimSuffix(ws[n].Text, ";")))
		}
		tmuxCommand(c, cmd)
		ws = ws[min(n+1, len(ws)):]
	}
}

func tmuxCommand(c *Call, ws []Word) {
	if len(ws) == 0 {
		return
	}
	name := ws[0].Text
	is := func(full, alias string) bool {
		return name == alias || len(name) > 3 && strings.HasPrefix(full, name)
	}
	switch {
	case is("new-session", "new"), is("new-window", "neww"), is("split-window", "splitw"), is("respawn-pane", "respawnp"), is("respawn-window", "respawnw"), is("display-popup", "popup"):
		shellOperands(c, ws[1:], "cefFnstxylpwhTb")
	case is("run-shell", "run"), is("pipe-pane", "pipep"), is("if-shell", "if"):
		shellOperands(c, ws[1:], "tdc")
	case is("send-keys", "send"):
		var typed Word
		for _, w := range operandsOf(ws[1:], "tNc") {
			switch w.Text {
			case "Enter", "C-m", "KPEnter", "C-j", "Return":
				typed.Text += "\n"
			case "Space":
				typed.Text += " "
			default:
				typed.Text += w.Text
				typed.Taint |= w.Taint
			}
		}
		c.Shell(typed, Run{})
	case is("set-buffer", "setb"): // what is pasted is typed
		typed(c, operandsOf(ws[1:], "bnt"))
	case is("kill-server", "kill-server"):
		c.Op(umpire.System, "process kill tmux", 0)
	}
}

// operandsOf drops short options, those listed with their value.
func operandsOf(ws []Word, valued string) []Word {
	for i := 0; i < len(ws); i++ {
		t := ws[i].Text
		if t == "--" {
			return ws[i+1:]
		}
		if len(t) < 2 || t[0] != '-' {
			return ws[i:]
		}
		if j := strings.IndexAny(t[1:], valued); j >= 0 && j+2 == len(t) {
			i++
		}
	}
	return nil
}

func shellOperands(c *Call, ws []Word, valued string) {
	ws = operandsOf(ws, valued)
	switch {
	case len(ws) == 1:
		c.Shell(ws[0], Run{})
	case len(ws) > 1:
		c.Exec(ws, Run{})
	}
}

func doScreen(c *Call) {
	ws := c.Operands
	if !c.Has("-X") {
		c.Exec(ws, Run{})
		return
	}
	if len(ws) > 1 {
		switch ws[0].Text {
		case "stuff":
			w := ws[1]
			w.Text = strings.NewReplacer(`\n`, "\n", "^M", "\n", `\r`, "\n", `\015`, "\n", `\012`, "\n").Replace(w.Text)
			c.Shell(w, Run{})
		case "exec", "screen":
			c.Exec(ws[1:], Run{})
		}
	}
}

func doWatch(c *Call) {
	if c.Has("-x") {
		c.Exec(c.Operands, Run{Out: true})
		return
	}
	c.Shell(joined(c.Operands), Run{Out: true})
	if len(c.Operands) > 2 { // the shell sees fewer words than were written, and people mean those
		c.Exec(c.Operands, Run{Out: true})
	}
}

func doEntr(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	none := Stream{}
	if c.Has("-s") {
		c.Shell(c.Operands[0], Run{Out: true, Stdin: &none})
		return
	}
	ws := make([]Word, len(c.Operands))
	for i, w := range c.Operands {
		if w.Text == "/_" {
			w = Word{Text: umpire.Hole, Taint: c.Stdin.Taint}
		}
		ws[i] = w
	}
	c.Exec(ws, Run{Out: true, Stdin: &none})
}

func doWatchexec(c *Call) {
	if c.Has("-n") {
		c.Exec(c.Operands, Run{Out: true})
		return
	}
	c.Shell(joined(c.Operands), Run{Out: true})
}

// doFlock reads flock FILE COMMAND..., flock FILE -c TEXT and flock FD.
func doFlock(c *Call) {
	ws := c.Operands
	if len(ws) < 2 {
		return
	}
	ws = ws[1:]
	if len(ws) > 1 && (ws[0].Text == "-c" || ws[0].Text == "--command") {
		c.Shell(ws[1], Run{Out: true})
		return
	}
	c.Exec(ws, Run{Out: true})
}

func doStrace(c *Call) {
	if w, ok := c.Opt("-o"); ok {
		if cmd, piped := strings.CutPrefix(w.Text, "|"); piped {
			c.Shell(w.With(cmd), Run{Traits: umpire.RunsProgram})
		} else if cmd, piped := strings.CutPrefix(w.Text, "!"); piped {
			c.Shell(w.With(cmd), Run{Traits: umpire.RunsProgram})
		} else {
			c.WriteFile(w, umpire.Truncate, Unseen(0))
		}
	}
	if len(c.Operands) > 0 {
		c.Exec(c.Operands, Run{Out: true})
	}
}

// doGdb reads the debugger's own commands, which include a shell, and what it debugs.
func doGdb(c *Call) {
	ws := c.Operands
	for i := 0; i < len(ws); i++ {
		t := ws[i].Text
		if !strings.HasPrefix(t, "-") {
			return // the program is only loaded; gdb runs it when told to
		}
		name, value, attached := strings.Cut(strings.TrimLeft(t, "-"), "=")
		next := func() Word {
			if attached {
				return ws[i].With(value)
			}
			if i++; i < len(ws) {
				return ws[i]
			}
			return Word{}
		}
		switch name {
		case "ex", "eval-command", "iex", "init-eval-command", "o", "one-line", "O", "one-line-before-file":
			gdbCommand(c, next())
		case "x", "command", "ix", "init-command", "s", "source":
			f := next()
			c.ReadFile(f)
			if s := c.File(f); s.Seen {
				for line := range strings.SplitSeq(s.Text, "\n") {
					gdbCommand(c, Word{Text: line, Taint: s.Taint})
				}
			}
		case "args", "":
			c.Exec(ws[i+1:], Run{})
			return
		case "p", "pid", "c", "core", "cd", "d", "directory", "e", "exec", "tty", "b", "l", "data-directory", "symbols", "se", "n", "attach-name", "interpreter", "i":
			next()
		}
	}
}

func gdbCommand(c *Call, w Word) {
	text := strings.TrimSpace(w.Text)
	cmd, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "!"):
		c.Shell(w.With(text[1:]), Run{})
	case cmd == "shell" || cmd == "make" || cmd == "platform":
		c.Shell(w.With(strings.TrimPrefix(rest, "shell ")), Run{})
	case cmd == "python" || cmd == "py" || cmd == "python-interactive" || cmd == "pi" || cmd == "script":
		c.Code("python", w.With(rest), Run{})
	case cmd == "source":
		c.RunFile("python", w.With(rest), Run{})
	case cmd == "call" || cmd == "print" || cmd == "p" || cmd == "expr" || cmd == "expression":
		if i := strings.Index(rest, "system("); i >= 0 {
			arg := rest[i+len("system("):]
			arg, _, _ = strings.Cut(strings.TrimLeft(arg, `" `), `"`)
			c.Shell(w.With(arg), Run{})
		}
	case cmd == "pipe" || cmd == "|":
		if _, sh, ok := strings.Cut(rest, "|"); ok {
			c.Shell(w.With(sh), Run{})
		}
	}
}

// splitWords splits text into words as env -S and desktop entries do: quotes and
// backslashes count, nothing is expanded.
func splitWords(w Word) (ws []Word) {
	var b strings.Builder
	in, quote := false, byte(0)
	flush := func() {
		if in {
			ws = append(ws, w.With(b.String()))
			b.Reset()
			in = false
		}
	}
	s := w.Text
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case ch == '\\' && quote != '\'' && i+1 < len(s):
			i++
			in = true
			b.WriteByte(s[i])
		case quote != 0:
			b.WriteByte(ch)
		case ch == '\'' || ch == '"':
			quote, in = ch, true
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
			flush()
		default:
			in = true
			b.WriteByte(ch)
		}
	}
	flush()
	return ws
}
