package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/visible"
)

// maxContent is the size limit of a file, in bytes.
const maxContent = host.MaxContent

// FilePlan changes files of the project. A sync without changes only asks a question.
type FilePlan struct {
	Tool    string        `json:"tool,omitempty"` // "Write", "Edit", "Change" or "sync"
	File    string        `json:"file,omitempty"` // clean, below the project's root
	Old     string        `json:"old,omitempty"`
	New     string        `json:"new,omitempty"`
	Changes []host.Change `json:"changes,omitempty"`
}

// changeIn is one change as agents send it. Content is text; other bytes are in Base64.
type changeIn struct {
	Op      host.Op `json:"op"`
	Path    string  `json:"path"`
	From    string  `json:"from,omitempty"`
	Content *string `json:"content,omitempty"`
	Base64  *[]byte `json:"base64,omitempty"`
	Mode    string  `json:"mode,omitempty"` // octal, such as "755"
	Target  string  `json:"target,omitempty"`
	Was     string  `json:"was,omitempty"` // the SHA-256 of the file as the agent knows it, or "absent"; a different file is a conflict
}

func (c *changeIn) change() (host.Change, error) {
	out := host.Change{Op: c.Op, Path: c.Path, From: c.From, Target: c.Target, Was: c.Was}
	switch {
	case c.Was != "" && c.Was != host.WasAbsent && len(c.Was) != 64:
		return out, bad("was must be the SHA-256 of a file, or absent")
	case c.Content != nil && c.Base64 != nil, c.Op == host.Write && c.Content == nil && c.Base64 == nil:
		return out, bad("a write needs either content or base64")
	case c.Content != nil:
		out.Content = []byte(*c.Content)
	case c.Base64 != nil:
		out.Content = *c.Base64
	}
	if c.Mode != "" {
		mode, err := strconv.ParseUint(c.Mode, 8, 32)
		if err != nil {
			return out, bad("the mode must be octal, such as 755")
		}
		out.Mode = uint32(mode)
	}
	return out, nil
}

// fileMeta is the metadata of requests about files.
type fileMeta struct {
	Tool    string  `json:"toolName"`
	File    string  `json:"targetFile"`
	Content *string `json:"writeContent"`
	Edit    *struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	} `json:"editContext"`
	Changes []changeIn `json:"changes"`
	extra
}

func readFiles(s *Submission) (Plan, error) {
	m, err := metadata[fileMeta](s)
	if err != nil {
		return nil, err
	}
	if file, ok := strings.CutPrefix(s.Action, "sync "); ok && m.Tool == "" && m.Changes == nil {
		if m.File != "" {
			return nil, bad("the action names the file of a sync: leave targetFile out")
		}
		clean, err := host.CleanPath(file)
		if err != nil {
			return nil, bad("%v", err)
		}
		return &FilePlan{Tool: "sync", File: clean}, nil
	}
	f := &FilePlan{Tool: m.Tool}
	switch {
	case m.Changes != nil && m.Tool == "" && m.File == "":
		f.Tool = "Change"
		for i := range m.Changes {
			c, err := m.Changes[i].change()
			if err != nil {
				return nil, err
			}
			f.Changes = append(f.Changes, c)
		}
	case m.Changes != nil:
		return nil, bad("send changes, or one toolName with its targetFile")
	case f.Tool == "Write":
		if m.Content == nil {
			return nil, bad("Write needs writeContent")
		}
		f.Changes = []host.Change{{Op: host.Write, Path: m.File, Content: []byte(*m.Content)}}
	case f.Tool == "Edit":
		if m.Edit == nil || m.Edit.Old == "" {
			return nil, bad("Edit needs editContext with old_string and new_string")
		}
		f.Old, f.New = m.Edit.Old, m.Edit.New
		f.Changes = []host.Change{{Op: host.Write, Path: m.File}}
	default:
		return nil, bad("toolName must be Write or Edit, unless there are changes or the action is \"sync PATH\"")
	}
	if len(f.Old)+len(f.New) > maxContent {
		return nil, bad("the text is larger than %d bytes", maxContent)
	}
	if err := host.Check(f.Changes); err != nil {
		return nil, bad("%v", err)
	}
	if f.Tool != "Change" {
		f.File = f.Changes[0].Path
	}
	return f, nil
}

func (f *FilePlan) category() approval.Category { return approval.Filesystem }

func (f *FilePlan) title() string {
	if f.Tool != "Change" {
		return f.Tool + " " + f.File
	}
	if len(f.Changes) == 1 {
		c := &f.Changes[0]
		switch c.Op {
		case host.Move:
			return "move " + c.From + " to " + c.Path
		case host.Chmod:
			return fmt.Sprintf("chmod %o %s", c.Mode, c.Path)
		}
		return string(c.Op) + " " + c.Path
	}
	title := fmt.Sprintf("change %d files:", len(f.Changes))
	for i := range f.Changes {
		next := " " + f.Changes[i].Path
		if len(title)+len(next) > 500 {
			return title + " ..."
		}
		title += next
	}
	return title
}

func (f *FilePlan) action(root string) *umpire.Action {
	at := path.Join(root, f.File)
	switch f.Tool {
	case "Change": // operations reads each change by itself
		return local(root, "Write", map[string]any{"changes": f.texts()})
	case "Write":
		return local(root, "Write", map[string]any{"file_path": at, "content": string(f.Changes[0].Content)})
	}
	return local(root, "Edit", map[string]any{"file_path": at, "old_string": f.Old, "new_string": f.New})
}

// texts returns the paths and contents of the changes, for rules that match texts.
func (f *FilePlan) texts() []map[string]string {
	out := make([]map[string]string, len(f.Changes))
	for i := range f.Changes {
		c := &f.Changes[i]
		out[i] = map[string]string{"op": string(c.Op), "path": c.Path, "from": c.From, "content": string(c.Content), "target": c.Target}
	}
	return out
}

// operations reads each change of a set as the call that an agent would make for it.
func (f *FilePlan) operations(a *umpire.Action, env operation.Env) (ops []umpire.Operation) {
	if f.Tool != "Change" {
		return operation.Read(a, env)
	}
	read := func(tool string, input map[string]any) {
		step := *a
		step.Tool = tool
		step.Input, _ = json.Marshal(input) // texts always marshal
		for _, op := range operation.Read(&step, operation.Env{ReadFile: platform.ReadFile, ReadDir: platform.ReadDir}) {
			if op.Kind == umpire.Read || op.Kind == umpire.Write || op.Kind == umpire.Delete {
				ops = append(ops, op)
			}
		}
	}
	m := place.Map{Workspace: a.Dir, Dir: a.Dir, Home: a.Home}
	for i := range f.Changes {
		c := &f.Changes[i]
		at, mode := path.Join(a.Dir, c.Path), strconv.FormatUint(uint64(c.Mode), 8)
		first := len(ops)
		switch c.Op {
		case host.Write:
			read("Write", map[string]any{"file_path": at, "content": string(c.Content)})
			if c.Mode != 0 && c.Mode != 0o644 {
				read("Bash", argv("chmod", mode, "--", at))
			}
		case host.Mkdir:
			read("Write", map[string]any{"file_path": at, "content": ""})
		case host.Delete:
			read("Bash", argv("rm", "--", at))
		case host.Move:
			read("Bash", argv("mv", "--", path.Join(a.Dir, c.From), at))
		case host.Chmod:
			read("Bash", argv("chmod", mode, "--", at))
		case host.Link:
			read("Bash", argv("ln", "-s", "--", c.Target, at))
		}
		for k := first; k < len(ops); k++ {
			if c.Op == host.Mkdir {
				ops[k].Traits &^= umpire.Truncate // it fails where a file is
			}
			if ops[k].Kind == umpire.Write {
				ops[k].Places |= SensitivePlacesAt(m, at, c.Op == host.Link || c.Op == host.Move, c.Target)
			}
		}
	}
	return ops
}

// paths returns all paths that the plan changes.
func (f *FilePlan) paths() []string {
	var out []string
	for i := range f.Changes {
		if out = append(out, f.Changes[i].Path); f.Changes[i].From != "" {
			out = append(out, f.Changes[i].From)
		}
	}
	return out
}

// target identifies the files, so that a newer request about one of them supersedes this one. It
// returns "" if the list is too long.
func (f *FilePlan) target() string {
	p := f.paths()
	slices.Sort(p)
	if all := strings.Join(p, "\n"); len(all) <= approval.MaxText {
		return all
	}
	return ""
}

func (f *FilePlan) notes() []string {
	switch f.Tool {
	case "Write":
		return []string{fmt.Sprintf("%d bytes", len(f.Changes[0].Content))}
	case "Edit":
		return []string{fmt.Sprintf("%d bytes become %d", len(f.Old), len(f.New))}
	}
	return nil
}

// restrict asks a person about changes to files that programs run or agents obey, unless a rule
// names the file.
func (f *FilePlan) restrict(d *umpire.Decision, j *judgment) {
	if len(f.Changes) == 0 {
		return
	}
	askIfSensitive(d, j.ops)
	if d.Effect != umpire.Allow {
		return
	}
	if file := j.g.onlyWide(j.a, j.ops, j.pol); file != "" && !j.given.has(*d) {
		d.Add(umpire.Reason{Rule: "file-runs-code", Effect: umpire.Ask, Op: -1,
			Text: "programs run code from " + visible.Line(strings.TrimPrefix(file, j.g.root+"/")) + ", or agents obey it: a rule must name it"})
	}
}

// bind binds the changes to the current files, and returns the difference.
func (f *FilePlan) bind(_ context.Context, g *Gateway) (diff string, err error) {
	if len(f.Changes) == 0 {
		return "", nil
	}
	t, err := g.tree()
	if err != nil {
		return "", err
	}
	defer t.Close()
	for range 3 { // another request may write a file between two looks at it
		if diff, err = f.bindIn(g, t); !errors.Is(err, host.ErrConflict) {
			return diff, err
		}
	}
	return "", fault{http.StatusConflict, err.Error()}
}

func (f *FilePlan) bindIn(g *Gateway, t *host.Tree) (diff string, err error) {
	var read host.FileState // of the file that an Edit changes
	if f.Tool == "Edit" {
		c := &f.Changes[0]
		var old []byte
		old, read, err = t.Read(c.Path)
		if err != nil {
			return "", fault{http.StatusConflict, err.Error()}
		}
		if !bytes.Contains(old, []byte(f.Old)) {
			return "", fault{http.StatusConflict, "the file does not have the old text: read it again"}
		}
		if c.Content = bytes.Replace(old, []byte(f.Old), []byte(f.New), 1); len(c.Content) > maxContent {
			return "", bad("the file would be larger than %d bytes", maxContent)
		}
	}
	g.at("files read")
	if err := t.Bind(f.Changes); errors.Is(err, host.ErrConflict) {
		return "", err
	} else if err != nil {
		return "", fault{http.StatusConflict, err.Error()}
	}
	if f.Tool == "Edit" && f.Changes[0].Base != read { // the new text would undo another's change
		return "", host.ErrConflict
	}
	return t.Diff(f.Changes, fullTextHint)
}

func (f *FilePlan) checkUnchanged(_ context.Context, g *Gateway) error {
	if len(f.Changes) == 0 {
		return nil
	}
	t, err := g.tree()
	if err != nil {
		return err
	}
	defer t.Close()
	return t.Fits(f.Changes)
}

func (f *FilePlan) runs() bool { return len(f.Changes) > 0 }

func (f *FilePlan) again() bool { return true }

func (f *FilePlan) here(context.Context, *Gateway) bool { return true }

func (f *FilePlan) carryOut(ctx context.Context, g *Gateway, r *approval.Request) (status string, result host.CommandResult) {
	t, err := g.tree()
	if err == nil {
		t.OnStep(g.at)
		err = t.Apply(ctx, r.ID, f.Changes)
		t.Close()
	}
	result.ExitCode = host.ExitNotStarted
	switch {
	case err == nil:
		return "completed", result
	case errors.Is(err, host.ErrLeft):
		status = "completed"
	case errors.Is(err, errLeadsElsewhere), errors.Is(err, host.ErrConflict) && !errors.Is(err, host.ErrHalf):
		status = "conflict"
	default:
		status = "failed"
	}
	result.Stderr = err.Error()
	return status, result
}

func (f *FilePlan) writeFullText(_ context.Context, g *Gateway, put func(string) error) error {
	if len(f.Changes) == 0 {
		return putPlan(f, put)
	}
	t, err := g.tree()
	if err != nil {
		return err
	}
	defer t.Close()
	for i := range f.Changes {
		c := &f.Changes[i]
		text, err := t.Whole(c)
		if errors.Is(err, host.ErrConflict) || errors.Is(err, fs.ErrNotExist) { // the change is applied already, or no longer applies
			text, err = fmt.Sprintf("%s %s, but the file has changed since\n", c.Op, c.Path)+host.Compare("/dev/null", nil, "b/"+c.Path, c.Content), nil
		}
		if err == nil {
			err = put(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
