package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/shim"
)

// ran is what a program printed, and its exit status.
type ran struct {
	out, err string
	exit     int
	pid      int
}

func start(t *testing.T, cmd *exec.Cmd) ran {
	t.Helper()
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ran{out.String(), errs.String(), cmd.ProcessState.ExitCode(), cmd.Process.Pid}
}

// userPolicy writes the user's policy of a test's home.
func userPolicy(t *testing.T, text string) {
	t.Helper()
	dir := filepath.Join(os.Getenv("HOME"), ".config", "umpire")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestExec(t *testing.T) {
	prog := program(t)
	dir := newProject(t)
	t.Chdir(dir)
	for _, tt := range []struct {
		name string
		args []string
		exit int
		out  string
		err  string
	}{
		{"arguments as they are", []string{"--", "printf", "%s|", "a b", "", "$x", "c'd", "-n"}, 0, "a b||$x|c'd|-n|", ""},
		{"exit status", []string{"--", "sh", "-c", "exit 7"}, 7, "", ""},
		{"a signal", []string{"--", "sh", "-c", "kill -9 $$"}, -1, "", ""},
		{"text for a shell", []string{"-c", "echo $((1+2)) | cat; exit 3"}, 3, "3\n", ""},
		{"one word", []string{"--", "pwd"}, 0, dir + "\n", ""},
		{"another folder", []string{"--dir", "/", "--", "pwd"}, 0, "/\n", ""},
		{"denied", []string{"--", "rm", "-rf", os.Getenv("HOME")}, 126, "", "delete-home"},
		{"denied text", []string{"-c", "echo before; rm -rf ~"}, 126, "", "delete-home"},
		{"asked", []string{"--", "systemctl", "stop", "nginx"}, 126, "", "umpire approve "},
		{"not there", []string{"--", "no-such-program"}, 127, "", "no-such-program"},
		{"no program", []string{}, 64, "", "nothing to run"},
		{"no dashes", []string{"ls"}, 64, "", "put -- before"},
		{"an unknown flag", []string{"--bad", "--", "ls"}, 64, "", "unknown flag"},
		{"both", []string{"-c", "ls", "--", "ls"}, 64, "", "not both"},
		{"flags behind are the command's", []string{"--", "echo", "--bad", "--client", "x"}, 0, "--bad --client x\n", ""},
	} {
		got := start(t, exec.Command(prog, append([]string{"exec"}, tt.args...)...))
		if got.exit != tt.exit || got.out != tt.out || !strings.Contains(got.err, tt.err) || tt.err == "" && got.err != "" {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt)
		}
	}
	// Nothing stays between: the command has the process.
	if got := start(t, exec.Command(prog, "exec", "--", "sh", "-c", "echo $$")); strings.TrimSpace(got.out) != strconv.Itoa(got.pid) {
		t.Errorf("process %d ran as %s", got.pid, got.out)
	}
	if _, err := os.Stat(os.Getenv("HOME")); err != nil {
		t.Fatal(err)
	}
}

func TestExecClient(t *testing.T) {
	prog := program(t)
	t.Chdir(newProject(t))
	userPolicy(t, "version: 1\nrules:\n  - deny: exec(date *)\n    when: {platform: aider}\n    reason: no dates\n")
	if got := start(t, exec.Command(prog, "exec", "--", "date")); got.exit != 0 {
		t.Errorf("another client: %+v", got)
	}
	if got := start(t, exec.Command(prog, "exec", "--client", "aider", "--", "date", "+%s")); got.exit != 126 || !strings.Contains(got.err, "no dates") {
		t.Errorf("the client: %+v", got)
	}
	// What it starts is known to be the agent's.
	if got := start(t, exec.Command(prog, "exec", "--client", "aider", "--", "sh", "-c", "echo $UMPIRE_CLIENT")); got.out != "aider\n" {
		t.Errorf("exec --client aider: got %+v, want the client's name in UMPIRE_CLIENT", got)
	}
	_, state, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for r, err := range audit.Read(state, audit.Query{Kind: audit.Decision}) {
		if err != nil {
			t.Fatal(err)
		}
		platforms = append(platforms, r.Principal.Platform+" "+r.Effect)
	}
	if got := strings.Join(platforms, ", "); got != "exec allow, aider deny, aider allow" {
		t.Errorf("recorded %s", got)
	}
}

func TestExecApproved(t *testing.T) {
	prog := program(t)
	t.Chdir(newProject(t))
	userPolicy(t, "version: 1\nrules:\n  - ask: exec(expr 42)\n")
	do := func(args ...string) ran {
		return start(t, exec.Command(prog, append([]string{"exec", "--"}, args...)...))
	}
	box, _, _ := answer.Questions()
	id := regexp.MustCompile("approve ([a-z2-7]{8})").FindStringSubmatch(do("expr", "42").err)
	if id == nil {
		t.Fatal("no question")
	}
	q, err := box.Find(id[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := box.Answer(q, question.Approved, "x", ""); err != nil {
		t.Fatal(err)
	}
	if got := do("expr", "43"); got.exit != 0 { // another call, which no rule speaks of
		t.Errorf("a call that no rule names: got %+v, want exit status 0", got)
	}
	if got := do("expr", "42"); got.exit != 0 || got.out != "42\n" {
		t.Errorf("approved: %+v", got)
	}
	if got := do("expr", "42"); got.exit != 126 {
		t.Errorf("once more: %+v", got)
	}
}

// A person at the terminal is asked at once; an agent's terminal has nobody at it.
func TestExecAsksAtTerminal(t *testing.T) {
	if !free(t) {
		return
	}
	prog := program(t)
	t.Chdir(newProject(t))
	userPolicy(t, "version: 1\nrules:\n  - ask: exec(expr 42)\napproval: {cannotAsk: wait}\n")
	c := openConsole(t, exec.Command(prog, "exec", "--", "expr", "42"))
	c.expect("[y/N] ")
	c.typed("y\n")
	c.expect("\n42\r\n")
	c = openConsole(t, exec.Command(prog, "exec", "--", "expr", "42"))
	c.expect("[y/N] ")
	c.typed("\n")
	c.expect("umpire approve ")
	if err := c.cmd.Wait(); c.cmd.ProcessState.ExitCode() != 126 {
		t.Errorf("refused: %v", err)
	}
	userPolicy(t, "version: 1\nrules:\n  - ask: exec(expr 42)\n")
	c = openConsole(t, exec.Command("/usr/bin/env", "CLAUDECODE=1", prog, "exec", "--", "expr", "42"))
	c.expect("umpire approve ")
	if err := c.cmd.Wait(); c.cmd.ProcessState.ExitCode() != 126 {
		t.Errorf("below an agent: %v", err)
	}
}

func TestShell(t *testing.T) {
	prog := program(t)
	dir := newProject(t)
	t.Chdir(dir)
	sh := filepath.Join(t.TempDir(), "umpire-sh")
	if err := os.Symlink(prog, sh); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"good.sh": "echo \"$0 $1\"\n", "bad.sh": "rm -rf ~\n", "env.sh": "echo from the environment\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("BASH_ENV", filepath.Join(dir, "env.sh"))
	t.Setenv("BASH_FUNC_true%%", "() { echo from the environment; }")
	for _, tt := range []struct {
		name string
		args []string
		exit int
		out  string
		err  string
	}{
		{"-c", []string{"-c", "echo hi; exit 4"}, 4, "hi\n", ""},
		{"-c with arguments", []string{"-c", `echo "$0-$1"`, "zero", "o ne"}, 0, "zero-o ne\n", ""},
		{"-ec", []string{"-ec", "false; echo no"}, 1, "", ""},
		{"-o -c", []string{"-o", "pipefail", "-c", "false | true"}, 1, "", ""},
		{"another's function", []string{"-c", "true"}, 0, "", ""},
		{"-lc", []string{"-lc", "echo l"}, 0, "l\n", ""},
		{"script", []string{"good.sh", "x"}, 0, "good.sh x\n", ""},
		{"--", []string{"--", "good.sh", "x"}, 0, "good.sh x\n", ""},
		{"denied", []string{"-c", "rm -rf ~"}, 126, "", "delete-home"},
		{"denied -lc", []string{"-lc", "rm -rf ~"}, 126, "", "delete-home"},
		{"denied by $0", []string{"-c", `rm -rf "$1"`, "x", os.Getenv("HOME")}, 126, "", "delete-home"},
		{"denied script", []string{"bad.sh"}, 126, "", "delete-home"},
		{"interactive", nil, 126, "", "refusing to open an interactive shell"},
		{"-i", []string{"-i"}, 126, "", "refusing to open an interactive shell"},
		{"-l", []string{"-l"}, 126, "", "refusing to open an interactive shell"},
		{"-s", []string{"-s"}, 126, "", "refusing to open an interactive shell"},
		{"-cs", []string{"-cs", "ls"}, 126, "", "refusing to open an interactive shell"},
		{"no text", []string{"-c"}, 126, "", "requires a text"},
		{"another's file", []string{"--rcfile", "bad.sh", "-ic", "ls"}, 126, "", "unknown option"},
	} {
		cmd := exec.Command(sh, tt.args...)
		cmd.Stdin = strings.NewReader("echo typed\n")
		got := start(t, cmd)
		if got.exit != tt.exit || got.out != tt.out || !strings.Contains(got.err, tt.err) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt)
		}
	}
	t.Setenv("UMPIRE_SHELL", "bin/evil")
	if got := start(t, exec.Command(sh, "-c", "ls")); got.exit != 127 || !strings.Contains(got.err, "absolute path") {
		t.Errorf("a shell without an absolute path: got %+v, want exit status 127", got)
	}
	mine := filepath.Join(dir, "bash")
	if err := os.WriteFile(mine, []byte("#!/bin/sh\necho evil\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("UMPIRE_SHELL", mine)
	if got := start(t, exec.Command(sh, "-c", "ls")); got.exit != 127 || !strings.Contains(got.err, "where an agent can write") {
		t.Errorf("a shell of the project's: %+v", got)
	}
	t.Setenv("UMPIRE_SHELL", "/bin/sh")
	if got := start(t, exec.Command(sh, "-c", "echo $0")); got.out != "sh\n" {
		t.Errorf("$0: got %+v, want sh", got)
	}
}

// The environment that a command gets can make it load or run code, too.
func TestEnvironmentIsJudged(t *testing.T) {
	prog := program(t)
	t.Chdir(newProject(t))
	userPolicy(t, "version: 1\nrules:\n  - deny: exec(evil *)\n")
	sh, git := filepath.Join(t.TempDir(), "umpire-sh"), filepath.Join(t.TempDir(), "git")
	for _, link := range []string{sh, git} {
		if err := os.Symlink(prog, link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("env.sh", []byte("echo from the environment\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		env  []string
		exit int
		rule string
	}{
		{nil, 0, ""},
		{[]string{"LD_PRELOAD=./x.so"}, 126, "loads-code"},
		{[]string{"NODE_OPTIONS=--require ./x.js"}, 126, "loads-code"},
		{[]string{"NODE_OPTIONS=--max-old-space-size=4096"}, 0, ""},
		{[]string{"GIT_SSH_COMMAND=evil now"}, 126, "evil"},
		{[]string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.sshCommand", "GIT_CONFIG_VALUE_0=evil now"}, 126, "evil"},
		{[]string{"GIT_CONFIG_GLOBAL=env.sh"}, 126, "loads-code"},
		{[]string{"GIT_CONFIG_GLOBAL=/dev/null"}, 0, ""},
		{[]string{"PAGER=cat", "EDITOR=/bin/true", "LESSOPEN=|/bin/true %s"}, 0, ""},
		{[]string{"PAGER=/bin/true --opt=$(evil now)"}, 126, "evil"},
		{[]string{"ENV=production", "PS1=$(evil now)"}, 0, ""},
		{[]string{"BASH_ENV=env.sh", "BASH_FUNC_true%%=() { echo from the environment; }", "PS4=$(evil now)", "SHELLOPTS=xtrace"}, 0, ""}, // taken out
	} {
		for name, args := range map[string][]string{"exec": {prog, "exec", "--", "bash", "-c", "true"}, "shell": {sh, "-c", "true"}, "shim": {git, "--version"}} {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Env = append(os.Environ(), tt.env...)
			got := start(t, cmd)
			if got.exit != tt.exit || !strings.Contains(got.err, tt.rule) || strings.Contains(got.out, "from the environment") {
				t.Errorf("%s with %v: %+v", name, tt.env, got)
			}
		}
	}
}

func TestShims(t *testing.T) {
	prog := program(t)
	t.Chdir(newProject(t))
	home := os.Getenv("HOME")
	shims, real, other := filepath.Join(home, "shims"), filepath.Join(home, "real"), filepath.Join(home, "other")
	for i := range 2 { // twice is as once
		if got := start(t, exec.Command(prog, "shims", shims, "rm", "tool", "git")); got.exit != 0 || !strings.Contains(got.out, []string{"3 links created", "3 already there"}[i]) {
			t.Fatalf("shims, run %d: got %+v, want links for all three", i, got)
		}
	}
	for _, bad := range []string{"../x", "umpire", "-x", "", ".", "a/b"} {
		if got := start(t, exec.Command(prog, "shims", "--", shims, bad)); got.exit != cli.ExitUsage {
			t.Errorf("shims for %q: got %+v, want exit status %d", bad, got, cli.ExitUsage)
		}
	}
	if err := os.MkdirAll(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(real, "tool"), []byte("#!/bin/sh\necho \"real $*\"\nexit 5\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := start(t, exec.Command(prog, "shims", real, "tool")); got.exit != cli.ExitFailure || !strings.Contains(got.err, "is not a shim") {
		t.Errorf("over a program: %+v", got)
	}
	t.Setenv("PATH", shims+":"+real+":/usr/bin:/bin")
	if got := start(t, exec.Command("/bin/sh", "-c", "tool 'a b' c")); got.exit != 5 || got.out != "real a b c\n" {
		t.Errorf("the shim of tool: got %+v, want the real one's exit status 5 and output", got)
	}
	if got := start(t, exec.Command("/bin/sh", "-c", "rm -rf ~")); got.exit != 126 || !strings.Contains(got.err, "delete-home") {
		t.Errorf("rm -rf ~ by a shim: got %+v, want exit status 126 and delete-home", got)
	}
	// A copy of umpire has shims as well: neither leads to the other for ever.
	data, err := os.ReadFile(prog)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "copied"), data, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tool", "none"} {
		if err := os.Symlink(filepath.Join(home, "copied"), filepath.Join(other, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(prog, filepath.Join(shims, name)); err != nil && name == "none" {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", shims+":"+other+":"+shims)
	if got := start(t, exec.Command(filepath.Join(shims, "none"))); got.exit != shim.ExitNotFound {
		t.Errorf("a loop: %+v", got)
	}
	t.Setenv("PATH", shims+":.:"+shims)
	if got := start(t, exec.Command(filepath.Join(shims, "tool"))); got.exit != shim.ExitNotFound || !strings.Contains(got.err, "not found in PATH") {
		t.Errorf("only shims: %+v", got)
	}
}

// Signals reach the command.
func TestExecSignal(t *testing.T) {
	prog := program(t)
	t.Chdir(newProject(t))
	cmd := exec.Command(prog, "exec", "--", "sh", "-c", "trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 9 {
		t.Errorf("got %v, want exit status 9", cmd.ProcessState)
	}
}

// What is taken for the text of -c is judged as that.
func FuzzShellArgs(f *testing.F) {
	for _, s := range []string{"", "-l", "-e -u", "-o pipefail", "+x", "--login", "-", "--", "-lo pipefail", "-oc x", "--posix -i", "-ce", "-O extglob -x"} {
		f.Add(s, "-c")
		f.Add(s, "-lc")
	}
	f.Setenv("HOME", f.TempDir())
	at, err := project.At("")
	if err != nil {
		f.Fatal(err)
	}
	p, _, err := at.Policy("")
	if err != nil {
		f.Fatal(err)
	}
	const text = "rm -rf ~"
	f.Fuzz(func(t *testing.T, options, last string) {
		args := append(strings.Fields(options), last, text)
		got, err := shim.ShellArgs(args)
		if err != nil || got != text {
			return
		}
		a, err := shim.ActionOf(append([]string{"bash"}, args...), os.Getenv)
		if err != nil {
			t.Fatal(err)
		}
		if _, d, err := project.Decide(p, a); err != nil || d.Effect != umpire.Deny {
			in, _ := json.Marshal(args)
			t.Errorf("bash %s: %s", in, d.Effect)
		}
	})
}

// A link that is swapped after the decision is noticed before the command runs.
func TestExecNoticesSwappedLink(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		t.Setenv(name, filepath.Join(dir, "home"))
	}
	t.Chdir(dir)
	for _, name := range []string{"home", "a", "b"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", "x"); err != nil {
		t.Fatal(err)
	}
	_, _, seen, err := shim.Decide([]string{"ls", "x/f"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := seen.Hold(); err != nil {
		t.Fatalf("by itself: %v", err)
	}
	if _, _, seen, err = shim.Decide([]string{"rm", "x/f"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove("x"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("b", "x"); err != nil {
		t.Fatal(err)
	}
	var changed *disk.ChangedError
	if err := seen.Hold(); !errors.As(err, &changed) || filepath.Base(changed.Path) != "x" {
		t.Errorf("%v: the swap is not noticed", err)
	}
}
