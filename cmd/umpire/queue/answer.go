package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

func newQueueAnswer(f *gatewayFlags, approve bool, at func() (terminal.Person, error)) *cobra.Command {
	verb, status := verbs(approve)
	var all string
	r := requestReply{at: at}
	cmd := &cobra.Command{
		Use:   verb + " ID...",
		Short: strings.ToUpper(verb[:1]) + verb[1:] + " requests",
		Long:  strings.ToUpper(verb[:1]) + verb[1:] + " requests at the gateway.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.Requires(cmd, r.scope == "session" || r.scope == "always", "--scope session or always", "rule"); err != nil {
				return err
			}
			switch {
			case all == "" && len(args) == 0:
				return cli.Usagef("pass the IDs of requests, or --all CATEGORY; umpire queue lists them")
			case all != "" && len(args) > 0:
				return cli.Usagef("use request IDs or --all CATEGORY, not both")
			case all != "" && (r.scope != "" || r.note != ""):
				return cli.Usagef("--scope and --note require request IDs, and cannot go with --all")
			}
			if all != "" {
				return answerAll(cmd, f, all, status, r)
			}
			return answerRequests(cmd, f, args, approve, r)
		},
	}
	cmd.Flags().StringVar(&all, "all", "", "answer all pending requests of a category: network, filesystem or git")
	cmd.Flags().StringVar(&r.note, "note", "", "message to the agent")
	cmd.Flags().StringVar(&r.scope, "scope", "", "lifetime of the answer: once, session or always")
	cmd.Flags().StringVar(&r.rule, "rule", "", "with --scope session or always: store this `rule`, not the narrowest one")
	if approve {
		cmd.Long += " Umpire shows each request and asks you to\nconfirm. Without a terminal, approve requires --digest."
		cmd.Flags().StringVar(&r.digest, "digest", "", digestUsage)
	}
	return cmd
}

// digestUsage describes the flag --digest of commands that answer requests.
const digestUsage = "approve without confirmation if the request has this `DIGEST`, from umpire queue show ID --json"

func verbs(approve bool) (verb, status string) {
	if approve {
		return "approve", "approved"
	}
	return "deny", "denied"
}

// requestReply holds the options of an answer.
type requestReply struct {
	note, scope, rule string
	digest            string                          // digest of the one request that was reviewed elsewhere
	at                func() (terminal.Person, error) // the person who sees a request before approving it
}

// ask shows the person the approval and reports whether they confirm it.
func (r *requestReply) ask(what, question string, show func(io.Writer) error) (bool, error) {
	t, err := r.at()
	if err != nil {
		return false, fmt.Errorf("%s was not approved: %w; without a terminal, approve it with --digest", what, err)
	}
	defer func() { _ = t.Close() }()
	if err := show(t); err != nil {
		return false, err
	}
	said, err := t.Ask(question + " [y/N] ")
	return terminal.Yes(said), err
}

// lasts describes the lifetime of a rule that an answer stores.
var lasts = map[string]string{"session": "for this session", "always": "permanently"}

// narrowest returns the rule that an approval stores by default.
func (f *gatewayFlags) narrowest(ctx context.Context, id, scope string) (string, error) {
	var out struct {
		Rule string `json:"rule"`
		Why  string `json:"why"`
		Not  string `json:"notAlways"` // reason why it lasts for a session at most
	}
	if err := gatewayclient.AsOperator(ctx, f.server, http.MethodGet, "/api/queue/"+url.PathEscape(id)+"/rule", nil, &out); err != nil {
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

// answerRequests approves or denies requests at the gateway in their current state. The others are answered
// although one cannot be.
func answerRequests(cmd *cobra.Command, f *gatewayFlags, ids []string, approve bool, r requestReply) error {
	if r.digest != "" && len(ids) != 1 {
		return cli.Usagef("--digest requires exactly one request")
	}
	exit, failed := 0, []error(nil)
	answered := []map[string]any{}
	for _, id := range ids {
		q, ok, err := f.answer(cmd, id, approve, &r)
		switch {
		case errors.Is(err, cli.ExitError(cli.ExitAsk)):
			exit = cmp.Or(exit, cli.ExitAsk)
		case err != nil:
			failed = append(failed, err)
			answered = append(answered, map[string]any{"id": id, "ok": false, "error": err.Error()})
		default:
			if !ok {
				exit = cli.ExitFailure
			}
			answered = append(answered, map[string]any{"id": q.ID, "ok": ok, "status": q.Status, "action": q.Action})
		}
	}
	if f.json {
		failed = append(failed, f.print(cmd, answered, nil))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if exit != 0 {
		return cli.ExitError(exit)
	}
	return nil
}

// answer answers one request, and returns its new state. ok is false if it was settled otherwise.
func (f *gatewayFlags) answer(cmd *cobra.Command, id string, approve bool, r *requestReply) (q Request, ok bool, err error) {
	verb, status := verbs(approve)
	raw, q, err := f.request(cmd, id)
	if err != nil {
		return q, false, err
	}
	rule := r.rule
	if approve && q.Status == "pending" { // a denial needs no confirmation
		if rule == "" && lasts[r.scope] != "" {
			if rule, err = f.narrowest(cmd.Context(), id, r.scope); err != nil {
				return q, false, err
			}
		}
		if ok, err = r.confirmed(id, q, raw, rule); err != nil || !ok {
			return q, false, cmp.Or(err, error(cli.ExitError(cli.ExitAsk))) // it stays pending
		}
	}
	in := map[string]any{"resolvedBy": "cli", "digest": q.Digest, "note": r.note}
	if r.scope != "" {
		in["scope"] = r.scope
	}
	if rule != "" {
		in["rule"] = rule // as shown to the person
	}
	var out struct {
		OK bool `json:"ok"`
	}
	path := "/api/queue/" + url.PathEscape(id)
	err = gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodPost, path+"/"+verb, in, &out)
	if err == nil && (out.OK || q.Status == "pending") { // it may be one of several votes, or someone else answered first
		err = f.get(cmd, path, &q)
	}
	if err != nil {
		return q, false, fmt.Errorf("%s: %w", visible.Line(id), err)
	}
	switch {
	case f.json:
	case !out.OK:
		fmt.Fprintf(cmd.ErrOrStderr(), "%s is already settled: %s\n", visible.Line(id), strings.TrimSuffix(q.Status+", "+visible.Clip(q.Note, 200), ", "))
	case q.Status == "pending":
		fmt.Fprintf(cmd.OutOrStdout(), "%s, waiting for more approvals: %s\n", q.votes(), visible.Clip(q.Action, 200))
	default:
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", status, visible.Clip(q.Action, 200))
	}
	// Repeating an answer changes nothing, but one with a rule, a note or the digest of another
	// state is an error: none of that was stored.
	same := q.Status == status && r.scope+r.rule+r.note == "" && (r.digest == "" || r.digest == q.Digest)
	return q, out.OK || same, nil
}

// confirmed reports whether the person approves q and the rule to store, by a digest or at the
// terminal.
func (r *requestReply) confirmed(id string, q Request, raw json.RawMessage, rule string) (bool, error) {
	switch r.digest {
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

// answerAll answers the requests that are pending now, and none that arrive later.
func answerAll(cmd *cobra.Command, f *gatewayFlags, category, status string, r requestReply) error {
	waiting, err := f.waiting(cmd)
	if err != nil {
		return err
	}
	if r.digest != "" {
		return cli.Usagef("--digest requires exactly one request")
	}
	seen, shown, cut := []map[string]string{}, strings.Builder{}, 0
	for _, q := range waiting {
		if q.Category != category {
			continue
		}
		if status == "approved" {
			raw, now, err := f.request(cmd, q.ID)
			if err != nil {
				return err
			}
			if q = now; q.Status != "pending" {
				continue
			}
			whole, err := q.excerpt(&shown, raw)
			if err != nil {
				return err
			}
			if !whole {
				cut++
			}
		}
		seen = append(seen, map[string]string{"id": q.ID, "digest": q.Digest})
	}
	if status == "approved" && len(seen) > 0 {
		question := fmt.Sprintf("Approve these %d?", len(seen))
		if cut > 0 {
			question = fmt.Sprintf("Approve these %d, %d of them shown in part?", len(seen), cut)
		}
		ok, err := r.ask(category, question, func(w io.Writer) error {
			_, err := io.WriteString(w, shown.String())
			return err
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
	if err := gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodPost, "/api/queue/bulk", in, &out); err != nil {
		return err
	}
	return f.print(cmd, map[string]any{"status": status, "count": out.Count}, func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", status, plural.Count(out.Count, "request")) })
}
