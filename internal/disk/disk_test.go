package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes files, folders (ending in a slash) and links ("name -> target") in a folder.
func tree(t *testing.T, entries ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name, target, link := strings.Cut(e, " -> ")
		at := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(at, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(at), 0o755); err == nil {
			if link {
				err = os.Symlink(strings.ReplaceAll(target, "$", dir), at)
			} else {
				err = os.WriteFile(at, []byte(name), 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestResolve(t *testing.T) {
	dir := tree(t, "home/.ssh/id", "home/deep/er/x", "ws/src/a.go", "ws/home -> ../home", "ws/abs -> $/home", "ws/two -> home", "ws/deep -> $/home/deep/er",
		"ws/loop -> loop2", "ws/loop2 -> loop", "ws/gone -> $/nowhere/x", "ws/dir/inner -> ../../home", "ws/dir/file", "ws/[id]/x", "ws/slash -> $/home/")
	for _, tt := range []struct {
		raw    string
		follow bool
		want   string // paths below dir
	}{
		{"ws/src/a.go", true, "ws/src/a.go"},
		{"ws/home", false, "ws/home"},
		{"ws/home", true, "home"},
		{"ws/home/", false, "home"},
		{"ws/home/.", false, "home"},
		{"ws/home/x", false, "home/x"},
		{"ws/two/.ssh/id", false, "home/.ssh/id"},
		{"ws/slash/.ssh", false, "home/.ssh"},
		{"ws/abs/*", false, "home/*"},
		{"ws/deep/..", false, "home/deep"},
		{"ws/deep/../../.ssh/id", false, "home/.ssh/id"},
		{"ws/src/../src/a.go", false, "ws/src/a.go"},
		{"ws/new/../home/x", false, "home/x"},
		{"ws/new/x/../../abs/x", false, "home/x"},
		{"ws/gone", true, "nowhere/x"},
		{"ws/gone/y", true, "nowhere/x/y"},
		{"ws/h*/x", false, "ws/h*/x home/x"},
		{"ws/*/.ssh", false, "ws/*/.ssh home/.ssh home/deep/er/.ssh nowhere/x/.ssh"},
		{"ws/*", false, "ws/*"},
		{"ws/*/*/x", false, "ws/*/*/x home/*/x home/deep/er/*/x nowhere/x/*/x home/x"},
		{"ws/[h]ome/x", false, "ws/[h]ome/x home/x"},
		{"ws/[!d]ome/x", false, "ws/[!d]ome/x home/x"},
		{"ws/[id]/x", false, "ws/[id]/x"},
	} {
		v := New(dir)
		var got []string
		for _, f := range v.Resolve(dir+"/"+tt.raw, tt.follow) {
			got = append(got, strings.TrimPrefix(f.Path, dir+"/"))
		}
		if want := strings.Fields(tt.want); len(got) == 0 || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q, want %q", tt.raw, got, want)
		}
	}
	if got := New(dir).Resolve(dir+"/ws/loop/x", true); len(got) != 1 {
		t.Errorf("a loop leads to %v, want one face", got)
	}
}

// Nothing below what could hang or act is touched, also by a link or with "..".
func TestForbidden(t *testing.T) {
	dir := tree(t, "proc -> /proc/self/root", "file", "net/x", "out -> net/x")
	v := New(dir)
	v.barred, v.mounts = []string{dir + "/net"}, true
	for _, raw := range []string{"/proc/self/environ", dir + "/proc/etc", "/sys/kernel/x", "//server/share/x", dir + "/net/x", dir + "/out", dir + "/../" + filepath.Base(dir) + "/net/x/y"} {
		v.Resolve(raw, true)
	}
	for p, i := range v.infos {
		if i.Kind != None && (strings.HasPrefix(p, "/proc") || strings.HasPrefix(p, "/sys") || strings.HasPrefix(p, dir+"/net")) {
			t.Errorf("%s was looked at: %+v", p, i)
		}
	}
	if _, _, ok := v.ReadFile("/proc/self/environ", 1<<20); ok {
		t.Error("/proc was read")
	}
	if b, i, ok := v.ReadFile(dir+"/file", 100); !ok || string(b) != "file" || i.ID == (ID{}) {
		t.Errorf("ReadFile says %q, %+v, %v, want the text and the ID", b, i, ok)
	}
	if _, _, ok := v.ReadFile(dir+"/file", 3); ok {
		t.Error("a file above the limit was read")
	}
}

// One look at each path, and an end to all of them.
func TestBounds(t *testing.T) {
	dir := tree(t, "a/b/c/d")
	v := New(dir)
	v.Resolve(dir+"/a/b/c/d", true)
	n := v.Calls()
	v.Resolve(dir+"/a/b/c/d", true)
	if v.Resolve(dir+"/a/b/c/x", true); v.Calls() != n+1 {
		t.Errorf("%d system calls, then %d", n, v.Calls())
	}
	for i := range maxLooks + 10 {
		v.Lstat(fmt.Sprintf("%s/a/%d", dir, i))
	}
	if len(v.infos) > maxLooks {
		t.Errorf("%d paths looked at", len(v.infos))
	}
	long := dir + strings.Repeat("/a/..", maxParts)
	if got := v.Resolve(long, true); !slices.Equal(got, []Face{anywhere}) {
		t.Errorf("%d components lead to %v, want anywhere", 2*maxParts, got)
	}
	if got := v.Resolve(dir+"/b", true); !slices.Contains(got, anywhere) {
		t.Errorf("past the bound on looks: got %v, want anywhere among them", got)
	}
	v = New(dir)
	for i := range maxPlanned + 1 {
		v.Make(fmt.Sprintf("%s/l%d", dir, i), "a")
	}
	if got := v.Resolve(dir+"/b", true); !slices.Contains(got, anywhere) {
		t.Errorf("past the bound on links: got %v, want anywhere among them", got)
	}
	if f := (*View)(nil).Resolve("/", true); f != nil {
		t.Errorf("without a View: got %v, want nothing", f)
	}
}

// TestManyWays holds links that multiply: each walk ends at once, and leaves no place out.
func TestManyWays(t *testing.T) {
	entries := []string{"home/x/"}
	for i := range 12 {
		entries = append(entries, fmt.Sprintf("ws/loops/l%d -> .", i))
	}
	for i := range 2 * maxFaces {
		entries = append(entries, fmt.Sprintf("b/%d/", i), fmt.Sprintf("ws/many/l%d -> $/b/%d", i, i))
	}
	dir := tree(t, append(entries, "ws/many/z -> $/home/x")...)
	at := func(v *View, p string) (list []string) {
		for _, f := range v.Resolve(dir+"/"+p, true) {
			list = append(list, strings.TrimPrefix(f.Path, dir))
		}
		return list
	}
	if got := at(New(), "ws/loops/"+strings.Repeat("*/", 24)+"x"); !slices.Contains(got, "/ws/loops/**") {
		t.Errorf("links to the folder around them lead to %q", got)
	}
	if got := at(New(), "ws/many/*/f"); len(got) != maxFaces || !slices.Contains(got, "/**") {
		t.Errorf("more links than faces lead to %q, want the folder around all", got)
	}
	for _, names := range [][2]string{{"ws/A", "ws/B"}, {"ws/a", "ws/b"}} {
		v := New()
		for _, way := range [][2]string{{names[0], names[1]}, {names[1], names[0]}, {names[0], names[0]}, {names[0], "home"}} {
			v.Make(dir+"/"+way[0], dir+"/"+way[1])
			v.Make(dir+"/"+way[0], filepath.Base(way[1]))
		}
		if got := at(v, names[0]+"/f"); !slices.Contains(got, "/home/f") {
			t.Errorf("links of the call to each other lead to %q, want /home/f among them", got)
		}
	}
}

func TestNames(t *testing.T) {
	dir := tree(t, "a", "b/", "c -> a")
	v := New(dir)
	got, whole := v.Names(dir)
	if want := []Name{{"a", Regular}, {"b", Folder}, {"c", Link}}; !whole || !slices.Equal(got, want) {
		t.Errorf("names %v, whole %v, want %v, and all of them", got, whole, want)
	}
}

// What is swapped after it was looked at is noticed.
func TestChanged(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(dir string) error
		want string
	}{
		"nothing":        {func(string) error { return nil }, ""},
		"a file beside":  {func(dir string) error { return os.WriteFile(dir+"/new", nil, 0o600) }, ""},
		"a log grows":    {func(dir string) error { return os.WriteFile(dir+"/log", []byte("more"), 0o600) }, ""},
		"a script":       {func(dir string) error { return os.WriteFile(dir+"/x.sh", []byte("other"), 0o600) }, "x.sh"},
		"another script": {func(dir string) error { return os.Rename(dir+"/y.sh", dir+"/x.sh") }, "x.sh"},
		"a link": {func(dir string) error {
			_ = os.Remove(dir + "/l")
			return os.Symlink("other", dir+"/l")
		}, "l"},
		"a folder for a link": {func(dir string) error {
			_ = os.Rename(dir+"/d", dir+"/e")
			return os.Symlink("/", dir+"/d")
		}, "d"},
		"a link for nothing": {func(dir string) error { return os.Symlink("/", dir+"/later") }, "later"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, "x.sh", "y.sh", "log", "l -> d", "d/f", "other/")
			v := New(dir)
			v.Watch(dir + "/x.sh")
			for _, p := range []string{"log", "l/f", "d/f", "later/x"} {
				v.Resolve(dir+"/"+p, true)
			}
			if err := tt.do(dir); err != nil {
				t.Fatal(err)
			}
			got, changed := v.Changed()
			if changed != (tt.want != "") || changed && !strings.HasPrefix(got, dir+"/"+tt.want) {
				t.Errorf("%q %v, want %q", got, changed, tt.want)
			}
		})
	}
}

// Missing says so only of what was looked for and is not there.
func TestMissing(t *testing.T) {
	dir := tree(t, "ws/file", "ws/link -> file", "ws/gone -> nowhere", "ws/out -> ../other/x", "other/x/y", "net/x")
	v := New(dir)
	v.barred, v.mounts = []string{dir + "/net"}, true
	for path, want := range map[string]bool{
		"ws/file": false, "ws/link": false, "ws/gone": true, "ws/none": true, "ws/none/below": true, "ws/out/y": false, "ws/out/z": true,
		"ws/*": false, "net/x": false, "net/none": false, "ws/file/below": true,
	} {
		if got := v.Missing(dir + "/" + path); got != want {
			t.Errorf("%s: missing %v, want %v", path, got, want)
		}
	}
	if v.Missing("/proc/none") || (*View)(nil).Missing("/x") {
		t.Error("a path is missing that nobody looked at")
	}
	full := New(dir)
	for i := range maxLooks {
		full.infos[fmt.Sprint(i)] = Info{}
	}
	if full.Missing(dir + "/ws/file") {
		t.Error("a file is missing because the bound was reached")
	}
}

// A folder that comes into being between two looks is a change.
// A file that another call makes meanwhile is no change, unless it is a second name of some
// other file, or one that the judgement looked for to read it.
func TestChangedByNewFile(t *testing.T) {
	for name, c := range map[string]struct {
		watch bool
		make  func(dir string) error
		want  bool
	}{
		"a new file":      {false, func(dir string) error { return os.WriteFile(dir+"/log", nil, 0o600) }, false},
		"a new script":    {true, func(dir string) error { return os.WriteFile(dir+"/log", nil, 0o600) }, true},
		"a second name":   {false, func(dir string) error { return os.Link(dir+"/ws/file", dir+"/log") }, true},
		"a symbolic link": {false, func(dir string) error { return os.Symlink(dir+"/ws/file", dir+"/log") }, true},
		"a folder":        {false, func(dir string) error { return os.Mkdir(dir+"/log", 0o700) }, true},
	} {
		dir := tree(t, "ws/file")
		v := New(dir)
		v.Resolve(dir+"/log", true)
		if c.watch {
			v.Watch(dir + "/log")
		}
		if err := c.make(dir); err != nil {
			t.Fatal(err)
		}
		if path, changed := v.Changed(); changed != c.want {
			t.Errorf("%s: changed %v (%q), want %v", name, changed, path, c.want)
		}
	}
}

func TestChangedByNewFolder(t *testing.T) {
	dir := tree(t, "ws/file")
	v := New(dir)
	v.Resolve(dir+"/ws/later/x", true)
	if path, changed := v.Changed(); changed {
		t.Fatalf("%s changed by itself", path)
	}
	if err := os.Mkdir(dir+"/ws/later", 0o700); err != nil {
		t.Fatal(err)
	}
	if path, changed := v.Changed(); !changed || filepath.Base(path) != "later" {
		t.Errorf("%q %v: the new folder is not noticed", path, changed)
	}
}

// Below a folder that is not there nothing is looked at, and a folder that appears is a change.
func TestMissingFolder(t *testing.T) {
	dir := tree(t, "a/b")
	v := New(dir)
	v.Resolve(dir+"/none/x/y", true)
	calls := v.Calls()
	if i := v.Lstat(dir + "/none/x/z"); i.Kind != None || v.Calls() != calls {
		t.Errorf("%+v after %d calls, had %d", i, v.Calls(), calls)
	}
	if !v.Missing(dir + "/none/x/y") {
		t.Error("it is not missing")
	}
	if err := os.MkdirAll(dir+"/none/x", 0o755); err != nil {
		t.Fatal(err)
	}
	if p, changed := v.Changed(); !changed || p != dir+"/none" {
		t.Errorf("changed %v at %q, want the folder that appeared", changed, p)
	}
}

// A link that the call has made counts for every pattern that matches its name, in any case, and for
// one that nobody can read.
func TestMadeLinksMatchPatterns(t *testing.T) {
	dir := tree(t, "home/x", "ws/")
	for pattern, want := range map[string]bool{"*": true, "l?nk": true, "L*": true, "[!a]*": true, "l[": true, "m*": false, "link?": false} {
		v := New(dir)
		v.Make(dir+"/ws/link", dir+"/home")
		got := v.Resolve(dir+"/ws/"+pattern+"/x", true)
		if slices.ContainsFunc(got, func(f Face) bool { return f.Path == dir+"/home/x" }) != want {
			t.Errorf("%s leads to %v, want home/x among them: %t", pattern, got, want)
		}
		v = New(dir)
		v.Make(dir+"/home/link", dir+"/ws")
		if got := v.Resolve(dir+"/ws/"+pattern+"/x", true); len(got) != 1 {
			t.Errorf("%s leads to %v, want no link of another folder", pattern, got)
		}
	}
}

// Links whose targets grow without end lead anywhere.
func TestLongTargets(t *testing.T) {
	for n, want := range map[int]bool{maxParts/2 - 1: false, maxParts - 10: true} {
		dir := tree(t, "l1 -> l2"+strings.Repeat("/a", n), "l2 -> l3"+strings.Repeat("/a", n), "l3 -> b", "b/")
		if got := New(dir).Resolve(dir+"/l1", true); slices.Contains(got, anywhere) != want {
			t.Errorf("links to %d components each lead to %v, want anywhere: %t", n, got, want)
		}
	}
}

// Without a View nothing is known, and nothing is said to exist, to be whole or to be unchanged.
func TestNoView(t *testing.T) {
	var v *View
	if i := v.Lstat("/"); i != (Info{}) {
		t.Errorf("Lstat = %+v, want nothing", i)
	}
	if i, ok := v.Stat("/"); ok {
		t.Errorf("Stat = %+v, want nothing", i)
	}
	if list, whole := v.Names("/"); len(list) > 0 || whole {
		t.Errorf("Names = %v, whole: %t; want none, and not whole", list, whole)
	}
	if b, _, ok := v.ReadFile("/etc/hosts", 1<<20); ok {
		t.Errorf("ReadFile = %q, want nothing", b)
	}
	if b := v.ReadAt("/etc/hosts", 0, 10); b != nil {
		t.Errorf("ReadAt = %q, want nothing", b)
	}
	if at, changed := v.Changed(); changed {
		t.Errorf("%s changed, want nothing that did", at)
	}
	if v.Opaque("/dev/zero") {
		t.Error("/dev/zero is opaque, want that nothing is known")
	}
}

func TestReadAt(t *testing.T) {
	dir := tree(t, "file", "folder/", "link -> file") // a file has its name as its text
	for _, tt := range []struct {
		name   string
		offset int64
		n      int
		want   string
	}{
		{"file", 0, 2, "fi"}, {"file", 1, 2, "il"}, {"file", 2, 100, "le"}, {"file", 4, 1, ""}, {"file", -1, 1, ""}, {"file", 0, maxRead + 1, ""},
		{"none", 0, 1, ""}, {"folder", 0, 1, ""}, {"link", 0, 1, ""},
	} {
		if got := New(dir).ReadAt(dir+"/"+tt.name, tt.offset, tt.n); string(got) != tt.want {
			t.Errorf("%d bytes of %s at %d: %q, want %q", tt.n, tt.name, tt.offset, got, tt.want)
		}
	}
	v := New(dir)
	v.read = maxRead - 4
	for _, want := range []string{"fil", ""} {
		if got := v.ReadAt(dir+"/file", 0, 3); string(got) != want {
			t.Errorf("near the bound on reads: %q, want %q", got, want)
		}
	}
}
