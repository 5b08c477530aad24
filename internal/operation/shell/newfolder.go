package shell

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
)

// made is the state of folders that this command line makes. A command that makes a folder fails if
// it is there already, so behind && it is new, and to delete it loses nothing.
type made struct {
	node    *syntax.CallExpr              // the command being read
	pending map[*syntax.CallExpr][]string // folders by the command that makes them
	sure    map[string]bool               // folders that are new where we read now
	absent  map[string]bool               // files that are not there where we read now
}

// makes remembers that the command being read makes a folder, or fails.
func (m *made) makes(dir string) {
	if m.node == nil || len(m.pending) >= 64 {
		return
	}
	if m.pending == nil {
		m.pending = map[*syntax.CallExpr][]string{}
	}
	m.pending[m.node] = append(m.pending[m.node], dir)
}

// isMade reports whether a path is a new folder or in one.
func (m *made) isMade(path string) bool {
	for dir := range m.sure {
		if path == dir || strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// leaves forgets the folders below one that only the shell will know: their paths mean
// others from now on.
func (m *made) leaves() {
	unknown := func(dir string) bool { return strings.Contains(dir, umpire.Hole) }
	for _, dirs := range m.pending {
		for i, dir := range dirs {
			if unknown(dir) {
				dirs[i] = ""
			}
		}
	}
	if m.sure != nil {
		m.sure = maps.Clone(m.sure)
		maps.DeleteFunc(m.sure, func(dir string, _ bool) bool { return unknown(dir) })
	}
}

// knows adds the folders of the commands that succeeded if the statement did, and returns
// a function that forgets them again.
func (sh *shell) knows(s *syntax.Stmt) func() {
	was := sh.made.sure
	if len(sh.made.pending) == 0 {
		return func() {}
	}
	sure := maps.Clone(was)
	for _, call := range succeeded(s, nil) {
		for _, dir := range sh.made.pending[call] {
			if sure == nil {
				sure = map[string]bool{}
			}
			if dir != "" {
				sure[dir] = true
			}
		}
	}
	sh.made.sure = sure
	return func() { sh.made.sure = was }
}

// succeeded lists the simple commands that must have succeeded if the statement did.
func succeeded(s *syntax.Stmt, list []*syntax.CallExpr) []*syntax.CallExpr {
	if s == nil || s.Negated || s.Background || s.Coprocess {
		return list
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		list = append(list, c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt {
			list = succeeded(c.Y, succeeded(c.X, list))
		}
	}
	return list
}
