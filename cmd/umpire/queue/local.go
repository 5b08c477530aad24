package queue

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

const answersAlone = `

Only a person at a terminal can answer, and not below a coding agent. An answer applies only to
the call shown: the same tool, input, folder and session.

An ID such as req-12 is a request at a gateway and needs an operator token.`

const answersStatus = `

Exit status: 0 all answered, 3 at least one left open, 1 failure.`

// NewApprove returns `umpire approve`. at returns the person who must confirm.
func NewApprove(at func() (terminal.Person, error)) *cobra.Command {
	r := reply{state: question.Approved}
	c := &cobra.Command{
		Use:        "approve [ID...]",
		SuggestFor: []string{"allow", "answer"},
		Short:      "Approve pending calls, once each",
		Long:       "Show each question in full and approve its call once, after you confirm. Without an ID,\nlist the pending questions." + answersAlone + answersStatus,
		RunE: func(c *cobra.Command, ids []string) error {
			if err := cli.Requires(c, slices.ContainsFunc(ids, atGateway), "a gateway request, such as req-12", "note", "digest"); err != nil {
				return err
			}
			return r.send(c, at, ids)
		},
	}
	c.Flags().StringVar(&r.digest, "digest", "", digestUsage)
	return r.flags(c, "message to the agent, for gateway requests")
}

// NewDeny returns `umpire deny`. at returns the person who must confirm.
func NewDeny(at func() (terminal.Person, error)) *cobra.Command {
	r := reply{state: question.Denied}
	c := &cobra.Command{
		Use:   "deny [ID...]",
		Short: "Deny pending calls",
		Long:  "Show each question in full and deny its call. Umpire then denies the same call for a day\nand gives the agent your note. You can take an approval back until its call runs. Without an\nID, list the pending questions." + answersAlone + answersStatus,
		RunE: func(c *cobra.Command, ids []string) error {
			return r.send(c, at, ids)
		},
	}
	return r.flags(c, "message to the agent")
}

// reply is an answer to questions and requests, with its flags.
type reply struct {
	state          question.State
	note           string // for the agent
	digest, server string // of a request: its digest, and the URL of its gateway
	asJSON         bool
}

func (r *reply) flags(c *cobra.Command, note string) *cobra.Command {
	c.Flags().StringVar(&r.server, "server", "", "URL of the gateway, for gateway requests")
	c.Flags().StringVar(&r.note, "note", "", note)
	c.Flags().BoolVar(&r.asJSON, "json", false, "print the answers as one JSON document")
	return c
}

// send answers questions of this machine, or requests at the gateway.
func (r *reply) send(c *cobra.Command, at func() (terminal.Person, error), ids []string) error {
	requests := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !atGateway(id) })
	if len(requests) == 0 {
		return answerHere(c, at, ids, r.state, r.note, r.asJSON)
	}
	if len(requests) < len(ids) {
		return cli.Usagef("the IDs mix questions on this machine with gateway requests: answer them in two commands")
	}
	return answerRequests(c, &gatewayFlags{server: r.server, json: r.asJSON}, requests, r.state == question.Approved, requestReply{note: r.note, digest: r.digest, at: at})
}

// atGateway reports whether an ID names a request at a gateway: req-12, or the full ID.
func atGateway(id string) bool { return strings.HasPrefix(id, "req-") || len(id) == 26 }

// NewQuestions returns `umpire questions`.
func NewQuestions() *cobra.Command {
	var asJSON bool
	state := string(question.Pending)
	c := &cobra.Command{
		Use:   "questions",
		Short: "List the calls that wait for your answer",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return listQuestions(c.OutOrStdout(), question.State(state), asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.Flags().StringVar(&state, "state", state, "list questions in this state: pending, approved, denied, used or abandoned")
	return c
}

func listQuestions(w io.Writer, s question.State, asJSON bool) error {
	box, _, err := answer.Questions()
	if err != nil {
		return err
	}
	list, err := box.List(s)
	if err != nil {
		return err
	}
	if asJSON {
		return cli.PrintJSON(w, documents(list))
	}
	if len(list) == 0 {
		fmt.Fprintf(w, "no %s questions\n", s)
	}
	for i := range list {
		answer.Brief(w, &list[i])
	}
	return nil
}

// openQuestions opens the person's terminal, and the questions of this machine.
func openQuestions(at func() (terminal.Person, error)) (terminal.Person, question.Box, string, error) {
	box, dir, err := answer.Questions()
	if err != nil {
		return nil, box, dir, err
	}
	t, err := at()
	return t, box, dir, err
}

// document is a question in the form of --json.
type document struct {
	State question.State `json:"state"`
	question.Question
}

func documents(list []question.Question) []document {
	out := make([]document, 0, len(list))
	for _, q := range list {
		out = append(out, document{q.State, q})
	}
	return out
}

// answerHere shows questions to a person and stores the answers.
func answerHere(c *cobra.Command, at func() (terminal.Person, error), ids []string, s question.State, note string, asJSON bool) error {
	if len(ids) == 0 {
		return listQuestions(c.OutOrStdout(), question.Pending, asJSON)
	}
	t, box, dir, err := openQuestions(at)
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }() // the answers are already stored
	answered, left, failed := []question.Question(nil), false, []error(nil)
	for _, id := range ids {
		id = strings.ToLower(strings.TrimSpace(id))
		q, err := box.Find(id)
		if errors.Is(err, question.ErrNone) {
			err = answer.Settled(box, id)
		}
		if err == nil {
			if s == question.Approved {
				q, err = answer.Approve(t, box, dir, q)
			} else {
				q, err = answer.Settle(t, box, dir, q, s, note)
			}
		}
		var before answer.SettledError
		switch {
		case errors.Is(err, answer.ErrLeft):
			left = true
		case errors.As(err, &before) && before.Says(s): // a repeated script gets the same answer again
			fmt.Fprintf(t, "%s: %v\n", visible.Line(id), err)
			answered = append(answered, before.Question)
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", visible.Line(id), err))
		default:
			answered = append(answered, q)
		}
	}
	if asJSON {
		failed = append(failed, cli.PrintJSON(c.OutOrStdout(), documents(answered)))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if left {
		return cli.ExitError(cli.ExitAsk)
	}
	return nil
}
