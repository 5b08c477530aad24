package box

import (
	"path/filepath"

	"github.com/umpire-dev/umpire/internal/audit"
)

// CADir is where the CA is.
func CADir() (string, error) {
	state, err := audit.DefaultDir()
	return filepath.Join(state, "ca"), err
}
