// Command bench times the hook as a process against a Go program that does nothing, in turn within
// one run: on a noisy machine only the ratio means something.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/home"
)

func main() {
	bin := flag.String("bin", "bin", "folder with umpire and umpire-hook")
	corpus := flag.String("corpus", "", "labelled commands, one JSON object a line; default: examples/day.jsonl")
	before := flag.String("before", "", "an umpire-hook built before, to be run in turn as well")
	n := flag.Int("n", 1500, "rounds")
	flag.Parse()
	if err := run(*bin, *corpus, *before, *n); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(bin, corpus, before string, n int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "umpire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	undo, err := home.TrustDir(dir, time.Hour) // or whoever uses umpire would measure another way
	if err != nil {
		return err
	}
	defer undo()
	hello, err := buildHello(dir)
	if err != nil {
		return err
	}
	// A file as the linker leaves it starts slower than its copy, which is what people install.
	hook := filepath.Join(dir, "umpire-hook")
	err = errors.Join(copied(hook, filepath.Join(bin, "umpire-hook")), os.Symlink(filepath.Join(bin, "umpire"), filepath.Join(dir, "umpire")))
	if err != nil {
		return err
	}
	plain, few, many := homeIn(dir, "plain"), homeIn(dir, "few"), homeIn(dir, "many")
	for h, rules := range map[string]int{few: 100, many: 10000} {
		if err := writeRules(h, rules, filepath.Join(bin, "umpire")); err != nil {
			return err
		}
	}
	payloads, err := load(corpus, filepath.Join(plain, "proj"))
	large, err2 := load(corpus, filepath.Join(plain, "large"))
	tasks, err3 := largeProject(filepath.Join(plain, "large"))
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	runs := []series{
		{name: "go hello", cmd: func([]byte) *exec.Cmd { return exec.Command(hello) }},
		{name: "hook", cmd: hookIn(hook, plain)},
		{name: "hook, 100 user rules", cmd: hookIn(hook, few)},
		{name: "hook, 10,000 user rules", cmd: hookIn(hook, many)},
		{name: "hook, a large project", cmd: hookIn(hook, plain), own: large},
		{name: "hook, its tasks", cmd: hookIn(hook, plain), own: tasks},
	}
	if before != "" {
		old := filepath.Join(dir, "umpire-hook-before")
		if err := copied(old, before); err != nil {
			return err
		}
		for _, r := range []series{runs[1], runs[4], runs[5]} {
			r.name, r.cmd = "before: "+r.name, hookIn(old, plain)
			runs = append(runs, r)
		}
	}
	if err := measure(runs, payloads, n); err != nil {
		return err
	}
	fmt.Printf("%d rounds over %d payloads, each round runs all in turn\n", n, len(payloads))
	report(runs, before != "")
	return nil
}

// A series is one program under test, with its times.
type series struct {
	name string
	cmd  func(payload []byte) *exec.Cmd
	took []time.Duration
	own  [][]byte // payloads instead of the corpus
}

// measure runs all programs in turn, n times.
func measure(runs []series, payloads [][]byte, n int) error {
	for i := range n {
		for r := range runs {
			p := payloads[i%len(payloads)]
			if own := runs[r].own; own != nil {
				p = own[i%len(own)]
			}
			cmd := runs[r].cmd(p)
			cmd.Stdin = bytes.NewReader(p)
			start := time.Now()
			err := cmd.Run()
			took := time.Since(start)
			if code := cmd.ProcessState.ExitCode(); err != nil && code != 2 {
				return fmt.Errorf("%s: %w", runs[r].name, err)
			}
			runs[r].took = append(runs[r].took, took)
		}
	}
	return nil
}

func report(runs []series, compare bool) {
	base := median(runs[0].took)
	for _, r := range runs {
		m := median(r.took)
		fmt.Printf("%-24s p50 %8s  p95 %8s  %.2f x hello\n", r.name, m.Round(time.Microsecond), quantile(r.took, 0.95).Round(time.Microsecond), float64(m)/float64(base))
	}
	if compare {
		fmt.Printf("hook against hook before: %.2f, of the fastest tenth %.2f\n", float64(median(runs[1].took))/float64(median(runs[6].took)), float64(quantile(runs[1].took, 0.1))/float64(quantile(runs[6].took, 0.1)))
	}
	fmt.Printf("10,000 against 100 rules: %.2f\n", float64(median(runs[3].took))/float64(median(runs[2].took)))
}

// largeProject makes a repository with a Makefile of 2,000 lines and 300 scripts, and
// returns calls that start them.
func largeProject(dir string) (payloads [][]byte, err error) {
	var makefile, scripts strings.Builder
	for i := range 500 {
		fmt.Fprintf(&makefile, "V%d := a%d\n.PHONY: t%d\nt%d:\n\tgo test ./p%d/$(V%d)\n", i, i, i, i, i, i)
	}
	for i := range 300 {
		fmt.Fprintf(&scripts, "%q: %q,\n", fmt.Sprintf("s%d", i), "tsc -p packages/p && eslint src")
	}
	files := map[string]string{
		"Makefile":              makefile.String(),
		"package.json":          "{\"name\": \"large\", \"scripts\": {" + scripts.String() + "\"last\": \"jest\"}}",
		".git/HEAD":             "ref: refs/heads/main\n",
		".git/config":           "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.org:x/y.git\n",
		".git/hooks/pre-commit": "#!/bin/sh\nnpx lint-staged\nnpm run last\n",
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o700)); err != nil {
			return nil, err
		}
	}
	for _, command := range []string{"make t499", "npm run s299", "git status --short", "git commit -m x", "go test ./...", "make", "npm test"} {
		b, err := json.Marshal(map[string]any{"session_id": "bench", "cwd": dir, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]string{"command": command}})
		if err != nil {
			return nil, err
		}
		payloads = append(payloads, b)
	}
	return payloads, nil
}

// copied copies a program.
func copied(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

func hookIn(hook, home string) func([]byte) *exec.Cmd {
	return func([]byte) *exec.Cmd {
		cmd := exec.Command(hook, "claude")
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")} // each folder of which is looked at
		return cmd
	}
}

func buildHello(dir string) (string, error) {
	src := filepath.Join(dir, "hello.go")
	if err := os.WriteFile(src, []byte("package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello\\n\") }\n"), 0o600); err != nil {
		return "", err
	}
	out := filepath.Join(dir, "hello")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, src)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if b, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, b)
	}
	return out + "-copy", copied(out+"-copy", out)
}

func homeIn(dir, name string) string {
	h := filepath.Join(dir, name)
	_ = os.MkdirAll(filepath.Join(h, "proj", ".git"), 0o755) // what fails here fails again below
	return h
}

func writeRules(home string, n int, umpire string) error {
	var b strings.Builder
	b.WriteString("version: 1\nrules:\n")
	kinds := []string{"deny: network(host%d.example)", "ask: exec(tool%d deploy *)", "deny: write(~/vault%d/**)", "allow: exec(check%d)", "deny: read(/data/%d/secret)"}
	for i := range n {
		fmt.Fprintf(&b, "  - "+kinds[i%len(kinds)]+"\n", i)
	}
	p := filepath.Join(home, ".config", "umpire", "policy.yaml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(b.String()), 0o600)); err != nil {
		return err
	}
	time.Sleep(50 * time.Millisecond) // so that the file is older than the snapshot beyond doubt
	cmd := exec.Command(umpire, "policy", "compile", "--dir", filepath.Join(home, "proj"))
	cmd.Env = []string{"HOME=" + home}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// load makes payloads of labelled commands, or takes the recorded day.
func load(corpus, dir string) ([][]byte, error) {
	file := cmp.Or(corpus, "examples/day.jsonl")
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out [][]byte
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var c struct {
			Command string          `json:"command"`
			Tool    string          `json:"tool_name"`
			Input   json.RawMessage `json:"tool_input"`
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return nil, err
		}
		if c.Command != "" {
			c.Tool = "Bash"
			if c.Input, err = json.Marshal(map[string]string{"command": c.Command}); err != nil {
				return nil, err
			}
		}
		b, err := json.Marshal(map[string]any{"session_id": "bench", "cwd": dir, "hook_event_name": "PreToolUse", "tool_name": c.Tool, "tool_input": c.Input, "tool_use_id": "t"})
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, sc.Err()
}

func median(d []time.Duration) time.Duration { return quantile(d, 0.5) }

func quantile(d []time.Duration, q float64) time.Duration {
	s := slices.Sorted(slices.Values(d))
	return s[int(q*float64(len(s)-1))]
}
