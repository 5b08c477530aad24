package tool

import (
	"fmt"
	"strings"
	"testing"
)

func TestOutline(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.go", "package a\n\nimport \"fmt\"\n\ntype T struct {\n\tx int\n}\n\nfunc (t T) String() string {\n\treturn \"\"\n}\n", "    1 | package a\n    5 | type T struct\n    9 | func (t T) String() string\n"},
		{"a.py", "import os\n\nclass A:\n    def f(self):\n        pass\n", "    3 | class A:\n    4 |     def f(self):\n"},
		{"README.md", "# Title\r\ntext\r\n## Part\r\n", "    1 | # Title\n    3 | ## Part\n"},
		{"a.ts", "export function f() {\n}\nconst x = 1\n", "    1 | export function f()\n"},
		{"data.csv", strings.Repeat("1,2\n", 30), strings.Repeat("", 1) + "   20 | 1,2\n...\n"},
		{"long.md", "# " + strings.Repeat("é", 100) + "\n", "    1 | # " + strings.Repeat("é", 59) + "…\n"},
		{"many.md", strings.Repeat("# x\n", maxOutline+2), "... 2 more entries\n"},
	} {
		got := Outline(c.name, c.content)
		if !strings.HasSuffix(got, c.want) || !strings.HasPrefix(got, fmt.Sprintf("%s has ", c.name)) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestToolchains(t *testing.T) {
	env := map[string]string{"PATH": "/usr/bin:/home/me/bin:/home/me:/home/me/.local/bin:relative/bin:/home/me/.ssh", "GOMODCACHE": "/home/me/gomod", "VIRTUAL_ENV": "/home/me"}
	got := strings.Join(Toolchains("/home/me", func(name string) string { return env[name] }), " ")
	for want, there := range map[string]bool{"/home/me/bin": true, "/home/me/gomod": true, "/home/me/.cargo/registry": true, "/usr/bin": false, "/home/me/.ssh": false, "relative/bin": false} {
		if strings.Contains(got, want) != there {
			t.Errorf("%s: %v in %s", want, !there, got)
		}
	}
	for dir := range strings.FieldsSeq(got) {
		if dir == "/home/me" || strings.HasSuffix(dir, ".cargo") {
			t.Errorf("%s would show credentials", dir)
		}
	}
	if strings.Count(got, "/home/me/.local/bin") != 1 {
		t.Errorf("one is there twice: %s", got)
	}
}
