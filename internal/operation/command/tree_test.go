package command

import (
	"reflect"
	"strings"
	"testing"
)

func TestReadJSON(t *testing.T) {
	r := readJSON("\ufeff{ // c\n \"a\": {\"b\\u0063\": \"x\\n\\\"y\\\"\"},\n /* , */ \"l\": [\"1\", 2, {\"k\": true},],\n \"a2\": \"first\", \"a2\": \"last\" }")
	if got := r.str("a", "bc"); got != "x\n\"y\"" {
		t.Errorf("a.bc = %q", got)
	}
	if got := r.get("l").texts(); !reflect.DeepEqual(got, []string{"1", "2", ""}) {
		t.Errorf("l = %q", got)
	}
	if got := r.get("l"); got.line != 3 || got.kids[2].str("k") != "true" {
		t.Errorf("l at %d: %v", got.line, got.kids)
	}
	if got := r.str("a2"); got != "last" {
		t.Errorf("a2 = %q: the last of two counts", got)
	}
}

func TestReadYAML(t *testing.T) {
	r := readYAML(`# c
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
		if got := r.str(c.keys...); got != c.want {
			t.Errorf("%s = %q, want %q", strings.Join(c.keys, "."), got, c.want)
		}
	}
	cmds := r.get("tasks", "build", "cmds").list()
	if len(cmds) != 4 || cmds[0].text != "go build" || cmds[1].str("cmd") != `a: "b"` || cmds[1].str("silent") != "true" || cmds[2].text != "rm x\n  y\n" || cmds[3].kids[0].text != "deep" {
		t.Fatalf("cmds = %+v", cmds)
	}
	if cmds[0].line != 9 || cmds[2].line != 13 {
		t.Errorf("lines %d, %d", cmds[0].line, cmds[2].line)
	}
	if got := r.get("tasks", "flow", "deps").texts(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("deps = %q", got)
	}
	if l := r.get("list").list(); len(l) != 2 || l[1].str("two") != "2" {
		t.Errorf("list = %v", l)
	}
	// What a document of another kind has is neither dropped nor taken for all that there is.
	for _, s := range []string{"a: x\n---\n- run: rm y\n", "- x\n---\na: {run: rm y}\n", "a: x\n  \n b: z\n- run: rm y\n", "text\n---\nrun: rm y\n", "text\nmore\n---\na: {run: rm y}\n"} {
		found, all := false, readYAML(s)
		var look func(*tree)
		look = func(v *tree) {
			found = found || v.str("run") == "rm y"
			for _, k := range v.kids {
				look(k)
			}
		}
		if look(all); !found && !all.lost {
			t.Errorf("%q: is read as %+v, without its last document", s, all)
		}
	}
}

func TestReadTOML(t *testing.T) {
	r := readTOML(`
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
	tasks := r.get("tool", "poe", "tasks")
	for key, want := range map[string]string{"a": "x # y", "b.c": "lit"} {
		if got := tasks.str(key); got != want {
			t.Errorf("%s = %q, want %q", key, got, want)
		}
	}
	if got := tasks.str("d", "cmd"); got != "run=1" {
		t.Errorf("d.cmd = %q", got)
	}
	if got := tasks.get("e").texts(); !reflect.DeepEqual(got, []string{"one", "two"}) {
		t.Errorf("e = %q", got)
	}
	if got := tasks.str("f", "shell"); got != "multi\nline" {
		t.Errorf("f.shell = %q", got)
	}
	// An adversary may hide the table that counts before a harmless one.
	var ks []string
	for _, v := range r.all([]string{"tool", "list", "k"}) {
		ks = append(ks, v.text)
	}
	if !reflect.DeepEqual(ks, []string{"1", "3"}) {
		t.Errorf("the tables of an array have k = %q, want 1 and 3", ks)
	}
	if got := r.get("tool", "list").list()[0].str("below", "l"); got != "2" {
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
		for _, r := range []*tree{readJSON(s), readYAML(s), readTOML(s)} {
			n := 0
			count(t, r, 0, &n)
		}
	})
}

func count(t *testing.T, r *tree, depth int, n *int) {
	if *n++; *n > 200000 {
		return // an anchor may stand in many places
	}
	if depth > 4*maxLevel {
		t.Fatal("deeper than the bound")
	}
	if len(r.keys) > 0 && len(r.keys) != len(r.kids) {
		t.Fatalf("%d keys, %d values", len(r.keys), len(r.kids))
	}
	for _, k := range r.kids {
		count(t, k, depth+1, n)
	}
}
