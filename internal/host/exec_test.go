//go:build unix

package host

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
)

func TestRun(t *testing.T) {
	t.Setenv("API_TOKEN", "hunter2")
	dir := t.TempDir()
	for _, tt := range []struct {
		name string
		c    Command
		want CommandResult
	}{
		{"argv", Command{Argv: []string{"echo", "$HOME; rm"}}, CommandResult{Stdout: "$HOME; rm\n"}},
		{"shell", Command{Shell: "echo a; echo b >&2; exit 3"}, CommandResult{Stdout: "a\n", Stderr: "b\n", ExitCode: 3}},
		{"folder", Command{Shell: "pwd", Dir: dir}, CommandResult{Stdout: dir + "\n"}},
		{"no secrets", Command{Shell: "env | grep -c hunter2"}, CommandResult{Stdout: "0\n", ExitCode: 1}},
		{"no input", Command{Shell: "cat; echo end"}, CommandResult{Stdout: "end\n"}},
		{"signal", Command{Shell: "kill -TERM $$"}, CommandResult{ExitCode: 143}},
		{"bad text", Command{Shell: `printf 'a\377b'`}, CommandResult{Stdout: "a\uFFFDb"}},
	} {
		got := Run(t.Context(), tt.c)
		got.Took = 0
		if got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
	for _, c := range []Command{{}, {Argv: []string{"/no/such/program"}}, {Shell: "true", Dir: "/no/such/folder"}} {
		if got := Run(t.Context(), c); got.ExitCode != ExitNotStarted || got.Stderr == "" {
			t.Errorf("%+v: got %+v, want that it was not started, and why", c, got)
		}
	}
}

// Nothing that a command started outlives its time.
func TestTimeout(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "alive") // readable at its end, once all who hold it have ended
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	alive, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	got, limit := runFor(t, filepath.Join(dir, "begun"), "exec 9>"+fifo+"; sleep 600 & : > %s; echo started; wait", 300*time.Millisecond)
	if got.ExitCode != exitTimeout || !strings.Contains(got.Stderr, "umpire: ended after "+plural.Duration(limit)) || got.Took > 5*time.Minute {
		t.Errorf("got %+v, want it ended after %s, and that said", got, limit)
	}
	if err := alive.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := alive.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the child outlives its limit: %v, want the end of what it holds", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Run(ctx, Command{Shell: "sleep 60"}); got.ExitCode == 0 {
		t.Errorf("canceled: %+v, want an exit code that is not 0", got)
	}
}

// runFor runs a shell text that writes a file, and then a line, for as long as that takes at
// least: on a busy machine the time can be over before the shell begins. No limit is none.
func runFor(t *testing.T, file, shell string, limit time.Duration) (CommandResult, time.Duration) {
	t.Helper()
	for ; ; limit *= 4 {
		_ = os.Remove(file) // of the time before
		got := Run(t.Context(), Command{Shell: fmt.Sprintf(shell, file), Timeout: limit})
		if got.Stdout != "" || limit == 0 || limit > time.Minute {
			return got, limit
		}
	}
}

func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(data), ") Z ")
}

// Of much output the beginning and the end are kept, and what is missing shows.
func TestOutputIsBounded(t *testing.T) {
	streamed := 0
	got := Run(t.Context(), Command{Shell: "echo begin; yes | head -c 5000000; echo; echo end", Stream: func(_ string, p []byte) { streamed += len(p) }})
	if len(got.Stdout) > maxHead+maxTail+100 || !strings.HasPrefix(got.Stdout, "begin\n") || !strings.HasSuffix(got.Stdout, "\nend\n") ||
		!strings.Contains(got.Stdout, "bytes left out") || int64(streamed) != got.Cut+maxHead+maxTail {
		t.Errorf("%d bytes kept, %d cut, %d streamed, want the beginning and the end of at most %d", len(got.Stdout), got.Cut, streamed, maxHead+maxTail)
	}
}

func TestMain(m *testing.M) {
	Supervise()
	os.Exit(m.Run())
}

// What a command leaves behind ends with it, in a session of its own as well, and whether
// it holds the pipes or not.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		shell string
		limit time.Duration
		code  int
	}{
		"in the background":   {"sleep 600 & echo $! > %s; echo started", 0, 0},
		"own session":         {"setsid sh -c 'echo $$ > %s; exec sleep 600' & while [ ! -s %[1]s ]; do sleep 0.01; done; echo started", 0, 0},
		"twice forked":        {"(setsid sh -c '(sh -c \"echo \\$\\$ > %s; exec sleep 600\") >/dev/null 2>&1 &' &) ; while [ ! -s %[1]s ]; do sleep 0.01; done; echo started", 0, 0},
		"when its time is up": {"setsid sh -c 'echo $$ > %s; exec sleep 600' >/dev/null 2>&1 & while [ ! -s %[1]s ]; do sleep 0.01; done; echo started; sleep 600", time.Second, exitTimeout},
	} {
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		got, _ := runFor(t, file, tt.shell, tt.limit)
		if got.Stdout != "started\n" || got.ExitCode != tt.code || got.Took > 5*time.Minute {
			t.Errorf("%s: got %+v, want the status %d soon after it started", name, got, tt.code)
		}
		var pid int
		data, err := os.ReadFile(file)
		if _, scan := fmt.Sscan(string(data), &pid); err != nil || scan != nil {
			t.Fatalf("%s: %q %v %v", name, data, err, scan)
		}
		if syscall.Kill(pid, 0) == nil && !zombie(pid) {
			t.Errorf("%s: the process %d goes on, want it ended", name, pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func TestPackageCommand(t *testing.T) {
	berry := t.TempDir()
	if err := os.WriteFile(filepath.Join(berry, ".yarnrc.yml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		manager, verb, dir string
		scripts            bool
		want               string
		env                string // a variable that it has
	}{
		{"npm", "install", "", false, "npm install --ignore-scripts --no-audit --no-fund -- a b", "npm_config_ignore_scripts=true"},
		{"npm", "install", "", true, "npm install -- a b", "!npm_config_ignore_scripts=true"},
		{"npm", "remove", "", false, "npm uninstall -- a b", ""},
		{"pnpm", "add", "", false, "pnpm add --ignore-scripts --ignore-pnpmfile a b", ""},
		{"bun", "add", "", false, "bun add --ignore-scripts a b", ""},
		{"yarn", "install", "", false, "yarn add --ignore-scripts a b", "YARN_ENABLE_SCRIPTS=false"},
		{"yarn", "install", berry, false, "yarn add a b", "YARN_ENABLE_SCRIPTS=false"},
		{"yarn", "install", berry, true, "yarn add a b", "!YARN_ENABLE_SCRIPTS=false"},
		{"pip", "install", "", false, "pip install --only-binary :all: -- a b", "PIP_NO_INPUT=1"},
		{"uv", "install", "", false, "uv add --no-build -- a b", ""},
		{"cargo", "add", "", false, "cargo add -- a b", ""},
		{"gem", "install", "", true, "gem install -- a b", ""},
		{"gem", "install", "", false, "", ""},
		{"pip", "add", "", false, "", ""},
		{"go", "remove", "", false, "", ""},
		{"sh", "install", "", false, "", ""},
	} {
		got, err := PackageCommand(tt.manager, tt.verb, []string{"a", "b"}, tt.scripts, tt.dir)
		if strings.Join(got.Argv, " ") != tt.want || (err != nil) != (tt.want == "") || got.Dir != tt.dir && err == nil {
			t.Errorf("%s %s: got %v, %v, want %q in %q", tt.manager, tt.verb, got, err, tt.want, tt.dir)
		}
		if name, not := strings.CutPrefix(tt.env, "!"); tt.env != "" && slices.Contains(got.Env, name) == not {
			t.Errorf("%s %s: the environment is %v, want %q (! is not)", tt.manager, tt.verb, got.Env, tt.env)
		}
	}
	first, _ := PackageCommand("npm", "install", []string{"a"}, false, "")
	second, _ := PackageCommand("npm", "install", []string{"b"}, false, "")
	if slices.Equal(first.Argv, second.Argv) || first.Argv[len(first.Argv)-1] != "a" {
		t.Error("two commands share their words")
	}
}

func TestCheckPackages(t *testing.T) {
	good := map[string][]string{
		"npm":   {"left-pad", "left-pad@1.3.0", "@scope/name", "@scope/name@^2.0.0", "a@latest", "JSONStream", "a@>=1", "a@1.x", "lodash.merge", "socket.io"},
		"pip":   {"requests", "Django==5.0", "uvicorn[standard]>=0.20,<1", "zope.interface", "a~=1.4.2", "ruamel.yaml"},
		"cargo": {"serde", "serde_json@1.0", "tokio@^1"},
		"go":    {"golang.org/x/net", "github.com/a/b/v2@v2.1.0", "github.com/a/b@latest", "gopkg.in/yaml.v3", "example.org/a/..."},
		"gem":   {"rails", "rake:13.0.6"},
	}
	for _, twin := range [][2]string{{"npm", "pnpm"}, {"npm", "yarn"}, {"npm", "bun"}, {"pip", "pip3"}, {"pip", "uv"}} {
		good[twin[1]] = good[twin[0]]
	}
	bad := []string{"", "-g", "--registry=http://evil.example", "evil/repo", "a@evil/repo", "github:evil/repo", "git+https://evil.example/x", "https://evil.example/x.tgz", "file:../x", "./x", "../x", "/etc", "~/x", "a b", "a;b", "$(id)", "a\nb", "a`id`", "x.tgz", "x@y.tar.gz",
		"x.whl", "x.gem", "a@npm:evil", "@scope", "@/x", "a@-g", "a==$(id)", "x @ https://evil.example", "C:x", "a\u202e", strings.Repeat("a", 215)}
	for manager, names := range good {
		for _, n := range names {
			if err := CheckPackages(manager, "install", []string{n}, true); err != nil {
				t.Errorf("%s install %q: %v, want no error", manager, n, err)
			}
		}
		for _, n := range bad {
			if CheckPackages(manager, "install", []string{n}, true) == nil {
				t.Errorf("%s install %q: no error, want one", manager, n)
			}
		}
	}
	for manager, n := range map[string]string{"cargo": "@scope/x", "go": "fmt", "gem": "a@1", "pip": "a@1", "npm": "golang.org/x/net"} {
		if CheckPackages(manager, "install", []string{n}, true) == nil {
			t.Errorf("%s install %q: no error, want one", manager, n)
		}
	}
}
