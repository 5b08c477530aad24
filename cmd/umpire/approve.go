package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/visible"
)

const answersAlone = `

Only a person can answer, at a terminal of their own. The command refuses to run below a
coding agent, and when standard input is not a terminal. An answer applies only to the call
shown: the same tool, input, folder and session.

To answer a request at a gateway, such as req-12, use its ID here or in ` + "`umpire queue`" + `. You
need an operator token. The first answer counts.`

const answersStatus = `

Exit status: 0 all answered, 3 at least one left open, 1 failure.`

func newApprove(at func() (cli.Person, error)) *cobra.Command {
	var asJSON bool
	var server, note, digest string
	c := &cobra.Command{
		Use:   "approve [ID...]",
		Short: "Approve pending calls, once each",
		Long:  "Show each question in full and approve its call once, after you confirm. Without an ID,\nlist the open questions." + answersAlone + answersStatus,
		RunE: func(c *cobra.Command, ids []string) error {
			if note != "" && !slices.ContainsFunc(ids, atGateway) {
				return cli.Usagef("--note requires a gateway request, such as req-12")
			}
			if digest != "" && !slices.ContainsFunc(ids, atGateway) {
				return cli.Usagef("--digest requires a gateway request, such as req-12")
			}
			return answerBoth(c, at, ids, question.Approved, note, digest, server, asJSON)
		},
	}
	c.Flags().StringVar(&server, "server", "", "URL of the gateway, for gateway requests")
	c.Flags().StringVar(&note, "note", "", "message to the agent, for gateway requests")
	c.Flags().StringVar(&digest, "digest", "", digestUsage)
	c.Flags().BoolVar(&asJSON, "json", false, "print the answers as one JSON document")
	return c
}

func newDeny(at func() (cli.Person, error)) *cobra.Command {
	var asJSON bool
	var server, note string
	c := &cobra.Command{
		Use:   "deny [ID...]",
		Short: "Deny pending calls",
		Long:  "Show each question in full and deny its call. Umpire then denies the same call for a day\nand gives the agent your note. Without an ID, list the open questions." + answersAlone + answersStatus,
		RunE: func(c *cobra.Command, ids []string) error {
			return answerBoth(c, at, ids, question.Denied, note, "", server, asJSON)
		},
	}
	c.Flags().StringVar(&server, "server", "", "URL of the gateway, for gateway requests")
	c.Flags().BoolVar(&asJSON, "json", false, "print the answers as one JSON document")
	c.Flags().StringVar(&note, "note", "", "message to the agent")
	return c
}

// answerBoth answers questions of this machine, and requests at the gateway.
func answerBoth(c *cobra.Command, at func() (cli.Person, error), ids []string, s question.State, note, digest, server string, asJSON bool) error {
	requests := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !atGateway(id) })
	if len(requests) == 0 {
		return answer(c, at, ids, s, note, asJSON)
	}
	if len(requests) < len(ids) {
		return cli.Usagef("the IDs mix questions on this machine with gateway requests: answer them in two commands")
	}
	return answerRequests(c, &gatewayFlags{server, asJSON}, requests, s == question.Approved, reply{note: note, digest: digest, at: at})
}

// atGateway reports whether an ID is a request's at a gateway: req-12, or in full.
func atGateway(id string) bool { return strings.HasPrefix(id, "req-") || len(id) == 26 }

func newQuestions() *cobra.Command {
	var asJSON bool
	state := string(question.Pending)
	c := &cobra.Command{
		Use:   "questions",
		Short: "List the calls that wait for your answer",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s := question.State(state)
			switch s {
			case question.Pending, question.Approved, question.Denied, question.Used, question.Abandoned:
			default:
				return cli.Usagef("--state is %q: must be pending, approved, denied, used or abandoned", state)
			}
			return listQuestions(c.OutOrStdout(), s, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.Flags().StringVar(&state, "state", state, "list questions in this state: pending, approved, denied, used or abandoned")
	return c
}

// questions opens the box that hooks put their questions into.
func questions() (question.Box, string, error) {
	dir, err := audit.DefaultDir()
	return question.Open(filepath.Join(dir, "questions")), dir, err
}

func listQuestions(w io.Writer, s question.State, asJSON bool) error {
	box, _, err := questions()
	if err != nil {
		return err
	}
	list, err := box.List(s)
	if err != nil {
		return err
	}
	if asJSON {
		if list == nil {
			list = []question.Question{}
		}
		return cli.PrintJSON(w, list)
	}
	if len(list) == 0 {
		fmt.Fprintf(w, "no %s questions\n", s)
	}
	for i := range list {
		brief(w, &list[i])
	}
	return nil
}

// answer shows questions to a person and takes their answers.
func answer(c *cobra.Command, at func() (cli.Person, error), ids []string, s question.State, note string, asJSON bool) error {
	if len(ids) == 0 {
		return listQuestions(c.OutOrStdout(), question.Pending, asJSON)
	}
	box, dir, err := questions()
	if err != nil {
		return err
	}
	t, err := at()
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }()
	answered, left, failed := []question.Question{}, false, []error(nil)
	for _, id := range ids {
		q, err := box.Find(strings.ToLower(strings.TrimSpace(id)))
		if err == nil {
			if s == question.Approved {
				q, err = approve(t, box, dir, q)
			} else {
				q, err = settleQuestion(t, box, dir, q, s, note)
			}
		}
		switch {
		case errors.Is(err, errLeft):
			left = true
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", visible.Line(id), err))
		default:
			answered = append(answered, q)
		}
	}
	if asJSON {
		failed = append(failed, cli.PrintJSON(c.OutOrStdout(), answered))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if left {
		return cli.ExitError(cli.ExitAsk)
	}
	return nil
}

var errLeft = errors.New("left open")

// approve shows a question and lets the call pass once if the person says so.
func approve(t cli.Person, box question.Box, dir string, q question.Question) (question.Question, error) {
	showQuestion(t, &q)
	said, err := t.Ask("Approve this call once? [y/N] ")
	if err != nil {
		return q, err
	}
	if !cli.Yes(said) {
		fmt.Fprintf(t, "%s is still open; to deny it, run `umpire deny %s`\n", q.ID, q.ID)
		return q, errLeft
	}
	return recordAnswer(t, box, dir, q, question.Approved, "")
}

func settleQuestion(t cli.Person, box question.Box, dir string, q question.Question, s question.State, note string) (question.Question, error) {
	showQuestion(t, &q)
	return recordAnswer(t, box, dir, q, s, note)
}

// recordAnswer keeps a person's answer to the question they were shown.
func recordAnswer(t cli.Person, box question.Box, dir string, shown question.Question, s question.State, note string) (question.Question, error) {
	q, err := box.Answer(shown, s, cli.UserName(), note)
	if err != nil {
		return q, err
	}
	said := "approved once, within " + age(question.Validity)
	if s == question.Denied {
		said = "denied"
	}
	fmt.Fprintf(t, "%s %s\n", q.ID, said)
	return q, auditAnswer(dir, q, "terminal")
}

// auditAnswer records who answered what, and where.
func auditAnswer(dir string, q question.Question, where string) error {
	effect := umpire.Allow
	if q.State == question.Denied {
		effect = umpire.Deny
	}
	e := &audit.Event{Kind: audit.Approval, Point: where, Principal: q.Who, Tool: q.Tool, Dir: q.Dir, Effect: effect.String(),
		Reasons: q.Reasons, By: q.By, Note: q.Note, Data: map[string]string{"question": q.ID, "digest": q.Digest}}
	if json.Valid([]byte(q.Input)) { // a long one is cut
		e.Params = json.RawMessage(q.Input)
	} else {
		e.Params, _ = json.Marshal(q.Input) // a text can be written
	}
	err := audit.Append(dir, e)
	if err != nil {
		return fmt.Errorf("answered, but not recorded in the audit log: %w", err)
	}
	return nil
}

// brief prints a question in a few lines. The agent chose its text.
func brief(w io.Writer, q *question.Question) {
	fmt.Fprintf(w, "%s  %s ago  %s  %s\n", q.ID, age(time.Since(q.Asked)), who(q.Who), visible.Clip(q.Tool, 60))
	fmt.Fprintf(w, "    %s\n", visible.Clip(callText(q), 200))
	for i, r := range q.Reasons { // the gravest first
		if i == 2 {
			break
		}
		fmt.Fprintf(w, "    %s: %s (%s)\n", r.Effect, visible.Clip(r.Text, 160), visible.Line(r.Rule))
	}
	would := wouldDo(q)
	for i, op := range would {
		if i == 3 {
			fmt.Fprintf(w, "    and %d more\n", len(would)-i)
			break
		}
		fmt.Fprintf(w, "    would %s\n", visible.Clip(op, 160))
	}
}

// wouldDo says in words what a call would do, each thing once.
func wouldDo(q *question.Question) (list []string) {
	for _, op := range q.Ops {
		kind, rest, ok := strings.Cut(op, "(")
		if !ok || !strings.HasSuffix(rest, ")") {
			list = append(list, op)
			continue
		}
		rest = strings.ReplaceAll(strings.TrimSuffix(rest, ")"), umpire.Hole, "<unknown>")
		switch kind {
		case umpire.Exec.String():
			kind = "run"
		case umpire.Network.String():
			kind = "reach"
		case umpire.Tool.String():
			kind = "call"
		case umpire.Delete.String(), umpire.Read.String(), umpire.Write.String(), umpire.Git.String():
		default:
			kind += ":" // system: service restart nginx
		}
		if s := kind + " " + rest; !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// showQuestion prints all that is known of a question. What the agent chose stands behind bars,
// so that no line of it can be taken for one of umpire's.
func showQuestion(w io.Writer, q *question.Question) {
	fmt.Fprintf(w, "\nQuestion %s, asked %s ago\n", q.ID, age(time.Since(q.Asked)))
	if q.State == question.Denied {
		fmt.Fprintf(w, "DENIED  %s ago by %s\n", age(time.Since(q.Answered)), visible.Line(q.By))
	}
	fmt.Fprintf(w, "who     %s\n", who(q.Who))
	fmt.Fprintf(w, "folder  %s\n", visible.Line(q.Dir))
	fmt.Fprintf(w, "tool    %s, called with\n", visible.Line(q.Tool))
	bars(w, callText(q))
	if q.Cut > 0 {
		fmt.Fprintf(w, "        %d more bytes of it are NOT shown\n", q.Cut)
	}
	if len(q.Reasons) > 0 {
		fmt.Fprintln(w, "because")
	}
	for _, r := range q.Reasons {
		fmt.Fprintf(w, "    %s: %s (%s)\n", r.Effect, visible.Line(r.Text), visible.Line(r.Rule))
	}
	if len(q.Ops) > 0 {
		fmt.Fprintln(w, "would")
		bars(w, strings.Join(each(wouldDo(q), visible.Line), "\n"))
	}
	if len(q.Files) > 0 {
		fmt.Fprintln(w, "with these files, unchanged, and no others")
		for _, f := range q.Files {
			fmt.Fprintf(w, "    | %s  %s\n", visible.Clip(f.Path, 300), visible.Clip(f.Sum, 16))
		}
	}
}

func bars(w io.Writer, text string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(visible.Block(text), "\n"), "\n") {
		fmt.Fprintf(w, "    | %s\n", line)
	}
}

func each(in []string, f func(string) string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = f(s)
	}
	return out
}

// callText is what a call says: the command of a shell as it stands, and any other input
// as JSON.
func callText(q *question.Question) string {
	var in map[string]json.RawMessage
	var command string
	if json.Unmarshal([]byte(q.Input), &in) == nil && json.Unmarshal(in["command"], &command) == nil {
		rest := in
		delete(rest, "command")
		delete(rest, "description")
		if len(rest) == 0 {
			return command
		}
	}
	return q.Input
}

func who(p umpire.Principal) string {
	s := visible.Clip(p.Platform, 40)
	if p.Agent != "" {
		s += ", agent " + visible.Clip(p.Agent, 40)
	}
	if p.Role != "" {
		s += " (" + visible.Clip(p.Role, 40) + ")"
	}
	if p.Session != "" {
		s += ", session " + visible.Clip(p.Session, 40)
	}
	if s == "" {
		return "unknown"
	}
	return s
}

// age says how long something is, as people do.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}
