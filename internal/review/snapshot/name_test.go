package snapshot

import (
	"slices"
	"strings"
	"testing"
)

// What is reviewed is a tree of exact names; what is checked out elsewhere may not be.
func TestNamesThatAreOthersElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		paths []string
		want  []string
	}{
		"plain":                        {[]string{"a/b.go", "a/c.go", "b/a.go", ".gitignore", ".github/x", "x.git/y", "com/a.go", "auxiliary.c"}, nil},
		"case":                         {[]string{"a.txt", "A.TXT"}, []string{"case-twin A.TXT"}},
		"composed and decomposed":      {[]string{"\u00e4.txt", "a\u0308.txt"}, []string{"case-twin a\u0308.txt"}},
		"invisible on macOS":           {[]string{"ab", "a\u200cb"}, []string{"case-twin a\u200cb"}},
		"a link and a folder":          {[]string{"LIB", "lib/x.go", "lib/y.go"}, []string{"case-twin lib"}},
		"two folders":                  {[]string{"Lib/a/x.go", "lib/a/y.go", "lib/b/z.go"}, []string{"case-twin lib/a", "case-twin lib"}},
		"git's own, in capitals":       {[]string{".GIT/hooks/post-checkout", ".GIT/config"}, []string{"nested-git .GIT"}},
		"git's own on Windows":         {[]string{"a/git~1/config"}, []string{"nested-git a/git~1"}},
		"git's own, with dots":         {[]string{".git. ./config"}, []string{"nested-git .git. ."}},
		"git's own, as a stream":       {[]string{".git::$INDEX_ALLOCATION/config"}, []string{"nested-git .git::$INDEX_ALLOCATION"}},
		"git's own on macOS":           {[]string{".g\u200cit/config"}, []string{"nested-git .g\u200cit"}},
		"a device":                     {[]string{"src/aux.c", "NUL"}, []string{"bad-name src/aux.c", "bad-name NUL"}},
		"a stream":                     {[]string{"a.txt:hidden"}, []string{"bad-name a.txt:hidden"}},
		"a dot or a space at the end":  {[]string{"a.", "b /c"}, []string{"bad-name a.", "bad-name b /c"}},
		"dots alone are what they say": {[]string{"...", "a"}, []string{"bad-name ..."}},
		"the same folder is told once": {[]string{"X/1", "x/2", "x/3", "x/4"}, []string{"case-twin x"}},
		"below a folder that was told": {[]string{"X/a/1", "x/a/2", "x/a/b/3"}, []string{"case-twin x/a"}},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := build(t.TempDir(), Target{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = b.s.Close() }()
			for _, p := range c.paths {
				b.claim(p)
			}
			got := faults(b.s)
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("faults %q, want %q", got, c.want)
			}
		})
	}
}

// Names cost no more than their length, however deep they are.
func TestManyDeepNames(t *testing.T) {
	b, err := build(t.TempDir(), Target{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.s.Close() }()
	for i := range 1000 {
		b.claim(strings.Repeat(string(rune('a'+i%26))+"/", 1900) + "x")
	}
	if len(b.fold) > maxFold+1000 {
		t.Errorf("%d names are kept", len(b.fold))
	}
}
