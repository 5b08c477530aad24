package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/file"
	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/plural"
)

// maxSlice limits how much of a file one call returns.
const maxSlice = 200 << 10

type readInput struct {
	FilePath string `json:"file_path" jsonschema:"path of the file"`
	Offset   int    `json:"offset,omitempty" jsonschema:"first line to read, from 1"`
	Limit    int    `json:"limit,omitempty" jsonschema:"number of lines to read (default: all)"`
}

type readData struct {
	FilePath   string `json:"filePath"`
	Content    string `json:"content"`
	StartLine  int    `json:"startLine"`
	EndLine    int    `json:"endLine"`
	TotalLines int    `json:"totalLines"`
	SizeBytes  int    `json:"sizeBytes"`
	Truncated  bool   `json:"truncated"`
}

func (s *set) readFile() agent.Tool {
	return define(agent.Tool{
		Name:        "read_file",
		Description: "Read a text file, or a range of its lines.",
		Resolve:     resolving(func(in *readInput) []*string { return []*string{&in.FilePath} }),
		Origin:      origin("read_file", "file_path"),
	}, func(schema *jsonschema.Schema) {
		schema.Properties["offset"].Minimum, schema.Properties["limit"].Minimum = new(1.0), new(1.0)
	}, func(_ context.Context, in *readInput, env *agent.Env) (r agent.Result, err error) {
		if in.Offset < 0 || in.Limit < 0 {
			return r, fmt.Errorf("offset and limit are counted from 1")
		}
		path, err := where(in.FilePath, env)
		if err != nil {
			return r, err
		}
		f, err := file.Open(path)
		if err != nil {
			return r, err
		}
		defer f.Close()
		if !f.Exists {
			return r, fmt.Errorf("%s does not exist", path)
		}
		content, err := text(f.Data)
		if err != nil {
			return r, fmt.Errorf("%s %w", path, err)
		}
		d := slice(valid(lf(strings.TrimPrefix(content, mark))), max(in.Offset, 1), in.Limit)
		if d.TotalLines > 0 && d.StartLine > d.TotalLines || d.TotalLines == 0 && d.StartLine > 1 {
			return r, fmt.Errorf("there is no line %d: %s has %s", d.StartLine, path, plural.Count(d.TotalLines, "line"))
		}
		d.FilePath, d.SizeBytes = path, len(f.Data)
		if env.Run != nil {
			env.Run.Read(path, f.Sum())
		}
		return agent.Result{Success: true, Output: numbered(&d), Data: d}, nil
	})
}

// slice returns count lines of a text from the line first on, or all of them if count is 0.
func slice(s string, first, count int) readData {
	d := readData{StartLine: first, EndLine: first - 1, TotalLines: countLines(s)}
	for range first - 1 {
		_, after, ok := strings.Cut(s, "\n")
		if !ok {
			return d
		}
		s = after
	}
	n := 0 // bytes of s to return
	for n < len(s) && (count == 0 || d.EndLine < first-1+count) {
		line := len(s) - n
		if i := strings.IndexByte(s[n:], '\n'); i >= 0 {
			line = i + 1
		}
		if n+line > maxSlice {
			if n == 0 { // a single line is too long: return its beginning
				d.Content, d.EndLine, d.Truncated = bounded.Clip(s, maxSlice, ""), first, true
				return d
			}
			break
		}
		n += line
		d.EndLine++
	}
	d.Truncated = n < len(s)
	d.Content = s[:n]
	if d.Truncated {
		d.Content = strings.TrimSuffix(d.Content, "\n")
	}
	return d
}

// numbered adds line numbers for people.
func numbered(d *readData) string {
	if d.EndLine < d.StartLine {
		return ""
	}
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(d.Content, "\n"), "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%5d | %s", d.StartLine+i, line)
	}
	return b.String()
}
