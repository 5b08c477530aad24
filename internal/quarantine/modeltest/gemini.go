package modeltest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// readGemini reads a request of Google's generateContent.
func readGemini(body []byte) (t Turn) {
	var req struct {
		SystemInstruction struct{ Parts json.RawMessage }
		Contents          []struct {
			Role  string
			Parts json.RawMessage
		}
	}
	_ = json.Unmarshal(body, &req) // the script sees an empty request
	t.System = text(req.SystemInstruction.Parts)
	for _, c := range req.Contents {
		if c.Role == "model" {
			t.N++
			continue
		}
		var parts []struct {
			FunctionResponse *struct{ Response json.RawMessage }
		}
		_ = json.Unmarshal(c.Parts, &parts) // text parts have none
		for _, p := range parts {
			if p.FunctionResponse != nil {
				var said struct{ Output, Error string }
				_ = json.Unmarshal(p.FunctionResponse.Response, &said) // otherwise the script sees an empty result
				t.Last = said.Output + said.Error
				t.Results = append(t.Results, t.Last)
			}
		}
		if s := text(c.Parts); s != "" {
			if t.Last = s; strings.Contains(s, "typed://") && t.User == "" {
				t.User = s
			}
		}
	}
	return t
}

// writeGemini writes a response of Google's generateContent.
func writeGemini(w http.ResponseWriter, s Say, streamed bool) {
	parts := []object{}
	if s.Text != "" {
		parts = append(parts, object{"text": s.Text})
	}
	for _, c := range s.Calls {
		parts = append(parts, object{"functionCall": object{"name": c.Tool, "args": c.Args}, "thoughtSignature": "c2lnbmF0dXJl"})
	}
	answer := object{
		"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 10}, "modelVersion": "m", "responseId": "r",
	}
	if streamed {
		send(w, "", answer)
		return
	}
	_ = json.NewEncoder(w).Encode(answer) // the client may have left
}
