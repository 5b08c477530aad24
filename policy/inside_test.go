package policy

import (
	"fmt"
	"strings"
	"testing"
)

// The checksum is part of the format: policies that an earlier umpire compiled must stay valid.
// The values are those of an implementation in another language.
func TestChecksum(t *testing.T) {
	for _, tt := range []struct {
		seed uint64
		text string
		want uint64
	}{
		{0, "", 0},
		{listBucket, "", 0x7f4a7c1500000000},
		{0, "umpire", 0x2b8f6a0194abd822},
		{0, "umpirep\x01", 0x3f4bdfdad0c870fb},
		{7, "a policy is read anew", 0xab127344ff1f8fe9},
	} {
		if got := sum64(tt.seed, tt.text); got != tt.want {
			t.Errorf("sum64(%d, %q) = %#x, want %#x", tt.seed, tt.text, got, tt.want)
		}
	}
	// Damage shows, also in two places that could cancel each other, and at a length that changed.
	text := strings.Repeat("0123456789", 5)
	whole := sum64(1, text)
	for i := range len(text) {
		for bit := range 8 {
			one := []byte(text)
			one[i] ^= 1 << bit
			if sum64(1, string(one)) == whole {
				t.Errorf("bit %d of byte %d: the checksum did not change, want that it does", bit, i)
			}
			if i+8 < len(text) {
				one[i+8] ^= 1 << bit
				if sum64(1, string(one)) == whole {
					t.Errorf("bit %d of the bytes %d and %d: the checksum did not change, want that it does", bit, i, i+8)
				}
			}
		}
		if sum64(1, text[:i]) == whole || sum64(1, text[:i]) == sum64(1, text[:i]+"\x00") {
			t.Errorf("%d bytes have the checksum of another length, want their own", i)
		}
	}
}

func TestInside(t *testing.T) {
	for in, want := range map[string]string{
		"network(a.example)":                 "[]",
		"network(a.example:443)":             "[]",
		"network(*)":                         "[]",
		"network(10.0.0.0/8)":                "[]",
		"read(/a/b)":                         "[]",
		"network(GET a.example)":             "[network(a.example)]",
		"network(* a.example)":               "[]",
		"network(a.example/x/*)":             "[network(a.example)]",
		"network(POST *.example.com:8443/x)": "[network(*.example.com:8443)]",
		"network(DELETE *)":                  "[network(*)]",
		"network(GET {a,b}.example/{x,y})":   "[network(a.example) network(a.example) network(b.example) network(b.example)]",
		"network({a.example/x,b.example})":   "[network(a.example)]",
		"network({GET,HEAD} a.example:*)":    "[network(a.example:*) network(a.example:*)]",
		"network(PUT 10.0.0.0/8)":            "[network(10.0.0.0/8)]",
		"network(PUT 10.1.2.3:8080/x)":       "[network(10.1.2.3:8080)]",
		"network(PUT [2001:db8::1]:8080/x)":  "[network([2001:db8::1]:8080)]",
	} {
		hosts := MustParse(in).Inside()
		if got := fmt.Sprint(hosts); got != want && !(want == "[]" && len(hosts) == 0) {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
		for _, h := range hosts {
			if _, err := ParsePattern(h.String()); err != nil {
				t.Errorf("%s: error %v, want a pattern that can be parsed", in, err)
			}
		}
	}
}
