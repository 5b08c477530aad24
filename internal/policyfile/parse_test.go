package policyfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

const gitPack = `
version: 1
name: git
title: repositories
certain: true            # match only what is known for sure
rules:
  - id: git-force-push-protected
    deny: git(push *)            # string or list
    when: {trait: [force, protected-branch, "!inert"]}
    reason: rewrites a branch that others build on
    suggest: push to a branch of your own, or ask the user to push
    hits: ['git push -f origin main', 'bash -c "git push --force origin main"']
    misses: ['git push origin main', "echo 'git push -f origin main'", 'git push --dry-run --force origin main']
  - id: git-hooks
    ask:
      - write(@git-hooks)
      - delete(@git-hooks)
    unless: write(.git/hooks/*.sample)
    reason: git runs it
    locked: true
    certain: false
    hits:
      - {tool: Write, input: {file_path: .git/hooks/pre-commit, content: "x: [y]", mode: 420, deep: [true, 1.5, {a: ~, 2: no}, [-1]]}, dir: /home/dev/proj}
      - echo x > .git/hooks/pre-commit
    misses: [ls .git/hooks, cat .git/hooks/x]
`

func TestParsePack(t *testing.T) {
	p, err := policyfile.ParsePack("git.yaml", []byte(gitPack))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "git" || p.Title != "repositories" || len(p.Rules) != 2 {
		t.Fatalf("got %+v, want the pack git with two rules", p)
	}
	r := p.Rules[0]
	if r.ID != "git-force-push-protected" || r.Effect != umpire.Deny || !r.Certain || r.Locked || r.Pack != "git" || r.Layer != policy.Builtin {
		t.Errorf("got %+v, want the built-in rule git-force-push-protected, certain and not locked", r)
	}
	if r.When.Traits != umpire.Force|umpire.ProtectedBranch || r.When.Without != umpire.Inert {
		t.Errorf("traits are %v without %v", r.When.Traits, r.When.Without)
	}
	if len(r.Hits) != 2 || len(r.Misses) != 3 || r.Hits[1].Command != `bash -c "git push --force origin main"` {
		t.Errorf("examples are %+v, %+v", r.Hits, r.Misses)
	}
	if r.Pos.Line != 7 || r.Pos.File != "git.yaml" {
		t.Errorf("its place is %v", r.Pos)
	}
	r = p.Rules[1]
	if r.Effect != umpire.Ask || len(r.Match) != 2 || len(r.Unless) != 1 || r.Certain || !r.Locked {
		t.Errorf("got %+v, want a locked rule that asks, with two patterns and one exception", r)
	}
	want := `{"content":"x: [y]","deep":[true,1.5,{"2":"no","a":null},[-1]],"file_path":".git/hooks/pre-commit","mode":420}`
	if e := r.Hits[0]; e.Tool != "Write" || e.Input != want || e.Dir != "/home/dev/proj" {
		t.Errorf("example is %+v", e)
	}
}

func TestParseFile(t *testing.T) {
	f, err := policyfile.Parse("policy.yaml", []byte(`version: 1
defaultAction: allow
packs: [core, git]
disable: [git-clean-force]
allowedEndpoints: [api.anthropic.com, "*.githubusercontent.com"]
rules:
  - deny: delete(~/**)
    unless: delete(~/scratch/**)
    reason: home is not yours to clean
  - ask: network(*)
    when: {platform: claude, tool: Bash}
  - allow: exec(npm test)
modes:
  network: approve-each
judge: {enabled: true, timeout: 5s, providers: [anthropic, ollama]}
`), policy.User)
	if err != nil {
		t.Fatal(err)
	}
	if *f.Default != umpire.Allow || len(f.Packs) != 2 || f.Disable[0].Text != "git-clean-force" || f.Disable[0].Pos.Line != 4 ||
		len(f.AllowedEndpoints) != 2 || f.Modes[umpire.Network] != policy.ApproveEach || f.Judge.Timeout.Seconds() != 5 {
		t.Errorf("got %+v, want every key of the text", f)
	}
	ids := []string{}
	for _, r := range f.Rules {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "deny-delete-home-all ask-network-any allow-exec-npm-test" {
		t.Errorf("ids are %s", got)
	}
}

func TestParseFaults(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"indentation", "rules:\n - id: a\n  deny: exec(a)\n", "p.yaml:3:3: not YAML: value is not allowed in this context; check the indentation"},
		{"unknown key", "version: 1\nruels: []\n", `p.yaml:2:1: unknown key "ruels" in the policy; did you mean rules?`},
		{"unknown rule key", "version: 1\nrules:\n  - deny: exec(a)\n    reson: x\n", `p.yaml:4:5: unknown key "reson" in rules; did you mean reason?`},
		{"bad pattern", "version: 1\nrules:\n  - deny: exce(a)\n", `p.yaml:3:11: unknown kind "exce"`},
		{"bad glob", "version: 1\nrules:\n  - deny: \"read([a)\"\n", "p.yaml:3:11: pattern"},
		{"no effect", "version: 1\nrules:\n  - reason: x\n", "p.yaml:3:5: the rule has no effect"},
		{"no colon", "version: 1\nrules:\n  - deny delete(x)\n", "p.yaml:3:5: rules is not a mapping of keys to values; put a colon after each key"},
		{"two effects", "version: 1\nrules:\n  - deny: exec(a)\n    ask: exec(b)\n", "more than one of deny, ask and allow"},
		{"bad effect", "version: 1\ndefaultAction: alow\n", `p.yaml:2:16: defaultAction: unknown effect "alow"`},
		{"bad trait", "version: 1\nrules:\n  - deny: exec(a)\n    when: {trait: remote-cod}\n", "did you mean remote-code?"},
		{"never matches", "version: 1\nrules:\n  - deny: exec(a)\n    unless: exec(a)\n", "it can never match exec(a)"},
		{"never matches traits", "version: 1\nrules:\n  - deny: exec(a)\n    when: {trait: [force, \"!force\"]}\n", "it can never match"},
		{"duplicate id", "version: 1\nrules:\n  - {id: a, deny: exec(a)}\n  - {id: a, deny: exec(b)}\n", "p.yaml:4:5: rule \"a\": its id is taken by the rule at p.yaml:3:5"},
		{"same rule twice", "version: 1\nrules:\n  - deny: exec(a)\n  - deny: exec(a)\n", "its id is taken"},
		{"bad id", "version: 1\nrules:\n  - {id: A b, deny: exec(a)}\n", "not in kebab-case"},
		{"duplicate key", "version: 1\nversion: 1\n", "p.yaml:2:1:"},
		{"no version", "rules: []\n", "the policy has no version; add version: 1"},
		{"version", "version: 2\n", "unknown version 2"},
		{"alias", "version: 1\npacks: &a [core]\ndisable: *a\n", "anchor is not allowed"},
		{"merge", "version: 1\nrules:\n  - <<: {deny: exec(a)}\n", "not allowed"},
		{"tag", "version: 1\npacks: !!seq [core]\n", "tag is not allowed"},
		{"two documents", "version: 1\n---\nversion: 1\n", "more than one document"},
		{"not a mapping", "- a\n", "is not a mapping"},
		{"empty value", "version: 1\nrules:\n  - deny:\n", "deny is empty"},
		{"bool", "version: 1\nrules:\n  - {deny: exec(a), locked: maybe}\n", "locked is not true or false"},
		{"no limit", "version: 1\nbox: {memory: 0}\n", "memory is 0; write 1 or more, or remove the key"},
		{"duration", "version: 1\njudge: {timeout: 5}\n", "timeout is not a duration"},
		{"mode", "version: 1\nmodes: {network: all}\n", "unknown mode"},
		{"mode kind", "version: 1\nmodes: {netwrk: allow-all}\n", "did you mean network?"},
		{"text allow", "version: 1\nrules:\n  - allow: text(/a/)\n", "text proves nothing"},
		{"endpoint", "version: 1\nallowedEndpoints: [\"http://a\"]\n", "a scheme is not part of a host"},
		{"yaml", "version: 1\nrules: [\n", "p.yaml:2:"},
		{"deep", strings.Repeat("[", 2000), "nested more than"},
		{"large", strings.Repeat("#", 1<<20+1), "larger than"},
		{"not text", "version: 1\nname: \xff\n", "UTF-8"},
		{"pack name", "version: 1\nname: x\n", "only packs"},
		{"example", "version: 1\nrules:\n  - {deny: exec(a), hits: [{dir: /x}]}\n", "neither a command nor a tool call"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := policyfile.Parse("p.yaml", []byte(tc.in), policy.User)
			var es policyfile.Errors
			if !errors.As(err, &es) {
				t.Fatalf("got %v, want Errors", err)
			}
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got\n%v\nwant %s", err, tc.want)
			}
		})
	}
}

// The input of an example is read as deep as the bound says and no deeper.
func TestDepthOfInput(t *testing.T) {
	deep := func(levels int) error {
		text := "version: 1\nrules:\n  - deny: exec(a)\n    hits:\n      - tool: x\n        input:\n"
		for i := range levels {
			text += strings.Repeat(" ", 10+i) + "k:\n"
		}
		_, err := policyfile.Parse("p.yaml", []byte(text+strings.Repeat(" ", 10+levels)+"k: 1\n"), policy.User)
		return err
	}
	const most = 58 // with the levels of the file around them, 64
	if err := deep(most); err != nil {
		t.Errorf("%d levels: got %v, want no error", most, err)
	}
	if err := deep(most + 1); err == nil || !strings.HasSuffix(err.Error(), "nested more than 64 levels deep; write it flat") {
		t.Errorf("%d levels: got %v, want that they are too deep", most+1, err)
	}
}

func TestParseReportsEverything(t *testing.T) {
	_, err := policyfile.Parse("p.yaml", []byte("version: 1\nfoo: 1\nrules:\n  - deny: x\n  - {}\n  - deny: exec(a)\n    when: {tol: x}\n"), policy.User)
	var es policyfile.Errors
	if !errors.As(err, &es) || len(es) != 4 {
		t.Fatalf("got %v, want four faults", err)
	}
	for i, line := range []int{2, 4, 5, 7} {
		if es[i].Line != line {
			t.Errorf("fault %d is in line %d, want %d", i, es[i].Line, line)
		}
	}
}

// A fault of the file's form does not hide the faults of its rules.
func TestParseReportsRulesToo(t *testing.T) {
	_, err := policyfile.Parse("p.yaml", []byte("version: 1\nfoo: 1\nrules:\n  - {id: a, deny: exec(a)}\n  - {id: a, deny: exec(b)}\n  - allow: text(/x/)\n"), policy.User)
	for _, want := range []string{`unknown key "foo"`, "its id is taken", "text proves nothing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

// An ID that moved to another rule would let disable switch off the wrong one.
func TestIDsDoNotDependOnOrder(t *testing.T) {
	rules := []string{"  - deny: exec(a)\n", "  - {deny: exec(a), when: {tool: Bash}}\n", "  - deny: exec(a*)\n"}
	byLine := func(order ...int) map[string]bool {
		in := "version: 1\nrules:\n"
		for _, i := range order {
			in += rules[i]
		}
		f, err := policyfile.Parse("p.yaml", []byte(in), policy.User)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for i, r := range f.Rules {
			ids[r.ID+" "+rules[order[i]]] = true
		}
		return ids
	}
	a, b := byLine(0, 1, 2), byLine(2, 1, 0)
	for id := range a {
		if !b[id] {
			t.Errorf("%q is not in %v", id, b)
		}
	}
	if len(a) != 3 {
		t.Errorf("got %v, want three ids", a)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(gitPack))
	f.Add([]byte("version: 1\nrules: [{deny: [exec(a), 'text(/x/)'], when: {tainted: true}}]\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := policyfile.Parse("p.yaml", data, policy.Project)
		if (file == nil) != (err != nil) {
			t.Fatalf("both or neither of %v and %v", file, err)
		}
		if err == nil {
			if _, err := policy.Compile(policy.Source{Rules: file.Rules}); err != nil {
				t.Fatalf("a file that was accepted does not compile: %v", err)
			}
		}
		_, _ = policyfile.ParsePack("p.yaml", data)
	})
}
