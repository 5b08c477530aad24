// Package static checks a snapshot without a model. It looks for text that is hidden or addresses
// reviewers, for files that start programs when a project is opened or built, and for files that do
// not belong in a tree. No model overrides its findings.
//
// Check runs every Rule over a snapshot and returns the findings; a Rule has examples, which the
// tests run. The author of the material is the adversary, so the checks believe none of its claims:
// a file that calls itself generated, vendored or a fixture is checked like any other.
package static

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// Rule is one check. Its ID never changes its meaning.
type Rule struct {
	ID       string // umpire/<category>/<name>
	Title    string
	Text     string // explanation, in full sentences
	Remedy   string
	CWE      string
	Severity finding.Severity
	Hits     []Example
	Misses   []Example
}

// Example is a file that a rule must report, or must not report.
type Example struct{ Path, Text string }

// Limits of findings.
const (
	maxPerFile = 5 // findings of one rule in one file; the last one has the number of the rest
	maxHits    = 20_000
	maxDetail  = 300
	window     = 1 << 20
	maxWhole   = 16 << 20 // bytes of a large file for checks that select files by name
)

// hit is one match of a rule.
type hit struct {
	rule     *Rule
	severity finding.Severity
	file     string
	line     int
	column   int
	detail   string // quoted from the material
	more     int
	sure     float64 // confidence in a judgment about text; 0 for a fact
}

// Rules lists all rules, by their IDs.
func Rules() []*Rule {
	all := slices.Concat(hiddenRules, injectionRules, agentRules, buildRules, workflowRules, secretRules, treeRules)
	slices.SortFunc(all, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Check checks a snapshot. Files that it could not check are findings, too.
func Check(ctx context.Context, s *snapshot.Snapshot) ([]finding.Reported, error) {
	k := &checker{s: s, links: map[string]string{}}
	for i := range s.Files {
		if f := &s.Files[i]; f.Kind == snapshot.Symlink && f.Digest != "" {
			b, err := s.Read(f)
			if err != nil {
				return nil, err
			}
			k.links[f.Path] = string(b)
		}
	}
	faults := &file{k: k}
	faults.faults(s.Faults)
	k.take(faults)
	var next atomic.Int64
	var wait sync.WaitGroup
	errs := make([]error, runtime.GOMAXPROCS(0))
	for n := range errs {
		wait.Go(func() {
			for errs[n] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(s.Files) {
					return
				}
				if errs[n] = ctx.Err(); errs[n] == nil {
					errs[n] = k.file(&s.Files[i])
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	k.assemble()
	if err := errors.Join(k.imports(), k.follow()); err != nil {
		return nil, err
	}
	return k.reported(), nil
}

// Unchecked reports whether a finding says that a check did not finish.
func Unchecked(r *finding.Reported) bool {
	return r.Rule == unchecked.ID || r.Rule == tooMany.ID || r.Rule == largeSettings.ID || r.Rule == unreadCommands.ID
}

// checker collects hits.
type checker struct {
	s        *snapshot.Snapshot
	commands atomic.Int64 // number of commands read
	scripts  atomic.Int64 // bytes of scripts that they run
	links    map[string]string
	through  atomic.Int64 // number of files checked again under the name of a link
	whole    sync.Mutex   // held while a large file is in memory completely

	mu        sync.Mutex
	hits      []hit
	parts     []part // files that are a piece of encoded text
	constants []constant
	referrals []pointer
	over      int // number of parts dropped
}

func (k *checker) take(f *file) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, h := range f.hits {
		if len(k.hits) >= maxHits && h.severity > finding.High {
			k.over++
			continue
		}
		if len(k.hits) >= 2*maxHits {
			k.over++
			continue
		}
		k.hits = append(k.hits, h)
	}
}

// reported sorts the hits, so that the same snapshot gives the same report.
func (k *checker) reported() []finding.Reported {
	slices.SortStableFunc(k.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), strings.Compare(a.rule.ID, b.rule.ID), strings.Compare(a.detail, b.detail))
	})
	list := make([]finding.Reported, 0, len(k.hits)+1)
	for i := range k.hits {
		list = append(list, k.hits[i].reported())
	}
	if k.commands.Load() > maxCommands {
		h := hit{rule: unreadCommands, severity: unreadCommands.Severity}
		list = append(list, h.reported())
	}
	if k.over > 0 {
		h := hit{rule: tooMany, severity: tooMany.Severity}
		list = append(list, h.reported())
	}
	return list
}

func (h *hit) reported() finding.Reported {
	sure := 1.0
	if h.sure > 0 {
		sure = h.sure
	}
	r := finding.Reported{
		Finding: finding.Finding{Type: finding.SecurityIssue, Severity: h.severity, Title: h.rule.Title, Description: strings.TrimSpace(h.rule.Text), Remediation: h.rule.Remedy, CWE: h.rule.CWE, Confidence: &sure},
		Rule:    h.rule.ID, Source: finding.Static, Taint: finding.Trusted, Flags: []finding.Flag{},
	}
	if h.file != "" {
		r.Location = &finding.Location{File: h.file, Line: h.line, Column: h.column}
	}
	if h.more > 0 {
		r.Description += " The file has more such places."
	}
	if h.detail != "" {
		r.Description += " Found: " + h.detail
		r.Taint = finding.Untrusted
	}
	return r
}

// file is one file while it is checked.
type file struct {
	k    *checker
	f    *snapshot.File
	path string
	base string // base name in lower case
	text string // the complete text, or a window of it
	line int    // number of lines before the window
	hits []hit
	many map[*Rule]int
}

// at reports a match at a byte offset in the text.
func (f *file) at(r *Rule, offset int, detail string) { f.place(r, r.Severity, offset, detail) }

// place is like at, with a separate severity. It returns the hit, or nil after maxPerFile hits.
func (f *file) place(r *Rule, s finding.Severity, offset int, detail string) *hit {
	line, column := 0, 0
	if f.many[r] < maxPerFile { // counting lines for a million matches would take hours
		offset = min(max(offset, 0), len(f.text))
		start := strings.LastIndexByte(f.text[:offset], '\n') + 1
		line = f.line + strings.Count(f.text[:offset], "\n") + 1
		column = utf8.RuneCountInString(f.text[start:offset]) + 1
	}
	return f.report(r, s, line, column, detail)
}

// on reports a match on a line; 0 means the whole file.
func (f *file) on(r *Rule, s finding.Severity, line int, detail string) {
	f.report(r, s, line, 0, detail)
}

func (f *file) report(r *Rule, s finding.Severity, line, column int, detail string) *hit {
	if f.many == nil {
		f.many = map[*Rule]int{}
	}
	f.many[r]++
	if f.many[r] > maxPerFile {
		for i := range f.hits { // the first hit gets the gravest severity
			if f.hits[i].rule == r {
				f.hits[i].more++
				f.hits[i].severity = min(f.hits[i].severity, s)
				break
			}
		}
		return nil
	}
	f.hits = append(f.hits, hit{rule: r, severity: s, file: f.path, line: line, column: column, detail: bounded.Clip(detail, maxDetail, "…")})
	return &f.hits[len(f.hits)-1]
}

// lineOf returns the first line with a text, or 0.
func (f *file) lineOf(text string) int {
	i := strings.Index(f.text, text)
	if i < 0 {
		return 0
	}
	return 1 + strings.Count(f.text[:i], "\n")
}

// code reports whether the file is a program, by its name.
func (f *file) code() bool {
	if anyof.Equal(path.Ext(f.base), "", ".md", ".txt", ".rst", ".adoc", ".html", ".htm", ".json", ".xml", ".csv", ".tsv", ".po", ".svg", ".strings", ".properties", ".yaml", ".yml", ".arb", ".xlf", ".golden", ".log", ".tex", ".snap") {
		return false
	}
	return f.f.Kind == snapshot.Regular
}

func (k *checker) file(sf *snapshot.File) error {
	f := &file{k: k, f: sf, path: sf.Path, base: strings.ToLower(path.Base(sf.Path))}
	defer func() {
		if p := recover(); p != nil { // probably an input that was crafted for it
			f.on(unchecked, unchecked.Severity, 0, "")
		}
		k.take(f)
	}()
	f.name()
	if sf.Kind == snapshot.Change { // the other files contain its added lines; the rest is old
		return nil
	}
	if sf.Digest == "" {
		f.absent()
		return nil
	}
	if sf.Kind == snapshot.Symlink {
		f.link(k.links[sf.Path])
		return f.linked()
	}
	f.surface()
	if sf.Large() {
		return f.windows()
	}
	b, err := k.s.Read(sf)
	if err != nil {
		return err
	}
	text, ok := wide(b)
	if !ok {
		text = string(b)
	}
	f.text = strings.TrimPrefix(text, "\ufeff") // like the programs that read settings
	if strings.HasPrefix(text, "version https://git-lfs.github.com/spec/") && strings.Contains(text, "\noid ") {
		f.on(lfsPointer, lfsPointer.Severity, 0, "")
	}
	if sf.Binary && !ok {
		f.binary(b) // not text; but programs that select files by name may read it all the same
	} else {
		f.words()
		f.fragment()
		f.defines()
	}
	f.named()
	return nil
}

// named runs the checks that select files by name and need the complete text. Programs read settings
// with a replacement character for each fault of the encoding, and so does umpire: one bad byte must
// not hide what a setting starts.
func (f *file) named() {
	f.text = strings.ToValidUTF8(f.text, "\ufffd")
	f.agent()
	f.build()
	f.workflow()
}

// words runs the checks on any text, one window at a time.
func (f *file) words() {
	f.hidden()
	f.injection()
	f.secrets()
}

// windows checks a file that is too large to be read at once.
func (f *file) windows() error {
	f.on(tooLarge, tooLarge.Severity, 0, "")
	r, err := f.k.s.Open(f.f.Digest)
	if err != nil {
		return err
	}
	buf := make([]byte, window)
	kept := 0
	first := true
	for {
		n, err := io.ReadFull(r, buf[kept:])
		n += kept
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return err
		}
		if first && f.f.Binary {
			f.binary(buf[:n])
			break
		}
		first = false
		whole := n
		if i := bytes.LastIndexByte(buf[:n], '\n'); i > 0 && !end {
			whole = i + 1
		}
		f.text = string(buf[:whole])
		f.words()
		f.line += strings.Count(f.text, "\n")
		if end {
			break
		}
		kept = copy(buf, buf[whole:n])
	}
	f.line, f.text = 0, ""
	if f.f.Size > maxWhole && (surfaceOf(f.path) != nil || strings.HasSuffix(f.base, ".json")) {
		f.on(largeSettings, largeSettings.Severity, 0, "")
	}
	f.k.whole.Lock()
	defer f.k.whole.Unlock()
	b, err := io.ReadAll(io.NewSectionReader(r, 0, maxWhole))
	f.text = string(b)
	f.named()
	f.text = ""
	return err
}

// wide decodes UTF-16, which looks binary but opens in editors.
func wide(b []byte) (string, bool) {
	if len(b) < 4 || len(b)%2 != 0 {
		return "", false
	}
	var order binary.ByteOrder
	switch {
	case b[0] == 0xff && b[1] == 0xfe:
		order = binary.LittleEndian
	case b[0] == 0xfe && b[1] == 0xff:
		order = binary.BigEndian
	default:
		return "", false
	}
	u := make([]uint16, 0, len(b)/2)
	for i := 2; i < len(b); i += 2 {
		u = append(u, order.Uint16(b[i:]))
	}
	return string(utf16.Decode(u)), true
}

var byID = sync.OnceValue(func() map[string]*Rule {
	m := map[string]*Rule{}
	for _, r := range Rules() {
		m[r.ID] = r
	}
	return m
})

// RuleOf returns a rule by its ID, or nil.
func RuleOf(id string) *Rule { return byID()[id] }
