package relay

import "bufio"

// Bounds of what LooksHTTP reads.
const (
	maxBlank  = 64 // line breaks, which servers skip before a request
	maxMethod = 20
)

// LooksHTTP reports whether the stream begins with the method of a request, after optional line
// breaks. sure is false if the stream pauses or ends too early. It consumes nothing.
func LooksHTTP(r *bufio.Reader) (looks, sure bool) {
	letters := 0
	for n := 1; n <= maxBlank+maxMethod; n++ {
		b, err := r.Peek(n)
		if err != nil {
			return false, n == 1
		}
		switch c := b[n-1]; {
		case letters == 0 && (c == '\r' || c == '\n') && n <= maxBlank:
		case c == ' ' || c == '\t':
			return letters > 2, true
		case c >= 'A' && c <= 'Z' && letters < maxMethod:
			letters++
		default:
			return false, true
		}
	}
	return false, true
}
