// Package review has `umpire review`, which reviews untrusted code.
package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/comment"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/format"
	"github.com/umpire-dev/umpire/internal/review/kept"
	"github.com/umpire-dev/umpire/internal/review/sarif"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
	"github.com/umpire-dev/umpire/internal/version"
	"github.com/umpire-dev/umpire/internal/visible"
)

// reviewFlags are the flags of `umpire review`, and the party that started it.
type reviewFlags struct {
	by cli.Invoker

	format, output, failOn, baseline, merge, base, tokenEnv, comment string
	also                                                             []string
	findings                                                         int
	closed, allowEmpty                                               bool
	ofModel                                                          *pflag.FlagSet // flags that need a model

	engine, provider, baseURL, model, keyEnv, audit, instructions, isolate string
	timeout, refTTL                                                        time.Duration
	rate, agents, turns                                                    int
	once, confirm                                                          bool

	taint                                                bool
	taintProvider, taintModel, taintBaseURL, taintKeyEnv string

	ignored map[string]bool // variables that were warned about
}

// New returns `umpire review`.
func New(by cli.Invoker) *cobra.Command {
	f, asJSON := reviewFlags{by: by, ignored: map[string]bool{}}, false
	c := &cobra.Command{
		Use:   "review [flags] TARGET",
		Short: "Review untrusted code with an isolated model",
		Long: `Review a directory, a file, a diff (- for standard input), a range of commits BASE..HEAD,
or a pull request (owner/repo#12 or its URL).

Umpire copies the code and never runs it. It checks for hidden text, text aimed at models, and
files that start programs when you open or build the tree. Then a model reads the copy in an
isolated process without secrets. An agent gets only closed values, such as type and severity;
` + "`umpire review show ID`" + ` has the texts.

Exit status: 0 complete and nothing at or above --fail-on, 1 findings at or above --fail-on,
3 review incomplete or failed, 4 required isolation missing, 64 usage error, 130 interrupted.`,
		Example: `  umpire review --engine none .
  git diff main | umpire review --engine none --base . -
  umpire review --format sarif --output review.sarif main..HEAD
  umpire review owner/repo#12`,
		Args: cobra.ArbitraryArgs, // any word may be a target, also one that looks like a command
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("pass one target; usage: %s", c.UseLine())
			}
			ctx, stop := cli.UntilEnded(c.Context())
			defer stop()
			context.AfterFunc(ctx, stop) // a second interrupt kills the process
			if asJSON {
				if c.Flags().Changed("format") && f.format != "json" {
					return cli.Usagef("--json and --format %s exclude each other", f.format)
				}
				f.format = "json"
			}
			err := f.run(ctx, c, args[0])
			var exit cli.ExitError
			switch {
			case err == nil || errors.As(err, &exit):
				return err
			case ctx.Err() != nil:
				fmt.Fprintln(c.ErrOrStderr(), "umpire: interrupted")
				return cli.ExitError(cli.ReviewInterrupted)
			case errors.Is(err, errFailed):
				fmt.Fprintf(c.ErrOrStderr(), "umpire: %s\n", visible.Block(err.Error()))
				return cli.ExitError(cli.ReviewIncomplete)
			}
			return cli.Usage(err)
		},
	}
	o := c.Flags()
	o.StringVar(&f.format, "format", "text", "text, json, sarif, markdown or github (workflow annotations)")
	o.BoolVar(&asJSON, "json", false, "print one JSON document")
	o.StringVar(&f.output, "output", "", "write the report to this file")
	o.StringArrayVar(&f.also, "also", nil, "write another report, as FORMAT=FILE")
	o.StringVar(&f.comment, "comment", "", "keep the report as a comment on this pull request, owner/repo#12")
	o.StringVar(&f.failOn, "fail-on", "high", "lowest severity for exit status 1: low, medium, high, critical or never")
	o.StringVar(&f.baseline, "baseline", "", "SARIF report of known findings, which do not count")
	o.StringVar(&f.merge, "merge", "", "SARIF report of another tool to include")
	o.StringVar(&f.base, "base", "", "directory that the diff applies to")
	o.IntVar(&f.findings, "max-findings", review.MaxFindings, "findings in the report at most")
	o.StringVar(&f.tokenEnv, "token-env", "GITHUB_TOKEN", "variable with a read-only token for pull requests (with --comment, also write)")
	o.BoolVar(&f.allowEmpty, "allow-empty", false, "accept a target without files or changes (default: exit status 64)")
	o.BoolVar(&f.closed, "closed", false, "print only closed values, as for an agent")
	f.engineFlags(c)
	c.AddCommand(NewShow(by))
	return c
}

// errFailed means that the review or its report failed, rather than its flags or its material.
var errFailed = errors.New("the review failed")

var pullTarget = lazy.Regexp(`^(?:https://[^/]+/[^/]+/[^/]+/pull/[0-9]+/?.*|[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+#[0-9]+)$`)

// run reviews the target: it checks the flags, starts the engine, copies the material, and
// writes the reports.
func (f *reviewFlags) run(ctx context.Context, c *cobra.Command, target string) (err error) {
	if err := cli.Requires(c, f.taint, "--taint-check", "taint-provider", "taint-model", "taint-base-url", "taint-api-key-env"); err != nil {
		return err
	}
	var ofModel []string
	f.ofModel.VisitAll(func(x *pflag.Flag) { ofModel = append(ofModel, x.Name) })
	if err := cli.Requires(c, f.engine != "none" || f.taint, "an --engine other than none", ofModel...); err != nil {
		return err
	}
	write, err := writer("--format", f.format)
	if err != nil {
		return err
	}
	others, err := f.others()
	if err != nil {
		return err
	}
	fails, err := f.threshold()
	if err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	say := func(string) {}
	if cli.OnTerminal(c.ErrOrStderr()) {
		say = func(s string) { fmt.Fprintf(c.ErrOrStderr(), "umpire review: %s\n", visible.Line(s)) }
	}
	if err := f.aim(c, target); err != nil {
		return err
	}
	engine, err := f.newEngine(c.ErrOrStderr(), say)
	if err != nil {
		return err
	}
	if f.taint {
		check, err := f.taintCheck(c.ErrOrStderr())
		if err != nil {
			return fmt.Errorf("--taint-check: %w", err)
		}
		defer check.Close()
		o.Taint = check
	}
	say("copying the material")
	s, err := f.freeze(ctx, c.InOrStdin(), target)
	if err != nil {
		if errors.As(err, new(syscall.Errno)) || pullTarget().MatchString(target) { // the command line is right
			err = fmt.Errorf("%w: %w", errFailed, err)
		}
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Empty() && !f.allowEmpty {
		return nothing(&s.Target)
	}
	say(fmt.Sprintf("checking %s", plural.Count(s.Target.Files, "file")))
	report, raw, err := review.Run(ctx, s, engine, o)
	if err != nil {
		if isolationMissing(err) {
			fmt.Fprintf(c.ErrOrStderr(), "umpire: %s\n", visible.Block(err.Error()))
			return cli.ExitError(cli.ReviewNoIsolation)
		}
		return fmt.Errorf("%w: %w", errFailed, err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	store(c.ErrOrStderr(), report, raw)
	if f.closed || f.by.Agent() != nil {
		report = report.Closed()
	}
	if err = f.writeAll(c.OutOrStdout(), report, write, others); err == nil {
		err = f.remark(ctx, report)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errFailed, err)
	}
	switch {
	case !report.Complete:
		return cli.ExitError(cli.ReviewIncomplete)
	case fails(report):
		return cli.ExitError(cli.ReviewFound)
	}
	return nil
}

func (f *reviewFlags) threshold() (func(*review.Report) bool, error) {
	if f.failOn == "never" {
		return func(*review.Report) bool { return false }, nil
	}
	least, err := finding.ParseSeverity(f.failOn)
	if err != nil {
		return nil, fmt.Errorf("--fail-on: %q: %w, never", f.failOn, err)
	}
	return func(r *review.Report) bool { return r.Fails(least) }, nil
}

// options reads the limit on findings, and the reports of --merge and --baseline.
func (f *reviewFlags) options() (o review.Options, err error) {
	if f.findings < 1 || f.findings > 5000 {
		return o, fmt.Errorf("--max-findings is %d: must be 1 to 5000", f.findings)
	}
	o.MaxFindings = f.findings
	if f.merge != "" {
		if o.Imported, err = readSARIF(f.merge); err != nil {
			return o, err
		}
	}
	if f.baseline != "" {
		known, err := readSARIF(f.baseline)
		if err != nil {
			return o, err
		}
		o.Known = sarif.NewBaseline(known)
	}
	return o, nil
}

// store keeps the review for `umpire review show`. If that fails, the report is still printed,
// so it only warns.
func store(stderr io.Writer, report *review.Report, raw review.Raw) {
	dir, err := audit.DefaultDir()
	if err == nil {
		err = kept.Open(filepath.Join(dir, "reviews")).Save(report, raw, time.Now())
	}
	if err != nil {
		fmt.Fprintf(stderr, "umpire: could not store the review, so `umpire review show` will not find it: %v\n", err)
	}
}

// writeAll writes the report to --output or out, and in the formats of --also.
func (f *reviewFlags) writeAll(out io.Writer, report *review.Report, write func(io.Writer, *review.Report) error, others []other) error {
	var b bytes.Buffer
	if err := write(&b, report); err != nil {
		return err
	}
	if err := writeReport(out, f.output, b.Bytes()); err != nil {
		return err
	}
	for _, o := range others {
		b.Reset()
		if err := o.write(&b, report); err != nil {
			return err
		}
		if err := writeReport(nil, o.file, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// other is a report in another format.
type other struct {
	file  string
	write func(io.Writer, *review.Report) error
}

// others parses --also, and checks --comment as far as possible before the review.
func (f *reviewFlags) others() ([]other, error) {
	var list []other
	for _, a := range f.also {
		name, file, ok := strings.Cut(a, "=")
		if !ok || file == "" {
			return nil, fmt.Errorf("--also: %q must be FORMAT=FILE", a)
		}
		write, err := writer("--also", name)
		if err != nil {
			return nil, err
		}
		list = append(list, other{file, write})
	}
	if f.comment == "" {
		return list, nil
	}
	if os.Getenv(f.tokenEnv) == "" {
		return nil, fmt.Errorf("--comment: no token in %s; set it, or name another variable with --token-env", visible.Clip(f.tokenEnv, 100))
	}
	if _, err := snapshot.ParsePull(f.comment, os.Getenv("GITHUB_API_URL")); err != nil {
		return nil, fmt.Errorf("--comment: %w", err)
	}
	return list, nil
}

// remark posts the comment.
func (f *reviewFlags) remark(ctx context.Context, r *review.Report) error {
	if f.comment == "" {
		return nil
	}
	var b bytes.Buffer
	if err := format.Markdown(&b, r); err != nil {
		return err
	}
	return comment.Put(ctx, f.comment, os.Getenv("GITHUB_API_URL"), os.Getenv(f.tokenEnv), b.String())
}

func writer(flag, name string) (func(io.Writer, *review.Report) error, error) {
	switch name {
	case "text":
		return format.Text, nil
	case "json":
		return func(w io.Writer, r *review.Report) error { return cli.PrintJSON(w, r) }, nil
	case "sarif":
		return func(w io.Writer, r *review.Report) error { return sarif.Write(w, r, version.String()) }, nil
	case "markdown":
		return format.Markdown, nil
	case "github":
		return format.GitHub, nil
	}
	return nil, fmt.Errorf("%s: %q; use text, json, sarif, markdown or github", flag, name)
}

// writeReport writes the report to its file or out. It replaces a file completely or not at all.
func writeReport(out io.Writer, file string, b []byte) error {
	if file == "" {
		_, err := out.Write(b)
		return err
	}
	if err := atomicfile.Write(file, b, 0o644); err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err // it names a file that another part does not list
		}
		return fmt.Errorf("write the report %s: %w", visible.Line(file), err)
	}
	return nil
}

// aim checks that the target and its flags fit, before anything starts.
func (f *reviewFlags) aim(c *cobra.Command, target string) error {
	info, err := os.Stat(target)
	diff := target == "-" || err == nil && info.Mode().IsRegular() && isDiff(target)
	switch {
	case !diff && f.base != "":
		return errors.New("--base requires a diff as the target")
	case target == "-", err == nil:
	case pullTarget().MatchString(target):
		if c.Flags().Changed("token-env") && os.Getenv(f.tokenEnv) == "" {
			return fmt.Errorf("--token-env: the variable %s is not set", visible.Clip(f.tokenEnv, 100))
		}
		_, err := snapshot.ParsePull(target, os.Getenv("GITHUB_API_URL"))
		return err
	case !snapshot.IsRange(target):
		next := "for the changes of a branch, pass BASE..BRANCH"
		c.SuggestionsMinimumDistance = 2
		if near := c.SuggestionsFor(target); len(near) > 0 {
			next = "did you mean umpire review " + near[0] + "?"
		}
		return fmt.Errorf("%s is not a directory, file, diff, range of commits or pull request; %s", visible.Clip(target, 200), next)
	}
	return nil
}

// freeze copies the target. An existing file or folder takes precedence, whatever its name looks
// like.
func (f *reviewFlags) freeze(ctx context.Context, in io.Reader, target string) (*snapshot.Snapshot, error) {
	if target == "-" {
		return snapshot.FromDiff(ctx, "", "-", in, f.base)
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.Mode().IsRegular() && isDiff(target):
		file, err := os.Open(target)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		return snapshot.FromDiff(ctx, "", target, file, f.base)
	case err == nil:
		return snapshot.FromPath(ctx, "", target)
	case pullTarget().MatchString(target):
		return snapshot.FromPull(ctx, "", target, os.Getenv("GITHUB_API_URL"), os.Getenv(f.tokenEnv))
	}
	return snapshot.FromRange(ctx, "", ".", target)
}

// nothing is the error for a target without anything to review. Its usual cause is a mistake, such as
// the ends of a range in the wrong order, and a review that passes would hide it.
func nothing(t *snapshot.Target) error {
	what := "the " + t.Kind + " " + visible.Clip(t.Name, 200) + " has no changes: "
	why := "check the order BASE..HEAD, or"
	switch t.Kind {
	case "diff":
		what, why = "the diff is empty: ", "the command before it may have failed; otherwise"
	case "directory":
		what, why = "the directory "+visible.Clip(t.Name, 200)+" has no files: ", "check the path, or"
	case "pull-request":
		what, why = "the pull request "+visible.Clip(t.Name, 200)+" has no changes: ", "check its number, or"
	}
	return errors.New(what + "there is nothing to review; " + why + " pass --allow-empty")
}

// isDiff reports whether a file is a diff, by its name or because git wrote it.
func isDiff(name string) bool {
	if ext := filepath.Ext(name); ext == ".diff" || ext == ".patch" {
		return true
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	const first = "diff --git "
	b := make([]byte, len(first))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == first
}

func readSARIF(name string) ([]finding.Reported, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	list, err := sarif.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", visible.Clip(name, 200), err)
	}
	return list, nil
}
