// Command umpire-hook answers a coding agent's question before a tool call: a payload on
// standard input, a decision on standard output and in the exit status.
//
// Agents start it hundreds of times a session, so it must be fast: it links little and reads a
// compiled policy. It starts umpire for everything else: a policy that changed, a model, a
// person.
//
//go:debug updatemaxprocs=0
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	_ "github.com/umpire-dev/umpire/internal/singlecpu"
	"github.com/umpire-dev/umpire/internal/version"
)

func main() {
	switch {
	case len(os.Args) == 2 && (os.Args[1] == "--help" || os.Args[1] == "-h"):
		usage(os.Stdout, 0)
	case len(os.Args) == 2 && os.Args[1] == "--version":
		fmt.Print(version.Read().Text())
		os.Exit(0)
	case len(os.Args) != 2 || os.Args[1] == "" || os.Args[1][0] == '-':
		usage(os.Stderr, 2) // deny: with any other status most clients run the call
	}
	// A client that closed one pipe may still read the other and the exit status: a failed write
	// must not end the program before it denies the call.
	signal.Ignore(syscall.SIGPIPE)
	h := hook.New(os.Args[1])
	h.CheckEnvironment = func() { home.CheckEnvironment(os.Getenv) }
	h.HandOver = handOver(os.Args[1])
	a := h.Answer(os.Stdin, hook.RulesTime)
	// One write each: a client cannot read a truncated answer.
	if a.Stderr != "" {
		_, _ = os.Stderr.WriteString(a.Stderr)
	}
	if a.Stdout != "" {
		// Silence lets the call run, so a question that cannot be written must become a denial.
		if _, err := os.Stdout.WriteString(a.Stdout); err != nil && a.Exit == 0 {
			_, _ = os.Stderr.WriteString("umpire: the answer could not be written: " + err.Error() + "\n")
			a.Exit = 2
		}
	}
	os.Exit(a.Exit)
}

func usage(w io.Writer, status int) {
	fmt.Fprint(w, "usage: umpire-hook CLIENT < PAYLOAD\n       umpire-hook --version\n\nCoding agents start this program. To set it up, run `umpire init`. Clients:")
	for _, c := range clients.All() {
		fmt.Fprint(w, " ", c.Name)
	}
	fmt.Fprintln(w)
	os.Exit(status)
}
