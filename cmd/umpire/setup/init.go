// Package setup has `umpire init` and `umpire uninstall`, and offers to replay past sessions.
package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/completion"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

// setup is one run of init or uninstall.
type setup struct {
	by cli.Invoker
	at terminal.Person // the terminal, once open: a second one would compete for keys

	project, managed, dryRun, yes, asJSON bool
	root                                  string
	trust, force                          bool
	events, hook                          string
	onlyCalls                             bool // the person asked for no more than calls
	remove                                bool
	history, noHistory                    bool
}

func (s *setup) flags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&s.project, "project", false, "use the settings of this project, not yours")
	f.BoolVar(&s.managed, "managed", false, "use machine-wide settings, which agents cannot change; requires root")
	f.StringVar(&s.root, "root", "", "with --managed: write below `DIR`, to build a machine image")
	f.BoolVarP(&s.dryRun, "dry-run", "n", false, "show the changes and write nothing")
	f.BoolVarP(&s.yes, "yes", "y", false, "do not ask for confirmation")
	f.BoolVar(&s.asJSON, "json", false, "print one JSON document")
}

// NewInit returns `umpire init`.
func NewInit(by cli.Invoker) *cobra.Command {
	s := &setup{by: by}
	c := &cobra.Command{
		Use:        "init [CLIENT...]",
		SuggestFor: []string{"install", "setup"},
		Short:      "Make coding agents ask umpire before every tool call",
		Long: `Write umpire's hook into the settings of the given coding agents, or of all on this machine.

Umpire shows the changes first, and keeps comments, order and other hooks. At a terminal, it then
offers to replay your recorded sessions.

Exit status: 0 the agents are guarded, 3 an agent needs the step that the output names, 1 failure.

Agents: ` + agentNames(),
		Example: `  umpire init claude codex --dry-run
  sudo umpire init --managed claude`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.onlyCalls = cmd.Flags().Changed("events") && s.events == "calls"
			return s.run(cmd, args)
		},
	}
	s.flags(c)
	f := c.Flags()
	f.BoolVar(&s.trust, "trust", false, "mark the hook as trusted in Codex, which otherwise asks you")
	f.StringVar(&s.events, "events", "calls", "events to report: `calls` (and sessions), or all (also results and prompts); without the flag, an earlier choice stays")
	f.StringVar(&s.hook, "hook", "", "`PATH` of umpire-hook in the settings")
	f.BoolVar(&s.history, "history", false, "replay recorded sessions without asking")
	f.BoolVar(&s.noHistory, "no-history", false, "do not offer to replay recorded sessions")
	f.BoolVar(&s.force, "force", false, "accept an umpire-hook in a temporary folder")
	return c
}

// NewUninstall returns `umpire uninstall`.
func NewUninstall(by cli.Invoker) *cobra.Command {
	s := &setup{by: by, remove: true}
	c := &cobra.Command{
		Use: "uninstall [CLIENT...]", SuggestFor: []string{"remove"},
		Short: "Remove umpire from the settings of coding agents",
		Long: `Remove umpire from the settings of all coding agents or the given ones.

It restores a file byte for byte, or removes only umpire's hooks if you edited it since.`,
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	s.flags(c)
	return c
}

func agentNames() string {
	var run, read []string
	for _, a := range install.Agents() {
		if a.Observed != "" {
			run = append(run, a.Name)
		} else {
			read = append(read, a.Name)
		}
	}
	return strings.Join(run, " ") + "\nand, untested, from their documentation: " + strings.Join(read, " ")
}

// agentResult is the outcome for one agent.
type agentResult struct {
	Agent     string       `json:"agent"`
	Title     string       `json:"title"`
	Observed  bool         `json:"observed"`
	Files     []fileResult `json:"files"`
	Skipped   string       `json:"skipped,omitempty"`
	Error     string       `json:"error,omitempty"`
	Next      string       `json:"next,omitempty"`
	Written   bool         `json:"written"`             // its files match the plan
	Unguarded string       `json:"unguarded,omitempty"` // why it does not call umpire after init

	changes  []install.Change
	obstacle *install.Problem
}

type fileResult struct {
	Path   string `json:"path"`
	Action string `json:"action"` // create, change, remove
	Note   string `json:"note,omitempty"`
	Diff   string `json:"diff"`
}

// run plans the changes, shows them, asks, and writes them.
func (s *setup) run(cmd *cobra.Command, args []string) error {
	scope, err := s.scope()
	if err != nil {
		return err
	}
	env, err := s.env()
	if err != nil {
		return err
	}
	agents, err := s.agents(env, args)
	if err == nil && !s.remove {
		env.Hook, err = s.hookPath(env.Dir)
	}
	if err != nil {
		return err
	}
	if !s.dryRun {
		if err := s.by.Agent(); err != nil {
			return err
		}
		if s.managed && s.root == "" && os.Geteuid() > 0 {
			return errors.New("--managed requires root: use sudo, or --root DIR for an image")
		}
	}
	defer func() {
		if s.at != nil {
			_ = s.at.Close() // all answers were read
		}
	}()
	if s.history { // before it writes: without a person, there is nobody to ask later
		if err := s.open(); errors.Is(err, terminal.ErrNone) {
			return cli.Usagef("nothing was written: --history asks you at a terminal; leave it out, and see umpire replay")
		} else if err != nil {
			return err
		}
	}
	results := make([]agentResult, 0, len(agents))
	changed, failed := 0, false
	for _, a := range agents {
		r := s.plan(env, a, scope, len(args) > 0)
		results = append(results, r)
		changed += len(r.changes)
		failed = failed || r.Error != ""
	}
	out := cmd.OutOrStdout()
	if !s.asJSON {
		s.show(out, results)
	}
	if changed > 0 && !s.dryRun {
		if err := s.confirm(changed); err != nil {
			return err
		}
		failed = s.apply(env, results) || failed
	}
	guarded := s.check(env, results)
	if err := s.report(cmd, env, results); err != nil {
		return err
	}
	if err := s.finish(cmd, len(args) == 0, failed); err != nil {
		return err
	}
	if failed {
		return cli.ExitError(cli.ExitFailure)
	}
	if err := s.offerHistory(cmd.Context()); err != nil || guarded {
		return err
	}
	return cli.ExitError(cli.ExitAsk)
}

// check inspects the current settings of each agent, and reports whether all of them call umpire.
// It skips the machine's settings, which may belong to an image, and in a dry run those that would change.
func (s *setup) check(env install.Env, results []agentResult) (guarded bool) {
	guarded = true
	if s.remove || s.managed {
		return guarded
	}
	for i := range results {
		r := &results[i]
		if r.Error != "" || r.Skipped != "" || s.dryRun && len(r.changes) > 0 {
			continue
		}
		if r.obstacle = unguarded(env, r.Agent); r.obstacle != nil {
			r.Unguarded, guarded = r.obstacle.Text, s.dryRun
		}
	}
	return guarded
}

// scope checks the combination of flags, and returns the scope of the settings.
func (s *setup) scope() (install.Scope, error) {
	switch {
	case s.project && s.managed:
		return 0, cli.Usagef("use --project or --managed, not both")
	case s.root != "" && !s.managed:
		return 0, cli.Usagef("--root requires --managed")
	case s.asJSON && !s.dryRun && !s.yes:
		return 0, cli.Usagef("--json requires --yes or --dry-run, because it cannot ask you")
	case s.history && (s.noHistory || s.dryRun || s.asJSON):
		return 0, cli.Usagef("--history asks you at a terminal: remove --no-history, --dry-run and --json")
	case s.project:
		return install.Project, nil
	case s.managed:
		return install.Managed, nil
	}
	return install.User, nil
}

// confirm asks the person whether to change n files, unless --yes says so.
func (s *setup) confirm(n int) error {
	if s.yes {
		return nil
	}
	if err := s.open(); err != nil {
		return cli.NoTerminal(err)
	}
	verb := "Write"
	if s.remove {
		verb = "Change or remove"
	}
	if n == 1 {
		return cli.Confirm(s.at, verb+" this file?")
	}
	return cli.Confirm(s.at, fmt.Sprintf("%s these %d files?", verb, n))
}

// open opens the terminal, once.
func (s *setup) open() error {
	if s.at != nil {
		return nil
	}
	t, err := s.by.Terminal()
	if err != nil {
		return err
	}
	s.at = t
	return nil
}

// report prints the results as JSON, or the next steps.
func (s *setup) report(cmd *cobra.Command, env install.Env, results []agentResult) error {
	out := cmd.OutOrStdout()
	if s.asJSON {
		return cli.PrintJSON(out, struct {
			Written bool          `json:"written"`
			Agents  []agentResult `json:"agents"`
		}{slices.ContainsFunc(results, func(r agentResult) bool { return r.Written }), results})
	}
	if s.dryRun {
		for i := range results {
			results[i].blocked(out)
		}
		return nil
	}
	s.next(out, results)
	if s.remove {
		remaining(out, env, results)
	}
	if !s.remove && !s.managed && !s.project {
		if settings, err := judgeconfig.Settings(env.Home, env.Dir); err == nil {
			judgeconfig.Offer(cmd.Context(), out, settings)
		}
	}
	return nil
}

// finish records the user's folders after init. After an uninstall of all agents, it removes the
// completion scripts.
func (s *setup) finish(cmd *cobra.Command, all, failed bool) error {
	if s.dryRun || s.managed {
		return nil
	}
	if !s.remove {
		if failed {
			return nil
		}
		return believe(cmd.ErrOrStderr())
	}
	if s.asJSON || s.project || !all {
		return nil
	}
	_, err := completion.RemoveCompletions(cmd.OutOrStdout(), completion.ShellCompletions(new(bool)))
	return err
}

// offerHistory offers to replay recorded sessions, if this is an interactive init for the user.
func (s *setup) offerHistory(ctx context.Context) error {
	quiet := s.noHistory || s.yes || s.asJSON || s.dryRun || s.remove || s.managed || s.project
	if quiet && !s.history {
		return nil
	}
	if s.open() != nil {
		return nil //nolint:nilerr // without a person there is no one to offer it to
	}
	return OfferHistory(ctx, s.at, s.history)
}

// believe records umpire's folders from the person's environment. An agent's hook uses only the
// recorded folders, because a project could have set the variables.
func believe(w io.Writer) error {
	own := home.System()
	moved := home.Moved(own, os.Getenv)
	if own == "" || slices.ContainsFunc(moved, func(v home.Variable) bool { return v.Name == "HOME" }) {
		return nil // a different home, which has no files of this user
	}
	for _, v := range moved {
		if _, err := home.TrustDir(v.Dir, 0); err != nil {
			return fmt.Errorf("record that %s is where %s says: %w", v.Dir, v.Name, err)
		}
		fmt.Fprintf(w, "Umpire's folder for %s is now below %s.\n", v.Name, visible.Line(v.Dir))
	}
	return nil
}

func (s *setup) env() (install.Env, error) {
	at, err := project.At("")
	if err != nil {
		return install.Env{}, err
	}
	if at.Home == "" && !s.managed {
		return install.Env{}, errors.New("cannot find your home folder: set HOME")
	}
	env := install.Env{Home: at.Home, Dir: at.Workspace, Getenv: os.Getenv, LookPath: exec.LookPath}
	if s.root != "" {
		if env.Root, err = filepath.Abs(s.root); err != nil {
			return env, err
		}
	}
	if env.Dir == at.Home && s.project {
		return env, errors.New("--project: this is your home folder: run it in a project folder")
	}
	return env, nil
}

// hookPath returns the path of umpire-hook for the settings of agents. The workspace is "" outside a
// project.
func (s *setup) hookPath(workspace string) (path string, err error) {
	if path = s.hook; path == "" {
		path, err = install.BesideHook()
	} else {
		path, err = filepath.Abs(path)
	}
	if err == nil && s.root == "" { // the programs of an image are not on this machine
		err = install.CheckHook(path)
	}
	if err != nil {
		return "", err
	}
	if !s.force {
		folders := strings.Split(path, string(filepath.Separator))
		if slices.Contains(folders, "_npx") || workspace != "" && slices.Contains(folders, "node_modules") && platform.Inside(path, workspace) {
			return "", doclink.Wrap(fmt.Errorf("%s is a temporary copy that npm replaces and removes: agents would run unguarded after that; install umpire permanently (npm install -g @umpire-dev/umpire), or use --force", path), doclink.HookProgram)
		}
		for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp", "/private/tmp", "/dev/shm"} {
			if platform.Inside(path, dir) {
				return "", fmt.Errorf("%s is in a temporary folder: agents would run unguarded after it is deleted; install umpire permanently, or use --force", path)
			}
		}
	}
	return path, nil
}

func (s *setup) agents(env install.Env, names []string) ([]install.Agent, error) {
	all := install.Agents()
	if len(names) == 0 {
		if s.remove {
			return all, nil
		}
		found := install.Found(env)
		if len(found) == 0 {
			return nil, doclink.Wrap(fmt.Errorf("no coding agents found: no program in PATH, no settings in %s; to select one anyway, name it: %s", env.Home, strings.ReplaceAll(agentNames(), "\n", " ")), doclink.NoAgent)
		}
		return found, nil
	}
	var list []install.Agent
	known := make([]string, len(all))
	for i := range all {
		known[i] = all[i].Name
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(a install.Agent) bool { return a.Name == name })
		if i < 0 {
			if near := nearest.Word(name, known); near != "" {
				return nil, cli.Usagef("unknown agent %q; did you mean %s?", name, near)
			}
			return nil, cli.Usagef("unknown agent %q; supported agents: %s", name, strings.ReplaceAll(agentNames(), "\n", " "))
		}
		if !slices.ContainsFunc(list, func(a install.Agent) bool { return a.Name == name }) {
			list = append(list, all[i])
		}
	}
	return list, nil
}

func (s *setup) plan(env install.Env, a install.Agent, scope install.Scope, named bool) agentResult {
	r := agentResult{Agent: a.Name, Title: a.Title, Observed: a.Observed != "", Files: []fileResult{}}
	var err error
	if s.remove {
		r.changes, err = install.PlanRemove(env, a.Name, scope)
	} else {
		r.changes, err = install.Plan(env, a.Name, scope, install.Options{AllEvents: s.events == "all", OnlyCalls: s.onlyCalls, Trust: s.trust})
		r.Next = a.Next
	}
	switch {
	case errors.Is(err, install.ErrUnsupported) && !named:
		r.Skipped = err.Error()
	case err != nil:
		r.Error = err.Error()
	}
	for _, c := range r.changes {
		f := fileResult{Path: c.Path, Action: "change", Note: c.Note}
		if !c.Existed {
			f.Action = "create"
		} else if c.After == nil {
			f.Action = "remove"
		}
		before, after := "/dev/null", "/dev/null"
		if c.Existed {
			before = c.Path
		}
		if c.After != nil {
			after = c.Path
		}
		f.Diff = string(diff.Diff(before, lines(c.Before), after, lines(c.After)))
		_, f.Diff, _ = strings.Cut(f.Diff, "\n") // drop the diff line that repeats both names
		if f.Diff == "" && c.After != nil {
			f.Diff = fmt.Sprintf("mode %04o\n", c.Mode)
		}
		r.Files = append(r.Files, f)
	}
	return r
}

// lines ends the last line with a newline, because a diff of a line without one is hard to read.
func lines(b []byte) []byte {
	if len(b) > 0 && b[len(b)-1] != '\n' {
		return append(bytes.Clone(b), '\n')
	}
	return b
}

func (s *setup) show(w io.Writer, results []agentResult) {
	color := cli.Colored(w)
	quiet := 0
	for _, r := range results {
		title := r.Title
		if !r.Observed && !s.remove {
			title += " (from its documentation; not tested)"
		}
		switch {
		case r.Error != "":
			fmt.Fprintf(w, "%s: error: %s\n", title, visible.Line(r.Error))
		case r.Skipped != "":
			fmt.Fprintf(w, "%s: skipped: %s\n", title, visible.Line(r.Skipped))
		case len(r.changes) == 0 && s.remove && len(results) > 1:
			quiet++
		case len(r.changes) == 0:
			fmt.Fprintf(w, "%s: nothing to do\n", title)
		}
		for _, f := range r.Files {
			fmt.Fprintf(w, "%s: %s %s\n", title, f.Action, visible.Line(f.Path))
			if f.Note != "" {
				fmt.Fprintf(w, "  %s\n", visible.Line(f.Note))
			}
			for line := range strings.Lines(f.Diff) {
				line = visible.Clip(strings.TrimRight(line, "\r\n"), 300)
				switch {
				case color && strings.HasPrefix(line, "+"):
					line = "\x1b[32m" + line + "\x1b[0m"
				case color && strings.HasPrefix(line, "-"):
					line = "\x1b[31m" + line + "\x1b[0m"
				}
				fmt.Fprintln(w, line)
			}
		}
	}
	if quiet == len(results) {
		fmt.Fprintln(w, "nothing to do")
	}
}

// apply writes the changes, and records failures in the results.
func (s *setup) apply(env install.Env, results []agentResult) (failed bool) {
	for i := range results {
		r := &results[i]
		if len(r.changes) == 0 {
			continue
		}
		err := install.Apply(env, r.changes)
		if errors.Is(err, install.ErrMoved) { // another run may have made the change
			if again := s.plan(env, install.Agent{Name: r.Agent, Title: r.Title}, r.changes[0].Scope, true); again.Error == "" && len(again.changes) == 0 {
				err = nil
			}
		}
		if r.Written = err == nil; err == nil && s.root == "" {
			err = answer.RecordChange("terminal", answer.Change{What: "hooks", Removed: s.remove, Names: r.Title, Path: r.changes[0].Path})
		}
		if err != nil {
			r.Error, failed = err.Error(), true
		}
	}
	return failed
}

// next reports the changes, and the next step.
func (s *setup) next(w io.Writer, results []agentResult) {
	var done, failed []string
	for _, r := range results {
		switch {
		case len(r.changes) == 0 && r.Error == "":
		case len(r.changes) == 0:
			failed = append(failed, r.Title) // its error is printed above the list of changes
		case r.Error != "":
			fmt.Fprintf(w, "\n%s: error: %s\n", r.Title, visible.Line(r.Error))
		default:
			done = append(done, r.Title)
		}
	}
	if len(failed) > 0 {
		verb := map[bool]string{false: "NOT installed for", true: "NOT removed from"}[s.remove]
		fmt.Fprintf(w, "\n%s %s: see the error above.\n", verb, strings.Join(failed, ", "))
	}
	switch {
	case s.remove && len(done) > 0:
		fmt.Fprintf(w, "\nRemoved from %s. Your policy stays in ~/%s, the audit log and backups of settings in ~/%s. You can delete the cache, ~/%s.\n", strings.Join(done, ", "), home.Config, home.State, home.Cache)
	case !s.remove && len(done) > 0:
		fmt.Fprintf(w, "\nInstalled for %s. Restart sessions that are already running.\n", strings.Join(done, ", "))
	}
	if s.remove {
		return
	}
	for _, r := range results {
		if !r.blocked(w) && r.Next != "" && r.Error == "" && len(r.changes) > 0 && (r.Agent != "codex" || !s.trust && !s.managed) {
			fmt.Fprintf(w, "  %s: %s.\n", r.Title, r.Next)
		}
	}
	if len(done) > 0 {
		fmt.Fprintln(w, "Next: run umpire doctor to check the setup, and umpire doctor --live to see an agent being stopped.")
	}
}

// blocked reports the obstacle that keeps the agent from calling umpire, if there is one.
func (r *agentResult) blocked(w io.Writer) bool {
	p := r.obstacle
	if p != nil {
		fmt.Fprintf(w, "%s is NOT guarded: %s (%s).\n  Next: %s.\n", r.Title, visible.Line(p.Text), visible.Line(p.Path), visible.Line(p.Next))
	}
	return p != nil
}

// remaining names the settings that still start umpire: those of another scope, or of the project
// in this folder.
func remaining(w io.Writer, env install.Env, results []agentResult) {
	for _, r := range results {
		st, err := install.Inspect(env, r.Agent)
		if err != nil {
			continue
		}
		for _, f := range st.Files {
			if flag := map[install.Scope]string{install.Project: "--project ", install.Managed: "--managed "}[f.Scope]; len(f.Ours) > 0 {
				fmt.Fprintf(w, "%s still asks umpire because of %s: run `umpire uninstall %s`\n", r.Title, visible.Line(f.Path), flag+r.Agent)
			}
		}
	}
}

// unguarded returns the obstacle that keeps an agent from calling umpire, or nil.
func unguarded(env install.Env, agent string) *install.Problem {
	st, err := install.Inspect(env, agent)
	if err != nil || st.Installed {
		return nil
	}
	gravest := slices.IndexFunc(st.Problems, func(p install.Problem) bool { return p.Kind == install.Off || p.Kind == install.Broken })
	if gravest < 0 {
		return nil
	}
	return &st.Problems[gravest]
}
