package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Config describes a sandbox.
type Config struct {
	Dir      string            `json:"dir"`      // the project's folder; inside, an overlay of it
	State    string            `json:"state"`    // a folder of this run, outside the project
	Home     string            `json:"home"`     // empty inside, except for the paths below
	ReadOnly []string          `json:"readOnly"` // visible paths in addition to the system's
	Writable []string          `json:"writable"` // visible and writable host paths
	Shown    []Mount           `json:"shown"`    // paths with another location or content inside, in this order
	Copied   []Mount           `json:"copied"`   // files of which the program gets a writable copy
	Hidden   []string          `json:"hidden"`   // paths that are empty inside, whatever shows them
	Private  []string          `json:"private"`  // system files that not everyone may read, and sockets of the host: empty inside; set by Run
	Own      []string          `json:"own"`      // umpire's folders on the host: empty inside, except for Shown
	Gates    map[string]string `json:"gates"`    // TCP address inside, such as 127.0.0.1:3701, to Unix socket outside
	Args     []string          `json:"args"`
	Env      []string          `json:"env"`
	Folder   string            `json:"folder"` // working directory; Dir if empty
	Tasks    uint64            `json:"tasks"`  // limit of processes and threads; 0: 4096
	Direct   bool              `json:"direct"` // use the host's Dir without an overlay: writes change the host
	Held     []string          `json:"held"`   // read-only paths in Dir, if Direct

	// Stdout and Stderr get the program's output. The program then has no terminal and reads Stdin,
	// if set. Otherwise it uses this process's streams.
	Stdout, Stderr io.Writer `json:"-"`
	Stdin          *os.File  `json:"-"`

	Limits Limits `json:"limits,omitzero"`
	// Through forwards the connections of programs that ignore the proxy to the proxy outside.
	// Without it they fail.
	Through *Through `json:"through,omitempty"`
	// BestEffort starts the program even if a layer is missing, and reports which. Namespaces
	// and the overlay are always required.
	BestEffort bool        `json:"bestEffort,omitempty"`
	Events     bool        `json:"events,omitempty"` // set by Run: the caller gets events
	Tell       func(Event) `json:"-"`                // gets each operation that the sandbox blocked, one call at a time
}

// Through is a proxy behind a gate, and the identity of its client.
type Through struct {
	Gate     string `json:"gate"` // one of Config.Gates
	User     string `json:"user"`
	Password string `json:"password"`
}

// Mount shows a host path at another place in the sandbox.
type Mount struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Writable bool   `json:"writable,omitempty"`
}

// Upper is the overlay's folder with the program's changes.
func (c *Config) Upper() string { return filepath.Join(c.State, "upper") }

// Most is the limit of processes and threads in a sandbox.
func (c *Config) Most() uint64 {
	if c.Tasks == 0 {
		return 4096
	}
	return c.Tasks
}

// system lists the folders that programs need; missing ones are skipped.
var system = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store"}

// shared lists folders with files of all users.
var shared = []string{"/tmp", "/var/tmp", "/dev/shm", "/run", "/var/run", "/proc", "/sys", "/home", "/root", "/srv", "/mnt", "/media"}

// secrets of the system that the user of umpire might be able to read.
var secrets = []string{"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private", "/etc/krb5.keytab"}

// Check checks a Config before anything starts.
func (c *Config) Check() error {
	if len(c.Args) == 0 {
		return errors.New("there is no program to run")
	}
	for _, s := range slices.Concat([]string{c.Dir, c.Folder}, c.ReadOnly, c.Writable, c.Args) {
		if !utf8.ValidString(s) { // JSON would carry another text
			return fmt.Errorf("%q is not UTF-8, and the sandbox cannot pass it on: rename the file or folder, or name it in a script", s)
		}
	}
	for _, p := range slices.Concat([]string{c.Dir, c.State, c.Home}, c.ReadOnly, c.Writable, c.Own) {
		if !filepath.IsAbs(p) || filepath.Clean(p) != p {
			return fmt.Errorf("%q is not a clean, absolute path", p)
		}
	}
	for _, m := range slices.Concat(c.Shown, c.Copied) {
		for _, p := range []string{m.From, m.To} {
			if !filepath.IsAbs(p) || filepath.Clean(p) != p {
				return fmt.Errorf("%q is not a clean, absolute path", p)
			}
		}
		if !within(m.To, c.Home) || m.To == c.Home || within(m.To, c.Dir) || within(c.Dir, m.To) {
			return fmt.Errorf("%s cannot be visible in the sandbox: it must be in the home folder, outside the project", m.To)
		}
		if m.Writable && !within(m.From, c.State) {
			return fmt.Errorf("%s cannot be writable as %s: it is outside the folder of this run", m.From, m.To)
		}
	}
	switch {
	case within(c.Home, c.Dir) || c.Dir == "/":
		return fmt.Errorf("%s is or holds the home folder: run in a project's folder, or name one with --dir", c.Dir)
	case within(c.State, c.Dir):
		return fmt.Errorf("%s, where umpire stores the run, is in the project: the program could change it", c.State)
	}
	for _, p := range c.Own {
		if within(p, c.Dir) || within(c.Dir, p) {
			return fmt.Errorf("%s cannot be the project: it overlaps umpire's folder %s", c.Dir, p)
		}
		// A program could move the parent folder away and put another one in its place.
		if i := slices.IndexFunc(c.Writable, func(w string) bool { return within(p, w) || within(w, p) }); i >= 0 {
			return fmt.Errorf("%s cannot be writable: it overlaps %s, which is umpire's; name the folders in it that the program needs", c.Writable[i], p)
		}
	}
	for _, p := range c.Held {
		if !within(p, c.Dir) || p == c.Dir || filepath.Clean(p) != p {
			return fmt.Errorf("%s cannot be protected: it is not in the project", p)
		}
	}
	for _, p := range c.Writable {
		if within(p, c.Dir) || within(c.Dir, p) || within(c.State, p) {
			return fmt.Errorf("%s cannot be writable: it overlaps the project or umpire's files", p)
		}
	}
	if c.Through != nil && c.Gates[c.Through.Gate] == "" {
		return fmt.Errorf("%q is not the address of the gateway in this sandbox", c.Through.Gate)
	}
	if c.Most() < minTasks {
		return fmt.Errorf("the limit of processes and threads, %d, is too small: use %d or more", c.Most(), minTasks)
	}
	return c.Limits.check()
}

// within reports whether a path is a folder or below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// NotRunError means that a program could not start in its sandbox.
type NotRunError struct {
	Program string
	Err     error
}

func (e *NotRunError) Error() string { return fmt.Sprintf("start %s: %v", e.Program, e.Err) }

func (e *NotRunError) Unwrap() error { return e.Err }

// Needed returns the paths outside the system's folders that a program needs to start in the
// sandbox: its folder, or its complete Node package. In a folder with other content, such as the
// home, it is only the file.
func Needed(program, home string) (path string, folders []string, err error) {
	path, err = exec.LookPath(program)
	if err != nil {
		return "", nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil, err
	}
	for _, p := range []string{path, real} {
		if slices.ContainsFunc(system, func(s string) bool { return within(p, s) }) {
			continue
		}
		dir := filepath.Dir(p)
		if before, _, ok := strings.Cut(p, "/lib/node_modules/"); ok {
			dir = before
		} else if before, _, ok := strings.Cut(p, "/node_modules/"); ok {
			dir = before + "/node_modules"
		}
		if within(home, dir) || slices.ContainsFunc(shared, func(s string) bool { return within(s, dir) }) {
			dir = p
		}
		if !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return path, folders, nil
}

// Environment returns the variables that a sandbox passes on, and those that it sets.
func Environment(outside []string, names []string, set ...string) []string {
	names = append([]string{"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "COLORTERM", "NO_COLOR", "TZ", "USER", "LOGNAME", "SHELL", "COLUMNS", "LINES"}, names...)
	var env []string
	for _, kv := range outside {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(names, name) {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}
