package transcript

import (
	"bufio"
	"encoding/json"
	"errors"
	"html"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/lazy"
)

var (
	storyTool    = lazy.Regexp(`<tool-use data-tool-type="([a-z]+)" data-tool-name="([^"]*)"`)
	storyOld     = lazy.Regexp(`^Tool use: \*\*([^*]+)\*\*`)
	storyTime    = lazy.Regexp(`^_\*\*(?:User|Agent|Assistant)[^*]*?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ)`)
	storySession = lazy.Regexp(`^<!-- ([A-Za-z ]+?) Session ([0-9a-f-]{8,})`)
	storySummary = lazy.Regexp(`(?:Run command|Read file|Edit file|Write file|Write): (.+?)(?:</summary>|$)`)
	storyTicks   = lazy.Regexp("`([^`]+)`")
)

// story is a tool call of an export in progress.
type story struct {
	kind, tool string
	value      string   // the command or path
	body       []string // of the first fence
	fence      string   // closing mark of the open fence
	first      bool     // the open fence is the first one, and not output
	fenced     bool     // there was one
}

// specStory reads an export of SpecStory: Markdown for people, with the commands and paths of a
// call, but only the name of most other tools.
func (s *session) specStory(in io.Reader) error {
	path := filepath.ToSlash(s.path)
	s.platform = "specstory"
	if project, _, ok := strings.Cut(path, "/.specstory/"); ok {
		s.in(project)
	}
	br := bufio.NewReaderSize(in, 64<<10)
	var at *story
	for n := 1; ; n++ {
		raw, tooLong, err := readLine(br, s.Limits.Line)
		line := string(raw)
		if tooLong {
			s.skip(n)
		}
		if at != nil && at.fence != "" {
			at.inFence(line)
		} else if e := s.storyLine(line, &at); e != nil {
			return e
		}
		if errors.Is(err, io.EOF) {
			return s.storyEnd(&at)
		}
		if err != nil {
			return err
		}
	}
}

func (a *story) inFence(line string) {
	switch {
	case line == a.fence:
		a.fence = ""
	case a.first:
		a.body = append(a.body, line)
	}
}

func (s *session) storyLine(line string, at **story) error {
	if m := storySession().FindStringSubmatch(line); m != nil {
		s.id = m[2]
		for _, name := range []string{"Claude", "Codex", "Cursor", "Gemini", "Droid", "OpenCode", "Copilot"} {
			if strings.Contains(m[1], name) {
				s.platform = strings.ToLower(name)
			}
		}
	}
	if m := storyTime().FindStringSubmatch(line); m != nil {
		if err := s.storyEnd(at); err != nil {
			return err
		}
		if t, err := time.Parse("2006-01-02 15:04:05Z", m[1]); err == nil {
			s.time = sane(t)
		}
		return nil
	}
	m := storyTool().FindStringSubmatch(line)
	if m == nil {
		if old := storyOld().FindStringSubmatch(line); old != nil && *at == nil {
			m = []string{"", "", old[1]}
		}
	}
	if m != nil {
		if err := s.storyEnd(at); err != nil {
			return err
		}
		*at = &story{kind: m[1], tool: html.UnescapeString(m[2])}
	}
	a := *at
	if a == nil {
		return nil
	}
	switch {
	case strings.HasPrefix(line, "```"):
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		info := strings.TrimPrefix(line, ticks)
		a.first = !a.fenced && (info == "bash" || info == "sh" || info == "shell" || a.kind == "write")
		a.fenced, a.fence = true, ticks
	case a.value == "" && storySummary().MatchString(line):
		a.value = html.UnescapeString(storySummary().FindStringSubmatch(line)[1])
	case a.value == "" && storyTicks().MatchString(line) && !a.fenced:
		a.value = storyTicks().FindStringSubmatch(line)[1]
	}
	if strings.Contains(line, "</tool-use>") {
		return s.storyEnd(at)
	}
	return nil
}

// storyEnd yields the call in progress, if there is one.
func (s *session) storyEnd(at **story) error {
	a := *at
	if *at = nil; a == nil {
		return nil
	}
	s.known = true
	kind := a.kind
	if kind == "" {
		kind = map[string]string{"Bash": "shell", "shell": "shell", "Read": "read", "Write": "write", "Edit": "write", "MultiEdit": "write"}[a.tool]
	}
	in := map[string]string{}
	body := strings.Join(a.body, "\n")
	switch {
	case kind == "shell" && len(a.body) > 0:
		in["command"] = strings.TrimPrefix(body, "$ ")
	case kind == "shell" && a.value != "":
		in["command"] = a.value
	case (kind == "read" || kind == "write") && a.value != "":
		in["file_path"] = a.value
		if kind == "write" {
			in["new_string"] = body
		}
	default:
		s.Stats.Unread++
		return nil
	}
	input, err := json.Marshal(in)
	if err != nil {
		return err
	}
	// The tool's name differs by client, but the export's description does not.
	tool := map[string]string{"shell": "Bash", "read": "Read", "write": "Edit"}[kind]
	return s.call("", tool, input)
}
