package terminal

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestAgentOf(t *testing.T) {
	for line, want := range map[string]string{
		"claude":                      "claude",
		"claude --resume":             "claude",
		"/usr/local/bin/codex exec x": "codex",
		"codex.exe":                   "codex",
		"node /usr/bin/gemini -p x":   "gemini",
		"node --max-old-space-size=4096 /usr/lib/node_modules/@google/gemini-cli/dist/index.js": "gemini-cli",
		"/opt/node/bin/node /x/node_modules/@anthropic-ai/claude-code/cli.js":                   "claude-code",
		"bun run /x/node_modules/opencode-ai/bin/opencode":                                      "opencode",
		"python3.12 /home/u/.local/bin/aider --model x":                                         "aider",
		"python3 -m aider": "aider",
		"npx qwen":         "qwen",
		`C:\x\node.exe C:\Users\u\node_modules\@openai\codex\bin\codex.js`: "codex",
		"umpire run -- x":              "umpire run",
		"umpire-hook claude":           "umpire-hook",
		"-bash":                        "",
		"bash":                         "",
		"bash -c claude":               "",
		"vim claude.md":                "",
		"less codex":                   "",
		"python3 manage.py aider":      "",
		"node server.js gemini":        "",
		"/usr/bin/cursor --no-sandbox": "", // an editor in whose terminals people type
		"code /home/u/claude":          "",
		"tmux new -s claude":           "",
		"sshd: u@pts/1":                "",
		"umpire approve abc":           "",
		"":                             "",
	} {
		if got := agentOf(strings.Fields(line)); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestMarked(t *testing.T) {
	for env, want := range map[string]string{
		"CLAUDECODE=1": "claude", "AI_AGENT=claude-code/2.1": "claude-code/2.1", "GEMINI_CLI=1": "gemini", "OPENCODE=1": "opencode", "CODEX_SANDBOX=seatbelt": "codex",
		"AGENT=1": "that set AGENT", "CLAUDECODE=": "", "GEMINI_API_KEY=x": "", "CLAUDE_CODE_USE_BEDROCK=1": "", "CODEX_HOME=/x": "", "CLAUDE_CODE_SSE_PORT=1": "", "TERM=x": "", "NOTHING": "",
	} {
		_, got, ok := marked([]string{"A=b", env})
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", env, got, want)
		}
	}
}

func TestAgentByEnvironment(t *testing.T) {
	above := Agent() != nil // an agent may run this test, and then is the one named
	t.Setenv("CLAUDECODE", "1")
	var e *AgentError
	if err := Agent(); !errors.As(err, &e) || e.Agent != "claude" && !above {
		t.Errorf("%v", err)
	}
	if _, err := Open(); !errors.As(err, &e) {
		t.Errorf("%v", err)
	}
}

func TestLook(t *testing.T) {
	p, ok := findProcess(os.Getpid())
	if !ok || p.parent != os.Getppid() || len(p.args) == 0 {
		t.Errorf("%+v, %v", p, ok)
	}
	if _, ok := findProcess(1 << 30); ok {
		t.Error("a process that is not there")
	}
}
