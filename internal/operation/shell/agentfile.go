package shell

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// maxSettings bounds the settings files that are compared, in bytes.
const maxSettings = 1 << 20

// agentFile reads a write to a file of a coding agent. It judges a text that agents obey by its
// content, and settings by the change.
//
// The adversary is an agent that removes its guards: by settings that switch them off, or by
// settings without umpire's hook.
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
	case disarms(s.Text):
		say("agent-settings disarm", umpire.SelfTamper)
	case sh.replaced(abs) && (p&umpire.PlaceAgentHooks != 0 && !strings.Contains(s.Text, "umpire") || !keepsHooks(sh.onDisk(abs, p), s.Text)):
		say("agent-hooks replace", umpire.SelfTamper)
	}
}

// guardedBy reports whether a settings file on the disk names umpire.
func (sh *shell) guardedBy(abs string, p umpire.Place) bool {
	if sh.env.ReadFile == nil || p&umpire.PlaceAgentConfig == 0 || strings.ContainsAny(abs, "*?[") || strings.Contains(abs, umpire.Hole) {
		return false
	}
	return strings.Contains(sh.onDisk(abs, p), "umpire")
}

// onDisk returns a settings file from the disk, or "" if it is unknown.
func (sh *shell) onDisk(abs string, p umpire.Place) string {
	if sh.env.ReadFile == nil || p&umpire.PlaceAgentConfig == 0 {
		return ""
	}
	b, ok := sh.env.ReadFile(abs)
	if !ok {
		return ""
	}
	if len(b) > maxSettings {
		return "umpire" // too long to compare: treat it as if it named umpire
	}
	return string(b)
}

// edited reads the edit of a coding agent's settings.
func (sh *shell) edited(path string, old, now []string) {
	abs, p := sh.Path(command.Lit(path))
	if p&umpire.PlaceAgentConfig == 0 || p&umpire.PlaceAgentRules != 0 {
		return
	}
	before := sh.onDisk(abs, p)
	after, taken := before, false
	for i := range old {
		taken = taken || strings.Count(old[i], "umpire") > strings.Count(now[i], "umpire")
		if old[i] != "" {
			after = strings.ReplaceAll(after, old[i], now[i])
		}
	}
	switch {
	case taken, !keepsHooks(before, after):
		sh.Emit(umpire.Operation{Kind: umpire.Sandbox, Resource: "agent-hooks replace " + abs, Traits: umpire.SelfTamper})
	case disarms(after) && !disarms(before):
		sh.Emit(umpire.Operation{Kind: umpire.Sandbox, Resource: "agent-settings disarm " + abs, Traits: umpire.SelfTamper})
	}
}

// keepsHooks reports whether settings keep every umpire hook that they had: the same entry under
// the same names, including its matcher. In settings that are not JSON, every line that names
// umpire must stay.
func keepsHooks(before, after string) bool {
	if !strings.Contains(before, "umpire") {
		return true
	}
	var was, is any
	if json.Unmarshal([]byte(before), &was) != nil {
		for line := range strings.SplitSeq(before, "\n") {
			if strings.Contains(line, "umpire") && !strings.Contains(after, strings.TrimSpace(line)) {
				return false
			}
		}
		return true
	}
	if json.Unmarshal([]byte(after), &is) != nil {
		return false
	}
	left := map[string]bool{}
	hookEntries("", is, left)
	had := map[string]bool{}
	hookEntries("", was, had)
	for e := range had {
		if !left[e] {
			return false
		}
	}
	return true
}

// hookEntries collects the entries that name umpire: elements of the outermost lists, and strings
// outside lists, each with the keys that lead to it.
func hookEntries(path string, v any, out map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			hookEntries(path+"/"+k, e, out)
		}
	case []any:
		for _, e := range v {
			if text, err := json.Marshal(e); err == nil && bytes.Contains(text, []byte("umpire")) {
				out[path+" "+string(text)] = true
			}
		}
	case string:
		if strings.Contains(v, "umpire") {
			out[path+" "+v] = true
		}
	}
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

// isInvisible reports whether a character hides text from a person: tags, bidirectional controls
// and some of zero width, but not the joiners and marks that scripts and emoji need.
func isInvisible(r rune) bool {
	return r >= 0xe0000 && r <= 0xe007f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0x2060 || r == 0x180e
}

// startsPrograms reports whether the front matter of a text for agents grants tools, starts
// programs or names hooks, or whether a line of the text is a command that the client runs before a
// model sees it.
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

// grantsShell reports whether a list of tools includes one that runs commands without a question. A
// list that continues on the next lines is unknown, and counts as one.
func grantsShell(list string) bool {
	return list == "" || strings.ContainsAny(list, "*") || anyof.Contains(list, "bash", "shell", "mcp__", "execute")
}

// misleads reports whether a text orders agents to bypass guards or people, to keep something from
// the user, or to send a file with credentials.
func misleads(text string) bool {
	low := strings.ToLower(text)
	if anyof.Contains(low,
		"disableallhooks", "bypasspermissions", "dangerously-skip-permissions", "dangerously-bypass", "--yolo", "umpire off", "umpire uninstall", "umpire approve",
		"ignore all previous", "ignore previous instructions", "ignore the previous instructions", "disregard previous", "disregard all previous",
		"without asking the user", "hide this from the user") {
		return true
	}
	for line := range strings.Lines(strings.ReplaceAll(low, "’", "'")) {
		words := strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
		if conceals(words) || anyof.Contains(line, "://", "@") && anyof.In(words, "send", "upload", "post", "submit", "forward", "transmit", "include", "append", "curl") &&
			anyof.Contains(line, "/.ssh", "id_rsa", "id_ed25519", ".aws/credentials", "/.netrc", "/.gnupg", ".env ", ".env`", "private key") {
			return true
		}
	}
	return false
}

// conceals reports whether the words of a line order to keep something from people: "never tell the
// user", "do not mention this to anyone".
func conceals(words []string) bool {
	for i, w := range words {
		if w != "not" && w != "never" && w != "without" && !strings.HasSuffix(w, "n't") {
			continue
		}
		for j, verb := range words[i+1 : min(i+3, len(words))] {
			after := words[i+j+2 : min(i+j+8, len(words))]
			switch verb {
			case "tell", "telling", "inform", "informing", "notify", "notifying", "alert", "alerting":
				if anyof.In(after[:min(3, len(after))], "user", "users", "anyone", "anybody", "operator", "human", "owner") {
					return true
				}
			case "mention", "mentioning", "disclose", "disclosing", "report", "reporting":
				if anyof.In(after[:min(1, len(after))], "this", "it", "that") && anyof.In(after, "to", "user", "anyone", "anybody", "human") {
					return true
				}
			}
		}
	}
	return false
}

// disarms reports whether settings of a coding agent, or a part of them, switch off its guards: its
// hooks, its questions or its sandbox.
func disarms(text string) bool {
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
		"yolo:true", "yolomode:true", "approvalmode:yolo", "autoapproveall:true", "chat.tools.autoapprove:true", "chat.tools.global.autoapprove:true", "bash(*)", "bash(:*)", "bash(**)", "run_shell_command(*)", "shell(*)", "permission:allow", "permission:{*:allow", "bash:allow", "bash:{*:allow",
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
