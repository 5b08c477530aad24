package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// These tests run on Windows, and under Wine with `make windows`.

// windowsWorld is a world whose home is not among temporary files, which umpire treats as
// nobody's.
func windowsWorld(t *testing.T) *world {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp(cache, "umpire-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) }) // Wine cannot; its folder goes as a whole
	dir := filepath.Join(home, "proj")
	for _, d := range []string{filepath.Join(dir, ".git"), filepath.Join(home, ".claude"), filepath.Join(home, "local")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &world{t: t, home: home, dir: dir}
}

// start runs a program with this home, and returns what it printed and its exit status.
func (w *world) start(stdin, name string, args ...string) (out string, status int) {
	w.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "USERPROFILE="+w.home, "LOCALAPPDATA="+filepath.Join(w.home, "local"), "APPDATA="+filepath.Join(w.home, "roaming"), "HOME=")
	cmd.Stdin = strings.NewReader(stdin)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Errorf("%s %q: %v", name, args, err)
	}
	return both.String(), cmd.ProcessState.ExitCode()
}

func (w *world) umpire(args ...string) (out string, status int) {
	w.t.Helper()
	return w.start("", filepath.Join(programsDir(w.t), "umpire.exe"), args...)
}

func (w *world) call(tool, command string) string {
	w.t.Helper()
	b, err := json.Marshal(map[string]any{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": tool, "cwd": w.dir,
		"tool_input": map[string]string{"command": command}})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

func TestWindowsSpellings(t *testing.T) {
	w := windowsWorld(t)
	for _, tt := range []struct {
		tool, command string
		stops         bool
	}{
		{"Bash", `rm -rf ~`, true},
		{"Bash", `rm -rf "$USERPROFILE"`, true},
		{"Bash", `cmd /c rmdir /s /q %USERPROFILE%`, true},
		{"Bash", `rd /s /q "` + w.home + `"`, true},
		{"Bash", `cmd.exe /c "del /s /q C:\Windows"`, true},
		{"Bash", `powershell -Command "Remove-Item -Recurse -Force $HOME"`, true},
		{"Bash", `powershell.exe -NoProfile -c "ri -r -fo ~"`, true},
		{"PowerShell", `Remove-Item -Path $env:USERPROFILE -Recurse -Force`, true},
		{"PowerShell", `Get-ChildItem ~ | Remove-Item -Recurse -Force`, true},
		{"PowerShell", `Remove-Item .\build -Recurse`, false},
		{"PowerShell", `Get-ChildItem -Recurse`, false},
		{"Bash", `git status`, false},
		{"Bash", `cmd /c dir`, false},
	} {
		out, status := w.start(w.call(tt.tool, tt.command), filepath.Join(programsDir(t), "umpire-hook.exe"), "claude")
		if stopped := status == 2 || strings.Contains(out, `"ask"`); stopped != tt.stops {
			t.Errorf("%s: %s: status %d: %s", tt.tool, tt.command, status, out)
		}
	}
}

func TestWindowsCheck(t *testing.T) {
	w := windowsWorld(t)
	if out, status := w.umpire("check", `del /s /q "`+w.home+`"`); status != 2 || !strings.Contains(out, "delete-home") {
		t.Errorf("status %d and %q, want %d and %q", status, out, 2, "delete-home")
	}
	if out, status := w.umpire("check", "git status"); status != 0 {
		t.Errorf("%d: %s", status, out)
	}
}

// The command in the settings runs as a client starts it, and an installation leaves as it came.
func TestWindowsInit(t *testing.T) {
	w := windowsWorld(t)
	settings := filepath.Join(w.home, ".claude", "settings.json")
	before := "{\r\n  \"model\": \"x\"\r\n}\r\n"
	if err := os.WriteFile(settings, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, status := w.umpire("init", "claude", "--yes"); status != 0 {
		t.Fatalf("%d: %s", status, out)
	}
	data, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Hooks struct {
			PreToolUse []struct {
				Hooks []struct {
					Command string `json:"command"`
				} `json:"hooks"`
			}
		} `json:"hooks"`
	}
	if err := json.Unmarshal(data, &s); err != nil || len(s.Hooks.PreToolUse) != 1 {
		t.Fatalf("%v: %s", err, data)
	}
	if out, status := w.start(w.call("Bash", "rm -rf ~"), "cmd", append([]string{"/c"}, strings.Fields(s.Hooks.PreToolUse[0].Hooks[0].Command)...)...); status != 2 {
		t.Errorf("%d: %s", status, out)
	}
	if out, status := w.umpire("init", "claude", "--yes"); status != 0 || !strings.Contains(out, "nothing to do") {
		t.Errorf("status %d and %q, want %d and %q", status, out, 0, "nothing to do")
	}
	if out, status := w.umpire("uninstall", "--yes"); status != 0 {
		t.Errorf("%d: %s", status, out)
	}
	if after, err := os.ReadFile(settings); err != nil || string(after) != before {
		t.Errorf("%v: %q", err, after)
	}
}

// Windows replaces no file that a program has open. An installation waits for a reader of the
// settings.
func TestWindowsReplacesAnOpenFile(t *testing.T) {
	w := windowsWorld(t)
	dir := filepath.Join(w.home, ".claude")
	settings := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(settings, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(settings)
	if err != nil {
		t.Fatal(err)
	}
	staged := make(chan bool, 1)
	go func() {
		defer reader.Close()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if found, err := filepath.Glob(filepath.Join(dir, ".settings.json.umpire-*")); err == nil && len(found) > 0 {
				time.Sleep(200 * time.Millisecond) // it tries by now, which nothing shows
				staged <- true
				return
			}
		}
		staged <- false
	}()
	out, status := w.umpire("init", "claude", "--yes")
	if !<-staged {
		t.Error("no new file was seen")
	}
	if data, err := os.ReadFile(settings); status != 0 || err != nil || !strings.Contains(string(data), "umpire-hook") {
		t.Errorf("%d: %s\n%s, %v", status, out, data, err)
	}
}

func TestWindowsRecord(t *testing.T) {
	w := windowsWorld(t)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if out, status := w.start(w.call("Bash", "rm -rf ~"), filepath.Join(programsDir(t), "umpire-hook.exe"), "claude"); status != 2 {
				t.Errorf("%d: %s", status, out)
			}
		})
	}
	all.Wait()
	if out, status := w.umpire("audit", "verify"); status != 0 || !strings.HasPrefix(out, "6 events in 1 file, 0 torn") {
		t.Errorf("status %d and %q, want %d and %q", status, out, 0, "6 events in 1 file, 0 torn")
	}
	log := filepath.Join(w.home, "local", "umpire", "audit.jsonl")
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, bytes.Replace(data, []byte("deny"), []byte("deni"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, status := w.umpire("audit", "verify"); status == 0 {
		t.Errorf("a changed log passes: %s", out)
	}
}
