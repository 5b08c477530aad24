package policy

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Compile turns a Source into a Policy. On faults it returns all of them as Errors, and no
// Policy, because an incomplete policy could be milder than its author meant. Rules that
// Compile skips on purpose are in Warnings, such as an allow rule in a file that the agent can
// write.
func Compile(s Source) (*Policy, error) {
	c := compiler{src: s, keys: map[uint32][]uint32{}}
	c.choose()
	c.check()
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return c.write()
}

type compiler struct {
	src   Source
	rules []compiled
	hosts []Endpoint
	errs  Errors
	warns []Warning

	keys      map[uint32][]uint32 // index: key hash to rule numbers
	wordUse   map[uint32]int      // number of patterns that have a word, by their Word2 key
	traitUse  [64]int
	trigrams  []trigramRule
	toolRules bool
	total     int // number of alternatives of all patterns
}

type compiled struct {
	*Rule
	match, unless []alt
}

type trigramRule struct {
	tri  uint32 // 1<<24 if no word is in every match
	rule uint32
}

func (c *compiler) fail(r *Rule, hint, format string, args ...any) {
	c.errs = append(c.errs, &Error{Pos: r.Pos, Rule: r.ID, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (c *compiler) warn(pos Pos, rule, format string, args ...any) {
	c.warns = append(c.warns, Warning{Pos: pos, Rule: rule, Msg: fmt.Sprintf(format, args...)})
}

// choose leaves out the rules that their layer must not make.
func (c *compiler) choose() {
	// If a project has too many rules, all of them are left out; the other layers stay in force.
	if strange := func(r Rule) bool { return r.Layer == Project }; len(c.src.Rules) > maxRules && slices.ContainsFunc(c.src.Rules, strange) {
		c.warn(Pos{}, "", "ignored the project's rules: with them there are more than %d", maxRules)
		c.src.Rules = slices.DeleteFunc(slices.Clone(c.src.Rules), strange)
	}
	if n := len(c.src.Rules); n > maxRules {
		c.errs = append(c.errs, &Error{Msg: fmt.Sprintf("%d rules exceed the limit of %d", n, maxRules), Hint: "join rules: one may have many patterns"})
		return
	}
	// Rules of projects come last, wherever they are: a project must not take an ID, or space, from
	// a rule that the agent cannot write.
	c.src.Rules = slices.Clone(c.src.Rules)
	slices.SortStableFunc(c.src.Rules, func(a, b Rule) int { return cmp.Compare(min(b.Layer, 1), min(a.Layer, 1)) })
	byID := c.byID()
	off, observed := c.disabled(byID)
	for i := range c.src.Rules {
		r := &c.src.Rules[i]
		if byID[r.ID] != r || off[r.ID] {
			continue
		}
		if observed[r.ID] {
			only := *r
			only.Observe = true
			r = &only
		}
		if r.Layer == Project && r.Effect == umpire.Allow {
			c.warn(r.Pos, r.ID, "left out: a project file can only tighten until you trust it; run `umpire trust`")
			continue
		}
		c.rules = append(c.rules, compiled{Rule: r})
	}
	for _, e := range c.src.AllowedEndpoints {
		if e.Layer == Project {
			c.warn(e.Pos, "", "allowed endpoint %s left out: a project file can only tighten until you trust it; run `umpire trust`", e.Host)
			continue
		}
		c.hosts = append(c.hosts, e)
	}
	if c.src.Default > umpire.Allow {
		c.src.Default = umpire.Deny
	}
	for _, n := range []int{c.src.Audit.MaxSize, c.src.Audit.Keep} {
		if n < 0 || n > 0xffff {
			c.errs = append(c.errs, &Error{Msg: fmt.Sprintf("%d is not a size or number of audit files", n), Hint: "use 1 to 65535, or leave it out"})
		}
	}
}

// byID returns the first rule of each ID, and reports the duplicates.
func (c *compiler) byID() map[string]*Rule {
	byID := make(map[string]*Rule, len(c.src.Rules))
	for i := range c.src.Rules {
		r := &c.src.Rules[i]
		switch first := byID[r.ID]; {
		case r.ID == "":
			c.fail(r, "give it one: id: my-rule", "it has no id")
		case first != nil && r.Layer == Project:
			// The agent can write this file. An error would let it switch the policy off.
			c.warn(r.Pos, r.ID, "left out: its id is taken by the rule at %s", first.Pos)
		case first != nil && r.Layer == Builtin && first.Layer != Builtin:
			c.fail(first, "give it another id, or add the built-in rule to disable", "its id is taken by a built-in rule")
		case first != nil:
			c.fail(r, "give one of them another id", "its id is taken by the rule at %s", cmp.Or(first.Pos.String(), "another place"))
		default:
			byID[r.ID] = r
		}
	}
	return byID
}

// disabled returns the rules that are off and those that only observe, as far as each layer may
// disable them.
func (c *compiler) disabled(byID map[string]*Rule) (off, observed map[string]bool) {
	off, observed = map[string]bool{}, map[string]bool{}
	for _, d := range c.src.Disabled {
		r := byID[d.Rule]
		switch {
		case r == nil:
			c.warn(d.Pos, d.Rule, "there is no such rule to %s", map[bool]string{false: "disable", true: "observe"}[d.Observe])
		case d.Layer == Project:
			c.warn(d.Pos, d.Rule, "not disabled: a project file can only tighten until you trust it; run `umpire trust`")
		case r.Layer == Managed && d.Layer != Managed:
			c.warn(d.Pos, d.Rule, "not disabled: only the administrator can")
		case r.Locked && d.Layer < User:
			c.warn(d.Pos, d.Rule, "not disabled: the rule is locked for project files")
		case d.Layer < r.Layer && r.Layer != Builtin:
			c.warn(d.Pos, d.Rule, "not disabled: a %s file cannot switch off a %s rule", d.Layer, r.Layer)
		case d.Observe:
			observed[d.Rule] = true
		default:
			off[d.Rule] = true
		}
	}
	return off, observed
}

// check parses the patterns and finds rules that can never match.
func (c *compiler) check() {
	kept := c.rules[:0]
	for _, r := range c.rules {
		n := len(c.errs)
		r.match = c.patterns(r.Rule, r.Match)
		r.unless = c.patterns(r.Rule, r.Unless)
		if c.total > maxTotal && r.Layer == Project {
			c.total = maxTotal
			c.warn(r.Pos, r.ID, "ignored, because it exceeds the limit of %d patterns", maxTotal)
			continue
		}
		switch w := r.When; {
		case len(c.errs) > n:
		case len(r.Match) == 0:
			c.fail(r.Rule, "add deny, ask or allow with a pattern", "it has no pattern")
		case r.Effect > umpire.Allow:
			c.fail(r.Rule, "use deny, ask or allow", "it has no effect")
		case r.Layer >= layerCount:
			c.fail(r.Rule, "set one of the layers", "its layer is unknown")
		case w.Traits&w.Without != 0:
			c.fail(r.Rule, "remove one of them", "it can never match: trait %s is required and excluded", w.Traits&w.Without)
		case w.Tainted != nil && !*w.Tainted && w.Traits&taints != 0:
			c.fail(r.Rule, "remove one of them", "it can never match: trait %s makes an operation tainted", w.Traits&taints)
		default:
			c.checkGlobs(r.Rule)
			for _, m := range r.Match {
				if slices.Contains(r.Unless, m) {
					c.fail(r.Rule, "remove one of them", "it can never match %s: the same pattern is under unless", m)
				}
			}
		}
		if r.Effect == umpire.Allow && len(c.errs) == n && !c.allow(&r) {
			continue
		}
		kept = append(kept, r)
	}
	c.rules = kept
	for _, e := range c.hosts {
		p := Pattern{umpire.Network, e.Host}
		alts, err := p.alternatives()
		if err != nil {
			c.errs = append(c.errs, &Error{Pos: e.Pos, Msg: "allowed endpoint: " + err.Error()})
			continue
		}
		for _, a := range alts {
			if a.method != "" || a.path != "" {
				c.errs = append(c.errs, &Error{Pos: e.Pos, Msg: fmt.Sprintf("allowed endpoint %s names a method or path", e.Host), Hint: "write host or host:port, or an allow rule"})
			}
		}
		c.contradictions(e, alts)
	}
}

func (c *compiler) patterns(r *Rule, ps []Pattern) (out []alt) {
	for _, p := range ps {
		alts, err := p.alternatives()
		if err != nil {
			c.errs = append(c.errs, &Error{Pos: r.Pos, Rule: r.ID, Msg: err.Error()})
			continue
		}
		if c.total += len(alts); c.total > maxTotal {
			if c.total-len(alts) <= maxTotal && r.Layer != Project {
				c.fail(r, "use fewer braces", "it exceeds the limit of %d patterns", maxTotal)
			}
			return nil
		}
		out = append(out, alts...)
	}
	return out
}

func (c *compiler) checkGlobs(r *Rule) {
	for _, list := range [][]string{r.When.Platforms, r.When.Tools, r.When.Agents} {
		for _, g := range list {
			if err := checkGlob(g); err != nil || g == "" {
				c.fail(r, "write a name, or a glob such as mcp__*", "%q under when is not a glob", g)
			}
		}
	}
}

// allow checks the restrictions on allow rules, and reports whether the rule stays.
func (c *compiler) allow(r *compiled) bool {
	kept := r.match[:0]
	for _, a := range r.match {
		switch {
		case a.form == formRegex:
			c.fail(r.Rule, "allow the operations instead: exec(...), read(...)", "text proves nothing about what it does, so it cannot be allowed")
		case a.form == formTrait:
			c.fail(r.Rule, "allow a kind and name the trait under when", "a trait by itself cannot be allowed")
		case a.form == formAny && (a.kinds == 1<<umpire.Exec || a.kinds == 1<<umpire.Tool) && r.When.Traits&(umpire.Described|umpire.ProjectCode|umpire.PlainRead) != 0:
			// These traits are specific enough: few calls have them.
		case a.form == formAny && a.kinds&(1<<umpire.Exec|1<<umpire.Packages) != 0:
			c.warn(r.Pos, r.ID, "%s(*) is ignored: no rule can allow all programs or packages; name them", bare(a.kinds))
			continue
		case a.form == formAny && a.kinds == 1<<umpire.Tool:
			c.warn(r.Pos, r.ID, "tool(*) is ignored: no rule can allow all tools; name them")
			continue
		case a.form == formWords && a.kinds&(1<<umpire.Exec|1<<umpire.Packages) != 0 && strings.Trim(strings.Join(a.parts, ""), "*?") == "":
			c.warn(r.Pos, r.ID, "%s(%s) is ignored: no rule can allow all programs or packages; name them", bare(a.kinds), strings.Join(a.parts, " "))
			continue
		}
		kept = append(kept, a)
	}
	r.match = kept
	return len(kept) > 0
}

func bare(kinds uint16) umpire.Kind { return umpire.Kind(bits.TrailingZeros16(kinds)) }

// contradictions warns of a deny rule that an allowed endpoint makes pointless.
func (c *compiler) contradictions(e Endpoint, alts []alt) {
	for _, r := range c.rules {
		if r.Effect != umpire.Deny || r.Layer == Managed || r.Locked && e.Layer < User {
			continue
		}
		for _, m := range r.match {
			for _, a := range alts {
				if m.kinds&(1<<umpire.Network) == 0 || m.form != formHost && m.form != formNet ||
					strings.ContainsAny(a.host, "*?[") {
					continue
				}
				port := a.port
				port = cmp.Or(port, m.port)
				if m.hostPattern().match(parseTarget(joinPort(a.host, port))) != no && m.method == "" && m.path == "" {
					c.warn(e.Pos, r.ID, "never denies %s: it is an allowed endpoint, and these come first", e.Host)
				}
			}
		}
	}
}

func joinPort(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" {
		return host
	}
	return host + ":" + port
}

func (a alt) hostPattern() hostPattern {
	return hostPattern{method: a.method, host: a.host, port: a.port, path: a.path, net: a.net}
}
