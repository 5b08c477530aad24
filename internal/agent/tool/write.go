package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/file"
	"github.com/umpire-dev/umpire/internal/plural"
)

type writeInput struct {
	FilePath string `json:"file_path" jsonschema:"path of the file; missing parent folders are created"`
	Content  string `json:"content" jsonschema:"complete new content of the file"`
}

type editInput struct {
	FilePath  string `json:"file_path" jsonschema:"path of the file"`
	OldString string `json:"old_string" jsonschema:"text to replace; it must occur exactly once in the file"`
	NewString string `json:"new_string" jsonschema:"replacement, inserted literally"`
}

type multiInput struct {
	Edits []editInput `json:"edits" jsonschema:"edits in the order to apply them; each sees the result of the previous one"`
}

type writeData struct {
	FilePath     string `json:"filePath"`
	BytesWritten int    `json:"bytesWritten"`
	LinesWritten int    `json:"linesWritten"`
	IsNewFile    bool   `json:"isNewFile"`
}

type editData struct {
	FilePath     string `json:"filePath"`
	EditLine     int    `json:"editLine"`
	LinesRemoved int    `json:"linesRemoved"`
	LinesAdded   int    `json:"linesAdded"`
	TotalLines   int    `json:"totalLines"`
}

type fileResult struct {
	ResolvedPath string `json:"resolvedPath"`
	EditIndex    int    `json:"editIndex"`
	EditLine     int    `json:"editLine"`
	LinesRemoved int    `json:"linesRemoved"`
	LinesAdded   int    `json:"linesAdded"`
}

type multiData struct {
	FileResults       []fileResult `json:"fileResults"`
	TotalFilesEdited  int          `json:"totalFilesEdited"`
	TotalEditsApplied int          `json:"totalEditsApplied"`
}

// change is the change that a call would make to one file.
type change struct {
	*file.File
	before, after string // of text
}

func (c *change) diff(env *agent.Env, limit int) string {
	d, _, _ := diff(named(c.Path, env), c.before, c.after, !c.Exists, limit)
	return d
}

// plan is a checked call that has not run yet.
type plan struct {
	changes []*change
	edits   []fileResult // by the index of the edit
}

func (p *plan) close() {
	for _, c := range p.changes {
		c.Close()
	}
}

// files returns the texts before and after.
func (p *plan) files() (list []agent.Edited) {
	for _, c := range p.changes {
		if c.after != c.before || !c.Exists {
			list = append(list, agent.Edited{Path: c.Path, Before: c.before, After: c.after, New: !c.Exists})
		}
	}
	return list
}

// open adds a file to a plan, if it may be changed.
func (s *set) open(p *plan, path string, env *agent.Env) (*change, error) {
	path, err := where(path, env)
	if err != nil {
		return nil, err
	}
	for _, c := range p.changes {
		if c.Path == path {
			return c, nil
		}
	}
	if file.Within(path, s.Protected) || strings.EqualFold(filepath.Base(path), ".umpire.yaml") {
		return nil, fmt.Errorf("%s belongs to umpire: no tool writes it, even if approved", path)
	}
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	c := &change{File: f}
	p.changes = append(p.changes, c)
	if env.Run != nil && f.Exists {
		if sum, ok := env.Run.WasRead(path); ok && sum != f.Sum() {
			return nil, fmt.Errorf("%s was changed by someone else since it was read: read it again", path)
		}
	}
	if env.Seen != nil {
		if sum, ok := env.Seen.Sums[path]; !ok || sum != f.Sum() {
			return nil, fmt.Errorf("%s changed after the approval: read it again", path)
		}
	}
	if f.Exists {
		c.before, err = text(f.Data)
		if err != nil {
			return nil, fmt.Errorf("%s %w: it is not edited as text", path, err)
		}
		c.after = c.before
	}
	return c, nil
}

func (s *set) planWrite(in *writeInput, env *agent.Env) (*plan, error) {
	p := &plan{}
	c, err := s.open(p, in.FilePath, env)
	if err != nil {
		return p, err
	}
	c.after = like(c.before, in.Content)
	return p, nil
}

// planEdit returns the plan of a single edit, whose errors need no index.
func (s *set) planEdit(in *editInput, env *agent.Env) (*plan, error) {
	p, err := s.planEdits([]editInput{*in}, env)
	var e *editError
	if errors.As(err, &e) {
		err = e.err
	}
	return p, err
}

func (s *set) planEdits(edits []editInput, env *agent.Env) (*plan, error) {
	p := &plan{}
	for i, e := range edits {
		c, err := s.open(p, e.FilePath, env)
		if err != nil {
			return p, &editError{i, err}
		}
		if !c.Exists {
			return p, &editError{i, fmt.Errorf("%s does not exist", c.Path)}
		}
		before := c.after
		body, bom := strings.CutPrefix(before, mark)
		after, line, err := replaceOnce(body, e.OldString, e.NewString)
		if err != nil {
			return p, &editError{i, fmt.Errorf("%s: %w", c.Path, err)}
		}
		if bom {
			after = mark + after
		}
		c.after = after
		_, added, removed := diff("", before, after, false, 0)
		p.edits = append(p.edits, fileResult{c.Path, i, line, removed, added})
	}
	return p, nil
}

// editError is the error of one edit of several.
type editError struct {
	index int
	err   error
}

func (e *editError) Error() string { return fmt.Sprintf("edits[%d]: %v", e.index, e.err) }
func (e *editError) Unwrap() error { return e.err }

// apply writes the plan completely or not at all.
func (s *set) apply(p *plan, env *agent.Env) error {
	for _, c := range p.changes {
		// Check all files before writing the first, so that a failure in the middle is unlikely.
		if err := c.Unchanged(); err != nil {
			return fmt.Errorf("%s: %w", c.Path, err)
		}
		if s.Changes != nil && c.after != c.before {
			if err := s.Changes.Touched(c.Path, c.Data, c.Mode, c.Exists); err != nil {
				return fmt.Errorf("cannot save %s for undo: %w", c.Path, err)
			}
		}
	}
	for i, c := range p.changes {
		if c.after == c.before && c.Exists {
			continue
		}
		before := c.Data
		if err := write(c.File, []byte(c.after)); err != nil {
			err = fmt.Errorf("%s could not be written: %w", c.Path, err)
			return errors.Join(err, restore(p.changes[:i]))
		}
		c.Data = before // the old content, in case a later write fails
	}
	for _, c := range p.changes {
		c.Data = []byte(c.after)
		if s.Changes != nil {
			s.Changes.Wrote(c.Path, c.Data)
		}
		if env.Run != nil {
			env.Run.Read(c.Path, c.Sum())
		}
	}
	return nil
}

// write can be replaced in tests, to make it fail.
var write = (*file.File).Write

// restore undoes the writes, and reports files that it cannot restore.
func restore(list []*change) error {
	var left []string
	for _, c := range list {
		if c.after == c.before {
			continue
		}
		if err := write(c.File, c.Data); err != nil {
			left = append(left, fmt.Sprintf("%s (%v)", c.Path, err))
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("these files were changed and could not be restored: %s", strings.Join(left, ", "))
	}
	return nil
}

// planned returns the preview of a tool: the changes that its call plans.
func planned[In any](newPlan func(*In, *agent.Env) (*plan, error)) func(context.Context, json.RawMessage, *agent.Env) agent.Preview {
	return func(_ context.Context, input json.RawMessage, env *agent.Env) agent.Preview {
		in, err := decode[In](input)
		if err != nil {
			return agent.Preview{Err: err.Error()}
		}
		p, err := newPlan(in, env)
		return p.preview(err, env)
	}
}

// preview shows a plan.
func (p *plan) preview(err error, env *agent.Env) agent.Preview {
	defer p.close()
	if err != nil {
		return agent.Preview{Err: err.Error()}
	}
	v := agent.Preview{Diff: true, Sums: map[string]string{}, Files: p.files()}
	var b strings.Builder
	for _, c := range p.changes {
		v.Sums[c.Path] = c.Sum()
		if outside(c.Path, env) {
			v.Outside = append(v.Outside, c.Path)
		}
		d := c.diff(env, 0)
		switch {
		case d != "":
			b.WriteString(d)
		case c.Exists:
			fmt.Fprintf(&b, "%s: nothing would change\n", named(c.Path, env))
		default:
			fmt.Fprintf(&b, "%s: a new file, empty\n", named(c.Path, env))
		}
	}
	v.Text = b.String()
	return v
}

func (s *set) writeFile() agent.Tool {
	return define(agent.Tool{
		Name:        "write_file",
		Description: "Create a file, or replace its whole content.",
		Dangerous:   true,
		Preview:     planned(s.planWrite),
		Resolve:     resolving(func(in *writeInput) []*string { return []*string{&in.FilePath} }),
	}, nil, func(_ context.Context, in *writeInput, env *agent.Env) (r agent.Result, err error) {
		p, err := s.planWrite(in, env)
		defer p.close()
		if err != nil {
			return r, err
		}
		c := p.changes[0]
		isNew := !c.Exists
		r.Output, r.Files = c.diff(env, diffLines), p.files()
		if err := s.apply(p, env); err != nil {
			return agent.Result{}, err
		}
		if r.Output == "" {
			r.Output = fmt.Sprintf("%s: nothing changed (%s)", named(c.Path, env), plural.Count(utf8.RuneCountInString(in.Content), "character"))
			if isNew {
				r.Output = named(c.Path, env) + ": created, with 0 characters"
			}
		}
		r.Success = true
		r.Data = writeData{c.Path, len(c.after), countLines(c.after), isNew}
		return r, nil
	})
}

func (s *set) editFile() agent.Tool {
	return define(agent.Tool{
		Name:        "edit_file",
		Description: "Replace a text that occurs exactly once in a file.",
		Dangerous:   true,
		Preview:     planned(s.planEdit),
		Resolve:     resolving(func(in *editInput) []*string { return []*string{&in.FilePath} }),
	}, nil, func(_ context.Context, in *editInput, env *agent.Env) (r agent.Result, err error) {
		p, err := s.planEdit(in, env)
		defer p.close()
		if err != nil {
			return r, err
		}
		if err := s.apply(p, env); err != nil {
			return r, err
		}
		c, e := p.changes[0], p.edits[0]
		return agent.Result{Success: true, Output: c.diff(env, diffLines), Files: p.files(), Data: editData{c.Path, e.EditLine, e.LinesRemoved, e.LinesAdded, countLines(c.after)}}, nil
	})
}

func (s *set) multiEdit() agent.Tool {
	return define(agent.Tool{
		Name:        "multi_edit",
		Description: "Apply several edits to one or more files, all or none. Each works like edit_file.",
		Dangerous:   true,
		Preview:     planned(s.planMulti),
		Resolve: resolving(func(in *multiInput) (list []*string) {
			for i := range in.Edits {
				list = append(list, &in.Edits[i].FilePath)
			}
			return list
		}),
	}, func(schema *jsonschema.Schema) {
		edits := schema.Properties["edits"]
		edits.Type, edits.Types, edits.MinItems, edits.MaxItems = "array", nil, new(1), new(maxEditCount)
		edits.Items.Properties["old_string"].MinLength = new(1)
	}, func(_ context.Context, in *multiInput, env *agent.Env) (r agent.Result, err error) {
		p, err := s.planMulti(in, env)
		defer p.close()
		if err != nil {
			return r, err
		}
		if err := s.apply(p, env); err != nil {
			return r, err
		}
		for _, c := range p.changes {
			r.Output += c.diff(env, diffLines)
		}
		r.Success, r.Files = true, p.files()
		r.Data = multiData{p.edits, len(p.changes), len(p.edits)}
		return r, nil
	})
}

// maxEditCount limits the edits of one call.
const maxEditCount = 500

func (s *set) planMulti(in *multiInput, env *agent.Env) (*plan, error) {
	if len(in.Edits) == 0 || len(in.Edits) > maxEditCount {
		return &plan{}, fmt.Errorf("there must be at least one edit, and at most %d", maxEditCount)
	}
	for i, e := range in.Edits {
		if e.OldString == "" {
			return &plan{}, &editError{i, errors.New("old_string is empty")}
		}
	}
	return s.planEdits(in.Edits, env)
}
