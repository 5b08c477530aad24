package policyfile

import (
	"testing"

	"github.com/umpire-dev/umpire/policy"
)

func TestNeverMatches(t *testing.T) {
	for text, never := range map[string]bool{
		"network(a..b)": true, "network(.x.test)": true, "network(x.test:99999)": true, "network(GET x.test:0/a)": true, "packages(nmp install x)": true,
		"network(*)": false, "network(*.x.test)": false, "network(x.test:*)": false, "network(x.test:443)": false, "network(GET x.test/a..b/c)": false,
		"network([::1]:80)": false, "network(fe80::1)": false, "network(10.0.0.0/8)": false, "network({a,b}:80)": false, "packages(npm install x)": false, "packages(x)": false,
	} {
		p, err := policy.ParsePattern(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if why := (&Loaded{}).NeverMatches(p); (why != "") != never {
			t.Errorf("%s: %q", text, why)
		}
	}
}
