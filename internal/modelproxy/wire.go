package modelproxy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/umpire-dev/umpire/guard"
)

// format is what a path's bodies look like.
type format uint8

const (
	plain       format = iota // not a conversation: passed on
	chat                      // OpenAI Chat Completions
	completions               // OpenAI Completions
	responses                 // OpenAI Responses
	messages                  // Anthropic Messages
)

var formatNames = [...]string{"other", "chat", "completions", "responses", "messages"}

func (f format) String() string { return formatNames[f] }

// formatOf returns the format by the end of a clean path, so that an upstream may have its API
// below another path. The case is not minded, as a server may not.
func formatOf(p string) format {
	parts := strings.Split(strings.ToLower(strings.Trim(p, "/")), "/")
	for i, name := range parts {
		switch name {
		case "responses", "conversations":
			return responses
		case "completions":
			if i > 0 && parts[i-1] == "chat" {
				return chat
			}
			return completions
		case "messages":
			// Not batches, nor the messages of other things, such as OpenAI's threads.
			if rest := parts[i+1:]; len(rest) == 0 || rest[0] == "count_tokens" {
				return messages
			}
		}
	}
	return plain
}

// clean reports whether a path has one reading only. The upstream may resolve dots, slashes
// and escapes otherwise than this proxy does, and find a path that would have been judged.
func clean(r *http.Request) bool {
	p := r.URL.Path
	if len(p) > 1 {
		p = strings.TrimSuffix(p, "/")
	}
	escaped := strings.ToLower(r.URL.EscapedPath())
	return strings.HasPrefix(p, "/") && path.Clean(p) == p && !strings.ContainsAny(p, "\\;%?#\x00") &&
		!strings.Contains(escaped, "%2f") && !strings.Contains(escaped, "%2e")
}

// fault is why a request gets no answer from the upstream.
type fault struct {
	status int
	kind   string // of the error, in OpenAI's words
	code   string
	text   string
	after  int // in how many seconds it may go well, 0 if it will not
}

func (f *fault) Error() string { return f.text }

var (
	errTooLarge = &fault{http.StatusRequestEntityTooLarge, "invalid_request_error", "request_too_large", "the body is too large: send less at once", 0}
	errBusy     = &fault{http.StatusServiceUnavailable, "server_error", "overloaded", "too many requests are in progress: try again soon", 1}
	errTokens   = &fault{http.StatusBadRequest, "invalid_request_error", "unreadable_prompt", "a prompt of tokens cannot be judged: send it as text", 0}
	errDeep     = &fault{http.StatusBadRequest, "invalid_request_error", "nested_too_deep", "the content is nested too deeply to check: use fewer levels", 0}
	errClosed   = &fault{http.StatusInternalServerError, "server_error", "guard_failed", "a check failed, so the text was stopped: see umpire's log", 0}
)

// rejected is the fault of a text that a guard stopped. what is the text's name.
func rejected(what string, res guard.Result) *fault {
	f := &fault{status: http.StatusBadRequest, kind: "invalid_request_error", code: strings.ToLower(string(res.Category))}
	reason := cmp.Or(res.Reason, "it is not allowed")
	f.text = fmt.Sprintf("umpire stopped %s (%s): %s", what, res.Category, reason)
	if res.Message != "" { // the person reads what the operator wrote, and nothing else
		f.text = res.Message
	}
	switch res.Category {
	case guard.RateLimited:
		f.status, f.kind, f.after = http.StatusTooManyRequests, "rate_limit_error", max(1, res.RetryAfter)
	case guard.Unauthorized:
		f.status, f.kind = http.StatusForbidden, "permission_error"
	case guard.SystemError:
		f.status, f.kind = http.StatusInternalServerError, "server_error"
	}
	return f
}

// asFault makes a fault of any error. The client does not get its text, because it may not be
// entitled to see it.
func asFault(err error, otherwise *fault) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	var a ambiguous
	if errors.As(err, &a) || errors.Is(err, errNotJSON) {
		return &fault{http.StatusBadRequest, "invalid_request_error", "invalid_json", err.Error(), 0}
	}
	return otherwise
}

// anthropicKind translates the kind of an error.
func (f *fault) anthropicKind() string {
	switch {
	case f.status == http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case f.status == http.StatusServiceUnavailable:
		return "overloaded_error"
	case f.kind == "server_error":
		return "api_error"
	}
	return f.kind
}

type openAIError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
}

type anthropicError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// body is the JSON of a fault, as the SDKs of a format read it.
func (f *fault) body(anthropic bool) []byte {
	var v any = struct {
		Error openAIError `json:"error"`
	}{openAIError{f.text, f.kind, nil, f.code}}
	if anthropic {
		v = struct {
			Type  string         `json:"type"`
			Error anthropicError `json:"error"`
		}{"error", anthropicError{f.anthropicKind(), f.text}}
	}
	b, _ := json.Marshal(v) // strings always encode
	return b
}

// event is a fault in the middle of a stream.
func (f *fault) event(w format, sequence int64) []byte {
	switch w {
	case messages:
		return frame("error", f.body(true))
	case responses:
		// The SDKs end a stream at a member "error"; clients that read events find the rest.
		b, _ := json.Marshal(struct {
			Type     string      `json:"type"`
			Code     string      `json:"code"`
			Message  string      `json:"message"`
			Param    *string     `json:"param"`
			Sequence int64       `json:"sequence_number"`
			Error    openAIError `json:"error"`
		}{"error", f.code, f.text, nil, sequence, openAIError{f.text, f.kind, nil, f.code}})
		return frame("error", b)
	}
	return frame("", f.body(false))
}
