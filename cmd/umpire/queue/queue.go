// Package queue has the commands of a gateway's operators: queue, rules, history, login and token.
package queue

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Request is a request as the gateway shows it to people.
type Request struct {
	ID          string `json:"id"`
	Seq         int64  `json:"seq"`
	Category    string `json:"category"`
	Action      string `json:"action"`
	Description string `json:"description"`
	Reason      string `json:"reason"`
	Status      string `json:"status"`
	Digest      string `json:"digest"`
	Agent       string `json:"agent"`
	AgentName   string `json:"agentName"`
	Operator    string `json:"operator"`
	ResolvedBy  string `json:"resolvedBy"`
	Rule        string `json:"rule"`
	Note        string `json:"note"`
	Created     int64  `json:"createdAt"`
	Resolved    int64  `json:"resolvedAt"`
	Needs       int    `json:"needs"`
	Votes       []struct {
		Operator string `json:"operator"`
	} `json:"votes"`
}

// print writes a request for people: all of it is of others' making, so it is shown and
// never obeyed by the terminal.
func (q *Request) print(w io.Writer) {
	fmt.Fprintf(w, "req-%-5d %-10s %s\n", q.Seq, q.Category, visible.Clip(q.Action, 200))
	if q.Description != "" {
		fmt.Fprintf(w, "          %s\n", visible.Clip(q.Description, 300))
	}
	if q.Reason != "" {
		fmt.Fprintf(w, "          the agent says: %s\n", visible.Clip(q.Reason, 300))
	}
	at := time.UnixMilli(q.Created).Local().Format(time.DateTime) + " by " + visible.Clip(cmp.Or(q.AgentName, q.Agent, "an agent"), 60)
	if q.Status == "pending" {
		fmt.Fprintf(w, "          asked %s\n", at)
		if q.Needs > 1 {
			fmt.Fprintf(w, "          %s\n", q.votes())
		}
		return
	}
	by := q.Operator
	if by == "" {
		by = q.ResolvedBy
	}
	fmt.Fprintf(w, "          %s by %s, asked %s\n", q.Status, visible.Line(by), at)
	if q.Note != "" {
		fmt.Fprintf(w, "          note: %s\n", visible.Clip(q.Note, 300))
	}
}

// show prints a request with all that is known of it, but for what is long.
func (q *Request) show(w io.Writer, raw json.RawMessage) error {
	q.print(w)
	var about struct {
		Metadata struct {
			Effective map[string]any `json:"effective"`
			Diff      string         `json:"diff"`
			Reasons   []struct {
				Rule, Effect, Text string
			} `json:"reasons"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(raw, &about); err != nil {
		return err
	}
	for _, key := range []string{"command", "cwd", "names", "value", "call"} {
		if v, ok := about.Metadata.Effective[key]; ok && v != "" {
			text, plain := v.(string)
			if !plain {
				b, err := json.MarshalIndent(v, "", "  ")
				if err != nil {
					return err
				}
				text = string(b)
			}
			fmt.Fprintf(w, "%s:\n%s\n", key, visible.Block(text))
		}
	}
	fmt.Fprint(w, visible.Block(about.Metadata.Diff))
	for _, r := range about.Metadata.Reasons {
		fmt.Fprintf(w, "%s: %s (%s)\n", r.Effect, visible.Line(r.Text), visible.Line(r.Rule))
	}
	return nil
}

// votes tells who approved so far, where several people must.
func (q *Request) votes() string {
	text := fmt.Sprintf("%d of %d approvals", len(q.Votes), q.Needs)
	for i, v := range q.Votes {
		text += []string{": ", ", "}[min(i, 1)] + visible.Clip(v.Operator, 60)
	}
	return text
}

// Flags are those of every command that speaks with a gateway.
type Flags struct {
	Server string
	JSON   bool
}

func (f *Flags) add(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&f.Server, "server", "", "URL of the gateway (default $UMPIRE_SERVER or "+gatewayclient.DefaultURL+")")
	cmd.PersistentFlags().BoolVar(&f.JSON, "json", false, "print one JSON document")
}

func (f *Flags) get(cmd *cobra.Command, path string, out any) error {
	return gatewayclient.AsOperator(cmd.Context(), f.Server, http.MethodGet, path, nil, out)
}

// show prints what the gateway says as it is, or has it printed for people.
func (f *Flags) show(cmd *cobra.Command, path string, v any, people func(io.Writer)) error {
	var raw json.RawMessage
	if err := f.get(cmd, path, &raw); err != nil {
		return err
	}
	if f.JSON {
		return cli.PrintLine(cmd.OutOrStdout(), raw)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return err
	}
	people(cmd.OutOrStdout())
	return nil
}

// print prints what came of a command, for people or as one JSON document.
func (f *Flags) print(cmd *cobra.Command, v any, people func(io.Writer)) error {
	if !f.JSON {
		people(cmd.OutOrStdout())
		return nil
	}
	return cli.PrintLine(cmd.OutOrStdout(), v)
}

// New returns `umpire queue`, whose answers need the person that at returns.
func New(at func() (terminal.Person, error)) *cobra.Command {
	var f Flags
	cmd := &cobra.Command{
		Use:     "queue",
		Short:   "List and answer the requests at the gateway",
		Example: "  umpire queue\n  umpire queue show req-12\n  umpire queue approve req-12 --note 'only this once'\n  umpire queue deny --all network",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var out struct {
				Pending []Request      `json:"pending"`
				Waiting map[string]int `json:"waiting"` // by agent
			}
			return f.show(cmd, "/api/queue", &out, func(w io.Writer) {
				for i := range out.Pending {
					out.Pending[i].print(w)
				}
				more := -len(out.Pending)
				for _, n := range out.Waiting {
					more += n
				}
				if more > 0 {
					fmt.Fprintf(w, "and %d more, from %s in total; the oldest of each agent come first\n", more, plural.Count(len(out.Waiting), "agent"))
				}
				if len(out.Pending) == 0 {
					fmt.Fprintln(w, "no pending requests")
				}
			})
		},
	}
	f.add(cmd)
	var full bool
	show := &cobra.Command{Use: "show ID", Short: "Show one request",
		Long: `Show one request. Long differences are shortened, with a notice. --full shows everything that
an answer covers. --json includes new file contents in base64.`, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			var raw json.RawMessage
			if err := f.get(cmd, "/api/queue/"+url.PathEscape(args[0]), &raw); err != nil {
				return err
			}
			if f.JSON {
				fmt.Fprintf(cmd.OutOrStdout(), "%s\n", raw)
				return nil
			}
			var q Request
			if err := json.Unmarshal(raw, &q); err != nil {
				return err
			}
			if full {
				return showWhole(cmd, &f, q.ID)
			}
			return q.show(cmd.OutOrStdout(), raw)
		}}
	show.Flags().BoolVar(&full, "full", false, "show everything that an answer covers")
	output := &cobra.Command{Use: "output ID", Short: "Follow the output of an approved command", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		return followOutput(cmd, &f, args[0])
	}}
	stop := &cobra.Command{Use: "stop ID", Short: "Stop an approved command and its processes", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		var out map[string]any
		if err := gatewayclient.AsOperator(cmd.Context(), f.Server, http.MethodPost, "/api/queue/"+url.PathEscape(args[0])+"/stop", nil, &out); err != nil {
			return err
		}
		return f.print(cmd, out, func(w io.Writer) { fmt.Fprintln(w, "stopped", visible.Line(args[0])) })
	}}
	cmd.AddCommand(show, output, stop, newQueueAnswer(&f, true, at), newQueueAnswer(&f, false, at), NewWatch(&f))
	return cmd
}

// showWhole prints all that an answer to a request is bound to.
func showWhole(cmd *cobra.Command, f *Flags, id string) error {
	secret, err := gatewayclient.OperatorToken()
	if err != nil {
		return err
	}
	body, err := gatewayclient.Open(cmd.Context(), gatewayclient.OperatorClient(secret), http.MethodGet, gatewayclient.URL(f.Server)+"/api/queue/"+url.PathEscape(id)+"/whole", secret, nil)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	for in := bufio.NewReader(body); ; {
		line, err := in.ReadString('\n')
		if _, bad := fmt.Fprint(cmd.OutOrStdout(), visible.Block(line)); bad != nil {
			return bad
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// followOutput prints what a command writes until it ends, and ends with an error if the
// command did.
func followOutput(cmd *cobra.Command, f *Flags, id string) error {
	secret, err := gatewayclient.OperatorToken()
	if err != nil {
		return err
	}
	body, err := gatewayclient.Open(cmd.Context(), gatewayclient.OperatorClient(secret), http.MethodGet, gatewayclient.URL(f.Server)+"/api/queue/"+url.PathEscape(id)+"/output", secret, nil)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	for in := json.NewDecoder(body); ; {
		var line struct {
			Stream   string `json:"stream,omitempty"`
			Text     string `json:"text,omitempty"`
			Status   string `json:"status,omitempty"`
			ExitCode *int   `json:"exitCode,omitempty"`
		}
		if err := in.Decode(&line); errors.Is(err, io.EOF) {
			return errors.New("lost the connection to the gateway")
		} else if err != nil {
			return err
		}
		if f.JSON {
			if err := cli.PrintLine(cmd.OutOrStdout(), line); err != nil {
				return err
			}
		}
		switch {
		case line.Status != "":
			if line.ExitCode == nil {
				return fmt.Errorf("no output: the request is %s", visible.Line(line.Status))
			}
			if !f.JSON {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s, exit code %d\n", visible.Line(line.Status), *line.ExitCode)
			}
			if *line.ExitCode != 0 {
				return cli.ExitError(cli.ExitFailure)
			}
			return nil
		case f.JSON:
		case line.Stream == "stderr":
			fmt.Fprint(cmd.ErrOrStderr(), visible.Block(line.Text))
		default:
			fmt.Fprint(cmd.OutOrStdout(), visible.Block(line.Text))
		}
	}
}

func newQueueAnswer(f *Flags, approve bool, at func() (terminal.Person, error)) *cobra.Command {
	verb, status := verbs(approve)
	var all string
	r := Reply{At: at}
	cmd := &cobra.Command{
		Use:   verb + " ID...",
		Short: strings.ToUpper(verb[:1]) + verb[1:] + " requests",
		Long:  strings.ToUpper(verb[:1]) + verb[1:] + " requests at the gateway." + seenFirst[approve],
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.Requires(cmd, r.scope == "session" || r.scope == "always", "--scope session or always", "rule"); err != nil {
				return err
			}
			switch {
			case all == "" && len(args) == 0:
				return cli.Usagef("pass the IDs of requests, or --all CATEGORY; umpire queue lists them")
			case all != "" && len(args) > 0:
				return cli.Usagef("use request IDs or --all CATEGORY, not both")
			case !slices.Contains([]string{"", "once", "session", "always"}, r.scope):
				return cli.Usagef("--scope is %q: must be once, session or always", r.scope)
			case all != "" && (r.scope != "" || r.Note != ""):
				return cli.Usagef("--scope and --note require request IDs, and cannot go with --all")
			}
			if err := cli.OneOf("all", all, categories(approval.Category.Bulk)...); err != nil {
				return err
			}
			if all != "" {
				return answerAll(cmd, f, all, status, r)
			}
			return Answer(cmd, f, args, approve, r)
		},
	}
	cmd.Flags().StringVar(&all, "all", "", "answer all pending requests of a category: network, filesystem or git")
	cmd.Flags().StringVar(&r.Note, "note", "", "message to the agent")
	cmd.Flags().StringVar(&r.scope, "scope", "", "lifetime of the answer: once, session or always")
	cmd.Flags().StringVar(&r.rule, "rule", "", "with --scope session or always: store this `rule` instead of the narrowest one that covers the request")
	if approve {
		cmd.Flags().StringVar(&r.Digest, "digest", "", DigestUsage)
	}
	return cmd
}

// categories are the names of those that keep accepts, or of all.
func categories(keep func(approval.Category) bool) (names []string) {
	for _, c := range approval.Categories() {
		if keep == nil || keep(c) {
			names = append(names, string(c))
		}
	}
	return names
}

// DigestUsage describes the flag --digest of commands that answer requests.
const DigestUsage = "approve without confirmation if the request still has this `DIGEST` (see umpire queue show ID --json)"

// seenFirst is what the help says of approving unseen.
var seenFirst = map[bool]string{false: "", true: ` Umpire shows each request and asks you to
confirm. An answer applies only to the request shown.

Without a terminal, approve requires --digest, which names the request that you saw.`}

func verbs(approve bool) (verb, status string) {
	if approve {
		return "approve", "approved"
	}
	return "deny", "denied"
}

// Reply is what goes with an answer.
type Reply struct {
	Note, scope, rule string
	Digest            string                          // of the one request that is answered: it was seen elsewhere
	At                func() (terminal.Person, error) // the person who sees a request before it is approved
}

// ask shows a person what is to be approved, and takes their word for it.
func (r *Reply) ask(what, question string, show func(io.Writer) error) (bool, error) {
	t, err := r.At()
	if err != nil {
		return false, fmt.Errorf("%s was not approved, because no terminal could show it: %w; review it elsewhere and approve it with --digest", what, err)
	}
	defer func() { _ = t.Close() }()
	if err := show(t); err != nil {
		return false, err
	}
	said, err := t.Ask(question + " [y/N] ")
	return terminal.Yes(said), err
}

// lasts says how long a rule holds that an answer stores.
var lasts = map[string]string{"session": "for this session", "always": "permanently"}

// narrowest returns the rule that an approval stores unless the person chooses another.
func (f *Flags) narrowest(ctx context.Context, id, scope string) (string, error) {
	var out struct {
		Rule string `json:"rule"`
		Why  string `json:"why"`
		Not  string `json:"notAlways"` // why it holds for a session at most
	}
	if err := gatewayclient.AsOperator(ctx, f.Server, http.MethodGet, "/api/queue/"+url.PathEscape(id)+"/rule", nil, &out); err != nil {
		return "", fmt.Errorf("%s: %w", visible.Line(id), err)
	}
	if out.Rule == "" {
		return "", fmt.Errorf("%s: no rule can let this request through: %s; answer it once", visible.Line(id), visible.Line(out.Why))
	}
	if scope == "always" && out.Not != "" {
		return "", fmt.Errorf("%s: no permanent rule can let this request through: %s; answer it once or for this session", visible.Line(id), visible.Line(out.Not))
	}
	return out.Rule, nil
}

// Answer answers requests at the gateway, each as it is there now.
func Answer(cmd *cobra.Command, f *Flags, ids []string, approve bool, r Reply) error {
	verb, status := verbs(approve)
	if r.Digest != "" && len(ids) != 1 {
		return cli.Usagef("--digest requires exactly one request")
	}
	failed, left := false, false
	answered := []map[string]any{}
	for _, id := range ids {
		raw, q, err := f.request(cmd, id)
		if err != nil {
			return err
		}
		rule := r.rule
		if approve && rule == "" && lasts[r.scope] != "" && q.Status == "pending" {
			if rule, err = f.narrowest(cmd.Context(), id, r.scope); err != nil {
				return err
			}
		}
		if approve && q.Status == "pending" { // who denies loses nothing; what is settled is said below
			ok, err := r.confirmed(id, q, raw, rule)
			if err != nil {
				return err
			}
			if !ok {
				left = true
				continue
			}
		}
		in := map[string]any{"resolvedBy": "cli", "digest": q.Digest, "note": r.Note}
		if r.scope != "" {
			in["scope"] = r.scope
		}
		if rule != "" {
			in["rule"] = rule // as the person saw it
		}
		var out struct {
			OK bool `json:"ok"`
		}
		if err := gatewayclient.AsOperator(cmd.Context(), f.Server, http.MethodPost, "/api/queue/"+url.PathEscape(id)+"/"+verb, in, &out); err != nil {
			return fmt.Errorf("%s: %w", visible.Line(id), err)
		}
		if out.OK || q.Status == "pending" { // it may be one vote of several, or somebody else was faster
			if err := f.get(cmd, "/api/queue/"+url.PathEscape(id), &q); err != nil {
				return fmt.Errorf("%s: %w", visible.Line(id), err)
			}
		}
		failed = failed || !out.OK
		answered = append(answered, map[string]any{"id": q.ID, "ok": out.OK, "status": q.Status, "action": q.Action})
		switch {
		case f.JSON:
		case !out.OK:
			fmt.Fprintf(cmd.ErrOrStderr(), "%s is already settled: %s\n", visible.Line(id), q.Status)
		case q.Status == "pending":
			fmt.Fprintf(cmd.OutOrStdout(), "%s, waiting for more approvals: %s\n", q.votes(), visible.Clip(q.Action, 200))
		default:
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", status, visible.Clip(q.Action, 200))
		}
	}
	if f.JSON {
		if err := f.print(cmd, answered, nil); err != nil {
			return err
		}
	}
	switch {
	case failed:
		return cli.ExitError(cli.ExitFailure)
	case left:
		return cli.ExitError(cli.ExitAsk)
	}
	return nil
}

// request returns a request as it is at the gateway now, also as the gateway wrote it.
func (f *Flags) request(cmd *cobra.Command, id string) (raw json.RawMessage, q Request, err error) {
	if err := f.get(cmd, "/api/queue/"+url.PathEscape(id), &raw); err != nil {
		return nil, q, fmt.Errorf("%s: %w", visible.Line(id), err)
	}
	return raw, q, json.Unmarshal(raw, &q)
}

// confirmed reports whether the person approves q and the rule that it stores: by a digest, or
// when asked.
func (r *Reply) confirmed(id string, q Request, raw json.RawMessage, rule string) (bool, error) {
	switch r.Digest {
	case "":
	case q.Digest:
		return true, nil
	default:
		return false, fmt.Errorf("%s changed after you saw it: the digest differs; review it again", visible.Line(id))
	}
	return r.ask(visible.Line(id), "Approve this?", func(w io.Writer) error {
		if err := q.show(w, raw); err != nil || rule == "" {
			return err
		}
		_, err := fmt.Fprintf(w, "stores the rule (%s)\n%s\n", lasts[r.scope], visible.Block(rule))
		return err
	})
}

// waiting returns all that waits, which the gateway gives page by page.
func (f *Flags) waiting(cmd *cobra.Command) (all []Request, err error) {
	seen := map[string]bool{}
	for skip := 0; ; {
		var page struct {
			Pending []Request `json:"pending"`
			Next    int       `json:"next"`
		}
		if err := f.get(cmd, fmt.Sprintf("/api/queue?limit=1000&skip=%d", skip), &page); err != nil {
			return nil, err
		}
		for _, q := range page.Pending {
			if !seen[q.ID] { // the queue moves meanwhile
				seen[q.ID] = true
				all = append(all, q)
			}
		}
		if skip = page.Next; skip == 0 {
			return all, nil
		}
	}
}

// answerAll answers what waits now, as it is now: what comes in meanwhile is left alone.
func answerAll(cmd *cobra.Command, f *Flags, category, status string, r Reply) error {
	waiting, err := f.waiting(cmd)
	if err != nil {
		return err
	}
	if r.Digest != "" {
		return cli.Usagef("--digest requires exactly one request")
	}
	seen, shown := []map[string]string{}, []Request{}
	for _, q := range waiting {
		if q.Category == category {
			seen, shown = append(seen, map[string]string{"id": q.ID, "digest": q.Digest}), append(shown, q)
		}
	}
	if status == "approved" && len(seen) > 0 {
		ok, err := r.ask(category, fmt.Sprintf("Approve these %d?", len(shown)), func(w io.Writer) error {
			for i := range shown {
				shown[i].print(w)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if !ok {
			return cli.ExitError(cli.ExitAsk)
		}
	}
	var out struct {
		Count int `json:"count"`
	}
	in := map[string]any{"category": category, "status": status, "resolvedBy": "cli", "seen": seen}
	if err := gatewayclient.AsOperator(cmd.Context(), f.Server, http.MethodPost, "/api/queue/bulk", in, &out); err != nil {
		return err
	}
	return f.print(cmd, map[string]any{"status": status, "count": out.Count}, func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", status, plural.Count(out.Count, "request")) })
}

// ruleTested is what a rule would have done with the newest requests.
type ruleTested struct {
	Of       int            `json:"of"`
	Matched  int            `json:"matched"`
	Skipped  int            `json:"skipped"`
	Outcomes map[string]int `json:"outcomes"`
	Examples []struct {
		ID       string `json:"id"`
		Seq      int64  `json:"seq"`
		Category string `json:"category"`
		Action   string `json:"action"`
		Status   string `json:"status"`
	} `json:"examples"`
}

func (t *ruleTested) print(w io.Writer) {
	fmt.Fprintf(w, "This rule would have matched %d of the last %s", t.Matched, plural.Count(t.Of, "request"))
	sign := ":"
	for _, status := range slices.Sorted(maps.Keys(t.Outcomes)) {
		fmt.Fprintf(w, "%s %d %s", sign, t.Outcomes[status], visible.Line(status))
		sign = ","
	}
	fmt.Fprintln(w)
	for _, e := range t.Examples {
		fmt.Fprintf(w, "  req-%d  %-9s %s: %s\n", e.Seq, visible.Line(e.Status), visible.Line(e.Category), visible.Line(e.Action))
	}
	if t.Skipped > 0 {
		fmt.Fprintf(w, "The test left out %s: too large, or out of time\n", plural.Count(t.Skipped, "request"))
	}
}

// NewRules returns `umpire rules`.
func NewRules() *cobra.Command {
	var f Flags
	type lists struct {
		Allow []string `json:"allow"`
		Deny  []string `json:"deny"`
	}
	print := func(w io.Writer, l lists) {
		show := func(effect, text string) {
			for line := range strings.SplitSeq(text, "\n") {
				fmt.Fprintf(w, "%-6s %s\n", effect, visible.Line(line))
				effect = "  and" // one rule has several patterns
			}
		}
		for _, r := range l.Deny {
			show("deny", r)
		}
		for _, r := range l.Allow {
			show("allow", r)
		}
		if len(l.Deny)+len(l.Allow) == 0 {
			fmt.Fprintln(w, "no stored rules; the policy files still apply")
		}
	}
	list := func(cmd *cobra.Command, _ []string) error {
		var l lists
		return f.show(cmd, "/api/rules", &l, func(w io.Writer) { print(w, l) })
	}
	cmd := &cobra.Command{Use: "rules", Short: "List and change the rules stored at the gateway", Args: cobra.NoArgs, RunE: list,
		Example: "  umpire rules\n  umpire rules test allow 'network(*.example.com)'\n  umpire rules add allow 'network(*.example.com)'\n  umpire rules remove allow 'network(*.example.com)'"}
	f.add(cmd)
	kind := func(word string) error {
		if word != "allow" && word != "deny" {
			return cli.Usagef("%q is not a type of rule: use allow or deny", word)
		}
		return nil
	}
	change := func(method, done, same string) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			if err := kind(args[0]); err != nil {
				return err
			}
			var out struct {
				Added, Removed bool
			}
			if err := gatewayclient.AsOperator(cmd.Context(), f.Server, method, "/api/rules", map[string]string{"type": args[0], "rule": args[1]}, &out); err != nil {
				return err
			}
			said := done
			if !out.Added && !out.Removed {
				said = same
			}
			err := f.print(cmd, map[string]any{"type": args[0], "rule": args[1], "changed": out.Added || out.Removed}, func(w io.Writer) {
				if out.Removed || method != http.MethodDelete {
					fmt.Fprintf(w, "%s: %s %s\n", said, visible.Line(args[0]), visible.Line(args[1]))
				}
			})
			if err == nil && method == http.MethodDelete && !out.Removed {
				return fmt.Errorf("%s: %s %s; umpire rules lists them", same, visible.Line(args[0]), visible.Line(args[1]))
			}
			return err
		}
	}
	try := func(cmd *cobra.Command, args []string) error {
		if err := kind(args[0]); err != nil {
			return err
		}
		var out ruleTested
		err := gatewayclient.AsOperator(cmd.Context(), f.Server, http.MethodPost, "/api/rules/test", map[string]string{"type": args[0], "rule": args[1]}, &out)
		if err != nil {
			return err
		}
		return f.print(cmd, out, out.print)
	}
	cmd.AddCommand(
		&cobra.Command{Use: "test allow|deny RULE", Short: "Try a rule on the newest requests; nothing is stored", Args: cobra.ExactArgs(2), RunE: try,
			Example: "  umpire rules test allow 'network(*.example.com)'"},
		&cobra.Command{Use: "list", Short: "List the stored rules", Args: cobra.NoArgs, RunE: list},
		&cobra.Command{Use: "add allow|deny RULE", Short: "Store a rule: category(pattern)", Args: cobra.ExactArgs(2), RunE: change(http.MethodPost, "added", "already stored")},
		&cobra.Command{Use: "remove allow|deny RULE", Short: "Remove a stored rule", Args: cobra.ExactArgs(2), RunE: change(http.MethodDelete, "removed", "no such rule")},
	)
	return cmd
}

// NewHistory returns `umpire history`.
func NewHistory() *cobra.Command {
	var f Flags
	var category, status string
	var limit int
	cmd := &cobra.Command{
		Use: "history", Short: "List settled requests at the gateway, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(cli.OneOf("category", category, categories(nil)...),
				cli.OneOf("status", status, "approved", "denied", "expired", "superseded", "cancelled", "conflict")); err != nil {
				return err
			}
			if limit < 1 || limit > 1000 {
				return cli.Usagef("--limit is %d: must be 1 to 1000", limit)
			}
			q := url.Values{"limit": {fmt.Sprint(limit)}}
			for k, v := range map[string]string{"category": category, "status": status} {
				if v != "" {
					q.Set(k, v)
				}
			}
			var out struct {
				Requests []Request `json:"requests"`
			}
			return f.show(cmd, "/api/history?"+q.Encode(), &out, func(w io.Writer) {
				for i := range out.Requests {
					out.Requests[i].print(w)
				}
				if len(out.Requests) == 0 {
					fmt.Fprintln(w, "no settled requests")
				}
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&category, "category", "", "only requests of this category: network, filesystem, git, packages, sandbox or exec")
	cmd.Flags().StringVar(&status, "status", "", "only requests with this status: approved, denied, expired, superseded, cancelled or conflict")
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "number of requests, at most 1000")
	return cmd
}
