package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// contents returns all that a database holds, read through a connection of its own.
func contents(t *testing.T, s *Store) string {
	t.Helper()
	var out strings.Builder
	for _, table := range []string{"chain", "event", "request", "record"} {
		rows, err := s.db.QueryContext(t.Context(), "SELECT * FROM "+table+" ORDER BY 1, 2")
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			cells := make([]any, len(columns))
			for i := range cells {
				cells[i] = new(any)
			}
			if err := rows.Scan(cells...); err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(&out, table)
			for _, c := range cells {
				fmt.Fprintf(&out, "|%v", *c.(*any))
			}
			out.WriteByte('\n')
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// outline returns what a database holds apart from times, hashes and what was made of them.
func outline(t *testing.T, s *Store) string {
	t.Helper()
	var out strings.Builder
	for _, query := range []string{
		"SELECT 'cut ' || cut, requests FROM chain", "SELECT kind, count(*) FROM event GROUP BY 1", "SELECT state, count(*) FROM request GROUP BY 1", "SELECT kind || body, count(*) FROM record GROUP BY 1",
	} {
		rows, err := s.db.QueryContext(t.Context(), query+" ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var what string
			var n int
			if err := rows.Scan(&what, &n); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s %d\n", what, n)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if s.archive != nil {
		out.WriteString("archive " + outline(t, s.archive.db))
	}
	return out.String()
}

// Each change fails at its first call to the database, at its second, and so on until it
// succeeds: with the call not made, and with the call made and its answer lost. A change that
// reports an error has changed nothing, and succeeds when it is made again; one that reports
// none is there with all its parts; and the chain of events holds.
func TestEveryStatementFails(t *testing.T) {
	const id = "01JD0000000000000000000001"
	request := func(change func(*approval.Request)) approval.Request {
		r := asked("net")
		r.ID = id
		change(&r)
		return r
	}
	waiting := func(change func(*approval.Request)) func(*Store) error {
		return func(s *Store) error {
			_, _, err := s.Submit(context.Background(), request(change))
			return err
		}
	}
	plain := waiting(func(*approval.Request) {})
	answer := approval.Answer{ID: id, Digest: "d", Approve: true, By: approval.ByCLI, Operator: "ada"}
	settled := func(s *Store) error {
		if err := plain(s); err != nil {
			return err
		}
		if _, err := s.End(context.Background(), id, approval.Denied, ""); err != nil {
			return err
		}
		_, err := s.Head(context.Background()) // the events have a checkpoint, up to which they can be removed
		return err
	}
	prune := func(ctx context.Context, s *Store) error {
		n, err := s.Prune(ctx, time.Now().Add(time.Hour))
		if n > 0 { // what is left is to give the room back to the disk
			return nil
		}
		return err
	}
	changes := []struct {
		name   string
		before func(*Store) error
		do     func(ctx context.Context, s *Store) error
	}{
		{"submit", nil, func(_ context.Context, s *Store) error { return plain(s) }},
		{"submit with a key", nil, func(_ context.Context, s *Store) error {
			return waiting(func(r *approval.Request) { r.Key = "k" })(s)
		}},
		{"submit instead of another", waiting(func(r *approval.Request) { r.Target = "file"; r.ID = id[:25] + "0" }), func(_ context.Context, s *Store) error {
			return waiting(func(r *approval.Request) { r.Target = "file" })(s)
		}},
		{"approve", plain, func(ctx context.Context, s *Store) error {
			_, err := s.Answer(ctx, answer)
			return err
		}},
		{"vote", waiting(func(r *approval.Request) { r.Needs = 2 }), func(ctx context.Context, s *Store) error {
			_, err := s.Answer(ctx, answer)
			return err
		}},
		{"approve with a rule", plain, func(ctx context.Context, s *Store) error {
			return s.Transact(ctx, func(tx *Tx) error {
				if _, err := tx.Answer(answer); err != nil {
					return err
				}
				if err := tx.Put("rules", "1", json.RawMessage(`{"allow":"network(*)"}`)); err != nil {
					return err
				}
				return tx.Event("rules", "", "ada", nil)
			})
		}},
		{"end", plain, func(ctx context.Context, s *Store) error {
			_, err := s.End(ctx, id, approval.Cancelled, "gone")
			return err
		}},
		{"expire", waiting(func(r *approval.Request) { r.Expires = time.Now().Add(-time.Minute) }), func(ctx context.Context, s *Store) error {
			ended, err := s.Expire(ctx, time.Now(), time.Now())
			if err == nil && len(ended) != 1 {
				err = fmt.Errorf("%d requests expired", len(ended))
			}
			return err
		}},
		{"renew", func(s *Store) error {
			if err := waiting(func(r *approval.Request) { r.Lease = time.Minute })(s); err != nil {
				return err
			}
			_, err := s.writer.ExecContext(context.Background(), "UPDATE request SET seen = 1") // not in this millisecond
			return err
		}, func(ctx context.Context, s *Store) error { return s.Renew(ctx, id) }},
		{"prune", settled, prune},
		{"prune into an archive", func(s *Store) error {
			if err := s.Archive(context.Background(), t.TempDir(), 0); err != nil {
				return err
			}
			return settled(s)
		}, prune},
		{"update a record", nil, func(ctx context.Context, s *Store) error {
			return s.Update(ctx, "config", "mode", "config", "ada", func(json.RawMessage) (json.RawMessage, any, error) {
				return json.RawMessage(`"observe"`), "note", nil
			})
		}},
	}
	empty := t.TempDir()
	if err := opened(t, empty).Close(); err != nil { // half of the time would go into making tables
		t.Fatal(err)
	}
	tables, err := os.ReadFile(filepath.Join(empty, "gateway.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/made=%v", c.name, after), func(t *testing.T) {
				t.Parallel()                     // most of the time goes into waiting for the disk
				acknowledged := map[int]string{} // what the database holds after each call whose fault did no harm
				for n := 1; ; n++ {
					dir := t.TempDir()
					if err := os.WriteFile(filepath.Join(dir, "gateway.db"), tables, 0o600); err != nil {
						t.Fatal(err)
					}
					s := opened(t, dir)
					if c.before != nil {
						if err := c.before(s); err != nil {
							t.Fatal(err)
						}
					}
					faults := &storetest.Faults{Nth: n, After: after}
					sound := s.writer
					s.writer = faults.DB(sound.Driver(), dsnOf(filepath.Join(dir, "gateway.db"))+"?_txlock=immediate&_pragma=busy_timeout(5000)")
					s.writer.SetMaxOpenConns(1)
					before := contents(t, s)
					unarchived := func() error { return nil }
					if s.archive != nil {
						to, sound := s.archive.db, s.archive.db.writer
						to.writer = faults.DB(sound.Driver(), dsnOf(to.path(t))+"?_txlock=immediate&_pragma=busy_timeout(5000)")
						unarchived = func() error { defer func() { to.writer = sound }(); return to.writer.Close() }
					}
					err := c.do(t.Context(), s)
					what := faults.What()
					if e := unarchived(); e != nil {
						t.Fatal(e)
					}
					if e := s.writer.Close(); e != nil {
						t.Fatal(e)
					}
					s.writer = sound
					changed := contents(t, s) != before
					switch {
					case what == "" && (err != nil || !changed):
						t.Fatalf("without a fault: %v, changed %v", err, changed)
					case what == "" && n < 4:
						t.Fatalf("only %d calls were failed", n-1)
					case what == "":
						whole := outline(t, s)
						for n, got := range acknowledged {
							if got != whole {
								t.Errorf("call %d: acknowledged, and the database holds\n%s\nwant\n%s", n, got, whole)
							}
						}
						return
					case err == nil && !changed:
						t.Errorf("call %d (%s): acknowledged, and nothing is kept", n, what)
					case err != nil && changed && c.name == "renew": // without an event nobody can look whether it was kept, and twice does no harm
					case err != nil && changed:
						t.Errorf("call %d (%s): refused, and it is kept: %v", n, what, err)
					case err != nil && !errors.Is(err, approval.ErrUnavailable):
						t.Errorf("call %d (%s): the error is not ErrUnavailable: %v", n, what, err)
					}
					if err == nil {
						acknowledged[n] = outline(t, s)
					}
					if err != nil && !changed {
						if err := c.do(t.Context(), s); err != nil {
							t.Errorf("call %d (%s): the same change fails afterwards: %v", n, what, err)
						}
					}
					if _, err := s.Verify(t.Context()); err != nil {
						t.Errorf("call %d (%s): %v", n, what, err)
					}
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}

func opened(t *testing.T, where string) *Store {
	t.Helper()
	s, err := Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func asked(action string) approval.Request {
	now := time.Now().Truncate(time.Millisecond)
	return approval.Request{ID: approval.NewID(now), Agent: "a", Category: approval.Network, Action: action, Digest: "d", State: approval.Pending, Created: now, Expires: now.Add(time.Hour)}
}
