package command

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// words splits a text as a shell does, without expansions.
func (c *Call) words(text string) (out []string) {
	for _, w := range splitWords(Lit(strings.ReplaceAll(text, "\n", " "))) {
		out = append(out, w.Text)
	}
	return out
}

// after returns the line number of each occurrence of a key, and the text that follows.
func (f started) after(key string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		line, rest := 1, f.Text
		for {
			before, more, ok := strings.Cut(rest, key)
			if line += strings.Count(before, "\n"); !ok || !yield(line, more) {
				return
			}
			rest = more
		}
	}
}

// assigned runs the commands that a text gives a key: key: "x", "key" = ["x", "y"].
func (f started) assigned(key string) {
	for line, rest := range f.after(key) {
		rest = strings.TrimLeft(rest, `"' `)
		if value := strings.TrimLeft(rest, ":="); value != rest {
			for _, cmd := range quotedWords(strings.TrimSpace(value)) {
				f.run(line, cmd, Run{})
			}
		}
	}
}

// autoconfCommands runs the commands that configure.ac and its macros tell m4 to start:
// m4_esyscmd([date]).
func autoconfCommands(c *Call) {
	files := []string{"configure.ac", "configure.in", "acinclude.m4", "aclocal.m4"}
	for _, w := range FilesOf(c, Lit("m4/*.m4")) {
		files = append(files, w.Text)
	}
	for _, n := range c.present(".", files) {
		f, _ := c.startedFile(n)
		for line, rest := range f.after("syscmd") {
			_, cmd, _ := strings.Cut(rest, "(")
			cmd, _, _ = strings.Cut(cmd, ")")
			f.run(line, strings.Trim(strings.TrimSpace(cmd), "[]"), Run{})
		}
	}
}

// rockspecs runs the commands with which a rockspec builds, installs and tests a rock of Lua.
func rockspecs(c *Call) {
	for _, w := range FilesOf(c, Lit("*.rockspec")) {
		if f, ok := c.startedFile(w.Text); ok {
			f.assigned("command") // and build_command, install_command
		}
	}
}

// terragruntCommands runs the hooks of terragrunt and the commands whose output it reads.
func terragruntCommands(c *Call) {
	f, _ := c.startedFile("terragrunt.hcl")
	for i, l := range strings.Split(f.Text, "\n") {
		key, value, _ := strings.Cut(l, "=")
		if strings.TrimSpace(key) == "execute" {
			f.exec(i+1, quotedWords(value), Run{})
		}
		if _, args, ok := strings.Cut(l, "run_cmd("); ok {
			f.exec(i+1, quotedWords(args), Run{})
		}
	}
}

// vagrantTriggers runs the commands that a Vagrantfile starts on this machine before or after a step.
func vagrantTriggers(c *Call) {
	f, _ := c.startedFile("Vagrantfile")
	for line, rest := range f.after(".run") {
		block, _, _ := strings.Cut(strings.TrimLeft(rest, " ="), "}")
		for _, key := range [...]string{"inline", "path"} {
			_, value, found := strings.Cut(block, key)
			words := quotedWords(strings.TrimLeft(value, " :=>"))
			switch {
			case !found || !strings.HasPrefix(block, "{") || len(words) == 0:
			case key == "path":
				f.run(line, "sh"+Quote("", Lits(words[0])), Run{})
			default:
				f.run(line, words[0], Run{})
			}
		}
	}
}

// phpSettings runs the files that a php.ini of the call makes php run before and after its script.
func phpSettings(c *Call) {
	name, ok := configValue(c, "-c", "--php-ini")
	if !ok {
		return
	}
	if !strings.HasSuffix(name, ".ini") {
		name = path.Join(name, "php.ini")
	}
	if f, ok := c.startedFile(name); ok {
		for key, value := range settings(f.Text) {
			if key = strings.TrimPrefix(key, "."); key == "auto_prepend_file" || key == "auto_append_file" {
				startsFile(c, "php", strings.Trim(value, `"' `))
			}
		}
	}
}

// doxygenFilters runs the programs that a Doxyfile passes each file to.
func doxygenFilters(c *Call) {
	f, _ := c.startedFile(cmp.Or(c.Arg(0).Text, "Doxyfile"))
	for i, l := range strings.Split(f.Text, "\n") {
		key, value, _ := strings.Cut(l, "=")
		switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); key {
		case "FILTER_PATTERNS", "FILTER_SOURCE_PATTERNS": // *.c=PROGRAM
			_, value, _ = strings.Cut(value, "=")
			fallthrough
		case "INPUT_FILTER", "FILE_VERSION_FILTER":
			f.run(i+1, strings.ReplaceAll(strings.Trim(value, `"`), `\"`, `"`), Run{})
		}
	}
}

// texCommands runs the commands that a document starts if TeX may start programs. It also reads the
// files that the document includes.
func texCommands(c *Call) {
	var files []string
	escapes := false
	for _, w := range c.Args {
		escapes = escapes || hasWord("shell-escape enable-write18 write18", strings.TrimLeft(w.Text, "-"))
		if strings.HasSuffix(w.Text, ".tex") || !strings.HasPrefix(w.Text, "-") {
			files = append(files, w.Text)
		}
	}
	if !escapes {
		return
	}
	var texts []started // read before a command writes some of them
	for i := 0; i < len(files) && i < maxIncludes; i++ {
		f, _ := c.startedFile(strings.TrimSuffix(files[i], ".tex")+".tex", files[i])
		texts = append(texts, f)
		for _, key := range [...]string{`\input{`, `\include{`, `\subfile{`} {
			for _, rest := range f.after(key) {
				if name := rest[:closing(rest)]; name[:min(len(name), 1)] != "|" && !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
		}
	}
	for _, f := range texts {
		for _, key := range [...]string{`\write18{`, `\ShellEscape{`, `\input{|`, `\input|`} {
			for line, rest := range f.after(key) {
				f.run(line, strings.ReplaceAll(strings.Trim(rest[:closing(rest)], `"`), `\`, ""), Run{})
			}
		}
		for _, rest := range f.after(`\directlua{`) {
			c.Code("lua", Word{Text: rest[:closing(rest)], Taint: f.Taint}, f.at(0, Run{}))
		}
	}
}

// notebookCode runs the cells of a notebook. A line that begins with ! is a shell command.
func notebookCode(c *Call, name string) {
	f, _ := c.startedFile(name)
	var code strings.Builder
	for _, cell := range f.tree(datafile.JSON).Get("cells").List() {
		if cell.Str("cell_type") != "code" {
			continue
		}
		source := cell.Get("source")
		for line := range strings.Lines(strings.Join(source.Texts(), "")) {
			if cmd, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
				f.run(source.Line, cmd, Run{})
			} else if !strings.HasPrefix(line, "%") {
				code.WriteString(line)
			}
		}
		code.WriteString("\n")
	}
	f.Text = code.String()
	f.code("python", Run{})
}

// settingsReader returns the reader for a settings file.
func settingsReader(name, text string) func(string) *datafile.Value {
	switch path.Ext(name) {
	case ".json", ".jsonc":
		return datafile.JSON
	case ".toml":
		return datafile.TOML
	case ".ini", ".cfg", ".conf", ".pylintrc", ".flake8":
		return datafile.INI
	case ".npmrc": // npm ignores the indent of a line, and the quotes around a key
		return func(text string) *datafile.Value {
			lines := strings.Split(text, "\n")
			for i, l := range lines {
				if key, value, ok := strings.Cut(l, "="); ok {
					lines[i] = strings.Trim(strings.TrimSpace(key), `"'`) + "=" + value
				}
			}
			return datafile.INI(strings.Join(lines, "\n"))
		}
	case ".yarnrc":
		return func(text string) *datafile.Value {
			lines := strings.Split(text, "\n")
			for i, l := range lines {
				lines[i] = strings.Replace(l, " ", " = ", 1)
			}
			return datafile.INI(strings.Join(lines, "\n"))
		}
	}
	switch {
	case name == "pylintrc" || name == ".hg/hgrc":
		return datafile.INI
	case name == ".cargo/config":
		return datafile.TOML
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return datafile.JSON
	}
	return datafile.YAML
}
