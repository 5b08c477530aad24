package policyfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/regular"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

// Paths are the files of the layers.
type Paths = snapshot.Layers

// Loaded are the merged layers.
type Loaded struct {
	Source   policy.Source
	Judge    Judge
	Audit    Audit
	Approval Approval
	Box      Box       // the lowest limits of all files
	Files    []*File   // existing files, the strongest layer first
	Looked   []string  // every path that the result depends on, whether it exists or not
	Warnings []Warning // parts that were left out, and why
	LeftOut  Errors    // faults of untrusted files, for which Load left out the file; each is also a warning
}

// Warning is a part of a policy file that was left out, or that may surprise its author.
type Warning = policy.Warning

// Load reads and merges the layers, with packs below all of them.
//
// A managed or user file with a fault is an error. A faulty project file that the user does not
// trust is left out with a warning, because it can only tighten. If it could prevent loading,
// the agent, which can write it, could switch the policy off.
func Load(p Paths, packs []*Pack) (*Loaded, error) {
	l := &loader{out: &Loaded{}}
	l.layer(p.Managed, policy.Managed)
	l.dir(p.ManagedDir)
	l.layer(p.User, policy.User)
	l.project(p)
	l.untrustedUserFile(p.Claimed)
	return l.join(packs) // also after a fault, to report those between the files
}

// Join merges parsed policy files, the strongest first, with packs below all of them.
func Join(files []*File, packs []*Pack) (*Loaded, error) {
	l := &loader{out: &Loaded{Files: files}}
	return l.join(packs)
}

func (l *loader) join(packs []*Pack) (*Loaded, error) {
	l.merge(packs)
	if len(l.errs) > 0 {
		return nil, l.errs.sorted()
	}
	l.neverMatching()
	return l.out, nil
}

// Compile loads the layers and compiles them.
func Compile(p Paths, packs []*Pack) (*policy.Policy, *Loaded, error) {
	l, err := Load(p, packs)
	if err != nil {
		return nil, nil, err
	}
	c, err := policy.Compile(l.Source)
	if err != nil {
		return nil, nil, fromPolicy(err)
	}
	l.Warnings = append(l.Warnings, c.Warnings()...)
	return c, l, nil
}

type loader struct {
	out  *Loaded
	errs Errors
}

func (l *loader) warn(pos policy.Pos, format string, args ...any) {
	l.out.Warnings = append(l.out.Warnings, Warning{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// longest is the longest time that the hook takes for the judge or for people: clients give up
// after a minute.
const longest = 50 * time.Second

// longer warns of a time that counts as less.
func (l *loader) longer(f *File, key string, d time.Duration) {
	if d > longest {
		l.warn(policy.Pos{File: f.Path}, "%s: %s counts as %s, the longest time that a hook may take", key, plural.Duration(d), plural.Duration(longest))
	}
}

func (l *loader) add(err error) {
	var es Errors
	if errors.As(err, &es) {
		l.errs = append(l.errs, es...)
		return
	}
	l.errs = append(l.errs, &SourceError{Msg: err.Error()})
}

// read returns the content of a file, or nil if it does not exist.
func (l *loader) read(path string) ([]byte, error) {
	l.out.Looked = append(l.out.Looked, path)
	return readFile(path)
}

var errNowhere = errors.New("the file is a link to a file that does not exist")

// readFile reads a regular file, or at most one byte more than MaxFile of it.
func readFile(path string) ([]byte, error) {
	f, _, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
			return nil, errNowhere // a broken link means missing rules, unlike a missing file
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if data == nil {
		data = []byte{}
	}
	return data, err
}

func (l *loader) layer(path string, layer policy.Layer) {
	if path == "" {
		return
	}
	data, err := l.read(path)
	if err != nil {
		l.add(unreadable(path, err))
		return
	}
	if data == nil {
		return
	}
	l.parse(path, data, layer)
}

// unreadable names the file once, although most errors name it, too.
func unreadable(path string, err error) *SourceError {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &SourceError{File: path, Msg: strings.TrimPrefix(err.Error(), path+" "), Hint: "make it readable or remove it"}
}

func (l *loader) parse(path string, data []byte, layer policy.Layer) {
	f, es := parse(path, data, layer)
	l.errs, l.out.Files = append(l.errs, es...), append(l.out.Files, f)
}

// dir reads the managed folder, in alphabetical order.
func (l *loader) dir(path string) {
	if path == "" {
		return
	}
	l.out.Looked = append(l.out.Looked, path)
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.add(unreadable(path, err))
		return
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".yaml") && !strings.HasPrefix(e.Name(), ".") {
			l.layer(filepath.Join(path, e.Name()), policy.Managed)
		}
	}
}

func (l *loader) project(p Paths) {
	if p.Project == "" {
		return
	}
	data, err := l.read(p.Project)
	if p.Trust != "" {
		l.out.Looked = append(l.out.Looked, p.Trust)
	}
	trusted := false
	if err == nil && data != nil {
		var fault error
		if trusted, fault = Trusted(p.Trust, p.Project, data); fault != nil {
			l.warn(policy.Pos{File: p.Project}, "not trusted: %v", fault)
		}
	}
	if !trusted {
		l.untrusted("the project's policy", p.Project, data, err)
		return
	}
	l.parse(p.Project, data, policy.ProjectTrusted)
}

// untrustedUserFile reads the user's file according to the environment, if that is not trusted.
func (l *loader) untrustedUserFile(path string) {
	if path == "" {
		return
	}
	data, err := l.read(path)
	l.untrusted("a policy that only the environment names", path, data, err)
}

// untrusted adds a file that can only tighten, as read returned it. It leaves out a file that
// cannot be read or has a fault.
func (l *loader) untrusted(what, path string, data []byte, err error) {
	var f *File
	var es Errors
	switch {
	case err != nil:
		err = Errors{{File: path, Msg: err.Error()}}
	case data == nil:
		return
	default:
		f, err = Parse(path, data, policy.Project)
	}
	switch {
	case errors.As(err, &es):
		l.out.LeftOut = append(l.out.LeftOut, es...)
		for _, e := range es {
			l.warn(policy.Pos{File: e.File, Line: e.Line, Col: e.Col}, "%s is left out: %s", what, e.Msg)
		}
	case err != nil:
		l.add(err)
	default:
		l.out.Files = append(l.out.Files, f)
	}
}

// merge merges the files. The strongest layer with a setting wins, except that an untrusted project
// may make it stricter.
func (l *loader) merge(packs []*Pack) {
	src := &l.out.Source
	src.Default = umpire.Allow
	src.Modes = map[umpire.Kind]policy.Mode{}
	var use []Located
	var haveDefault, haveAuto, havePacks, haveJudge, haveAudit, haveMode, haveApproval, haveGuard bool
	locked := false // a project may turn off packs, but not their locked rules
	for _, f := range l.out.Files {
		src.Rules = append(src.Rules, f.Rules...)
		src.Programs += encodePrograms(f.Programs)
		l.hardened(f)
		for _, d := range f.Disable {
			src.Disabled = append(src.Disabled, policy.Disable{Rule: d.Text, Layer: f.Layer, Pos: d.Pos})
		}
		for _, d := range f.Observe {
			src.Disabled = append(src.Disabled, policy.Disable{Rule: d.Text, Layer: f.Layer, Pos: d.Pos, Observe: true})
		}
		for _, e := range f.AllowedEndpoints {
			src.AllowedEndpoints = append(src.AllowedEndpoints, policy.Endpoint{Host: e.Text, Layer: f.Layer, Pos: e.Pos})
		}
		if f.Box != nil {
			l.out.Box.tighten(f.Box)
		}
		if f.Layer == policy.Project {
			l.tighten(f, &use, havePacks)
			continue
		}
		if f.Default != nil && !haveDefault {
			src.Default, haveDefault = *f.Default, true
		}
		if f.AutoApprove != nil && !haveAuto {
			src.AutoApprove, haveAuto = *f.AutoApprove, true
		}
		if f.Packs != nil && !havePacks {
			use, havePacks = f.Packs, true
			locked = f.Layer < policy.User
		}
		for k, m := range f.Modes {
			if _, ok := src.Modes[k]; !ok {
				src.Modes[k] = m
			}
		}
		if f.Judge != nil && !haveJudge {
			l.out.Judge, haveJudge = *f.Judge, true
			l.longer(f, "judge.timeout", f.Judge.Timeout)
		}
		if f.Audit != nil && !haveAudit {
			l.out.Audit, haveAudit = *f.Audit, true
		}
		if f.Mode != nil && !haveMode {
			src.Observe, haveMode = *f.Mode == Observe, true
		}
		if f.Guard != nil && !haveGuard {
			src.ToolOutput, src.Prompts, haveGuard = f.Guard.ToolOutput, f.Guard.Prompts, true
		}
		if f.Approval != nil && !haveApproval {
			l.out.Approval, haveApproval = *f.Approval, true
			l.longer(f, "approval.wait", f.Approval.Wait)
			if g := f.Approval.Gateway; g != nil {
				if err := g.check(); err != nil {
					l.add(&SourceError{File: f.Path, Msg: err.Error()})
				}
			}
		}
	}
	if j := &l.out.Judge; j.Enabled {
		if src.Judge.Scope = j.Scope; j.Scope == policy.ScopeNone {
			src.Judge.Scope = policy.ScopeRisky
		}
		src.Judge.Ambiguous = slices.Contains(j.MayAllow, Ambiguous)
	}
	src.CannotAsk = l.out.Approval.CannotAsk
	if g := l.out.Approval.Gateway; g != nil {
		src.CannotAsk, src.AskFirst = policy.AskWait, g.Always
	}
	src.Audit = policy.Audit{MaxSize: l.out.Audit.MaxSize, Keep: l.out.Audit.Keep}
	l.packs(packs, use, havePacks, locked)
}

// hardened warns about modes that do not do what their names say.
func (l *loader) hardened(f *File) {
	for _, k := range slices.Sorted(maps.Keys(f.Modes)) {
		m := f.Modes[k]
		var why string
		switch {
		case m == policy.AllowAll && policy.Hardened(k):
			why = fmt.Sprintf("counts as approve-each: umpire never allows all operations of kind %s, and asks about each one that no rule settles; write allow rules instead", k)
		case m == policy.ApproveBulk:
			why = "asks as approve-each does: agents ask one question at a time"
		default:
			continue
		}
		l.warn(policy.Pos{File: f.Path}, "modes: %s: %s %s", k, m, why)
	}
}

// tighten applies the parts of an untrusted project file that make the policy stricter, and warns
// about the rest. Files come strongest first, so the other layers are already merged.
func (l *loader) tighten(f *File, use *[]Located, havePacks bool) {
	src := &l.out.Source
	pos := policy.Pos{File: f.Path}
	const only = "a project file can only tighten until you trust it; run `umpire trust`"
	if f.Default != nil {
		if *f.Default > src.Default {
			l.warn(pos, "defaultAction: %s left out: %s", *f.Default, only)
		}
		src.Default = min(src.Default, *f.Default)
	}
	if f.AutoApprove != nil {
		if *f.AutoApprove {
			l.warn(pos, "autoApprove left out: %s", only)
		} else {
			src.AutoApprove = false
		}
	}
	if havePacks {
		*use = append(slices.Clip(*use), f.Packs...) // more packs mean more rules
	} else if f.Packs != nil {
		l.warn(pos, "packs left out, all are in use: %s", only)
	}
	for k, m := range f.Modes {
		if strictness(m, src.Default) < strictness(src.Modes[k], src.Default) {
			src.Modes[k] = m
		} else if m != src.Modes[k] {
			l.warn(pos, "mode %s of %s left out: %s", m, k, only)
		}
	}
	if f.Judge != nil || f.Audit != nil || f.Approval != nil {
		l.warn(pos, "judge, audit and approval left out: %s", only)
	}
	if f.Guard != nil {
		if f.Guard.ToolOutput > src.ToolOutput {
			l.warn(pos, "guard.toolOutput: %s left out: %s", f.Guard.ToolOutput, only)
		}
		src.ToolOutput = min(src.ToolOutput, f.Guard.ToolOutput)
		src.Prompts = src.Prompts || f.Guard.Prompts
	}
	if f.Mode != nil {
		if *f.Mode == Observe {
			l.warn(pos, "mode: observe left out: %s", only)
		} else {
			src.Observe = false
		}
	}
}

func strictness(m policy.Mode, fallback umpire.Effect) umpire.Effect {
	switch m {
	case policy.ApproveEach, policy.ApproveBulk:
		return umpire.Ask
	case policy.AllowAll:
		return umpire.Allow
	case policy.DenyAll:
		return umpire.Deny
	}
	return fallback
}

// packs adds the rules of the packs in use.
func (l *loader) packs(packs []*Pack, use []Located, chosen, locked bool) {
	names := make([]string, len(packs))
	for i, p := range packs {
		names[i] = p.Name
	}
	for _, u := range use {
		if slices.Contains(names, u.Text) {
			continue
		}
		hint := didYouMean(u.Text, names)
		if i := slices.IndexFunc(l.out.Files, func(f *File) bool { return f.Path == u.Pos.File }); i >= 0 && l.out.Files[i].Layer == policy.Project {
			l.warn(u.Pos, "there is no pack %q; %s", u.Text, hint)
			continue
		}
		l.errs = append(l.errs, &SourceError{File: u.Pos.File, Line: u.Pos.Line, Col: u.Pos.Col, Msg: fmt.Sprintf("there is no pack %q", u.Text), Hint: hint})
	}
	for _, p := range packs {
		if !chosen || slices.ContainsFunc(use, func(u Located) bool { return u.Text == p.Name }) {
			l.out.Source.Rules = append(l.out.Source.Rules, p.Rules...)
			continue
		}
		for _, r := range p.Rules {
			if locked && r.Locked {
				l.out.Source.Rules = append(l.out.Source.Rules, r)
			}
		}
	}
	// Disabling a rule of a pack that is not in use is not worth a warning.
	off := l.out.Source.Disabled[:0:0]
	var ids []string
	for _, r := range l.out.Source.Rules {
		ids = append(ids, r.ID)
	}
	for _, d := range l.out.Source.Disabled {
		known := false
		for _, p := range packs {
			known = known || slices.ContainsFunc(p.Rules, func(r policy.Rule) bool { return r.ID == d.Rule })
		}
		inUse := slices.Contains(ids, d.Rule)
		if near := nearest.Word(d.Rule, ids); !known && !inUse && near != "" {
			l.warn(d.Pos, "there is no such rule to %s: %q; did you mean %s?", map[bool]string{false: "disable", true: "observe"}[d.Observe], d.Rule, near)
		} else if !known || inUse {
			off = append(off, d)
		}
	}
	l.out.Source.Disabled = off
}
