package wire

import (
	"bufio"
	"bytes"
	"io"
	"iter"
)

// Events yields the data of each server-sent event, with joined lines, and then the error that
// ended the stream, if any. It drops an event that the end of the stream cuts. No line is
// longer than max bytes.
func Events(r io.Reader, max int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		s := bufio.NewScanner(r)
		s.Buffer(make([]byte, 0, min(max, 64<<10)), max)
		var data []byte
		for s.Scan() {
			line := s.Bytes()
			if len(line) == 0 {
				if len(data) > 0 && !yield(bytes.TrimSuffix(data, []byte("\n")), nil) {
					return
				}
				data = nil
				continue
			}
			if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok { // event, id, retry and comments say nothing more
				data = append(append(data, bytes.TrimPrefix(rest, []byte(" "))...), '\n')
			}
		}
		if err := s.Err(); err != nil {
			yield(nil, err)
		}
	}
}
