package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Limits of one line. Longer texts are truncated, with a note of the omitted length.
const (
	maxLine    = 128 << 10 // no line is longer: a list ends when half of it is used
	maxParams  = 4 << 10
	maxScan    = 64 << 10 // how much of the input is masked before it is truncated
	maxOps     = 32
	maxReasons = 16
	maxData    = 16
	maxText    = 512 // a resource, a reason, a note
	maxWord    = 128 // a tool, a session, a rule
)

const hashLen = 2 * sha256.Size

const (
	lineStart = `{"v":1,"seq":`
	hashStart = `,"hash":"`
	lineEnd   = "\"}\n"
	lineMore  = len(lineStart) + 20 + len(`,"prev":""`) + hashLen + len(hashStart) + hashLen + len(lineEnd) // size of a line without its body
	zeroHash  = "0000000000000000000000000000000000000000000000000000000000000000"
)

// appendBody encodes the part of a line between its head and its hash. This part does not depend on
// the position in the chain, so it is encoded before the lock is taken.
func appendBody(b []byte, e *Event) []byte {
	b = append(b, `,"time":"`...)
	b = e.Time.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, '"')
	if e.form != nil {
		return append(b, e.form...)
	}
	return appendForm(b, e)
}

// appendForm encodes the fields after the time.
func appendForm(b []byte, e *Event) []byte {
	b = field(b, "kind", string(e.Kind), maxWord)
	b = field(b, "point", e.Point, maxWord)
	b = field(b, "version", e.Version, maxWord)
	if p := e.Principal; p != (umpire.Principal{}) {
		b = appendPrincipal(b, p)
	}
	b = field(b, "action", e.Action, maxWord)
	b = field(b, "tool", e.Tool, maxWord)
	b = field(b, "dir", e.Dir, maxText)
	if len(e.Params) > 0 {
		if e.Input == "" {
			sum := sha256.Sum256(e.Params)
			e.Input = hex.EncodeToString(sum[:])
		}
		b = append(b, `,"params":`...)
		b = params(b, e.Params)
	}
	b = field(b, "input", e.Input, maxWord)
	if len(e.Ops) > 0 {
		b = appendOps(b, e.Ops)
	}
	b = field(b, "effect", e.Effect, maxWord)
	if e.Explicit {
		b = append(b, `,"explicit":true`...)
	}
	if len(e.Reasons) > 0 {
		b = appendReasons(b, e.Reasons)
	}
	b = field(b, "policy", e.Policy, maxWord)
	if e.Micros != 0 {
		b = append(b, `,"us":`...)
		b = strconv.AppendInt(b, e.Micros, 10)
	}
	if e.Millis != 0 {
		b = append(b, `,"durationMs":`...)
		b = strconv.AppendInt(b, e.Millis, 10)
	}
	b = field(b, "failure", redact.String(clip(e.Failure, maxText)), maxText)
	b = field(b, "by", e.By, maxText)
	b = field(b, "note", redact.String(clip(e.Note, maxText)), maxText)
	if len(e.Data) > 0 {
		b = appendData(b, e.Data)
	}
	if c := e.Chain; c != nil {
		b = append(b, `,"chain":`...)
		j, _ := json.Marshal(c) // strings and numbers always marshal
		b = append(b, j...)
	}
	return field(b, "spill", e.Spill, maxText)
}

func appendPrincipal(b []byte, p umpire.Principal) []byte {
	b = append(b, `,"principal":`...)
	at := len(b)
	b = field(b, "platform", p.Platform, maxWord)
	b = field(b, "agent", p.Agent, maxWord)
	b = field(b, "role", p.Role, maxWord)
	b = field(b, "parent", p.Parent, maxWord)
	b = field(b, "session", p.Session, maxWord)
	b = field(b, "user", p.User, maxWord)
	b = field(b, "tenant", p.Tenant, maxWord)
	b[at] = '{' // instead of the first comma
	b = append(b, '}')
	return b
}

// appendOps encodes the operations. A call can have very many, so a last entry counts those that do
// not fit.
func appendOps(b []byte, ops []umpire.Operation) []byte {
	b = append(b, `,"ops":[`...)
	for i, op := range ops {
		if i == maxOps || len(b) > maxLine/2 {
			b = append(b, `,{"kind":"exec","resource":"and `...)
			b = strconv.AppendInt(b, int64(len(ops)-i), 10)
			b = append(b, ` more operations"}`...)
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = appendOp(b, op)
	}
	return append(b, ']')
}

// appendOp encodes one operation, except Source, which is part of Params.
func appendOp(b []byte, op umpire.Operation) []byte {
	b = append(b, `{"kind":"`...)
	b = append(b, op.Kind.String()...)
	b = append(b, `","resource":`...)
	b = quoted(b, redact.Command(clip(op.Resource, maxText)), maxText)
	if op.Traits != 0 {
		b = append(b, `,"traits":"`...)
		b = append(b, op.Traits.String()...)
		b = append(b, '"')
	}
	if op.Places != 0 {
		b = append(b, `,"places":"`...)
		b = append(b, op.Places.String()...)
		b = append(b, '"')
	}
	if len(op.Via) > 0 {
		b = append(b, `,"via":[`...)
		for k, v := range op.Via[:min(len(op.Via), 8)] {
			if k > 0 {
				b = append(b, ',')
			}
			b = quoted(b, redact.String(clip(v, maxWord)), maxWord)
		}
		b = append(b, ']')
	}
	b = field(b, "origin", redact.String(clip(op.Origin, maxText)), maxText)
	if op.Task {
		b = append(b, `,"task":true`...)
	}
	return append(b, '}')
}

func appendReasons(b []byte, reasons []umpire.Reason) []byte {
	b = append(b, `,"reasons":[`...)
	for i, r := range reasons[:min(len(reasons), maxReasons)] {
		if len(b) > maxLine/2 {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"rule":`...)
		b = quoted(b, r.Rule, maxWord)
		b = append(b, `,"effect":"`...)
		b = append(b, r.Effect.String()...)
		b = append(b, `","text":`...)
		b = quoted(b, redact.String(clip(r.Text, maxText)), maxText)
		if r.Suggest != "" {
			b = append(b, `,"suggest":`...)
			b = quoted(b, redact.String(clip(r.Suggest, maxText)), maxText)
		}
		b = append(b, `,"op":`...)
		b = strconv.AppendInt(b, int64(r.Op), 10)
		if r.Doubt {
			b = append(b, `,"doubt":true`...)
		}
		if r.Would != "" {
			b = append(b, `,"would":`...)
			b = quoted(b, r.Would, maxWord)
		}
		if r.Own {
			b = append(b, `,"own":true`...)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func appendData(b []byte, data map[string]string) []byte {
	b = append(b, `,"data":{`...)
	keys := make([]string, 0, len(data))
	for k := range data {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for i, k := range keys[:min(len(keys), maxData)] {
		if len(b) > maxLine/2 {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = quoted(b, k, maxWord)
		b = append(b, ':')
		b = quoted(b, maskedEntry(k, data[k]), maxText)
	}
	return append(b, '}')
}

// maskedEntry masks a value by its key as well as by its shape.
func maskedEntry(k, v string) string {
	v = clip(v, maxText)
	pair := redact.String(k + "=" + v)
	if len(pair) > len(k) && pair[:len(k)] == k && pair[len(k)+1:] != v {
		return pair[len(k)+1:]
	}
	return redact.String(v)
}

// params encodes the masked input: completely if it fits, otherwise its beginning as a string.
func params(b []byte, raw json.RawMessage) []byte {
	if len(raw) > maxScan { // do not mask omitted text; a truncated input is not valid JSON, so it becomes a string
		raw = raw[:maxScan]
	}
	masked := redact.JSON(raw)
	if len(masked) > maxParams {
		return quoted(b, string(masked), maxParams)
	}
	return appendVisible(b, masked)
}

// appendVisible copies valid JSON and escapes characters that would control a terminal.
func appendVisible(b, masked []byte) []byte {
	for i := 0; i < len(masked); {
		c := masked[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != 0x7f {
				b = append(b, c)
			} else if c == 0x7f {
				b = append(b, `\u007f`...)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(masked[i:])
		b = appendRune(b, r)
		i += n
	}
	return b
}

// field writes ,"name":"text" unless text is empty.
func field(b []byte, name, text string, limit int) []byte {
	if text == "" {
		return b
	}
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return quoted(b, text, limit)
}

// clip truncates s at a rune boundary, so that later steps need not process megabytes. It keeps a
// little more than limit; quoted reports how much was omitted.
func clip(s string, limit int) string {
	if len(s) <= 2*limit {
		return s
	}
	n := 2 * limit
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// quoted encodes s as a JSON string of at most limit bytes of text. The agent chose some of these
// strings, and people print logs. So it also escapes characters that control a terminal or reorder
// a line.
func quoted(b []byte, s string, limit int) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		if i >= limit {
			b = append(b, "... and "...)
			b = strconv.AppendInt(b, int64(len(s)-i), 10)
			b = append(b, " bytes more"...)
			break
		}
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
			i++
		case c == '\n':
			b = append(b, '\\', 'n')
			i++
		case c == '\t':
			b = append(b, '\\', 't')
			i++
		case c < 0x20 || c == 0x7f:
			b = appendEscape(b, rune(c))
			i++
		case c < utf8.RuneSelf:
			b = append(b, c)
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = appendRune(b, r)
			i += n
		}
	}
	return append(b, '"')
}

func appendRune(b []byte, r rune) []byte {
	if hidden(r) {
		if r > 0xffff {
			r -= 0x10000
			return appendEscape(appendEscape(b, 0xd800+r>>10), 0xdc00+r&0x3ff)
		}
		return appendEscape(b, r)
	}
	return utf8.AppendRune(b, r)
}

// hidden reports whether r is invisible, or changes the display of others.
func hidden(r rune) bool {
	switch {
	case r < 0xa0, r == 0xad, r == 0x61c, r == 0x180e, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f, r == 0xfeff, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe000 && r <= 0xf8ff, r >= 0xe0000:
		return true
	}
	return false
}

func appendEscape(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// appendLine completes a body to a line of the chain and returns its hash.
func appendLine(b []byte, seq uint64, prev string, body []byte) ([]byte, string) {
	at := len(b)
	b = append(b, lineStart...)
	b = strconv.AppendUint(b, seq, 10)
	b = append(b, `,"prev":"`...)
	b = append(b, prev...)
	b = append(b, '"')
	b = append(b, body...)
	sum := sha256.Sum256(b[at:])
	hash := hex.EncodeToString(sum[:])
	b = append(b, hashStart...)
	b = append(b, hash...)
	return append(b, lineEnd...), hash
}

// A link is the position of a line in the chain.
type link struct {
	seq        uint64
	prev, hash string
	body       []byte // the output of appendBody
}

// parseLine parses a line, without its line feed, exactly as appendLine writes it: there is no
// second spelling of the same line. ok is false if the form is wrong; sound reports whether the
// hash matches the bytes.
func parseLine(b []byte) (l link, sound, ok bool) {
	const tail = len(hashStart) + hashLen + len(lineEnd) - 1
	if len(b) < len(lineStart)+tail || string(b[:len(lineStart)]) != lineStart || string(b[len(b)-2:]) != `"}` {
		return l, false, false
	}
	signed := b[:len(b)-tail]
	end := b[len(signed):]
	if string(end[:len(hashStart)]) != hashStart {
		return l, false, false
	}
	l.hash = string(end[len(hashStart) : len(hashStart)+hashLen])
	i := len(lineStart)
	for ; i < len(signed) && i < len(lineStart)+20 && '0' <= signed[i] && signed[i] <= '9'; i++ {
	}
	seq, err := strconv.ParseUint(string(signed[len(lineStart):i]), 10, 64)
	const prevStart = `,"prev":"`
	if err != nil || len(signed) < i+len(prevStart)+hashLen+1 || string(signed[i:i+len(prevStart)]) != prevStart {
		return l, false, false
	}
	i += len(prevStart)
	l.seq, l.prev, l.body = seq, string(signed[i:i+hashLen]), signed[i+hashLen+1:]
	sum := sha256.Sum256(signed)
	return l, hex.EncodeToString(sum[:]) == l.hash, true
}
