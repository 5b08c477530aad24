package place

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// listed are the paths of testdata/paths.txt and the hosts of testdata/hosts.txt, one a line,
// with what is read from them behind an arrow. UPDATE_PLACES=1 writes that down.
func listed(t *testing.T, name string, read func(text string) string) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	update := os.Getenv("UPDATE_PLACES") != ""
	lines := bufio.NewScanner(strings.NewReader(string(b)))
	for lines.Scan() {
		text, want, _ := strings.Cut(lines.Text(), " -> ")
		got := read(text)
		fmt.Fprintf(&out, "%s -> %s\n", text, got)
		if got != want && !update {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if update {
		if err := os.WriteFile("testdata/"+name, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lookup skips all entries that begin otherwise than a plain segment.
func TestEntriesBeginPlain(t *testing.T) {
	for _, table := range [][]entry{rootTable, driveTable, homeTable, agentTable} {
		for _, e := range table {
			if special(e.path[0]) {
				t.Errorf("%q begins with a glob", e.path)
			}
		}
	}
}

// Each row of the tables and each name of the switches is read as the list says.
func TestPathsListed(t *testing.T) {
	m := testMap
	m.Moved = []Moved{{"/srv/claude", ".claude"}}
	seen := map[string]bool{}
	listed(t, "paths.txt", func(text string) string {
		seen[text] = true
		abs, p := m.Resolve(text)
		below := ""
		if q := m.Below(text) &^ p; q != 0 {
			below = " below " + q.String()
		}
		if m.InProject(abs) {
			below += " project"
		}
		return strings.TrimSpace(p.String() + below)
	})
	for _, table := range []struct {
		before string
		rows   []entry
	}{{"/", rootTable}, {"C:/", driveTable}, {"~/", homeTable}} {
		for _, row := range table.rows {
			if text := table.before + strings.ReplaceAll(row.path, "*", "1"); !seen[text] {
				t.Errorf("testdata/paths.txt has no line for %s", text)
			}
		}
	}
}

// Each ending of a file of people's work is in the list, and others are.
func TestWorkListed(t *testing.T) {
	listed(t, "work.txt", func(text string) string { return strconv.FormatBool(Work(text)) })
}

// Each way to write a host or an address is read as the list says.
func TestHostsListed(t *testing.T) {
	listed(t, "hosts.txt", func(text string) string {
		l := Parse(text)
		return fmt.Sprintf("%q %q %q %q %q %b", l.Scheme, l.User, l.Host, l.Port, l.Path, l.Class)
	})
}
