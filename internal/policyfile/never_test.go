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
		"packages(--index-url=x)": true, "packages(-g)": true, "packages(yarn add x)": true, "packages(npm i *)": true, "packages(npm uninstall x)": true, "packages(go get x)": true,
		"packages(npm install -g *)": true, "packages(pip install --index-url=x *)": true,
		"packages(* add x)": false, "packages(npm {i,install} x)": false, "packages(apk install x)": false, "packages(npm remove x)": false, "packages(go install x)": false,
		"packages(conda remove --all)": false, "packages(cargo unpublish *)": false, "packages(@scope/*)": false, "packages(npm publish)": false,
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
