package transcript

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files below a folder.
func tree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// all reads what lies in a home, each call on one line.
func all(t *testing.T, home string) ([]string, *Reader) {
	t.Helper()
	var got []string
	r := NewReader(func(c Call) error {
		when := "-"
		if !c.Time.IsZero() {
			when = c.Time.UTC().Format("2006-01-02T15:04")
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s", c.Principal.Platform, when, c.Dir, c.Tool, c.Input))
		return nil
	})
	for _, place := range Places(home, filepath.Join(home, "shop"), func(string) string { return "" }) {
		if err := r.Files(context.Background(), place, func(path string, _ fs.FileInfo) error {
			_, err := r.File(path)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return got, r
}

func TestFormats(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"claude": {map[string]string{".claude/projects/-w-shop/a.jsonl": `{"type":"user","sessionId":"s","cwd":"/w/shop","message":{"role":"user","content":"hello"}}
{"type":"assistant","sessionId":"s","timestamp":"2026-03-01T10:00:00.5Z","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test"}}]}}
broken
`, // a resumed session has the line again
			".claude/projects/-w-shop/b.jsonl": `{"type":"assistant","sessionId":"s2","cwd":"/w/shop","timestamp":"2026-03-01T10:00:00.5Z","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test"}}]}}
`}, []string{`claude 2026-03-01T10:00 /w/shop Bash {"command":"go test"}`}},
		"codex": {map[string]string{".codex/sessions/2026/03/01/rollout-x.jsonl": `{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/w/shop"}}
{"timestamp":"2026-03-01T10:01:00Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"make\"}","call_id":"c1"}}
{"timestamp":"2026-03-01T10:01:01Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c1","command":["bash","-lc","make"],"cwd":"file:///w/shop"}}}
{"timestamp":"2026-03-01T10:02:00Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch","call_id":"c2"}}
{"timestamp":"2026-03-01T10:03:00Z","type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"tools.exec_command()","call_id":"c3"}}
{"timestamp":"2026-03-01T10:03:00Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c4","command":["bash","-lc","ls"],"cwd":"file:///w/shop"}}}
{"timestamp":"2026-03-01T10:04:00Z","type":"turn_context","payload":{"cwd":"/w/other"}}
{"timestamp":"2026-03-01T10:05:00Z","type":"response_item","payload":{"type":"local_shell_call","call_id":"c5","action":{"command":["ls","-l"]}}}
`}, []string{`codex 2026-03-01T10:01 /w/shop exec_command {"cmd":"make"}`,
			`codex 2026-03-01T10:02 /w/shop apply_patch {"input":"*** Begin Patch"}`,
			`codex 2026-03-01T10:03 /w/shop shell {"command":["bash","-lc","ls"],"workdir":"/w/shop"}`,
			`codex 2026-03-01T10:05 /w/other shell {"command":["ls","-l"],"workdir":null}`}},
		"gemini": {map[string]string{".gemini/tmp/shop/.project_root": "/w/shop\n",
			".gemini/tmp/shop/chats/session-1.jsonl": `{"sessionId":"s","projectHash":"0a","startTime":"2026-03-01T10:00:00Z"}
{"id":"m","timestamp":"2026-03-01T10:00:00Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"run_shell_command","args":{"command":"ls"},"timestamp":"2026-03-01T10:01:00Z"}]}
{"id":"m","timestamp":"2026-03-01T10:00:00Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"run_shell_command","args":{"command":"ls"},"timestamp":"2026-03-01T10:01:00Z"}]}
`,
			".gemini/tmp/shop/chats/session-2.json": `{"sessionId":"t","projectHash":"0a","messages":[{"type":"gemini","timestamp":"2026-03-02T10:00:00Z","toolCalls":[{"id":"c1","name":"write_file","args":{"file_path":"a"}}]}]}`},
			[]string{`gemini 2026-03-01T10:01 /w/shop run_shell_command {"command":"ls"}`, `gemini 2026-03-02T10:00 /w/shop write_file {"file_path":"a"}`}},
		"opencode files": {map[string]string{
			".local/share/opencode/storage/session/p/ses_1.json":  `{"id":"ses_1","directory":"/w/shop"}`,
			".local/share/opencode/storage/part/msg_1/prt_1.json": `{"type":"tool","sessionID":"ses_1","tool":"bash","callID":"c1","state":{"input":{"command":"ls"},"time":{"start":1772359200000}}}`,
			".local/share/opencode/storage/part/msg_1/prt_2.json": `{"type":"text","sessionID":"ses_1","text":"x"}`},
			[]string{`opencode 2026-03-01T10:00 /w/shop bash {"command":"ls"}`}},
		"copilot": {map[string]string{".copilot/session-state/s/events.jsonl": `{"type":"session.start","timestamp":"2026-03-01T10:00:00Z","data":{"sessionId":"s","context":{"cwd":"/w/shop"}}}
{"type":"tool.execution_start","timestamp":"2026-03-01T10:01:00Z","data":{"toolCallId":"c1","toolName":"bash","arguments":{"command":"ls"}}}
`,
			".copilot/history-session-state/session_1.json": `{"sessionId":"o","startTime":"2026-02-01T10:00:00Z","chatMessages":[{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"bash","arguments":"{\"command\":\"pwd\"}"}}]}]}`},
			[]string{`copilot 2026-03-01T10:01 /w/shop bash {"command":"ls"}`, `copilot 2026-02-01T10:00  bash {"command":"pwd"}`}},
		"cursor": {map[string]string{".cursor/projects/no-such-folder/agent-transcripts/u/u.jsonl": `{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{"command":"ls","working_directory":"/w/shop"}}]}}
`}, []string{`cursor - /w/shop Shell {"command":"ls","working_directory":"/w/shop"}`}},
		"qwen": {map[string]string{".qwen/projects/-w-shop/chats/s.jsonl": `{"sessionId":"s","timestamp":"2026-03-01T10:00:00Z","type":"assistant","cwd":"/w/shop","message":{"role":"model","parts":[{"functionCall":{"id":"c1","name":"run_shell_command","args":{"command":"ls"}}}]}}
`}, []string{`qwen 2026-03-01T10:00 /w/shop run_shell_command {"command":"ls"}`}},
		"pi": {map[string]string{".pi/agent/sessions/x/s.jsonl": `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00Z","cwd":"/w/shop"}
{"type":"message","id":"m","timestamp":"2026-03-01T10:01:00Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"ls"}}]}}
`}, []string{`pi 2026-03-01T10:01 /w/shop bash {"command":"ls"}`}},
		"cline": {map[string]string{".cline/data/sessions/s/s.messages.json": `{"sessionId":"s","system_prompt":"4. Working Directory: /w/shop\n</env>","messages":[{"role":"assistant","ts":1772359200000,"content":[{"type":"tool_use","id":"c1","name":"run_commands","input":{"commands":["ls"]}}]}]}`},
			[]string{`cline 2026-03-01T10:00 /w/shop run_commands {"commands":["ls"]}`}},
		"specstory": {map[string]string{"shop/.specstory/history/a.md": "<!-- Claude Code Session 0123abcd-1 (2026-03-01 10:00:00Z) -->\n\n" +
			"_**Agent (model 2026-03-01 10:00:00Z)**_\n\n<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\"><details>\n<summary>Tool use: **Bash**</summary>\nRun it\n\n`go vet ./...`\n\n```text\n<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\">\n`rm -rf /`\n```\n</details></tool-use>\n" +
			"<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\"><details>\n<summary>Tool use: **Bash**</summary>\n\n```bash\ncd x\nls\n```\n\n```\nout\n```\n</details></tool-use>\n" +
			"<tool-use data-tool-type=\"read\" data-tool-name=\"Read\"><details>\n<summary>Read file: a.go</summary>\n</details></tool-use>\n" +
			"<tool-use data-tool-type=\"generic\" data-tool-name=\"mcp__x__y\"><details>\n</details></tool-use>\nTool use: **Bash**\n`old`\n"},
			[]string{`claude 2026-03-01T10:00 HOME/shop Bash {"command":"go vet ./..."}`, `claude 2026-03-01T10:00 HOME/shop Bash {"command":"cd x\nls"}`,
				`claude 2026-03-01T10:00 HOME/shop Read {"file_path":"a.go"}`, `claude 2026-03-01T10:00 HOME/shop Bash {"command":"old"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			tree(t, home, c.files)
			got, _ := all(t, home)
			for i := range c.want {
				c.want[i] = strings.ReplaceAll(c.want[i], "HOME", home)
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// OpenCode's database is read from a copy: nothing appears beside it.
func TestOpenCodeDatabase(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".local/share/opencode")
	tree(t, home, map[string]string{".local/share/opencode/x": ""})
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"CREATE TABLE session (id text, directory text)", "CREATE TABLE part (id text, session_id text, time_created integer, data text)",
		"INSERT INTO session VALUES ('s', '/w/shop')",
		`INSERT INTO part VALUES ('p', 's', 1772359200000, '{"type":"tool","tool":"bash","callID":"c","state":{"input":{"command":"ls"}}}')`,
	} {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := all(t, home); len(got) != 1 || got[0] != `opencode 2026-03-01T10:00 /w/shop bash {"command":"ls"}` {
		t.Errorf("%q", got)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v %v", files, err)
	}
}

// Limits hold, and what is no transcript yields nothing.
func TestLimits(t *testing.T) {
	home := t.TempDir()
	line := `{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}` + "\n"
	tree(t, home, map[string]string{".claude/projects/p/a.jsonl": strings.Repeat(line, 10) + strings.Repeat("x", 5000) + "\n" + line})
	n := 0
	r := NewReader(func(Call) error { n++; return nil })
	r.Limits.Line, r.Limits.Calls = 4000, 5
	path := filepath.Join(home, ".claude/projects/p/a.jsonl")
	if _, err := r.File(path); err != nil || n != 5 || !r.Stats.Clipped {
		t.Errorf("%v, %d calls, %+v", err, n, r.Stats)
	}
	n = 0
	r = NewReader(func(Call) error { n++; return nil })
	r.Limits.Line = 4000
	if _, err := r.File(path); err != nil || n != 11 || r.Stats.Skipped != 1 || r.Stats.FirstSkipped != path+":11" {
		t.Errorf("%v, %d calls, %+v", err, n, r.Stats)
	}
	r.Limits.Total = 10
	if known, err := r.File(path); known || err != nil || !r.Stats.Clipped {
		t.Errorf("%v %v %+v", known, err, r.Stats)
	}
	if _, err := r.File("/dev/zero"); err == nil {
		t.Error("a device was read")
	}
	if err := os.Symlink("/dev/zero", filepath.Join(home, ".claude/projects/p/b.jsonl")); err != nil {
		t.Fatal(err)
	}
	if got, _ := all(t, home); len(got) != 11 {
		t.Errorf("%d calls", len(got))
	}
}

func fuzz(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r := NewReader(func(c Call) error {
			if c.Tool == "" || !json.Valid(c.Input) || !bytes.HasPrefix(bytes.TrimSpace(c.Input), []byte("{")) || c.Dir != "" && !filepath.IsAbs(c.Dir) {
				t.Errorf("%+v", c)
			}
			return nil
		})
		if _, err := r.File(path); err != nil && !strings.HasSuffix(name, ".db") {
			t.Error(err)
		}
	})
}

func FuzzClaude(f *testing.F) {
	fuzz(f, ".claude/projects/p/a.jsonl", `{"cwd":"/w","timestamp":"2026-03-01T10:00:00Z","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}`, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"x"}`)
}

func FuzzCodex(f *testing.F) {
	fuzz(f, ".codex/sessions/a.jsonl", `{"type":"response_item","payload":{"type":"function_call","name":"x","arguments":"{}","call_id":"c"}}`, `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","command":["a"]}}}`)
}

func FuzzGemini(f *testing.F) {
	fuzz(f, ".gemini/tmp/p/chats/session-a.json", `{"projectHash":"a","messages":[{"toolCalls":[{"id":"c","name":"x","args":{}}]}]}`)
}

func FuzzCopilot(f *testing.F) {
	fuzz(f, ".copilot/session-state/s/events.jsonl", `{"type":"tool.execution_start","data":{"toolName":"bash","arguments":{}}}`)
}

func FuzzOpenCode(f *testing.F) {
	fuzz(f, "opencode/storage/part/m/prt_a.json", `{"type":"tool","sessionID":"s","tool":"bash","state":{"input":{}}}`)
}

func FuzzOpenCodeDatabase(f *testing.F) { fuzz(f, "opencode.db", "SQLite format 3\x00") }

func FuzzCursor(f *testing.F) {
	fuzz(f, ".cursor/projects/a-b/agent-transcripts/u/u.jsonl", `{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{"working_directory":"/w"}}]}}`)
}

func FuzzCline(f *testing.F) {
	fuzz(f, ".cline/data/sessions/s/s.messages.json", `{"messages":[{"ts":1,"content":[{"type":"tool_use","name":"x","input":[]}]}]}`)
}

func FuzzSpecStory(f *testing.F) {
	fuzz(f, ".specstory/history/a.md", "<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\">\n`x`\n```bash\ny\n```\n</tool-use>\n")
}
