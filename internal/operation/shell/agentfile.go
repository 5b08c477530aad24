package shell

import (
	"bytes"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// agentFile reads what is written to a file of a coding agent: a text that it obeys is
// judged by what it says, settings by what they change. whole tells that the text is all
// that the file holds from now on.
//
// The adversary is an agent that rids itself of its guards: by settings that switch them
// off, or by settings in which umpire's hook is missing.
func (sh *shell) agentFile(abs string, p umpire.Place, s command.Stream) {
	say := func(what string, t umpire.Trait) {
		sh.Emit(umpire.Operation{Kind: umpire.Sandbox, Resource: what + " " + abs, Traits: t})
	}
	text := p&umpire.PlaceAgentRules != 0
	if !s.Seen {
		switch {
		case p&umpire.PlaceAgentHooks != 0, !text && sh.guardedBy(abs, p):
			say("agent-hooks replace", umpire.SelfTamper)
		case text && p&umpire.PlaceAgentConfig != 0:
			say("agent-text unseen", 0)
		}
		return
	}
	switch {
	case text:
		if strings.IndexFunc(s.Text, isInvisible) >= 0 {
			say("agent-text hidden", umpire.HiddenText)
		}
		if startsPrograms(s.Text) {
			say("agent-text grants", 0)
		}
		if misleads(s.Text) {
			say("agent-text orders", 0)
		}
	case Disarms(s.Text):
		say("agent-settings disarm", umpire.SelfTamper)
	case sh.replaced(abs) && !strings.Contains(s.Text, "umpire") && (p&umpire.PlaceAgentHooks != 0 || sh.guardedBy(abs, p)):
		say("agent-hooks replace", umpire.SelfTamper)
	}
}

// guardedBy reports whether a settings file on the disk names umpire.
func (sh *shell) guardedBy(abs string, p umpire.Place) bool {
	if sh.env.ReadFile == nil || p&umpire.PlaceAgentConfig == 0 || strings.ContainsAny(abs, "*?[") || strings.Contains(abs, umpire.Hole) {
		return false
	}
	b, ok := sh.env.ReadFile(abs)
	return ok && bytes.Contains(b, []byte("umpire"))
}

// replaced reports whether the last write to a file replaced all of it.
func (sh *shell) replaced(abs string) bool {
	ops := sh.ops
	for i := len(ops) - 1; i >= 0; i-- {
		if ops[i].Kind == umpire.Write && ops[i].Resource == abs {
			return ops[i].Traits&(umpire.Truncate|umpire.Overwrite) != 0
		}
	}
	return false
}

// isInvisible reports a character that hides text from a person: tags and bidirectional
// controls. Joiners and marks that writing and emoji need are none.
func isInvisible(r rune) bool {
	return r >= 0xe0000 && r <= 0xe007f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0x2060 || r == 0x180e
}

// startsPrograms reports whether a text for agents grants tools, starts programs or names
// hooks by its front matter, or has lines that the client runs before a model sees them.
func startsPrograms(text string) bool {
	front := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "---" || line == "+++" {
			front = i == 0 || !front && i < 3
			continue
		}
		low := strings.ToLower(line)
		key, value, ok := strings.Cut(low, ":")
		switch {
		case strings.HasPrefix(line, "!`"), strings.Contains(line, " !`"), strings.Contains(line, "!{"):
			return true
		case !ok || !front && i > 40 || strings.Contains(key, " "):
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.Trim(key, `"'`) {
		case "hooks", "mcpservers", "mcp-servers", "permissionmode", "permission-mode", "permissions":
			if front || value != "" {
				return true
			}
		case "allowed-tools", "allowedtools", "tools", "autoapprove", "auto-approve":
			if (front || strings.HasPrefix(key, "allowed")) && grantsShell(value) {
				return true
			}
		}
	}
	return false
}

// grantsShell reports whether a list of tools lets commands run unasked. A list that
// goes on in the next lines is not known.
func grantsShell(list string) bool {
	return list == "" || strings.ContainsAny(list, "*") || strings.Contains(list, "bash") || strings.Contains(list, "shell") || strings.Contains(list, "mcp__") || strings.Contains(list, "execute")
}

// misleads reports whether a text tells agents to get around guards or people.
func misleads(text string) bool {
	low := strings.ToLower(text)
	for _, s := range []string{
		"disableallhooks", "bypasspermissions", "dangerously-skip-permissions", "dangerously-bypass", "--yolo", "umpire off", "umpire uninstall", "umpire approve",
		"ignore all previous", "ignore previous instructions", "ignore the previous instructions", "disregard previous", "disregard all previous",
		"do not tell the user", "don't tell the user", "without telling the user", "without asking the user", "do not mention this to the user", "hide this from the user",
	} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// Disarms reports whether settings of a coding agent, or a part of them, switch its guards
// off: its hooks, its questions or its sandbox.
func Disarms(text string) bool {
	flat := strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n', '"', '\'', '\\':
			return -1
		}
		return r
	}, strings.ToLower(text))
	for _, s := range []string{
		"disableallhooks:true", "disableallhooks=true", "disablehooks:true", "enablehooks:false", "hooks.enabled:false", "hooksconfig:{enabled:false", "[features]hooks=false", "codex_hooks=false",
		"bypasspermissions", "skipdangerousmodepermissionprompt:true", "dangerously-skip-permissions", "dangerouslyskippermissions:true", "dangerously-bypass", "approval_policy=never", "sandbox_mode=danger-full-access",
		"yolo:true", "yolomode:true", "approvalmode:yolo", "autoapproveall:true", "bash(*)", "bash(:*)", "bash(**)", "run_shell_command(*)", "shell(*)", "permission:allow", "permission:{*:allow", "bash:allow", "bash:{*:allow",
	} {
		if strings.Contains(flat, s) && !strings.Contains(s, "disablebypasspermissions") {
			return !strings.Contains(flat, "disablebypasspermissions") || s != "bypasspermissions"
		}
	}
	rest := flat
	for {
		var ok bool
		if _, rest, ok = strings.Cut(rest, "allow:["); !ok {
			return false
		}
		list, _, _ := strings.Cut(rest, "]")
		for item := range strings.SplitSeq(list, ",") {
			if item == "bash" || item == "*" {
				return true
			}
		}
	}
}
