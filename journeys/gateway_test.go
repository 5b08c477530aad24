package journeys

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// gateway is an umpire serve that runs beside the script.
type gateway struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

// serve starts a gateway on free ports and sets $GATEWAY and $PROXY to its addresses.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 1, "serve NAME ARGS...")
	cmd := exec.Command(ts.Getenv("BIN")+"/umpire", append([]string{"serve", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0", "--root", ts.MkAbs(".")}, args[1:]...)...)
	cmd.Dir = ts.MkAbs(".")
	for _, k := range []string{"HOME", "PATH", "LANG", "USER", "TMPDIR"} {
		cmd.Env = append(cmd.Env, k+"="+ts.Getenv(k))
	}
	log, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	g := &gateway{cmd, make(chan struct{})}
	of(ts).gateways[args[0]] = g
	ts.Defer(func() { g.end(syscall.SIGKILL) })
	found, said := make(chan [2]string, 1), make(chan string, 1)
	go func() { // to its end, or the gateway would wait for a reader
		defer close(g.ended)
		at, all := map[string]string{}, ""
		for lines := bufio.NewScanner(log); lines.Scan(); {
			line := lines.Text()
			if len(all) < 1<<16 {
				all += line + "\n"
			}
			side, address := field(line, "side"), field(line, "address")
			if address == "" || len(at) == 2 {
				continue
			}
			if at[side] = address; at["all"] != "" && at["proxy"] != "" {
				found <- [2]string{at["all"], at["proxy"]}
			}
		}
		_ = cmd.Wait() // its status is what the script asks about elsewhere
		said <- all
	}()
	select {
	case at := <-found:
		ts.Setenv("GATEWAY", "http://"+at[0])
		ts.Setenv("PROXY", at[1])
		ts.Setenv("ADDRESS", at[0])
	case all := <-said:
		ts.Fatalf("the gateway ended:\n%s", all)
	case <-time.After(limit):
		ts.Fatalf("the gateway did not start within %v", limit)
	}
}

// field reads one field of a log line.
func field(line, name string) string {
	for _, word := range strings.Fields(line) {
		if v, ok := strings.CutPrefix(word, name+"="); ok {
			return v
		}
	}
	return ""
}

func (g *gateway) end(s syscall.Signal) bool {
	_ = g.cmd.Process.Signal(s) // it may have ended by itself
	select {
	case <-g.ended:
		return true
	case <-time.After(limit):
		_ = g.cmd.Process.Kill()
		return false
	}
}

// halt ends a gateway as its operator does, or with -kill as a power cut does.
func halt(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 1, "halt [-kill] NAME")
	sig, name := syscall.SIGTERM, args[0]
	if name == "-kill" && len(args) > 1 {
		sig, name = syscall.SIGKILL, args[1]
	}
	g := of(ts).gateways[name]
	if g == nil {
		ts.Fatalf("no gateway is called %q", name)
	}
	if !g.end(sig) {
		ts.Fatalf("the gateway %s did not end", name)
	}
}
