// Package terminal finds the person who types at this process's terminal, and refuses
// where a coding agent may be typing instead.
//
// An agent can make itself a terminal: script, expect and tmux do so, as does every
// scripting language. Therefore a terminal alone proves nothing. The process's origin
// decides: the environment that agents give their commands, the processes
// above this one, and those that hold the other end of the terminal. An agent of the
// same user that hides all three traces gets past; the policy keeps it from starting.
package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// ErrNone means that there is no person at a terminal to ask.
var ErrNone = errors.New("this needs a person at a terminal: run it in your own terminal window")

// AgentError means that a coding agent may be typing.
type AgentError struct {
	Agent string // name of the agent
	Trace string // evidence for it
}

// Error implements error.
func (e *AgentError) Error() string {
	return fmt.Sprintf("the coding agent %s started this (%s), and agents cannot answer for people: run it in your own terminal window", e.Agent, e.Trace)
}

// Terminal is a terminal with a person at it.
type Terminal struct {
	in, out *os.File
	raw     *term.State
	typed   chan []byte
	pending []byte
}

// Open returns the terminal of the person who started this process.
func Open() (*Terminal, error) {
	if err := Agent(); err != nil {
		return nil, err
	}
	t, err := open()
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNone, err)
	}
	if who := holder(t.in); who != nil {
		return nil, errors.Join(who, t.Close())
	}
	return t, nil
}

// Agent returns an *AgentError if there is evidence that a coding agent started this process.
func Agent() error {
	if name, agent, ok := marked(os.Environ()); ok {
		return &AgentError{agent, "the environment has " + name}
	}
	if e := above(os.Getppid()); e != nil {
		return e
	}
	return nil
}

// maxAbove bounds the number of ancestors that are checked.
const maxAbove = 64

// process describes a running process.
type process struct {
	parent int
	args   []string
	env    []string // as far as it is readable
}

// above looks for an agent among a process and its ancestors.
func above(pid int) *AgentError {
	for range maxAbove {
		p, ok := findProcess(pid)
		if !ok {
			return nil
		}
		if e := p.agent(pid); e != nil {
			return e
		}
		if p.parent <= 1 || p.parent == pid {
			return nil
		}
		pid = p.parent
	}
	return nil
}

// agent reports whether a process is a coding agent, or was started by one.
func (p *process) agent(pid int) *AgentError {
	if name := agentOf(p.args); name != "" {
		return &AgentError{name, fmt.Sprintf("process %d above this one", pid)}
	}
	if name, agent, ok := marked(p.env); ok {
		return &AgentError{agent, fmt.Sprintf("process %d above this one has %s", pid, name)}
	}
	return nil
}

// marks are variables that agents set for the commands they run. They do not include variables by
// which users configure an agent, or those that editors set in every terminal.
var marks = map[string]string{
	"CLAUDECODE": "claude", "CLAUDE_CODE_ENTRYPOINT": "claude", "CLAUDE_CODE_CHILD_SESSION": "claude", "CLAUDE_CODE_SESSION_ID": "claude",
	"CODEX_SANDBOX": "codex", "CODEX_SANDBOX_NETWORK_DISABLED": "codex", "CODEX_THREAD_ID": "codex", "CODEX_CI": "codex",
	"GEMINI_CLI": "gemini", "QWEN_CODE": "qwen", "COPILOT_CLI": "copilot", "COPILOT_AGENT_SESSION_ID": "copilot", "OPENCODE": "opencode",
	"CLINE_ACTIVE": "cline", "CURSOR_AGENT": "cursor", "PI_CODING_AGENT": "pi", "GOOSE_TERMINAL": "goose", "AUGMENT_AGENT": "augment",
	"ANTIGRAVITY_AGENT": "antigravity", "CRUSH": "crush", "DROID_PARENT_SESSION_ID": "droid", "FACTORY_SESSION_PARENT_ID": "droid", "AI_AGENT": "", "AGENT": "",
	"CLAUDE_PROJECT_DIR": "claude", "GEMINI_PROJECT_DIR": "gemini", "QWEN_PROJECT_DIR": "qwen", "FACTORY_PROJECT_DIR": "droid", "COPILOT_PROJECT_DIR": "copilot",
	"UMPIRE_CLIENT": "",
}

// marked finds a variable that an agent set.
func marked(env []string) (name, agent string, ok bool) {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		agent, ok := marks[name]
		if !ok || value == "" || value == "0" || value == "false" {
			continue
		}
		if agent == "" {
			if agent = value; agent == "1" || agent == "true" {
				agent = "that set " + name
			}
		}
		return name, agent, true
	}
	return "", "", false
}

// agents are the names of agents' programs. An editor with a built-in agent is not one: people type
// in its terminals.
var agents = strings.Fields(`claude claude-code codex codex-tui gemini gemini-cli qwen qwen-code cursor-agent aider opencode goose droid kiro-cli
	crush cline plandex gptme open-interpreter interpreter auggie rovodev junie jules warp-agent mentat gpt-engineer devin iflow kilocode
	codebuddy openhands swe-agent vibe mistral-vibe copilot amp pi umpire-hook`)

// packages are parts of paths that identify a script of an agent.
var packages = []string{"claude-code", "gemini-cli", "qwen-code", "@openai/codex", "opencode-ai", "@github/copilot", "pi-coding-agent", "@sourcegraph/amp", "cline/", "aider/"}

// runners are interpreters that start an agent's script.
var runners = []string{"node", "nodejs", "bun", "deno", "python", "python3", "pypy3", "ruby", "sh", "bash", "npx", "bunx", "uvx", "npm", "pnpm", "yarn", "env"}

// agentOf returns the name of the agent that a command line starts, or "".
func agentOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	prog := programName(args[0])
	if slices.Contains(agents, prog) {
		return prog
	}
	if prog == "umpire" && len(args) > 1 && anyof.Equal(args[1], "agent", "run", "review", "exec", "hook") {
		return prog + " " + args[1]
	}
	if base := strings.TrimRight(prog, "0123456789."); !slices.Contains(runners, prog) && !slices.Contains(runners, base) {
		return ""
	}
	for _, a := range args[1:min(len(args), 8)] {
		switch {
		case a == "-c" || a == "-e" || a == "--eval": // the rest is code, written by a person
			return ""
		case strings.HasPrefix(a, "-"):
			continue
		}
		if name := programName(a); slices.Contains(agents, name) {
			return name
		}
		slashed := strings.ReplaceAll(a, `\`, "/")
		for _, p := range packages {
			if strings.Contains(slashed, "/"+p) || strings.HasPrefix(slashed, p) {
				return strings.Trim(p, "/")
			}
		}
		if !anyof.Equal(a, "exec", "run", "x", "dlx", "-m") {
			return "" // the script; the rest are its arguments
		}
	}
	return ""
}

func programName(arg string) string {
	name, _, _ := strings.Cut(path.Base(strings.ReplaceAll(arg, `\`, "/")), " ") // a title: "claude --resume"
	name = strings.TrimPrefix(strings.TrimSuffix(name, ":"), "-")
	for _, ext := range []string{".exe", ".js", ".mjs", ".cjs", ".py"} {
		name = strings.TrimSuffix(name, ext)
	}
	return strings.ToLower(name)
}

// Write prints a text. The caller must escape everything that others chose.
func (t *Terminal) Write(b []byte) (int, error) {
	if t.raw != nil {
		if _, err := t.out.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	return t.out.Write(b)
}

// Printf formats and prints like Write.
func (t *Terminal) Printf(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) }

// Ask prints a question and returns the next typed line. It ignores text that was typed or pasted
// before the question appeared.
func (t *Terminal) Ask(question string) (string, error) {
	// Before the question: a person may answer at once.
	t.Drop()
	t.Printf("%s", question)
	return t.line()
}

// maxLine limits an answer, in bytes.
const maxLine = 4 << 10

func (t *Terminal) line() (string, error) {
	var line []byte
	for {
		if i := bytes.IndexAny(t.pending, "\r\n"); i >= 0 {
			line = append(line, t.pending[:i]...)
			t.pending = t.pending[i+1:]
			return strings.TrimSpace(string(line)), nil
		}
		if line = append(line, t.pending...); len(line) > maxLine {
			return "", errors.New("the answer is too long")
		}
		t.pending = nil
		b, err := t.read(0)
		if err != nil {
			return "", err
		}
		t.pending = b
	}
}

// Raw makes Key return keys one by one, if the terminal supports it. Close undoes it.
func (t *Terminal) Raw() bool {
	if t.raw != nil {
		return true
	}
	state, err := term.MakeRaw(int(t.in.Fd()))
	if err == nil {
		t.raw = state
	}
	return err == nil
}

// Cooked ends Raw.
func (t *Terminal) Cooked() {
	if t.raw != nil {
		_ = term.Restore(int(t.in.Fd()), t.raw)
		t.raw = nil
	}
}

// ErrLate means that no key was pressed in time.
var ErrLate = errors.New("nothing was typed")

// Key waits for a key for the given time. Without Raw it is the first of a line.
func (t *Terminal) Key(wait time.Duration) (byte, error) {
	if len(t.pending) == 0 {
		b, err := t.read(wait)
		if err != nil {
			return 0, err
		}
		t.pending = b
	}
	k := t.pending[0]
	if t.pending = t.pending[1:]; t.raw == nil {
		if i := bytes.IndexByte(t.pending, '\n'); i >= 0 {
			t.pending = t.pending[i+1:]
		}
	}
	return k, nil
}

// Drop discards input that was typed so far.
func (t *Terminal) Drop() {
	flush(t.in)
	t.pending = nil
	for t.typed != nil {
		select {
		case _, ok := <-t.typed:
			if !ok {
				return
			}
		default:
			return
		}
	}
}

// read returns the next input. A wait of 0 means no limit.
func (t *Terminal) read(wait time.Duration) ([]byte, error) {
	if t.typed == nil {
		// One goroutine reads for the life of the process: a read of a terminal cannot be
		// cancelled, and two readers would take each other's keys.
		typed := make(chan []byte)
		t.typed = typed
		go func() {
			defer close(typed)
			for {
				b := make([]byte, 1024)
				n, err := t.in.Read(b)
				if n > 0 {
					typed <- b[:n]
				}
				if err != nil {
					return
				}
			}
		}()
	}
	var late <-chan time.Time
	if wait > 0 {
		late = time.After(wait)
	}
	select {
	case b, ok := <-t.typed:
		if !ok {
			return nil, ErrNone
		}
		return b, nil
	case <-late:
		return nil, ErrLate
	}
}

// Size returns the terminal's width and height, or 80 by 24.
func (t *Terminal) Size() (width, height int) {
	w, h, err := term.GetSize(int(t.out.Fd()))
	if err != nil || w <= 0 || h <= 0 {
		return 80, 24
	}
	return w, h
}

// Close restores the terminal.
func (t *Terminal) Close() error {
	t.Cooked()
	err := t.in.Close()
	if t.out != t.in {
		err = errors.Join(err, t.out.Close())
	}
	return err
}
