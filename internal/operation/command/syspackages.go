package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// essential reports whether the system needs a package to start or to be reachable.
func essential(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, "=")
	if anyof.Equal(name, "libc6", "glibc", "bash", "dash", "coreutils", "systemd", "systemd-sysv", "init", "dpkg", "apt", "rpm", "dnf", "yum", "pacman", "sudo", "openssh-server", "openssh", "login", "util-linux", "base-files", "linux-base", "grub", "grub2", "grub-pc", "kernel", "filesystem", "network-manager", "NetworkManager", "ca-certificates", "python3", "perl-base", "libssl3", "musl", "busybox", "udev", "dbus", "*", "^.*", ".*") {
		return true
	}
	return strings.HasPrefix(name, "linux-image") || strings.HasPrefix(name, "linux-generic") || strings.HasPrefix(name, "kernel-")
}

func doSystemPackages(c *Call) {
	for _, w := range c.All("-o") { // APT::Update::Pre-Invoke::=COMMAND
		if key, value, ok := strings.Cut(w.Text, "="); ok && anyof.Contains(key, "Invoke", "Install-Pkgs", "DPkg::Post", "DPkg::Pre") {
			c.Shell(w.With(value), Run{Traits: umpire.RunsProgram})
		}
	}
	verb, args := systemVerb(c)
	t := umpire.Global
	if c.Program == "brew" {
		t = 0
	}
	switch verb {
	case "install", "add", "reinstall", "localinstall", "groupinstall", "build-dep", "in", "tap", "refresh", "swap", "-i", "ensure", "bundle-add", "instal":
		if verb == "tap" {
			t |= umpire.UntrustedSource
			if len(args) == 0 {
				return
			}
		}
		Packages(c, "install", args, t)
	case "upgrade", "full-upgrade", "dist-upgrade", "dup", "system-upgrade", "up", "update-all", "distro-sync", "rebase", "patch":
		Packages(c, "upgrade", args, t|umpire.Bulk)
	case "update", "makecache", "check-update", "ref":
		if c.Program == "brew" || strings.HasPrefix(c.Program, "apt") || c.Program == "apk" || verb != "update" {
			return
		}
		Packages(c, "upgrade", args, t|umpire.Bulk)
	case "remove", "purge", "erase", "del", "uninstall", "rm", "autoremove", "autopurge", "groupremove", "delete", "zap", "deinstall", "unlink":
		removesPackages(c, verb, args, t)
	case "addrepo", "ar", "config-manager", "copr", "remote-add", "source", "bucket", "feature", "edit-sources", "add-repository":
		if len(args) > 0 && args[0].Text != "list" {
			Packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate|umpire.Global)
		}
	case "services":
		switch {
		case len(args) == 0:
		case c.Program == "brew" && anyof.Equal(args[0].Text, "start", "restart", "run") && c.Traits&umpire.Privilege == 0:
			sys(c, "service own-"+args[0].Text, 0, WordsAfter(c, 2)...) // a service of the user, as with systemctl --user
		default:
			service(c, args[0].Text, WordsAfter(c, 2))
		}
	case "run":
		if c.Program == "flatpak" || c.Program == "snap" {
			Packages(c, "run", args, 0)
		}
		if c.Program == "flatpak" {
			flatpakRun(c)
		}
	}
}

// systemVerb returns what a package manager of the system does, and its operands. The verb is
// empty if nothing is left to read.
func systemVerb(c *Call) (verb string, args []Word) {
	verb, args = strings.ToLower(c.Arg(0).Text), WordsAfter(c, 1)
	switch c.Program {
	case "pacman", "yay", "paru":
		verb, args = pacmanVerb(c), c.Operands
	case "emerge":
		verb, args = "install", c.Operands
		if c.Has("-C", "--unmerge", "-c", "--depclean") {
			verb = "remove"
		} else if c.Has("-s", "--search", "-p", "--pretend") {
			return "", nil
		}
	case "pkg_add", "xbps-install", "urpmi":
		verb, args = "install", c.Operands
	case "pkg_delete", "xbps-remove":
		verb, args = "remove", c.Operands
	case "nix-shell":
		for _, w := range append(c.All("-p"), c.Operands...) {
			if CodeAddress(w.Text) || c.Has("-p", "--packages") {
				Packages(c, "run", []Word{w}, 0)
			}
		}
	case "nix-env":
		args = c.Operands
		switch {
		case c.Has("-e", "--uninstall"):
			verb = "remove"
		case c.Has("-i", "--install", "-u", "--upgrade"):
			verb = "install"
		default:
			return "", nil
		}
	case "guix":
		if verb == "shell" || verb == "environment" {
			if i := slices.IndexFunc(c.Args, func(w Word) bool { return w.Text == "--" }); i >= 0 {
				c.Exec(c.Args[i+1:], Run{Out: true})
				args = args[:max(len(args)-len(c.Args[i+1:]), 0)]
			}
			if len(args) > 0 {
				Packages(c, "run", args, 0)
			}
			return "", nil
		}
	case "nix":
		switch verb {
		case "run", "shell", "develop":
			nixRun(c, verb, args)
			return "", nil
		case "profile":
			if len(args) > 0 {
				verb, args = args[0].Text, args[1:]
			}
		case "store", "collect-garbage":
			return "", nil
		}
	}
	return verb, args
}

// removesPackages records the removal of packages, with more traits if the system needs one of
// them.
func removesPackages(c *Call, verb string, args []Word, t umpire.Trait) {
	for _, w := range args {
		if essential(w.Text) {
			t |= umpire.Irreversible | umpire.Destroy
		}
	}
	if verb == "autoremove" || verb == "autopurge" {
		t |= umpire.Bulk
	}
	Packages(c, "remove", args, t)
}

// nixRun records the package that nix fetches, and the command that it runs.
func nixRun(c *Call, verb string, args []Word) {
	Packages(c, "run", args, 0)
	for i, w := range c.Args {
		if (w.Text == "-c" || w.Text == "--command") && verb != "run" {
			c.Exec(c.Args[i+1:], Run{Out: true})
			break
		}
		if w.Text == "--" && i+1 < len(c.Args) && len(args) > 0 {
			_, name, _ := strings.Cut(args[0].Text, "#")
			c.Exec(append(Lits(name), c.Args[i+1:]...), Run{Out: true})
			break
		}
	}
}

// flatpakRun records the program that --command makes flatpak run instead of the app. Most apps can
// access the home folder.
func flatpakRun(c *Call) {
	var program Word
	for i := slices.IndexFunc(c.Args, func(w Word) bool { return w.Text == "run" }) + 1; i < len(c.Args); i++ {
		w := c.Args[i]
		switch {
		case strings.HasPrefix(w.Text, "--command="):
			program = w.With(strings.TrimPrefix(w.Text, "--command="))
		case w.Text == "--command" && i+1 < len(c.Args):
			i++
			program = c.Args[i]
		case strings.HasPrefix(w.Text, "-"):
		case program.Text != "":
			c.Exec(append([]Word{program}, c.Args[i+1:]...), Run{Out: true})
			return
		default:
			return
		}
	}
}

// pacmanVerb returns the common name of pacman's verb, which is a letter, or "" if it changes
// nothing.
func pacmanVerb(c *Call) string {
	for _, w := range c.Args {
		if len(w.Text) < 2 || w.Text[0] != '-' || w.Text[1] == '-' {
			continue
		}
		switch w.Text[1] {
		case 'S':
			if strings.ContainsAny(w.Text[2:], "siclgp") {
				return ""
			}
			if strings.Contains(w.Text[2:], "u") {
				return "upgrade"
			}
			return "install"
		case 'U':
			return "install"
		case 'R':
			return "remove"
		}
	}
	return ""
}

func doDpkg(c *Call) {
	t := umpire.Global
	if c.Program == "rpm" {
		for _, o := range []string{"--eval", "-D", "--pipe"} {
			for _, w := range c.All(o) {
				rpmMacro(c, w, o == "--pipe")
			}
		}
	}
	switch {
	case c.Program == "dpkg" && c.Has("-c", "-I", "-l", "-L", "-S", "-s") || c.Has("-q"):
		for _, w := range c.Operands {
			if c.looksLikeFile(w.Text) || endsAsFile(w.Text) { // a package file, as in rpm -qpl
				c.role('i', w)
			}
		}
	case c.Has("-r", "-P") || c.Program == "rpm" && c.Has("-e"):
		for _, w := range c.Operands {
			if essential(w.Text) {
				t |= umpire.Irreversible | umpire.Destroy
			}
		}
		if c.Has("--force-all", "--force-depends") {
			t |= umpire.Force
		}
		Packages(c, "remove", c.Operands, t)
	case c.Has("-i"):
		Packages(c, "install", c.Operands, t)
	case c.Has("--import"):
		Packages(c, "config", c.Operands, umpire.UntrustedSource|umpire.Mutate)
	}
}

// rpmMacro runs the shell commands and the Lua code of a macro: %(...) and %{lua:...}. If whole is
// true, the word itself is a shell command.
func rpmMacro(c *Call, w Word, whole bool) {
	if whole {
		c.Shell(w, Run{})
	}
	for _, part := range strings.Split(w.Text, "%(")[1:] {
		c.Shell(w.With(strings.TrimSuffix(part, ")")), Run{Out: true})
	}
	if _, lua, ok := strings.Cut(w.Text, "%{lua:"); ok {
		c.Code("lua", w.With(strings.TrimSuffix(lua, "}")), Run{})
	}
}

func doRepository(c *Call) {
	if v := c.Arg(0).Text; v == "list" || v == "finger" || c.Has("-L", "--list") {
		return
	}
	Packages(c, "config", c.Operands, umpire.UntrustedSource|umpire.Mutate|umpire.Global)
}

func doMacInstaller(c *Call) {
	if c.Program == "installer" || c.Arg(0).Text == "install" || c.Has("-i") {
		Packages(c, "install", c.Operands, umpire.Global)
	}
}

// Packages records an effect on packages, with the traits of their sources.
func Packages(c *Call, verb string, names []Word, t umpire.Trait) {
	for _, w := range names {
		t |= PackageSource(c, w)
	}
	if verb == "install" || verb == "create" {
		t |= c.registries()
	}
	c.Op(umpire.Packages, Quote(c.Program+" "+verb, names), t)
}

// PackageSource returns traits of a package from outside the registry, in the notations of npm,
// pip, cargo and go. It records contact with the package's host.
func PackageSource(c *Call, w Word) (t umpire.Trait) {
	s := w.Text
	if i := strings.Index(s, " @ "); i >= 0 { // pip: name @ URL
		s = strings.TrimSpace(s[i+3:])
	} else if i := strings.Index(s, "@http"); i > 0 {
		s = s[i+1:]
	} else if i := strings.Index(s, "@git+"); i > 0 {
		s = s[i+1:]
	}
	if !w.Known() {
		t |= umpire.Unknown
	}
	switch {
	case strings.HasPrefix(s, "http://"), strings.HasPrefix(s, "git://"), strings.HasPrefix(s, "git+http://"), strings.HasPrefix(s, "ftp://"):
		t |= umpire.UntrustedSource | umpire.PlainHTTP
		c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
	case CodeAddress(s), strings.Contains(s, "://") && !strings.HasPrefix(s, "file://"):
		t |= umpire.UntrustedSource
		if strings.Contains(s, "://") {
			c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
		}
	case strings.Count(s, "/") == 1 && s[0] != '@' && s[0] != '.' && s[0] != '/' && s[0] != '~' && (c.Program == "npm" || c.Program == "npx" || c.Program == "pnpm" || c.Program == "yarn" || c.Program == "bun"):
		t |= umpire.UntrustedSource // npm takes user/repo for GitHub
	}
	if !strings.Contains(s, "://") && anyof.Listed(".tgz .gz .zip .whl .gem .deb .rpm .apk .nupkg .vsix .jar", path.Ext(s)) && c.File(w).Taint&(FromNetwork|Fetched) != 0 {
		t |= umpire.UntrustedSource // this call or an earlier one downloaded the file
	}
	return t
}

func WordsAfter(c *Call, n int) []Word { return c.Operands[min(n, len(c.Operands)):] }

func doOtherManager(c *Call) {
	for i, w := range c.Args {
		name, value, attached := strings.Cut(w.Text, "=")
		if !anyof.Equal(name, "--ghci-options", "--repl-options") {
			continue
		}
		if w = w.With("ghci " + value); !attached && i+1 < len(c.Args) {
			w = c.Args[i+1].With("ghci " + c.Args[i+1].Text)
		}
		c.Shell(w, Run{Out: true})
	}
	switch v := c.Arg(0).Text; v {
	case "install", "add", "get", "update", "upgrade", "-i":
		Packages(c, "install", WordsAfter(c, 1), fromRegistry(c, "--server", "--source"))
	case "remove", "uninstall":
		Packages(c, "remove", WordsAfter(c, 1), 0)
	case "upload", "publish", "push":
		Packages(c, "publish", WordsAfter(c, 1), umpire.Upload|umpire.Mutate)
	default:
		if c.Program == "cpanm" || c.Program == "cpan" {
			Packages(c, "install", c.Operands, 0)
		}
		if (c.Program == "opam" || c.Program == "cabal" || c.Program == "stack") && v == "exec" {
			c.Exec(c.wordsFrom(1), Run{Out: true})
		}
	}
}
