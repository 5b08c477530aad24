package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
	"github.com/umpire-dev/umpire/internal/review/static"
)

// attack is a row of a corpus. A text with a kind is a document that contains an instruction. Any
// other text is an instruction by itself.
type attack struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

var extensions = map[string]string{"code": ".py", "css": ".css", "shell": ".sh", "yaml": ".yaml", "html": ".html", "toml": ".toml", "json": ".json", "docs": ".md", "table": ".md", "email": ".txt", "text": ".txt"}

// file returns a file with the text in it: unchanged, in a README, or in a comment of a program.
func (a *attack) file(n int) (name, text string) {
	switch {
	case a.Kind != "":
		return fmt.Sprintf("%05d%s", n, extensions[a.Kind]), a.Text
	case n%2 == 0:
		return fmt.Sprintf("%05d.md", n), "# Dates\n\nA small library that parses dates.\n\n" + a.Text + "\n\n## Use\n\nRun make test to build it.\n"
	}
	return fmt.Sprintf("%05d.go", n), "package dates\n\nimport \"time\"\n\n// " + strings.ReplaceAll(a.Text, "\n", "\n// ") + "\nfunc Parse(s string) (time.Time, error) { return time.Parse(time.RFC3339, s) }\n"
}

// recall counts the texts of a corpus in which the checks find something.
func recall(corpus string) error {
	in, err := os.Open(corpus)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	dir, err := os.MkdirTemp("", "score-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	rows := 0
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 16<<20)
	for ; sc.Scan(); rows++ {
		var a attack
		if err := json.Unmarshal(sc.Bytes(), &a); err != nil {
			return err
		}
		name, text := a.file(rows)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	s, err := snapshot.FromPath(context.Background(), "", dir)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	list, err := static.Check(context.Background(), s)
	if err != nil {
		return err
	}
	worst := map[string]finding.Severity{}
	for i := range list {
		r := &list[i]
		if r.Location == nil || !strings.HasPrefix(r.Rule, "umpire/injection/") && !strings.HasPrefix(r.Rule, "umpire/hidden/") {
			continue
		}
		if was, ok := worst[r.Location.File]; !ok || r.Severity < was {
			worst[r.Location.File] = r.Severity
		}
	}
	var at [finding.Low + 1]int
	for _, w := range worst {
		for s := w; s <= finding.Low; s++ {
			at[s]++
		}
	}
	share := func(s finding.Severity) float64 { return 100 * float64(at[s]) / float64(max(rows, 1)) }
	fmt.Printf("%s: %d texts, found in %.1f %% (high), %.1f %% (medium and above), %.1f %% (any)\n", filepath.Base(corpus), rows, share(finding.High), share(finding.Medium), share(finding.Low))
	return nil
}
