package quarantine

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

// A place that cannot be made or locked is an error, and never a right to run.
func TestSlotFaults(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "taken", "reviewer-0.lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"a file in place of the folder": file, "a folder below a file": filepath.Join(file, "x"), "a folder in place of a lock": filepath.Join(dir, "taken")} {
		if s, err := TakeSlot(dir, 1); err == nil || errors.Is(err, ErrFull) || s != nil {
			t.Errorf("%s: %v, %v; want an error", name, s, err)
		}
	}
	if s, err := TakeSlot(t.TempDir(), 0); !errors.Is(err, ErrFull) {
		t.Errorf("no places: %v, %v; want ErrFull", s, err)
	}
}

// Every field of a finding that a reviewer may set arrives, and survives a second reading.
func TestFindingFields(t *testing.T) {
	half := 0.5
	want := finding.Finding{Type: "security_issue", Severity: finding.High, Description: "a } { ] \"[ b", Title: "t", Remediation: "r", CWE: "CWE-89", Confidence: &half,
		Location: &finding.Location{File: "a.go", Line: 3, Column: 7}}
	for i := range reflect.TypeFor[finding.Finding]().NumField() {
		if reflect.ValueOf(want).Field(i).IsZero() {
			t.Errorf("the test sets no %s", reflect.TypeFor[finding.Finding]().Field(i).Name)
		}
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	text := `{"findings":[` + string(data) + `],"riskLevel":"high","recommendedActions":["a \\\"b"]}`
	for name, tt := range map[string]struct {
		in  string
		how Attempt
	}{
		"direct": {text, Direct}, "in prose": {"I see: " + text + " and more", JSONExtract}, "cut off": {strings.TrimSuffix(text, "]}"), Partial},
	} {
		p := ParseAnswer(tt.in)
		if !p.Success || p.Attempt != tt.how || len(p.Data.Findings) != 1 || !reflect.DeepEqual(p.Data.Findings[0], want) {
			t.Errorf("%s: read %+v, want %v with the finding %+v", name, p, tt.how, want)
		}
	}
}

// JSON is read up to its bounds, and no deeper or longer.
func TestStrictBounds(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		ok   bool
	}{
		"as deep as may be": {strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), true},
		"deeper":            {strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), false},
		"objects":           {strings.Repeat(`{"a":`, maxDepth) + "1" + strings.Repeat("}", maxDepth), true},
		"deeper objects":    {strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1), false},
		"as long as may be": {`"` + strings.Repeat("x", maxJSON-2) + `"`, true},
		"longer":            {`"` + strings.Repeat("x", maxJSON-1) + `"`, false},
		"nothing":           {"", false},
		"two values":        {"1 2", false},
		"an open list":      {"[1", false},
		"an open object":    {`{"a":1`, false},
		"no value":          {`{"a":}`, false},
	} {
		if _, err := DecodeStrict([]byte(tt.text)); (err == nil) != tt.ok {
			t.Errorf("%s: %v, want it read: %v", name, err, tt.ok)
		}
	}
}

func TestListed(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b, c": {"a", "b", "c"}} {
		if got := listed(names); got != want {
			t.Errorf("listed(%q) = %q, want %q", names, got, want)
		}
	}
}

// A name is one text in quotes, whatever characters it has, and of bounded length.
func TestDisplayName(t *testing.T) {
	for name, want := range map[string]string{
		"a.go": `"a.go"`, `a"b`: `"a\"b"`, `a\`: `"a\\"`, `a\" b`: `"a\\\" b"`,
		strings.Repeat("x", maxName): `"` + strings.Repeat("x", maxName) + `"`, strings.Repeat("x", maxName+1): `"` + strings.Repeat("x", maxName-1) + `…"`,
	} {
		if got := DisplayName(name); got != want {
			t.Errorf("DisplayName(%q) = %s, want %s", name, got, want)
		}
	}
}
