package modelproxy

import (
	"context"
	"html"
	"net/http"
	"strings"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// Stream judges a text while it is written. The returned text may be sent; Stream holds the rest
// back until its verdict. An error, from either method, stops the text.
type Stream interface {
	Write(text string) (safe string, err error)
	Close() (safe string, err error)
}

// Stopped is the error of a Stream that rejects.
type Stopped struct{ guard.Result }

// Error implements error.
func (s *Stopped) Error() string { return s.Reason }

type answerCheck struct {
	ctx    context.Context
	output Output
	answer guard.Answer
	stop   func(guard.Result) error // makes the error of a rejection
}

// whole judges a complete text.
func (j *answerCheck) whole(text string) (string, error) {
	switch res := j.output.Check(j.ctx, text, j.answer); res.Verdict {
	case guard.Allowed:
		return text, nil
	case guard.Modified:
		return res.Text, nil
	default:
		return "", j.stop(res)
	}
}

// fault judges the body of an error, which may quote what the model wrote. It changes nothing, because clients
// recognize errors by their text.
func (j *answerCheck) fault(body string) error {
	said := &strings.Builder{}
	said.WriteString(body + "\n")
	decoded(body, said)
	for range errorLevels { // an error may quote another's JSON, be cut, or be no JSON
		plain := html.UnescapeString(escape.Of("js").Decode(body))
		if plain == body {
			break
		}
		body = plain
		said.WriteString(body + "\n")
	}
	_, err := j.whole(said.String())
	return err
}

// errorLevels limits how often escapes in an error are undone.
const errorLevels = 4

// slot identifies one of the concurrent texts of an answer.
type slot struct {
	field byte // 't' for text, 'r' for a refusal, 'h' for unsigned thinking
	a, b  int  // its index: of the choice, of the block, or of the item and its part
}

// found is a text of an answer.
type found struct {
	slot
	part
	logprobs node // the text once more, token by token
}

// upstreamFault is an answer that cannot be read, and so cannot be judged.
var upstreamFault = &fault{http.StatusBadGateway, "server_error", "bad_upstream_answer", "cannot read the upstream's answer: check that its address is that of a model API", 0}

// whole finds the texts of an answer that was not streamed, and notes its other content.
func (f format) whole(r *reader, root node, besides *extras) []found {
	var out []found
	note := func(index int, block node, texts ...node) {
		if err := besides.add(r, index, block, texts...); err != nil && r.err == nil {
			r.err = err
		}
	}
	add := func(field byte, a, b int, n, logprobs node) {
		for _, p := range texts(r, n, "", nil) {
			if !p.decode(r) {
				out = append(out, found{slot{field, a, b}, p, logprobs})
			}
		}
	}
	switch f {
	case chat, completions:
		r.items(r.field(root, "choices"), func(i int, c node) {
			g := r.fields(c, "message", "text", "logprobs")
			m := r.fields(g[0], chatTexts...)
			add('t', i, 0, m[0], g[2])
			add('r', i, 0, m[1], g[2])
			add('h', i, 0, m[2], node{})
			add('h', i, 0, m[3], node{})
			add('t', i, 0, g[1], g[2])
			note(i, g[0], r.strings(m)...)
			note(i, c, g...)
		})
	case messages:
		r.items(r.field(root, "content"), func(i int, b node) {
			t := r.field(b, "text")
			add('t', i, 0, t, node{})
			note(i, b, r.strings([]node{t})...)
		})
	case responses:
		g := r.fields(root, "output", "output_text", "data")
		r.items(g[0], func(i int, item node) { f.item(r, i, item, add, note) })
		r.items(g[2], func(i int, item node) { f.item(r, i, item, add, note) }) // of a stored conversation
		add('t', -1, -1, g[1], node{})
	}
	return out
}

// item finds the texts of an item of the Responses API: those of messages. Other items are other
// content.
func (format) item(r *reader, index int, item node, add func(byte, int, int, node, node), note func(int, node, ...node)) {
	g := r.fields(item, "type", "content")
	if r.str(g[0]) != "message" {
		note(index, item)
		return
	}
	r.items(g[1], func(i int, p node) {
		h := r.fields(p, "text", "refusal", "logprobs")
		add('t', index, i, h[0], h[2])
		add('r', index, i, h[1], h[2])
		note(index, p, r.strings(h)...)
	})
}

// rewrite judges an answer that was not streamed, and returns it in the form that may pass.
func (j *answerCheck) rewrite(f format, body []byte) ([]byte, error) {
	d, root, err := parse(body)
	if err != nil {
		return nil, upstreamFault
	}
	r := &reader{doc: d}
	var besides extras
	list := f.whole(r, root, &besides)
	if r.err != nil {
		return nil, upstreamFault
	}
	if err := besides.judge(j.whole, nil); err != nil {
		return nil, err
	}
	var edits []edit
	blanked := map[node]bool{}
	for _, t := range list {
		safe, err := j.whole(t.text)
		if err != nil {
			return nil, err
		}
		if safe == t.text {
			continue
		}
		edits = append(edits, edit{t.node, quote(safe)})
		if !r.null(t.logprobs) && !blanked[t.logprobs] {
			blanked[t.logprobs] = true
			edits = append(edits, edit{t.logprobs, blank(r, t.logprobs)})
		}
	}
	return d.apply(edits), nil
}

// blank replaces a value: an empty list for a list, otherwise null.
func blank(r *reader, n node) []byte {
	if r.kind(n) == '[' {
		return []byte("[]")
	}
	return []byte("null")
}
