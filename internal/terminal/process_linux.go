package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// maxProc bounds what is read of a process's command line and environment, in bytes.
const maxProc = 256 << 10

// look returns a process's entry in /proc.
func look(pid int) (process, bool) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return process{}, false
	}
	// The name stands in parentheses and may have any character in it.
	end := bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[end+1:]))
	if end < 0 || len(fields) < 2 {
		return process{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	p := process{parent: parent, args: strands(filepath.Join(dir, "cmdline")), env: strands(filepath.Join(dir, "environ"))}
	if len(p.args) == 0 {
		if start := bytes.IndexByte(stat, '('); start >= 0 && start < end {
			p.args = []string{string(stat[start+1 : end])}
		}
	}
	return p, true
}

// strands reads strings that end in a NUL.
func strands(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, maxProc)
	n := 0
	for n < len(b) {
		k, err := f.Read(b[n:])
		if n += k; err != nil || k == 0 {
			break
		}
	}
	return slices.DeleteFunc(strings.Split(string(b[:n]), "\x00"), func(s string) bool { return s == "" })
}

// holder looks for an agent among the processes that hold the other end of a pseudo
// terminal, and above them: an agent's helper may have left its family and kept that.
func holder(tty *os.File) *AgentError {
	n, ok := number(tty)
	if !ok {
		return nil
	}
	dirs, _ := filepath.Glob("/proc/[0-9]*/fd") // fails for a bad pattern only
	for _, dir := range dirs {
		names, err := os.ReadDir(dir)
		if err != nil {
			continue // another user's
		}
		for _, name := range names {
			if to, err := os.Readlink(filepath.Join(dir, name.Name())); err != nil || !strings.HasSuffix(to, "/ptmx") {
				continue
			}
			info, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "fdinfo", name.Name()))
			if err != nil || !slices.Contains(strings.Fields(string(info)), strconv.Itoa(n)) || !strings.Contains(string(info), "tty-index:\t"+strconv.Itoa(n)+"\n") {
				continue
			}
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
			if err != nil {
				continue
			}
			if e := above(pid); e != nil {
				e.Trace += ", which holds this terminal"
				return e
			}
		}
	}
	return nil
}

// number returns the number of the pseudo terminal that is the controlling terminal.
func number(*os.File) (int, bool) {
	// /dev/tty is a name for it that does not tell; standard input is the same terminal.
	var st unix.Stat_t
	if unix.Fstat(0, &st) != nil {
		return 0, false
	}
	major, minor := unix.Major(st.Rdev), unix.Minor(st.Rdev)
	if major < 136 || major > 143 { // the majors of pseudo terminals
		return 0, false
	}
	return int(major-136)<<20 | int(minor), true
}
