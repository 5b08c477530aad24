package tool

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/plural"
)

// maxListed limits the paths that one call lists, in bytes.
const maxListed = 100 << 10

type globInput struct {
	Pattern string `json:"pattern" jsonschema:"glob for paths below the folder, such as **/*.go or src/{a,b}/*.ts"`
	Path    string `json:"path,omitempty" jsonschema:"folder to search (default: the working directory)"`
}

type globData struct {
	Files     []string `json:"files"`
	Count     int      `json:"count"`
	Pattern   string   `json:"pattern"`
	SearchDir string   `json:"searchDir"`
}

func (s *set) glob() agent.Tool {
	return define(agent.Tool{
		Name:        "glob",
		Description: "Find files whose paths match a glob. Paths are relative to the searched folder.",
		Resolve:     resolving(func(in *globInput) []*string { return given(&in.Path) }),
		Origin:      origin("glob", "pattern"),
	}, nil, func(ctx context.Context, in *globInput, env *agent.Env) (r agent.Result, err error) {
		dir, err := folder(in.Path, env)
		if err != nil {
			return r, err
		}
		pattern, base, err := globPattern(in.Pattern)
		if err != nil {
			return r, err
		}
		root, err := openFolder(dir)
		if err != nil {
			return r, err
		}
		defer func() { _ = root.Close() }()
		d := globData{Files: []string{}, Pattern: in.Pattern, SearchDir: dir}
		size, cut := 0, false
		if !hasSkipped(base) {
			err = walk(ctx, root, base, func(name string, e fs.DirEntry) error {
				if !doublestar.MatchUnvalidated(pattern, name) || !isFile(root, name, e) {
					return nil
				}
				if size += len(name) + 4; size > maxListed {
					cut = true
					return fs.SkipAll
				}
				d.Files = append(d.Files, valid(name))
				return nil
			})
		}
		if err != nil {
			return r, err
		}
		slices.Sort(d.Files)
		d.Count = len(d.Files)
		if d.Count == 0 {
			return agent.Result{Success: true, Output: "No files matched.", Data: d}, nil
		}
		head := "Found " + plural.Count(d.Count, "file")
		if cut {
			head += fmt.Sprintf(" and stopped: the list is limited to %d KiB", maxListed>>10)
		}
		return agent.Result{Success: true, Output: head + "\n" + strings.Join(d.Files, "\n"), Data: d}, nil
	})
}

// isFile reports whether a name is a file, or a link to something other than a folder.
func isFile(root *os.Root, name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := root.Stat(name)
	return err != nil || info.Mode().IsRegular() // a link that leads out of the folder is listed as a link
}

// given returns the optional paths of an input that are set.
func given(p *string) []*string {
	if *p == "" {
		return nil
	}
	return []*string{p}
}
