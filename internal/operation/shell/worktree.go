package shell

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

const maxTracked = 20000 // files whose state on the disk is compared

// unchanged implements command.Host. It compares as git status does: git's index records the size
// and the time of each tracked file, and the tree that the index was written from. State that it
// cannot read counts as changed.
func (sh *shell) unchanged(root command.Word, commit string) bool {
	if sh.env.ReadFile == nil || !sh.local() || len(commit) != 40 || slices.ContainsFunc(sh.ops, func(o umpire.Operation) bool { return o.Kind == umpire.Write || o.Kind == umpire.Delete }) {
		return false
	}
	top, _ := sh.Path(root)
	at := path.Join(top, ".git/index")
	index, ok := sh.env.ReadFile(at)
	if !ok {
		return false
	}
	tree := (&gitObjects{sh: sh, dir: path.Join(top, ".git/objects"), left: 8}).tree(commit)
	rest, same := index, false
	if tree != "" {
		rest, same = eachTracked(index, sh.sameAs(top, at))
	}
	return same && indexTree(rest) == tree
}

// sameAs returns a function that reports whether a tracked file is as the index at a path has it.
func (sh *shell) sameAs(top, at string) func(name string, size uint32, time int64) bool {
	written := sh.paths.view.Lstat(at).Time
	return func(name string, size uint32, time int64) bool {
		i := sh.paths.view.Lstat(path.Join(top, name))
		return (i.Kind == disk.Regular || i.Kind == disk.Link) && uint32(i.Size) == size && i.Time == time && time < written
	}
}

// restorable reports whether git restores a file of the workspace that is deleted now.
func (sh *shell) restorable(file string) (ok bool) {
	top := sh.env.Map.Workspace
	name, at := strings.TrimPrefix(file, top+"/"), path.Join(top, ".git/index")
	if sh.env.ReadFile == nil || name == file || slices.ContainsFunc(sh.ops, func(o umpire.Operation) bool {
		return o.Kind == umpire.Write || o.Kind == umpire.Exec && o.Traits&umpire.Described == 0
	}) {
		return false
	}
	same := sh.sameAs(top, at)
	index, _ := sh.env.ReadFile(at)
	eachTracked(index, func(n string, size uint32, time int64) bool {
		ok = ok || n == name && same(n, size, time)
		return true
	})
	return ok
}

// eachTracked calls f for the files in an index, and returns the bytes after the entries. It
// reports false if f does, or if an entry has a special state, such as one of a merge.
func eachTracked(index []byte, f func(name string, size uint32, time int64) bool) (rest []byte, ok bool) {
	u32 := binary.BigEndian.Uint32
	if len(index) < 32 || string(index[:4]) != "DIRC" || u32(index[4:]) > 3 || u32(index[8:]) > maxTracked {
		return nil, false
	}
	const name = 62 // offset of the name in an entry
	rest = index[12:]
	for range u32(index[8:]) {
		end := -1
		if len(rest) > name {
			end = bytes.IndexByte(rest[name:], 0)
		}
		size := (name + end + 8) &^ 7
		if end < 0 || size > len(rest) || rest[60]&0xf0 != 0 {
			return nil, false
		}
		const module = 0o16
		if u32(rest[24:])>>12 != module && !f(string(rest[name:name+end]), u32(rest[36:]), int64(u32(rest[8:]))*1e9+int64(u32(rest[12:]))) {
			return nil, false
		}
		rest = rest[size:]
	}
	return rest, true
}

// indexTree returns the tree that an index was written as, or "" if something was added since.
func indexTree(extensions []byte) (tree string) {
	for len(extensions) > 28 {
		size := int(binary.BigEndian.Uint32(extensions[4:]))
		if extensions[0] >= 'a' || size > len(extensions)-8 { // an extension that changes the meaning of the entries
			return ""
		}
		text, id, _ := bytes.Cut(extensions[8:8+size], []byte("\n"))
		if string(extensions[:4]) == "TREE" && len(text) > 1 && text[0] == 0 && text[1] != '-' && len(id) >= 20 {
			tree = hex.EncodeToString(id[:20])
		}
		extensions = extensions[8+size:]
	}
	return tree
}
