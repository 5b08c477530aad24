package policy

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"net/netip"
	"regexp/syntax"
	"slices"
	"sort"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Compile turns a Source into a Policy. It returns all faults of the Source at once, as
// Errors; then there is no Policy, for half of one would decide more mildly than its
// author meant. What was left out on purpose, such as an allow rule of a file that the
// agent can write, is in the Policy's Warnings.
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
	wordUse   map[uint32]int      // how many patterns have a word, by their Word2 key
	traitUse  [64]int
	trigrams  []trigramRule
	toolRules bool
	total     int // alternatives of patterns
}

type compiled struct {
	*Rule
	match, unless []alt
}

type trigramRule struct {
	tri  uint32 // 1<<24 if there is none that every match must have
	rule uint32
}

func (c *compiler) fail(r *Rule, hint, format string, args ...any) {
	c.errs = append(c.errs, &Error{Pos: r.Pos, Rule: r.ID, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (c *compiler) warn(pos Pos, rule, format string, args ...any) {
	c.warns = append(c.warns, Warning{Pos: pos, Rule: rule, Msg: fmt.Sprintf(format, args...)})
}

// choose leaves out what its layer has no right to.
func (c *compiler) choose() {
	// A project whose rules are too many has none: the others stay in force.
	if strange := func(r Rule) bool { return r.Layer == Project }; len(c.src.Rules) > maxRules && slices.ContainsFunc(c.src.Rules, strange) {
		c.warn(Pos{}, "", "the project's rules are left out: with them there are more than %d", maxRules)
		c.src.Rules = slices.DeleteFunc(slices.Clone(c.src.Rules), strange)
	}
	if n := len(c.src.Rules); n > maxRules {
		c.errs = append(c.errs, &Error{Msg: fmt.Sprintf("%d rules are more than %d", n, maxRules), Hint: "join rules: one may have many patterns"})
		return
	}
	byID := make(map[string]*Rule, len(c.src.Rules))
	// Rules of projects come last, wherever they stand: none takes an ID, or room, away
	// from a rule that the agent cannot write.
	c.src.Rules = slices.Clone(c.src.Rules)
	slices.SortStableFunc(c.src.Rules, func(a, b Rule) int { return cmp.Compare(min(b.Layer, 1), min(a.Layer, 1)) })
	for i := range c.src.Rules {
		r := &c.src.Rules[i]
		switch first := byID[r.ID]; {
		case r.ID == "":
			c.fail(r, "give it one: id: my-rule", "it has no id")
			continue
		case first != nil && r.Layer == Project:
			// The agent can write this file. An error would let it switch the policy off.
			c.warn(r.Pos, r.ID, "left out: its id is taken by the rule at %s", first.Pos)
			continue
		case first != nil:
			c.fail(r, "give one of them another id", "its id is taken by the rule at %s", first.Pos)
			continue
		}
		byID[r.ID] = r
	}
	off := map[string]bool{}
	for _, d := range c.src.Disabled {
		r := byID[d.Rule]
		switch {
		case r == nil:
			c.warn(d.Pos, d.Rule, "there is no such rule to disable")
		case d.Layer == Project:
			c.warn(d.Pos, d.Rule, "not disabled: a project file can only tighten until you trust it; run `umpire trust`")
		case r.Layer == Managed && d.Layer != Managed:
			c.warn(d.Pos, d.Rule, "not disabled: only the administrator can")
		case r.Locked && d.Layer < User:
			c.warn(d.Pos, d.Rule, "not disabled: the rule is locked for project files")
		case d.Layer < r.Layer && r.Layer != Builtin:
			c.warn(d.Pos, d.Rule, "not disabled: a %s file cannot switch off a %s rule", d.Layer, r.Layer)
		default:
			off[d.Rule] = true
		}
	}
	for i := range c.src.Rules {
		r := &c.src.Rules[i]
		if byID[r.ID] != r || off[r.ID] {
			continue
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
			c.errs = append(c.errs, &Error{Msg: fmt.Sprintf("%d is no size or number of audit files", n), Hint: "use 1 to 65535, or leave it out"})
		}
	}
}

// check parses the patterns and finds rules that can never speak.
func (c *compiler) check() {
	kept := c.rules[:0]
	for _, r := range c.rules {
		n := len(c.errs)
		r.match = c.patterns(r.Rule, r.Match)
		r.unless = c.patterns(r.Rule, r.Unless)
		if c.total > maxTotal && r.Layer == Project {
			c.total = maxTotal
			c.warn(r.Pos, r.ID, "left out: with it there are more than %d patterns", maxTotal)
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
			c.fail(r.Rule, "remove one of them", "it can never match: trait %s is asked for and excluded", w.Traits&w.Without)
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
				c.fail(r, "use fewer braces", "with it there are more than %d patterns", maxTotal)
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
				c.fail(r, "write a name, or a glob such as mcp__*", "%q under when is no glob", g)
			}
		}
	}
}

// allow checks what only concerns allow rules, and reports whether the rule stays.
func (c *compiler) allow(r *compiled) bool {
	kept := r.match[:0]
	for _, a := range r.match {
		switch {
		case a.form == formRegex:
			c.fail(r.Rule, "allow the operations instead: exec(...), read(...)", "text proves nothing about what it does, so it cannot be allowed")
		case a.form == formTrait:
			c.fail(r.Rule, "allow a kind and name the trait under when", "a trait by itself cannot be allowed")
		case a.form == formAny && a.kinds&(1<<umpire.Exec|1<<umpire.Packages) != 0:
			c.warn(r.Pos, r.ID, "%s(*) left out: programs and packages are never allowed all at once; name them", bare(a.kinds))
			continue
		case a.form == formAny && a.kinds == 1<<umpire.Tool:
			c.warn(r.Pos, r.ID, "tool(*) left out: tools are never allowed all at once; name them")
			continue
		case a.form == formWords && a.kinds&(1<<umpire.Exec|1<<umpire.Packages) != 0 && strings.Trim(strings.Join(a.parts, ""), "*?") == "":
			c.warn(r.Pos, r.ID, "%s(%s) left out: programs and packages are never allowed all at once; name them", bare(a.kinds), strings.Join(a.parts, " "))
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
				if port == "" {
					port = m.port
				}
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

// write builds the blob.
func (c *compiler) write() (*Policy, error) {
	// The order of rules never matters, so it must not change the Hash either.
	slices.SortStableFunc(c.rules, func(a, b compiled) int { return cmp.Compare(a.ID, b.ID) })
	c.count()
	w := &writer{b: make([]byte, headerSize)}
	ruleAt := make([]uint32, len(c.rules))
	for i := range c.rules {
		body := &writer{}
		c.rules[i].encode(body)
		ruleAt[i] = w.record(ruleSeed|uint64(i), body.b)
		c.index(uint32(i), &c.rules[i])
	}
	lists := &writer{}
	c.lists(lists)
	listAt := w.record(listsSeed, lists.b)
	buckets := uint32(16)
	for int(buckets) < len(c.keys) {
		buckets *= 2
	}
	bucketAt := c.buckets(w, buckets)
	bucketTable := uint32(len(w.b))
	for _, at := range bucketAt {
		w.b = binary.LittleEndian.AppendUint32(w.b, at)
	}
	ruleTable := uint32(len(w.b))
	for _, at := range ruleAt {
		w.b = binary.LittleEndian.AppendUint32(w.b, at)
	}
	if len(w.b) > maxBlob {
		return nil, Errors{{Msg: "the rules are too large", Hint: "split patterns with many alternatives"}}
	}
	h := w.b[:headerSize]
	copy(h, magic)
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(h[at:], v) }
	put(atLength, uint32(len(w.b)))
	flags := uint32(c.src.Default)
	if c.src.AutoApprove {
		flags |= flagAutoApprove
	}
	if c.toolRules {
		flags |= flagToolRules
	}
	if len(c.trigrams) > 0 {
		flags |= flagTextRules
	}
	if c.src.Observe {
		flags |= flagObserve
	}
	if c.src.Judge.Ambiguous {
		flags |= flagAmbiguous
	}
	if c.src.CannotAsk == AskWait {
		flags |= flagWait
	}
	if c.src.Judge.Scope < scopeCount {
		flags |= uint32(c.src.Judge.Scope) << scopeShift
	}
	if c.src.ToolOutput < toolOutputCount {
		flags |= uint32(c.src.ToolOutput) << toolOutputShift
	}
	if c.src.Prompts {
		flags |= flagPrompts
	}
	put(atFlags, flags)
	put(atRules, uint32(len(c.rules)))
	put(atBuckets, buckets)
	put(atBucketAt, bucketTable)
	put(atRuleAt, ruleTable)
	put(atListAt, listAt)
	put(atAudit, uint32(c.src.Audit.MaxSize)|uint32(c.src.Audit.Keep)<<16)
	for k, m := range c.src.Modes {
		if k < umpire.Filesystem && m < modeCount {
			h[atModes+int(k)] = byte(m)
		}
	}
	if m := c.src.Modes[umpire.Filesystem]; m < modeCount && m != ModeUnset {
		for _, k := range []umpire.Kind{umpire.Write, umpire.Delete} {
			if h[atModes+int(k)] == 0 {
				h[atModes+int(k)] = byte(m)
			}
		}
	}
	digest := sha256.Sum256(w.b)
	copy(h[atDigest:], digest[:])
	binary.LittleEndian.PutUint64(h[atSum:], sum64(headerSeed, string(h[:atSum])))
	p, err := Open(string(w.b))
	if err != nil {
		return nil, err
	}
	p.warnings = c.warns
	return p, nil
}

func (c *compiler) lists(w *writer) {
	w.uint(uint64(len(c.hosts)))
	for _, e := range c.hosts {
		alts, _ := Pattern{umpire.Network, e.Host}.alternatives() // check parsed them
		w.b = append(w.b, byte(e.Layer))
		w.uint(uint64(len(alts)))
		for _, a := range alts {
			a.encode(w)
		}
	}
	w.uint(uint64(len(c.trigrams)))
	for _, t := range c.trigrams {
		w.b = binary.LittleEndian.AppendUint32(w.b, t.tri)
		w.b = binary.LittleEndian.AppendUint32(w.b, t.rule)
	}
}

func (c *compiler) buckets(w *writer, n uint32) []uint32 {
	byBucket := make([][]uint32, n)
	for k := range c.keys {
		byBucket[k&(n-1)] = append(byBucket[k&(n-1)], k)
	}
	out := make([]uint32, n)
	for i, keys := range byBucket {
		slices.Sort(keys)
		body := &writer{}
		for _, k := range keys {
			ids := slices.Compact(c.keys[k]) // rules are added in order
			list := &writer{}
			last := uint32(0)
			for _, id := range ids {
				list.uint(uint64(id - last))
				last = id
			}
			body.b = binary.LittleEndian.AppendUint32(body.b, k)
			body.string(string(list.b))
		}
		out[i] = w.record(listBucket|uint64(i), body.b)
	}
	return out
}

// encode writes the rule as rule.decode reads it.
func (r *compiled) encode(w *writer) {
	flags := byte(r.Effect)
	for i, on := range []bool{r.Certain, r.Locked, r.Observe, r.When.Traits&umpire.Inert != 0} {
		if on {
			flags |= 4 << i
		}
	}
	w.b = append(w.b, flags, byte(r.Layer))
	tainted := byte(0)
	if t := r.When.Tainted; t != nil {
		tainted = 1
		if *t {
			tainted = 2
		}
	}
	w.uint(uint64(r.When.Traits))
	w.uint(uint64(r.When.Without))
	w.b = append(w.b, tainted)
	for _, list := range [][]string{r.When.Platforms, r.When.Tools, r.When.Agents} {
		w.strings(list)
	}
	for _, alts := range [][]alt{r.match, r.unless} {
		w.uint(uint64(len(alts)))
		for i := range alts {
			alts[i].encode(w)
		}
	}
	for _, s := range []string{r.ID, r.Title, r.Reason, r.Suggest, r.Pack, r.Pos.File} {
		w.string(s)
	}
	w.uint(uint64(max(r.Pos.Line, 0)))
	w.uint(uint64(max(r.Pos.Col, 0)))
	for _, ps := range [][]Pattern{r.Match, r.Unless} {
		w.uint(uint64(len(ps)))
		for _, p := range ps {
			w.b = append(w.b, byte(p.Kind))
			w.string(p.Text)
		}
	}
}

func (a *alt) encode(w *writer) {
	w.b = append(w.b, byte(a.form))
	w.uint(uint64(a.kinds))
	switch a.form {
	case formPath:
		w.b = append(w.b, byte(a.anchor))
		w.string(strings.Join(a.parts, "/"))
	case formPlace, formTrait:
		w.uint(a.with)
		w.uint(a.without)
	case formHost, formNet:
		for _, s := range []string{a.method, a.host, a.port, a.path} {
			w.string(s)
		}
		if a.form == formNet {
			w.string(string(a.net.Addr().AsSlice()))
			w.uint(uint64(a.net.Bits()))
		}
	case formWords:
		open := byte(0)
		if a.open {
			open = 1
		}
		w.b = append(w.b, open)
		w.strings(a.parts)
	case formGlob, formRegex:
		w.string(a.text)
	}
}

// Bounds of what the index tells apart. Paths and names come from the agent, and
// looking up every start of one takes time that grows with its square.
const (
	maxIndexed     = 64  // segments of a path
	maxIndexedName = 256 // bytes of a host or tool
)

// The spaces of the index.
const (
	keyAll      uint8 = iota // looked at for every operation of the kind
	keyHole                  // where the resource's first part is unknown
	keyHoleWord              // where a later word is unknown, by the first word
	keyTrait                 // by a trait the rule asks for
	keyPlace                 // by a place
	keyWord                  // by the first word
	keyWords                 // by the first and another word
	keyAnyWord               // by a word anywhere
	keyHost                  // by the host
	keyDomain                // by a domain the host is below
	keyOctet                 // by the first byte of the address
	keyPath                  // by the fixed start of a path
	keyBase                  // by the last segment of a path
	keyBaseTree              // likewise, by the fixed start, for whole trees and globs
	keyBelow                 // by every folder above the fixed start
	keyTool                  // by the tool's name
	keyToolHead              // by the start of the tool's name
)

func (c *compiler) add(rule uint32, space, kind uint8, a, b string) {
	k := keyHash(space, kind, a, b)
	if ids := c.keys[k]; len(ids) > 0 && ids[len(ids)-1] == rule {
		return
	}
	c.keys[k] = append(c.keys[k], rule)
}

// count learns how often words and traits occur, so that index can choose the rarest.
func (c *compiler) count() {
	c.wordUse = map[uint32]int{}
	for _, r := range c.rules {
		for b := uint64(r.When.Traits); b != 0; b &= b - 1 {
			c.traitUse[bits.TrailingZeros64(b)]++
		}
		for i := range r.match {
			if a := &r.match[i]; a.form == formWords {
				for _, p := range a.parts {
					if w, ok := literal(p); ok {
						c.wordUse[keyHash(keyWords, uint8(bare(a.kinds)), "", w)]++
					}
				}
			}
		}
	}
}

// index enters a rule under keys such that every operation it could speak about looks
// up at least one of them.
func (c *compiler) index(id uint32, r *compiled) {
	for i := range r.match {
		a := &r.match[i]
		if a.form == formRegex {
			c.trigrams = append(c.trigrams, trigramRule{requiredTrigram(a.text), id})
			continue
		}
		if a.kinds&(1<<umpire.Tool) != 0 && a.form != formTrait {
			c.toolRules = true
		}
		if a.form == formAny || a.form == formTrait {
			traits := uint64(r.When.Traits)
			if a.form == formTrait {
				traits |= a.with
			}
			if traits != 0 {
				c.add(id, keyTrait, c.rarest(traits), "", "")
				continue
			}
		}
		for k := umpire.Exec; k < umpire.Filesystem; k++ {
			if a.kinds&(1<<k) != 0 {
				c.indexKind(id, r, a, uint8(k))
			}
		}
	}
}

func (c *compiler) rarest(traits uint64) uint8 {
	best := uint8(bits.TrailingZeros64(traits))
	for b := traits; b != 0; b &= b - 1 {
		if i := uint8(bits.TrailingZeros64(b)); c.traitUse[i] < c.traitUse[best] {
			best = i
		}
	}
	return best
}

func (c *compiler) indexKind(id uint32, r *compiled, a *alt, k uint8) {
	if !r.Certain && a.form != formPath && a.form != formAny { // paths have keys for this
		c.add(id, keyHole, k, "", "")
	}
	switch a.form {
	case formPlace:
		c.add(id, keyPlace, uint8(63-bits.LeadingZeros64(a.with)), "", "")
	case formPath:
		c.indexPath(id, a, k)
	case formHost:
		host := strings.ToLower(a.host)
		if lit, ok := literal(host); ok {
			c.add(id, keyHost, k, lit, "")
			return
		}
		if lit, ok := literal(strings.TrimPrefix(host, "*.")); ok && len(lit) < len(host) {
			c.add(id, keyDomain, k, lit, "")
			return
		}
		c.add(id, keyAll, k, "", "")
	case formNet:
		if a.net.Addr().Is4() && a.net.Bits() >= 8 {
			c.add(id, keyOctet, k, octet(a.net.Addr()), "")
			return
		}
		c.add(id, keyAll, k, "", "")
	case formWords:
		c.indexWords(id, r, a, k)
	case formGlob:
		if umpire.Kind(k) != umpire.Tool {
			c.add(id, keyAll, k, "", "")
			return
		}
		if lit, ok := literal(a.text); ok {
			c.add(id, keyTool, k, lit, "")
			return
		}
		head := a.text[:min(strings.IndexAny(a.text, `*?[\`), maxIndexedName)]
		if i := strings.LastIndex(head, "__"); i > 0 {
			c.add(id, keyToolHead, k, head[:i], "")
			return
		}
		c.add(id, keyAll, k, "", "")
	default:
		c.add(id, keyAll, k, "", "")
	}
}

func octet(a netip.Addr) string {
	b := a.As4()
	return string(b[:1])
}

func (c *compiler) indexWords(id uint32, r *compiled, a *alt, k uint8) {
	first := ""
	if !strings.HasPrefix(a.parts[0], "-") {
		first, _ = literal(a.parts[0])
	}
	if !r.Certain {
		c.add(id, keyHoleWord, k, first, "")
	}
	rare, uses := "", -1
	for i, p := range a.parts {
		w, ok := literal(p)
		if !ok || w == "" || i == 0 && first != "" {
			continue
		}
		if n := c.wordUse[keyHash(keyWords, k, "", w)]; uses < 0 || n < uses {
			rare, uses = w, n
		}
	}
	switch {
	case first != "" && rare != "":
		c.add(id, keyWords, k, first, rare)
	case first != "":
		c.add(id, keyWord, k, first, "")
	case rare != "":
		c.add(id, keyAnyWord, k, rare, "")
	default:
		c.add(id, keyAll, k, "", "")
	}
}

// indexPath enters a path pattern under the start of it that has no glob characters,
// or its last segment if there is hardly such a start.
func (c *compiler) indexPath(id uint32, a *alt, k uint8) {
	var fixed []string
	for _, p := range a.parts {
		lit, ok := literal(p)
		if !ok || len(fixed) == maxIndexed {
			break
		}
		fixed = append(fixed, lit)
	}
	prefix := strings.Join(fixed, "/")
	anchor := anchorName(a.anchor)
	base, ok := "", false
	if n := len(a.parts); n > len(fixed) && len(fixed) < 1 {
		base, ok = literal(a.parts[n-1])
	}
	if ok {
		c.add(id, keyBase, k, base, "")
		c.add(id, keyBaseTree, k, anchor, prefix)
	} else {
		c.add(id, keyPath, k, anchor, prefix)
	}
	for i := len(fixed); i >= 0; i-- {
		c.add(id, keyBelow, k, anchor, strings.Join(fixed[:i], "/"))
	}
}

func anchorName(a anchor) string {
	switch a {
	case anchorHome:
		return "~"
	case anchorWorkspace:
		return "."
	}
	return "/"
}

const anyTrigram = 1 << 24

// requiredTrigram returns three bytes that every match of a regexp contains, in lower
// case, or anyTrigram if none are sure.
func requiredTrigram(re string) uint32 {
	parsed, err := syntax.Parse(re, syntax.Perl)
	if err != nil {
		return anyTrigram
	}
	lit := requiredLiteral(parsed.Simplify())
	sort.Slice(lit, func(i, j int) bool { return len(lit[i]) > len(lit[j]) })
	if len(lit) == 0 || len(lit[0]) < 3 {
		return anyTrigram
	}
	s := lit[0]
	// Three bytes from the middle: the ends of words are what words share.
	i := (len(s) - 3) / 2
	return uint32(s[i])<<16 | uint32(s[i+1])<<8 | uint32(s[i+2])
}

// requiredLiteral returns strings that every match contains, in lower case. Letters
// that fold to something outside ASCII end a string: (?i)k also matches the Kelvin sign.
func requiredLiteral(re *syntax.Regexp) (out []string) {
	switch re.Op {
	case syntax.OpLiteral:
		var b strings.Builder
		for _, r := range re.Rune {
			if r >= 0x80 || re.Flags&syntax.FoldCase != 0 && (lower(r) == 'k' || lower(r) == 's') {
				out = append(out, b.String())
				b.Reset()
				continue
			}
			b.WriteByte(byte(lower(r)))
		}
		return append(out, b.String())
	case syntax.OpConcat:
		for _, s := range re.Sub {
			out = append(out, requiredLiteral(s)...)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiteral(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredLiteral(re.Sub[0])
		}
	}
	return out
}
