package relay

import "bufio"

// LooksHTTP reports whether what comes begins with the method of a request. None of it is taken.
func LooksHTTP(r *bufio.Reader) bool {
	for n := 1; n <= 20; n++ {
		b, err := r.Peek(n)
		if err != nil {
			return false
		}
		switch c := b[n-1]; {
		case c == ' ':
			return n > 3
		case c < 'A' || c > 'Z':
			return false
		}
	}
	return false
}
