// Package format prints a review for people: for a terminal, as Markdown for a comment, and as
// annotations of a workflow. The text of a report is already sanitized; here it also cannot leave
// its line, block or property.
package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Text prints a report for a terminal.
func Text(w io.Writer, r *review.Report) error {
	var b bytes.Buffer
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "%-8s %s\n", strings.ToUpper(f.Severity.String()), visible.Line(head(f)))
		place := "(the material as a whole)"
		if f.Location != nil {
			place = f.Place()
		}
		fmt.Fprintf(&b, "         %s  %s  id %s\n", visible.Line(place), visible.Line(f.Rule), f.ID)
		indent(&b, f.Description)
		if f.Remediation != "" {
			indent(&b, "Remedy: "+f.Remediation)
		}
		if notes := notes(f); notes != "" {
			indent(&b, notes)
		}
		b.WriteByte('\n')
	}
	if len(r.RecommendedActions) > 0 {
		b.WriteString("Recommended by the reviewer:\n")
		for _, a := range r.RecommendedActions {
			fmt.Fprintf(&b, "  - %s\n", visible.Line(a))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n", visible.Line(summary(r)))
	for _, why := range r.IncompleteReasons {
		fmt.Fprintf(&b, "INCOMPLETE: %s\n", visible.Line(why))
	}
	unread(&b, r)
	_, err := w.Write(b.Bytes())
	return err
}

const maxUnread = 20

// unread lists the files that the model did not read completely.
func unread(b *bytes.Buffer, r *review.Report) {
	if r.Complete || len(r.Agents) == 0 {
		return
	}
	left := 0
	for i := range r.Files {
		f := &r.Files[i]
		if f.Reviewed == review.Full || f.Why == "" {
			continue
		}
		if left++; left > maxUnread {
			continue
		}
		name := f.Path
		if f.Name != "" {
			name += " (" + f.Name + ")"
		}
		fmt.Fprintf(b, "  not read: %s: %s\n", visible.Line(name), visible.Line(f.Why))
	}
	if left > maxUnread {
		fmt.Fprintf(b, "  not read: %s more; --format json lists all\n", plural.Count(left-maxUnread, "file"))
	}
}

func head(f *finding.Reported) string {
	if f.Title != "" {
		return f.Title
	}
	return strings.ReplaceAll(string(f.Type), "_", " ")
}

func indent(b *bytes.Buffer, s string) {
	for l := range strings.Lines(visible.Block(s)) {
		b.WriteString("         ")
		b.WriteString(strings.TrimRight(l, "\n"))
		b.WriteByte('\n')
	}
}

// notes lists the source of a finding and the caveats about its text.
func notes(f *finding.Reported) string {
	var n []string
	switch f.Source {
	case finding.Model:
		n = append(n, "reported by a model that read the material")
	case finding.Import:
		n = append(n, "from another tool's report")
	}
	if f.Confidence != nil && (f.Source != finding.Static || *f.Confidence < 1) { // 1 means a fact
		n = append(n, fmt.Sprintf("confidence %s, %.0f%%", f.Level(), 100**f.Confidence))
	}
	for _, x := range f.Flags {
		n = append(n, string(x))
	}
	if f.Steers != nil && *f.Steers {
		n = append(n, "may steer its reader")
	}
	if len(n) == 0 {
		return ""
	}
	return "[" + strings.Join(n, ", ") + "]"
}

// summary returns the report in one line.
func summary(r *review.Report) string {
	counts := map[finding.Severity]int{}
	for i := range r.Findings {
		counts[r.Findings[i].Severity]++
	}
	s := plural.Count(len(r.Findings)+r.Omitted, "finding")
	var parts []string
	for _, sev := range finding.Severities() {
		if counts[sev] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[sev], sev))
		}
	}
	if r.Omitted > 0 {
		parts = append(parts, fmt.Sprintf("%d not shown", r.Omitted))
	}
	if len(parts) > 0 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	of := r.Target.Kind
	if r.Target.Name != "" && r.Target.Name != "." { // a closed report does not have a name
		of += " " + r.Target.Name
	}
	s += " in " + plural.Count(r.Target.Files, "file") + " of the " + strings.TrimSuffix(of, ".") + "."
	if len(r.Agents) == 0 {
		return s + " No model read it."
	}
	what := "it"
	if !r.Complete { // a reviewer that failed counts as one
		whole := 0
		for i := range r.Files {
			if r.Files[i].Reviewed == review.Full {
				whole++
			}
		}
		what = fmt.Sprintf("%d of %s in full", whole, plural.Count(len(r.Files), "file"))
	}
	return s + " " + plural.Count(len(r.Agents), "reviewer") + " read " + what + "." + refused(r) + isolation(r)
}

// refused counts the calls of reviewers beyond their tools: text of the material may have asked
// for them.
func refused(r *review.Report) string {
	n := 0
	for i := range r.Agents {
		n += r.Agents[i].DeniedCalls
	}
	if n == 0 {
		return ""
	}
	return " Umpire refused " + plural.Count(n, "call") + " of reviewers, which the material may have asked for."
}

// isolation names the missing sandbox layers.
func isolation(r *review.Report) string {
	var missing []string
	for _, l := range r.Isolation {
		if l.State != "on" {
			missing = append(missing, l.Name)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return " They were not isolated by: " + strings.Join(missing, ", ") + "."
}

// maxComment is the size limit of comments at hosting services.
const maxComment = 60_000

// Markdown prints a comment: without images, links and mentions. Texts are in blocks that they
// cannot end.
func Markdown(w io.Writer, r *review.Report) error {
	var b bytes.Buffer
	b.WriteString("## umpire review\n\n")
	if !r.Complete {
		b.WriteString("**The review is incomplete: this is not a verdict.**\n\n")
		for _, why := range r.IncompleteReasons {
			fmt.Fprintf(&b, "- %s\n", span(why))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n\n", span(summary(r)))
	for i := range r.Findings {
		var one bytes.Buffer
		f := &r.Findings[i]
		fmt.Fprintf(&one, "### %s: %s\n\n", f.Severity, span(head(f)))
		if f.Location != nil {
			fmt.Fprintf(&one, "%s, %s\n\n", span(f.Place()), span(f.Rule))
		} else {
			fmt.Fprintf(&one, "%s\n\n", span(f.Rule))
		}
		text := f.Description
		if f.Remediation != "" {
			text += "\n\nRemedy: " + f.Remediation
		}
		if n := notes(f); n != "" {
			text += "\n\n" + n
		}
		block(&one, text)
		if b.Len()+one.Len() > maxComment {
			fmt.Fprintf(&b, "Left out, because a comment has no room: %s.\n", plural.Count(len(r.Findings)-i, "finding"))
			break
		}
		b.Write(one.Bytes())
	}
	if len(r.RecommendedActions) > 0 && b.Len() < maxComment {
		b.WriteString("### Recommended by the reviewer\n\n")
		block(&b, "- "+strings.Join(r.RecommendedActions, "\n- "))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// span formats a text as inline code.
func span(s string) string {
	s = strings.Join(strings.Fields(visible.Line(s)), " ")
	if s == "" {
		return "` `"
	}
	mark := strings.Repeat("`", longest(s, '`')+1)
	return mark + " " + s + " " + mark
}

// block formats a text as a code block, with a fence longer than any in it.
func block(b *bytes.Buffer, s string) {
	s = visible.Block(s)
	fence := strings.Repeat("`", max(3, longest(s, '`')+1))
	fmt.Fprintf(b, "%s text\n%s\n%s\n\n", fence, s, fence)
}

func longest(s string, c byte) int {
	most, n := 0, 0
	for i := range len(s) {
		if s[i] == c {
			n++
			most = max(most, n)
		} else {
			n = 0
		}
	}
	return most
}

// GitHub writes the findings as workflow commands of GitHub, one per line, which it shows as
// annotations.
func GitHub(w io.Writer, r *review.Report) error {
	var b bytes.Buffer
	kinds := [...]string{"error", "error", "warning", "notice"}
	for i := range r.Findings {
		f := &r.Findings[i]
		var props []string
		if l := f.Location; l != nil {
			props = append(props, "file="+fileProperty(l))
			if l.Line > 0 {
				props = append(props, fmt.Sprintf("line=%d", l.Line))
			}
			if l.Column > 0 {
				props = append(props, fmt.Sprintf("col=%d", l.Column))
			}
		}
		props = append(props, "title="+property(f.Severity.String()+": "+head(f)+" ("+f.Rule+")"))
		text := f.Description
		if f.Remediation != "" {
			text += "\nRemedy: " + f.Remediation
		}
		fmt.Fprintf(&b, "::%s %s::%s\n", kinds[min(int(f.Severity), len(kinds)-1)], strings.Join(props, ","), data(text))
	}
	for _, why := range r.IncompleteReasons {
		fmt.Fprintf(&b, "::warning title=umpire review is incomplete::%s\n", data(why))
	}
	fmt.Fprintf(&b, "%s\n", outside(summary(r)))
	_, err := w.Write(b.Bytes())
	return err
}

var dataEscape = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

var propertyEscape = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")

// maxText is the most bytes of a text in a command to the runner.
const maxText = 8000

func data(s string) string { return dataEscape.Replace(bounded.Clip(visible.Block(s), maxText, "…")) }

func property(s string) string {
	return propertyEscape.Replace(bounded.Clip(visible.Line(s), maxText, "…"))
}

// fileProperty names a file so that the runner finds it. The commands cannot encode most controls: a
// name with others than line breaks stays quoted. Runners also take ##[ inside a line for a command.
func fileProperty(l *finding.Location) string {
	name := l.Name()
	if lines := strings.NewReplacer("\n", "", "\r", "").Replace(name); visible.Line(lines) != lines {
		name = visible.Name(name)
	}
	return propertyEscape.Replace(bounded.Clip(strings.ReplaceAll(name, "##[", "## ["), maxText, "…"))
}

// outside prints a line that must not be a workflow command.
func outside(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(visible.Line(s), "::", ": :"), "##[", "## [")
}
