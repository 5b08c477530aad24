package place

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestTokensOfAgents(t *testing.T) {
	m := Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj", Temp: "/tmp", Moved: []Moved{{"/srv/codex", ".codex"}, {"/srv/data", ".local/share"}, {"/srv/gh", ".config/gh"}}}
	for _, path := range []string{
		"~/.claude/.credentials.json", "~/.codex/auth.json", "~/.codex/.credentials.json", "~/.gemini/oauth_creds.json", "~/.gemini/mcp-oauth-tokens.json", "~/.qwen/oauth_creds.json",
		"~/.config/github-copilot/apps.json", "~/.config/github-copilot/hosts.json", "~/.local/share/opencode/auth.json", "~/.local/share/opencode/mcp-auth.json", "~/.cline/data/secrets.json",
		"~/.factory/auth.json", "~/.factory/auth.encrypted", "~/.config/cursor/auth.json", "~/.config/Cursor/User/globalStorage/state.vscdb", "~/Library/Application Support/Cursor/User/globalStorage/state.vscdb",
		"~/.local/share/amp/secrets.json", "~/.config/goose/secrets.yaml", "~/.local/share/crush/crush.json", "~/.aider/oauth-keys.env", "~/.continue/auth.json", "~/.codeium/config.json", "~/.config/zed/development_credentials",
		"~/.pi/agent/auth.json", "~/.augment/session.json", "~/.iflow/oauth_creds.json", "~/.kimi/credentials/kimi.json", "~/.local/share/devin/credentials.toml", "~/.local/share/kiro-cli/data.sqlite3", "~/.config/manicode/credentials.json",
		"~/.config/gh/hosts.yml", "~/.config/glab-cli/config.yml", "/srv/gh/hosts.yml",
		".claude/.credentials.json", ".codex/auth.json", "/srv/codex/auth.json", "/srv/data/opencode/auth.json", "/root/.codex/auth.json", "/mnt/c/Users/dev/.codex/auth.json", "~/backup/.claude/.credentials.json",
		"~/.codex/*.json", "~/.codex/auth.*", "~/.claude/.cred*", "~/.claude/.credentials.json.bak", "C:/Users/dev/AppData/Roaming/Cursor/auth.json",
	} {
		if abs, p := m.Resolve(path); p&umpire.PlaceCredentials == 0 {
			t.Errorf("%s (%s) is %v", path, abs, p)
		}
	}
	for _, path := range []string{
		"~/.claude/settings.json", "~/.claude/settings.local.json", "~/.claude.json", "~/.codex/config.toml", "~/.gemini/settings.json", "~/.qwen/settings.json", "~/.factory/settings.json", "~/.config/opencode/opencode.json",
		".claude/settings.json", ".claude/commands/auth.json", ".claude/skills/x/auth.json", ".claude/agents/auth.md", ".cursor/rules/auth.mdc", "src/claude/auth.json", "src/cursor/token.json", "opencode/auth.json", "src/auth.json", "codex/auth.json",
		"~/.config/zed/settings.json", "~/.config/goose/config.yaml", "~/.claude/projects/x/oauth.json", "~/.config/crush/crush.json",
	} {
		if abs, p := m.Resolve(path); p&umpire.PlaceCredentials != 0 {
			t.Errorf("%s (%s) is %v", path, abs, p)
		}
	}
}
