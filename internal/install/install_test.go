package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tailscale/hujson"
)

// machineFor makes an empty home with a project, and an umpire-hook.
func machineFor(t *testing.T) Env {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env := Env{Home: filepath.Join(dir, "home"), Dir: filepath.Join(dir, "home", "project"), Root: filepath.Join(dir, "root"), Hook: filepath.Join(dir, "home", ".local", "bin", "umpire-hook")}
	for _, d := range []string{env.Dir, env.Root, filepath.Dir(env.Hook)} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(env.Hook, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return env
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// must plans and applies, and returns the changes.
func must(t *testing.T, env Env, agent string, scope Scope, o Options) []Change {
	t.Helper()
	changes, err := Plan(env, agent, scope, o)
	if err != nil {
		t.Fatalf("%s %s: %v", agent, scope, err)
	}
	if err := Apply(env, changes); err != nil {
		t.Fatalf("%s %s: %v", agent, scope, err)
	}
	return changes
}

func remove(t *testing.T, env Env, agent string, scope Scope) []Change {
	t.Helper()
	changes, err := PlanRemove(env, agent, scope)
	if err != nil {
		t.Fatalf("%s %s: %v", agent, scope, err)
	}
	if err := Apply(env, changes); err != nil {
		t.Fatalf("%s %s: %v", agent, scope, err)
	}
	return changes
}

// tree is every file and folder below dir with its content and mode, but for the state.
func tree(t *testing.T, env Env) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(env.Home), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, "/umpire") && d.IsDir() || strings.HasSuffix(path, "/.local/state") || strings.Contains(path, "root/var") {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		if d.Type().IsRegular() {
			text += " " + get(t, path)
		}
		out[path] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sameTree(t *testing.T, before, after map[string]string) {
	t.Helper()
	for path, text := range before {
		if after[path] != text {
			t.Errorf("%s was\n%s\nand is\n%s", path, text, after[path])
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			t.Errorf("%s is left over", path)
		}
	}
}

// scopes are where an agent can be installed in a test's world.
func scopes(t *testing.T, env Env, a Agent) (list []Scope) {
	t.Helper()
	for s := User; s <= Managed; s++ {
		if a.Has(s) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		t.Errorf("%s can be installed nowhere", a.Name)
	}
	if a.Name == "kiro" { // its hooks belong to agents that exist
		put(t, filepath.Join(env.Home, ".kiro/agents/mine.json"), `{"name": "mine"}`)
		put(t, filepath.Join(env.Dir, ".kiro/agents/ours.json"), `{"name": "ours", "hooks": {}}`)
	}
	return list
}

func TestSettingsOfOthers(t *testing.T) {
	for _, tt := range existing {
		env := machineFor(t)
		path := filepath.Join(env.Home, tt.path)
		put(t, path, tt.text)
		changes := must(t, env, tt.agent, User, Options{})
		if len(changes) == 0 || changes[len(changes)-1].Path != path || !changes[len(changes)-1].Existed {
			t.Fatalf("%s: changes %+v, want that of %s last, which existed", tt.path, changes, path)
		}
		after := get(t, path)
		for line := range strings.Lines(tt.text) {
			for _, mark := range []string{"//", "/*", "#"} {
				if _, comment, ok := strings.Cut(line, mark); ok && !strings.Contains(after, strings.TrimSpace(comment)) {
					t.Errorf("%s lost the comment %q:\n%s", tt.path, comment, after)
				}
			}
		}
		if strings.Contains(tt.text, "\r\n") && strings.Count(after, "\n") != strings.Count(after, "\r\n") && tt.agent != "kimi" {
			t.Errorf("%s has two kinds of line ends:\n%q", tt.path, after)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s has the mode %v: %v", tt.path, info.Mode(), err)
		}
		if n := len(inspectOne(t, env, tt.agent, path).Foreign); strings.Contains(tt.text, "guard") && n != 1 {
			t.Errorf("%s: %d foreign hooks:\n%s", tt.path, n, after)
		}
		if again, err := Plan(env, tt.agent, User, Options{}); err != nil || len(again) != 0 {
			t.Errorf("%s: a second run would change it: %v\n%s", tt.path, err, after)
		}

		// Taken out by hand as it were: after an edit of the user's.
		put(t, path, after+"\n\n")
		remove(t, env, tt.agent, User)
		if left := get(t, path); !strings.HasSuffix(left, "\n\n") || strings.Contains(strings.ReplaceAll(left, "command = \"umpire-hook kimi\"\n'''", ""), "umpire") || !alike(tt.text, left) {
			t.Errorf("%s became\n%s\nwant the text without umpire", tt.path, left)
		}

		// And as it was left.
		env = machineFor(t)
		path = filepath.Join(env.Home, tt.path)
		put(t, path, tt.text)
		before := tree(t, env)
		must(t, env, tt.agent, User, Options{})
		remove(t, env, tt.agent, User)
		sameTree(t, before, tree(t, env))
	}
}

// alike reports whether two settings say the same: an empty list of hooks says nothing.
func alike(a, b string) bool {
	x, y := meaning(a), meaning(b)
	return x != nil && equal(x, y)
}

func meaning(s string) map[string]any {
	if m, err := parseTOML([]byte(s)); err == nil && len(m) > 0 {
		return m
	}
	data := bytes.TrimPrefix([]byte(s), byteOrderMark)
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}
	}
	v, err := hujson.Parse(data)
	if err != nil {
		return nil
	}
	v.Standardize()
	m := map[string]any{}
	if json.Unmarshal(v.Pack(), &m) != nil {
		return nil
	}
	if hooks, ok := m["hooks"].(map[string]any); ok {
		for name, v := range hooks {
			if list, ok := v.([]any); ok && len(list) == 0 {
				delete(hooks, name)
			}
		}
		if len(hooks) == 0 {
			delete(m, "hooks")
		}
	}
	delete(m, "version")
	return m
}

func inspectOne(t *testing.T, env Env, agent, path string) File {
	t.Helper()
	st, err := Inspect(env, agent)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range st.Files {
		if f.Path == path {
			return f
		}
	}
	t.Fatalf("%s is not among %+v", path, st.Files)
	return File{}
}

// What was there of umpire's in another form becomes what it should be, exactly once.
func TestRepair(t *testing.T) {
	env := machineFor(t)
	path := filepath.Join(env.Home, ".claude/settings.json")
	for _, tt := range []struct {
		name, text string
		foreign    int
	}{
		{"an older path", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/old/umpire-hook claude"}]}]}}`, 0},
		{"no longer fail-closed", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"HOOK claude","timeout":60}]}]}}`, 0},
		{"for some tools only", `{"hooks":{"PreToolUse":[{"matcher":"Read","hooks":[{"type":"command","command":"HOOK claude","timeout":60,"onFailure":"block"}]}]}}`, 0},
		{"its status thrown away", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"HOOK claude || true","timeout":60,"onFailure":"block"}]}]}}`, 0},
		{"twice", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"HOOK claude"}]},{"matcher":"*","hooks":[{"type":"command","command":"HOOK claude"}]}]}}`, 0},
		{"beside another", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"},{"type":"command","command":"HOOK claude"},{"type":"command","command":"b"}]}]}}`, 2},
		{"quoted", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"'HOOK' claude"}]}]}}`, 0},
		{"in exec form", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"HOOK","args":["claude"]}]}]}}`, 0},
	} {
		put(t, path, strings.ReplaceAll(tt.text, "HOOK", env.Hook))
		st, err := Inspect(env, "claude")
		if err != nil || len(st.Problems) == 0 {
			t.Errorf("%s: nothing is found: %+v %v", tt.name, st, err)
		}
		must(t, env, "claude", User, Options{})
		f := inspectOne(t, env, "claude", path)
		calls := 0
		for _, e := range f.Ours {
			if e.Event == "PreToolUse" {
				calls++
				if e.Matcher != "*" || e.Command != env.Hook+" claude" {
					t.Errorf("%s: hook %+v, want %s claude for every tool", tt.name, e, env.Hook)
				}
			}
		}
		if st, _ := Inspect(env, "claude"); calls != 1 || len(f.Foreign) != tt.foreign || len(st.Problems) > 0 || !st.Installed {
			t.Errorf("%s: status %+v, want one hook installed without problems and %d others\n%s", tt.name, st, tt.foreign, get(t, path))
		}
		remove(t, env, "claude", User)
		if left := get(t, path); strings.Contains(left, "umpire") {
			t.Errorf("%s: left is %s", tt.name, left)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// Nothing is ever written over what cannot be understood.
func TestGarbage(t *testing.T) {
	for _, tt := range []struct{ agent, path, text, says string }{
		{"claude", ".claude/settings.json", "{\n  \"a\": ,\n}", "line 2, column 8"},
		{"claude", ".claude/settings.json", "[]", "must be a JSON object"},
		{"claude", ".claude/settings.json", `{"hooks":[]}`, `"hooks" is not an object`},
		{"claude", ".claude/settings.json", `{"hooks":{"PreToolUse":{}}}`, `"PreToolUse" is not a list`},
		{"claude", ".claude/settings.json", "{\"hooks\":{},\n\"hooks\":{}}", "line 2: duplicate key \"hooks\""},
		{"claude", ".claude/settings.json", strings.Repeat("[", 100000), "too deeply"},
		{"claude", ".claude/settings.json", `/*"*/` + strings.Repeat("[", 100000), "too deeply"},
		{"claude", ".claude/settings.json", strings.Repeat(" ", maxSize+1), "larger than"},
		{"claude", ".claude/settings.json", "\x00\x01\x02", "line 1"},
		{"kimi", ".kimi-code/config.toml", "a = \n", "line 1"},
		{"kimi", ".kimi-code/config.toml", "hooks = [{event = \"Stop\", command = \"x\"}]\n", "by hand"},
		{"kimi", ".kimi-code/config.toml", "hooks = 3\n", "by hand"},
		{"kimi", ".kimi-code/config.toml", "hooks = [3]\n", "by hand"},
		{"cline", ".cline/hooks/PreToolUse.sh", "#!/bin/sh\nguard\n", "another program's hook"},
		{"cline", ".cline/hooks/PreToolUse.py", "guard()\n", "starts one file for an event"},
		{"opencode", ".config/opencode/plugin/umpire.js", "export const X = 1\n", "another program's hook"},
	} {
		env := machineFor(t)
		path := filepath.Join(env.Home, tt.path)
		put(t, path, tt.text)
		before := tree(t, env)
		_, err := Plan(env, tt.agent, User, Options{})
		if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s with %.40q: error %v, want one with %q and the path", tt.path, tt.text, err, tt.says)
		}
		sameTree(t, before, tree(t, env))
		if changes, err := PlanRemove(env, tt.agent, User); len(changes) > 0 || strings.HasPrefix(tt.says, "line") && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s with %.40q: a removal would change %+v, %v, want no change and %q", tt.path, tt.text, changes, err, tt.says)
		}
		if _, err := Inspect(env, tt.agent); err != nil {
			t.Errorf("%s: error %v, want none", tt.path, err)
		}
		_ = SessionReport(env, tt.agent)
	}
	switches := settings{path: []string{"hooks"}, sets: []set{{[]string{"hooksConfig", "enabled"}, "true"}}}
	if out, err := switches.install([]byte(`{"hooksConfig":[]}`)); err == nil || !strings.Contains(err.Error(), `"hooksConfig" is not an object`) {
		t.Errorf("a switch in a list: %s, %v, want an error that names the list", out, err)
	}
}

// An empty file in place of a script holds no hook of another program: it is replaced.
func TestEmptyScript(t *testing.T) {
	for _, text := range []string{"", " \n"} {
		env := machineFor(t)
		path := filepath.Join(env.Home, ".cline", "hooks", "PreToolUse.sh")
		put(t, path, text)
		if f := inspectOne(t, env, "cline", path); len(f.Foreign) > 0 || len(f.Ours) > 0 {
			t.Errorf("a file with %q has the hooks %+v and %+v, want none", text, f.Ours, f.Foreign)
		}
		must(t, env, "cline", User, Options{})
		if f := inspectOne(t, env, "cline", path); len(f.Foreign) > 0 || len(f.Ours) != 1 {
			t.Errorf("after the installation over %q: hooks %+v, others %+v, want one hook", text, f.Ours, f.Foreign)
		}
	}
}

// What cannot be planned changes nothing, and the error says why.
func TestRefusedPlans(t *testing.T) {
	plan := func(env Env, agent string) error { _, err := Plan(env, agent, User, Options{}); return err }
	removal := func(env Env, agent string) error { _, err := PlanRemove(env, agent, User); return err }
	look := func(env Env, agent string) error { _, err := Inspect(env, agent); return err }
	for name, tt := range map[string]struct {
		agent string
		spoil func(env *Env)
		do    func(env Env, agent string) error
		says  string
	}{
		"an agent that is not known":              {"nobody", nil, plan, `unknown agent "nobody"`},
		"an agent that is not known, removed":     {"nobody", nil, removal, `unknown agent "nobody"`},
		"an agent that is not known, looked at":   {"nobody", nil, look, `unknown agent "nobody"`},
		"a hook without its folder":               {"claude", func(env *Env) { env.Hook = "umpire-hook" }, plan, "absolute path"},
		"a hook in a folder with a strange name":  {"claude", func(env *Env) { env.Hook = "/a\nb/umpire-hook" }, plan, "line break"},
		"a record that is damaged":                {"claude", func(env *Env) { spoiledRecord(t, *env, "{") }, removal, "the installation record"},
		"a record of another version":             {"claude", func(env *Env) { spoiledRecord(t, *env, `{"version":2}`) }, removal, "another version of umpire"},
		"a backup in whose place a folder stands": {"claude", func(env *Env) { spoiledBackup(t, *env) }, removal, "read the backup of the original"},
		"settings of Codex that are a folder":     {"codex", func(env *Env) { put(t, filepath.Join(env.Home, ".codex", "hooks.json", "x"), "") }, removal, "hooks.json"},
	} {
		env := machineFor(t)
		if tt.spoil != nil {
			tt.spoil(&env)
		}
		before := tree(t, env)
		if err := tt.do(env, tt.agent); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %q", name, err, tt.says)
		}
		sameTree(t, before, tree(t, env))
	}
}

// spoiledRecord installs umpire for Claude Code and overwrites the record.
func spoiledRecord(t *testing.T, env Env, text string) {
	t.Helper()
	must(t, env, "claude", User, Options{})
	put(t, recordPath(env, User), text)
}

// spoiledBackup installs umpire for Claude Code and puts a folder in the place of the backup.
func spoiledBackup(t *testing.T, env Env) {
	t.Helper()
	put(t, filepath.Join(env.Home, ".claude", "settings.json"), "{}")
	must(t, env, "claude", User, Options{})
	rec, err := loadRecord(env, User)
	if err != nil || len(rec.Installs) != 1 || rec.Installs[0].Backup == "" {
		t.Fatalf("recorded is %+v, %v, want a backup", rec, err)
	}
	if err := os.Remove(rec.Installs[0].Backup); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(rec.Installs[0].Backup, "x"), "")
}

func TestLinksStay(t *testing.T) {
	env := machineFor(t)
	real := filepath.Join(env.Home, "dotfiles", "claude.json")
	put(t, real, "{}\n")
	path := filepath.Join(env.Home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../dotfiles/claude.json", path); err != nil {
		t.Fatal(err)
	}
	before := tree(t, env)
	must(t, env, "claude", User, Options{})
	if to, err := os.Readlink(path); err != nil || to != "../dotfiles/claude.json" || !strings.Contains(get(t, real), "umpire-hook") {
		t.Errorf("the link goes to %q, %v: %s", to, err, get(t, real))
	}
	remove(t, env, "claude", User)
	sameTree(t, before, tree(t, env))

	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, err := Plan(env, "claude", User, Options{}); err == nil || !strings.Contains(err.Error(), "link to a file that does not exist") {
		t.Errorf("a link to nowhere: %v", err)
	}
}

var errFull = errors.New("no space left on device")

// fullDisk lets n files be written, and then no more.
func fullDisk(t *testing.T, n int) {
	t.Helper()
	old := writeAll
	t.Cleanup(func() { writeAll = old })
	writeAll = func(f *os.File, data []byte) error {
		if n--; n < 0 {
			_, _ = f.Write(data[:len(data)/2])
			return errFull
		}
		return old(f, data)
	}
}

// Whatever fails, an agent's files are all as they were.
func TestFailures(t *testing.T) {
	path := func(env Env) string { return filepath.Join(env.Home, ".codex", "config.toml") }
	for _, tt := range []struct {
		name  string
		spoil func(t *testing.T, env Env)
		says  string
	}{
		{"no space for the copy", func(t *testing.T, _ Env) { fullDisk(t, 0) }, "no space"},
		{"no space for the first file", func(t *testing.T, _ Env) { fullDisk(t, 1) }, "no space"},
		{"no space for the second file", func(t *testing.T, _ Env) { fullDisk(t, 3) }, "no space"},
		{"no space for the record", func(t *testing.T, _ Env) { fullDisk(t, 4) }, "no space"},
		{"another edit meanwhile", func(t *testing.T, env Env) { put(t, path(env), "model = \"b\"\n") }, "changed in the meantime"},
		{"removed meanwhile", func(t *testing.T, env Env) {
			if err := os.Remove(path(env)); err != nil {
				t.Fatal(err)
			}
		}, "changed in the meantime"},
		{"made meanwhile", func(t *testing.T, env Env) { put(t, filepath.Join(env.Home, ".codex", "rules"), "") }, ""},
		{"read-only", func(t *testing.T, env Env) {
			if err := os.Chmod(path(env), 0o440); err != nil {
				t.Fatal(err)
			}
		}, "is read-only"},
		{"a read-only folder", func(t *testing.T, env Env) {
			if err := os.Chmod(filepath.Dir(path(env)), 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path(env)), 0o755) })
		}, "read-only"},
		{"a state folder that is none", func(t *testing.T, env Env) { put(t, filepath.Join(env.Home, ".local", "state"), "") }, "not a directory"},
		{"a broken record", func(t *testing.T, env Env) { put(t, recordPath(env, User), "{") }, "the installation record"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := machineFor(t)
			put(t, filepath.Join(env.Home, ".codex", "hooks.json"), `{"hooks":{}}`)
			put(t, path(env), "model = \"a\"\n")
			changes, err := Plan(env, "codex", User, Options{Trust: true})
			if err != nil || len(changes) != 2 {
				t.Fatalf("changes %+v, error %v; want 2", changes, err)
			}
			tt.spoil(t, env)
			before := tree(t, env)
			if err = Apply(env, changes); tt.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("it says %v", err)
			}
			sameTree(t, before, tree(t, env))
			if tt.says != "the installation record" {
				if rec, err := loadRecord(env, User); err == nil && len(rec.Installs) > 0 {
					t.Errorf("recorded is %+v", rec.Installs)
				}
			}
		})
	}
}

// A file that changes at the last moment keeps its change, and its agent's other files
// are put back.
func TestLastMoment(t *testing.T) {
	for _, name := range []string{"hooks.json", "config.toml"} {
		env := machineFor(t)
		for _, n := range []string{"hooks.json", "config.toml"} {
			put(t, filepath.Join(env.Home, ".codex", n), "")
		}
		changes, err := Plan(env, "codex", User, Options{Trust: true})
		if err != nil || len(changes) != 2 {
			t.Fatalf("changes %+v, error %v; want 2", changes, err)
		}
		old := writeAll
		t.Cleanup(func() { writeAll = old })
		writeAll = func(f *os.File, data []byte) error {
			if strings.Contains(f.Name(), "installed.json") { // all is ready to be renamed
				put(t, filepath.Join(env.Home, ".codex", name), "# mine\n")
			}
			return old(f, data)
		}
		if err := Apply(env, changes); !errors.Is(err, ErrMoved) {
			t.Errorf("%s: error %v, want %v", name, err, ErrMoved)
		}
		for _, n := range []string{"hooks.json", "config.toml"} {
			if got := get(t, filepath.Join(env.Home, ".codex", n)); got != "" && n != name || n == name && got != "# mine\n" {
				t.Errorf("after a change of %s, %s has %q", name, n, got)
			}
		}
		if names, _ := filepath.Glob(filepath.Join(env.Home, ".codex", "*umpire*")); len(names) > 0 {
			t.Errorf("left over are %v", names)
		}
	}
}

// Comments around what is taken out stay.
func TestCommentsStay(t *testing.T) {
	s := &settings{path: []string{"hooks"}}
	const own = `{"command":"umpire-hook x"}`
	for in, want := range map[string]string{
		"{\"hooks\":{\"a\":[ // 1\n " + own + ", // 2\n {\"command\":\"b\"} // 3\n]}}": "{\"hooks\":{\"a\":[ // 1\n // 2\n {\"command\":\"b\"} // 3\n]}}",
		"{\"hooks\":{\"a\":[\n {\"command\":\"b\"}, // 1\n " + own + " // 2\n]}}":      "{\"hooks\":{\"a\":[\n {\"command\":\"b\"} // 1\n // 2\n]}}",
		"{\"hooks\":{\"a\":[{\"command\":\"b\"},/*1*/" + own + "/*2*/,/*3*/]}}":        "{\"hooks\":{\"a\":[{\"command\":\"b\"},/*1*/\n/*2*/\n/*3*/]}}",
		"{ // 1\n \"hooks\": {\"a\":[" + own + "]}, // 2\n \"b\": 1}":                  "{ // 1\n // 2\n \"b\": 1}",
	} {
		got, _, err := s.remove([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s becomes\n%s\nand not\n%s\n%v", in, got, want, err)
		}
	}
}

// Many runs at once leave the hook exactly once, and what was there.
func TestAtOnce(t *testing.T) {
	env := machineFor(t)
	path := filepath.Join(env.Home, ".claude", "settings.json")
	put(t, path, "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"guard\"}]}]}}\n")
	original := get(t, path)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for {
				changes, err := Plan(env, "claude", User, Options{})
				if err == nil {
					err = Apply(env, changes)
				}
				if err == nil {
					return
				}
				if !errors.Is(err, ErrMoved) {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	if text := get(t, path); strings.Count(text, "umpire-hook claude") != 3 || !strings.Contains(text, "guard") {
		t.Errorf("it has %s", text)
	}
	remove(t, env, "claude", User)
	if get(t, path) != original {
		t.Errorf("it became %s", get(t, path))
	}
}

// Who gave up waiting for the lock leaves it to others.
func TestLockGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lock(path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(path, time.Millisecond); err == nil {
		t.Error("two have it")
	}
	first()
	again, err := lock(path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// The hashes are of an implementation in another language, and of sha256sum.
func TestCodexTrust(t *testing.T) {
	env := Env{Home: "/home/u", Hook: "/home/u/.local/bin/umpire-hook"}
	all := "*"
	for _, tt := range []struct {
		event, command string
		matcher        *string
		timeout        int
		want           string
	}{
		{"PreToolUse", "/home/u/.local/bin/umpire-hook codex", &all, 60, "sha256:438ce1cb47f3497b80ea636ac08845d9961afa37d54302f07e629d0610b9db10"},
		{"SessionStart", "/home/u/.local/bin/umpire-hook codex", nil, 60, "sha256:fc2f5e08a53d059b2a53b3631989bee39ea566cbbc24a185748601be9339ae29"},
		{"SessionEnd", "/home/u/.local/bin/umpire-hook codex", nil, 60, "sha256:92694ae5ebb332abb414f4ba34af8b9b8828d98369f133543d1fa909fc601133"},
		{"UserPromptSubmit", "'/a b/<x>&/umpire-hook' codex", &all, 600, "sha256:9a8f8cecbd1860bd898c6ed553e35f0ad61c416cc568577bed4e0f8d58d580ee"},
	} {
		if got := codexHash(tt.event, tt.matcher, tt.command, tt.timeout); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.event, tt.command, got, tt.want)
		}
	}
	a, err := find1("codex")
	if err != nil {
		t.Fatal(err)
	}
	target := a.files(a, env, User, Options{})[0]
	hooks, err := target.form.install([]byte(`{"hooks":{"PreToolUse":[{"hooks":[]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := trustOf("/home/u/.codex/hooks.json", hooks)
	if len(got) != 3 || got[0] != (trusted{"/home/u/.codex/hooks.json:pre_tool_use:1:0", "sha256:438ce1cb47f3497b80ea636ac08845d9961afa37d54302f07e629d0610b9db10"}) {
		t.Errorf("trusted %+v, want 3, the first with its hash", got)
	}
}

// What the user's own configuration has stays, trust in others included.
func TestTrustFile(t *testing.T) {
	env := machineFor(t)
	config := filepath.Join(env.Home, ".codex", "config.toml")
	hooks := filepath.Join(env.Home, ".codex", "hooks.json")
	text := "model = \"gpt\" # good\n\n[hooks.state.\"/x/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n\n[hooks.state.\"" + hooks + ":pre_tool_use:0:0\"]\n# stale\ntrusted_hash = \"sha256:2\"\n\n# providers\n[model_providers.x]\nname = \"x\"\n"
	put(t, config, text)
	must(t, env, "codex", User, Options{})
	st, err := Inspect(env, "codex")
	if err != nil || st.Installed || len(st.Problems) == 0 || st.Problems[0].Kind != Off || !strings.Contains(st.Problems[0].Text, "differs from the one that was trusted") {
		t.Errorf("not trusted: %+v %v", st, err)
	}
	must(t, env, "codex", User, Options{Trust: true})
	got := get(t, config)
	for _, want := range []string{"model = \"gpt\" # good\n", "/x/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"", "# providers\n[model_providers.x]\nname = \"x\"\n", "session_start:0:0"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is gone from\n%s", want, got)
		}
	}
	if strings.Contains(got, `"sha256:2"`) || strings.Count(got, "pre_tool_use") != 1 {
		t.Errorf("it has\n%s", got)
	}
	if st, _ := Inspect(env, "codex"); !st.Installed || len(st.Problems) > 0 {
		t.Errorf("trusted: status %+v, want it installed without problems", st)
	}
	put(t, config, strings.Replace(got, "trusted_hash = \"sha256:", "enabled = false\ntrusted_hash = \"sha256:", 2))
	if st, _ := Inspect(env, "codex"); st.Installed {
		t.Errorf("switched off: %+v", st)
	}
	remove(t, env, "codex", User)
	if got := get(t, config); strings.Contains(got, hooks) || !strings.Contains(got, "sha256:1") {
		t.Errorf("left is\n%s", got)
	}
}
