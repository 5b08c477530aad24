//go:build unix

package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// Tests that change what only the store itself changes.

func TestInside(t *testing.T) {
	t.Parallel()
	url := storetest.Database(t) // first, so that all of these tests share a server
	for _, test := range []struct {
		name string
		f    func(*testing.T, *Store)
	}{{"Lease", testLease}, {"Prune", testPrune}, {"Archive", testArchive}} {
		t.Run(test.name+"/sqlite", func(t *testing.T) { test.f(t, opened(t, t.TempDir())) })
		t.Run(test.name+"/postgres", func(t *testing.T) { test.f(t, opened(t, storetest.Database(t))) })
	}
	t.Run("EveryTripFails", func(t *testing.T) { testEveryTripFails(t, storetest.Database(t)) })
	t.Run("CutOff", func(t *testing.T) { testCutOff(t, url) })
	t.Run("ConditionHolds", func(t *testing.T) { testConditionHolds(t, storetest.Database(t)) })
	t.Run("LeftOver", func(t *testing.T) { testLeftOver(t, storetest.Database(t)) })
	t.Run("Twice", func(t *testing.T) { testTwice(t, storetest.Database(t)) })
}

func (s *Store) mustExec(t *testing.T, text string, args ...any) {
	t.Helper()
	if _, err := s.writer.ExecContext(t.Context(), s.sql(text), args...); err != nil {
		t.Fatal(err)
	}
}

func submitted(t *testing.T, s *Store, r approval.Request) approval.Request {
	t.Helper()
	got, _, err := s.Submit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A request that nobody waits for any more is cancelled, but none for which nobody could say
// that he waits.
func testLease(t *testing.T, s *Store) {
	now := time.Now()
	r := asked("leased")
	r.Lease = time.Minute
	left := submitted(t, s, r)
	r.ID = approval.NewID(now)
	waited := submitted(t, s, r)
	submitted(t, s, asked("without"))
	expire := func(what string, since time.Duration, want ...string) {
		t.Helper()
		ended, err := s.Expire(t.Context(), now, now.Add(since))
		var got []string
		for _, r := range ended {
			if got = append(got, r.ID); r.State != approval.Cancelled || r.Note == "" {
				t.Errorf("%+v", r)
			}
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v", what, got, err)
		}
	}
	expire("too early", -time.Hour)
	s.mustExec(t, "UPDATE request SET seen = seen - 120000")
	if err := s.Renew(t.Context(), waited.ID); err != nil {
		t.Fatal(err)
	}
	expire("this gateway was not there", -10*time.Second)
	expire("nobody waits", -time.Hour, left.ID)
	if n, err := s.Verify(t.Context()); n != 4 || err != nil {
		t.Errorf("a renewal is an event: %d, %v", n, err)
	}
}

// What is older than it is kept goes, with all that belongs to it, and the rest of the record
// still verifies; that something was cut off without a word does not.
func testPrune(t *testing.T, s *Store) {
	ctx := t.Context()
	old := time.Now().Add(-100 * 24 * time.Hour)
	var ids []string
	for i := range 5 {
		r := asked("old")
		r.Created = old.Add(time.Duration(i) * time.Second)
		r.ID = approval.NewID(r.Created)
		r.Expires = time.Now().Add(time.Hour)
		ids = append(ids, submitted(t, s, r).ID)
	}
	for _, id := range ids[:4] { // the last one waits still
		if _, err := s.Answer(ctx, approval.Answer{ID: id, Digest: "d", Approve: true, Operator: "ada"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Transact(ctx, func(x *Tx) error { return x.Put(ExecutionRecord, id, json.RawMessage(`{}`)) }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Head(ctx); err != nil { // the events so far have a checkpoint of their own
		t.Fatal(err)
	}
	before := time.Now()
	for !time.Now().After(before.Add(2 * time.Millisecond)) {
		<-time.After(time.Millisecond)
	}
	before = time.Now()
	fresh := submitted(t, s, asked("fresh"))
	if n, err := s.Verify(ctx); n != 10 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := s.Prune(ctx, before); n != 13 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	if n, err := s.Prune(ctx, before); n != 0 || err != nil {
		t.Errorf("removed %d more, %v", n, err)
	}
	for i, id := range append(ids, fresh.ID) {
		_, err := s.Get(ctx, id)
		if gone := errors.Is(err, approval.ErrNone); gone != (i < 4) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if left, err := s.Records(ctx, ExecutionRecord); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	if n, err := s.Verify(ctx); n != 2 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	if next := submitted(t, s, asked("next")); next.Seq != 7 {
		t.Errorf("a number was used again: %d", next.Seq)
	}
	tip, err := s.lastCheckpoint(ctx, s.db)
	if err != nil {
		t.Fatal(err)
	}
	s.mustExec(t, "DELETE FROM event WHERE n <= ?", tip.to())
	s.mustExec(t, "DELETE FROM checkpoint WHERE id < ?", tip.ID)
	s.mustExec(t, "UPDATE chain SET cut = ?, cut_hash = ?", tip.Last, tip.Hash)
	if _, err := s.Verify(ctx); err == nil || !strings.Contains(err.Error(), "removed") {
		t.Errorf("cut off without a word: %v", err)
	}
}

// cutter stands between a store and its database, and breaks a connection in place of handing on
// what one of them says, if a function says so.
type cutter struct {
	url  string
	cuts atomic.Int64
}

func newCutter(t *testing.T, to string, asks, answers func([]byte) bool) *cutter {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	target := u.Host
	u.Host = ln.Addr().String()
	c := &cutter{url: u.String()}
	var open sync.WaitGroup
	t.Cleanup(func() {
		_ = ln.Close()
		open.Wait()
	})
	pass := func(from, to net.Conn, cut func([]byte) bool) {
		buf := make([]byte, 64<<10)
		for {
			n, err := from.Read(buf)
			if n > 0 && cut(buf[:n]) {
				c.cuts.Add(1)
				return
			}
			if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
				return
			}
		}
	}
	open.Go(func() {
		for {
			client, err := ln.Accept()
			if err != nil {
				return
			}
			server, err := new(net.Dialer).DialContext(context.WithoutCancel(t.Context()), "tcp", target)
			if err != nil {
				_ = client.Close()
				continue
			}
			both := func() { _, _ = client.Close(), server.Close() }
			open.Go(func() {
				defer both()
				pass(client, server, asks)
			})
			open.Go(func() {
				defer both()
				pass(server, client, answers)
			})
		}
	})
	return c
}

// A change that became durable is acknowledged, also when the connection broke before the
// database could say so, and is made once.
func testCutOff(t *testing.T, url string) {
	var commits atomic.Int64
	c := newCutter(t, url, func([]byte) bool { return false }, func(said []byte) bool { // a commit is durable, and nobody has heard of it
		return bytes.Contains(said, []byte("COMMIT\x00")) && commits.Add(1)%3 == 0
	})
	var s *Store
	for s == nil {
		s, _ = Open(t.Context(), c.url) // its own commits are cut as well
	}
	defer func() { _ = s.Close() }()
	made := map[string]bool{}
	for i := range 30 {
		r, _, err := s.Submit(t.Context(), asked(fmt.Sprint(i)))
		if err == nil {
			made[r.ID] = true
			_, err = s.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: "d", Approve: true, Operator: "ada"})
		}
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	if c.cuts.Load() < 10 {
		t.Errorf("only %d commits were cut off", c.cuts.Load())
	}
	direct := opened(t, url)
	all, err := direct.List(t.Context(), approval.Filter{Limit: 1000})
	if err != nil || len(all) != 30 || len(made) != 30 {
		t.Errorf("%d made, %d there, %v", len(made), len(all), err)
	}
	if n, err := direct.Verify(t.Context()); n != 60 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// A record on which a request depends stays until the request is durable: whoever removes the
// record finds the request then.
func testConditionHolds(t *testing.T, where string) {
	s, other := opened(t, where), opened(t, where)
	set := func(body json.RawMessage) error {
		return other.Update(t.Context(), "token", "x", "token", "", func(json.RawMessage) (json.RawMessage, any, error) { return body, nil, nil })
	}
	if err := set(json.RawMessage("1")); err != nil {
		t.Fatal(err)
	}
	s.stop()
	s.done.Wait() // this test is the writer
	r := asked("x")
	r.Provided = []approval.Condition{{Kind: "token", ID: "x", Any: true}}
	ops := []op{{plain: &r, provided: r.Provided}}
	b := &batch{s: s, ctx: t.Context(), n: s.own.N, hash: s.own.Head}
	undo, err := b.beginPostgres(ops)
	if err != nil {
		t.Fatal(err)
	}
	defer undo()
	removed := make(chan error, 1)
	go func() { removed <- set(nil) }()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for waits := 0; waits == 0; {
		select {
		case err := <-removed:
			t.Fatalf("the record was removed before the commit: %v", err)
		case <-look.C:
		}
		if err := other.db.QueryRowContext(t.Context(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.apply(ops); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.flush(), b.end()); err != nil {
		t.Fatal(err)
	}
	if err := <-removed; err != nil {
		t.Error(err)
	}
	if all, err := other.List(t.Context(), approval.Filter{Agent: r.Agent}); err != nil || len(all) != 1 {
		t.Errorf("%d requests when the record was removed, %v", len(all), err)
	}
}

// A gateway that finds no space when it starts names the disk and the next step.
func TestFullDiskAtStart(t *testing.T) {
	dir := t.TempDir()
	small, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "small.db")+"?_pragma=max_page_count(1)")
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close()
	_, full := small.ExecContext(t.Context(), "CREATE TABLE t (x)")
	_, err = OpenThrough(t.Context(), dir, func(string, string) (*sql.DB, error) { return nil, full })
	if want := "the disk of " + dir + " is full: free space on it"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error with %q", err, want)
	}
}

// On a full disk a request is refused, and not acknowledged; when there is room again, all
// goes on by itself.
func TestFullDisk(t *testing.T) {
	s := opened(t, t.TempDir())
	first := submitted(t, s, asked("first"))
	var pages int
	if err := s.writer.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		t.Helper()
		var got int
		if err := s.writer.QueryRowContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", n)).Scan(&got); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages)
	big := asked("big")
	big.Metadata = json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	if _, _, err := s.Submit(t.Context(), big); !errors.Is(err, approval.ErrUnavailable) || !errors.Is(err, approval.ErrDiskFull) {
		t.Errorf("%v", err)
	}
	if all, err := s.List(t.Context(), approval.Filter{}); err != nil || len(all) != 1 || all[0].ID != first.ID {
		t.Errorf("%d requests, %v", len(all), err)
	}
	limit(1 << 30)
	if err := s.Healthy(t.Context()); err != nil {
		t.Errorf("there is room again: %v", err)
	}
	submitted(t, s, big)
	if n, err := s.Verify(t.Context()); n != 2 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// A database that takes nothing makes the gateway not ready, until it does again.
func TestHealthyTries(t *testing.T) {
	s := opened(t, t.TempDir())
	s.mustExec(t, "ALTER TABLE chain RENAME TO away")
	if _, _, err := s.Submit(t.Context(), asked("x")); !errors.Is(err, approval.ErrUnavailable) {
		t.Errorf("%v", err)
	}
	if err := s.Healthy(t.Context()); !errors.Is(err, approval.ErrUnavailable) {
		t.Errorf("ready without a table: %v", err)
	}
	s.mustExec(t, "ALTER TABLE away RENAME TO chain")
	if err := s.Healthy(t.Context()); err != nil {
		t.Errorf("not ready again: %v", err)
	}
}

// A damaged file stops the start, stays as it is, and the error says what to do.
func TestDamaged(t *testing.T) {
	whole := t.TempDir()
	s := opened(t, whole)
	for i := range 50 {
		r := asked(fmt.Sprint(i))
		r.Metadata = json.RawMessage(`"` + strings.Repeat("x", 10_000) + `"`)
		submitted(t, s, r)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(whole, "gateway.db"))
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"no database":          func([]byte) []byte { return []byte("what is this? " + strings.Repeat("?", 5000)) },
		"cut off":              func(b []byte) []byte { return b[:len(b)/2] },
		"a page of another":    func(b []byte) []byte { copy(b[4096*3:], b[4096*40:4096*41]); return b },
		"pages of random text": func(b []byte) []byte { copy(b[4096:], bytes.Repeat([]byte("noise "), 8000)); return b },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "gateway.db")
			bad := damage(bytes.Clone(good))
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Open(t.Context(), dir)
			if err == nil || !strings.Contains(err.Error(), "is damaged") || !strings.Contains(err.Error(), "backup") || !strings.Contains(err.Error(), path) {
				t.Errorf("%v", err)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, bad) {
				t.Errorf("the file was changed: %v", err)
			}
			// The folder is free again: a good file in its place is opened.
			if err := os.WriteFile(path, good, 0o600); err != nil {
				t.Fatal(err)
			}
			again := opened(t, dir)
			if n, err := again.Verify(t.Context()); n != 50 || err != nil {
				t.Errorf("%d events, %v", n, err)
			}
		})
	}
}

// A text that PostgreSQL cannot keep names nothing, in both databases.
func TestTextThatNoDatabaseKeeps(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]string{"sqlite": t.TempDir(), "postgres": storetest.Database(t)} {
		s := opened(t, where)
		for _, text := range []string{"a\x00b", "\xff"} {
			if _, err := s.Get(t.Context(), text); !errors.Is(err, approval.ErrNone) {
				t.Errorf("%s: Get(%q): %v, want ErrNone", name, text, err)
			}
			if _, err := s.ByKey(t.Context(), "a", text); !errors.Is(err, approval.ErrNone) {
				t.Errorf("%s: ByKey(%q): %v, want ErrNone", name, text, err)
			}
			if list, _, err := s.FindEvents(t.Context(), EventFilter{Text: text, Limit: 10}); err != nil || len(list) > 0 {
				t.Errorf("%s: FindEvents(%q): %v, %v, want none", name, text, list, err)
			}
			if list, err := s.List(t.Context(), approval.Filter{Agent: text}); err != nil || len(list) > 0 {
				t.Errorf("%s: List of %q: %v, %v, want none", name, text, list, err)
			}
		}
	}
}

// A number names a request in decimal digits, and any other text is an ID.
func TestNames(t *testing.T) {
	for id, want := range map[string]any{"req-1": int64(1), "req-10": int64(10), "req-010": int64(10), "req-1a": "req-1a", "req-": "req-", "01M8": "01M8"} {
		where, arg := byName(id)
		if _, number := want.(int64); arg != want || number != (where == "seq = ?") {
			t.Errorf("%s selects %s %v, want %v", id, where, arg, want)
		}
	}
}
