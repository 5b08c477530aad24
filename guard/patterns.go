package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/bounded"
)

// Rule describes text that answers must not contain. The zero Action rejects.
type Rule struct {
	ID          string       `json:"id"` // lower-case letters, digits and dashes
	Title       string       `json:"title,omitempty"`
	Action      RuleAction   `json:"action"`
	Pattern     string       `json:"pattern,omitempty"`  // RE2, as in package regexp
	Literals    []string     `json:"literals,omitempty"` // any of these, instead of Pattern
	IgnoreCase  bool         `json:"ignoreCase,omitempty"`
	Replacement string       `json:"replacement,omitempty"` // literal text; "[MASKED]" if empty and the action is mask
	Disabled    bool         `json:"disabled,omitempty"`
	Samples     *RuleSamples `json:"samples,omitempty"` // a rule that fails them is refused
}

// RuleAction says what a Rule does with a match.
type RuleAction string

// The actions.
const (
	RuleReject  RuleAction = "reject"
	RuleMask    RuleAction = "mask"
	RuleReplace RuleAction = "replace"
)

// RuleSamples are texts that a Rule must match, and texts that it must not match.
type RuleSamples struct {
	Match   []string `json:"match,omitempty"`
	NoMatch []string `json:"noMatch,omitempty"`
}

// The limits of rules.
const (
	maxRuleID      = 64
	maxPattern     = 1000
	maxLiterals    = 100
	maxReplacement = 1000
	maxProgram     = 4000 // instructions of the compiled pattern
	maxRules       = 500
	maxSamples     = 50
)

// A rule is a compiled Rule.
type rule struct {
	Rule
	re   *regexp.Regexp
	next *regexp.Regexp // re after one character of context
	open *regexp.Regexp // matches text at the end that could still become a match
	over *regexp.Regexp // open after one character of context
}

// compile returns the compiled Rule, or the reason why it is refused.
func (r Rule) compile() (*rule, error) {
	fail := func(format string, args ...any) (*rule, error) {
		return nil, fmt.Errorf("rule %q: "+format, append([]any{bounded.Clip(r.ID, maxRuleID, "...")}, args...)...)
	}
	if r.ID == "" || len(r.ID) > maxRuleID || strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fail("an id must have 1 to %d lower-case letters, digits and dashes", maxRuleID)
	}
	switch r.Action {
	case "":
		r.Action = RuleReject
	case RuleReject, RuleMask, RuleReplace:
	default:
		return fail("unknown action %q: use mask, reject or replace", bounded.Clip(string(r.Action), 40, "..."))
	}
	if r.Action == RuleMask && r.Replacement == "" {
		r.Replacement = "[MASKED]"
	}
	if len(r.Replacement) > maxReplacement || len(r.Title) > maxReplacement {
		return fail("a title and a replacement have at most %d bytes", maxReplacement)
	}
	if !utf8.ValidString(r.Pattern + r.Replacement + r.Title + strings.Join(r.Literals, "")) {
		return fail("it is not valid UTF-8")
	}
	pattern, err := r.pattern()
	if err != nil {
		return fail("%w", err)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return fail("%w (the syntax is RE2: no look-around and no back-references)", err)
	}
	c := &rule{Rule: r}
	if err := c.build(pattern, `(?:`+opening(tree)+`)\z`); err != nil {
		return fail("%w", err)
	}
	if canBeEmpty(tree) {
		return fail("it can match the empty text, which is everywhere")
	}
	if err := c.tried(); err != nil {
		return fail("%w", err)
	}
	return c, nil
}

// pattern returns the regular expression of a Rule. It makes one of literals.
func (r *Rule) pattern() (string, error) {
	pattern := r.Pattern
	switch {
	case (pattern == "") == (len(r.Literals) == 0):
		return "", errors.New("it needs either a pattern or literals")
	case len(r.Literals) > maxLiterals:
		return "", fmt.Errorf("it has %d literals, and %d are allowed: make several rules", len(r.Literals), maxLiterals)
	case len(r.Literals) > 0:
		sorted := slices.Clone(r.Literals) // longest first: otherwise "a" would match before "ab"
		slices.SortStableFunc(sorted, func(a, b string) int { return len(b) - len(a) })
		for i, l := range sorted {
			if l == "" || len(l) > maxPattern {
				return "", fmt.Errorf("a literal has 1 to %d bytes", maxPattern)
			}
			sorted[i] = regexp.QuoteMeta(l)
		}
		pattern = strings.Join(sorted, "|")
	case len(pattern) > maxPattern:
		return "", fmt.Errorf("its pattern has %d bytes, and %d are allowed", len(pattern), maxPattern)
	}
	if r.IgnoreCase {
		pattern = "(?i:" + pattern + ")"
	}
	return pattern, nil
}

// build compiles the expressions of a rule. open is the pattern for text that could still become a
// match.
func (c *rule) build(pattern, open string) error {
	for _, p := range []struct {
		to  **regexp.Regexp
		src string
	}{{&c.re, pattern}, {&c.next, `\A(?s:.)(?s:.*?)(` + pattern + `)`}, {&c.open, open}, {&c.over, `\A(?s:.)(?s:.*?)(` + open + `)`}} {
		tree, err := syntax.Parse(p.src, syntax.Perl)
		if err != nil {
			return fmt.Errorf("the pattern is too complex: %w", err)
		}
		if prog, err := syntax.Compile(tree.Simplify()); err != nil || len(prog.Inst) > maxProgram {
			return errors.New("the pattern is too complex: reduce its repetitions")
		}
		if *p.to, err = regexp.Compile(p.src); err != nil {
			return err
		}
	}
	return nil
}

// tried returns an error if the rule fails one of its samples.
func (c *rule) tried() error {
	s := c.Samples
	if s == nil {
		return nil
	}
	if len(s.Match)+len(s.NoMatch) > maxSamples {
		return fmt.Errorf("it has more than %d samples", maxSamples)
	}
	for _, text := range s.Match {
		if !c.re.MatchString(text) {
			return fmt.Errorf("it does not match its sample %q", bounded.Clip(text, 80, "..."))
		}
	}
	for _, text := range s.NoMatch {
		if c.re.MatchString(text) {
			return fmt.Errorf("it matches %q, which it must not", bounded.Clip(text, 80, "..."))
		}
	}
	return nil
}

// opening returns a pattern that matches every prefix of a match of r. A match of it at the end of
// a growing text could still become a full match.
func opening(r *syntax.Regexp) string {
	group := func(s string) string { return "(?:" + s + ")" }
	whole := func(r *syntax.Regexp) string { return group(r.String()) }
	switch r.Op {
	case syntax.OpLiteral:
		var b strings.Builder
		for _, c := range r.Rune {
			one := syntax.Regexp{Op: syntax.OpLiteral, Flags: r.Flags, Rune: []rune{c}}
			b.WriteString("(?:" + whole(&one))
		}
		return b.String() + strings.Repeat(")?", len(r.Rune))
	case syntax.OpCapture:
		return opening(r.Sub[0])
	case syntax.OpConcat:
		b := ""
		for i := len(r.Sub) - 1; i >= 0; i-- { // a prefix of this part, or all of it and a prefix of the rest
			if b == "" {
				b = group(opening(r.Sub[i]))
			} else {
				b = group(whole(r.Sub[i]) + b + "|" + opening(r.Sub[i]))
			}
		}
		return b
	case syntax.OpAlternate:
		var all []string
		for _, s := range r.Sub {
			all = append(all, opening(s))
		}
		return group(strings.Join(all, "|"))
	case syntax.OpStar, syntax.OpPlus:
		return whole(r.Sub[0]) + "*" + group(opening(r.Sub[0]))
	case syntax.OpQuest:
		return opening(r.Sub[0])
	case syntax.OpRepeat:
		if r.Max < 0 {
			return whole(r.Sub[0]) + "*" + group(opening(r.Sub[0]))
		}
		if r.Max == 0 {
			return "(?:)"
		}
		return whole(r.Sub[0]) + fmt.Sprintf("{0,%d}", r.Max-1) + group(opening(r.Sub[0]))
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return whole(r) + "?"
	default: // assertions depend on the text that follows
		return "(?:)"
	}
}

// canBeEmpty reports whether a pattern can match the empty text.
func canBeEmpty(r *syntax.Regexp) bool {
	switch r.Op {
	case syntax.OpLiteral:
		return len(r.Rune) == 0
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return canBeEmpty(r.Sub[0])
	case syntax.OpRepeat:
		return r.Min == 0 || canBeEmpty(r.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(r.Sub, func(s *syntax.Regexp) bool { return !canBeEmpty(s) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(r.Sub, canBeEmpty)
	default: // stars, question marks and assertions
		return true
	}
}

// find returns the first match in text[from:], given the text before it.
func find(plain, after *regexp.Regexp, text string, from int) (start, end int, ok bool) {
	if from == 0 {
		m := plain.FindStringIndex(text)
		if m == nil {
			return 0, 0, false
		}
		return m[0], m[1], true
	}
	_, n := utf8.DecodeLastRuneInString(text[:from])
	base := from - n
	m := plain.FindStringIndex(text[base:])
	if m != nil && m[0] < n { // the match begins before from: search for one that does not
		if m = after.FindStringSubmatchIndex(text[base:]); m != nil {
			m = m[2:4]
		}
	}
	if m == nil {
		return 0, 0, false
	}
	return base + m[0], base + m[1], true
}

// rules are applied together in one pass: if several match, the first match counts, and at the same
// position the first rule of the list.
type rules []*rule

func compileRules(list []Rule) (rules, error) {
	if len(list) > maxRules {
		return nil, fmt.Errorf("%d rules, and %d are allowed", len(list), maxRules)
	}
	var out rules
	var faults []error
	ids := map[string]bool{}
	for _, r := range list {
		c, err := r.compile()
		switch {
		case err != nil:
			faults = append(faults, err)
		case ids[r.ID]:
			faults = append(faults, fmt.Errorf("rule %q occurs twice", r.ID))
		case !r.Disabled:
			out = append(out, c)
		}
		ids[r.ID] = true
	}
	return out, errors.Join(faults...)
}

func (rs rules) behind() int { return utf8.UTFMax }

func (rs rules) scan(text string, from int, _, last bool) (edits []edit, settled int, res Result, err error) {
	type place struct {
		start, end int
		ok         bool
	}
	matches := make([]place, len(rs))
	opens := make([]int, len(rs))
	for i := range rs {
		matches[i].start, opens[i] = -1, -1
	}
	res = Allow()
	for p := from; ; {
		best, open := -1, len(text)
		for i, r := range rs {
			m := &matches[i]
			if m.start < p && (m.ok || m.start < 0) {
				m.start, m.end, m.ok = find(r.re, r.next, text, p)
				if !m.ok {
					m.start = len(text)
				}
			}
			if m.ok && (best < 0 || m.start < matches[best].start) {
				best = i
			}
			if !last && opens[i] < p {
				opens[i] = len(text)
				if start, _, ok := find(r.open, r.over, text, p); ok {
					opens[i] = start
				}
			}
			if !last {
				open = min(open, opens[i])
			}
		}
		if best < 0 || !last && open <= matches[best].start {
			return edits, open, res, nil
		}
		m, r := matches[best], rs[best]
		res.Findings = append(res.Findings, umpire.Finding{Type: r.ID, Start: m.start, End: m.end, Score: 1})
		if r.Action == RuleReject {
			why := cmp.Or(r.Title, "the answer says what rule "+r.ID+" forbids")
			res.Verdict, res.Category, res.Reason, res.Score = Rejected, Blocked, why, 1
			return nil, from, res, nil
		}
		edits = append(edits, edit{m.start, m.end, r.Replacement})
		res.Verdict, res.Reason = Modified, "rule "+r.ID+" changed it"
		p = m.end
	}
}

func (rs rules) check(text string) (Result, error) {
	edits, _, res, err := rs.scan(text, 0, true, true)
	if res.Verdict == Modified {
		res.Text = apply(text, edits)
	}
	return res, err
}

func apply(text string, edits []edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// Patterns returns the stage for rules that do not change while the program runs. The error reports
// the first fault of each faulty rule.
func Patterns(list []Rule) (OutputStage, error) {
	rs, err := compileRules(list)
	if err != nil {
		return OutputStage{}, err
	}
	return OutputStage{
		ours: true,
		Name: "Patterns", Order: OrderPatterns, Quick: true, Reach: utf8.UTFMax,
		Check:   func(_ context.Context, text string, _ *Answer) (Result, error) { return rs.check(text) },
		scanner: func(*Answer) scanner { return rs },
	}, nil
}
