// Package shim runs a command after umpire allowed it, for `umpire exec`, umpire-sh and shims.
// Commands and environment come from an agent: variables that would run other code are removed
// or judged with the command.
package shim

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/slowpath"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Exit statuses for a command that did not run, as in shells.
const (
	ExitNotRun   = 126
	ExitNotFound = 127
)

// Variables of umpire exec, umpire-sh and the shims.
const (
	EnvClient  = "UMPIRE_CLIENT"  // name of the agent
	envSession = "UMPIRE_SESSION" // its session
	EnvShell   = "UMPIRE_SHELL"   // the shell behind umpire-sh
	envShim    = "UMPIRE_SHIM"    // the process of a shim, and its name
)

// Alias runs the program under another name than umpire: as a shell, or as the shim of the program
// of that name. It returns false if the name is umpire.
func Alias(args []string) (status int, ok bool) {
	if len(args) == 0 {
		return 0, false
	}
	name := strings.TrimPrefix(filepath.Base(args[0]), "-") // the name of a login shell begins with "-"
	name = strings.TrimSuffix(name, ".exe")
	switch {
	case name == "umpire-sh":
		return asShell(args[1:]), true
	case strings.HasPrefix(name, "umpire"):
		return 0, false
	}
	// A shim is a link. A renamed copy is the program itself.
	if exe, err := os.Executable(); err == nil && runtime.GOOS == "linux" && strings.TrimSuffix(filepath.Base(exe), " (deleted)") == name {
		return 0, false
	}
	return asShim(name, args), true
}

// asShell judges the text for a shell, then runs it in a real one.
func asShell(args []string) int {
	if _, err := ShellArgs(args); err != nil {
		fmt.Fprintf(os.Stderr, "umpire-sh: %v\n", err)
		return ExitNotRun
	}
	prog, err := Shell()
	if err != nil {
		fmt.Fprintf(os.Stderr, "umpire-sh: %v\n", err)
		return ExitNotFound
	}
	return Exec(prog, append([]string{filepath.Base(prog)}, args...), Environment(true))
}

var errOpenShell = errors.New("refusing to open an interactive shell, because umpire cannot check what is typed there; use -c TEXT or a script")

// ShellArgs parses a shell's arguments: -c with a text, which it returns, or the name of a script,
// after the options that sh and bash share. It returns false for other forms.
func ShellArgs(args []string) (text string, err error) {
	command := false
	for len(args) > 0 {
		a := args[0]
		if a == "--" || a == "-" {
			args = args[1:]
			break
		}
		if len(a) < 2 || a[0] != '-' && a[0] != '+' {
			break
		}
		args = args[1:]
		switch a {
		case "--login", "--norc", "--noprofile", "--posix", "--noediting", "--restricted", "--verbose":
			continue
		}
		for _, o := range a[1:] {
			switch {
			case o == 'c' && a[0] == '-':
				command = true
			case o == 's' && a[0] == '-':
				return "", errOpenShell
			case o == 'o' || o == 'O':
				if len(args) == 0 {
					return "", fmt.Errorf("option %s requires a name", visible.Line(a))
				}
				args = args[1:]
			case !strings.ContainsRune("abefhiklmnprtuvxBCEHPT", o):
				return "", fmt.Errorf("unknown option %s: umpire cannot tell what it would run", visible.Clip(a, 60))
			}
		}
	}
	switch {
	case len(args) == 0 && command:
		return "", errors.New("-c requires a text")
	case len(args) == 0:
		return "", errOpenShell
	case command:
		return args[0], nil
	}
	return "", nil
}

// asShim judges a program's call, then runs the program that the shim hides.
func asShim(name string, args []string) int {
	mark := strconv.Itoa(os.Getpid()) + ":" + name
	if os.Getenv(envShim) == mark { // this process was a shim before: two installations hide each other
		fmt.Fprintf(os.Stderr, "umpire: the %s in PATH is a shim that leads back to umpire\n", visible.Line(name))
		return ExitNotFound
	}
	prog, err := behind(name)
	if err != nil {
		fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
		return ExitNotFound
	}
	env := slices.DeleteFunc(Environment(false), func(kv string) bool { return strings.HasPrefix(kv, envShim+"=") })
	if strings.HasPrefix(name, "python") {
		name = prog // the shell would search PATH and find the shim
	}
	return Exec(prog, append([]string{name}, args[1:]...), append(env, envShim+"="+mark))
}

// behind finds the program of a name in PATH that is not a shim.
func behind(name string) (string, error) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // relative to another folder elsewhere
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 || isUmpire(path) {
			continue
		}
		return path, nil
	}
	return "", fmt.Errorf("%s: not found in PATH, apart from umpire's shim", visible.Line(name))
}

// isUmpire reports whether a path leads to this program, or to another umpire.
func isUmpire(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil && strings.TrimSuffix(filepath.Base(real), ".exe") == "umpire" {
		return true
	}
	self, err := os.Executable()
	if err != nil {
		return false
	}
	a, err := os.Stat(self)
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// Exec decides on a command with its variables and, if allowed, replaces this process by it. It
// returns the exit status of a command that did not run.
func Exec(prog string, argv, env []string) int {
	said := withVariables(argv, env)
	reply, a, seen, err := Decide(said, nil)
	if err != nil {
		fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
		return ExitNotRun
	}
	if reply.Effect != umpire.Allow && answeredHere(a) {
		// Decide again after the answer: files may have changed meanwhile.
		if reply, _, seen, err = Decide(said, nil); err != nil {
			fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
			return ExitNotRun
		}
	}
	if reply.Effect != umpire.Allow {
		fmt.Fprintln(os.Stderr, reply.Reason)
		return ExitNotRun
	}
	if err := seen.Hold(); err != nil {
		fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
		return ExitNotRun
	}
	return become(prog, argv, env)
}

// Decide decides on an argument vector like the hook, and records the decision. Seen holds the
// files that the decision depends on.
func Decide(argv []string, getenv func(string) string) (platform.Reply, *umpire.Action, *disk.Seen, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	a, err := ActionOf(argv, getenv)
	if err != nil {
		return platform.Reply{}, nil, nil, err
	}
	payload, err := json.Marshal(a)
	if err != nil {
		return platform.Reply{}, nil, nil, err
	}
	var reply platform.Reply // denies
	client := &platform.Client{
		Name: a.Principal.Platform, Title: "umpire exec", Asks: platform.Never,
		Decode: func([]byte) (platform.Event, error) {
			return platform.Event{Name: "exec", Kind: platform.Call, Action: *a}, nil
		},
		Encode: func(e *platform.Event, r platform.Reply) platform.HookOutput {
			reply = r
			a.Files = e.Action.Files // a question about it is bound to these files
			return platform.HookOutput{}
		},
	}
	h := slowpath.Complete(hook.NewFor(a.Principal.Platform, client))
	h.Wait = func(ctx context.Context, c *hook.Call, q question.Question) (question.Question, bool) {
		if t, err := terminal.Open(); err == nil { // if a person is here, do not wait for another
			return q, t.Close() != nil
		}
		return answer.Wait(ctx, c, q)
	}
	h.Disk = disk.New(a.Home, a.Workspace, a.Temp)
	answer := h.Answer(strings.NewReader(string(payload)), hook.RulesTime)
	fmt.Fprint(os.Stderr, answer.Stderr) // report programs that run without a complete check
	return reply, a, disk.See(h.Disk, 0, nil), nil
}

// ActionOf returns the action of running an argument vector.
func ActionOf(argv []string, getenv func(string) string) (*umpire.Action, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("the folder that you are in cannot be used: %w; change to another one and try again", err)
	}
	var in any = map[string][]string{"command": argv}
	if len(argv) == 1 { // a single word would be read as shell text
		word, err := syntax.Quote(argv[0], syntax.LangBash)
		if err != nil {
			return nil, err
		}
		in = map[string]string{"command": word}
	}
	input, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	client := cmp.Or(getenv(EnvClient), "exec")
	a := &umpire.Action{Principal: umpire.Principal{Platform: client, Session: getenv(envSession)}, Tool: "Bash", Input: input, Dir: dir}
	platform.Complete(a, "", getenv)
	return a, nil
}

// answeredHere asks the person at the terminal, if there is one, about a call that left a
// question, and reports whether they approved it.
func answeredHere(a *umpire.Action) bool {
	box, dir, err := answer.Questions()
	if err != nil {
		return false
	}
	q, err := box.Find(question.ID(a))
	if err != nil || q.State != question.Pending || q.Digest != question.Digest(a) {
		return false // denied by a rule, or by a person
	}
	t, err := terminal.Open()
	if err != nil {
		return false
	}
	defer func() { _ = t.Close() }()
	_, err = answer.Approve(t, box, dir, q)
	return err == nil
}

// become replaces this process by another program, so that signals and the exit status are the
// program's.
func become(prog string, argv, env []string) int {
	prog, err := filepath.Abs(prog)
	if err == nil && runtime.GOOS != "windows" {
		err = syscall.Exec(prog, argv, env)
	} else if err == nil {
		cmd := exec.CommandContext(context.Background(), prog) // without a time limit
		cmd.Args, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = argv, env, os.Stdin, os.Stdout, os.Stderr
		err = cmd.Run()
		var exit *exec.ExitError
		if err == nil || errors.As(err, &exit) {
			return cmd.ProcessState.ExitCode()
		}
	}
	return NotRun(os.Stderr, prog, err)
}

// NotRun explains why a program did not start. The status is a shell's.
func NotRun(w io.Writer, program string, err error) int {
	status := ExitNotRun
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		status = ExitNotFound
	}
	var found *exec.Error
	if errors.As(err, &found) {
		err = found.Err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	} else if errors.Is(err, syscall.ENOENT) { // the file itself exists
		err = fmt.Errorf("%w: check the interpreter in its first line", err)
	}
	fmt.Fprintf(w, "umpire: %s: %s\n", visible.Clip(program, 200), visible.Line(err.Error()))
	return status
}
