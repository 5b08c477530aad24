//go:build linux

package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/tools/poll"
)

// forms runs a test outside the sandbox and in it.
func forms(t *testing.T, f func(t *testing.T, boxed bool)) {
	for _, boxed := range []bool{false, true} {
		t.Run(fmt.Sprintf("boxed %v", boxed), func(t *testing.T) { f(t, boxed) })
	}
}

func TestBash(t *testing.T) {
	forms(t, func(t *testing.T, boxed bool) {
		for _, c := range []struct {
			name, command  string
			stdout, stderr string
			code           float64
			output         string
		}{
			{"output", "echo out; echo err >&2", "out", "err", 0, "stdout:\nout\nstderr:\nerr\nexit code: 0"},
			{"nothing", "true", "", "", 0, "exit code: 0"},
			{"exit code", "echo x; exit 7", "x", "", 7, "stdout:\nx\nexit code: 7"},
			{"a signal", "kill -9 $$", "", "", 137, "exit code: 137"},
			{"trimmed", "echo; echo ' x '; echo", "x", "", 0, "stdout:\nx\nexit code: 0"},
			{"no input", "cat; read x; echo $?", "1", "", 0, "stdout:\n1\nexit code: 0"},
			{"no terminal", "(: </dev/tty) 2>/dev/null && echo terminal; tty >/dev/null || echo none", "none", "", 0, "stdout:\nnone\nexit code: 0"},
			{"TERM", "echo $TERM", "dumb", "", 0, "stdout:\ndumb\nexit code: 0"},
			{"the folder", "basename $PWD; cat f", "proj\ntext", "", 0, "stdout:\nproj\ntext\nexit code: 0"},
			{"a session of its own", "ps -o sid= -o pgid= -p $$ >/dev/null; [ $(cut -d' ' -f6 /proc/$$/stat) != $(cut -d' ' -f6 /proc/self/task/1/stat 2>/dev/null || echo 0) ] && echo own", "own", "", 0, "stdout:\nown\nexit code: 0"},
			{"not UTF-8", `printf 'a\xffb'`, "a\uFFFDb", "", 0, "stdout:\na\uFFFDb\nexit code: 0"},
		} {
			t.Run(c.name, func(t *testing.T) {
				w := newWorld(t, map[string]string{"f": "text\n"})
				w.env.Sandbox = boxed
				r := w.run("bash", args{"command": c.command, "timeout": 60000})
				same(t, "data", data(t, r), args{"stdout": c.stdout, "stderr": c.stderr, "exitCode": c.code, "command": c.command})
				same(t, "output", r.Output, c.output)
				same(t, "success", r.Success, c.code == 0)
				if want := fmt.Sprintf("exit code %v", c.code); c.code != 0 && !strings.Contains(r.Error, want) || c.code == 0 && r.Error != "" {
					t.Errorf("error %q", r.Error)
				}
			})
		}
	})
	w := newWorld(t, nil)
	for command, want := range map[string]string{"": "is empty", " \n": "is empty", "a\x00b": "zero byte", strings.Repeat("x", maxCommand+1): "write a script"} {
		fails(t, w.run("bash", args{"command": command}), want)
	}
}

// pieces collects output as it arrives, and says when some text has come.
type pieces struct {
	mu   sync.Mutex
	text string
	list []string
	want string
	seen chan struct{}
	once sync.Once
}

func waitFor(want string) *pieces { return &pieces{want: want, seen: make(chan struct{})} }

func (p *pieces) take(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text += s
	p.list = append(p.list, s)
	if strings.Contains(p.text, p.want) {
		p.once.Do(func() { close(p.seen) })
	}
}

func TestBashStreams(t *testing.T) {
	w := newWorld(t, nil)
	p := waitFor("é")
	w.env.Output = p.take
	// Both pipes are filled beyond what a pipe holds, and a character comes in two pieces.
	r := ok(t, w.run("bash", args{"command": `head -c 300000 /dev/zero | tr '\0' a; head -c 300000 /dev/zero | tr '\0' b >&2; printf '\xc3'; sleep 0.2; printf '\xa9'`, "timeout": 60000}))
	w.env.Output = nil
	if !strings.Contains(p.text, "é") || strings.Contains(p.text, "\uFFFD") || len(p.text) != 600_002 {
		t.Errorf("%d bytes came, cut inside a character: %v", len(p.text), strings.Contains(p.text, "\uFFFD"))
	}
	d := data(t, r)
	for _, s := range []string{"stdout", "stderr"} {
		if text := d[s].(string); !strings.Contains(text, "bytes left out; all of it is in ") || len(text) > maxToModel/2+300 {
			t.Errorf("%s has %d bytes", s, len(text))
		}
	}
	if text := d["stdout"].(string); !strings.HasPrefix(text, "aaa") || !strings.HasSuffix(text, "é") {
		t.Errorf("stdout begins %q and ends %q", text[:10], text[len(text)-10:])
	}
	all, err := os.ReadFile(d["file"].(string))
	must(t, err)
	if len(all) != 600_002 || !strings.HasPrefix(d["file"].(string), w.o.State) {
		t.Errorf("%s has %d bytes", d["file"], len(all))
	}
	// One stream gets what the other leaves.
	d = data(t, ok(t, w.run("bash", args{"command": `head -c 60000 /dev/zero | tr '\0' a`, "timeout": 60000})))
	if d["file"] != nil || len(d["stdout"].(string)) != 60_000 {
		t.Errorf("%d bytes of 60000, %v", len(d["stdout"].(string)), d["file"])
	}
}

func TestOutputsAreBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range keptOutputs + 5 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("2000%04d.txt", i)), nil, 0o600))
	}
	must(t, os.WriteFile(filepath.Join(dir, "else"), nil, 0o600))
	f, err := newOutput(dir)
	must(t, err)
	must(t, f.Close())
	entries, err := os.ReadDir(dir)
	must(t, err)
	same(t, "files", len(entries), keptOutputs+1)
	o := &output{folder: dir}
	big := make([]byte, 1<<20)
	for range maxSpill>>20 + 3 {
		_, _ = writer{o, &o.out}.Write(big)
	}
	o.stop()
	_, _, name := o.texts()
	fi, err := os.Stat(name)
	must(t, err)
	same(t, "size", fi.Size(), int64(maxSpill))
}

// The model gets all of a short output, and both ends of a long one, in whole characters.
func TestTextOfOutput(t *testing.T) {
	for name, c := range map[string]struct {
		pieces []string
		want   string
	}{
		"short":           {[]string{" ab", "cd\n"}, "abcd"},
		"just fits":       {[]string{strings.Repeat("a", 100)}, strings.Repeat("a", 100)},
		"one byte more":   {[]string{strings.Repeat("a", 50) + "-", strings.Repeat("b", 50)}, strings.Repeat("a", 50) + "\n[1 bytes left out; more]\n" + strings.Repeat("b", 50)},
		"broken at the é": {[]string{strings.Repeat("a", 49) + "é", strings.Repeat("x", maxToModel), "é" + strings.Repeat("b", 49)}, fmt.Sprintf("%s\n[%d bytes left out; more]\n%s", strings.Repeat("a", 49), maxToModel+4, strings.Repeat("b", 49))},
		"in many pieces":  {strings.Split(strings.Repeat("a|", 60)+strings.Repeat("-|", maxToModel)+strings.Repeat("b|", 60), "|"), fmt.Sprintf("%s\n[%d bytes left out; more]\n%s", strings.Repeat("a", 50), maxToModel+20, strings.Repeat("b", 50))},
	} {
		var s stream
		for _, p := range c.pieces {
			s.add([]byte(p))
		}
		same(t, name, s.text(100, "; more"), c.want)
	}
}

// ended waits until a process is gone.
func ended(t *testing.T, pid int) {
	t.Helper()
	seen(t, fmt.Sprintf("the end of process %d", pid), func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return syscall.Kill(pid, 0) != nil || err != nil || strings.Contains(string(stat), ") Z ")
	})
}

// seen looks until something is so of processes that are nobody's children here.
func seen(t *testing.T, what string, so func() bool) {
	t.Helper()
	poll.Until(t, func() (bool, string) { return so(), what + " did not come" })
}

// marked finds the processes of a command, in the box as well, by a number that it was given.
func marked(t *testing.T, mark string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	must(t, err)
	for _, f := range files {
		line, err := os.ReadFile(f)
		if err == nil && strings.HasPrefix(string(line), "sleep\x00"+mark) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			must(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

var lastMark = 100_000 + os.Getpid()*10

// Timeout and cancellation are told apart, and end everything that was started, in sessions
// of its own as well.
func TestBashEnds(t *testing.T) {
	forms(t, func(t *testing.T, boxed bool) {
		for _, cancelled := range []bool{false, true} {
			lastMark++
			mark := strconv.Itoa(lastMark)
			w := newWorld(t, nil)
			p := waitFor("ready")
			env := w.env
			env.Sandbox, env.Output = boxed, p.take
			ctx, cancel := context.WithCancel(t.Context())
			timeout := 600_000
			if !cancelled {
				timeout = 3000
			}
			done := make(chan agent.Result, 1)
			go func() {
				in := args{"command": "setsid sleep " + mark + " & (sleep " + mark + " &) ; trap '' TERM INT; echo ready; sleep " + mark, "timeout": timeout}
				done <- w.tools["bash"].Run(ctx, input(in), &env)
			}()
			if cancelled {
				<-p.seen
				if boxed {
					seen(t, "the third process", func() bool { return len(marked(t, mark)) >= 3 }) // they are to be there before they can be gone
				}
				cancel()
			}
			r := <-done
			cancel()
			if want := map[bool]string{true: "was cancelled", false: "timed out after 3000 ms"}[cancelled]; !strings.Contains(r.Error, want) || r.Success {
				t.Errorf("cancelled %v: %+v", cancelled, r)
			}
			if !strings.Contains(r.Output, "ready") && cancelled || r.Data != nil {
				t.Errorf("what it printed: %+v", r)
			}
			for _, pid := range marked(t, mark) {
				ended(t, pid)
			}
		}
	})
}

func TestBashWithACancelledContext(t *testing.T) {
	w := newWorld(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fails(t, w.tools["bash"].Run(ctx, input(args{"command": "touch made"}), &w.env), "cancelled")
	if _, err := os.Stat(filepath.Join(w.dir, "made")); err == nil {
		t.Error("it ran")
	}
}

// What a command leaves in the background neither holds the call nor outlives it.
func TestBashLeavesNothing(t *testing.T) {
	forms(t, func(t *testing.T, boxed bool) {
		lastMark++
		mark := strconv.Itoa(lastMark)
		w := newWorld(t, nil)
		w.env.Sandbox = boxed
		r := ok(t, w.run("bash", args{"command": "setsid sleep " + mark + " & echo started", "timeout": 60000}))
		same(t, "stdout", data(t, r)["stdout"], "started")
		for _, pid := range marked(t, mark) {
			ended(t, pid)
		}
	})
}

func TestBashEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"OPENROUTER_API_KEY": "x1", "GITHUB_TOKEN": "x2", "DB_PASSWORD": "x3", "UMPIRE_TOKEN": "x4", "DATABASE_URL": "postgres://me:hunter22@db/x", "PLAIN": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
		"GOFLAGS": "-mod=mod", "MONKEY": "banana", "NPM_TOKEN": "kept", "BASH_ENV": "/tmp/evil", "BASH_FUNC_ls%%": "() { echo evil; }", "CDPATH": "/etc", "SSH_AUTH_SOCK": "/run/agent.sock",
	} {
		t.Setenv(name, value)
	}
	forms(t, func(t *testing.T, boxed bool) {
		w := newWorld(t, map[string]string{"f": "", "ssh/x": ""})
		w.o.Env = []string{"NPM_TOKEN"}
		w.use()
		w.env.Sandbox = boxed
		out := data(t, ok(t, w.run("bash", args{"command": "ls; cd ssh; env", "timeout": 60000})))["stdout"].(string)
		for _, secret := range []string{"x1", "x2", "x3", "x4", "hunter22", "ghp_", "evil", "CDPATH"} {
			if strings.Contains(out, secret) {
				t.Errorf("%s is in the environment", secret)
			}
		}
		for _, want := range []string{"GOFLAGS=-mod=mod", "MONKEY=banana", "NPM_TOKEN=kept", "PATH=", "TERM=dumb", "PWD=" + w.dir + "/ssh"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s is not in the environment:\n%s", want, out)
			}
		}
		same(t, "whether the socket is named", strings.Contains(out, "SSH_AUTH_SOCK"), !boxed)
	})
}

// In the box: no network, nothing outside the workspace, nothing of umpire's.
func TestBashInTheBox(t *testing.T) {
	w := newWorld(t, map[string]string{".git/hooks/pre-commit": "true\n", ".git/config": "[core]\n", ".umpire.yaml": "version: 1\n", "src/f": "x\n"})
	for name, content := range map[string]string{"../secret": "hunter2", "../.config/umpire/policy.yaml": "version: 1", "../tools/bin/hello": "#!/bin/sh\necho hello\n"} {
		w.write(name, content)
	}
	must(t, os.Chmod(filepath.Join(w.dir, "../tools/bin/hello"), 0o755))
	must(t, os.MkdirAll(w.o.State, 0o700))
	must(t, os.WriteFile(filepath.Join(w.o.State, "operator"), []byte("token"), 0o600))
	w.o.ReadOnly = []string{filepath.Join(w.dir, "../tools"), filepath.Join(w.dir, "../gone")}
	w.o.Writable = []string{filepath.Join(w.dir, "../cache")}
	must(t, os.Mkdir(w.o.Writable[0], 0o755))
	w.use()
	w.env.Sandbox = true
	for _, c := range []struct {
		command string
		works   bool
		hint    string
	}{
		{"echo y >src/f && mkdir new && mv src/f new/f && rm new/f", true, ""},
		{"echo x >/tmp/x && echo x >~/.x && cat ~/.x", true, ""},
		{"../tools/bin/hello && echo x >../cache/x", true, ""},
		{"echo x >../tools/x", false, "only the workspace"},
		{"cat ../secret", false, "home folder is empty"},
		{"cat ../.config/umpire/policy.yaml", false, "umpire's folders are hidden"},
		{"cat " + w.o.State + "/operator", false, "umpire's folders are hidden"},
		{"echo x >/etc/x", false, "only the workspace"},
		{"echo x >.git/hooks/pre-commit", false, ".git"},
		{"echo x >>.git/config", false, ".git"},
		{"echo x >>.umpire.yaml", false, "only the workspace"},
		{"exec 3<>/dev/tcp/127.0.0.1/80", false, "no network"},
		{"exec 3<>/dev/tcp/192.0.2.1/80", false, "no network"},
		{"unshare -r true", false, "refused unshare"},
		{"mount -t tmpfs none src", false, "refused mount"},
		{"false", false, ""},
	} {
		t.Run(c.command, func(t *testing.T) {
			r := w.run("bash", args{"command": c.command, "timeout": 60000})
			if r.Success != c.works {
				t.Fatalf("it ended with %v: %s %s", r.Success, r.Error, r.Output)
			}
			hint, _ := data(t, r)["hint"].(string)
			if !strings.Contains(hint, c.hint) || c.works && hint != "" || c.command == "false" && hint != "" {
				t.Errorf("the hint is %q, of %s", hint, r.Output)
			}
		})
	}
	entries, err := os.ReadDir(filepath.Join(w.o.State, "boxes"))
	must(t, err)
	same(t, "boxes left behind", len(entries), 0)
	w.env.Dir = filepath.Dir(w.dir)
	fails(t, w.run("bash", args{"command": "true"}), "not in the workspace")
}

// A box that cannot be made is no reason to run without one.
func TestBashNeverRunsInHalfABox(t *testing.T) {
	w := newWorld(t, nil)
	w.o.Protected = append(w.o.Protected, w.dir) // a box would have to show what it hides
	w.use()
	w.env.Sandbox = true
	fails(t, w.run("bash", args{"command": "touch made"}), "the command was not run")
	if _, err := os.Stat(filepath.Join(w.dir, "made")); err == nil {
		t.Error("it ran")
	}
}

func TestJobs(t *testing.T) {
	forms(t, func(t *testing.T, boxed bool) {
		lastMark++
		mark := strconv.Itoa(lastMark)
		w := newWorld(t, nil)
		w.env.Sandbox = boxed
		same(t, "no jobs", ok(t, w.run("job_list", args{})).Output, "No jobs.")
		keep := func(command string, ms int) args {
			r := ok(t, w.run("bash", args{"command": command, "timeout": ms, "keep": true}))
			if !strings.Contains(r.Output, "still running as job ") {
				t.Fatalf("it was not kept: %s", r.Output)
			}
			return data(t, r)
		}
		// How soon a command prints is up to the machine: one that had too little time gets more.
		n := 1
		d := keep("echo up; while [ ! -e go ]; do sleep 0.01; done; echo on; exit 3", 500)
		for ms := 1000; d["stdout"] != "up" && ms < 100_000; ms *= 2 {
			ok(t, w.run("job_kill", args{"id": d["id"]}))
			d = keep("echo up; while [ ! -e go ]; do sleep 0.01; done; echo on; exit 3", ms)
			n++
		}
		first, second, third := strconv.Itoa(n), strconv.Itoa(n+1), strconv.Itoa(n+2)
		same(t, "job", []any{d["id"], d["running"], d["stdout"]}, []any{first, true, "up"})
		same(t, "second job", keep("sleep "+mark, 500)["id"], second)
		same(t, "running", runningJobs(w.o.Jobs), 2)
		list := ok(t, w.run("job_list", args{}))
		if !strings.Contains(list.Output, first+": running for ") || !strings.Contains(list.Output, second+": running") || len(data(t, list)["jobs"].([]any)) != n+1 {
			t.Errorf("the list is %s", list.Output)
		}
		w.write("go", "")
		r := ok(t, w.run("job_read", args{"id": first, "wait": 60000}))
		d = data(t, r)
		same(t, "what it printed", []any{d["stdout"], d["running"], d["exitCode"]}, []any{"up\non", false, 3.0})
		same(t, "output", r.Output, "stdout:\nup\non\nended with exit code 3")
		fails(t, w.run("job_kill", args{"id": first}), "already ended")
		fails(t, w.run("job_read", args{"id": "99"}), "no job \"99\" exists")
		began := func() bool { return len(marked(t, mark)) > 0 }
		seen(t, "the second job's process", began)
		pids := marked(t, mark)
		ok(t, w.run("job_kill", args{"id": second}))
		for _, pid := range pids {
			ended(t, pid)
		}
		same(t, "third job", keep("sleep "+mark, 500)["id"], third)
		seen(t, "the third job's process", began)
		pids = marked(t, mark)
		w.o.Jobs.Close()
		for _, pid := range pids {
			ended(t, pid)
		}
		same(t, "running after the end", runningJobs(w.o.Jobs), 0)
		fails(t, w.run("bash", args{"command": "sleep " + mark, "timeout": 300, "keep": true}), "about to end")
	})
}

func TestJobsAreBounded(t *testing.T) {
	js := new(Jobs)
	t.Cleanup(js.Close)
	for range maxRunning {
		ctx, cancel := context.WithCancel(t.Context())
		c := &command{cancel: cancel, done: make(chan struct{}), out: &output{}}
		context.AfterFunc(ctx, func() { close(c.done) })
		_, err := js.keep(c)
		must(t, err)
	}
	if _, err := js.keep(&command{out: &output{}, done: make(chan struct{})}); err == nil || !strings.Contains(err.Error(), "job_kill") {
		t.Errorf("one too many: %v", err)
	}
	for _, j := range js.all() {
		j.cancel()
		<-j.done
	}
	for range 3 * maxEnded {
		c := &command{out: &output{}, done: make(chan struct{}), cancel: func() {}}
		close(c.done)
		_, err := js.keep(c)
		must(t, err)
	}
	if n := len(js.all()); n > maxEnded+2 {
		t.Errorf("%d are remembered", n)
	}
}

func TestStreamHoldsCharacters(t *testing.T) {
	text := "a é 漢 😀 z"
	for size := 1; size < 5; size++ {
		var s stream
		got := ""
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			got += s.whole(rest[:n])
			rest = rest[n:]
		}
		same(t, fmt.Sprintf("in pieces of %d", size), got, text)
	}
	var s stream
	same(t, "what is no character", s.whole([]byte("a\xff\xe9b")), "a\uFFFDb")
}

func FuzzStream(f *testing.F) {
	f.Add([]byte("a é 漢 😀 \xff\xc3"), 3)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		var s stream
		got := ""
		for rest := data; len(rest) > 0; {
			k := 1 + (n&0x7fff)%len(rest)
			s.add(rest[:k])
			got += s.whole(rest[:k])
			rest = rest[k:]
		}
		if want := string(data); len(s.pending) > 3 || strings.ToValidUTF8(want, "") == want && got+string(s.pending) != want {
			t.Errorf("%q came as %q and %q", data, got, s.pending)
		}
		if text := s.text(64, ""); len(data) > 64 && len(text) > 64*3+60 {
			t.Errorf("%d bytes", len(text))
		}
	})
}

// A command asks as its last step whether it is still what was judged.
func TestBashHolds(t *testing.T) {
	forms(t, func(t *testing.T, boxed bool) {
		w := newWorld(t, nil)
		w.env.Sandbox = boxed
		w.env.Hold = func() error { return errors.New("build.sh changed") }
		r := w.run("bash", args{"command": "touch ran", "timeout": 60000})
		if r.Success || !strings.Contains(r.Error, "build.sh changed") {
			t.Errorf("%+v", r)
		}
		if _, err := os.Lstat(filepath.Join(w.env.Dir, "ran")); err == nil {
			t.Error("it ran")
		}
	})
}

func runningJobs(js *Jobs) (n int) {
	for _, j := range js.all() {
		if j.running() {
			n++
		}
	}
	return n
}
