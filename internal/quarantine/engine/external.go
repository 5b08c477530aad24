package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/procgroup"
	"github.com/umpire-dev/umpire/internal/quarantine"
	"github.com/umpire-dev/umpire/internal/quarantine/cell"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// ExternalAgent reviews with another coding agent. That agent gets only umpire's three tools, an empty
// folder, an empty home, and a loopback URL for its model.
type ExternalAgent struct {
	config  Config
	broker  *broker
	client  *client
	program string
	umpire  string
}

var _ review.Engine = (*ExternalAgent)(nil)

// place is a temporary folder of one agent.
type place struct {
	Root, Home, Work, Temp string
}

// client describes how to start a coding agent for a review.
type client struct {
	name      string                                       // for --engine, and of the program in PATH
	protocols []string                                     // its API: anthropic, openai or gemini
	prepare   func(p place, s start) error                 // writes its settings below place.Home or place.Root
	args      func(p place, s start) []string              // make it print one answer, ask no one and end
	env       func(p place, s start) []string              // variables in addition to those of every client
	answer    func(p place, stdout []byte) (string, error) // finds the final answer in the output
	login     string                                       // why its login cannot replace a key; "" if it has none
}

// start holds the parameters for starting a client.
type start struct {
	system, model, url, placeholder string
	umpire, socket                  string
	anthropic                       bool // the provider's protocol
}

// Clients lists the supported foreign agents.
func Clients() (names []string) {
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

// NewExternalAgent checks a configuration for a client. If program is empty, it is the client's name in
// PATH; umpire is this program.
func NewExternalAgent(c Config, name, program, umpire string) (*ExternalAgent, error) {
	f := &ExternalAgent{config: c, umpire: umpire}
	for i := range clients {
		if clients[i].name == name {
			f.client = &clients[i]
		}
	}
	if f.client == nil {
		return nil, fmt.Errorf("engine %q: use builtin, %s or none", name, strings.Join(Clients(), ", "))
	}
	if !slices.Contains(f.client.protocols, c.protocol()) {
		return nil, fmt.Errorf("engine %s does not support provider %s; choose another with --provider", name, c.Model.Provider)
	}
	program = cmp.Or(program, name)
	var err error
	if f.program, err = exec.LookPath(program); err != nil {
		return nil, fmt.Errorf("engine %s: %w; install it, or use --engine builtin", name, err)
	}
	if f.program, err = filepath.Abs(f.program); err != nil {
		return nil, err
	}
	if f.broker, err = c.open(); err != nil {
		if errors.Is(err, errNoKey) && f.client.login != "" {
			return nil, fmt.Errorf("engine %s: %w\n%s", name, err, f.client.login)
		}
		return nil, err
	}
	return f, nil
}

// Review implements review.Engine.
func (f *ExternalAgent) Review(ctx context.Context, s *snapshot.Snapshot) (*review.EngineResult, error) {
	if f.broker.key != nil {
		defer f.broker.key.Wipe()
	}
	if f.config.Isolation == cell.Require {
		return nil, fmt.Errorf("%w: %s runs as a process of this user, with its network; use --engine builtin", ErrIsolation, f.client.name)
	}
	return f.config.review(ctx, s, f.broker.model, f.run)
}

// run starts a client for an agent, and once more if its answer is malformed.
func (f *ExternalAgent) run(ctx context.Context, d *reviewState, a *agent) error {
	layers := []cell.Layer{}
	for _, n := range cell.LayerNames() {
		layers = append(layers, cell.Layer{Name: n, Text: f.client.name + " is a separate program"})
	}
	d.layers(a, layers)
	root, err := os.MkdirTemp("", "umpire-reviewer-") // mode 0700
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(root) }() // the client may still write there; none of it is needed
	p := place{Root: root, Home: filepath.Join(root, "home"), Work: filepath.Join(root, "work"), Temp: filepath.Join(root, "tmp")}
	for _, dir := range []string{p.Home, p.Work, p.Temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	r, err := newRelay(ctx, d, a, root)
	if err != nil {
		return err
	}
	defer r.close()
	o, err := openOutlet(ctx, f.broker, d, a)
	if err != nil {
		return err
	}
	defer o.close()
	s := start{system: a.system, model: f.broker.model, url: o.URL, placeholder: o.Placeholder, umpire: f.umpire, socket: r.path, anthropic: f.broker.provider.Anthropic}
	prompt := plain(a.user)
	for {
		text, err := f.once(ctx, p, s, prompt)
		o.mu.Lock()
		refused, failed := o.fault, o.failed
		o.mu.Unlock()
		switch {
		case refused != nil:
			return refused
		case err != nil && failed != nil:
			return failed // the client's error message is not needed
		case err != nil:
			return err
		}
		said := d.judge(a, text)
		if said.Done {
			return a.over()
		}
		prompt = plain(a.user) + "\nAn answer before this one had not the right shape:\n" + strings.Join(said.Errors, "\n")
	}
}

var (
	errClient  = errors.New("the client failed")
	errRefused = errors.New("the client sent a request that umpire refuses")
)

// plain escapes the "@" by which clients include files of this machine in the prompt. The prompt
// lists names in the material, and one of them may be "@/etc/passwd".
func plain(prompt string) string { return strings.ReplaceAll(prompt, "@", `\u{40}`) }

// maxSaid limits how much of a client's output is kept.
const maxSaid = 8 << 20

// once runs a client and returns its answer.
func (f *ExternalAgent) once(ctx context.Context, p place, s start, prompt string) (string, error) {
	if err := f.client.prepare(p, s); err != nil {
		return "", err
	}
	stdout, stderr := &bounded.Buffer{Most: maxSaid}, &bounded.Buffer{Most: 4 << 10}
	cmd := exec.CommandContext(ctx, f.program, f.client.args(p, s)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Work, strings.NewReader(prompt), stdout, stderr
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.Home, "TMPDIR=" + p.Temp, "TERM=dumb", "LANG=C.UTF-8", "NO_COLOR=1", "CI=1",
		"XDG_CONFIG_HOME=" + filepath.Join(p.Home, ".config"), "XDG_CACHE_HOME=" + filepath.Join(p.Home, ".cache"),
		"XDG_DATA_HOME=" + filepath.Join(p.Home, ".local", "share"), "XDG_STATE_HOME=" + filepath.Join(p.Home, ".local", "state"),
	}, f.client.env(p, s)...)
	procgroup.Lead(cmd)
	cmd.WaitDelay = 500 * time.Millisecond // a child process may hold the pipes
	err := cmd.Run()
	procgroup.End(cmd, p.Home)
	switch {
	case ctx.Err() != nil:
		return "", errors.Join(context.Cause(ctx), ctx.Err())
	case stdout.Over:
		return "", fmt.Errorf("%w: it printed too much", errClient)
	}
	text, e := f.client.answer(p, stdout.Bytes())
	if text == "" && err != nil {
		return "", fmt.Errorf("%w: %s: %w: %s", errClient, f.client.name, err, stderrEnd(stderr.String()))
	}
	return text, e
}

// stderrEnd returns the end of a client's standard error, as data.
func stderrEnd(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return quarantine.DisplayName(lines[len(lines)-1])
}

// answerSchema is the JSON schema of an answer, for clients that enforce one.
func answerSchema() obj {
	text := obj{"type": "string"}
	or := func(o obj) obj { return obj{"anyOf": []any{o, obj{"type": "null"}}} }
	object := func(props obj) obj { // all fields are required, as strict schemas demand
		return obj{"type": "object", "properties": props, "required": slices.Sorted(maps.Keys(props)), "additionalProperties": false}
	}
	severity := obj{"type": "string", "enum": []string{"low", "medium", "high", "critical"}}
	return object(obj{
		"findings": obj{"type": "array", "items": object(obj{
			"type":        obj{"type": "string", "enum": []string{"security_issue", "code_quality", "documentation", "test_coverage", "other"}},
			"severity":    severity,
			"title":       text,
			"description": text,
			"location":    or(object(obj{"file": text, "line": or(obj{"type": "integer"}), "column": or(obj{"type": "integer"})})),
			"remediation": or(text), "cwe": or(text), "confidence": or(obj{"type": "number"}),
		})},
		"riskLevel":          severity,
		"recommendedActions": obj{"type": "array", "items": text},
	})
}

func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

func asJSON(v any) string {
	b, _ := json.Marshal(v) // consists of maps and strings
	return string(b)
}

// toml encodes strings as TOML.
func toml(list ...string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = strconv.Quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
