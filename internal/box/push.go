package box

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/visible"
)

// gitInside is the gateway's repository as seen from the sandbox.
const gitInside = "http://" + InsideAPI + "/git/project.git"

// ReadRemote resolves the destination of pushes: the name of one of the project's remotes, or a
// URL.
func (s *Sync) ReadRemote(ctx context.Context, dir string) error {
	if s.Push == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	s.remote = s.Push
	if !strings.ContainsAny(s.Push, ":/") {
		cmd := exec.CommandContext(ctx, "git", "-C", dir, "config", "--get", "--end-of-options", "remote."+s.Push+".url")
		cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("the project has no remote %q: see `git remote -v`, or pass a URL", visible.Clip(s.Push, 80))
		}
		s.remote = strings.TrimSuffix(string(out), "\n")
	}
	s.pushTo = s.remote
	if fi, err := os.Stat(filepath.Join(dir, s.remote)); !filepath.IsAbs(s.remote) && err == nil && fi.IsDir() {
		s.pushTo = filepath.Join(dir, s.remote) // a folder beside the project
	}
	if s.Credentials != "" {
		var err error
		if s.Credentials, err = filepath.Abs(s.Credentials); err != nil {
			return err
		}
	}
	return nil
}

// serveArgs returns the arguments about pushes for the run's gateway.
func (s *Sync) serveArgs() (args []string) {
	if s.pushTo != "" {
		args = append(args, "--push-to", s.pushTo)
	}
	if s.Credentials != "" {
		args = append(args, "--push-credentials", s.Credentials)
	}
	return args
}

// gitEnv redirects git in the sandbox from the remote to the gateway's repository. It needs only
// the run's token.
func (s *Sync) gitEnv(ctx context.Context, server, token string) ([]string, error) {
	if s.pushTo == "" {
		return nil, nil
	}
	var at gatewayProject
	if err := gatewayclient.AsOperator(ctx, server, http.MethodGet, "/api/project", nil, &at); err != nil {
		return nil, err
	}
	if at.PushTo != s.pushTo {
		return nil, fmt.Errorf("the running gateway pushes to %q, not to %q: restart it with --push-to, or stop it", visible.Clip(at.PushTo, 200), visible.Clip(s.pushTo, 200))
	}
	header := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("umpire:"+token))
	settings := [][2]string{{"url." + gitInside + ".insteadOf", s.remote}, {"http." + gitInside + ".extraHeader", header}, {"http." + gitInside + ".proxy", ""}, {"credential." + gitInside + ".helper", ""}}
	if s.remote != s.pushTo {
		settings = append(settings, [2]string{"url." + gitInside + ".insteadOf", s.pushTo})
	}
	env := []string{fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings))}
	for i, kv := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, kv[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, kv[1]))
	}
	return env, nil
}
