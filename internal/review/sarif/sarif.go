// Package sarif writes a review as SARIF 2.1.0, and reads the SARIF of other tools, which is
// untrusted.
package sarif

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

// Limits of hosting services.
const (
	maxResults    = 5000
	maxCompressed = 10 << 20
	maxRead       = 32 << 20
)

// Print is the name of umpire's fingerprint in SARIF.
const Print = "umpireReview/v1"

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool         `json:"tool"`
	Automation  *automation  `json:"automationDetails,omitempty"`
	Invocations []invocation `json:"invocations,omitempty"`
	ColumnKind  string       `json:"columnKind,omitempty"`
	Results     []result     `json:"results"`
}

type automation struct {
	ID string `json:"id"`
}

type tool struct {
	Driver     driver   `json:"driver"`
	Extensions []driver `json:"extensions,omitempty"`
}

type driver struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Rules   []rule `json:"rules,omitempty"`
}

type rule struct {
	ID         string         `json:"id"`
	Short      *message       `json:"shortDescription,omitempty"`
	Full       *message       `json:"fullDescription,omitempty"`
	Help       *message       `json:"help,omitempty"`
	Default    *configuration `json:"defaultConfiguration,omitempty"`
	Properties map[string]any `json:"properties,omitempty"`
}

type configuration struct {
	Level string `json:"level,omitempty"`
}

type message struct {
	Text string `json:"text"`
}

type result struct {
	RuleID       string            `json:"ruleId,omitempty"`
	RuleIndex    *int              `json:"ruleIndex,omitempty"`
	Level        string            `json:"level,omitempty"`
	Kind         string            `json:"kind,omitempty"`
	Message      message           `json:"message"`
	Locations    []location        `json:"locations,omitempty"`
	Prints       map[string]string `json:"partialFingerprints,omitempty"`
	Baseline     string            `json:"baselineState,omitempty"`
	Suppressions []json.RawMessage `json:"suppressions,omitempty"`
	Properties   map[string]any    `json:"properties,omitempty"`
}

type location struct {
	Physical *physical `json:"physicalLocation,omitempty"`
}

type physical struct {
	Artifact *artifact `json:"artifactLocation,omitempty"`
	Region   *region   `json:"region,omitempty"`
}

type artifact struct {
	URI  string `json:"uri,omitempty"`
	Base string `json:"uriBaseId,omitempty"`
}

type region struct {
	Line   int `json:"startLine,omitempty"`
	Column int `json:"startColumn,omitempty"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level   string  `json:"level"`
	Message message `json:"message"`
}

var levels = [...]string{"error", "error", "warning", "note"}

var scores = [...]string{"9.5", "8.0", "5.5", "3.0"}

// Write writes a report as one run. Messages are plain text.
func Write(w io.Writer, r *review.Report, version string) error {
	list := r.Findings[:min(len(r.Findings), maxResults)]
	for {
		b, err := encode(r, list, version)
		if err != nil {
			return err
		}
		if fits(b) || len(list) == 0 {
			_, err = w.Write(b)
			return err
		}
		list = list[:len(list)/2] // keep the gravest
	}
}

func fits(b []byte) bool {
	if len(b) < maxCompressed {
		return true
	}
	var size counter
	z := gzip.NewWriter(&size)
	if _, err := z.Write(b); err != nil || z.Close() != nil {
		return false
	}
	return int(size) <= maxCompressed
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func encode(r *review.Report, list []finding.Reported, version string) ([]byte, error) {
	out := run{
		Tool:       tool{Driver: driver{Name: "umpire", Version: version}},
		Automation: &automation{ID: "umpire/review/" + r.Target.Kind + "/"},
		ColumnKind: "unicodeCodePoints", Results: []result{},
	}
	call := invocation{Successful: r.Complete}
	for _, why := range r.IncompleteReasons {
		call.Notifications = append(call.Notifications, notification{"warning", message{"The review is incomplete: " + why}})
	}
	if n := r.Omitted + len(r.Findings) - len(list); n > 0 {
		call.Notifications = append(call.Notifications, notification{"warning", message{fmt.Sprintf("milder findings left out: %d", n)}})
	}
	out.Invocations = []invocation{call}
	index := map[string]int{}
	worst := []finding.Severity{}
	for i := range list {
		f := &list[i]
		n, ok := index[f.Rule]
		if !ok {
			n = len(out.Tool.Driver.Rules)
			index[f.Rule] = n
			out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, ruleOf(f))
			worst = append(worst, f.Severity)
		}
		worst[n] = min(worst[n], f.Severity)
		out.Results = append(out.Results, resultOf(f, n))
	}
	for i, s := range worst {
		x := &out.Tool.Driver.Rules[i]
		x.Default = &configuration{levels[s]}
		x.Properties = map[string]any{"security-severity": scores[s], "tags": []string{"security"}}
	}
	b, err := json.MarshalIndent(log{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []run{out}}, "", " ")
	return append(b, '\n'), err
}

func ruleOf(f *finding.Reported) rule {
	text := "A weakness that a model reported"
	if f.Source == finding.Static {
		text = f.Title
	} else if f.Source == finding.Import {
		text = "A finding of another tool"
	}
	return rule{ID: f.Rule, Short: &message{text}}
}

func resultOf(f *finding.Reported, n int) result {
	text := f.Description
	if f.Title != "" {
		text = f.Title + "\n\n" + text
	}
	if f.Remediation != "" {
		text += "\n\nRemedy: " + f.Remediation
	}
	x := result{
		RuleID: f.Rule, RuleIndex: &n, Level: levels[min(int(f.Severity), len(levels)-1)], Message: message{escape(text)}, Prints: map[string]string{Print: f.Fingerprint},
		Properties: map[string]any{"id": f.ID, "severity": f.Severity.String(), "type": string(f.Type), "source": string(f.Source), "taint": string(f.Taint), "flags": f.Flags},
	}
	if f.Confidence != nil {
		x.Properties["confidence"] = *f.Confidence
		x.Properties["confidenceLevel"] = string(f.Level())
	}
	if f.Steers != nil {
		x.Properties["steers"] = *f.Steers
	}
	if f.Has(finding.Baseline) || f.Has(finding.PreExisting) {
		x.Baseline = "unchanged"
	}
	if l := f.Location; l != nil {
		p := &physical{Artifact: &artifact{URI: uri(l.Name()), Base: "%SRCROOT%"}}
		if l.Line > 0 {
			p.Region = &region{Line: l.Line, Column: l.Column}
		}
		x.Locations = []location{{p}}
	}
	return x
}

// escape prevents a text from being read as one with placeholders. It contains no links.
func escape(s string) string { return placeholder().ReplaceAllString(s, "{{$1}}") }

var placeholder = lazy.Regexp(`\{([0-9]+)\}`)

// uri returns a relative path as a URI reference.
func uri(p string) string {
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	if strings.Contains(parts[0], ":") { // it would be read as a scheme
		parts[0] = strings.ReplaceAll(parts[0], ":", "%3A")
	}
	return strings.Join(parts, "/")
}

// Read reads findings from the SARIF of any tool. It skips results that are suppressed, passed or
// absent.
func Read(in io.Reader) ([]finding.Reported, error) {
	b, err := io.ReadAll(io.LimitReader(in, maxRead+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxRead {
		return nil, fmt.Errorf("the SARIF file is larger than %d MiB", maxRead>>20)
	}
	var l log
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &l); err != nil {
		return nil, fmt.Errorf("it is not SARIF: %w", err)
	}
	if l.Version != "2.1.0" {
		return nil, errors.New("it is not SARIF of version 2.1.0")
	}
	list := []finding.Reported{}
	for i := range l.Runs {
		r := &l.Runs[i]
		rules := map[string]*rule{}
		for j := range r.Tool.Driver.Rules {
			rules[r.Tool.Driver.Rules[j].ID] = &r.Tool.Driver.Rules[j]
		}
		for j := range r.Results {
			x := &r.Results[j]
			if len(x.Suppressions) > 0 || x.Kind != "" && x.Kind != "fail" || x.Baseline == "absent" {
				continue
			}
			if len(list) == maxResults {
				return nil, fmt.Errorf("the SARIF file has more than %d results", maxResults)
			}
			list = append(list, x.reported(r, rules))
		}
	}
	return list, nil
}

func (x *result) reported(r *run, rules map[string]*rule) finding.Reported {
	f := finding.Reported{Source: finding.Import, Taint: finding.Untrusted, Rule: x.RuleID, Fingerprint: x.Prints[Print]}
	if f.Rule == "" && x.RuleIndex != nil && *x.RuleIndex >= 0 && *x.RuleIndex < len(r.Tool.Driver.Rules) {
		f.Rule = r.Tool.Driver.Rules[*x.RuleIndex].ID
	}
	about := rules[f.Rule]
	f.Type, f.Description, f.Severity = finding.SecurityIssue, x.Message.Text, x.severity(about)
	f.Description = cmp.Or(f.Description, f.Rule)
	if about != nil && about.Short != nil {
		f.Title = about.Short.Text
	}
	if strings.HasPrefix(f.Rule, "CWE-") {
		f.CWE = f.Rule
	}
	if len(x.Locations) > 0 && x.Locations[0].Physical != nil && x.Locations[0].Physical.Artifact != nil {
		p := x.Locations[0].Physical
		if name, err := url.PathUnescape(strings.TrimPrefix(p.Artifact.URI, "./")); err == nil && name != "" {
			f.Location = &finding.Location{File: name}
			if p.Region != nil {
				f.Location.Line, f.Location.Column = max(p.Region.Line, 0), max(p.Region.Column, 0)
			}
		}
	}
	return f
}

func (x *result) severity(about *rule) finding.Severity {
	if about != nil {
		var score float64
		switch v := about.Properties["security-severity"].(type) {
		case string:
			score, _ = strconv.ParseFloat(v, 64) // an invalid score counts as absent
		case float64:
			score = v
		}
		switch {
		case score >= 9:
			return finding.Critical
		case score >= 7:
			return finding.High
		case score >= 4:
			return finding.Medium
		case score > 0:
			return finding.Low
		}
	}
	level := x.Level
	if level == "" && about != nil && about.Default != nil {
		level = about.Default.Level
	}
	switch level {
	case "error":
		return finding.High
	case "note", "none":
		return finding.Low
	}
	return finding.Medium
}

// Baseline is the set of earlier findings.
type Baseline struct {
	prints map[string]bool
	places map[string]bool // places of findings without umpire's fingerprint
}

// NewBaseline makes a Baseline of findings that Read returned.
func NewBaseline(list []finding.Reported) *Baseline {
	b := &Baseline{map[string]bool{}, map[string]bool{}}
	for i := range list {
		if fp := list[i].Fingerprint; fp != "" {
			b.prints[fp] = true
		} else {
			b.places[list[i].Rule+"\x00"+list[i].Place()] = true
		}
	}
	return b
}

// Has reports whether a finding is in the baseline.
func (b *Baseline) Has(r *finding.Reported) bool {
	return b.prints[r.Fingerprint] || r.Location != nil && b.places[r.Rule+"\x00"+r.Place()]
}

var _ review.Known = (*Baseline)(nil)
