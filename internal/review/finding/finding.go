// Package finding defines the findings of a review: location, severity, and how far its words
// can be trusted.
package finding

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Severity is the gravity of a finding, gravest first.
type Severity uint8

// The severities.
const (
	Critical Severity = iota
	High
	Medium
	Low
)

var severities = [...]string{"critical", "high", "medium", "low"}

// Severities lists all of them, the gravest first.
func Severities() []Severity { return []Severity{Critical, High, Medium, Low} }

func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s]
	}
	return "critical"
}

// Reaches reports whether s is at least as grave as least.
func (s Severity) Reaches(least Severity) bool { return s <= least }

// ParseSeverity reads a severity by its exact name.
func ParseSeverity(name string) (Severity, error) {
	if i := slices.Index(severities[:], name); i >= 0 {
		return Severity(i), nil
	}
	return Critical, errors.New("not one of critical, high, medium, low")
}

// MarshalText writes the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name.
func (s *Severity) UnmarshalText(b []byte) (err error) {
	*s, err = ParseSeverity(string(b))
	return err
}

// Type is the subject of a finding.
type Type string

// The types.
const (
	SecurityIssue Type = "security_issue"
	CodeQuality   Type = "code_quality"
	Documentation Type = "documentation"
	TestCoverage  Type = "test_coverage"
	Other         Type = "other"
)

// Types lists all of them.
func Types() []Type {
	return []Type{SecurityIssue, CodeQuality, Documentation, TestCoverage, Other}
}

// Location is a place in a file of the snapshot.
type Location struct {
	File   string `json:"file"`             // in a report: in quotes with Go escapes, if not all of it shows
	Line   int    `json:"line,omitempty"`   // line number from 1; 0 for the complete file
	Column int    `json:"column,omitempty"` // from 1; 0 if unknown
	Path   string `json:"path,omitempty"`   // in a closed report, where File is a number: the path, if it is harmless
}

// Name returns the path of the file, also if a report quotes it.
func (l *Location) Name() string {
	if name, err := strconv.Unquote(l.File); err == nil && l.File[0] == '"' {
		return name
	}
	return l.File
}

// Finding is one statement of a reviewer about the material. Do not trust its text: a model that
// read the material wrote it.
type Finding struct {
	Type        Type      `json:"type"`
	Severity    Severity  `json:"severity"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description"`
	Location    *Location `json:"location,omitempty"`
	Remediation string    `json:"remediation,omitempty"`
	CWE         string    `json:"cwe,omitempty"`        // such as CWE-79
	Confidence  *float64  `json:"confidence,omitempty"` // 0 to 1
}

// Metadata describes an agent's run. Umpire measures it, and overwrites an agent's claims about
// itself.
type Metadata struct {
	AgentID       string `json:"agentId"`
	ExecutionTime int64  `json:"executionTime"` // milliseconds
	ToolCallCount int    `json:"toolCallCount"`
	Model         string `json:"model"`
}

// ReviewerAnswer is the final answer of one reviewer.
type ReviewerAnswer struct {
	Findings           []Finding `json:"findings"`
	RiskLevel          Severity  `json:"riskLevel"`
	RecommendedActions []string  `json:"recommendedActions"`
	Metadata           Metadata  `json:"metadata"`
}

// Check returns the malformed fields of a finding, each as "field: reason".
func (f *Finding) Check() (faults []string) {
	bad := func(field, reason string) { faults = append(faults, field+": "+reason) }
	if !slices.Contains(Types(), f.Type) {
		bad("type", "not one of security_issue, code_quality, documentation, test_coverage, other")
	}
	if int(f.Severity) >= len(severities) {
		bad("severity", "not one of critical, high, medium, low")
	}
	if strings.TrimSpace(f.Description) == "" {
		bad("description", "must not be empty")
	}
	if f.CWE != "" && !goodCWE(f.CWE) {
		bad("cwe", "not CWE- and digits")
	}
	if c := f.Confidence; c != nil && !(*c >= 0 && *c <= 1) || f.Confidence != nil && math.IsNaN(*f.Confidence) {
		bad("confidence", "not between 0 and 1")
	}
	if l := f.Location; l != nil {
		if l.File == "" {
			bad("location.file", "must not be empty")
		}
		if l.Line < 0 {
			bad("location.line", "must be 1 or more")
		}
		if l.Column < 0 {
			bad("location.column", "must be 1 or more")
		}
	}
	return faults
}

func goodCWE(s string) bool {
	n, ok := strings.CutPrefix(s, "CWE-")
	return ok && n != "" && len(n) <= 6 && strings.Trim(n, "0123456789") == ""
}

// UnmarshalJSON reads a finding strictly: a missing severity or location is an error.
func (f *Finding) UnmarshalJSON(b []byte) error {
	type plain Finding
	var p struct {
		plain
		Severity *Severity `json:"severity"`
		Location *struct {
			File   *string `json:"file"`
			Line   *int    `json:"line"`
			Column *int    `json:"column"`
		} `json:"location"`
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	if p.Severity == nil {
		return errors.New("severity: missing")
	}
	*f = Finding(p.plain)
	f.Severity, f.Location = *p.Severity, nil
	if l := p.Location; l != nil {
		if l.File == nil || l.Line != nil && *l.Line < 1 || l.Column != nil && *l.Column < 1 {
			return errors.New("location: needs a file, and lines and columns from 1")
		}
		f.Location = &Location{File: *l.File}
		if l.Line != nil {
			f.Location.Line = *l.Line
		}
		if l.Column != nil {
			f.Location.Column = *l.Column
		}
	}
	return nil
}

// Source is the origin of a finding.
type Source string

// The sources.
const (
	Model  Source = "model"
	Static Source = "static"
	Import Source = "import" // another tool's report
)

// Taint is the trust in a finding's text.
type Taint string

// The taints. The empty Taint counts as Untrusted.
const (
	Untrusted Taint = "untrusted" // written after the material was read, or by another tool
	Trusted   Taint = "trusted"   // umpire's words
)

// Flag is a caveat about a finding.
type Flag string

// The flags.
const (
	InjectedInstructions Flag = "injected-instructions"
	HiddenCharacters     Flag = "hidden-characters"
	LinkRemoved          Flag = "link-removed"
	SecretRedacted       Flag = "secret-redacted"
	EncodedRun           Flag = "encoded-run"
	CommandText          Flag = "command-text"
	LocationInvalid      Flag = "location-invalid"
	Truncated            Flag = "truncated"
	PreExisting          Flag = "pre-existing" // on lines that the change did not touch
	Baseline             Flag = "baseline"     // in the report of --baseline
	Confirmed            Flag = "confirmed"    // a second agent found it, too, from the code alone
	Unconfirmed          Flag = "unconfirmed"
	TextWithheld         Flag = "text-withheld" // only people can read the text
)

// Level is the confidence in a finding: low, medium or high, or "" if unknown.
type Level string

// The levels.
const (
	SureHigh   Level = "high"
	SureMedium Level = "medium"
	SureLow    Level = "low"
)

// Level returns the level of the confidence, or "" if there is none.
func (f *Finding) Level() Level {
	switch c := f.Confidence; {
	case c == nil:
		return ""
	case *c >= 0.8:
		return SureHigh
	case *c >= 0.5:
		return SureMedium
	}
	return SureLow
}

// Reported is a finding with the labels that umpire adds.
type Reported struct {
	Finding
	Sure        Level  `json:"confidenceLevel,omitempty"` // the Level of its confidence
	ID          string `json:"id"`
	Rule        string `json:"rule"` // umpire/<category>/<name>, a CWE, or another tool's rule
	Source      Source `json:"source"`
	Taint       Taint  `json:"taint"`
	Flags       []Flag `json:"flags"`
	Steers      *bool  `json:"steers,omitempty"` // whether a second model found that the text manipulates its reader; nil if not checked
	Fingerprint string `json:"fingerprint"`
}

// UnmarshalJSON reads the output of encoding/json. Without it, the method of the embedded
// Finding would apply and drop the labels.
func (r *Reported) UnmarshalJSON(b []byte) error {
	var labels struct {
		ID, Rule, Fingerprint string
		Sure                  Level `json:"confidenceLevel"`
		Source                Source
		Taint                 Taint
		Flags                 []Flag
		Steers                *bool
		Location              struct{ Path string } // set by umpire, never by a model
	}
	if err := json.Unmarshal(b, &r.Finding); err != nil {
		return err
	}
	if err := json.Unmarshal(b, &labels); err != nil {
		return err
	}
	r.ID, r.Rule, r.Fingerprint, r.Sure = labels.ID, labels.Rule, labels.Fingerprint, labels.Sure
	r.Source, r.Taint, r.Flags = labels.Source, labels.Taint, labels.Flags
	r.Steers = labels.Steers
	if r.Location != nil {
		r.Location.Path = labels.Location.Path
	}
	return nil
}

// Has reports whether a flag is set.
func (r *Reported) Has(f Flag) bool { return slices.Contains(r.Flags, f) }

// Set sets a flag, once.
func (r *Reported) Set(f Flag) {
	if !r.Has(f) {
		r.Flags = append(r.Flags, f)
	}
}

// Counts reports whether a finding counts for the exit status and the risk level. A pre-existing
// finding counts only if it is critical, and one of the baseline never counts.
func (r *Reported) Counts() bool {
	return !r.Has(Baseline) && (!r.Has(PreExisting) || r.Severity == Critical)
}

// Place formats a location in words, or "" if there is none.
func (f *Finding) Place() string {
	l := f.Location
	if l == nil {
		return ""
	}
	file := l.File
	if l.Path != "" {
		file += " (" + l.Path + ")"
	}
	switch {
	case l.Line == 0:
		return file
	case l.Column == 0:
		return fmt.Sprintf("%s:%d", file, l.Line)
	default:
		return fmt.Sprintf("%s:%d:%d", file, l.Line, l.Column)
	}
}
