package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Verify reads all events and checkpoints in the record, and returns the number of events. Its
// error names the first chain and event, or checkpoint, that does not follow from the previous
// ones. If older events were removed, a remaining event must say so. The record must contain the
// checkpoints that anchors name, unless these are older than the kept part.
func (s *Store) Verify(ctx context.Context, anchors ...Anchor) (n int64, err error) {
	v, err := s.verify(ctx, anchors, 0)
	return v.events, err
}

// VerifyTree is like Verify, and also returns the tree of the checkpoints.
func (s *Store) VerifyTree(ctx context.Context, anchors ...Anchor) (n int64, t Tree, err error) {
	v, err := s.verify(ctx, anchors, 0)
	if err == nil && v.trees.n > 0 {
		t, err = v.trees.tree(v.tip.ID)
	}
	return v.events, t, err
}

// verify reads the record, and collects the proof of the event at a place.
func (s *Store) verify(ctx context.Context, anchors []Anchor, place int64) (v verifier, err error) {
	settle, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	if err := s.settled(settle); err != nil {
		return v, unavailable(err)
	}
	// Read all of it in one state.
	options := sql.TxOptions{ReadOnly: true}
	if s.postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := s.db.BeginTx(ctx, &options)
	if err != nil {
		return v, unavailable(err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	v = verifier{s: s, tx: tx, ctx: ctx, ends: map[string]link{}, anchors: anchors, place: place}
	err = v.all()
	if row := (rowFault{}); errors.As(err, &row) {
		err = recordFault(row)
	}
	return v, unavailable(err)
}

// link is the number and the hash of an event in its chain.
type link struct {
	n    int64
	hash string
}

type verifier struct {
	s       *Store
	tx      *sql.Tx
	ctx     context.Context
	cut     int64
	cutHash string
	pruned  bool // an event about removed events exists
	events  int64
	ends    map[string]link // by chain, as far as it was read
	tip     checkpoint
	ahead   []approval.ChainEvent // read, but not checked yet
	anchors []Anchor
	trees   checkpointTree
	place   int64  // place of the event to prove; 0 for none
	proof   *Proof // of that event, without the path
}

// recordFault is an error about what the record says: unlike a failure of the database, another try
// does not help.
type recordFault struct{ error }

func (f recordFault) Unwrap() error { return f.error }

func changed(format string, args ...any) error { return recordFault{fmt.Errorf(format, args...)} }

func (v *verifier) all() error {
	if err := v.tx.QueryRowContext(v.ctx, "SELECT cut, cut_hash FROM chain").Scan(&v.cut, &v.cutHash); errors.Is(err, sql.ErrNoRows) {
		return changed("the row that says where the record begins is missing: the record was changed")
	} else if err != nil {
		return err
	}
	v.tip.Last = v.cut
	for first := true; ; first = false {
		list, err := v.checkpoints()
		if err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
		if first && list[0].Last == v.cut { // the last removed checkpoint, whose events are gone
			base := &list[0]
			if err := base.check(&checkpoint{ID: base.ID - 1, Last: base.First - 1, Hash: base.Prev}); err != nil || base.Hash != v.cutHash {
				return changed("the record begins at checkpoint %d: %w", base.ID, errForged)
			}
			v.tip, list = *base, list[1:]
			if err := v.compareAnchors(); err != nil {
				return err
			}
		}
		for i := range list {
			if err := v.checkpoint(&list[i]); err != nil {
				return err
			}
		}
	}
	if err := v.rest(); err != nil {
		return err
	}
	if v.cut > 0 && !v.pruned {
		return changed("the record begins in the middle, and no event says that what came before was removed: the record was changed")
	}
	for _, a := range v.anchors {
		if a.ID > v.tip.ID {
			return changed("the record ends at checkpoint %d, and this gateway has seen checkpoint %d: the database was reset to an older state, or its end was removed", v.tip.ID, a.ID)
		}
	}
	return nil
}

func (v *verifier) checkpoints() (out []checkpoint, err error) {
	rows, err := v.tx.QueryContext(v.ctx, v.s.sql("SELECT "+columns+" FROM checkpoint WHERE id > ? ORDER BY id LIMIT 500"), v.tip.ID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var c checkpoint
		if err := c.scan(rows.Scan); err != nil {
			return nil, cmp.Or(rows.Err(), changed("checkpoint %d has a value of the wrong type: the record was changed: %w", c.ID, err))
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// checkpoint checks the next checkpoint and the events that it covers.
func (v *verifier) checkpoint(c *checkpoint) error {
	if err := c.check(&v.tip); err != nil {
		return changed("checkpoint %d: %w: the record was changed", c.ID, err)
	}
	if end, ok := v.ends[c.Chain]; ok && (c.N != end.n+1 || c.Base != end.hash) {
		return changed("checkpoint %d covers chain %s from event %d, and the one before ends at event %d: the record was changed", c.ID, shown(c.Chain), c.N, end.n)
	} else if !ok && c.N > 1 && v.cut == 0 {
		return changed("chain %s begins with event %d: the events before are missing", shown(c.Chain), c.N)
	} else if !ok && c.N == 1 && c.Base != genesis(v.s.name, c.Chain) {
		return changed("chain %s does not belong to this record", shown(c.Chain))
	}
	v.ends[c.Chain] = link{c.N - 1, c.Base}
	for place := c.First; place <= c.Last; place++ {
		e, err := v.at(place)
		if err != nil {
			return err
		}
		if e == nil || e.Chain != c.Chain {
			return changed("event %d of chain %s (place %d) is missing: checkpoint %d has it", c.N+place-c.First, shown(c.Chain), place, c.ID)
		}
		if err := v.event(e); err != nil {
			return err
		}
		switch {
		case v.place == place:
			v.proof = &Proof{Event: proven(e), Checkpoint: *c}
		case v.proof != nil && v.proof.Checkpoint.ID == c.ID:
			v.proof.Following = append(v.proof.Following, proven(e))
		}
		if place == c.Last && c.Signer != c.Chain && c.Chain != "" && !signed(c.Chain, signsHead, e.Hash, e.Signature) {
			return changed("event %d of chain %s (place %d) was not signed by the writer of the chain: it was added by someone else", e.N, shown(c.Chain), place)
		}
	}
	if end := v.ends[c.Chain]; end.hash != c.Head {
		return changed("event %d of chain %s is not the one that checkpoint %d knew: the record was changed", end.n, shown(c.Chain), c.ID)
	}
	v.tip = *c
	return v.compareAnchors()
}

// compareAnchors compares anchors with the current checkpoint.
func (v *verifier) compareAnchors() error {
	if err := v.trees.add(&v.tip); err != nil {
		return err
	}
	for _, a := range v.anchors {
		if a.ID == v.tip.ID && a.Hash != v.tip.Hash {
			return changed("checkpoint %d is not the one that this gateway has seen: the database was replaced or recreated", a.ID)
		}
	}
	return nil
}

// at returns the event at a place, or nil. Places must be requested in order.
func (v *verifier) at(place int64) (e *approval.ChainEvent, err error) {
	for len(v.ahead) > 0 && v.ahead[0].Seq < place {
		v.ahead = v.ahead[1:]
	}
	if len(v.ahead) == 0 {
		if v.ahead, err = v.s.events(v.ctx, v.tx, place-1, 1000); err != nil {
			return nil, err
		}
	}
	if len(v.ahead) == 0 || v.ahead[0].Seq != place {
		return nil, nil
	}
	e = &v.ahead[0]
	v.ahead = v.ahead[1:]
	return e, nil
}

// event checks the next event of a chain.
func (v *verifier) event(e *approval.ChainEvent) error {
	end := v.ends[e.Chain]
	if e.N != end.n+1 || e.Prev != end.hash || hashOf(e) != e.Hash {
		return changed("event %d of chain %s (place %d) does not follow from the one before: the record was changed", e.N, shown(e.Chain), e.Seq)
	}
	var p pruned
	if e.Kind == pruneEvent && json.Unmarshal(e.Data, &p) == nil && p.Cut == v.cut && p.Hash == v.cutHash {
		v.pruned = true
	}
	v.ends[e.Chain] = link{e.N, e.Hash}
	v.events++
	return nil
}

// rest checks events that no checkpoint covers yet, and finds those that none ever did.
func (v *verifier) rest() error {
	var all, covered int64
	if err := v.tx.QueryRowContext(v.ctx, "SELECT count(*) FROM event").Scan(&all); err != nil {
		return err
	}
	covered = v.events
	tails, err := v.s.tails(v.ctx, v.tx)
	if err != nil {
		return err
	}
	for _, t := range tails {
		if _, ok := v.ends[t.chain]; !ok && t.merged > 0 && v.cut > 0 {
			v.ends[t.chain] = link{t.merged, t.base}
		} else if !ok {
			v.ends[t.chain] = link{0, genesis(v.s.name, t.chain)}
		}
		rows, err := v.tx.QueryContext(v.ctx, v.s.sql("SELECT 0, "+eventColumns+" FROM event WHERE chain = ? AND n > ? ORDER BY n"), t.chain, t.merged)
		if err != nil {
			return err
		}
		events, err := scanEvents(rows)
		if err != nil {
			return err
		}
		for i := range events {
			if err := v.event(&events[i]); err != nil {
				return err
			}
		}
		if !signed(t.chain, signsHead, t.head, t.signature) {
			return changed("event %d of chain %s was not signed by the writer of the chain: it was added by someone else", t.n, shown(t.chain))
		}
		covered += int64(len(events))
	}
	if covered != all {
		return changed("%d events belong to no checkpoint: they were added by someone else", all-covered)
	}
	return nil
}

// shown returns the name of a chain for people. The database may contain anything.
func shown(chain string) string {
	if chain == "" {
		return "(shared)"
	}
	return visible.Clip(chain, 12)
}
