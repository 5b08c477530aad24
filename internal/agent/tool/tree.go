package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Limits of a tree.
const (
	treeDepth    = 3
	maxTreeBytes = 200 << 10 // of the drawing
	maxNesting   = 200
)

type treeInput struct {
	Path  string `json:"path,omitempty" jsonschema:"folder to draw (default: the working directory)"`
	Depth *int   `json:"depth,omitempty" jsonschema:"number of levels to draw (default 3); 0 prints only the totals"`
}

type treeData struct {
	Root       string `json:"root"`
	Depth      int    `json:"depth"`
	TotalFiles int    `json:"totalFiles"`
	TotalDirs  int    `json:"totalDirs"`
	TotalSize  int64  `json:"totalSize"`
}

// drawnTree is treeData with the drawing. The model gets the drawing, too, because the counts alone
// do not help it.
type drawnTree struct {
	treeData
	drawing string
}

// ForModel implements agent.ModelView.
func (d drawnTree) ForModel() any {
	return struct {
		treeData
		Tree string `json:"tree"`
	}{d.treeData, d.drawing}
}

func (s *set) tree() agent.Tool {
	return define(agent.Tool{
		Name:        "tree",
		Description: "Draw the folders and files below a folder, with sizes. The totals count all levels.",
		Resolve:     resolving(func(in *treeInput) []*string { return given(&in.Path) }),
		Origin:      origin("tree", "path"),
	}, func(schema *jsonschema.Schema) {
		// A pointer's schema would allow null.
		schema.Properties["depth"] = &jsonschema.Schema{Type: "integer", Minimum: new(0.0), Description: schema.Properties["depth"].Description}
	}, func(ctx context.Context, in *treeInput, env *agent.Env) (r agent.Result, err error) {
		depth := treeDepth
		if in.Depth != nil {
			depth = *in.Depth
		}
		if depth < 0 {
			return r, errors.New("depth must be a whole number, 0 or more")
		}
		dir, err := folder(in.Path, env)
		if err != nil {
			return r, err
		}
		root, err := openFolder(dir)
		if err != nil {
			return r, err
		}
		defer func() { _ = root.Close() }()
		t := &treeDrawing{ctx: ctx, root: root, ignore: readIgnored(root), depth: depth, data: treeData{Root: dir, Depth: depth}}
		if err := t.draw(".", "", 1); err != nil {
			return r, err
		}
		text := t.text()
		return agent.Result{Success: true, Output: text, Data: drawnTree{t.data, text}}, nil
	})
}

type treeDrawing struct {
	ctx    context.Context
	root   *os.Root
	ignore ignored
	depth  int
	data   treeData
	b      strings.Builder
	seen   int
	cut    bool
}

func (t *treeDrawing) text() string {
	d := &t.data
	totals := fmt.Sprintf("%s, %s, %s", plural.Count(d.TotalFiles, "file"), plural.Count(d.TotalDirs, "directory"), size(d.TotalSize))
	switch {
	case d.Depth == 0:
		return totals
	case d.TotalFiles+d.TotalDirs == 0:
		return valid(d.Root) + "\n(empty directory)\n\n" + totals
	}
	rest := ""
	if t.cut {
		rest = "... the drawing is cut here: look at a folder below\n"
	}
	return valid(d.Root) + "\n" + t.b.String() + rest + "\n" + totals
}

// draw draws the entries of a folder, and skips those that disappear.
func (t *treeDrawing) draw(name, indent string, level int) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if level > maxNesting {
		return nil
	}
	entries, err := fs.ReadDir(t.root.FS(), name)
	if err != nil {
		if name == "." {
			return err
		}
		return nil // it vanished, or another user owns it
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return skipped(e.Name()) || t.ignore.match(path.Join(name, e.Name()), e.IsDir())
	})
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { // already sorted by name
		switch {
		case a.IsDir() == b.IsDir():
			return 0
		case a.IsDir():
			return -1
		}
		return 1
	})
	for i, e := range entries {
		if t.seen++; t.seen > maxEntries {
			return errEntries
		}
		branch, below := "├── ", "│   "
		if i == len(entries)-1 {
			branch, below = "└── ", "    "
		}
		label := valid(e.Name())
		switch {
		case e.IsDir():
			t.data.TotalDirs++
			label += "/"
		default:
			info, err := e.Info()
			if err != nil {
				continue
			}
			t.data.TotalFiles++
			if info.Mode().IsRegular() {
				t.data.TotalSize += info.Size()
				label += " (" + size(info.Size()) + ")"
			} else if info.Mode()&fs.ModeSymlink != 0 {
				label += " (link)"
			} else {
				label += " (no file)"
			}
		}
		if level <= t.depth {
			if t.b.Len() > maxTreeBytes {
				t.cut = true
			} else {
				t.b.WriteString(indent + branch + strings.ReplaceAll(label, "\n", "\uFFFD") + "\n")
			}
		}
		if e.IsDir() {
			if err := t.draw(path.Join(name, e.Name()), indent+below, level+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// size formats a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
