package modelproxy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// frames rewrites the events of a streamed answer. Each text passes through a separate Stream; text
// that it held back is sent in an event before the one that ends the text. Events without text pass
// unchanged.
type frames struct {
	format format
	open   func() Stream
	whole  func(text string) (string, error)
	keep   func(bytes int) error // requests memory

	live  map[slot]*pendingText
	order []slot          // keys of live, in order of their beginning
	said  map[slot]string // Responses repeats every text at its end: the text sent so far
	last  []byte          // the last event of a chat, as a template for added events
	added int64           // number of added events, by which later ones are renumbered
	seq   int64           // the last number
	ended bool            // the answer is complete

	besides extras // content other than texts, until its block ends
}

// pendingText is a text in progress.
type pendingText struct {
	Stream
	item string        // of Responses: the raw name of its item
	name string        // of a chat: the member of a delta that it is
	safe *bytes.Buffer // of Responses: the text sent so far
}

// maxSlots limits the number of texts in an answer.
const maxSlots = 4096

func newFrames(f format, open func() Stream, whole func(string) (string, error), keep func(int) error) *frames {
	return &frames{format: f, open: open, whole: whole, keep: keep, live: map[slot]*pendingText{}, said: map[slot]string{}}
}

// passage is an event in transit.
type passage struct {
	reader
	before []byte // events to insert before it
	edits  []edit
}

// replace puts a text in the place of another.
func (p *passage) replace(t part, safe string) {
	if safe != t.text {
		p.edits = append(p.edits, edit{t.node, quote(safe)})
	}
}

// take returns the data to send for an event; an error stops the answer.
func (f *frames) take(e *sse) ([]byte, error) {
	data := bytes.TrimSpace(e.data)
	switch {
	case len(data) == 0: // a comment that keeps the connection alive
		return e.raw, nil
	case string(data) == "[DONE]":
		p := &passage{}
		if err := f.finish(p); err != nil {
			return nil, err
		}
		return append(p.before, e.raw...), nil
	}
	d, root, err := parse(e.data)
	if err != nil {
		return nil, upstreamFault
	}
	p := &passage{reader: reader{doc: d}}
	switch f.format {
	case messages:
		err = f.messages(p, root, e.event)
	case responses:
		err = f.responses(p, root, e.event)
	default:
		f.last = append(f.last[:0], e.data...)
		err = f.chat(p, root)
	}
	if err == nil && p.err != nil {
		err = upstreamFault
	}
	if err != nil {
		return nil, err
	}
	if len(p.edits) == 0 {
		return append(p.before, e.raw...), nil
	}
	return append(p.before, e.with(d.apply(p.edits))...), nil
}

// complete reports whether the answer has ended, and nothing is held back or not judged yet.
func (f *frames) complete() bool { return f.ended && len(f.live) == 0 && len(f.besides.order) == 0 }

func (f *frames) slot(s slot) (*pendingText, error) {
	h := f.live[s]
	if h == nil {
		if len(f.live)+len(f.said) >= maxSlots {
			return nil, upstreamFault
		}
		h = &pendingText{Stream: f.open()}
		if f.format == responses {
			h.safe = &bytes.Buffer{}
		}
		f.live[s] = h
		f.order = append(f.order, s)
	}
	return h, nil
}

// write passes a text through its stream.
func (f *frames) write(s slot, text string) (string, error) {
	h, err := f.slot(s)
	if err != nil {
		return "", err
	}
	safe, err := h.Write(text)
	if err != nil {
		return "", err
	}
	return safe, f.sent(h, safe)
}

func (f *frames) sent(h *pendingText, safe string) error {
	if h.safe == nil {
		return nil
	}
	if err := f.keep(len(safe)); err != nil {
		return err
	}
	h.safe.WriteString(safe)
	return nil
}

// end ends a text and returns the part that was held back.
func (f *frames) end(s slot) (string, *pendingText, error) {
	h := f.live[s]
	if h == nil {
		return "", nil, nil
	}
	rest, err := h.Close()
	if err != nil {
		return "", nil, err
	}
	if err := f.sent(h, rest); err != nil {
		return "", nil, err
	}
	delete(f.live, s)
	f.order = slices.DeleteFunc(f.order, func(o slot) bool { return o == s })
	if h.safe != nil {
		f.said[s] = h.safe.String()
	}
	return rest, h, nil
}

// flush ends the texts that of selects, or all if of is nil, with events before this one.
func (f *frames) flush(p *passage, of func(slot) bool) error {
	for _, s := range slices.Clone(f.order) {
		if of != nil && !of(s) {
			continue
		}
		rest, h, err := f.end(s)
		if err != nil {
			return err
		}
		if rest != "" {
			p.before = append(p.before, f.delta(s, h, rest)...)
		}
	}
	return nil
}

// finish ends an answer.
func (f *frames) finish(p *passage) error {
	f.ended = true
	return f.judgeRest(p)
}

// judgeRest judges the content other than texts, and sends the text that is held back.
func (f *frames) judgeRest(p *passage) error {
	if err := f.besides.judge(f.whole, nil); err != nil {
		return err
	}
	return f.flush(p, nil)
}

// delta makes an event with a part of a text.
func (f *frames) delta(s slot, h *pendingText, text string) []byte {
	a, b := strconv.Itoa(s.a), strconv.Itoa(s.b)
	switch f.format {
	case messages:
		return frame("content_block_delta", []byte(`{"type":"content_block_delta","index":`+a+`,"delta":{"type":"text_delta","text":`+string(quote(text))+`}}`))
	case responses:
		kind := "response.output_text.delta"
		if s.field == 'r' {
			kind = "response.refusal.delta"
		}
		seq := strconv.FormatInt(f.seq+f.added, 10)
		f.added++
		return frame(kind, []byte(`{"type":"`+kind+`","item_id":`+h.item+`,"output_index":`+a+`,"content_index":`+b+`,"delta":`+string(quote(text))+`,"logprobs":[],"sequence_number":`+seq+`}`))
	}
	choice := `{"index":` + a + `,"delta":{"content":` + string(quote(text)) + `},"logprobs":null,"finish_reason":null}`
	switch {
	case f.format == completions:
		choice = `{"index":` + a + `,"text":` + string(quote(text)) + `,"logprobs":null,"finish_reason":null}`
	case s.field == 'r' || s.field == 'h':
		choice = `{"index":` + a + `,"delta":{"` + h.name + `":` + string(quote(text)) + `},"logprobs":null,"finish_reason":null}`
	}
	// Fields that all events of an answer share: its name, the model, the time.
	out := []byte{'{'}
	if d, root, err := parse(f.last); err == nil {
		d.members(root, func(k, v node) {
			switch name := d.str(k); name {
			case "choices", "usage", "error", "obfuscation":
			default:
				out = append(append(append(append(out, d.raw(k)...), ':'), d.raw(v)...), ',')
			}
		})
	}
	return frame("", append(out, `"choices":[`+choice+`]}`...))
}

// number reads a small whole number, such as an index.
func (p *passage) number(n node) int {
	i, _ := strconv.Atoi(string(p.raw(n)))
	return i
}

func (f *frames) chat(p *passage, root node) error {
	var err error
	g := p.fields(root, "choices", "error")
	p.items(g[0], func(_ int, c node) {
		if err == nil {
			err = f.choice(p, c)
		}
	})
	if !p.null(g[1]) {
		f.ended = true
		f.drop()
	}
	return err
}

// chatTexts are the members of a chat's message, or its delta, that are texts.
var chatTexts = []string{"content", "refusal", "reasoning_content", "reasoning"}

func (f *frames) choice(p *passage, c node) error {
	g := p.fields(c, "index", "delta", "finish_reason", "logprobs", "text", "message")
	index := p.number(g[0])
	in := p.fields(g[1], chatTexts...)
	finish := !p.null(g[2])
	for _, t := range []struct {
		field byte
		place int
		name  string
		node
	}{{'t', 0, "content", in[0]}, {'t', 0, "content", g[4]}, {'r', 0, "refusal", in[1]}, {'h', 0, "reasoning_content", in[2]}, {'h', 1, "reasoning", in[3]}} {
		s := slot{t.field, index, t.place}
		list := written(p, t.node)
		for i, x := range list {
			safe, err := f.write(s, x.text)
			if err != nil {
				return err
			}
			f.live[s].name = t.name
			if finish && i == len(list)-1 {
				rest, _, err := f.end(s)
				if err != nil {
					return err
				}
				safe += rest
			}
			p.replace(x, safe)
		}
	}
	var whole []node
	if g[5].ok() {
		whole = p.fields(g[5], chatTexts...)
	}
	for _, said := range []struct {
		block node
		texts []node
	}{{g[1], p.strings(in)}, {g[5], p.strings(whole)}, {c, g}} {
		if err := f.besides.add(&p.reader, index, said.block, said.texts...); err != nil {
			return err
		}
	}
	if finish {
		if err := f.besides.judge(f.whole, func(block int) bool { return block == index }); err != nil {
			return err
		}
		if err := f.flush(p, func(s slot) bool { return s.a == index }); err != nil {
			return err
		}
		f.ended = true
	}
	if !p.null(g[3]) { // the tokens of what may be held back
		p.edits = append(p.edits, edit{g[3], []byte("null")})
	}
	for _, x := range whole {
		for _, t := range written(p, x) {
			safe, err := f.whole(t.text)
			if err != nil {
				return err
			}
			p.replace(t, safe)
		}
	}
	return nil
}

// written is texts with those of spaces only, which are parts of a text here.
func written(p *passage, n node) []part {
	if s, ok := p.text(n); ok {
		if s == "" {
			return nil
		}
		return []part{{node: n, text: s}}
	}
	var out []part
	p.items(n, func(_ int, v node) {
		t := p.field(v, "text")
		if s, ok := p.text(t); ok && s != "" {
			out = append(out, part{node: t, text: s})
		}
	})
	return out
}

func (f *frames) messages(p *passage, root node, name string) error {
	g := p.fields(root, "type", "index", "content_block", "delta", "message")
	kind := cmp.Or(p.str(g[0]), name)
	index := p.number(g[1])
	s := slot{'t', index, 0}
	for _, block := range g[2:4] {
		n := p.field(block, "text")
		if kind != "message_delta" {
			if err := f.besides.add(&p.reader, index, block, p.strings([]node{n})...); err != nil {
				return err
			}
		}
		for _, t := range written(p, n) {
			safe, err := f.write(s, t.text)
			if err != nil {
				return err
			}
			p.replace(t, safe)
		}
	}
	switch kind {
	case "content_block_stop":
		if err := f.besides.judge(f.whole, func(block int) bool { return block == index }); err != nil {
			return err
		}
		return f.flush(p, func(o slot) bool { return o == s })
	case "message_start":
		for _, t := range f.format.whole(&p.reader, g[4], &f.besides) {
			safe, err := f.whole(t.text)
			if err != nil {
				return err
			}
			p.replace(t.part, safe)
		}
	case "message_delta":
		return f.judgeRest(p)
	case "message_stop":
		return f.finish(p)
	case "error":
		f.ended = true
		f.drop()
	}
	return nil
}

// drop discards the text that is held back: the answer ends with an error, and not with more text.
func (f *frames) drop() {
	clear(f.live)
	f.order = nil
}

func (f *frames) responses(p *passage, root node, name string) error {
	g := p.fields(root, "type", "output_index", "content_index", "item_id", "delta", "text", "refusal", "logprobs", "part", "item", "response", "sequence_number")
	kind := cmp.Or(p.str(g[0]), name)
	if n, err := strconv.ParseInt(string(p.raw(g[11])), 10, 64); err == nil {
		f.seq = n
	}
	oi, ci := p.number(g[1]), p.number(g[2])
	var err error
	switch kind {
	case "response.output_text.delta", "response.refusal.delta":
		s := slot{'t', oi, ci}
		if kind == "response.refusal.delta" {
			s.field = 'r'
		}
		for _, t := range written(p, g[4]) {
			var safe string
			if safe, err = f.write(s, t.text); err != nil {
				return err
			}
			p.replace(t, safe)
			f.live[s].item = itemName(p, g[3])
		}
	case "response.output_text.done":
		err = f.again(p, slot{'t', oi, ci}, g[5])
	case "response.refusal.done":
		err = f.again(p, slot{'r', oi, ci}, g[6])
	case "response.content_part.added", "response.content_part.done":
		h := p.fields(g[8], "type", "text", "refusal", "logprobs")
		if p.str(h[0]) == "reasoning_text" {
			break
		}
		if err = f.again(p, slot{'t', oi, ci}, h[1]); err == nil {
			err = f.again(p, slot{'r', oi, ci}, h[2])
		}
		f.blank(p, h[3])
	case "response.output_item.added", "response.output_item.done":
		f.format.item(&p.reader, oi, g[9], f.adder(p, &err), f.extraCollector(p, &err))
	case "error", "response.failed", "response.incomplete", "response.completed", "response.cancelled":
		f.ended = true
		if kind == "error" || kind == "response.failed" {
			f.drop()
		} else if err = f.flush(p, nil); err != nil {
			return err
		}
	}
	if g[10].ok() && err == nil { // the whole answer once more
		h := p.fields(g[10], "output", "output_text")
		p.items(h[0], func(i int, item node) { f.format.item(&p.reader, i, item, f.adder(p, &err), f.extraCollector(p, &err)) })
		f.adder(p, &err)('t', -1, -1, h[1], node{})
	}
	if err == nil && !textEvents[kind] && strings.HasSuffix(kind, ".done") { // of a call, of thoughts
		err = f.besides.add(&p.reader, oi, root, g[9], g[10])
	}
	if err == nil {
		err = f.besides.judge(f.whole, nil)
	}
	if !p.null(g[7]) {
		f.blank(p, g[7])
	}
	if f.added > 0 && g[11].ok() {
		p.edits = append(p.edits, edit{g[11], strconv.AppendInt(nil, f.seq+f.added, 10)})
	}
	return err
}

// textEvents are the events of Responses that end a text which was judged, or hold items.
var textEvents = map[string]bool{"response.output_text.done": true, "response.refusal.done": true, "response.content_part.done": true, "response.output_item.done": true}

func itemName(p *passage, n node) string {
	if s, ok := p.text(n); ok {
		b, _ := json.Marshal(s)
		return string(b)
	}
	return `""`
}

func (f *frames) blank(p *passage, n node) {
	if !p.null(n) {
		p.edits = append(p.edits, edit{n, blank(&p.reader, n)})
	}
}

// adder takes the texts of an item, and remembers the first error.
func (f *frames) adder(p *passage, err *error) func(byte, int, int, node, node) {
	return func(field byte, a, b int, n, logprobs node) {
		if *err == nil {
			*err = f.again(p, slot{field, a, b}, n)
		}
		f.blank(p, logprobs)
	}
}

// extraCollector takes what an item says besides its texts, and remembers the first error.
func (f *frames) extraCollector(p *passage, err *error) func(int, node, ...node) {
	return func(index int, block node, texts ...node) {
		if *err == nil {
			*err = f.besides.add(&p.reader, index, block, texts...)
		}
	}
}

// again replaces the repetition of a text by the text that was sent. It judges a text that was not
// streamed.
func (f *frames) again(p *passage, s slot, n node) error {
	for _, t := range written(p, n) {
		if f.live[s] != nil {
			if err := f.flush(p, func(o slot) bool { return o == s }); err != nil {
				return err
			}
		}
		safe, ok := f.said[s]
		if !ok {
			var err error
			if safe, err = f.whole(t.text); err != nil {
				return err
			}
		}
		p.replace(t, safe)
	}
	return nil
}
