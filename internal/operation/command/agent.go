package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doAgent records that a coding agent starts another one, or changes an agent's settings, plug-ins
// or MCP servers.
func doAgent(c *Call) {
	if c.Inert() {
		return
	}
	first, second := c.Arg(0).Text, c.Arg(1).Text
	if anyof.Equal(c.Program, "q", "cursor", "kiro", "windsurf", "trae", "continue", "forge", "happy", "pi", "goose", "jules", "amp", "sweep", "grok") {
		// Names of other programs too, or of editors.
		if !bypass(c) && (first == "" || isPathWord(first) || !agentVerb(first)) {
			if c.Program == "goose" {
				doMigrator(c)
			}
			return
		}
	}
	switch first {
	case "mcp":
		switch second {
		case "add", "add-json", "add-from-claude-desktop", "import", "install":
			c.Op(umpire.Sandbox, Quote("mcp add", c.Operands[2:]), umpire.Persistence)
			// The command of the server follows "--", or the name of the server.
			ws := c.Operands[2:]
			for i, w := range c.Args {
				if w.Text == "--" {
					ws = append(Lits(""), c.Args[i+1:]...)
				}
			}
			if len(ws) > 1 && !strings.Contains(ws[1].Text, "://") && second != "add-json" {
				c.Exec(ws[1:], Run{Traits: umpire.Persistence})
			}
		case "remove", "rm", "reset-project-choices", "disable":
			c.Op(umpire.Sandbox, Quote("mcp remove", c.Operands[2:]), 0)
		}
		return
	case "config", "settings":
		if second == "set" || second == "add" || second == "remove" || second == "edit" {
			c.Op(umpire.Sandbox, Quote("agent configure", c.Operands), umpire.SelfTamper)
		}
		return
	case "plugin", "plugins", "extensions", "extension", "skills", "skill", "hooks", "hook":
		switch second {
		case "install", "add", "enable", "link", "new", "marketplace", "update", "i":
			c.Op(umpire.Sandbox, Quote("plugin add", c.Operands[2:]), umpire.Persistence|umpire.UntrustedSource)
		case "uninstall", "remove", "disable", "rm":
			c.Op(umpire.Sandbox, Quote("plugin remove", c.Operands[2:]), umpire.SelfTamper)
		}
		return
	case "update", "upgrade", "doctor", "login", "logout", "auth", "version", "help", "completion", "completions", "install", "setup-token", "whoami", "status", "models", "usage", "stats", "sandbox", "features", "export", "sessions", "session", "list", "ls", "info":
		if !bypass(c) {
			return
		}
	}
	t := umpire.NestedAgent
	if bypass(c) {
		t |= umpire.BypassFlags | umpire.SelfTamper
	}
	c.Op(umpire.Sandbox, "agent run "+c.Program, t)
}

// doCopilot reads programs whose name both an agent and a cloud client have.
func doCopilot(c *Call) {
	switch {
	case bypass(c):
		c.Op(umpire.Sandbox, "agent run "+c.Program, umpire.NestedAgent|umpire.BypassFlags|umpire.SelfTamper)
	case c.Has("-p", "--prompt", "-x", "--execute", "-i"):
		c.Op(umpire.Sandbox, "agent run "+c.Program, umpire.NestedAgent)
	default:
		doCloud(c)
	}
}

// agentVerb reports whether a word starts an agent, and not an editor or another program.
func agentVerb(s string) bool {
	return anyof.Equal(s, "chat", "run", "exec", "e", "agent", "session", "task", "-p", "ask", "new", "prompt", "start", "mcp")
}

// bypass reports whether options start an agent without its guards. It treats the flags of most
// agents alike: they say dangerous, bypass, skip, yolo, or trust or allow with all.
func bypass(c *Call) bool {
	for i, w := range c.Args {
		t := strings.ToLower(w.Text)
		if t == "--" {
			break
		}
		if !strings.HasPrefix(t, "-") {
			continue
		}
		name, value, _ := ValueAt(c.Args, i)
		value = strings.ToLower(value)
		switch strings.TrimLeft(strings.ToLower(name), "-") {
		case "yolo", "yes-always", "full-auto", "auto-approve", "auto-approve-all", "auto-accept", "autoapprove", "allow-all", "allow-all-tools", "allow-all-paths", "trust-all-tools", "no-sandbox", "no-hooks", "no-permissions", "skip-permissions", "no-confirm", "unsafe", "disable-hooks", "auto_run", "bypass-permissions", "allow-everything", "skip-permissions-unsafe", "no-approval", "no-verify", "bare":
			if (!strings.HasSuffix(t, "=false") || anyof.HasPrefix(t, "--no-", "--disable-", "--skip-")) && (c.Program != "cline" || t != "--auto-approve" || value != "false") { // most parsers take the next word for the prompt
				return true
			}
		case "y", "f", "force":
			if anyof.Equal(c.Program, "gemini", "gemini-cli", "qwen", "cursor-agent", "crush", "interpreter", "open-interpreter", "kiro-cli", "iflow", "gptme", "kilocode", "auggie") {
				return true
			}
		case "permission-mode", "approval-mode", "approve-mode", "autonomy", "auto":
			if anyof.Equal(value, "bypasspermissions", "yolo", "auto_edit_all", "full", "high", "dontask", "never", "all") {
				return true
			}
		case "a", "ask-for-approval":
			if value == "never" {
				return true
			}
		case "s", "sandbox":
			if value == "danger-full-access" || value == "none" || value == "off" || value == "false" {
				return true
			}
		case "c", "config":
			v := strings.NewReplacer(" ", "", `"`, "", "'", "").Replace(value)
			if strings.HasPrefix(v, "approval_policy=never") || strings.HasPrefix(v, "sandbox_mode=danger") || strings.Contains(v, "trust_level=trusted") {
				return true
			}
		case "settings":
			if strings.Contains(value, "disableallhooks") || strings.Contains(value, "bypasspermissions") {
				return true
			}
		}
		if strings.Contains(name, "dangerously") || strings.Contains(name, "bypass-approvals") || strings.Contains(name, "skip-permission") {
			return true
		}
	}
	return false
}

// doUmpire records commands of umpire that are not for agents: those that change rules, answer
// questions or stop umpire. Agents may only read and ask for decisions.
func doUmpire(c *Call) {
	if c.Inert() {
		return
	}
	first, second := c.Arg(0).Text, c.Arg(1).Text
	switch first {
	case "", "check", "explain", "version", "help", "status", "questions", "doctor", "test", "replay", "why", "scan", "stats", "schema", "guard", "list", "show", "logs", "log":
		return
	case "policy", "rules", "packs", "pack", "audit", "approvals", "sessions", "config":
		if anyof.Equal(second, "", "check", "test", "explain", "show", "list", "ls", "verify", "schema", "lint", "diff", "export", "tail", "query", "stats", "search", "suggest", "path", "get", "history", "view", "print", "hits") {
			return
		}
	case "completion":
		if second != "install" && second != "uninstall" { // prints a script that shells run
			return
		}
	case "run", "agent", "review":
		c.Op(umpire.Sandbox, "agent run umpire", umpire.NestedAgent)
		for i, w := range c.Args {
			if w.Text == "--" {
				c.Exec(c.Args[i+1:], Run{Out: true})
				break
			}
		}
		return
	case "hook":
		return
	case "exec": // judges the command itself, and runs it
		for i, w := range c.Args {
			switch {
			case w.Text == "--":
				c.Exec(c.Args[i+1:], Run{Out: true})
				return
			case w.Text == "-c" && i+1 < len(c.Args):
				c.Shell(c.Args[i+1], Run{Out: true})
				return
			}
		}
	}
	c.Op(umpire.Sandbox, Quote("umpire", c.Operands), umpire.SelfTamper)
}

// doOtherGuard records commands that switch another guard off or loosen it.
func doOtherGuard(c *Call) {
	if anyof.Equal(c.Arg(0).Text, "uninstall", "disable", "off", "remove", "pause", "allow", "allow-once", "trust", "allowlist", "config", "bypass", "nap") {
		c.Op(umpire.Sandbox, Quote("guard "+c.Program, c.Operands), umpire.SelfTamper)
	}
}
