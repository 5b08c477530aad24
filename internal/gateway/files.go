package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/redact"
)

// changeIn is one change of a set as agents send it. Content is text, or base64 where it
// is none.
type changeIn struct {
	Op      host.Op `json:"op"`
	Path    string  `json:"path"`
	From    string  `json:"from,omitempty"`
	Content *string `json:"content,omitempty"`
	Base64  *[]byte `json:"base64,omitempty"`
	Mode    string  `json:"mode,omitempty"` // octal, such as "755"
	Target  string  `json:"target,omitempty"`
	Was     string  `json:"was,omitempty"` // the SHA-256 of the file that the asker knows, or "absent": another is a conflict
}

func (c *changeIn) change() (host.Change, error) {
	out := host.Change{Op: c.Op, Path: c.Path, From: c.From, Target: c.Target, Was: c.Was}
	switch {
	case c.Was != "" && c.Was != host.WasAbsent && len(c.Was) != 64:
		return out, bad("was is the SHA-256 of a file, or absent")
	case c.Content != nil && c.Base64 != nil, c.Op == host.Write && c.Content == nil && c.Base64 == nil:
		return out, bad("a write has either content or base64")
	case c.Content != nil:
		out.Content = []byte(*c.Content)
	case c.Base64 != nil:
		out.Content = *c.Base64
	}
	if c.Mode != "" {
		mode, err := strconv.ParseUint(c.Mode, 8, 32)
		if err != nil {
			return out, bad("the mode is octal, such as 755")
		}
		out.Mode = uint32(mode)
	}
	return out, nil
}

// filesystem reads a submission about files.
func (e *Effective) filesystem(action string, m *metadata) error {
	e.Tool = m.Tool
	file := m.File
	if rest, ok := strings.CutPrefix(action, "sync "); ok && m.Tool == "" && m.Changes == nil {
		e.Tool, file = "sync", rest
	}
	switch {
	case m.Changes != nil && m.Tool == "" && m.File == "":
		e.Tool = "Change"
		for i := range m.Changes {
			c, err := m.Changes[i].change()
			if err != nil {
				return err
			}
			e.Changes = append(e.Changes, c)
		}
	case m.Changes != nil:
		return bad("send changes, or one toolName with its targetFile")
	case e.Tool == "Write":
		if m.Content == nil {
			return bad("Write needs writeContent")
		}
		e.Changes = []host.Change{{Op: host.Write, Path: file, Content: []byte(*m.Content)}}
	case e.Tool == "Edit":
		if m.Edit == nil || m.Edit.Old == "" {
			return bad("Edit needs editContext with old_string and new_string")
		}
		e.Old, e.New = m.Edit.Old, m.Edit.New
		e.Changes = []host.Change{{Op: host.Write, Path: file}}
	case e.Tool == "sync":
	default:
		return bad("toolName is Write or Edit, or there are changes, or the action is \"sync PATH\"")
	}
	if len(e.Old)+len(e.New) > maxContent {
		return bad("the text is larger than %d bytes", maxContent)
	}
	if e.Tool == "sync" {
		if m.File != "" {
			return bad("the action names the file of a sync: leave targetFile out")
		}
		clean, err := host.CleanPath(file)
		if err != nil {
			return bad("%v", err)
		}
		e.File = clean
		return nil
	}
	if err := host.Check(e.Changes); err != nil {
		return bad("%v", err)
	}
	if e.Tool != "Change" {
		e.File = e.Changes[0].Path
	}
	return nil
}

// bind ties a submission to the host's files as they are now, and returns what people are
// shown of it.
func (g *Gateway) bind(ctx context.Context, e *Effective) (diff string, err error) {
	if e.Setting != "" {
		return g.bindSetting(ctx, e)
	}
	if e.Category == approval.Network && e.Query != "" {
		return e.sends(), nil
	}
	if len(e.Changes) == 0 {
		return g.bindScripts(e)
	}
	t, err := host.OpenTree(g.root)
	if err != nil {
		return "", err
	}
	defer t.Close()
	if e.Tool == "Edit" {
		c := &e.Changes[0]
		old, _, err := t.Read(c.Path)
		if err != nil {
			return "", fault{http.StatusConflict, err.Error()}
		}
		if !bytes.Contains(old, []byte(e.Old)) {
			return "", fault{http.StatusConflict, "the file does not have the old text: read it again"}
		}
		if c.Content = bytes.Replace(old, []byte(e.Old), []byte(e.New), 1); len(c.Content) > maxContent {
			return "", bad("the file would be larger than %d bytes", maxContent)
		}
	}
	if err := t.Bind(e.Changes); err != nil {
		return "", fault{http.StatusConflict, err.Error()}
	}
	diff, err = t.Diff(e.Changes, WholeHint)
	if errors.Is(err, host.ErrConflict) {
		err = fault{http.StatusConflict, err.Error()}
	}
	return diff, err
}

// shown is what a proxied request sends out, for people.
func (e *Effective) shown(body []byte, size int64) string {
	text := ""
	if e.Query != "" {
		text = e.sends()
	}
	if len(body) == 0 {
		return text
	}
	of := fmt.Sprintf("%d bytes", len(body))
	if size < 0 || size > int64(len(body)) {
		of = fmt.Sprintf("the first %d bytes, and there may be more", len(body))
		if size > 0 {
			of = fmt.Sprintf("the first %d of %d bytes", len(body), size)
		}
	}
	if bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(body[:max(0, len(body)-4)]) {
		return text + fmt.Sprintf("sends a body that is not text: %s, SHA-256 %x\n", of, sha256.Sum256(body))
	}
	return text + "sends in its body, " + of + ":\n    " + strings.ReplaceAll(strings.TrimRight(redact.Readable(strings.ToValidUTF8(string(body), "\uFFFD")), "\n"), "\n", "\n    ") + "\n"
}

// sends is what a request sends out by its query, for people.
func (e *Effective) sends() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sends by its query, %d bytes:\n", len(e.Query))
	for part := range strings.SplitSeq(e.Query, "&") {
		if text, err := url.QueryUnescape(part); err == nil {
			part = text
		}
		b.WriteString("    " + strings.ReplaceAll(redact.Readable(part), "\n", "\n    ") + "\n")
	}
	return b.String()
}

// fileTitle is a change of files in one line.
func (e *Effective) fileTitle() string {
	if e.Tool != "Change" {
		return e.Tool + " " + e.File
	}
	if len(e.Changes) == 1 {
		c := &e.Changes[0]
		switch c.Op {
		case host.Move:
			return "move " + c.From + " to " + c.Path
		case host.Chmod:
			return fmt.Sprintf("chmod %o %s", c.Mode, c.Path)
		}
		return string(c.Op) + " " + c.Path
	}
	title := fmt.Sprintf("change %d files:", len(e.Changes))
	for i := range e.Changes {
		next := " " + e.Changes[i].Path
		if len(title)+len(next) > 500 {
			return title + " ..."
		}
		title += next
	}
	return title
}

// texts are the changes' paths and contents, for rules that look at texts.
func (e *Effective) texts() []map[string]string {
	out := make([]map[string]string, len(e.Changes))
	for i := range e.Changes {
		c := &e.Changes[i]
		out[i] = map[string]string{"op": string(c.Op), "path": c.Path, "from": c.From, "content": string(c.Content), "target": c.Target}
	}
	return out
}

// paths are all the paths that a request changes.
func (e *Effective) paths() []string {
	var out []string
	for i := range e.Changes {
		if out = append(out, e.Changes[i].Path); e.Changes[i].From != "" {
			out = append(out, e.Changes[i].From)
		}
	}
	return out
}

// target names what a newer request supersedes: one about the same file, or the same
// files.
func (e *Effective) target() string {
	if e.Push != nil {
		return e.Push.Ref
	}
	p := e.paths()
	slices.Sort(p)
	if all := strings.Join(p, "\n"); len(all) <= approval.MaxText {
		return all
	}
	return ""
}

// supersede ends the agent's older questions that are about some of the same files: what is
// answered is the newest. No agent ends another's question.
func (g *Gateway) supersede(ctx context.Context, r *approval.Request, e *Effective) error {
	paths := e.paths()
	if len(paths) == 0 {
		return nil
	}
	waiting, err := g.store.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Category: approval.Filesystem, Agent: r.Agent, Limit: 1000})
	if err != nil {
		return err
	}
	for i := range waiting {
		// By its number: IDs of one millisecond have no order, and clocks of gateways differ.
		if waiting[i].Seq >= r.Seq || !slices.ContainsFunc(strings.Split(waiting[i].Target, "\n"), func(p string) bool { return slices.Contains(paths, p) }) {
			continue
		}
		_, err := g.store.End(ctx, waiting[i].ID, approval.Superseded, "a newer request for one of its files replaced it")
		if err != nil && !errors.Is(err, approval.ErrSettled) {
			return err
		}
	}
	return nil
}

// fileOperations reads a set of changes: each as the call that an agent would make.
func (e *Effective) fileOperations(a *umpire.Action) (ops []umpire.Operation) {
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
	for i := range e.Changes {
		c := &e.Changes[i]
		at := quote(path.Join(a.Dir, c.Path))
		first := len(ops)
		switch c.Op {
		case host.Write:
			read("Write", map[string]any{"file_path": path.Join(a.Dir, c.Path), "content": string(c.Content)})
			if c.Mode != 0 && c.Mode != 0o644 {
				read("Bash", map[string]any{"command": fmt.Sprintf("chmod %o -- %s", c.Mode, at)})
			}
		case host.Mkdir:
			read("Write", map[string]any{"file_path": path.Join(a.Dir, c.Path), "content": ""})
		case host.Delete:
			read("Bash", map[string]any{"command": "rm -- " + at})
		case host.Move:
			read("Bash", map[string]any{"command": "mv -- " + quote(path.Join(a.Dir, c.From)) + " " + at})
		case host.Chmod:
			read("Bash", map[string]any{"command": fmt.Sprintf("chmod %o -- %s", c.Mode, at)})
		case host.Link:
			read("Bash", map[string]any{"command": "ln -s -- " + quote(c.Target) + " " + at})
		}
		for k := first; k < len(ops); k++ {
			if ops[k].Kind == umpire.Write {
				ops[k].Places |= ObeyedAt(m, path.Join(a.Dir, c.Path), c.Op == host.Link || c.Op == host.Move, c.Target)
			}
		}
	}
	return ops
}

// ObeyedAt tells what others obey at a path besides what its name says. HEAD makes a folder
// of any name a git repository, whose configuration runs programs as soon as someone goes
// there. A link may stand for a folder of such files, or lead to one.
func ObeyedAt(m place.Map, at string, link bool, target string) (p umpire.Place) {
	if target != "" { // who writes through it later writes there
		to := path.Join(path.Dir(at), target)
		_, q := m.Resolve(to)
		p |= q&Obeyed | ObeyedAt(m, to+"/x", false, "")
	}
	if path.Base(at) == "HEAD" {
		p |= umpire.PlaceGitHooks
	}
	for dir := at; strings.HasPrefix(dir, m.Workspace+"/"); {
		if dir = path.Dir(dir); isRepository(dir) {
			p |= umpire.PlaceGitDir | umpire.PlaceGitHooks
		}
	}
	if link {
		p |= m.Below(at) & Obeyed
	}
	return p
}

// isRepository reports whether a folder is one that git would take for a repository's.
func isRepository(dir string) bool {
	there := func(name string) bool {
		_, err := os.Lstat(path.Join(dir, name))
		return err == nil
	}
	return there("HEAD") && (there("objects") || there("commondir"))
}

// Obeyed are the places of files that make programs run, or that agents and umpire obey: no
// mode is enough to change them, a rule has to name them.
const Obeyed = guardedPlaces | umpire.PlaceAgentRules | umpire.PlaceStartup | umpire.PlaceLogin | umpire.PlaceLoader | umpire.PlacePackageConfig | umpire.PlaceEditorConfig | umpire.PlaceCI

// For these no rule is enough: a person looks at each change.
const guardedPlaces = umpire.PlaceGitDir | umpire.PlaceGitHooks | umpire.PlaceAgentConfig | umpire.PlaceMCP | umpire.PlaceUmpire

// careful puts a change to a person that rules or a mode would let through, where it
// touches what others obey.
func careful(d *umpire.Decision, ops []umpire.Operation) {
	if d.Effect != umpire.Allow {
		return
	}
	not := Obeyed
	if d.Explicit {
		not = guardedPlaces
	}
	for i, op := range ops {
		if op.Places&not != 0 && op.Kind != umpire.Read {
			d.Add(umpire.Reason{Rule: "file-others-obey", Effect: umpire.Ask, Op: i, Text: "programs, agents or umpire obey this file: a person looks at each change"})
			return
		}
	}
}

// fits reports whether an approved change could be applied now. One that could not ends
// its request.
func (g *Gateway) fits(ctx context.Context, r *approval.Request) error {
	e, err := keptEffective(r)
	if err == nil {
		err = g.permitted(ctx, r, e)
	}
	if err != nil || len(e.Changes) == 0 && len(e.Was) == 0 && len(e.Files) == 0 {
		return err
	}
	var changed changedError
	if len(e.Was) > 0 {
		err = g.settingFits(ctx, e)
	} else if len(e.Changes) == 0 {
		err = g.scriptsHold(e)
	} else {
		t, opened := host.OpenTree(g.root)
		if opened != nil {
			return opened
		}
		defer t.Close()
		err = t.Fits(e.Changes)
	}
	var refused badInput // the machine's policy says something about it now
	if !errors.Is(err, host.ErrConflict) && !errors.Is(err, errStale) && !errors.As(err, &refused) && !errors.As(err, &changed) {
		return err
	}
	if _, ended := g.store.End(ctx, r.ID, approval.Conflict, err.Error()); ended != nil && !errors.Is(ended, approval.ErrSettled) {
		return ended
	}
	if changed.path != "" {
		return fault{http.StatusConflict, err.Error()}
	}
	return fault{http.StatusConflict, strings.TrimSuffix(err.Error(), ": nothing is applied") + ": nothing is written"}
}

// applyFiles carries out an approved set of changes.
func (g *Gateway) applyFiles(ctx context.Context, r *approval.Request, e *Effective) (status, problem string) {
	t, err := host.OpenTree(g.root)
	if err == nil {
		t.OnStep(g.at)
		err = t.Apply(ctx, r.ID, e.Changes)
		t.Close()
	}
	switch {
	case err == nil:
		return "completed", ""
	case errors.Is(err, host.ErrConflict):
		return "conflict", err.Error()
	}
	return "failed", err.Error()
}

type filesIn struct {
	Changes []changeIn `json:"changes"`
	Reason  string     `json:"reason,omitempty"`
	Session string     `json:"session,omitempty"`
	Key     string     `json:"key,omitempty"`
	Lease   int64      `json:"lease,omitempty"`
}

func (g *Gateway) postFiles(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in filesIn
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	if in.Changes == nil {
		return 0, nil, bad("there are no changes")
	}
	meta, err := json.Marshal(map[string]any{"changes": in.Changes})
	if err != nil {
		return 0, nil, err
	}
	return g.submitted(r.Context(), p, Submission{Category: approval.Filesystem, Reason: in.Reason, Metadata: meta, Session: in.Session, Key: in.Key, Lease: in.Lease})
}
