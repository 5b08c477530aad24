package tool

import (
	"io"
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire/internal/agent/file"
)

// Limits of a .gitignore.
const (
	maxIgnoreSize  = 256 << 10
	maxIgnoreLines = 2000
)

// ignored are the patterns of one .gitignore. Negated patterns are not supported.
type ignored []ignoreRule

type ignoreRule struct {
	pattern string // matches the whole path
	name    bool   // of the name alone
	folder  bool   // folders only
}

// readIgnored reads the .gitignore of a folder, if it exists and is readable.
func readIgnored(root *os.Root) ignored {
	info, err := root.Lstat(".gitignore")
	if err != nil {
		return nil
	}
	h, err := file.OpenRegular(root, ".gitignore", info)
	if err != nil {
		return nil
	}
	defer func() { _ = h.Close() }()
	data, err := io.ReadAll(io.LimitReader(h, maxIgnoreSize))
	if err != nil {
		return nil
	}
	return parseIgnored(string(data))
}

// In a .gitignore, braces and commas are literal.
var ignoreEscape = strings.NewReplacer("{", `\{`, "}", `\}`)

func parseIgnored(s string) (list ignored) {
	for line := range strings.SplitSeq(strings.TrimPrefix(s, mark), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if !strings.HasSuffix(line, `\ `) {
			line = strings.TrimRight(line, " ")
		}
		if line == "" || line[0] == '#' || line[0] == '!' || len(line) > maxPattern {
			continue
		}
		var r ignoreRule
		line, r.folder = strings.CutSuffix(line, "/")
		r.name = !strings.Contains(line, "/")
		r.pattern = ignoreEscape.Replace(strings.TrimPrefix(line, "/"))
		if r.pattern == "" || !doublestar.ValidatePattern(r.pattern) {
			continue
		}
		if list = append(list, r); len(list) == maxIgnoreLines {
			break
		}
	}
	return list
}

// match reports whether a path below the folder is ignored.
func (l ignored) match(name string, isFolder bool) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	for _, r := range l {
		subject := name
		if r.name {
			subject = base
		}
		if (isFolder || !r.folder) && doublestar.MatchUnvalidated(r.pattern, subject) {
			return true
		}
	}
	return false
}
