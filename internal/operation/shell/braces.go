package shell

import (
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// braces expands {a,b} and {1..3}; larger ones stay unexpanded.
func braces(w *syntax.Word) []*syntax.Word {
	has := false
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "{") {
			has = true
		}
	}
	if !has {
		return []*syntax.Word{w}
	}
	c := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(c) {
		return []*syntax.Word{w}
	}
	out := expandBraces(c.Parts)
	if len(out) > 256 {
		return []*syntax.Word{w}
	}
	return out
}

// expandBraces expands the first brace expression in a word, and then those in the results.
func expandBraces(parts []syntax.WordPart) []*syntax.Word {
	for i, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		var mids [][]syntax.WordPart
		if b.Sequence {
			for _, s := range sequence(b.Elems) {
				mids = append(mids, []syntax.WordPart{&syntax.Lit{Value: s}})
			}
		} else {
			for _, e := range b.Elems {
				for _, x := range expandBraces(e.Parts) {
					mids = append(mids, x.Parts)
				}
			}
		}
		rest := expandBraces(parts[i+1:])
		var out []*syntax.Word
		for _, m := range mids {
			for _, r := range rest {
				ps := append([]syntax.WordPart(nil), parts[:i]...)
				ps = append(append(ps, m...), r.Parts...)
				out = append(out, &syntax.Word{Parts: ps})
				if len(out) > 256 { // {1..9}{1..9}{1..9}... grows without bound
					return out
				}
			}
		}
		return out
	}
	return []*syntax.Word{{Parts: parts}}
}

func sequence(elems []*syntax.Word) (out []string) {
	if len(elems) < 2 {
		return nil
	}
	a, b := elems[0].Lit(), elems[1].Lit()
	step := 1
	if len(elems) > 2 {
		if n, err := strconv.Atoi(elems[2].Lit()); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	x, e1 := strconv.Atoi(a)
	y, e2 := strconv.Atoi(b)
	char := e1 != nil || e2 != nil
	if char {
		if len(a) != 1 || len(b) != 1 {
			return nil
		}
		x, y = int(a[0]), int(b[0])
	}
	width := 0 // {01..10} keeps its zeros
	if s := strings.TrimLeft(a, "-"); len(s) > 1 && s[0] == '0' {
		width = max(len(a), len(b))
	}
	if s := strings.TrimLeft(b, "-"); len(s) > 1 && s[0] == '0' {
		width = max(len(a), len(b))
	}
	for n := 0; n < 256; n++ {
		if char {
			out = append(out, string(rune(x)))
		} else {
			out = append(out, fmt.Sprintf("%0*d", width, x))
		}
		if x < y {
			if x += step; x > y {
				break
			}
		} else if x > y {
			if x -= step; x < y {
				break
			}
		} else {
			break
		}
	}
	return out
}
