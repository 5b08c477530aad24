package store

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// chain is the chain of one writer. Its ID is a public key. The private key is only in that
// writer's memory: no one else can extend the chain, not even a copy of the gateway or the same
// gateway after a restart.
type chain struct {
	ID   string
	N    int64  // number of the last event
	Head string // its hash
	key  ed25519.PrivateKey
}

// newChain begins a chain in the record with that name.
func newChain(record string) (*chain, error) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	id := hex.EncodeToString(public)
	return &chain{ID: id, Head: genesis(record, id), key: key}, nil
}

// genesis is the previous hash of a chain's first event. The chain that gateways shared in older
// versions has none.
func genesis(record, chain string) string {
	if chain == "" {
		return ""
	}
	return digest("umpire chain", record, chain)
}

// digest hashes texts so that their boundaries matter.
func digest(parts ...string) string {
	h := sha256.New()
	for _, s := range parts {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashOf hashes an event with all of its fields and the previous hash.
func hashOf(e *approval.ChainEvent) string {
	return digest(strconv.FormatInt(e.N, 10), strconv.FormatInt(e.At.UnixMilli(), 10), e.Kind, e.Request, e.Who, string(e.Data), e.Prev)
}

// The purpose of a signature is part of the signed data, so that one cannot replace another.
const (
	signsHead       = "umpire head "
	signsCheckpoint = "umpire checkpoint "
)

func (c *chain) sign(what, hash string) string {
	return hex.EncodeToString(ed25519.Sign(c.key, []byte(what+hash)))
}

func signed(chain, what, hash, signature string) bool {
	public, err := hex.DecodeString(chain)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return false
	}
	sig, err := hex.DecodeString(signature)
	return err == nil && ed25519.Verify(public, []byte(what+hash), sig)
}

// maxSpan limits the events of a chain that a checkpoint covers, unless they were committed
// together.
const maxSpan = 500

// checkpoint gives events of one chain their places in the record. Checkpoints form a chain, which
// names the heads of all others: truncating, dropping or swapping a chain contradicts it.
type checkpoint struct {
	ID     int64     `json:"id"`    // from 1, without gaps
	At     time.Time `json:"at"`    // time of the last event
	Chain  string    `json:"chain"` // "" for the shared chain of older versions
	N      int64     `json:"n"`     // number of the first event in its chain
	First  int64     `json:"first"` // place of that event in the record
	Last   int64     `json:"last"`  // place of the last event
	Base   string    `json:"base"`
	Head   string    `json:"head"` // hash of the last event; Base is the hash before the first
	Prev   string    `json:"prev"` // hash of the previous checkpoint
	Hash   string    `json:"hash"`
	Signer string    `json:"signer"` // the chain of the gateway that made the checkpoint
	Sig    string    `json:"signature"`
}

// to returns the number of the last event in its chain.
func (c *checkpoint) to() int64 { return c.N + c.Last - c.First }

// follow completes a checkpoint over some events: it follows another one, and by signs it.
func (c *checkpoint) follow(tip *checkpoint, events int64, by *chain) {
	c.ID, c.First, c.Last, c.Prev, c.Signer = tip.ID+1, tip.Last+1, tip.Last+events, tip.Hash, by.ID
	c.Hash = c.digest()
	c.Sig = by.sign(signsCheckpoint, c.Hash)
}

func (c *checkpoint) digest() string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return digest("umpire checkpoint", number(c.ID), number(c.At.UnixMilli()), c.Chain, number(c.N), number(c.First), number(c.Last), c.Base, c.Head, c.Prev, c.Signer)
}

// errForged means that a checkpoint does not match its signature.
var errForged = errors.New("it was changed or forged")

// check returns an error unless the checkpoint matches its signature and follows another one.
func (c *checkpoint) check(tip *checkpoint) error {
	switch {
	case c.digest() != c.Hash || !signed(c.Signer, signsCheckpoint, c.Hash, c.Sig):
		return errForged
	case c.ID != tip.ID+1 || c.Prev != tip.Hash || c.First != tip.Last+1 || c.Last < c.First:
		return fmt.Errorf("it does not follow checkpoint %d", tip.ID)
	}
	return nil
}

const (
	columns          = "id, at, chain, n, first, last, base, head, prev, hash, signer, signature"
	insertCheckpoint = "INSERT INTO checkpoint (" + columns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

func (c *checkpoint) row() []any {
	return []any{c.ID, c.At.UnixMilli(), c.Chain, c.N, c.First, c.Last, c.Base, c.Head, c.Prev, c.Hash, c.Signer, c.Sig}
}

func (c *checkpoint) scan(scan func(...any) error) error {
	var at int64
	err := scan(&c.ID, &at, &c.Chain, &c.N, &c.First, &c.Last, &c.Base, &c.Head, &c.Prev, &c.Hash, &c.Signer, &c.Sig)
	c.At = time.UnixMilli(at).UTC()
	return err
}
