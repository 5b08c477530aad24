// Package demo has `umpire demo`, which plays attacks in a temporary folder.
package demo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
)

// demoTime limits how long the demo's folder counts as a home. It leaves a person time to read.
const demoTime = time.Hour

// New returns `umpire demo`.
func New(by cli.Invoker) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch umpire stop, question and sandbox an agent",
		Long: `Play an agent's session in a temporary folder: umpire stops a destructive command, you
answer a question, and you review changes that the agent made in the sandbox.

Only the agent is a script. You need no account and no model, and your files stay untouched.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := by.Agent(); err != nil { // the folder counts as a home while the demo runs
				return err
			}
			ctx, stop := cli.UntilEnded(c.Context())
			defer stop()
			played := yes || !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd()))
			d, err := newDemoFolder(c.OutOrStdout(), played)
			if err != nil {
				return err
			}
			err = d.play(ctx)
			if ctx.Err() != nil {
				err = errors.New("interrupted")
			}
			return errors.Join(err, d.remove())
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "play through without asking")
	return c
}

// demo is one run of the demo. Its programs use only the demo's home.
type demo struct {
	out          io.Writer
	played       bool // no person answers: the demo answers for them, within its folder
	root, home   string
	shop         string // the agent's project
	umpire, hook string
	env          []string
	undo         func()
}

// The project's files. The agent should change the first, and deletes both.
const (
	demoHours     = "hours.txt"
	demoCustomers = "customers.txt"
)

func newDemoFolder(out io.Writer, played bool) (*demo, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	hook, err := install.HookPath()
	if err != nil {
		return nil, err
	}
	// Not in the temporary folder, which the policy treats differently.
	cache, err := os.UserCacheDir()
	if err == nil {
		err = os.MkdirAll(cache, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("make the demo's folder: %w", err)
	}
	root, err := os.MkdirTemp(cache, "umpire-demo-")
	if err != nil {
		return nil, fmt.Errorf("make the demo's folder: %w", err)
	}
	d := &demo{out: out, played: played, root: root, umpire: exe, hook: hook, undo: func() {}}
	if err := d.furnish(); err != nil {
		return nil, errors.Join(fmt.Errorf("make the demo's folder: %w", err), d.remove())
	}
	return d, nil
}

// furnish creates the home and the project.
func (d *demo) furnish() (err error) {
	if d.root, err = filepath.EvalSymlinks(d.root); err != nil {
		return err
	}
	d.home = filepath.Join(d.root, "home")
	d.shop = filepath.Join(d.home, "shop")
	if err := os.MkdirAll(d.shop, 0o700); err != nil {
		return err
	}
	for name, text := range map[string]string{
		demoHours:      "Open Monday to Friday.\n",
		demoCustomers:  "Ada\nGrace\n",
		"package.json": `{"name": "shop", "version": "1.0.0"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(d.shop, name), []byte(text), 0o644); err != nil { // with the permissions that an editor sets
			return err
		}
	}
	if d.undo, err = home.TrustDir(d.root, demoTime); err != nil { // otherwise umpire would use the user's home
		return err
	}
	d.env = []string{"HOME=" + d.home, "USERPROFILE=" + d.home}
	for _, name := range []string{"PATH", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "TMPDIR", "TEMP", "TMP", "SystemRoot", "ComSpec", "PATHEXT"} {
		if v, ok := os.LookupEnv(name); ok {
			d.env = append(d.env, name+"="+v)
		}
	}
	return nil
}

func (d *demo) remove() error {
	d.undo()
	if err := os.RemoveAll(d.root); err != nil {
		return fmt.Errorf("remove the demo's folder: %w", err)
	}
	return nil
}

// play runs the three scenes.
func (d *demo) play(ctx context.Context) error {
	fmt.Fprintf(d.out, "The agent in this demo is a script. The hook, the policy and the sandbox are real.\nThe demo removes its home folder, %s, at the end.\n", visible.Line(d.root))
	for _, scene := range []func(context.Context) error{d.stopped, d.asked, d.boxed} {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	fmt.Fprint(d.out, "\nNext: `umpire init` guards the agents on this machine. `umpire check COMMAND` explains any command.\n")
	return nil
}

// stopped shows a destructive command that umpire denies.
func (d *demo) stopped(ctx context.Context) error {
	fmt.Fprint(d.out, "\n1. The agent wants to delete your home folder.\n\n")
	answer, err := d.call(ctx, "rm -rf ~")
	if err != nil {
		return err
	}
	if answer.effect != umpire.Deny || answer.asked {
		return errors.New("the command was not stopped: the policy of this machine allows it; see `umpire policy show`")
	}
	fmt.Fprintln(d.out, "\nThe command did not run. The agent reads the reason, and what to do instead.")
	return d.pause(ctx)
}

// asked shows a question, and the answer to it.
func (d *demo) asked(ctx context.Context) error {
	const command = "npm publish"
	fmt.Fprint(d.out, "\n2. The agent wants to publish your package. A person decides that.\n\n")
	answer, err := d.call(ctx, command)
	if err != nil {
		return err
	}
	box := question.Open(filepath.Join(d.home, home.State, "questions"))
	open, err := box.List(question.Pending)
	if err != nil {
		return err
	}
	if !answer.asked || len(open) != 1 {
		return errors.New("no question was asked: the policy of this machine settles it; see `umpire policy show`")
	}
	fmt.Fprintf(d.out, "\n  $ umpire approve %s\n", open[0].ID)
	if d.played {
		if _, err := box.Answer(open[0], question.Approved, "the demo", ""); err != nil {
			return err
		}
		fmt.Fprintln(d.out, "  (The demo answers its own question. Yours wait for you.)")
	} else if err := d.person(ctx, "approve", open[0].ID); err != nil {
		var left *exec.ExitError
		if !errors.As(err, &left) || left.ExitCode() != cli.ExitAsk {
			return err
		}
	}
	fmt.Fprint(d.out, "\nThe agent makes the same call again.\n\n")
	if answer, err = d.call(ctx, command); err != nil {
		return err
	}
	if answer.effect == umpire.Allow {
		fmt.Fprintln(d.out, "\nThe approval counts for this one call, once. (The demo publishes nothing.)")
	} else {
		fmt.Fprintln(d.out, "\nWithout your approval the call stays stopped.")
	}
	return d.pause(ctx)
}

// boxed shows a destructive agent in the sandbox, and the review of its changes.
func (d *demo) boxed(ctx context.Context) error {
	fmt.Fprint(d.out, "\n3. The agent runs in a sandbox. It deletes everything there, then does its job.\n\n")
	if missing := d.lacks(ctx); missing != "" {
		fmt.Fprintf(d.out, "This machine cannot run the sandbox: %s.\nThe hook still guards your agents. `umpire doctor` lists what the sandbox needs.\n", strings.TrimSuffix(visible.Clip(missing, 300), "; see `umpire doctor`"))
		return ctx.Err()
	}
	listen, proxy, err := freeAddresses(ctx)
	if err != nil {
		return err
	}
	server := "http://" + listen
	stop, err := gatewayclient.Start(ctx, gatewayclient.Process{Server: server, Log: filepath.Join(d.root, "gateway.log"), Args: []string{"--root", d.shop, "--listen", listen, "--proxy", proxy}, Env: d.env})
	if err != nil {
		return err
	}
	defer stop()
	script := "rm -rf ~; echo 'Open Monday to Saturday.' > " + demoHours
	fmt.Fprintf(d.out, "  $ umpire run -- sh -c \"%s\"\n", script)
	if err := d.show(ctx, "run", "--profile", "none", "--server", server, "--proxy", proxy, "--", "sh", "-c", script); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(d.shop, demoCustomers))
	if err != nil {
		return fmt.Errorf("the sandbox did not hold: %w", err)
	}
	fmt.Fprintf(d.out, "\nOutside, %s still has its %s. The agent's changes wait for your review.\n\n  $ umpire changes\n", demoCustomers, plural.Count(bytes.Count(text, []byte("\n")), "line"))
	if err := d.show(ctx, "changes"); err != nil {
		return err
	}
	if d.played {
		for _, args := range [][]string{{"changes", "apply", demoHours}, {"changes", "discard"}} {
			fmt.Fprintln(d.out, "\n  $ umpire", strings.Join(args, " "))
			if err := d.show(ctx, args...); err != nil {
				return err
			}
		}
	} else {
		fmt.Fprint(d.out, "\n  $ umpire changes review\n")
		if err := d.person(ctx, "changes", "review"); err != nil {
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				return err
			}
		}
	}
	hours, err := os.ReadFile(filepath.Join(d.shop, demoHours))
	if err != nil {
		return err
	}
	fmt.Fprintf(d.out, "\n%s is now: %s\n", demoHours, visible.Clip(strings.TrimSpace(string(hours)), 80))
	return nil
}

// lacks returns the first sandbox layer that this machine lacks, or "".
func (d *demo) lacks(ctx context.Context) string {
	list, err := sandbox.Layers(ctx, d.root)
	if err != nil {
		return err.Error()
	}
	for _, l := range list {
		if !l.OK {
			return l.Name + ": " + l.Text
		}
	}
	return ""
}

// freeAddresses returns two unused loopback addresses, so that the demo does not meet a gateway
// of the user.
func freeAddresses(ctx context.Context) (a, b string, err error) {
	var config net.ListenConfig
	var found [2]string
	for i := range found {
		l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return "", "", err
		}
		defer func() { _ = l.Close() }() // only the address is needed
		found[i] = l.Addr().String()
	}
	return found[0], found[1], nil
}

// hookAnswer is the hook's response to a call.
type hookAnswer struct {
	effect umpire.Effect
	asked  bool // whether a person can still allow the call
}

// call makes an agent ask its hook about a shell command, and shows both.
func (d *demo) call(ctx context.Context, command string) (hookAnswer, error) {
	payload, err := json.Marshal(map[string]any{
		"session_id": "demo", "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": d.shop,
		"permission_mode": "default", "tool_input": map[string]string{"command": command},
	})
	if err != nil {
		return hookAnswer{}, err
	}
	c := d.command(ctx, d.hook, "codex") // an agent that cannot ask its user, so umpire stores the questions
	c.Stdin = bytes.NewReader(payload)
	said, err := c.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != cli.ExitDeny) {
		return hookAnswer{}, fmt.Errorf("run umpire-hook: %w", err)
	}
	var doc struct {
		Output struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if len(bytes.TrimSpace(said)) > 0 {
		if err := json.Unmarshal(said, &doc); err != nil {
			return hookAnswer{}, fmt.Errorf("read the answer of umpire-hook: %w", err)
		}
	}
	a := hookAnswer{effect: umpire.Allow, asked: strings.HasPrefix(doc.Output.Reason, "umpire asks")}
	if doc.Output.Decision != "" {
		a.effect = cli.Effect(doc.Output.Decision)
	}
	reason := cmp.Or(doc.Output.Reason, "umpire says nothing: the call may run.")
	fmt.Fprintf(d.out, "  agent   %s\n  hook    %s\n", command, strings.ReplaceAll(wrapped(reason), "\n", "\n          "))
	return a, nil
}

func (d *demo) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Env = d.shop, slices.Clone(d.env)
	if runtime.GOOS != "windows" {
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) } // on an interrupt, umpire cleans up
	}
	c.WaitDelay = 10 * time.Second
	return c
}

// show runs umpire and prints its output.
func (d *demo) show(ctx context.Context, args ...string) error {
	said, err := d.command(ctx, d.umpire, args...).CombinedOutput()
	for line := range strings.Lines(string(said)) {
		fmt.Fprintf(d.out, "    %s\n", visible.Line(strings.TrimRight(line, "\r\n")))
	}
	if err != nil {
		return fmt.Errorf("umpire %s: %w", args[0], err)
	}
	return nil
}

// person runs umpire at the person's terminal.
func (d *demo) person(ctx context.Context, args ...string) error {
	c := d.command(ctx, d.umpire, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	return c.Run()
}

// pause waits for the person to read. It reads standard input only up to the end of the line,
// because the programs of the next scene read on.
func (d *demo) pause(ctx context.Context) error {
	if d.played {
		return ctx.Err()
	}
	fmt.Fprint(d.out, "\nPress Enter to continue. ")
	read := make(chan error, 1)
	go func() {
		for b := []byte{0}; b[0] != '\n'; {
			if _, err := os.Stdin.Read(b); err != nil {
				read <- fmt.Errorf("read the terminal: %w", err)
				return
			}
		}
		read <- nil
	}()
	select {
	case err := <-read:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wrapped breaks a text into lines of 70 cells, at spaces only: the ID of a rule stays whole.
func wrapped(text string) string {
	const dash = "\ufdd0" // a noncharacter, which no visible text has
	return strings.ReplaceAll(ansi.Wordwrap(strings.ReplaceAll(visible.Line(text), "-", dash), 70, ""), dash, "-")
}
