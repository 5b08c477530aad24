package quarantine

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

// Attempt is the way in which an answer was parsed.
type Attempt string

// The attempts, in order.
const (
	Direct      Attempt = "direct"
	JSONExtract Attempt = "json_extract"
	Partial     Attempt = "partial" // in this case the review is incomplete
)

// Parsed is the readable part of an answer.
type Parsed struct {
	Success bool                    `json:"success"`
	Data    *finding.ReviewerAnswer `json:"data,omitempty"`
	Errors  []string                `json:"errors,omitempty"` // "field.path: reason", without the reviewer's text
	Attempt Attempt                 `json:"parseAttempt"`
	Raised  bool                    `json:"-"` // the answer claimed a lower risk than its findings have
	// Bare means that the answer claimed a high or critical risk, and none of its findings is so
	// severe. A review without the finding must not pass.
	Bare bool `json:"-"`
}

const maxFaults = 50

// ParseAnswer parses the final answer of a reviewer. If it fails, the review has no verdict; it
// never counts as a review without findings.
func ParseAnswer(s string) Parsed {
	if len(s) > maxJSON {
		return Parsed{Errors: []string{fmt.Sprintf("answer: longer than %d bytes", maxJSON)}, Attempt: Direct}
	}
	v, err := DecodeStrict([]byte(strings.TrimSpace(s)))
	if err == nil {
		p := shaped(v, Direct)
		if object, ok := v.(map[string]any); ok && !p.Success {
			if some := kept(object, p); some.Success && len(some.Data.Findings) > 0 && len(some.Data.Findings) < len(object["findings"].([]any)) {
				return some // one malformed finding, which the material may have caused, hides no other
			}
		}
		return p
	}
	first := Parsed{Errors: []string{"answer: " + err.Error()}, Attempt: Direct}
	if err.Error() != "not valid JSON" && err.Error() != "something follows the value" {
		return first // it is JSON, and invalid by intent
	}
	var good []Parsed
	whole, rest := 0, s
	for _, object := range objects(s) {
		v, err := DecodeStrict([]byte(object))
		if err != nil {
			continue
		}
		whole++
		if p := shaped(v, JSONExtract); p.Success {
			good = append(good, p)
			rest = strings.Replace(rest, object, "", 1)
		} else if whole == 1 {
			first = p
		}
	}
	switch {
	// The material may contain a forged verdict, and a reviewer may quote it. If the reviewer's
	// answer is broken or cut off, the quote would be the only complete object.
	case len(good) == 1 && !answers().MatchString(rest):
		return good[0]
	case len(good) > 0:
		return Parsed{Errors: []string{"answer: more than one object could be the answer"}, Attempt: JSONExtract}
	case whole > 0:
		return first
	}
	return recovered(s, first)
}

// answers matches the beginning of an answer.
var answers = lazy.Regexp(`"(?:findings|riskLevel)"\s*:`)

// objects returns the complete outermost JSON objects in a text.
func objects(s string) (list []string) {
	for i := 0; i < len(s) && len(list) < 1000; i++ {
		if s[i] == '{' {
			if end := closing(s[i:]); end > 0 {
				list = append(list, s[i:i+end])
				i += end - 1
			} else {
				return list // nothing after it can be a separate object
			}
		}
	}
	return list
}

// closing returns the offset after the object or list at the start of s, or 0 if it does not end.
func closing(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// recovered reads the fields of a broken object.
func recovered(s string, failed Parsed) Parsed {
	start := strings.IndexByte(s, '{')
	if start < 0 {
		return failed
	}
	object := map[string]any{}
	for _, name := range []string{"findings", "riskLevel", "recommendedActions", "metadata"} {
		rest, ok := after(s[start:], name)
		if !ok {
			continue
		}
		switch {
		case strings.HasPrefix(rest, "["):
			if list, whole := elements(rest); whole || len(list) > 0 {
				object[name] = list
			}
		case strings.HasPrefix(rest, "{"):
			if end := closing(rest); end > 0 {
				if v, err := DecodeStrict([]byte(rest[:end])); err == nil {
					object[name] = v
				}
			}
		case strings.HasPrefix(rest, `"`):
			if end := strings.IndexByte(rest[1:], '"'); end >= 0 {
				object[name] = rest[1 : 1+end]
			}
		}
	}
	return kept(object, failed)
}

// kept returns the well-formed parts of an answer that failed.
func kept(object map[string]any, failed Parsed) Parsed {
	findings, ok := object["findings"].([]any)
	if !ok {
		return failed
	}
	kept := []any{}
	for _, f := range findings {
		if p := shaped(map[string]any{"findings": []any{f}, "riskLevel": "critical", "recommendedActions": []any{}}, Partial); p.Success {
			kept = append(kept, f)
		}
	}
	if len(kept) == 0 && len(findings) > 0 {
		return failed
	}
	out := map[string]any{"findings": kept, "riskLevel": "low", "recommendedActions": []any{}}
	for _, name := range []string{"riskLevel", "recommendedActions"} {
		try := map[string]any{"findings": []any{}, "riskLevel": "low", "recommendedActions": []any{}}
		if v, ok := object[name]; ok {
			try[name] = v
			if shaped(try, Partial).Success {
				out[name] = v
			}
		}
	}
	p := shaped(out, Partial)
	p.Errors = append(p.Errors, failed.Errors...)
	return p
}

// after returns the text after the first key of that name at the top level of an object.
func after(s, name string) (string, bool) {
	depth, key := 0, `"`+name+`"`
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			if rest, ok := strings.CutPrefix(s[i:], key); ok && depth == 1 {
				if rest, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":"); ok {
					return strings.TrimLeft(rest, " \t\r\n"), true
				}
			}
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return "", false
}

// elements returns the elements of a list, and whether it is complete.
func elements(s string) (list []any, whole bool) {
	list = []any{}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			end := closing(s[i:])
			if end == 0 {
				return list, false
			}
			if v, err := DecodeStrict([]byte(s[i : i+end])); err == nil {
				list = append(list, v)
			}
			i += end - 1
		case '"':
			end := i + 1
			for ; end < len(s) && s[end] != '"'; end++ {
				if s[end] == '\\' {
					end++
				}
			}
			if end >= len(s) {
				return list, false
			}
			if v, err := DecodeStrict([]byte(s[i : end+1])); err == nil {
				list = append(list, v)
			}
			i = end
		case ']':
			return list, true
		}
	}
	return list, false
}

// reader collects the faults of a value.
type reader struct{ faults []string }

func (r *reader) bad(path, reason string) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, path+": "+reason)
	}
}

func (r *reader) text(path string, v any) string {
	s, ok := v.(string)
	if !ok {
		r.bad(path, "must be a string")
	}
	return s
}

// positiveInt reads an integer of at least 1.
func (r *reader) positiveInt(path string, v any) int {
	n, ok := v.(json.Number)
	if ok {
		if i, err := n.Int64(); err == nil && i >= 1 && i <= math.MaxInt32 {
			return int(i)
		}
	}
	r.bad(path, "must be a whole number from 1")
	return 0
}

// shaped converts a value to an answer, if it has the right form. It ignores metadata: a reviewer's
// claims about itself do not count.
func shaped(v any, how Attempt) Parsed {
	r := &reader{}
	object, ok := v.(map[string]any)
	if !ok {
		return Parsed{Errors: []string{"answer: must be an object"}, Attempt: how}
	}
	for name := range object {
		if !anyof.Equal(name, "findings", "riskLevel", "recommendedActions", "metadata") {
			r.bad("answer", "has a field that is not known")
			break
		}
	}
	a := &finding.ReviewerAnswer{Findings: []finding.Finding{}, RecommendedActions: []string{}, RiskLevel: finding.Low}
	findings, ok := object["findings"].([]any)
	if !ok {
		r.bad("findings", "must be a list")
	}
	for i, f := range findings {
		a.Findings = append(a.Findings, r.finding(fmt.Sprintf("findings[%d]", i), f))
	}
	claimed, err := finding.ParseSeverity(r.text("riskLevel", object["riskLevel"]))
	if err != nil {
		r.bad("riskLevel", err.Error())
	}
	actions, ok := object["recommendedActions"].([]any)
	if !ok {
		r.bad("recommendedActions", "must be a list")
	}
	for i, s := range actions {
		a.RecommendedActions = append(a.RecommendedActions, r.text(fmt.Sprintf("recommendedActions[%d]", i), s))
	}
	if m, ok := object["metadata"]; ok {
		if _, ok := m.(map[string]any); !ok {
			r.bad("metadata", "must be an object")
		}
	}
	if len(r.faults) > 0 {
		return Parsed{Errors: r.faults, Attempt: how}
	}
	for _, f := range a.Findings {
		a.RiskLevel = min(a.RiskLevel, f.Severity)
	}
	p := Parsed{Success: true, Data: a, Attempt: how, Raised: a.RiskLevel < claimed, Bare: claimed <= finding.High && a.RiskLevel > finding.High}
	if p.Bare {
		p.Errors = []string{"riskLevel: no finding has this risk: report the finding, or lower the risk"}
	}
	return p
}

func (r *reader) finding(path string, v any) (f finding.Finding) {
	object, ok := v.(map[string]any)
	if !ok {
		r.bad(path, "must be an object")
		return f
	}
	for _, name := range []string{"type", "severity", "description"} {
		if _, ok := object[name]; !ok {
			r.bad(path+"."+name, "missing")
		}
	}
	f.Severity = finding.Low
	for name, v := range object {
		at := path + "." + name
		if v == nil && !anyof.Equal(name, "type", "severity", "description") {
			continue // as if it was missing
		}
		switch name {
		case "type":
			f.Type = finding.Type(r.text(at, v))
		case "severity":
			severity, err := finding.ParseSeverity(r.text(at, v))
			if err != nil {
				r.bad(at, err.Error())
			}
			f.Severity = severity
		case "description":
			f.Description = r.text(at, v)
		case "title":
			f.Title = r.text(at, v)
		case "remediation":
			f.Remediation = r.text(at, v)
		case "cwe":
			f.CWE = r.text(at, v)
		case "confidence":
			n, _ := v.(json.Number)
			c, err := n.Float64()
			if err != nil {
				r.bad(at, "must be a number")
			}
			f.Confidence = &c
		case "location":
			f.Location = r.location(at, v)
		default:
			// Ignore other fields of a finding: they are the model's.
		}
	}
	for _, fault := range f.Check() {
		r.bad(path+"."+strings.SplitN(fault, ":", 2)[0], strings.TrimSpace(strings.SplitN(fault, ":", 2)[1]))
	}
	return f
}

func (r *reader) location(path string, v any) *finding.Location {
	if v == nil {
		return nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		r.bad(path, "must be an object")
		return nil
	}
	l := &finding.Location{File: r.text(path+".file", object["file"])}
	if n, ok := object["line"]; ok && n != nil {
		l.Line = r.positiveInt(path+".line", n)
	}
	if n, ok := object["column"]; ok && n != nil {
		l.Column = r.positiveInt(path+".column", n)
	}
	return l
}
