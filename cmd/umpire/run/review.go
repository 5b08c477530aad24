package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

// newReview shows a person the changes one by one.
func newReview(id *string, at func() (terminal.Person, error)) *cobra.Command {
	return &cobra.Command{
		Use: "review [PATH...]", Short: "Review changes one by one and apply those you accept",
		Long: `Review changes one by one at a terminal, text by hunks, also while the program runs. Umpire
applies each change that you accept at once.

  y  apply this               a  apply this and the rest of the file
  n  skip this                d  skip this and the rest of the file
  s  split this hunk          v  show the full text of a shortened change
                              x  discard the whole change (after the program ended)
  q  end the review           ?  help`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			r, err := box.Last(*id)
			if err != nil {
				return err
			}
			return review(cmd, r, at, paths)
		},
	}
}

const reviewHelp = `y apply, n skip, s split the hunk
a apply the rest of the file, d skip the rest of the file
v show the full text, x discard the whole change, q quit
`

// reviewer is a review of changes at a terminal.
type reviewer struct {
	cmd *cobra.Command
	r   *box.Run
	w   *changes.Writer
	t   terminal.Person
	n   int // number of changes written
}

var errReviewEnded = errors.New("the review was interrupted")

// review shows the changes of a run one by one and asks about each.
func review(cmd *cobra.Command, r *box.Run, at func() (terminal.Person, error), paths []string) error {
	t, err := at()
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }()
	same := func(string) (*box.Run, error) { return r, nil }
	return onChanges(cmd, same, r.ID, paths, func(r *box.Run, w *changes.Writer, list []changes.ChangedPath) (err error) {
		v := &reviewer{cmd, r, w, t, 0}
		changes.InOrder(list)
		var gone []changes.ChangedPath // one question for a removed folder
		for i := range list {
			e := &list[i]
			if e.What == changes.Deleted && e.In != "" && e.Not == "" && !e.Clash {
				gone = append(gone, *e)
				continue
			}
			if err = v.one(e, gone); err != nil {
				break
			}
		}
		if errors.Is(err, errReviewEnded) {
			err = nil
		}
		fmt.Fprintf(t, "%s applied\n", plural.Count(v.n, "change"))
		if v.n > 0 {
			err = errors.Join(err, noteApplied(r, v.n))
		}
		return err
	})
}

// one asks about one change. gone has the paths in removed folders.
func (v *reviewer) one(e *changes.ChangedPath, gone []changes.ChangedPath) error {
	set := []changes.ChangedPath{*e}
	for _, g := range gone {
		if g.In == e.Path && e.What == changes.Deleted {
			set = append(set, g)
		}
	}
	c, err := v.w.Read(e, false)
	if err == nil && slices.ContainsFunc(set, func(e changes.ChangedPath) bool { return v.r.Sensitive(&e) }) {
		fmt.Fprintf(v.t, "\n%s: %s\n", visible.Line(e.Path), SensitiveText)
	}
	if err != nil {
		if !isGit(e.Path) {
			fmt.Fprintf(v.t, "\n%s\n  not changed: %s\n", entryLine(e), visible.Line(err.Error()))
		}
		return nil
	}
	if hunks := c.Hunks(); len(hunks) > 0 {
		return v.hunks(c, hunks)
	}
	diff, err := v.w.Diff(c)
	if err != nil {
		return err
	}
	keys := "ynqx"
	shown, cut := host.Cut(diff, "press v to see all of it")
	if cut {
		keys = "ynvqx"
	}
	fmt.Fprintf(v.t, "\n%s", painted(visible.Block(shown), true))
	if len(set) > 1 {
		for i, g := range set[1:] {
			if i == 20 {
				fmt.Fprintf(v.t, "  and %d more\n", len(set)-1-i)
				break
			}
			fmt.Fprintf(v.t, "  delete %s\n", visible.Line(g.Path))
		}
	}
	key, err := v.ask("Apply this?", keys)
	for ; err == nil && key == 'v'; key, err = v.ask("Apply this?", keys) {
		fmt.Fprintf(v.t, "\n%s", painted(visible.Block(diff), true))
	}
	switch {
	case err != nil:
		return err
	case key == 'x':
		return v.drop(set)
	case key != 'y':
		return nil
	}
	if len(set) == 1 {
		return v.write(c)
	}
	n, err := v.w.WriteAll(v.cmd.Context(), set, false, func(e *changes.ChangedPath, err error) {
		fmt.Fprintf(v.t, "%s was not changed: %s\n", visible.Line(e.Path), visible.Line(err.Error()))
	})
	v.n += n
	return v.reportFailed(err)
}

// hunks asks about each hunk of a file, and writes the accepted ones in one step.
func (v *reviewer) hunks(c *changes.Change, todo []host.Hunk) error {
	diff, err := v.w.Diff(c)
	if err != nil {
		return err
	}
	head, _, _ := strings.Cut(diff, "\n@@")
	fmt.Fprintf(v.t, "\n%s\n", painted(visible.Block(head), true))
	var take []host.Hunk
	asked, all, none := 0, false, false
	for len(todo) > 0 && !none {
		h := todo[0]
		if all {
			take, todo = append(take, h), todo[1:]
			continue
		}
		fmt.Fprint(v.t, painted(visible.Block(h.String()), true))
		keys, parts := "ynadqx", h.Split()
		if len(parts) > 1 {
			keys = "ynadsqx"
		}
		key, err := v.ask(fmt.Sprintf("(%d/%d) Apply this hunk?", asked+1, asked+len(todo)), keys)
		if errors.Is(err, errReviewEnded) {
			return errors.Join(v.part(c, take), errReviewEnded)
		}
		if err != nil {
			return err
		}
		switch key {
		case 's':
			todo = append(parts, todo[1:]...)
			continue
		case 'x':
			return v.drop([]changes.ChangedPath{c.ChangedPath})
		case 'd':
			none = true
		case 'y', 'a':
			take, all = append(take, h), key == 'a'
		}
		asked, todo = asked+1, todo[1:]
	}
	return v.part(c, take)
}

// part writes the accepted hunks.
func (v *reviewer) part(c *changes.Change, take []host.Hunk) error {
	if len(take) == 0 {
		return nil
	}
	if string(host.Pick(c.Old, take)) != string(c.Step.Content) { // if all hunks are accepted, the path is settled
		c.Part(take)
	}
	return v.write(c)
}

func (v *reviewer) write(c *changes.Change) error {
	err := v.w.Write(v.cmd.Context(), []*changes.Change{c})
	if err == nil {
		v.n++
	}
	return v.reportFailed(err)
}

// reportFailed reports why a change could not be written, and the review continues.
func (v *reviewer) reportFailed(err error) error {
	if err == nil || errors.Is(err, host.ErrHalf) || v.cmd.Context().Err() != nil {
		return err
	}
	fmt.Fprintf(v.t, "not applied: %s\n", visible.Line(err.Error()))
	return nil
}

func (v *reviewer) drop(set []changes.ChangedPath) error {
	if sandbox.Running(&v.r.Config) {
		fmt.Fprintln(v.t, "the program is still running: nothing was discarded")
		return nil
	}
	return v.w.Drop(set)
}

// ask asks until the answer is one of the keys.
func (v *reviewer) ask(question, keys string) (byte, error) {
	for {
		key, err := v.t.Ask(question + " [" + strings.Join(strings.Split(keys, ""), ",") + ",?] ")
		if err != nil {
			return 0, err
		}
		key = strings.ToLower(strings.TrimSpace(key))
		switch {
		case key == "q":
			return 0, errReviewEnded
		case len(key) == 1 && strings.Contains(keys, key):
			return key[0], nil
		}
		fmt.Fprint(v.t, reviewHelp)
	}
}
