package projectfile

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// A starlarkCall is a call in a file for Bazel or Tilt. Only literal arguments are known.
type starlarkCall struct {
	name, args string
	line       int
}

// starlarkCalls returns the calls in a text that have one of the names, at most maxTargets. A name
// that begins with a dot stands for any method of that name.
func starlarkCalls(text, names string) (calls []starlarkCall) {
	line := 1
	for len(calls) < command.MaxTargets {
		open := strings.IndexByte(text, '(')
		if open < 0 {
			return calls
		}
		start := open
		for start > 0 && (command.WordByte(text[start-1]) || text[start-1] == '.') {
			start--
		}
		name := text[start:open]
		begin := strings.LastIndexByte(text[:start], '\n') + 1
		comment := strings.HasPrefix(strings.TrimSpace(text[begin:open]), "#")
		line += strings.Count(text[:open], "\n")
		text = text[open+1:]
		if dot := strings.LastIndexByte(name, '.'); !comment && (anyof.Listed(names, name) || dot >= 0 && anyof.Listed(names, name[dot:])) {
			calls = append(calls, starlarkCall{name, text[:starlarkEnd(text)], line})
		}
	}
	return calls
}

// starlarkEnd returns the index of the parenthesis that ends a call. It skips parentheses in
// quotes.
func starlarkEnd(s string) int {
	depth := 0
	for i := 0; i < len(s) && i < command.MaxLine; i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return i
			}
		case '"', '\'':
			if strings.HasPrefix(s[i:], `"""`) || strings.HasPrefix(s[i:], "'''") {
				if j := strings.Index(s[i+3:], s[i:i+3]); j >= 0 {
					i += j + 5
					continue
				}
			}
			if j := datafile.EndQuote(s[i:]); j > 0 {
				i += j
			}
		}
	}
	return min(len(s), command.MaxLine)
}

// arg returns the text from the value of a named argument on, or from the first argument on if the
// name is empty.
func (a starlarkCall) arg(name string) string {
	rest := a.args
	for name != "" {
		i := strings.Index(rest, name)
		if i < 0 {
			return ""
		}
		alone := i == 0 || !command.WordByte(rest[i-1])
		rest = strings.TrimLeft(rest[i+len(name):], " ")
		if value, ok := strings.CutPrefix(rest, "="); ok && alone && !strings.HasPrefix(value, "=") {
			return strings.TrimSpace(value)
		}
	}
	return strings.TrimSpace(rest)
}

// starlarkWords returns the texts of a value, which is a text or a list of texts.
func starlarkWords(value string) []string {
	for _, q := range [...]string{`"""`, "'''"} {
		if text, ok := strings.CutPrefix(value, q); ok {
			text, _, _ = strings.Cut(text, q)
			return []string{text}
		}
	}
	return command.QuotedWords(value)
}

// starlark runs a value that is a command: shell text, or a list of words.
func starlark(f command.Started, line int, value string) {
	switch words := starlarkWords(value); {
	case len(words) == 0:
	case value[0] == '[':
		f.Exec(line, words, command.Run{})
	default:
		f.Run(line, words[0], command.Run{})
	}
}

// tiltfile runs the commands of a Tiltfile and of those that it loads.
func tiltfile(c *command.Call) {
	name := "Tiltfile"
	if w, ok := command.ConfigValue(c, "-f", "--file"); ok {
		name = w
	}
	seen := map[string]bool{}
	var read func(name string)
	read = func(name string) {
		if seen[name] {
			return
		}
		if len(seen) > command.MaxIncludes {
			c.Beyond(name)
			return
		}
		seen[name] = true
		f, _ := c.StartedFile(name)
		for _, call := range starlarkCalls(f.Text, "local local_resource custom_build load include load_dynamic") {
			words := starlarkWords(call.args)
			switch call.name {
			case "local":
				starlark(f, call.line, call.args)
			case "local_resource", "custom_build":
				if len(words) > 1 {
					f.Run(call.line, words[1], command.Run{})
				}
			default:
				if len(words) > 0 && !strings.Contains(words[0], "://") {
					read(path.Join(path.Dir(name), words[0]))
				}
			}
			for _, key := range [...]string{"cmd", "serve_cmd", "command"} {
				starlark(f, call.line, call.arg(key))
			}
		}
	}
	read(name)
}

// bazelFiles runs the commands that a workspace makes Bazel run: those of its settings, of the
// rules in the wanted packages, and of the repository's own rules.
func bazelFiles(c *command.Call) {
	verb := c.Verb()
	if !anyof.Listed("build test run coverage query cquery aquery fetch sync mobile-install", verb) {
		return
	}
	bazelSettings(c, ".bazelrc", 0)
	list := []string{"WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel"}
	for _, w := range c.Operands {
		label := strings.TrimPrefix(w.Text, "//")
		dir, target, _ := strings.Cut(label, ":")
		dir, deep := strings.CutSuffix(dir, "...")
		if w.Text == verb || !w.Known() {
			continue
		}
		folders := []string{path.Clean("./" + dir)}
		for i := 0; i < len(folders) && i < command.MaxTestFolders; i++ {
			for _, n := range c.Names(command.Lit(folders[i])) {
				switch {
				case n == "BUILD" || n == "BUCK" || n == "TARGETS" || n == "BUILD.bazel" || strings.HasSuffix(n, ".bzl"):
					list = append(list, path.Join(folders[i], n))
				case (deep || strings.HasPrefix(target, "...")) && command.TestFolder(n) && !strings.HasPrefix(n, "bazel-"):
					folders = append(folders, path.Join(folders[i], n))
				}
			}
		}
	}
	for _, n := range c.Names(command.Lit(".")) {
		if strings.HasSuffix(n, ".bzl") {
			list = append(list, n)
		}
	}
	replace := strings.NewReplacer("$$", "$", "$@", "out", "$<", "in", "$(location ", "", "$(execpath ", "", "$(rootpath ", "", "$(SRCS)", "in", "$(OUTS)", "out")
	for _, n := range list[:min(len(list), command.MaxTestFiles)] {
		f, _ := c.StartedFile(n)
		for _, call := range starlarkCalls(f.Text, "genrule run_shell .run_shell .execute sh_binary sh_test py_binary py_test") {
			switch {
			case call.name == "genrule":
				for _, key := range [...]string{"cmd", "cmd_bash"} {
					for _, text := range starlarkWords(call.arg(key)) {
						f.Run(call.line, replace.Replace(text), command.Run{})
					}
				}
			case strings.HasSuffix(call.name, "run_shell"):
				for _, text := range starlarkWords(call.arg("command")) {
					f.Run(call.line, text, command.Run{})
				}
			case strings.HasSuffix(call.name, ".execute"):
				f.Exec(call.line, starlarkWords(call.args), command.Run{})
			case verb == "run" || verb == "test":
				for _, src := range starlarkWords(call.arg("srcs")) {
					lang := map[bool]string{true: "python", false: "sh"}[strings.HasPrefix(call.name, "py")]
					file := path.Join(path.Dir(n), strings.TrimPrefix(src, ":"))
					f, _ := c.StartedFile(file)
					f.RunAs(lang, command.Run{Env: command.Lits("TEST_TMPDIR=/tmp/bazel-test")})
				}
			}
		}
	}
}

// bazelSettings runs the programs that a .bazelrc names, and reads those that it imports.
func bazelSettings(c *command.Call, name string, depth int) {
	f, _ := c.StartedFile(name)
	if depth > 8 {
		c.Beyond(name)
		return
	}
	for i, l := range strings.Split(f.Text, "\n") {
		words := strings.Fields(l)
		if len(words) > 1 && (words[0] == "import" || words[0] == "try-import") {
			bazelSettings(c, strings.TrimPrefix(words[1], "%workspace%/"), depth+1)
			continue
		}
		for _, w := range words {
			for _, o := range [...]string{"--workspace_status_command=", "--run_under=", "--test_wrapper=", "--credential_helper="} {
				if v, ok := strings.CutPrefix(w, o); ok && !strings.HasPrefix(v, "//") {
					f.Run(i+1, strings.Trim(v, `"'`), command.Run{})
				}
			}
		}
	}
}

// earthfile runs the commands that an Earthfile runs outside of containers: those after LOCALLY.
func earthfile(c *command.Call) {
	f, _ := c.StartedFile("Earthfile")
	lines := strings.Split(f.Text, "\n")
	done := map[string]bool{}
	var run func(target string)
	run = func(target string) {
		if done[target] || len(done) > command.MaxTargets {
			return
		}
		done[target] = true
		inside, local := target == "", false
		for i := 0; i < len(lines); i++ {
			line, at := lines[i], i+1
			for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
				i++
				line = strings.TrimSuffix(line, "\\") + lines[i]
			}
			if s := strings.TrimSpace(line); s != "" && line[0] != ' ' && line[0] != '\t' && strings.HasSuffix(s, ":") {
				inside, local = s == target+":", false
				continue
			}
			verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch {
			case !inside:
			case verb == "LOCALLY":
				local = true
			case verb == "FROM" && !strings.Contains(rest, "+"):
				local = false
			case verb == "RUN" && local:
				f.Run(at, rest, command.Run{})
			}
			if inside {
				for _, w := range strings.Fields(rest) {
					if name, ok := strings.CutPrefix(strings.TrimLeft(w, "("), "+"); ok {
						name, _, _ = strings.Cut(name, "/")
						run(name)
					}
				}
			}
		}
	}
	run("")
	for _, w := range c.Operands {
		if name, ok := strings.CutPrefix(w.Text, "+"); ok {
			name, _, _ = strings.Cut(name, "/")
			run(name)
		}
	}
}

// duneRules runs the actions of the dune files of a project.
func duneRules(c *command.Call) {
	folders := []string{"."}
	for i := 0; i < len(folders) && i < command.MaxTestFolders; i++ {
		for _, n := range c.Names(command.Lit(folders[i])) {
			if command.TestFolder(n) && n != "_build" {
				folders = append(folders, path.Join(folders[i], n))
			}
		}
		f, _ := c.StartedFile(path.Join(folders[i], "dune"))
		for n, l := range strings.Split(f.Text, "\n") {
			for _, verb := range [...]string{"(system ", "(bash "} {
				if _, text, ok := strings.Cut(l, verb); ok {
					for _, w := range command.QuotedWords(text) {
						f.Run(n+1, w, command.Run{})
					}
				}
			}
			if _, text, ok := strings.Cut(l, "(run "); ok {
				f.Run(n+1, text[:command.Closing(text)], command.Run{})
			}
		}
	}
}

// nixHooks runs the shell hooks of the environments that nix enters.
func nixHooks(c *command.Call) {
	for _, name := range c.Present(".", []string{"shell.nix", "default.nix", "flake.nix"}) {
		f, ok := c.StartedFile(name)
		if !ok {
			continue
		}
		for line, rest := range f.After("shellHook") {
			if value := strings.TrimLeft(rest, " \t\n="); strings.HasPrefix(value, "''") {
				text, _, _ := strings.Cut(value[2:], "''")
				f.Run(line, text, command.Run{})
			} else if words := command.QuotedWords(value); len(words) > 0 {
				f.Run(line, words[0], command.Run{})
			}
		}
	}
}
