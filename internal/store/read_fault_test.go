package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// filledStore returns a store with requests in each state, events, records and a name.
func filledStore(t *testing.T, dir string) (s *Store, id string) {
	t.Helper()
	s = opened(t, dir)
	for i, state := range []approval.State{approval.Pending, approval.Cancelled, approval.Denied} {
		r := asked("net")
		r.ID, r.Key, r.Target = fmt.Sprintf("%s%d", approval.NewID(time.Now())[:25], i), fmt.Sprint("k", i), fmt.Sprint("t", i)
		if _, _, err := s.Submit(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if id == "" {
			id = r.ID
		}
		if state != approval.Pending {
			if _, err := s.End(t.Context(), r.ID, state, "why"); err != nil {
				t.Fatal(err)
			}
		}
	}
	put := func(json.RawMessage) (json.RawMessage, any, error) { return json.RawMessage(`"observe"`), "note", nil }
	if err := s.Update(t.Context(), "config", "mode", "config", "ada", put); err != nil {
		t.Fatal(err)
	}
	return s, id
}

// Each look at the database fails at its first call, at its second, and so on until it succeeds.
// What fails is reported: no reader takes a part for the whole.
func TestEveryReadFails(t *testing.T) {
	s, id := filledStore(t, t.TempDir())
	path := s.path(t)
	long := time.Now().Add(-time.Hour)
	sound := s.db
	_, tree, err := s.VerifyTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(ctx context.Context) (any, error){
		"CountPending": func(ctx context.Context) (any, error) { return s.CountPending(ctx) },
		"CountBy":      func(ctx context.Context) (any, error) { return s.CountBy(ctx, long, time.Hour) },
		"CountWaiting": func(ctx context.Context) (any, error) { return s.CountWaiting(ctx) },
		"Events":       func(ctx context.Context) (any, error) { return s.Events(ctx, 0, 100) },
		"Head":         func(ctx context.Context) (any, error) { return s.Head(ctx) },
		"Anchor":       func(ctx context.Context) (any, error) { return s.Anchor(ctx, Anchor{}) },
		"Recent": func(ctx context.Context) (any, error) {
			list, left, err := s.Recent(ctx, 2, 10)
			return fmt.Sprint(list, left), err
		},
		"Same": func(ctx context.Context) (any, error) {
			r := asked("net")
			r.Target = "t0"
			return s.Same(ctx, &r, 5)
		},
		"Askers": func(ctx context.Context) (any, error) { return s.Askers(ctx, long) },
		"FindEvents": func(ctx context.Context) (any, error) {
			list, next, err := s.FindEvents(ctx, EventFilter{Limit: 2})
			return fmt.Sprint(list, next), err
		},
		"Record":  func(ctx context.Context) (any, error) { return s.Record(ctx, "config", "mode") },
		"Records": func(ctx context.Context) (any, error) { return s.Records(ctx, "config") },
		"Get":     func(ctx context.Context) (any, error) { return s.Get(ctx, id) },
		"ByKey":   func(ctx context.Context) (any, error) { return s.ByKey(ctx, "a", "k0") },
		"List":    func(ctx context.Context) (any, error) { return s.List(ctx, approval.Filter{}) },
		"Verify":  func(ctx context.Context) (any, error) { return s.Verify(ctx) },
		"Prove": func(ctx context.Context) (any, error) {
			proof, err := s.Prove(ctx, 1, tree)
			return len(proof.Following), err
		},
		"refresh": func(ctx context.Context) (any, error) {
			s.merge.tip = checkpoint{}
			err := s.refresh(ctx, s.merge.own.ID)
			return s.merge.tip.ID, err
		},
		"Healthy": func(ctx context.Context) (any, error) { return nil, s.Healthy(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			want, err := read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, after := range []bool{false, true} {
				for n := 1; ; n++ {
					faults := &storetest.Faults{Nth: n, After: after}
					s.db = faults.DB(sound.Driver(), dsnOf(path))
					got, err := read(t.Context())
					closed := s.db.Close()
					s.db = sound
					if closed != nil {
						t.Fatal(closed)
					}
					if faults.What() == "" {
						if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || n < 2 {
							t.Fatalf("without a fault: got %v, %v after %d calls, want %v", got, err, n-1, want)
						}
						break
					}
					if err == nil {
						t.Errorf("call %d (%s) failed: got %v without an error, want it", n, faults.What(), got)
					}
					if err != nil && !errors.Is(err, storetest.ErrFault) {
						t.Errorf("call %d (%s): got %v, want what failed", n, faults.What(), err)
					}
				}
			}
		})
	}
}

// path returns the file of a store that is opened from a folder.
func (s *Store) path(t *testing.T) string {
	t.Helper()
	var file string
	if err := s.db.QueryRowContext(t.Context(), "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&file); err != nil {
		t.Fatal(err)
	}
	return file
}

// Each call of the start fails. A start that fails says so and leaves a database with which the
// next one succeeds, under the name that it was given once.
func TestEveryStartFails(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		for n := 1; ; n++ {
			dir := t.TempDir()
			start := func(connect Connect) (name string, err error) {
				s, err := OpenThrough(t.Context(), dir, connect)
				if err != nil {
					return "", err
				}
				_, err = s.Head(t.Context())
				return s.name, errors.Join(err, s.Close())
			}
			faults := &storetest.Faults{Nth: n, After: after}
			name, err := start(faults.Connect)
			if faults.What() == "" {
				if err != nil || name == "" || n < 10 {
					t.Fatalf("without a fault: the name %q, %v after %d calls", name, err, n-1)
				}
				break
			}
			if !errors.Is(err, storetest.ErrFault) {
				t.Errorf("call %d (%s): got %v, want what failed", n, faults.What(), err)
			}
			again, err := start(sql.Open)
			if err != nil || again == "" || name != "" && again != name {
				t.Errorf("call %d (%s): the next start has the name %q, %v, want %q and no error", n, faults.What(), again, err, name)
			}
		}
	}
}
