package review

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// engine returns a result or an error.
type engine struct {
	res *EngineResult
	err error
}

func (e engine) Review(context.Context, *snapshot.Snapshot) (*EngineResult, error) {
	return e.res, e.err
}

// titled knows findings by their titles.
type titled string

func (k titled) Has(r *finding.Reported) bool { return strings.Contains(r.Title, string(k)) }

func (k titled) Steers(_ context.Context, f *finding.Finding) bool {
	return strings.Contains(f.Title, string(k))
}

// outline writes a report without what changes from run to run.
func outline(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s complete=%v risk=%s omitted=%d critical=%v high=%v\n", r.Schema, r.Complete, r.RiskLevel, r.Omitted, r.Fails(finding.Critical), r.Fails(finding.High))
	for _, s := range r.IncompleteReasons {
		fmt.Fprintf(&b, "incomplete: %s\n", s)
	}
	for _, f := range r.Files {
		fmt.Fprintf(&b, "file %s %v %s %s\n", f.Path, f.Digest != "", f.Reviewed, f.Why)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		steers := "unchecked"
		if f.Steers != nil {
			steers = fmt.Sprint(*f.Steers)
		}
		fmt.Fprintf(&b, "%s: %s %s %s %s %q at %q %v steers=%s\n", strings.TrimPrefix(f.ID, r.ID+"-"), f.Source, f.Rule, f.Severity, f.Sure, f.Title, f.Place(), f.Flags, steers)
	}
	fmt.Fprintf(&b, "actions %q\nagents %+v\nsecurity %v\nisolation %+v\n", r.RecommendedActions, r.Agents, r.Security, r.Isolation)
	return b.String()
}

// A report has each finding once, where it is, graded by the gravest that counts, and says how much
// of each file was read. A model confirms, claims and invents; only what umpire can check stays.
func TestReportOfAnEngine(t *testing.T) {
	s := frozen(t, map[string]string{"a.py": "x = 1\n\n  y = 2\nz = 3\n", "b.bin": "\x00\x01\x02", "c.py": "c = 1\n", "d.py": "d = 1\n", "e.py": "e = 1\n", "f.py": "f = 1\n"})
	yes, no := true, false
	at := func(file string, line int) *finding.Location { return &finding.Location{File: file, Line: line} }
	found := func(title string, severity finding.Severity, l *finding.Location, confirmed *bool) Found {
		return Found{Finding: finding.Finding{Type: finding.SecurityIssue, Severity: severity, Title: title, Description: "d", Location: l}, Agent: "1", Confirmed: confirmed}
	}
	res := &EngineResult{
		Findings: []Found{
			found("First thing", finding.Medium, at("a.py", 1), &no),
			found("first THING!", finding.High, at("a.py", 1), &yes), // the same in other letters
			found("Other line", finding.Low, at("a.py", 3), nil),
			found("Beyond the end", finding.High, at("a.py", 99), nil),
			found("Before the start", finding.Low, at("a.py", -1), nil),
			found("No such file", finding.Low, at("none.py", 1), nil),
			found("Nowhere", finding.Low, nil, nil),
			found("In a binary", finding.Low, at("b.bin", 0), nil),
			found("Known already", finding.Critical, at("c.py", 1), nil),
			found("Steers its reader", finding.Low, at("d.py", 1), nil),
		},
		Actions: append(make([]string, 3), "do this\x1b", "and that"), Security: map[string]int{"denied": 2}, Incomplete: []string{"it stopped", "it stopped"},
		Agents: []Agent{{ID: "1\x1b", Model: strings.Repeat("m", 200), ToolCalls: 1}}, Isolation: []Layer{{Name: "landlock", State: "on"}},
		Read: map[string]Coverage{"a.py": {Full, ""}, "c.py": {Partial, "the rest is long\x1b"}, "d.py": {Reviewed("all"), "it says so"}, "b.bin": {Full, ""}, "f.py": {None, "no time"}},
	}
	res.Findings = append(res.Findings, Found{Finding: finding.Finding{Type: finding.Other, Severity: finding.Low, Title: "By its number", CWE: "CWE-79", Description: "d", Location: at("a.py", 3)}},
		Found{Finding: finding.Finding{Type: finding.Other, Severity: finding.Low, Title: "By its number, in other words", CWE: "CWE-79", Description: "d", Location: at("a.py", 3)}})
	r, raw, err := Run(t.Context(), s, engine{res: res}, Options{Known: titled("Known"), Taint: titled("Steers")})
	if err != nil {
		t.Fatal(err)
	}
	want := `umpire.review/1 complete=false risk=high omitted=0 critical=false high=true
incomplete: it stopped
incomplete: 3 files were not read by a reviewer
file a.py true full 
file b.bin true none it is binary
file c.py true partial the rest is long
file d.py true none it says so
file e.py true none no reviewer was given it
file f.py true none no time
1: model umpire/model/security-issue high  "First thing" at "a.py:1" [unconfirmed confirmed] steers=false
2: model umpire/model/security-issue high  "Beyond the end" at "" [location-invalid] steers=false
3: model umpire/model/security-issue low  "Nowhere" at "" [] steers=false
4: model CWE-79 low  "By its number" at "a.py:3" [] steers=false
5: model umpire/model/security-issue low  "Other line" at "a.py:3" [] steers=false
6: model umpire/model/security-issue low  "In a binary" at "b.bin" [] steers=false
7: static umpire/tree/binary low high "A binary file" at "b.bin" [] steers=unchecked
8: model umpire/model/security-issue low  "Steers its reader" at "d.py:1" [] steers=true
9: model umpire/model/security-issue low  "Before the start" at "" [location-invalid] steers=false
10: model umpire/model/security-issue low  "No such file" at "" [location-invalid] steers=false
11: model umpire/model/security-issue critical  "Known already" at "c.py:1" [baseline] steers=false
actions ["do this" "and that"]
agents [{ID:1 Model:` + strings.Repeat("m", 99) + `… ToolCalls:1 DeniedCalls:0 Tokens:0 CachedTokens:0 Duration:0 Exit:}]
security map[denied:2]
isolation [{Name:landlock State:on Why:}]
`
	if got := outline(r); got != want {
		t.Errorf("the report is\n%s\nwant\n%s", got, want)
	}
	for id, text := range raw {
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !strings.HasPrefix(id, r.ID+"-") || !strings.Contains(string(b), `"title":"`) {
			t.Errorf("what a model said of %s is %s, %v", id, b, err)
		}
	}
	if len(raw) != len(r.Findings)-1 { // one is umpire's
		t.Errorf("what the models said is kept of %d findings, want %d", len(raw), len(r.Findings)-1)
	}
	prints := map[string]string{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if other, ok := prints[f.Fingerprint]; ok || f.Fingerprint == "" {
			t.Errorf("%q and %q have one fingerprint", f.Title, other)
		}
		prints[f.Fingerprint] = f.Title
	}
	again, _, err := Run(t.Context(), s, engine{res: res}, Options{MaxFindings: 2})
	if err != nil || len(again.Findings) != 2 || again.Findings[0].Severity != finding.Critical || again.Omitted != len(r.Findings)-2 || again.RiskLevel != finding.Critical {
		t.Errorf("two findings of the report are %+v, %v", again, err)
	}
	c := r.Closed()
	if text, err := json.Marshal(c); err != nil || strings.Contains(string(text), "thing") || strings.Contains(string(text), "do this") || strings.Contains(string(text), "mmmm") || strings.Contains(string(text), "no time") {
		t.Errorf("the closed report tells what others wrote: %s, %v", text, err)
	}
	for i := range c.Findings {
		if f := &c.Findings[i]; !f.Has(finding.TextWithheld) || f.Rule != r.Findings[i].Rule {
			t.Errorf("the closed report has %+v of %+v", f, r.Findings[i])
		}
	}
	if r, raw, err := Run(t.Context(), s, engine{err: errors.New("no model")}, Options{}); r != nil || raw != nil || err == nil || err.Error() != "no model" {
		t.Errorf("with an engine that fails: got %+v, %v, %v, want only its error", r, raw, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if r, _, err := Run(gone, s, nil, Options{}); r != nil || err == nil {
		t.Errorf("after it is given up: got %+v, %v, want an error", r, err)
	}
}
