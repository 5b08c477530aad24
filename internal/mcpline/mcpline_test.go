package mcpline

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const message = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestReader(t *testing.T) {
	for in, want := range map[string]struct {
		messages int
		codes    string
	}{
		message + "\n":                      {1, ""},
		message:                             {1, ""}, // the last line has no end
		"\n \r\n" + message + "\r\n\n":      {1, ""},
		"hello\n" + message + "\nbye":       {1, "-32700 -32700"},
		message + message + "\n" + message:  {1, "-32700"},
		"42\n{}\n\"x\"\nnull\n" + message:   {1, "-32600 -32600 -32600 -32600"},
		"[" + message + "]\n[]\n" + message: {1, "-32600 -32600"},
		`{"jsonrpc":"2.0","id":{}}` + "\n":  {0, "-32600"},
		"{\n" + message:                     {1, "-32700"},
		"\xff\xfe\x00\n" + message:          {1, "-32700"},
		"":                                  {0, ""},
		"\n":                                {0, ""},
	} {
		var codes []string
		r := NewReader(iotest.OneByteReader(strings.NewReader(in)), 5000, func(f *Fault) error {
			codes = append(codes, fmt.Sprint(f.Code))
			return nil
		})
		b, err := io.ReadAll(r)
		if got := strings.Count(string(b), "\n"); err != nil || got != want.messages || string(b) != strings.Repeat(message+"\n", got) {
			t.Errorf("%.60q: %q, %v", in, b, err)
		}
		if got := strings.Join(codes, " "); got != want.codes {
			t.Errorf("%.60q: faults %s, want %s", in, got, want.codes)
		}
	}
}

// Noise without end, a long line, and an answer that cannot be written, end the stream.
func TestReaderEnds(t *testing.T) {
	n := 0
	r := NewReader(strings.NewReader(strings.Repeat("noise\n", 1000)), 100, func(*Fault) error { n++; return nil })
	if _, err := io.ReadAll(r); err == nil || n != maxBad {
		t.Errorf("%d lines, then %v", n, err)
	}
	r = NewReader(strings.NewReader(message+"\n"+strings.Repeat("x", 6000)), 5000, func(*Fault) error { return nil })
	if b, err := io.ReadAll(r); err == nil || string(b) != message+"\n" {
		t.Errorf("%q, %v", b, err)
	}
	gone := errors.New("gone")
	r = NewReader(strings.NewReader("noise\n"), 100, func(*Fault) error { return gone })
	if _, err := io.ReadAll(r); !errors.Is(err, gone) {
		t.Error(err)
	}
	// A message in between starts the count again.
	r = NewReader(strings.NewReader(strings.Repeat(strings.Repeat("noise\n", 60)+message+"\n", 4)), 100, func(*Fault) error { return nil })
	if b, err := io.ReadAll(r); err != nil || strings.Count(string(b), message) != 4 {
		t.Errorf("%q, %v", b, err)
	}
	broken := io.MultiReader(strings.NewReader(message+"\n"), iotest.ErrReader(gone))
	if b, err := io.ReadAll(NewReader(broken, 100, nil)); !errors.Is(err, gone) || string(b) != message+"\n" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestAnswer(t *testing.T) {
	if got, want := string((&Fault{ParseError, "a line is not JSON"}).Answer()), `{"error":{"code":-32700,"message":"a line is not JSON"},"id":null,"jsonrpc":"2.0"}`+"\n"; got != want {
		t.Error(got)
	}
}
