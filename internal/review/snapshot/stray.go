package snapshot

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// strays looks for changes that git ignores and patch applies in the text around a diff: diffs in
// other formats, and indented ones.
type strays struct {
	d       *diffText
	stars   bool // the line may begin a context diff
	command bool // the line may be an ed command, or begin a diff without context
	header  bool // the previous line may be an indented header
	index   string
}

var (
	edCommand = lazy.Regexp(`^\d+(?:,\d+)?[acd](?:\d+(?:,\d+)?)?$`)
	indented  = lazy.Regexp(`^(?:[ \tX]+|(?:- )+)--- \S`)
	indented2 = lazy.Regexp(`^(?:[ \tX]*|(?:- )*)\+\+\+ \S`)
)

// line handles a line outside unified diffs.
func (s *strays) line(line string) {
	line = strings.TrimRight(line, "\r")
	bare := strings.TrimLeft(line, " \tX")
	if name, ok := strings.CutPrefix(bare, "Index: "); ok {
		s.index = strings.TrimSpace(name)
	}
	switch {
	case strings.HasPrefix(bare, "*** "):
		s.stars = true
	case s.stars && (bare == "***************" || strings.HasPrefix(bare, "*************** ")):
		s.d.fault("it has a context diff: patch applies it, git does not")
	case s.header && indented2().MatchString(line):
		s.d.fault("it has an indented diff: patch applies it, git does not")
	case edCommand().MatchString(bare):
		s.command = true
	case s.command && (bare == "." || strings.HasPrefix(bare, "< ") || strings.HasPrefix(bare, "> ")):
		s.d.fault("it has an ed script or a diff without context: patch applies it, git does not")
	}
	s.header = indented().MatchString(line)
}
