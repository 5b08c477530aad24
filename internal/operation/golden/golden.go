// Package golden compares readers with files of examples, for tests. An example is a text with its
// operations, one per line. Review such a file like code: each changed line may change a decision.
//
// A file is a list of blocks:
//
//	name
//		python> import os
//		> os.remove("/srv/x")
//			delete(/srv/x)  @outside
//
// The first line of a text names its language; the other lines continue it. UPDATE_EXAMPLES=1
// rewrites the operations.
package golden

import (
	"os"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// Example is a text with its recorded reading.
type Example struct {
	Lang, Text, Read string
}

// Check compares the reading of every example in a file with the recorded one. It returns the
// examples of each name.
func Check(t *testing.T, file string, read func(lang, text string) []umpire.Operation) map[string][]Example {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	examples := map[string][]Example{}
	name, lang := "", ""
	var text, want []string
	end := func() {
		if text == nil {
			return
		}
		got := Lines(read(lang, strings.Join(text, "\n")))
		examples[name] = append(examples[name], Example{lang, strings.Join(text, "\n"), strings.Join(got, "\n")})
		for _, l := range got {
			out.WriteString("\t\t" + l + "\n")
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w && os.Getenv("UPDATE_EXAMPLES") == "" {
			t.Errorf("%s: %s: %s> %s\nis read as\n%s\nand not\n%s", file, name, lang, strings.Join(text, "\n"), g, w)
		}
		text, want = nil, nil
	}
	for l := range strings.Lines(string(data)) {
		l = strings.TrimSuffix(l, "\n")
		switch prompt, rest, ok := strings.Cut(l, "> "); {
		case strings.HasPrefix(l, "\t\t"):
			want = append(want, l[2:])
			continue
		case l == "\t>" || ok && prompt == "\t":
			text = append(text, rest)
		case ok && strings.HasPrefix(prompt, "\t"):
			end()
			lang, text = prompt[1:], []string{rest}
		default:
			end()
			name = l
		}
		out.WriteString(l + "\n")
	}
	end()
	if os.Getenv("UPDATE_EXAMPLES") != "" {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return examples
}

// Lines returns the properties of each operation that rules can test: kind, resource, traits and
// places. It adds the programs and texts that contain the operation.
func Lines(ops []umpire.Operation) []string {
	out := make([]string, len(ops))
	for i, o := range ops {
		l := strings.Map(func(r rune) rune {
			if r < ' ' {
				return '␤'
			}
			return r
		}, o.String())
		if o.Traits != 0 {
			l += "  [" + strings.Join(o.Traits.Names(), " ") + "]"
		}
		for _, p := range o.Places.Names() {
			l += " @" + p
		}
		if len(o.Via) > 0 {
			l += "  in " + strings.Join(o.Via, ", ")
		}
		out[i] = l
	}
	if len(out) == 0 {
		return []string{"nothing"}
	}
	return out
}
