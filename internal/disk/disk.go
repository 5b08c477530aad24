// Package disk shows the file system to the reading of one call. It is bounded and cached, and
// never touches files that could hang or act.
//
// A View looks at each path once, so that all parts of a reading see the same disk. It never
// looks below /proc, /sys and /dev, at network shares, or at automounted and FUSE file
// systems, unless the home or the project is on one. The author of the project is the
// adversary, who controls the links and names on the disk.
package disk

import (
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Limits of one View. The project's author controls the disk, so everything that grows with it is
// limited. Beyond a limit on the way to a path, the path may lead anywhere.
const (
	maxLooks    = 1 << 14  // paths to look at
	maxLinks    = 40       // links in one path, as in Linux
	maxParts    = 256      // components of one path
	maxFolders  = 1024     // folders listed
	maxNames    = 1 << 16  // names in all of them
	maxFaces    = 16       // targets of the globs in one path
	maxBranches = 4096     // alternatives to try for one path
	maxRead     = 16 << 20 // bytes read from files
)

// Kind is the type of a file.
type Kind uint8

// The types. None means that there is no such file, or that the View may not look at it.
const (
	None Kind = iota
	Regular
	Folder
	Link
	Other // a device, pipe or socket
)

// ID identifies a file on this machine. Two paths with one ID are hard links, or one path in
// two spellings. The zero ID stands for an unknown file.
type ID struct{ Dev, Ino uint64 }

// Info describes the file at one path. Links are not followed.
type Info struct {
	Kind   Kind
	ID     ID
	Links  uint64 // number of hard links
	Mode   uint32 // permission bits
	Size   int64
	Change int64 // time of the last change of content or attributes, in nanoseconds
	Born   int64 // time of birth, in nanoseconds; 0 if the file system does not store it
	Target string
	Time   int64 // time of the last change of content, in nanoseconds
	barred bool  // something exists that the View may not look at
}

// View is one call's view of the disk. The nil View sees nothing. Only Changed is safe for
// concurrent use.
type View struct {
	below   string               // the folder that acts as /, "" for the root itself
	roots   []string             // folders that umpire uses anyway
	dir     string               // the working directory, for /proc/self/cwd
	made    map[string][]planned // by the path in lower case, because the file system may ignore case
	known   map[ID]string        // folders with one canonical path, however they are mounted
	infos   map[string]Info
	names   map[string]listing
	trusted map[uint64]bool // devices; nil: not known yet
	barred  []string        // mount points that are never touched
	mounts  bool            // barred is complete
	over    bool            // a limit was exceeded
	listed  int
	read    int
	faces   map[string][]Face // results of Resolve, until a plan changes them
	watched map[string]bool   // files whose content matters
	calls   int               // system calls, for measurements
	mu      sync.Mutex        // guards infos, because Changed may run while a late read continues
}

// New returns a View. It treats the file systems of the roots (home, project, temporary folder) as
// safe to touch.
func New(roots ...string) *View {
	return &View{roots: roots, infos: map[string]Info{}}
}

// Below returns a View of the file system below a folder, for sandboxes and tests.
func Below(root string, roots ...string) *View {
	v := New(roots...)
	v.below = strings.TrimSuffix(root, "/")
	return v
}

// Another returns an empty View of the same file system.
func (v *View) Another() *View { return Below(v.below, v.roots...) }

// At sets the working directory that /proc/self/cwd leads to.
func (v *View) At(dir string) {
	if v != nil && v.dir != dir {
		v.dir, v.faces = dir, nil
	}
}

// Know makes the View report a folder by this path even if it is reached by another: through a bind
// mount, or in other letter case on a file system that ignores case. The path must have no links.
func (v *View) Know(abs string) {
	if i := v.Lstat(abs); i.Kind == Folder && i.ID != (ID{}) {
		if v.known == nil {
			v.known = map[ID]string{}
		}
		v.known[i.ID] = abs
		v.faces = nil
	}
}

// planned is a path that a call changes before its next part runs.
type planned struct {
	target string
	copied bool // a copy of the file at target may exist
}

const maxPlanned = 256

// Make tells Resolve that the call creates a link at an absolute path. Resolve also reports the
// file on disk at that name, because the link may not exist or may be inside that folder.
func (v *View) Make(abs, target string) { v.plan(abs, planned{target, false}) }

// Copy makes Resolve act as if the call had moved or copied from to abs. Only
// links below it matter.
func (v *View) Copy(abs, from string) { v.plan(abs, planned{from, true}) }

func (v *View) plan(abs string, p planned) {
	abs = strings.ToLower(abs)
	if v == nil || slices.Contains(v.made[abs], p) || abs == p.target {
		return
	}
	if len(v.made) >= maxPlanned || len(v.made[abs]) >= 8 {
		v.over, v.faces = true, nil
		return
	}
	if v.made == nil {
		v.made = map[string][]planned{}
	}
	v.made[abs] = append(v.made[abs], p)
	v.faces = nil
}

// process returns the target of a link below /proc that leads everywhere.
func (v *View) process(abs string) string {
	f := strings.Split(abs, "/")
	if len(f) != 4 || f[1] != "proc" || f[2] != "self" && f[2] != "thread-self" && strings.Trim(f[2], "0123456789") != "" {
		return ""
	}
	switch f[3] {
	case "root":
		return "/"
	case "cwd":
		return v.dir
	}
	return ""
}

// Calls reports how many system calls the View has made.
func (v *View) Calls() int { return v.calls }

// Lstat describes the file at an absolute, clean path. It follows no link in the last
// component, and none in the others: give it paths that Resolve returned, or whose
// folders are known not to be links.
func (v *View) Lstat(abs string) Info {
	if v == nil {
		return Info{}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if i, ok := v.infos[abs]; ok {
		return i
	}
	if strings.HasPrefix(abs, "/proc/") {
		if to := v.process(abs); to != "" {
			return Info{Kind: Link, Target: to}
		}
	}
	if strings.IndexByte(abs, 0) >= 0 || v.forbidden(abs) {
		return Info{}
	}
	if len(v.infos) >= maxLooks || len(abs) > maxPath {
		v.over = true
		return Info{}
	}
	if v.absent(path.Dir(abs)) { // a change there is a change here
		return Info{}
	}
	v.calls++
	i := lstat(v.below + abs)
	if i.Kind == Link {
		v.calls++
		if i.Target, _ = os.Readlink(v.below + abs); i.Target == "" {
			i.Kind = Other
		}
		i.Target = slashed(i.Target)
	}
	if i.Kind == Folder && abs != "/" && !v.enters(abs, i) {
		i = Info{barred: true}
	}
	v.infos[abs] = i
	return i
}

const maxPath = 4096

// forbidden reports whether a path must not be touched, by its spelling.
func (v *View) forbidden(abs string) bool {
	for _, dir := range [...]string{"/proc", "/sys", "/dev", "/net", "/afs"} {
		if abs == dir || strings.HasPrefix(abs, dir+"/") && !strings.HasPrefix(abs, "/dev/shm") {
			return true
		}
	}
	if strings.HasPrefix(abs, "//") { // \\server\share, which would cause network traffic
		return true
	}
	return slices.ContainsFunc(v.barred, func(dir string) bool { return abs == dir || strings.HasPrefix(abs, dir+"/") })
}

// enters reports whether a folder may be entered. A folder on another device than its parent is a
// mount point: the mount list shows its type, unless the device is a disk or one that umpire uses
// anyway.
func (v *View) enters(abs string, i Info) bool {
	up := v.infos[path.Dir(abs)]
	if up.ID.Dev == i.ID.Dev && up.Kind == Folder || local(i.ID.Dev) {
		return true
	}
	if v.trusted == nil {
		v.trusted = map[uint64]bool{}
		for _, dir := range append([]string{"/"}, v.roots...) {
			if dir != "" {
				v.calls++
				if d, ok := device(v.below + dir); ok {
					v.trusted[d] = true
				}
			}
		}
	}
	if v.trusted[i.ID.Dev] {
		return true
	}
	if !v.mounts {
		v.mounts = true
		v.calls++
		v.barred = slices.DeleteFunc(mounts(), func(dir string) bool {
			return slices.ContainsFunc(v.roots, func(r string) bool { return r == dir || strings.HasPrefix(r, dir+"/") })
		})
	}
	return !v.forbidden(abs)
}

// Name is an entry of a folder.
type Name struct {
	Name string
	Kind Kind
}

// listing is the result of one look at a folder.
type listing struct {
	names []Name
	whole bool
}

// Birth returns the creation time of a file, in nanoseconds, by the file system's clock; 0 if
// unknown. No program can set it.
func Birth(path string) int64 { return lstat(path).Born }

// Stat describes the file at an absolute path, through links.
func (v *View) Stat(abs string) (Info, bool) {
	faces := v.Resolve(abs, true)
	if len(faces) != 1 || faces[0].Glob {
		return Info{}, false
	}
	i := v.Lstat(faces[0].Path)
	return i, i.Kind != None
}

// Opaque reports whether an absolute path leads to something without readable text: a pipe, a
// socket, a device, or a file that the View may not look at. The adversary may put one where a
// program looks for its settings.
func (v *View) Opaque(abs string) bool {
	if v == nil {
		return false
	}
	return slices.ContainsFunc(v.Resolve(abs, true), func(f Face) bool {
		i := v.Lstat(f.Path)
		return f.Path != "/dev/null" && (i.Kind == Other || i.barred || i.Kind == None && v.forbidden(f.Path))
	})
}

// Missing reports whether nothing exists at an absolute path or at its link's target. It is false
// if the View may not look.
func (v *View) Missing(abs string) bool {
	faces := v.Resolve(abs, true)
	if slices.ContainsFunc(faces, func(f Face) bool { return f.Glob || !v.missing(f.Path) }) {
		return false
	}
	return len(faces) > 0
}

// missing finds the longest part of a path that was looked at.
func (v *View) missing(abs string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.absent(abs)
}

// absent is like missing, for a caller that holds mu.
func (v *View) absent(abs string) bool {
	for {
		if i, ok := v.infos[abs]; ok {
			return i.Kind == None && !i.barred
		}
		up := path.Dir(abs)
		if up == abs {
			return false
		}
		abs = up
	}
}

// Watch makes Changed compare a file's content.
func (v *View) Watch(abs string) {
	for _, f := range v.Resolve(abs, true) {
		v.Lstat(f.Path)
		v.mu.Lock()
		if v.watched == nil {
			v.watched = map[string]bool{}
		}
		v.watched[f.Path] = true
		v.mu.Unlock()
	}
}

// Changed checks again everything that the View reported, and returns a path that changed: a link
// with another target, a replaced file or folder, or a written file. Call it right before running
// the judged call.
func (v *View) Changed() (string, bool) {
	if v == nil {
		return "", false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for abs, was := range v.infos {
		if v.forbidden(abs) {
			continue
		}
		now := lstat(v.below + abs)
		if now.Kind == Link {
			target, _ := os.Readlink(v.below + abs)
			now.Target = slashed(target)
		}
		same := now.Kind == was.Kind && now.Target == was.Target
		// A new file with one name does not redirect the judged call, and concurrent calls append
		// to the same log. A new script is watched.
		if was.Kind == None && now.Kind == Regular && now.Links == 1 && !v.watched[abs] {
			same = true
		}
		if same && was.Kind != None {
			same = now.ID == was.ID && (!v.watched[abs] || now.Change == was.Change)
		}
		if !same && !was.barred {
			return abs, true
		}
	}
	return "", false
}

// Names lists a folder that Resolve returned, sorted by name, within the limits. whole is false
// if there may be more names.
func (v *View) Names(abs string) (list []Name, whole bool) {
	if v == nil {
		return nil, false
	}
	if l, ok := v.names[abs]; ok {
		return l.names, l.whole
	}
	if len(v.names) >= maxFolders || v.listed >= maxNames || v.Lstat(abs).Kind != Folder {
		return nil, false
	}
	v.calls += 3
	// The adversary may have replaced the folder by a pipe: opening that would block. For a blocking
	// file, os also makes four system calls to learn that folders cannot be polled.
	f, err := os.OpenFile(v.below+abs, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, true // a shell finds no more in it
	}
	defer f.Close()
	whole = true
	for {
		entries, err := f.ReadDir(1024)
		v.calls++
		for _, e := range entries {
			list = append(list, Name{e.Name(), kindOf(e.Type())})
		}
		v.listed += len(entries)
		if err == io.EOF {
			break
		}
		if err != nil || v.listed >= maxNames {
			whole = false
			break
		}
	}
	slices.SortFunc(list, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	if v.names == nil {
		v.names = map[string]listing{}
	}
	v.names[abs] = listing{list, whole}
	return list, whole
}

func kindOf(m os.FileMode) Kind {
	switch {
	case m.IsRegular():
		return Regular
	case m.IsDir():
		return Folder
	case m&(os.ModeSymlink|os.ModeIrregular) != 0: // Windows' junctions are irregular
		return Link
	}
	return Other
}

// ReadFile reads a regular file of at most limit bytes, through links. The Info describes the
// file that was read; compare its ID and Change to detect a later change.
func (v *View) ReadFile(abs string, limit int64) ([]byte, Info, bool) {
	if v == nil {
		return nil, Info{}, false
	}
	for _, f := range v.Resolve(abs, true) {
		i := v.Lstat(f.Path)
		if i.Kind != Regular || i.Size > limit || v.read+int(i.Size) > maxRead || f.Glob {
			continue
		}
		v.calls += 4
		file, err := open(v.below + f.Path)
		if err != nil {
			continue
		}
		b, now, ok := readAll(file, limit)
		_ = file.Close()
		v.read += len(b)
		if ok {
			return b, now, true
		}
	}
	return nil, Info{}, false
}

// ReadAt reads up to n bytes of a file of any size that Names or Resolve returned.
func (v *View) ReadAt(abs string, offset int64, n int) []byte {
	if v == nil || v.Lstat(abs).Kind != Regular || v.read+n > maxRead {
		return nil
	}
	v.calls += 3
	file, err := open(v.below + abs)
	if err != nil {
		return nil
	}
	defer file.Close()
	b := make([]byte, n)
	n, err = file.ReadAt(b, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	v.read += n
	return b[:n]
}

func readAll(f *os.File, limit int64) ([]byte, Info, bool) {
	info, err := f.Stat() // it may be a pipe by now
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil, Info{}, false
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	return b, infoOf(info), err == nil && int64(len(b)) <= limit
}
