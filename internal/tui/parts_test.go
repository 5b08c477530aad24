package tui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

func stripped(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func TestSummary(t *testing.T) {
	type result struct {
		StartLine int `json:"startLine"`
		EndLine   int `json:"endLine"`
	}
	for _, c := range []struct {
		name, tool, in string
		data           any
		want           string
	}{
		{"read", "read_file", `{"file_path":"a.go"}`, result{3, 10}, "a.go (8 lines)"},
		{"read of an empty file", "read_file", `{"file_path":"a.go"}`, result{}, "a.go (0 lines)"},
		{"grep", "grep", `{"pattern":"x.*"}`, map[string]any{"count": 3}, "/x.*/ → 3 match(es)"},
		{"glob", "glob", `{"pattern":"**/*.go"}`, map[string]any{"count": 1}, "**/*.go → 1 file(s)"},
		{"bash", "bash", `{"command":"echo 0123456789 0123456789 0123456789 0123456789"}`, map[string]any{"exitCode": 0}, "echo 0123456789 0123456789 0123456789 0… → exit 0"},
		{"write", "write_file", `{"file_path":"a.go","content":"x"}`, map[string]any{"linesWritten": 7}, "a.go (7 lines written)"},
		{"edit", "edit_file", `{"file_path":"a.go"}`, map[string]any{"editLine": 4, "linesAdded": 2, "linesRemoved": 1}, "a.go (line 4, +2/-1)"},
		{"edits", "multi_edit", `{"edits":[{"file_path":"a"},{"file_path":"b"},{"file_path":"a"}]}`, map[string]any{"totalFilesEdited": 2, "totalEditsApplied": 3}, "3 edits in 2 files"},
		{"tree", "tree", `{}`, map[string]any{"root": "/app", "totalFiles": 1200, "totalDirs": 1}, "/app (1,200 files, 1 folder)"},
		{"unknown", "mcp__x__y", `{"a":"` + strings.Repeat("b", 100) + `"}`, nil, `{"a":"` + strings.Repeat("b", 73) + "…"},
		{"hostile", "read_file", `{"file_path":"a\u001b[2J\nb"}`, nil, `a\x1b[2J\nb`},
		{"not an object", "bash", `[1]`, nil, `[1]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := summary(agent.ToolCall{ToolName: c.tool, Input: json.RawMessage(c.in)}, &agent.Result{Success: true, Data: c.data})
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAbout(t *testing.T) {
	for _, c := range []struct{ tool, in, want string }{
		{"write_file", `{"file_path":"a\u202e.go","content":"世界!"}`, `a\u202e.go (3 characters)`},
		{"write_file", `{"file_path":"a","content":"x"}`, `a (1 character)`},
		{"edit_file", `{"file_path":"a.go"}`, "a.go"},
		{"multi_edit", `{"edits":[{"file_path":"a"},{"file_path":"b"},{"file_path":"a"}]}`, "3 edits in 2 files\n  a (2 edits)\n  b (1 edit)"},
		{"bash", `{"command":"ls"}`, ""},
		{"mcp__x__y", `{"a":1}`, `{"a":1}`},
	} {
		if got := strings.Join(about(agent.Question{Tool: c.tool, Input: c.in}), "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.tool, got, c.want)
		}
	}
}

func TestWhatIsOutsideIsSaid(t *testing.T) {
	q := agent.Question{ID: "q", Tool: "write_file", Dir: "/home/dev/app", Preview: agent.Preview{Outside: []string{"/home/dev/.bashrc\u202e"}}}
	if got := strings.Join(questionFacts(q), "\n"); !strings.Contains(got, `OUTSIDE the workspace: /home/dev/.bashrc\u202e`) {
		t.Error(got)
	}
}

const markdownText = "# Title *x*\n\nSome `code` and **bold** and [a link](http://x.y/z) text &#27;[2J &amp; that is long enough to wrap.\nhard  \nbreak ~~gone~~ <b>html</b> <https://a.b> ![pic](c.png)\n\n- one\n- two\n  1. a\n  2. b\n     more\n- [x] done\n\n3) three\n\n> quote\n> more\n\n```go\nfunc main() { // hi\n\tprint(\"x\")\n}\n```\n\n    indented\n\n| a | b |\n|---|---|\n| 1 | some long text in here that has to be wrapped |\n| 你好 | x |\n\n<div>\nhi\n</div>\n\nTitle\n===\n\n---\n~~~\nopen \x1b[2J fence\n"

func TestMarkdown(t *testing.T) {
	golden(t, "markdown", stripped(markdown(markdownText, 44))+"\n")
}

// An answer that is drawn as it comes looks in the end as if it had come at once.
func TestStreamedMarkdown(t *testing.T) {
	want := stripped(markdown(markdownText, 44))
	for i := range markdownText {
		for _, step := range []int{1, 7, len(markdownText)} {
			if step < len(markdownText) && i%50 != 0 {
				continue
			}
			p := prose{text: markdownText[:i]}
			p.draw(44, frame{})
			for j := i; j < len(markdownText); j += step {
				p.text = markdownText[:min(len(markdownText), j+step)]
				p.draw(44, frame{})
			}
			if got := stripped(p.draw(44, frame{})); got != want {
				t.Fatalf("cut at %d, by %d:\n%s", i, step, got)
			}
		}
	}
}

func TestLongBlocks(t *testing.T) {
	code := "```go\n" + strings.Repeat("x := 1 // 世界\n", 4000) + "```\nafter\n"
	p := prose{}
	for i := 0; i < len(code); i += 1000 {
		p.text = code[:i]
		p.draw(80, frame{})
	}
	p.text = code
	got := stripped(p.draw(80, frame{}))
	if got != stripped(markdown(code, 80)) {
		t.Error("a long code block in pieces is drawn differently")
	}
	if p.done < len(code)-2*maxTail {
		t.Errorf("only %d of %d bytes are drawn for good", p.done, len(code))
	}
	p = prose{text: strings.Repeat("世", maxMarkdown)}
	if n := strings.Count(stripped(p.draw(80, frame{})), "世"); n != maxMarkdown {
		t.Errorf("%d characters are drawn of a long paragraph", n)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(markdownText, 40, 20)
	f.Add(strings.Repeat("> ", 100)+"deep", 10, 5)
	f.Add(strings.Repeat("- ", 60)+"deep", 30, 3)
	f.Add("|a|b|\n|-|-|\n|\x1b[2J|\u202e|", 12, 9)
	f.Fuzz(func(t *testing.T, src string, cells, at int) {
		cells = 8 + (cells&0x7fffffff)%200
		p := prose{text: src[:max(0, min(at, len(src)))]}
		p.draw(cells, frame{})
		p.text = src
		for _, l := range p.draw(cells, frame{}) {
			if harm := steers(l); harm != "" {
				t.Fatalf("%q has %q", l, harm)
			}
		}
	})
}

// Whatever a model and its tools say, it stays in its place.
func FuzzFrame(f *testing.F) {
	f.Add("text", `{"command":"ls"}`, "out", "bash", 80)
	f.Add("\x1b[2J\u202e\u200d👩‍👩‍👧", "{\"file_path\":\"\x1b\"}", "\x9b31m\r\n\x1b]0;x\x07", "write_file", 60)
	f.Add("```\n\t\t世", `{`, "\t世\u0301\u0301", "\x00", 20)
	f.Fuzz(func(t *testing.T, text, in, out, tool string, w int) {
		d := &driver{t: t, s: newScripted()}
		m := newModel(t.Context(), d.s, Options{})
		m.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
		d.m = m
		d.m.Update(tea.WindowSizeMsg{Width: 20 + (w&0x7fffffff)%200, Height: 24})
		m.update(worked{agent.TextDelta{Text: text}})
		m.update(worked{agent.ToolCall{ToolName: tool, ToolCallID: "1", Input: json.RawMessage(in)}})
		m.update(output{"1", out})
		m.s.(*scripted).status = conversation.Status{Model: text, Mode: out}
		m.s.(*scripted).todo = []agent.Todo{{Text: text}, {Text: out, Now: true}}
		m.refresh()
		checkFrame(t, d)
		q := &question{answer: make(chan agent.Answer, 1), q: agent.Question{Tool: tool, Input: in, Dir: text, Preview: agent.Preview{Text: out, Diff: w%2 == 0}, Reason: text, Sandbox: out, Session: text, Always: out}}
		m.update(q)
		checkFrame(t, d)
		m.update(withdrawn{q})
		m.update(worked{agent.ToolResult{ToolName: tool, ToolCallID: "1", Result: agent.Result{Output: out, Error: text, Notes: []string{out}}}})
		m.update(notice{text: out})
		m.update(notice{text: text, bad: true})
		m.enqueue(text)
		checkFrame(t, d)
		m.update(modelsMsg{list: []conversation.Model{{ID: text, Note: out}}})
		checkFrame(t, d)
		m.mode = typing
		m.paste(out + text)
		checkFrame(t, d)
	})
}

func TestEmoji(t *testing.T) {
	for in, want := range map[string]string{
		"👩‍👩‍👧 ❤️ 👍🏽 1️⃣": "👩👩👧 ❤ 👍 1⃣",
		"a\u200db":          `a\u200db`,
		"a\ufe0f":           `a\ufe0f`,
		"❤\ufe0f\ufe0f":     `❤\ufe0f`,
		"\x1b[1;31mred\x1b": `red\x1b`,
		"a\r\nb\rc":         "a\nb" + `\rc`,
		"bad\xff👍🏽":         `bad\xff👍`,
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := exact("👩‍👩"); got == "👩👩" {
		t.Error("what is approved lost a character")
	}
}

func TestEditor(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want string // with the cursor as |
	}{
		{"typing", []string{"a", "b"}, "ab|"},
		{"by characters", []string{"e\u0301👩‍👩‍👧世", "left", "left", "backspace"}, "|👩‍👩‍👧世"},
		{"delete over lines", []string{"a\nb", "left", "left", "delete"}, "a|b"},
		{"backspace over lines", []string{"a\nb", "home", "backspace"}, "a|b"},
		{"words", []string{"one two  three", "ctrl+left", "ctrl+left", "ctrl+w"}, "|two  three"},
		{"word right", []string{"one two", "home", "ctrl+right", "x"}, "onex| two"},
		{"kill", []string{"one two\nthree", "up", "ctrl+u", "end", "ctrl+k"}, "wo|three"},
		{"up keeps the column", []string{"世界abc\nxy", "up", "-"}, "世-|界abc\nxy"},
		{"rows of one line", []string{"0123456789ABCDEF", "up", "-"}, "0123-|456789ABCDEF"},
		{"new line", []string{"a", "alt+enter", "b"}, "a\nb|"},
		{"at the edges", []string{"left", "backspace", "delete", "right", "ctrl+w", "ctrl+k", "ctrl+u"}, "|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor()
			e.setWidth(12)
			for _, k := range c.keys {
				switch k {
				case "up":
					e.up()
				default:
					if key, ok := named[k]; ok {
						edit(&e, key)
					} else if letter, ok := strings.CutPrefix(k, "ctrl+"); ok {
						edit(&e, tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl})
					} else {
						e.insert(k)
					}
				}
				rows, x, y := e.draw(5)
				if y >= len(rows) || x > e.cells || x > width(rows[y]) {
					t.Fatalf("after %s the cursor is at %d, %d of %q", k, x, y, rows)
				}
			}
			lines := append([]string(nil), e.lines...)
			lines[e.row] = lines[e.row][:e.col] + "|" + lines[e.row][e.col:]
			if got := strings.Join(lines, "\n"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if e.size != len(e.value()) {
				t.Errorf("size is %d of %d bytes", e.size, len(e.value()))
			}
		})
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		cells int
		want  string
	}{
		{"one two three", 8, "one two\nthree"},
		{"one two", 7, "one two"},
		{"abcdefghij", 4, "abcd\nefgh\nij"},
		{"世界世界", 5, "世界\n世界"},
		{"a 世界世界", 5, "a\n世界\n世界"},
		{"", 5, ""},
	} {
		if got := stripped(drawAll(wrap([]span{{c.in, 0}}, c.cells))); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.in, c.cells, got, c.want)
		}
	}
	got := stripped(drawAll(wrap([]span{{"one t", bold}, {"wo three", red}}, 8)))
	if got != "one two\nthree" {
		t.Errorf("over spans: %q", got)
	}
}

func TestSlash(t *testing.T) {
	for in, want := range map[string]string{"/help": "help", " /Model gpt-4o ": "model|gpt-4o", "/etc/hosts is wrong": "-", "hello": "-", "/save\nx": "save|x"} {
		name, args, ok := slash(in)
		got := strings.TrimSuffix(name+"|"+args, "|")
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("slash(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestColors(t *testing.T) {
	spans, within := golang.color(`return "a\"b" + 0x1f // x`, 0, false)
	want := []span{{"return", bold}, {" ", 0}, {`"a\"b"`, yellow}, {" + ", 0}, {"0x1f", magenta}, {" ", 0}, {"// x", faint}}
	if within || len(spans) != len(want) {
		t.Fatalf("%+v", spans)
	}
	for i := range want {
		if spans[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, spans[i], want[i])
		}
	}
	if spans, within = golang.color("a /* b", 0, false); !within || spans[1] != (span{"/* b", faint}) {
		t.Errorf("%+v", spans)
	}
	if languageOf("x/Makefile") != &shell || languageOf("a.unknown") != nil || languageOf("b.TS") != &script {
		t.Error("a wrong language")
	}
}

// Texts at which the parser would work for seconds are drawn as they are.
func TestDenseText(t *testing.T) {
	for _, unit := range []string{"> ", "[a](", "**a_ ", "![", "- "} {
		src := strings.Repeat(unit, 3000)
		p := prose{text: src}
		if got := strings.ReplaceAll(stripped(p.draw(80, frame{})), "\n", ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(src, " ", "") {
			t.Errorf("%q is not drawn as it is", unit)
		}
	}
	if dense("```\n" + strings.Repeat("a[i] = b[i] * c[i]\n", 1000) + "```\n") {
		t.Error("code counts")
	}
}
