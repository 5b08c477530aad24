package changes

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/host"
)

// List returns the unsettled changes of the program, sorted by path. A removed folder comes
// with everything that was in it.
func (b *Box) List(ctx context.Context) ([]ChangedPath, error) {
	list, err := b.walk(ctx)
	if err != nil {
		return nil, err
	}
	settled, err := b.settled()
	if err != nil {
		return nil, err
	}
	up, err := host.OpenTree(b.Upper())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer up.Close()
	low, err := host.OpenTree(b.Dir)
	if err != nil {
		return nil, err
	}
	defer low.Close()
	list = slices.DeleteFunc(list, func(e ChangedPath) bool {
		s, ok := settled[e.Path]
		if !ok {
			return false
		}
		now, err := boxState(up, &e)
		return err == nil && now == s.Box
	})
	list = renamed(list, up, low)
	for i := range list {
		e := &list[i]
		if e.Not == "" {
			e.Not = e.never()
		}
		if e.low.kind == host.Absent || e.Kind == host.Folder || !e.low.since(b.Started) {
			continue
		}
		at := e.Path
		if e.What == Renamed {
			at = e.From
		}
		now, err := low.State(at)
		s, ok := settled[at]
		e.Clash = err != nil || !ok || now != s.Host
	}
	together(list)
	slices.SortFunc(list, func(x, y ChangedPath) int {
		if c := strings.Compare(x.Path, y.Path); c != 0 {
			return c
		}
		return cmp.Compare(order(&x), order(&y))
	})
	return list, nil
}

func order(e *ChangedPath) int {
	if e.What == Deleted {
		return 0
	}
	return 1
}

// boxState returns the state of a path in the sandbox.
func boxState(up *host.Tree, e *ChangedPath) (host.FileState, error) {
	if e.What == Deleted {
		return host.FileState{}, nil
	}
	return up.State(e.Path)
}

// never returns the reason why a change is never written to the project, or "".
func (e *ChangedPath) never() string {
	clean, err := host.CleanPath(e.Path)
	switch {
	case err != nil && (e.Path == ".git" || strings.HasPrefix(e.Path, ".git/")):
		return "git's own"
	case err != nil:
		return "a file of git or umpire, or not a plain name"
	case clean != e.Path:
		return "its name is a path on other systems"
	case e.What != Deleted && e.Size > maxFileSize && e.Kind == host.File:
		return "larger than 64 MiB: copy it by hand"
	}
	if e.Target != "" {
		// Programs outside the sandbox would follow the link to places that the program inside
		// could not reach.
		if err := host.Check([]host.Change{{Op: host.Link, Path: clean, Target: e.Target}}); err != nil {
			return "it leads out of the project"
		}
	}
	return ""
}

// together holds back a removed folder if anything in it is held back: otherwise the remainder
// would be neither the program's nor the user's version.
func together(list []ChangedPath) {
	type why struct {
		not   string
		clash bool
	}
	held := map[string]why{}
	for i := range list {
		if e := &list[i]; e.instead && e.Not != "" {
			held[e.Path] = why{not: "its replacement is not written: " + e.Not}
		}
	}
	for i := range list {
		if e := &list[i]; e.What == Deleted && (e.Not != "" || e.Clash) {
			h := held[e.top()]
			if h.clash = h.clash || e.Clash; e.Not != "" {
				h.not = "it holds a file of git or umpire"
			}
			held[e.top()] = h
		}
	}
	if len(held) == 0 {
		return
	}
	for i := range list {
		e := &list[i]
		at := e.In
		switch {
		case e.What == Deleted:
			at = e.top()
		case e.What != Renamed:
			continue
		}
		if h, ok := held[at]; ok {
			if e.Clash = e.Clash || h.clash; e.Not == "" {
				e.Not = h.not
			}
		}
	}
}

func (e *ChangedPath) top() string {
	if e.In != "" {
		return e.In
	}
	return e.Path
}

// renamed joins a new file and a removed one of the same content.
func renamed(list []ChangedPath, up, low *host.Tree) []ChangedPath {
	bySize := map[int64][]int{}
	for i := range list {
		if e := &list[i]; e.What == Deleted && e.Kind == host.File && e.Size > 0 && e.Size <= maxFileSize && !e.first && e.Not == "" {
			bySize[e.Size] = append(bySize[e.Size], i)
		}
	}
	if len(bySize) == 0 {
		return list
	}
	left := int64(maxHashed)
	sums := map[string]string{}
	sumOf := func(t *host.Tree, side, p string, size int64) string {
		s, ok := sums[side+p]
		if !ok && left >= size {
			left -= size
			if now, err := t.State(p); err == nil && now.Kind == host.File {
				s = now.Sum
			}
			sums[side+p] = s
		}
		return s
	}
	taken := map[int]bool{}
	for i := range list {
		e := &list[i]
		if e.What != Created || e.Kind != host.File || e.never() != "" {
			continue
		}
		from := slices.Clone(bySize[e.Size])
		slices.SortStableFunc(from, func(x, y int) int { // prefer the same name in another folder
			return cmp.Compare(b2i(path.Base(list[x].Path) != path.Base(e.Path)), b2i(path.Base(list[y].Path) != path.Base(e.Path)))
		})
		for _, j := range from[:min(len(from), 50)] {
			d := &list[j]
			if taken[j] || d.low.mode != e.up.mode {
				continue
			}
			sum := sumOf(up, "u", e.Path, e.Size)
			if sum == "" || sum != sumOf(low, "l", d.Path, d.Size) {
				continue
			}
			taken[j] = true
			e.What, e.From, e.In, e.low = Renamed, d.Path, d.In, d.low
			break
		}
	}
	n := 0
	for i := range list {
		if !taken[i] {
			list[n] = list[i]
			n++
		}
	}
	return list[:n]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
