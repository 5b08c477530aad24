package tui

import (
	"io"
	"os"
	"unicode/utf8"
)

// wholeCharacters is a terminal that is read without dividing characters. Bubble Tea waits 50 ms for
// the rest of a character and then drops its first part, so that a text that is pasted over a slow
// connection would lose characters.
type wholeCharacters struct {
	*os.File
	part []byte // the first bytes of a character
}

// characters returns the input of the program. It stays a file, which Bubble Tea puts into raw mode.
func characters(in File) io.Reader {
	if f, ok := in.(*os.File); ok {
		return &wholeCharacters{File: f}
	}
	return in
}

// Read returns no bytes and no error if it read only the first bytes of a character.
func (r *wholeCharacters) Read(b []byte) (int, error) {
	n := copy(b, r.part)
	if r.part = r.part[n:]; n == len(b) {
		return n, nil
	}
	m, err := r.File.Read(b[n:])
	n += m
	if err != nil {
		return n, err
	}
	end := n - divided(b[:n])
	r.part = append([]byte(nil), b[end:n]...)
	return end, nil
}

// divided returns how many bytes at the end of b begin a character that is not complete.
func divided(b []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return i
		}
	}
	return 0
}
