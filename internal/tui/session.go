package tui

import (
	"context"
	"iter"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
)

// Session is a conversation with a model. Its methods are called from many goroutines, but
// never by the one that draws: they may take their time, except where said otherwise.
type Session interface {
	// Send gives the model a message and yields what comes of it, until nothing is left to
	// do. It is not called again before the sequence has ended. An end of ctx is an
	// interruption by the user: the sequence ends without an error.
	Send(ctx context.Context, m Message) iter.Seq2[agent.Event, error]
	// Interject has a text given to the model after the call that runs now. It is false where
	// nothing runs any more: the text is sent as a message of its own then.
	Interject(text string) bool
	// Status tells what the status bar shows. It only reads memory.
	Status() Status
	// Todo is the list that the model keeps. It only reads memory.
	Todo() []agent.Todo

	// Commands are those that are typed with a slash, beside the screen's own: help, exit,
	// quit, load, model and sessions. Their names are lower case, without the slash. It only
	// reads memory.
	Commands() []Command
	// Models lists those that can be switched to.
	Models(ctx context.Context) ([]Model, error)
	// SetModel switches for the next turn.
	SetModel(ctx context.Context, id string) (Reply, error)
	// Saved lists the sessions that can be loaded, the newest first.
	Saved(ctx context.Context) ([]Saved, error)
	// Load goes on with a saved session: a number of Saved's list, from 1, a file or an ID.
	// Its Reply has Entries.
	Load(ctx context.Context, which string) (Reply, error)
	// Save writes the session; an empty one is not.
	Save(ctx context.Context) error
	// Paths completes what follows an @ in a message, the best first. Folders end in a slash.
	Paths(ctx context.Context, typed string, limit int) ([]string, error)
}

// Message is what a user sends. Mentions of files are still in the text, as @path.
type Message struct {
	Text string
}

// Status is what is known of a Session.
type Status struct {
	Model string // without its provider's prefix
	Name  string // of the session; may be empty
	// Window is how many tokens the model takes, and Input how many it took last. Neither is
	// shown while one is zero.
	Window, Input int64
	Usage         agent.Usage // of the session; its cost is shown where Priced
	MaxCost       float64     // US dollars; 0: no limit
	Mode          string      // a word that is shown where it matters: "plan"; may be empty
}

// Command is something typed with a slash.
type Command struct {
	Name string
	Args string // as help shows them: "[name]"
	Help string // one line
	// Busy says that it may run while the model works.
	Busy bool
	Run  func(ctx context.Context, args string) (Reply, error)
}

// Reply is what a Command led to.
type Reply struct {
	Text     string // a message about it, Markdown; may be empty
	Replaced bool   // the screen shows Entries now, and nothing of before
	Entries  []Entry
	Draft    string // is put where messages are typed, if nothing is there
	Quit     bool
}

// Entry is a piece of a conversation as the screen shows it: exactly one of User, Agent,
// Call and Notice is set.
type Entry struct {
	User   string
	Agent  string
	Call   *agent.ToolCall
	Result *agent.Result // of Call; nil: it was not finished
	Notice string
	Error  bool // Notice is about something that went wrong
}

// Model is one that can be switched to.
type Model struct {
	ID   string
	Note string // a few words: its window, its price
}

// Saved is a session that was saved.
type Saved struct {
	ID       string // for Load
	Name     string
	Messages int
	Model    string
	Dir      string
	Updated  time.Time
}

// Options say how a UI looks and where it begins.
type Options struct {
	// Lines asks for the face without cursor movement, whatever the terminal can.
	Lines bool
	// Inline leaves finished output to the terminal, instead of taking the whole screen.
	Inline bool

	// Prompt is sent at once.
	Prompt string
	// Entries are shown at start: those of a session that goes on.
	Entries []Entry
	// Resume is a saved session to offer at start, if somebody is at a terminal.
	Resume *Saved
	// History are messages of before, the oldest first; Remember keeps one more, and may be nil.
	History  []string
	Remember func(text string)

	// Env is the environment; nil: the process's.
	Env []string
	// In and Out are the terminal; nil: standard input and output.
	In  File
	Out File
}
