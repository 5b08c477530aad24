package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/version"
	"github.com/umpire-dev/umpire/internal/visible"
)

// NewChanges returns `umpire changes`.
func NewChanges(by cli.Invoker) *cobra.Command {
	var id string
	c := &cobra.Command{
		Use:   "changes",
		Short: "Show the changes of a sandboxed run, and apply them to the project",
		Long: `List, show, apply or discard the changes that a program made under ` + "`umpire run`" + `.

A file that also changed in the project is a conflict: umpire leaves it unchanged, and ` + "`show`" + `
prints both sides. Umpire applies nothing that differs from what it showed, and nothing in .git
or in umpire's files. Exit status: 1 if ` + "`apply`" + ` skips another change.`,
		Example: `  umpire changes show src/main.go
  umpire changes apply src/main.go --hunk 1 --hunk 3
  umpire changes discard --older 7d`,
		Args: cobra.NoArgs,
	}
	c.PersistentFlags().StringVar(&id, "run", "", "ID of the run (default: the last run)")
	var asJSON bool
	list := func(cmd *cobra.Command, _ []string) error {
		r, err := box.Last(id)
		if err != nil {
			return err
		}
		return listChanges(cmd, r, asJSON)
	}
	c.RunE = list
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	l := &cobra.Command{Use: "list", Short: "List changed paths", Args: cobra.NoArgs, RunE: list}
	l.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.AddCommand(l, newShow(&id), newApply(&id, by), newReview(&id, by.Terminal), newDiscard(&id, by), newRuns())
	return c
}

// letters abbreviate the kinds of changes.
var letters = map[changes.What]string{changes.Created: "A", changes.Changed: "M", changes.Deleted: "D", changes.Renamed: "R", changes.Mode: "P"}

// entryLine prints a change in one line for people.
func entryLine(e *changes.ChangedPath) string {
	s := letters[e.What] + "  " + visible.Line(e.Path)
	switch {
	case e.What == changes.Renamed:
		s = "R  " + visible.Line(e.From) + " -> " + visible.Line(e.Path)
	case e.Target != "":
		s += " -> " + visible.Line(e.Target)
	case e.Kind == host.Folder && e.What == changes.Created:
		s += "/"
	}
	if e.Was != 0 {
		s += fmt.Sprintf("  (mode %#o, was %#o)", e.Mode, e.Was)
	}
	switch {
	case e.Not != "":
		s += "  (not written: " + e.Not + ")"
	case e.Clash:
		s += "  (conflict: " + changes.ErrClash.Error() + ")"
	}
	return s
}

// SensitiveText warns about a change to a file that programs obey.
const SensitiveText = "programs, agents or umpire act on this file: check it carefully"

func listChanges(cmd *cobra.Command, r *box.Run, asJSON bool) error {
	list, err := r.Changes().List(cmd.Context())
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if asJSON {
		type line struct {
			changes.ChangedPath
			Obeyed bool `json:"obeyed,omitempty"` // by programs, agents or umpire
		}
		lines := []line{}
		for i := range list {
			lines = append(lines, line{list[i], r.Sensitive(&list[i])})
		}
		return cli.PrintLine(w, map[string]any{"run": r.ID, "dir": r.Config.Dir, "running": sandbox.Running(&r.Config), "changes": lines})
	}
	own, inside := 0, map[string]int{}
	for i := range list {
		inside[list[i].In]++
	}
	for i := range list {
		e := &list[i]
		warn := e.Not == "" && r.Sensitive(e)
		switch {
		case isGit(e.Path):
			own++
			continue
		case e.What == changes.Deleted && e.In != "" && !warn:
			continue // reported with the folder
		}
		line := entryLine(e)
		if warn {
			line += "  (" + SensitiveText + ")"
		}
		if n := inside[e.Path]; e.What == changes.Deleted && n > 0 {
			line += fmt.Sprintf("  and %s in it", plural.Count(n, "path"))
		}
		fmt.Fprintln(w, line)
	}
	if own > 0 {
		fmt.Fprintf(w, "   and %s in .git, which umpire does not write\n", plural.Count(own, "path"))
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "nothing changed")
	}
	return nil
}

func isGit(path string) bool { return path == ".git" || strings.HasPrefix(path, ".git/") }

// reportPending reports, at the end of a run, how many changes wait for review.
func reportPending(ctx context.Context, w io.Writer, r *box.Run) error {
	list, err := r.Changes().List(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return os.RemoveAll(r.Config.State)
	}
	n := len(slices.DeleteFunc(list, func(e changes.ChangedPath) bool { return isGit(e.Path) }))
	if n == 0 {
		fmt.Fprintln(w, "umpire: the program changed only .git, which umpire does not apply; to drop the changes, run `umpire changes discard`")
		return nil
	}
	fmt.Fprintf(w, "umpire: %s not in the project yet: see `umpire changes`, then `umpire changes review` or `umpire changes apply`\n", plural.Count(n, "changed path"))
	return nil
}

// onChanges calls do with the changes of a run below the given paths, and the lock for writing them.
func onChanges(cmd *cobra.Command, find func(string) (*box.Run, error), id string, paths []string, do func(*box.Run, *changes.Writer, []changes.ChangedPath) error) error {
	r, err := find(id)
	if err != nil {
		return err
	}
	w, err := r.Changes().Open(cmd.Context())
	if err != nil {
		return err
	}
	defer w.Close()
	if w.Ended > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "umpire: an earlier run was interrupted while it wrote %s; all are complete now\n", plural.Count(w.Ended, "change"))
	}
	list, err := r.Changes().List(cmd.Context())
	if err == nil {
		n := len(list)
		if list = slices.DeleteFunc(list, func(e changes.ChangedPath) bool { return !chosen(e.Path, paths) && !chosen(e.From, paths) }); len(list) == 0 && (n > 0 || len(paths) > 0) {
			err = fmt.Errorf("nothing changed at %s: see `umpire changes`", strings.Join(paths, ", "))
		}
	}
	if err != nil {
		return err
	}
	return do(r, w, list)
}

// chosen reports whether a path is one of the named paths, or below one.
func chosen(path string, paths []string) bool {
	return path != "" && (len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool {
		p = filepath.ToSlash(filepath.Clean(p))
		return p == "." || path == p || strings.HasPrefix(path, p+"/")
	}))
}

// reportSkipped reports why a path is not written.
func reportSkipped(w io.Writer, e *changes.ChangedPath, err error) {
	if !isGit(e.Path) {
		fmt.Fprintf(w, "umpire: %s was not changed: %s\n", visible.Line(e.Path), visible.Line(err.Error()))
	}
}

func newShow(id *string) *cobra.Command {
	var how showing
	var only []int
	c := &cobra.Command{
		Use: "show [PATH...]", Short: "Show the differences, for all paths or the given ones",
		Long: `Show the differences, for all paths or the given ones. Hunks are numbered for
` + "`apply --hunk` and `discard --hunk`" + `.

Changes without hunks, such as new files, are shortened after 64 KiB without --full or --json.
Of binary files and files above 64 MiB, umpire shows no content.`,
		Example: `  umpire changes show src/main.go
  umpire changes show --full | less`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return onChanges(cmd, box.Last, *id, paths, func(r *box.Run, w *changes.Writer, list []changes.ChangedPath) error {
				if len(only) == 0 {
					return showChanges(cmd, r, w, list, how)
				}
				c, err := oneFile(w, list)
				if err != nil {
					return err
				}
				hunks, err := hunksOf(c, only)
				if err != nil {
					return err
				}
				for i, h := range hunks {
					printHunk(cmd.OutOrStdout(), h, only[i])
				}
				return w.Show([]*changes.Change{c})
			})
		},
	}
	c.Flags().BoolVar(&how.full, "full", false, "do not shorten long differences")
	c.Flags().BoolVar(&how.stat, "stat", false, "show the number of changed lines for each path")
	c.Flags().BoolVar(&how.json, "json", false, "print one JSON document")
	c.Flags().IntSliceVar(&only, "hunk", nil, "show only this hunk of one file")
	return c
}

// showing holds the options for printing changes.
type showing struct{ stat, json, full bool }

// cut shortens a diff for display.
func (s showing) cut(diff string) string {
	if !s.full {
		diff, _ = host.Cut(diff, "to see all of it, run `umpire changes show --full`")
	}
	return diff
}

// shownChange is a change in the form of --json.
type shownChange struct {
	changes.ChangedPath
	Diff  string   `json:"diff,omitempty"`
	Hunks []string `json:"hunks,omitempty"`
	Plus  int      `json:"plus"`
	Minus int      `json:"minus"`
}

func showChanges(cmd *cobra.Command, r *box.Run, w *changes.Writer, list []changes.ChangedPath, how showing) error {
	out := cmd.OutOrStdout()
	all, read, unread := []shownChange{}, []*changes.Change{}, []*changes.ChangedPath{}
	files, plus, minus := 0, 0, 0
	for i := range list {
		e := &list[i]
		c, err := w.Read(e, true) // conflicts are shown, too
		if err != nil {
			reportSkipped(cmd.ErrOrStderr(), e, err)
			unread = append(unread, e)
			continue
		}
		diff, err := w.Diff(c)
		if err != nil {
			return err
		}
		s := shownChange{ChangedPath: *e, Diff: diff}
		s.Plus, s.Minus = counted(diff)
		files, plus, minus = files+1, plus+s.Plus, minus+s.Minus
		hunks := c.Hunks()
		switch {
		case how.stat:
			fmt.Fprintf(out, "%6d + %6d -  %s\n", s.Plus, s.Minus, visible.Line(e.Path))
		case how.json:
			for _, h := range hunks {
				s.Hunks = append(s.Hunks, h.String())
			}
			all = append(all, s)
		default:
			if err := printChange(out, r, c, diff, hunks, how); err != nil {
				return err
			}
		}
		c.Old, c.Step.Content = nil, nil
		read = append(read, c)
	}
	switch {
	case how.stat:
		fmt.Fprintf(out, "%6d + %6d -  in %s\n", plus, minus, plural.Count(files, "change"))
		return nil
	case how.json:
		if err := cli.PrintLine(out, map[string]any{"run": r.ID, "dir": r.Config.Dir, "changes": all}); err != nil {
			return err
		}
	}
	return w.Show(read, unread...)
}

// printChange prints a change with its hunks numbered.
func printChange(w io.Writer, r *box.Run, c *changes.Change, diff string, hunks []host.Hunk, how showing) error {
	if c.Clash {
		fmt.Fprintf(w, "conflict: %s: %s\n", visible.Line(c.Path), changes.ErrClash)
		if base, ok := r.Changes().Base(c.Path); ok {
			name := visible.Line(c.Path)
			fmt.Fprintf(w, "changes in the project:\n%s", painted(visible.Block(how.cut(host.Compare("before/"+name, base, "project/"+name, c.Old))), cli.Colored(w)))
			fmt.Fprintf(w, "changes by the program:\n%s", painted(visible.Block(how.cut(host.Compare("before/"+name, base, "box/"+name, c.Step.Content))), cli.Colored(w)))
			return nil
		}
		fmt.Fprintln(w, "result for the project's file:")
	}
	if len(hunks) == 0 {
		_, err := fmt.Fprint(w, painted(visible.Block(how.cut(diff)), cli.Colored(w)))
		return err
	}
	head, _, _ := strings.Cut(diff, "\n@@")
	fmt.Fprint(w, painted(visible.Block(head)+"\n", cli.Colored(w)))
	for i, h := range hunks {
		printHunk(w, h, i+1)
	}
	return nil
}

func printHunk(w io.Writer, h host.Hunk, n int) {
	first, rest, _ := strings.Cut(h.String(), "\n")
	fmt.Fprint(w, painted(first+fmt.Sprintf(" hunk %d\n", n)+visible.Block(rest), cli.Colored(w)))
}

// oneFile reads the only file that the hunk numbers can refer to.
func oneFile(w *changes.Writer, list []changes.ChangedPath) (*changes.Change, error) {
	if len(list) != 1 {
		return nil, cli.Usagef("--hunk requires exactly one file")
	}
	return w.Read(&list[0], false)
}

func hunksOf(c *changes.Change, only []int) ([]host.Hunk, error) {
	all := c.Hunks()
	if len(all) == 0 && len(only) > 0 {
		return nil, cli.Usagef("%s has no hunks: pass it without --hunk, as a whole", visible.Line(c.Path))
	}
	slices.Sort(only)
	var out []host.Hunk
	for _, n := range slices.Compact(only) {
		if n < 1 || n > len(all) {
			return nil, cli.Usagef("%s has no hunk %d: use 1 to %d", visible.Line(c.Path), n, len(all))
		}
		out = append(out, all[n-1])
	}
	return out, nil
}

func newApply(id *string, by cli.Invoker) *cobra.Command {
	var only []int
	var over bool
	c := &cobra.Command{
		Use: "apply [PATH...]", Short: "Apply changes to the project, for all paths or the given ones",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := by.Agent(); err != nil {
				return err
			}
			if over && len(paths) == 0 {
				return cli.Usagef("--overwrite requires paths: their changes in the project are lost")
			}
			return onChanges(cmd, box.Ended, *id, paths, func(r *box.Run, w *changes.Writer, list []changes.ChangedPath) (err error) {
				var n int
				left := false
				if len(only) > 0 {
					n, err = applyHunks(cmd.Context(), w, list, only)
				} else {
					n, err = w.WriteAll(cmd.Context(), list, over, func(e *changes.ChangedPath, err error) {
						reportSkipped(cmd.ErrOrStderr(), e, err)
						left = left || !isGit(e.Path)
					})
				}
				if n > 0 {
					err = errors.Join(err, noteApplied(r, n))
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s applied\n", plural.Count(n, "change"))
				if left {
					return cli.ExitError(cli.ExitFailure)
				}
				return nil
			})
		},
	}
	c.Flags().IntSliceVar(&only, "hunk", nil, "apply only this hunk of one file, by its `number` in umpire changes show")
	c.Flags().BoolVar(&over, "overwrite", false, "apply conflicts too; changes made to these files in the project are lost")
	return c
}

// applyHunks writes the chosen hunks of one file, by the numbers that were shown.
func applyHunks(ctx context.Context, w *changes.Writer, list []changes.ChangedPath, only []int) (int, error) {
	c, hunks, err := shownHunks(w, list, only)
	if err != nil {
		return 0, err
	}
	c.Part(hunks)
	if err := w.Write(ctx, []*changes.Change{c}); err != nil {
		return 0, err
	}
	return 1, nil
}

func shownHunks(w *changes.Writer, list []changes.ChangedPath, only []int) (*changes.Change, []host.Hunk, error) {
	c, err := oneFile(w, list)
	if err != nil {
		return nil, nil, err
	}
	was, err := w.AsShown(c)
	if err == nil && !was {
		err = changes.ErrUnseen
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", visible.Line(c.Path), err)
	}
	hunks, err := hunksOf(c, only)
	return c, hunks, err
}

// noteApplied records the written changes in the audit log.
func noteApplied(r *box.Run, n int) error {
	event := audit.Event{Kind: audit.Approval, Point: audit.Gateway, Version: version.String(), By: os.Getenv("USER"), Time: time.Now(),
		Data: map[string]string{"run": r.ID, "changes": fmt.Sprint(n), "dir": r.Config.Dir}, Effect: "allow"}
	dir, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	return audit.Append(dir, &event)
}
