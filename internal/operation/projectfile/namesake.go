package projectfile

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/classify"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// scansNamesakes scans the files that are named after a program without a description: texts with
// several words may be commands, so only certain operations count.
func scansNamesakes(c *command.Call) {
	for _, n := range c.SomeNames(command.Lit(".")) {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(n, "."), c.Program)
		if !ok || rest == "" || !anyof.Listed(namesakes, rest) {
			continue
		}
		f := command.Started{Stream: c.File(command.Lit(n)), Call: c, Name: n}
		switch lang := SourceLanguage(n); {
		case !f.Seen:
		case lang != "":
			f.RunAs(lang, command.Run{Scan: true})
		default:
			scanTexts(f, command.SettingsReader(n, f.Text)(f.Text))
		}
	}
}

// scansScript scans the source file among the first arguments of a program without a description:
// such programs often run it. Formatters, linters and compilers only read it.
func scansScript(c *command.Call) {
	for _, part := range [...]string{"fmt", "lint", "format", "check", "doc", "cov"} {
		if strings.Contains(c.Program, part) {
			return
		}
	}
	if command.IsCompiler(c.Program) {
		return
	}
	for _, w := range c.Args[:min(len(c.Args), 4)] {
		lang := SourceLanguage(w.Text)
		if lang == "" {
			continue
		}
		if s := c.File(w); s.Seen && !classify.Of(c).ProjectCode() {
			command.Started{Stream: s, Call: c, Name: w.Text}.RunAs(lang, command.Run{Scan: true})
			return
		}
	}
}

// scanTexts scans each text of settings that has several words.
func scanTexts(f command.Started, t *datafile.Value) {
	if strings.Contains(t.Text, " ") {
		f.Run(t.Line, t.Text, command.Run{Scan: true})
	}
	for _, k := range t.Kids {
		scanTexts(f, k)
	}
}

// SourceLanguage returns the language of a source file, by its ending, or "". A language without a
// table is read by the names of its functions.
func SourceLanguage(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js", ".mjs", ".cjs", ".ts":
		return "js"
	case ".py":
		return "python"
	case ".rb":
		return "ruby"
	case ".pl":
		return "perl"
	case ".php", ".hack":
		return "php"
	case ".R":
		return "r"
	case ".jl":
		return "julia"
	case ".rs":
		return "rust"
	case ".kts", ".kt":
		return "java"
	case ".exs":
		return "elixir"
	case ".lua", ".sh", ".go", ".java", ".groovy", ".csx", ".fsx", ".gd", ".coffee", ".ls", ".wl", ".v", ".swift":
		return ext[1:]
	}
	return ""
}

// namesakes are the ends of the names of files that begin with the name of a program, and that the
// program reads by convention.
const namesakes = "rc file .yml .yaml .toml .json .jsonc rc.json rc.yml rc.yaml rc.js file.yml file.yaml .config.js .config.mjs .config.cjs .config.ts .config.json .conf.js .lua .py .rb"
