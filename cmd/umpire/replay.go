package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/transcript"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

func newReplay() *cobra.Command {
	var file, home, since, page string
	var asJSON, all, calls bool
	cmd := &cobra.Command{
		Use:   "replay [flags] [FILE|FOLDER...]",
		Short: "Decide on the calls in recorded sessions of your agents",
		Long: `Decide on every tool call in recorded agent sessions, and report what umpire would have
denied and asked. It reads the transcripts of Claude Code, Codex, Gemini CLI, OpenCode,
Copilot CLI, Cursor, Qwen Code, pi and Cline, SpecStory exports, and hook payloads, one on
each line. Without arguments it searches the default folders of these clients. - reads
standard input.

Replay runs and changes nothing, and nothing leaves the machine. Each call gets the policy that
is in force today for its folder. Files that a call read are ignored, because they may have
changed since.`,
		Example: `  umpire replay --since 30d
  umpire replay --html report.html ~/.claude/projects
  umpire replay --calls session.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			age, err := parseAge(since)
			if err != nil {
				return cli.Usage(err)
			}
			if len(args) == 1 && !cmd.Flags().Changed("calls") && page == "" {
				info, err := os.Stat(args[0])
				calls = args[0] == "-" || err == nil && !info.IsDir()
			}
			r, err := newReplayer(file, home)
			if err != nil {
				return cli.Faults(cmd.ErrOrStderr(), err)
			}
			if age > 0 {
				r.since = time.Now().Add(-age)
				r.report.Since = &r.since
			}
			if calls {
				r.each = showCalls(cmd.OutOrStdout(), asJSON, all)
			}
			if r.progress = cmd.ErrOrStderr(); !cli.OnTerminal(r.progress) {
				r.progress = nil
			}
			if err := r.read(cmd.Context(), cmd.InOrStdin(), args); err != nil {
				return err
			}
			r.report.finish()
			if page != "" {
				if err := writePage(page, r.report); err != nil {
					return err
				}
			}
			switch {
			case asJSON && calls:
			case asJSON:
				return cli.PrintJSON(cmd.OutOrStdout(), r.report)
			default:
				r.report.print(cmd.OutOrStdout())
			}
			if n := r.report.Read.Skipped; n > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: skipped %d lines that are not JSON\n", n)
			}
			if page != "" && !asJSON {
				fmt.Fprintf(cmd.OutOrStdout(), "\nWrote %s.\n", visible.Line(page))
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "policy", "p", "", "use only this policy file and the packs")
	f.StringVar(&home, "home", "", "home folder of the sessions (default: inferred from their working directories)")
	f.StringVar(&since, "since", "", "only calls from the last `time`, for example 30d or 12h")
	f.StringVar(&page, "html", "", "also write the report as one self-contained page to `FILE`")
	f.BoolVar(&asJSON, "json", false, "print one JSON document; with --calls, one line for each call")
	f.BoolVar(&calls, "calls", false, "show each call (default for one file)")
	f.BoolVar(&all, "all", false, "with --calls: show all operations of a call")
	return cmd
}

// parseAge reads a duration, which may be in days.
func parseAge(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	if n, ok := strings.CutSuffix(s, "d"); ok {
		if days, err := strconv.Atoi(n); err == nil && days > 0 && days <= 36500 {
			return time.Duration(days) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q must be an age such as 30d or 12h", s)
	}
	return d, nil
}

// maxLine bounds one line of JSON, in bytes: clients put whole files in one.
const maxLine = 32 << 20

// recorded is a call of a transcript with its decision.
type recorded struct {
	call     *transcript.Call
	ops      []umpire.Operation
	decision umpire.Decision
	policy   *policy.Policy
	took     time.Duration
}

// replayer judges the calls of transcripts.
type replayer struct {
	at       project.Project
	policies policies
	home     string // of the sessions, if the user says so
	since    time.Time
	budget   time.Duration // ends the reading, unless 0
	each     func(*recorded) error
	progress io.Writer
	report   *report

	reader *transcript.Reader
	began  time.Time
	shown  time.Time
	mtime  time.Time // of the file that is read
}

func newReplayer(file, home string) (*replayer, error) {
	at, err := project.At("")
	if err != nil {
		return nil, err
	}
	r := &replayer{at: at, home: home, report: newReport()}
	r.policies = policies{home: at.Home, by: map[string]*policy.Policy{}, roots: map[string]string{}}
	if file != "" {
		r.policies.only, _, err = at.Policy(file)
	} else {
		r.policies.own, _, err = project.Project{Home: at.Home}.Policy("")
	}
	return r, err
}

// errSpent says that the budget of time is used up.
var errSpent = errors.New("timed out")

// read judges what the arguments name, or what the clients keep.
func (r *replayer) read(ctx context.Context, in io.Reader, args []string) error {
	r.began = time.Now()
	r.reader = transcript.NewReader(r.at.Home, func(c transcript.Call) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return r.judge(&c)
	})
	defer r.clear()
	found := len(args) == 0
	if found {
		if args = transcript.Places(r.at.Home, r.at.Workspace, os.Getenv); len(args) == 0 {
			return errors.New("no transcripts on this machine: pass files or folders to replay")
		}
	}
	for _, arg := range args {
		if err := r.readOne(ctx, in, arg, !found); err != nil {
			r.report.Read = r.reader.Stats
			if errors.Is(err, errSpent) || errors.Is(err, context.Canceled) {
				r.report.Stopped = true
				return nil
			}
			return err
		}
	}
	r.report.Read = r.reader.Stats
	return nil
}

func (r *replayer) readOne(ctx context.Context, in io.Reader, arg string, named bool) error {
	before := r.reader.Stats
	if arg == "-" {
		if err := r.reader.Read(in, ""); err != nil {
			return err
		}
		return r.some(before, "standard input")
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return err
	}
	file := false
	err = r.reader.Files(ctx, abs, func(path string, info fs.FileInfo) error {
		if !r.since.IsZero() && info.ModTime().Before(r.since) && filepath.Ext(path) != ".db" {
			return nil
		}
		r.mtime, file = info.ModTime(), path == abs
		_, err := r.reader.File(path)
		if err == nil || errors.Is(err, errSpent) || ctx.Err() != nil || file {
			return err
		}
		r.reader.Stats.Faults++
		return nil
	})
	switch {
	case err != nil:
		return err
	case file:
		return r.some(before, arg)
	case named && r.reader.Stats.Files == before.Files && r.since.IsZero():
		return fmt.Errorf("no transcripts in %s", visible.Clip(arg, 200))
	}
	return nil
}

// some returns an error if a file that somebody named has no records at all.
func (r *replayer) some(before transcript.Stats, name string) error {
	now := r.reader.Stats
	if now.Files > before.Files || now.Lines == before.Lines && now.Skipped == before.Skipped && name == "standard input" {
		return nil
	}
	return fmt.Errorf("%s is not a transcript: no records in a known format", visible.Clip(name, 200))
}

func (r *replayer) judge(c *transcript.Call) error {
	if r.budget > 0 && time.Since(r.began) > r.budget {
		return errSpent
	}
	if c.Time.IsZero() {
		c.Time = r.mtime
		r.report.Undated++
	}
	if !r.since.IsZero() && c.Time.Before(r.since) {
		return nil
	}
	a := &c.Action
	if a.Principal.Platform == "" {
		a.Principal.Platform = "claude"
	}
	if a.Dir == "" {
		a.Dir = filepath.Join(r.at.Home, "project")
		r.report.Unplaced++
	}
	if a.Home = r.home; a.Home == "" {
		if a.Home = homeOf(a.Dir); a.Home == "" || below(r.at.Home, a.Dir) {
			a.Home = r.at.Home
		}
	}
	a.Workspace = r.policies.workspace(a.Dir, a.Home)
	p := r.policies.of(a.Workspace)
	began := time.Now()
	ops := operation.Read(a, operation.Env{Programs: p.Programs()})
	d := p.Decide(a, ops)
	j := &recorded{c, ops, d, p, time.Since(began)}
	r.report.add(j)
	r.tell()
	if r.each != nil {
		return r.each(j)
	}
	return nil
}

func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// tell shows at a terminal how far it is.
func (r *replayer) tell() {
	if r.progress == nil || time.Since(r.shown) < 200*time.Millisecond {
		return
	}
	r.shown = time.Now()
	fmt.Fprintf(r.progress, "\r\x1b[K%s calls in %s files, %s MB", grouped(r.report.Calls), grouped(r.reader.Stats.Files), grouped(int(r.reader.Stats.Bytes>>20)))
}

func (r *replayer) clear() {
	if r.progress != nil && !r.shown.IsZero() {
		fmt.Fprint(r.progress, "\r\x1b[K")
	}
}

// grouped writes a number with a comma before each three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// maxPolicies bounds for how many projects the policy is compiled. A transcript can name any.
const maxPolicies = 200

// policies has the policy in force for each workspace, and the one without a project's file.
type policies struct {
	only  *policy.Policy // judges all, if the user says so
	own   *policy.Policy
	home  string
	by    map[string]*policy.Policy
	roots map[string]string
	// Faulty are workspaces with a policy file that cannot be used.
	faulty []string
}

// workspace returns the project that a folder belongs to. A folder that is gone, or that another
// machine had, is its own.
func (ps *policies) workspace(dir, home string) string {
	if root, ok := ps.roots[dir]; ok {
		return root
	}
	root := dir
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		root = platform.Workspace(dir, "", home)
	}
	if len(ps.roots) < 100_000 {
		ps.roots[dir] = root
	}
	return root
}

func (ps *policies) of(workspace string) *policy.Policy {
	if ps.only != nil {
		return ps.only
	}
	p, ok := ps.by[workspace]
	if ok {
		return p
	}
	p = ps.own
	if info, err := os.Lstat(filepath.Join(workspace, ".umpire.yaml")); err == nil && info.Mode().IsRegular() && len(ps.by) < maxPolicies {
		var err error
		if p, _, err = (project.Project{Dir: workspace, Workspace: workspace, Home: ps.home}).Policy(""); err != nil {
			p = ps.own
			ps.faulty = append(ps.faulty, workspace)
		}
	}
	if len(ps.by) < 100_000 {
		ps.by[workspace] = p
	}
	return p
}

// homeOf tells the home folder that a recorded working directory lies in.
func homeOf(dir string) string {
	parts := strings.SplitN(dir, "/", 4)
	switch {
	case len(parts) >= 3 && (parts[1] == "home" || parts[1] == "Users"):
		return "/" + parts[1] + "/" + parts[2]
	case len(parts) >= 2 && parts[1] == "root":
		return "/root"
	}
	return ""
}

// showCalls prints each call.
func showCalls(w io.Writer, asJSON, all bool) func(*recorded) error {
	t := &table{w: w, all: all}
	return func(j *recorded) error {
		if asJSON {
			return json.NewEncoder(w).Encode(struct {
				Action     *umpire.Action     `json:"action"`
				Operations []umpire.Operation `json:"operations"`
				umpire.Decision
				Micros float64 `json:"us"`
			}{&j.call.Action, j.ops, j.decision, float64(j.took.Nanoseconds()) / 1000})
		}
		t.row(&j.call.Action, j.ops, j.decision, j.took)
		return nil
	}
}

// table prints one call a row, with its further operations below.
type table struct {
	w      io.Writer
	all    bool
	headed bool
}

const columns = "%-9s  %-44s  %-52s  %-5s  %-30s  %9s\n"

func (t *table) row(a *umpire.Action, ops []umpire.Operation, d umpire.Decision, took time.Duration) {
	if !t.headed {
		fmt.Fprintf(t.w, columns, "tool", "asked", "read as", "", "rule", "time")
		t.headed = true
	}
	rule := ""
	op := 0
	if len(d.Reasons) > 0 {
		rule = d.Reasons[0].Rule
		op = max(0, d.Reasons[0].Op)
	}
	order := []int{}
	if len(ops) > 0 {
		order = append(order, op)
	}
	for i := range ops {
		if i != op {
			order = append(order, i)
		}
	}
	first := ""
	if len(order) > 0 {
		first = show(ops[order[0]])
	}
	fmt.Fprintf(t.w, columns, visible.Clip(a.Tool, 9), visible.Clip(asked(a), 44), visible.Clip(first, 52), d.Effect, visible.Clip(rule, 30), took.Round(time.Microsecond))
	for n, i := range order {
		if n == 0 {
			continue
		}
		if n == 4 && !t.all && len(order) > 5 {
			fmt.Fprintf(t.w, columns, "", "", fmt.Sprintf("and %d more", len(order)-n), "", "", "")
			break
		}
		fmt.Fprintf(t.w, columns, "", "", visible.Clip(show(ops[i]), 52), "", "", "")
	}
}

func show(o umpire.Operation) string {
	s := o.String()
	if o.Traits != 0 {
		s += " " + o.Traits.String()
	}
	return s
}

// asked tells in one line what a call is about.
func asked(a *umpire.Action) string {
	var in map[string]any
	if json.Unmarshal(a.Input, &in) != nil {
		return string(a.Input)
	}
	for _, k := range []string{"command", "cmd", "commands", "file_path", "filePath", "path", "notebook_path", "url", "query", "pattern", "description"} {
		switch v := in[k].(type) {
		case string:
			if v != "" {
				return v
			}
		case []any: // an argument vector, or several commands
			var words []string
			for _, e := range v {
				if w, ok := e.(string); ok {
					words = append(words, w)
				}
			}
			if len(words) > 0 {
				return strings.Join(words, " ")
			}
		}
	}
	var one bytes.Buffer
	if json.Compact(&one, a.Input) != nil {
		return string(a.Input)
	}
	return one.String()
}
