package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// A release sets these by -ldflags -X. Elsewhere the Go tool's own record counts.
var (
	releaseVersion string // such as v1.2.3
	releaseCommit  string // in full
	releaseDate    string // of the commit, not of the build: a release is the same bytes whenever it is built
)

// buildState says which source this program was built from.
type buildState struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func builtFrom() buildState {
	b := buildState{Version: releaseVersion, Commit: releaseCommit, Date: releaseDate, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		b.Version = cmp.Or(b.Version, "unknown")
		return b
	}
	b.Version = cmp.Or(b.Version, info.Main.Version, "unknown")
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = cmp.Or(b.Commit, s.Value)
		case "vcs.time":
			b.Date = cmp.Or(b.Date, s.Value)
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// version is the version with the commit, as records and protocols carry it.
func version() string {
	b := builtFrom()
	if len(b.Commit) >= 12 {
		return b.Version + " " + b.Commit[:12]
	}
	return b.Version
}

func newVersion() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and its date",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b := builtFrom()
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), b)
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "umpire version %s\ncommit %s\ndate %s\n%s %s\n", b.Version, cmp.Or(b.Commit, "unknown"), cmp.Or(b.Date, "unknown"), b.Go, b.Platform)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}
