package changes

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/host"
)

// settledPath is a change that needs no answer any more: it was written, or discarded.
type settledPath struct {
	Box  host.FileState `json:"box"`  // the program's version that was settled
	Host host.FileState `json:"host"` // the project's content after the change, which the program knows
}

const (
	settledFile = "settled.jsonl"
	journalFile = "applying"
	maxSettled  = 512 << 20
)

// settledLine is a line of the file of settled changes. The last line of a path counts.
type settledLine struct {
	Path string `json:"path"`
	settledPath
}

func (b *Box) settled() (map[string]settledPath, error) {
	out := map[string]settledPath{}
	err := b.readFile(settledFile, func(r io.Reader) error {
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadBytes('\n')
			var l settledLine
			if json.Unmarshal(line, &l) == nil && l.Path != "" { // otherwise a killed process left it incomplete, and the journal has the rest
				out[l.Path] = l.settledPath
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	return out, err
}

// recordOutcomes records the outcome of paths.
func (b *Box) recordOutcomes(more map[string]settledPath) error {
	body := []byte("\n") // ends an incomplete line of a killed process
	for p, s := range more {
		line, err := json.Marshal(settledLine{p, s})
		if err != nil {
			return err
		}
		body = append(append(body, line...), '\n')
	}
	f, err := os.OpenFile(filepath.Join(b.State, settledFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), b.sync())
}

// readFile reads one of the run's own files, which may be missing.
func (b *Box) readFile(name string, f func(io.Reader) error) error {
	file, err := os.Open(filepath.Join(b.State, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if err := f(io.LimitReader(file, maxSettled)); err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return nil
}

// writeFile writes one of the run's own files atomically and durably.
func (b *Box) writeFile(name string, data []byte) error {
	if err := atomicfile.Write(filepath.Join(b.State, name), data, 0o600); err != nil {
		return err
	}
	return b.sync()
}

func (b *Box) sync() error {
	d, err := os.Open(b.State)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// journal is a set that is being written. It exists from before the first step until after the
// last, so that the next process completes the set of a killed one.
type journal struct {
	ID      string
	Set     []host.Change
	Settled map[string]settledPath
}

func (b *Box) begin(j *journal) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(j); err != nil {
		return err
	}
	return b.writeFile(journalFile, body.Bytes())
}

func (b *Box) started() (*journal, error) {
	var j *journal
	err := b.readFile(journalFile, func(r io.Reader) error {
		j = new(journal)
		return gob.NewDecoder(r).Decode(j)
	})
	return j, err
}

func (b *Box) end() error {
	if err := os.Remove(filepath.Join(b.State, journalFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return b.sync()
}
