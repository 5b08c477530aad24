package place

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

const agentFolders = " .claude .codex .gemini .qwen .copilot .factory .cline .opencode .pi .cursor .codeium .windsurf .kiro .amp .crush .aider .continue .roo .devin .kimi .kimi-code .augment .goose .antigravity .junie .trae .iflow .openhands .vibe .grok .kilocode .plandex-home .codebuff .mistral "

// agentNames are their folders below a folder for settings or data, such as ~/.config. In a project
// these are ordinary names.
const agentNames = " claude codex gemini opencode cursor cursor-agent amp crush goose devin github-copilot zed windsurf amazon-q kiro-cli kiro manicode continue aider augment openhands gptme io.datasette.llm block antigravity "

// tokenNames are files with an agent's login. They do not count as settings.
var tokenNames = []string{
	"auth*.json", "auth.toml", "auth.encrypted", "auth.v2.*", "mcp-auth.json", ".credentials*", "credentials*.json", "credentials*.toml", "credentials*.y*ml", "*-credentials.json", "oauth_creds*.json", "oauth-creds*.json", "oauth*.json", "*oauth-tokens*.json",
	"secrets.json", "secrets.y*ml", "secrets.toml", "oauth-keys.env", "keys.json", "token", "token*.json", "*_token", "api_key*", "apikey*", "apps.json", "hosts.json", "development_credentials", ".jwt_secret", "state.vscdb*", "data.sqlite3*",
}

// tokens returns the places of files with tokens of coding agents. To the model's provider, the
// holder of such a token is the user.
func tokens(segs []string) umpire.Place {
	for i, s := range segs[:max(0, len(segs)-1)] {
		if !agentFolder(segs, i) {
			continue
		}
		below := segs[i+1:]
		for _, name := range below[:len(below)-1] {
			switch name {
			case "skills", "commands", "agents", "plugins", "extensions", "rules", "prompts", "hooks", "docs", "workflows", "projects", "sessions":
				return 0 // texts about files, and copies from elsewhere
			case "credentials":
				return umpire.PlaceCredentials
			}
		}
		last := below[len(below)-1]
		if s == ".augment" && last == "session.json" || s == ".codeium" && last == "config.json" || (s == "crush" || s == ".crush") && last == "crush.json" && i > 0 && segs[i-1] == "share" {
			return umpire.PlaceCredentials
		}
		if s == ".copilot" && last == "config.json" || s == "claude" && last == "config.json" {
			return umpire.PlacePrivate // settings, which also contain tokens on systems without a keychain
		}
		if slices.ContainsFunc(tokenNames, func(name string) bool { return covers(name, []string{last}) }) {
			return umpire.PlaceCredentials
		}
	}
	return 0
}

func agentFolder(segs []string, i int) bool {
	s := segs[i]
	if s == "" || strings.ContainsAny(s, " *?[") {
		return false
	}
	if strings.Contains(agentFolders, " "+s+" ") {
		return true
	}
	if i == 0 || !strings.Contains(agentNames, " "+s+" ") {
		return false
	}
	return anyof.Equal(segs[i-1], ".config", "share", "application support", "roaming", "local", "state", ".local")
}
