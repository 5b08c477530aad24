package command

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
)

// A command line can define things that it uses later: an alias of git, a script of a manifest,
// another name for a program. The Host keeps definitions under keys such as "git alias.x". Every
// definition of a key counts, since an unknown value may decide which one is in force.

// aliasKey returns the key of a program's alias.
func aliasKey(program, name string) string { return program + " alias." + name }

// runAlias expands a program's alias with further arguments and runs it. A text that begins with !
// is a shell command. In other texts the arguments replace $1, $2 and so on.
func runAlias(c *Call, program string, alias Word, args []Word) {
	once, ok := onlyOnce(c, program+" "+alias.Text)
	if !ok {
		return
	}
	text, numbered := alias.Text, false
	for i := range args {
		mark := "$" + strconv.Itoa(i+1)
		if strings.Contains(text, mark) && !strings.HasPrefix(text, "!") {
			text, numbered = strings.ReplaceAll(text, mark, Quote("", args[i:i+1])), true
		}
	}
	if !numbered {
		text += Quote("", args)
	}
	if sh, ok := strings.CutPrefix(text, "!"); ok {
		c.Shell(alias.With(sh), Run{Out: true, Args: args, Env: once})
		return
	}
	c.Shell(alias.With(program+" "+text), Run{Out: true, Env: once})
}

// onlyOnce returns an environment that marks the expansion of an alias as running, and reports
// whether it was not marked before, so that an alias that leads to itself ends. It marks the
// expansion, not the name, since another call of git may define the name differently.
func onlyOnce(c *Call, text string) (env []Word, ok bool) {
	mark := "\x00" + strings.ReplaceAll(text, "=", " ")
	_, running := c.Var(mark)
	return Lits(mark + "=1"), !running
}

// defined runs the aliases of a name that this command line defined, and reports whether there are
// any.
func defined(c *Call, program, name string, args []Word) bool {
	list := c.Defined(aliasKey(program, name))
	for _, w := range list {
		runAlias(c, program, w, args)
	}
	return len(list) > 0
}

// gitSettings returns the settings of this call of git, as KEY=VALUE: from -c, --config-env and the
// variables GIT_CONFIG_KEY_n.
func gitSettings(c *Call) []Word {
	list := c.Global("-c")
	for _, w := range c.Global("--config-env") {
		key, name, _ := strings.Cut(w.Text, "=")
		value, ok := c.Var(name)
		if !ok {
			value.Text = umpire.Hole
		}
		list = append(list, value.With(key+"="+value.Text))
	}
	for i := range maxSettings {
		n := strconv.Itoa(i)
		key, ok := c.Var("GIT_CONFIG_KEY_" + n)
		if !ok {
			break
		}
		value, _ := c.Var("GIT_CONFIG_VALUE_" + n)
		list = append(list, value.With(key.Text+"="+value.Text))
	}
	return list
}

// Settings yields the lines of a file with [sections], each as SECTION.NAME and value.
func Settings(text string) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		section := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "[") {
				section, line, _ = strings.Cut(line[1:], "]")
				section = strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(section, ` "`, "."), `"`, ""))
				line = strings.TrimSpace(line)
			}
			key, value, ok := strings.Cut(line, "=")
			if !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
				continue
			}
			value = strings.TrimSpace(value)
			if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
				value = strings.ReplaceAll(value[1:len(value)-1], `\"`, `"`)
			}
			if !yield(section+"."+strings.TrimSpace(key), value) {
				return
			}
		}
	}
}

// gitAlias runs every alias of git with that name, and a program git-NAME in the workspace.
func gitAlias(c *Call, name string, args []Word) {
	for _, w := range gitSettings(c) {
		if key, value, ok := strings.Cut(w.Text, "="); ok && strings.EqualFold(key, "alias."+name) {
			runAlias(c, "git", w.With(value), args)
		}
	}
	defined(c, "git", strings.ToLower(name), args)
	for _, g := range gitRepository(c).settings {
		if strings.EqualFold(g.key, "alias."+name) {
			g.alias(c, args)
		}
	}
	if w, ok := c.Var("PATH"); ok { // git x runs git-x, which an adversary can put into the workspace
		for dir := range strings.SplitSeq(w.Text, ":") {
			file := Lit(path.Join(dir, "git-"+name))
			if dir == "" || !file.Known() || !c.Host.Starts(file).Seen {
				continue // most folders have none, so Path would be wasted
			}
			if _, p := c.Path(file); p&umpire.PlaceInWorkspace != 0 {
				c.Exec(append([]Word{file}, args...), Run{Task: true})
				return
			}
		}
	}
}

// manifestKey returns the key of a script in a manifest such as package.json.
func manifestKey(manifest, script string) string { return manifest + " scripts." + script }

// defineScripts remembers words of the form scripts.NAME=VALUE, which set scripts of a manifest.
func defineScripts(c *Call, manifest string, args []Word) {
	for _, w := range args {
		if key, value, ok := strings.Cut(w.Text, "="); ok {
			if name, ok := strings.CutPrefix(key, "scripts."); ok {
				c.Define(manifestKey(manifest, name), w.With(value))
			}
		}
	}
}

// listOrText returns the words of an alias of cargo or jj, which is a list or one text with blanks.
func listOrText(w Word) []Word {
	text := strings.TrimSpace(w.Text)
	var list []string
	if json.Unmarshal([]byte(strings.ReplaceAll(text, "'", `"`)), &list) == nil {
		out := make([]Word, len(list))
		for i, s := range list {
			out[i] = w.With(s)
		}
		return out
	}
	return SplitWords(w.With(strings.Trim(text, `"'`)))
}

// cargoAlias runs an alias that --config, a settings file or the environment sets.
func cargoAlias(c *Call, name string, args []Word) {
	list := c.All("--config")
	for _, n := range [...]string{".cargo/config.toml", ".cargo/config", "~/.cargo/config.toml"} {
		if f, ok := c.StartedFile(n); ok {
			for key, value := range Settings(f.Text) {
				list = append(list, Word{Text: key + "=" + value, Taint: f.Taint})
			}
		}
	}
	if v, ok := c.Var("CARGO_ALIAS_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))); ok {
		list = append(list, v.With("alias."+name+"="+v.Text))
	}
	for _, w := range list {
		if key, value, ok := strings.Cut(w.Text, "="); ok && strings.TrimSpace(key) == "alias."+name {
			once, ok := onlyOnce(c, "cargo "+value)
			if words := listOrText(w.With(value)); ok && len(words) > 0 {
				c.Exec(append(append(Lits("cargo"), words...), args...), Run{Out: true, Env: once})
			}
		}
	}
}

// doJj runs aliases of jj that --config or this command line sets.
func doJj(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	list := c.Defined(aliasKey("jj", ops[0].Text))
	for _, w := range c.Global("--config") {
		if key, value, ok := strings.Cut(w.Text, "="); ok && key == "aliases."+ops[0].Text {
			list = append(list, w.With(value))
		}
	}
	for _, w := range list {
		once, ok := onlyOnce(c, "jj "+w.Text)
		if !ok {
			continue
		}
		words := listOrText(w)
		if len(words) > 3 && words[0].Text == "util" && words[1].Text == "exec" {
			if words = words[2:]; words[0].Text == "--" {
				words = words[1:]
			}
			c.Exec(append(words, c.Following()...), Run{Out: true, Env: once})
		} else if len(words) > 0 {
			c.Exec(append(append(Lits("jj"), words...), c.Following()...), Run{Out: true, Env: once})
		}
	}
	if len(ops) > 3 && ops[0].Text == "config" && ops[1].Text == "set" {
		if name, ok := strings.CutPrefix(ops[len(ops)-2].Text, "aliases."); ok {
			c.Define(aliasKey("jj", name), ops[len(ops)-1])
		}
	}
}

// renamed remembers that the file to is a copy of the program from, or a link to it. The adversary
// runs a program under a name that rules do not know.
func renamed(c *Call, to, from Word) {
	if sources := c.Defined(compiled + c.Absolute(from.Text)); len(sources) > 0 {
		abs := c.Absolute(to.Text)
		for _, w := range sources {
			c.Define(compiled+abs, w)
			c.Define(compiled+path.Join(abs, LastName(from.Text)), w) // if to is a folder
		}
	}
	name := LastName(from.Text)
	if c.Inert() || !to.Known() || strings.Contains(name, umpire.Hole) || c.Host.Model(name) == nil || !strings.Contains(from.Text, "/") {
		return
	}
	if strings.HasSuffix(to.Text, "/") || to.Text == "." {
		return // it keeps its name
	}
	abs, _ := c.Path(to)
	c.Define("program "+abs, Lit(name))
	c.Define("program "+LastName(to.Text), Lit(name))
}
