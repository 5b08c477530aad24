package disk

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// The links below /proc that lead everywhere are followed by what they mean, for each spelling of
// the process; all else below /proc, /sys and /dev is out of sight.
func TestProcess(t *testing.T) {
	v := New()
	v.At("/srv/ws")
	for path, want := range map[string]string{
		"/proc/self/root": "/", "/proc/self/cwd": "/srv/ws", "/proc/thread-self/cwd": "/srv/ws", "/proc/thread-self/root": "/", "/proc/1/root": "/", "/proc/9870/cwd": "/srv/ws",
		"/proc/self/exe": "", "/proc/self/root/x": "", "/proc/self": "", "/proc/x1/root": "", "/proc/selfish/root": "", "/proc/self/roots": "", "/procs/self/root": "",
	} {
		if got := v.Lstat(path); got.Target != want || (got.Kind == Link) != (want != "") {
			t.Errorf("%s: got %+v, want a link to %q", path, got, want)
		}
	}
	v.At("/srv/other")
	for path, want := range map[string]string{"/proc/self/cwd/x": "/srv/other/x", "/proc/self/cwd/../x": "/srv/x", "/proc/1/root/../etc/x": "/etc/x", "/proc/self/root/proc/self/root/etc": "/etc", "/proc/self/environ": "/proc/self/environ"} {
		if got := v.Resolve(path, true); len(got) != 1 || got[0].Path != want {
			t.Errorf("%s leads to %+v, want %s", path, got, want)
		}
	}
	for path, want := range map[string]bool{
		"/proc": true, "/proc/1": true, "/process": false, "/sys": true, "/sys/a": true, "/system": false, "/dev": true, "/dev/sda": true, "/dev/shm": false, "/dev/shm/a": false,
		"/net": true, "/net/h": true, "/afs": true, "/afs/cell": true, "//host/share": true, "/": false, "/srv": false, "/srv/proc/a": false, "/mnt/far": true, "/mnt/far/a": true, "/mnt/farther": false,
	} {
		v.barred = []string{"/mnt/far"}
		if got := v.forbidden(path); got != want {
			t.Errorf("%s: forbidden %v, want %v", path, got, want)
		}
	}
}

// The adversary replaces a folder by a pipe after the View looked at it: listing it must not block,
// and must not claim to know all names.
func TestNamesOfPipe(t *testing.T) {
	dir := tree(t, "dir/")
	v := New(dir)
	if got := v.Lstat(dir + "/dir").Kind; got != Folder {
		t.Fatalf("kind %v, want a folder", got)
	}
	if err := os.Remove(dir + "/dir"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(dir+"/dir", 0o600); err != nil {
		t.Fatal(err)
	}
	if list, whole := v.Names(dir + "/dir"); len(list) > 0 || whole {
		t.Errorf("got %v, whole %v; want no names, not whole", list, whole)
	}
}

// Stat, Opaque and Missing say the same about each sort of file, by its own name and by a link.
func TestSortsOfFiles(t *testing.T) {
	dir := tree(t, "file", "dir/", "l-file -> file", "l-dir -> dir", "l-none -> none", "l-null -> /dev/null", "l-zero -> /dev/zero", "barred/x")
	if err := syscall.Mkfifo(dir+"/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", dir+"/l-pipe"); err != nil {
		t.Fatal(err)
	}
	v := New(dir)
	v.barred, v.mounts = []string{dir + "/barred"}, true
	v.infos[dir+"/mount"] = Info{barred: true}
	for _, tt := range []struct {
		path            string
		kind            Kind
		opaque, missing bool
	}{
		{dir + "/file", Regular, false, false}, {dir + "/l-file", Regular, false, false},
		{dir + "/dir", Folder, false, false}, {dir + "/l-dir", Folder, false, false},
		{dir + "/none", None, false, true}, {dir + "/l-none", None, false, true},
		{dir + "/pipe", Other, true, false}, {dir + "/l-pipe", Other, true, false},
		{dir + "/l-null", None, false, false}, {"/dev/null", None, false, false},
		{dir + "/l-zero", None, true, false}, {"/dev/zero", None, true, false}, {"/proc/self/environ", None, true, false}, {"/proc/self/mem", None, true, false},
		{dir + "/barred/x", None, true, false}, {dir + "/mount", None, true, false},
		{dir + "/f*", None, false, false}, // several files
	} {
		if i, ok := v.Stat(tt.path); i.Kind != tt.kind || ok != (tt.kind != None) {
			t.Errorf("%s: Stat says %d, %v, want kind %d", tt.path, i.Kind, ok, tt.kind)
		}
		if got := v.Opaque(tt.path); got != tt.opaque {
			t.Errorf("%s: opaque %v, want %v", tt.path, got, tt.opaque)
		}
		if got := v.Missing(tt.path); got != tt.missing {
			t.Errorf("%s: missing %v, want %v", tt.path, got, tt.missing)
		}
		if b, i, ok := v.ReadFile(tt.path, 1<<10); ok != (tt.kind == Regular) || ok && (string(b) != "file" || i.Kind != Regular || i.Size != 4) {
			t.Errorf("%s: ReadFile says %q, %+v, %v, want the text of a regular file only", tt.path, b, i, ok)
		}
		if list, _ := v.Names(tt.path); len(list) > 0 {
			t.Errorf("%s has the names %v, want none", tt.path, list)
		}
	}
}

// A folder with one name is reported by it, by whatever other path it is reached.
func TestKnow(t *testing.T) {
	dir := tree(t, "home/x/", "file")
	v := New(dir)
	home := v.Lstat(dir + "/home")
	before := v.Resolve(dir+"/bind/x", true)
	v.infos[dir+"/bind"] = home // as a bind mount has it
	v.faces = nil
	v.Know(dir + "/home")
	v.Know(dir + "/file") // no folder
	v.Know(dir + "/none")
	if len(v.known) != 1 {
		t.Errorf("%v are known, want the folder alone", v.known)
	}
	if len(before) != 1 || before[0].Path != dir+"/bind/x" {
		t.Errorf("before: got %+v, want the path itself", before)
	}
	want := Face{Path: dir + "/home/x", Link: dir + "/bind", To: dir + "/home"}
	if got := v.Resolve(dir+"/bind/x", true); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := v.Resolve(dir+"/home/x", true); len(got) != 1 || got[0] != (Face{Path: dir + "/home/x"}) {
		t.Errorf("by its own name: got %+v, want no link", got)
	}
}

// What each part of a path does to its face: whether it is a pattern, and which link came last.
func TestFaces(t *testing.T) {
	dir := tree(t, "a/f", "l -> a", "win -> C:/users/x", "deep -> l/f")
	for raw, want := range map[string]Face{
		"a/f":       {Path: dir + "/a/f"},
		"l/f":       {Path: dir + "/a/f", Link: dir + "/l", To: "a"},
		"deep":      {Path: dir + "/a/f", Link: dir + "/l", To: "a"},
		"none/x*":   {Path: dir + "/none/x*", Glob: true},
		"none/x?/y": {Path: dir + "/none/x?/y", Glob: true},
		"none/[x]":  {Path: dir + "/none/[x]", Glob: true},
		"none/x":    {Path: dir + "/none/x"},
		"win/y":     {Path: "C:/users/x/y", Link: dir + "/win", To: "C:/users/x"},
	} {
		if got := New(dir).Resolve(dir+"/"+raw, true); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %+v, want %+v", raw, got, want)
		}
	}
	if got := New().Resolve("C:/x/../y", true); len(got) != 1 || got[0].Path != "C:/y" {
		t.Errorf("a path of Windows: got %+v, want C:/y", got)
	}
}

// Each bound holds at its limit, and not one further.
func TestLimits(t *testing.T) {
	dir := tree(t, "f", "sub/", "long/")
	for size, want := range map[int64]bool{0: true, 9: true, 10: true, 11: false} {
		if err := os.WriteFile(dir+"/f", make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if b, _, ok := New(dir).ReadFile(dir+"/f", 10); ok != want || ok && int64(len(b)) != size {
			t.Errorf("%d bytes with a limit of 10: read %d, %v, want %v", size, len(b), ok, want)
		}
	}
	if err := os.WriteFile(dir+"/f", make([]byte, 10), 0o600); err != nil {
		t.Fatal(err)
	}
	for left, want := range map[int]bool{9: false, 10: true, 11: true} {
		v := New(dir)
		v.read = maxRead - left
		if _, _, ok := v.ReadFile(dir+"/f", 10); ok != want {
			t.Errorf("10 bytes where %d are left of all: read %v, want %v", left, ok, want)
		}
		if want && v.read != maxRead-left+10 {
			t.Errorf("%d bytes count as read, want %d", v.read, maxRead-left+10)
		}
	}
	for folders, want := range map[int]bool{maxFolders - 1: true, maxFolders: false} {
		v := New(dir)
		v.names = map[string]listing{}
		for i := range folders {
			v.names[fmt.Sprint(i)] = listing{}
		}
		if list, whole := v.Names(dir); whole != want || (len(list) == 3) != want {
			t.Errorf("after %d folders: %d names, whole %v, want %v", folders, len(list), whole, want)
		}
	}
	for listed, want := range map[int]bool{maxNames - 1: true, maxNames: false} {
		v := New(dir)
		v.listed = listed
		if list, _ := v.Names(dir); (len(list) == 3) != want {
			t.Errorf("after %d names: %d more, want more: %v", listed, len(list), want)
		}
	}
	for looks, want := range map[int]bool{maxLooks - 1: true, maxLooks: false} {
		v := New(dir)
		for i := range looks {
			v.infos[fmt.Sprint(i)] = Info{}
		}
		if i := v.Lstat(dir); (i.Kind == Folder) != want || v.over == want {
			t.Errorf("after %d looks: %+v, past a bound: %v, want a look: %v", looks, i, v.over, want)
		}
	}
	for length, want := range map[int]bool{maxPath: false, maxPath + 1: true} {
		v := New(dir)
		if v.Lstat("/" + strings.Repeat("x", length-1)); v.over != want {
			t.Errorf("a path of %d bytes: past a bound %v, want %v", length, v.over, want)
		}
	}
	for plans, want := range map[int]bool{7: false, 8: false, 9: true} {
		v := New(dir)
		for i := range plans {
			v.Make(dir+"/l", fmt.Sprint(i))
			v.Make(dir+"/l", fmt.Sprint(i)) // once more is no more
		}
		if v.over != want {
			t.Errorf("%d links of one name: past a bound %v, want %v", plans, v.over, want)
		}
	}
	for parts, want := range map[int]bool{maxParts: false, maxParts + 1: true} {
		if got := New(dir).Resolve(strings.Repeat("/x", parts), true); slices.Contains(got, anywhere) != want {
			t.Errorf("%d parts: anywhere %v, want %v", parts, !want, want)
		}
	}
	for links, want := range map[int]bool{maxLinks - 1: true, maxLinks: false} {
		for i := range links {
			to := "end"
			if i > 0 {
				to = fmt.Sprint("l", links, "-", i-1)
			}
			if err := os.Symlink(to, fmt.Sprint(dir, "/l", links, "-", i)); err != nil {
				t.Fatal(err)
			}
		}
		if got := New(dir).Resolve(fmt.Sprint(dir, "/l", links, "-", links-1), true); (got[0].Path == dir+"/end") != want {
			t.Errorf("%d links in a row lead to %+v, want the end: %v", links, got, want)
		}
	}
}

// Seen hands out the text of files, keeps it up to its bound, and fails as soon as one changes.
func TestSeen(t *testing.T) {
	if err := (*Seen)(nil).Hold(); err != nil {
		t.Errorf("a Seen of nothing: %v, want no error", err)
	}
	dir := tree(t, "f")
	read := func(path string) ([]byte, bool) { b, err := os.ReadFile(path); return b, err == nil }
	for size, want := range map[int]bool{9: true, 10: true, 11: false} {
		text := strings.Repeat("x", size)
		if err := os.WriteFile(dir+"/f", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := See(New(dir), 10, read)
		if b, ok := s.ReadFile(dir + "/f"); !ok || string(b) != text {
			t.Errorf("%d bytes: got %q, %v, want the text", size, b, ok)
		}
		if kept, opened := s.Opened[dir+"/f"]; !opened || (kept != nil) != want {
			t.Errorf("%d bytes with a bound of 10: kept %d bytes, opened %v, want them kept: %v", size, len(kept), opened, want)
		}
		opened := len(s.Opened)
		if b, ok := s.Peek(dir + "/f"); !ok || string(b) != text || len(s.Opened) != opened {
			t.Errorf("%d bytes: peeked at %q, %v, opened %v; want the text, and no other file opened", size, b, ok, s.Opened)
		}
		if b, ok := s.Peek(dir + "/none"); ok {
			t.Errorf("peeked at a file that is not there: %q, want nothing", b)
		}
		if b, ok := s.ReadFile(dir + "/none"); ok || len(s.Opened) != 1 {
			t.Errorf("a file that is not there: got %q, %v, opened %v, want nothing", b, ok, s.Opened)
		}
		if err := s.Hold(); err != nil {
			t.Errorf("nothing changed: %v, want no error", err)
		}
		if err := os.Rename(dir+"/f", dir+"/g"); err != nil {
			t.Fatal(err)
		}
		var changed *ChangedError
		if err := s.Hold(); !errors.As(err, &changed) || changed.Path != dir+"/f" || !strings.Contains(err.Error(), "/f\" changed after umpire judged this call: make the call again") {
			t.Errorf("the file is gone: %v, want an error that names it", err)
		}
	}
}

// A folder on another device is entered only if umpire uses the device anyway, or nothing remote is
// mounted there.
func TestEnters(t *testing.T) {
	dir := tree(t, "home/", "far/", "near/")
	const up, other, ours = 1, 2, 3 // devices without a disk have the major number zero
	for _, tt := range []struct {
		name, at string
		dev      uint64
		above    Kind
		want     bool
	}{
		{"on the device above it", "/far", up, Folder, true}, {"below what is no folder", "/far", up, Link, false},
		{"on a disk", "/far", 8 << 8, Folder, true}, {"on a device of umpire's", "/far", ours, Folder, true},
		{"where something remote is mounted", "/far", other, Folder, false}, {"below it", "/far/a/b", other, Folder, false},
		{"where nothing remote is", "/near", other, Folder, true}, {"beside it", "/farther", other, Folder, true},
	} {
		v := New(dir)
		v.barred, v.mounts, v.trusted = []string{"/far"}, true, map[uint64]bool{ours: true}
		v.infos[path.Dir(tt.at)] = Info{Kind: tt.above, ID: ID{Dev: up}}
		if got := v.enters(tt.at, Info{Kind: Folder, ID: ID{Dev: tt.dev}}); got != tt.want {
			t.Errorf("a folder %s: entered %v, want %v", tt.name, got, tt.want)
		}
	}
	for _, root := range []string{"/proc", "/proc/self"} { // where the home is on what is else not touched
		v := New(dir, root, "")
		v.enters("/x", Info{Kind: Folder, ID: ID{Dev: other}})
		if slices.Contains(v.barred, "/proc") || !v.mounts || len(v.trusted) == 0 {
			t.Errorf("the root %s: %q are barred, %d devices trusted; want its mount free", root, v.barred, len(v.trusted))
		}
	}
	v := New(dir)
	if v.enters("/x", Info{Kind: Folder, ID: ID{Dev: other}}); !slices.Contains(v.barred, "/proc") {
		t.Errorf("%q are barred, want /proc among them", v.barred)
	}
}

// A View below a folder sees it as the root, and so does another of the same file system.
func TestBelow(t *testing.T) {
	dir := tree(t, "a/f", "l -> /a")
	for name, v := range map[string]*View{"below": Below(dir), "below, with a slash": Below(dir + "/"), "another": Below(dir + "/").Another()} {
		if got := v.Resolve("/l/f", true); len(got) != 1 || got[0].Path != "/a/f" {
			t.Errorf("%s: the link leads to %+v, want /a/f", name, got)
		}
		if b, _, ok := v.ReadFile("/l/f", 10); !ok || string(b) != "a/f" {
			t.Errorf("%s: read %q, %v, want the file", name, b, ok)
		}
		if list, whole := v.Names("/"); len(list) != 2 || !whole {
			t.Errorf("%s: the root has %v", name, list)
		}
	}
}

// What a call copies or moves is found at both places, with the links in it.
func TestCopies(t *testing.T) {
	dir := tree(t, "src/l -> ../home", "home/x", "src/f")
	for _, tt := range []struct {
		plan func(v *View)
		raw  string
		want string
	}{
		{func(v *View) { v.Copy(dir+"/new", dir+"/src") }, "new/l/x", "home/x new/l/x"},
		{func(v *View) { v.Copy(dir+"/new", dir+"/src") }, "new/f", "new/f"},
		{func(v *View) { v.Make(dir+"/new", dir+"/src") }, "new/f", "new/f src/f"},
		{func(v *View) { v.Make(dir+"/NEW", "src") }, "new/f", "new/f src/f"},
		{func(v *View) { v.Make(dir+"/new", dir+"/new") }, "new/f", "new/f"},
		{func(v *View) { v.Resolve(dir+"/new/f", true); v.Make(dir+"/new", "src") }, "new/f", "new/f src/f"},
	} {
		v := New(dir)
		tt.plan(v)
		var got []string
		for _, f := range v.Resolve(dir+"/"+tt.raw, true) {
			got = append(got, strings.TrimPrefix(f.Path, dir+"/"))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s leads to %q, want %s", tt.raw, got, tt.want)
		}
	}
}
