package gateway

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
)

// Whoever has an event written finds it in the log, however many write.
func TestJournal(t *testing.T) {
	j := &journal{dir: filepath.Join(t.TempDir(), "audit")}
	var all sync.WaitGroup
	for n := range 300 {
		all.Go(func() {
			e := &audit.Event{Kind: audit.Decision, Note: fmt.Sprint("event ", n)}
			if err := j.append(e); err != nil || e.Seq == 0 || e.Hash == "" {
				t.Errorf("%d: %+v, %v", n, e, err)
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for rec, err := range audit.Read(j.dir, audit.Query{Kind: audit.Decision}) {
		if err != nil {
			t.Fatal(err)
		}
		seen[rec.Note] = true
	}
	if report, err := audit.Verify(j.dir); err != nil || !report.OK() || len(seen) != 300 {
		t.Errorf("%d events, %+v, %v", len(seen), report, err)
	}
	if j.busy || len(j.waiting) != 0 {
		t.Error("somebody still waits")
	}
}

func TestJournalFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	j := &journal{dir: filepath.Join(file, "audit")}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if j.append(&audit.Event{Kind: audit.Decision}) == nil {
				t.Error("it cannot have been written")
			}
		})
	}
	all.Wait()
}
