// Package answer gets a person's answer to a question: it shows the question at a terminal, on
// the desktop or at a gateway, waits, and records who answered. It escapes texts that the
// agent chose.
package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/version"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Questions opens the questions of this machine. It also returns the folder of the audit log.
func Questions() (question.Box, string, error) {
	dir, err := audit.DefaultDir()
	return question.Open(filepath.Join(dir, "questions")), dir, err
}

// ErrLeft means that the person left the question open.
var ErrLeft = errors.New("left open")

// Approve shows a question and approves its call once if the person says yes.
func Approve(t terminal.Person, box question.Box, dir string, q question.Question) (question.Question, error) {
	if q.State == question.Approved {
		return q, Settled(box, q.ID)
	}
	Show(t, &q)
	said, err := t.Ask("Approve this call once? [y/N] ")
	if err != nil {
		return q, err
	}
	if !terminal.Yes(said) {
		if q.State == question.Denied {
			fmt.Fprintf(t, "%s stays denied\n", q.ID)
		} else {
			fmt.Fprintf(t, "%s is still pending; to deny it, run `umpire deny %s`\n", q.ID, q.ID)
		}
		return q, ErrLeft
	}
	return Record(t, box, dir, q, question.Approved, "")
}

// SettledError means that a question is already answered.
type SettledError struct{ question.Question }

// Error names the person who answered, and the time.
func (e SettledError) Error() string {
	said := "approved"
	if e.State == question.Denied {
		said = "denied"
	}
	ran := map[bool]string{true: ", and the call has run"}[e.State == question.Used]
	return fmt.Sprintf("%s %s this %s ago%s", visible.Line(e.By), said, plural.Rough(time.Since(e.Answered)), ran)
}

// Says reports whether the answer was s.
func (e SettledError) Says(s question.State) bool {
	return e.State == s || e.State == question.Used && s == question.Approved
}

// Settled returns the reason why a question cannot be answered: a SettledError or question.ErrNone.
func Settled(box question.Box, id string) error {
	q, ok := box.Answered(id)
	if !ok {
		return question.ErrNone
	}
	return SettledError{q}
}

// Settle shows a question and records the answer s without asking again.
func Settle(t terminal.Person, box question.Box, dir string, q question.Question, s question.State, note string) (question.Question, error) {
	Show(t, &q)
	return Record(t, box, dir, q, s, note)
}

// Record stores a person's answer to the question that they saw.
func Record(t terminal.Person, box question.Box, dir string, shown question.Question, s question.State, note string) (question.Question, error) {
	q, err := box.Answer(shown, s, terminal.UserName(), note)
	if errors.Is(err, question.ErrNone) {
		return q, Settled(box, shown.ID)
	}
	if err != nil {
		return q, err
	}
	said := "approved once, within " + plural.Rough(question.Validity)
	if s == question.Denied {
		said = "denied"
	}
	fmt.Fprintf(t, "%s %s\n", q.ID, said)
	return q, auditAnswer(dir, q, "terminal")
}

// auditAnswer adds an answer to the audit log, with the way it was given.
func auditAnswer(dir string, q question.Question, where string) error {
	effect := umpire.Allow
	if q.State == question.Denied {
		effect = umpire.Deny
	}
	e := &audit.Event{Kind: audit.Approval, Point: where, Principal: q.Who, Tool: q.Tool, Dir: q.Dir, Effect: effect.String(),
		Reasons: q.Reasons, By: q.By, Note: q.Note, Data: map[string]string{"question": q.ID, "digest": q.Digest}}
	if json.Valid([]byte(q.Input)) { // a long input is truncated, and then it is not JSON
		e.Params = json.RawMessage(q.Input)
	} else {
		e.Params, _ = json.Marshal(q.Input) // a string always encodes
	}
	err := audit.Append(dir, e)
	if err != nil {
		return fmt.Errorf("answered, but not recorded in the audit log: %w", err)
	}
	return nil
}

// Change is a change of what umpire decides by.
type Change struct {
	What    string // "policy", "trust" or "hooks"
	Removed bool   // false: added
	Names   string // the rules with their effects, or the coding agent
	Path    string // the changed file
}

// RecordChange adds a change that the user made to the audit log, with the place: "terminal" or
// "agent". An adversary who got a person to loosen the policy once is found by this event.
func RecordChange(place string, c Change) error {
	verb := "added"
	if c.Removed {
		verb = "removed"
	}
	dir, err := audit.DefaultDir()
	if err == nil {
		err = audit.Append(dir, &audit.Event{Kind: audit.Config, Point: place, Version: version.String(), By: terminal.UserName(),
			Data: map[string]string{"what": c.What, verb: c.Names, "path": c.Path}})
	}
	if err != nil {
		return fmt.Errorf("changed, but not recorded in the audit log: %w", err)
	}
	return nil
}
