// Package audit has `umpire audit`, which searches and verifies the audit log.
package audit

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
)

// followEvery is the interval at which tail -f looks for new events.
const followEvery = 300 * time.Millisecond

// auditFlags are the flags of every audit command.
type auditFlags struct {
	dir  string
	json bool
}

func (f *auditFlags) folder() (string, error) {
	if f.dir != "" {
		return f.dir, nil
	}
	return audit.DefaultDir()
}

// orEmpty returns the error of a command that reads the log, but nil if this machine has recorded
// nothing yet: an empty log is not a failure. A folder that the user named must exist. umpire audit
// verify always needs a log, because someone may have deleted it.
func (f *auditFlags) orEmpty(stderr io.Writer, err error) error {
	if f.dir != "" || !audit.IsMissing(err) {
		return err
	}
	fmt.Fprintf(stderr, "umpire: %s\n", visible.Line(err.Error()))
	return nil
}

// New returns `umpire audit`.
func New() *cobra.Command {
	f := new(auditFlags)
	c := &cobra.Command{
		Use:        "audit",
		SuggestFor: []string{"log", "logs", "events"},
		Short:      "Read, export and verify the audit log",
		Args:       cobra.NoArgs,
	}
	c.PersistentFlags().StringVar(&f.dir, "dir", "", "the `folder` of the audit log (default umpire's state folder)")
	c.PersistentFlags().BoolVar(&f.json, "json", false, "print JSON")
	c.AddCommand(newAuditTail(f), newAuditSearch(f), newAuditStats(f), newAuditVerify(f), newAuditProve(), newAuditExport(f))
	return c
}

func newAuditTail(f *auditFlags) *cobra.Command {
	var n int
	var follow bool
	c := &cobra.Command{
		Use:   "tail",
		Short: "Show the last events",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := f.folder()
			if err != nil {
				return err
			}
			return f.orEmpty(c.ErrOrStderr(), tailEvents(c.Context(), c.OutOrStdout(), dir, n, follow, f.json))
		},
	}
	c.Flags().IntVarP(&n, "lines", "n", 20, "number of `events`; 0 means none")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "print new events as they arrive")
	return c
}

func tailEvents(ctx context.Context, w io.Writer, dir string, n int, follow, asJSON bool) error {
	if ctx == nil {
		ctx = context.Background()
	}
	var seen uint64
	records, err := audit.Last(dir, audit.Query{}, max(n, 1))
	if err != nil && !(follow && audit.IsMissing(err)) {
		return err
	}
	for i, r := range records {
		if seen = r.Seq; i >= len(records)-n {
			if err := printRecord(w, r, asJSON); err != nil {
				return err
			}
		}
	}
	if !follow {
		return nil
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		for r, err := range audit.Read(dir, audit.Query{}) {
			if audit.IsMissing(err) {
				break
			}
			if err != nil {
				return err
			}
			if r.Seq > seen {
				seen = r.Seq
				if err := printRecord(w, r, asJSON); err != nil {
					return err
				}
			}
		}
	}
}

// queryFlags adds the flags that select events, and returns a function that reads them.
func queryFlags(c *cobra.Command) func() (audit.Query, error) {
	var q audit.Query
	var since, until, kind string
	c.Flags().StringVar(&since, "since", "", "only events since this `time`: 2h, 7d, 2026-01-31 or RFC 3339")
	c.Flags().StringVar(&until, "until", "", "only events before this `time`")
	c.Flags().StringVar(&kind, "kind", "", "only events of this `kind`: "+strings.Join(audit.Kinds(), ", "))
	c.Flags().StringVar(&q.Effect, "effect", "", "only decisions with this `effect`: deny, ask or allow")
	c.Flags().StringVar(&q.Rule, "rule", "", "only decisions that the rule with this `ID` matched")
	c.Flags().StringVar(&q.Tool, "tool", "", "only calls of this `tool`")
	c.Flags().StringVar(&q.Session, "session", "", "only events of this `session`")
	c.Flags().StringVar(&q.Text, "text", "", "only lines that contain this `text`")
	c.Flags().BoolVar(&q.Failed, "failed", false, "only events with a failure; each shows the cause")
	return func() (audit.Query, error) {
		var err error
		q.Kind = audit.EventKind(kind)
		if q.Since, err = cli.Moment("since", since, time.Now()); err != nil {
			return q, err
		}
		q.Until, err = cli.Moment("until", until, time.Now())
		return q, err
	}
}

func newAuditSearch(f *auditFlags) *cobra.Command {
	c := &cobra.Command{Use: "search", SuggestFor: []string{"list", "show"}, Short: "Show matching events, oldest first", Args: cobra.NoArgs}
	query := queryFlags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return eachRecord(c, f, query, func(r audit.Record) error { return printRecord(c.OutOrStdout(), r, f.json) })
	}
	return c
}

func eachRecord(c *cobra.Command, f *auditFlags, query func() (audit.Query, error), do func(audit.Record) error) error {
	q, dir, err := f.selected(query)
	if err != nil {
		return err
	}
	none := true
	for r, err := range audit.Read(dir, q) {
		if err != nil {
			return f.orEmpty(c.ErrOrStderr(), err)
		}
		if err := do(r); err != nil {
			return err
		}
		none = false
	}
	if none {
		fmt.Fprintln(c.ErrOrStderr(), "umpire: no event matches")
	}
	tellDamaged(c, *q.Damaged)
	return nil
}

// selected returns the events to read, and their folder. Reading them counts the damaged lines.
func (f *auditFlags) selected(query func() (audit.Query, error)) (q audit.Query, dir string, err error) {
	if q, err = query(); err == nil {
		q.Damaged = new(int)
		dir, err = f.folder()
	}
	return q, dir, err
}

// tellDamaged says how many lines of the log are not among the events shown.
func tellDamaged(c *cobra.Command, n int) {
	if n > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "umpire: left out %s that cannot be read: run umpire audit verify\n", plural.Count(n, "damaged line"))
	}
}

func newAuditStats(f *auditFlags) *cobra.Command {
	c := &cobra.Command{Use: "stats", Short: "Count events by effect, tool and rule", Args: cobra.NoArgs}
	query := queryFlags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		q, dir, err := f.selected(query)
		if err != nil {
			return err
		}
		s, err := audit.Count(dir, q)
		if err = f.orEmpty(c.ErrOrStderr(), err); err != nil {
			return err
		}
		tellDamaged(c, *q.Damaged)
		w := c.OutOrStdout()
		if f.json {
			return cli.PrintLine(w, s)
		}
		fmt.Fprintf(w, "%s, %d with a failure\n", plural.Count(s.Events, "event"), s.Failures)
		for _, t := range []struct {
			name string
			m    map[string]int
		}{{"kind", s.Kinds}, {"effect", s.Effects}, {"tool", s.Tools}, {"rule", s.Rules}} {
			keys := slices.SortedFunc(maps.Keys(t.m), func(a, b string) int { return cmp.Or(t.m[b]-t.m[a], strings.Compare(a, b)) })
			for _, k := range keys[:min(len(keys), 20)] {
				fmt.Fprintf(w, "%-7s %7d  %s\n", t.name, t.m[k], visible.Clip(k, 100))
			}
		}
		return nil
	}
	return c
}

func newAuditVerify(f *auditFlags) *cobra.Command {
	var anchors []string
	var database, proof, tree string
	c := &cobra.Command{
		Use:   "verify",
		Short: "Verify the hash chain of the audit log",
		Long: `Verify the hash chain of the audit log and report where it breaks.

The last line of the output is an anchor. Keep it where the agent cannot write, and pass it to
--anchor later: only an anchor can detect a log that was replaced completely.

With --database, umpire verifies a gateway's record, also while it is in use. With --proof, it
checks a proof of umpire audit prove against a --tree that you kept.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var known []audit.Anchor
			for _, s := range anchors {
				a, err := parseAnchor(s)
				if err != nil {
					return cli.Usage(err)
				}
				known = append(known, a)
			}
			if err := cli.Requires(c, proof != "", "--proof", "tree"); err != nil {
				return err
			}
			if proof != "" && (tree == "" || database != "" || len(known) > 0) {
				return cli.Usagef("--proof requires --tree, and excludes other flags")
			}
			if proof != "" {
				return verifyProof(c, proof, tree, f.json)
			}
			if database != "" {
				return verifyDatabase(c, database, known, f.json)
			}
			dir, err := f.folder()
			if err != nil {
				return err
			}
			r, err := audit.Verify(dir, known...)
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			if f.json {
				if err := cli.PrintLine(w, r); err != nil {
					return err
				}
			} else {
				for _, fault := range r.Faults {
					fmt.Fprintln(w, visible.Line(fault.String()))
				}
				fmt.Fprintf(w, "%s in %s, %d torn by crashes, %s waiting\n", plural.Count(r.Events, "event"), plural.Count(r.Files, "file"), r.Torn, plural.Count(r.Spills, "spill"))
				fmt.Fprintf(w, "anchor %d:%s\n", r.Head.Seq, r.Head.Hash)
			}
			if !r.OK() {
				fmt.Fprintf(c.ErrOrStderr(), "See %s\n", doclink.AuditLog.URL())
				return cli.ExitError(cli.ExitFailure)
			}
			return nil
		},
	}
	c.Flags().StringArrayVar(&anchors, "anchor", nil, "an earlier `anchor`, as seq:hash; may be repeated")
	c.Flags().StringVar(&proof, "proof", "", "check the proof in this `file`")
	c.Flags().StringVar(&tree, "tree", "", treeHelp)
	c.Flags().StringVar(&database, "database", "", "verify this `database` of a gateway: the folder of gateway.db, or a postgres:// URL")
	return c
}

// verifyDatabase verifies the gateways' record.
func verifyDatabase(c *cobra.Command, database string, known []audit.Anchor, asJSON bool) error {
	s, err := store.OpenReader(c.Context(), database)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // opened for reading only
	var anchors []store.Anchor
	for _, a := range known {
		anchors = append(anchors, store.Anchor{ID: int64(a.Seq), Hash: a.Hash}) //nolint:gosec // a number that no record has is not found
	}
	out := struct {
		Events int64  `json:"events"`
		Anchor string `json:"anchor,omitempty"`
		Tree   string `json:"tree,omitempty"`
		Fault  string `json:"fault,omitempty"`
	}{}
	last, err := s.Anchor(c.Context(), store.Anchor{})
	if err != nil {
		return err
	}
	out.Anchor = last.String()
	var fault error
	var tree store.Tree
	if out.Events, tree, fault = s.VerifyTree(c.Context(), anchors...); fault != nil {
		out.Fault = fault.Error()
	} else if tree.Last > 0 {
		out.Tree = tree.String()
	}
	w := c.OutOrStdout()
	switch {
	case asJSON:
		if err := cli.PrintLine(w, out); err != nil {
			return err
		}
	case fault != nil:
		fmt.Fprintln(w, visible.Line(out.Fault))
	default:
		fmt.Fprintf(w, "%s\nanchor %s\ntree %s\n", plural.Count(out.Events, "event"), out.Anchor, out.Tree)
	}
	if fault != nil {
		return cli.ExitError(cli.ExitFailure)
	}
	return nil
}

func parseAnchor(s string) (audit.Anchor, error) {
	seq, hash, _ := strings.Cut(s, ":")
	n, err := strconv.ParseUint(seq, 10, 64)
	if _, bad := hex.DecodeString(hash); err != nil || bad != nil || len(hash) != 64 {
		return audit.Anchor{}, fmt.Errorf("--anchor is %q: must be seq:hash, as umpire audit verify prints it", s)
	}
	return audit.Anchor{Seq: n, Hash: strings.ToLower(hash)}, nil
}

func newAuditExport(f *auditFlags) *cobra.Command {
	var format string
	c := &cobra.Command{Use: "export", Short: "Write events as JSON lines or CSV", Args: cobra.NoArgs}
	query := queryFlags(c)
	c.Flags().StringVar(&format, "format", "jsonl", "`jsonl` (lines unchanged) or csv")
	c.RunE = func(c *cobra.Command, _ []string) error {
		w := c.OutOrStdout()
		if format == "jsonl" {
			return eachRecord(c, f, query, func(r audit.Record) error { return printRecord(w, r, true) })
		}
		out := csv.NewWriter(w)
		head := sync.OnceValue(func() error { // only after a log was found
			return out.Write([]string{"seq", "time", "kind", "point", "platform", "session", "tool", "effect", "rules", "operations", "failure", "note", "hash"})
		})
		err := eachRecord(c, f, query, func(r audit.Record) error {
			row := []string{
				strconv.FormatUint(r.Seq, 10), r.Time.Format(time.RFC3339Nano), string(r.Kind), r.Point, r.Principal.Platform,
				r.Principal.Session, r.Tool, r.Effect, strings.Join(ruleIDs(r), " "), cli.Operations(r), r.Failure, r.Note, r.Hash,
			}
			for i := range row {
				row[i] = cell(row[i])
			}
			return errors.Join(head(), out.Write(row))
		})
		if err == nil {
			err = head()
		}
		out.Flush()
		return errors.Join(err, out.Error())
	}
	return c
}

// cell prevents a spreadsheet from evaluating the agent's text as a formula.
func cell(s string) string {
	s = visible.Line(s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

func ruleIDs(r audit.Record) []string {
	var ids []string
	for _, reason := range r.Reasons {
		ids = append(ids, reason.Rule)
	}
	return ids
}

// answered describes an event other than a decision: the answered call or the change, and the
// person.
func answered(r audit.Record) string {
	what := answer.CallText(&question.Question{Input: string(r.Params)})
	if what == "" {
		what = r.Data["action"]
	}
	for _, key := range []string{"question", "request"} {
		if id := r.Data[key]; id != "" && r.Kind != audit.Config { // the ID of the changed thing follows its verb
			what = key + " " + id + ": " + what
		}
	}
	for _, key := range []string{"what", "status", "exit", "added", "removed", "made", "revoked", "stopped", "kind", "name", "target", "path", "from", "why", "description"} {
		switch v := r.Data[key]; {
		case v == "":
		case anyof.Equal(key, "added", "removed", "made", "revoked", "stopped"):
			what += "  " + key + " " + v
		default:
			what += "  " + v
		}
	}
	if r.By != "" {
		what += "  by " + r.By
	}
	return strings.TrimPrefix(what, "  ")
}

// printRecord prints one event. The agent chose much of its text, so all of it is escaped for the
// terminal.
func printRecord(w io.Writer, r audit.Record, asJSON bool) error {
	if asJSON {
		_, err := fmt.Fprintf(w, "%s\n", r.Raw)
		return err
	}
	what := cmp.Or(cli.Operations(r), r.Data["category"]) // the guard judges texts, which have no operations
	if r.Kind != audit.Decision {
		what = answered(r)
	}
	for _, more := range []string{cli.OneLine(r.Failure), r.Note} {
		if more != "" {
			what += "  " + more
		}
	}
	switch seen := r.Data["observed"]; {
	case seen == "true" && r.Effect != umpire.Allow.String():
		what += "  (only observed: it could run)"
	case seen != "" && seen != "true":
		what += "  (only observed: " + seen + ")"
	}
	if ids := ruleIDs(r); len(ids) > 0 {
		what += "  [" + strings.Join(ids, " ") + "]"
	}
	_, err := fmt.Fprintf(w, "%6d  %s  %-8s  %-5s  %s  %s\n", r.Seq, r.Time.Local().Format("2006-01-02 15:04:05"),
		visible.Clip(string(r.Kind), 8), visible.Clip(r.Effect, 5), visible.Clip(r.Tool, 40), visible.Clip(what, 300))
	return err
}
