// Package home decides whose folders hold umpire's files, because the environment may come
// from an adversary.
//
// A project's settings can set HOME and XDG_* for an agent, and so for its hook; these would
// choose the policy, the audit log and the approvals. A project cannot change the password
// file. Once umpire is set up in the home that it names, other folders count only if the user
// recorded them with `umpire init`.
package home

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// own is the home folder that counts whatever the environment says, or "" if the environment is
// trusted. Main programs set it once, before anything else.
var own string

// Own is the user's home folder from the password file, used because the environment names another
// folder that no one vouched for. It is "" if the environment is trusted.
func Own() string { return own }

// Dir is the home folder of this user: HOME if it is an absolute path, otherwise the one in the
// password file. A relative HOME would be another folder in each project.
func Dir(getenv func(string) string) string {
	if dir := getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return System()
}

// Ensure gives this process and its children the home folder of Dir where the environment names
// none, or a relative one.
func Ensure() {
	if dir := Dir(os.Getenv); dir != "" && dir != os.Getenv(variable) {
		_ = os.Setenv(variable, dir) // it fails only for a name or a value that no system has
	}
}

// CheckEnvironment decides for this process whether to trust its environment. Programs that agents start call
// it first. getenv is os.Getenv.
func CheckEnvironment(getenv func(string) string) {
	own = ""
	home := System()
	if home == "" {
		return
	}
	moved := Moved(home, getenv)
	if len(moved) == 0 || !setUp(home) {
		return
	}
	if slices.ContainsFunc(moved, func(m Variable) bool { return !trustsDir(home, m.Dir) }) {
		own = home
		return
	}
}

// Variable is a variable that names another folder than the one in the user's home.
type Variable struct{ Name, Dir string }

// folders are umpire's folders, with the variables that move them.
var folders = [...]Variable{{"XDG_CONFIG_HOME", ".config"}, {"XDG_STATE_HOME", ".local/state"}, {"XDG_CACHE_HOME", ".cache"}}

// Moved returns the variables that lead away from a home folder.
func Moved(home string, getenv func(string) string) (list []Variable) {
	if h := getenv("HOME"); !same(h, home) {
		list = append(list, Variable{"HOME", h})
	}
	for _, f := range folders {
		// The XDG specification says to ignore a relative path.
		if dir := getenv(f.Name); filepath.IsAbs(dir) && !same(dir, filepath.Join(home, f.Dir)) {
			list = append(list, Variable{f.Name, dir})
		}
	}
	return list
}

func same(a, b string) bool {
	if a == b || filepath.Clean(a) == filepath.Clean(b) && a != "" {
		return true
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Umpire's folders in a home folder.
const (
	Config = ".config/umpire"
	State  = ".local/state/umpire"
	Cache  = ".cache/umpire"
)

// setUp reports whether umpire is set up in a home folder: there is a policy, or `umpire init` left
// its record; an empty folder proves nothing. Elsewhere, in containers and tests, the environment
// decides.
func setUp(home string) bool {
	if dir, err := os.Open(filepath.Join(home, Config)); err == nil {
		names, err := dir.Readdirnames(1)
		_ = dir.Close() // opened for reading only
		if len(names) > 0 || !errors.Is(err, io.EOF) {
			return true
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return slices.ContainsFunc([]string{State + "/installed.json", trustedDirs}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(home, name))
		return !errors.Is(err, fs.ErrNotExist)
	})
}

// trustedDirs has one file for each folder that the user vouched for. It is in umpire's state folder,
// which the policy protects from agents.
const trustedDirs = State + "/believed"

func trustFile(home, dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(home, trustedDirs, hex.EncodeToString(sum[:16]))
}

// TrustDir accepts a folder, and those below it, in HOME and the XDG_* variables: permanently with 0,
// otherwise for a duration. The returned function withdraws it. Without an installed umpire, a
// temporary TrustDir does nothing. People and umpire's trials call it.
func TrustDir(dir string, lasts time.Duration) (undo func(), err error) {
	home := System()
	if home == "" || !filepath.IsAbs(dir) || lasts > 0 && !setUp(home) {
		return func() {}, nil
	}
	until := "always"
	if lasts > 0 {
		until = time.Now().Add(lasts).UTC().Format(time.RFC3339)
	}
	path := trustFile(home, filepath.Clean(dir))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := atomicfile.Write(path, []byte(until+"\n"+filepath.Clean(dir)+"\n"), 0o600); err != nil {
		return nil, err
	}
	return func() { _ = os.Remove(path) }, nil // if it stays, it expires
}

// maxDepth limits the number of parent folders to search.
const maxDepth = 32

// trustsDir reports whether the user vouched for a folder, or temporarily for one above it.
func trustsDir(home, dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	for depth := range maxDepth {
		path := trustFile(home, dir)
		switch until, ok := term(path, dir); {
		case ok && (until.IsZero() && depth == 0 || time.Now().Before(until)):
			return true
		case ok && !until.IsZero():
			_ = os.Remove(path) // it must not become valid again when the clock is set back
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return false
}

// term parses the expiry of a voucher; the zero time means never.
func term(path, dir string) (until time.Time, ok bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 8<<10 {
		return until, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return until, false
	}
	end, name, _ := strings.Cut(strings.TrimSuffix(string(data), "\n"), "\n")
	if name != dir {
		return until, false
	}
	if end == "always" {
		return until, true
	}
	until, err = time.Parse(time.RFC3339, end)
	return until, err == nil
}
