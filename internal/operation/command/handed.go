package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// Handed runs the command lines in single arguments of the call: --preview 'rm -rf x',
// -e 'exec("rm -rf x")', CC='sh -c x'. For a described program it reads only settings and unlisted
// options. quiet means that the call has no operation so far; then it also reads listed options.
func (c *Call) Handed(quiet bool) {
	if quiet {
		c.handedWords()
	}
	found := 0 // bounds the work for a line of many quoted texts
	for i, a := range c.Args {
		option, text := "", a.Text
		if len(text) > 1 && text[0] == '-' {
			if option, text = attached(text); text == option {
				continue
			}
		} else if i > 0 && len(c.Args[i-1].Text) > 1 && c.Args[i-1].Text[0] == '-' && !strings.Contains(c.Args[i-1].Text, "=") {
			option = c.Args[i-1].Text
		}
		if c.top == nil && runsText(option) {
			c.Shell(a.With(text), Run{Out: true})
			continue
		}
		if len(text) > maxHanded || !strings.ContainsAny(text, " \t") || found >= 8 {
			continue
		}
		key, value, isSetting := strings.Cut(text, "=")
		isSetting = isSetting && !strings.ContainsAny(key, " \t(")
		switch {
		case c.top == nil:
			verb := strings.ToLower(c.Arg(0).Text)
			if describesText(option) || c.judges(option) || option == "" && wording.HarmlessVerb(verb) && !anyof.Equal(verb, "run", "exec", "execute", "start", "watch", "eval") {
				continue // prose: newtool add 'rm -rf x'
			}
		case isSetting && (quiet || !c.lists(option)):
			if !NamesCommand(key) {
				continue
			}
		case option == "" || !NamesCommand(option) || c.lists(option) && !quiet:
			continue
		}
		if isSetting {
			text = value
		}
		for _, cmd := range c.commandsIn(text, option != "" || isSetting) {
			found++
			c.Shell(a.With(cmd), Run{Out: true})
		}
	}
}

// handedWords runs arguments that begin like rm -r or sh -c, where the program may pass them on:
// anywhere if the program has no description, or else after "--", a verb that runs, or an option
// that names a command. A program without a description runs any known one there.
func (c *Call) handedWords() {
	undescribed := c.top == nil
	options := undescribed || c.style()&NoOptions == 0
	hands, runs := undescribed, false
	for i, a := range c.Args {
		if i+1 < len(c.Args) && (hands && startsDanger(path.Base(a.Text), c.Args[i+1].Text) || runs && undescribed && Lookup(a.Text) != nil) {
			c.Exec(c.Args[i:], Run{Out: true})
			return
		}
		switch a.Text {
		case "--", "exec", "execute", "run", "spawn", "devenv":
			runs = options
		case "-c", "-x":
			runs = undescribed
		default:
			runs = options && len(a.Text) > 2 && a.Text[0] == '-' && NamesCommand(a.Text)
		}
		hands = hands || runs
	}
}

// startsDanger reports whether a program and its first option may remove folders or run a text.
func startsDanger(program, option string) bool {
	if len(option) < 2 || option[0] != '-' {
		return false
	}
	return program == "rm" && strings.ContainsAny(option[1:], "rRf") || IsShell(program) && option[1] != '-' && strings.HasSuffix(option, "c")
}

// IsShell reports whether a program is a shell or an interpreter that has -c or -e.
func IsShell(p string) bool {
	return anyof.Equal(p, "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "pwsh", "powershell", "python", "python3", "perl", "ruby", "php", "node")
}

const maxHanded = 4 << 10

// lists reports whether the description of the program or its sub-command lists an option.
func (c *Call) lists(option string) bool {
	for m := range c.models() {
		if _, ok := m.option(option); ok {
			return true
		}
	}
	return false
}

// models yields the Model of the call and, if it is another one, that of its program.
func (c *Call) models() func(func(*Model) bool) {
	return func(yield func(*Model) bool) {
		if yield(c.Model) && c.top != c.Model {
			yield(c.top)
		}
	}
}

// commandsIn returns the first command line in a text: the text itself, text in brackets or
// backquotes, or text after "!" or "|". In the value of an option it may also be in quotes, or
// follow a colon, a semicolon or a line end.
func (c *Call) commandsIn(text string, option bool) (out []string) {
	openers := "({[`!|"
	if option {
		openers += "\"':@;\n"
	}
	for start := 0; start >= 0; {
		lead := " \t\\\"'"
		if option && start == 0 {
			lead += "$&%:!" // lf -command '$rm -rf x'
		}
		cmd := strings.TrimLeft(text[start:], lead)
		for _, order := range [...]string{"/exec ", "exec ", "sh ", "shell ", "spawn ", "system "} { // commands of a console: /exec rm -rf x
			if rest, ok := strings.CutPrefix(cmd, order); ok && c.startsCommand(rest) {
				cmd = rest
				break
			}
		}
		if c.startsCommand(cmd) {
			if start > 0 {
				cmd = untilCloser(cmd, text[start-1])
			}
			return append(out, cmd)
		}
		next := strings.IndexAny(text[start:], openers)
		if next < 0 {
			break
		}
		start += next + 1
	}
	return out
}

// untilCloser cuts a text at the last character that closes the opening one, and trims quotes and
// blanks off its end.
func untilCloser(text string, opener byte) string {
	closers := map[byte]byte{'(': ')', '{': '}', '[': ']', '`': '`', '"': '"', '\'': '\'', '@': '@'}
	if i := strings.LastIndexByte(text, closers[opener]); closers[opener] != 0 && i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " \t\\\"'")
}

// startsCommand reports whether a text begins with a described program and an option or a path.
// Prose rarely does.
func (c *Call) startsCommand(text string) bool {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimLeft(rest, " ")
	if word == "" || rest == "" || len(word) > 60 {
		return false
	}
	if strings.ContainsAny(word, "=<>\"'()[]{}$,;*?") || c.Host.Model(path.Base(word)) == nil {
		return false
	}
	return strings.ContainsRune("-/~.$\"'{", rune(rest[0])) && rest != "-" && !strings.HasPrefix(rest, "- ") && !strings.HasPrefix(rest, "...") ||
		anyof.Equal(path.Base(word), "sudo", "doas", "xargs", "env", "nohup", "docker", "kubectl", "git", "aws", "terraform")
}

// NamesCommand reports whether the name of an option, a setting or a variable suggests that its
// value is a command line.
func NamesCommand(name string) bool {
	name = strings.ToLower(strings.TrimLeft(name, "-"))
	if i := strings.LastIndexByte(name, '.'); i > 0 && NamesCommand(name[i+1:]) { // --ServerApp.browser
		return true
	}
	if anyof.Equal(name, ".shellflags", "cc", "cxx", "ld", "ar", "rm", "make", "up", "down", "under", "connect", "pty", "become", "preview", "rustc", "pkg_config", "hgmerge", "p4diff", "texedit", "lessedit", "kubectl_external_diff", "npm_config_git", "remote-path") {
		return true
	}
	return says(name, "exec", "execute", "cmd", "command", "passcommand", "shell", "hook", "pager", "editor", "rsh", "ssh", "prog", "program", "wrapper", "wrap", "runner", "under", "launcher", "compiler", "up", "down", "filter", "proxy", "chooser", "httpd", "browser", "askpass", "linker") ||
		anyof.HasSuffix(name, "command", "editor") || strings.HasPrefix(name, "exec") || strings.HasSuffix(name, "cmd")
}

// runsText reports whether an option of an unknown program always runs its value.
func runsText(option string) bool {
	return anyof.Equal(option, "--exec", "--cmd", "--command", "--run", "--on-change", "--onchange", "--shell-command")
}

// judges reports whether a program judges commands and runs none, by its name or by the option
// before the command: cmd-guard 'rm -rf /', newtool --check 'rm -rf /'.
func (c *Call) judges(option string) bool {
	if option != "" {
		return anyof.Equal(option, "--test", "--check", "--explain", "--classify", "--analyze", "--lint")
	}
	return slices.ContainsFunc(wording.Split(c.Program), func(part string) bool {
		return anyof.Equal(part, "guard", "lint", "linter", "checker", "classifier", "classify", "validator", "explain")
	})
}

// describesText reports whether the name of an option suggests that its value is prose.
func describesText(option string) bool {
	option = strings.TrimLeft(option, "-")
	return option == "m" || option == "t" || says(option, "message", "msg", "title", "body", "description", "desc", "comment", "note", "notes", "subject", "text", "summary", "reason", "label", "prompt", "query", "system", "content", "question", "search", "pattern")
}
