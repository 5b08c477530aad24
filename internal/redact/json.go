package redact

import (
	"encoding/json"
	"strings"
)

// JSON returns raw with every secret masked: values of keys that announce one,
// and whatever String finds in the others; keys count as text as well. Invalid
// JSON comes back as one masked JSON string, so the result is always
// valid. It is raw itself when it holds no secret.
func JSON(raw json.RawMessage) json.RawMessage { return maskJSON(raw, false) }

// ReadableJSON is to JSON as Readable is to String.
func ReadableJSON(raw json.RawMessage) json.RawMessage { return maskJSON(raw, true) }

func maskJSON(raw json.RawMessage, reading bool) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	if !json.Valid(raw) {
		return quote(nil, mask(string(raw), reading))
	}
	w := walker{raw: raw, reading: reading}
	w.value("", silent, 0)
	if w.done == 0 {
		return raw
	}
	return append(w.out, raw[w.done:]...)
}

// A walker goes over valid JSON and copies it as soon as something is masked.
type walker struct {
	raw  []byte
	pos  int
	out  []byte
	done int // how much of raw is in out

	reading bool
}

// value masks the value at pos, which belongs to a key of that kind and weight.
// Its depth is bounded by what json.Valid accepts.
func (w *walker) value(kind string, weight weight, flags int) {
	w.space()
	switch c := w.raw[w.pos]; c {
	case '{':
		w.object(kind, weight)
	case '[':
		w.array(kind, weight, flags)
	case '"':
		w.text(kind, weight, flags)
	default:
		start := w.pos
		for w.pos < len(w.raw) && !strings.ContainsRune(",]} \t\r\n", rune(w.raw[w.pos])) {
			w.pos++
		}
		// A number may be a password; it is hardly a token when it is short.
		if isNumber := c == '-' || isDigit(c); isNumber && weight == telling && (kind != kindToken || w.pos-start > 9) {
			w.replace(start, w.pos, maskOpen+kind+maskClose)
		}
	}
}

const inCommand = 1 // the text is a command line

func (w *walker) object(kind string, outer weight) {
	w.pos++                          // {
	named, namedWeight := "", silent // of {"name": "API_KEY", "value": ...}
	for {
		w.space()
		if w.raw[w.pos] == '}' {
			w.pos++
			return
		}
		if w.raw[w.pos] == ',' {
			w.pos++
			w.space()
		}
		start := w.pos
		w.text("", silent, 0)
		key := string(w.raw[start+1 : w.pos-1])
		if strings.IndexByte(key, '\\') >= 0 {
			var plain string
			if json.Unmarshal(w.raw[start:w.pos], &plain) == nil {
				key = plain
			}
		}
		w.space()
		w.pos++ // :
		w.space()
		k, weight := weighKey(key)
		if weight == silent {
			k, weight = kind, outer
		}
		if weight == silent && strings.EqualFold(key, "value") {
			k, weight = named, namedWeight
		}
		flags := 0
		if isCommandKey(key) {
			flags = inCommand
		}
		if at := w.pos; w.raw[at] == '"' && (strings.EqualFold(key, "name") || strings.EqualFold(key, "key")) {
			w.text("", silent, 0)
			named, namedWeight = weigh(string(w.raw[at+1 : w.pos-1]))
			continue
		}
		w.value(k, weight, flags)
	}
}

func (w *walker) array(kind string, outer weight, flags int) {
	w.pos++ // [
	k, weight := kind, outer
	for {
		w.space()
		switch w.raw[w.pos] {
		case ']':
			w.pos++
			return
		case ',':
			w.pos++
			continue
		}
		start := w.pos
		w.value(k, weight, flags)
		// In an argument vector the value stands beside its option: ["--password", "hunter2"].
		k, weight = kind, outer
		if item := w.raw[start:w.pos]; outer == silent && len(item) > 3 && item[0] == '"' && item[1] == '-' {
			k, weight = weigh(strings.TrimLeft(string(item[1:len(item)-1]), "-"))
		}
	}
}

func (w *walker) text(kind string, weight weight, flags int) {
	start := w.pos
	escaped := false
	for w.pos++; w.raw[w.pos] != '"'; w.pos++ {
		if w.raw[w.pos] == '\\' {
			escaped = true
			w.pos++
		}
	}
	w.pos++
	s := string(w.raw[start+1 : w.pos-1])
	if escaped && json.Unmarshal(w.raw[start:w.pos], &s) != nil || s == "" {
		return
	}
	if weight != silent {
		if _, ok := verdict(s, 0, len(s), kind, weight); ok && !(w.reading && acts(s)) {
			w.replace(start, w.pos, maskOpen+kind+maskClose)
			return
		}
	}
	var masked string
	if flags&inCommand != 0 {
		masked = command(s, w.reading)
	} else {
		masked = mask(s, w.reading)
	}
	if masked != s {
		w.replace(start, w.pos, masked)
	}
}

func (w *walker) replace(start, end int, s string) {
	w.out = append(w.out, w.raw[w.done:start]...)
	w.out = quote(w.out, s)
	w.done = end
}

func (w *walker) space() {
	for w.pos < len(w.raw) && (w.raw[w.pos] <= ' ') {
		w.pos++
	}
}

// weighKey is weigh for a key of an object, where a bare "key" or "auth" beside a
// random value is as good as a full name.
func weighKey(key string) (string, weight) {
	if len(key) > maxName {
		key = key[len(key)-maxName:]
	}
	return weigh(key)
}

func isCommandKey(key string) bool {
	return strings.EqualFold(key, "command") || strings.EqualFold(key, "commands") || strings.EqualFold(key, "cmd") || strings.EqualFold(key, "script")
}

func quote(dst []byte, s string) []byte {
	b, _ := json.Marshal(s) // a string always marshals
	return append(dst, b...)
}
