package main

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/question"
)

// An agent that ends while somebody is asked leaves no question that could be approved in the
// place of a living one's.
func TestEndedAgentLeavesNoQuestion(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // else the agent ignores it if nohup started the tests
	for name, c := range map[string]struct {
		signal    syscall.Signal
		abandoned int // else it was taken back
	}{"killed": {syscall.SIGKILL, 1}, "terminated": {syscall.SIGTERM, 0}, "hung up": {syscall.SIGHUP, 0}, "interrupted": {syscall.SIGINT, 0}} {
		t.Run(name, func(t *testing.T) {
			home, dir := agentHome(t, "")
			m := scriptModel(t, "openai", 0, step{calls: calls("bash", `{"command":"touch u1"}`)}, step{text: "Done."})
			cmd := exec.CommandContext(t.Context(), program(t), "agent", "-p", "go", "--wait", "--output", "stream-json")
			cmd.Dir, cmd.Env = dir, m.env(home)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			box := question.Open(filepath.Join(home, ".local", "state", "umpire", "questions"))
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if !strings.Contains(lines.Text(), "touch u1") {
					continue
				}
				look := time.NewTicker(20 * time.Millisecond) // no event tells of a file
				for open := 0; open == 0; <-look.C {
					list, err := box.List(question.Pending)
					if err != nil {
						t.Fatal(err)
					}
					open = len(list)
				}
				look.Stop()
				if err := cmd.Process.Signal(c.signal); err != nil {
					t.Fatal(err)
				}
			}
			_ = cmd.Wait() // it was ended
			if list, err := box.List(question.Pending); err != nil || len(list) > 0 {
				t.Errorf("its question is open: %+v, %v", list, err)
			}
			if list, err := box.List(question.Abandoned); err != nil || len(list) != c.abandoned {
				t.Errorf("%d are abandoned, %v", len(list), err)
			}
		})
	}
}
