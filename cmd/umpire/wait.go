package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/policy"
)

// How long a hook waits for a person. It must answer before the client's own patience ends.
const (
	defaultWait = 45 * time.Second
	margin      = 5 * time.Second
	maxWait     = hook.SlowTime - margin
)

// waitForPerson waits until a question is answered, by a command, in a watch or in a
// window on the desktop. Without an answer the call is denied, and the question stays.
func waitForPerson(ctx context.Context, c *hook.Call, q question.Question) (question.Question, bool) {
	a := &c.Event.Action
	var settings policyfile.Approval
	if loaded, err := project.OwnSettings(a.Home, a.Workspace); err == nil {
		settings = loaded.Approval
	}
	return wait(ctx, q, settings, func(ctx context.Context, box question.Box, dir string) error {
		err := askGateway(ctx, box, dir, settings.Gateway, a, q)
		if err != nil {
			c.Failure = strings.TrimPrefix(c.Failure+"; gateway: "+err.Error(), "; ")
		}
		return err
	})
}

// wait waits for whichever answer comes first. ask puts the question to the gateway, where
// there is one, and returns when that answered or cannot.
func wait(ctx context.Context, q question.Question, settings policyfile.Approval, ask func(context.Context, question.Box, string) error) (question.Question, bool) {
	box, dir, err := questions()
	if err != nil {
		return q, false
	}
	limit := settings.Wait
	if limit <= 0 {
		limit = defaultWait
	}
	limit = min(limit, maxWait)
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-margin)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var asked sync.WaitGroup
	if settings.Desktop {
		asked.Go(func() { askOnDesktop(ctx, box, dir, q, limit) })
	}
	if settings.Gateway != nil && ask != nil {
		asked.Go(func() {
			// Who waits for the gateway alone does not wait for one that is away.
			if err := ask(ctx, box, dir); err != nil && settings.CannotAsk != policy.AskWait && !settings.Desktop {
				cancel()
			}
		})
	}
	got, ok := box.Wait(q, ctx.Done())
	cancel() // closes the window, and takes the question back
	asked.Wait()
	return got, ok
}

// askOnDesktop shows a question in a window, if there is a desktop and a program for it.
func askOnDesktop(ctx context.Context, box question.Box, dir string, q question.Question, limit time.Duration) {
	prog, args := dialog(&q, limit, os.Getenv, exec.LookPath)
	if prog == "" {
		return
	}
	cmd := exec.CommandContext(ctx, prog, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	var exit *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		return
	}
	said := strings.TrimSpace(string(out))
	state := question.State("")
	switch code := cmd.ProcessState.ExitCode(); filepath.Base(prog) {
	case "zenity":
		switch {
		case code == 0:
			state = question.Approved
		case code == 1 && said == "Deny":
			state = question.Denied
		}
	case "kdialog":
		switch code {
		case 0:
			state = question.Approved
		case 1:
			state = question.Denied
		}
	case "osascript":
		switch {
		case code == 0 && said == "Allow once":
			state = question.Approved
		case code == 0 && said == "Deny":
			state = question.Denied
		}
	}
	if state == "" {
		return // closed, or left open
	}
	if answered, err := box.Answer(q, state, cli.UserName(), ""); err == nil {
		_ = auditAnswer(dir, answered, "desktop") // the answer stands; the hook's own line names who gave it
	}
}

// dialog tells which program asks on this desktop, and how. To close the window, and what
// a stray Enter chooses, is no answer.
func dialog(q *question.Question, limit time.Duration, getenv func(string) string, find func(string) (string, error)) (prog string, args []string) {
	text := dialogText(q)
	if text == "" {
		return "", nil
	}
	seconds := fmt.Sprint(int(limit.Seconds()))
	look := func(name string) bool {
		p, err := find(name)
		if err != nil || !filepath.IsAbs(p) {
			return false
		}
		prog = p
		return true
	}
	if runtime.GOOS == "darwin" {
		if !look("osascript") {
			return "", nil
		}
		return prog, []string{
			"-e", "on run argv",
			"-e", `button returned of (display dialog (item 1 of argv) with title "umpire" buttons {"Deny", "Leave open", "Allow once"} default button "Leave open" giving up after ` + seconds + `)`,
			"-e", "end run", text,
		}
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return "", nil
	}
	switch {
	case look("zenity"):
		return prog, []string{
			"--question", "--no-markup", "--title=umpire", "--text=" + text, "--ok-label=Allow once", "--cancel-label=Leave open",
			"--extra-button=Deny", "--default-cancel", "--timeout=" + seconds,
		}
	case look("kdialog"):
		rich := "<qt>" + strings.ReplaceAll(html.EscapeString(text), "\n", "<br>") + "</qt>"
		return prog, []string{
			"--title", "umpire", "--yes-label", "Allow once", "--no-label", "Deny", "--cancel-label", "Leave open",
			"--warningyesnocancel", rich,
		}
	}
	return "", nil
}

// maxDialog bounds the text of a window, in characters and in lines: its buttons must
// stay on the screen.
const (
	maxDialog      = 2000
	maxDialogLines = 30
)

// dialogText is what a window says, or "" if not all of the question has room in one:
// nobody is to allow what they were not shown.
func dialogText(q *question.Question) string {
	var b strings.Builder
	showQuestion(&b, q)
	b.WriteString("\nApprove this call once?")
	text := strings.TrimSpace(b.String())
	if q.Cut > 0 || utf8.RuneCountInString(text) > maxDialog || strings.Count(text, "\n") >= maxDialogLines {
		return ""
	}
	return text
}
