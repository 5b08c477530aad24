package command

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestAlternatives(t *testing.T) {
	for pattern, want := range map[string][]string{
		`\.go$`:               {"*.go"},
		`^src/.*_test\.go$`:   {"*src/*_test.go"},
		`\.(pyc|pyo)$`:        {"*.pyc", "*.pyo"},
		`\(\.orig\|\.rej\)`:   {"*.orig*", "*.rej*"},
		`cache|tmp`:           {"*cache*", "*tmp*"},
		`~$`:                  {"*~"},
		`.`:                   {""},
		`a`:                   {"", "*a*"},
		`.*`:                  {""},
		`\.goo?$`:             {""},
		`[a-z]+`:              {""},
		`(a|b)c|d`:            {"", ""},
		`x.y`:                 {"*x?y*"},
		`\w+\.go$`:            {""},
		`foo[^/]*\.(js|ts)x?`: {"", ""},
	} {
		if got := alternatives(pattern); !slices.Equal(got, want) {
			t.Errorf("alternatives(%q) = %q, want %q", pattern, got, want)
		}
	}
}

// A filter that may print any variable shows the secrets among them.
func TestMatchesMost(t *testing.T) {
	for pattern, want := range map[string]bool{
		"PATH": false, "^(LANG|LC_)": false, "(^|_)PATH": false, "^GO(PATH|ROOT)=": false, "npm_config_[a-z]+": false, "^_=": false, `^\w*X`: false, "^": true, "^[A-Z]": true, "e": true,
		".": true, "": true, "=": true, "[A-Z]": true, `[]A]`: true, `\w+`: true, "PATH|.": true, "(PATH|.*)": true, "(PATH)?": true, "(PATH)*=": true, "ab*": true, "x?y?z": true, "(PATH){0,1}": true,
	} {
		if got := matchesMost(pattern); got != want {
			t.Errorf("matchesMost(%q) = %v, want %v", pattern, got, want)
		}
	}
}

// An adversary writes a pattern that picks sources and looks as if it picks nothing of worth, so each
// name that the expression matches must match one of the globs.
func FuzzAlternatives(f *testing.F) {
	for _, s := range []string{`\.go$`, `(a|b)c|d`, `\.goo?$`, `^a.*b$`, `x|(y|z)`, `a\|b`, `[^/]*\.py$`, `.\..`, `(?:a|b)+`, `a{2}`} {
		f.Add(s, "main.go")
	}
	f.Add(`o|x$`, "box")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 256 || strings.ContainsAny(name, "/\n") || strings.ContainsAny(pattern, "\n") {
			return
		}
		re, err := regexp.Compile(pattern)
		if err != nil || !re.MatchString(name) {
			return
		}
		globs := alternatives(pattern)
		if !slices.ContainsFunc(globs, func(g string) bool { ok, err := path.Match(g, name); return g == "" || ok || err != nil }) {
			t.Errorf("alternatives(%q) = %q: no glob matches %q, which the expression matches", pattern, globs, name)
		}
	})
}
