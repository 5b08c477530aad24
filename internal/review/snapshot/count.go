package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"unicode/utf8"
)

// counter collects statistics of content while it is copied.
type counter struct {
	hash   hash.Hash
	breaks int
	some   bool
	open   bool // the last line does not end with a newline
	first  bool
	binary bool
}

// sniff is how much of a file decides whether it is text.
const sniff = 8 << 10

func (c *counter) Write(p []byte) (int, error) {
	if c.hash == nil {
		c.hash = sha256.New()
	}
	c.hash.Write(p)
	if len(p) == 0 {
		return 0, nil
	}
	if c.first {
		c.binary = binary(p[:min(len(p), sniff)])
		c.first = false
	}
	c.some = true
	c.breaks += bytes.Count(p, []byte{'\n'})
	c.open = p[len(p)-1] != '\n'
	return len(p), nil
}

func (c *counter) digest() string {
	if c.hash == nil {
		c.hash = sha256.New()
	}
	return hex.EncodeToString(c.hash.Sum(nil))
}

func (c *counter) lines() int {
	if c.open {
		return c.breaks + 1
	}
	return c.breaks
}

// binary reports whether content is not text. A single NUL does not make it binary: shells,
// JavaScript and models read on, and its author could hide the file from the review. It is binary
// if most of it is NULs, or if a tenth of the rest is neither ASCII nor UTF-8 or, with NULs
// present, controls. UTF-16 that is mostly ASCII is text.
func binary(p []byte) bool {
	odd, controls, nuls := 0, 0, 0
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRune(p[i:])
		switch {
		case r == utf8.RuneError && n == 1 && len(p)-i >= utf8.UTFMax:
			odd++
		case r == 0:
			nuls++
		case r < ' ' && (r < '\b' || r > '\r') && r != 0x1b:
			controls++
		}
		i += n
	}
	if nuls > 0 {
		odd += controls
	}
	return nuls*2 > len(p) || odd*10 > len(p)-nuls
}
