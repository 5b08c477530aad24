package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
)

// newReview goes through changes with a person.
func newReview(id *string, at func() (person, error)) *cobra.Command {
	return &cobra.Command{
		Use: "review [PATH...]", Short: "Go through the changes one by one, and write those you say yes to",
		Long: `Go through the changes at a terminal, one by one, a text hunk by hunk. What you say yes to
is written to the project at once, as you saw it; the rest waits on. It may be used while the
program runs.

  y  write this               a  write this and the rest of the file
  n  leave this               d  leave this and the rest of the file
  s  split this hunk          v  show all of what was too long to show
                              x  throw the whole change away (when the program has ended)
  q  end the review           ?  help`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			r, err := lastRun(*id)
			if err != nil {
				return err
			}
			return reviewChanges(cmd, r, at, paths)
		},
	}
}

const reviewHelp = `y write it, n leave it, a write it and the rest of the file, d leave it and the rest of the file,
s split the hunk, v show all of what was too long, x throw the whole change away, q end the review
`

// reviewer is a review at a terminal.
type reviewer struct {
	cmd *cobra.Command
	r   *boxRun
	w   *changes.Writer
	t   person
	n   int // changes written
}

var errReviewEnded = errors.New("the review was ended")

// reviewChanges goes through what a run changed.
func reviewChanges(cmd *cobra.Command, r *boxRun, at func() (person, error), paths []string) error {
	t, err := at()
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }()
	w, list, err := openChanges(cmd, r, paths)
	if err != nil {
		return err
	}
	defer w.Close()
	v := &reviewer{cmd, r, w, t, 0}
	changes.InOrder(list)
	var gone []changes.Entry // a removed folder is one question
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
	fmt.Fprintf(t, "%d changes written\n", v.n)
	if v.n > 0 {
		err = errors.Join(err, noteApplied(r, v.n))
	}
	return err
}

// one asks about one change. gone are paths in removed folders.
func (v *reviewer) one(e *changes.Entry, gone []changes.Entry) error {
	set := []changes.Entry{*e}
	for _, g := range gone {
		if g.In == e.Path && e.What == changes.Deleted {
			set = append(set, g)
		}
	}
	c, err := v.w.Read(e, false)
	if err == nil && slices.ContainsFunc(set, func(e changes.Entry) bool { return v.r.obeyed(&e) }) {
		fmt.Fprintf(v.t, "\n%s: %s\n", visible.Line(e.Path), obeyedText)
	}
	if err != nil {
		if !isGit(e.Path) {
			fmt.Fprintf(v.t, "\n%s\n  stays as it is: %s\n", entryLine(e), visible.Line(err.Error()))
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
	shown, cut := host.Cut(diff, "v shows all of it")
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
	said, err := v.ask("Write this?", keys)
	for ; err == nil && said == 'v'; said, err = v.ask("Write this?", keys) {
		fmt.Fprintf(v.t, "\n%s", painted(visible.Block(diff), true))
	}
	switch {
	case err != nil:
		return err
	case said == 'x':
		return v.drop(set)
	case said != 'y':
		return nil
	}
	if len(set) == 1 {
		return v.write(c)
	}
	n, err := v.w.WriteAll(v.cmd.Context(), set, false, func(e *changes.Entry, err error) {
		fmt.Fprintf(v.t, "%s stays as it is: %s\n", visible.Line(e.Path), visible.Line(err.Error()))
	})
	v.n += n
	return v.said(err)
}

// hunks asks about a file's hunks, and writes those that are wanted in one step.
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
		said, err := v.ask(fmt.Sprintf("(%d/%d) Write this hunk?", asked+1, asked+len(todo)), keys)
		if errors.Is(err, errReviewEnded) {
			return errors.Join(v.part(c, take), errReviewEnded)
		}
		if err != nil {
			return err
		}
		switch said {
		case 's':
			todo = append(parts, todo[1:]...)
			continue
		case 'x':
			return v.drop([]changes.Entry{c.Entry})
		case 'd':
			none = true
		case 'y', 'a':
			take, all = append(take, h), said == 'a'
		}
		asked, todo = asked+1, todo[1:]
	}
	return v.part(c, take)
}

// part writes the hunks that were taken.
func (v *reviewer) part(c *changes.Change, take []host.Hunk) error {
	if len(take) == 0 {
		return nil
	}
	if string(host.Pick(c.Old, take)) != string(c.Step.Content) { // else the path is settled
		c.Part(take)
	}
	return v.write(c)
}

func (v *reviewer) write(c *changes.Change) error {
	err := v.w.Write(v.cmd.Context(), []*changes.Change{c})
	if err == nil {
		v.n++
	}
	return v.said(err)
}

// said tells why a change could not be written, and has the review go on.
func (v *reviewer) said(err error) error {
	if err == nil || errors.Is(err, host.ErrHalf) || v.cmd.Context().Err() != nil {
		return err
	}
	fmt.Fprintf(v.t, "not written: %s\n", visible.Line(err.Error()))
	return nil
}

func (v *reviewer) drop(set []changes.Entry) error {
	if sandbox.Running(&v.r.Config) {
		fmt.Fprintln(v.t, "the program still runs: nothing is thrown away")
		return nil
	}
	return v.w.Drop(set)
}

// ask asks until one of the keys is the answer.
func (v *reviewer) ask(question, keys string) (byte, error) {
	for {
		said, err := v.t.Ask(question + " [" + strings.Join(strings.Split(keys, ""), ",") + ",?] ")
		if err != nil {
			return 0, err
		}
		said = strings.ToLower(strings.TrimSpace(said))
		switch {
		case said == "q":
			return 0, errReviewEnded
		case len(said) == 1 && strings.Contains(keys, said):
			return said[0], nil
		}
		fmt.Fprint(v.t, reviewHelp)
	}
}
