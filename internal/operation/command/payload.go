package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// keyShapes are the beginnings of live keys, and how many characters follow at least.
var keyShapes = [...]struct {
	prefix string
	n      int
}{
	{"ghp_", 30}, {"gho_", 30}, {"ghu_", 30}, {"ghs_", 30}, {"github_pat_", 30}, {"glpat-", 18}, {"AKIA", 16}, {"ASIA", 16}, {"sk_live_", 16}, {"rk_live_", 16},
	{"sk-ant-", 20}, {"sk-proj-", 20}, {"xoxb-", 20}, {"xoxp-", 20}, {"xoxa-", 20}, {"AIza", 35}, {"npm_", 36}, {"hf_", 30}, {"dop_v1_", 60}, {"SG.", 40}, {"pypi-AgE", 30}, {"-----BEGIN ", 4}, {"eyJhbGciOi", 30}, {"shpat_", 30},
}

// SecretShaped reports whether a text contains something with the shape of a live key.
func SecretShaped(s string) bool {
	if len(s) < 16 {
		return false
	}
	for _, k := range keyShapes {
		for rest := s; ; {
			i := strings.Index(rest, k.prefix)
			if i < 0 {
				break
			}
			rest = rest[i+len(k.prefix):]
			n := 0
			for n < len(rest) && (rest[n] == '_' || rest[n] == '-' || rest[n] == '.' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || rest[n] >= '0' && rest[n] <= '9') {
				n++
			}
			if n >= k.n {
				return true
			}
		}
	}
	return false
}

// payload collects the data that a program sends.
type payload struct {
	text  strings.Builder
	taint Taint
	any   bool
	file  bool // comes from a file, standard input or an unknown place
}

func (p *payload) literal(w Word) {
	p.any = true
	p.taint |= w.Taint
	p.text.WriteString(w.Text)
}

// from adds a file's content; "-" is standard input.
func (p *payload) from(c *Call, w Word) {
	p.any = true
	if w.Text == "-" || w.Text == "." || w.Text == "/dev/stdin" {
		p.stream(c.Stdin)
		return
	}
	p.file = true
	place := c.ReadFile(w)
	s := c.File(w)
	p.taint |= s.Taint | w.Taint | placeTaint(place)
	if s.Seen {
		p.text.WriteString(s.Text)
	}
}

func (p *payload) stream(s Stream) {
	p.any = true
	p.taint |= s.Taint
	if s.Seen {
		p.text.WriteString(s.Text)
	} else {
		p.file = true
	}
}

func (p *payload) traits() umpire.Trait {
	if p.file {
		return umpire.Upload
	}
	return 0
}
