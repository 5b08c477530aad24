package snapshot

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/regular"
)

// maxEntries limits the number of names to visit.
const maxEntries = 250_000

// FromPath freezes a directory or a file. The snapshot is made below parent, "" for the
// folder of temporary files.
func FromPath(ctx context.Context, parent, target string) (*Snapshot, error) {
	info, err := os.Stat(target) // the user named it, so follow a link
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return fromDir(ctx, parent, target, nil)
	case info.Mode().IsRegular():
		return fromFile(parent, target)
	}
	return nil, errors.New("it is neither a directory nor a plain file")
}

func fromFile(parent, target string) (*Snapshot, error) {
	b, err := build(parent, Target{Kind: "file", Name: target})
	if err != nil {
		return nil, err
	}
	f, info, err := regular.Open(target)
	if err != nil {
		return nil, b.abandon(err)
	}
	defer func() { _ = f.Close() }()
	if err := b.add(File{Path: filepath.Base(target), Kind: Regular, Size: info.Size(), Executable: info.Mode()&0o111 != 0}, source{f}); err != nil {
		return nil, b.abandon(err)
	}
	return b.finish()
}

// walker copies a tree. Each step starts from an open folder, so that concurrent changes to the
// tree cannot lead outside.
type walker struct {
	*builder
	ctx     context.Context
	entries int
	device  uint64
	large   []string // copied last, so that one file cannot displace all others
	top     *os.Root
	step    func(path string) // called before each file is opened, for tests
}

func fromDir(ctx context.Context, parent, dir string, tune func(*walker)) (*Snapshot, error) {
	b, err := build(parent, Target{Kind: "directory", Name: dir})
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, b.abandon(err)
	}
	defer func() { _ = root.Close() }()
	w := &walker{builder: b, ctx: ctx, top: root, step: func(string) {}}
	if tune != nil {
		tune(w)
	}
	info, err := root.Stat(".")
	if err != nil {
		return nil, b.abandon(err)
	}
	w.device = deviceOf(info)
	if err := w.folder(root, "", 0); err != nil {
		return nil, b.abandon(err)
	}
	for _, p := range w.large {
		if err := w.later(p); err != nil {
			return nil, b.abandon(err)
		}
	}
	return b.finish()
}

// names reads the names of a folder in order, as many as may still be looked at.
func (w *walker) readNames(r *os.Root, dir string) ([]string, error) {
	f, err := r.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(max(1, maxEntries-w.entries+1))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	w.entries += len(names)
	if w.entries > maxEntries {
		w.fault(OverLimit, dir, "there are too many names")
		w.incomplete("not every file was reviewed: the tree has too many names")
	}
	slices.Sort(names)
	return names, nil
}

func (w *walker) folder(r *os.Root, dir string, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	names, err := w.readNames(r, dir)
	if err != nil {
		w.fault(Unreadable, dir, err.Error())
		w.incomplete("not every file was reviewed: a folder could not be read")
		return nil
	}
	for _, name := range names {
		p := path.Join(dir, name)
		if name == ".git" {
			if dir != "" {
				w.fault(NestedGit, p, "")
			}
			continue
		}
		info, err := r.Lstat(name)
		if err != nil {
			w.lost(p, err)
			continue
		}
		if err := w.entry(r, name, p, info, depth); err != nil {
			return err
		}
	}
	return nil
}

// lost records an entry that disappeared or changed after the folder was read.
func (w *walker) lost(p string, err error) {
	kind := Unreadable
	if errors.Is(err, fs.ErrNotExist) {
		kind = Changing
	}
	w.fault(kind, p, "")
	w.skip(p, "it could not be read", 0)
}

func (w *walker) entry(r *os.Root, name, p string, info fs.FileInfo, depth int) error {
	mode := info.Mode()
	switch {
	case mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 && !mode.IsDir():
		w.fault(SetID, p, "")
	case deviceOf(info) != w.device:
		w.fault(SpecialFile, p, "another file system")
		w.skip(p, "it is on another file system", 0)
		return nil
	}
	switch {
	case mode.IsDir():
		if depth >= maxDepth {
			w.fault(TooDeep, p, "")
			w.incomplete("not every file was reviewed: folders are nested too deeply")
			return nil
		}
		sub, err := r.OpenRoot(name)
		if err != nil {
			w.lost(p, err)
			return nil
		}
		defer func() { _ = sub.Close() }()
		if now, err := sub.Stat("."); err != nil || !os.SameFile(now, info) {
			w.fault(Changing, p, "") // it was replaced by a link
			w.incomplete("not every file was reviewed: the tree changed during the copy")
			return nil
		}
		return w.folder(sub, p, depth+1)
	case mode&fs.ModeSymlink != 0:
		text, err := r.Readlink(name)
		if err != nil {
			w.lost(p, err)
			return nil
		}
		return w.add(File{Path: p, Kind: Symlink, Size: int64(len(text))}, strings.NewReader(text))
	case !mode.IsRegular():
		w.fault(SpecialFile, p, mode.Type().String())
		return nil
	case info.Size() > maxReadable:
		w.large = append(w.large, p)
		return nil
	}
	return w.file(r, name, p, info)
}

func (w *walker) file(r *os.Root, name, p string, info fs.FileInfo) error {
	w.step(p)
	// A file that became a FIFO in the meantime must not block.
	f, err := r.OpenFile(name, regular.Flags, 0)
	if err != nil {
		w.lost(p, err)
		return nil
	}
	defer func() { _ = f.Close() }()
	now, err := f.Stat()
	if err != nil || !os.SameFile(now, info) || !now.Mode().IsRegular() {
		w.fault(Changing, p, "")
		w.skip(p, "it was changed while it was read", info.Size())
		return nil
	}
	return w.add(File{Path: p, Kind: Regular, Size: now.Size(), Executable: now.Mode()&0o111 != 0}, source{f})
}

// later queues a large file.
func (w *walker) later(p string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	info, err := w.top.Lstat(filepath.FromSlash(p))
	if err != nil {
		w.lost(p, err)
		return nil
	}
	if !info.Mode().IsRegular() {
		w.fault(Changing, p, "")
		w.skip(p, "it was changed while it was read", 0)
		return nil
	}
	return w.file(w.top, filepath.FromSlash(p), p, info)
}
