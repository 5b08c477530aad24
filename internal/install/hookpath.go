package install

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/umpire-dev/umpire/internal/doclink"
)

// HookPath returns the path by which agents start umpire-hook, or an error if it is missing.
func HookPath() (string, error) {
	path, err := BesideHook()
	if err == nil {
		err = CheckHook(path)
	}
	if err != nil {
		return "", err
	}
	return path, nil
}

// BesideHook returns the path of the umpire-hook beside this program, whether or not it exists. The
// path stays the same across updates, because some agents trust its hash.
func BesideHook() (string, error) {
	name := "umpire-hook"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(real), name)
	path, err := exec.LookPath(name)
	if err != nil || !sameOrMissing(path, beside) {
		// PATH has another version, or none. A link beside this program also survives an update.
		if path = filepath.Join(filepath.Dir(exe), name); !sameOrMissing(path, beside) {
			path = beside
		}
	}
	return filepath.Abs(path)
}

// CheckHook returns an error if there is no program at path.
func CheckHook(path string) error {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return doclink.Wrap(fmt.Errorf("%s is missing: install umpire-hook beside umpire, or pass --hook PATH", path), doclink.HookProgram)
	}
	return nil
}

// sameOrMissing reports whether path is the same file as beside, or beside does not exist.
func sameOrMissing(path, beside string) bool {
	a, err := os.Stat(path)
	if err != nil {
		return false
	}
	b, err := os.Stat(beside)
	return err != nil || os.SameFile(a, b)
}
