package shell

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// influence says how a variable makes programs load or run code.
type influence uint8

const (
	none          influence = iota
	loading                 // code that is loaded, or a folder or settings file with the names of such code
	options                 // options of an interpreter, some of which load code
	shellFunction           // a function of a shell with the name of a program
	setting                 // a setting of git: GIT_CONFIG_KEY_0 and GIT_CONFIG_VALUE_0
	prompt                  // text that shells expand
	promptRun               // a command line that a prompt runs
	helper                  // the command line of a program that others start
	wrapper                 // the same, where a bare name is common: ccache, sccache, bash
)

// influenceOf returns the influence of a variable. Library folders such as PYTHONPATH are common,
// and count as none.
func influenceOf(name string) influence {
	switch name {
	case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "GCONV_PATH", "BASH_ENV", "ENV", "ZDOTDIR", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONBREAKPOINT", "PERL5DB", "LUA_INIT",
		"PHPRC", "PHP_INI_SCAN_DIR", "R_PROFILE", "R_PROFILE_USER", "R_ENVIRON", "R_ENVIRON_USER", "DOTNET_STARTUP_HOOKS",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR":
		return loading
	case "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "MAKEFLAGS", "GNUMAKEFLAGS":
		return options
	case "PS0", "PS1", "PS2", "PS4":
		return prompt
	case "PROMPT_COMMAND":
		return promptRun
	case "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN", "LESSCLOSE", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF",
		"GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "SUDO_ASKPASS", "RSYNC_RSH", "CVS_RSH", "SUDO_EDITOR", "FCEDIT":
		return helper
	case "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER", "npm_config_script_shell", "NPM_CONFIG_SCRIPT_SHELL":
		return wrapper
	}
	switch {
	case strings.HasPrefix(name, "BASH_FUNC_"):
		return shellFunction
	case strings.HasPrefix(name, "GIT_CONFIG_KEY_"), strings.HasPrefix(name, "GIT_CONFIG_VALUE_"):
		return setting
	}
	return none
}

// Loads reports whether the variable called name can make programs load or run code.
func Loads(name string) bool { return influenceOf(name) != none }

// loader reports a variable through which the environment makes programs load or run code.
func (sh *shell) loader(name string, alts []command.Word) {
	if !Loads(name) {
		sh.commandLine(name, alts)
		return
	}
	for _, w := range alts {
		if w.Text != "" && w.Text != "/dev/null" { // these values load nothing
			sh.loads(name, w)
		}
	}
}

// commandLine reads the value of a variable that programs run as a command line, or that adds
// options to the arguments of a program.
func (sh *shell) commandLine(name string, alts []command.Word) {
	before := ""
	switch name {
	case "FZF_DEFAULT_OPTS", "SKIM_DEFAULT_OPTIONS":
		before = "fzf "
	case "LESS":
		before = "less "
	case "NIX_SSHOPTS":
		before = "ssh "
	case "VIMINIT", "EXINIT": // the commands of editors
		for _, w := range alts {
			if first, text, ok := strings.Cut(w.Text, "!"); ok && anyof.HasSuffix("|"+strings.TrimRight(first, ": "), "|", "silent") {
				c := sh.clone()
				c.via = append(c.via, name)
				c.script(text)
			}
		}
		return
	default:
		if !command.NamesCommand(name) {
			return
		}
	}
	for _, w := range alts {
		program := strings.ContainsAny(w.Text, " \t") || anyof.HasPrefix(w.Text, "/", "./", "../", "~/") && !Standard(w.Text)
		if w.Text != "" && (before != "" || program) && !command.Customary(w.Text) { // one option may run a program, one word of a helper is its name
			c := sh.clone()
			c.via = append(c.via, name)
			c.script(before + w.Text)
		}
	}
}

// loads emits the code that a variable with this value makes programs load or run.
func (sh *shell) loads(name string, w command.Word) {
	via := func(t umpire.Trait) *shell {
		c := sh.clone()
		c.via = append(c.via, name)
		c.traits |= t
		return c
	}
	code := func() {
		if sh.loadsOwn(name, w) || name == "ENV" && sh.onlyWord(w) {
			return
		}
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: name + "=" + w.Text, Traits: umpire.LoadsCode})
	}
	switch influenceOf(name) {
	case loading:
		code()
	case shellFunction:
		code()
		via(0).script("f " + w.Text + "\nf")
	case setting:
		n := name[strings.LastIndexByte(name, '_'):]
		key, _ := sh.get("GIT_CONFIG_KEY" + n)
		value, _ := sh.get("GIT_CONFIG_VALUE" + n)
		if name == "GIT_CONFIG_KEY"+n {
			key = w
		} else {
			value = w
		}
		if key.Text != "" && value.Text != "" {
			set := append(command.Lits("git", "-c"), value.With(key.Text+"="+value.Text))
			via(0).simple(append(set, command.Lits("status")...))
		}
	case options:
		flags := "-r --require --import --loader --experimental-loader -M -m -javaagent -agentpath --eval"
		switch name {
		case "MAKEFLAGS", "GNUMAKEFLAGS":
			flags = "--eval"
			for field := range strings.FieldsSeq(w.Text) { // the last SHELL counts
				if name, shell, ok := strings.Cut(field, "="); ok && strings.TrimRight(name, ":?+!") == "SHELL" && !command.PlainShell(shell) {
					code()
					break
				}
			}
		case "MAVEN_OPTS", "GRADLE_OPTS":
			flags = "-javaagent -agentpath"
		}
		for f := range strings.FieldsSeq(flags) {
			if strings.HasPrefix(w.Text, f) || strings.Contains(w.Text, " "+f) {
				code()
				break
			}
		}
	case promptRun:
		via(0).script(w.Text)
	case prompt:
		via(0).text(w.Text)
	case wrapper:
		if strings.ContainsAny(strings.TrimSpace(w.Text), "/ ") {
			via(umpire.RunsProgram).script(w.Text)
		}
	case helper:
		if command.Customary(w.Text) || anyof.Equal(w.Text, "open", "xdg-open") {
			return
		}
		via(command.HelperTraits(w)).script(strings.TrimPrefix(w.Text, "|"))
	}
}

// loadsOwn reads the files that a variable makes programs load. It reports whether all of them are
// readable files of the project, so that their operations show what the variable does.
func (sh *shell) loadsOwn(name string, w command.Word) bool {
	var lang string
	files := []string{w.Text}
	switch name {
	case "BASH_ENV", "ENV":
		lang = "sh"
	case "PYTHONSTARTUP":
		lang = "python"
	case "R_PROFILE", "R_PROFILE_USER":
		lang = "r"
	case "NODE_OPTIONS":
		lang, files = "js", named(w.Text, "--require", "--import", "-r")
	case "RUBYOPT":
		lang, files = "ruby", named(w.Text, "-r")
	default:
		return false
	}
	all := len(files) > 0 && !strings.Contains(w.Text, "loader")
	for _, n := range files {
		file := w.With(n)
		s := sh.starts(file)
		_, p := sh.spelling(file)
		if !s.Seen || s.Taint != 0 {
			if name == "BASH_ENV" || name == "ENV" {
				host{sh: sh}.source(w)
			}
			all = false
			continue
		}
		all = all && p&umpire.PlaceInWorkspace != 0 && !sh.wrote(file)
		(&host{sh: sh}).Script(lang, s, command.Run{Via: name, Origin: n, File: &file})
	}
	return all
}

// onlyWord reports whether a value is a plain word and not the name of a file: make ENV=dev does
// not make a shell read a file.
func (sh *shell) onlyWord(w command.Word) bool {
	s := sh.starts(w)
	return w.Known() && !strings.ContainsAny(w.Text, "/.~$") && !s.Seen && !s.Pipe && s.Taint == 0
}

// named returns the values of some options in a text: -r x, -rx, --require=x.
func named(text string, options ...string) (files []string) {
	words := strings.Fields(text)
	for i, w := range words {
		for _, o := range options {
			v, ok := strings.CutPrefix(w, o)
			if v = strings.TrimPrefix(v, "="); ok && v == "" && i+1 < len(words) {
				v = words[i+1]
			}
			if ok {
				files = append(files, strings.TrimPrefix(v, "file://"))
			}
		}
	}
	return files
}
