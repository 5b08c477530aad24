package tui

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/agent"
)

// input has the fields of a call's input that summaries and previews use.
type input struct {
	FilePath string `json:"file_path"`
	Path     string `json:"path"`
	Pattern  string `json:"pattern"`
	Command  string `json:"command"`
	Content  string `json:"content"`
	Edits    []struct {
		FilePath string `json:"file_path"`
	} `json:"edits"`
}

// data has the fields of a result's data that summaries use.
type data struct {
	StartLine         int    `json:"startLine"`
	EndLine           int    `json:"endLine"`
	Count             int    `json:"count"`
	ExitCode          *int   `json:"exitCode"`
	LinesWritten      int    `json:"linesWritten"`
	EditLine          int    `json:"editLine"`
	LinesAdded        int    `json:"linesAdded"`
	LinesRemoved      int    `json:"linesRemoved"`
	TotalFilesEdited  int    `json:"totalFilesEdited"`
	TotalEditsApplied int    `json:"totalEditsApplied"`
	Root              string `json:"root"`
	TotalFiles        int    `json:"totalFiles"`
	TotalDirs         int    `json:"totalDirs"`
}

// summary describes a call and its result in one clean line.
func summary(c agent.ToolCall, r *agent.Result) string {
	var in input
	known := json.Unmarshal(c.Input, &in) == nil
	var d data
	done := r != nil && r.Success && decode(r.Data, &d)
	s := ""
	switch c.ToolName {
	case "read_file":
		if s = in.FilePath; done {
			s += " (" + counted(max(0, d.EndLine-d.StartLine+1), "line") + ")"
			if d.EndLine == 0 {
				s = in.FilePath + " (0 lines)"
			}
		}
	case "grep":
		if s = "/" + in.Pattern + "/"; done {
			s += fmt.Sprintf(" → %d match(es)", d.Count)
		}
	case "glob":
		if s = in.Pattern; done {
			s += fmt.Sprintf(" → %d file(s)", d.Count)
		}
	case "bash":
		s = chars(cleanLine(in.Command), 40)
		if r != nil && decode(r.Data, &d) && d.ExitCode != nil {
			s += fmt.Sprintf(" → exit %d", *d.ExitCode)
		}
	case "write_file":
		if s = in.FilePath; done {
			s += " (" + counted(d.LinesWritten, "line") + " written)"
		}
	case "edit_file":
		if s = in.FilePath; done {
			s += fmt.Sprintf(" (line %d, +%d/-%d)", d.EditLine, d.LinesAdded, d.LinesRemoved)
		}
	case "multi_edit":
		edits, files := len(in.Edits), countFiles(in)
		if done && d.TotalEditsApplied > 0 {
			edits, files = d.TotalEditsApplied, d.TotalFilesEdited
		}
		s = counted(edits, "edit") + " in " + counted(files, "file")
	case "tree":
		if s = in.Path; s == "" {
			s = "."
		}
		if done {
			if d.Root != "" {
				s = d.Root
			}
			s += " (" + counted(d.TotalFiles, "file") + ", " + counted(d.TotalDirs, "folder") + ")"
		}
	default:
		known = false
	}
	if !known {
		return chars(cleanLine(string(c.Input)), 80)
	}
	return cleanLine(s)
}

func countFiles(in input) int {
	seen := map[string]bool{}
	for _, e := range in.Edits {
		seen[e.FilePath] = true
	}
	return len(seen)
}

// decode decodes a tool's data, whose Go type differs by tool.
func decode(from any, to *data) bool {
	if from == nil {
		return false
	}
	b, err := json.Marshal(from)
	return err == nil && json.Unmarshal(b, to) == nil
}

// about describes the call in question if neither a command nor a diff shows all of it. The text is
// exact.
func about(q agent.Question) []string {
	var in input
	if json.Unmarshal([]byte(q.Input), &in) != nil {
		return []string{exactLine(q.Input)}
	}
	switch q.Tool {
	case "bash":
		return nil // the preview is the command
	case "write_file":
		return []string{exactLine(in.FilePath) + " (" + counted(utf8.RuneCountInString(in.Content), "character") + ")"}
	case "edit_file":
		return []string{exactLine(in.FilePath)}
	case "multi_edit":
		lines := []string{counted(len(in.Edits), "edit") + " in " + counted(countFiles(in), "file")}
		count, order := map[string]int{}, []string{}
		for _, e := range in.Edits {
			if count[e.FilePath]++; count[e.FilePath] == 1 {
				order = append(order, e.FilePath)
			}
		}
		for _, f := range order {
			lines = append(lines, "  "+exactLine(f)+" ("+counted(count[f], "edit")+")")
		}
		return lines
	default:
		if q.Preview.Text != "" {
			return nil
		}
		return []string{exactLine(q.Input)}
	}
}
