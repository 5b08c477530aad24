package docs

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(<?([^)>\s]+)>?\)`)
	code    = regexp.MustCompile("`[^`\n]*`")
	heading = regexp.MustCompile(`^#{1,6} +(.*)$`)
)

// TestLinks follows every link between the repository's documents: the file exists, and so does
// the heading behind "#".
func TestLinks(t *testing.T) {
	var documents []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case ".git", "bin", "dist", "node_modules", "testdata":
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, ".md") {
			documents = append(documents, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]map[string]bool{}
	for _, d := range documents {
		anchors[d] = anchorsOf(t, d)
	}
	followed := 0
	for _, d := range documents {
		for _, to := range linksOf(t, d) {
			u, err := url.Parse(to)
			if err != nil {
				t.Errorf("%s: the link %q is malformed: %v", d, to, err)
				continue
			}
			if u.Scheme != "" || strings.HasPrefix(u.Path, "/") {
				continue // the web's
			}
			followed++
			target := d
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(d), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %q leads to nothing: %v", d, to, err)
				continue
			}
			if u.Fragment == "" || !strings.HasSuffix(target, ".md") {
				continue
			}
			if !anchors[target][u.Fragment] {
				t.Errorf("%s: the link %q: %s has no such heading", d, to, target)
			}
		}
	}
	if followed < 100 {
		t.Errorf("followed %d links: the test no longer finds them", followed)
	}
}

// prose calls line with each line of a document that is not in a fenced block.
func prose(t *testing.T, path string, line func(string)) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fence := ""
	for l := range strings.Lines(string(b)) {
		trimmed := strings.TrimSpace(l)
		if mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]; len(mark) >= 3 && (fence == "" || mark == fence) {
			if fence != "" {
				fence = ""
			} else {
				fence = mark
			}
			continue
		}
		if strings.HasPrefix(l, "<<<<<<< ") || strings.HasPrefix(l, ">>>>>>> ") {
			t.Errorf("%s: a merge left its marker: %s", path, trimmed)
		}
		if fence == "" && !strings.HasPrefix(l, "    ") {
			line(strings.TrimRight(l, "\r\n"))
		}
	}
}

func linksOf(t *testing.T, path string) (out []string) {
	prose(t, path, func(l string) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(l, "`"), -1) {
			out = append(out, m[1])
		}
	})
	return out
}

// anchorsOf returns the names that the forge gives to a document's headings: lower case, words
// joined by "-", other punctuation dropped.
func anchorsOf(t *testing.T, path string) map[string]bool {
	out := map[string]bool{}
	prose(t, path, func(l string) {
		m := heading.FindStringSubmatch(l)
		if m == nil {
			return
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', r >= '0' && r <= '9', r >= 'a' && r <= 'z', r > 0x7f:
				return r
			}
			return -1
		}, strings.ToLower(m[1]))
		out[name] = true
	})
	return out
}
