//go:build unix

package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// Every event of every chain has a proof, for the tree of now and for every older tree that has it.
// A proof that was changed anywhere, or is for another tree, proves nothing.
func TestProof(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]string{"sqlite": t.TempDir(), "postgres": storetest.Database(t)} {
		t.Run(name, func(t *testing.T) { testProof(t, chains(t, where)) })
	}
}

func testProof(t *testing.T, s *Store) {
	n, now, err := s.VerifyTree(t.Context())
	if err != nil || n != 9 {
		t.Fatal(n, err)
	}
	if again, err := ParseTree(now.String()); err != nil || again != now {
		t.Errorf("%s: %v %v", now, again, err)
	}
	for place := int64(1); place <= n; place++ {
		p, err := s.Prove(t.Context(), place, Tree{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var read Proof
		if err := json.Unmarshal(text, &read); err != nil || read.Event.Place != place || read.Check(now) != nil {
			t.Errorf("event %d: %v, %v", place, err, read.Check(now))
		}
	}
	older := now
	submitted(t, s, asked("y"))
	_, newer, err := s.VerifyTree(t.Context())
	if err != nil || newer == older {
		t.Fatal(newer, err)
	}
	p, err := s.Prove(t.Context(), 4, older)
	if err != nil || p.Check(older) != nil || p.Check(newer) == nil {
		t.Errorf("%v: %v, %v", err, p.Check(older), p.Check(newer))
	}
	forged := older
	forged.Root[3] ^= 1
	for name, kept := range map[string]Tree{"another root": forged, "a later end": {First: 1, Last: 1000, Root: older.Root}, "another begin": {First: 2, Last: older.Last, Root: older.Root}} {
		if _, err := s.Prove(t.Context(), 4, kept); err == nil {
			t.Errorf("%s: a proof", name)
		}
	}
	if _, err := s.Prove(t.Context(), 10, older); err == nil {
		t.Error("a proof of an event after the tree")
	}
	if _, err := s.Prove(t.Context(), 11, Tree{}); err == nil {
		t.Error("a proof of an event that is not there")
	}
	for name, change := range map[string]func(*Proof){
		"who":             func(p *Proof) { p.Event.Who = "eve" },
		"data":            func(p *Proof) { p.Event.Data = strings.Replace(p.Event.Data, "x", "z", 1) },
		"place":           func(p *Proof) { p.Event.Place++ },
		"number":          func(p *Proof) { p.Event.N++ },
		"hash":            func(p *Proof) { p.Event.Who = "eve"; p.Event.Hash = p.Event.digest() },
		"head":            func(p *Proof) { p.Event.Who = "eve"; p.Event.Hash = p.Event.digest(); p.Checkpoint.Head = p.Event.Hash },
		"path":            func(p *Proof) { p.Path[0] = strings.Repeat("0", 64) },
		"a shorter path":  func(p *Proof) { p.Path = p.Path[1:] },
		"a longer path":   func(p *Proof) { p.Path = append(p.Path, p.Path[0]) },
		"no path":         func(p *Proof) { p.Path = nil },
		"checkpoint's ID": func(p *Proof) { p.Checkpoint.ID++ },
		"signature":       func(p *Proof) { p.Checkpoint.Sig = strings.Repeat("0", 128) },
		"tree":            func(p *Proof) { p.Tree = newer.String() },
		"forged checkpoint": func(p *Proof) {
			own, err := newChain("x")
			if err != nil {
				t.Fatal(err)
			}
			p.Event.Who = "eve"
			p.Event.Hash = p.Event.digest()
			c := &p.Checkpoint
			c.Head, c.Signer = p.Event.Hash, own.ID
			c.Hash = c.digest()
			c.Sig = own.sign(signsCheckpoint, c.Hash)
		},
	} {
		p, err := s.Prove(t.Context(), 4, older)
		if err != nil {
			t.Fatal(err)
		}
		if change(&p); p.Check(older) == nil {
			t.Errorf("%s was changed, and the proof still holds", name)
		}
	}
}

// Each value of a proof counts: with any one changed, the proof holds no more.
func TestEachValueOfAProofCounts(t *testing.T) {
	s := chains(t, t.TempDir())
	_, tree, err := s.VerifyTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Prove(t.Context(), 4, tree)
	if err != nil {
		t.Fatal(err)
	}
	sound, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for n := 0; ; n++ {
		var all any
		if err := json.Unmarshal(sound, &all); err != nil {
			t.Fatal(err)
		}
		at := n
		where := changeNth(all, &at, "")
		if where == "" {
			break
		}
		values++
		changed, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		var q Proof
		if err := json.Unmarshal(changed, &q); err == nil && q.Check(tree) == nil {
			t.Errorf("%s was changed, and the proof still holds", where)
		}
	}
	if values < 15 {
		t.Errorf("only %d values were changed", values)
	}
}

// changeNth changes the nth value in what JSON decodes to, in the order of the keys, and returns
// its place, "" if there are fewer.
func changeNth(in any, n *int, path string) (where string) {
	next := func(v any, path string, set func(any)) string {
		switch v := v.(type) {
		case map[string]any, []any:
			return changeNth(v, n, path)
		case string:
			if *n--; *n < 0 {
				at, err := time.Parse(time.RFC3339Nano, v)
				switch {
				case err == nil:
					set(at.Add(time.Second).Format(time.RFC3339Nano))
				case strings.HasPrefix(v, "0"):
					set("1" + v[1:])
				default:
					set("0" + v[min(1, len(v)):])
				}
				return path
			}
		case float64:
			if *n--; *n < 0 {
				set(v + 1)
				return path
			}
		}
		return ""
	}
	switch in := in.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(in)) {
			if where = next(in[k], path+"."+k, func(v any) { in[k] = v }); where != "" {
				return where
			}
		}
	case []any:
		for i := range in {
			if where = next(in[i], fmt.Sprint(path, ".", i), func(v any) { in[i] = v }); where != "" {
				return where
			}
		}
	}
	return ""
}

// The events of one commit lead to its checkpoint one by one.
func TestProofOfBatch(t *testing.T) {
	s := chains(t, t.TempDir())
	if err := s.Transact(t.Context(), func(tx *Tx) error {
		for _, kind := range []string{"one", "two", "three\u202e"} {
			if err := tx.Event(kind, "", "ada", kind); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	_, tree, err := s.VerifyTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for place := int64(10); place <= 12; place++ {
		p, err := s.Prove(t.Context(), place, tree)
		if err != nil || len(p.Following) != int(12-place) || p.Check(tree) != nil {
			t.Errorf("event %d: %v, %d follow, %v", place, err, len(p.Following), p.Check(tree))
		}
		if len(p.Following) > 0 {
			p.Following = p.Following[1:]
			if p.Check(tree) == nil {
				t.Errorf("event %d: a gap is not seen", place)
			}
		}
	}
}

// What retention left still has proofs; a tree from before says that it is too old.
func TestProofAfterPruning(t *testing.T) {
	s := chains(t, t.TempDir())
	r := asked("gone")
	r.State = approval.Denied
	r.ResolvedBy = approval.ByAuto
	submitted(t, s, r)
	_, older, err := s.VerifyTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range must(s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}})) {
		if _, err := s.End(t.Context(), q.ID, approval.Cancelled, ""); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Prune(t.Context(), time.Now().Add(time.Hour)); n == 0 || err != nil {
		t.Fatal(n, err)
	}
	n, tree, err := s.VerifyTree(t.Context())
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	last, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p, err := s.Prove(t.Context(), last, tree); err != nil || p.Check(tree) != nil {
		t.Errorf("%v, %v", err, p.Check(tree))
	}
	if _, err := s.Prove(t.Context(), last, older); err == nil || !strings.Contains(err.Error(), "removed since") {
		t.Errorf("a tree from before: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
