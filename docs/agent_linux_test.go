package docs

import "github.com/umpire-dev/umpire/internal/live"

// agentModel starts a model that makes one call and then ends its turn, and has the agent use it.
func agentModel(tool string, input map[string]any) func(*world) {
	return func(w *world) {
		w.Helper()
		for name, value := range input {
			if text, ok := value.(string); ok {
				input[name] = w.here(text)
			}
		}
		model, err := live.StartModel("127.0.0.1:0", []live.ScriptedCall{{{Tool: tool, Input: input}}})
		if err != nil {
			w.Fatal(err)
		}
		w.Cleanup(model.Close)
		w.must("export PROVIDER=openai-compatible MODEL_ID=scripted OPENAI_BASE_URL=" + model.URL + "/v1")
	}
}
