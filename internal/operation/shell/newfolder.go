package shell

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
)

// made holds the folders that this command line creates. A command that creates a folder fails if
// the folder exists. After &&, the folder is therefore new, and deleting it loses nothing.
type made struct {
	node    *syntax.CallExpr              // the command being read
	pending map[*syntax.CallExpr][]string // folders by the command that makes them
	sure    map[string]bool               // folders that are new at this point of the reading
	absent  map[string]bool               // files that do not exist at this point of the reading
}

// makes remembers that the command being read creates a folder, or fails.
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

// leaves forgets the folders below an unknown folder after a cd: the same path now means another
// folder.
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

// knows adds the folders of the commands that must have succeeded if the statement did, and returns
// a function that removes them again.
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
