package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
)

// taints are the traits of an operation whose data or code came from another party.
const taints = umpire.FromNetwork | umpire.RemoteCode | umpire.UntrustedSource

// rule is a record, decoded as far as matching needs it.
type rule struct {
	effect                          umpire.Effect
	certain, locked, observe, inert bool
	standIn                         bool
	layer                           Layer
	traits, without                 umpire.Trait
	tainted                         byte
	rest                            reader // positioned at the lists of globs
}

func (p *Policy) rule(id uint32) (rule, error) {
	if id >= p.rules {
		return rule{}, ErrCorrupt
	}
	body, err := p.record(get32(p.blob, int(p.ruleAt+4*id)), ruleSeed|uint64(id))
	if err != nil {
		return rule{}, err
	}
	r := reader{s: body}
	flags := r.byte()
	out := rule{effect: umpire.Effect(flags & 3), certain: flags&4 != 0, locked: flags&8 != 0, observe: flags&16 != 0,
		inert: flags&32 != 0, standIn: flags&64 != 0, layer: Layer(r.byte()), traits: umpire.Trait(r.uint()), without: umpire.Trait(r.uint()), tainted: r.byte()}
	out.rest = r
	if r.bad || out.effect > umpire.Allow {
		return rule{}, ErrCorrupt
	}
	return out, nil
}

// view is an operation with the values that matching derives from it once.
type view struct {
	op     *umpire.Operation
	index  int // -1 for the action as a whole
	path   string
	words  []string
	target target
	hole   bool
	text   string // for text rules
}

// decision collects the results of the matching rules.
type decision struct {
	p       *Policy
	a       *umpire.Action
	b       bases
	ids     []uint32
	said    []statement
	covered []bool // by an allow rule or endpoint
	pardon  []bool // by an allow rule that also answers the questions of packs
	safe    []bool // by an allow rule of a pack, which only replaces the default
	tool    bool   // an allow rule names the tool
	inert   bool   // all operations are inert
	err     error

	whole umpire.Operation // the whole action as one operation, for rules about tool and text

	// Room for a usual action, so that it allocates nothing.
	idBuf   [96]uint32
	saidBuf [8]statement
	flagBuf [3][32]bool
	words   [24]string
	parts   [24]string
}

var decisions = sync.Pool{New: func() any { return new(decision) }}

func (d *decision) begin(p *Policy, a *umpire.Action, ops int) {
	d.p, d.a, d.b = p, a, basesOf(a)
	d.ids, d.said = d.idBuf[:0], d.saidBuf[:0]
	if ops > len(d.flagBuf[0]) {
		d.covered, d.pardon, d.safe = make([]bool, ops), make([]bool, ops), make([]bool, ops)
		return
	}
	d.covered, d.pardon, d.safe = d.flagBuf[0][:ops], d.flagBuf[1][:ops], d.flagBuf[2][:ops]
}

// release clears the decision: a kept string would keep an action, or a policy, in memory.
func (d *decision) release() {
	*d = decision{}
	decisions.Put(d)
}

// statement is one rule that matched.
type statement struct {
	id      uint32
	op      int
	grave   int // see gravity
	effect  umpire.Effect
	doubt   bool
	observe bool
	tool    bool   // matches the tool's name
	theirs  bool   // from a project that the user does not trust: it settles nothing
	own     bool   // from the user or the administrator
	soft    bool   // an unlocked question of a pack, which the user's allow rule answers
	text    reader // positioned at the rule's ID
}

// shown returns the effect of the reason: allow for a rule that only observes.
func (s *statement) shown() umpire.Effect {
	if s.observe {
		return umpire.Allow
	}
	return s.effect
}

// order sorts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Decide returns the Decision for a call with these Operations. It uses only its arguments, so
// equal arguments give equal Decisions.
//
// A damaged or uncompiled Policy denies. A call without Operations is denied too: a reader
// returns at least one Operation for every call.
func (p *Policy) Decide(a *umpire.Action, ops []umpire.Operation) umpire.Decision {
	if p.empty() {
		return umpire.Decision{Reasons: []umpire.Reason{{Rule: "policy-missing", Text: "there is no policy to decide by", Suggest: "run `umpire policy check`", Op: -1}}}
	}
	if len(ops) == 0 {
		return umpire.Decision{Reasons: []umpire.Reason{{Rule: "nothing-read", Text: "the effects of this call are unknown", Suggest: "read it into operations first, with package reader", Op: -1}}}
	}
	d := decisions.Get().(*decision)
	defer d.release()
	d.begin(p, a, len(ops))
	var union umpire.Trait
	d.inert = true
	for i := range ops {
		union |= ops[i].Traits
		d.inert = d.inert && ops[i].Traits&umpire.Inert != 0
	}
	for i := range ops {
		d.operation(&ops[i], i)
	}
	d.action(union)
	if d.err != nil {
		return corrupt(d.err)
	}
	return d.conclude(ops)
}

// operation matches all candidate rules against one operation.
func (d *decision) operation(op *umpire.Operation, i int) {
	v := view{op: op, index: i, hole: strings.Contains(op.Resource, umpire.Hole)}
	d.prepare(&v)
	d.ids = d.ids[:0]
	d.find(&v)
	d.consider(&v, false)
	if !d.covered[i] {
		d.eachNamed(&v)
	}
}

// consider matches the candidates against an operation, or only those that allow it.
func (d *decision) consider(v *view, allow bool) {
	op, i := v.op, v.index
	endpoint, listed := Layer(0), false
	if op.Kind == umpire.Network {
		endpoint, listed = d.endpoint(v.target)
		if listed {
			d.covered[i] = true
		}
	}
	slices.Sort(d.ids)
	d.ids = slices.Compact(d.ids)
	for _, id := range d.ids {
		r, err := d.p.rule(id)
		if err != nil {
			d.err = err
			return
		}
		if allow && r.effect != umpire.Allow || op.Traits&umpire.Inert != 0 && !r.inert && !(d.inert && r.effect == umpire.Allow) {
			continue
		}
		if listed && !(r.layer == Managed && r.effect == umpire.Deny) && !(r.locked && endpoint < User) {
			continue
		}
		if op.Traits&r.traits != r.traits || op.Traits&r.without != 0 {
			continue
		}
		d.weigh(id, &r, v)
	}
}

// action matches the rules about the tool's name or the input's text.
func (d *decision) action(union umpire.Trait) {
	if d.p.flags&flagToolRules != 0 && d.a.Tool != "" {
		d.whole = umpire.Operation{Kind: umpire.Tool, Resource: d.a.Tool, Traits: union}
		v := view{op: &d.whole, index: -1}
		d.ids = d.ids[:0]
		d.findTool(d.a.Tool)
		d.lookup(keyAll, uint8(umpire.Tool), "", "")
		d.traitKeys(union)
		d.weighAll(&v)
	}
	if d.p.flags&flagTextRules != 0 {
		d.whole = umpire.Operation{Kind: umpire.Text, Traits: union}
		v := view{op: &d.whole, index: -1, text: inputText(d.a.Input)}
		d.ids = d.ids[:0]
		d.findText(v.text)
		d.weighAll(&v)
	}
}

func (d *decision) weighAll(v *view) {
	slices.Sort(d.ids)
	d.ids = slices.Compact(d.ids)
	for _, id := range d.ids {
		r, err := d.p.rule(id)
		if err != nil {
			d.err = err
			return
		}
		if v.op.Traits&r.traits == r.traits && v.op.Traits&r.without == 0 {
			d.weigh(id, &r, v)
		}
	}
}

// weigh matches one rule against one operation and records the result.
func (d *decision) weigh(id uint32, r *rule, v *view) {
	if r.tainted != 0 && (d.a.Tainted || v.op.Traits&taints != 0) != (r.tainted == 2) {
		return
	}
	rd := r.rest
	who := d.a.Principal
	if !anyGlob(&rd, who.Platform) || !anyGlob(&rd, d.a.Tool) || !anyGlob(&rd, who.Agent, who.Role) {
		if rd.bad {
			d.err = ErrCorrupt
		}
		return
	}
	m, grave := no, gravity(0, r.traits&v.op.Traits)
	for range rd.count() {
		a := d.decode(&rd)
		if m == sure || !a.concerns(v) {
			continue
		}
		if r.effect == umpire.Allow {
			if d.covers(&a, v) {
				m = sure
			}
		} else if got := d.match(&a, v); got != no {
			m, grave = max(m, got), max(grave, gravity(a.names(v.op)))
		}
	}
	if m == no || m == could && r.certain {
		if rd.bad {
			d.err = ErrCorrupt
		}
		return
	}
	excepted := false
	for range rd.count() {
		a := d.decode(&rd)
		excepted = excepted || a.concerns(v) && d.covers(&a, v)
	}
	if rd.bad {
		d.err = ErrCorrupt
		return
	}
	if excepted {
		return
	}
	s := statement{id: id, op: v.index, grave: grave, effect: r.effect, observe: r.observe, tool: v.op.Kind == umpire.Tool && v.index < 0, theirs: r.layer == Project, own: r.layer > Builtin, text: rd}
	if m == could {
		s.effect, s.doubt = umpire.Ask, true
	}
	if r.effect == umpire.Allow {
		if !r.observe {
			d.grant(v.index, r)
		}
		if r.standIn && (v.index < 0 || d.p.Mode(v.op.Kind) != ModeUnset || d.p.Default() == umpire.Allow) {
			return // the rule has no influence, so there is nothing to explain
		}
	} else {
		s.soft = s.effect == umpire.Ask && !r.observe && r.layer == Builtin && !r.locked
	}
	d.said = append(d.said, s)
}

// concerns reports whether an alternative applies to operations of this kind. Traits belong to
// single operations, so the action as a whole does not count.
func (a *alt) concerns(v *view) bool {
	return a.kinds&(1<<v.op.Kind) != 0 && !(v.index < 0 && a.form == formTrait)
}

// grant records that an allow rule matched. An allow rule of a pack only replaces the default. It
// is not the user's permission, so it settles neither a tool's name nor a question.
func (d *decision) grant(op int, r *rule) {
	switch {
	case r.standIn && op >= 0:
		d.safe[op] = true
	case r.standIn:
	case op < 0:
		d.tool = true
	default:
		d.covered[op] = true
		if r.layer != Builtin {
			d.pardon[op] = true
		}
	}
}

// ByPath reports whether an operation names the file in the workspace that the operation before it
// starts, such as ./bin/tool list after tool list. A rule that allows the file allows both.
func ByPath(name, file *umpire.Operation) bool {
	if name.Kind != umpire.Exec || file.Kind != umpire.Exec || name.Traits != file.Traits || !strings.HasPrefix(file.Resource, "./") {
		return false
	}
	program, args, _ := strings.Cut(name.Resource, " ")
	path, others, _ := strings.Cut(file.Resource, " ")
	return args == others && strings.HasSuffix(path, "/"+program)
}

// joinPaths applies an allow rule to both operations of a program in the workspace: its name and
// its path. A name with an extension, build.sh, means the file as well, unless it is in a hidden
// folder such as .git. A bare name is that of a program in PATH, and an agent could put a file of
// that name into the workspace.
func (d *decision) joinPaths(ops []umpire.Operation) {
	for i := 1; i < len(ops); i++ {
		name, file := i-1, i
		if d.covered[name] == d.covered[file] || !ByPath(&ops[name], &ops[file]) {
			continue
		}
		if program, _, _ := strings.Cut(ops[name].Resource, " "); d.covered[file] || strings.Contains(program, ".") && !strings.Contains(ops[file].Resource, "/.") {
			d.covered[name], d.covered[file] = true, true
			pardon := d.pardon[name] || d.pardon[file]
			d.pardon[name], d.pardon[file] = pardon, pardon
		}
	}
}

// conclude joins the results of all rules.
func (d *decision) conclude(ops []umpire.Operation) umpire.Decision {
	d.joinPaths(ops)
	said := d.said[:0]
	settledAll := false
	for _, s := range d.said {
		if s.soft && s.op >= 0 && d.pardon[s.op] {
			continue // the user's allow rule answers this question
		}
		said = append(said, s)
		if s.observe || s.doubt || s.theirs || s.effect == umpire.Allow {
			continue // a stricter default still applies in doubt, and after a question of an untrusted project
		}
		switch {
		case s.op >= 0:
			d.covered[s.op] = true
		case s.tool:
			settledAll = true
		}
	}
	out := umpire.Decision{Effect: umpire.Allow}
	open, bare := false, false // open: an operation is settled by no rule; bare: covered by no rule at all
	for i := range ops {
		op := &ops[i]
		if settledAll || d.covered[i] || op.Traits&umpire.Inert != 0 && !d.inert ||
			op.Task && (op.Idle() || d.p.Mode(op.Kind) == ModeUnset) || d.tool && (op.Kind != umpire.Exec && op.Kind != umpire.Packages || op.Idle()) {
			continue
		}
		open = true
		if d.safe[i] && (op.Idle() || d.p.Mode(op.Kind) == ModeUnset) {
			continue
		}
		bare = true
		effect := d.p.Default()
		if !op.Idle() { // otherwise no program runs, so the mode for programs does not apply
			effect = d.fallback(op.Kind)
		}
		if effect != umpire.Allow {
			out.Effect = min(out.Effect, effect)
			out.Unsettled = append(out.Unsettled, i)
		}
	}
	spoke := false
	if len(said) > 0 {
		// If one rule matched several operations, the strictest match counts, and the gravest of
		// these is shown.
		slices.SortStableFunc(said, func(a, b statement) int {
			return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.effect, b.effect), b.grave-a.grave)
		})
		said = slices.CompactFunc(said, func(a, b statement) bool { return a.id == b.id })
		// Sort by strictness, then certainty, then the user's rules, then gravity. Records are in
		// order of their IDs.
		slices.SortStableFunc(said, func(a, b statement) int {
			return cmp.Or(cmp.Compare(a.shown(), b.shown()), order(a.doubt, b.doubt), order(b.own, a.own), b.grave-a.grave, cmp.Compare(a.id, b.id))
		})
		out.Reasons = make([]umpire.Reason, 0, len(said))
		for _, s := range said {
			out.Reasons = append(out.Reasons, d.reason(s))
			switch {
			case s.observe:
			case s.effect != umpire.Allow:
				spoke = true
				out.Effect = min(out.Effect, s.effect)
			}
		}
		if d.err != nil {
			return corrupt(d.err)
		}
	}
	out.Explicit = spoke || !open
	out.Safe = open && !bare && !spoke
	return out
}

func corrupt(err error) umpire.Decision {
	return umpire.Decision{Reasons: []umpire.Reason{{Rule: "policy-corrupt", Text: err.Error(), Suggest: "run `umpire policy compile`", Op: -1}}}
}

// fallback returns the effect of an operation that no rule settled.
func (d *decision) fallback(k umpire.Kind) umpire.Effect {
	switch d.p.Mode(k) {
	case ApproveEach, ApproveBulk:
		return umpire.Ask
	case AllowAll:
		return umpire.Allow
	case DenyAll:
		return umpire.Deny
	}
	return d.p.Default()
}

func (d *decision) reason(s statement) umpire.Reason {
	var t texts
	t.decode(&s.text)
	if s.text.bad {
		d.err = ErrCorrupt
	}
	r := umpire.Reason{Rule: t.id, Effect: s.effect, Text: t.reason, Suggest: t.suggest, Op: s.op, Own: s.own}
	r.Text = cmp.Or(r.Text, t.title)
	if r.Text == "" && len(t.match) > 0 {
		r.Text = "matches " + t.match[0].String()
	}
	switch {
	case s.observe:
		r.Text = "observed only, would " + s.effect.String() + ": " + r.Text
		r.Effect, r.Would = umpire.Allow, s.effect.String()
	case s.doubt:
		r.Text += " (may match: part of it is not known)"
		r.Doubt = true
	}
	return r
}

// texts is the part of a record for people only.
type texts struct {
	id, title, reason, suggest, pack string
	pos                              Pos
	match, unless                    []Pattern
}

func (t *texts) decode(r *reader) {
	t.id, t.title, t.reason, t.suggest, t.pack = r.string(), r.string(), r.string(), r.string(), r.string()
	t.pos = Pos{File: r.string(), Line: int(r.uint()), Col: int(r.uint())}
	for _, ps := range []*[]Pattern{&t.match, &t.unless} {
		for range r.count() {
			*ps = append(*ps, Pattern{umpire.Kind(r.byte()), r.string()})
		}
	}
}

// endpoint reports whether a host is an allowed endpoint, before any rule.
func (d *decision) endpoint(t target) (l Layer, listed bool) {
	body, err := d.p.record(d.p.listAt, listsSeed)
	if err != nil {
		d.err = err
		return 0, false
	}
	r := reader{s: body}
	for range r.count() {
		layer := Layer(r.byte())
		for range r.count() {
			a := d.decode(&r)
			if !listed || layer > l {
				if a.hostPattern().covers(t) {
					l, listed = layer, true
				}
			}
		}
	}
	if r.bad {
		d.err = ErrCorrupt
		return 0, false
	}
	return l, listed
}
