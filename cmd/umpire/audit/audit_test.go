package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/audit"
)

func runAudit(dir string, args ...string) (string, error) {
	c := New()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&out)
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetArgs(append(args, "--dir", dir))
	err := c.Execute()
	return out.String(), err
}

func auditDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, effect := range []umpire.Effect{umpire.Allow, umpire.Deny, umpire.Allow} {
		e := audit.Decided(&umpire.Action{Tool: "=Bash\x1b[2J\u202e"}, []umpire.Operation{{Resource: "rm -rf x"}},
			umpire.Decision{Effect: effect, Reasons: []umpire.Reason{{Rule: "rule-" + effect.String()}}})
		if err := audit.Append(dir, &e); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Damaged lines are not among the events, and each command that leaves them out says so.
func TestDamagedLinesAreCounted(t *testing.T) {
	dir := auditDir(t)
	path := filepath.Join(dir, "audit.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range [][2]string{{`"effect":"deny"`, `"effect":"de"y"`}, {`{"v":1,"seq":2`, `\x00\x00"seq":2`}} {
		if err := os.WriteFile(path, bytes.Replace(data, []byte(damage[0]), []byte(damage[1]), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range []string{"search", "search --effect deny", "export", "stats"} {
			if out, err := runAudit(dir, strings.Fields(args)...); err != nil || !strings.Contains(out, "left out 1 damaged line that cannot be read: run umpire audit verify\n") {
				t.Errorf("%s: got error %v, want the line about the damaged line:\n%s", args, err, out)
			}
		}
	}
}

func TestAuditCommands(t *testing.T) {
	dir := auditDir(t)
	for _, c := range []struct {
		args  string
		lines int
		want  string
	}{
		{"tail", 3, "exec(rm -rf x)"},
		{"tail -n 1", 1, "[rule-allow]"},
		{"search --effect deny", 1, "[rule-deny]"},
		{"search --rule rule-allow --since 1h", 2, ""},
		{"search --text nothing-like-it", 1, "no event matches"},
		{"stats", 7, "3 events"},
		{"export --format csv", 4, "'=Bash"},
		{"verify", 2, "anchor 3:"},
	} {
		out, err := runAudit(dir, strings.Fields(c.args)...)
		if err != nil || strings.Count(out, "\n") != c.lines || !strings.Contains(out, c.want) {
			t.Errorf("%s: got error %v, want %d lines with %q:\n%s", c.args, err, c.lines, c.want, out)
		}
		if strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("%s prints what steers a terminal: %q", c.args, out)
		}
	}
	for _, args := range []string{"tail --json", "search --json", "stats --json", "verify --json", "export"} {
		out, err := runAudit(dir, strings.Fields(args)...)
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: not JSON: %q", args, line)
			}
		}
		if err != nil || out == "" {
			t.Errorf("%s: got error %v and %q, want an output", args, err, out)
		}
	}
	for _, args := range []string{"search --since then", "verify --anchor x"} {
		var usage cli.UsageError
		if _, err := runAudit(dir, strings.Fields(args)...); !errors.As(err, &usage) {
			t.Errorf("%s: got %v, want a usage error", args, err)
		}
	}
}

// Before the first event of this machine, commands say so and succeed: only verify fails, since
// somebody may have deleted the log.
func TestAuditBeforeFirstEvent(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "none"))
	for args, want := range map[string]string{"tail": "", "tail --json": "", "search": "", "search --json": "", "stats": "0 events, 0 with a failure\n", "stats --json": `{"events":0`, "export": "", "export --format csv": "seq,time,kind", "verify": "error"} {
		var out, errs bytes.Buffer
		c := New()
		c.SetArgs(strings.Fields(args))
		c.SetOut(&out)
		c.SetErr(&errs)
		c.SilenceUsage, c.SilenceErrors = true, true
		err := c.Execute()
		if want == "error" {
			if err == nil {
				t.Errorf("%s succeeds without a log", args)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(errs.String(), "umpire: no events are recorded yet: ") || !strings.HasPrefix(out.String(), want) || want == "" && out.Len() != 0 {
			t.Errorf("%s: got error %v, output %q, standard error %q; want a note that no events are recorded, and output %q", args, err, out.String(), errs.String(), want)
		}
	}
}

// A folder that the user names must exist: it may be a mistake.
func TestAuditFolderThatIsNot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	for _, args := range []string{"tail", "search", "stats", "verify", "export --format csv", "export"} {
		var out bytes.Buffer
		c := New()
		c.SetArgs(append(strings.Fields(args), "--dir", dir))
		c.SetOut(&out)
		c.SilenceUsage, c.SilenceErrors = true, true
		if err := c.Execute(); err == nil || err.Error() != "no events are recorded yet: the folder "+dir+" does not exist" || out.Len() != 0 {
			t.Errorf("%s: got error %v, output %q, want only an error that names %s", args, err, out.String(), dir)
		}
	}
}

func TestAuditVerifyFails(t *testing.T) {
	dir := auditDir(t)
	path := filepath.Join(dir, "audit.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(b, []byte("rule-deny"), []byte("rule-nope"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := runAudit(dir, "verify")
	if !errors.Is(err, cli.ExitError(cli.ExitFailure)) || !strings.Contains(out, "audit.jsonl:2: edited") {
		t.Errorf("verify: got error %v, want exit status %d and the edited line:\n%s", err, cli.ExitFailure, out)
	}
}
