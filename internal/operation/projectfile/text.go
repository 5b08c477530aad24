package projectfile

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// splitText splits a text as a shell does, without expansions.
func splitText(c *command.Call, text string) (out []string) {
	for _, w := range command.SplitWords(command.Lit(strings.ReplaceAll(text, "\n", " "))) {
		out = append(out, w.Text)
	}
	return out
}

// autoconfCommands runs the commands that configure.ac and its macros tell m4 to start:
// m4_esyscmd([date]).
func autoconfCommands(c *command.Call) {
	files := []string{"configure.ac", "configure.in", "acinclude.m4", "aclocal.m4"}
	for _, w := range command.FilesOf(c, command.Lit("m4/*.m4")) {
		files = append(files, w.Text)
	}
	for _, n := range c.Present(".", files) {
		f, _ := c.StartedFile(n)
		for line, rest := range f.After("syscmd") {
			_, cmd, _ := strings.Cut(rest, "(")
			cmd, _, _ = strings.Cut(cmd, ")")
			f.Run(line, strings.Trim(strings.TrimSpace(cmd), "[]"), command.Run{})
		}
	}
}

// rockspecs runs the commands with which a rockspec builds, installs and tests a rock of Lua.
func rockspecs(c *command.Call) {
	for _, w := range command.FilesOf(c, command.Lit("*.rockspec")) {
		if f, ok := c.StartedFile(w.Text); ok {
			f.Assigned("command") // and build_command, install_command
		}
	}
}

// terragruntCommands runs the hooks of terragrunt and the commands whose output it reads.
func terragruntCommands(c *command.Call) {
	f, _ := c.StartedFile("terragrunt.hcl")
	for i, l := range strings.Split(f.Text, "\n") {
		key, value, _ := strings.Cut(l, "=")
		if strings.TrimSpace(key) == "execute" {
			f.Exec(i+1, command.QuotedWords(value), command.Run{})
		}
		if _, args, ok := strings.Cut(l, "run_cmd("); ok {
			f.Exec(i+1, command.QuotedWords(args), command.Run{})
		}
	}
}

// phpSettings runs the files that a php.ini of the call makes php run before and after its script.
func phpSettings(c *command.Call) {
	name, ok := command.ConfigValue(c, "-c", "--php-ini")
	if !ok {
		return
	}
	if !strings.HasSuffix(name, ".ini") {
		name = path.Join(name, "php.ini")
	}
	if f, ok := c.StartedFile(name); ok {
		for key, value := range command.Settings(f.Text) {
			if key = strings.TrimPrefix(key, "."); key == "auto_prepend_file" || key == "auto_append_file" {
				command.StartsFile(c, "php", strings.Trim(value, `"' `))
			}
		}
	}
}

// doxygenFilters runs the programs that a Doxyfile passes each file to.
func doxygenFilters(c *command.Call) {
	f, _ := c.StartedFile(cmp.Or(c.Arg(0).Text, "Doxyfile"))
	for i, l := range strings.Split(f.Text, "\n") {
		key, value, _ := strings.Cut(l, "=")
		switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); key {
		case "FILTER_PATTERNS", "FILTER_SOURCE_PATTERNS": // *.c=PROGRAM
			_, value, _ = strings.Cut(value, "=")
			fallthrough
		case "INPUT_FILTER", "FILE_VERSION_FILTER":
			f.Run(i+1, strings.ReplaceAll(strings.Trim(value, `"`), `\"`, `"`), command.Run{})
		}
	}
}

// texCommands runs the commands that a document starts if TeX may start programs. It also reads the
// files that the document includes.
func texCommands(c *command.Call) {
	var files []string
	escapes := false
	for _, w := range c.Args {
		escapes = escapes || anyof.Listed("shell-escape enable-write18 write18", strings.TrimLeft(w.Text, "-"))
		if strings.HasSuffix(w.Text, ".tex") || !strings.HasPrefix(w.Text, "-") {
			files = append(files, w.Text)
		}
	}
	if !escapes {
		return
	}
	var texts []command.Started // read before a command writes some of them
	for i := 0; i < len(files) && i < command.MaxIncludes; i++ {
		f, _ := c.StartedFile(strings.TrimSuffix(files[i], ".tex")+".tex", files[i])
		texts = append(texts, f)
		for _, key := range [...]string{`\input{`, `\include{`, `\subfile{`} {
			for _, rest := range f.After(key) {
				if name := rest[:command.Closing(rest)]; name[:min(len(name), 1)] != "|" && !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
		}
	}
	for _, f := range texts {
		for _, key := range [...]string{`\write18{`, `\ShellEscape{`, `\input{|`, `\input|`} {
			for line, rest := range f.After(key) {
				f.Run(line, strings.ReplaceAll(strings.Trim(rest[:command.Closing(rest)], `"`), `\`, ""), command.Run{})
			}
		}
		for _, rest := range f.After(`\directlua{`) {
			c.Code("lua", command.Word{Text: rest[:command.Closing(rest)], Taint: f.Taint}, f.At(0, command.Run{}))
		}
	}
}

// notebookCode runs the cells of a notebook. A line that begins with ! is a shell command.
func notebookCode(c *command.Call, name string) {
	f, _ := c.StartedFile(name)
	var code strings.Builder
	for _, cell := range f.Tree(datafile.JSON).Get("cells").List() {
		if cell.Str("cell_type") != "code" {
			continue
		}
		source := cell.Get("source")
		code.WriteString(runsCells(f, source.Line, strings.Join(source.Texts(), "")) + "\n")
	}
	f.Text = code.String()
	f.RunAs("python", command.Run{})
}

// runsCells runs the shell commands in code of IPython, and returns the Python in it.
func runsCells(f command.Started, at int, text string) string {
	var code strings.Builder
	for line := range strings.Lines(text) {
		if cmd, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			f.Run(at, cmd, command.Run{})
		} else if !strings.HasPrefix(line, "%") {
			code.WriteString(line)
		}
	}
	return code.String()
}

// firstWord returns the first word of a line, and what follows: a tab separates words as well.
func firstWord(line string) (word, rest string) {
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], line[i+1:]
}
