package answer

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/visible"

	"mvdan.cc/sh/v3/syntax"
)

// Brief prints a question in a few lines. The agent chose its text.
func Brief(w io.Writer, q *question.Question) {
	fmt.Fprintf(w, "%s  %s ago  %s  %s\n", q.ID, plural.Rough(time.Since(q.Asked)), who(q.Who), visible.Clip(q.Tool, 60))
	fmt.Fprintf(w, "    %s\n", visible.Clip(CallText(q), 200))
	for i, r := range q.Reasons { // the gravest first
		if i == 2 {
			break
		}
		fmt.Fprintf(w, "    %s: %s (%s)\n", r.Effect, visible.Clip(r.Text, 160), visible.Line(r.Rule))
	}
	would := wouldDo(q)
	for i, op := range would {
		if i == 3 {
			fmt.Fprintf(w, "    and %d more\n", len(would)-i)
			break
		}
		fmt.Fprintf(w, "    would %s\n", visible.Clip(op, 160))
	}
	if q.Answered.IsZero() {
		return
	}
	fmt.Fprintf(w, "    answered %s ago by %s", plural.Rough(time.Since(q.Answered)), visible.Line(q.By))
	if q.Note != "" {
		fmt.Fprintf(w, ": %s", visible.Clip(q.Note, 200))
	}
	fmt.Fprintln(w)
}

// wouldDo describes the operations of a call, without repetitions.
func wouldDo(q *question.Question) (list []string) {
	for _, op := range q.Ops {
		kind, rest, ok := strings.Cut(op, "(")
		if !ok || !strings.HasSuffix(rest, ")") {
			list = append(list, op)
			continue
		}
		rest = strings.ReplaceAll(strings.TrimSuffix(rest, ")"), umpire.Hole, "<unknown>")
		switch kind {
		case umpire.Exec.String():
			kind = "run"
		case umpire.Network.String():
			kind = "reach"
		case umpire.Tool.String():
			kind = "call"
		case umpire.Delete.String(), umpire.Read.String(), umpire.Write.String(), umpire.Git.String():
		default:
			kind += ":" // system: service restart nginx
		}
		if s := kind + " " + rest; !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// Show prints the complete question. A bar marks text that the agent chose, so that no line of it
// can imitate umpire's.
func Show(w io.Writer, q *question.Question) {
	fmt.Fprintf(w, "\nQuestion %s, asked %s ago\n", q.ID, plural.Rough(time.Since(q.Asked)))
	if q.State == question.Denied || q.State == question.Approved {
		fmt.Fprintf(w, "%s  %s ago by %s\n", strings.ToUpper(string(q.State)), plural.Rough(time.Since(q.Answered)), visible.Line(q.By))
	}
	fmt.Fprintf(w, "who     %s\n", who(q.Who))
	fmt.Fprintf(w, "folder  %s\n", visible.Line(q.Dir))
	fmt.Fprintf(w, "tool    %s, called with\n", visible.Line(q.Tool))
	bars(w, CallText(q))
	if q.Cut > 0 {
		fmt.Fprintf(w, "        %d more bytes of it are NOT shown\n", q.Cut)
	}
	if len(q.Reasons) > 0 {
		fmt.Fprintln(w, "because")
	}
	for _, r := range q.Reasons {
		fmt.Fprintf(w, "    %s: %s (%s)\n", r.Effect, visible.Line(r.Text), visible.Line(r.Rule))
	}
	if len(q.Ops) > 0 {
		fmt.Fprintln(w, "would")
		bars(w, strings.Join(each(wouldDo(q), visible.Line), "\n"))
	}
	if len(q.Files) > 0 {
		fmt.Fprintln(w, "with these files, unchanged, and no others")
		for _, f := range q.Files {
			fmt.Fprintf(w, "    | %s  %s\n", visible.Clip(f.Path, 300), visible.Clip(f.Sum, 16))
		}
	}
}

func bars(w io.Writer, text string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(visible.Block(text), "\n"), "\n") {
		fmt.Fprintf(w, "    | %s\n", line)
	}
}

func each(in []string, f func(string) string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = f(s)
	}
	return out
}

// CallText returns the text of a call: the command of a shell unchanged, a list of arguments
// quoted for a shell, other input as JSON.
func CallText(q *question.Question) string {
	var in map[string]json.RawMessage
	if json.Unmarshal([]byte(q.Input), &in) != nil {
		return q.Input
	}
	text, ok := commandText(in["command"])
	delete(in, "command")
	delete(in, "description")
	if !ok || len(in) > 0 {
		return q.Input
	}
	return text
}

func commandText(command json.RawMessage) (text string, ok bool) {
	var argv []string
	if json.Unmarshal(command, &text) == nil {
		return text, true
	}
	if json.Unmarshal(command, &argv) != nil || len(argv) == 0 {
		return "", false
	}
	for i, arg := range argv {
		word, err := syntax.Quote(arg, syntax.LangBash)
		if err != nil {
			return "", false
		}
		argv[i] = word
	}
	return strings.Join(argv, " "), true
}

func who(p umpire.Principal) string {
	s := visible.Clip(p.Platform, 40)
	if p.Agent != "" {
		s += ", agent " + visible.Clip(p.Agent, 40)
	}
	if p.Role != "" {
		s += " (" + visible.Clip(p.Role, 40) + ")"
	}
	if p.Session != "" {
		s += ", session " + visible.Clip(p.Session, 40)
	}
	if s == "" {
		return "unknown"
	}
	return s
}
