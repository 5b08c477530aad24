package cli

import (
	"os"

	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Folder returns the project of the folder that a flag names; "" means the working directory. It
// rejects a path that is not a folder, because umpire would then decide by the policy of another
// project.
func Folder(dir string) (project.Project, error) {
	if dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return project.Project{}, Usagef("%s is not a folder: name the folder of the project", visible.Line(dir))
		}
	}
	return project.At(dir)
}
