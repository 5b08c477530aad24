package policy

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

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
	programs := uint32(0)
	if c.src.Programs != "" {
		programs = w.record(programSeed, []byte(c.src.Programs))
	}
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
	put(atFlags, c.flags())
	put(atRules, uint32(len(c.rules)))
	put(atBuckets, buckets)
	put(atBucketAt, bucketTable)
	put(atRuleAt, ruleTable)
	put(atListAt, listAt)
	put(atPrograms, programs)
	put(atAudit, uint32(c.src.Audit.MaxSize)|uint32(c.src.Audit.Keep)<<16)
	c.modes(h[atModes:])
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

// flags packs the settings that have few values.
func (c *compiler) flags() uint32 {
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
	if c.src.AskFirst {
		flags |= flagAskFirst
	}
	return flags
}

// modes writes the mode of each kind. Write and delete inherit the mode of filesystem if they have
// none.
func (c *compiler) modes(to []byte) {
	for k, m := range c.src.Modes {
		if k < umpire.Filesystem && m < modeCount {
			to[k] = byte(m)
		}
	}
	if m := c.src.Modes[umpire.Filesystem]; m < modeCount && m != ModeUnset {
		for _, k := range []umpire.Kind{umpire.Write, umpire.Delete} {
			if to[k] == 0 {
				to[k] = byte(m)
			}
		}
	}
}

func (c *compiler) lists(w *writer) {
	w.uint(uint64(len(c.hosts)))
	for _, e := range c.hosts {
		alts, _ := Pattern{umpire.Network, e.Host}.alternatives() // already parsed by check
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
	for i, on := range []bool{r.Certain, r.Locked, r.Observe, r.When.Traits&umpire.Inert != 0, r.standIn()} {
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
