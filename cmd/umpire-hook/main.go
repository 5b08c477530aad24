// Command umpire-hook answers a coding agent's question before a tool call: a payload on
// standard input, a decision on standard output and in the exit status.
//
// It is started hundreds of times a session, and nobody may feel it: it links little and
// opens a compiled policy. What needs more (a policy that changed) is done by umpire,
// which is started for it.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// deadline is how long an answer may take. Clients run the call when theirs has passed,
// and the shortest is 10 s.
const deadline = 5 * time.Second

func main() {
	if len(os.Args) != 2 || os.Args[1] == "" || os.Args[1][0] == '-' {
		fmt.Fprintln(os.Stderr, "usage: umpire-hook CLIENT < PAYLOAD\n\nIt is started by a coding agent, see umpire --help. Clients: claude")
		os.Exit(64)
	}
	// Who closed one pipe may still listen to the other, and to the exit status: a write
	// that fails must not end the program before it said no.
	signal.Ignore(syscall.SIGPIPE)
	h := newHook(os.Args[1])
	a := h.answer(os.Stdin, deadline)
	// One write each: what is cut off in the middle is no answer.
	if a.Stderr != "" {
		_, _ = os.Stderr.WriteString(a.Stderr)
	}
	if a.Stdout != "" {
		_, _ = os.Stdout.WriteString(a.Stdout)
	}
	os.Exit(a.Exit)
}
