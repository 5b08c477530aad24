package live

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// modelName is the model's name for clients that accept any.
const modelName = "scripted-model"

// Client describes how to connect a coding agent to the scripted model. It does not change the
// hooks: `umpire init` does.
type Client struct {
	Name  string
	Title string

	files func(p Place, url string) map[string]any // settings in the home: text, or values for JSON
	env   func(p Place, url string) []string
	args  func(p Place, prompt string) []string
	shell func(command string) ScriptedCall
}

// Place is a temporary home.
type Place struct {
	Root    string // the complete output
	Home    string
	Project string // where the client runs
	Temp    string
}

// Clients lists the supported clients, in the order of `umpire init`.
func Clients() []*Client {
	return []*Client{&claude, &codex, &gemini, &qwen, &copilot, &droid, &cline, &opencode, &pi}
}

// Find returns the client of that name, or nil.
func Find(name string) *Client {
	for _, c := range Clients() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// fakeKey is used where a client requires a key. It never leaves the loopback address.
const fakeKey = "umpire-live-no-key"

var claude = Client{
	Name: "claude", Title: "Claude Code",
	files: func(Place, string) map[string]any {
		return map[string]any{".claude/settings.json": object{"permissions": object{"allow": []string{"Bash"}}}}
	},
	env: func(_ Place, url string) []string {
		return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=" + fakeKey, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}
	},
	args: func(_ Place, prompt string) []string { return []string{"-p", prompt} },
	shell: func(command string) ScriptedCall {
		return ScriptedCall{{Tool: "Bash", Input: object{"command": command, "description": "scripted"}}}
	},
}

var codex = Client{
	Name: "codex", Title: "Codex CLI",
	files: func(_ Place, url string) map[string]any {
		return map[string]any{".codex/config.toml": `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = ` + strconv.Quote(url+"/v1") + `
env_key = "UMPIRE_LIVE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`}
	},
	env: func(Place, string) []string { return []string{"UMPIRE_LIVE_KEY=" + fakeKey} },
	args: func(_ Place, prompt string) []string {
		return []string{"exec", "--skip-git-repo-check", prompt}
	},
	shell: func(command string) ScriptedCall {
		script := "text(await tools.exec_command({cmd: " + strconv.Quote(command) + "}))"
		return ScriptedCall{
			{Tool: "exec_command", Input: object{"cmd": command}},
			{Tool: "shell_command", Input: object{"command": command}},
			{Tool: "shell", Input: object{"command": []string{"bash", "-c", command}}},
			{Tool: "functions.exec", Text: script},
			{Tool: "exec", Text: script},
		}
	},
}

var gemini = Client{
	Name: "gemini", Title: "Gemini CLI",
	files: func(Place, string) map[string]any {
		return map[string]any{".gemini/settings.json": object{
			"security":  object{"auth": object{"selectedType": "gemini-api-key"}},
			"privacy":   object{"usageStatisticsEnabled": false},
			"general":   object{"disableAutoUpdate": true, "enableAutoUpdate": false},
			"telemetry": object{"enabled": false},
		}}
	},
	env: func(_ Place, url string) []string {
		return []string{"GEMINI_API_KEY=" + fakeKey, "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_CLI_TRUST_WORKSPACE=true"}
	},
	args: func(_ Place, prompt string) []string {
		return []string{"-p", prompt, "-m", "gemini-2.5-pro", "--approval-mode", "yolo"}
	},
	shell: func(command string) ScriptedCall {
		return ScriptedCall{{Tool: "run_shell_command", Input: object{"command": command, "description": "scripted"}}}
	},
}

var qwen = Client{
	Name: "qwen", Title: "Qwen Code",
	files: func(Place, string) map[string]any {
		return map[string]any{".qwen/settings.json": object{
			"security":  object{"auth": object{"selectedType": "openai"}},
			"privacy":   object{"usageStatisticsEnabled": false},
			"general":   object{"disableAutoUpdate": true, "enableAutoUpdate": false},
			"telemetry": object{"enabled": false},
		}}
	},
	env: func(_ Place, url string) []string {
		return []string{"OPENAI_API_KEY=" + fakeKey, "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=" + modelName}
	},
	args: func(_ Place, prompt string) []string { return []string{"-p", prompt, "--approval-mode", "yolo"} },
	shell: func(command string) ScriptedCall {
		return ScriptedCall{{Tool: "run_shell_command", Input: object{"command": command, "description": "scripted", "is_background": false}}}
	},
}

var copilot = Client{
	Name: "copilot", Title: "GitHub Copilot CLI",
	env: func(_ Place, url string) []string {
		return []string{
			"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_TYPE=openai",
			"COPILOT_PROVIDER_API_KEY=" + fakeKey, "COPILOT_MODEL=" + modelName,
		}
	},
	args: func(_ Place, prompt string) []string {
		return []string{"-p", prompt, "--no-color", "--allow-all-tools", "--allow-all-paths"}
	},
	shell: func(command string) ScriptedCall {
		return ScriptedCall{{Tool: "bash", Input: object{"command": command, "description": "scripted", "mode": "sync", "initial_wait": 30}}}
	},
}

var droid = Client{
	Name: "droid", Title: "Factory Droid",
	files: func(_ Place, url string) map[string]any {
		return map[string]any{".factory/settings.json": object{"customModels": []object{{
			"model": modelName, "id": "custom:scripted-0", "index": 0, "displayName": "scripted", "baseUrl": url + "/v1", "apiKey": fakeKey,
			"provider": "generic-chat-completion-api", "maxOutputTokens": 8000,
		}}}}
	},
	env: func(Place, string) []string {
		return []string{"FACTORY_AIRGAP_ENABLED=true", "FACTORY_DROID_AUTO_UPDATE_ENABLED=false", "FACTORY_DISABLE_KEYRING=true"}
	},
	args: func(_ Place, prompt string) []string {
		return []string{"exec", "--skip-permissions-unsafe", "-m", "custom:scripted-0", prompt}
	},
	shell: func(command string) ScriptedCall {
		return ScriptedCall{{Tool: "Execute", Input: object{"command": command, "summary": "scripted", "riskLevel": "low", "riskLevelReason": "scripted"}}}
	},
}

var cline = Client{
	Name: "cline", Title: "Cline CLI",
	files: func(_ Place, url string) map[string]any {
		return map[string]any{".cline/data/settings/providers.json": object{
			"version": 1, "lastUsedProvider": "openai-compatible", "modes": object{},
			"providers": object{"openai-compatible": object{
				"settings":  object{"provider": "openai-compatible", "apiKey": fakeKey, "model": modelName, "baseUrl": url + "/v1"},
				"updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual",
			}},
		}}
	},
	env: func(Place, string) []string { return []string{"CLINE_TELEMETRY_DISABLED=1", "CLINE_NO_AUTO_UPDATE=1"} },
	args: func(_ Place, prompt string) []string {
		return []string{"-t", "60", prompt}
	},
	shell: func(command string) ScriptedCall {
		return ScriptedCall{
			{Tool: "run_commands", Input: object{"commands": []string{command}}},
			{Tool: "execute_command", Input: object{"command": command, "requires_approval": false}},
		}
	},
}

var opencode = Client{
	Name: "opencode", Title: "OpenCode",
	files: func(_ Place, url string) map[string]any {
		return map[string]any{".config/opencode/opencode.json": object{
			"model": "scripted/" + modelName, "small_model": "scripted/" + modelName, "autoupdate": false, "share": "disabled",
			"provider": object{"scripted": object{
				"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": object{"baseURL": url + "/v1", "apiKey": fakeKey},
				"models": object{modelName: object{"name": "scripted"}},
			}},
			"permission": object{"*": "allow"},
		}}
	},
	env: func(Place, string) []string {
		return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
	},
	args: func(_ Place, prompt string) []string { return []string{"run", prompt} },
	shell: func(command string) ScriptedCall {
		return ScriptedCall{{Tool: "bash", Input: object{"command": command, "description": "scripted"}}}
	},
}

var pi = Client{
	Name: "pi", Title: "Pi",
	files: func(_ Place, url string) map[string]any {
		return map[string]any{".pi/agent/models.json": object{"providers": object{"scripted": object{
			"baseUrl": url + "/v1", "api": "openai-completions", "apiKey": fakeKey, "models": []object{{"id": modelName}},
		}}}}
	},
	env: func(Place, string) []string { return []string{"PI_OFFLINE=1"} },
	args: func(_ Place, prompt string) []string {
		return []string{"-p", "--provider", "scripted", "--model", modelName, "--offline", prompt}
	},
	shell: func(command string) ScriptedCall {
		return ScriptedCall{{Tool: "bash", Input: object{"command": command}}}
	},
}

// configure writes what the client needs to find the model.
func (c *Client) configure(p Place, url string) error {
	if c.files == nil {
		return nil
	}
	for name, content := range c.files(p, url) {
		data, ok := content.(string)
		if !ok {
			b, err := json.MarshalIndent(content, "", "  ")
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			data = string(b) + "\n"
		}
		path := filepath.Join(p.Home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// environ returns a new environment for a client: none of the user's keys, settings or proxies are
// in it.
func (c *Client) environ(p Place, url, path string) []string {
	env := []string{
		"PATH=" + path, "HOME=" + p.Home, "TMPDIR=" + p.Temp, "TERM=dumb", "LANG=C.UTF-8", "NO_COLOR=1", "CI=",
		"XDG_CONFIG_HOME=" + filepath.Join(p.Home, ".config"), "XDG_CACHE_HOME=" + filepath.Join(p.Home, ".cache"),
		"XDG_DATA_HOME=" + filepath.Join(p.Home, ".local", "share"), "XDG_STATE_HOME=" + filepath.Join(p.Home, ".local", "state"),
		"npm_config_registry=" + url + registry, "npm_config_update_notifier=false",
	}
	return append(env, c.env(p, url)...)
}

// quote quotes a path for a shell.
func quote(s string) string {
	if strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/.,:@%+-") == "" && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
