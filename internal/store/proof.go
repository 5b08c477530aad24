package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Tree is the head of a Merkle tree (RFC 6962) over the hashes of consecutive checkpoints. With
// one, you can check a Proof of any event that these checkpoints cover, without the database.
type Tree struct {
	First, Last int64 // the range of checkpoints
	Root        tlog.Hash
}

func (t Tree) String() string { return fmt.Sprintf("%d-%d:%x", t.First, t.Last, t.Root[:]) }

// ParseTree reads the output of String.
func ParseTree(text string) (t Tree, err error) {
	span, root, _ := strings.Cut(strings.TrimSpace(text), ":")
	first, last, _ := strings.Cut(span, "-")
	t.First, err = strconv.ParseInt(first, 10, 64)
	if err == nil {
		t.Last, err = strconv.ParseInt(last, 10, 64)
	}
	sum, bad := hex.DecodeString(root)
	if err != nil || bad != nil || len(sum) != tlog.HashSize || t.First < 1 || t.Last < t.First {
		return Tree{}, fmt.Errorf("%q must be a tree as first-last:root, as umpire audit verify prints it", visible.Clip(text, 100))
	}
	t.Root = tlog.Hash(sum)
	return t, nil
}

// checkpointTree builds a Tree from checkpoints in order.
type checkpointTree struct {
	first, n int64
	hashes   []tlog.Hash // in the layout of tlog
}

func (g *checkpointTree) ReadHashes(at []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(at))
	for i, k := range at {
		out[i] = g.hashes[k]
	}
	return out, nil
}

func (g *checkpointTree) add(c *checkpoint) error {
	if g.n == 0 {
		g.first = c.ID
	}
	list, err := tlog.StoredHashes(g.n, []byte(c.Hash), g)
	g.hashes = append(g.hashes, list...)
	g.n++
	return err
}

// tree returns the tree of the checkpoints up to one.
func (g *checkpointTree) tree(last int64) (t Tree, err error) {
	t = Tree{First: g.first, Last: last}
	t.Root, err = tlog.TreeHash(last-g.first+1, g)
	return t, err
}

// Proof shows that the record contains an event: the event, the links from it to the signed
// checkpoint that covers it, and the path from there to the head of a tree.
type Proof struct {
	Event      ProvenEvent   `json:"event"`
	Following  []ProvenEvent `json:"following,omitempty"` // covered by the same checkpoint
	Checkpoint checkpoint    `json:"checkpoint"`
	Tree       string        `json:"tree"`
	Path       []string      `json:"path"`
}

// ProvenEvent is an event with its data as text, so that every byte is kept.
type ProvenEvent struct {
	Place     int64     `json:"place"`
	N         int64     `json:"n"`
	At        time.Time `json:"at"`
	Kind      string    `json:"kind"`
	Request   string    `json:"request,omitempty"`
	Who       string    `json:"who,omitempty"`
	Data      string    `json:"data,omitempty"`
	Prev      string    `json:"prev"`
	Hash      string    `json:"hash"`
	Signature string    `json:"signature,omitempty"`
}

func proven(e *approval.ChainEvent) ProvenEvent {
	return ProvenEvent{e.Seq, e.N, e.At, e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash, e.Signature}
}

func (p *ProvenEvent) digest() string {
	return hashOf(&approval.ChainEvent{N: p.N, At: p.At, Kind: p.Kind, Request: p.Request, Who: p.Who, Data: []byte(p.Data), Prev: p.Prev})
}

// Prove verifies the record and returns a proof of the event at a position, for a stored tree.
// The zero Tree means the tree of all checkpoints.
func (s *Store) Prove(ctx context.Context, place int64, kept Tree) (p Proof, err error) {
	v, err := s.verify(ctx, nil, place)
	if err != nil {
		return p, err
	}
	if v.proof == nil {
		return p, fmt.Errorf("the record has no event %d that a checkpoint covers", place)
	}
	p = *v.proof
	last := v.tip.ID
	switch {
	case kept == Tree{}:
	case kept.First != v.trees.first:
		return p, fmt.Errorf("the record begins at checkpoint %d, and the tree at %d: older checkpoints were removed since, so use a newer tree", v.trees.first, kept.First)
	case kept.Last > last:
		return p, fmt.Errorf("the record ends at checkpoint %d, and the tree at %d: the database was reset to an older state, or its end was removed", last, kept.Last)
	case p.Checkpoint.ID > kept.Last:
		return p, fmt.Errorf("the event is newer than the tree: use one that ends at checkpoint %d or later", p.Checkpoint.ID)
	default:
		last = kept.Last
	}
	t, err := v.trees.tree(last)
	if err != nil {
		return p, err
	}
	if (kept != Tree{}) && t != kept {
		return p, errors.New("the record does not contain this tree: someone changed it, or the tree is of another record")
	}
	path, err := tlog.ProveRecord(last-t.First+1, p.Checkpoint.ID-t.First, &v.trees)
	for _, h := range path {
		p.Path = append(p.Path, hex.EncodeToString(h[:]))
	}
	p.Tree = t.String()
	return p, err
}

// errNoProof wraps the fault of a proof.
var errNoProof = errors.New("the proof is not valid")

// Check returns an error unless the proof fits a tree that the caller trusts.
func (p *Proof) Check(t Tree) error {
	wrong := func(why string) error { return fmt.Errorf("%w: %s", errNoProof, why) }
	c := &p.Checkpoint
	if p.Tree != t.String() {
		return wrong("it is for the tree " + visible.Clip(p.Tree, 100))
	}
	if c.digest() != c.Hash || !signed(c.Signer, signsCheckpoint, c.Hash, c.Sig) {
		return wrong("its checkpoint was changed or forged")
	}
	if p.Event.N < c.N || p.Event.N > c.to() || p.Event.Place != c.First+p.Event.N-c.N {
		return wrong("the checkpoint does not cover the event")
	}
	last := &p.Event
	if last.N == c.N && last.Prev != c.Base {
		return wrong("the event does not follow from the one before")
	}
	for i := range p.Following {
		next := &p.Following[i]
		if last.digest() != last.Hash || next.N != last.N+1 || next.Prev != last.Hash {
			return wrong("the event was changed")
		}
		last = next
	}
	if last.digest() != last.Hash || last.N != c.to() || last.Hash != c.Head {
		return wrong("the event was changed")
	}
	if c.Signer != c.Chain && c.Chain != "" && !signed(c.Chain, signsHead, last.Hash, last.Signature) {
		return wrong("the writer of the chain did not sign the event")
	}
	path := make(tlog.RecordProof, len(p.Path))
	for i, text := range p.Path {
		sum, err := hex.DecodeString(text)
		if err != nil || len(sum) != tlog.HashSize {
			return wrong("its path is not one of hashes")
		}
		path[i] = tlog.Hash(sum)
	}
	if tlog.CheckRecord(path, t.Last-t.First+1, t.Root, c.ID-t.First, tlog.RecordHash([]byte(c.Hash))) != nil {
		return wrong("its checkpoint is not in the tree")
	}
	return nil
}
