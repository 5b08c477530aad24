package tui

import (
	"context"
	"iter"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/talk"
)

// Session is a conversation with a model. Its methods are called from many goroutines, but
// never by the one that draws: they may take their time, except where said otherwise.
type Session interface {
	// Send gives the model a message and yields what comes of it, until nothing is left to
	// do. It is not called again before the sequence has ended. An end of ctx is an
	// interruption by the user: the sequence ends without an error.
	Send(ctx context.Context, m talk.Message) iter.Seq2[agent.Event, error]
	// Interject has a text given to the model after the call that runs now. It is false where
	// nothing runs any more: the text is sent as a message of its own then.
	Interject(text string) bool
	// Status tells what the status bar shows. It only reads memory.
	Status() talk.Status
	// Todo is the list that the model keeps. It only reads memory.
	Todo() []agent.Todo

	// Commands are those that are typed with a slash, beside the screen's own: help, exit,
	// quit, load, model and sessions. Their names are lower case, without the slash. It only
	// reads memory.
	Commands() []talk.Command
	// Models lists those that can be switched to.
	Models(ctx context.Context) ([]talk.Model, error)
	// SetModel switches for the next turn.
	SetModel(ctx context.Context, id string) (talk.Reply, error)
	// Saved lists the sessions that can be loaded, the newest first.
	Saved(ctx context.Context) ([]talk.Saved, error)
	// Load goes on with a saved session: a number of Saved's list, from 1, a file or an ID.
	// Its Reply has Entries.
	Load(ctx context.Context, which string) (talk.Reply, error)
	// Save writes the session; an empty one is not.
	Save(ctx context.Context) error
	// Paths completes what follows an @ in a message, the best first. Folders end in a slash.
	Paths(ctx context.Context, typed string, limit int) ([]string, error)
}

var _ Session = (*talk.Talk)(nil)

// Options say how a UI looks and where it begins.
type Options struct {
	// Lines asks for the face without cursor movement, whatever the terminal can.
	Lines bool
	// Inline leaves finished output to the terminal, instead of taking the whole screen.
	Inline bool

	// Prompt is sent at once.
	Prompt string
	// Entries are shown at start: those of a session that goes on.
	Entries []talk.Entry
	// Resume is a saved session to offer at start, if someone is at a terminal.
	Resume *talk.Saved
	// History are messages of before, the oldest first; Remember keeps one more, and may be nil.
	History  []string
	Remember func(text string)

	// Env is the environment; nil: the process's.
	Env []string
	// In and Out are the terminal; nil: standard input and output.
	In  File
	Out File
}
