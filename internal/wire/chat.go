package wire

// ChatRequest is a request of OpenAI's chat completions, with the fields that umpire uses.
// Other servers with this protocol have more fields.
type ChatRequest struct {
	Model               string             `json:"model"`
	Messages            []ChatMessage      `json:"messages"`
	Tools               []ChatTool         `json:"tools,omitempty"`
	ResponseFormat      *ChatFormat        `json:"response_format,omitempty"`
	MaxTokens           int                `json:"max_tokens,omitempty"`
	MaxCompletionTokens int                `json:"max_completion_tokens,omitempty"` // OpenAI's own, instead
	ReasoningEffort     string             `json:"reasoning_effort,omitempty"`
	Store               *bool              `json:"store,omitempty"`
	PromptCacheKey      string             `json:"prompt_cache_key,omitempty"`
	Stream              bool               `json:"stream,omitempty"`
	StreamOptions       *ChatStreamOptions `json:"stream_options,omitempty"`

	// OpenRouter's.
	Reasoning *ChatReasoning `json:"reasoning,omitempty"`
	Usage     *ChatUsage     `json:"usage,omitempty"`
	Provider  *ChatProvider  `json:"provider,omitempty"`
}

// ChatMessage is one message. Its content is a string, or a list of ChatPart.
type ChatMessage struct {
	Role       string     `json:"role"` // system, user, assistant or tool
	Content    any        `json:"content,omitempty"`
	ToolCalls  []ChatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// ChatPart is a text or an image of a message.
type ChatPart struct {
	Type  string     `json:"type"` // text or image_url
	Text  string     `json:"text,omitempty"`
	Image *ChatImage `json:"image_url,omitempty"`
}

// ChatImage is an image by its URL.
type ChatImage struct {
	URL string `json:"url"`
}

// ChatCall is a call that the model made.
type ChatCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"` // function
	Function ChatFunction `json:"function"`
}

// ChatFunction is the name of a called function and its arguments as JSON text.
type ChatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ChatTool is a function that the model may call.
type ChatTool struct {
	Type     string       `json:"type"` // function
	Function ChatToolSpec `json:"function"`
}

// ChatToolSpec describes a function by the schema of its parameters.
type ChatToolSpec struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

// ChatFormat is the form of the answer.
type ChatFormat struct {
	Type   string          `json:"type"` // json_schema or json_object
	Schema *ChatJSONSchema `json:"json_schema,omitempty"`
}

// ChatJSONSchema is a schema that the answer keeps to.
type ChatJSONSchema struct {
	Name   string `json:"name"`
	Strict bool   `json:"strict"`
	Schema any    `json:"schema"`
}

// ChatStreamOptions asks for the usage at the end of a stream.
type ChatStreamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// ChatReasoning is the reasoning effort of the model.
type ChatReasoning struct {
	Effort string `json:"effort"`
}

// ChatUsage requests the usage of the response.
type ChatUsage struct {
	Include bool `json:"include"`
}

// ChatProvider selects among the hosts of the model.
type ChatProvider struct {
	RequireParameters bool `json:"require_parameters"`
}
