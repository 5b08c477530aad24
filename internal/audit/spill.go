package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	maxSpill  = 1 << 20 // limit of the spills that one append takes over, and of one spill file
	spillKey  = `,"spill":"`
	maxSpills = 256
	maxBatch  = 4 << 20 // limit of one append by its caller
)

// spill stores the events for the next append. The file gets its name once it is complete, so that
// no append takes over half of it.
func (l *Log) spill(bodies [][]byte) error {
	dir := filepath.Join(l.dir, spillName)
	var b []byte
	for _, body := range bodies {
		b = append(b, body...)
		b = append(b, '\n')
	}
	if len(b) > maxSpill {
		return fmt.Errorf("%w: %d events are too many to spill", ErrBusy, len(bodies))
	}
	sum := sha256.Sum256(b)
	b = append(hex.AppendEncode(b, sum[:]), '\n')
	name := fmt.Sprintf("%d-%016x", os.Getpid(), rand.Uint64())
	temp := filepath.Join(dir, "."+name)
	for range 100 { // each of the other writers may remove the empty folder at any time
		if err := l.sys.mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w; the event could not be spilled either: %w", ErrBusy, err)
		}
		err := l.writeSpill(temp, b)
		if err == nil {
			err = l.sys.rename(temp, filepath.Join(dir, name))
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			_ = l.sys.remove(temp)
			return fmt.Errorf("%w; the event could not be spilled either: %w", ErrBusy, err)
		}
	}
	return ErrBusy
}

func (l *Log) writeSpill(path string, b []byte) error {
	f, err := l.sys.open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, 0)
	if err == nil && l.opts.Durable {
		err = f.sync()
	}
	return errors.Join(err, f.Close())
}

// takeSpills adds the spilled events. A crash may happen after their lines are written and before
// their file is removed. Each line names its file and position, and the next holder of the lock
// comes here first, so events that were already taken over are among the last lines of the log.
func (h *holder) takeSpills() {
	dir := filepath.Join(h.l.dir, spillName)
	if _, err := h.l.sys.lstat(dir); err != nil {
		return
	}
	entries, err := h.l.sys.readDir(dir)
	if err != nil {
		return // the next append retries
	}
	done, err := h.tookOver(entries)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), ".") {
			// Its writer died, or is still writing; it has not confirmed the event to anyone.
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
				_ = h.l.sys.remove(path)
			}
			continue
		}
		if len(h.taken) >= maxSpills || len(h.buf) > maxSpill {
			break
		}
		bodies, err := readSpill(h.l.sys, path)
		if err != nil && !errors.Is(err, errSpill) {
			continue // it may be complete: the next append retries
		}
		if err != nil {
			h.add(appendBody(nil, &Event{Time: time.Now(), Kind: Failure, Spill: e.Name() + ":1", Note: err.Error()}))
			h.taken = append(h.taken, path)
			continue
		}
		for i, body := range bodies {
			if i < done[e.Name()] {
				continue
			}
			h.add(field(body, "spill", e.Name()+":"+strconv.Itoa(i+1), maxText))
		}
		h.taken = append(h.taken, path)
	}
	if len(entries) == 0 {
		_ = h.l.sys.remove(dir)
	}
}

// tookOver returns the number of events of each spill file that are already in the log.
func (h *holder) tookOver(entries []os.DirEntry) (map[string]int, error) {
	if len(entries) == 0 || h.size == 0 {
		return nil, nil
	}
	b := make([]byte, min(h.size, 2*maxBatch+2*maxSpill)) // lines are longer than their bodies, but by less than half
	if _, err := h.log.ReadAt(b, h.size-int64(len(b))); err != nil {
		return nil, err
	}
	done := map[string]int{}
	for line := range bytes.Lines(b) {
		if !bytes.Contains(line, []byte(spillKey)) {
			continue
		}
		if at, sound, ok := parseLine(bytes.TrimSuffix(line, []byte("\n"))); ok && sound {
			name, place := spillPlace(spillOf(at.body))
			done[name] = max(done[name], place)
		}
	}
	return done, nil
}

// dropSpills removes the spill files that are now in the log.
func (h *holder) dropSpills() {
	for _, path := range h.taken {
		_ = h.l.sys.remove(path)
	}
	if len(h.taken) > 0 {
		_ = h.l.sys.remove(filepath.Join(h.l.dir, spillName)) // succeeds if it is empty
	}
}

// errSpill means that the content of a spill file is damaged. After any other error of readSpill,
// it may be intact.
var errSpill = errors.New("a spill file was damaged")

func readSpill(sys system, path string) ([][]byte, error) {
	f, err := sys.open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.size()
	if err != nil {
		return nil, err
	}
	if size > maxSpill+hashLen+1 || size < hashLen+1 {
		return nil, fmt.Errorf("%w: its size is %d", errSpill, size)
	}
	b := make([]byte, size)
	if _, err := f.ReadAt(b, 0); err != nil {
		return nil, err
	}
	text := b[:len(b)-hashLen-1]
	sum := sha256.Sum256(text)
	if string(b[len(text):len(b)-1]) != hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", errSpill)
	}
	var bodies [][]byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		bodies = append(bodies, line[:len(line):len(line)])
	}
	return bodies, nil
}

// spillOf returns the spill position at the end of a body.
func spillOf(body []byte) string {
	i := bytes.LastIndex(body, []byte(spillKey))
	if i < 0 || body[len(body)-1] != '"' {
		return ""
	}
	place := body[i+len(spillKey) : len(body)-1]
	if bytes.IndexByte(place, '"') >= 0 {
		return ""
	}
	return string(place)
}

// spillPlace splits name:place.
func spillPlace(s string) (name string, place int) {
	name, n, ok := strings.Cut(s, ":")
	if !ok {
		return "", 0
	}
	place, err := strconv.Atoi(n)
	if err != nil {
		return "", 0
	}
	return name, place
}
