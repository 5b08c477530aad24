package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/terminal"
)

const (
	// lookEvery is the interval between two reads of the questions.
	lookEvery = 200 * time.Millisecond

	// reaction is how long keys are ignored after a question appears: they were meant for the
	// earlier screen.
	reaction = 400 * time.Millisecond
)

// NewWatch returns `umpire watch`. at returns the person who answers.
func NewWatch(at func() (terminal.Person, error)) *cobra.Command {
	var bell bool
	var server string
	c := &cobra.Command{
		Use:   "watch",
		Short: "Show pending calls as they arrive, and answer with one key",
		Long:  "Show pending calls as they arrive, and answer with one key: a approves the call once, d denies,\ns skips, q quits. With --server, show the requests at a gateway, as `umpire queue watch` does." + answersAlone,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if server != "" {
				return newQueueWatch(&gatewayFlags{server: server}).RunE(c, args)
			}
			t, box, dir, err := openQuestions(at)
			if err != nil {
				return err
			}
			defer func() { _ = t.Close() }() // the answers are already stored
			ctx, stop := cli.UntilEnded(c.Context())
			defer stop()
			w := Watcher{T: t, Box: box, Dir: dir, Bell: bell, Skipped: map[string]time.Time{}, Reaction: reaction}
			return w.Run(ctx)
		},
	}
	c.Flags().StringVar(&server, "server", "", "URL of a gateway to watch, for example http://127.0.0.1:3700")
	c.Flags().BoolVar(&bell, "bell", false, "ring the terminal bell for each question")
	return c
}

// Watcher shows pending questions to a person, one at a time.
type Watcher struct {
	T        terminal.Person
	Box      question.Box
	Dir      string
	Bell     bool
	Reaction time.Duration
	Skipped  map[string]time.Time // by ID: the time at which the question was asked
}

var errQuit = errors.New("quit")

// Run shows questions until the person quits or ctx ends.
func (w *Watcher) Run(ctx context.Context) error {
	w.T.Raw() // if this fails, keys arrive at the end of the line
	fmt.Fprintln(w.T, "waiting for questions; q quits")
	for ctx.Err() == nil {
		q, more, err := w.next()
		if err != nil {
			return err
		}
		if q == nil {
			k, err := w.T.Key(lookEvery)
			if err == nil && quits(k) {
				return nil
			}
			if err != nil && !errors.Is(err, terminal.ErrLate) {
				return err
			}
			continue
		}
		switch err := w.ask(ctx, q, more); {
		case errors.Is(err, errQuit):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

func quits(k byte) bool { return k == 'q' || k == 'Q' || k == 3 || k == 4 } // Ctrl-C and Ctrl-D in raw mode

// next returns the oldest pending question that was not skipped, and the number of others.
func (w *Watcher) next() (*question.Question, int, error) {
	list, err := w.Box.List(question.Pending)
	if err != nil {
		return nil, 0, err
	}
	var first *question.Question
	more := 0
	for i := range list {
		switch {
		case w.Skipped[list[i].ID].Equal(list[i].Asked):
		case first == nil:
			first = &list[i]
		default:
			more++
		}
	}
	return first, more, nil
}

// ask shows a question until it is answered, here or elsewhere.
func (w *Watcher) ask(ctx context.Context, q *question.Question, more int) error {
	answer.Show(w.T, q)
	if w.Bell {
		fmt.Fprint(w.T, "\a")
	}
	if more > 0 {
		fmt.Fprintf(w.T, "%d more after this\n", more)
	}
	fmt.Fprint(w.T, "a approve once, d deny, s skip, q quit: ")
	shown := time.Now()
	for ctx.Err() == nil {
		k, err := w.T.Key(lookEvery)
		if errors.Is(err, terminal.ErrLate) {
			if !w.open(q) {
				fmt.Fprintf(w.T, "\n%s was answered elsewhere\n", q.ID)
				return nil
			}
			continue
		}
		if err != nil {
			return err
		}
		if quits(k) {
			fmt.Fprintln(w.T)
			return errQuit
		}
		if time.Since(shown) < w.Reaction {
			continue
		}
		switch k {
		case 'a', 'A':
			fmt.Fprintln(w.T)
			return w.reportFailed(answer.Record(w.T, w.Box, w.Dir, *q, question.Approved, ""))
		case 'd', 'D':
			fmt.Fprintln(w.T)
			w.T.Cooked()
			note, err := w.T.Ask("Note to the agent (optional): ")
			w.T.Raw()
			if err != nil {
				return err
			}
			return w.reportFailed(answer.Record(w.T, w.Box, w.Dir, *q, question.Denied, note))
		case 's', 'S':
			fmt.Fprintf(w.T, "\n%s is still pending\n", q.ID)
			w.Skipped[q.ID] = q.Asked
			return nil
		}
	}
	return nil
}

// open reports whether a question is still pending.
func (w *Watcher) open(q *question.Question) bool {
	now, err := w.Box.Find(q.ID)
	return err == nil && now.State == question.Pending && now.Digest == q.Digest && now.Asked.Equal(q.Asked)
}

// reportFailed reports an answer that could not be stored; the watch continues. Someone else may have
// answered first.
func (w *Watcher) reportFailed(_ question.Question, err error) error {
	if err != nil {
		fmt.Fprintf(w.T, "%v\n", err)
	}
	return nil
}
