package policy

import (
	"fmt"
	"testing"
)

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
				t.Errorf("%s: %v", in, err)
			}
		}
	}
}
