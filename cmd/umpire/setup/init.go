// Package setup has `umpire init` and `umpire uninstall`, and offers to replay past sessions.
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/completion"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

// setup is what init and uninstall have in common.
type setup struct {
	project, managed, dryRun, yes, asJSON bool
	root                                  string
	trust, force                          bool
	events, hook                          string
	remove                                bool
	history, noHistory                    bool
}

func (s *setup) flags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&s.project, "project", false, "use the settings of this project, not yours")
	f.BoolVar(&s.managed, "managed", false, "use the machine-wide settings, which agents cannot change; requires root")
	f.StringVar(&s.root, "root", "", "with --managed: write below `DIR`, to build a machine image")
	f.BoolVarP(&s.dryRun, "dry-run", "n", false, "show the changes and write nothing")
	f.BoolVarP(&s.yes, "yes", "y", false, "do not ask for confirmation")
	f.BoolVar(&s.asJSON, "json", false, "print one JSON document")
}

// NewInit returns `umpire init`.
func NewInit() *cobra.Command {
	s := &setup{}
	c := &cobra.Command{
		Use:   "init [CLIENT...]",
		Short: "Make coding agents ask umpire before every tool call",
		Long: `Make coding agents ask umpire before every tool call: write its hook into their settings.
Without arguments, do this for all agents found on this machine.

Umpire first shows the changes. It keeps comments, order and other hooks, and saves what it
overwrites; umpire uninstall restores it. A second run changes nothing.

With --managed, umpire writes machine-wide settings. Agents cannot change them, and projects
cannot turn their hooks off.

At a terminal, umpire then offers to replay the recorded sessions of your agents and shows
the rules that would have asked most often.

Agents: ` + agentNames(),
		Example: `  umpire init
  umpire init claude codex --dry-run
  sudo umpire init --managed claude`,
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	s.flags(c)
	f := c.Flags()
	f.BoolVar(&s.trust, "trust", false, "mark the hook as trusted in Codex, which otherwise asks you")
	f.StringVar(&s.events, "events", "calls", "events that agents report: `calls` (and sessions), or all (also results and prompts)")
	f.StringVar(&s.hook, "hook", "", "the `PATH` by which agents start umpire-hook")
	f.BoolVar(&s.history, "history", false, "replay the recorded sessions of your agents without asking first")
	f.BoolVar(&s.noHistory, "no-history", false, "do not offer to replay recorded sessions")
	f.BoolVar(&s.force, "force", false, "accept an umpire-hook in a folder for temporary files")
	return c
}

// NewUninstall returns `umpire uninstall`.
func NewUninstall() *cobra.Command {
	s := &setup{remove: true}
	c := &cobra.Command{
		Use:   "uninstall [CLIENT...]",
		Short: "Remove umpire from the settings of coding agents",
		Long: `Remove umpire from the settings of all coding agents or the given ones.

If you did not edit a file after umpire init, uninstall restores it byte for byte. Otherwise
it removes only umpire's hooks.`,
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	s.flags(c)
	return c
}

func agentNames() string {
	var run, read []string
	for _, a := range install.Agents() {
		if a.Observed {
			run = append(run, a.Name)
		} else {
			read = append(read, a.Name)
		}
	}
	return strings.Join(run, " ") + "\nand, from their documentation only, not yet tested: " + strings.Join(read, " ")
}

// result is what became of one agent.
type result struct {
	Agent    string       `json:"agent"`
	Title    string       `json:"title"`
	Observed bool         `json:"observed"`
	Files    []fileResult `json:"files"`
	Skipped  string       `json:"skipped,omitempty"`
	Error    string       `json:"error,omitempty"`
	Next     string       `json:"next,omitempty"`

	changes []install.Change
}

type fileResult struct {
	Path   string `json:"path"`
	Action string `json:"action"` // create, change, remove
	Note   string `json:"note,omitempty"`
	Diff   string `json:"diff"`
}

func (s *setup) run(cmd *cobra.Command, args []string) error {
	scope := install.User
	switch {
	case s.project && s.managed:
		return cli.Usagef("use --project or --managed, not both")
	case s.root != "" && !s.managed:
		return cli.Usagef("--root requires --managed")
	case s.events != "" && s.events != "calls" && s.events != "all":
		return cli.Usagef("--events is %q: must be calls or all", s.events)
	case s.asJSON && !s.dryRun && !s.yes:
		return cli.Usagef("--json requires --yes or --dry-run, because it cannot ask you")
	case s.history && (s.noHistory || s.dryRun || s.asJSON):
		return cli.Usagef("--history asks you at a terminal: remove --no-history, --dry-run and --json")
	case s.project:
		scope = install.Project
	case s.managed:
		scope = install.Managed
	}
	env, err := s.env()
	if err != nil {
		return err
	}
	agents, err := s.agents(env, args)
	if err != nil {
		return err
	}
	if !s.dryRun {
		if err := cli.ByAgent(); err != nil {
			return err
		}
		if s.managed && s.root == "" && os.Geteuid() > 0 {
			return errors.New("--managed requires root: use sudo, or --root DIR for an image")
		}
	}
	results := make([]result, 0, len(agents))
	for _, a := range agents {
		results = append(results, s.plan(env, a, scope, len(args) > 0))
	}
	out := cmd.OutOrStdout()
	if !s.asJSON {
		s.show(out, results)
	}
	// One terminal for all questions: what reads it goes on reading, and would take the keys of
	// a second one.
	var at terminal.Person
	defer func() {
		if at != nil {
			_ = at.Close()
		}
	}()
	var changes []install.Change
	failed := false
	for _, r := range results {
		changes = append(changes, r.changes...)
		failed = failed || r.Error != ""
	}
	if len(changes) > 0 && !s.dryRun {
		if !s.yes {
			question := "Write this file?"
			if n := len(changes); n > 1 {
				question = fmt.Sprintf("Write these %d files?", n)
			}
			t, err := cli.AtTerminal()
			if err != nil {
				return cli.NoTerminal(err)
			}
			at = t
			if err := cli.Confirm(at, question); err != nil {
				return err
			}
		}
		if s.apply(env, results) {
			failed = true
		}
	}
	switch {
	case s.asJSON:
		if err := cli.PrintJSON(out, struct {
			Written bool     `json:"written"`
			Agents  []result `json:"agents"`
		}{len(changes) > 0 && !s.dryRun && !failed, results}); err != nil {
			return err
		}
	case !s.dryRun:
		s.next(out, env, results)
		if !s.remove && !s.managed && !s.project {
			if settings, err := judgeconfig.Settings(env.Home, env.Dir); err == nil {
				judgeconfig.Offer(cmd.Context(), out, settings)
			}
		}
	}
	if !s.dryRun && !s.remove && !s.managed && !failed {
		if err := believe(cmd.ErrOrStderr()); err != nil {
			return err
		}
	}
	if s.remove && !s.dryRun && !s.asJSON && !s.managed && !s.project && len(args) == 0 {
		if _, err := completion.RemoveCompletions(out, completion.ShellCompletions(new(bool))); err != nil {
			return err
		}
	}
	if failed {
		return cli.ExitError(cli.ExitFailure)
	}
	if s.history || !s.noHistory && !s.yes && !s.asJSON && !s.dryRun && !s.remove && !s.managed && !s.project {
		if at == nil {
			t, err := cli.AtTerminal()
			if err != nil {
				if s.history {
					return err
				}
				return nil // nobody is there to be offered anything
			}
			at = t
		}
		return OfferHistory(cmd.Context(), at, s.history)
	}
	return nil
}

// believe notes that umpire's folders are where the person's environment says: an agent's
// hook believes no others than those, for a project could have set them.
func believe(w io.Writer) error {
	own := home.System()
	moved := home.Moved(own, os.Getenv)
	if own == "" || slices.ContainsFunc(moved, func(v home.Variable) bool { return v.Name == "HOME" }) {
		return nil // another home altogether, where nothing of the user's is
	}
	for _, v := range moved {
		if _, err := home.Vouch(v.Dir, 0); err != nil {
			return fmt.Errorf("record that %s is where %s says: %w", v.Dir, v.Name, err)
		}
		fmt.Fprintf(w, "Umpire's folder for %s is below %s from now on.\n", v.Name, visible.Line(v.Dir))
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
	if s.remove {
		return env, nil
	}
	env.Hook, err = s.hookPath(at.Workspace)
	return env, err
}

// hookPath is how agents are to start umpire-hook: by a path that stays the same when
// umpire is updated, because some trust its hash. The workspace is "" outside of a project.
func (s *setup) hookPath(workspace string) (string, error) {
	name := "umpire-hook"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := s.hook
	if path == "" {
		exe, err := os.Executable()
		if err != nil {
			return "", err
		}
		real, err := filepath.EvalSymlinks(exe)
		if err != nil {
			return "", err
		}
		beside := filepath.Join(filepath.Dir(real), name)
		if path, err = exec.LookPath(name); err != nil || !samePlace(path, beside) {
			// What PATH finds is another version, or nothing; a link beside the name by which
			// this program was started is as good.
			if path = filepath.Join(filepath.Dir(exe), name); !samePlace(path, beside) {
				path = beside
			}
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if s.root == "" { // an image's programs are not here
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return "", doclink.Wrap(fmt.Errorf("%s is missing: install umpire-hook beside umpire, or pass --hook PATH", path), doclink.HookProgram)
		}
	}
	if !s.force {
		folders := strings.Split(path, string(filepath.Separator))
		if slices.Contains(folders, "_npx") || workspace != "" && slices.Contains(folders, "node_modules") && platform.Inside(path, workspace) {
			return "", doclink.Wrap(fmt.Errorf("%s is where npm keeps a copy of its own, which it replaces and removes: agents would run unguarded when it is gone; install umpire for good (npm install -g @umpire-dev/umpire), or use --force", path), doclink.HookProgram)
		}
		for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp", "/private/tmp", "/dev/shm"} {
			if platform.Inside(path, dir) {
				return "", fmt.Errorf("%s is in a temporary folder: agents would run unguarded after it is deleted; install umpire permanently, or use --force", path)
			}
		}
	}
	return path, nil
}

// samePlace reports whether two names are the same file. If there is no second file, the
// first is as good as any.
func samePlace(path, beside string) bool {
	a, err := os.Stat(path)
	if err != nil {
		return false
	}
	b, err := os.Stat(beside)
	return err != nil || os.SameFile(a, b)
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
	for _, name := range names {
		i := slices.IndexFunc(all, func(a install.Agent) bool { return a.Name == name })
		if i < 0 {
			return nil, cli.Usagef("unknown agent %q; supported agents: %s", name, strings.ReplaceAll(agentNames(), "\n", " "))
		}
		if !slices.ContainsFunc(list, func(a install.Agent) bool { return a.Name == name }) {
			list = append(list, all[i])
		}
	}
	return list, nil
}

func (s *setup) plan(env install.Env, a install.Agent, scope install.Scope, named bool) result {
	r := result{Agent: a.Name, Title: a.Title, Observed: a.Observed, Files: []fileResult{}}
	var err error
	if s.remove {
		r.changes, err = install.PlanRemove(env, a.Name, scope)
	} else {
		r.changes, err = install.Plan(env, a.Name, scope, install.Options{AllEvents: s.events == "all", Trust: s.trust})
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
		_, f.Diff, _ = strings.Cut(f.Diff, "\n") // the line that repeats both names
		if f.Diff == "" && c.After != nil {
			f.Diff = fmt.Sprintf("mode %04o\n", c.Mode)
		}
		r.Files = append(r.Files, f)
	}
	return r
}

// lines ends the last line: a diff of one without an end is hard to read.
func lines(b []byte) []byte {
	if len(b) > 0 && b[len(b)-1] != '\n' {
		return append(bytes.Clone(b), '\n')
	}
	return b
}

func (s *setup) show(w io.Writer, results []result) {
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

// apply writes, and notes in the results what failed.
func (s *setup) apply(env install.Env, results []result) (failed bool) {
	for i := range results {
		r := &results[i]
		if len(r.changes) == 0 {
			continue
		}
		err := install.Apply(env, r.changes)
		if errors.Is(err, install.ErrMoved) { // another run may have done it
			if again := s.plan(env, install.Agent{Name: r.Agent, Title: r.Title}, r.changes[0].Scope, true); again.Error == "" && len(again.changes) == 0 {
				err = nil
			}
		}
		if err != nil {
			r.Error, failed = err.Error(), true
		}
	}
	return failed
}

// next says what was done and what to do now.
func (s *setup) next(w io.Writer, env install.Env, results []result) {
	var done []string
	for _, r := range results {
		switch {
		case len(r.changes) == 0:
		case r.Error != "":
			fmt.Fprintf(w, "\n%s: error: %s\n", r.Title, visible.Line(r.Error))
		default:
			done = append(done, r.Title)
		}
	}
	if !s.remove {
		s.unfinished(w, env, results)
	}
	if len(done) == 0 {
		return
	}
	if s.remove {
		fmt.Fprintf(w, "\nRemoved from %s. Your policy and the audit log stay in ~/%s and ~/%s.\n", strings.Join(done, ", "), home.Config, home.State)
		return
	}
	fmt.Fprintf(w, "\nInstalled for %s. Restart sessions that are already running.\n", strings.Join(done, ", "))
	for _, r := range results {
		if r.Next != "" && r.Error == "" && len(r.changes) > 0 && (r.Agent != "codex" || !s.trust && !s.managed) {
			fmt.Fprintf(w, "  %s: %s.\n", r.Title, r.Next)
		}
	}
	fmt.Fprintln(w, "Next: run umpire doctor to check the setup, and umpire doctor --live to see an agent being stopped.")
}

// unfinished says what keeps an agent from asking umpire although its settings need no change.
func (s *setup) unfinished(w io.Writer, env install.Env, results []result) {
	for _, r := range results {
		st, err := install.Inspect(env, r.Agent)
		if err != nil || r.Error != "" || len(r.changes) > 0 || st.Installed || s.managed {
			continue
		}
		for _, p := range st.Problems {
			if p.Kind != install.Note {
				fmt.Fprintf(w, "%s is NOT protected: %s.\n", r.Title, visible.Line(p.Text))
				break
			}
		}
		if r.Next != "" {
			fmt.Fprintf(w, "  Next: %s.\n", r.Next)
		}
	}
}

// HookPath returns the path of umpire-hook beside this program.
func HookPath() (string, error) { return (&setup{force: true}).hookPath("") }
