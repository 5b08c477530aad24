package place

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

var testMap = Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj/sub", Temp: "/scratch"}

func TestResolve(t *testing.T) {
	const (
		ws = umpire.PlaceInWorkspace
	)
	for _, tt := range []struct {
		text, abs string
		has, not  umpire.Place
	}{
		{"/", "/", umpire.PlaceRoot | umpire.PlaceParent, ws},
		{"//", "/", umpire.PlaceRoot, 0},
		{"/tmp/x/" + strings.Repeat("a/../", maxPath) + "../../etc/shadow", "/etc/shadow", umpire.PlaceCredentials, umpire.PlaceTemp},
		{strings.Repeat("./", maxPath) + "../../.ssh/id_rsa", "/home/dev/.ssh/id_rsa", umpire.PlaceCredentials, ws},
		{"~/" + strings.Repeat("a/", maxPath), umpire.Hole, umpire.PlaceRelative, ws},
		{"~/.config/umpire/secrets", "/home/dev/.config/umpire/secrets", umpire.PlaceCredentials | umpire.PlaceUmpire, ws},
		{"~/.local/state/umpire/operator.token", "/home/dev/.local/state/umpire/operator.token", umpire.PlaceCredentials | umpire.PlaceUmpire, ws},
		{"~/.config/umpire/policy.yaml", "/home/dev/.config/umpire/policy.yaml", umpire.PlaceUmpire, umpire.PlaceCredentials},
		{"/*", "/*", umpire.PlaceRoot | umpire.PlaceSystemTop, 0},
		{"../../../..", "/", umpire.PlaceRoot, 0},
		{"/etc", "/etc", umpire.PlaceSystem | umpire.PlaceSystemTop, umpire.PlaceTemp},
		{"/et[c]", "/et[c]", umpire.PlaceSystemTop, 0},
		{"/usr/share/x", "/usr/share/x", umpire.PlaceSystem, umpire.PlaceSystemTop},
		{"/proc/self/root/etc/shadow", "/etc/shadow", umpire.PlaceCredentials, 0},
		{"/proc/self/cwd/x", "/home/dev/proj/sub/x", ws, 0},
		{"~", "/home/dev", umpire.PlaceHome | umpire.PlaceParent, umpire.PlaceHomeTop},
		{"~/", "/home/dev", umpire.PlaceHome, 0},
		{"~/*", "/home/dev/*", umpire.PlaceHome | umpire.PlaceHomeTop, 0},
		{"~/notes", "/home/dev/notes", umpire.PlaceHomeTop | umpire.PlaceInHome | umpire.PlaceOutside, umpire.PlaceHome | ws},
		{"~eve/x", "/home/eve/x", umpire.PlaceInHome, 0},
		{"/home/*", "/home/*", umpire.PlaceHome | umpire.PlaceParent, 0},
		{"/Users/eve", "/Users/eve", umpire.PlaceHome, 0},
		{"/root", "/root", umpire.PlaceHome, 0},
		{"..", "/home/dev/proj", umpire.PlaceWorkspace | ws, umpire.PlaceOutside | umpire.PlaceParent},
		{"../*", "/home/dev/proj/*", umpire.PlaceWorkspace, 0},
		{"../..", "/home/dev", umpire.PlaceHome | umpire.PlaceParent, 0},
		{"x", "/home/dev/proj/sub/x", ws, umpire.PlaceWorkspace | umpire.PlaceParent | umpire.PlaceOutside},
		{"../node_modules", "/home/dev/proj/node_modules", umpire.PlaceGenerated, 0},
		{"src/cache", "/home/dev/proj/sub/src/cache", 0, umpire.PlaceGenerated},
		{"../package-lock.json", "/home/dev/proj/package-lock.json", umpire.PlaceGenerated, 0},
		{"/tmp/x", "/tmp/x", umpire.PlaceTemp, umpire.PlaceOutside},
		{"/tmp", "/tmp", 0, umpire.PlaceTemp},
		{"/home/dev/.cache/x", "/home/dev/.cache/x", umpire.PlaceCache, 0},
		{"/scratch/x", "/scratch/x", umpire.PlaceTemp, 0},
		{"../.git", "/home/dev/proj/.git", umpire.PlaceGitDir, umpire.PlaceGitHooks},
		{"../.git/hooks/pre-commit", "/home/dev/proj/.git/hooks/pre-commit", umpire.PlaceGitHooks, 0},
		{"~/.ssh/id_rsa", "/home/dev/.ssh/id_rsa", umpire.PlaceCredentials, 0},
		{"~/.\u017f\u017fh/id_rsa", "/home/dev/.\u017f\u017fh/id_rsa", umpire.PlaceCredentials, 0},
		{"~/.ss\u200ch/id_rsa", "/home/dev/.ss\u200ch/id_rsa", umpire.PlaceCredentials, 0},
		{"../.g\u200dit/hooks/pre-commit", "/home/dev/proj/.g\u200dit/hooks/pre-commit", umpire.PlaceGitHooks, 0},
		{"~/.SSH/ID_RSA", "/home/dev/.SSH/ID_RSA", umpire.PlaceCredentials, 0},
		{"~/.ssh", "/home/dev/.ssh", umpire.PlaceCredentials, 0},
		{"~/.ss*/id_*", "/home/dev/.ss*/id_*", umpire.PlaceCredentials, 0},
		{"~/.ssh/id_rsa.pub", "/home/dev/.ssh/id_rsa.pub", 0, umpire.PlaceCredentials},
		{"~/.ssh/known_hosts", "/home/dev/.ssh/known_hosts", 0, umpire.PlaceCredentials},
		{"~/.ssh/authorized_keys", "/home/dev/.ssh/authorized_keys", umpire.PlaceLogin, 0},
		{"~/.aws/credential?", "/home/dev/.aws/credential?", umpire.PlaceCredentials, 0},
		{"server.key", "/home/dev/proj/sub/server.key", umpire.PlaceCredentials, 0},
		{"ca.pem", "/home/dev/proj/sub/ca.pem", 0, umpire.PlaceCredentials},
		{".env", "/home/dev/proj/sub/.env", umpire.PlaceEnvFile, 0},
		{".env.production", "/home/dev/proj/sub/.env.production", umpire.PlaceEnvFile, 0},
		{".env?", "/home/dev/proj/sub/.env?", umpire.PlaceEnvFile, 0},
		{".e*v", "/home/dev/proj/sub/.e*v", umpire.PlaceEnvFile, 0},
		{".eslint*", "/home/dev/proj/sub/.eslint*", 0, umpire.PlaceEnvFile},
		{".env.example", "/home/dev/proj/sub/.env.example", 0, umpire.PlaceEnvFile},
		{"~/.bashrc", "/home/dev/.bashrc", umpire.PlaceStartup, 0},
		{"~/.claude/settings.json", "/home/dev/.claude/settings.json", umpire.PlaceAgentConfig, 0},
		{"../.claude/settings.local.json", "/home/dev/proj/.claude/settings.local.json", umpire.PlaceAgentConfig, 0},
		{"../CLAUDE.md", "/home/dev/proj/CLAUDE.md", umpire.PlaceAgentRules, umpire.PlaceAgentConfig},
		{"../.mcp.json", "/home/dev/proj/.mcp.json", umpire.PlaceMCP, 0},
		{"~/.config/umpire/policy.yaml", "/home/dev/.config/umpire/policy.yaml", umpire.PlaceUmpire, 0},
		{"../.umpire.yaml", "/home/dev/proj/.umpire.yaml", umpire.PlaceUmpire, 0},
		{"/var/lib/umpire/installed.json", "/var/lib/umpire/installed.json", umpire.PlaceUmpire, 0},
		{"~/.kimi-code/config.toml", "/home/dev/.kimi-code/config.toml", umpire.PlaceAgentConfig, 0},
		{"~/.config/devin/config.json", "/home/dev/.config/devin/config.json", umpire.PlaceAgentConfig, 0},
		{"/dev/null", "/dev/null", umpire.PlaceNull, umpire.PlaceDevice},
		{"/dev/sda1", "/dev/sda1", umpire.PlaceDevice, umpire.PlaceNull},
		{"/dev/sd?", "/dev/sd?", umpire.PlaceDevice, 0},
		{"/etc/cron.d/x", "/etc/cron.d/x", umpire.PlaceJobs, 0},
		{"/var/log/auth.log", "/var/log/auth.log", umpire.PlaceLog, 0},
		{"/var/run/docker.sock", "/var/run/docker.sock", umpire.PlaceSocket, 0},
		{"../.github/workflows/ci.yml", "/home/dev/proj/.github/workflows/ci.yml", umpire.PlaceCI, 0},
		{umpire.Hole + "/.ssh/id_rsa", umpire.Hole + "/.ssh/id_rsa", umpire.PlaceRelative | umpire.PlaceCredentials, 0},
		{"/proc/" + umpire.Hole + "/environ", "/proc/" + umpire.Hole + "/environ", umpire.PlaceCredentials, 0},
		{"/proc/" + umpire.Hole + "/status", "/proc/" + umpire.Hole + "/status", 0, umpire.PlaceCredentials},
		{"/etc/" + umpire.Hole, "/etc/" + umpire.Hole, umpire.PlaceSystem, 0},
		{`C:\`, `C:/`, umpire.PlaceRoot, 0},
		{`C:\Windows\System32`, `C:/Windows/System32`, umpire.PlaceSystem, 0},
		{`%USERPROFILE%\.ssh\id_rsa`, "/home/dev/.ssh/id_rsa", umpire.PlaceCredentials, 0},
		{`$env:USERPROFILE\x`, "/home/dev/x", umpire.PlaceHomeTop, 0},
		{`C:\Users\eve\AppData\Local\Temp\x`, `C:/Users/eve/AppData/Local/Temp/x`, umpire.PlaceTemp, 0},
	} {
		abs, p := testMap.Resolve(tt.text)
		if abs != tt.abs || !p.Has(tt.has) || p&tt.not != 0 {
			t.Errorf("Resolve(%q) = %q {%v},\nwant %q with {%v} without {%v}", tt.text, abs, p, tt.abs, tt.has, tt.not)
		}
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		in, host, port string
		class          HostClass
	}{
		{"https://Example.com/x", "example.com", "443", 0},
		{"http://example.com:8080", "example.com", "8080", 0},
		{"example.com.", "example.com", "", 0},
		{"http://" + umpire.Hole + ".example.com:8080/x", umpire.Hole + ".example.com", "8080", 0},
		{"user@example.com:dir/file", "example.com", "", 0},
		{"http://169.254.169.254/latest", "169.254.169.254", "80", RawIP | Metadata | LinkLocal},
		{"http://2852039166/", "169.254.169.254", "80", RawIP | Metadata | LinkLocal},
		{"http://0xA9.0xFE.0xA9.0xFE/", "169.254.169.254", "80", RawIP | Metadata | LinkLocal},
		{"http://0251.0376.0251.0376/", "169.254.169.254", "80", RawIP | Metadata | LinkLocal},
		{"http://[::ffff:169.254.169.254]/", "169.254.169.254", "80", RawIP | Metadata | LinkLocal},
		{"http://169.254.169.254.nip.io/", "169.254.169.254.nip.io", "80", Metadata | LinkLocal | Deceptive},
		{"http://127.1/", "127.0.0.1", "80", RawIP | Loopback},
		{"http://localhost:3000", "localhost", "3000", Loopback},
		{"http://[::1]:80/", "::1", "80", RawIP | Loopback},
		{"http://10.0.0.8", "10.0.0.8", "80", RawIP | Private},
		{"https://bank.example@evil.example/", "evil.example", "443", Deceptive},
		{"http://localhost:" + strings.Repeat("8", 2*maxPath) + "@evil.example/", "evil.example", "80", 0},
		{"http://" + strings.Repeat("a", maxPath-len(".localhost")) + ".localhost.evil.example/", umpire.Hole, "80", 0},
		{`https://good.example\@evil.example/`, "good.example", "443", 0},
		{"https://xn--pypal-4ve.com", "xn--pypal-4ve.com", "443", Deceptive},
		{"8.8.8.8:53", "8.8.8.8", "53", RawIP},
		{"", "", "", 0},
	} {
		l := Parse(tt.in)
		if l.Host != tt.host || l.Port != tt.port || l.Class != tt.class {
			t.Errorf("Parse(%q) = %q %q %b, want %q %q %b", tt.in, l.Host, l.Port, l.Class, tt.host, tt.port, tt.class)
		}
	}
}

// A respelling of a path changes nothing about its place.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"/etc/passwd", "~/.ssh/id_rsa", "../x", "/*", `C:\x`, umpire.Hole + "/x", "a/[b", "/proc/self/root", `\\?\`, "//./"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		abs, p := testMap.Resolve(s)
		again, q := testMap.Resolve(abs)
		if len(s) < maxPath/4 && strings.HasPrefix(abs, "/") && !strings.HasPrefix(abs, "/proc/") && !isWindows(abs) && (again != abs || p != q) {
			t.Errorf("Resolve(%q) = %q {%v}, again %q {%v}", s, abs, p, again, q)
		}
		if strings.HasPrefix(s, "/") && len(s) < maxPath/4 {
			if _, q := testMap.Resolve("/." + s); q != p {
				t.Errorf("%q is {%v}, with /. before it {%v}", s, p, q)
			}
		}
		Parse(s)
	})
}

func BenchmarkResolve(b *testing.B) {
	for _, s := range []string{"src/main.go", "~/.ssh/id_rsa", "/usr/share/doc/x", "pkg/*_test.go"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				testMap.Resolve(s)
			}
		})
	}
}

// A home may lie anywhere, below a folder called .cache for one: that makes nothing in it
// a cache.
func TestHomeBelowCache(t *testing.T) {
	m := Map{Home: "/root/.cache/homes/x", Workspace: "/root/.cache/homes/x/proj", Dir: "/root/.cache/homes/x/proj"}
	if _, p := m.Resolve("~/precious"); !p.Has(umpire.PlaceHomeTop|umpire.PlaceOutside) || p&(umpire.PlaceGenerated|umpire.PlaceCache|umpire.PlaceUmpire) != 0 {
		t.Errorf("{%v}", p)
	}
}

// A home or a project below a temporary folder has files of a person all the same.
func TestBelowTemp(t *testing.T) {
	m := Map{Home: "/tmp/x/home", Workspace: "/tmp/x/proj", Dir: "/tmp/x/proj", Temp: "/tmp"}
	for name, temp := range map[string]bool{"~/Documents": false, "/tmp/x/other": true, "/tmp/x/project": true, "a": false, ".git/hooks/pre-commit": false, ".": false} {
		if _, p := m.Resolve(name); p.Has(umpire.PlaceTemp) != temp {
			t.Errorf("%s {%v}", name, p)
		}
	}
	m.Home, m.Workspace, m.Dir = "/tmp", "/tmp", "/tmp"
	if _, p := m.Resolve("/tmp/a"); !p.Has(umpire.PlaceTemp) {
		t.Errorf("{%v}", p)
	}
}

// Folders of settings that a variable moves are guarded as those in the home are.
func TestMoved(t *testing.T) {
	m := Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj"}
	getenv := func(env map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	}
	m.Moved = m.MovedBy(getenv(map[string]string{
		"CLAUDE_CONFIG_DIR": "/data/Claude/", "CODEX_HOME": "/home/dev/proj/.c", "GEMINI_CLI_HOME": "/data/g", "XDG_CONFIG_HOME": "/data/conf", "XDG_STATE_HOME": "/data/state",
		"QWEN_HOME": "relative", "COPILOT_HOME": "/", "CLINE_DIR": "/home", "XDG_CACHE_HOME": "/home/dev/.cache",
	}))
	if len(m.Moved) != 5 {
		t.Errorf("moved are %v", m.Moved)
	}
	for _, tt := range []struct {
		path string
		want umpire.Place
	}{
		{"/data/claude/settings.json", umpire.PlaceAgentConfig},
		{"/data/claude/projects/x.jsonl", umpire.PlaceHistory},
		{"../proj/.c/hooks.json", umpire.PlaceAgentConfig},
		{"/data/g/.gemini/settings.json", umpire.PlaceAgentConfig},
		{"/data/conf/opencode/opencode.json", umpire.PlaceAgentConfig},
		{"/data/conf/umpire/policy.yaml", umpire.PlaceUmpire},
		{"/data/state/umpire/questions/approved/x.json", umpire.PlaceUmpire},
		{"/data/conf/gh/hosts.yml", umpire.PlaceCredentials},
		{"/data/g/x", 0}, {"/data/claudette/settings.json", 0}, {"/home/other/x", 0}, {"x", 0},
	} {
		const looked = umpire.PlaceAgentConfig | umpire.PlaceUmpire | umpire.PlaceHistory | umpire.PlaceCredentials
		if _, p := m.Resolve(tt.path); p&looked&^umpire.PlaceHistory != tt.want&^umpire.PlaceHistory || p&tt.want != tt.want {
			t.Errorf("%s: %v, want %v", tt.path, p&looked, tt.want)
		}
	}
}
