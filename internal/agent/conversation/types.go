package conversation

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
)

// Message is a user message. The text still contains mentions of files, as @path.
type Message struct {
	Text string
}

// Status describes a conversation.
type Status struct {
	Model string // without its provider's prefix
	Name  string // of the session; may be empty
	// Window is the model's limit in tokens, and Input the tokens of the last request. Neither is
	// shown if one is zero.
	Window, Input int64
	Usage         agent.Usage // of the session; the cost is shown if Priced
	MaxCost       float64     // US dollars; 0: no limit
	Mode          string      // a word for the status line, such as "plan"; may be empty
}

// Command is a slash command.
type Command struct {
	Name string
	Args string // as help shows them: "[name]"
	Help string
	Busy bool // it may run while the model works
	Run  func(ctx context.Context, args string) (Reply, error)
}

// Reply is the result of a Command.
type Reply struct {
	Text     string // a message in Markdown; may be empty
	Replaced bool   // the screen must show only Entries
	Entries  []Entry
	Draft    string // put into the input field if it is empty
	Quit     bool
}

// Entry is a piece of a conversation on the screen: exactly one of User, Agent, Call and Notice is
// set.
type Entry struct {
	User   string
	Agent  string
	Call   *agent.ToolCall
	Result *agent.Result // of Call; nil if it did not finish
	Notice string
	Error  bool // the Notice reports a failure
}

// Model is a model to switch to.
type Model struct {
	ID   string
	Note string // a few words: its window, its price
}

// Saved is a saved session.
type Saved struct {
	ID       string // for Load
	Name     string
	Messages int
	Model    string
	Dir      string
	Updated  time.Time
}

// Thinking is the activity while a model thinks and sends no text.
const Thinking = "thinking"

// Thousands writes a number with separators.
func Thousands(n int64) string {
	if n < 0 {
		return "-" + Thousands(-n)
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	rest := strconv.FormatInt(n%1000, 10)
	return Thousands(n/1000) + "," + strings.Repeat("0", 3-len(rest)) + rest
}
