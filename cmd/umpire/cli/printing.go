package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// PrintJSON prints one indented JSON document.
func PrintJSON(w io.Writer, v any) error { return printJSON(w, v, "  ") }

// PrintLine prints one JSON document on one line.
func PrintLine(w io.Writer, v any) error { return printJSON(w, v, "") }

// printJSON escapes characters that would control a terminal. The document still decodes to the
// same values.
func printJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(visible.JSON(b.Bytes()))
	return err
}

// Quote quotes a text for a POSIX shell.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// OneLine joins the lines of an error that lists several faults.
func OneLine(s string) string { return strings.ReplaceAll(s, "\n", "; ") }

// Colored reports whether to use colors on w: it is a terminal that can show them, and NO_COLOR is
// not set.
func Colored(w io.Writer) bool {
	return OnTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// OnTerminal reports whether a reader or a writer is a terminal.
func OnTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// PolicyInForce returns the policy by which the hook decides in a project. If the files have
// faults, it warns on w.
func PolicyInForce(w io.Writer, at project.Project) (p *policy.Policy, loaded *policyfile.Loaded, fault *project.Fault, err error) {
	if p, loaded, fault, err = at.InForce(); fault != nil {
		first, _, _ := strings.Cut(fault.Err.Error(), "\n")
		fmt.Fprintf(w, "warning: the policy files have faults, so %s is in force; run `umpire policy check`: %s\n", InForce(fault), visible.Line(first))
	}
	return p, loaded, fault, err
}

// InForce names the policy that is in force instead of faulty files.
func InForce(f *project.Fault) string {
	if f.Valid.IsZero() {
		return "the built-in policy"
	}
	return "the last valid policy, of " + f.Valid.Local().Format("2006-01-02 15:04:05") + ","
}

// Faults prints every fault of a policy and returns one error for all of them.
func Faults(w io.Writer, err error) error {
	var es policyfile.Errors
	if !errors.As(err, &es) {
		return err
	}
	for _, e := range es {
		fmt.Fprintln(w, visible.Line(e.Error()))
	}
	return fmt.Errorf("%s: umpire does not use a policy with faults; the last valid one stays in force", plural.Count(len(es), "fault"))
}
