// Package examples tests the example programs as a stranger runs them.
package examples

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// built compiles all programs once.
func built(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	programs.Build(t, dir, "", "examples/operations", "examples/company", "examples/chat-guard", "examples/agent-hooks", "examples/decide")
	return dir
}

func command(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")
	return c
}

func TestExamples(t *testing.T) {
	dir := built(t)
	for _, c := range []struct {
		program string
		want    []string
	}{
		{"operations", []string{"delete(/srv/shop/build)", "network(GET example.com:443/i.sh)", "remote-code"}},
		{"company", []string{"allow acmectl tenant list\n", "deny cd /tmp && sudo acmectl tenant delete eu-7\n", "two people delete tenants in the EU"}},
		{"chat-guard", []string{"Room 7. Ask [EMAIL] for the key.\n", "refused: PROMPT_INJECTION"}},
		{"agent-hooks", []string{"not run: cd / && rm -rf *\n", "Release notes.", "Fixed a bug."}},
	} {
		t.Run(c.program, func(t *testing.T) {
			out, err := command(t, filepath.Join(dir, c.program)).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, w := range c.want {
				if !strings.Contains(string(out), w) {
					t.Errorf("want %q, got\n%s", w, out)
				}
			}
			if strings.Contains(string(out), "evil@") {
				t.Errorf("the order in the tool's output got through:\n%s", out)
			}
		})
	}
	t.Run("decide", func(t *testing.T) {
		c := command(t, filepath.Join(dir, "decide"), "127.0.0.1:0")
		var log bytes.Buffer
		c.Stderr = &log
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = c.Process.Kill() // it serves until then
			_ = c.Wait()
		}()
		line, err := bufio.NewReader(out).ReadString('\n')
		address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
		if err != nil || !ok {
			t.Fatalf("it prints %q, %v, and says %s; want the address that it listens on", line, err, &log)
		}
		for input, want := range map[string]string{
			`{"command": "rm -rf ~"}`: `"effect":"deny"`, `{"command": "ls"}`: `"effect":"allow"`, `{"command": `: `"effect":"deny"`,
		} {
			resp, err := http.Post("http://"+address, "application/json", strings.NewReader(input))
			if err != nil {
				t.Fatalf("%v; the program says %s", err, &log)
			}
			body, err := io.ReadAll(bufio.NewReader(resp.Body))
			resp.Body.Close()
			if err != nil || !strings.Contains(string(body), want) {
				t.Errorf("%s: want %s, got %s, %v", input, want, body, err)
			}
		}
	})
}
