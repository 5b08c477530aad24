package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// Limits of the input history.
const (
	keptInputs     = 500
	maxInputs      = 4 << 20 // bytes of the file
	maxInputLength = 32 << 10
)

// inputHistory is the earlier input of the user: a file of JSON strings, one per line.
type inputHistory struct{ path string }

// read returns the messages, the oldest first. Damaged lines are skipped.
func (h inputHistory) read() (list []string) {
	f, err := os.Open(h.path)
	if err != nil {
		return nil // no history yet
	}
	defer func() { _ = f.Close() }() // opened for reading only
	b, err := io.ReadAll(io.LimitReader(f, maxInputs))
	if err != nil {
		return nil // the history is a convenience
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		var text string
		if json.Unmarshal(s.Bytes(), &text) == nil && text != "" {
			list = append(list, text)
		}
	}
	if len(list) > keptInputs {
		list = list[len(list)-keptInputs:]
	}
	return list
}

// add appends one message. If the file gets too long, add rewrites it with the newest messages.
func (h inputHistory) add(text string) error {
	if len(text) > maxInputLength {
		return nil // too long to be typed: a paste
	}
	line, err := json.Marshal(text)
	if err != nil {
		return err
	}
	info, err := os.Stat(h.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && info.Size() > maxInputs/2 {
		return h.renew(text)
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

func (h inputHistory) renew(text string) error {
	var kept [][]byte
	size := 0
	for _, s := range slices.Backward(append(h.read(), text)) {
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if size += len(line) + 1; size > maxInputs/4 {
			break
		}
		kept = append(kept, line)
	}
	slices.Reverse(kept)
	return atomicfile.Write(h.path, append(bytes.Join(kept, []byte("\n")), '\n'), 0o600)
}
