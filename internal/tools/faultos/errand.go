//go:build linux && amd64

package faultos

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

const errandVariable = "UMPIRE_TEST_ERRAND"

// request is an errand with the surroundings that the test has.
type request struct {
	Env []string
	Dir string
	Arg json.RawMessage
}

// answerEnd follows what an errand says. Its exit status comes next, in a byte.
const answerEnd = 0

// Errand is a function that the test binary runs instead of its tests when RunErrand starts it
// again. Call it from init. The argument of RunErrand arrives as JSON. One process runs errand after errand
// until a fault ends it, so that an errand leaves nothing behind that only the end of a process releases.
func Errand[T any](do func(T) error) {
	if _, ok := os.LookupEnv(errandVariable); !ok {
		return
	}
	requests := json.NewDecoder(os.Stdin)
	for {
		var r request
		if err := requests.Decode(&r); err != nil { // the test has ended
			os.Exit(0)
		}
		status := 0
		if err := serve(r, do); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
		if _, err := os.Stderr.Write([]byte{answerEnd, byte(status)}); err != nil {
			os.Exit(1)
		}
	}
}

func serve[T any](r request, do func(T) error) error {
	os.Clearenv()
	for _, v := range r.Env {
		name, value, _ := strings.Cut(v, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	if err := os.Chdir(r.Dir); err != nil {
		return err
	}
	var arg T
	if err := json.Unmarshal(r.Arg, &arg); err != nil {
		return err
	}
	return do(arg)
}

// worker is a traced process that runs errands.
type worker struct {
	*program
	cmd      *exec.Cmd
	requests io.Writer
	said     *bufio.Reader
}

// idle are the workers that have no errand. They end with the test process.
var idle struct {
	sync.Mutex
	workers []*worker
}

// RunErrand runs the errand of the test binary with a fault, and returns its standard error.
func RunErrand(t *testing.T, arg any, f Fault) (ProgramResult, string) {
	t.Helper()
	w := hire(t)
	text, err := json.Marshal(arg)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	w.arm(f.resolved(t))
	if err := json.NewEncoder(w.requests).Encode(request{os.Environ(), dir, text}); err != nil {
		t.Fatal(err)
	}
	said, err := w.said.ReadString(answerEnd)
	if err != nil { // it has ended
		return w.end(t, w.cmd), said
	}
	status, err := w.said.ReadByte()
	if err != nil {
		t.Fatal(err)
	}
	idle.Lock()
	idle.workers = append(idle.workers, w)
	idle.Unlock()
	return ProgramResult{w.disarm(), int(status)}, strings.TrimSuffix(said, string(rune(answerEnd)))
}

// hire returns an idle worker, or a new one.
func hire(t *testing.T) *worker {
	t.Helper()
	idle.Lock()
	defer idle.Unlock()
	if last := len(idle.workers) - 1; last >= 0 {
		w := idle.workers[last]
		idle.workers = idle.workers[:last]
		return w
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{cmd: exec.Command(self)} //nolint:noctx // it outlives the test
	w.cmd.Env = append(os.Environ(), errandVariable+"=1")
	if w.requests, err = w.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	said, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.said = bufio.NewReader(said)
	if w.program, err = start(w.cmd, Fault{Calls: Files}); err != nil {
		t.Fatal(err)
	}
	return w
}
