// Package policy has `umpire policy` and `umpire trust`.
package policy

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/regular"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// New returns `umpire policy`.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Check, test, list and compile the policy",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyCheck(), newPolicyTest(), newPolicyList(), newPolicyShow(), newPolicyRevoke(), newPolicyExplain(), newPolicyCompile(), newPolicySuggest(), newPolicySchema())
	return cmd
}

// inForce is the policy in force here, or that of a file.
type inForce struct {
	at     project.Project
	policy *policy.Policy
	loaded *policyfile.Loaded
	fault  *project.Fault // why the policy is not that of the files
	json   bool
}

// reads completes a command that reads the policy in force here. If the files have faults, that is
// the last valid one, and a warning says so. A command with [FILE] in its usage examines the files
// themselves, or that one, so faults are an error, and with --json one JSON document too.
func reads(cmd *cobra.Command, run func(*cobra.Command, []string, inForce) error) *cobra.Command {
	var in inForce
	cmd.Flags().BoolVar(&in.json, "json", false, "print one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if in.at, err = project.At(""); err != nil {
			return err
		}
		if strings.HasSuffix(cmd.Use, "[FILE]") {
			if in.policy, in.loaded, err = in.at.Policy(strings.Join(args, "")); err != nil {
				return reportFaults(cmd, err, in.json)
			}
			return run(cmd, args, in)
		}
		if in.policy, in.loaded, in.fault, err = cli.PolicyInForce(cmd.ErrOrStderr(), in.at); err != nil {
			return err
		}
		return run(cmd, args, in)
	}
	return cmd
}

// withoutDefault compiles rules with deny as the default and without modes. If the default were
// allow, an allow rule of a pack would have no effect and no reason.
func withoutDefault(s policy.Source) (*policy.Policy, error) {
	s.Default, s.Modes = umpire.Deny, nil
	return policy.Compile(s)
}

func hasReason(d umpire.Decision, id string) bool {
	return slices.ContainsFunc(d.Reasons, func(r umpire.Reason) bool { return r.Rule == id })
}

type listed struct {
	ID     string        `json:"id"`
	Effect umpire.Effect `json:"effect"`
	Layer  string        `json:"layer"`
	Pack   string        `json:"pack,omitempty"`
	Match  []string      `json:"match"`
	Reason string        `json:"reason,omitempty"`
}

func listing(r *policy.Rule) listed {
	return listed{ID: r.ID, Effect: r.Effect, Layer: r.Layer.String(), Pack: r.Pack, Match: written(r.Match), Reason: r.Reason}
}

// written formats patterns as in a policy file.
func written(patterns []policy.Pattern) (list []string) {
	for _, m := range patterns {
		list = append(list, m.String())
	}
	return list
}

func newPolicyList() *cobra.Command {
	var pack string
	cmd := reads(&cobra.Command{
		Use:   "list",
		Short: "List the rules in force",
		Args:  cobra.NoArgs,
	}, func(cmd *cobra.Command, _ []string, in inForce) error {
		rules, inUse := []listed{}, map[string]bool{}
		for r := range in.policy.Rules() {
			if inUse[r.Pack] = true; pack != "" && r.Pack != pack {
				continue
			}
			rules = append(rules, listing(&r))
		}
		if pack != "" && len(rules) == 0 {
			delete(inUse, "")
			return cli.Usagef("--pack is %q: must be a pack in force: %s", pack, strings.Join(slices.Sorted(maps.Keys(inUse)), ", "))
		}
		if in.json {
			return cli.PrintLine(cmd.OutOrStdout(), rules)
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		for _, l := range rules {
			from := cmp.Or(l.Pack, l.Layer)
			about := l.Reason
			if l.Pack == "" { // list the patterns of the user's rules, which the user may change or revoke
				about = strings.Join(l.Match, ", ")
				if l.Reason != "" {
					about += ": " + l.Reason
				}
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", l.Effect, visible.Line(l.ID), from, visible.Clip(about, 120))
		}
		return w.Flush()
	})
	cmd.Flags().StringVar(&pack, "pack", "", "only rules of this pack")
	return cmd
}

func newPolicyRevoke() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a rule that an answer stored",
		Long: `Remove the rules that one answer stored in your policy or the project's; umpire policy list
shows their IDs, which begin with always-. A rule that you set to log only counts again.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := project.At("")
			if err != nil {
				return err
			}
			what := at.AnswerPatterns()
			taken, path, err := project.Revoke(at, args[0])
			if err != nil {
				return err
			}
			for i, id := range taken {
				fmt.Fprintf(cmd.OutOrStdout(), "revoked %s in %s%s\n", id, visible.Line(path), what[id])
				taken[i] += what[id]
			}
			return answer.RecordChange("terminal", answer.Change{What: "policy", Removed: true, Names: strings.Join(taken, ", "), Path: path})
		},
	}
}

func newPolicyCompile() *cobra.Command {
	var dir, cache string
	var quiet bool
	cmd := &cobra.Command{
		Use:   "compile",
		Short: "Compile the policy of a workspace into the snapshot that the hook reads",
		Long: `Compile the policy of a workspace into the snapshot that the hook reads. The hook does this when
a policy file has changed. If a file has faults, the last valid policy stays in force.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			open := cli.Folder
			if cmd.Flags().Changed("cache") {
				open = project.At // the hook's workspace may be deleted by now, or on another machine
			}
			at, err := open(dir)
			if err != nil {
				return err
			}
			if dir != "" {
				at.Workspace = at.Dir // trust the hook here, whatever the folders above contain
			}
			builtin, err := packs.Default()
			if err != nil {
				return err
			}
			if cache == "" {
				cache = snapshot.CacheDir(at.Home, at.Workspace, os.Getenv)
			}
			if cache == "" {
				return errors.New("cannot store the compiled policy: set HOME")
			}
			// Compile the files for all workspaces separately as well: if they break later, a
			// workspace that was never compiled still has their last valid version.
			_, _, _ = project.Project{Home: at.Home}.Compile(cache, builtin)
			p, fault, err := at.Compile(cache, builtin)
			if err != nil {
				return err
			}
			if fault != nil {
				return cli.Faults(cmd.ErrOrStderr(), fault)
			}
			if !quiet {
				fmt.Fprintf(cmd.OutOrStdout(), "compiled %s into %s\n", plural.Count(p.Len(), "rule"), at.Snapshot(cache))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "dir", "C", "", "folder of the workspace")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only faults")
	cmd.Flags().StringVar(&cache, "cache", "", "write the snapshot to this folder") // set by the hook if it cannot write to the usual folder
	_ = cmd.Flags().MarkHidden("cache")                                             // cannot fail: the flag exists
	return cmd
}

func newPolicySchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of policy files, for editors",
		Long: `Print the JSON Schema of policy files. For checks in an editor with a YAML language server, begin
the file with

  # yaml-language-server: $schema=policy.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(policyfile.Schema())
			return err
		},
	}
}

// NewTrust returns `umpire trust`. at returns the person who must confirm.
func NewTrust(at func() (terminal.Person, error)) *cobra.Command {
	var revoke, unasked bool
	cmd := &cobra.Command{
		Use:   "trust [FILE]",
		Short: "Trust a project's policy file as it is now",
		Long: `Trust a project's policy file. An untrusted .umpire.yaml can only tighten the policy, because the
agent can write it. With trust, its current content can also allow calls and disable rules;
any change to the file ends the trust.

Only a person at a terminal can do this, and not below a coding agent.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := project.At("")
			if err != nil {
				return err
			}
			paths := snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv)
			if len(args) > 0 {
				if paths.Project, err = filepath.Abs(args[0]); err != nil { // the list contains absolute paths
					return err
				}
			}
			if revoke {
				if err := policyfile.Distrust(paths.Trust, paths.Project); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s is not trusted\n", visible.Line(paths.Project))
				return answer.RecordChange("terminal", answer.Change{What: "trust", Removed: true, Names: "trust", Path: paths.Project})
			}
			data, err := regular.Read(paths.Project, policyfile.MaxFile)
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s does not exist, so you cannot trust it: run this in its project, or pass its path", visible.Line(paths.Project))
			}
			if err != nil {
				return err
			}
			if _, err := policyfile.Parse(paths.Project, data, policy.ProjectTrusted); err != nil {
				return cli.Faults(cmd.ErrOrStderr(), err)
			}
			already, err := policyfile.Trusted(paths.Trust, paths.Project, data)
			if err != nil {
				return err
			}
			if already {
				fmt.Fprintf(cmd.OutOrStdout(), "nothing to do: %s is trusted as it is now\n", visible.Line(paths.Project))
				return nil
			}
			t, err := at()
			if err != nil {
				return err
			}
			defer func() { _ = t.Close() }()
			fmt.Fprintln(t, visible.Block(string(data)))
			if !unasked {
				said, err := t.Ask(fmt.Sprintf("Trust this content of %s? [y/N] ", visible.Line(paths.Project)))
				if err != nil {
					return err
				}
				if !terminal.Yes(said) {
					return errors.New("not trusted")
				}
			}
			if err := policyfile.Trust(paths.Trust, paths.Project, data); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "trusted %s as it is now\n", visible.Line(paths.Project))
			return answer.RecordChange("terminal", answer.Change{What: "trust", Names: fmt.Sprintf("sha256 %x", sha256.Sum256(data)), Path: paths.Project})
		},
	}
	cmd.Flags().BoolVar(&revoke, "revoke", false, "revoke the trust")
	cmd.Flags().BoolVar(&unasked, "yes", false, "do not ask for confirmation; a terminal is still required")
	return cmd
}
