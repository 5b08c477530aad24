package relay

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestLooksHTTP(t *testing.T) {
	for in, want := range map[string]bool{
		"GET / HTTP/1.1\r\n": true, "PROPFIND /x": true, "PUT ": true,
		"": false, "GET": false, "get / HTTP/1.1": false, "EHLO-x ": false, "A b": false, "\x16\x03\x01": false, "SSH-2.0-x\r\n": false,
		strings.Repeat("A", 30) + " ": false,
	} {
		r := bufio.NewReader(strings.NewReader(in))
		if got := LooksHTTP(r); got != want {
			t.Errorf("%q: %v", in, got)
		}
		if left, err := io.ReadAll(r); err != nil || string(left) != in {
			t.Errorf("%q: %q is left, %v", in, left, err)
		}
	}
}
