package modelproxy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	aoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	oresponses "github.com/openai/openai-go/v3/responses"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/modelproxy"
)

// pieces sends a text in as many events as fit, cut at each byte of runes.
func cuts(text string, size int) []string {
	var out []string
	for r := []rune(text); len(r) > 0; r = r[min(size, len(r)):] {
		out = append(out, string(r[:min(size, len(r))]))
	}
	return out
}

func q(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// events are what the three APIs say when a model writes text.
func events(api, text string, size int) []string {
	var out []string
	switch api {
	case "chat":
		out = append(out, `{"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`)
		for _, p := range cuts(text, size) {
			out = append(out, `{"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"content":`+q(p)+`},"logprobs":{"content":[{"token":`+q(p)+`}]},"finish_reason":null}]}`)
		}
		out = append(out, `{"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":"{\"a\":\"4111-1111\"}"}}]},"finish_reason":null}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`, `[DONE]`)
	case "messages":
		out = append(out, `{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"thought 4111-1111"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`)
		for _, p := range cuts(text, size) {
			out = append(out, `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":`+q(p)+`}}`)
		}
		out = append(out, `{"type":"ping"}`, `{"type":"content_block_stop","index":1}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":\"4111-1111\"}"}}`,
			`{"type":"content_block_stop","index":2}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`, `{"type":"message_stop"}`)
	case "responses":
		n := 0
		add := func(kind, rest string) {
			out = append(out, fmt.Sprintf(`{"type":%q,"sequence_number":%d,%s}`, kind, n, rest))
			n++
		}
		item := `{"id":"i1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":` + q(text) + `,"annotations":[],"logprobs":[{"token":` + q(text) + `}]}]}`
		add("response.created", `"response":{"id":"r1","object":"response","status":"in_progress","output":[]}`)
		add("response.output_item.added", `"output_index":0,"item":{"id":"i1","type":"message","role":"assistant","status":"in_progress","content":[]}`)
		add("response.content_part.added", `"item_id":"i1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}`)
		for _, p := range cuts(text, size) {
			add("response.output_text.delta", `"item_id":"i1","output_index":0,"content_index":0,"delta":`+q(p)+`,"logprobs":[{"token":`+q(p)+`}]`)
		}
		add("response.output_text.done", `"item_id":"i1","output_index":0,"content_index":0,"text":`+q(text)+`,"logprobs":[]`)
		add("response.content_part.done", `"item_id":"i1","output_index":0,"content_index":0,"part":{"type":"output_text","text":`+q(text)+`,"annotations":[]}`)
		add("response.output_item.done", `"output_index":0,"item":`+item)
		add("response.output_item.done", `"output_index":1,"item":{"id":"f1","type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":\"4111-1111\"}","status":"completed"}`)
		add("response.completed", `"response":{"id":"r1","object":"response","status":"completed","output":[`+item+`]}`)
	}
	return out
}

func sse(list []string) string {
	var b strings.Builder
	for _, e := range list {
		var kind struct{ Type string }
		_ = json.Unmarshal([]byte(e), &kind)
		if kind.Type != "" {
			b.WriteString("event: " + kind.Type + "\n")
		}
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

// streams answers with events, flushed after each piece of size bytes.
func streams(text string, size int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for b := []byte(text); len(b) > 0; b = b[min(size, len(b)):] {
			_, _ = w.Write(b[:min(size, len(b))])
			w.(http.Flusher).Flush()
		}
	}
}

type read struct {
	text     string // as it came in deltas
	again    []string
	tools    string
	thinking string
	err      error
	sequence []int64
}

// client reads an answer that streams, by the official SDK of each API.
func client(ctx context.Context, t *testing.T, api, at string) (out read) {
	t.Helper()
	switch api {
	case "chat":
		c := openai.NewClient(option.WithBaseURL(at+"/v1"), option.WithAPIKey("k"), option.WithMaxRetries(0))
		s := c.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")}})
		var acc openai.ChatCompletionAccumulator
		for s.Next() {
			e := s.Current()
			if !acc.AddChunk(e) {
				t.Errorf("the SDK does not take %s", e.RawJSON())
			}
			for _, c := range e.Choices {
				out.text += c.Delta.Content
				for _, l := range c.Logprobs.Content {
					out.again = append(out.again, l.Token)
				}
				for _, tc := range c.Delta.ToolCalls {
					out.tools += tc.Function.Arguments
				}
			}
		}
		if out.err = s.Err(); out.err == nil {
			out.again = append(out.again, acc.Choices[0].Message.Content)
		}
	case "messages":
		c := anthropic.NewClient(aoption.WithBaseURL(at), aoption.WithAPIKey("k"), aoption.WithMaxRetries(0))
		s := c.Messages.NewStreaming(ctx, anthropic.MessageNewParams{Model: "m", MaxTokens: 10, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hi"))}})
		var acc anthropic.Message
		for s.Next() {
			e := s.Current()
			if err := acc.Accumulate(e); err != nil {
				t.Errorf("the SDK does not take %s: %v", e.RawJSON(), err)
			}
			out.text += e.Delta.Text
			out.thinking += e.Delta.Thinking
			out.tools += e.Delta.PartialJSON
		}
		if out.err = s.Err(); out.err == nil && len(acc.Content) > 1 {
			out.again = append(out.again, acc.Content[1].Text)
		}
	case "responses":
		c := openai.NewClient(option.WithBaseURL(at+"/v1"), option.WithAPIKey("k"), option.WithMaxRetries(0))
		s := c.Responses.NewStreaming(ctx, oresponses.ResponseNewParams{Model: "m", Input: oresponses.ResponseNewParamsInputUnion{OfString: openai.String("hi")}})
		for s.Next() {
			e := s.Current()
			out.sequence = append(out.sequence, e.SequenceNumber)
			switch e.Type {
			case "response.output_text.delta":
				out.text += e.Delta
				if e.ItemID != "i1" {
					t.Errorf("no item in %s", e.RawJSON())
				}
			case "response.output_text.done":
				out.again = append(out.again, e.Text)
			case "response.content_part.done":
				out.again = append(out.again, e.Part.Text)
			case "response.output_item.done":
				if e.Item.Type == "message" {
					out.again = append(out.again, e.Item.Content[0].Text)
				} else {
					out.tools += e.Item.Arguments.OfString
				}
			case "response.completed":
				out.again = append(out.again, e.Response.OutputText())
			}
		}
		out.err = s.Err()
	}
	return out
}

var apis = []string{"chat", "messages", "responses"}

// However a text is cut into events and the events into packets, what is masked never
// leaves, the rest does, and the SDKs see a stream as it should be.
func TestStreams(t *testing.T) {
	text := "Zahl 4111-1111 ü 4111-111 then 4111-1111 and 4111" // the end is held back to the last
	want := strings.ReplaceAll(text, secret, "[card]")
	for _, api := range apis {
		for _, size := range []int{1, 2, 3, 5, 8, 100} {
			for _, packet := range []int{1, 7, 1 << 20} {
				if packet == 1 && size != 3 {
					continue
				}
				t.Run(fmt.Sprint(api, " by ", size, " in packets of ", packet), func(t *testing.T) {
					at := serve(t, options(), newUpstream(t, streams(sse(events(api, text, size)), packet)))
					got := client(t.Context(), t, api, at)
					if got.err != nil || got.text != want {
						t.Fatalf("%q, %v", got.text, got.err)
					}
					if len(got.again) == 0 {
						t.Error("the text was not said again")
					}
					for _, again := range got.again {
						if again != want {
							t.Errorf("said again as %q", again)
						}
					}
					if got.tools != `{"a":"4111-1111"}` {
						t.Errorf("the call was changed: %s", got.tools)
					}
					if api == "messages" && got.thinking != "thought 4111-1111" {
						t.Errorf("thought %q", got.thinking)
					}
					for i, n := range got.sequence {
						if n != int64(i) {
							t.Fatalf("numbered %v", got.sequence)
						}
					}
				})
			}
		}
	}
}

// Without a guard that streams, a text is judged at its end.
func TestStreamsHeldWhole(t *testing.T) {
	for _, api := range apis {
		t.Run(api, func(t *testing.T) {
			o := options()
			o.Stream = nil
			got := client(t.Context(), t, api, serve(t, o, newUpstream(t, streams(sse(events(api, "a 4111-1111 b", 1)), 100))))
			if got.err != nil || got.text != "a [card] b" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// What a guard has nothing against passes byte for byte, comments included.
func TestStreamsUntouched(t *testing.T) {
	o := options()
	o.Stream = func(context.Context, guard.Answer) modelproxy.Stream { return through{} }
	for _, api := range apis {
		list := events(api, "fine", 2)
		for i := range list {
			list[i] = strings.NewReplacer(`,"logprobs":{"content":[{"token":"fi"}]}`, "", `,"logprobs":{"content":[{"token":"ne"}]}`, "", `,"logprobs":[{"token":"fi"}]`, "", `,"logprobs":[{"token":"ne"}]`, "",
				`,"logprobs":[{"token":"fine"}]`, "").Replace(list[i])
		}
		want := ": hello\n\nid: 1\r\nretry: 5\r\n\r\n" + sse(list)
		_, got := post(t, serve(t, o, newUpstream(t, streams(want, 10)))+map[string]string{"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}[api], `{}`)
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", api, got, want)
		}
	}
}

// An event that names its text twice, or once more with a capital letter, may be read by a client
// otherwise than by the proxy: it ends the stream, and neither text leaves.
func TestStreamsWithMembersSaidTwice(t *testing.T) {
	texts := regexp.MustCompile(`"(content|text|delta)":"` + secret + `"`)
	for _, api := range apis {
		sound := events(api, secret, len(secret))
		tried := 0
		for i, event := range sound {
			m := texts.FindStringSubmatch(event)
			if m == nil {
				continue
			}
			for _, name := range []string{m[1], strings.ToUpper(m[1][:1]) + m[1][1:]} {
				tried++
				list := slices.Clone(sound)
				list[i] = strings.Replace(event, m[0], fmt.Sprintf(`%q:%q,%s`, name, secret, m[0]), 1)
				got := client(t.Context(), t, api, serve(t, options(), newUpstream(t, streams(sse(list), 1<<20))))
				if got.err == nil || strings.Contains(got.text+strings.Join(got.again, ""), secret) {
					t.Errorf("%s, %s: got %q, again %q and the error %v, want an error and no text with %s", api, list[i], got.text, got.again, got.err, secret)
				}
			}
		}
		if tried == 0 {
			t.Errorf("%s: no event has the text", api)
		}
	}
}

type through struct{}

func (through) Write(s string) (string, error) { return s, nil }
func (through) Close() (string, error)         { return "", nil }

// A rejection in the middle ends the stream by an error that the SDKs surface, and the
// upstream is told to stop.
func TestStreamRejected(t *testing.T) {
	for _, api := range apis {
		t.Run(api, func(t *testing.T) {
			gone := make(chan struct{})
			list := events(api, "well, forbidden", 1)
			u := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				streams(sse(list[:len(list)-3]), 1<<20)(w, r)
				<-r.Context().Done()
				close(gone)
			})
			got := client(t.Context(), t, api, serve(t, options(), u))
			if got.err == nil || !strings.Contains(got.err.Error(), "a word is not allowed") || strings.TrimSpace(got.text) != "well," {
				t.Errorf("%q %v", got.text, got.err)
			}
			select {
			case <-gone:
			case <-time.After(time.Minute):
				t.Error("the upstream goes on")
			}
		})
	}
}
