package finding

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestUnmarshalFinding(t *testing.T) {
	for name, c := range map[string]struct{ in, fault string }{
		"whole":             {`{"type":"security_issue","severity":"high","description":"d","location":{"file":"a.go","line":3,"column":1},"cwe":"CWE-89","confidence":0.5}`, ""},
		"least":             {`{"type":"other","severity":"low","description":"d"}`, ""},
		"no severity":       {`{"type":"other","description":"d"}`, "severity"},
		"unknown severity":  {`{"type":"other","severity":"HIGH","description":"d"}`, "critical, high"},
		"line zero":         {`{"type":"other","severity":"low","description":"d","location":{"file":"a","line":0}}`, "location"},
		"no file":           {`{"type":"other","severity":"low","description":"d","location":{"line":2}}`, "location"},
		"unknown type":      {`{"type":"praise","severity":"low","description":"d"}`, "type"},
		"empty description": {`{"type":"other","severity":"low","description":" "}`, "description"},
		"bad CWE":           {`{"type":"other","severity":"low","description":"d","cwe":"cwe-1"}`, "cwe"},
		"bad confidence":    {`{"type":"other","severity":"low","description":"d","confidence":1.5}`, "confidence"},
	} {
		t.Run(name, func(t *testing.T) {
			var f Finding
			var faults string
			if err := json.Unmarshal([]byte(c.in), &f); err != nil {
				faults = err.Error()
			} else {
				faults = strings.Join(f.Check(), "; ")
			}
			if (c.fault == "") != (faults == "") || !strings.Contains(faults, c.fault) {
				t.Errorf("faults %q, want one with %q", faults, c.fault)
			}
		})
	}
}

func TestReportedSurvivesJSON(t *testing.T) {
	r := Reported{Finding: Finding{Type: Other, Severity: Medium, Description: "d", Location: &Location{File: "a", Line: 2}}, ID: "f1", Rule: "umpire/x/y", Source: Model, Taint: Untrusted, Flags: []Flag{Truncated}, Fingerprint: "ab"}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Reported
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	again, _ := json.Marshal(back)
	if string(again) != string(b) || back.Severity != Medium || !back.Has(Truncated) || back.Location.Line != 2 {
		t.Errorf("%s became %s, want the same, of medium severity, cut, in line 2", b, again)
	}
}

func TestZeroValueIsTheWorst(t *testing.T) {
	var r Reported
	if r.Severity != Critical || !r.Counts() || !r.Severity.Reaches(Critical) {
		t.Error("a forgotten field must not make a finding milder")
	}
	r.Set(PreExisting)
	if !r.Counts() {
		t.Error("a critical finding counts wherever it is")
	}
	r.Severity = High
	if r.Counts() {
		t.Error("what was there before the change must not count")
	}
}
