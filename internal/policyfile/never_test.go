package policyfile

import (
	"testing"

	"github.com/umpire-dev/umpire/policy"
)

func TestNeverMatches(t *testing.T) {
	for text, never := range map[string]bool{
		"network(a..b)": true, "network(.x.test)": true, "network(x.test:99999)": true, "network(GET x.test:0/a)": true, "packages(nmp install x)": true,
		"network(GET)": true, "network(CONNECT x.test:443)": true, "network(CONNECT *)": true, "network(GET *)": false, "network(get.test)": false,
		"git(origin main)": true, "git(frob *)": true, "git(push origin main)": false, "git(push main)": false, "git(main)": false, "git(* main)": false, "git(commit -m *)": false,
		"network(*)": false, "network(*.x.test)": false, "network(x.test:*)": false, "network(x.test:443)": false, "network(GET x.test/a..b/c)": false,
		"network([::1]:80)": false, "network(fe80::1)": false, "network(10.0.0.0/8)": false, "network({a,b}:80)": false, "packages(npm install x)": false, "packages(x)": false,
		"packages(--index-url=x)": true, "packages(-g)": true, "packages(yarn add x)": true, "packages(npm i *)": true, "packages(npm uninstall x)": true, "packages(go get x)": true,
		"packages(npm install -g *)": true, "packages(pip install --index-url=x *)": true,
		"packages(* add x)": false, "packages(npm {i,install} x)": false, "packages(apk install x)": false, "packages(npm remove x)": false, "packages(go install x)": false,
		"packages(npm left-pad)": true, "packages(pip requests)": true, "packages(install left-pad)": true, "packages(bun install x)": true, "packages(npm team x)": false,
		"exec(make a && make b)": true, "exec(make a | tee *)": true, "exec(make > log)": true, "exec(CC=cc make)": true, "exec(/usr/bin/make *)": true, "exec(bin/frob x)": true,
		"exec(~/bin/frob)": true, `exec("my prog" x)`: true, "exec($(frob))": true, "exec(frob &)": true, "exec(! frob)": true,
		"exec(make a)": false, "exec(./bin/frob x)": false, "exec(/opt/x/frob *)": false, "exec(frob --a=b)": false, "exec(frob 'a b')": false, "exec(cd x)": false, "exec(echo a && echo b)": false,
		"exec(LD_PRELOAD=./x.so)": false, "exec(sudo ls /)": false, "exec(git commit -m 'a; b' *)": false, "exec(sh -c *)": false, "exec(*/frob)": false, "exec(docker run a/b:1)": false, "exec(curl https://a.test/b)": false,
		"network(GET x.test/a?b=1)": true, "network(x.test/?.html)": false, "packages(conda remove --all)": false, "packages(cargo unpublish *)": false, "packages(@scope/*)": false, "packages(npm publish)": false,
	} {
		p, err := policy.ParsePattern(text)
		if err != nil {
			t.Errorf("%s: error %v, want a pattern", text, err)
			continue
		}
		if why := (&Loaded{}).NeverMatches(p); (why != "") != never {
			t.Errorf("%s: never matches because of %q, want a reason: %t", text, why, never)
		}
	}
}
