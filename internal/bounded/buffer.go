package bounded

import "bytes"

// Buffer keeps the first bytes that are written to it, and discards the rest without an error. It
// embeds no bytes.Buffer: io.Copy would prefer the ReadFrom of that one, which has no limit, so a
// program could fill the memory.
type Buffer struct {
	Most int  // limit in bytes
	Over bool // whether bytes were discarded

	kept bytes.Buffer
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	room := min(len(p), b.Most-b.kept.Len())
	b.Over = b.Over || room < len(p)
	b.kept.Write(p[:room])
	return len(p), nil
}

// Bytes returns what was kept.
func (b *Buffer) Bytes() []byte { return b.kept.Bytes() }

// String returns what was kept.
func (b *Buffer) String() string { return b.kept.String() }
