package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/file"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of a command.
const (
	defaultTimeout = 30 * time.Second
	maxTimeout     = time.Hour
	maxCommand     = 100 << 10
)

type bashInput struct {
	Command string `json:"command" jsonschema:"command line for bash -c"`
	Timeout int64  `json:"timeout,omitempty" jsonschema:"timeout in milliseconds (default 30000), after which the command is killed"`
	Keep    bool   `json:"keep,omitempty" jsonschema:"at the timeout, keep the command running as a job"`
}

type bashData struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exitCode"`
	Command  string `json:"command"`
	Hint     string `json:"hint,omitempty"`
	File     string `json:"file,omitempty"` // file with the complete output, if it is long
}

func (s *set) bash() agent.Tool {
	t := define(agent.Tool{
		Name:        "bash",
		Description: "Run a command with bash in the working directory, without a terminal or input.",
		Dangerous:   true,
		Origin:      func(json.RawMessage) string { return "bash" },
	}, func(schema *jsonschema.Schema) {
		schema.Properties["timeout"].Minimum, schema.Properties["timeout"].Maximum = new(1.0), new(float64(maxTimeout.Milliseconds()))
		if s.Jobs == nil {
			delete(schema.Properties, "keep")
		}
	}, s.runBash)
	t.Preview = func(_ context.Context, input json.RawMessage, _ *agent.Env) agent.Preview {
		in, err := decode[bashInput](input)
		if err == nil {
			err = in.check()
		}
		if err != nil {
			return agent.Preview{Err: err.Error()}
		}
		return agent.Preview{Text: in.Command}
	}
	return t
}

func (in *bashInput) check() error {
	switch {
	case strings.TrimSpace(in.Command) == "":
		return errors.New("the command is empty")
	case len(in.Command) > maxCommand:
		return fmt.Errorf("the command has more than %d KiB: write a script", maxCommand>>10)
	case strings.ContainsRune(in.Command, 0):
		return errors.New("the command contains a zero byte")
	case in.Timeout < 0 || in.Timeout > maxTimeout.Milliseconds():
		return fmt.Errorf("timeout must be between 1 and %d milliseconds", maxTimeout.Milliseconds())
	}
	return nil
}

func (s *set) runBash(ctx context.Context, in *bashInput, env *agent.Env) (r agent.Result, err error) {
	if err := in.check(); err != nil {
		return r, err
	}
	if err := ctx.Err(); err != nil {
		return r, errors.New("the command was cancelled before it began")
	}
	limit := defaultTimeout
	if in.Timeout > 0 {
		limit = time.Duration(in.Timeout) * time.Millisecond
	}
	c := s.start(ctx, in.Command, env)
	select {
	case <-c.done:
		return c.result(), nil
	case <-ctx.Done():
		c.end()
		return agent.Result{Output: c.blocks(false)}, errors.New("the command was cancelled")
	case <-time.After(limit):
	}
	if in.Keep && s.Jobs != nil {
		id, err := s.Jobs.keep(c)
		if err == nil {
			stdout, stderr, _ := c.out.texts()
			return agent.Result{Success: true, Output: c.blocks(false) + "still running as job " + id, Data: jobData{ID: id, Command: in.Command, Running: true, Stdout: stdout, Stderr: stderr}}, nil
		}
		c.end()
		return agent.Result{Output: c.blocks(false)}, fmt.Errorf("the command timed out after %d ms and was killed: %w", limit.Milliseconds(), err)
	}
	c.end()
	return agent.Result{Output: c.blocks(false)}, fmt.Errorf("the command timed out after %d ms and was killed", limit.Milliseconds())
}

type command struct {
	text    string
	boxed   bool
	started time.Time
	out     *output
	cancel  context.CancelFunc
	done    chan struct{} // closed at the end; the fields below may be read after that
	code    int
	err     error // error if it did not start
	refused []string
}

// maxRefused limits the reported refusals of the sandbox.
const maxRefused = 5

// refuse records an access that the sandbox refused.
func (c *command) refuse(e sandbox.Event) {
	if e.Times == 1 && len(c.refused) < maxRefused { // refusals are reported again at the end, with counts
		c.refused = append(c.refused, visible.Clip(e.String(), 200))
	}
}

// start starts a command. It ends by itself, by end, or at its final time limit.
func (s *set) start(ctx context.Context, text string, env *agent.Env) *command {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxTimeout)
	c := &command{text: text, boxed: env.Sandbox, started: time.Now(), cancel: cancel, done: make(chan struct{}), out: &output{tell: env.Output}}
	if s.State != "" {
		c.out.folder = filepath.Join(s.State, "outputs")
	}
	go func() {
		defer close(c.done)
		defer cancel()
		defer c.out.stop()
		if c.boxed {
			c.code, c.err = s.inBox(ctx, c, env)
		} else {
			c.code, c.err = s.onHost(ctx, c, env)
		}
	}()
	return c
}

// end stops a command with all its processes, and waits for them.
func (c *command) end() {
	c.out.stop()
	c.cancel()
	<-c.done
}

// onHost runs a command under host's supervision: its processes do not outlive it.
func (s *set) onHost(ctx context.Context, c *command, env *agent.Env) (int, error) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return 0, fmt.Errorf("bash is not installed: %w", err)
	}
	streams := map[string]writer{"stdout": {c.out, &c.out.out}, "stderr": {c.out, &c.out.err}}
	r := host.Run(ctx, host.Command{
		Argv: []string{bash, "-c", c.text}, Dir: env.Dir, Env: environ(os.Environ(), s.Env, false), Timeout: maxTimeout,
		Stream: func(name string, data []byte) { _, _ = streams[name].Write(data) }, // never fails
		Hold:   env.Hold,
	})
	if r.ExitCode == host.ExitNotStarted {
		return 0, fmt.Errorf("bash could not be started: %s", strings.TrimSpace(r.Stderr))
	}
	return r.ExitCode, nil
}

// inBox runs a command in a sandbox around the workspace.
func (s *set) inBox(ctx context.Context, c *command, env *agent.Env) (code int, err error) {
	cfg, done, err := s.Box("bash", env.Dir, env.Workspace)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, done()) }()
	cfg.Args = append(cfg.Args, "-c", c.text)
	cfg.Env = append(cfg.Env, environ(os.Environ(), s.Env, true)...)
	cfg.Stdout, cfg.Stderr = writer{c.out, &c.out.out}, writer{c.out, &c.out.err}
	cfg.Tell = c.refuse
	if err := env.Holds(); err != nil {
		return 0, err
	}
	code, err = sandbox.Run(ctx, cfg)
	if err != nil && ctx.Err() == nil {
		return 0, fmt.Errorf("the command was not run: %w", err)
	}
	return code, nil
}

// Box returns a sandbox for a program in a folder of the workspace, which is the host's. The caller
// adds arguments and variables to the Config, and calls done after the run.
func (o *Options) Box(program, dir, workspace string) (cfg sandbox.Config, done func() error, err error) {
	workspace = cmp.Or(workspace, dir)
	cfg.Direct = true
	for to, from := range map[*string]string{&cfg.Dir: workspace, &cfg.Folder: dir, &cfg.Home: o.Home} {
		if *to, err = file.Resolve("", from); err != nil {
			return cfg, nil, err
		}
	}
	if outside(cfg.Folder, &agent.Env{Dir: cfg.Dir}) {
		return cfg, nil, fmt.Errorf("the folder %s is not in the workspace %s, so it cannot run in the sandbox", cfg.Folder, cfg.Dir)
	}
	prog, needed, err := sandbox.Needed(program, cfg.Home)
	if err != nil {
		return cfg, nil, fmt.Errorf("there is no %s: %w", program, err)
	}
	cfg.Args = []string{prog}
	cfg.Env = []string{"HOME=" + cfg.Home, "TMPDIR=/tmp"}
	if cfg.ReadOnly, err = existingPaths(append(needed, o.ReadOnly...)); err != nil {
		return cfg, nil, err
	}
	if cfg.Writable, err = existingPaths(o.Writable); err != nil {
		return cfg, nil, err
	}
	// Files that git would run, or umpire would obey, outside the sandbox.
	for _, name := range []string{".git/hooks", ".git/config", ".umpire.yaml"} {
		cfg.Held = append(cfg.Held, filepath.Join(cfg.Dir, name))
	}
	for _, p := range o.Protected {
		real, err := file.Resolve("", p)
		if err != nil {
			return cfg, nil, err
		}
		if !slices.Contains(cfg.Held, real) { // the project's own policy is in the project
			cfg.Own = append(cfg.Own, real)
		}
	}
	if err := os.MkdirAll(filepath.Join(o.State, "boxes"), 0o700); err != nil {
		return cfg, nil, err
	}
	state, err := os.MkdirTemp(filepath.Join(o.State, "boxes"), "")
	if err != nil {
		return cfg, nil, err
	}
	done = func() error { return os.RemoveAll(state) }
	if cfg.State, err = file.Resolve("", state); err != nil {
		return cfg, nil, errors.Join(err, done())
	}
	return cfg, done, nil
}

// existingPaths returns the existing paths, by their real names.
func existingPaths(paths []string) (list []string, err error) {
	for _, p := range paths {
		real, err := file.Resolve("", p)
		if err != nil {
			return nil, err
		}
		if _, err := os.Lstat(real); err == nil {
			list = append(list, real)
		}
	}
	return list, nil
}

// blocks formats the output of a command for people.
func (c *command) blocks(ended bool) string {
	stdout, stderr, _ := c.out.texts()
	var b strings.Builder
	for _, s := range []struct{ name, text string }{{"stdout", stdout}, {"stderr", stderr}} {
		if s.text != "" {
			fmt.Fprintf(&b, "%s:\n%s\n", s.name, s.text)
		}
	}
	if ended {
		fmt.Fprintf(&b, "exit code: %d", c.code)
	}
	return b.String()
}

// result returns the result of a finished command.
func (c *command) result() agent.Result {
	if c.err != nil {
		return agent.Failed(c.err.Error())
	}
	d := bashData{ExitCode: c.code, Command: c.text}
	d.Stdout, d.Stderr, d.File = c.out.texts()
	r := agent.Result{Success: c.code == 0, Output: c.blocks(true)}
	if c.code != 0 {
		r.Error = fmt.Sprintf("the command ended with exit code %d", c.code)
		if c.boxed {
			d.Hint = boxHint(d.Stdout+"\n"+d.Stderr, c.refused)
		}
		r.Walled = d.Hint
		if d.Hint != "" {
			r.Output += "\n" + d.Hint
		}
	}
	r.Data = d
	return r
}

// boxHint explains to the model how the sandbox may have caused a failure: by its refusals, and by
// typical error messages of programs.
func boxHint(printed string, refused []string) string {
	var why []string
	if len(refused) > 0 {
		why = append(why, "it refused "+strings.Join(refused, "; "))
	}
hints:
	for _, h := range []struct {
		said []string
		hint string
	}{
		{[]string{"Read-only file system"}, "only the workspace, the empty home folder and /tmp can be written, and of .git not the hooks and the configuration"},
		{[]string{"Could not resolve host", "Temporary failure in name resolution", "Name or service not known", "Network is unreachable", "network is unreachable", "EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "onnection refused", "no such host", "server misbehaving"}, "there is no network"},
		{[]string{"Operation not permitted", "Permission denied", "permission denied", "EPERM", "EACCES"}, "there are no other users' rights, mounts, namespaces, tracing or raw sockets, and no files outside the workspace"},
		{[]string{"No such file or directory", "command not found", "ENOENT", "cannot find module", "no such file"}, "the home folder is empty except for tools, and umpire's folders are hidden"},
	} {
		for _, s := range h.said {
			if strings.Contains(printed, s) {
				why = append(why, h.hint)
				break hints
			}
		}
	}
	if len(why) == 0 {
		return ""
	}
	return "This ran in umpire's sandbox: " + strings.Join(why, "; ") + ". If more is needed, ask the user for a run outside the sandbox."
}
