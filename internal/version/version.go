// Package version holds the release and commit of this program.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Set by -ldflags -X in a release. Other builds use the build information of the Go tool.
var (
	releaseVersion string // such as v1.2.3
	releaseCommit  string // the full hash
	releaseDate    string // time of the commit rather than the build, so that releases are reproducible
)

// Build describes the source and the tools of this program.
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Read returns the Build of this program.
func Read() Build {
	b := Build{Version: releaseVersion, Commit: releaseCommit, Date: releaseDate, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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

// Text returns the lines that `umpire version` prints.
func (b Build) Text() string {
	return fmt.Sprintf("umpire version %s\ncommit %s\ndate %s\n%s %s\n", b.Version, cmp.Or(b.Commit, "unknown"), cmp.Or(b.Date, "unknown"), b.Go, b.Platform)
}

// String returns the version with the commit, the form in records and protocols.
func String() string {
	b := Read()
	if len(b.Commit) >= 12 {
		return b.Version + " " + b.Commit[:12]
	}
	return b.Version
}
