// Package exec has `umpire exec` and `umpire shims`.
package exec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/shim"
	"github.com/umpire-dev/umpire/internal/visible"
)

// New returns `umpire exec`.
func New() *cobra.Command {
	var client, dir, text string
	c := &cobra.Command{
		Use:   "exec [flags] -- COMMAND [ARG...]",
		Short: "Decide on a command, then run it",
		Long: `Decide on a command as the hook would, then run it: for agents without hooks.

If umpire denies the command, the exit status is 126. A question appears at your terminal;
without one, or below an agent, it waits for umpire approve, and the same command then runs once.

As umpire-sh, it is a shell for agents (SHELL=umpire-sh) that takes -c TEXT and script files and
runs them in $` + shim.EnvShell + `, bash or sh.`,
		Example: `  umpire exec --client aider -- git push
  umpire exec -c 'make test | tail'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, argv []string) error {
			switch {
			case text != "" && len(argv) > 0:
				return cli.Usagef("use -c TEXT or -- COMMAND, not both")
			case text == "" && len(argv) == 0:
				return cli.Usagef("nothing to run: put the command after --; see umpire exec --help")
			case text == "" && c.ArgsLenAtDash() != 0:
				return cli.Usagef("put -- before the command: umpire exec -- %s", visible.Clip(strings.Join(argv, " "), 60))
			}
			if dir != "" {
				if at, err := cli.Folder(dir); err != nil {
					return err
				} else if err := os.Chdir(at.Dir); err != nil {
					return err
				}
			}
			if client != "" {
				if err := os.Setenv(shim.EnvClient, client); err != nil {
					return err
				}
			}
			var prog string
			if text != "" {
				var err error
				if prog, err = shim.Shell(); err != nil {
					return err
				}
				argv = []string{filepath.Base(prog), "-c", text}
			} else {
				var err error
				if prog, err = exec.LookPath(argv[0]); err != nil {
					return cli.ExitError(shim.NotRun(c.ErrOrStderr(), argv[0], err))
				}
			}
			return cli.ExitError(shim.Exec(prog, argv, shim.Environment(text != "")))
		},
	}
	f := c.Flags()
	f.SetInterspersed(false)
	f.StringVar(&client, "client", "", "name of the coding agent, for rules (default exec)")
	f.StringVarP(&dir, "dir", "C", "", "run in this folder")
	f.StringVarP(&text, "command", "c", "", "run this text in a shell")
	return c
}

// shimmed lists the programs that `umpire shims` links by default.
var shimmed = strings.Fields(`rm mv cp ln dd shred truncate chmod chown rsync find tar git gh curl wget ssh scp sftp nc
	docker podman kubectl helm terraform aws gcloud az npm npx pnpm yarn pip pip3 uv uvx cargo go make
	psql mysql sqlite3 mongosh redis-cli systemctl kill pkill killall crontab python python3 node perl ruby`)

// NewShims returns `umpire shims`.
func NewShims() *cobra.Command {
	return &cobra.Command{
		Use:   "shims DIR [PROGRAM...]",
		Short: "Create links that check programs before they run",
		Long: `Create links to umpire in a folder, named after programs. Put the folder first in an agent's
PATH, so that umpire checks these programs before they run, unless they are called by path.`,
		Example: `  umpire shims ~/.local/share/umpire/shims
  PATH=~/.local/share/umpire/shims:$PATH aider`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			programs := args[1:]
			if len(programs) == 0 {
				programs = append(slices.Clone(shimmed), "umpire-sh")
			}
			self, err := os.Executable()
			if err == nil {
				self, err = filepath.EvalSymlinks(self)
			}
			if err != nil {
				return err
			}
			for _, name := range programs {
				if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "umpire") && name != "umpire-sh" {
					return cli.Usagef("%q cannot be the name of a shim", name)
				}
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			made := 0
			for _, name := range programs {
				path := filepath.Join(dir, name)
				switch to, err := os.Readlink(path); {
				case err == nil && to == self:
					continue
				case err == nil && filepath.Base(to) == filepath.Base(self): // made by an older umpire
					if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
						return err
					}
				case !errors.Is(err, fs.ErrNotExist):
					return fmt.Errorf("%s exists and is not a shim: choose another folder", visible.Line(path))
				}
				err := os.Symlink(self, path)
				if to, e := os.Readlink(path); errors.Is(err, fs.ErrExist) && e == nil && to == self {
					continue // another umpire created it in the meantime
				}
				if err != nil {
					return err
				}
				made++
			}
			fmt.Fprintf(c.OutOrStdout(), "%s created, %d already there\nPATH=%s:$PATH\n", plural.Count(made, "link"), len(programs)-made, visible.Line(cli.Quote(dir)))
			return nil
		},
	}
}
