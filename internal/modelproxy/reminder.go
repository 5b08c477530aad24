package modelproxy

import (
	"context"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// What Claude Code itself says where users speak stands between these.
const (
	reminderBegin = "<system-reminder>"
	reminderEnd   = "</system-reminder>"
)

// reminders takes from the users' texts what is nothing but words of Claude Code's own: the
// project's instructions, among others, and that they override what was said before. They
// are of the rank of a system prompt. Who could forge one writes the whole request, or
// sits at that Claude Code.
//
// Some of them quote: a file that was mentioned or changed, lines that were selected, what
// a server says of itself. Quoted text is sanitized like a tool's result.
func (p *Proxy) reminders(ctx context.Context, c *exchange, r *reader, said *conversation) ([]edit, error) {
	var edits []edit
	newest := said.newest
	users := said.users[:0:0]
	for i, t := range said.users {
		in, ok := "", false
		if begins(r.raw(t.node)) && !t.decode(r) {
			in, ok = reminder(t.text)
		}
		if !ok {
			users = append(users, t)
			continue
		}
		if i < newest {
			said.newest--
		}
		if p.o.Sanitize == nil || !quotes(in) {
			continue
		}
		o, err := p.quoted(ctx, c, r, t, in)
		if err != nil {
			return nil, err
		}
		if o.changed {
			edits = append(edits, edit{t.node, quote(o.text)})
		}
		p.taint(c, o, reminderTool)
	}
	said.users = users
	return edits, nil
}

// begins reports whether a JSON string may begin with a reminder, without decoding it.
func begins(raw []byte) bool {
	s := string(raw[:min(len(raw), 64)])
	for _, blank := range []string{`\n`, `\r`, `\t`, " "} {
		s = strings.ReplaceAll(s, blank, "")
	}
	return strings.HasPrefix(s, `"<system-r`) || strings.HasPrefix(s, `"\u003`) // some write < so
}

// reminder returns what a text says if it is one reminder and nothing beside it.
func reminder(text string) (string, bool) {
	in, opened := strings.CutPrefix(strings.TrimSpace(text), reminderBegin)
	in, closed := strings.CutSuffix(in, reminderEnd)
	return in, opened && closed && !strings.Contains(in, "system-reminder>")
}

// reminderTool is the name of the tool for the sanitizer and the taint.
const reminderTool = "system-reminder"

// quoting are the beginnings of reminders that quote others, as Claude Code 2.1 has them.
// Quoted text comes after them and cannot choose them.
var quoting = []string{
	"Result of calling the ", "Note: ", "Note from ", "The user selected the ", "<mcp-resource", "Full contents of resource", "Resource ",
	"<task-notification", "Background ", "<new-diagnostics", "The following new diagnostic", "# MCP Server Instructions", "The following MCP servers",
}

// quotes reports whether a reminder has words of others in it: of a file, which it shows
// with the numbers of the lines, of a tool, of a server. Judging all of them would not do:
// many of Claude Code's own address the model just as an attack would. Nor are hooks
// quoted, which are programs of the user's that may speak to the model.
func quotes(in string) bool {
	in = strings.TrimSpace(in)
	if anyof.HasPrefix(in, quoting...) {
		return true
	}
	for line := range strings.SplitSeq(in, "\n") {
		rest := strings.TrimLeft(strings.TrimSpace(line), "0123456789")
		if len(rest) < len(strings.TrimSpace(line)) && (strings.HasPrefix(rest, "\t") || strings.HasPrefix(rest, "→")) {
			return true
		}
	}
	return false
}

// quoted sanitizes what a reminder quotes, and leaves the words around it.
func (p *Proxy) quoted(ctx context.Context, c *exchange, r *reader, t part, in string) (outcome, error) {
	key := keyed(p.o.Key, "reminder", string(r.raw(t.node)))
	if o, ok := p.known.get(key); ok {
		return o, nil
	}
	o, err := p.clean(ctx, c, reminderTool, in, true)
	if err != nil {
		return outcome{}, err
	}
	if o.key = key; o.changed {
		o.text = reminderBegin + "\n" + strings.Trim(o.text, "\n") + "\n" + reminderEnd
	}
	p.known.put(o)
	return o, nil
}
