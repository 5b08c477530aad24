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

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// lockTime limits how long a run waits for another one.
const lockTime = 30 * time.Second

// ErrMoved means that a file changed after the change was planned.
var ErrMoved = errors.New("changed in the meantime; nothing was written for this agent: run the command again")

// Apply makes all changes of an agent or none. It keeps copies of overwritten files in umpire's
// state folder.
func Apply(env Env, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	byScope := map[Scope][]Change{}
	for _, c := range changes {
		s := c.Scope
		if s == Project {
			s = User // both are in the user's state
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
	unlock, err := lock(filepath.Join(stateDir(env, scope), "install.lock"), lockTime)
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

// lock waits for other runs, but at most for lockTime.
func lock(path string, patience time.Duration) (unlock func(), err error) {
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
	select {
	case r := <-done:
		return r.unlock, r.err
	case <-time.After(patience):
		go func() { // a lock that arrives too late is unused
			if r := <-done; r.err == nil {
				r.unlock()
			}
		}()
		return nil, fmt.Errorf("another umpire init or uninstall holds %s; wait for it to end", path)
	}
}

// step is a change in progress.
type step struct {
	Change
	target string   // path with links resolved
	temp   string   // temporary file with the new content
	old    string   // temporary name of the old file
	backup string   // a copy of it in the state folder
	dirs   []string // folders that were created
}

// applyAgent first writes all new content to temporary files, which may fail, and then renames
// them, which needs no disk space. So does the rollback. An install is recorded before the rename,
// and a removal after it: a kill in between loses nothing.
func applyAgent(env Env, scope Scope, rec *record, changes []Change) (err error) {
	steps := make([]step, 0, len(changes))
	ahead, next := rec.clone(), rec.clone()
	var saved []string   // records in progress
	var emptied []string // folders that umpire created, and that may be empty now
	named, recorded := 0, false
	defer func() {
		failed := err != nil
		if failed {
			for _, s := range slices.Backward(steps[:named]) {
				if undo := s.undo(); undo != nil {
					err = fmt.Errorf("%w; %s could not be restored: %w; a copy is in %s", err, s.Path, undo, s.backup)
				}
			}
			if recorded {
				err = errors.Join(err, rec.commit(env, scope, saved[0]))
			}
		}
		for _, temp := range saved {
			err = errors.Join(err, discard(temp))
		}
		for _, s := range slices.Backward(steps) {
			err = errors.Join(err, discard(s.temp), discard(s.old))
			if failed {
				removeDirs(s.dirs)
			}
		}
		removeDirs(emptied)
	}()
	for _, c := range changes {
		if err := now(c); err != nil {
			return err
		}
		steps = append(steps, step{Change: c, target: c.Path})
		s := &steps[len(steps)-1]
		if err := s.prepare(env, scope); err != nil {
			return fmt.Errorf("%w; nothing was changed for %s", err, c.Agent)
		}
		if s.installs() {
			ahead.note(*s)
		}
		next.note(*s)
	}
	for _, r := range []*record{rec, ahead, next} {
		temp, err := r.stage(env, scope)
		if err != nil {
			return fmt.Errorf("record what is installed: %w; nothing was changed", err)
		}
		saved = append(saved, temp)
	}
	if err := ahead.commit(env, scope, saved[1]); err != nil {
		return fmt.Errorf("record what is installed: %w; nothing was changed", err)
	}
	recorded = true
	for i := range steps {
		if err := steps[i].commit(); err != nil {
			return err
		}
		named++
	}
	if err := next.commit(env, scope, saved[2]); err != nil {
		return fmt.Errorf("record what was installed: %w", err)
	}
	for _, c := range changes {
		if old := rec.find(c.Path); old != nil && c.After == nil {
			emptied = append(emptied, old.Dirs...)
		}
	}
	*rec = *next
	return nil
}

// prepare does all steps that need disk space.
func (s *step) prepare(env Env, scope Scope) (err error) {
	if s.Existed {
		if s.target, err = filepath.EvalSymlinks(s.Path); err != nil {
			return err
		}
		if s.backup, err = keep(env, scope, s.Change); err != nil {
			return fmt.Errorf("keep a copy of %s: %w", s.Path, err)
		}
	}
	if info, err := os.Stat(s.target); err == nil && info.Mode().Perm()&0o200 == 0 {
		// A rename would succeed, but the user made it read-only.
		return fmt.Errorf("%s is read-only; run chmod u+w on it, or change what generates it", s.target)
	}
	dir := filepath.Dir(s.target)
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("the folder %s is read-only; run chmod u+w on it, or change what generates it", dir)
	}
	if s.After == nil {
		return nil
	}
	if s.dirs, err = makeDirs(dir, scope); err != nil {
		return err
	}
	s.temp, err = stage(s.target, s.After, s.Mode)
	return err
}

// commit renames the new file into place, unless someone changed the old one in the meantime.
func (s *step) commit() error {
	if err := now(s.Change); err != nil {
		return err
	}
	if s.Existed {
		old := s.target + ".umpire-old"
		if err := ignore(os.Remove(old)); err != nil {
			return err
		}
		if os.Link(s.target, old) == nil { // otherwise undo must write
			s.old = old
		}
	}
	if s.After == nil {
		return os.Remove(s.target)
	}
	return atomicfile.Rename(s.temp, s.target)
}

func (s *step) undo() error {
	switch {
	case !s.Existed:
		return os.Remove(s.target)
	case s.old != "":
		return atomicfile.Rename(s.old, s.target)
	}
	return replace(s.target, s.Before, s.Mode)
}

// discard removes an unneeded temporary file. It may have been renamed.
func discard(path string) error {
	if path == "" {
		return nil
	}
	if err := ignore(os.Remove(path)); err != nil {
		return fmt.Errorf("%s is left over, remove it: %w", path, err)
	}
	return nil
}

// installs reports whether the step writes umpire's hooks.
func (s *step) installs() bool { return s.After != nil && s.form.has(s.After) }

// note records a change.
func (r *record) note(w step) {
	var old *installed
	if in := r.find(w.Path); in != nil {
		was := *in // the code below modifies it
		old = &was
	}
	if !w.installs() {
		r.drop(w.Path)
		if old != nil {
			r.inherit(old.Dirs)
		}
		return
	}
	f := found{path: w.Path}
	w.form.inspect(w.After, &f)
	in := installed{Agent: w.Agent, Scope: w.Scope, Path: w.Path, Time: time.Now().UTC().Truncate(time.Second), After: sum(w.After), Ours: f.ours}
	if old != nil && old.After == sum(w.Before) { // the content before umpire is known
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

// inherit passes on who removes a folder that umpire created: its last user.
func (r *record) inherit(dirs []string) {
	for _, d := range dirs {
		for i := range r.Installs {
			in := &r.Installs[i]
			if strings.HasPrefix(in.Path, d+string(filepath.Separator)) && !slices.Contains(in.Dirs, d) {
				in.Dirs = append(slices.Clone(in.Dirs), d)
				break
			}
		}
	}
}

// now checks that a file is unchanged since the plan.
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

// writeAll writes to a new file. Tests simulate a full disk here.
var writeAll = func(f *os.File, data []byte) error {
	_, err := f.Write(data)
	return err
}

// stage writes the future content of path to a new file beside it.
func stage(path string, data []byte, mode os.FileMode) (temp string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".umpire-*")
	if err != nil {
		return "", err
	}
	err = errors.Join(writeAll(f, data), f.Chmod(mode), f.Sync())
	if info, statErr := os.Stat(path); statErr == nil && err == nil {
		err = adopt(f, info)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write %s: %w", path, err), ignore(os.Remove(f.Name())))
	}
	return f.Name(), nil
}

// replace writes a file atomically: others see the old content or the new one, and a failure leaves
// the old one.
func replace(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := stage(path, data, mode)
	if err != nil {
		return err
	}
	if err := atomicfile.Rename(temp, path); err != nil {
		return errors.Join(err, ignore(os.Remove(temp)))
	}
	return nil
}

func ignore(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// makeDirs creates a folder and returns the folders that were missing, the outermost first.
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

// removeDirs removes created folders if they are empty.
func removeDirs(made []string) {
	slices.SortStableFunc(made, func(a, b string) int { return len(a) - len(b) }) // nested paths are longer
	for _, d := range slices.Backward(made) {
		_ = os.Remove(d)
	}
}

// keep stores a copy of a file before it is overwritten.
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
	return path, replace(path, c.Before, 0o600)
}
