package cli

import (
	"os"
	"sync"
)

// Output is standard output. It remembers the first failed write. Most commands print line by line
// without checking, and a report that a full disk truncated must not look complete.
type Output struct {
	file *os.File
	mu   sync.Mutex
	err  error
}

// NewOutput returns an Output that writes to file.
func NewOutput(file *os.File) *Output { return &Output{file: file} }

// Write implements io.Writer.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.file.Write(b)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// Fd returns the file descriptor. OnTerminal needs it to recognize a terminal.
func (o *Output) Fd() uintptr { return o.file.Fd() }

// Fault returns the error of the first failed write.
func (o *Output) Fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
