package disk

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// The look without a server's answer says of a file what an ordinary look says.
func TestLookAlike(t *testing.T) {
	dir := tree(t, "file", "dir/", "link -> file")
	if err := os.Link(dir+"/file", dir+"/second"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(dir+"/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]Kind{"file": Regular, "second": Regular, "dir": Folder, "link": Link, "pipe": Other} {
		fi, err := os.Lstat(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		got, want := lstat(dir+"/"+name), infoOf(fi)
		if got.Born = 0; got != want || got.Kind != kind {
			t.Errorf("%s: got %+v, want %+v of kind %d", name, got, want, kind)
		}
		if want := kindOf(fi.Mode()); want != kind {
			t.Errorf("%s: kind %d by its mode, want %d", name, want, kind)
		}
		if dev, ok := device(dir + "/" + name); !ok || dev != got.ID.Dev {
			t.Errorf("%s: device %d, %v, want %d", name, dev, ok, got.ID.Dev)
		}
	}
	if got := lstat(dir + "/none"); got != (Info{}) {
		t.Errorf("no file: got %+v, want nothing", got)
	}
	if dev, ok := device(dir + "/none"); ok {
		t.Errorf("no file: device %d, want none", dev)
	}
}

// A file system that asks another party is never touched: each type, with what comes after a dot.
func TestRemote(t *testing.T) {
	for kind := range strings.FieldsSeq("nfs nfs4 cifs smb3 smbfs 9p afs ceph coda ncpfs lustre glusterfs beegfs gpfs orangefs ocfs2 davfs fuse fuseblk autofs fuse.sshfs fuse.rclone proc sysfs") {
		if !remote(kind) {
			t.Errorf("%s is taken for a disk", kind)
		}
	}
	for kind := range strings.FieldsSeq("ext4 xfs btrfs zfs tmpfs overlay vfat squashfs nfsd sshfs.fuse") {
		if remote(kind) {
			t.Errorf("%s is taken for remote", kind)
		}
	}
	list, all := mounts(), ""
	for _, p := range list {
		all += p + "\n"
	}
	if !strings.Contains(all, "/proc\n") { // it is mounted wherever tests run
		t.Errorf("the mounts that are not touched are %q, want /proc among them", list)
	}
}
