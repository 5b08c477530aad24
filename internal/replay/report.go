package replay

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/transcript"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Report shows what umpire would have done in recorded sessions.
type Report struct {
	Since    *time.Time       `json:"since,omitempty"`
	From     time.Time        `json:"from"`
	To       time.Time        `json:"to"`
	Calls    int              `json:"calls"`
	Allowed  int              `json:"allowed"`
	Asked    int              `json:"asked"`
	Denied   int              `json:"denied"`
	Days     int              `json:"days"` // with calls
	PerDay   float64          `json:"questionsPerDay"`
	Per1000  float64          `json:"questionsPer1000"`
	Rules    []*RuleReport    `json:"rules"` // those that asked or denied most come first
	ByDay    []*dayReport     `json:"byDay"`
	Clients  []*clientReport  `json:"clients"`
	Read     transcript.Stats `json:"read"`
	Undated  int              `json:"undated,omitempty"`  // calls with the date of their file
	Unplaced int              `json:"unplaced,omitempty"` // calls whose working directory is unknown
	Stopped  bool             `json:"stopped,omitempty"`  // it ended before all was read

	rules    map[string]*RuleReport
	days     map[string]*dayReport
	clients  map[string]*clientReport
	sessions map[string]bool
}

type dayReport struct {
	Day    string `json:"day"`
	Calls  int    `json:"calls"`
	Asked  int    `json:"asked"`
	Denied int    `json:"denied"`
}

type clientReport struct {
	Client   string `json:"client"`
	Calls    int    `json:"calls"`
	Asked    int    `json:"asked"`
	Denied   int    `json:"denied"`
	Sessions int    `json:"sessions"`
}

// RuleReport counts the calls that one rule stopped. A call counts for the first rule that
// matched.
type RuleReport struct {
	Rule     string     `json:"rule"`
	Text     string     `json:"text"`
	Asked    int        `json:"asked"`
	Denied   int        `json:"denied"`
	Frequent []*example `json:"frequent"`
	Riskiest *example   `json:"riskiest,omitempty"`

	examples map[string]*example
}

// example is a call that a rule stopped. Secrets in it are masked.
type example struct {
	Text   string   `json:"text"`
	Tool   string   `json:"tool"`
	Dir    string   `json:"dir"`
	Count  int      `json:"count"`
	Traits []string `json:"traits,omitempty"`

	risk int
}

// maxGroups bounds the groups of stopped calls: transcripts name any program.
const maxGroups = 2000

// maxExamples bounds the different calls that are kept of one rule.
const maxExamples = 2000

func newReport() *Report {
	return &Report{rules: map[string]*RuleReport{}, days: map[string]*dayReport{}, clients: map[string]*clientReport{}, sessions: map[string]bool{}}
}

func entry[T any](m map[string]*T, key string) *T {
	if m[key] == nil {
		m[key] = new(T)
	}
	return m[key]
}

func (r *Report) add(j *Judged) {
	a := &j.Call.Action
	asked, denied := 0, 0
	switch j.Decision.Effect {
	case umpire.Allow:
		r.Allowed++
	case umpire.Ask:
		asked = 1
	default:
		denied = 1
	}
	r.Calls++
	r.Asked += asked
	r.Denied += denied
	if t := j.Call.Time; !t.IsZero() {
		if r.From.IsZero() || t.Before(r.From) {
			r.From = t
		}
		if t.After(r.To) {
			r.To = t
		}
		d := entry(r.days, t.Local().Format(time.DateOnly))
		d.Calls++
		d.Asked += asked
		d.Denied += denied
	}
	c := entry(r.clients, a.Principal.Platform)
	c.Calls++
	c.Asked += asked
	c.Denied += denied
	if key := a.Principal.Platform + "\x00" + a.Principal.Session; !r.sessions[key] && len(r.sessions) < 1_000_000 {
		r.sessions[key] = true
		c.Sessions++
	}
	if asked+denied == 0 {
		return
	}
	name, why := FirstRule(j)
	if r.rules[name] == nil && len(r.rules) >= maxGroups {
		name = DefaultAction
	}
	rr := entry(r.rules, name)
	rr.Rule, rr.Text = name, why
	rr.Asked += asked
	rr.Denied += denied
	rr.example(j)
}

// DefaultAction begins the name of each group of calls that no rule settles.
const DefaultAction = "defaultAction"

// FirstRule names the rule that stopped a call, and why. Calls that no rule settles are many:
// the name has the program, host, tool or place that the first one of their operations is about.
func FirstRule(j *Judged) (name, why string) {
	for _, r := range j.Decision.Reasons {
		if r.Effect == j.Decision.Effect && r.Would == "" {
			return r.Rule, r.Text
		}
	}
	const open = "no rule settles it"
	if j.Policy == nil {
		return DefaultAction, open
	}
	for i := range j.Ops {
		if j.Policy.Decide(&j.Call.Action, j.Ops[i:i+1]).Effect != umpire.Allow {
			return DefaultAction + " " + visible.Clip(redact.ReadableCommand(about(&j.Ops[i])), 80), open
		}
	}
	return DefaultAction, open
}

// about is the pattern of the operations with the same program, host, tool or place.
func about(op *umpire.Operation) string {
	subject := op.Resource
	switch op.Kind {
	case umpire.Read, umpire.Write, umpire.Delete:
		subject = op.Places.String()
	case umpire.Network:
		subject = grant.Host(subject)
	case umpire.Tool:
	default:
		if program, _, more := strings.Cut(subject, " "); more {
			subject = program + " *"
		}
	}
	return op.Kind.String() + "(" + subject + ")"
}

func (rr *RuleReport) example(j *Judged) {
	a := &j.Call.Action
	text := visible.Clip(redact.ReadableCommand(Asked(a)), 300)
	if rr.examples == nil {
		rr.examples = map[string]*example{}
	}
	e := rr.examples[text]
	if e == nil {
		if len(rr.examples) >= maxExamples {
			return
		}
		var traits umpire.Trait
		for _, op := range j.Ops {
			traits |= op.Traits
		}
		e = &example{Text: text, Tool: visible.Clip(a.Tool, 60), Dir: visible.Clip(a.Dir, 200), risk: Risk(j.Decision.Effect, j.Ops)}
		if t := traits & grant.Riskier; t != 0 {
			e.Traits = t.Names()
		}
		rr.examples[text] = e
	}
	e.Count++
}

// Risk orders calls by possible loss: denials first, then by their grave traits.
func Risk(effect umpire.Effect, ops []umpire.Operation) int {
	var traits umpire.Trait
	for _, op := range ops {
		traits |= op.Traits
	}
	n := bits.OnesCount64(uint64(traits&grant.Grave))*100 + bits.OnesCount64(uint64(traits&grant.Riskier))*10 + min(len(ops), 9)
	if effect == umpire.Deny {
		n += 10_000
	}
	return n
}

// Finish computes the totals.
func (r *Report) Finish() {
	r.Rules, r.ByDay, r.Clients = []*RuleReport{}, []*dayReport{}, []*clientReport{}
	for _, day := range slices.Sorted(maps.Keys(r.days)) {
		d := r.days[day]
		d.Day = day
		r.ByDay = append(r.ByDay, d)
	}
	for _, name := range slices.Sorted(maps.Keys(r.clients)) {
		c := r.clients[name]
		c.Client = name
		r.Clients = append(r.Clients, c)
	}
	for _, name := range slices.Sorted(maps.Keys(r.rules)) {
		rr := r.rules[name]
		rr.finish()
		r.Rules = append(r.Rules, rr)
	}
	slices.SortStableFunc(r.Rules, func(a, b *RuleReport) int { return cmp.Compare(b.Asked+b.Denied, a.Asked+a.Denied) })
	if r.Days = len(r.days); r.Days > 0 {
		r.PerDay = float64(r.Asked) / float64(r.Days)
	}
	if r.Calls > 0 {
		r.Per1000 = float64(r.Asked) * 1000 / float64(r.Calls)
	}
}

func (rr *RuleReport) finish() {
	all := slices.SortedFunc(maps.Values(rr.examples), func(a, b *example) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(b.risk, a.risk), cmp.Compare(a.Text, b.Text))
	})
	rr.Frequent = all[:min(3, len(all))]
	if len(all) > 0 {
		rr.Riskiest = slices.MaxFunc(all, func(a, b *example) int { return cmp.Or(cmp.Compare(a.risk, b.risk), cmp.Compare(b.Text, a.Text)) })
	}
}

func (r *Report) sessionCount() (n int) {
	for _, c := range r.Clients {
		n += c.Sessions
	}
	return n
}

// sum says in one line what umpire would have done.
func (r *Report) sum() string {
	return fmt.Sprintf("%s: %s allowed, %s asked, %s denied", Counted(r.Calls, "call"), Grouped(r.Allowed), Grouped(r.Asked), Grouped(r.Denied))
}

// Notes list the gaps and assumptions of the figures.
func (r *Report) Notes() (list []string) {
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			list = append(list, "1 "+one)
		case n > 1:
			list = append(list, Grouped(n)+" "+more)
		}
	}
	if r.Stopped {
		list = append(list, "Replay stopped early: there are more calls.")
	}
	if r.Read.Clipped {
		list = append(list, "Replay reached a limit: there are more calls.")
	}
	add(r.Undated, "call has no date: replay uses the date of its file.", "calls have no date: replay uses the date of their file.")
	add(r.Unplaced, "call has no folder: replay assumes a project in your home folder.", "calls have no folder: replay assumes a project in your home folder.")
	add(r.Read.Unread, "call has no input in the transcript and was skipped.", "calls have no input in the transcript and were skipped.")
	add(r.Read.Copies, "call is a copy of an earlier call and does not count.", "calls are copies of earlier calls and do not count.")
	add(r.Read.Faults, "file or folder could not be read.", "files or folders could not be read.")
	return append(list, "Replay uses today's policy and not the files of that time, so it cannot tell what scripts did.")
}

// shownRules bounds the rules that are printed.
const shownRules = 20

// Print writes the report for people.
func (r *Report) Print(w io.Writer) {
	fmt.Fprintf(w, "\n%s\n", r.sum())
	if r.Calls == 0 {
		return
	}
	if r.Days > 0 {
		fmt.Fprintf(w, "%s to %s, %s with calls, %s\n", r.From.Local().Format(time.DateOnly), r.To.Local().Format(time.DateOnly), plural.Count(r.Days, "day"), Counted(r.sessionCount(), "session"))
		fmt.Fprintf(w, "%.1f questions per day, %.1f per 1,000 calls\n", r.PerDay, r.Per1000)
	}
	if len(r.Clients) > 1 {
		fmt.Fprintln(w)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(tw, "client\tcalls\tasked\tdenied\t")
		for _, c := range r.Clients {
			fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t\n", visible.Clip(c.Client, 30), c.Calls, c.Asked, c.Denied)
		}
		_ = tw.Flush()
	}
	for i, rr := range r.Rules {
		if i == shownRules {
			fmt.Fprintf(w, "\n%s: see --json or --html\n", plural.Count(len(r.Rules)-i, "more rule"))
			break
		}
		fmt.Fprintf(w, "\n%s: %s asked, %s denied: %s\n", visible.Line(rr.Rule), Grouped(rr.Asked), Grouped(rr.Denied), visible.Clip(rr.Text, 100))
		rr.Print(w)
	}
	fmt.Fprintln(w)
	for _, n := range r.Notes() {
		fmt.Fprintln(w, n)
	}
}

// Print shows the examples of a rule.
func (rr *RuleReport) Print(w io.Writer) {
	for _, e := range rr.Frequent {
		fmt.Fprintf(w, "  %5s ×  %s\n", Grouped(e.Count), visible.Clip(e.Text, 100))
	}
	if e := rr.Riskiest; e != nil && len(e.Traits) > 0 {
		fmt.Fprintf(w, "  riskiest  %s (%s)\n", visible.Clip(e.Text, 100), strings.Join(e.Traits, ", "))
	}
}
