// Package question stores the calls that umpire asks a person about, as files, until someone
// answers.
//
// A question is bound to a digest of the call: session, tool, input, folder, and the content
// of the files that it runs or reads. An approval lets that call pass once. A denial covers the
// call whatever its files contain by then. Questions are files because the asking process ends before the answering one begins, and because a rename
// takes an approval atomically. The agent chose the texts of a question.
package question

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/prune"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Lifetimes.
const (
	Expiry   = 24 * time.Hour   // for an unanswered question
	Validity = 10 * time.Minute // for an unused approval
	skew     = time.Minute      // how far in the future an answer may be
)

// Limits of a question's file. The agent's text cannot displace the effects and the reasons.
const (
	maxFile    = 1 << 20   // bytes, and more than the others allow
	maxText    = 128 << 10 // of the input
	maxOps     = 50
	maxReasons = 10
	maxLine    = 500 // of an operation or a reason
	maxWord    = 200 // of a name
	maxDir     = 4096
	maxOpen    = 1000 // questions of each state
)

// State is the state of a question, and the name of its folder.
type State string

// The states.
const (
	Pending  State = "pending"
	Approved State = "approved"
	Denied   State = "denied"
	Used     State = "used" // approved, and the call passed
	// Abandoned are pending questions whose asker has ended. They have no separate folder.
	Abandoned State = "abandoned"
)

// Question is one call and its state.
type Question struct {
	ID       string           `json:"id"`
	Digest   string           `json:"digest"`
	Call     string           `json:"call,omitempty"` // digest of the call without its files
	State    State            `json:"-"`
	Asked    time.Time        `json:"asked"`
	Answered time.Time        `json:"answered,omitzero"`
	By       string           `json:"by,omitempty"`   // the person who answered
	Note     string           `json:"note,omitempty"` // a note for the agent
	Who      umpire.Principal `json:"principal"`
	Tool     string           `json:"tool"`
	Dir      string           `json:"dir"`
	Input    string           `json:"input"`         // secrets masked
	Cut      int              `json:"cut,omitempty"` // number of bytes left out
	Ops      []string         `json:"ops,omitempty"`
	Files    []umpire.File    `json:"files,omitempty"` // with their state when the question was asked; the answer covers only that
	Reasons  []umpire.Reason  `json:"reasons,omitempty"`
	Asker    string           `json:"asker,omitempty"` // the process that waits for the answer; any process if empty
}

// ErrNone means that the ID has no pending question.
var ErrNone = errors.New("no such question; `umpire approve` without an ID lists the pending ones")

// Box is a folder of questions.
type Box struct {
	dir   string
	bound bool
	now   func() time.Time
}

// Open returns the box in a folder, which need not exist yet.
func Open(dir string) Box { return Box{dir: dir, now: time.Now} }

// since returns the time since a question's timestamp. It is negative if the clock was set back.
func (b Box) since(t time.Time) time.Duration { return b.now().Sub(t) }

// Digest identifies a call: the same call in the same session, on the same files, has the same
// digest.
func Digest(a *umpire.Action) string { return digestOf(a, a.Files) }

func digestOf(a *umpire.Action, files []umpire.File) string {
	h := sha256.New()
	p := a.Principal
	for _, s := range []string{p.Platform, p.Session, p.Agent, a.Tool, a.Dir, string(a.Essence())} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	for _, f := range files {
		fmt.Fprintf(h, "%d:%s%d:%s", len(f.Path), f.Path, len(f.Sum), f.Sum)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// letters are the letters of IDs, without look-alikes.
const letters = "abcdefghijklmnopqrstuvwxyz234567"

// idOf returns an ID that is short enough to type, and unlikely to collide: the digest in the file
// is decisive.
func idOf(digest string) string {
	var id [8]byte
	n, _ := strconv.ParseUint(digest[:10], 16, 64) // 40 bits
	for i := range id {
		id[i] = letters[n>>35&31]
		n <<= 5
	}
	return string(id[:])
}

// isID reports whether a person's input can be the ID of a question. It becomes a file name.
func isID(s string) bool { return s != "" && strings.Trim(s, letters) == "" }

// ID returns the ID of the question about a call.
func ID(a *umpire.Action) string { return idOf(Digest(a)) }

func (b Box) path(s State, id string) string { return filepath.Join(b.dir, string(s), id+".json") }

// Ask stores a question, unless the same one is open, and returns it. It replaces an open question
// about the same call whose files have changed, because an answer to that one would have no effect.
func (b Box) Ask(a *umpire.Action, ops []umpire.Operation, d umpire.Decision) (Question, error) {
	digest := Digest(a)
	id, asker := idOf(digest), ""
	if b.bound {
		var err error
		if asker, err = b.asker(); err != nil {
			return Question{}, err
		}
	}
	if old, err := b.read(Pending, id); err == nil && b.since(old.Asked) < Expiry && b.asks(old.Asker) && (asker == old.Asker || old.Digest != digest) {
		if old.Digest != digest {
			// An adversary may craft two calls with the same short ID: a person who reads one
			// question must not answer the other.
			return Question{}, fmt.Errorf("the question %s belongs to another call", id)
		}
		return old, nil
	}
	p := a.Principal
	for _, s := range []*string{&p.Platform, &p.Agent, &p.Role, &p.Parent, &p.Session, &p.User, &p.Tenant} {
		*s = clip(*s, maxWord)
	}
	q := Question{ID: id, Digest: digest, Call: digestOf(a, nil), State: Pending, Asked: b.now(), Who: p, Tool: clip(a.Tool, maxWord), Dir: clip(a.Dir, maxDir), Asker: asker}
	input := string(redact.ReadableJSON(a.Input))
	q.Input, q.Cut = clip(input, maxText), max(0, len(input)-maxText)
	for i, op := range ops {
		if i == maxOps {
			q.Ops = append(q.Ops, fmt.Sprintf("and %d more", len(ops)-i))
			break
		}
		q.Ops = append(q.Ops, clip(redact.ReadableCommand(op.String()), maxLine))
	}
	for _, f := range a.Files[:min(len(a.Files), maxListed)] {
		q.Files = append(q.Files, umpire.File{Path: clip(redact.String(f.Path), maxLine), Sum: clip(f.Sum, maxWord)})
	}
	reasons := d.Reasons
	if !d.Explicit && len(d.Unsettled) > 0 { // the rules that match allow only the rest
		reasons = append([]umpire.Reason{unsettled(d, q.Ops)}, reasons...)
	}
	for _, r := range reasons[:min(len(reasons), maxReasons)] {
		r.Rule, r.Text, r.Suggest = clip(r.Rule, maxWord), clip(r.Text, maxLine), clip(r.Suggest, maxLine)
		q.Reasons = append(q.Reasons, r)
	}
	b.tidy()
	if err := b.write(q); err != nil {
		return q, err
	}
	if stale, ok := b.sameCall(Pending, q.Call, digest); ok && stale.Asker == "" {
		_ = os.Remove(b.path(Pending, stale.ID))
	}
	return q, nil
}

// sameCall returns the last question in a state about the same call with other files.
func (b Box) sameCall(s State, call, digest string) (last Question, ok bool) {
	list, err := b.List(s)
	for _, q := range list {
		if err == nil && q.Call == call && q.Digest != digest {
			last, ok = q, true
		}
	}
	return last, ok
}

// unsettled is the reason of a question about a call of which rules settle only a part.
func unsettled(d umpire.Decision, ops []string) umpire.Reason {
	first := d.Unsettled[0]
	text := ops[min(first, len(ops)-1)]
	if n := len(d.Unsettled) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return umpire.Reason{Rule: "default", Effect: umpire.Ask, Text: "no rule settles " + text, Op: first}
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

func (b Box) read(s State, id string) (q Question, err error) {
	path := b.path(s, id)
	if q, err = readFile(path); err != nil {
		return q, err
	}
	if q.State = s; q.ID != id {
		return q, fmt.Errorf("%s is the question %q", path, q.ID)
	}
	return q, nil
}

func readFile(path string) (q Question, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return q, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return q, fmt.Errorf("%s is not a question", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return q, err
	}
	if err := json.Unmarshal(data, &q); err != nil {
		return q, fmt.Errorf("%s: %w", path, err)
	}
	return q, nil
}

// write stores a question in its folder atomically.
func (b Box) write(q Question) error {
	dir := filepath.Join(b.dir, string(q.State))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if len(data) > maxFile {
		return fmt.Errorf("question %s is too large", q.ID)
	}
	return atomicfile.Write(b.path(q.State, q.ID), data, 0o600)
}

// approval returns the unused approval of a call, if it is still valid. It removes an expired one:
// setting the clock again must not make it valid.
func (b Box) approval(a *umpire.Action) (Question, bool) {
	digest := Digest(a)
	q, err := b.read(Approved, idOf(digest))
	if err != nil || q.Digest != digest {
		return q, false
	}
	if age := b.since(q.Answered); age > Validity || age < -skew {
		_ = os.Remove(b.path(Approved, q.ID)) // if it stays, it is still expired
		return q, false
	}
	return q, true
}

// Has reports whether Take would succeed.
func (b Box) Has(a *umpire.Action) bool {
	_, ok := b.approval(a)
	return ok
}

// Take reports whether a person approved exactly this call, and uses up the approval. Only one of
// several concurrent callers gets it.
func (b Box) Take(a *umpire.Action) (Question, bool) {
	q, ok := b.approval(a)
	if !ok || b.Use(q) != nil {
		return Question{}, false
	}
	q.State = Used
	return q, true
}

// Use uses up an approval that this process waited for. Only one of several concurrent callers gets
// it.
func (b Box) Use(q Question) error {
	if q.State != Approved {
		return fmt.Errorf("question %s is not approved", q.ID)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(b.dir, string(Used)), 0o700), os.Rename(b.path(Approved, q.ID), b.path(Used, q.ID))); err != nil {
		return err
	}
	// The same call may have been asked about again while it was answered: that question is
	// answered, too.
	if again, err := b.read(Pending, q.ID); err == nil && again.Digest == q.Digest && again.Asked.Before(q.Answered) {
		_ = os.Remove(b.path(Pending, q.ID))
	}
	return nil
}

// Refused reports whether a person recently denied this call. A change of its files does not end the
// denial: an adversary could change one and ask again.
func (b Box) Refused(a *umpire.Action) (Question, bool) {
	digest := Digest(a)
	q, err := b.read(Denied, idOf(digest))
	if err == nil && q.Digest == digest && b.since(q.Answered) < Expiry {
		return q, true
	}
	return b.sameCall(Denied, digestOf(a, nil), digest)
}

// Find returns a pending question, or one whose answer can still change: a denied one, or an
// approved one whose call has not run yet.
func (b Box) Find(id string) (Question, error) {
	if !isID(id) {
		return Question{}, ErrNone
	}
	for _, s := range []State{Pending, Approved, Denied} {
		q, err := b.read(s, id)
		if err == nil && s == Approved && b.since(q.Answered) > Validity {
			continue
		}
		if err == nil && s == Pending && !b.asks(q.Asker) {
			return q, errAbandoned
		}
		if err == nil && b.since(q.last()) < Expiry {
			return q, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return q, err
		}
	}
	return Question{}, ErrNone
}

// Answered returns the last answer to the question with this ID, even if its call has run.
func (b Box) Answered(id string) (last Question, ok bool) {
	for _, s := range []State{Approved, Used, Denied} {
		if q, err := b.read(s, id); isID(id) && err == nil && b.since(q.Answered) < Expiry && (!ok || q.Answered.After(last.Answered)) {
			last, ok = q, true
		}
	}
	return last, ok
}

// Answer answers a question that a person saw: the first answer counts, later ones get ErrNone. A
// denied question can still be approved, and an approval taken back until the call runs.
func (b Box) Answer(shown Question, s State, by, note string) (Question, error) {
	if s != Approved && s != Denied {
		return Question{}, fmt.Errorf("%s is not an answer", s)
	}
	id, from := shown.ID, Pending
	if shown.State == Denied && s == Approved || shown.State == Approved && s == Denied {
		from = shown.State
	}
	if now, err := b.Find(id); err != nil {
		return Question{}, err
	} else if now.State != from {
		return Question{}, ErrNone
	}
	// The claim: the process that renames the question answers it. The name is unique, because the
	// same call may be asked about again meanwhile.
	claimed := filepath.Join(b.dir, string(from), "."+id+"."+rand.Text()+".claimed")
	if err := os.Rename(b.path(from, id), claimed); errors.Is(err, fs.ErrNotExist) {
		return Question{}, ErrNone
	} else if err != nil {
		return Question{}, err
	}
	q, err := readFile(claimed)
	if err == nil && (q.ID != id || q.Digest != shown.Digest) {
		err = ErrNone
	}
	if err != nil { // a question that cannot be read is not answered: ErrNone would say that it is
		return Question{}, errors.Join(err, os.Rename(claimed, b.path(from, id)))
	}
	older := Approved // an approval of the same call must not outlive a denial
	if s == Approved {
		older = Denied
	}
	// Remove it before the answer exists: a waiting process may ask again at once.
	if err := os.Remove(b.path(older, id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Question{}, errors.Join(err, os.Rename(claimed, b.path(from, id)))
	}
	for s == Denied { // a denial covers the call on any files
		other, ok := b.sameCall(Approved, q.Call, q.Digest)
		if !ok {
			break
		}
		if err := os.Remove(b.path(Approved, other.ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Question{}, errors.Join(err, os.Rename(claimed, b.path(from, id)))
		}
	}
	q.State, q.Answered, q.By, q.Note = s, b.now(), clip(by, maxWord), clip(note, 1000)
	if err := b.write(q); err != nil {
		return Question{}, errors.Join(err, os.Rename(claimed, b.path(from, id)))
	}
	_ = os.Remove(claimed) // the leftover belongs to no question, and tidy removes it
	return q, nil
}

// List returns the questions in a state, the oldest first, without expired ones.
func (b Box) List(s State) ([]Question, error) {
	abandoned := s == Abandoned
	if abandoned {
		s = Pending
	}
	names, err := os.ReadDir(filepath.Join(b.dir, string(s)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Question
	for _, n := range names {
		id, ok := strings.CutSuffix(n.Name(), ".json")
		if !ok || strings.HasPrefix(id, ".") {
			continue
		}
		// An unreadable file was tampered with or has disappeared: it is not a question.
		if q, err := b.read(s, id); err == nil && b.since(q.last()) < Expiry && (s != Pending || b.asks(q.Asker) != abandoned) {
			out = append(out, q)
		}
	}
	slices.SortFunc(out, func(x, y Question) int { return x.Asked.Compare(y.Asked) })
	return out, nil
}

func (q *Question) last() time.Time {
	if q.Answered.After(q.Asked) {
		return q.Answered
	}
	return q.Asked
}

// tidy removes expired questions, and the oldest if there are too many.
func (b Box) tidy() {
	for _, s := range []State{Pending, Approved, Denied, Used} {
		prune.Folder(filepath.Join(b.dir, string(s)), 2*Expiry, maxOpen)
	}
}

// Wait waits until a question is answered, or done is closed.
func (b Box) Wait(q Question, done <-chan struct{}) (Question, bool) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, s := range []State{Approved, Denied} {
			if got, err := b.read(s, q.ID); err == nil && got.Digest == q.Digest && b.answers(got, q) {
				return got, true
			}
		}
		select {
		case <-done:
			return q, false
		case <-tick.C:
		}
	}
}

// answers reports whether an answer to a call applies to a question about it. The answer has the
// time of the question that the person saw, whatever the clock did since. A question that was
// repeated meanwhile is answered as well.
func (b Box) answers(got, q Question) bool {
	return got.Asked.Equal(q.Asked) || !got.Answered.Before(q.Asked) && b.since(got.Answered) >= -skew
}
