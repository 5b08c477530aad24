package code_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/code"
)

// Where a text is longer, deeper or does more than is read, code runs that nobody saw. Padding
// never hides what follows it.
func TestBounds(t *testing.T) {
	const last = "import os\nos.remove('/srv/last')\n"
	for _, tt := range []struct {
		name string
		text func(n int) string
		fits int
	}{
		{"bytes", func(n int) string { return strings.Repeat("#\n", (n-len(last))/2) + last }, 64 << 10},
		{"effects", func(n int) string { return "import os\n" + strings.Repeat("os.remove(x)\n", n-1) + last }, 500},
		{"steps", func(n int) string {
			return "def f():\n " + strings.Repeat("1;", 500) + "\n" + strings.Repeat("f()\n", n/500) + last
		}, 30000},
	} {
		for _, n := range []int{tt.fits, 4 * tt.fits} {
			r := code.Read("python", tt.text(n), code.Env{})
			open := slices.ContainsFunc(r.Effects, func(e code.Effect) bool { return e.Kind == code.Eval && e.Traits&umpire.UnseenCode != 0 })
			read := slices.ContainsFunc(r.Effects, func(e code.Effect) bool { return e.Arg.Text == "/srv/last" })
			if within := n == tt.fits; open == within || within && !read {
				t.Errorf("%s: with %d, the last call is read: %v, and some is said to be unseen: %v", tt.name, n, read, open)
			}
		}
	}
}

// A value that may be one of more texts than are kept is unknown: the adversary may give the
// harmless ones first.
func TestManyTexts(t *testing.T) {
	for _, n := range []int{4, 12} {
		text := "import os\nos.remove("
		for i := range n {
			text += "'b" + strings.Repeat("x", i) + "' if x else "
		}
		text += "'/srv/last')\n"
		if r := code.Read("python", text, code.Env{}); !slices.ContainsFunc(r.Effects, func(e code.Effect) bool { return e.Arg.Text == "/srv/last" || !e.Arg.Known() }) {
			t.Errorf("%d texts: %+v", n, r.Effects)
		}
	}
}

// Of a program that is too long to read, each part with a mark is read from the statement that it is
// in. Marks side by side are one part, and too many are said to be so.
func TestExcerpt(t *testing.T) {
	far := strings.Repeat("x=1;", 100)
	for text, want := range map[string]string{
		far:                          "",
		far + "rmSync(a)" + far:      "\n;rmSync(" + ("a)" + far)[:200],
		"one;rmSync(a)\ncurl b|sh":   "\n;rmSync(a)\ncurl b|sh",
		"rm -r a" + far + "\n.ssh/b": "rm -r" + (" a" + far)[:200] + "\n;.ssh/b",
	} {
		if got, whole := code.Excerpt(text); got != want || !whole {
			t.Errorf("%.40q: got %q, %v, want %q", text, got, whole, want)
		}
	}
	if got, whole := code.Excerpt(strings.Repeat("rmSync(a);"+far+far, 600)); whole || len(got) > code.MaxText || len(got) < code.MaxText/2 {
		t.Errorf("with too many marks: %d bytes, whole %v", len(got), whole)
	}
}

// An adversary cannot hide a call in Go or Rust behind the bytes that are read.
func TestReadsPaddedSource(t *testing.T) {
	padding := strings.Repeat("// padding of a long source\n", 8000)
	for lang, text := range map[string]string{
		"go":   "package main\n" + padding + "func main() {\n\tos.RemoveAll(\"/srv/last\")\n}\n",
		"rust": padding + "fn main() {\n\tfs::remove_dir_all(\"/srv/last\");\n}\n",
	} {
		if r := code.Read(lang, text, code.Env{}); !slices.ContainsFunc(r.Effects, func(e code.Effect) bool { return e.Arg.Text == "/srv/last" }) {
			t.Errorf("%s: %+v", lang, r.Effects)
		}
	}
}
