package modelproxy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/guard"
)

// tree reads a value by the scanner.
func (d doc) tree(n node) any {
	switch d.kind(n) {
	case '{':
		m := map[string]any{}
		d.members(n, func(k, v node) { m[d.str(k)] = d.tree(v) })
		return m
	case '[':
		l := []any{}
		d.items(n, func(i int, v node) {
			if i != len(l) {
				panic("items are counted wrong")
			}
			l = append(l, d.tree(v))
		})
		return l
	case '"':
		return d.str(n)
	}
	var v any
	if err := json.Unmarshal(d.raw(n), &v); err != nil {
		panic(err)
	}
	return v
}

// The scanner reads what encoding/json reads, and a document that no edit changes is the
// document.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, ` {"a":[1,-2.5e3,true,false,null,"\"\\\u00e9\ud83d"],"b":{"c":{}}} `, `"x\\"`, `0`, `{"a\"b":[[],[[]]]}`, `[ 1 , 2 ]`, `{"\\":"\\\\"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, root, err := parse(b)
		if err != nil {
			return
		}
		var want any
		if err := json.Unmarshal(b, &want); err != nil {
			return // a number out of range
		}
		if got := d.tree(root); !reflect.DeepEqual(got, want) {
			t.Errorf("read %#v, want %#v", got, want)
		}
		for w := chat; w <= messages; w++ {
			r := &reader{doc: d}
			c := w.read(r, root)
			var edits []edit
			for _, p := range append(c.users, c.tools...) {
				edits = append(edits, edit{p.node, d.raw(p.node)})
			}
			if got := d.apply(edits); !bytes.Equal(got, b) {
				t.Errorf("%s: became %q", w, got)
			}
			for i := range edits {
				edits[i].with = quote("<new>")
			}
			if got := d.apply(edits); !json.Valid(got) {
				t.Errorf("%s: became %q", w, got)
			}
			w.whole(r, root, new(extras))
		}
	})
}

// starred holds back a star, and stops at a second one.
type starred struct{ held bool }

func (s *starred) Write(t string) (string, error) {
	if s.held {
		t = "*" + t
	}
	s.held = strings.HasSuffix(t, "*")
	if strings.Contains(t, "**") {
		return "", errors.New("two stars")
	}
	return strings.TrimSuffix(t, "*"), nil
}

func (s *starred) Close() (string, error) {
	if s.held {
		return "*", nil
	}
	return "", nil
}

// run puts a whole stream through frames, and reports whether it came to its end.
func run(w format, in string, open func() Stream) (string, bool) {
	fr := newFrames(w, open, func(s string) (string, error) { return s, nil }, func(int) error { return nil })
	src := bufio.NewReaderSize(strings.NewReader(in), 16)
	var out strings.Builder
	for {
		e, err := nextEvent(src, nil)
		if errors.Is(err, io.EOF) {
			return out.String(), fr.complete()
		}
		if err != nil {
			return out.String(), false
		}
		b, err := fr.take(&e)
		if err != nil {
			return out.String(), false
		}
		out.Write(b)
	}
}

// deltas adds up the texts of a stream's deltas.
func deltas(w format, in string) string {
	var out strings.Builder
	run(w, in, func() Stream { return &heard{&out} })
	return out.String()
}

type heard struct{ out *strings.Builder }

func (h *heard) Write(s string) (string, error) { h.out.WriteString(s); return s, nil }
func (h *heard) Close() (string, error)         { return "", nil }

// No stream crashes or stalls the reframer; what it writes can be read again, and has the
// text that came in, up to where it was stopped.
func FuzzFrames(f *testing.F) {
	for w, s := range map[format]string{
		chat:      "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a*\"}}]}\n\n: x\r\n\r\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		messages:  "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\ndata: \"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"a*\"}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\ndata: {\"type\":\"message_stop\"}\n\n",
		responses: "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"item_id\":\"i\",\"delta\":\"a*\",\"sequence_number\":1}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"message\",\"content\":[{\"text\":\"a*\"}]}]},\"sequence_number\":2}\n\n",
	} {
		f.Add(uint8(w), s)
	}
	f.Fuzz(func(t *testing.T, w uint8, in string) {
		api := chat + format(w)%4
		out, whole := run(api, in, func() Stream { return &starred{} })
		if !whole {
			return
		}
		if got, want := deltas(api, out), deltas(api, in); got != want {
			// Texts that stream at once may come in another order, and no other.
			if len(got) != len(want) || strings.Count(got, "*") != strings.Count(want, "*") {
				t.Errorf("%s: said %q, want %q\n%s", api, got, want, out)
			}
		}
	})
}

// However a text is cut, its stream has the same text.
func FuzzCuts(f *testing.F) {
	f.Add("a*b*c", uint16(0b1011))
	f.Fuzz(func(t *testing.T, text string, at uint16) {
		text = strings.ToValidUTF8(strings.ReplaceAll(text, "**", "*"), "")
		if strings.Contains(text, "**") {
			return
		}
		for _, w := range []format{chat, messages, responses} {
			var in strings.Builder
			piece := ""
			send := func() {
				d := string(quote(piece))
				switch w {
				case chat:
					in.WriteString(`data: {"choices":[{"index":0,"delta":{"content":` + d + "}}]}\n\n")
				case messages:
					in.WriteString(`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + d + "}}\n\n")
				case responses:
					in.WriteString(`data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"i","delta":` + d + "}\n\n")
				}
				piece = ""
			}
			i := 0
			for _, c := range text {
				piece += string(c)
				if at>>(i%16)&1 == 1 {
					send()
				}
				i++
			}
			send()
			in.WriteString(map[format]string{chat: "data: [DONE]\n\n", messages: "data: {\"type\":\"message_stop\"}\n\n", responses: "data: {\"type\":\"response.completed\"}\n\n"}[w])
			out, whole := run(w, in.String(), func() Stream { return &starred{} })
			if got := deltas(w, out); !whole || got != text {
				t.Errorf("%s: %q became %q", w, text, got)
			}
		}
	})
}

// The guard that the proxy was written for is one that it takes.
var (
	_ Input  = (*guard.Input)(nil)
	_ Output = (*guard.Output)(nil)
)
