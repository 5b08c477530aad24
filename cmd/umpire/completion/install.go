package completion

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/visible"
)

// completionMark begins a script that umpire wrote. Umpire removes only those.
const completionMark = "# Written by `umpire completion install`; `umpire uninstall` removes it.\n"

// shellCompletion is a shell's script, and the path from which the shell loads it.
type shellCompletion struct {
	name  string
	print func(root *cobra.Command, w io.Writer) error
	path  func(home string) string // nil: the shell has no folder for scripts
}

// ShellCompletions returns the shells that umpire can complete for.
func ShellCompletions(plain *bool) []shellCompletion {
	return []shellCompletion{
		{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, !*plain) }, func(home string) string {
			return filepath.Join(folderOr("XDG_DATA_HOME", home, ".local", "share"), "bash-completion", "completions", "umpire")
		}},
		{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, !*plain) }, func(home string) string {
			return filepath.Join(folderOr("XDG_CONFIG_HOME", home, ".config"), "fish", "completions", "umpire.fish")
		}},
		{"powershell", func(root *cobra.Command, w io.Writer) error {
			if *plain {
				return root.GenPowerShellCompletion(w)
			}
			return root.GenPowerShellCompletionWithDesc(w)
		}, nil},
		{"zsh", func(root *cobra.Command, w io.Writer) error {
			if *plain {
				return root.GenZshCompletionNoDesc(w)
			}
			return root.GenZshCompletion(w)
		}, func(home string) string {
			return filepath.Join(folderOr("XDG_DATA_HOME", home, ".local", "share"), "zsh", "site-functions", "_umpire")
		}},
	}
}

// folderOr returns the folder in an environment variable, or else one below the home folder.
func folderOr(variable, home string, below ...string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) { // the XDG specification says to ignore a relative path
		return dir
	}
	return filepath.Join(append([]string{home}, below...)...)
}

func newCompletionInstall(shells []shellCompletion, by cli.Invoker) *cobra.Command {
	return &cobra.Command{
		Use:   "install [SHELL...]",
		Short: "Install the script for your shell, where the shell looks for it",
		Long: `Install the completion script of a shell in your home folder (default: for $SHELL).
` + "`umpire completion uninstall`" + ` and ` + "`umpire uninstall`" + ` remove it.`,
		RunE: func(c *cobra.Command, names []string) error {
			if err := by.Agent(); err != nil { // shells run the script, so an agent must not install one
				return err
			}
			if len(names) == 0 && os.Getenv("SHELL") == "" {
				return cli.Usagef("cannot tell your shell, because SHELL is not set: name bash, fish or zsh")
			}
			if len(names) == 0 {
				names = []string{strings.TrimSuffix(filepath.Base(os.Getenv("SHELL")), ".exe")}
			}
			home, err := os.UserHomeDir()
			if err != nil {
				return err
			}
			for _, name := range names {
				i := slices.IndexFunc(shells, func(s shellCompletion) bool { return s.name == name })
				if i < 0 || shells[i].path == nil {
					return cli.Usagef("cannot install a script for the shell %q: name bash, fish or zsh, or see `umpire completion --help`", name)
				}
				if err := installCompletion(c, shells[i], home); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func installCompletion(c *cobra.Command, s shellCompletion, home string) error {
	path := s.path(home)
	if old, err := os.ReadFile(path); err == nil && !isOurCompletion(old) {
		return fmt.Errorf("%s was not written by umpire: move it away first", path)
	}
	var b bytes.Buffer
	if err := s.print(c.Root(), &b); err != nil {
		return err
	}
	script := b.String()
	if first, rest, ok := strings.Cut(script, "\n"); ok && strings.HasPrefix(first, "#compdef") { // zsh requires that line first
		script = first + "\n" + completionMark + rest
	} else {
		script = completionMark + script
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := atomicfile.Write(path, []byte(script), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "wrote %s\n", visible.Line(path))
	if s.name == "zsh" {
		if rc, err := os.ReadFile(filepath.Join(folderOr("ZDOTDIR", home), ".zshrc")); err != nil || !bytes.Contains(rc, []byte("zsh/site-functions")) {
			fmt.Fprintf(c.OutOrStdout(), "Add this line to .zshrc, above the one with compinit:\n  fpath+=(%q)\n", visible.Line(filepath.Dir(path)))
		}
	}
	return nil
}

func isOurCompletion(script []byte) bool {
	return bytes.Contains(script[:min(len(script), 512)], []byte(completionMark))
}

func newCompletionUninstall(shells []shellCompletion) *cobra.Command {
	return &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the scripts that umpire installed",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			n, err := RemoveCompletions(c.OutOrStdout(), shells)
			if n == 0 && err == nil {
				fmt.Fprintln(c.OutOrStdout(), "umpire has installed no completion script")
			}
			return err
		},
	}
}

// RemoveCompletions removes the scripts that umpire wrote, and folders that become empty.
func RemoveCompletions(w io.Writer, shells []shellCompletion) (n int, err error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, s := range shells {
		if s.path == nil {
			continue
		}
		path := s.path(home)
		switch script, err := os.ReadFile(path); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			failed = append(failed, err)
			continue
		case !isOurCompletion(script):
			continue
		}
		if err := os.Remove(path); err != nil {
			failed = append(failed, err)
			continue
		}
		n++
		fmt.Fprintf(w, "removed %s\n", visible.Line(path))
		for dir := filepath.Dir(path); strings.HasPrefix(dir, home+string(filepath.Separator)) && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		}
	}
	return n, errors.Join(failed...)
}
