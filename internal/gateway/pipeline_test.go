package gateway

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/taint"
)

func TestPipeline(t *testing.T) {
	w := newWorld(t, `
allowedEndpoints: [listed.example]
modes: {network: approve-each, filesystem: allow-all, git: deny-all, exec: allow-all}
rules:
  - deny: network(*.bad.example)
  - allow: network(good.example)
  - allow: exec(make test)
  - deny: filesystem(secrets/**)
`)
	type meta = map[string]any
	for _, tt := range []struct {
		category, action string
		meta             meta
		want             string
	}{
		{"network", "CONNECT listed.example:443", nil, "approved"},
		{"network", "CONNECT good.example:443", nil, "approved"},
		{"network", "GET https://GOOD.example./path?q=1", nil, "approved"},
		{"network", "CONNECT x.bad.example:443", nil, "denied"},
		{"network", "CONNECT X.BAD.EXAMPLE.:443", nil, "denied"},
		{"network", "CONNECT new.example:443", nil, "pending"},
		{"filesystem", "Write a.txt", meta{"toolName": "Write", "targetFile": "a.txt", "writeContent": "x"}, "approved"},
		{"filesystem", "Write secrets/a", meta{"toolName": "Write", "targetFile": "./x/../secrets/a", "writeContent": "x"}, "denied"},
		{"git", "push feature/x", nil, "denied"},
		{"exec", "make test", nil, "approved"},
		{"exec", "make deploy", nil, "pending"}, // hardened: its mode lets nothing through
		{"exec", "rm -rf ~", nil, "denied"},     // a built-in rule
		{"packages", "", meta{"manager": "npm", "packages": []string{"left-pad"}}, "pending"},
		{"sandbox", "", meta{"proposal": meta{"path": "categories.network.mode", "value": "allow-all", "reason": "please"}}, "pending"},
	} {
		in := map[string]any{"category": tt.category, "action": tt.action, "metadata": tt.meta}
		if tt.meta == nil {
			delete(in, "metadata")
		}
		status, out := w.call("agent", "POST", "/api/queue", in)
		if status != http.StatusCreated || out["status"] != tt.want {
			t.Errorf("%s %s: %d %v, want %s", tt.category, tt.action, status, out, tt.want)
		}
	}
	if _, err := w.s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func FuzzPlan(f *testing.F) {
	f.Add("network", "CONNECT a:1", "")
	f.Add("filesystem", "", `{"toolName":"Write","targetFile":"a/../b","writeContent":"x"}`)
	f.Add("packages", "", `{"manager":"npm","packages":["@a/b@^1"]}`)
	f.Add("git", "push a/b", "")
	f.Fuzz(func(t *testing.T, category, action, meta string) {
		s := Submission{Category: approval.Category(category), Action: action}
		if meta != "" {
			s.Metadata = json.RawMessage(meta)
		}
		p, err := planOf(&s)
		if err != nil {
			return
		}
		switch p := p.(type) {
		case *FilePlan:
			for _, file := range append(p.paths(), p.File) {
				if strings.HasPrefix(file, "/") || strings.HasPrefix(file, "..") {
					t.Errorf("%q leaves the root", file)
				}
			}
		case *PackagePlan:
			for _, n := range p.Names {
				if strings.HasPrefix(n, "-") || strings.ContainsAny(n, " ;|&$`'\"\n") {
					t.Errorf("%q is no name", n)
				}
			}
		}
		again, err := decodePlan(encodePlan(p))
		if err != nil || digestOf(again) != digestOf(p) || again.title() != p.title() || p.title() == "" {
			t.Errorf("%+v is decoded as %+v, %v", p, again, err)
		}
	})
}

// A session that was steered elsewhere on this machine is put to people here as well.
func TestTaintedSession(t *testing.T) {
	w := newWorld(t, "modes: {network: allow-all}\n")
	in := map[string]any{"category": "network", "action": "CONNECT new.example:443", "session": "s1"}
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "approved" {
		t.Fatalf("%v", r)
	}
	if err := taint.Open(filepath.Join(w.g.audit, "taint")).Set(taint.Mark{Platform: "claude", Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "pending" {
		t.Errorf("%v", r)
	}
	in["session"] = "s2"
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "approved" {
		t.Errorf("another session: %v", r)
	}
}

// Two addresses that differ in their query are two requests, and a path is spelled in
// one way.
func TestQueryCounts(t *testing.T) {
	w := newWorld(t, "")
	a := w.ask("network", "GET https://a.example/x/%2e%2e/y?key=1", nil)
	b := w.ask("network", "GET https://a.example/y?key=2", nil)
	if a["action"] != "GET https://a.example/y?key=1" || b["action"] != "GET https://a.example/y?key=2" || a["digest"] == b["digest"] {
		t.Errorf("%v and %v", a, b)
	}
}
