package queue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Request is a request in the form that the gateway sends to people.
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
	Execution *struct {
		Status    string `json:"status"`
		ExitCode  *int   `json:"exitCode"`
		StoppedBy string `json:"stoppedBy"`
	} `json:"execution"` // only in the history
}

// print prints a request for people. The agent chose its texts, so they are escaped for the
// terminal.
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
	by := visible.Line(cmp.Or(q.Operator, q.ResolvedBy))
	if q.Status == "approved" && len(q.Votes) > 1 {
		by = q.voters()
	}
	fmt.Fprintf(w, "          %s by %s, asked %s\n", q.Status, by, at)
	if x := q.Execution; x != nil {
		text := visible.Line(x.Status)
		if x.ExitCode != nil {
			text += fmt.Sprintf(", exit code %d", *x.ExitCode)
		}
		if x.StoppedBy != "" {
			text += ", stopped by " + visible.Clip(x.StoppedBy, 60)
		}
		fmt.Fprintf(w, "          %s\n", text)
	}
	if q.Note != "" {
		fmt.Fprintf(w, "          note: %s\n", visible.Clip(q.Note, 300))
	}
}

// show prints a request with its details; long ones are shortened.
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

// Limits of a request among several that are answered at once.
const (
	excerptLines = 40
	excerptWidth = 200
)

// excerpt prints the beginning of show, and reports whether that is all. If it is not, it says so: an
// agent could put the change that matters at the end.
func (q *Request) excerpt(w io.Writer, raw json.RawMessage) (whole bool, err error) {
	var b strings.Builder
	if err := q.show(&b, raw); err != nil {
		return false, err
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	first := lines[:min(len(lines), excerptLines)]
	whole = len(first) == len(lines)
	for _, line := range first {
		if r := []rune(line); len(r) > excerptWidth {
			line, whole = string(r[:excerptWidth])+"…", false
		}
		fmt.Fprintln(w, line)
	}
	if !whole {
		fmt.Fprintf(w, "          shown in part; all %s: umpire queue show %s --full\n", plural.Count(len(lines), "line"), visible.Line(q.ID))
	}
	return whole, nil
}

// votes names the people who have approved, if several must.
func (q *Request) votes() string {
	text := fmt.Sprintf("%d of %d approvals", len(q.Votes), q.Needs)
	if len(q.Votes) > 0 {
		text += ": " + q.voters()
	}
	return text
}

// voters names the people who approved.
func (q *Request) voters() string {
	names := make([]string, len(q.Votes))
	for i, v := range q.Votes {
		names[i] = visible.Clip(v.Operator, 60)
	}
	return strings.Join(names, ", ")
}

// request fetches a request in its current state, decoded and raw.
func (f *gatewayFlags) request(cmd *cobra.Command, id string) (raw json.RawMessage, q Request, err error) {
	if err = f.get(cmd, "/api/queue/"+url.PathEscape(id), &raw); err != nil {
		return nil, q, about(id, err)
	}
	err = json.Unmarshal(raw, &q)
	return raw, q, err
}

// waiting fetches every pending request, page by page.
func (f *gatewayFlags) waiting(cmd *cobra.Command) (all []Request, err error) {
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
			if !seen[q.ID] { // pages overlap if the queue changes between them
				seen[q.ID] = true
				all = append(all, q)
			}
		}
		if skip = page.Next; skip == 0 {
			return all, nil
		}
	}
}
