// Package describe has `umpire describe`, which drafts the description of a program.
package describe

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/describe"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/prune"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// Limits on a program while it prints its help.
const (
	helpTime   = 20 * time.Second // for all of its commands
	helpMemory = 1 << 30
	helpTasks  = 256
	helpTexts  = 40 // number of commands whose help is read
)

// A killed process leaves its folder behind. The next run removes it.
const (
	tempPrefix = "umpire-describe-"
	leftAfter  = time.Hour // longer than any run
)

// New returns `umpire describe`.
func New() *cobra.Command {
	var from []string
	cmd := &cobra.Command{
		Use:   "describe PROGRAM",
		Short: "Draft the description of a program for your policy",
		Long: `Draft the description of a program, so that rules can match what it does.

Umpire runs PROGRAM --help, and that of each command, in a sandbox without network, or reads a
help text, a manual page, or completions for fish (--from). Edit the marked guesses, put the draft
into ~/.config/umpire/policy.yaml, and run umpire policy check and umpire policy test.`,
		Example: "  umpire describe acmectl > acmectl.yaml\n  acmectl --help | umpire describe acmectl --from -\n  umpire describe acmectl --from /usr/share/man/man1/acmectl.1.gz",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := filepath.Base(args[0])
			if !describe.Known(name) {
				return cli.Usagef("%q is not the name of a program", name)
			}
			var d *describe.Draft
			var err error
			if len(from) > 0 {
				d, err = describeFiles(cmd.InOrStdin(), name, from)
			} else {
				ctx, stop := cli.UntilEnded(cmd.Context())
				d, err = describeBoxed(ctx, args[0], name)
				stop()
			}
			if err != nil {
				return err
			}
			if len(d.Options)+len(d.Operands)+len(d.Commands) == 0 {
				return fmt.Errorf("found no option, operand or command of %s: pass its manual page or completions with --from", name)
			}
			if err := d.Write(cmd.OutOrStdout()); err != nil {
				return err
			}
			if command.Lookup(name) != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "umpire already describes %s; your description adds to it\n", name)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s and %s; edit the draft, then run umpire policy test FILE\n", plural.Count(len(d.Options), "option"), plural.Count(len(d.Commands), "command"))
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&from, "from", nil, "read this `FILE` instead of running the program; - is standard input")
	return cmd
}

// describeFiles drafts a description from existing help texts.
func describeFiles(stdin io.Reader, name string, files []string) (*describe.Draft, error) {
	var all bytes.Buffer
	for _, file := range files {
		in := stdin
		if file != "-" {
			f, err := os.Open(file)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			in = f
		}
		if strings.HasSuffix(file, ".gz") {
			z, err := gzip.NewReader(in)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			in = z
		}
		if _, err := io.Copy(&all, io.LimitReader(in, describe.MaxText)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all.WriteByte('\n')
	}
	return describe.From(name, all.String()), nil
}

// describeBoxed drafts a description from the program's output in a sandbox.
func describeBoxed(ctx context.Context, program, name string) (*describe.Draft, error) {
	prune.Temporary(tempPrefix, leftAfter)
	ctx, cancel := context.WithTimeout(ctx, helpTime)
	defer cancel()
	text, err := boxedHelp(ctx, program)
	if err != nil {
		return nil, err
	}
	d := describe.From(name, text)
	for i, c := range d.Commands {
		if i == helpTexts || ctx.Err() != nil {
			break
		}
		if text, err := boxedHelp(ctx, program, c.Name); err == nil {
			d.Command(c.Name, text)
		}
	}
	return d, nil
}

// boxedHelp runs a program with --help in a sandbox that contains none of the user's files.
func boxedHelp(ctx context.Context, program string, command ...string) (text string, err error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	work, state := filepath.Join(dir, "work"), filepath.Join(dir, "state")
	if err := errors.Join(os.Mkdir(work, 0o700), os.Mkdir(state, 0o700)); err != nil {
		return "", err
	}
	at, err := project.At("")
	if err != nil {
		return "", err
	}
	path, needed, err := sandbox.Needed(program, at.Home)
	if err != nil {
		return "", fmt.Errorf("cannot find the program: %w", err)
	}
	out := &bounded.Buffer{Most: describe.MaxText}
	_, err = sandbox.Run(ctx, sandbox.Config{
		Dir: work, State: state, Home: at.Home, ReadOnly: needed, Args: append(append([]string{path}, command...), "--help"),
		Env:   []string{"HOME=" + at.Home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1", "COLUMNS=200", "PAGER=cat", "LC_ALL=C"},
		Tasks: helpTasks, Limits: sandbox.Limits{Memory: helpMemory, Disk: helpMemory, CPU: helpTime, Wall: helpTime},
		Stdout: out, Stderr: out,
	})
	if err != nil {
		return "", fmt.Errorf("run %s --help in the sandbox: %w; save its help into a file, and use --from FILE", program, err)
	}
	return out.String(), nil
}
