package quarantine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// FileLimiter is a Limiter whose state is a file: where every decision is a process of its
// own, a limit kept in memory would never be reached. It never allows a call that it could
// not write down.
type FileLimiter struct {
	path  string
	rate  int
	most  int
	clock func() time.Time
}

// Limits of the file, and of the wait for who else has it.
const (
	maxLimits = 1 << 20
	lockTime  = 5 * time.Second
)

// NewFileLimiter returns a limiter that keeps its state at path. Processes that share it
// have different starts, so its clock is the machine's.
func NewFileLimiter(path string, rate, maxAgents int) *FileLimiter {
	return &FileLimiter{path: path, rate: rate, most: maxAgents, clock: time.Now}
}

// Register makes room for an agent. Twice is harmless; one too many is ErrFull.
func (l *FileLimiter) Register(agent string) error {
	return l.change(func(s *limits) error { return s.register(agent) })
}

// Unregister frees an agent's place and forgets its calls.
func (l *FileLimiter) Unregister(agent string) error {
	return l.change(func(s *limits) error { delete(s.Agents, agent); return nil })
}

// Take counts a call of an agent if it still fits.
func (l *FileLimiter) Take(agent string) Allowance {
	var a Allowance
	err := l.change(func(s *limits) error {
		a = s.take(agent, l.clock().UnixMilli())
		return nil
	})
	if err != nil {
		return Allowance{Reason: "calls cannot be counted: " + err.Error()}
	}
	return a
}

// Reset forgets everything.
func (l *FileLimiter) Reset() error {
	return l.change(func(s *limits) error { s.Total = 0; clear(s.Agents); return nil })
}

func (l *FileLimiter) change(f func(*limits) error) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(l.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // and the lock with it
	for end := time.Now().Add(lockTime); ; time.Sleep(time.Millisecond) {
		got, err := tryLock(lock)
		if err != nil {
			return fmt.Errorf("lock %s: %w", l.path, err)
		}
		if got {
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s is locked by another process", l.path)
		}
	}
	s := limits{Agents: map[string][]int64{}}
	if err := readLimits(l.path, &s); err != nil {
		return err
	}
	s.Rate, s.MaxAgents = l.rate, l.most
	if err := f(&s); err != nil {
		return err
	}
	return writeFile(l.path, &s)
}

// readLimits reads the state. A file that is damaged is an error: taken for empty, it would
// give an agent all its calls anew.
func readLimits(path string, s *limits) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLimits+1))
	if err != nil {
		return err
	}
	if len(data) > maxLimits || json.Unmarshal(data, s) != nil || s.Agents == nil {
		return fmt.Errorf("%s is damaged: remove it when no review runs", path)
	}
	return nil
}

// writeFile writes v whole or not at all.
func writeFile(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Slot is the right of one reviewer to run, among all of this user.
type Slot struct{ file *os.File }

// TakeSlot takes one of n places, which are files in dir. A process that dies frees its
// places. ErrFull says that all are taken.
func TakeSlot(dir string, n int) (*Slot, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for i := range n {
		f, err := os.OpenFile(filepath.Join(dir, "reviewer-"+strconv.Itoa(i)+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		got, err := tryLock(f)
		if err == nil && got {
			return &Slot{f}, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return nil, ErrFull
}

// Free gives the place back.
func (s *Slot) Free() error { return s.file.Close() }
