package policy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// notice is a fault or a warning about a policy file.
type notice struct {
	At   string `json:"at,omitempty"` // file:line:column
	Text string `json:"text"`
	Next string `json:"next,omitempty"` // the next step
}

func warnings(l *policyfile.Loaded) []notice {
	out := []notice{}
	for _, w := range l.Warnings {
		text := w.Msg
		if w.Rule != "" {
			text = "rule " + w.Rule + ": " + text
		}
		out = append(out, notice{At: w.Pos.String(), Text: text})
	}
	return out
}

func faults(es policyfile.Errors) []notice {
	out := []notice{}
	for _, e := range es {
		out = append(out, notice{policy.Pos{File: e.File, Line: e.Line, Col: e.Col}.String(), e.Msg, e.Hint})
	}
	return out
}

// reportFaults prints an error about policy files: each fault on a line, or all in one JSON
// document.
func reportFaults(cmd *cobra.Command, err error, asJSON bool) error {
	var es policyfile.Errors
	if !asJSON || !errors.As(err, &es) {
		return cli.Faults(cmd.ErrOrStderr(), err)
	}
	out := struct {
		OK     bool     `json:"ok"`
		Faults []notice `json:"faults"`
	}{Faults: faults(es)}
	return errors.Join(cli.PrintLine(cmd.OutOrStdout(), out), cli.ExitError(cli.ExitFailure))
}

// leftOut returns an error if Load left out a file with faults. The policy stays in force without
// that file, but a person who checks it must not take it for a file in use.
func leftOut(l *policyfile.Loaded) error {
	if len(l.LeftOut) == 0 {
		return nil
	}
	return fmt.Errorf("umpire leaves out a policy file, because of %s: run `umpire policy check` and correct it", plural.Count(len(l.LeftOut), "fault"))
}

func newPolicyCheck() *cobra.Command {
	return reads(&cobra.Command{
		Use:   "check [FILE]",
		Short: "Check the policy in force, or a file, and report every error",
		Args:  cobra.MaximumNArgs(1),
	}, func(cmd *cobra.Command, args []string, in inForce) error {
		p, l := in.policy, in.loaded
		err := leftOut(l)
		if in.json {
			return errors.Join(cli.PrintLine(cmd.OutOrStdout(), struct {
				OK       bool          `json:"ok"`
				Rules    int           `json:"rules"`
				Default  umpire.Effect `json:"defaultAction"`
				Faults   []notice      `json:"faults"`
				Warnings []notice      `json:"warnings"`
			}{err == nil, p.Len(), p.Default(), faults(l.LeftOut), warnings(l)}), err)
		}
		for _, w := range l.Warnings {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", visible.Line(w.String()))
		}
		if err == nil {
			fmt.Fprintf(cmd.OutOrStdout(), "ok: %s, default %s, %s\n", plural.Count(p.Len(), "rule"), p.Default(), plural.Count(len(l.Warnings), "warning"))
		}
		return err
	})
}

// wrong is an example that a rule or a program fails.
type wrong struct {
	At      string `json:"at"`
	Name    string `json:"name"` // name of the rule or the program
	Text    string `json:"text"`
	Example string `json:"example"`
}

// tested is the result of testing the examples.
type tested struct {
	Passed   int     `json:"passed"`
	Failed   int     `json:"failed"`
	Disabled int     `json:"disabled"` // number of skipped rules
	Failures []wrong `json:"failures"`
}

func (t *tested) fail(e policy.Example, name, text string) {
	t.Failed++
	t.Failures = append(t.Failures, wrong{e.Pos.String(), name, text, exampleText(e)})
}

func (t *tested) print(w io.Writer) {
	for _, f := range t.Failures {
		fmt.Fprintf(w, "%s: %s %s: %s\n", f.At, f.Name, f.Text, visible.Clip(f.Example, 120))
	}
	fmt.Fprintf(w, "%d passed, %d failed", t.Passed, t.Failed)
	if t.Disabled > 0 {
		fmt.Fprintf(w, ", disabled: %s", plural.Count(t.Disabled, "rule"))
	}
	fmt.Fprintln(w)
}

func newPolicyTest() *cobra.Command {
	return reads(&cobra.Command{
		Use:   "test [FILE]",
		Short: "Test every rule and program against its hits and misses",
		Long: `Test the rules in force, or in a file: a rule must match its hits and none of its misses. A
described program must do something on a hit, and at most read on a miss. Umpire skips disabled
rules, and tests built-in rules without your policy's exceptions.`,
		Args: cobra.MaximumNArgs(1),
	}, func(cmd *cobra.Command, args []string, in inForce) error {
		l := in.loaded
		t, err := testPolicy(l)
		if err != nil {
			return reportFaults(cmd, err, in.json)
		}
		if in.json {
			err = cli.PrintLine(cmd.OutOrStdout(), t)
		} else {
			t.print(cmd.OutOrStdout())
		}
		if err == nil && t.Failed > 0 {
			err = cli.ExitError(cli.ExitFailure)
		}
		return errors.Join(leftOut(l), err)
	})
}

// testPolicy runs the examples of rules and programs.
func testPolicy(l *policyfile.Loaded) (*tested, error) {
	p, err := withoutDefault(l.Source)
	if err != nil {
		return nil, err
	}
	builtin, err := policy.Compile(policy.Source{Rules: slices.DeleteFunc(slices.Clone(l.Source.Rules), func(r policy.Rule) bool { return r.Layer != policy.Builtin })})
	if err != nil {
		return nil, err
	}
	t, n := &tested{Failures: []wrong{}}, 0
	for i := range l.Source.Rules {
		r := &l.Source.Rules[i]
		if _, ok := p.Rule(r.ID); !ok {
			t.Disabled++
			continue
		}
		by := p
		if r.Layer == policy.Builtin {
			by = builtin
		}
		for _, ex := range []struct {
			list []policy.Example
			want bool
			says string
		}{{r.Hits, true, "does not match its hit"}, {r.Misses, false, "matches its miss"}} {
			for _, e := range ex.list {
				n++
				a := policyfile.ExampleAction(e, r.Platform())
				if d := by.Decide(a, operation.Read(a, operation.Env{Programs: by.Programs()})); hasReason(d, r.ID) != ex.want {
					t.fail(e, r.ID, ex.says)
				}
			}
		}
	}
	for _, f := range l.Files {
		for i := range f.Programs {
			x := &f.Programs[i]
			n += policyfile.TryProgram(x.Hits, x.Misses, func(a *umpire.Action) []umpire.Operation {
				return operation.Read(a, operation.Env{Programs: p.Programs()})
			}, func(e policy.Example, says string) { t.fail(e, x.Names[0], says) })
		}
	}
	t.Passed = n - t.Failed
	return t, nil
}

type shown struct {
	Workspace   string        `json:"workspace"`
	Policy      string        `json:"policy"` // hash of the policy
	Rules       int           `json:"rules"`
	Default     umpire.Effect `json:"defaultAction"`
	AutoApprove bool          `json:"autoApprove"`
	Files       []shownFile   `json:"files"`
	Allowed     []shownLayer  `json:"allowedEndpoints"`
	Disabled    []shownLayer  `json:"disabled"`
	Faults      []notice      `json:"faults,omitempty"` // why the last valid policy is in force
	Warnings    []notice      `json:"warnings"`
}

type shownFile struct {
	Path  string `json:"path"`
	Layer string `json:"layer,omitempty"` // empty if no rules come from it
	Rules int    `json:"rules"`
}

type shownLayer struct {
	Name  string `json:"name"` // name of a host or a rule
	Layer string `json:"layer"`
}

func newPolicyShow() *cobra.Command {
	return reads(&cobra.Command{
		Use:   "show",
		Short: "Show the policy files in force here, and their settings",
		Args:  cobra.NoArgs,
	}, func(cmd *cobra.Command, _ []string, in inForce) error {
		p, l := in.policy, in.loaded
		s := shown{Workspace: in.at.Workspace, Policy: p.Hash(), Rules: p.Len(), Default: p.Default(), AutoApprove: l.Source.AutoApprove,
			Files: []shownFile{}, Allowed: []shownLayer{}, Disabled: []shownLayer{}, Warnings: warnings(l)}
		var es policyfile.Errors
		if in.fault != nil && errors.As(in.fault.Err, &es) {
			s.Faults = faults(es)
		}
		for _, path := range l.Looked {
			f := shownFile{Path: path}
			for _, have := range l.Files {
				if have.Path == path {
					f.Layer, f.Rules = have.Layer.String(), len(have.Rules)
				}
			}
			s.Files = append(s.Files, f)
		}
		for _, e := range l.Source.AllowedEndpoints {
			s.Allowed = append(s.Allowed, shownLayer{e.Host, e.Layer.String()})
		}
		for _, d := range l.Source.Disabled {
			// An untrusted project cannot disable a rule.
			if r, inForce := p.Rule(d.Rule); !inForce || d.Observe && r.Observe {
				s.Disabled = append(s.Disabled, shownLayer{d.Rule, d.Layer.String()})
			}
		}
		if in.json {
			return cli.PrintLine(cmd.OutOrStdout(), s)
		}
		s.print(cmd.OutOrStdout(), l.Warnings)
		return nil
	})
}

func (s *shown) print(w io.Writer, warnings []policyfile.Warning) {
	fmt.Fprintf(w, "workspace      %s\n", visible.Line(s.Workspace))
	fmt.Fprintf(w, "policy         %s, %s\n", s.Policy[:12], plural.Count(s.Rules, "rule"))
	fmt.Fprintf(w, "defaultAction  %s\n", s.Default)
	fmt.Fprintf(w, "autoApprove    %v\n", s.AutoApprove)
	for _, f := range s.Files {
		state := "absent"
		if f.Layer != "" {
			state = f.Layer + ", " + plural.Count(f.Rules, "rule")
		} else if _, err := os.Lstat(f.Path); err == nil {
			state = "exists"
		}
		fmt.Fprintf(w, "file           %s (%s)\n", visible.Line(f.Path), state)
	}
	for _, e := range s.Allowed {
		fmt.Fprintf(w, "allowed        %s (%s)\n", visible.Line(e.Name), e.Layer)
	}
	for _, d := range s.Disabled {
		fmt.Fprintf(w, "disabled       %s (%s)\n", visible.Line(d.Name), d.Layer)
	}
	for _, warning := range warnings {
		fmt.Fprintf(w, "warning        %s\n", visible.Line(warning.String()))
	}
}
