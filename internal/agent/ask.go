package agent

import (
	"context"

	"github.com/umpire-dev/umpire"
)

// Asker asks a person about a call. Ask returns when someone has answered or ctx has ended; ctx
// also ends when someone answers elsewhere first. Questions of parallel calls follow one another.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Question is a call that umpire asks a person about. All texts except Reason and Rules come from
// the model or other untrusted sources: code that shows them must escape them.
type Question struct {
	ID         string // ID of the question, as for `umpire approve`
	CallID     string
	Tool       string
	Input      string // JSON
	Dir        string
	Preview    Preview
	Operations []umpire.Operation
	Decision   umpire.Decision
	Action     *umpire.Action
	Reason     string // reasons for the question, in a few lines; already escaped
	Sandbox    string // the sandbox around the call, in a few words, or ""
	// Session and Always are the rules that these answers would add, one per line, in the
	// policy language: the narrowest that cover the call. If an answer is not available, its
	// rules are empty, and NoSession or NoAlways may give the reason.
	Session, NoSession string
	Always, NoAlways   string
	// Wider are the rules that a person may choose instead of Session and Always, the narrowest
	// first.
	Wider []string
}

// Choice is a person's decision on a Question. The zero value denies.
type Choice uint8

// The choices.
const (
	No      Choice = iota
	Once           // this call only
	Session        // the Question's Session rules, until the session ends
	Always         // the Question's Always rules, kept in the user's policy
	Stop           // no, and end the turn
)

// Answer is a person's answer to a Question.
type Answer struct {
	Choice Choice
	Wider  int    // 0: the Question's own rules; n: its Wider[n-1]
	Note   string // message to the model: the reason for a denial
	By     string // the person, for the record
}
