package relay

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestLooksHTTP(t *testing.T) {
	type answer struct{ looks, sure bool }
	yes, no, open := answer{true, true}, answer{false, true}, answer{false, false}
	for in, want := range map[string]answer{
		"GET / HTTP/1.1\r\n": yes, "PROPFIND /x": yes, "PUT ": yes, "\r\nGET / HTTP/1.1": yes, "\n\n\r\nPOST\t/x": yes, strings.Repeat("\r\n", 32) + "GET ": yes,
		"": no, "get / HTTP/1.1": no, "EHLO-x ": no, "A b": no, "\x16\x03\x01": no, "SSH-2.0-x\r\n": no, " GET /": no, "PING\r\n": no,
		strings.Repeat("A", 30) + " ": no, strings.Repeat("\n", 100) + "GET ": no,
		"GET": open, "\r\n": open, "\r\nG": open,
	} {
		r := bufio.NewReader(strings.NewReader(in))
		if looks, sure := LooksHTTP(r); want != (answer{looks, sure}) {
			t.Errorf("%q: %v %v", in, looks, sure)
		}
		if left, err := io.ReadAll(r); err != nil || string(left) != in {
			t.Errorf("%q: %q is left, %v", in, left, err)
		}
	}
}
