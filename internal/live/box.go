package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// modelOutside is the address of the model for a client in a sandbox. The sandbox has a separate
// loopback interface; only the proxy reaches this address.
const modelOutside = "127.0.0.2:0"

// gatewayTime limits how long a gateway may take to start.
const gatewayTime = 30 * time.Second

// box runs the session in umpire's sandbox, with a separate gateway that allows only the model. end
// stops the gateway.
func (t *Trial) box(ctx context.Context, s *session, url string) (end func(), err error) {
	p := s.place
	host := strings.TrimPrefix(url, "http://")
	if err := p.allow(host); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), t.Umpire, "serve", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0", "--root", p.Project)
	cmd.Dir, cmd.Env = p.Project, s.env
	cmd.WaitDelay = time.Second
	log, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	read := make(chan struct{})
	end = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(gatewayTime, func() { _ = cmd.Process.Kill() })
		<-read
		_ = cmd.Wait() // its exit status does not concern the client
		kill.Stop()
	}
	found := make(chan [2]string, 1)
	last := ""
	go func() { // read to the end, or it would block
		defer close(read)
		at := map[string]string{}
		for lines := bufio.NewScanner(log); lines.Scan(); {
			if last = lines.Text(); len(at) == 2 {
				continue
			}
			var side, address string
			for _, word := range strings.Fields(last) {
				if v, ok := strings.CutPrefix(word, "side="); ok {
					side = v
				} else if v, ok := strings.CutPrefix(word, "address="); ok {
					address = v
				}
			}
			if address != "" && (side == "all" || side == "proxy") {
				if at[side] = address; len(at) == 2 {
					found <- [2]string{at["all"], at["proxy"]}
				}
			}
		}
	}()
	select {
	case at := <-found:
		args := []string{"run", "--profile", t.Client.Name, "--server", "http://" + at[0], "--proxy", at[1]}
		for _, e := range t.Client.env(p, url) {
			args = append(args, "--env", e)
		}
		s.args = append(append(args, "--", s.bin), s.args...)
		s.bin = t.Umpire
		return end, nil
	case <-read:
		end()
		return nil, fmt.Errorf("the gateway ended: %s", last)
	case <-time.After(gatewayTime):
		end()
		return nil, errors.New("the gateway did not start in time")
	case <-ctx.Done():
		end()
		return nil, ctx.Err()
	}
}

// allow lets the sandbox reach the model.
func (p Place) allow(host string) error {
	path := filepath.Join(p.Home, ".config", "umpire", "policy.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		text, err = []byte("version: 1\nrules:\n"), nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, "  - allow: network("+host+")\n"...), 0o600)
}
