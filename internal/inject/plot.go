package inject

import "bytes"

// does is the set of concepts of what an agent can do with a tool.
const does = 1<<Send | 1<<Exec | 1<<Order | 1<<Override | 1<<Reveal

// plot returns how much more a part of an output looks planted than its words do. Data has no
// reason to say what the programs that read it must do, what comes before their work continues, or
// that nobody needs to know. Texts for people contain each of these too, so only two of them
// together with an order count.
func (r *reader) plot() float64 {
	var here uint32 // unquoted concepts
	orders := 0     // at the beginning of a clause
	duty := false   // "AI tools must run ..."
	b := r.f.b
	ms := r.mentions
	for i := range ms {
		m := &ms[i]
		if m.quoted {
			continue
		}
		here |= bit(m.concept)
		if does&bit(m.concept) != 0 && head(b, int(m.start)) {
			orders++
		}
		if (m.concept == Machine || m.concept == Reader) && !duty && m.from < 80 && !tool(lastWord(b[:m.start])) {
			duty = r.duty(i)
		}
	}
	acts := here&does != 0
	if address(b) {
		here |= bit(Target)
	}
	sum := 0.0
	has := func(c Concept) bool { return here&bit(c) != 0 }
	told := has(Target) || has(Hide) || has(Chain)
	if duty && acts && (told || has(Machine)) {
		sum += plotDuty
		if !r.called && told {
			sum += plotPart
		}
	}
	if orders > 0 {
		n := 0
		for _, c := range [...]Concept{Target, Hide, Chain, Authority, New, Machine, Work} {
			if has(c) {
				n++
			}
		}
		if n >= 2 {
			sum += plotPart * float64(min(n-1, 3))
		}
	}
	return min(sum, plotMost)
}

// address reports whether b contains an email address.
func address(b []byte) bool {
	i := bytes.IndexByte(b, '@')
	if i <= 0 || i+2 >= len(b) || b[i-1] == ' ' {
		return false
	}
	end := bytes.IndexAny(b[i:], " ,;>)")
	if end < 0 {
		end = len(b) - i
	}
	return bytes.IndexByte(b[i:i+end], '.') > 0
}

// duty reports whether the machine of the ith mention has to do something.
func (r *reader) duty(i int) bool {
	ms := r.mentions
	for j := i + 1; j < len(ms) && ms[j].from-ms[i].to < 80; j++ {
		if ms[j].concept != Modal || ms[j].quoted {
			continue
		}
		for k := range ms { // in some languages the verb comes before
			if d := ms[k].from - ms[j].to; does&bit(ms[k].concept) != 0 && d > -60 && d < 60 && ms[k].start >= ms[i].end {
				return true
			}
		}
	}
	return false
}

// The weights of a duty and of each further sign, and the limit of their sum.
const (
	plotDuty = 2
	plotPart = 1.2
	plotMost = 5
)
