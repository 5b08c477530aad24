package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lockTime is how long a run waits for another one to end.
const lockTime = 10 * time.Second

// ErrMoved is returned when a file is no longer what it was when the change was planned.
var ErrMoved = errors.New("changed while you were looking at it; nothing was written for this agent, run the command again")

// Apply makes changes: all of an agent's, or none. What it overwrites is kept in umpire's
// state folder.
func Apply(env Env, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	byScope := map[Scope][]Change{}
	for _, c := range changes {
		s := c.Scope
		if s == Project {
			s = User // the user's state has both
		}
		byScope[s] = append(byScope[s], c)
	}
	var all error
	for _, s := range []Scope{User, Managed} {
		if len(byScope[s]) > 0 {
			all = errors.Join(all, apply(env, s, byScope[s]))
		}
	}
	return all
}

func apply(env Env, scope Scope, changes []Change) error {
	unlock, err := lock(filepath.Join(stateDir(env, scope), "install.lock"))
	if err != nil {
		return err
	}
	defer unlock()
	rec, err := loadRecord(env, scope)
	if err != nil {
		return err
	}
	var agents []string
	for _, c := range changes {
		if !slices.Contains(agents, c.Agent) {
			agents = append(agents, c.Agent)
		}
	}
	var all error
	for _, name := range agents {
		var mine []Change
		for _, c := range changes {
			if c.Agent == name {
				mine = append(mine, c)
			}
		}
		if err := applyAgent(env, scope, rec, mine); err != nil {
			all = errors.Join(all, err)
		}
	}
	return all
}

// lock waits until no other run is writing.
func lock(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	type result struct {
		unlock func()
		err    error
	}
	done := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(path).Lock()
		done <- result{unlock, err}
	}()
	timer := time.NewTimer(lockTime)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.unlock, r.err
	case <-timer.C:
		return nil, fmt.Errorf("another umpire init or uninstall holds %s; wait for it to end", path)
	}
}

// written is a change that was made, and how to undo it.
type written struct {
	Change
	target string // links followed
	dirs   []string
	backup string
}

func applyAgent(env Env, scope Scope, rec *record, changes []Change) (err error) {
	var done []written
	defer func() {
		if err == nil {
			return
		}
		for _, w := range slices.Backward(done) {
			var undo error
			if w.Existed {
				undo = replace(w.target, w.Before, w.Mode, w.After)
			} else {
				undo = os.Remove(w.target)
			}
			removeDirs(w.dirs)
			if undo != nil {
				err = fmt.Errorf("%w; and %s could not be put back: %w (it is kept in %s)", err, w.Path, undo, w.backup)
			}
		}
	}()
	next := record{Version: 1, Installs: slices.Clone(rec.Installs)}
	for _, c := range changes {
		w := written{Change: c, target: c.Path}
		if c.Existed {
			if w.target, err = filepath.EvalSymlinks(c.Path); err != nil {
				return err
			}
			if w.backup, err = keep(env, scope, c); err != nil {
				return fmt.Errorf("keep a copy of %s: %w; nothing was written", c.Path, err)
			}
		}
		if err = now(c); err != nil {
			return err
		}
		if c.After == nil {
			if err = os.Remove(w.target); err != nil {
				return err
			}
		} else {
			if w.dirs, err = makeDirs(filepath.Dir(w.target), scope); err == nil {
				err = write(w.target, c)
			}
			if err != nil {
				removeDirs(w.dirs)
				return fmt.Errorf("%w; nothing was changed", err)
			}
		}
		done = append(done, w)
		next.note(w)
	}
	if err = next.save(env, scope); err != nil {
		return fmt.Errorf("record what was installed: %w", err)
	}
	for _, c := range changes {
		if old := rec.find(c.Path); old != nil && c.After == nil {
			removeDirs(old.Dirs)
		}
	}
	*rec = next
	return nil
}

// note records a change.
func (r *record) note(w written) {
	old := r.find(w.Path)
	if w.After == nil || !w.form.has(w.After) {
		r.drop(w.Path)
		return
	}
	f := found{path: w.Path}
	w.form.look(w.After, &f)
	in := installed{Agent: w.Agent, Scope: w.Scope, Path: w.Path, Time: time.Now().UTC().Truncate(time.Second), After: sum(w.After), Ours: f.ours}
	if old != nil && old.After == sum(w.Before) { // what was there before umpire is known
		in.Existed, in.Exact, in.Before, in.Backup, in.Dirs = old.Existed, old.Exact, old.Before, old.Backup, old.Dirs
	} else {
		in.Existed, in.Exact, in.Before, in.Backup, in.Dirs = w.Existed, !w.form.has(w.Before), sum(w.Before), w.backup, w.dirs
		if old != nil {
			in.Existed, in.Dirs = old.Existed, append(old.Dirs, w.dirs...)
		}
	}
	r.drop(w.Path)
	r.Installs = append(r.Installs, in)
}

// now makes sure that a file still is what the change was planned for.
func now(c Change) error {
	data, err := read(c.Path)
	if err != nil {
		return err
	}
	if (data != nil) != c.Existed || !bytes.Equal(data, c.Before) {
		return fmt.Errorf("%s: %w", c.Path, ErrMoved)
	}
	return nil
}

// write puts a change's content in place.
func write(path string, c Change) error {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o200 == 0 {
		// A rename would not mind, but whoever made it so does.
		return fmt.Errorf("%s is read-only; run chmod u+w on it, or change what generates it", path)
	}
	if dir, err := os.Stat(filepath.Dir(path)); err == nil && dir.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("the folder %s is read-only; run chmod u+w on it, or change what generates it", filepath.Dir(path))
	}
	var before []byte
	if c.Existed {
		before = c.Before
	}
	return replace(path, c.After, c.Mode, before)
}

// writeAll writes to a new file. Tests have the disk run full here.
var writeAll = func(f *os.File, data []byte) error {
	_, err := f.Write(data)
	return err
}

// replace writes a file at once: others see the old content or the new one, and after a
// failure the old one is there. If before is not nil, it must be the old content.
func replace(path string, data []byte, mode os.FileMode, before []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".umpire-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignore(os.Remove(f.Name())))
		}
	}()
	err = errors.Join(writeAll(f, data), f.Chmod(mode), f.Sync())
	if info, statErr := os.Stat(path); statErr == nil && err == nil {
		err = adopt(f, info)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if before != nil {
		if data, err := read(path); err != nil || !bytes.Equal(data, before) {
			return errors.Join(err, fmt.Errorf("%s: %w", path, ErrMoved))
		}
	}
	return os.Rename(f.Name(), path)
}

func ignore(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// makeDirs makes a folder and returns those that were missing, the outermost first.
func makeDirs(dir string, scope Scope) (made []string, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		made = append(made, d)
	}
	slices.Reverse(made)
	mode := os.FileMode(0o755)
	if scope == User {
		mode = 0o700
	}
	return made, os.MkdirAll(dir, mode)
}

// removeDirs removes folders that were made, if nothing else is in them.
func removeDirs(made []string) {
	for _, d := range slices.Backward(made) {
		if os.Remove(d) != nil {
			return
		}
	}
}

// keep puts a copy of what is overwritten aside.
func keep(env Env, scope Scope, c Change) (string, error) {
	dir := filepath.Join(stateDir(env, scope), "backup")
	name := strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(strings.TrimLeft(c.Path, "/"))
	if len(name) > 150 {
		name = name[len(name)-150:]
	}
	path := filepath.Join(dir, name+"."+sum(c.Before)[:12])
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, c.Before) {
		return path, nil
	}
	return path, replace(path, c.Before, 0o600, nil)
}
