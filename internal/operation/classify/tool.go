package classify

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// describedTool reports whether the operations of a common tool are all that it does with these
// arguments: it shows the state of the machine, packs files of the project, or runs another
// program, which is read on its own.
func (c Call) describedTool() bool {
	if !c.Known() {
		return false
	}
	w := c.plainWords()
	switch c.Program {
	case "watch":
		return c.onlyBefore("-n --interval", "-d --differences -t --no-title -b --beep -g --chgexit -e --errexit -c --color -x --exec -p --precise")
	case "xvfb-run":
		return c.onlyBefore("", "-a --auto-servernum")
	case "valgrind":
		return !c.Begins("--log-") && !c.Begins("--xml-") && !c.Begins("--gdb") && !c.Begins("--vgdb") && !c.Begins("--db") && !c.Begins("--supp") && !c.Begins("--track-fds") && !c.outside()
	case "perf":
		switch c.FirstArg() {
		case "record", "stat":
			return c.inProject() && !c.outside() && c.onlyBefore("record stat -F --freq -e --event -r --repeat --call-graph", "-g -d -v --all-user")
		case "report":
			return len(c.Args) == 2 && c.Args[1].Text == "--stdio"
		}
	case "gdb", "gdb-multiarch":
		return c.batchDebug()
	case "finger":
		return !strings.Contains(strings.Join(w, " "), "@")
	case "tmux":
		return len(c.Args) == 1 && anyof.Equal(c.Args[0].Text, "-V", "ls", "info")
	case "info", "apropos", "whatis", "tldr":
		return !slices.ContainsFunc(c.Args, func(a command.Word) bool { return strings.HasPrefix(a.Text, "-") || c.elsewhere(a.Text) })
	case "gzip", "bzip2", "xz", "zstd", "lz4", "compress", "gunzip", "bunzip2", "unxz", "unzstd", "uncompress": // the content stays, under a name with or without an ending
		return c.ownFiles() && len(c.Operands) > 0 && !c.Has("-f", "--force", "-r", "--recursive", "--rm", "-o", "-S", "--suffix", "--filelist", "--output-dir-flat", "--output-dir-mirror") && !c.Begins("--rm") && !c.Begins("--fo") && !c.Begins("--patch") && !c.Begins("-D")
	case "bundle", "composer", "poetry", "pdm": // install the dependencies that the project lists
		return c.inProject() && !c.outside() && c.FirstArg() == "install" && c.plainRestore()
	case "od", "hexdump", "xxd", "head":
		return c.randomBytes()
	case "conda", "mamba", "micromamba":
		return len(c.Args) == 2 && c.Args[0].Text == "activate" && strings.Trim(c.Args[1].Text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == "" && c.Args[1].Text[0] != '.' || len(c.Args) == 1 && c.Args[0].Text == "deactivate"
	}
	at := strings.LastIndexByte(c.Program, '-') // a binary utility for another machine: arm-none-eabi-objdump
	return at > 0 && anyof.Equal(c.Program[at+1:], "objdump", "nm", "size", "readelf", "addr2line", "strings") && c.ownFiles() && !c.Has("-o") && !c.Begins("--pl") && !c.Begins("--target=@")
}

// onlyBefore reports whether all options before the program that a wrapper starts are in one of the
// lists. Those in valued take a value.
func (c Call) onlyBefore(valued, flags string) bool {
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		name, _, joined := strings.Cut(t, "=")
		switch {
		case anyof.Listed(valued, t) && strings.HasPrefix(t, "-"):
			i++
		case anyof.Listed(valued, t), anyof.Listed(flags, t), joined && anyof.Listed(valued, name), joined && anyof.Listed(flags, name):
		case len(t) > 2 && t[0] == '-' && t[1] != '-' && anyof.Listed(valued, t[:2]) && strings.Trim(t[2:], "0123456789.") == "":
		case strings.HasPrefix(t, "-"):
			return false
		default:
			return t != ""
		}
	}
	return false
}

// batchDebug reports whether a debugger only runs a program of the project and prints where it
// stopped. None of its commands may call a function, a shell or a script.
func (c Call) batchDebug() bool {
	batch := false
	for i := 0; i < len(c.Args); i++ {
		switch t := c.Args[i].Text; {
		case t == "-batch" || t == "--batch":
			batch = true
		case t == "-q" || t == "-nx" || t == "--nx" || t == "-quiet":
		case t == "-ex" && i+1 < len(c.Args):
			i++
			if !looksDebug(c.Args[i].Text) {
				return false
			}
		case t == "--args":
			return batch && c.inProject() && !c.outside()
		case strings.HasPrefix(t, "-"):
			return false
		default: // the program
			if !Of(command.NewCall(c.Host, nil, c.Program, c.Args[i:i+1], command.Stream{})).ownFiles() {
				return false
			}
		}
	}
	return batch && c.inProject()
}

// looksDebug reports whether a command of gdb only runs the program and shows its state.
func looksDebug(command string) bool {
	if strings.ContainsAny(command, "()!|`;$\n") {
		return false
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(command), " ")
	switch verb {
	case "bt", "backtrace", "where", "quit", "q", "continue", "c", "finish", "up", "down", "step", "next", "list", "l", "disassemble", "break", "b", "tbreak", "frame", "kill":
		return true
	case "run", "r":
		return rest == ""
	case "info", "i":
		return true
	case "thread":
		return anyof.Equal(rest, "apply all bt", "apply all backtrace")
	}
	return false
}

// randomBytes reports whether a program reads a bounded number of bytes from the kernel's random
// device, which never ends.
func (c Call) randomBytes() bool {
	n, random := false, false
	for i, w := range c.Args {
		t := w.Text
		switch {
		case t == "/dev/urandom" || t == "/dev/random":
			random = true
		case anyof.Equal(t, "-c", "-N", "-n", "-l"):
			n = i+1 < len(c.Args) && t != "-n" && byteCount(c.Args[i+1].Text) || n
		case len(t) > 2 && (strings.HasPrefix(t, "-c") || strings.HasPrefix(t, "-N")):
			n = byteCount(t[2:]) || n
		case strings.HasPrefix(t, "-") || byteCount(t) || c.Program == "od":
		default:
			return false
		}
	}
	return n && random
}

// byteCount reports whether a text is a number of at most six digits.
func byteCount(s string) bool { return s != "" && len(s) < 7 && strings.Trim(s, "0123456789") == "" }

// BuiltProgram reports whether a program that a build of the project made may run on its own. The
// program may be a copy of rm or of a shell, so the call must give it no input, and no argument
// that could name a file, a process or code.
func (c Call) BuiltProgram() bool {
	if command.Lookup(c.Program) != nil || c.Stdin.Pipe || c.Stdin.Seen || c.Stdin.Taint != 0 || !c.Known() || !c.inProject() || !ownTask(c.Program) {
		return false
	}
	for i, w := range c.Args {
		name, v, joined := strings.Cut(w.Text, "=")
		switch {
		case strings.HasPrefix(name, "--") && len(name) > 3:
			if strings.Trim(name[2:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" || joined && !plainValue(v) || wording.Doing(name[2:]) || anyof.Equal(name, "--exec", "--eval", "--command", "--recursive", "--all") {
				return false
			}
		case anyof.Equal(name, "-v", "-h", "-q"):
		case byteCount(name) && i > 0 && strings.HasPrefix(c.Args[i-1].Text, "--"):
		default:
			return false
		}
	}
	return true
}

// describedCluster reports whether the client of a cluster only reads objects without secrets, from
// the cluster that the user's settings name.
func (c Call) describedCluster() bool {
	words := make([]string, 0, 4)
	for i := 0; i < len(c.Args); i++ {
		switch t := c.Args[i].Text; {
		case t == "-n" || t == "--namespace" || t == "-l" || t == "--selector" || t == "--tail" || t == "--since" || t == "-c" || t == "--container" || t == "--sort-by":
			i++
		case t == "-o" || t == "--output":
			if i++; i == len(c.Args) || c.Args[i].Text != "wide" && c.Args[i].Text != "name" {
				return false
			}
		case (t == "-f" || t == "--follow" || t == "--timestamps" || t == "--all-containers") && len(words) > 0 && words[0] == "logs":
		case t == "-f" && len(words) == 1 && words[0] == "diff" && i+1 < len(c.Args) && c.ownFiles():
			i++
		case strings.HasPrefix(t, "--field-selector="):
		case t == "-A" || t == "--all-namespaces" || t == "-owide" || t == "-oname" || t == "--no-headers" || t == "--show-labels" || t == "-p" || t == "--previous" || t == "--client" || anyof.HasPrefix(t, "--tail=", "--namespace=", "--since="):
		case strings.HasPrefix(t, "-"):
			return false
		default:
			words = append(words, t)
		}
	}
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "version", "api-resources", "api-versions", "explain", "logs", "top", "diff":
		return true
	case "config":
		return len(words) == 2 && anyof.Equal(words[1], "get-contexts", "current-context", "get-clusters")
	case "rollout":
		return len(words) > 1 && (words[1] == "status" || words[1] == "history")
	case "get", "describe": // they show environment variables by the name of their secret, or from the manifest
		if len(words) == 1 {
			return false
		}
		for kind := range strings.SplitSeq(words[1], ",") {
			kind, _, _ = strings.Cut(kind, "/")
			switch kind {
			case "pod", "pods", "po", "deploy", "deployment", "deployments", "service", "services", "svc", "node", "nodes", "no", "ns", "namespace", "namespaces", "event", "events", "ev", "job", "jobs", "cronjob", "cronjobs", "cj", "ingress", "ingresses", "ing", "rs", "replicasets", "sts", "statefulsets", "ds", "daemonsets", "pvc", "pv", "hpa", "endpoints", "ep", "sc", "storageclass", "crd", "crds":
			default:
				return false
			}
		}
		return true
	}
	return false
}

// describedEngine reports whether a container engine only shows its objects without their
// environment, starts, stops or restarts existing containers as the user made them, or runs a
// command in one.
func describedEngine(c Call) bool {
	compose := c.Program == "docker-compose"
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		switch w.Text {
		case "compose":
			compose = true
		case "-f", "--file", "-p", "--project-name", "--profile", "--env-file":
			if i++; !compose || c.outside() {
				return false
			}
		case "ps", "images", "logs", "version", "info", "stats", "top", "port", "history", "diff", "ls", "list":
			return true
		case "start", "stop", "restart", "pause", "unpause":
			if slices.ContainsFunc(c.Args[i+1:], func(o command.Word) bool {
				return strings.HasPrefix(o.Text, "-") && o.Text != "-t" && o.Text != "--time"
			}) {
				return false // start -ai takes over the terminal
			}
			return len(c.Args) > i+1 || compose
		case "exec": // the command in the container is read separately
			rest := c.Args[i+1:]
			for len(rest) > 0 && anyof.Equal(rest[0].Text, "-i", "-t", "-it", "-ti", "-T") {
				rest = rest[1:]
			}
			return len(rest) > 1 && !strings.HasPrefix(rest[0].Text, "-")
		case "config": // compose prints the values of .env, except with these options
			return compose && !c.outside() && slices.ContainsFunc(c.Args[i+1:], func(o command.Word) bool {
				return anyof.Equal(o.Text, "-q", "--quiet", "--services", "--images", "--volumes", "--profiles")
			})
		case "inspect":
			if i > 0 && anyof.Equal(c.Args[i-1].Text, "network", "volume") {
				return true // networks and volumes have no environment
			}
			f, ok := c.Opt("-f") // a template must not print the environment or arguments: both often have passwords
			if !ok {
				f, ok = c.Opt("--format")
			}
			return ok && f.Text != "" && !strings.Contains(f.Text, "Env") && !strings.Contains(f.Text, "json") && !strings.Contains(f.Text, "{{.}}") && !strings.Contains(f.Text, ".Config}}") && !strings.Contains(f.Text, "$") && !strings.Contains(f.Text, "range .Config") && !strings.Contains(f.Text, "Args") && !strings.Contains(f.Text, "Cmd")
		case "container", "image", "network", "volume", "context", "system", "df":
		default:
			if !strings.HasPrefix(w.Text, "-") {
				return false
			}
		}
	}
	return false
}
