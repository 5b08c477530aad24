package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/file"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Limits of a search.
const (
	maxMatches  = 50
	maxSearched = 8 << 20 // bytes of one file: larger files are not source code
	maxLine     = 500     // characters of a line to show
)

type grepInput struct {
	Pattern     string `json:"pattern" jsonschema:"regular expression (RE2), matched without regard to case"`
	FilePattern string `json:"file_pattern,omitempty" jsonschema:"glob for paths below the folder, or for names if it has no slash (default: all files)"`
	Path        string `json:"path,omitempty" jsonschema:"folder or file to search (default: the working directory)"`
}

type grepMatch struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Content string `json:"content"`
}

type grepData struct {
	Matches       []grepMatch `json:"matches"`
	Count         int         `json:"count"`
	Pattern       string      `json:"pattern"`
	Truncated     bool        `json:"truncated"`
	FilesSearched int         `json:"filesSearched"`
}

func (s *set) grep() agent.Tool {
	return define(agent.Tool{
		Name:        "grep",
		Description: "Search the lines of files for a regular expression, without regard to case. Returns at most 50 matches.",
		Resolve:     resolving(func(in *grepInput) []*string { return given(&in.Path) }),
		Origin:      origin("grep", "pattern"),
	}, nil, func(ctx context.Context, in *grepInput, env *agent.Env) (r agent.Result, err error) {
		if in.Pattern == "" || len(in.Pattern) > maxPattern {
			return r, fmt.Errorf("the pattern is empty, or has more than %d characters", maxPattern)
		}
		re, err := regexp.Compile("(?i)" + in.Pattern)
		if err != nil {
			return r, fmt.Errorf("the pattern must be a regular expression (RE2): %w", err)
		}
		files := "**"
		if in.FilePattern != "" {
			if files, _, err = globPattern(in.FilePattern); err != nil {
				return r, err
			}
		}
		dir, err := folder(in.Path, env)
		if err != nil {
			return r, err
		}
		start := "."
		if fi, err := os.Lstat(dir); err == nil && fi.Mode().IsRegular() {
			dir, start = filepath.Dir(dir), filepath.Base(dir)
		}
		root, err := openFolder(dir)
		if err != nil {
			return r, err
		}
		defer func() { _ = root.Close() }()
		d := grepData{Matches: []grepMatch{}, Pattern: in.Pattern}
		err = walk(ctx, root, start, func(name string, e fs.DirEntry) error {
			if strings.HasSuffix(name, ".lock") || !e.Type().IsRegular() {
				return nil
			}
			subject := name
			if !strings.Contains(files, "/") {
				subject = path.Base(name)
			}
			if !doublestar.MatchUnvalidated(files, subject) {
				return nil
			}
			content, ok := searched(root, name, e)
			if !ok {
				return nil
			}
			d.FilesSearched++
			d.find(re, named(filepath.Join(dir, name), env), content)
			if d.Truncated {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			return r, err
		}
		d.Count = len(d.Matches)
		return agent.Result{Success: true, Output: d.String(), Data: d}, nil
	})
}

// searched reads a file if it is text and not too large.
func searched(root *os.Root, name string, e fs.DirEntry) (content string, ok bool) {
	info, err := e.Info()
	if err != nil || info.Size() > maxSearched {
		return "", false
	}
	h, err := file.OpenRegular(root, name, info)
	if err != nil {
		return "", false
	}
	data, err := io.ReadAll(io.LimitReader(h, maxSearched))
	if errors.Join(err, h.Close()) != nil {
		return "", false
	}
	content, err = text(data)
	return content, err == nil
}

func (d *grepData) find(re *regexp.Regexp, name, content string) {
	if !re.MatchString(content) && !anchored(re) {
		return // most files do not match: do not split them into lines
	}
	n := 0
	for line := range strings.SplitSeq(content, "\n") {
		n++
		line = strings.TrimSuffix(line, "\r")
		if !re.MatchString(line) {
			continue
		}
		if len(d.Matches) == maxMatches {
			d.Truncated = true
			return
		}
		d.Matches = append(d.Matches, grepMatch{name, n, clipAround(re, valid(line))})
	}
}

// anchored reports whether an expression may match a single line but not the whole text.
func anchored(re *regexp.Regexp) bool {
	return strings.ContainsAny(re.String(), `^$\`)
}

// clipAround trims a line, and shortens a long one to the part around the match.
func clipAround(re *regexp.Regexp, line string) string {
	line = strings.TrimSpace(line)
	if utf8.RuneCountInString(line) <= maxLine {
		return line
	}
	from := 0
	if at := re.FindStringIndex(line); at != nil && at[0] > maxLine/2 {
		from = at[0] - maxLine/4
		for !utf8.RuneStart(line[from]) {
			from--
		}
	}
	s := line[from:]
	if r := []rune(s); len(r) > maxLine {
		s = string(r[:maxLine]) + "…"
	}
	if from > 0 {
		s = "…" + s
	}
	return s
}

func (d *grepData) String() string {
	if d.Count == 0 {
		return "No matches found."
	}
	var b strings.Builder
	b.WriteString("Found " + plural.Count(d.Count, "match"))
	if d.Truncated {
		b.WriteString(" (there are more: only the first are listed)")
	}
	for _, m := range d.Matches {
		fmt.Fprintf(&b, "\n%s:%d: %s", m.File, m.Line, m.Content)
	}
	return b.String()
}
