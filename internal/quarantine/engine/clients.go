package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

var errSaid = errors.New("the client gave no answer")

var clients = []client{
	{
		name: "claude", protocols: []string{"anthropic"},
		login: "A Claude subscription cannot pay for a review: umpire would have to take the token out of your login and send it itself, which Anthropic's terms do not allow. Set ANTHROPIC_API_KEY to a key of the Claude Console, or use another model with --engine builtin.",
		prepare: func(p place, s start) error {
			hook := obj{"type": "command", "command": quoteWord(s.umpire) + " " + hookName + " claude " + quoteWord(s.socket), "onFailure": "block"}
			return errors.Join(
				writeJSON(filepath.Join(p.Root, "settings.json"), obj{
					"permissions": obj{"allow": []string{"mcp__umpire__read", "mcp__umpire__grep", "mcp__umpire__glob"}, "deny": []string{"Bash", "Edit", "Write", "Read", "WebFetch", "WebSearch", "Agent", "Task", "Skill"}},
					"hooks":       obj{"PreToolUse": []obj{{"matcher": "*", "hooks": []obj{hook}}}},
				}),
				writeJSON(filepath.Join(p.Root, "mcp.json"), obj{"mcpServers": obj{"umpire": obj{"type": "stdio", "command": s.umpire, "args": []string{mcpName, s.socket}}}}),
				os.WriteFile(filepath.Join(p.Root, "system.txt"), []byte(s.system), 0o600),
			)
		},
		args: func(p place, s start) []string {
			return []string{
				"-p", "--output-format", "json", "--model", s.model, "--restricted", "--tools", "", "--strict-mcp-config", "--mcp-config", filepath.Join(p.Root, "mcp.json"),
				"--setting-sources", "", "--settings", filepath.Join(p.Root, "settings.json"), "--permission-mode", "dontAsk", "--permission-prompts", "none",
				"--no-session-persistence", "--max-budget-usd", "25", "--disable-slash-commands", "--system-prompt-file", filepath.Join(p.Root, "system.txt"), "--json-schema", asJSON(answerSchema()),
			}
		},
		env: func(_ place, s start) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + s.url, "ANTHROPIC_API_KEY=" + s.placeholder, "ANTHROPIC_MODEL=" + s.model, "ANTHROPIC_SMALL_FAST_MODEL=" + s.model, "ANTHROPIC_DEFAULT_HAIKU_MODEL=" + s.model,
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "ENABLE_TOOL_SEARCH=false",
				"MAX_MCP_OUTPUT_TOKENS=1000000", // otherwise its model does not see a long file completely
			}
		},
		answer: func(_ place, stdout []byte) (string, error) {
			var said struct {
				Result           string          `json:"result"`
				StructuredOutput json.RawMessage `json:"structured_output"`
			}
			if err := json.Unmarshal(stdout, &said); err != nil {
				return "", errSaid
			}
			if len(said.StructuredOutput) > 0 && string(said.StructuredOutput) != "null" {
				return string(said.StructuredOutput), nil
			}
			return said.Result, nil
		},
	},
	{
		name: "codex", protocols: []string{"openai"},
		login: "A ChatGPT login cannot pay for a review: its token is not one of the API, and the client starts without your home, which has the login. Set OPENAI_API_KEY to a key of the API, or use another model with --engine builtin.",
		prepare: func(p place, s start) error {
			return errors.Join(os.MkdirAll(filepath.Join(p.Home, ".codex"), 0o700),
				writeJSON(filepath.Join(p.Root, "schema.json"), answerSchema()),
				os.WriteFile(filepath.Join(p.Root, "system.txt"), []byte(s.system), 0o600))
		},
		args: func(p place, s start) []string {
			args := []string{"exec", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config", "--ignore-rules", "--strict-config", "-s", "read-only", "--color", "never", "-C", p.Work,
				"-m", s.model, "--output-schema", filepath.Join(p.Root, "schema.json"), "-o", filepath.Join(p.Root, "last.txt")}
			for _, kv := range [][2]string{
				{"model_provider", `"umpire"`},
				{"model_providers.umpire", `{ name = "umpire", base_url = ` + strconv.Quote(s.url+"/v1") + `, env_key = "UMPIRE_PLACEHOLDER", wire_api = "responses", request_max_retries = 0, stream_max_retries = 0 }`},
				{"approval_policy", `"never"`},
				{"web_search", `"disabled"`},
				{"project_doc_max_bytes", "0"},
				{"tool_output_token_limit", "1000000"},
				{"model_instructions_file", strconv.Quote(filepath.Join(p.Root, "system.txt"))},
				{"mcp_servers.umpire.command", strconv.Quote(s.umpire)},
				{"mcp_servers.umpire.args", toml(mcpName, s.socket)},
				{"mcp_servers.umpire.enabled_tools", toml("read", "grep", "glob")},
				{"mcp_servers.umpire.default_tools_approval_mode", `"approve"`},
				{"mcp_servers.umpire.required", "true"},
			} {
				args = append(args, "-c", kv[0]+"="+kv[1])
			}
			for _, f := range []string{"shell_tool", "unified_exec", "view_image", "multi_agent", "apps", "plugins", "goals", "tool_suggest", "image_generation", "browser_use", "computer_use", "sleep_tool", "skill_search", "hooks", "code_mode_host", "remote_plugin", "worktrees", "workspace_dependencies", "shell_snapshot", "enable_request_compression"} {
				args = append(args, "--disable", f)
			}
			return append(args, "-")
		},
		env: func(p place, s start) []string {
			return []string{"UMPIRE_PLACEHOLDER=" + s.placeholder, "CODEX_HOME=" + filepath.Join(p.Home, ".codex")}
		},
		answer: func(p place, _ []byte) (string, error) {
			b, err := os.ReadFile(filepath.Join(p.Root, "last.txt"))
			if err != nil || len(b) > maxSaid {
				return "", errSaid
			}
			return string(b), nil
		},
	},
	{
		name: "opencode", protocols: []string{"anthropic", "openai"},
		prepare: func(place, start) error { return nil },
		args: func(_ place, s start) []string {
			return []string{"run", "--format", "json", "--pure", "--agent", "umpire", "--title", "review", "-m", "umpire/" + s.model}
		},
		env: func(_ place, s start) []string {
			return []string{"OPENCODE_CONFIG_CONTENT=" + asJSON(openCode(s)), "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
				"OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_CLAUDE_CODE=1", "OPENCODE_DISABLE_PROJECT_CONFIG=1"}
		},
		answer: func(_ place, stdout []byte) (string, error) {
			var last strings.Builder
			lines := bufio.NewScanner(bytes.NewReader(stdout))
			lines.Buffer(nil, maxSaid)
			for lines.Scan() {
				var e struct {
					Type string
					Part struct{ Type, Text string }
				}
				if json.Unmarshal(lines.Bytes(), &e) != nil {
					continue // other output between events
				}
				switch {
				case e.Type == "text" && e.Part.Type == "text":
					last.WriteString(e.Part.Text)
				case e.Type == "step_start":
					last.Reset()
				}
			}
			if last.Len() == 0 {
				return "", errSaid
			}
			return last.String(), nil
		},
	},
	clineClient,
	geminiClient,
}

// openCode is a configuration that allows the three tools and nothing else.
func openCode(s start) obj {
	npm := "@ai-sdk/openai-compatible"
	if s.anthropic {
		npm = "@ai-sdk/anthropic"
	}
	deny := obj{"*": "deny", "umpire_read": "allow", "umpire_grep": "allow", "umpire_glob": "allow"}
	return obj{
		"model": "umpire/" + s.model, "small_model": "umpire/" + s.model, "autoupdate": false, "share": "disabled", "snapshot": false,
		"tool_output":  obj{"max_lines": 1_000_000, "max_bytes": maxOutput},
		"provider":     obj{"umpire": obj{"npm": npm, "name": "umpire", "options": obj{"baseURL": s.url + "/v1", "apiKey": s.placeholder}, "models": obj{s.model: obj{"name": s.model}}}},
		"permission":   deny,
		"mcp":          obj{"umpire": obj{"type": "local", "command": []string{s.umpire, mcpName, s.socket}, "enabled": true}},
		"agent":        obj{"umpire": obj{"mode": "primary", "description": "reviews", "prompt": s.system, "permission": deny}},
		"instructions": []string{},
	}
}

// quoteWord quotes a path for a shell.
func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
