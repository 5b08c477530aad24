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

// maxProc limits how much of a process's command line and environment is read, in bytes.
const maxProc = 256 << 10

// findProcess returns a process's entry in /proc.
func findProcess(pid int) (process, bool) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return process{}, false
	}
	// The name is in parentheses and may contain any character.
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

// strands splits NUL-terminated strings.
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

// holder looks for an agent among the processes that hold the other end of a pseudo terminal, and
// their ancestors: an agent's helper may have left its process tree and kept that end.
func holder(tty *os.File) *AgentError {
	n, ok := number(tty)
	if !ok {
		return nil
	}
	dirs, _ := filepath.Glob("/proc/[0-9]*/fd") // fails only for an invalid pattern
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

// number returns the number of the controlling pseudo terminal.
func number(*os.File) (int, bool) {
	// /dev/tty does not reveal the number; standard input is the same terminal.
	var st unix.Stat_t
	if unix.Fstat(0, &st) != nil {
		return 0, false
	}
	major, minor := unix.Major(st.Rdev), unix.Minor(st.Rdev)
	if major < 136 || major > 143 { // the major numbers of pseudo terminals
		return 0, false
	}
	return int(major-136)<<20 | int(minor), true
}
