// Package replay decides on the calls in recorded sessions, and reports what umpire would have
// done. Transcripts are untrusted.
package replay

import (
	"bytes"
	"cmp"
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

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/transcript"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// Judged is a call of a transcript with its decision.
type Judged struct {
	Call     *transcript.Call
	Ops      []umpire.Operation
	Decision umpire.Decision
	Policy   *policy.Policy
	Took     time.Duration
}

// Replayer decides on the calls of transcripts, each by the policy of its folder.
type Replayer struct {
	at       project.Project
	policies policies
	home     string              // home of the sessions, if the user names one
	Since    time.Time           // skips older calls, unless zero
	Budget   time.Duration       // time limit, unless 0
	Each     func(*Judged) error // nil, or gets each call
	Progress io.Writer           // nil, or the terminal that shows the progress
	Report   *Report

	reader *transcript.Reader
	began  time.Time
	shown  time.Time
	mtime  time.Time // of the file that is read
}

// New returns a Replayer. file replaces the policies, home the home folders of sessions; "" keeps each.
func New(file, home string) (*Replayer, error) {
	at, err := project.At("")
	if err != nil {
		return nil, err
	}
	r := &Replayer{at: at, home: home, Report: newReport()}
	r.policies = policies{home: at.Home, by: map[string]*policy.Policy{}, roots: map[string]string{}}
	if file != "" {
		r.policies.only, _, err = at.Policy(file)
	} else {
		r.policies.own, _, err = project.Project{Home: at.Home}.Policy("")
	}
	return r, err
}

// errSpent means that the time limit is reached.
var errSpent = errors.New("timed out")

// Run replays the given files and folders, or the clients' transcripts.
func (r *Replayer) Run(ctx context.Context, in io.Reader, args []string) error {
	r.began = time.Now()
	r.reader = transcript.NewReader(func(c transcript.Call) error {
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
			r.Report.Read = r.reader.Stats
			if errors.Is(err, errSpent) || errors.Is(err, context.Canceled) {
				r.Report.Stopped = true
				return nil
			}
			return err
		}
	}
	r.Report.Read = r.reader.Stats
	return nil
}

func (r *Replayer) readOne(ctx context.Context, in io.Reader, arg string, named bool) error {
	before := r.reader.Stats
	if arg == "-" {
		if err := r.reader.Read(in, "standard input"); err != nil {
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
		if !r.Since.IsZero() && info.ModTime().Before(r.Since) && filepath.Ext(path) != ".db" {
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
	case named && r.reader.Stats.Files == before.Files && r.Since.IsZero():
		return fmt.Errorf("no transcripts in %s", visible.Clip(arg, 200))
	}
	return nil
}

// some returns an error if a file that the user named has no records.
func (r *Replayer) some(before transcript.Stats, name string) error {
	now := r.reader.Stats
	if now.Files > before.Files || now.Lines == before.Lines && now.Skipped == before.Skipped && name == "standard input" {
		return nil
	}
	return fmt.Errorf("%s is not a transcript: no records in a known format", visible.Clip(name, 200))
}

func (r *Replayer) judge(c *transcript.Call) error {
	if r.Budget > 0 && time.Since(r.began) > r.Budget {
		return errSpent
	}
	if c.Time.IsZero() {
		c.Time = r.mtime
		r.Report.Undated++
	}
	if !r.Since.IsZero() && c.Time.Before(r.Since) {
		return nil
	}
	a := &c.Action
	a.Principal.Platform = cmp.Or(a.Principal.Platform, "claude")
	if a.Dir == "" {
		a.Dir = filepath.Join(r.at.Home, "project")
		r.Report.Unplaced++
	}
	if a.Home = r.home; a.Home == "" {
		if a.Home = homeOf(a.Dir); a.Home == "" || r.at.Home != "" && platform.Inside(a.Dir, r.at.Home) {
			a.Home = r.at.Home
		}
	}
	a.Workspace = r.policies.workspace(a.Dir, a.Home)
	p := r.policies.of(a.Workspace)
	began := time.Now()
	ops := operation.Read(a, operation.Env{Programs: p.Programs()})
	d := p.Decide(a, ops)
	j := &Judged{c, ops, d, p, time.Since(began)}
	r.Report.add(j)
	r.showProgress()
	if r.Each != nil {
		return r.Each(j)
	}
	return nil
}

// showProgress shows the progress at a terminal.
func (r *Replayer) showProgress() {
	if r.Progress == nil || time.Since(r.shown) < 200*time.Millisecond {
		return
	}
	r.shown = time.Now()
	fmt.Fprintf(r.Progress, "\r\x1b[K%s in %s, %s MB", Counted(r.Report.Calls, "call"), Counted(r.reader.Stats.Files, "file"), Grouped(int(r.reader.Stats.Bytes>>20)))
}

func (r *Replayer) clear() {
	if r.Progress != nil && !r.shown.IsZero() {
		fmt.Fprint(r.Progress, "\r\x1b[K")
	}
}

// Grouped writes a number with a comma before each three digits.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted is a grouped number and its noun, of which one is the singular.
func Counted(n int, one string) string { return Grouped(n) + " " + plural.Noun(n, one) }

// maxPolicies limits the number of compiled policies. A transcript can name any project.
const maxPolicies = 200

// policies has the policy in force for each workspace, and the one without a project's file.
type policies struct {
	only  *policy.Policy // judges all calls, if the user names a policy
	own   *policy.Policy
	home  string
	by    map[string]*policy.Policy
	roots map[string]string
}

// workspace returns the project of a folder. A folder that is gone, or was on another machine, is
// its own project.
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
		}
	}
	if len(ps.by) < 100_000 {
		ps.by[workspace] = p
	}
	return p
}

// homeOf returns the home folder of a recorded working directory.
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

// Asked describes a call in one line.
func Asked(a *umpire.Action) string {
	var in map[string]any
	var one bytes.Buffer
	if json.Unmarshal(a.Input, &in) != nil || json.Compact(&one, a.Input) != nil {
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
	return one.String()
}
