//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/plural"
)

// Intervals of the watch. Counting files takes time: the pause between two counts is at least
// twenty times as long.
const (
	lookEvery = 250 * time.Millisecond
	diskEvery = time.Second

	looseEvery = 4 // intervals: there are more descriptors than processes
)

// watch stops the sandbox at the limits that are watched from outside: time, and the changes in the
// project. over ends the watch, and returns whether it stopped the sandbox.
func (c *Config) watch(kill func() error) (over func() (Event, bool)) {
	stop, done := make(chan struct{}), make(chan Event, 1)
	go func() {
		defer close(done)
		var wall <-chan time.Time
		if c.Limits.Wall > 0 {
			wall = time.After(c.Limits.Wall)
		}
		var disk <-chan time.Time
		next := func(took time.Duration) {
			if c.Limits.Disk > 0 && !c.Direct {
				disk = time.After(max(diskEvery, 20*took))
			}
		}
		for next(0); ; {
			e := Event{Kind: Limit, Times: 1}
			select {
			case <-stop:
				return
			case <-wall:
				e.What, e.Why = "time", "it ran for "+plural.Duration(c.Limits.Wall)
			case <-disk:
				began := time.Now()
				used := sizeOf(c.Upper())
				next(time.Since(began))
				if used <= c.Limits.Disk {
					continue
				}
				e.What, e.Why = "disk", fmt.Sprintf("it changed %d MiB of the project; the limit is %s", used>>20, Bytes(c.Limits.Disk))
			}
			_ = kill() // or it has just ended
			done <- e
			return
		}
	}()
	return func() (Event, bool) {
		close(stop)
		e, ok := <-done
		return e, ok
	}
}

// sizeOf returns the disk space of the files below a folder. It ignores files that disappear.
func sizeOf(dir string) (n uint64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // it was removed, or is not ours to read: the rest is counted
		}
		if fi, err := d.Info(); err == nil && fi.Mode().IsRegular() {
			if st, ok := fi.Sys().(*syscall.Stat_t); ok {
				n += uint64(st.Blocks) * 512
			}
		}
		return nil
	})
	return n
}

// failures reports limits at which the kernel gave one program an error, after the sandbox ended
// with a status. The kernel does not say which program asked for too much memory.
func (c *Config) failures(status int) (list []Event) {
	if c.Limits.Disk > 0 && !c.Direct {
		_ = filepath.WalkDir(c.Upper(), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // as in sizeOf
			}
			fi, err := d.Info()
			if err != nil || fi.Size() < int64(c.Limits.Disk) {
				return nil //nolint:nilerr // as in sizeOf
			}
			name, _ := filepath.Rel(c.Upper(), path) // both are absolute
			list = append(list, Event{Kind: Failed, What: "disk", Target: name, Why: fmt.Sprintf("a file may have %s; a program that writes more gets SIGXFSZ", Bytes(c.Limits.Disk)), Times: 1})
			return fs.SkipAll
		})
	}
	if c.Limits.Memory > 0 && status != 0 {
		list = append(list, Event{Kind: Failed, What: "memory", Why: fmt.Sprintf("a program that asks for more than %s gets an error; the status is %d", Bytes(c.Limits.Memory), status), Times: 1})
	}
	return list
}

// use is the resource use of all processes in a sandbox.
type use struct {
	memory uint64        // bytes outside files
	cpu    time.Duration // of running processes, and of their children that have ended
}

// used measures all processes of this namespace.
func used() (u use) {
	entries, _ := os.ReadDir("/proc") // this process's own, so it can be read
	for _, e := range entries {
		if strings.Trim(e.Name(), "0123456789") != "" {
			continue
		}
		status, err := os.ReadFile("/proc/" + e.Name() + "/status")
		if err != nil {
			continue // it ended
		}
		for _, field := range []string{"RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:", "HugetlbPages:"} {
			u.memory += size(status, field)
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// The program's name, in brackets, may contain anything.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		for i := 11; i < 15 && i < len(fields); i++ { // its own time and its children's, as user and kernel
			ticks, _ := strconv.ParseInt(fields[i], 10, 64)
			u.cpu += time.Duration(ticks) * (time.Second / 100)
		}
	}
	var room unix.Statfs_t
	if unix.Statfs("/tmp", &room) == nil {
		u.memory += (room.Blocks - room.Bfree) * uint64(room.Bsize)
	}
	return u
}

// size returns a field of a process's status, in bytes.
func size(status []byte, field string) uint64 {
	_, rest, _ := bytes.Cut(status, []byte("\n"+field))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	kb, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(string(line)), " kB"), 10, 64)
	return kb << 10
}

// unmapped returns the shared memory that may be unmapped: System V segments, and memory files that
// some process has open. Memory that a process also maps counts twice.
func unmapped(device uint64) (n uint64) {
	list, _ := os.ReadFile("/proc/sysvipc/shm")
	for line := range strings.Lines(string(list)) {
		if f := strings.Fields(line); len(f) > 14 { // the last two columns: in memory, and swapped
			for _, v := range f[14:] {
				b, _ := strconv.ParseUint(v, 10, 64)
				n += b
			}
		}
	}
	seen := map[uint64]bool{}
	all, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, at := range all {
		var st unix.Statx_t
		// The file behind a descriptor may be on a server that does not answer: use the cached
		// attributes.
		if unix.Statx(unix.AT_FDCWD, at, unix.AT_STATX_DONT_SYNC, unix.STATX_INO|unix.STATX_BLOCKS, &st) != nil {
			continue // it was closed
		}
		if unix.Mkdev(st.Dev_major, st.Dev_minor) == device && !seen[st.Ino] {
			seen[st.Ino] = true
			n += st.Blocks * 512
		}
	}
	return n
}

// memoryDevice returns the device of memory files, which is not mounted.
func memoryDevice() (uint64, error) {
	fd, err := unix.MemfdCreate("umpire", unix.MFD_CLOEXEC)
	if err != nil {
		return 0, err
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	return st.Dev, err
}

// watchUse kills all programs of the sandbox at the limits that are watched from inside.
func (c *Config) watchUse(t *tally) {
	l := c.Limits
	if l.Memory == 0 && l.CPU == 0 {
		return
	}
	var most time.Duration // keep the maximum: the time of a process that was reaped still counts
	device, err := memoryDevice()
	if err != nil {
		t.add(Event{Kind: Missing, What: "memory", Why: "umpire cannot see files that are only in memory: " + err.Error()})
	}
	var loose uint64
	for i := 0; ; i++ {
		time.Sleep(lookEvery)
		u := used()
		if l.Memory > 0 && i%looseEvery == 0 && err == nil {
			loose = unmapped(device)
		}
		u.memory += loose
		most = max(most, u.cpu)
		e := Event{Kind: Limit}
		switch {
		case l.Memory > 0 && u.memory > l.Memory:
			e.What, e.Why = "memory", fmt.Sprintf("it used %d MiB, of %s", u.memory>>20, Bytes(l.Memory))
		case l.CPU > 0 && most > l.CPU:
			e.What, e.Why = "processor time", "it used "+plural.Duration(most)
		default:
			continue
		}
		t.add(e)
		_ = unix.Kill(-1, unix.SIGKILL) // all but this process
		return
	}
}
