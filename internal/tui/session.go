package tui

import (
	"context"
	"iter"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

// Session is a conversation, as the screen uses it. The screen calls its methods from many
// goroutines, never from the one that draws, so they may block, except those that only read memory.
type Session interface {
	Conversation
	Models
	Storage
	Completion
}

// Conversation exchanges messages with the model.
type Conversation interface {
	// Send sends a message to the model and yields events until the model has finished. It is
	// not called again before the sequence has ended. If ctx ends, the user has interrupted it,
	// and the sequence ends without an error.
	Send(ctx context.Context, m conversation.Message) iter.Seq2[agent.Event, error]
	// Interject passes a text to the model after the current tool call. It returns false if
	// nothing is running; the screen then sends the text as a message.
	Interject(text string) bool
	// Status returns the content of the status bar. It only reads memory.
	Status() conversation.Status
	// Todo returns the to-do list of the model. It only reads memory.
	Todo() []agent.Todo
}

// Models lists and switches models.
type Models interface {
	// Models lists the models to choose from.
	Models(ctx context.Context) ([]conversation.Model, error)
	// SetModel switches to a model for the next turn.
	SetModel(ctx context.Context, id string) (conversation.Reply, error)
}

// Storage saves and loads sessions.
type Storage interface {
	// Saved lists the sessions that can be loaded, newest first.
	Saved(ctx context.Context) ([]conversation.Saved, error)
	// Load continues a saved session: a number in the list of Saved, from 1, a file or an ID.
	// Its Reply has Entries.
	Load(ctx context.Context, which string) (conversation.Reply, error)
	// Save writes the session, unless it is empty.
	Save(ctx context.Context) error
}

// Completion provides the words to complete after a slash or an @.
type Completion interface {
	// Commands returns the commands besides those of the screen (help, exit, quit, load, model
	// and sessions). Names are lower case, without the slash. It only reads memory.
	Commands() []conversation.Command
	// Paths completes a path after an @ in a message, best match first. Folders end in a slash.
	Paths(ctx context.Context, typed string, limit int) ([]string, error)
}

var _ Session = (*conversation.Conversation)(nil)

// Options configure a UI.
type Options struct {
	// Lines selects the interface without cursor movement, even if the terminal supports it.
	Lines bool
	// Inline leaves finished output to the terminal, instead of taking the whole screen.
	Inline bool

	// Prompt is the first message. It is sent at the start.
	Prompt string
	// Entries are the messages of a continued session, shown at the start.
	Entries []conversation.Entry
	// Resume is a saved session to offer at the start, if a person is at the terminal.
	Resume *conversation.Saved
	// History has earlier messages, oldest first. Remember stores one more; it may be nil.
	History  []string
	Remember func(text string)

	// Env is the environment of the program; the process's if nil.
	Env []string
	// In and Out are the terminal. If nil, they are standard input and output.
	In  File
	Out File
}
