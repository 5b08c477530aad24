package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// A script in a folder of PATH is read if the folder lies in the workspace by its name or by
// a link, and the folders of the system are not looked at.
func TestScriptsInPath(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws := root + "/home/u/ws"
	for _, dir := range []string{ws + "/bin", root + "/opt/tools", root + "/home/u/elsewhere"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{ws + "/bin/tidy": "rm -rf ~/keep\n", root + "/opt/tools/sweep": "rm -rf ~/swept\n", root + "/home/u/elsewhere/wipe": "rm -rf ~/wiped\n"} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{root + "/home/u/linked": ws + "/bin", ws + "/out": root + "/opt/tools"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path, command, reads string
	}{
		{ws + "/bin", "tidy", "/keep"},
		{"/usr/bin:./bin", "tidy", "/keep"},
		{"/usr/bin:" + root + "/home/u/linked", "tidy", "/keep"},
		{ws + "/out", "sweep", "/swept"},
		{root + "/home/u/elsewhere", "wipe", ""},
		{"/usr/bin", "tidy", ""},
	} {
		view := disk.New(root+"/home/u", ws)
		ops := Read(tt.command, Env{
			Map:    place.Map{Home: root + "/home/u", Workspace: ws, Dir: ws},
			Disk:   view,
			Getenv: func(name string) (string, bool) { return tt.path, name == "PATH" },
			ReadFile: func(path string) ([]byte, bool) {
				b, err := os.ReadFile(path)
				return b, err == nil
			},
		})
		var deleted []string
		for _, op := range ops {
			if op.Kind == umpire.Delete {
				deleted = append(deleted, op.Resource)
			}
		}
		if got := strings.Join(deleted, " "); tt.reads == "" && got != "" || !strings.HasSuffix(got, tt.reads) {
			t.Errorf("PATH=%s %s: deletes %q, want %q", tt.path, tt.command, got, tt.reads)
		}
	}
}

// What looks for settings where there are none asks the disk, and judges no path.
func TestNothingAtAsksTheDiskOnly(t *testing.T) {
	ws := t.TempDir()
	reads := 0
	env := Env{Map: place.Map{Home: ws + "/home", Workspace: ws, Dir: ws}, Disk: disk.New(ws), ReadFile: func(string) ([]byte, bool) {
		reads++
		return nil, false
	}}
	Read("git status && make test && npm test", env)
	if reads != 0 {
		t.Errorf("%d files that are not there were read", reads)
	}
}

// A file system that does not tell when a file was born tells of no file that it is new.
func TestBornSince(t *testing.T) {
	for _, tt := range []struct {
		born, at int64
		want     bool
	}{{5e9, 4e9, true}, {5e9, 5e9 + slack, true}, {5e9, 6e9, false}, {0, 1, false}, {0, 0, false}} {
		if got := bornSince(disk.Info{Born: tt.born}, tt.at); got != tt.want {
			t.Errorf("born %d, since %d: %v", tt.born, tt.at, got)
		}
	}
}

// What is put beside the files of an archive much later did not come with it.
func TestArrived(t *testing.T) {
	const at = int64(1000e9)
	old, born := disk.Info{Born: 1}, disk.Info{Born: at + 1}
	for _, tt := range []struct {
		dir, top disk.Info
		want     bool
	}{
		{old, disk.Info{Born: at + 1}, true},
		{old, disk.Info{Born: at + arrivalTime + 1}, false},
		{born, disk.Info{Born: at + arrivalTime + 1}, true},
		{disk.Info{}, disk.Info{Change: at + 1}, true},
		{disk.Info{}, disk.Info{Change: at + arrivalTime + 1}, false},
	} {
		if got := cameWithDownload(tt.dir, tt.top, at); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
