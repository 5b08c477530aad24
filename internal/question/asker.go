package question

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire/internal/filelock"
)

// errAbandoned means that the process that asked the question has ended, so nothing waits for
// an answer.
var errAbandoned = errors.New("the agent that asked has ended and no longer waits for the answer")

// Bound returns a Box whose questions end with this process. The process waits for the answers
// itself, and no other process makes the calls.
func (b Box) Bound() Box {
	b.bound = true
	return b
}

// held are the locks that this process holds until it ends, by the folder of the box. The system
// releases them, however the process ends.
var held struct {
	sync.Mutex
	files map[string]*os.File
}

// asker returns the name of this process in its questions: a file that it holds locked.
func (b Box) asker() (string, error) {
	held.Lock()
	defer held.Unlock()
	if f := held.files[b.dir]; f != nil {
		if _, err := os.Lstat(f.Name()); err == nil {
			return filepath.Base(f.Name()), nil
		}
	}
	dir := filepath.Join(b.dir, "askers")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	b.sweep(dir)
	f, err := lockNew(dir)
	for try := 0; err == nil && f == nil && try < 10; try++ {
		f, err = lockNew(dir)
	}
	if err != nil || f == nil {
		return "", errors.Join(fmt.Errorf("cannot lock a file in %s", dir), err)
	}
	if held.files == nil {
		held.files = map[string]*os.File{}
	}
	held.files[b.dir] = f
	return filepath.Base(f.Name()), nil
}

// lockNew creates a file and locks it. It returns nil if someone removed it in between.
func lockNew(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	got, err := filelock.Try(f)
	if err == nil && got {
		if _, err := os.Lstat(f.Name()); err == nil {
			return f, nil
		}
	}
	return nil, errors.Join(err, f.Close())
}

// sweep removes the files of askers that have ended.
func (b Box) sweep(dir string) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return // retried later
	}
	for _, n := range names {
		b.asks(n.Name())
	}
}

// asks reports whether the process that asked under a name still runs. A question without one
// is for any process.
func (b Box) asks(name string) bool {
	if name == "" {
		return true
	}
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return false // not a valid name
	}
	path := filepath.Join(b.dir, "askers", name)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = f.Close() }()
	free, err := filelock.Try(f)
	if err != nil || !free {
		return true // if the lock cannot be checked, assume that the process runs
	}
	_ = os.Remove(path) // also tells concurrent readers that it has ended
	return false
}

// Withdraw withdraws a question of this process, which no longer waits for it.
func (b Box) Withdraw(q Question) {
	now, err := b.read(Pending, q.ID)
	if err == nil && now.Digest == q.Digest && now.Asker == q.Asker && q.Asker != "" {
		_ = os.Remove(b.path(Pending, q.ID)) // otherwise it is abandoned with the process
	}
}
