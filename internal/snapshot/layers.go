package snapshot

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/umpire-dev/umpire/internal/home"
)

// Layers are the files of a policy.
type Layers struct {
	Managed    string // the administrator's file
	ManagedDir string // a folder with more of them, *.yaml
	User       string
	Project    string
	Trust      string // the user's list of trusted project files

	// Claimed is the user's file according to the environment, if that is not trusted: it can only
	// tighten, like an untrusted project's.
	Claimed string
}

// DefaultLayers returns the paths of the layers on this system. getenv is os.Getenv.
func DefaultLayers(homeDir, workspace string, getenv func(string) string) Layers {
	etc := "/etc/umpire"
	if runtime.GOOS == "windows" {
		etc = filepath.Join(getenv("ProgramData"), "umpire")
	}
	l := Layers{Managed: filepath.Join(etc, "policy.yaml"), ManagedDir: filepath.Join(etc, "policy.d")}
	homeDir = trueHome(homeDir, workspace)
	config := xdg("XDG_CONFIG_HOME", homeDir, ".config", getenv)
	if agents(config, homeDir, workspace) {
		config = filepath.Join(homeDir, ".config", "umpire")
	}
	if own := home.Own(); own != "" {
		own = filepath.Join(own, home.Config)
		if config != "" && config != own {
			l.Claimed = filepath.Join(config, "policy.yaml")
		}
		config = own
	}
	if config != "" {
		l.User = filepath.Join(config, "policy.yaml")
		l.Trust = filepath.Join(config, "trust")
	}
	if workspace != "" {
		l.Project = filepath.Join(workspace, ".umpire.yaml")
	}
	return l
}

// agents reports whether a folder in the environment is one that an agent may write to. A project's
// settings can set environment variables for the agent and its hooks: a folder in the project, or
// among temporary files, is not the user's, unless the home itself is there.
func agents(path, home, workspace string) bool {
	return home != "" && slices.ContainsFunc([]string{workspace, "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"}, func(dir string) bool {
		return under(path, dir) && !under(home, dir)
	})
}

func under(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && dir != "" && filepath.IsLocal(rel)
}

// CacheDir returns the folder of snapshots, or "" if there is no home.
func CacheDir(homeDir, workspace string, getenv func(string) string) string {
	if own := home.Own(); own != "" {
		return filepath.Join(own, home.Cache)
	}
	homeDir = trueHome(homeDir, workspace)
	dir := xdg("XDG_CACHE_HOME", homeDir, ".cache", getenv)
	// As for the policy itself: a repository must not contain a compiled one, and an agent must not
	// plant one among temporary files.
	if agents(dir, homeDir, workspace) {
		dir = filepath.Join(homeDir, ".cache", "umpire")
	}
	return dir
}

// trueHome returns the home folder, or the system's record of it if the environment names the
// project or a folder in it: a repository could contain a fake home.
func trueHome(dir, workspace string) string {
	if dir == "" || !under(dir, workspace) {
		return dir
	}
	if real := home.System(); real != "" && !under(real, workspace) {
		return real
	}
	return dir
}

// xdg returns umpire's folder below one of the base directories of the XDG specification, which
// says to ignore relative ones.
func xdg(name, home, otherwise string, getenv func(string) string) string {
	base := getenv(name)
	switch {
	case filepath.IsAbs(base):
	case home == "":
		return ""
	default:
		base = filepath.Join(home, otherwise)
	}
	return filepath.Join(base, "umpire")
}

// Files returns the files and the folder that a policy of these layers depends on, whether they
// exist or not.
func (l Layers) Files() []string {
	return slices.DeleteFunc([]string{l.Managed, l.ManagedDir, l.User, l.Project, l.Trust, l.Claimed}, func(s string) bool { return s == "" })
}

// Watched returns the Files and those in the folder. A snapshot of these layers is fresh while
// none of them changes.
func (l Layers) Watched() []string {
	more, _ := filepath.Glob(filepath.Join(l.ManagedDir, "*.yaml")) // the pattern is valid
	return append(l.Files(), more...)
}

// Name returns the path of the snapshot of these layers in a cache.
func (l Layers) Name(cacheDir, workspace string) string {
	user := l.User
	if l.Claimed != "" {
		user += "\x00" + l.Claimed
	}
	return Path(cacheDir, workspace, user)
}

// Empty reports whether no layer has a file: the built-in policy is then in force.
func (l Layers) Empty() bool {
	for _, p := range []string{l.Managed, l.ManagedDir, l.User, l.Project, l.Claimed} {
		if p == "" {
			continue
		}
		if _, err := os.Lstat(p); !os.IsNotExist(err) {
			return false
		}
	}
	return true
}
