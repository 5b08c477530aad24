//go:build unix

package store

import (
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// chains makes a record of three chains, of which the last is the open store's.
func chains(t *testing.T, dir string) *Store {
	t.Helper()
	for range 2 {
		s := opened(t, dir)
		for range 3 {
			submitted(t, s, asked("x"))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, dir)
	for range 3 {
		submitted(t, s, asked("x"))
	}
	return s
}

// forger is somebody who can write all of a database, knows how umpire makes hashes, and has a
// key of his own.
type forger struct {
	t     *testing.T
	s     *Store
	own   *chain
	list  []checkpoint
	order []string // the chains as they began
}

func newForger(t *testing.T, s *Store) *forger {
	t.Helper()
	own, err := newChain(s.name)
	if err != nil {
		t.Fatal(err)
	}
	f := &forger{t: t, s: s, own: own}
	v := verifier{s: s, ctx: t.Context()}
	if v.tx, err = s.db.BeginTx(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	f.list, err = v.checkpoints()
	if err = errors.Join(err, v.tx.Rollback()); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.list {
		if len(f.order) == 0 || f.order[len(f.order)-1] != c.Chain {
			f.order = append(f.order, c.Chain)
		}
	}
	return f
}

func (f *forger) exec(text string, args ...any) { f.t.Helper(); f.s.mustExec(f.t, text, args...) }

// events returns those of a chain.
func (f *forger) events(chain string) []approval.ChainEvent {
	f.t.Helper()
	all, err := f.s.readEvents(f.t.Context(), f.s.db, "e.chain = ? ORDER BY e.n", chain)
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

// add appends an event to a chain, with the right hashes.
func (f *forger) add(chain string) approval.ChainEvent {
	f.t.Helper()
	e := approval.ChainEvent{Chain: chain, N: 1, Prev: genesis(f.s.name, chain), At: time.Now().UTC().Truncate(time.Millisecond), Kind: "resolve", Who: "eve", Data: json.RawMessage(`{}`)}
	if all := f.events(chain); len(all) > 0 {
		e.N, e.Prev = all[len(all)-1].N+1, all[len(all)-1].Hash
	}
	e.Hash = hashOf(&e)
	e.Signature = f.own.sign(signsHead, e.Hash)
	f.exec("INSERT INTO event ("+eventColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", e.Chain, e.N, e.At.UnixMilli(), e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash, e.Signature)
	return e
}

// cover appends a checkpoint over one event, signed with the forger's key.
func (f *forger) cover(e *approval.ChainEvent) checkpoint {
	f.t.Helper()
	c := checkpoint{At: e.At, Chain: e.Chain, N: e.N, Base: e.Prev, Head: e.Hash}
	c.follow(&f.list[len(f.list)-1], 1, f.own)
	f.put(&c)
	return c
}

func (f *forger) put(c *checkpoint) { f.t.Helper(); f.exec(insertCheckpoint, c.row()...) }

// rewrite puts other checkpoints in the place of all from one on. Their hashes are right, and
// signed says by whom they claim to be.
func (f *forger) rewrite(from int, list []checkpoint, honest bool) {
	f.t.Helper()
	f.exec("DELETE FROM checkpoint WHERE id >= ?", f.list[from].ID)
	tip := checkpoint{}
	if from > 0 {
		tip = f.list[from-1]
	}
	for i := range list {
		c := list[i]
		claimed := c.Signer
		c.follow(&tip, c.Last-c.First+1, f.own)
		if !honest {
			c.Signer = claimed
			c.Hash = c.digest()
			c.Sig = f.own.sign(signsCheckpoint, c.Hash)
		}
		f.put(&c)
		tip = c
	}
}

// Whatever somebody does to a record of several chains who can write the database, but had no
// part in the gateways' memory, shows. Some of it shows only to those who know a checkpoint.
func TestVerifySeesTampering(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		attack func(f *forger)
		want   string // in the error
		anchor bool   // it shows by a checkpoint that was kept elsewhere
	}{
		"a changed word":           {func(f *forger) { f.exec("UPDATE event SET who = 'eve' WHERE chain = ? AND n = 2", f.order[1]) }, "event 2 of chain", false},
		"another time":             {func(f *forger) { f.exec("UPDATE event SET at = at + 1 WHERE chain = ? AND n = 1", f.order[0]) }, "event 1 of chain", false},
		"a removed event":          {func(f *forger) { f.exec("DELETE FROM event WHERE chain = ? AND n = 2", f.order[0]) }, "event 2 of chain", false},
		"a removed signature":      {func(f *forger) { f.exec("UPDATE checkpoint SET signature = '' WHERE id = 4") }, "checkpoint 4", false},
		"the tail of a chain":      {func(f *forger) { f.exec("DELETE FROM event WHERE chain = ? AND n = 3", f.order[1]) }, "event 3 of chain", false},
		"the tail of the last one": {func(f *forger) { f.exec("DELETE FROM event WHERE chain = ? AND n = 3", f.order[2]) }, "event 3 of chain", false},
		"a chain is gone":          {func(f *forger) { f.exec("DELETE FROM event WHERE chain = ?", f.order[1]) }, "event 1 of chain", false},
		"a checkpoint in between":  {func(f *forger) { f.exec("DELETE FROM checkpoint WHERE id = 5") }, "checkpoint 6", false},
		"a cut without an event":   {func(f *forger) { f.exec("UPDATE chain SET cut = 3, cut_hash = ?", f.list[2].Hash) }, "", false},
		"places that were exchanged": {func(f *forger) {
			f.exec("UPDATE checkpoint SET first = -first, last = -last WHERE id IN (2, 3)")
			f.exec("UPDATE checkpoint SET first = 5 + first, last = 5 + last WHERE id IN (2, 3)")
		}, "checkpoint 2", false},
		"a chain and its checkpoints": {func(f *forger) {
			f.exec("DELETE FROM event WHERE chain = ?", f.order[1])
			f.exec("DELETE FROM checkpoint WHERE chain = ?", f.order[1])
		}, "checkpoint 7", false},
		"a chain and its checkpoints, closed up": {func(f *forger) {
			f.exec("DELETE FROM event WHERE chain = ?", f.order[1])
			f.rewrite(3, f.list[6:], false)
		}, "checkpoint 4: it was changed or forged", false},
		"two chains that changed names": {func(f *forger) {
			for _, table := range []string{"event", "checkpoint"} {
				f.exec("UPDATE "+table+" SET chain = 'x' WHERE chain = ?", f.order[0])
				f.exec("UPDATE "+table+" SET chain = ? WHERE chain = ?", f.order[0], f.order[1])
				f.exec("UPDATE "+table+" SET chain = ? WHERE chain = 'x'", f.order[1])
			}
		}, "checkpoint 1", false},
		"two chains that changed names, signed anew": {func(f *forger) {
			f.exec("UPDATE event SET chain = 'x' WHERE chain = ?", f.order[0])
			f.exec("UPDATE event SET chain = ? WHERE chain = ?", f.order[0], f.order[1])
			f.exec("UPDATE event SET chain = ? WHERE chain = 'x'", f.order[1])
			other := map[string]string{f.order[0]: f.order[1], f.order[1]: f.order[0], f.order[2]: f.order[2]}
			list := append([]checkpoint(nil), f.list...)
			for i := range list {
				list[i].Chain = other[list[i].Chain]
			}
			f.rewrite(0, list, true)
		}, "does not belong to this record", false},
		"events of two chains that were exchanged": {func(f *forger) {
			f.exec("UPDATE event SET chain = 'x' WHERE chain = ? AND n = 2", f.order[0])
			f.exec("UPDATE event SET chain = ? WHERE chain = ? AND n = 2", f.order[0], f.order[1])
			f.exec("UPDATE event SET chain = ? WHERE chain = 'x'", f.order[1])
		}, "event 2 of chain", false},
		"a forged checkpoint": {func(f *forger) {
			list := append([]checkpoint(nil), f.list[8:]...)
			list[0].At = list[0].At.Add(time.Hour)
			f.rewrite(8, list, false)
		}, "checkpoint 9: it was changed or forged", false},
		"a time that is none":              {func(f *forger) { f.exec("UPDATE event SET at = 'soon' WHERE chain = ? AND n = 2", f.order[0]) }, "event 2 of chain", false},
		"a checkpoint's time that is none": {func(f *forger) { f.exec("UPDATE checkpoint SET at = 'soon' WHERE id = 2") }, "checkpoint 2", false},
		"the beginning is unknown":         {func(f *forger) { f.exec("DELETE FROM chain") }, "where the record begins", false},
		"an event that nobody covers":      {func(f *forger) { f.add(f.order[0]) }, "was not signed by the writer", false},
		"an event in a chain that ended": {func(f *forger) {
			e := f.add(f.order[0])
			f.cover(&e)
		}, "was not signed by the writer", false},
		"an event in the chain that is written": {func(f *forger) {
			e := f.add(f.order[2])
			f.cover(&e)
		}, "was not signed by the writer", false},
		"an event before a chain's first": {func(f *forger) {
			f.exec("INSERT INTO event SELECT chain, 0, at, kind, request, 'eve', data, prev, hash, signature FROM event WHERE n = 1 LIMIT 1")
		},
			"belong to no checkpoint", false},
		"an event that is gone, all signed anew": {func(f *forger) {
			f.exec("DELETE FROM event WHERE chain = ? AND n = 3", f.order[2])
			f.rewrite(0, f.list[:8], true)
		}, "was not signed by the writer", false},
		"a chain of another record": {func(f *forger) {
			other := chains(f.t, f.t.TempDir())
			g := newForger(f.t, other)
			for _, e := range g.events(g.order[0]) {
				f.exec("INSERT INTO event ("+eventColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", e.Chain, e.N, e.At.UnixMilli(), e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash, e.Signature)
			}
			f.rewrite(8, append([]checkpoint{f.list[8]}, g.list[:3]...), true)
		}, "", false},
		"the end of the record": {func(f *forger) {
			f.exec("DELETE FROM event WHERE chain = ? AND n = 3", f.order[2])
			f.exec("DELETE FROM checkpoint WHERE id = 9")
		}, "the database was reset", true},
		"all but the beginning": {func(f *forger) {
			f.exec("DELETE FROM event WHERE chain <> ?", f.order[0])
			f.exec("DELETE FROM checkpoint WHERE id > 3")
		}, "the database was reset", true},
		"the record of a copy that went on": {func(f *forger) {
			f.exec("DELETE FROM event WHERE chain = ? AND n = 3", f.order[2])
			f.exec("DELETE FROM checkpoint WHERE id = 9")
			e := f.add(f.own.ID) // as a gateway does that was started on the copy
			f.list = f.list[:8]
			f.cover(&e)
		}, "is not the one that this gateway has seen", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := chains(t, t.TempDir())
			anchor, err := s.Anchor(t.Context(), Anchor{})
			if err != nil {
				t.Fatal(err)
			}
			if n, err := s.Verify(t.Context(), anchor); n != 9 || err != nil {
				t.Fatal(n, err)
			}
			test.attack(newForger(t, s))
			var anchors []Anchor
			if test.anchor {
				if _, err := s.Verify(t.Context()); err != nil {
					t.Errorf("it shows without an anchor as well: %v", err)
				}
				anchors = append(anchors, anchor)
			}
			if n, err := s.Verify(t.Context(), anchors...); err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, approval.ErrUnavailable) {
				t.Errorf("%d events verify: %v", n, err)
			}
			if n, tree, err := s.VerifyTree(t.Context(), anchors...); err == nil || tree != (Tree{}) {
				t.Errorf("%d events verify with the tree %s: %v", n, tree, err)
			}
			if _, err := s.Anchor(t.Context(), anchor); test.anchor && !errors.Is(err, ErrSetBack) {
				t.Errorf("the anchor follows: %v", err)
			}
		})
	}
}

// Gateways on one PostgreSQL: what a killed gateway left gets its place; what somebody adds to
// its chain does not.
func testLeftOver(t *testing.T, where string) {
	s, dead := opened(t, where), opened(t, where)
	submitted(t, dead, asked("x"))
	if _, err := dead.Head(t.Context()); err != nil {
		t.Fatal(err)
	}
	// It dies between a commit and its checkpoint: nobody there covers what it wrote.
	dead.stop()
	dead.done.Wait()
	b := &batch{s: dead, ctx: t.Context(), n: dead.own.N, hash: dead.own.Head}
	undo, err := b.beginPostgres(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer undo()
	if err := errors.Join(b.event("resolve", "", "ada", nil), b.flush(), b.end()); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Verify(t.Context()); n != 2 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	for n := int64(0); n < 2; { // the follower of s finds it
		changed, stop := s.Changed("")
		if n, err = s.Head(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n < 2 {
			<-changed
		}
		stop()
	}
	f := newForger(t, s)
	f.add(dead.own.ID)
	if err := s.sweep(t.Context()); err != nil {
		t.Error(err)
	}
	if n, err := s.Head(t.Context()); n != 2 || err != nil {
		t.Errorf("a forged event got a place: %d, %v", n, err)
	}
	if _, err := s.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "event 3 of chain "+shown(dead.own.ID)) {
		t.Errorf("%v", err)
	}
}

// A machine that was copied while it ran has the key of a chain twice. Each event is still
// there once, and both go on.
func testTwice(t *testing.T, where string) {
	s, copied := opened(t, where), opened(t, where)
	submitted(t, s, asked("before"))
	own := *s.own
	copied.own = &own
	copied.merge.begin(&own)
	copied.merge.placed(own.ID, own.N, own.Head)
	made := 0
	for i := range 6 {
		for _, one := range []*Store{s, copied} {
			if _, _, err := one.Submit(t.Context(), asked(fmt.Sprint(i))); err == nil {
				made++
			}
		}
	}
	all, err := s.List(t.Context(), approval.Filter{})
	if err != nil || len(all) != 1+made || made < 10 {
		t.Errorf("%d of 12 were taken, %d are there, %v", made, len(all), err)
	}
	if _, err := copied.Head(t.Context()); err != nil {
		t.Error(err)
	}
	if n, err := s.Verify(t.Context()); int(n) != 1+made || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// The record of an older version, in which gateways shared one chain, and whose beginning was
// removed, opens, verifies and goes on.
func TestSharedChain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	packed, err := os.Open(filepath.Join("testdata", "one-chain.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "gateway.db"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, dir)
	check := func(s *Store, want int64) {
		t.Helper()
		if n, err := s.Verify(t.Context()); n != want || err != nil {
			t.Errorf("%d events, %v", n, err)
		}
	}
	check(s, 5)
	old, err := s.Events(t.Context(), 0, 0)
	if err != nil || len(old) != 5 || old[0].Seq != 9 || old[0].N != 9 || old[0].Chain != "" {
		t.Fatalf("%+v, %v", old, err)
	}
	r := submitted(t, s, asked("new"))
	if r.Seq != 8 {
		t.Errorf("a number was used again: %d", r.Seq)
	}
	check(s, 6)
	oldURL := storetest.Database(t)
	moveOld(t, data, oldURL)
	p := opened(t, oldURL)
	check(p, 5)
	if r := submitted(t, p, asked("new")); r.Seq != 8 {
		t.Errorf("a number was used again: %d", r.Seq)
	}
	check(p, 6)
	if n, err := s.Prune(t.Context(), time.Now().Add(time.Hour)); n == 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	check(s, 1)
	s.mustExec(t, "UPDATE event SET who = 'eve'")
	if _, err := s.Verify(t.Context()); err == nil {
		t.Error("a changed event verifies")
	}
	p.mustExec(t, "UPDATE event SET who = 'eve' WHERE chain = '' AND n = 10")
	if _, err := p.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "event 10 of chain (shared)") {
		t.Errorf("a changed event of the old chain verifies: %v", err)
	}
}

// A reader verifies a record while a gateway writes it.
func TestReader(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenReader(t.Context(), dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a database: %v", err)
	}
	s := chains(t, dir)
	r, err := OpenReader(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	submitted(t, s, asked("x"))
	if n, err := r.Verify(t.Context()); n != 10 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	if _, err := r.db.ExecContext(t.Context(), "DELETE FROM event"); err == nil {
		t.Error("it can write")
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// moveOld puts what an old version wrote to SQLite into a PostgreSQL, as that version would.
func moveOld(t *testing.T, file []byte, url string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "old.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	from, err := sql.Open("sqlite", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	to := &Store{postgres: true}
	if to.db, err = sql.Open("pgx", url); err != nil {
		t.Fatal(err)
	}
	to.writer = to.db
	defer func() { _ = to.db.Close() }()
	to.mustExec(t, "CREATE TABLE schema_version (version INTEGER NOT NULL)")
	to.mustExec(t, "INSERT INTO schema_version (version) VALUES (?)", splitVersion-1)
	for _, m := range migrations[:splitVersion-1] {
		to.mustExec(t, m)
	}
	to.mustExec(t, "DELETE FROM chain")
	for _, table := range []string{"chain", "event", "request", "record"} {
		rows, err := from.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		names, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			cells := make([]any, len(names))
			for i := range cells {
				cells[i] = new(any)
			}
			if err := rows.Scan(cells...); err != nil {
				t.Fatal(err)
			}
			for i, c := range cells {
				cells[i] = *c.(*any)
			}
			to.mustExec(t, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES (?"+strings.Repeat(", ?", len(names)-1)+")", cells...)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
}
