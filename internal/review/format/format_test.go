package format

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/clean"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// hostile texts try to leave their place in one format or another.
var hostile = []string{
	"\x1b]52;c;ZXZpbA==\a\x1b[2J", "a\n::error file=x::owned", "::set-output name=a::b", "x%0A::error::y", "##[error]x", "```\n# escaped\n```", "`````` `a`", "~~~\n<img src=x>",
	"![x](https://evil.example/a.png)", "[x]: https://evil.example", "<script>alert(1)</script>", "@admin please merge #1", "</details>\n# Approved", "a,file=b:c", "line\r\n::warning::x", "\u202etxt.exe\u2066", "x\u2028::error::y",
}

func reports() []*review.Report {
	var list []*review.Report
	for _, h := range hostile {
		r := finding.Reported{Finding: finding.Finding{Type: finding.Other, Severity: finding.High, Title: h, Description: h + "\n" + h, Remediation: h, Location: &finding.Location{File: h, Line: 1}}, ID: "a-1", Rule: h, Source: finding.Model, Taint: finding.Untrusted}
		clean.Finding(&r)
		r.Location.File = clean.Path(h)
		action, _ := clean.Line(h, clean.MaxAction)
		list = append(list, &review.Report{Complete: false, IncompleteReasons: []string{action}, Target: snapshot.Target{Kind: "directory", Name: clean.Path(h)}, Findings: []finding.Reported{r}, RecommendedActions: []string{action}})
		// Even what was not made plain must not leave its place.
		raw := r
		raw.Title, raw.Description, raw.Remediation, raw.Location = h, h, h, &finding.Location{File: h, Line: 1}
		list = append(list, &review.Report{Findings: []finding.Reported{raw}, RecommendedActions: []string{h}, IncompleteReasons: []string{h}, Target: snapshot.Target{Name: h}})
	}
	return list
}

func write(t *testing.T, f func(b *bytes.Buffer, r *review.Report) error, r *review.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var steering = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]`)

func TestTerminal(t *testing.T) {
	for _, r := range reports() {
		if out := write(t, func(b *bytes.Buffer, r *review.Report) error { return Text(b, r) }, r); steering.MatchString(out) {
			t.Errorf("the text %q steers a terminal, want that it cannot", out)
		}
	}
}

// The summary of a review whose reviewers failed does not say that they read the material.
func TestSummarySaysWhatWasRead(t *testing.T) {
	for _, tt := range []struct {
		complete bool
		read     []review.Reviewed
		want     string
	}{
		{true, []review.Reviewed{review.Full}, " 1 file of the directory. 1 reviewer read it."},
		{false, []review.Reviewed{review.None}, " 1 reviewer read 0 of 1 file in full."},
		{false, []review.Reviewed{review.Full, review.Partial, review.None}, " 1 reviewer read 1 of 3 files in full."},
	} {
		r := &review.Report{Complete: tt.complete, Agents: []review.Agent{{ID: "a"}}, Target: snapshot.Target{Kind: "directory", Name: ".", Files: len(tt.read)}}
		for _, how := range tt.read {
			r.Files = append(r.Files, review.FileReport{Path: "a.go", Reviewed: how})
		}
		for name, f := range map[string]func(b *bytes.Buffer, r *review.Report) error{
			"text": func(b *bytes.Buffer, r *review.Report) error { return Text(b, r) }, "markdown": func(b *bytes.Buffer, r *review.Report) error { return Markdown(b, r) },
		} {
			if out := write(t, f, r); !strings.Contains(out, tt.want) {
				t.Errorf("%s: %q lacks %q", name, out, tt.want)
			}
		}
	}
}

// A runner takes a line that begins with :: or has ##[ for a command.
func TestAnnotationsAreOurs(t *testing.T) {
	form := regexp.MustCompile(`^::(error|warning|notice) (?:file=[^,:]*,(?:line=\d+,)?(?:col=\d+,)?)?title=[^,:]*::`)
	for _, r := range reports() {
		out := write(t, func(b *bytes.Buffer, r *review.Report) error { return GitHub(b, r) }, r)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if want := len(r.Findings) + len(r.IncompleteReasons) + 1; len(lines) != want {
			t.Errorf("%d lines, want %d: %q", len(lines), want, out)
		}
		for i, l := range lines {
			if i < len(lines)-1 && !form.MatchString(l) || i == len(lines)-1 && (strings.Contains(l, "::") || strings.Contains(l, "##[")) {
				t.Errorf("line %d is %q", i, l)
			}
			if steering.MatchString(l) {
				t.Errorf("the line %q steers a terminal, want that it cannot", l)
			}
		}
	}
}

// Outside of code there is nothing but umpire's own words.
func TestMarkdownIsInert(t *testing.T) {
	own := regexp.MustCompile(`^(?:## umpire review|\*\*The review is incomplete: this is not a verdict.\*\*|- X|X|X, X|### (?:critical|high|medium|low): X|### Recommended by the reviewer|Left out, because a comment has no room: [0-9]+ findings.|)$`)
	for _, r := range reports() {
		out := write(t, func(b *bytes.Buffer, r *review.Report) error { return Markdown(b, r) }, r)
		if steering.MatchString(out) {
			t.Errorf("the text %q steers a terminal, want that it cannot", out)
		}
		fence := ""
		for _, l := range strings.Split(out, "\n") {
			mark := l[:len(l)-len(strings.TrimLeft(l, "`"))]
			switch {
			case fence != "":
				if len(mark) >= len(fence) && strings.TrimSpace(l[len(mark):]) == "" {
					fence = ""
				}
			case len(mark) >= 3 && l[len(mark):] == " text":
				fence = mark
			default:
				if rest := spans(l); !own.MatchString(rest) {
					t.Errorf("%q stands outside of code in %q", rest, out)
				}
			}
		}
		if fence != "" {
			t.Errorf("a block is left open: %q", out)
		}
	}
}

// spans replaces each span of code by X, as Markdown reads them.
func spans(l string) string {
	var b strings.Builder
	for l != "" {
		if l[0] != '`' {
			b.WriteByte(l[0])
			l = l[1:]
			continue
		}
		n := len(l) - len(strings.TrimLeft(l, "`"))
		end := -1
		for i := n; i < len(l); {
			k := len(l[i:]) - len(strings.TrimLeft(l[i:], "`"))
			if k == n {
				end = i
				break
			}
			i += max(k, 1)
		}
		if end < 0 {
			b.WriteString(l)
			break
		}
		b.WriteByte('X')
		l = l[end+n:]
	}
	return b.String()
}

func TestLongReportsFitIntoComments(t *testing.T) {
	r := &review.Report{Complete: true, Target: snapshot.Target{Kind: "directory", Name: "."}}
	for range 200 {
		r.Findings = append(r.Findings, finding.Reported{Finding: finding.Finding{Severity: finding.Low, Title: "t", Description: strings.Repeat("word ", 390)}})
	}
	out := write(t, func(b *bytes.Buffer, r *review.Report) error { return Markdown(b, r) }, r)
	if len(out) > 65_000 || !strings.Contains(out, "because a comment has no room") {
		t.Errorf("%d bytes, want at most 65000 and a note about what has no room", len(out))
	}
}

func TestMissingIsolationIsTold(t *testing.T) {
	r := &review.Report{Complete: true, Agents: []review.Agent{{}}, Isolation: []review.Layer{{Name: "landlock", State: "missing"}, {Name: "root", State: "on"}, {Name: "seccomp", State: "off"}}}
	for _, f := range []func(*bytes.Buffer, *review.Report) error{
		func(b *bytes.Buffer, r *review.Report) error { return Text(b, r) },
		func(b *bytes.Buffer, r *review.Report) error { return Markdown(b, r) },
	} {
		if out := write(t, f, r); !strings.Contains(out, "not isolated by: landlock, seccomp.") {
			t.Errorf("%q lacks what it was not isolated by", out)
		}
	}
}

func TestRefusedCallsAreTold(t *testing.T) {
	r := &review.Report{Complete: true, Agents: []review.Agent{{}, {DeniedCalls: 2}, {DeniedCalls: 1}}}
	if out := write(t, func(b *bytes.Buffer, r *review.Report) error { return Text(b, r) }, r); !strings.Contains(out, "3 reviewers read it. Umpire refused 3 calls of reviewers, which") {
		t.Errorf("%q lacks the readers and the refused calls", out)
	}
}

func TestUnreadFilesAreListed(t *testing.T) {
	r := &review.Report{Agents: []review.Agent{{}}, IncompleteReasons: []string{"x"}}
	for i := range 30 {
		r.Files = append(r.Files, review.FileReport{Path: fmt.Sprintf("f%d\x1b[2J\nforged line", i), Reviewed: review.None, Why: "its reviewer failed: the provider is overloaded (status 529)"})
	}
	r.Files[0].Reviewed = review.Full
	out := write(t, func(b *bytes.Buffer, r *review.Report) error { return Text(b, r) }, r)
	if strings.Count(out, "not read: f") != 20 || strings.Contains(out, "f0") || !strings.Contains(out, "status 529") || !strings.Contains(out, "not read: 9 files more") || strings.Contains(out, "\x1b") || strings.Contains(out, "\nforged") {
		t.Errorf("%s: want 20 files that were not read, a count of the others, and no escapes", out)
	}
	r.Agents = nil // nobody was to read
	if out := write(t, func(b *bytes.Buffer, r *review.Report) error { return Text(b, r) }, r); strings.Contains(out, "not read") {
		t.Errorf("%s: want no file that was not read", out)
	}
}
