package agent

import (
	"encoding/json"
	"strings"
	"time"
)

// Role is the author of a Message.
type Role string

// The roles. Tool results have a separate role; a Model maps it to its API.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one entry of a conversation, independent of the provider.
type Message struct {
	ID    string    `json:"id"`
	Role  Role      `json:"role"`
	Parts []Part    `json:"parts"`
	Time  time.Time `json:"time"`

	// Summary marks the one message that replaces folded messages.
	Summary bool `json:"summary,omitempty"`
	// Model names the model that wrote an Assistant's message. Thinking goes back to that model
	// only.
	Model string `json:"model,omitempty"`
	// Cancelled marks an answer that was interrupted.
	Cancelled bool `json:"cancelled,omitempty"`
}

// Part is a piece of a Message. Exactly one of its fields is set.
type Part struct {
	Text     string    `json:"text,omitempty"`
	Thinking *Thinking `json:"thinking,omitempty"`
	Image    *Image    `json:"image,omitempty"`
	Call     *Call     `json:"call,omitempty"`
	Result   *Returned `json:"result,omitempty"`
}

// Thinking is the thinking of a model. Signature and Redacted are the provider's and return to it
// unchanged.
type Thinking struct {
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redacted,omitempty"`
}

// Image is an attachment.
type Image struct {
	Type string `json:"type"` // "image/png"
	Data []byte `json:"data"`
}

// Call is a tool call as the model wrote it.
type Call struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"` // one JSON object; Broken if it is not one
	// Broken is the text of an input that is not JSON; the model gets an error.
	Broken string `json:"broken,omitempty"`
}

// Returned is the result of a Call, in the form that the model gets.
type Returned struct {
	ID    string `json:"id"` // of the Call
	Name  string `json:"name"`
	Text  string `json:"text"`
	Error bool   `json:"error,omitempty"`
	// Origin names the source of untrusted text, such as "read_file README.md". It stays with
	// the text through compaction and into sub-agents. It is empty for umpire's texts.
	Origin string `json:"origin,omitempty"`
}

// Text returns the text parts of a message, joined.
func (m *Message) Text() string {
	var s string
	for _, p := range m.Parts {
		s += p.Text
	}
	return s
}

// Attached reports whether a text in a User message is an attachment rather than the user's words.
// The first line of an attachment is a label, "[@main.go]".
func Attached(text string) bool {
	label, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(label, "[") && strings.HasSuffix(label, "]")
}

// Calls returns the tool calls of a message.
func (m *Message) Calls() (list []Call) {
	for _, p := range m.Parts {
		if p.Call != nil {
			list = append(list, *p.Call)
		}
	}
	return list
}
