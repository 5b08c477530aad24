package inject

import (
	"bytes"
	"unicode/utf8"
)

// How a model stands in a sentence.
const (
	spokenOf = iota // "the assistant reads it"
	spokenTo        // "assistant, read it"
)

// asks are the concepts that somebody is asked for.
const asks = 1<<Override | 1<<Reveal | 1<<Persona | 1<<Hide | 1<<Send | 1<<Exec | 1<<Order | 1<<New

// address adds what sentences say about who is spoken to, and notes whether a model is
// called and then asked for something: tools return data, which has no reason to.
func (r *reader) address() {
	r.called = false
	b := r.f.b
	calledAt, askedAt := int32(-1), int32(-1000)
	for i := range r.mentions {
		m := &r.mentions[i]
		if m.quoted {
			continue
		}
		switch m.concept {
		case Vocative:
			calledAt = m.to
			r.add(kindCall)
			if m.from-askedAt < 40 { // "forget the user's question"
				r.called = true
			}
		case Template:
			calledAt = m.to
		case Reader:
			k := r.stand(m)
			r.add(uint64(k+1) * kindCall)
			if k == spokenTo {
				calledAt = m.to
			}
		}
		if asks&bit(m.concept) == 0 || !head(b, int(m.start)) {
			continue
		}
		askedAt = m.to
		one := (uint64(m.concept) + 1) * kindHead
		r.add(one)
		if m.start < 4 {
			r.add(one ^ 1)
		}
		if calledAt >= 0 && m.from >= calledAt && m.from-calledAt < 160 {
			r.add(one ^ 2)
			r.called = true
		}
	}
	if calledAt < 0 {
		return
	}
	for i := range r.mentions { // verbs at the end, and scripts without spaces
		if m := &r.mentions[i]; m.late && !m.quoted && asks&bit(m.concept) != 0 && m.from >= calledAt && m.from-calledAt < 80 {
			r.called = true
		}
	}
}

// stand says whether the model that is mentioned is spoken to or of.
func (r *reader) stand(m *mention) int {
	b := r.f.b
	before := lastWord(b[:m.start])
	next := byte(0)
	for _, c := range b[m.end:min(len(b), int(m.end)+3)] {
		if c != ' ' {
			next = c
			break
		}
	}
	first := len(bytes.TrimLeft(b[:m.start], " -*#>[(<@!")) == 0
	switch string(before) {
	case "dear", "hey", "hi", "hello", "attention", "any", "liebe", "lieber", "cher", "chere", "querido", "querida", "caro", "cara", "beste", "drogi":
		return spokenTo
	case "to", "for", "fur", "an", "pour", "para", "per", "voor", "dla", "для": // "note to assistants: ..."
		if bytes.IndexByte(b[m.end:min(len(b), int(m.end)+60)], ':') >= 0 && m.from < 60 {
			return spokenTo
		}
		return spokenOf
	}
	if (first || len(before) == 0) && (next == ',' || next == ':' || next == ';' || next == '!' || next == ']' || next == ')') {
		return spokenTo
	}
	return spokenOf
}

// lastWord returns the word that b ends with, and nothing if a mark is between.
func lastWord(b []byte) []byte {
	b = bytes.TrimRight(b, " ")
	i := len(b)
	for i > 0 && (b[i-1] >= 'a' && b[i-1] <= 'z' || b[i-1] >= utf8.RuneSelf || b[i-1] == '\'') {
		i--
	}
	return b[i:]
}

// head reports whether an order can begin at b[i]: at the begin of a sentence or clause, or
// after a word that orders begin with.
func head(b []byte, i int) bool {
	t := bytes.TrimRight(b[:i], " ")
	if len(t) == 0 {
		return true
	}
	switch t[len(t)-1] {
	case '.', ':', ';', '!', '?', ',', '-', ']', ')', '>', '*', '\n', '#', '/', '|':
		return true
	}
	if len(t) >= 3 && t[len(t)-3] == 0xe3 && t[len(t)-2] == 0x80 || t[len(t)-1] >= utf8.RuneSelf && len(t) >= 3 && t[len(t)-3] >= 0xe3 {
		return true // scripts without spaces
	}
	switch string(lastWord(t)) {
	case "please", "then", "and", "also", "now", "first", "must", "should", "always", "never", "instead", "kindly", "just", "not", "to", "you", "or", "but", "only", "simply",
		"bitte", "dann", "und", "nur", "zuerst", "puis", "et", "ne", "seulement", "luego", "y", "no", "solo", "primero", "e", "nao", "depois", "apenas", "poi", "non", "dan", "en", "niet", "alleen", "i", "nie", "tylko", "и", "не", "только", "сначала", "lutfen", "ve", "sadece":
		return true
	}
	return false
}
