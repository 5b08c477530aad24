package modelproxy

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/umpire-dev/umpire/guard"
)

// maxJoined limits the bytes of the newest texts that are also judged together.
const maxJoined = 64 << 10

// maxHistory is the number of earlier turns that are judged with a text.
const maxHistory = 10

// in judges a conversation and returns the body to forward. The limits of all users count it, and the first
// is its sender.
func (p *Proxy) in(ctx context.Context, c *exchange, users []string, body []byte, counting bool) ([]byte, error) {
	d, root, err := parse(body)
	if err != nil {
		return nil, err
	}
	r := &reader{doc: d}
	said := c.format.read(r, root)
	if r.err != nil {
		return nil, r.err
	}
	c.answer.System = strings.Join(said.system, "\n")
	for _, user := range users {
		if p.o.Admit == nil || counting {
			break
		}
		if res := p.o.Admit.Check(ctx, guard.Request{UserID: user, TenantID: c.answer.TenantID, Metadata: c.answer.Metadata, Channel: "proxy"}); res.Verdict == guard.Rejected {
			return nil, p.stopped(ctx, c, "the request", res)
		}
	}
	var edits []edit
	if c.claude {
		if edits, err = p.reminders(ctx, c, r, &said); err != nil {
			return nil, err
		}
	}
	if t := said.prompt; p.o.Prompt != nil && t.node.ok() {
		edits = append(edits, edit{t.node, quote(p.o.Prompt(t.text))})
	}
	if p.o.Input != nil {
		judged, err := p.users(ctx, c, r, users[0], said)
		if err != nil {
			return nil, err
		}
		edits = append(edits, judged...)
	}
	if p.o.Sanitize != nil {
		for _, t := range said.tools {
			o, err := p.tool(ctx, c, r, t)
			if err != nil {
				return nil, err
			}
			if o.changed {
				edits = append(edits, edit{t.node, quote(t.code.written(r.str(t.node), o.text))})
			}
			p.taint(c, o, t.tool)
		}
	}
	return d.apply(edits), nil
}

// taint reports a tool result that tried to manipulate the model.
func (p *Proxy) taint(c *exchange, o outcome, tool string) {
	if o.tainted && c.session != "" && p.o.Taint != nil {
		p.o.Taint("claude", c.session, tool)
	}
}

// stopped counts and logs the rejection of a text.
func (p *Proxy) stopped(ctx context.Context, c *exchange, what string, res guard.Result) *fault {
	c.seen.Outcome = "rejected"
	p.o.Log.InfoContext(ctx, "stopped", "what", what, "format", c.format.String(), "stage", res.Stage, "category", string(res.Category))
	return rejected(what, res)
}

// users judges user texts. It always judges the newest texts, separately and together, and each
// earlier one once: a client may send a made-up history.
func (p *Proxy) users(ctx context.Context, c *exchange, r *reader, user string, said conversation) ([]edit, error) {
	var edits []edit
	var joined []string
	size := 0
	for i, t := range said.users {
		isNew := i >= said.newest
		key := keyed(p.o.Key, "text", user, c.answer.TenantID, string(r.raw(t.node))) // an exception may hold for one user only
		o, ok := p.known.get(key)
		if !ok || isNew {
			if t.decode(r) {
				continue
			}
			req := guard.Request{UserID: user, TenantID: c.answer.TenantID, Metadata: c.answer.Metadata, Channel: "proxy", Text: t.text}
			if past := history(r, said, i); isNew && len(past) > 0 {
				req.Metadata = map[string]any{guard.HistoryKey: past, guard.UserKey: c.answer.Metadata[guard.UserKey]}
			}
			res := p.o.Input.Check(ctx, req)
			if res.Verdict == guard.Rejected {
				return nil, p.stopped(ctx, c, "the prompt", res)
			}
			o = outcome{key: key, changed: res.Verdict == guard.Modified && res.Text != t.text}
			if o.changed {
				o.text = res.Text
			}
			p.known.put(o)
		}
		if o.changed {
			edits = append(edits, edit{t.node, quote(o.text)})
		}
		if isNew {
			joined = append(joined, t.text)
			size += len(t.text)
		}
	}
	if len(joined) > 1 && size <= maxJoined {
		// Each half of a sentence may be harmless. The joined text may exceed the limit of one
		// text.
		res := p.o.Input.Check(ctx, guard.Request{UserID: user, TenantID: c.answer.TenantID, Metadata: c.answer.Metadata, Channel: "proxy", Text: strings.Join(joined, "\n")})
		if res.Verdict == guard.Rejected && res.Category != guard.InvalidInput {
			return nil, p.stopped(ctx, c, "the prompt", res)
		}
	}
	return edits, nil
}

// history returns the users' turns before the newest, oldest first.
func history(r *reader, said conversation, i int) []any {
	if i < said.newest {
		return nil
	}
	var past []any
	for _, t := range said.users[max(0, said.newest-maxHistory):said.newest] {
		if !t.decode(r) {
			past = append(past, t.text)
		}
	}
	return past
}

// tool sanitizes a tool result, once.
func (p *Proxy) tool(ctx context.Context, c *exchange, r *reader, t part) (outcome, error) {
	kind := "tool"
	switch {
	case t.code != 0:
		kind = "file"
	case t.side:
		kind = "side"
	}
	key := keyed(p.o.Key, kind, t.tool, string(r.raw(t.node)))
	if o, ok := p.known.get(key); ok || t.decode(r) {
		return o, nil
	}
	o, err := p.clean(ctx, c, t.tool, t.text, t.side)
	if err != nil {
		return outcome{}, err
	}
	o.key = key
	p.known.put(o)
	return o, nil
}

// clean sanitizes a text. It changes a text beside others only if necessary.
func (p *Proxy) clean(ctx context.Context, c *exchange, tool, text string, side bool) (outcome, error) {
	res, err := p.o.Sanitize(ctx, tool, text)
	if err != nil {
		c.seen.Outcome = "failed"
		p.o.Log.ErrorContext(ctx, "the sanitizer failed, and the request was stopped", "error", guard.CauseOf(err))
		f := *errClosed
		f.text = "the sanitizer failed, so the text was stopped: " + guard.CauseOf(err)
		return outcome{}, &f
	}
	if res.Marker != "" {
		// Random marks would differ in each turn, and defeat prompt caches. Without the key, no one
		// can write an output that contains its own mark.
		mark := keyed(p.o.Key, "mark", tool, text)
		res.Text = strings.ReplaceAll(res.Text, res.Marker, hex.EncodeToString(mark[:])[:min(2*len(mark), max(16, len(res.Marker)))])
	}
	o := outcome{changed: res.Text != text && (res.Tainted || !side)}
	c.seen.Tools++
	if o.changed {
		o.text = res.Text
		c.seen.Cleaned++
	}
	if res.Tainted {
		c.seen.Tainted++
		o.tainted = true
	}
	return o, nil
}
