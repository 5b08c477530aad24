package review

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/review/clean"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
	"github.com/umpire-dev/umpire/internal/review/static"
)

// Schema names the form of a Report.
const Schema = "umpire.review/1"

// MaxFindings is the default limit of findings in a report.
const MaxFindings = 200

// Report is the result of a review. Every string in it is sanitized.
type Report struct {
	Schema             string             `json:"schema"`
	ID                 string             `json:"id"`
	Complete           bool               `json:"complete"`
	IncompleteReasons  []string           `json:"incompleteReasons"`
	Target             snapshot.Target    `json:"target"`
	RiskLevel          finding.Severity   `json:"riskLevel"`
	Findings           []finding.Reported `json:"findings"`
	Omitted            int                `json:"findingsOmitted"` // number of the mildest findings above the limit
	RecommendedActions []string           `json:"recommendedActions"`
	Agents             []Agent            `json:"agents"`
	Security           map[string]int     `json:"security"`
	Files              []FileReport       `json:"files"`
	Isolation          []Layer            `json:"isolation"`

	worst *finding.Severity // worst of all findings that count, including omitted ones
}

// FileReport describes the reviewed part of one file.
type FileReport struct {
	Path     string   `json:"path"`
	Name     string   `json:"name,omitempty"` // in a closed report: the path, if it is harmless
	Digest   string   `json:"digest"`
	Reviewed Reviewed `json:"reviewed"`
	Why      string   `json:"why,omitempty"`
}

// Options are the user's settings.
type Options struct {
	MaxFindings int
	Imported    []finding.Reported // findings of other tools
	Known       Known              // findings of the baseline
	Taint       TaintChecker       // optional
}

// Known are the findings of an earlier report.
type Known interface {
	Has(r *finding.Reported) bool
}

// Raw is the models' output, by finding ID, encoded so that no program mistakes it for something
// else.
type Raw map[string]string

// Run checks a snapshot, lets the engine read it if there is one, and returns the report.
func Run(ctx context.Context, s *snapshot.Snapshot, e Engine, o Options) (*Report, Raw, error) {
	found, err := static.Check(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	var res *EngineResult
	if e != nil {
		if res, err = e.Review(ctx, s); err != nil {
			return nil, nil, err
		}
	}
	a := assembly{s: s, o: o, r: &Report{
		Schema: Schema, ID: newID(), IncompleteReasons: []string{}, Target: s.Target, RecommendedActions: []string{},
		Agents: []Agent{}, Security: map[string]int{}, Isolation: []Layer{}, Files: []FileReport{}, Findings: []finding.Reported{},
	}, raw: Raw{}}
	a.r.Target.Name = clean.Path(a.r.Target.Name)
	a.incomplete(s.Incomplete...)
	for i := range found {
		if static.Unchecked(&found[i]) {
			a.incomplete("a check did not finish")
		}
		a.add(found[i])
	}
	if res != nil {
		a.engine(res)
	}
	for _, f := range o.Imported {
		a.add(f)
	}
	a.files(res)
	a.finish()
	if o.Taint != nil {
		a.r.checkTaint(ctx, o.Taint)
	}
	return a.r, a.raw, nil
}

func newID() string {
	var b [5]byte
	rand.Read(b[:]) //nolint:errcheck // it never fails, says its documentation
	return hex.EncodeToString(b[:])
}

// Fails reports whether there is a finding at or above a severity.
func (r *Report) Fails(least finding.Severity) bool {
	return r.worst != nil && r.worst.Reaches(least)
}

// assembly builds a report.
type assembly struct {
	s    *snapshot.Snapshot
	o    Options
	r    *Report
	raw  Raw
	list []finding.Reported
	said []*finding.Finding // a model's original findings, parallel to list; nil for others

	file  string // file whose lines are loaded
	lines []string
}

func (a *assembly) incomplete(reasons ...string) {
	for _, r := range reasons {
		r, _ = clean.Line(r, clean.MaxAction)
		if !slices.Contains(a.r.IncompleteReasons, r) && len(a.r.IncompleteReasons) < 50 {
			a.r.IncompleteReasons = append(a.r.IncompleteReasons, r)
		}
	}
}

func (a *assembly) engine(res *EngineResult) {
	a.incomplete(res.Incomplete...)
	for i := range res.Findings {
		f := &res.Findings[i]
		r := finding.Reported{Finding: f.Finding, Source: finding.Model, Taint: finding.Untrusted, Rule: "umpire/model/" + strings.ReplaceAll(string(f.Type), "_", "-")}
		if f.CWE != "" {
			r.Rule = f.CWE
		}
		if f.Confirmed != nil && *f.Confirmed {
			r.Set(finding.Confirmed)
		} else if f.Confirmed != nil {
			r.Set(finding.Unconfirmed)
		}
		a.add(r)
		a.said[len(a.said)-1] = &f.Finding
	}
	a.r.RecommendedActions = clean.Actions(res.Actions, slices.ContainsFunc(a.list, func(r finding.Reported) bool {
		return r.Source == finding.Model && r.Has(finding.InjectedInstructions)
	}))
	for _, g := range res.Agents {
		g.ID, _ = clean.Line(g.ID, 100)
		g.Model, _ = clean.Line(g.Model, 100)
		a.r.Agents = append(a.r.Agents, g)
	}
	maps.Copy(a.r.Security, res.Security)
	a.r.Isolation = append(a.r.Isolation, res.Isolation...)
}

// add sanitizes a finding and locates it.
func (a *assembly) add(r finding.Reported) {
	r.Flags = slices.Clone(r.Flags)
	if r.Source != finding.Static { // only umpire sets flags
		r.Taint = finding.Untrusted
		r.Flags = slices.DeleteFunc(r.Flags, func(f finding.Flag) bool {
			return r.Source != finding.Model || f != finding.Confirmed && f != finding.Unconfirmed
		})
	}
	clean.Finding(&r)
	a.locate(&r)
	a.list = append(a.list, r)
	a.said = append(a.said, nil)
}

// locate keeps a location that exists in the snapshot, and drops any other.
func (a *assembly) locate(r *finding.Reported) {
	l := r.Location
	if l == nil {
		return
	}
	f, ok := a.s.File(l.File)
	if !ok && r.Source != finding.Static {
		r.Location = nil
		r.Set(finding.LocationInvalid)
		return
	}
	place := *l
	r.Location = &place
	if !ok { // a fault of a path without a file
		place.File = clean.Path(l.File)
		return
	}
	place.File = f.Path
	if place.Line < 0 || place.Line > max(f.Lines, 1) || f.Digest == "" && place.Line > 0 {
		r.Location = nil
		r.Set(finding.LocationInvalid)
		return
	}
	if place.Column < 0 || place.Line == 0 {
		place.Column = 0
	}
	if !f.Touched(place.Line) {
		r.Set(finding.PreExisting)
	}
}

// files returns how much of each file was read.
func (a *assembly) files(res *EngineResult) {
	unread := 0
	for i := range a.s.Files {
		f := &a.s.Files[i]
		x := FileReport{Path: clean.Path(f.Path), Digest: f.Digest, Reviewed: Full}
		switch {
		case f.Why != "":
			x.Reviewed, x.Why = None, f.Why
		case f.Binary:
			x.Reviewed, x.Why = None, "it is binary"
		case res != nil:
			c, ok := res.Read[f.Path]
			if !ok {
				c = Coverage{None, "no reviewer was given it"}
			}
			if c.Reviewed != Full && c.Reviewed != Partial {
				c.Reviewed = None
			}
			x.Reviewed = c.Reviewed
			x.Why, _ = clean.Line(c.Why, clean.MaxAction)
			if x.Reviewed == None {
				unread++
			}
		}
		a.r.Files = append(a.r.Files, x)
	}
	if unread > 0 {
		were := "files were"
		if unread == 1 {
			were = "file was"
		}
		a.incomplete(fmt.Sprintf("%d %s not read by a reviewer", unread, were))
	}
}

// finish merges, compares, sorts, grades and truncates the findings.
func (a *assembly) finish() {
	a.merge()
	byFile := a.order(func(p, q *finding.Reported) int { return strings.Compare(fileOf(p), fileOf(q)) })
	for _, i := range byFile { // visit each file once
		a.list[i].Fingerprint = a.fingerprint(&a.list[i])
	}
	a.ordinals()
	risk := finding.Low
	for i := range a.list {
		r := &a.list[i]
		if a.o.Known != nil && a.o.Known.Has(r) {
			r.Set(finding.Baseline)
		}
		if r.Location != nil {
			r.Location.File = clean.Path(r.Location.File)
		}
		r.Sure = r.Level()
		if r.Counts() {
			risk = min(risk, r.Severity)
			if a.r.worst == nil || r.Severity < *a.r.worst {
				a.r.worst = &r.Severity
			}
		}
	}
	if a.r.worst != nil {
		w := *a.r.worst // the list is sorted below
		a.r.worst = &w
	}
	a.r.RiskLevel = risk
	order := a.order(func(p, q *finding.Reported) int {
		return cmp.Or(boolFirst(p.Counts(), q.Counts()), cmp.Compare(p.Severity, q.Severity), boolFirst(!p.Has(finding.LocationInvalid), !q.Has(finding.LocationInvalid)), strings.Compare(p.Place(), q.Place()), strings.Compare(p.Rule, q.Rule))
	})
	most := a.o.MaxFindings
	if most <= 0 {
		most = MaxFindings
	}
	left := a.shares(most)
	for _, i := range order {
		r := a.list[i]
		if left[r.Source == finding.Static]--; left[r.Source == finding.Static] < 0 {
			continue
		}
		r.ID = fmt.Sprintf("%s-%d", a.r.ID, len(a.r.Findings)+1)
		if said := a.said[i]; said != nil {
			if b, err := json.Marshal(said); err == nil { // cannot fail for a finding
				a.raw[r.ID] = base64.StdEncoding.EncodeToString(b)
			}
		}
		a.r.Findings = append(a.r.Findings, r)
	}
	a.r.Omitted = len(a.list) - len(a.r.Findings)
	a.r.Complete = len(a.r.IncompleteReasons) == 0
}

// shares returns how many of umpire's findings (true) and of others (false) to keep. Neither may
// use more than half of the limit if both are many. A tree can cause any number of umpire's mild
// findings, and can make a model write any number of grave ones.
func (a *assembly) shares(most int) map[bool]int {
	own := 0
	for i := range a.list {
		if a.list[i].Source == finding.Static {
			own++
		}
	}
	others := len(a.list) - own
	own = min(own, max(most-others, most/2))
	return map[bool]int{true: own, false: most - own}
}

// order sorts the list.
func (a *assembly) order(by func(p, q *finding.Reported) int) []int {
	order := make([]int, len(a.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return by(&a.list[x], &a.list[y]) })
	return order
}

func fileOf(r *finding.Reported) string {
	if r.Location == nil {
		return ""
	}
	return r.Location.File
}

func boolFirst(p, q bool) int {
	switch {
	case p == q:
		return 0
	case p:
		return -1
	}
	return 1
}
