package gateway

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits on what a plan runs.
const (
	maxNames   = 50        // packages of one request
	maxTimeout = 3_600_000 // milliseconds
)

// process is the common part of plans that run a program.
type process struct {
	Dir     string `json:"cwd,omitempty"`     // relative to the root, with links resolved; "" is the root
	Timeout int64  `json:"timeout,omitempty"` // milliseconds
	// Files are the files that the program would run, with hashes of their content.
	Files []umpire.File `json:"files,omitempty"`
	// Unbound means that the program may run files that are not in Files, because only the run tells
	// which build files it uses, or because the files are too many or too large.
	Unbound bool `json:"unbound,omitempty"`

	seen   *disk.Seen    // the files that the last judgment read
	memory *taint.Memory // the session's record of files that the program downloads or makes
}

type program interface {
	Plan
	executable
	proc() *process
	// command returns the program for the host to start in a folder.
	command(dir string) (host.Command, error)
	// scripts returns the files, with hashes, that it would run or takes commands from.
	scripts(g *Gateway) ([]umpire.File, error)
}

func (p *process) proc() *process { return p }

func (p *process) check() error {
	if p.Timeout < 0 || p.Timeout > maxTimeout {
		return bad("the timeout must be milliseconds, at most %d", maxTimeout)
	}
	return nil
}

func (p *process) runs() bool { return true }

// again reports false: no one knows what a program did before its gateway died.
func (p *process) again() bool { return false }

func (p *process) here(context.Context, *Gateway) bool { return true }

func (p *process) notes() (list []string) {
	if p.Dir != "" {
		list = append(list, "in "+visible.Line(p.Dir))
	}
	if p.Unbound {
		list = append(list, "IT MAY RUN FILES THAT ARE CHOSEN WHEN IT RUNS, OR THAT ARE TOO MANY OR TOO LARGE: this approval is not bound to their content")
	}
	return list
}

func (p *process) oneByOne() string {
	switch {
	case p.Dir != "":
		return "a rule would apply in every folder, but this request names one"
	case p.Unbound:
		return "it may run files that no approval is bound to: requests like this are answered one by one"
	}
	return ""
}

func (p *process) restrict(d *umpire.Decision, _ *judgment) {
	if p.Dir != "" {
		otherFolder(d, p.Dir)
	}
}

// otherFolder asks a person about a program that a rule allows, because it runs in another folder.
func otherFolder(d *umpire.Decision, dir string) {
	if d.Effect == umpire.Allow {
		d.Add(umpire.Reason{Rule: "other-folder", Effect: umpire.Ask, Op: -1, Text: "rules apply to the project folder, but this runs in " + visible.Clip(dir, 200)})
	}
}

// CommandPlan runs a shell command.
type CommandPlan struct {
	Command string `json:"command,omitempty"`
	process

	// By the last judgment, another folder in which it runs a program, and the variables that it sets
	// and that may change what a program does.
	elsewhere string
	variables []string
}

func readCommand(s *Submission) (Plan, error) {
	m, err := metadata[struct {
		commandIn
		extra
	}](s)
	if err != nil {
		return nil, err
	}
	c := &CommandPlan{Command: m.Command, process: process{Dir: m.Dir, Timeout: int64(m.Timeout)}}
	c.Command = cmp.Or(c.Command, s.Action)
	switch {
	case strings.TrimSpace(c.Command) == "":
		return nil, bad("the command is empty")
	case strings.ContainsRune(c.Command, 0): // no argument can contain it
		return nil, bad("the command has a zero byte")
	case len(c.Command) > approval.MaxAction:
		return nil, bad("the command is longer than %d bytes", approval.MaxAction)
	case m.Command != "" && s.Action != "" && m.Command != s.Action:
		return nil, bad("the action and the command differ: make them equal, or leave one out")
	}
	return c, c.check()
}

func (c *CommandPlan) category() approval.Category { return approval.Exec }

func (c *CommandPlan) title() string { return c.Command }

func (c *CommandPlan) action(root string) *umpire.Action {
	input := map[string]any{"command": c.Command}
	if c.Dir != "" {
		input["cwd"] = c.Dir
	}
	return local(root, "Bash", input)
}

func (c *CommandPlan) operations(a *umpire.Action, env operation.Env) []umpire.Operation {
	ops := operation.Read(a, env)
	if len(ops) == 1 && (ops[0].Idle() || ops[0].Resource == ":") {
		// A command that only prints has no operation, but rules may still name it.
		return []umpire.Operation{{Kind: umpire.Exec, Resource: strings.Join(strings.Fields(c.Command), " ")}}
	}
	return ops
}

// restrict asks a person about a program that only has the name of the one in a rule. It also asks
// about a program that a command starts in another folder or with variables of its own, because an
// agent can write the files that the program then obeys.
func (c *CommandPlan) restrict(d *umpire.Decision, j *judgment) {
	c.process.restrict(d, j)
	if c.elsewhere != "" {
		otherFolder(d, c.elsewhere)
	}
	if d.Effect != umpire.Allow {
		return
	}
	for _, name := range slices.Sorted(slices.Values(c.variables)) { // MAKEFILES=x make check does not run what exec(make check) names
		named := func(op umpire.Operation) bool { return strings.HasPrefix(op.Resource, name+"=") } // so a rule had to name it
		if !slices.ContainsFunc(j.ops, named) {
			d.Add(umpire.Reason{Rule: "other-environment", Effect: umpire.Ask, Op: -1, Text: "rules speak about programs in the gateway's environment, and this sets " + visible.Clip(name, 200)})
			return
		}
	}
	at := place.Map{Workspace: j.a.Workspace, Dir: filepath.Join(j.a.Dir, c.Dir), Home: j.a.Home}
	for _, op := range j.ops {
		if name := operation.Impostor(op, at, maps.Keys(c.seen.Opened), installed); name != "" {
			d.Add(umpire.Reason{Rule: "other-program", Effect: umpire.Ask, Op: -1,
				Text: "rules about " + path.Base(name) + " apply to the system's program, but this runs " + visible.Clip(name, 200)})
			return
		}
	}
}

// installed reports whether PATH has a program of that name.
func installed(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

func (c *CommandPlan) command(dir string) (host.Command, error) {
	return host.Command{Dir: dir, Shell: c.Command}, nil
}

func (c *CommandPlan) bind(_ context.Context, g *Gateway) (string, error) { return g.bindScripts(c) }

func (c *CommandPlan) checkUnchanged(_ context.Context, g *Gateway) error { return g.scriptsHold(c) }

func (c *CommandPlan) carryOut(ctx context.Context, g *Gateway, r *approval.Request) (string, host.CommandResult) {
	return g.runProgram(ctx, c, r)
}

func (c *CommandPlan) writeFullText(_ context.Context, g *Gateway, put func(string) error) error {
	return g.putProgram(c, put)
}

// PackagePlan installs, adds or removes packages.
type PackagePlan struct {
	Manager string   `json:"manager,omitempty"`
	Verb    string   `json:"verb,omitempty"`
	Names   []string `json:"names,omitempty"`
	Scripts bool     `json:"scripts,omitempty"` // the packages may run their own scripts
	process
}

func readPackages(s *Submission) (Plan, error) {
	m, err := metadata[struct {
		installIn
		extra
	}](s)
	if err != nil {
		return nil, err
	}
	q := &PackagePlan{Manager: m.Manager, Verb: m.Verb, Names: m.Packages, Scripts: m.Scripts, process: process{Dir: m.Dir, Timeout: int64(m.Timeout)}}
	q.Verb = cmp.Or(q.Verb, "install")
	if len(q.Names) == 0 || len(q.Names) > maxNames {
		return nil, bad("name between 1 and %d packages", maxNames)
	}
	if err := host.CheckPackages(q.Manager, q.Verb, q.Names, q.Scripts); err != nil {
		return nil, bad("%v", err)
	}
	return q, q.check()
}

func (q *PackagePlan) category() approval.Category { return approval.Packages }

func (q *PackagePlan) title() string {
	return q.Manager + " " + q.Verb + " " + strings.Join(q.Names, " ")
}

func (q *PackagePlan) action(root string) *umpire.Action {
	return local(root, "Bash", argv(slices.Concat(host.PackageVerb(q.Manager, q.Verb), q.Names)...))
}

func (q *PackagePlan) operations(a *umpire.Action, env operation.Env) []umpire.Operation {
	return operation.Read(a, env)
}

func (q *PackagePlan) notes() []string {
	notes := q.process.notes()
	if q.Scripts {
		notes = append(notes, "the packages may run their own scripts")
	}
	return notes
}

func (q *PackagePlan) oneByOne() string {
	if q.Scripts {
		return "packages that may run their own scripts are answered one by one"
	}
	return q.process.oneByOne()
}

func (q *PackagePlan) restrict(d *umpire.Decision, j *judgment) {
	if q.Scripts && d.Effect == umpire.Allow { // a rule names packages, not the code that they run
		d.Effect = umpire.Ask
	}
	q.process.restrict(d, j)
}

func (q *PackagePlan) command(dir string) (host.Command, error) {
	return host.PackageCommand(q.Manager, q.Verb, q.Names, q.Scripts, dir)
}

func (q *PackagePlan) bind(ctx context.Context, g *Gateway) (string, error) {
	return g.bindScripts(q)
}

func (q *PackagePlan) checkUnchanged(_ context.Context, g *Gateway) error { return g.scriptsHold(q) }

func (q *PackagePlan) carryOut(ctx context.Context, g *Gateway, r *approval.Request) (string, host.CommandResult) {
	return g.runProgram(ctx, q, r)
}

func (q *PackagePlan) writeFullText(_ context.Context, g *Gateway, put func(string) error) error {
	return g.putProgram(q, put)
}

// runProgram runs a plan's program to its end. Viewers of its output see the end after the result
// is stored.
func (g *Gateway) runProgram(ctx context.Context, p program, r *approval.Request) (status string, result host.CommandResult) {
	none := host.CommandResult{ExitCode: host.ExitNotStarted}
	c, err := g.hostCommand(p)
	if err != nil {
		none.Stderr = err.Error()
		if changed := (changedError{}); errors.As(err, &changed) || errors.Is(err, errLeadsElsewhere) {
			return "conflict", none
		}
		return "failed", none
	}
	var swapped error // a file changed after the last judgment
	c.Hold = func() error {
		if swapped = p.proc().seen.Hold(); swapped != nil {
			return swapped
		}
		return p.proc().memory.Keep()
	}
	live := g.live.add(r.ID)
	c.Stream = live.write
	result = host.Run(ctx, c)
	live.flush()
	if swapped != nil {
		return "conflict", result
	}
	// The output may contain secrets of this machine, which the agent must not get.
	result.Stdout, result.Stderr = redact.Readable(result.Stdout), redact.Readable(result.Stderr)
	if result.ExitCode == host.ExitNotStarted || errors.As(context.Cause(ctx), new(stoppedError)) {
		return "failed", result
	}
	return "completed", result
}

// hostCommand returns the program with its folder. It returns an error if the folder or the files
// that the program would run have changed since the request.
func (g *Gateway) hostCommand(p program) (host.Command, error) {
	own := p.proc()
	dir, err := g.folder(own.Dir)
	if err == nil && own.Dir != "" {
		if now, _ := g.belowRoot(own.Dir); now != own.Dir { // a link was added since the request
			err = changedError{own.Dir}
		}
	}
	if err == nil {
		err = g.scriptsHold(p)
	}
	if err != nil {
		return host.Command{}, err
	}
	c, err := p.command(dir)
	c.Timeout = time.Duration(own.Timeout) * time.Millisecond
	return c, err
}
