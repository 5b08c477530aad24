//go:build linux && amd64

package faultos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

const errandVariable = "UMPIRE_TEST_ERRAND"

// Errand is a function that the test binary runs instead of its tests when RunErrand starts it
// again. Call it from init. The argument of RunErrand arrives as JSON.
func Errand[T any](do func(T) error) {
	text, ok := os.LookupEnv(errandVariable)
	if !ok {
		return
	}
	var arg T
	err := json.Unmarshal([]byte(text), &arg)
	if err == nil {
		err = do(arg)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// RunErrand runs the errand of the test binary with a fault, and returns its standard error.
func RunErrand(t *testing.T, arg any, f Fault) (ProgramResult, string) {
	t.Helper()
	text, err := json.Marshal(arg)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self)
	c.Env = append(os.Environ(), errandVariable+"="+string(text))
	var said bytes.Buffer
	c.Stderr = &said
	return Run(t, c, f), said.String()
}
