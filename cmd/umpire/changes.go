package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
)

func newChanges() *cobra.Command {
	var id string
	c := &cobra.Command{
		Use:   "changes",
		Short: "Look at what a program changed in its box, and write it to the project",
		Long: `Look at what a program that ran by ` + "`umpire run`" + ` changed, write it to the project, or throw
it away. Without a subcommand it lists. --run names the run, the last one without.

A file that changed in the project as well since the run began is a conflict, and stays
as it is. What the program did to .git, and to umpire's own files, is never written.`,
		Example: `  umpire changes
  umpire changes show src/main.go
  umpire changes apply src
  umpire changes show --stat
  umpire changes runs
  umpire changes discard --older 7d`,
		Args: cobra.NoArgs,
	}
	c.PersistentFlags().StringVar(&id, "run", "", "the ID of the run; the last one without")
	var asJSON, stat bool
	list := func(cmd *cobra.Command, _ []string) error {
		r, err := lastRun(id)
		if err != nil {
			return err
		}
		return listChanges(cmd.OutOrStdout(), r, asJSON)
	}
	c.RunE = list
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	l := &cobra.Command{Use: "list", Short: "List the paths that changed", Args: cobra.NoArgs, RunE: list}
	l.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	show := &cobra.Command{Use: "show [PATH...]", Short: "Show the differences, of these paths or of all", RunE: func(cmd *cobra.Command, paths []string) error {
		w, files, plus, minus := cmd.OutOrStdout(), 0, 0, 0
		err := withChanges(id, paths, func(_ *boxRun, t *host.Tree, set []host.Change) error {
			if !stat {
				diff, err := t.Diff(set)
				fmt.Fprint(w, painted(diff, colored(w)))
				return err
			}
			for i := range set {
				diff, err := t.Diff(set[i : i+1])
				if err != nil {
					return err
				}
				p, m := counted(diff)
				files, plus, minus = files+1, plus+p, minus+m
				fmt.Fprintf(w, "%6d + %6d -  %s\n", p, m, visible.Line(set[i].Path))
			}
			return nil
		}, cmd.ErrOrStderr())
		if stat {
			fmt.Fprintf(w, "%6d + %6d -  in %d changes\n", plus, minus, files)
		}
		return err
	}}
	show.Flags().BoolVar(&stat, "stat", false, "show how many lines of each path changed")
	apply := &cobra.Command{Use: "apply [PATH...]", Short: "Write the changes to the project, of these paths or of all", RunE: func(cmd *cobra.Command, paths []string) error {
		if err := byAgent(); err != nil {
			return err
		}
		if err := ended(id); err != nil {
			return err
		}
		n := 0
		err := withChanges(id, paths, func(r *boxRun, t *host.Tree, set []host.Change) error {
			if err := t.Apply(cmd.Context(), r.ID+fmt.Sprint(n), set); err != nil {
				return err
			}
			n += len(set)
			return noteApplied(r, set)
		}, cmd.ErrOrStderr())
		fmt.Fprintf(cmd.OutOrStdout(), "%d changes written\n", n)
		return err
	}}
	c.AddCommand(l, show, apply, newDiscard(&id), newRuns())
	return c
}

// ended reports an error while the program of a run still runs: it could put something
// else in the place of what was shown.
func ended(id string) error {
	r, err := lastRun(id)
	if err != nil {
		return err
	}
	if sandbox.Running(&r.Config) {
		return fmt.Errorf("the program of run %s still runs, and could change what you were shown: end it first", r.ID)
	}
	return nil
}

func runsDir() (string, error) {
	state, err := audit.DefaultDir()
	return filepath.Join(state, "runs"), err
}

// lastRun returns the run of that ID, or the last one of this project.
func lastRun(id string) (*boxRun, error) {
	dir, err := runsDir()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	at, err := here("")
	if err != nil {
		return nil, err
	}
	for _, e := range slices.Backward(entries) { // their names begin with the time
		if id != "" && e.Name() != id {
			continue
		}
		r, err := readRun(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // a run that never started
		}
		if err != nil {
			return nil, err
		}
		if real, err := filepath.EvalSymlinks(at.dir); id != "" || err == nil && (real == r.Config.Dir || strings.HasPrefix(real, r.Config.Dir+"/")) {
			return r, nil
		}
	}
	if id != "" {
		return nil, fmt.Errorf("there is no run %q", id)
	}
	return nil, errors.New("nothing ran in a box here: `umpire run -- COMMAND` does, and --run names another run")
}

// mark says in one letter what a change does.
func mark(r *boxRun, c sandbox.Change) string {
	_, err := os.Lstat(filepath.Join(r.Config.Dir, c.Path))
	switch {
	case c.Deleted:
		return "D"
	case err != nil:
		return "A"
	}
	return "M"
}

// kept says why a change is never written to the project, or "".
func kept(c *sandbox.Change) string {
	clean, err := host.CleanPath(c.Path)
	if err != nil {
		return "git's or umpire's own, or no plain name"
	}
	if clean != c.Path {
		return "its name is a path on other systems"
	}
	if c.Target != "" {
		// Programs outside the box would follow it to where the one inside could not go.
		if err := host.Check([]host.Change{{Op: host.Link, Path: clean, Target: c.Target}}); err != nil {
			return "it leads out of the project"
		}
	}
	if !c.Deleted && !c.Mode.IsRegular() && !c.Mode.IsDir() && c.Target == "" {
		return "neither a file nor a folder nor a link"
	}
	if c.Size > host.MaxContent && c.Mode.IsRegular() {
		return fmt.Sprintf("larger than %d MiB: copy it by hand", host.MaxContent>>20)
	}
	return ""
}

func listChanges(w io.Writer, r *boxRun, asJSON bool) error {
	list, err := sandbox.Changes(&r.Config)
	if err != nil {
		return err
	}
	type line struct {
		Path   string `json:"path"`
		Change string `json:"change"`
		Size   int64  `json:"size,omitempty"`
		Not    string `json:"notWritten,omitempty"`
	}
	lines := []line{}
	for _, c := range list {
		lines = append(lines, line{c.Path, mark(r, c), c.Size, kept(&c)})
	}
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"run": r.ID, "dir": r.Config.Dir, "changes": lines})
	}
	own := 0
	for _, l := range lines {
		if strings.HasPrefix(l.Path, ".git/") || l.Path == ".git" {
			own++
			continue
		}
		if l.Not != "" {
			l.Not = "  (not written: " + l.Not + ")"
		}
		fmt.Fprintf(w, "%s  %s%s\n", l.Change, visible.Line(l.Path), l.Not)
	}
	if own > 0 {
		fmt.Fprintf(w, "   and %d paths in .git, which are not written\n", own)
	}
	if len(lines) == 0 {
		fmt.Fprintln(w, "nothing changed")
	}
	return nil
}

// tellChanges says at the end of a run what waits.
func tellChanges(w io.Writer, r *boxRun) error {
	list, err := sandbox.Changes(&r.Config)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return os.RemoveAll(r.Config.State)
	}
	fmt.Fprintf(w, "umpire: %d paths changed, and the project is as it was: `umpire changes` lists them, `umpire changes apply` writes them\n", len(list))
	return nil
}

// manyChanges is how many paths are looked at without a word.
const manyChanges = 1000

// withChanges gives the changes of a run below some paths to f, in sets of a size that can
// be written at once.
func withChanges(id string, paths []string, f func(*boxRun, *host.Tree, []host.Change) error, warn io.Writer) error {
	r, err := lastRun(id)
	if err != nil {
		return err
	}
	list, err := sandbox.Changes(&r.Config)
	if err != nil {
		return err
	}
	t, err := host.OpenTree(r.Config.Dir)
	if err != nil {
		return err
	}
	defer t.Close()
	var set []host.Change
	var all error
	size, found := 0, 0
	flush := func() {
		if len(set) > 0 {
			all = errors.Join(all, t.Bind(set))
			if all == nil {
				all = f(r, t, set)
			}
		}
		set, size = nil, 0
	}
	far := onTerminal(warn) && len(list) > manyChanges
	for i := range list {
		if all != nil {
			break
		}
		if far && i%manyChanges == 0 {
			fmt.Fprintf(warn, "\r%d of %d paths ", i, len(list))
		}
		c := &list[i]
		if !chosen(c.Path, paths) {
			continue
		}
		found++
		if why := kept(c); why != "" {
			if !strings.HasPrefix(c.Path, ".git/") {
				fmt.Fprintf(warn, "umpire: %s stays as it is: %s\n", visible.Line(c.Path), why)
			}
			continue
		}
		if conflicts(r, c) {
			fmt.Fprintf(warn, "umpire: %s stays as it is: it changed in the project as well since the run began\n", visible.Line(c.Path))
			continue
		}
		step, err := changeOf(r, c)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(step, func(s host.Change) bool { _, err := host.CleanPath(s.Path); return err != nil }) {
			fmt.Fprintf(warn, "umpire: %s stays as it is: it holds what is git's or umpire's own\n", visible.Line(c.Path))
			continue
		}
		if len(set)+len(step) > host.MaxChanges || size+int(c.Size) > host.MaxContent {
			flush()
		}
		set, size = append(set, step...), size+int(c.Size)
	}
	if all == nil {
		flush()
	}
	if far {
		fmt.Fprintf(warn, "\r%d of %d paths\n", len(list), len(list))
	}
	if all == nil && found == 0 && len(paths) > 0 {
		return fmt.Errorf("nothing changed at %s: see `umpire changes`", strings.Join(paths, ", "))
	}
	return all
}

// chosen reports whether a path is one of those named, or below one.
func chosen(path string, paths []string) bool {
	return len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool {
		p = filepath.ToSlash(filepath.Clean(p))
		return p == "." || path == p || strings.HasPrefix(path, p+"/")
	})
}

// conflicts reports whether somebody else changed a path of the project since the run
// began: the program worked on what was there before.
func conflicts(r *boxRun, c *sandbox.Change) bool {
	at := filepath.Join(r.Config.Dir, filepath.FromSlash(c.Path))
	fi, err := os.Lstat(at)
	if err != nil {
		return false
	}
	if !fi.IsDir() {
		return sandbox.ChangedSince(fi, r.Started)
	}
	if !c.Deleted {
		return false
	}
	// What somebody put into a folder since is not what the program removed.
	return filepath.WalkDir(at, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if fi, err = d.Info(); err == nil && sandbox.ChangedSince(fi, r.Started) {
			err = errors.New("changed")
		}
		return err
	}) != nil
}

// changeOf is a change in the steps that the host makes.
func changeOf(r *boxRun, c *sandbox.Change) ([]host.Change, error) {
	switch {
	case c.Deleted:
		return deletions(r.Config.Dir, c.Path)
	case c.Target != "":
		return []host.Change{{Op: host.Link, Path: c.Path, Target: c.Target}}, nil
	case c.Mode.IsDir():
		return []host.Change{{Op: host.Mkdir, Path: c.Path}}, nil
	}
	// The program may still run, and put a link in the place of a folder.
	f, err := os.OpenInRoot(r.Config.Upper(), filepath.FromSlash(c.Path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, host.MaxContent+1))
	if err != nil {
		return nil, err
	}
	return []host.Change{{Op: host.Write, Path: c.Path, Content: b, Mode: uint32(c.Mode.Perm())}}, nil
}

// deletions are the steps that remove a path, a folder's files before it.
func deletions(root, path string) (set []host.Change, err error) {
	err = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(path)), func(at string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, at)
		set = append(set, host.Change{Op: host.Delete, Path: filepath.ToSlash(rel)})
		return err
	})
	slices.Reverse(set)
	return set, err
}

// noteApplied takes what was written out of the overlay, so that it is told once.
func noteApplied(r *boxRun, set []host.Change) error {
	for i := range set {
		at := filepath.Join(r.Config.Upper(), filepath.FromSlash(set[i].Path))
		if set[i].Op != host.Mkdir {
			if err := os.Remove(at); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	event := audit.Event{Kind: audit.Approval, Point: audit.Gateway, Version: version(), By: os.Getenv("USER"), Time: time.Now(),
		Data: map[string]string{"run": r.ID, "changes": fmt.Sprint(len(set)), "dir": r.Config.Dir}, Effect: "allow"}
	dir, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	return audit.Append(dir, &event)
}
