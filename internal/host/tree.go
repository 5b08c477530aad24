package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/umpire-dev/umpire/internal/visible"
)

// maxLinks limits the length of a chain of symbolic links.
const maxLinks = 8

var (
	errNotFile   = errors.New("it is not a regular file")
	errNotFolder = errors.New("a folder above it is missing, or is a symbolic link")
	errNoSwap    = errors.New("this file system cannot exchange two files")
)

// found describes a name without reading it.
type found struct {
	kind     FileKind
	mode     uint32
	size     int64
	links    int64
	uid, gid int
}

// Tree is a project folder in which changes are made. It never reads or writes outside the folder,
// whatever links an agent creates in the meantime. Close it.
type Tree struct {
	top  folder
	step func(string) // called at every step, for tests that kill the process there
}

// OpenTree opens a project's folder.
func OpenTree(root string) (*Tree, error) {
	top, err := openFolder(root)
	if err != nil {
		return nil, err
	}
	return &Tree{top: top, step: func(string) {}}, nil
}

// OnStep calls f at every step of Apply, for tests that end the process there.
func (t *Tree) OnStep(f func(string)) { t.step = f }

// Close closes the Tree.
func (t *Tree) Close() { t.top.close() }

// above opens the folder of a path, and returns the path's last name.
func (t *Tree) above(p string) (folder, string, error) {
	dir, name := path.Split(p)
	if dir = strings.TrimSuffix(dir, "/"); dir == "" {
		dir = "."
	}
	f, err := t.top.sub(dir)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EXDEV) {
		err = errNotFolder
	}
	return f, name, err
}

// mkdirs opens the folder of a path, and creates it if necessary.
func (t *Tree) mkdirs(p string) (folder, string, error) {
	dir, _ := path.Split(p)
	names := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	for i := range names {
		if dir == "" {
			break
		}
		up, name, err := t.above(path.Join(names[:i+1]...))
		if err != nil {
			return folder{}, "", err
		}
		if err = up.mkdir(name, 0o755); err == nil {
			err = up.sync()
		} else if errors.Is(err, fs.ErrExist) {
			err = nil
		}
		up.close()
		if err != nil {
			return folder{}, "", err
		}
	}
	return t.above(p)
}

// State returns the current state of a path. A path in a missing folder is Absent.
func (t *Tree) State(p string) (FileState, error) {
	f, name, err := t.above(p)
	if errors.Is(err, fs.ErrNotExist) {
		return FileState{}, nil
	}
	if err != nil {
		return FileState{}, fmt.Errorf("%s: %w", visible.Clip(p, 200), err)
	}
	defer f.close()
	s, err := stateOf(f, name)
	if err != nil {
		err = fmt.Errorf("%s: %w", visible.Clip(p, 200), err)
	}
	return s, err
}

// link returns the target of a path if it is a symbolic link, otherwise "".
func (t *Tree) link(p string) (target string, err error) {
	f, name, err := t.above(p)
	if err == nil {
		defer f.close()
		var i found
		if i, err = f.lstat(name); err == nil && i.kind == Symlink {
			return f.readlink(name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return "", err
}

func stateOf(f folder, name string) (FileState, error) {
	i, err := f.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return FileState{}, nil
	}
	if err != nil {
		return FileState{}, err
	}
	s := FileState{Kind: i.kind}
	switch i.kind {
	case Symlink:
		s.Target, err = f.readlink(name)
	case File:
		h := sha256.New()
		if i, err = copyFile(h, f, name); err == nil {
			s.Mode, s.Size, s.Sum = i.mode, i.size, hex.EncodeToString(h.Sum(nil))
		}
	}
	return s, err
}

// copyFile reads a regular file completely.
func copyFile(w io.Writer, f folder, name string) (found, error) {
	file, i, err := f.open(name)
	if err != nil {
		return i, err
	}
	defer func() { _ = file.Close() }()
	if i.kind != File {
		return i, errNotFile
	}
	n, err := io.Copy(w, io.LimitReader(file, maxRead+1))
	if err == nil && n > maxRead {
		err = fmt.Errorf("it is larger than %d bytes", maxRead)
	}
	i.size = n
	return i, err
}

// Read returns a file's content and state from the same moment.
func (t *Tree) Read(p string) ([]byte, FileState, error) {
	f, name, err := t.above(p)
	if err != nil {
		return nil, FileState{}, fmt.Errorf("%s: %w", visible.Clip(p, 200), err)
	}
	defer f.close()
	var b bytes.Buffer
	i, err := copyFile(&b, f, name)
	if err != nil {
		return nil, FileState{}, fmt.Errorf("%s: %w", visible.Clip(p, 200), err)
	}
	return b.Bytes(), FileState{Kind: File, Mode: i.mode, Size: i.size, Sum: sum(b.Bytes())}, nil
}

// Bind ties a checked set to the current files of the host. An impossible change is an error.
func (t *Tree) Bind(set []Change) error {
	for i := range set {
		c := &set[i]
		var err error
		if c.Base, err = t.State(c.Path); err != nil {
			return err
		}
		if c.Op == Move {
			if c.Source, err = t.State(c.From); err != nil {
				return err
			}
		}
		if c.stale() {
			return conflict(c.Path)
		}
		err = c.possible()
		if err == nil {
			err = t.stays(c)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", visible.Clip(c.Path, 200), err)
		}
	}
	return nil
}

// stays refuses a symbolic link that leads out of the project, directly or through another link.
func (t *Tree) stays(c *Change) error {
	if c.Op != Link && c.Op != Move {
		return nil
	}
	at, target := c.Path, c.After().Target
	for range maxLinks {
		if target == "" {
			return nil
		}
		if err := linkFault(at, target); err != nil {
			return err
		}
		if at = path.Join(path.Dir(at), strings.ReplaceAll(target, "\\", "/")); at == "." {
			return nil
		}
		var err error
		if target, err = t.link(at); err != nil {
			return err
		}
	}
	return errors.New("too many symbolic links follow each other")
}

// stale reports whether the path of a bound change has another state than its requester knew.
func (c *Change) stale() bool {
	is := c.Base
	if c.Op == Move {
		is = c.Source
	}
	return c.Was != "" && (c.Was != WasAbsent || is.Kind != Absent) && (is.Kind != File || c.Was != is.Sum)
}

func (c *Change) possible() error {
	is := c.Base.Kind
	switch c.Op {
	case Write, Link:
		if is != Absent && is != File && is != Symlink {
			return errNotFile
		}
	case Delete:
		if is == Absent || is == Other {
			return errors.New("there is no such file")
		}
	case Chmod:
		if is != File {
			return errNotFile
		}
	case Mkdir:
		if is != Absent {
			return errors.New("it is there already")
		}
	case Move:
		if c.Source.Kind != File && c.Source.Kind != Symlink {
			return errNotFile
		}
		if is != Absent {
			return errors.New("it already exists: delete it first")
		}
	}
	return nil
}

// Fits returns an error with ErrConflict unless the host is unchanged since the set was bound.
func (t *Tree) Fits(set []Change) error {
	for i := range set {
		if err := t.fits(&set[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tree) fits(c *Change) error {
	err := t.is(c.Path, c.Base)
	if err == nil && c.Op == Move {
		err = t.is(c.From, c.Source)
	}
	return err
}

// is returns an error with ErrConflict unless a path has the state that it had. A folder above it
// may be a symbolic link by now.
func (t *Tree) is(p string, was FileState) error {
	now, err := t.State(p)
	if err == nil && now != was || errors.Is(err, errNotFolder) {
		return conflict(p)
	}
	return err
}

func conflict(p string) error { return fmt.Errorf("%s: %w", visible.Clip(p, 200), ErrConflict) }

// stage is the folder in which a set's new files wait before they are moved into place, and
// replaced files until all are done. It is at the top of the tree, so that a move is one step.
type stage struct {
	t *Tree
	f folder
	n string
}

func (s *stage) name(i int) string { return fmt.Sprintf("%d", i) }

// Apply applies a set completely or not at all. id names the set: if a process dies, Apply with the
// same id and set continues. Apply does nothing for a set that is already applied. An error with
// ErrConflict means that the files differ from those of the set.
func (t *Tree) Apply(ctx context.Context, id string, set []Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name := ".umpire-" + id
	fresh := true
	switch err := t.top.mkdir(name, 0o700); {
	case errors.Is(err, fs.ErrExist):
		fresh = false
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	f, err := t.top.sub(name)
	if err != nil {
		if fresh {
			err = errors.Join(err, t.top.remove(name, true))
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	s := &stage{t, f, name}
	defer f.close()
	if began, err := s.apply(set, fresh); err != nil {
		if began {
			if undo := s.undo(set); undo != nil {
				return errors.Join(err, fmt.Errorf("%w: %w", ErrHalf, undo))
			}
		}
		return errors.Join(err, s.clear())
	}
	t.step("all made")
	if err := s.clear(); err != nil {
		return fmt.Errorf("%w: remove %s: %w", ErrLeft, name, err)
	}
	return nil
}

// apply reports whether it has begun to change files.
func (s *stage) apply(set []Change, fresh bool) (began bool, err error) {
	if fresh { // check first that the set can be completed
		if done, err := s.made(set); err != nil || done {
			return false, err
		}
		if err := s.t.Fits(set); err != nil {
			return false, err
		}
	}
	for i := range set {
		if err := s.fill(i, &set[i]); err != nil {
			return !fresh, err
		}
	}
	for i := range set {
		if err := s.make(i, &set[i]); err != nil {
			return true, err
		}
		s.t.step(fmt.Sprintf("change %d made", i))
	}
	return true, nil
}

// made reports whether the host is in the state after the set.
func (s *stage) made(set []Change) (bool, error) {
	for i := range set {
		ok, err := s.is(&set[i])
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (s *stage) is(c *Change) (bool, error) {
	now, err := s.t.State(c.Path)
	if err != nil || now != c.After() {
		return false, err
	}
	if c.Op == Move {
		from, err := s.t.State(c.From)
		return from.Kind == Absent, err
	}
	return true, nil
}

// fill writes the files for a change to the stage, complete and durable.
func (s *stage) fill(i int, c *Change) error {
	if c.Op != Write && c.Op != Link {
		return nil
	}
	if done, err := s.is(c); done || err != nil {
		return err
	}
	now, err := stateOf(s.f, s.name(i))
	if err != nil || now == c.After() {
		return err
	}
	if now.Kind != Absent { // a process died while writing this
		if err := s.f.remove(s.name(i), false); err != nil {
			return err
		}
	}
	if c.Op == Link {
		return s.f.symlink(c.Target, s.name(i))
	}
	file, err := s.f.create(s.name(i), 0o600)
	if err != nil {
		return err
	}
	s.t.step(fmt.Sprintf("file %d begun", i))
	_, err = file.Write(c.Content)
	if err == nil {
		s.keepOwner(file, c)
		err = file.Chmod(fs.FileMode(c.mode()))
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	s.t.step(fmt.Sprintf("file %d written", i))
	return s.f.sync()
}

// keepOwner gives the new content the owner of the old one, if this process may do so.
func (s *stage) keepOwner(file *os.File, c *Change) {
	if c.Base.Kind != File {
		return
	}
	up, name, err := s.t.above(c.Path)
	if err != nil {
		return
	}
	defer up.close()
	if i, err := up.lstat(name); err == nil && i.uid >= 0 {
		_ = file.Chown(i.uid, i.gid) // an unprivileged user has only one owner
	}
}

// make makes one change, unless it is done already.
func (s *stage) make(i int, c *Change) error {
	if done, err := s.is(c); done || err != nil {
		if err == nil && c.Op != Mkdir { // a process died after this step; what it replaced must match the bound state
			return s.confirm(i, c)
		}
		return err
	}
	if err := s.t.fits(c); err != nil {
		return err
	}
	switch c.Op {
	case Mkdir:
		return s.mkdir(c)
	case Chmod:
		return s.chmod(c, c.Base, c.Mode)
	case Move:
		return s.move(i, c)
	}
	put := s.write
	if c.Op == Delete {
		put = s.delete
	}
	if replaced, err := put(i, c); err != nil || !replaced {
		return err
	}
	s.t.step(fmt.Sprintf("change %d moved", i))
	return s.confirm(i, c)
}

func (s *stage) mkdir(c *Change) error {
	up, name, err := s.t.mkdirs(c.Path)
	if err != nil {
		return err
	}
	defer up.close()
	if err := up.mkdir(name, 0o755); err != nil {
		return raced(err, c.Path)
	}
	return up.sync()
}

// move moves a path that still has its bound state.
func (s *stage) move(i int, c *Change) error {
	from, name, err := s.t.above(c.From)
	if err != nil {
		return err
	}
	defer from.close()
	to, toName, err := s.t.mkdirs(c.Path)
	if err != nil {
		return err
	}
	defer to.close()
	if err := from.moveNew(name, to, toName); err != nil {
		return raced(err, c.Path)
	}
	s.t.step(fmt.Sprintf("change %d moved", i))
	now, err := stateOf(to, toName)
	if err == nil && now != c.Source {
		err = conflict(c.From)
	}
	if err != nil {
		return errors.Join(err, to.moveNew(toName, from, name))
	}
	return errors.Join(from.sync(), to.sync())
}

// delete removes an empty folder, or moves a file into the stage: replaced reports which.
func (s *stage) delete(i int, c *Change) (replaced bool, err error) {
	up, name, err := s.t.above(c.Path)
	if err != nil {
		return false, err
	}
	defer up.close()
	if c.Base.Kind == Folder {
		if err := up.remove(name, true); err != nil {
			return false, fmt.Errorf("%s: %w", visible.Clip(c.Path, 200), err)
		}
		return false, up.sync()
	}
	if err := up.moveNew(name, s.f, s.name(i)); err != nil {
		return false, raced(err, c.Path)
	}
	return true, nil
}

// write moves the file from the stage into place. If there was a file, replaced reports that it is
// in the stage now.
func (s *stage) write(i int, c *Change) (replaced bool, err error) {
	up, name, err := s.t.mkdirs(c.Path)
	if err != nil {
		return false, err
	}
	defer up.close()
	if c.Base.Kind == Absent {
		if err := s.f.moveNew(s.name(i), up, name); err != nil {
			return false, raced(err, c.Path)
		}
		return false, up.sync()
	}
	switch err := s.f.swap(s.name(i), up, name); {
	case errors.Is(err, errNoSwap):
		if err := s.f.replace(s.name(i), up, name); err != nil {
			return false, err
		}
	case err != nil:
		return false, raced(err, c.Path)
	}
	return true, up.sync()
}

// confirm checks the replaced file, which is in the stage now. If someone edited it between the
// last check and the exchange, confirm puts it back and returns the conflict.
func (s *stage) confirm(i int, c *Change) error {
	if c.Op == Move || c.Op == Chmod || c.Base.Kind == Absent || c.Base.Kind == Folder {
		return nil
	}
	old, err := stateOf(s.f, s.name(i))
	if err != nil || old == c.Base || old.Kind == Absent || old == c.After() {
		return err
	}
	up, name, err := s.t.above(c.Path)
	if err != nil {
		return err
	}
	defer up.close()
	if c.Op == Delete {
		return errors.Join(conflict(c.Path), s.f.moveNew(s.name(i), up, name))
	}
	return errors.Join(conflict(c.Path), s.f.swap(s.name(i), up, name))
}

// raced reports a conflict if someone created or removed the name in the meantime.
func raced(err error, p string) error {
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return conflict(p)
	}
	return fmt.Errorf("%s: %w", visible.Clip(p, 200), err)
}

// chmod changes the mode of exactly the file that was bound.
func (s *stage) chmod(c *Change, known FileState, mode uint32) error {
	up, name, err := s.t.above(c.Path)
	if err != nil {
		return err
	}
	defer up.close()
	file, i, err := up.open(name)
	if err != nil {
		return raced(err, c.Path)
	}
	defer func() { _ = file.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(file, maxRead+1)); err != nil {
		return err
	}
	switch {
	case i.kind != File || i.mode != known.Mode || hex.EncodeToString(h.Sum(nil)) != known.Sum:
		return conflict(c.Path)
	case i.links > 1: // its other names may be anywhere
		return fmt.Errorf("%s: the file has other hard links, whose mode would change too", visible.Clip(c.Path, 200))
	}
	return file.Chmod(fs.FileMode(mode))
}

// undo reverts the changes made so far, the last first. It keeps files that someone has changed
// since. A change that may or may not have been made is an error.
func (s *stage) undo(set []Change) (errs error) {
	for i := len(set) - 1; i >= 0; i-- {
		c := &set[i]
		done, err := s.is(c)
		if errors.Is(err, errNotFolder) { // someone has created a link there since
			continue
		}
		if err == nil && done && c.Base != c.After() {
			err = s.unmake(i, c)
		}
		errs = errors.Join(errs, err)
	}
	return errs
}

func (s *stage) unmake(i int, c *Change) error {
	up, name, err := s.t.above(c.Path)
	if err != nil {
		return err
	}
	defer up.close()
	switch c.Op {
	case Chmod:
		return s.chmod(c, c.After(), c.Base.Mode)
	case Mkdir:
		return up.remove(name, true)
	case Move:
		to, toName, err := s.t.above(c.From)
		if err != nil {
			return err
		}
		defer to.close()
		return up.moveNew(name, to, toName)
	case Delete:
		if c.Base.Kind == Folder {
			return up.mkdir(name, 0o755)
		}
		if old, err := stateOf(s.f, s.name(i)); err != nil || old.Kind == Absent {
			return err // it was missing before
		}
		return s.f.moveNew(s.name(i), up, name)
	}
	if c.Base.Kind == Absent {
		return up.moveNew(name, s.f, s.name(i))
	}
	if old, err := stateOf(s.f, s.name(i)); err != nil || old != c.Base {
		return err // replaced on a file system without an exchange
	}
	return s.f.replace(s.name(i), up, name)
}

func (s *stage) clear() error {
	names, err := s.f.names()
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := s.f.remove(n, false); err != nil {
			return err
		}
		s.t.step("staged file removed")
	}
	if err := s.t.top.remove(s.n, true); err != nil {
		return err
	}
	return s.t.top.sync()
}
