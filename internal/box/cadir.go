package box

import (
	"path/filepath"

	"github.com/umpire-dev/umpire/internal/audit"
)

// CADir returns the folder of this machine's CA.
func CADir() (string, error) {
	state, err := audit.DefaultDir()
	return filepath.Join(state, "ca"), err
}
