package datafile

import (
	"reflect"
	"strings"
	"testing"
)

func TestReadJSON(t *testing.T) {
	r := JSON("\ufeff{ // c\n \"a\": {\"b\\u0063\": \"x\\n\\\"y\\\"\"},\n /* , */ \"l\": [\"1\", 2, {\"k\": true},],\n \"a2\": \"first\", \"a2\": \"last\" }")
	if got := r.Str("a", "bc"); got != "x\n\"y\"" {
		t.Errorf("a.bc = %q", got)
	}
	if got := r.Get("l").Texts(); !reflect.DeepEqual(got, []string{"1", "2", ""}) {
		t.Errorf("l = %q", got)
	}
	if got := r.Get("l"); got.Line != 3 || got.Kids[2].Str("k") != "true" {
		t.Errorf("l at %d: %v", got.Line, got.Kids)
	}
	if got := r.Str("a2"); got != "last" {
		t.Errorf("a2 = %q: the last of two counts", got)
	}
}

func TestReadYAML(t *testing.T) {
	r := YAML(`# c
version: '3'
x: &base
  run: one   # why
tasks:
  build:
    <<: *base
    cmds:
      - go build
      - cmd: "a: \"b\""
        silent: true
      - |
        rm x
          y
      - - deep
  flow: {run: 'it''s', deps: [a, "b"]}
  plain: go test
    ./...
  folded: >-
    a
    b
list:
- one
- two: 2
last: x
`)
	for _, c := range []struct {
		want string
		keys []string
	}{
		{"3", []string{"version"}}, {"one", []string{"tasks", "build", "run"}}, {"it's", []string{"tasks", "flow", "run"}},
		{"go test ./...", []string{"tasks", "plain"}}, {"a b ", []string{"tasks", "folded"}}, {"x", []string{"last"}},
	} {
		if got := r.Str(c.keys...); got != c.want {
			t.Errorf("%s = %q, want %q", strings.Join(c.keys, "."), got, c.want)
		}
	}
	cmds := r.Get("tasks", "build", "cmds").List()
	if len(cmds) != 4 || cmds[0].Text != "go build" || cmds[1].Str("cmd") != `a: "b"` || cmds[1].Str("silent") != "true" || cmds[2].Text != "rm x\n  y\n" || cmds[3].Kids[0].Text != "deep" {
		t.Fatalf("cmds = %+v", cmds)
	}
	if cmds[0].Line != 9 || cmds[2].Line != 13 {
		t.Errorf("lines %d, %d", cmds[0].Line, cmds[2].Line)
	}
	if got := r.Get("tasks", "flow", "deps").Texts(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("deps = %q", got)
	}
	if l := r.Get("list").List(); len(l) != 2 || l[1].Str("two") != "2" {
		t.Errorf("list = %v", l)
	}
	// What a document of another kind has is neither dropped nor taken for all that there is.
	for _, s := range []string{"a: x\n---\n- run: rm y\n", "- x\n---\na: {run: rm y}\n", "a: x\n  \n b: z\n- run: rm y\n", "text\n---\nrun: rm y\n", "text\nmore\n---\na: {run: rm y}\n"} {
		found, all := false, YAML(s)
		var look func(*Value)
		look = func(v *Value) {
			found = found || v.Str("run") == "rm y"
			for _, k := range v.Kids {
				look(k)
			}
		}
		if look(all); !found && !all.Lost {
			t.Errorf("%q: is read as %+v, without its last document", s, all)
		}
	}
}

func TestReadTOML(t *testing.T) {
	r := TOML(`
[tool.poe.tasks]
a = "x # y"
"b.c" = 'lit'
d = { cmd = "run=1", env = {K = "v"} }
e = [
  "one", # why
  "two",
]
f.shell = """
multi
line"""
[[tool.list]]
k = 1
[tool.list.below]
l = 2
[[tool.list]]
k = 3
`)
	tasks := r.Get("tool", "poe", "tasks")
	for key, want := range map[string]string{"a": "x # y", "b.c": "lit"} {
		if got := tasks.Str(key); got != want {
			t.Errorf("%s = %q, want %q", key, got, want)
		}
	}
	if got := tasks.Str("d", "cmd"); got != "run=1" {
		t.Errorf("d.cmd = %q", got)
	}
	if got := tasks.Get("e").Texts(); !reflect.DeepEqual(got, []string{"one", "two"}) {
		t.Errorf("e = %q", got)
	}
	if got := tasks.Str("f", "shell"); got != "multi\nline" {
		t.Errorf("f.shell = %q", got)
	}
	// An adversary may hide the table that counts before a harmless one.
	var ks []string
	for _, v := range r.All([]string{"tool", "list", "k"}) {
		ks = append(ks, v.Text)
	}
	if !reflect.DeepEqual(ks, []string{"1", "3"}) {
		t.Errorf("the tables of an array have k = %q, want 1 and 3", ks)
	}
	if got := r.Get("tool", "list").List()[0].Str("below", "l"); got != "2" {
		t.Errorf("the table below the first has l = %q, want 2", got)
	}
}

// The files come from whoever made the folder: no text may hang or break a reader.
func FuzzTree(f *testing.F) {
	for _, s := range []string{`{"a": ["b", {"c": 1}]}`, "a:\n  - b: |\n      c\n  - {d: [e]}\n", "[a]\nb = \"\"\"\nc\"\"\"\n", "a: &x [*x]\n<<: *x\n", "'", "\"\\", "{[", "- - - -", "[a.'b", "a='''", "? a\n: b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 64<<10 {
			return
		}
		for _, r := range []*Value{JSON(s), YAML(s), TOML(s)} {
			n := 0
			count(t, r, 0, &n)
		}
	})
}

func count(t *testing.T, r *Value, depth int, n *int) {
	if *n++; *n > 200000 {
		return // an anchor may stand in many places
	}
	if depth > 4*maxLevel {
		t.Fatal("deeper than the bound")
	}
	if len(r.Keys) > 0 && len(r.Keys) != len(r.Kids) {
		t.Fatalf("%d keys, %d values", len(r.Keys), len(r.Kids))
	}
	for _, k := range r.Kids {
		count(t, k, depth+1, n)
	}
}
