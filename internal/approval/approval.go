// Package approval holds questions to people until someone answers.
//
// A question is stored before anyone sees it, and is bound to a digest of exactly what it
// shows. It is settled once: by the first valid answer, by its expiry, by a newer question
// about the same file, or because its asker cancels it.
package approval

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
)

// State is the state of a request.
type State string

// The states. All but Pending are final.
const (
	Pending    State = "pending"
	Approved   State = "approved"
	Denied     State = "denied"
	Expired    State = "expired"
	Superseded State = "superseded"
	Cancelled  State = "cancelled"
	Conflict   State = "conflict" // the subject of the request changed after the approval
)

// Final reports whether the state can no longer change.
func (s State) Final() bool { return s != Pending }

// Category is the type of permission that a request asks for.
type Category string

// The categories, in display order.
const (
	Network    Category = "network"
	Filesystem Category = "filesystem"
	Git        Category = "git"
	Packages   Category = "packages"
	Sandbox    Category = "sandbox"
	Exec       Category = "exec"
)

// Categories returns all categories in their order.
func Categories() []Category {
	return []Category{Network, Filesystem, Git, Packages, Sandbox, Exec}
}

// Known reports whether c is a category.
func (c Category) Known() bool {
	return slices.Contains(Categories(), c)
}

// Bulk reports whether several requests of the category may be answered at once.
func (c Category) Bulk() bool { return c == Network || c == Filesystem || c == Git }

// Scope is the reach of an answer.
type Scope string

// The scopes.
const (
	Once    Scope = "once"
	Session Scope = "session"
	Always  Scope = "always"
)

// Shutdown begins the note of a request that a gateway denied because it shut down.
const Shutdown = "the gateway shut down: "

// ByRules reports whether rules answered the request, and not a person, or the gateway itself: it ends
// what expired, what a newer request replaced, and what waits at a shutdown.
func (r *Request) ByRules() bool {
	return r.ResolvedBy == ByAuto && (r.State == Approved || r.State == Denied) && !strings.HasPrefix(r.Note, Shutdown)
}

// How a request was answered. ByAuto covers superseding, rules and shutdown.
const (
	ByCLI  = "cli"
	ByWeb  = "web"
	ByAuto = "auto"
)

// Request is one question.
type Request struct {
	ID          string          `json:"id"`            // a ULID: sorts by time
	Seq         int64           `json:"seq,omitempty"` // counts from 1; "req-N" names it as well
	Agent       string          `json:"agent,omitempty"`
	Session     string          `json:"session,omitempty"`
	Category    Category        `json:"category"`
	Action      string          `json:"action"`      // short and made by the gateway: "CONNECT example.com:443"
	Description string          `json:"description"` // one line for people, written by the gateway
	Reason      string          `json:"reason,omitempty"`
	Metadata    json.RawMessage `json:"metadata,omitempty"` // other fields of the category
	Digest      string          `json:"digest"`             // digest of the planned change; an answer names it
	Target      string          `json:"target,omitempty"`   // file of a write: a newer request for it supersedes this one
	Key         string          `json:"-"`                  // chosen by the requester: a repeated key returns the same request
	Most        int             `json:"-"`                  // limit of the agent's pending requests; 0 means no limit
	Provided    []Condition     `json:"-"`                  // conditions under which it is stored
	Needs       int             `json:"needs,omitempty"`    // number of people who must approve; 0 means 1
	Lease       time.Duration   `json:"lease,omitempty"`    // the request expires if no one waits for it for that long; 0 means never
	State       State           `json:"status"`
	Created     time.Time       `json:"createdAt"`
	Expires     time.Time       `json:"expiresAt"`
	Resolved    time.Time       `json:"resolvedAt,omitzero"`
	ResolvedBy  string          `json:"resolvedBy,omitempty"` // ByCLI, ByWeb or ByAuto
	Operator    string          `json:"operator,omitempty"`   // name of the person
	Scope       Scope           `json:"scope,omitempty"`
	Rule        string          `json:"rule,omitempty"` // ID of the rule that the answer created
	Note        string          `json:"note,omitempty"` // message of the person to the agent
	Votes       []Vote          `json:"votes,omitempty"`
}

// Condition requires that a record has a certain body, or any body, when a request is stored.
// Without Any and Body, the record must not exist. The condition holds until the request is
// durable.
type Condition struct {
	Kind, ID string
	Body     string
	Any      bool
}

// StaleError means that a condition of a request does not hold. The request is not stored.
type StaleError struct{ Kind, ID string }

func (e StaleError) Error() string {
	return "the " + e.Kind + " changed while the request was decided: send it again"
}

// Vote is one person's approval of a request that needs several.
type Vote struct {
	Operator string    `json:"operator"`
	Person   string    `json:"person,omitempty"`
	At       time.Time `json:"at"`
}

// Answer settles a request, or is one of several required votes.
type Answer struct {
	ID       string
	Digest   string // digest that the person saw; an answer to another digest is void
	Approve  bool
	By       string // ByCLI, ByWeb or ByAuto
	Operator string
	Person   string // permanent ID of a person whose name may change, if known
	Scope    Scope
	Rule     string
	Note     string
}

// ChainEvent is one change. Each writer appends to its own chain; checkpoints number the events of
// all chains from 1, without gaps.
type ChainEvent struct {
	Seq     int64           `json:"seq"`             // position in the record
	Chain   string          `json:"chain,omitempty"` // the chain of its writer; "" in records of older versions
	N       int64           `json:"n"`               // position in the chain, from 1
	At      time.Time       `json:"at"`
	Kind    string          `json:"kind"` // "request", "vote", "resolve", "rules", "config", ...
	Request string          `json:"request,omitempty"`
	Who     string          `json:"who,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	Prev    string          `json:"prev"` // hash of the previous event in the chain
	Hash    string          `json:"hash"`
	// Signature is the writer's signature of Hash. Only the last event of each commit has one.
	Signature string `json:"signature,omitempty"`
}

// Errors that callers check for.
var (
	ErrNone      = errors.New("there is no such request")
	ErrSettled   = errors.New("the request is already settled")
	ErrChanged   = errors.New("the request changed after you saw it: review it again")
	ErrDuplicate = errors.New("you have already approved it: another person must approve it too")
	ErrPeople    = errors.New("this needs several people: a rule cannot approve it")
	// ErrFull means that the agent has reached its limit of pending requests.
	ErrFull = errors.New("too many of your requests are pending: wait for answers, or cancel some")
	// ErrUnavailable wraps failures of the database. The request may or may not be stored; a retry
	// with the same Key does not store it twice.
	ErrUnavailable = errors.New("the gateway's database is not available: try again")
	// ErrDiskFull is an ErrUnavailable whose cause is known.
	ErrDiskFull = diskFull{}
)

type diskFull struct{}

func (diskFull) Error() string {
	return "the gateway's database is not available: the disk is full: free space on it"
}

func (diskFull) Unwrap() error { return ErrUnavailable }

// Size limits of a request, in bytes.
const (
	MaxAction   = 4 << 10
	MaxText     = 4 << 10
	MaxMetadata = 4 << 20
)

// MaxPeople is the largest number of people that a request can need.
const MaxPeople = 10

// Limits of a lease: how long a request survives while no one waits for it. A client needs time to
// find another gateway.
const (
	MinLease = 10 * time.Second
	MaxLease = time.Hour
)

// DefaultExpiry is the time that a request waits for an answer by default.
const DefaultExpiry = time.Hour

// Check returns an error if a request cannot be stored.
func (r *Request) Check() error {
	switch {
	case !r.Category.Known():
		return fmt.Errorf("unknown category %q", r.Category)
	case r.Action == "":
		return errors.New("the action is empty")
	case len(r.Action) > MaxAction, len(r.Description) > MaxText, len(r.Reason) > MaxText, len(r.Target) > MaxText, len(r.Key) > MaxText,
		len(r.Agent) > MaxText, len(r.Session) > MaxText:
		return errors.New("a text of the request is too long")
	case strings.ContainsRune(r.Session+r.Key+r.Target+r.Agent, 0):
		return errors.New("a name in the request has a NUL byte")
	case len(r.Metadata) > MaxMetadata:
		return fmt.Errorf("the metadata is larger than %d bytes", MaxMetadata)
	case len(r.Metadata) > 0 && !json.Valid(r.Metadata):
		return errors.New("the metadata must be JSON")
	case r.Digest == "":
		return errors.New("the request has no digest")
	case r.Needs < 0 || r.Needs > MaxPeople:
		return fmt.Errorf("cannot require %d people", r.Needs)
	case r.Lease != 0 && (r.Lease < MinLease || r.Lease > MaxLease):
		return fmt.Errorf("a lease must be from %s to %s", plural.Duration(MinLease), plural.Duration(MaxLease))
	}
	return nil
}

// crockford is the alphabet of ULIDs.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NewID returns a ULID: 48 bits of the time in milliseconds and 80 random bits.
func NewID(at time.Time) string {
	var b [16]byte
	ms := uint64(at.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	_, _ = rand.Read(b[6:]) // never fails, as documented
	var out [26]byte
	// 128 bits in groups of five, from the right.
	var acc uint64
	bits, at8 := 0, 15
	for i := 25; i >= 0; i-- {
		if bits < 5 && at8 >= 0 {
			acc |= uint64(b[at8]) << bits
			bits += 8
			at8--
		}
		out[i] = crockford[acc&31]
		acc >>= 5
		bits -= 5
	}
	return string(out[:])
}
