//go:build !linux

package file

import (
	"fmt"
	"os"
)

// OpenDir opens a folder by a resolved path. A link in the path is an error, because it appeared
// later.
func OpenDir(path string) (*os.Root, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	// Open the handle first, then check its name.
	if now, err := Resolve("", path); err != nil || now != path {
		_ = root.Close()
		return nil, fmt.Errorf("%s: a link appeared in its path", path)
	}
	return root, nil
}
