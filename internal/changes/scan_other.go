//go:build !linux

package changes

import (
	"context"
	"errors"
	"os"
	"time"
)

var errLinux = errors.New("the changes of a sandbox are available on Linux only")

func (b *Box) walk(context.Context) ([]ChangedPath, error) { return nil, errLinux }
func changedSince(string, string, time.Time) (bool, error) { return true, errLinux }
func lockFile(string) (*os.File, error)                    { return nil, errLinux }
