package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"unicode/utf8"
)

// counter learns what there is to know of content while it is copied.
type counter struct {
	hash   hash.Hash
	breaks int
	some   bool
	open   bool // the last line has no end
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

// binary reports whether content is no text: it has a NUL, or is mostly neither ASCII nor
// UTF-8. Text in UTF-16 counts as binary.
func binary(p []byte) bool {
	if bytes.IndexByte(p, 0) >= 0 {
		return true
	}
	odd := 0
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && n == 1 && len(p)-i >= utf8.UTFMax {
			odd++
		}
		i += n
	}
	return odd*10 > len(p)
}
