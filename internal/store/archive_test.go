//go:build unix

package store

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// Prune removes only entries that the archive holds. The archive verifies like the record.
func testArchive(t *testing.T, s *Store) {
	ctx, dir := t.Context(), t.TempDir()
	if err := s.Archive(ctx, dir, 0); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-100 * 24 * time.Hour)
	settled := func(i int) approval.Request {
		r := asked("old")
		r.Created, r.Key, r.Expires = old.Add(time.Duration(i)*time.Second), []string{"same", "same", "third", ""}[i], time.Now().Add(time.Hour)
		if i > 1 {
			r.Created = time.Now()
		}
		r.ID = approval.NewID(r.Created)
		r = submitted(t, s, r)
		if _, err := s.Answer(ctx, approval.Answer{ID: r.ID, Digest: "d", Approve: true, Operator: "ada"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Transact(ctx, func(x *Tx) error { return x.Put(ExecutionRecord, r.ID, json.RawMessage(`{}`)) }); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Head(ctx); err != nil { // each has a checkpoint of its own
			t.Fatal(err)
		}
		return r
	}
	archived := func(want int64, ids ...string) {
		t.Helper()
		a, err := OpenReader(ctx, dir)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = a.Close() }()
		if n, err := a.Verify(ctx); n != want || err != nil {
			t.Errorf("the archive has %d events, want %d: %v", n, want, err)
		}
		for _, id := range ids {
			if _, err := a.Get(ctx, id); err != nil {
				t.Errorf("request %s: %v", id, err)
			}
		}
		if left, err := a.Records(ctx, ExecutionRecord); err != nil || len(left) < len(ids) {
			t.Errorf("%d results, want at least %d: %v", len(left), len(ids), err)
		}
		if _, err := s.Verify(ctx); err != nil {
			t.Error("the rest of the record:", err)
		}
	}
	first := settled(0)
	if n, err := s.Prune(ctx, time.Now().Add(time.Hour)); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	archived(2, first.ID)

	second := settled(1) // with the same key
	before := contents(t, s)
	alter := s.archive.db.writer
	if _, err := alter.ExecContext(ctx, "ALTER TABLE event RENAME TO gone"); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Prune(ctx, time.Now().Add(time.Hour)); n != 0 || err == nil {
		t.Errorf("removed %d without an archive: %v", n, err)
	}
	// Nor is anything of it, if another change of the same transaction goes through.
	err := s.change(ctx, func(b *batch) error {
		if err := b.event("config", "", "ada", "note"); err != nil {
			return err
		}
		_, err := b.prune(time.Now().Add(time.Hour))
		return err
	}, recordsLock)
	if err == nil || !concernsDataOnly(err) {
		t.Errorf("got %v, want the archive's fault, which fails no other change", err)
	}
	if after := contents(t, s); after != before {
		t.Errorf("without an archive, the record changed from\n%s\nto\n%s", before, after)
	}
	if _, err := alter.ExecContext(ctx, "ALTER TABLE gone RENAME TO event"); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Prune(ctx, time.Now().Add(time.Hour)); n != 4 || err != nil { // with the event of the first removal
		t.Fatal(n, err)
	}
	archived(5, first.ID, second.ID)

	// By size: the oldest events go, however young they are.
	settled(2)
	settled(3)
	s.archive.most = 2
	if n, err := s.Prune(ctx, old.Add(-time.Hour)); n == 0 || err != nil {
		t.Fatal(n, err)
	}
	var left int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM event").Scan(&left); left != 3 || err != nil {
		t.Errorf("the record keeps %d events, want 2 and that of the removal: %v", left, err)
	}
	archived(8, first.ID, second.ID)
}

// The archive of another database is refused, and so is a folder that is none.
func TestArchiveOfAnother(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	s := opened(t, t.TempDir())
	if err := s.Archive(ctx, dir, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.archive.db.close(); err != nil {
		t.Fatal(err)
	}
	s.archive = nil
	other := opened(t, t.TempDir())
	if err := other.Archive(ctx, dir, 0); err == nil || !strings.Contains(err.Error(), "another database") || other.archive != nil {
		t.Errorf("got %v, want a refusal", err)
	}
	if err := other.Archive(ctx, "/dev/null/x", 0); err == nil {
		t.Error("an archive in no folder is taken")
	}
	if err := s.Archive(ctx, dir, 0); err != nil { // its own, again
		t.Error(err)
	}
}
