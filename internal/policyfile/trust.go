package policyfile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// Trusted reports whether the user trusts exactly this content of a project file.
//
// If another user can write the list of trusted files, nothing is trusted, and the error gives
// the reason.
func Trusted(list, path string, data []byte) (bool, error) {
	if list == "" {
		return false, nil
	}
	lines, err := readTrust(list)
	if err != nil {
		return false, err
	}
	want := trustLine(path, data)
	if slices.Contains(lines, want) {
		return true, nil
	}
	return false, nil
}

// Trust records that the user trusts exactly this content of a project file. It replaces earlier
// trust in the same path.
func Trust(list, path string, data []byte) error {
	if strings.ContainsAny(path, "\n\r") {
		return fmt.Errorf("the path %q has a line break in it: rename the folder", path)
	}
	return editTrust(list, path, trustLine(path, data))
}

// Distrust removes a project file from the list.
func Distrust(list, path string) error { return editTrust(list, path, "") }

func editTrust(list, path, add string) error {
	if err := os.MkdirAll(filepath.Dir(list), 0o700); err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(list + ".lock").Lock()
	if err != nil {
		return err
	}
	defer unlock()
	lines, err := readTrust(list)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, l := range lines {
		if _, p, _ := strings.Cut(l, "  "); p != filepath.Clean(path) {
			b.WriteString(l + "\n")
		}
	}
	if add != "" {
		b.WriteString(add + "\n")
	}
	return atomicfile.Write(list, b.Bytes(), 0o600)
}

func trustLine(path string, data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) + "  " + filepath.Clean(path)
}

func readTrust(list string) ([]string, error) {
	info, err := os.Stat(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return nil, fmt.Errorf("%s can be written by other users: run chmod 600 on it", list)
	}
	data, err := readFile(list)
	if err != nil {
		return nil, err
	}
	var lines []string
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		if l := strings.TrimSpace(s.Text()); l != "" {
			lines = append(lines, l)
		}
	}
	return lines, nil
}
