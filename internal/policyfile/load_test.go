package policyfile_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// layers is a machine of its own.
func layers(t *testing.T, files map[string]string) policyfile.Paths {
	t.Helper()
	dir := t.TempDir()
	p := policyfile.Paths{Managed: filepath.Join(dir, "etc/policy.yaml"), ManagedDir: filepath.Join(dir, "etc/policy.d"),
		User: filepath.Join(dir, "user/policy.yaml"), Trust: filepath.Join(dir, "user/trust"), Project: filepath.Join(dir, "work/.umpire.yaml")}
	for name, text := range files {
		write(t, filepath.Join(dir, name), "version: 1\n"+text)
	}
	return p
}

func packs(t *testing.T) []*policyfile.Pack {
	t.Helper()
	core, err := policyfile.ParsePack("core.yaml", []byte(`
version: 1
name: core
certain: true
rules:
  - {id: core-wipe, deny: exec(wipe), locked: true, reason: x, hits: [wipe, wipe a], misses: [a, b]}
  - {id: core-ask, ask: exec(deploy), reason: x, hits: [deploy, deploy a], misses: [a, b]}
  - {id: core-net, deny: network(evil.example), reason: x, hits: [deploy, deploy a], misses: [a, b]}
`))
	if err != nil {
		t.Fatal(err)
	}
	git, err := policyfile.ParsePack("git.yaml", []byte(gitPack))
	if err != nil {
		t.Fatal(err)
	}
	return []*policyfile.Pack{core, git}
}

// A judge that is switched on judges risky calls, unless the file names another scope. One that is
// off judges nothing.
func TestScopeOfJudge(t *testing.T) {
	for text, want := range map[string]policy.Judge{
		"":                                      {},
		"judge: {enabled: false, scope: all}\n": {},
		"judge: {enabled: true}\n":              {Scope: policy.ScopeRisky},
		"judge: {enabled: true, scope: all}\n":  {Scope: policy.ScopeAll},
		"judge: {enabled: true, mayAllow: [ambiguous]}\n": {Scope: policy.ScopeRisky, Ambiguous: true},
	} {
		l, err := policyfile.Load(layers(t, map[string]string{"user/policy.yaml": text}), packs(t))
		if err != nil || l.Source.Judge != want {
			t.Errorf("%q: got judge %+v, %v, want %+v", text, l.Source.Judge, err, want)
		}
	}
}

func TestLayers(t *testing.T) {
	const loosen = "defaultAction: allow\nautoApprove: true\npacks: [git]\ndisable: [core-wipe, core-ask, mine, theirs]\nallowedEndpoints: [evil.example]\nmodes: {network: allow-all}\nrules: [{allow: exec(deploy)}]\n"
	base := map[string]string{
		"etc/policy.d/10.yaml": "rules: [{id: theirs, deny: exec(theirs)}]\n",
		"user/policy.yaml":     "defaultAction: ask\nmodes: {network: approve-each}\nrules: [{id: mine, deny: exec(mine)}]\n",
	}
	for _, tc := range []struct {
		name, file, text string
		trust            bool
		op, want         string
		warning          string
	}{
		{name: "nothing said", op: "exec(ls)", want: "ask"},
		{name: "a long wait", file: "etc/policy.d/20.yaml", text: "approval: {wait: 90s}\n", op: "exec(ls)", want: "ask", warning: "20.yaml: approval.wait: 1 min 30 s counts as 50 s"},
		{name: "a slow judge", file: "etc/policy.d/20.yaml", text: "judge: {timeout: 51s}\n", op: "exec(ls)", want: "ask", warning: "20.yaml: judge.timeout: 51 s counts as 50 s"},
		{name: "untrusted default", file: "work/.umpire.yaml", text: loosen, op: "exec(ls)", want: "ask", warning: "defaultAction: allow left out"},
		{name: "untrusted disables user", file: "work/.umpire.yaml", text: loosen, op: "exec(mine)", want: "deny", warning: "not disabled"},
		{name: "untrusted disables managed", file: "work/.umpire.yaml", text: loosen, op: "exec(theirs)", want: "deny"},
		{name: "untrusted disables pack", file: "work/.umpire.yaml", text: loosen, op: "exec(wipe)", want: "deny"},
		{name: "untrusted allows", file: "work/.umpire.yaml", text: loosen, op: "exec(deploy)", want: "ask", warning: "left out: a project file can only tighten"},
		{name: "untrusted endpoint", file: "work/.umpire.yaml", text: loosen, op: "network(evil.example:443)", want: "deny", warning: "allowed endpoint evil.example left out"},
		{name: "untrusted mode", file: "work/.umpire.yaml", text: loosen, op: "network(good.example:443)", want: "ask", warning: "mode allow-all of network left out"},
		{name: "untrusted tightens", file: "work/.umpire.yaml", text: "defaultAction: deny\nmodes: {network: deny-all}\n", op: "exec(ls)", want: "deny"},
		{name: "untrusted tightens a mode", file: "work/.umpire.yaml", text: "modes: {network: deny-all}\n", op: "network(a.example:1)", want: "deny"},
		{name: "untrusted denies", file: "work/.umpire.yaml", text: "rules: [{deny: exec(ls)}]\n", op: "exec(ls)", want: "deny"},
		{name: "untrusted is broken", file: "work/.umpire.yaml", text: "rules: [{dny: exec(ls)}]\n", op: "exec(mine)", want: "deny", warning: "the project's policy is left out"},
		{name: "untrusted takes an id", file: "work/.umpire.yaml", text: "rules: [{id: mine, deny: exec(other)}]\n", op: "exec(mine)", want: "deny", warning: "its id is taken"},
		{name: "trusted allows", file: "work/.umpire.yaml", text: "rules: [{allow: exec(deploy)}]\n", trust: true, op: "exec(deploy)", want: "allow"},
		{name: "trusted disables a pack's deny", file: "work/.umpire.yaml", text: "disable: [core-net]\nmodes: {network: allow-all}\n", trust: true, op: "network(evil.example:443)", want: "ask"},
		{name: "trusted disables locked rule", file: "work/.umpire.yaml", text: "disable: [core-wipe]\n", trust: true, op: "exec(wipe)", want: "deny", warning: "locked"},
		{name: "trusted disables locked", file: "work/.umpire.yaml", text: loosen, trust: true, op: "exec(wipe)", want: "deny", warning: "locked"},
		{name: "trusted disables managed", file: "work/.umpire.yaml", text: loosen, trust: true, op: "exec(theirs)", want: "deny", warning: "only the administrator"},
		{name: "trusted disables user", file: "work/.umpire.yaml", text: loosen, trust: true, op: "exec(mine)", want: "deny", warning: "cannot switch off a user rule"},
		{name: "user disables managed", file: "user/policy.yaml", text: "disable: [theirs]\n", op: "exec(theirs)", want: "deny", warning: "only the administrator"},
		{name: "user disables pack", file: "user/policy.yaml", text: "disable: [core-wipe]\n", op: "exec(wipe)", want: "allow"},
		{name: "user leaves out a pack", file: "user/policy.yaml", text: "packs: [git]\n", op: "exec(wipe)", want: "allow"},
		{name: "project adds a pack", file: "work/.umpire.yaml", text: "packs: [core]\n", op: "exec(wipe)", want: "deny"},
		{name: "user disables nothing", file: "user/policy.yaml", text: "disable: [core-wip]\n", op: "exec(ls)", want: "allow", warning: "there is no such rule to disable: \"core-wip\"; did you mean core-wipe?"},
		{name: "user disables what nothing is like", file: "user/policy.yaml", text: "disable: [frobnicate]\n", op: "exec(ls)", want: "allow", warning: "there is no such rule to disable"},
		{name: "user names no manager", file: "user/policy.yaml", text: "rules: [{deny: packages(left pad)}]\n", op: "exec(ls)", want: "allow", warning: "umpire does not know the program \"left\""},
		{name: "user names no manager under unless", file: "user/policy.yaml", text: "rules: [{deny: packages(*), unless: packages(Left pad)}]\n", op: "exec(ls)", want: "allow", warning: "umpire does not know the program \"Left\""},
		{name: "user allows what a pack denies", file: "user/policy.yaml", text: "allowedEndpoints: [evil.example]\n", op: "network(evil.example:443)", want: "allow", warning: "never denies evil.example"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{}
			maps.Copy(files, base)
			if tc.file != "" {
				files[tc.file] = tc.text
			}
			p := layers(t, files)
			if tc.trust {
				data, err := os.ReadFile(p.Project)
				if err != nil {
					t.Fatal(err)
				}
				if err := policyfile.Trust(p.Trust, p.Project, data); err != nil {
					t.Fatal(err)
				}
			}
			c, l, err := policyfile.Compile(p, packs(t))
			if err != nil {
				t.Fatal(err)
			}
			kind, rest, _ := strings.Cut(strings.TrimSuffix(tc.op, ")"), "(")
			k, err := umpire.ParseKind(kind)
			if err != nil {
				t.Fatal(err)
			}
			d := c.Decide(&umpire.Action{Workspace: "/w", Home: "/h"}, []umpire.Operation{{Kind: k, Resource: rest}})
			if d.Effect.String() != tc.want {
				t.Errorf("got %s %v, want %s", d.Effect, d.Reasons, tc.want)
			}
			found := tc.warning == ""
			for _, w := range l.Warnings {
				found = found || strings.Contains(w.String(), tc.warning)
			}
			if !found {
				t.Errorf("no warning %q in %v", tc.warning, l.Warnings)
			}
		})
	}
}

func TestTrustIsOfExactContent(t *testing.T) {
	list, path := filepath.Join(t.TempDir(), "sub", "trust"), "/work/.umpire.yaml"
	check := func(data string, want bool) {
		t.Helper()
		if got, err := policyfile.Trusted(list, path, []byte(data)); got != want || err != nil {
			t.Errorf("trusted is %v, %v, want %v", got, err, want)
		}
	}
	check("a", false)
	if err := policyfile.Trust(list, path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	check("a", true)
	check("a ", false)
	if got, _ := policyfile.Trusted(list, "/other/.umpire.yaml", []byte("a")); got {
		t.Error("the same content is trusted elsewhere")
	}
	if err := policyfile.Trust(list, path, []byte("b")); err != nil {
		t.Fatal(err)
	}
	check("a", false)
	check("b", true)
	if err := os.Chmod(list, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := policyfile.Trusted(list, path, []byte("b")); got || err == nil {
		t.Errorf("trusted is %v, %v, but anybody can write the list", got, err)
	}
	if err := os.Chmod(list, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := policyfile.Distrust(list, path); err != nil {
		t.Fatal(err)
	}
	check("b", false)
}

func TestBrokenUserFileIsAnError(t *testing.T) {
	p := layers(t, map[string]string{"user/policy.yaml": "rules: [{dny: exec(ls)}]\n", "etc/policy.yaml": "packs: [cor]\n"})
	// A fault in one file does not hide those that show only when the files are joined.
	if _, err := policyfile.Load(p, packs(t)); err == nil || !strings.Contains(err.Error(), `unknown key "dny"`) || !strings.Contains(err.Error(), "did you mean core?") {
		t.Errorf("got %v, want the faults of both files", err)
	}
	p = layers(t, map[string]string{"etc/policy.yaml": "packs: [cor]\n"})
	if _, err := policyfile.Load(p, packs(t)); err == nil || !strings.Contains(err.Error(), "did you mean core?") {
		t.Errorf("error %v, want one that suggests core", err)
	}
}

// A pipe in place of the project's file would hold up every decision.
func TestProjectFileIsNoFolder(t *testing.T) {
	p := layers(t, nil)
	if err := os.MkdirAll(p.Project, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := policyfile.Load(p, nil)
	if err != nil || len(l.Warnings) != 1 {
		t.Errorf("loaded %v, error %v; want one warning", l, err)
	}
}

// Of what files say about boxes the least counts, also where nobody trusts them.
func TestLoadBox(t *testing.T) {
	got, err := policyfile.Load(layers(t, map[string]string{"user/policy.yaml": "box: {memory: 4096, cpuTime: 1h}\n", "work/.umpire.yaml": "box: {memory: 8192, disk: 100, cpuTime: 10m}\n"}), packs(t))
	if err != nil {
		t.Fatal(err)
	}
	if want := (policyfile.Box{Memory: 4096, Disk: 100, CPUTime: 10 * time.Minute}); got.Box != want {
		t.Errorf("%+v, want %+v", got.Box, want)
	}
}

// Two programs that trust files at the same time do not lose each other's lines.
func TestTrustAtTheSameTime(t *testing.T) {
	list := filepath.Join(t.TempDir(), "trust")
	path := func(i int) string { return filepath.Join("/work", string(rune('a'+i)), ".umpire.yaml") }
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if err := policyfile.Trust(list, path(i), []byte("x")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 16 {
		if ok, err := policyfile.Trusted(list, path(i), []byte("x")); !ok || err != nil {
			t.Errorf("%s is not trusted: %v", path(i), err)
		}
	}
}

// A rule about a program that umpire knows, by itself or by the policy, may match.
func TestRulesThatMayMatch(t *testing.T) {
	p := layers(t, map[string]string{"user/policy.yaml": "programs: [{names: [left], effects: installs, hits: [left x]}]\n" +
		"rules: [{deny: ['packages(left install x)', 'packages(left-pad)', 'packages(apt install x)', 'packages(pip3.12 install x)', 'packages(* install)', 'packages({apt,left} install x)', 'exec(left pad)']}]\n"})
	l, err := policyfile.Load(p, packs(t))
	if err != nil || len(l.Warnings) > 0 {
		t.Errorf("loaded %v, error %v; want no warning", l, err)
	}
}
