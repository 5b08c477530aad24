package policy

import (
	"math/bits"
	"net/netip"
	"regexp/syntax"
	"sort"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Bounds of the index. Paths and names come from the agent, and looking up every prefix of one
// takes quadratic time.
const (
	maxIndexed     = 64  // segments of a path
	maxIndexedName = 256 // bytes of a host or tool
)

// The key spaces of the index.
const (
	keyAll      uint8 = iota // checked for every operation of the kind
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

// count counts words and traits, so that index can choose the rarest.
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

// index enters a rule under keys so that each operation that it may match looks up at least one of
// them.
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
	if !r.Certain && a.form != formPath && a.form != formAny { // paths have separate keys for this
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
	if kind := umpire.Kind(k); (kind == umpire.Packages || kind == umpire.Git) && (r.Effect != umpire.Allow || len(a.parts) == 1) {
		c.indexNamed(id, a, k)
		if kind == umpire.Git && len(a.parts) == 1 && !r.Certain { // a push that names no branch
			c.add(id, keyHoleWord, k, "push", "")
		}
	}
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
		if !ok || w == "" || i == 0 && first != "" || r.Effect != umpire.Allow && inOtherWord(a.parts, i) {
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

// inOtherWord reports whether the i-th word of a deny or ask pattern may match a part of a word, or
// several: -rf matches -r -f, and -o x matches -ox.
func inOtherWord(pattern []string, i int) bool {
	return isCluster(pattern[i]) || len(pattern[i]) == 2 && hasValue(pattern, i) || i > 0 && hasValue(pattern, i-1)
}

// indexNamed enters a rule under the name of a package or a branch. matchNamed accepts several
// spellings of it.
func (c *compiler) indexNamed(id uint32, a *alt, k uint8) {
	words := operands(nil, a.parts)
	at := 2 // after the manager and its verb, or the remote
	if len(words) == 1 {
		at = 0
	}
	if at >= len(words) || at == 0 && a.open {
		return
	}
	if lit, ok := literal(words[at]); ok {
		c.add(id, keyAnyWord, k, sameLetters("pip", lit), "name")
		return
	}
	c.add(id, keyAll, k, "", "")
}

// indexPath enters a path pattern under its prefix without glob characters, or under its last
// segment if the prefix is too short.
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

// requiredTrigram returns three bytes that every match of a regexp contains, in lower case, or
// anyTrigram if there are none.
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
	// Take three bytes from the middle: many words share their ends.
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
