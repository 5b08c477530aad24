package policy

import (
	"iter"
	"math/bits"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
)

// taints are the traits of an operation whose data or code came from another party.
const taints = umpire.FromNetwork | umpire.RemoteCode | umpire.UntrustedSource

// Policy is rules, compiled and immutable. It may be used by many goroutines at once.
type Policy struct {
	blob     string
	flags    uint32
	rules    uint32
	buckets  uint32
	bucketAt uint32
	ruleAt   uint32
	listAt   uint32
	warnings []Warning
	regexps  sync.Map // source to *regexp.Regexp, compiled on first use
}

// Warnings returns what Compile left out or found surprising. A Policy from Open has none.
func (p *Policy) Warnings() []Warning { return p.warnings }

// Default returns the effect when nothing speaks.
func (p *Policy) Default() umpire.Effect {
	if p == nil || p.blob == "" {
		return umpire.Deny
	}
	return min(umpire.Effect(p.flags&flagDefault), umpire.Allow)
}

// AutoApprove reports whether an enforcement point should say it aloud when rules allow
// an action, so that the platform's own question is skipped.
func (p *Policy) AutoApprove() bool { return p.flags&flagAutoApprove != 0 }

// Observe reports whether decisions are only recorded.
func (p *Policy) Observe() bool { return p.flags&flagObserve != 0 }

// CannotAsk returns what becomes of an ask where the platform cannot ask.
func (p *Policy) CannotAsk() CannotAsk {
	if p.flags&flagWait != 0 {
		return AskWait
	}
	return AskLater
}

// ToolOutput returns what becomes of what tools answer.
func (p *Policy) ToolOutput() ToolOutput {
	return ToolOutput(p.flags & flagToolOutput >> toolOutputShift)
}

// Prompts reports whether what users send is judged.
func (p *Policy) Prompts() bool { return p.flags&flagPrompts != 0 }

// Audit returns the bounds of the record.
func (p *Policy) Audit() Audit {
	v := get32(p.blob, atAudit)
	return Audit{MaxSize: int(v & 0xffff), Keep: int(v >> 16)}
}

// Judge returns what a model is asked about.
func (p *Policy) Judge() Judge {
	return Judge{Scope: Scope(p.flags & flagScope >> scopeShift), Ambiguous: p.flags&flagAmbiguous != 0}
}

// Mode returns what happens to an operation of a kind on which no rule settled
// anything. Programs and packages are never let through, or refused, all at once.
func (p *Policy) Mode(k umpire.Kind) Mode {
	if p == nil || p.blob == "" || k >= umpire.Filesystem {
		return ModeUnset
	}
	m := Mode(p.blob[atModes+int(k)])
	if m == AllowAll && (k == umpire.Exec || k == umpire.Packages || k == umpire.Sandbox) {
		return ApproveEach
	}
	return m
}

// rule is a record, decoded as far as matching needs it.
type rule struct {
	effect                          umpire.Effect
	certain, locked, observe, inert bool
	layer                           Layer
	traits, without                 umpire.Trait
	tainted                         byte
	rest                            reader // at the lists of globs
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
		inert: flags&32 != 0, layer: Layer(r.byte()), traits: umpire.Trait(r.uint()), without: umpire.Trait(r.uint()), tainted: r.byte()}
	out.rest = r
	if r.bad || out.effect > umpire.Allow {
		return rule{}, ErrCorrupt
	}
	return out, nil
}

// view is an operation with what matching derives from it, once.
type view struct {
	op     *umpire.Operation
	index  int // -1 for the action as a whole
	path   string
	words  []string
	target target
	hole   bool
	text   string // for text rules
}

// decision gathers what rules say.
type decision struct {
	p       *Policy
	a       *umpire.Action
	b       bases
	ids     []uint32
	said    []statement
	covered []bool // by an allow rule or endpoint
	pardon  []bool // by an allow rule that also settles the questions of packs
	tool    bool   // an allow rule names the tool
	inert   bool   // there is nothing but inert operations
	err     error

	whole umpire.Operation // the action as one, for rules about tool and text

	// Room for what a usual action needs, so that it leaves no garbage.
	idBuf   [96]uint32
	saidBuf [8]statement
	flagBuf [2][32]bool
	words   [24]string
	parts   [24]string
}

var decisions = sync.Pool{New: func() any { return new(decision) }}

func (d *decision) begin(p *Policy, a *umpire.Action, ops int) {
	d.p, d.a, d.b = p, a, basesOf(a)
	d.ids, d.said = d.idBuf[:0], d.saidBuf[:0]
	if ops > len(d.flagBuf[0]) {
		d.covered, d.pardon = make([]bool, ops), make([]bool, ops)
		return
	}
	d.covered, d.pardon = d.flagBuf[0][:ops], d.flagBuf[1][:ops]
}

// release forgets everything: a kept string would keep an action, or a policy.
func (d *decision) release() {
	*d = decision{}
	decisions.Put(d)
}

// statement is one rule that spoke.
type statement struct {
	id      uint32
	op      int
	effect  umpire.Effect
	doubt   bool
	observe bool
	tool    bool   // about the tool's name
	theirs  bool   // a project's that the user does not trust: it settles nothing
	soft    bool   // an unlocked question of a pack, which the user's allow rule answers
	text    reader // at the rule's ID
}

// Decide weighs every rule that could speak about a. It reads nothing but its
// arguments: the same Action and Operations always get the same Decision.
//
// A Policy that is damaged, or never was compiled, denies.
func (p *Policy) Decide(a *umpire.Action, ops []umpire.Operation) umpire.Decision {
	if p == nil || p.blob == "" {
		return umpire.Decision{Reasons: []umpire.Reason{{Rule: "policy-missing", Text: "there is no policy to decide by", Suggest: "run `umpire policy check`", Op: -1}}}
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

// operation lets every rule speak that could about one operation.
func (d *decision) operation(op *umpire.Operation, i int) {
	v := view{op: op, index: i, hole: strings.Contains(op.Resource, umpire.Hole)}
	d.prepare(&v)
	d.ids = d.ids[:0]
	d.find(&v)
	d.consider(&v)
}

// consider lets the candidates speak about an operation.
func (d *decision) consider(v *view) {
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
		if op.Traits&umpire.Inert != 0 && !r.inert && !(d.inert && r.effect == umpire.Allow) {
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

// action lets the rules speak that look at the tool's name or the input's text.
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

// weigh matches one rule against one operation and notes what it says.
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
	m := no
	for range rd.count() {
		a := d.decode(&rd)
		if m == sure || !a.concerns(v) {
			continue
		}
		if r.effect == umpire.Allow {
			if d.covers(&a, v) {
				m = sure
			}
		} else {
			m = max(m, d.match(&a, v))
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
	s := statement{id: id, op: v.index, effect: r.effect, observe: r.observe, tool: v.op.Kind == umpire.Tool && v.index < 0, theirs: r.layer == Project, text: rd}
	if m == could {
		s.effect, s.doubt = umpire.Ask, true
	}
	if r.effect == umpire.Allow {
		if !r.observe {
			d.grant(v.index, r.layer)
		}
	} else {
		s.soft = s.effect == umpire.Ask && !r.observe && r.layer == Builtin && !r.locked
	}
	d.said = append(d.said, s)
}

// concerns reports whether an alternative speaks about operations of this kind. Traits
// are those of operations: the action as a whole, which has the traits of all, is none.
func (a *alt) concerns(v *view) bool {
	return a.kinds&(1<<v.op.Kind) != 0 && !(v.index < 0 && a.form == formTrait)
}

// grant notes that an allow rule matched.
func (d *decision) grant(op int, l Layer) {
	if op < 0 {
		d.tool = true
		return
	}
	d.covered[op] = true
	if l != Builtin {
		d.pardon[op] = true
	}
}

// conclude joins what was said.
func (d *decision) conclude(ops []umpire.Operation) umpire.Decision {
	said := d.said[:0]
	settledAll := d.tool && len(ops) == 0
	for _, s := range d.said {
		if s.soft && s.op >= 0 && d.pardon[s.op] {
			continue // the user answered this question once and for all
		}
		said = append(said, s)
		if s.observe || s.doubt || s.theirs || s.effect == umpire.Allow {
			continue // doubt does not keep a stricter default from applying, nor does a stranger's question
		}
		switch {
		case s.op >= 0:
			d.covered[s.op] = true
		case s.tool:
			settledAll = true
		}
	}
	out := umpire.Decision{Effect: umpire.Allow}
	open := len(ops) == 0 && !settledAll
	if open {
		out.Effect = d.p.Default()
	}
	for i := range ops {
		op := &ops[i]
		if settledAll || d.covered[i] || op.Traits&umpire.Inert != 0 && !d.inert ||
			d.tool && op.Kind != umpire.Exec && op.Kind != umpire.Packages {
			continue
		}
		open = true
		out.Effect = min(out.Effect, d.fallback(op.Kind))
	}
	spoke := false
	if len(said) > 0 {
		// Records are in the order of their IDs. Of what one rule says of several
		// operations the strictest counts, and of these the first is shown.
		slices.SortStableFunc(said, func(a, b statement) int {
			if a.id != b.id {
				return int(a.id) - int(b.id)
			}
			return int(a.effect) - int(b.effect)
		})
		out.Reasons = make([]umpire.Reason, 0, len(said))
		for i, s := range said {
			if i > 0 && s.id == said[i-1].id {
				continue
			}
			out.Reasons = append(out.Reasons, d.reason(s))
			switch {
			case s.observe:
				out.Obligations = []umpire.Obligation{umpire.ObligeRecord}
			case s.effect != umpire.Allow:
				spoke = true
				out.Effect = min(out.Effect, s.effect)
			}
		}
		slices.SortStableFunc(out.Reasons, func(a, b umpire.Reason) int { return int(a.Effect) - int(b.Effect) })
		if d.err != nil {
			return corrupt(d.err)
		}
	}
	out.Explicit = spoke || !open
	return out
}

func corrupt(err error) umpire.Decision {
	return umpire.Decision{Reasons: []umpire.Reason{{Rule: "policy-corrupt", Text: err.Error(), Suggest: "run `umpire policy compile`", Op: -1}}}
}

// fallback is what happens to an operation that no rule settled.
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

// reason says in words what a rule said.
func (d *decision) reason(s statement) umpire.Reason {
	var t texts
	t.decode(&s.text)
	if s.text.bad {
		d.err = ErrCorrupt
	}
	r := umpire.Reason{Rule: t.id, Effect: s.effect, Text: t.reason, Suggest: t.suggest, Op: s.op}
	if r.Text == "" {
		r.Text = t.title
	}
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

// texts is the part of a record that only people read.
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

// Rules returns the rules in the order of their IDs, without their examples. A damaged
// record ends it.
func (p *Policy) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for id := range p.rules {
			r, ok := p.source(id)
			if !ok || !yield(r) {
				return
			}
		}
	}
}

// Rule returns the rule with an ID.
func (p *Policy) Rule(id string) (Rule, bool) {
	lo, hi := uint32(0), p.rules
	for lo < hi {
		mid := (lo + hi) / 2
		r, ok := p.source(mid)
		switch {
		case !ok:
			return Rule{}, false
		case r.ID == id:
			return r, true
		case r.ID < id:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return Rule{}, false
}

func (p *Policy) source(id uint32) (Rule, bool) {
	r, err := p.rule(id)
	if err != nil {
		return Rule{}, false
	}
	out := Rule{Effect: r.effect, Layer: r.layer, Certain: r.certain, Locked: r.locked, Observe: r.observe}
	out.When.Traits, out.When.Without = r.traits, r.without
	if r.tainted != 0 {
		t := r.tainted == 2
		out.When.Tainted = &t
	}
	rd := r.rest
	out.When.Platforms, out.When.Tools, out.When.Agents = rd.strings(), rd.strings(), rd.strings()
	d := decision{p: p}
	for range 2 {
		for range rd.count() {
			d.decode(&rd)
		}
	}
	var t texts
	t.decode(&rd)
	out.ID, out.Title, out.Reason, out.Suggest, out.Pack = t.id, t.title, t.reason, t.suggest, t.pack
	out.Pos, out.Match, out.Unless = t.pos, t.match, t.unless
	return out, !rd.bad
}

// anyGlob reads a list of globs and reports whether one of them matches one of the
// names, or there are none.
func anyGlob(r *reader, names ...string) bool {
	n := r.count()
	ok := n == 0
	for range n {
		g := r.string()
		for _, s := range names {
			ok = ok || glob(g, s, false)
		}
	}
	return ok
}

// decode reads one alternative of a pattern. Its parts are valid until the next call.
func (d *decision) decode(r *reader) alt {
	a := alt{form: form(r.byte())}
	a.kinds = uint16(r.uint())
	switch a.form {
	case formAny:
	case formPath:
		a.anchor = anchor(r.byte())
		a.text = r.string()
		if a.anchor >= anchorCount {
			r.bad = true
		}
	case formPlace, formTrait:
		a.with, a.without = r.uint(), r.uint()
	case formHost, formNet:
		a.method, a.host, a.port, a.path = r.string(), r.string(), r.string(), r.string()
		if a.form == formNet {
			a.net = prefix(r.string(), r.uint())
			if !a.net.IsValid() {
				r.bad = true
			}
		}
	case formWords:
		a.open = r.byte() != 0
		parts := d.parts[:0]
		for range r.count() {
			parts = append(parts, r.string())
		}
		a.parts = parts
	case formGlob, formRegex:
		a.text = r.string()
	default:
		r.bad = true
	}
	if r.bad {
		return alt{form: formCount}
	}
	return a
}

func prefix(addr string, bits uint64) netip.Prefix {
	var a netip.Addr
	switch len(addr) {
	case 4:
		a = netip.AddrFrom4([4]byte([]byte(addr)))
	case 16:
		a = netip.AddrFrom16([16]byte([]byte(addr)))
	}
	if bits > 128 {
		return netip.Prefix{}
	}
	return netip.PrefixFrom(a, int(bits))
}

// match matches an alternative of a deny or ask rule.
func (d *decision) match(a *alt, v *view) match {
	op := v.op
	switch a.form {
	case formAny:
		return sure
	case formTrait:
		return both(uint64(op.Traits), a)
	case formPlace:
		m := both(uint64(op.Places), a)
		if m == no && v.hole && strings.HasPrefix(v.path, umpire.Hole) && uint64(op.Places)&a.without == 0 {
			return could
		}
		return m
	case formPath:
		tree := op.Traits&umpire.Recursive != 0
		m := pathPattern{a.anchor, a.text}.match(v.path, d.b, tree, op.Places&umpire.PlaceGenerated != 0)
		if tree && op.Kind == umpire.Read && m == sure && !(pathPattern{a.anchor, a.text}.covers(v.path, d.b)) {
			// Searching a project passes by many files; only outside of it that is odd.
			if op.Places&(umpire.PlaceInWorkspace|umpire.PlaceWorkspace) != 0 {
				return no
			}
			return could
		}
		return m
	case formHost, formNet:
		return a.hostPattern().match(v.target)
	case formWords:
		return matchWords(a.parts, v.words)
	case formGlob:
		return wordGlob(a.text, op.Resource)
	case formRegex:
		if re := d.p.regexp(a.text); re == nil || re.MatchString(v.text) {
			return sure
		}
	}
	return no
}

func both(set uint64, a *alt) match {
	if set&a.with == a.with && set&a.without == 0 {
		return sure
	}
	return no
}

// covers matches an alternative of an allow rule, or under unless: it must be sure.
func (d *decision) covers(a *alt, v *view) bool {
	switch a.form {
	case formAny:
		return true
	case formPlace:
		return !v.hole && both(uint64(v.op.Places), a) == sure
	case formPath:
		return pathPattern{a.anchor, a.text}.covers(v.path, d.b)
	case formHost, formNet:
		return a.hostPattern().covers(v.target)
	case formWords:
		return coversWords(a.parts, a.open, v.words)
	}
	return d.match(a, v) == sure
}

// regexp compiles on first use: an action that no text rule could speak about never
// pays for it. It returns nil for a damaged one, which then matches everything.
func (p *Policy) regexp(src string) *regexp.Regexp {
	if re, ok := p.regexps.Load(src); ok {
		return re.(*regexp.Regexp)
	}
	re, err := regexp.Compile(src)
	if err != nil {
		return nil
	}
	p.regexps.Store(strings.Clone(src), re)
	return re
}

// endpoint reports whether a host may be reached before rules are asked.
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

// lookup adds the rules under one key to the candidates.
func (d *decision) lookup(space, kind uint8, a, b string) {
	p := d.p
	k := keyHash(space, kind, a, b)
	i := k & (p.buckets - 1)
	body, err := p.record(get32(p.blob, int(p.bucketAt+4*i)), listBucket|uint64(i))
	if err != nil {
		d.err = err
		return
	}
	r := reader{s: body}
	for r.s != "" {
		if len(r.s) < 4 {
			d.err = ErrCorrupt
			return
		}
		h := get32(r.s, 0)
		r.s = r.s[4:]
		list := reader{s: r.string()}
		if h != k {
			continue
		}
		id := uint32(0)
		for list.s != "" {
			id += uint32(list.uint())
			d.ids = append(d.ids, id)
		}
		if list.bad || r.bad {
			d.err = ErrCorrupt
		}
		return
	}
	if r.bad {
		d.err = ErrCorrupt
	}
}

// prepare derives from an operation what patterns are matched against.
func (d *decision) prepare(v *view) {
	switch v.op.Kind {
	case umpire.Read, umpire.Write, umpire.Delete:
		v.path = slashes(v.op.Resource)
	case umpire.Network:
		v.target = parseTarget(v.op.Resource)
	case umpire.Exec, umpire.Git, umpire.Packages, umpire.Database, umpire.Infra, umpire.System:
		v.words = splitWords(v.op.Resource, d.words[:0])
	}
}

// find gathers the rules that could speak about an operation: a superset, by its keys.
func (d *decision) find(v *view) {
	op := v.op
	k := uint8(op.Kind)
	d.lookup(keyAll, k, "", "")
	d.traitKeys(op.Traits)
	switch op.Kind {
	case umpire.Read, umpire.Write, umpire.Delete:
		for b := uint64(op.Places); b != 0; b &= b - 1 {
			d.lookup(keyPlace, uint8(bits.TrailingZeros64(b)), "", "")
		}
		d.findPath(v, k)
	case umpire.Network:
		d.findHost(v.target, k)
	case umpire.Tool:
		d.findTool(op.Resource)
	case umpire.Sandbox:
	default:
		d.findWords(v.words, k)
	}
}

func (d *decision) traitKeys(t umpire.Trait) {
	for b := uint64(t); b != 0; b &= b - 1 {
		d.lookup(keyTrait, uint8(bits.TrailingZeros64(b)), "", "")
	}
}

func (d *decision) findPath(v *view, k uint8) {
	path, whole := v.path, v.op.Traits&umpire.Recursive != 0
	if v.hole || isGlob(path) {
		// All that is known is the folder in front of the first unknown part.
		whole = true
		i := strings.IndexAny(path, `*?[\`)
		if h := strings.Index(path, umpire.Hole); h >= 0 && (i < 0 || h < i) {
			i = h
		}
		path = path[:max(strings.LastIndexByte(path[:i], '/'), 0)]
		if v.hole && strings.HasPrefix(v.path, umpire.Hole) {
			d.lookup(keyHole, k, "", "")
		}
		if path == "" {
			path = "/"
		}
	} else {
		d.lookup(keyBase, k, path[strings.LastIndexByte(path, '/')+1:], "")
	}
	for a := anchor(0); a < anchorCount; a++ {
		base, ok := d.b.of(a)
		if !ok {
			continue
		}
		name := anchorName(a)
		rel, ok := below(base, path, d.b.fold)
		if !ok {
			if _, above := below(path, base, d.b.fold); above && whole {
				d.lookup(keyBelow, k, name, "")
			} else if v.hole && strings.HasPrefix(v.path, umpire.Hole) {
				d.lookup(keyBelow, k, name, "")
			}
			continue
		}
		if whole {
			d.lookup(keyBelow, k, name, rel)
		}
		for end := indexed(rel); ; {
			d.lookup(keyPath, k, name, rel[:end])
			if whole {
				d.lookup(keyBaseTree, k, name, rel[:end])
			}
			if end == 0 {
				break
			}
			end = max(strings.LastIndexByte(rel[:end], '/'), 0)
		}
	}
}

// indexed returns the end of the last segment of a path that the index knows of.
func indexed(rel string) int {
	segments := 0
	for i := range len(rel) {
		if rel[i] == '/' {
			if segments++; segments == maxIndexed {
				return i
			}
		}
	}
	return len(rel)
}

func (d *decision) findHost(t target, k uint8) {
	if strings.Contains(t.host, umpire.Hole) {
		d.lookup(keyHole, k, "", "")
		return
	}
	d.lookup(keyHost, k, t.host, "")
	for i := max(0, len(t.host)-maxIndexedName); i < len(t.host); i++ {
		if t.host[i] == '.' {
			d.lookup(keyDomain, k, t.host[i+1:], "")
		}
	}
	if t.addr.Is4() {
		d.lookup(keyOctet, k, octet(t.addr), "")
	}
}

func (d *decision) findTool(name string) {
	k := uint8(umpire.Tool)
	if strings.Contains(name, umpire.Hole) { // a server that the client does not name
		d.lookup(keyHole, k, "", "")
	}
	d.lookup(keyTool, k, name, "")
	for i := 1; i+1 < len(name) && i < maxIndexedName; i++ {
		if name[i] == '_' && name[i+1] == '_' {
			d.lookup(keyToolHead, k, name[:i], "")
		}
	}
}

func (d *decision) findWords(words []string, k uint8) {
	first := ""
	hole := false
	for i, w := range words {
		if spread(w) {
			hole = true
			if i == 0 {
				d.lookup(keyHole, k, "", "")
				return
			}
			// What is in front of the hole is still a name: --force=<hole>.
		}
		if i == 0 {
			first = w
			d.lookup(keyWord, k, w, "")
			d.lookup(keyAnyWord, k, w, "")
			continue
		}
		d.lookup(keyWords, k, first, w)
		d.lookup(keyAnyWord, k, w, "")
		if isOption(w) {
			if name, _, ok := strings.Cut(w, "="); ok {
				d.lookup(keyWords, k, first, name)
				d.lookup(keyAnyWord, k, name, "")
			}
		}
	}
	if hole {
		d.lookup(keyHoleWord, k, first, "")
		d.lookup(keyHoleWord, k, "", "")
	}
}
