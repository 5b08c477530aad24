package wire

import "encoding/json"

// MessagesRequest is a request of Anthropic's messages, with the fields that umpire uses.
type MessagesRequest struct {
	Model        string            `json:"model"`
	MaxTokens    int               `json:"max_tokens"`
	System       []MessageBlock    `json:"system,omitempty"`
	Messages     []Message         `json:"messages"`
	Tools        []MessageTool     `json:"tools,omitempty"`
	ToolChoice   *ToolChoice       `json:"tool_choice,omitempty"`
	OutputConfig *MessagesOutput   `json:"output_config,omitempty"`
	Thinking     *MessagesThinking `json:"thinking,omitempty"`
	Stream       bool              `json:"stream,omitempty"`
}

// Message is one message of a conversation.
type Message struct {
	Role    string         `json:"role"` // user or assistant
	Content []MessageBlock `json:"content"`
}

// MessageBlock is a part of a message. Its type says which fields count.
type MessageBlock struct {
	Type         string          `json:"type"`
	Text         string          `json:"text,omitempty"`
	Thinking     *string         `json:"thinking,omitempty"` // may be empty, and is wanted then too
	Signature    string          `json:"signature,omitempty"`
	Data         string          `json:"data,omitempty"`
	Source       *ImageSource    `json:"source,omitempty"`
	ID           string          `json:"id,omitempty"`
	Name         string          `json:"name,omitempty"`
	Input        json.RawMessage `json:"input,omitempty"`
	ToolUseID    string          `json:"tool_use_id,omitempty"`
	Content      []MessageBlock  `json:"content,omitempty"`
	IsError      *bool           `json:"is_error,omitempty"`
	CacheControl *CacheControl   `json:"cache_control,omitempty"`
}

// ImageSource is an image in base64.
type ImageSource struct {
	Type      string `json:"type"` // base64
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

// CacheControl marks the end of the part that the provider should cache.
type CacheControl struct {
	Type string `json:"type"` // ephemeral
}

// Ephemeral is the mark that all of umpire's requests use.
func Ephemeral() *CacheControl { return &CacheControl{"ephemeral"} }

// MessageTool is a tool that the model may call.
type MessageTool struct {
	Name         string         `json:"name"`
	Description  string         `json:"description,omitempty"`
	InputSchema  map[string]any `json:"input_schema"`
	CacheControl *CacheControl  `json:"cache_control,omitempty"`
}

// ToolChoice names the tool that the model has to call.
type ToolChoice struct {
	Type string `json:"type"` // tool
	Name string `json:"name"`
}

// MessagesOutput says how hard the model tries, and the form of its answer.
type MessagesOutput struct {
	Effort string          `json:"effort,omitempty"`
	Format *MessagesFormat `json:"format,omitempty"`
}

// MessagesFormat is a schema that the answer keeps to.
type MessagesFormat struct {
	Type   string `json:"type"` // json_schema
	Schema any    `json:"schema"`
}

// MessagesThinking says whether the model thinks first.
type MessagesThinking struct {
	Type string `json:"type"` // adaptive or disabled
}

// MessagesUsage counts the tokens of an answer.
type MessagesUsage struct {
	Input   int64 `json:"input_tokens"`
	Created int64 `json:"cache_creation_input_tokens"`
	Read    int64 `json:"cache_read_input_tokens"`
	Output  int64 `json:"output_tokens"`
}
