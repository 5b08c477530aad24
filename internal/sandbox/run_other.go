//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Main does nothing here.
func Main() {}

var errLinux = errors.New("the box is made of Linux's namespaces, Landlock and seccomp: run it on Linux, or in a container")

// Run needs Linux.
func Run(context.Context, Config) (int, error) { return 0, errLinux }

// Layers needs Linux.
func Layers(context.Context, string) ([]Layer, error) { return nil, errLinux }

// Changes needs Linux.
func Changes(*Config) ([]Change, error) { return nil, errLinux }

// ChangedSince reports whether a file was changed after a time.
func ChangedSince(fi fs.FileInfo, t time.Time) bool { return fi.ModTime().After(t) }

// Running needs Linux.
func Running(*Config) bool { return false }

func signalOf(*os.ProcessState) int { return 0 }
