package guardserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/bounded"
)

// The kinds of texts. umpire guard scan, the bodies of this API and the items of a batch use the
// same names.
const (
	inputKind  = "input"       // on its way to a model
	outputKind = "output"      // written by a model
	ToolKind   = "tool_output" // returned by a tool
)

// InputRequest is a text on its way to a model.
type InputRequest struct {
	Kind string  `json:"kind,omitempty"` // "input" or absent
	Text *string `json:"text"`

	UserID   string         `json:"userId,omitempty"` // empty means "anonymous"
	TenantID string         `json:"tenantId,omitempty"`
	Channel  string         `json:"channel,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"` // "conversationHistory" contains the previous turns
}

// OutputRequest is a model's output.
type OutputRequest struct {
	Kind     string         `json:"kind,omitempty"` // "output" or absent
	Text     *string        `json:"text"`
	UserID   string         `json:"userId,omitempty"`
	TenantID string         `json:"tenantId,omitempty"`
	System   string         `json:"system,omitempty"` // the system prompt, which the answer must not disclose
	Canary   string         `json:"canary,omitempty"` // a canary token in the system prompt
	Metadata map[string]any `json:"metadata,omitempty"`

	// Reversible numbers the masks of personal data, and returns their values in the response.
	Reversible bool `json:"reversible,omitempty"`
}

// ToolRequest is tool output.
type ToolRequest struct {
	Kind     string  `json:"kind,omitempty"` // "tool_output" or absent
	Text     *string `json:"text,omitempty"`
	Tool     string  `json:"tool,omitempty"`
	Hidden   string  `json:"hidden,omitempty"`   // treatment of hidden text: keep (default), show or remove
	Defang   bool    `json:"defang,omitempty"`   // rewrite links and images so that no program fetches them
	Unmarked bool    `json:"unmarked,omitempty"` // do not add markers
}

// BatchItem is one text: its kind, and the fields of that kind's body.
type BatchItem struct {
	ID   ID     `json:"id,omitzero"`    // returned with the answer
	Kind string `json:"kind,omitempty"` // input (if absent), output or tool_output

	Text       *string        `json:"text,omitempty"`
	UserID     string         `json:"userId,omitempty"`
	TenantID   string         `json:"tenantId,omitempty"`
	Channel    string         `json:"channel,omitempty"`
	Metadata   map[string]any `json:"metadata,omitempty"`
	System     string         `json:"system,omitempty"`
	Canary     string         `json:"canary,omitempty"`
	Reversible bool           `json:"reversible,omitempty"`
	Tool       string         `json:"tool,omitempty"`
	Hidden     string         `json:"hidden,omitempty"`
	Defang     bool           `json:"defang,omitempty"`
	Unmarked   bool           `json:"unmarked,omitempty"`
}

// request returns the item as the request of its kind: an *InputRequest, *OutputRequest or *ToolRequest.
// It rejects fields that this kind does not have.
func (b BatchItem) request() (in interface{ check() error }, err error) {
	switch b.Kind {
	case "", inputKind:
		in = new(InputRequest)
	case outputKind:
		in = new(OutputRequest)
	case ToolKind:
		in = new(ToolRequest)
	default:
		return nil, problem(http.StatusBadRequest, "unknown kind %q: use input, output or tool_output", bounded.Clip(b.Kind, 40, "..."))
	}
	b.ID = nil
	body, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(in); err != nil {
		return nil, problem(http.StatusBadRequest, "this kind of text does not have that: %s", jsonFault(err))
	}
	return in, in.check()
}

// expect rejects a body of another kind, and a body without a text, because an empty text would be
// allowed.
func expect(kind, said string, text *string) error {
	switch {
	case said != "" && said != kind:
		return problem(http.StatusBadRequest, "the kind is %q, and this call is for %s: use POST /v1/guard/batch for any kind", bounded.Clip(said, 40, "..."), kind)
	case text == nil:
		return problem(http.StatusBadRequest, `there is no "text"`)
	}
	return nil
}

func (r *InputRequest) check() error  { return expect(inputKind, r.Kind, r.Text) }
func (r *OutputRequest) check() error { return expect(outputKind, r.Kind, r.Text) }

// check also rejects values that the sanitizer does not know.
func (r *ToolRequest) check() error {
	if err := new(guard.HiddenText).UnmarshalText([]byte(r.Hidden)); err != nil {
		return problem(http.StatusBadRequest, "hidden: %s", err)
	}
	return expect(ToolKind, r.Kind, r.Text)
}

// ID identifies a text for its sender: a string or a number.
type ID []byte

// UnmarshalJSON implements json.Unmarshaler.
func (id *ID) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '{', '[', 't', 'f':
		return errors.New(`"id" must be a string or a number`)
	case 'n':
		return nil
	}
	*id = bytes.Clone(b)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (id ID) MarshalJSON() ([]byte, error) {
	if len(id) == 0 {
		return []byte(`""`), nil
	}
	return id, nil
}

// IsZero makes encoding/json omit an absent ID.
func (id ID) IsZero() bool { return len(id) == 0 }
