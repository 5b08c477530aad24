package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A client runs its calls itself. After one, the record has which of the files that it ran
// were not those that were judged, and the agent is told if that matters.
func TestChangedRunsAreReported(t *testing.T) {
	const clean, grave = "clean:\n\trm -rf build\n", "clean:\n\trm -rf ~\n"
	for name, c := range map[string]struct {
		command  string
		swap     func(dir string) error
		recorded string // part of what the record says
		told     string // part of what the agent is told
	}{
		"nothing":         {"make clean", func(string) error { return nil }, "", ""},
		"another text":    {"make clean", func(dir string) error { return os.WriteFile(dir+"/Makefile", []byte(grave), 0o600) }, "Makefile", "the answer would be deny"},
		"a harmless text": {"make clean", func(dir string) error { return os.WriteFile(dir+"/Makefile", []byte(clean+"\n"), 0o600) }, "Makefile", ""},
		"another file":    {"make clean", func(dir string) error { return os.Rename(dir+"/evil.mk", dir+"/Makefile") }, "Makefile", "the answer would be deny"},
		"swapped and back": {"make clean", func(dir string) error {
			return rename(dir, "Makefile", "a", "evil.mk", "Makefile", "Makefile", "evil.mk", "a", "Makefile")
		}, "Makefile", ""},
		"gone":                 {"make clean", func(dir string) error { return os.Remove(dir + "/Makefile") }, "Makefile", ""},
		"a file it only reads": {"cat Makefile", func(dir string) error { return os.WriteFile(dir+"/Makefile", []byte(grave), 0o600) }, "", ""},
		"a script":             {"sh x.sh", func(dir string) error { return os.WriteFile(dir+"/x.sh", []byte("rm -rf ~\n"), 0o600) }, "x.sh", "the answer would be deny"},
		"what was asked about": {"sh push.sh", func(dir string) error {
			return os.WriteFile(dir+"/push.sh", []byte("git reset --hard HEAD~4\n"), 0o600)
		}, "push.sh", "this call and asked a person"},
		"what was asked about, made harmless": {"sh push.sh", func(dir string) error {
			return os.WriteFile(dir+"/push.sh", []byte("ls\n"), 0o600)
		}, "push.sh", "this call and asked a person"},
		"what was asked about, made grave": {"sh push.sh", func(dir string) error {
			return os.WriteFile(dir+"/push.sh", []byte("rm -rf ~\n"), 0o600)
		}, "push.sh", "the answer would be deny"},
	} {
		t.Run(name, func(t *testing.T) {
			log := world(t)
			dir := filepath.Join(os.Getenv("HOME"), "w")
			for file, text := range map[string]string{"Makefile": clean, "evil.mk": grave, "x.sh": "ls\n", "push.sh": "git reset --hard HEAD~3\n", ".git/HEAD": "ref: refs/heads/main\n"} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			payload := func(event, more string) *strings.Reader {
				return strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","tool_use_id":"t1","cwd":%q,"tool_name":"Bash","tool_input":{"command":%q}%s}`, event, dir, c.command, more))
			}
			patient("claude").Answer(payload("PreToolUse", ""), time.Minute)
			if err := c.swap(dir); err != nil {
				t.Fatal(err)
			}
			h := patient("claude")
			h.Scan = func(_ context.Context, c *Call, _ func(string) error) error { return nil }
			a := h.Answer(payload("PostToolUse", `,"tool_response":{"stdout":"done"}`), time.Minute)
			events := log()
			last := events[len(events)-1]
			if got := last.Data["changed"]; c.recorded == "" && got != "" || !strings.HasSuffix(got, c.recorded) {
				t.Errorf("recorded %q, want %q; %s", got, c.recorded, last.Raw)
			}
			if c.told == "" && strings.Contains(a.Stdout, "changed") || !strings.Contains(strings.ToLower(a.Stdout), c.told) {
				t.Errorf("told %q, want %q", a.Stdout, c.told)
			}
			if events[0].Data["uncompared"] != "" {
				t.Errorf("%s", events[0].Raw)
			}
		})
	}
}

// rename moves files of a folder, one after the other.
func rename(dir string, names ...string) error {
	for i := 0; i+1 < len(names); i += 2 {
		if err := os.Rename(filepath.Join(dir, names[i]), filepath.Join(dir, names[i+1])); err != nil {
			return err
		}
	}
	return nil
}
