// Package mcpline separates the messages of the Model Context Protocol from other text in
// a stream of lines. The SDK ends a connection at the first line that is not a message.
package mcpline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxBad limits consecutive lines that are not messages.
const maxBad = 100

const (
	// ParseError is the code of JSON-RPC for a line that is not JSON.
	ParseError = -32700

	invalidRequest = -32600 // a line of JSON that is not a message
)

// Fault is a line that is not a message.
type Fault struct {
	Code    int    `json:"code"` // of JSON-RPC
	Message string `json:"message"`
}

// Error implements error.
func (f *Fault) Error() string { return f.Message }

// Answer returns the line that reports a fault to the other side.
func (f *Fault) Answer() []byte {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": f})
	if err != nil {
		panic(err) // two numbers and a text
	}
	return append(b, '\n')
}

// Reader passes on the lines of a stream that are messages.
type Reader struct {
	in    *bufio.Reader
	most  int
	fault func(*Fault) error
	line  []byte // the rest of the last message
	bad   int    // number of consecutive bad lines
}

// NewReader returns a Reader of lines up to most bytes long. It calls fault for each
// line that is not a message, and ends with its error, after 100 such lines in a row, or at
// a longer line.
func NewReader(in io.Reader, most int, fault func(*Fault) error) *Reader {
	return &Reader{in: bufio.NewReader(in), most: most, fault: fault}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.line) == 0 {
		line, err := r.next()
		if bad := (*Fault)(nil); errors.As(err, &bad) {
			if err := r.fault(bad); err != nil {
				return 0, err
			}
			if r.bad++; r.bad >= maxBad {
				return 0, fmt.Errorf("%d lines in a row were not JSON-RPC messages: %w", r.bad, bad)
			}
			continue
		}
		if err != nil {
			return 0, err
		}
		if len(line) > 0 {
			r.line, r.bad = append(line, '\n'), 0
		}
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// next returns the next line, empty or a message.
func (r *Reader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if line = append(line, part...); len(line) > r.most {
			return nil, fmt.Errorf("a message has more than %d MiB", r.most>>20) // the sender waits for an answer, but its ID was not read
		}
		if err == nil || errors.Is(err, io.EOF) && len(line) > 0 {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return nil, nil
	case !json.Valid(line):
		return nil, &Fault{ParseError, "a line is not JSON"}
	case line[0] == '[':
		return nil, &Fault{invalidRequest, "batches are not supported: send one message a line"}
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return nil, &Fault{invalidRequest, "a line is not a JSON-RPC message"}
	}
	return line, nil
}
