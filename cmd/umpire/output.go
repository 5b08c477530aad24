package main

import (
	"os"
	"sync"
)

// output is standard output and remembers the first fault of writing to it: most commands
// print line by line and look at none, and a full disk must not pass for a whole report.
type output struct {
	file *os.File
	mu   sync.Mutex
	err  error
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
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

// Fd tells whether it is a terminal, for those who ask.
func (o *output) Fd() uintptr { return o.file.Fd() }

// fault is what could not be written.
func (o *output) fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
