package inject

import (
	"bytes"
	"unicode/utf8"
)

// The ways in which a sentence mentions a model.
const (
	spokenOf = iota // "the assistant reads it"
	spokenTo        // "assistant, read it"
)

// asks is the set of concepts that one can ask someone for.
const asks = 1<<Override | 1<<Reveal | 1<<Persona | 1<<Hide | 1<<Send | 1<<Exec | 1<<Order | 1<<New

// address adds features of who is spoken to, and sets called if the text calls a model and then
// asks for something. Tool output is data and has no reason to do that.
func (r *reader) address() {
	r.called = false
	b := r.f.b
	calledAt, askedAt := int32(-1), int32(-1000)
	machineAt := int32(-1000) // end of the last call to a kind of program
	for i := range r.mentions {
		m := &r.mentions[i]
		if m.quoted {
			continue
		}
		switch m.concept {
		case Vocative:
			if article(lastWord(b[:m.start])) { // "add it to the agent: ..."
				continue
			}
			calledAt = m.to
			r.add(kindCall)
			if m.from-askedAt < 40 { // "forget the user's question"
				r.called = true
			}
		case Template:
			calledAt = m.to
		case Machine:
			if r.calls(m) {
				calledAt, machineAt = m.to, m.to
				r.add(kindCall ^ 3)
			}
		case Reader:
			k := r.stand(m)
			r.add(uint64(k+1) * kindCall)
			if k == spokenTo || r.calls(m) {
				calledAt = m.to
			}
		}
		if asks&bit(m.concept) == 0 || m.from-machineAt > 50 && !head(b, int(m.start)) {
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
	for i := range r.mentions { // also verbs at the end of a clause, and scripts without spaces
		if m := &r.mentions[i]; m.late && !m.quoted && asks&bit(m.concept) != 0 && m.from >= calledAt && m.from-calledAt < 80 {
			r.called = true
		}
	}
}

// calls reports whether the sentence begins by calling the mentioned kind of program: "mail
// assistants: ...", "to reviewers that are language models: ...", "if you are a bot".
func (r *reader) calls(m *mention) bool {
	if m.from > 60 {
		return false
	}
	b := r.f.b
	before, after := b[:m.start], b[m.end:min(len(b), int(m.end)+60)]
	word := lastWord(before)
	if i := bytes.IndexAny(after, ":.!?"); i >= 0 && after[i] == ':' && !bytes.HasPrefix(after[i:], []byte("://")) && m.from < 40 && !article(word) {
		return true
	}
	if next := bytes.TrimLeft(after, " "); len(next) > 0 && next[0] == ',' && m.from < 24 && !article(word) {
		return true
	}
	first, _, _ := bytes.Cut(bytes.TrimLeft(before, " -*#>[("), []byte(" "))
	switch string(first) {
	case "if", "in", "should", "wenn", "falls", "si", "se", "als", "jesli", "если", "якщо":
		for _, w := range are {
			if bytes.Contains(b[:min(len(b), int(m.end)+40)], w) {
				return true
			}
		}
	}
	return false
}

// are lists phrases that say what someone is or does, as in "if you are a bot".
var are = [...][]byte{
	[]byte("you are "), []byte("you're "), []byte(" read"), []byte("managed by"), []byte(" handled by"), []byte("du bist"), []byte(" bist"), []byte(" liest"), []byte("tu es "), []byte("vous etes"), []byte(" lit "), []byte("eres "),
	[]byte(" lee "), []byte("voce e "), []byte(" le "), []byte("sei "), []byte(" legge"), []byte("je bent"), []byte(" leest"), []byte("jestes "), []byte(" czyta"), []byte(" ты "), []byte("чита"),
}

// tool reports whether a word before the name of a program shows that someone uses the program.
func tool(word []byte) bool {
	switch string(word) {
	case "the", "our", "your", "my", "use", "uses", "using", "used", "with", "by", "about", "via", "mit", "avec", "con", "com":
		return true
	}
	return false
}

// article reports whether a word before a name shows that the sentence speaks of it, not to it.
func article(word []byte) bool {
	switch string(word) {
	case "the", "an", "a", "this", "our", "your", "their", "each", "use", "uses", "using", "with", "of", "by", "in", "and", "or", "about", "from", "via", "as", "no", "than", "not",
		"der", "die", "den", "dem", "ein", "eine", "einen", "mit", "von", "le", "la", "les", "l'", "un", "une", "avec", "de", "des", "el", "los", "con", "o", "os", "com", "il", "i", "gli", "het", "een", "met", "van":
		return true
	}
	return false
}

// stand returns whether the sentence speaks of the mentioned model or to it.
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

// lastWord returns the word at the end of b, or nothing if b ends with a punctuation mark.
func lastWord(b []byte) []byte {
	b = bytes.TrimRight(b, " ")
	i := len(b)
	for i > 0 && (b[i-1] >= 'a' && b[i-1] <= 'z' || b[i-1] >= utf8.RuneSelf || b[i-1] == '\'') {
		i--
	}
	return b[i:]
}

// head reports whether an order can begin at b[i]: at the beginning of a sentence or clause, or
// after a word that introduces orders.
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
	case "please", "then", "and", "also", "now", "first", "must", "should", "always", "never", "instead", "kindly", "just", "not", "to", "you", "or", "but", "only", "simply", "shall", "will", "have",
		"bitte", "dann", "und", "nur", "zuerst", "puis", "et", "ne", "seulement", "luego", "y", "no", "solo", "primero", "e", "nao", "depois", "apenas", "poi", "non", "dan", "en", "niet", "alleen", "i", "nie", "tylko", "и", "не", "только", "сначала", "lutfen", "ve", "sadece":
		return true
	}
	return false
}
