package policy

import (
	"regexp"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// expression spells a glob as a regular expression, by the rules that the documentation of
// patterns has.
func expression(glob string, path bool) *regexp.Regexp {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		rest := glob[i:]
		switch {
		case strings.HasPrefix(rest, umpire.Hole):
			b.WriteString(`.*`)
			i += len(umpire.Hole) - 1
		case path && rest == "/**":
			b.WriteString(`(/.*)?`)
			i += 2
		case path && strings.HasPrefix(rest, "**/") && (i == 0 || glob[i-1] == '/'):
			b.WriteString(`(.*/)?`)
			i += 2
		case path && strings.HasPrefix(rest, "**"), !path && rest[0] == '*':
			b.WriteString(`.*`)
			for i+1 < len(glob) && glob[i+1] == '*' {
				i++
			}
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
		case rest[0] == '?' && path:
			b.WriteString(`[^/]`)
		case rest[0] == '?':
			b.WriteString(`.`)
		case strings.HasPrefix(rest, "[b]") && path:
			b.WriteString(`b`)
			i += 2
		case rest[0] == '\\' && i+1 < len(glob):
			i++
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
		}
	}
	return regexp.MustCompile(`(?s)^` + b.String() + `$`)
}

// Two globs overlap if a string matches both: all short globs, against all short strings.
func TestOverlap(t *testing.T) {
	texts := []string{""}
	for at, n := 0, 0; n < 5; n++ {
		for end := len(texts); at < end; at++ {
			for _, c := range []string{"a", "b", "/"} {
				texts = append(texts, texts[at]+c)
			}
		}
	}
	var globs []string
	tokens := []string{"a", "b", "/", "*", "**", "?", "[b]", `\a`, umpire.Hole}
	for _, x := range tokens {
		globs = append(globs, x)
		for _, y := range tokens {
			globs = append(globs, x+y, x+"/"+y, "**/"+x+y, x+y+"/**")
		}
	}
	for _, path := range []bool{true, false} {
		matched := make([][]bool, len(globs))
		for i, g := range globs {
			e := expression(g, path)
			matched[i] = make([]bool, len(texts))
			for j, s := range texts {
				matched[i][j] = e.MatchString(s)
			}
		}
		faults := 0
		for i, a := range globs {
			if !path && strings.Contains(a, "[") {
				continue
			}
			for j, b := range globs[:i+1] {
				if !path && strings.Contains(b, "[") {
					continue
				}
				witness := ""
				found := false
				for k := range texts {
					if matched[i][k] && matched[j][k] {
						witness, found = texts[k], true
						break
					}
				}
				for _, pair := range [][2]string{{a, b}, {b, a}} {
					if got := overlap(atoms(pair[0], path), atoms(pair[1], path), false); got != found && faults < 10 {
						faults++
						t.Errorf("path %v: %q and %q overlap: %v, want %v (%q)", path, pair[0], pair[1], got, found, witness)
					}
				}
			}
		}
	}
	for n, want := range map[int]bool{1 << 9: false, 1<<9 + 1: true} {
		a, b := make([]atom, n), make([]atom, 1<<9)
		for i := range a {
			a[i] = atom{kind: atomChar, char: 'a'}
		}
		for i := range b {
			b[i] = atom{kind: atomChar, char: 'b'}
		}
		if got := overlap(a, b, false); got != want {
			t.Errorf("%d characters and %d others overlap: %v, want %v beyond the bound only", n, len(b), got, want)
		}
	}
	for _, fold := range []bool{false, true} {
		if got := overlap(atoms("Ab*", true), atoms("aB?", true), fold); got != fold {
			t.Errorf("case folded %v: overlap %v", fold, got)
		}
	}
}

// ByPath wants the same call twice: once by its name, once by its file in the workspace.
func TestByPath(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		want       bool
	}{
		{"exec(tool a b)", "exec(./bin/tool a b)", true}, {"exec(tool)", "exec(./tool)", true}, {"exec(build.sh x)", "exec(./build.sh x)", true},
		{"exec(tool a)", "exec(./bin/tool b)", false}, {"exec(tool)", "exec(./bin/tool b)", false}, {"exec(ool a)", "exec(./tool a)", false}, {"exec(tool a)", "exec(bin/tool a)", false},
		{"exec(tool a)", "exec(/bin/tool a)", false}, {"read(tool a)", "exec(./tool a)", false}, {"exec(tool a)", "read(./tool a)", false},
	} {
		var ops [2]umpire.Operation
		for i, s := range []string{tt.name, tt.file} {
			p := MustParse(s)
			ops[i] = umpire.Operation{Kind: p.Kind, Resource: p.Text}
		}
		if got := ByPath(&ops[0], &ops[1]); got != tt.want {
			t.Errorf("%s and %s: %v, want %v", tt.name, tt.file, got, tt.want)
		}
		ops[1].Traits = umpire.Force
		if ByPath(&ops[0], &ops[1]) {
			t.Errorf("%s and %s with a trait that the first lacks are one", tt.name, tt.file)
		}
	}
}

// A network resource is read alike with a scheme, a user, a method and a path.
func TestParseTarget(t *testing.T) {
	for s, want := range map[string][4]string{ // method, host, port, path
		"h.example:443":                {"", "h.example", "443", ""},
		"h.example":                    {"", "h.example", "", ""},
		"GET h.example:80/a b":         {"GET", "h.example", "80", "/a b"},
		"http://h.example/x":           {"", "h.example", "80", "/x"},
		"ws://h.example/x":             {"", "h.example", "80", "/x"},
		"https://h.example/x":          {"", "h.example", "443", "/x"},
		"wss://h.example":              {"", "h.example", "443", ""},
		"HTTPS://h.example":            {"", "h.example", "443", ""},
		"ftp://h.example":              {"", "h.example", "", ""},
		"https://h.example:8443/x":     {"", "h.example", "8443", "/x"},
		"https://u:p@h.example/x@y":    {"", "h.example", "443", "/x@y"},
		"POST https://u@h.example:9/x": {"POST", "h.example", "9", "/x"},
		"://h.example":                 {"", "h.example", "", ""},
		"@h.example":                   {"", "h.example", "", ""},
		"https://a@b@h.example":        {"", "h.example", "443", ""},
	} {
		got := parseTarget(s)
		if have := [4]string{got.method, got.host, got.port, got.path}; have != want {
			t.Errorf("%s: got %q, want %q", s, have, want)
		}
	}
}

// A plain package is a name of the registry with a version: no option, no file and no other source.
func TestPlainPackage(t *testing.T) {
	for word, want := range map[string]string{
		"a": "a", "a@1.2": "a", "@s/a": "@s/a", "@s/a@^1": "@s/a", "a==1": "a", "a>=1,<2": "a", "a~=1": "a", "a!=1": "a", "a[x]": "a", "a.b-c_d": "a.b-c_d", "github/a": "github/a",
		"": "", "@s": "@s",
	} {
		if got, ok := plainPackage(word); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", word, got, ok, want)
		}
	}
	for _, word := range []string{"-x", ".", "./a", "/a", "~/a", "*", "+a", "^a", "a@./b", "a@../b", "a@b/c", "a..b", "a$b", "a b", "a:b", "a'", "\u00e4",
		"a.tgz", "a.TAR", "a.gz", "a.bz2", "a.xz", "a.zip", "a.whl", "a.gem", "a.deb", "a.rpm", "a.apk"} {
		if got, ok := plainPackage(word); ok {
			t.Errorf("%q is taken for the package %q", word, got)
		}
	}
	for word, want := range map[string]string{"main": "main", "HEAD:main": "main", "refs/heads/x": "x", "a:refs/heads/b": "b", "a/b": "a/b"} {
		if got, ok := plainBranch(word); got != want || !ok {
			t.Errorf("%q: got %q, %v, want %q", word, got, ok, want)
		}
	}
	for _, word := range []string{"", ":main", "main:", "HEAD", "@", "a:HEAD", "refs/tags/x", "a:refs/x", "+main", "+a:b", "a*", "*:*", "--all"} {
		if got, ok := plainBranch(word); ok {
			t.Errorf("%q is taken for the branch %q", word, got)
		}
	}
}
