package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Profile lists the files that a coding agent needs in its sandbox. Paths are relative to the
// home folder. Other files that the agent writes there, such as its sessions, are lost with the
// sandbox.
type Profile struct {
	Name      string   `json:"name"` // the agent's name in umpire-hook
	Title     string   `json:"title"`
	ReadOnly  []string `json:"readOnly"` // settings that restrict the agent
	Copied    []string `json:"copied"`   // files that the agent writes: logins, memories
	Env       []string `json:"env"`      // names of variables to pass in
	Endpoints []string `json:"endpoints"`

	folder   string // the agent's folder, which variable can move
	variable string
	below    bool // variable names the parent of folder
}

var profiles = []Profile{
	{
		Name: "claude", Title: "Claude Code", folder: ".claude", variable: "CLAUDE_CONFIG_DIR",
		ReadOnly:  []string{".claude/settings.json", ".claude/CLAUDE.md", ".claude/agents", ".claude/commands", ".claude/hooks", ".claude/output-styles", ".claude/plugins", ".claude/rules", ".claude/skills"},
		Copied:    []string{".claude.json", ".claude/.claude.json", ".claude/.credentials.json"},
		Env:       []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER"},
		Endpoints: []string{"api.anthropic.com"},
	},
	{
		Name: "codex", Title: "Codex CLI", folder: ".codex", variable: "CODEX_HOME",
		ReadOnly:  []string{".codex/hooks.json", ".codex/AGENTS.md", ".codex/prompts", ".codex/rules", ".codex/skills"},
		Copied:    []string{".codex/config.toml", ".codex/auth.json"},
		Env:       []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY"},
		Endpoints: []string{"api.openai.com", "chatgpt.com"},
	},
	{
		Name: "gemini", Title: "Gemini CLI", folder: ".gemini", variable: "GEMINI_CLI_HOME", below: true,
		ReadOnly:  []string{".gemini/settings.json", ".gemini/GEMINI.md", ".gemini/commands", ".gemini/extensions", ".gemini/policies"},
		Copied:    []string{".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/installation_id", ".gemini/projects.json", ".gemini/trustedFolders.json"},
		Env:       []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT", "GEMINI_CLI_TRUST_WORKSPACE"},
		Endpoints: []string{"generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"},
	},
	{
		Name: "qwen", Title: "Qwen Code", folder: ".qwen", variable: "QWEN_HOME",
		ReadOnly:  []string{".qwen/settings.json", ".qwen/QWEN.md", ".qwen/commands", ".qwen/extensions"},
		Copied:    []string{".qwen/oauth_creds.json", ".qwen/installation_id", ".qwen/trustedFolders.json"},
		Env:       []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"},
		Endpoints: []string{"chat.qwen.ai", "portal.qwen.ai", "dashscope.aliyuncs.com"},
	},
	{
		Name: "copilot", Title: "GitHub Copilot CLI", folder: ".copilot", variable: "COPILOT_HOME",
		ReadOnly:  []string{".copilot/hooks", ".copilot/settings.json", ".copilot/mcp-config.json", ".copilot/agents", ".copilot/skills"},
		Copied:    []string{".copilot/config.json"},
		Env:       []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_MODEL"},
		Endpoints: []string{"api.githubcopilot.com", "api.github.com"},
	},
	{
		Name: "droid", Title: "Factory Droid", folder: ".factory", variable: "FACTORY_HOME_OVERRIDE", below: true,
		ReadOnly:  []string{".factory/settings.json", ".factory/hooks.json", ".factory/mcp.json", ".factory/commands", ".factory/droids", ".factory/skills"},
		Env:       []string{"FACTORY_API_KEY"},
		Endpoints: []string{"api.factory.ai"},
	},
	{
		Name: "cline", Title: "Cline", folder: ".cline", variable: "CLINE_DIR",
		ReadOnly:  []string{".cline/hooks", ".cline/skills"},
		Copied:    []string{".cline/data/globalState.json", ".cline/data/secrets.json", ".cline/data/settings/providers.json"},
		Env:       []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "CLINE_API_KEY"},
		Endpoints: []string{"api.cline.bot"},
	},
	{
		Name: "opencode", Title: "OpenCode",
		// The agent writes a .gitignore and packages beside them.
		ReadOnly:  []string{".config/opencode/opencode.json", ".config/opencode/opencode.jsonc", ".config/opencode/config.json", ".config/opencode/AGENTS.md", ".config/opencode/plugin", ".config/opencode/plugins", ".config/opencode/agent", ".config/opencode/agents", ".config/opencode/command", ".config/opencode/commands", ".config/opencode/mode", ".config/opencode/modes", ".config/opencode/tool", ".config/opencode/tools", ".config/opencode/themes", ".config/opencode/skill", ".config/opencode/skills"},
		Copied:    []string{".local/share/opencode/auth.json"},
		Env:       []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENCODE_API_KEY"},
		Endpoints: []string{"models.dev", "opencode.ai"},
	},
	{
		Name: "pi", Title: "Pi",
		ReadOnly:  []string{".pi/agent/extensions", ".pi/agent/AGENTS.md", ".pi/agent/prompts", ".pi/agent/skills", ".pi/agent/themes"},
		Copied:    []string{".pi/agent/auth.json", ".pi/agent/models.json", ".pi/agent/settings.json"},
		Env:       []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "PI_OFFLINE"},
		Endpoints: []string{"api.anthropic.com", "api.openai.com"},
	},
}

// Profiles returns all profiles.
func Profiles() []Profile { return slices.Clone(profiles) }

// FindProfile returns the profile of that name, or nil. A path names a program.
func FindProfile(name string) *Profile {
	name = strings.TrimSuffix(filepath.Base(name), ".exe")
	for i := range profiles {
		if profiles[i].Name == name {
			p := profiles[i]
			return &p
		}
	}
	return nil
}

// Show adds the agent's files in the home folder to c. It leaves out missing files, and those that
// c makes writable. getenv is os.Getenv.
func (p *Profile) Show(c *Config, getenv func(string) string) error {
	base, from := filepath.Join(c.Home, p.folder), p.folder
	if dir := getenv(p.variable); p.variable != "" && filepath.IsAbs(dir) {
		base = filepath.Clean(dir)
		if p.below {
			base = filepath.Join(dir, p.folder)
		}
		if !within(base, c.Home) {
			return fmt.Errorf("%s is %s, which is not below the home folder: run without it, or with --profile none --writable %s --env %s", p.variable, dir, dir, p.variable)
		}
		c.Env = append(c.Env, p.variable+"="+dir)
	}
	for _, list := range []struct {
		names []string
		to    *[]Mount
	}{{p.ReadOnly, &c.Shown}, {p.Copied, &c.Copied}} {
		for _, name := range list.names {
			at := filepath.Join(c.Home, name)
			if rest, ok := strings.CutPrefix(name, from+"/"); ok && from != "" {
				at = filepath.Join(base, rest)
			}
			// Follow links here, because their targets are not in the sandbox.
			real, err := filepath.EvalSymlinks(at)
			if os.IsNotExist(err) || within(c.Dir, at) || within(at, c.Dir) || slices.ContainsFunc(c.Writable, func(w string) bool { return within(at, w) }) {
				continue
			}
			if err != nil {
				return err
			}
			*list.to = append(*list.to, Mount{From: real, To: at})
		}
	}
	return nil
}
