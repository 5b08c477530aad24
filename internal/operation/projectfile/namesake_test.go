package projectfile_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/projectfile"
)

// A script is read in the language that its ending names.
func TestSourceLanguage(t *testing.T) {
	for lang, names := range map[string]string{
		"js": "a.js a.mjs a.cjs a.ts", "python": "a.py", "ruby": "a.rb", "perl": "a.pl", "php": "a.php a.hack", "r": "a.R",
		"julia": "a.jl", "rust": "a.rs", "java": "a.kts a.kt a.java", "elixir": "a.exs", "lua": "a.lua", "sh": "a.sh", "go": "a.go",
		"groovy": "a.groovy", "csx": "a.csx", "fsx": "a.fsx", "gd": "a.gd", "coffee": "a.coffee", "ls": "a.ls", "wl": "a.wl",
		"v": "a.v", "swift": "a.swift", "": "a a. py a.txt a.py.txt .py/a a.PY",
	} {
		for name := range strings.FieldsSeq(names) {
			if got := projectfile.SourceLanguage(name); got != lang {
				t.Errorf("%s: got %q, want %q", name, got, lang)
			}
		}
	}
}
