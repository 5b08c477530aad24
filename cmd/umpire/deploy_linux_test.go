package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/umpire-dev/umpire/cmd/umpire/serve"
)

func deployFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What walls the containers off is there. No engine is needed to see that.
func TestCompose(t *testing.T) {
	type service struct {
		User        string   `yaml:"user"`
		ReadOnly    bool     `yaml:"read_only"`
		CapDrop     []string `yaml:"cap_drop"`
		CapAdd      []string `yaml:"cap_add"`
		SecurityOpt []string `yaml:"security_opt"`
		Privileged  bool     `yaml:"privileged"`
		Pids        int      `yaml:"pids_limit"`
		Memory      string   `yaml:"mem_limit"`
		Init        bool     `yaml:"init"`
		NetworkMode string   `yaml:"network_mode"`
		PID         string   `yaml:"pid"`
		Ports       []string `yaml:"ports"`
		Volumes     []string `yaml:"volumes"`
		Command     []string `yaml:"command"`
		DNS         []string `yaml:"dns"`
		Networks    any      `yaml:"networks"`
		Environment map[string]string
		Build       map[string]string
	}
	var c struct {
		Services map[string]service `yaml:"services"`
		Networks map[string]struct {
			Internal bool `yaml:"internal"`
		} `yaml:"networks"`
	}
	if err := yaml.Unmarshal([]byte(deployFile(t, "compose.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gateway", "agent"} {
		s, ok := c.Services[name]
		switch {
		case !ok:
			t.Fatalf("no %s", name)
		case !s.ReadOnly, !slices.Equal(s.CapDrop, []string{"ALL"}), len(s.CapAdd) > 0, s.Privileged, !slices.Contains(s.SecurityOpt, "no-new-privileges:true"):
			t.Errorf("%s may do too much: %+v", name, s)
		case s.Pids == 0, s.Memory == "", !s.Init:
			t.Errorf("%s has no limits: %+v", name, s)
		case s.User == "" || strings.HasPrefix(s.User, "0"), s.NetworkMode != "", s.PID != "":
			t.Errorf("%s is too near to the host: %+v", name, s)
		}
		for _, v := range s.Volumes {
			if strings.Contains(v, "docker.sock") {
				t.Errorf("%s has the engine: %s", name, v)
			}
		}
		for _, p := range s.Ports {
			if !strings.HasPrefix(p, "127.0.0.1:") {
				t.Errorf("%s is reached from other machines: %s", name, p)
			}
		}
	}
	agent, gateway := c.Services["agent"], c.Services["gateway"]
	if nets, ok := agent.Networks.([]any); !ok || len(nets) != 1 || nets[0] != "agents" || !c.Networks["agents"].Internal {
		t.Errorf("the agent's network leads somewhere: %v, %v", agent.Networks, c.Networks)
	}
	if len(agent.Ports) > 0 || !slices.Equal(agent.DNS, []string{"127.0.0.1"}) {
		t.Errorf("the agent: %+v", agent)
	}
	for _, v := range agent.Volumes {
		if strings.Contains(v, ":/project") && !strings.HasSuffix(v, ":ro") || strings.HasPrefix(v, "data:") || strings.HasPrefix(v, "config:") {
			t.Errorf("the agent has %s", v)
		}
	}
	// The operators' side is on the network that the agent is not on.
	at := map[string]string{}
	for i, a := range gateway.Command[:len(gateway.Command)-1] {
		at[a] = gateway.Command[i+1]
	}
	nets := gateway.Networks.(map[string]any)
	address := func(name string) string { return fmt.Sprint(nets[name].(map[string]any)["ipv4_address"]) }
	if at["--listen"] != address("people")+":3700" || at["--agents"] != address("agents")+":3703" || at["--proxy"] != address("agents")+":3701" {
		t.Errorf("the gateway listens at %v", at)
	}
	for flag := range at {
		if strings.HasPrefix(flag, "--") && serve.New().Flags().Lookup(strings.TrimPrefix(flag, "--")) == nil {
			t.Errorf("umpire serve has no %s", flag)
		}
	}
}

// The Dockerfile has the shape that linters of such files ask for.
func TestDockerfile(t *testing.T) {
	text := deployFile(t, "Dockerfile")
	joined := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, " ")
	last := map[string]string{}
	for line := range strings.SplitSeq(joined, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		if word == "" || strings.HasPrefix(word, "#") {
			continue
		}
		if !slices.Contains([]string{"ARG", "FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT", "CMD", "HEALTHCHECK"}, word) {
			t.Errorf("what is %q?", word)
		}
		last[word] = rest
		switch word {
		case "FROM":
			if image, _, _ := strings.Cut(rest, " "); !strings.Contains(image, ":") || strings.HasSuffix(image, ":latest") {
				t.Errorf("an image without a version: %s", rest)
			}
		case "ENTRYPOINT", "CMD":
			if !strings.HasPrefix(rest, "[") {
				t.Errorf("%s runs by a shell: %s", word, rest)
			}
		case "RUN":
			if strings.Contains(rest, "apt-get install") && (!strings.Contains(rest, "--no-install-recommends") || !strings.Contains(rest, "rm -rf /var/lib/apt/lists")) {
				t.Errorf("more is installed than needed: %s", rest)
			}
		}
	}
	if u := last["USER"]; u == "" || u == "root" || u == "0" {
		t.Errorf("it runs as %q", u)
	}
	for word, rest := range last {
		if word != "COPY" {
			continue
		}
		for _, f := range strings.Fields(rest) {
			if after, ok := strings.CutPrefix(f, "deploy/"); ok {
				deployFile(t, after)
			}
		}
	}
}

// The agent's container mirrors the project, has the gateway for origin and proxy, and ends
// with the gateway.
func TestEntrypoint(t *testing.T) {
	var down, over atomic.Bool
	gw := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case down.Load() || r.URL.Path != "/api/status":
			w.WriteHeader(http.StatusServiceUnavailable)
		case over.Load():
			fmt.Fprint(w, `{"maxUptimeMs":1000,"remainingMs":0,"uptime":"1s"}`)
		default:
			fmt.Fprint(w, `{"maxUptimeMs":null,"remainingMs":null,"uptime":"1s"}`)
		}
	}))
	defer gw.Close()
	dir := t.TempDir()
	project, workspace, token := filepath.Join(dir, "project"), filepath.Join(dir, "workspace"), filepath.Join(dir, "token")
	for path, text := range map[string]string{project + "/a.txt": "a", project + "/.hidden": "h", workspace + "/left": "of another run", token: "umpa_test\n"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(env []string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", append([]string{"../../deploy/entrypoint.sh"}, args...)...)
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "SANDBOX_API=" + gw.URL, "PROXY=gateway:3701", "HOST_PROJECT=" + project, "WORKSPACE=" + workspace, "TOKEN_FILE=" + token, "WATCH_SECONDS=1"}, env...)
		cmd.WaitDelay = 10 * time.Second
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run(nil, "sh", "-c", `pwd; ls -A; git log --format=%s; git remote get-url origin; echo "$HTTPS_PROXY $NO_PROXY"; echo url=`+gw.URL+` | git credential fill | grep password; git status --short`)
	want := workspace + "\n.git\n.hidden\na.txt\nthe project as it was\n" + gw.URL + "/git/project.git\nhttp://agent:umpa_test@gateway:3701 127.0.0.1,127.0.0.1,localhost\npassword=umpa_test\n"
	if err != nil || out != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
	for _, tt := range []struct {
		name string
		env  []string
		want string
	}{
		{"the project as the workspace", []string{"WORKSPACE=" + project}, "cannot be the workspace"},
		{"no token", []string{"TOKEN_FILE=/dev/null"}, "has no token"},
	} {
		if out, err := run(tt.env, "true"); err == nil || !strings.Contains(out, tt.want) {
			t.Errorf("%s: got error %v, want one with %q:\n%s", tt.name, err, tt.want, out)
		}
	}
	if _, err := os.Stat(project + "/a.txt"); err != nil {
		t.Fatal(err)
	}
	go func() {
		for { // the agent has begun
			if _, err := os.Stat(workspace + "/begun"); err == nil {
				down.Store(true)
				return
			}
			select {
			case <-t.Context().Done():
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	if out, err := run(nil, "sh", "-c", "touch begun; exec sleep 600"); err == nil || !strings.Contains(out, "the gateway is gone") {
		t.Errorf("without the gateway: %v %s", err, out)
	}
	down.Store(false)
	over.Store(true)
	if out, err := run(nil, "true"); err == nil || !strings.Contains(out, "its time is over") {
		t.Errorf("after its time: %v %s", err, out)
	}
}
