package modelproxy_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

var paths = map[string]string{"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}

// A guard stops an answer by whatever the model said in it, whole or streamed, and masks what may
// be changed.
func TestWhatIsSaidBesides(t *testing.T) {
	for name, tt := range map[string]struct {
		api, says string
		streams   []string // the events that say the same
	}{
		"arguments of a call": {"chat", `{"choices":[{"index":0,"message":{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"send","arguments":"{\"body\":\"the X word\"}"}}]}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"send","arguments":"{\"body\":\"the "}}]}}]}`, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"X word\"}"}}]}}]}`}},
		"arguments with escapes": {"chat", `{"choices":[{"index":0,"message":{"tool_calls":[{"function":{"name":"send","arguments":"{\"body\":\"YZ\"}"}}]}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"send","arguments":"{\"body\":\"Y"}}]}}]}`, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"Z\"}"}}]}}]}`}},
		"calls whose arguments alternate": {"chat", `{"choices":[{"index":0,"message":{"tool_calls":[{"function":{"name":"send","arguments":"{\"a\":1}"}},{"function":{"name":"send","arguments":"{\"body\":\"YZ\"}"}}]}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"d","function":{"name":"send","arguments":"{\"body\":\"Y"}}]}}]}`, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"send","arguments":"{\"a\":1}"}}]}}]}`, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"Z\"}"}}]}}]}`}},
		"the name of a function": {"chat", `{"choices":[{"index":0,"message":{"tool_calls":[{"function":{"name":"X","arguments":"{}"}}]}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"X","arguments":"{}"}}]}}]}`}},
		"an old call": {"chat", `{"choices":[{"index":0,"message":{"function_call":{"name":"send","arguments":"{\"X\":1}"}}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"function_call":{"name":"send","arguments":"{\"X\":1}"}}}]}`}},
		"thoughts": {"chat", `{"choices":[{"index":0,"message":{"content":"hi","reasoning_content":"X"}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"reasoning_content":"X"}}]}`}},
		"thoughts in parts": {"chat", `{"choices":[{"index":0,"message":{"content":"hi","reasoning_details":[{"type":"reasoning.text","text":"X"}]}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","text":"X"}]}}]}`}},
		"a transcript": {"chat", `{"choices":[{"index":0,"message":{"content":null,"audio":{"id":"a","data":"AAAA","transcript":"X"}}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"audio":{"data":"AAAA","transcript":"X"}}}]}`}},
		"an annotation": {"chat", `{"choices":[{"index":0,"message":{"content":"hi","annotations":[{"type":"url_citation","url_citation":{"title":"X","url":"https://a.example"}}]}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation","url_citation":{"title":"X"}}]}}]}`}},
		"a part of a content": {"chat", `{"choices":[{"index":0,"message":{"content":[{"type":"text","text":"hi"},{"type":"video","caption":"X"}]}}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"content":[{"type":"video","caption":"X"}]}}]}`}},
		"what nobody knows": {"chat", `{"choices":[{"index":0,"message":{"content":"hi"},"comment":"X"}]}`,
			[]string{`{"choices":[{"index":0,"delta":{"content":"hi"},"comment":"X"}]}`}},
		"thinking": {"messages", `{"content":[{"type":"thinking","thinking":"X","signature":"s"},{"type":"text","text":"hi"}]}`,
			[]string{`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"X"}}`, `{"type":"content_block_stop","index":0}`}},
		"input of a tool": {"messages", `{"content":[{"type":"tool_use","id":"t","name":"send","input":{"body":"X"}}]}`,
			[]string{`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"send","input":{}}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"body\":"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"X\"}"}}`, `{"type":"content_block_stop","index":0}`}},
		"a name in the input of a tool": {"messages", `{"content":[{"type":"tool_use","id":"t","name":"send","input":{"X":1}}]}`,
			[]string{`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"send","input":{"X":1}}}`, `{"type":"content_block_stop","index":0}`}},
		"a citation": {"messages", `{"content":[{"type":"text","text":"hi","citations":[{"type":"char_location","cited_text":"X"}]}]}`,
			[]string{`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"X"}}}`, `{"type":"content_block_stop","index":0}`}},
		"a function call": {"responses", `{"output":[{"type":"function_call","name":"send","arguments":"{\"body\":\"X\"}"}]}`,
			[]string{`{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"body\":\"X\"}"}`, `{"type":"response.function_call_arguments.done","output_index":0,"arguments":"{\"body\":\"X\"}"}`}},
		"a reasoning item": {"responses", `{"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"X"}],"content":[]}]}`,
			[]string{`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":[{"type":"summary_text","text":"X"}]}}`}},
		"reasoning at its end": {"responses", `{"output":[{"type":"reasoning","content":[{"type":"reasoning_text","text":"X"}]}]}`,
			[]string{`{"type":"response.reasoning_text.done","output_index":0,"text":"X"}`}},
		"an annotation of an item": {"responses", `{"output":[{"type":"message","content":[{"type":"output_text","text":"hi","annotations":[{"type":"file_citation","filename":"X"}]}]}]}`,
			[]string{`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"hi","annotations":[{"type":"file_citation","filename":"X"}]}]}}`}},
	} {
		end := map[string][]string{
			"chat":      {`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `[DONE]`},
			"messages":  {`{"type":"message_stop"}`},
			"responses": {`{"type":"response.completed","response":{"output":[]}}`},
		}[tt.api]
		whole := tt.says
		streamed := sse(append(tt.streams, end...))
		for _, word := range []string{badWord, "allowed"} {
			put := strings.NewReplacer("X", word, "Y", word[:3]+`\\u00`, "Z", fmt.Sprintf("%x%s", word[3], word[4:])).Replace
			stop := word == badWord
			t.Run(name+", whole, "+word, func(t *testing.T) {
				res, body := post(t, serve(t, options(), newUpstream(t, says(put(whole))))+paths[tt.api], `{}`)
				if stop != (res.StatusCode == http.StatusBadRequest) || stop && strings.Contains(body, word) {
					t.Errorf("%s %s", res.Status, body)
				}
				if !stop && body != put(whole) {
					t.Errorf("%s, want it unchanged: %s", body, put(whole))
				}
			})
			t.Run(name+", streamed, "+word, func(t *testing.T) {
				_, body := post(t, serve(t, options(), newUpstream(t, streams(put(streamed), 1<<20)))+paths[tt.api], `{}`)
				if stop != strings.Contains(body, "a word is not allowed") {
					t.Errorf("%s", body)
				}
				if stop && strings.Contains(body, end[len(end)-1]) {
					t.Errorf("the answer came to its end: %s", body)
				}
			})
		}
	}
}

// Thoughts without a signature are masked as the answer is.
func TestThoughtsAreMasked(t *testing.T) {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		_, body := post(t, serve(t, options(), newUpstream(t, says(`{"choices":[{"index":0,"message":{"`+name+`":"4111-1111"}}]}`)))+paths["chat"], `{}`)
		if want := `{"choices":[{"index":0,"message":{"` + name + `":"[card]"}}]}`; body != want {
			t.Errorf("%s, want %s", body, want)
		}
		list := []string{`{"choices":[{"index":0,"delta":{"` + name + `":"the 4111-"}}]}`, `{"choices":[{"index":0,"delta":{"` + name + `":"1111"}}]}`, `{"choices":[{"index":0,"delta":{"` + name + `":" and 4111"}}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `[DONE]`}
		_, body = post(t, serve(t, options(), newUpstream(t, streams(sse(list), 1<<20)))+paths["chat"], `{}`)
		if strings.Contains(body, secret) || !strings.Contains(body, "[card]") || !strings.Contains(body, `"`+name+`":"4111"`) {
			t.Errorf("%s", body)
		}
	}
}

// A list may have many strings. They are judged as one text, in which words keep apart.
func TestLongLists(t *testing.T) {
	for _, word := range []string{badWord, "allowed"} {
		for _, list := range []string{strings.Repeat(`"x",`, 5000) + `"` + word + `"`, strings.Repeat(`{"index":1,"a":["x"]},`, 5000) + `{"a":"` + word + `"}`, `"` + badWord[:2] + `","` + badWord[2:] + `","` + word + `"`} {
			said := `{"content":[{"type":"tool_use","id":"t","name":"send","input":{"rows":[` + list + `]}}]}`
			res, body := post(t, serve(t, options(), newUpstream(t, says(said)))+paths["messages"], `{}`)
			if want := map[bool]int{true: http.StatusBadRequest, false: http.StatusOK}[word == badWord]; res.StatusCode != want {
				t.Errorf("%.80s: %s, want %d: %.200s", list, res.Status, want, body)
			}
		}
	}
}
