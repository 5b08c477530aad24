package policy

import (
	"cmp"
	"math/bits"
	"strings"

	"github.com/umpire-dev/umpire"
)

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

// prepare derives the values that patterns are matched against.
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

// find returns the candidate rules for an operation: by its keys, a superset of those that match.
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
		hole := d.findNamed(v.words, k)
		d.findWords(v.words, k, hole)
		d.findWords(op.Spelled, k, false)
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
		// Only the folder before the first unknown part is known.
		whole = true
		i := strings.IndexAny(path, `*?[\`)
		if h := strings.Index(path, umpire.Hole); h >= 0 && (i < 0 || h < i) {
			i = h
		}
		path = path[:max(strings.LastIndexByte(path[:i], '/'), 0)]
		if v.hole && strings.HasPrefix(v.path, umpire.Hole) {
			d.lookup(keyHole, k, "", "")
		}
		path = cmp.Or(path, "/")
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

// indexed returns the end of the last path segment that the index covers.
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
	d.lookup(keyDomain, k, t.host, "")
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
	if strings.Contains(name, umpire.Hole) { // a server without a name from the client
		d.lookup(keyHole, k, "", "")
	}
	d.lookup(keyTool, k, name, "")
	for i := 1; i+1 < len(name) && i < maxIndexedName; i++ {
		if name[i] == '_' && name[i+1] == '_' {
			d.lookup(keyToolHead, k, name[:i], "")
		}
	}
}

// findNamed returns the rules about the named packages and branches. It reports whether a branch
// stays unnamed.
func (d *decision) findNamed(words []string, k uint8) (unnamed bool) {
	switch kind := umpire.Kind(k); {
	case kind == umpire.Packages && len(words) > 2:
		for _, w := range words[2:] {
			packageNames(words[0], w, func(name string) { d.lookupName(k, name) })
		}
	case kind == umpire.Git && len(words) > 0 && words[0] == "push":
		branches(words, func(b string) {
			unnamed = unnamed || b == umpire.Hole
			d.lookupName(k, b)
		})
	}
	return unnamed
}

// lookupName returns the rules about a package or a branch. The key uses the spelling rules of the
// most lenient registry.
func (d *decision) lookupName(k uint8, name string) {
	d.lookup(keyAnyWord, k, sameLetters("pip", name), "name")
}

// findWords returns the rules about the words. hole says that one of them is not known.
func (d *decision) findWords(words []string, k uint8, hole bool) {
	first := ""
	for i, w := range words {
		if spread(w) {
			hole = true
			if i == 0 {
				d.lookup(keyHole, k, "", "")
				return
			}
			// The text before the hole is still a name: --force=<hole>.
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
