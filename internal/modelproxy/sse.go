package modelproxy

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// sse is one server-sent event.
type sse struct {
	raw   []byte // as it came, with the empty line at its end
	event string
	data  []byte
	other []byte // the lines that are neither event nor data, such as an id
}

// maxEvent bounds one event, in bytes: a picture may be in it.
const maxEvent = 32 << 20

var errEventTooLarge = errors.New("an event is too large")

// nextEvent reads one event, in buf's memory if it is enough. An event that the connection
// ends in is not one.
//
// Lines end as the SDKs have them end: with a line feed, and perhaps a carriage return
// before it. A stream that ends its lines otherwise is one event that never ends.
func nextEvent(r *bufio.Reader, buf []byte) (sse, error) {
	e := sse{raw: buf[:0]}
	datas := 0
	for {
		start := len(e.raw)
		for {
			piece, err := r.ReadSlice('\n')
			if len(e.raw)+len(piece) > maxEvent {
				return e, errEventTooLarge
			}
			e.raw = append(e.raw, piece...)
			if err == nil {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				if errors.Is(err, io.EOF) && len(e.raw) > 0 {
					err = io.ErrUnexpectedEOF
				}
				return e, err
			}
		}
		line := bytes.TrimSuffix(e.raw[start:len(e.raw)-1], []byte("\r"))
		if len(line) == 0 {
			return e, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		name = bytes.TrimPrefix(name, []byte("\ufeff")) // clients may take it off a stream's begin
		switch string(name) {
		case "data":
			if datas++; datas > 1 {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
		case "event":
			e.event = string(value)
		default:
			e.other = append(append(e.other, line...), '\n')
		}
	}
}

func (e *sse) with(data []byte) []byte {
	out := append([]byte(nil), e.other...)
	return append(out, frame(e.event, data)...)
}

func frame(event string, data []byte) []byte {
	var b bytes.Buffer
	if event != "" {
		b.WriteString("event: " + event + "\n")
	}
	for line := range bytes.Lines(data) {
		b.WriteString("data: ")
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}
