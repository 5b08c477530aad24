package place

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// clientFolders are the folders of coding agents, in a home or a project.
var clientFolders = [...]string{
	".claude", ".codex", ".gemini", ".qwen", ".copilot", ".factory", ".cline", ".opencode", ".pi", ".cursor", ".windsurf",
	".codeium", ".kiro", ".amp", ".crush", ".continue", ".roo", ".devin", ".kimi-code", ".augment", ".goose", ".antigravity",
	".junie", ".trae", ".agents",
	"opencode", "amp", "crush", "devin", "goose", // in .config
}

// clientPart distinguishes the files in a coding agent's folder: its settings, the texts that it
// obeys, and files for its own work. The innermost folder counts: a work tree in a scratch folder
// has separate settings.
func clientPart(segs []string, home bool, p umpire.Place) umpire.Place {
	at := -1
	for i, s := range segs {
		if slices.Contains(clientFolders[:], s) && (s[0] == '.' || i > 0 && segs[i-1] == ".config") {
			at = i
		}
	}
	if at < 0 {
		if within(segs, "hooks") { // .clinerules/hooks has programs next to texts
			p &^= umpire.PlaceAgentRules
		}
		return p
	}
	rest := segs[at+1:]
	home = home && (at == 0 || at == 1 && segs[0] == ".config") // a project's folder is not one of the user's
	if len(rest) == 0 {
		if home && segs[at] != ".agents" { // .agents has only texts
			p |= umpire.PlaceAgentHooks
		}
		return p
	}
	if slices.ContainsFunc(rest, func(s string) bool { return strings.Contains(s, umpire.Hole) }) { // it may be any of these files
		if home && len(rest) < 3 {
			p |= umpire.PlaceAgentHooks
		}
		return p
	}
	if all(rest[0]) {
		if home {
			p |= umpire.PlaceAgentHooks
		}
		return p
	}
	name := rest[len(rest)-1]
	switch {
	case home && (rest[0] == "settings.json" || rest[0] == "hooks.json" || rest[0] == "hooks.v1.json" || rest[0] == "crush.json" || len(rest) == 2 && rest[0] == "config" && rest[1] == "hooks.json"),
		hasGlob(rest[0]) && home && (overlap(rest[0], "settings.json") || overlap(rest[0], "hooks.json")):
		return p | umpire.PlaceAgentHooks
	case memory(rest):
		return p&^(umpire.PlaceAgentConfig|umpire.PlaceHistory) | umpire.PlaceAgentState | umpire.PlaceAgentRules
	case len(rest) > 1 && working(rest[0]):
		return p&^umpire.PlaceAgentConfig | umpire.PlaceAgentState
	case prose(rest, name):
		return p | umpire.PlaceAgentRules
	}
	return p
}

// working reports whether a folder of an agent contains only working state, and no settings,
// programs or texts that a later session obeys.
func working(name string) bool {
	return anyof.Equal(name, "plans", "todos", "tasks", "jobs", "teams", "scratchpad", "scratchpads", "scratch", "tmp", "temp", "file-history", "paste-cache", "image-cache", "cache", "debug", "logs", "log", "telemetry", "worktrees", "session-state", "brain")
}

// memory reports whether a path is in an agent's memory, which later sessions read.
func memory(rest []string) bool {
	for i, s := range rest[:len(rest)-1] {
		if (s == "memory" || s == "memories") && (i == 0 || rest[0] == "projects" && i == 2) {
			return true
		}
	}
	return false
}

// prose reports whether a path is a text for agents, or a folder of such texts. Programs and
// settings next to them do not count.
func prose(rest []string, name string) bool {
	if anyof.Equal(rest[0], "hooks", "plugins", "plugin", "extensions") {
		return false
	}
	ext := ""
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		ext = name[i+1:]
	}
	switch ext {
	case "md", "mdc", "markdown", "txt":
		return true
	case "toml":
		return len(rest) > 1 && rest[0] == "commands" // Gemini's commands
	case "":
		if anyof.Equal(rest[0], "commands", "command", "agents", "agent", "skills", "skill", "rules", "prompts", "instructions", "steering", "workflows", "output-styles", "droids", "superpowers") {
			return true
		}
	}
	return false
}
