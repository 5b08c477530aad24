//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"

	"github.com/umpire-dev/umpire/internal/doclink"
)

var errLinux = doclink.Wrap(errors.New("the sandbox needs Linux: run it there, or in a container"), doclink.Sandbox)

// Run needs Linux.
func Run(context.Context, Config) (int, error) { return 0, errLinux }

// Layers needs Linux.
func Layers(context.Context, string) ([]Layer, error) { return nil, errLinux }

// Running needs Linux.
func Running(*Config) bool { return false }
