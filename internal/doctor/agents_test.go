//go:build unix

package doctor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/live"
	"github.com/umpire-dev/umpire/internal/live/livetest"
	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// settings is a file of Claude Code's that starts these command lines before calls.
func settings(t *testing.T, more map[string]any, lines ...string) string {
	t.Helper()
	groups := []any{}
	for _, l := range lines {
		groups = append(groups, map[string]any{"matcher": "*", "hooks": []any{map[string]any{"type": "command", "command": l, "timeout": 60, "onFailure": "block"}}})
	}
	doc := map[string]any{"hooks": map[string]any{"PreToolUse": groups}}
	maps.Copy(doc, more)
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const user, project = ".claude/settings.json", "project/.claude/settings.json"

func TestClaude(t *testing.T) {
	ours := filepath.Join(programs.Dir(t), "umpire-hook") + " claude"
	other := filepath.Join(t.TempDir(), "umpire-hook")
	b, err := os.ReadFile(filepath.Join(programs.Dir(t), "umpire-hook"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, b, 0o755); err != nil {
		t.Fatal(err)
	}
	deaf := filepath.Join(t.TempDir(), "umpire-hook")
	if err := os.WriteFile(deaf, []byte("#!/bin/sh\necho hello >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		files  map[string]string
		check  string
		status Status
		says   string
	}{
		{"configured, the hook", map[string]string{user: settings(t, nil, ours)}, "hook", OK, ".claude/settings.json (user)"},
		{"configured, the probe", map[string]string{user: settings(t, nil, ours)}, "probe", OK, "`rm -rf ~` would be denied"},
		{"the program is missing", map[string]string{user: settings(t, nil, "/nonexistent/umpire-hook claude")}, "settings", Fail, "/nonexistent/umpire-hook"},
		{"the program depends on PATH", map[string]string{user: settings(t, nil, "umpire-hook claude")}, "settings", Warn, "PATH"},
		{"the program answers nothing", map[string]string{user: settings(t, nil, deaf+" claude")}, "probe", Fail, `would be let through: it ended with status 1 and printed "hello`},
		{"another client's words", map[string]string{user: settings(t, nil, filepath.Join(programs.Dir(t), "umpire-hook")+" cursor")}, "probe", Fail, "would be let through"},
		{"the project switches hooks off", map[string]string{user: settings(t, nil, ours), project: `{"disableAllHooks":true}`}, "settings", Fail, "disableAllHooks"},
		{"the environment switches hooks off", map[string]string{user: settings(t, nil, ours), "env": "CLAUDE_CODE_SIMPLE=1"}, "settings", Fail, "CLAUDE_CODE_SIMPLE"},
		{"the client goes on without the hook", map[string]string{user: strings.Replace(settings(t, nil, ours), `"onFailure":"block",`, "", 1)}, "settings", Warn, "onFailure"},
		{"another umpire's program", map[string]string{user: settings(t, nil, other+" claude")}, "hook", Warn, "another umpire"},
		{"garbage", map[string]string{user: settings(t, nil, ours)[1:]}, "settings", Fail, ".claude/settings.json"},
		{"another hook of the user's", map[string]string{user: settings(t, nil, "/opt/other", "/opt/other", ours)}, "others", OK, "before umpire: /opt/other"},
		{"a hook of the project's", map[string]string{user: settings(t, nil, ours), project: settings(t, nil, "./evil\x1b[2J")}, "others", Warn, "./evil"},
		{"the policy observes", map[string]string{user: settings(t, nil, ours), ".config/umpire/policy.yaml": "version: 1\nmode: observe\n"}, "probe", Warn, "`rm -rf ~` would be let through"},
		{"the policy denies all", map[string]string{user: settings(t, nil, ours), ".config/umpire/policy.yaml": "version: 1\ndefaultAction: deny\ndisable: [safe-program]\n"}, "probe", OK, "`echo umpire-doctor` would be denied"},
		{"the safe pack allows", map[string]string{user: settings(t, nil, ours), ".config/umpire/policy.yaml": "version: 1\ndefaultAction: deny\n"}, "probe", OK, "`echo umpire-doctor` would be let through"},
		{"the policy asks", map[string]string{user: settings(t, nil, ours), ".config/umpire/policy.yaml": "version: 1\ndefaultAction: ask\ndisable: [safe-program]\n"}, "probe", OK, "`echo umpire-doctor` would be asked about"},
		{"the project's policy denies", map[string]string{user: settings(t, nil, ours), "project/.umpire.yaml": "version: 1\nrules:\n  - deny: tool(Bash)\n"}, "probe", OK, "`echo umpire-doctor` would be denied"},
		{"the judge has the last word", map[string]string{user: settings(t, nil, ours), ".config/umpire/policy.yaml": "version: 1\ndefaultAction: ask\ndisable: [safe-program]\njudge: {enabled: true, scope: all, providers: [anthropic]}\n"}, "probe", OK, "for the judge or you"},
		{"the policy allows all", map[string]string{user: settings(t, nil, ours), ".config/umpire/policy.yaml": "version: 1\npacks: [git]\n"}, "probe", Fail, "your policy lets"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine(t)
			for name, text := range tt.files {
				if name == "env" {
					m.env = append(m.env, text)
					continue
				}
				m.write(name, text)
			}
			all, _ := m.doctor()
			want(t, all, "claude", tt.check, tt.status, tt.says)
			if tt.status == OK {
				measured(t, all, "claude")
			}
			if out, _ := m.run("doctor"); strings.Contains(out, "\x1b") {
				t.Errorf("it prints %q", out)
			}
		})
	}
}

// A release of an agent that nobody tried may call its hooks in another way.
func TestNewerAgent(t *testing.T) {
	m := newMachine(t)
	m.write(user, settings(t, nil, filepath.Join(programs.Dir(t), "umpire-hook")+" claude"))
	program := m.write("node_modules/claude-code/cli.js", "")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	path, _ := strings.CutPrefix(m.env[1], "PATH=")
	if err := os.Symlink(program, filepath.Join(path, "claude")); err != nil {
		t.Fatal(err)
	}
	for version, warns := range map[string]bool{"0.1.0": false, "999.0.0": true, "": false, "garbage": false} {
		m.write("node_modules/claude-code/package.json", `{"version":"`+version+`"}`)
		all, _ := m.doctor()
		if warns {
			want(t, all, "claude", "version", Warn, version+" is newer than ")
			continue
		}
		if i := slices.IndexFunc(all, func(f Finding) bool { return f.Check == "version" }); i >= 0 {
			t.Errorf("release %q of claude: doctor says %+v, want nothing about it", version, all[i])
		}
	}
}

// measured reports an agent whose latency is not told, or not judged by its figure: how busy
// the machine is, no test knows.
func measured(t *testing.T, all []Finding, about string) {
	t.Helper()
	for _, f := range all {
		if f.About != about || f.Check != "latency" {
			continue
		}
		var ms float64
		limit := float64(slow.Milliseconds())
		if _, err := fmt.Sscanf(f.Text, "10 calls: median %f ms", &ms); err != nil || ms > limit && f.Status != Warn || ms < limit && f.Status != OK {
			t.Errorf("%v: %+v", err, f)
		}
		return
	}
	t.Errorf("nothing is told of the latency of %s in %+v", about, all)
}

func TestGuarded(t *testing.T) {
	m := newMachine(t)
	m.write(".claude/x", "")
	m.write(".codex/x", "")
	all, _ := m.doctor()
	want(t, all, "umpire", "agents", Fail, "no agent is guarded")
	m.write(user, settings(t, nil, filepath.Join(programs.Dir(t), "umpire-hook")+" claude"))
	all, exit := m.doctor()
	want(t, all, "umpire", "agents", Warn, "not guarded: codex")
	if exit != 0 {
		t.Errorf("a codex that is left unguarded fails: %+v", all)
	}
}

// A project's settings are their author's: what they start is shown and not run.
func TestProjectsProgramIsNotRun(t *testing.T) {
	for _, line := range []string{
		"./umpire-hook claude",
		"umpire-hook claude",
		filepath.Join(programs.Dir(t), "umpire-hook") + " claude; touch pwned",
		filepath.Join(programs.Dir(t), "umpire-hook") + " claude\ntouch pwned",
	} {
		m := newMachine(t)
		m.write(".claude/x", "")
		m.write(project, settings(t, nil, line))
		evil := m.write("project/umpire-hook", "#!/bin/sh\ntouch pwned\n")
		if err := os.Chmod(evil, 0o755); err != nil {
			t.Fatal(err)
		}
		m.env = append(m.env, "PATH="+m.project+":"+tools(t))
		all, _ := m.doctor()
		if _, err := os.Stat(filepath.Join(m.project, "pwned")); err == nil {
			t.Errorf("%q was run: %+v", line, all)
		}
	}
	m := newMachine(t)
	m.write(project, settings(t, nil, filepath.Join(programs.Dir(t), "umpire-hook")+" claude"))
	m.write(".claude/x", "")
	all, _ := m.doctor()
	want(t, all, "claude", "probe", OK, "")
}

// What `umpire init` writes for each agent is found, and works.
func TestEveryAgent(t *testing.T) {
	m := newMachine(t)
	d := &Doctor{Exe: filepath.Join(programs.Dir(t), "umpire")}
	for _, c := range live.Clients() {
		if err := d.Install(c.Name, m.home, m.project); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := m.doctor()
	for _, c := range live.Clients() {
		for _, check := range []string{"hook", "probe"} {
			want(t, all, c.Name, check, OK, "")
		}
		measured(t, all, c.Name)
	}
	want(t, all, "opencode", "plugin", Warn, "has not loaded")
	want(t, all, "codex", "hook", OK, "cannot ask you")
	for _, f := range all {
		if f.Status == Fail {
			t.Errorf("%+v", f)
		}
	}
}

// Codex skips a hook in silence that nobody trusts.
func TestUntrusted(t *testing.T) {
	m := newMachine(t)
	d := &Doctor{Exe: filepath.Join(programs.Dir(t), "umpire")}
	if err := d.Install("codex", m.home, m.project); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(m.home, ".codex", "config.toml")); err != nil {
		t.Fatal(err)
	}
	all, _ := m.doctor()
	want(t, all, "codex", "settings", Fail, "(and 2 more like it)")
	want(t, all, "umpire", "agents", Fail, "no agent is guarded")
}

// OpenCode runs everything in silence if it cannot load a plugin.
func TestHeartbeat(t *testing.T) {
	m := newMachine(t)
	d := &Doctor{Exe: filepath.Join(programs.Dir(t), "umpire")}
	if err := d.Install("opencode", m.home, m.project); err != nil {
		t.Fatal(err)
	}
	s, err := install.Inspect(install.Env{Home: m.home, Dir: m.project, Hook: d.hookProgram()}, "opencode")
	if err != nil || s.Heartbeat == "" {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := os.MkdirAll(filepath.Dir(s.Heartbeat), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Heartbeat, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for past, status := range map[time.Duration]Status{time.Hour: Warn, -time.Hour: OK} {
		at := time.Now().Add(-past)
		if err := os.Chtimes(s.Heartbeat, at, at); err != nil {
			t.Fatal(err)
		}
		all, _ := m.doctor()
		want(t, all, "opencode", "plugin", status, "loaded")
	}
}

func TestProbeLeavesNoTrace(t *testing.T) {
	m := newMachine(t)
	m.write(user, settings(t, nil, filepath.Join(programs.Dir(t), "umpire-hook")+" claude"))
	all, _ := m.doctor()
	want(t, all, "claude", "probe", OK, "")
	if _, err := os.Stat(filepath.Join(m.home, ".local/state/umpire")); err == nil {
		t.Error("there is a record of the probe")
	}
}

func TestLive(t *testing.T) {
	for _, tt := range []struct {
		manner livetest.Behavior
		exit   int
		says   string
	}{
		{livetest.ObeysHooks, 0, "harmless call ran, destructive call stopped ("},
		{livetest.IgnoresHooks, 1, "hook not called: the destructive call ran"},
		{livetest.RunsEverything, 1, "destructive RAN"},
		{livetest.Broken, 1, `did not start: \x1b[31mno licence`},
	} {
		t.Run(string(tt.manner), func(t *testing.T) {
			m := newMachine(t)
			bin, err := livetest.Program(t.TempDir(), tt.manner)
			if err != nil {
				t.Fatal(err)
			}
			out, exit := m.run("doctor", "--live", "claude", "--bin", "claude="+bin)
			if exit != tt.exit || !strings.Contains(out, tt.says) || strings.Contains(out, "\x1b") {
				t.Errorf("exit status %d: %s", exit, out)
			}
			m.env = append(m.env, "PATH="+filepath.Dir(bin)+":"+tools(t))
			out, exit = m.run("doctor", "--live", "--json")
			var doc struct {
				Passed, Failed int
				Clients        []struct{ Client, Result string }
			}
			if err := json.Unmarshal([]byte(out), &doc); err != nil || exit != tt.exit || doc.Failed != exit || doc.Passed != 1-exit || doc.Clients[0].Client != "claude" {
				t.Errorf("exit status %d, %v: %s", exit, err, out)
			}
			if entries, _ := os.ReadDir(m.home); len(entries) != 2 { // the project and a cache
				t.Errorf("the home has %v", entries)
			}
		})
	}
}

// Who interrupts a trial is left with neither a client nor its home.
func TestLiveInterrupted(t *testing.T) {
	m := newMachine(t)
	bin, err := livetest.Program(t.TempDir(), livetest.Endless)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(m.bin, "umpire"), "doctor", "--live", "--bin", "claude="+bin)
	cmd.Dir, cmd.Env = m.project, m.env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	name := bufio.NewScanner(out)
	name.Split(bufio.ScanWords)
	for name.Scan() && name.Text() != "claude" { // it is about to be started, or runs
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for name.Scan() {
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("%v: %s", err, errs.String())
	}
	if left, _ := filepath.Glob(filepath.Join(m.home, ".cache", "umpire-live", "*")); len(left) > 0 {
		t.Errorf("%s was left behind", left)
	}
}

func TestLiveUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		exit int
		says string
	}{
		{[]string{"doctor", "--live"}, 1, "found no coding agent"},
		{[]string{"doctor", "--live", "claude"}, 1, "not installed: claude is not in PATH"},
		{[]string{"doctor", "--live", "--bin", "pi=/nonexistent/pi"}, 1, "not installed: stat /nonexistent/pi"},
		{[]string{"doctor", "--live", "emacs"}, 64, "does not support the client \"emacs\""},
		{[]string{"doctor", "claude"}, 64, "--live"},
	} {
		if out, exit := newMachine(t).run(tt.args...); exit != tt.exit || !strings.Contains(out, tt.says) {
			t.Errorf("%q: exit status %d: %s", tt.args, exit, out)
		}
	}
}
