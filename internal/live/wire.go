package live

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// text reads the client's forms of a text: a string, parts with a text, or an object.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) == nil {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.Text)
		}
		return b.String()
	}
	return string(raw)
}

// decode reads a request, or answers with the error.
func decode(w http.ResponseWriter, body []byte, v any) bool {
	if err := json.Unmarshal(body, v); err != nil {
		reply(w, http.StatusBadRequest, object{"error": object{"type": "invalid_request_error", "message": err.Error()}})
		return false
	}
	return true
}

func asJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func serveModels(_ *Model, w http.ResponseWriter, _ *http.Request, _ []byte) {
	var list []object
	for _, id := range []string{modelName, "claude-sonnet-4-5", "gpt-5", "gemini-2.5-pro"} {
		list = append(list, object{"id": id, "object": "model", "type": "model", "display_name": id, "owned_by": "umpire", "created": 0})
	}
	reply(w, http.StatusOK, object{"object": "list", "data": list, "has_more": false})
}

func serveCount(_ *Model, w http.ResponseWriter, _ *http.Request, _ []byte) {
	reply(w, http.StatusOK, object{"input_tokens": 100, "totalTokens": 100})
}

func serveMessages(m *Model, w http.ResponseWriter, _ *http.Request, body []byte) {
	var req struct {
		Model    string
		Stream   bool
		Tools    []struct{ Name string }
		Messages []struct{ Content json.RawMessage }
	}
	if !decode(w, body, &req) {
		return
	}
	var offered, results []string
	for _, t := range req.Tools {
		offered = append(offered, t.Name)
	}
	for _, msg := range req.Messages {
		var blocks []struct {
			Type    string
			Content json.RawMessage
		}
		if json.Unmarshal(msg.Content, &blocks) != nil {
			continue // a string
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				results = append(results, text(b.Content))
			}
		}
	}
	block, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": final}
	content, stop := object{"type": "text", "text": final}, "end_turn"
	if f, ok := m.due(offered, results); ok {
		id := "toolu_umpire_" + strconv.Itoa(len(results))
		block = object{"type": "tool_use", "id": id, "name": f.Tool, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": asJSON(f.Input)}
		content, stop = object{"type": "tool_use", "id": id, "name": f.Tool, "input": f.Input}, "tool_use"
	}
	message := object{
		"id": "msg_umpire", "type": "message", "role": "assistant", "model": req.Model, "content": []object{content}, "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": 10, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
	}
	if !req.Stream {
		reply(w, http.StatusOK, message)
		return
	}
	message["content"], message["stop_reason"] = []object{}, nil
	s := openStream(w)
	for _, e := range []object{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": block},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 10}},
		{"type": "message_stop"},
	} {
		s.send(e["type"].(string), e)
	}
}

// responsesTool is a tool of OpenAI's Responses, or a namespace of some.
type responsesTool struct {
	Type, Name string
	Tools      []struct{ Name string }
}

// responsesInput is an item of a conversation.
type responsesInput struct {
	Type   string
	Output json.RawMessage
	Tools  []responsesTool
}

// readResponses returns the tools that a client offers, and the results of the calls before.
func readResponses(tools []responsesTool, input []responsesInput) (offered, results []string) {
	for _, item := range input {
		switch {
		case item.Type == "additional_tools":
			tools = append(tools, item.Tools...)
		case strings.HasSuffix(item.Type, "_output"):
			results = append(results, text(item.Output))
		}
	}
	for _, t := range tools {
		switch {
		case t.Type == "namespace":
			for _, sub := range t.Tools {
				offered = append(offered, t.Name+"."+sub.Name)
			}
		case t.Name == "":
			offered = append(offered, t.Type)
		default:
			offered = append(offered, t.Name)
		}
	}
	return offered, results
}

func serveResponses(m *Model, w http.ResponseWriter, _ *http.Request, body []byte) {
	var req struct {
		Model  string
		Stream bool
		Tools  []responsesTool
		Input  json.RawMessage
	}
	if !decode(w, body, &req) {
		return
	}
	var input []responsesInput
	_ = json.Unmarshal(req.Input, &input) // or it is a string, and there is no conversation yet
	offered, results := readResponses(req.Tools, input)
	n := strconv.Itoa(len(results))
	part := object{"type": "output_text", "text": final, "annotations": []any{}}
	item := object{"type": "message", "id": "msg_" + n, "role": "assistant", "status": "completed", "content": []object{part}}
	if f, ok := m.due(offered, results); ok {
		item = object{"type": "function_call", "id": "fc_" + n, "call_id": "call_" + n, "name": f.Tool, "status": "completed"}
		if space, name, ok := strings.Cut(f.Tool, "."); ok {
			item["namespace"], item["name"] = space, name
		}
		if f.Text != "" {
			item["type"], item["id"], item["input"] = "custom_tool_call", "ctc_"+n, f.Text
		} else {
			item["arguments"] = asJSON(f.Input)
		}
	}
	response := func(status string, output ...object) object {
		return object{
			"id": "resp_" + n, "object": "response", "created_at": 0, "model": req.Model, "status": status, "output": append([]object{}, output...),
			"usage": object{"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 10, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 20},
		}
	}
	if !req.Stream {
		reply(w, http.StatusOK, response("completed", item))
		return
	}
	streamItem(w, item, response)
}

// streamItem sends an item of a response as the events of a stream.
func streamItem(w http.ResponseWriter, item object, response func(status string, output ...object) object) {
	s, number := openStream(w), 0
	send := func(name string, e object) {
		e["type"], e["sequence_number"] = name, number
		number++
		s.send(name, e)
	}
	begun := object{"status": "in_progress"}
	for k, v := range item {
		if _, ok := begun[k]; !ok {
			begun[k] = v
		}
	}
	send("response.created", object{"response": response("in_progress")})
	at := func(e object) object {
		e["item_id"], e["output_index"] = item["id"], 0
		return e
	}
	switch item["type"] {
	case "message":
		begun["content"] = []object{}
		send("response.output_item.added", object{"output_index": 0, "item": begun})
		send("response.content_part.added", at(object{"content_index": 0, "part": object{"type": "output_text", "text": "", "annotations": []any{}}}))
		send("response.output_text.delta", at(object{"content_index": 0, "delta": final}))
		send("response.output_text.done", at(object{"content_index": 0, "text": final}))
		send("response.content_part.done", at(object{"content_index": 0, "part": item["content"].([]object)[0]}))
	case "function_call":
		begun["arguments"] = ""
		send("response.output_item.added", object{"output_index": 0, "item": begun})
		send("response.function_call_arguments.delta", at(object{"delta": item["arguments"]}))
		send("response.function_call_arguments.done", at(object{"arguments": item["arguments"]}))
	default:
		begun["input"] = ""
		send("response.output_item.added", object{"output_index": 0, "item": begun})
	}
	send("response.output_item.done", object{"output_index": 0, "item": item})
	send("response.completed", object{"response": response("completed", item)})
}

func serveChat(m *Model, w http.ResponseWriter, _ *http.Request, body []byte) {
	var req struct {
		Model  string
		Stream bool
		Tools  []struct {
			Name     string
			Function struct{ Name string }
		}
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if !decode(w, body, &req) {
		return
	}
	var offered, results []string
	for _, t := range req.Tools {
		offered = append(offered, t.Name+t.Function.Name)
	}
	for _, msg := range req.Messages {
		if msg.Role == "tool" {
			results = append(results, text(msg.Content))
		}
	}
	message, finish := object{"role": "assistant", "content": final}, "stop"
	if f, ok := m.due(offered, results); ok {
		message, finish = object{"role": "assistant", "content": nil, "tool_calls": []object{{
			"index": 0, "id": "call_umpire_" + strconv.Itoa(len(results)), "type": "function",
			"function": object{"name": f.Tool, "arguments": asJSON(f.Input)},
		}}}, "tool_calls"
	}
	usage := object{"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
	whole := func(kind string, choices ...object) object {
		return object{"id": "chatcmpl-umpire", "object": kind, "created": 0, "model": req.Model, "choices": append([]object{}, choices...)}
	}
	if !req.Stream {
		doc := whole("chat.completion", object{"index": 0, "message": message, "finish_reason": finish})
		doc["usage"] = usage
		reply(w, http.StatusOK, doc)
		return
	}
	const chunk = "chat.completion.chunk"
	s := openStream(w)
	s.send("", whole(chunk, object{"index": 0, "delta": message, "finish_reason": nil}))
	s.send("", whole(chunk, object{"index": 0, "delta": object{}, "finish_reason": finish}))
	last := whole(chunk)
	last["usage"] = usage
	s.send("", last)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func serveGenerate(m *Model, w http.ResponseWriter, r *http.Request, body []byte) {
	var req struct {
		Tools []struct {
			FunctionDeclarations []struct{ Name string }
		}
		Contents []struct {
			Parts []struct {
				FunctionResponse *struct{ Response json.RawMessage }
			}
		}
		GenerationConfig struct {
			ResponseMimeType   string
			ResponseJSONSchema json.RawMessage
		}
	}
	if !decode(w, body, &req) {
		return
	}
	var offered, results []string
	for _, t := range req.Tools {
		for _, f := range t.FunctionDeclarations {
			offered = append(offered, f.Name)
		}
	}
	for _, c := range req.Contents {
		for _, p := range c.Parts {
			if p.FunctionResponse != nil {
				results = append(results, text(p.FunctionResponse.Response))
			}
		}
	}
	part := object{"text": final}
	if c := req.GenerationConfig; c.ResponseMimeType == "application/json" || c.ResponseJSONSchema != nil {
		// The client asks which model suits the task; any object will do.
		part["text"] = `{"reasoning":"scripted","model_choice":"pro","complexity_score":90,"complexity_reasoning":"scripted"}`
	}
	if f, ok := m.due(offered, results); ok {
		part = object{"functionCall": object{"id": "fc_" + strconv.Itoa(len(results)), "name": f.Tool, "args": f.Input}, "thoughtSignature": "dW1waXJl"}
	}
	doc := object{
		"candidates":    []object{{"content": object{"role": "model", "parts": []object{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
		"modelVersion":  modelName, "responseId": "umpire",
	}
	if !strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		reply(w, http.StatusOK, doc)
		return
	}
	openStream(w).send("", doc)
}
