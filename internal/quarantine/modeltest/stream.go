package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
)

func send(w http.ResponseWriter, event string, v any) {
	b, _ := json.Marshal(v) // consists of maps and strings
	if event != "" {
		_, _ = io.WriteString(w, "event: "+event+"\n")
	}
	_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
}

func streamAnthropic(w http.ResponseWriter, m object) {
	content, _ := m["content"].([]object)
	begun := object{}
	maps.Copy(begun, m)
	begun["content"], begun["stop_reason"] = []object{}, nil
	ev := func(v object) { send(w, v["type"].(string), v) }
	ev(object{"type": "message_start", "message": begun})
	for i, b := range content {
		start, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": b["text"]}
		if b["type"] == "tool_use" {
			input, _ := json.Marshal(b["input"])
			start = object{"type": "tool_use", "id": b["id"], "name": b["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(input)}
		}
		ev(object{"type": "content_block_start", "index": i, "content_block": start})
		ev(object{"type": "content_block_delta", "index": i, "delta": delta})
		ev(object{"type": "content_block_stop", "index": i})
	}
	ev(object{"type": "message_delta", "delta": object{"stop_reason": m["stop_reason"], "stop_sequence": nil}, "usage": object{"output_tokens": 3}})
	ev(object{"type": "message_stop"})
}

func streamChat(w http.ResponseWriter, m object) {
	message := m["choices"].([]object)[0]["message"].(object)
	finish := "stop"
	if calls, ok := message["tool_calls"].([]object); ok {
		finish = "tool_calls"
		for i := range calls {
			calls[i]["index"] = i
		}
	}
	chunk := func(choices ...object) object {
		return object{"id": "m", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": append([]object{}, choices...)}
	}
	send(w, "", chunk(object{"index": 0, "delta": message, "finish_reason": nil}))
	send(w, "", chunk(object{"index": 0, "delta": object{}, "finish_reason": finish}))
	last := chunk()
	last["usage"] = m["usage"]
	send(w, "", last)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// readResponses reads a request of OpenAI's Responses.
func readResponses(body []byte) (t Turn) {
	var req struct {
		Instructions string
		Input        []struct {
			Type, Role string
			Content    json.RawMessage
			Output     json.RawMessage
		}
	}
	_ = json.Unmarshal(body, &req) // the script sees an empty request
	t.System = req.Instructions
	called := false
	for _, i := range req.Input {
		switch {
		case i.Type == "function_call":
			if !called {
				t.N++
			}
			called = true
			continue
		case i.Type == "function_call_output":
			t.Last = text(i.Output)
			t.Results = append(t.Results, t.Last)
		case i.Role == "user":
			t.Last = text(i.Content)
			if strings.Contains(t.Last, "typed://") && t.User == "" {
				t.User = t.Last
			}
		case i.Role == "assistant":
			t.N++
		}
		called = false
	}
	return t
}

// streamResponses writes a response of OpenAI's Responses.
func streamResponses(w http.ResponseWriter, s Say, n int) {
	var items []object
	for i, c := range s.Calls {
		args, _ := json.Marshal(c.Args) // consists of maps and strings
		item := object{"type": "function_call", "id": fmt.Sprintf("fc_%d_%d", n, i), "call_id": fmt.Sprintf("call_%d_%d", n, i), "name": c.Tool, "arguments": string(args), "status": "completed"}
		if space, name, ok := strings.Cut(c.Tool, "."); ok {
			item["namespace"], item["name"] = space, name
		}
		items = append(items, item)
	}
	if s.Text != "" {
		items = append(items, object{"type": "message", "id": fmt.Sprintf("msg_%d", n), "role": "assistant", "status": "completed", "content": []object{{"type": "output_text", "text": s.Text, "annotations": []object{}}}})
	}
	response := object{"id": fmt.Sprintf("resp_%d", n), "object": "response", "created_at": 0, "model": "m", "status": "in_progress", "output": []object{}}
	number := 0
	ev := func(kind string, v object) {
		v["type"], v["sequence_number"] = kind, number
		number++
		send(w, kind, v)
	}
	ev("response.created", object{"response": response})
	for i, item := range items {
		ev("response.output_item.added", object{"output_index": i, "item": item})
		ev("response.output_item.done", object{"output_index": i, "item": item})
	}
	done := object{}
	maps.Copy(done, response)
	done["status"], done["output"] = "completed", items
	done["usage"] = object{"input_tokens": 7, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 3, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 10}
	ev("response.completed", object{"response": done})
}
