package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// clineTools lists Cline's built-in tools. The client would offer a tool of a later version to the
// model, and the outlet then refuses the request.
var clineTools = []string{
	"read_files", "search_codebase", "run_commands", "fetch_web_content", "apply_patch", "editor", "skills", "ask_question", "submit_and_exit", "spawn_agent",
	"team_spawn_teammate", "team_shutdown_teammate", "team_status", "team_task", "team_run_task", "team_cancel_run", "team_list_runs", "team_await_runs", "team_send_message",
	"team_broadcast", "team_read_mailbox", "team_mission_log", "team_cleanup", "team_create_outcome", "team_attach_outcome_fragment", "team_review_outcome_fragment",
	"team_finalize_outcome", "team_list_outcomes",
}

var clineClient = client{
	name: "cline", protocols: []string{"openai", "anthropic"},
	prepare: func(p place, s start) error {
		dir := filepath.Join(p.Home, ".cline", "data", "settings")
		provider := clineProvider(s)
		return errors.Join(
			os.MkdirAll(dir, 0o700),
			writeJSON(filepath.Join(dir, "providers.json"), obj{
				"version": 1, "lastUsedProvider": provider, "modes": obj{},
				"providers": obj{provider: obj{
					"settings":  obj{"provider": provider, "apiKey": s.placeholder, "model": s.model, "baseUrl": s.url + "/v1"},
					"updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual",
				}},
			}),
			writeJSON(filepath.Join(dir, "global-settings.json"), obj{
				"telemetryOptOut": true, "autoUpdateEnabled": false, "compactionEnabled": false, "disabledTools": clineTools, "tools": obj{"web_search": obj{"enabled": false}},
			}),
			writeJSON(filepath.Join(dir, "cline_mcp_settings.json"), obj{"mcpServers": obj{"umpire": obj{"type": "stdio", "command": s.umpire, "args": []string{mcpName, s.socket}}}}),
		)
	},
	args: func(p place, s start) []string {
		// The client joins this text and its standard input to one prompt.
		return []string{"--json", "--compaction", "off", "--retries", "12", "--system", s.system, "--provider", clineProvider(s), "--model", s.model, "--cwd", p.Work, "Review the files that are listed below."}
	},
	env: func(place, start) []string {
		return []string{
			"CLINE_TELEMETRY_DISABLED=1", "CLINE_NO_AUTO_UPDATE=1",
			"CLINE_SESSION_BACKEND_MODE=local", // no daemon that outlives the client and listens on a port
			"CLINE_MESSAGE_BUILDER_MAX_TOOL_RESULT_CHARS=100000000", "CLINE_MESSAGE_BUILDER_MAX_TOTAL_TEXT_BYTES=100000000",
		}
	},
	answer: func(_ place, stdout []byte) (string, error) {
		lines := bufio.NewScanner(bytes.NewReader(stdout))
		lines.Buffer(nil, maxSaid)
		for lines.Scan() {
			var e struct{ Type, FinishReason, Text string }
			if json.Unmarshal(lines.Bytes(), &e) == nil && e.Type == "run_result" && e.FinishReason == "completed" && e.Text != "" {
				return e.Text, nil
			}
		}
		return "", errSaid
	},
}

func clineProvider(s start) string {
	if s.anthropic {
		return "anthropic"
	}
	return "openai-compatible"
}
