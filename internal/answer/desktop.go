package answer

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
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/terminal"
)

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
		return // closed or ignored
	}
	if answered, err := box.Answer(q, state, terminal.UserName(), ""); err == nil {
		_ = auditAnswer(dir, answered, "desktop") // the answer counts even without this; the hook's audit event names the person
	}
}

// dialog returns the program that asks on this desktop, and its arguments. Closing the window and
// an accidental Enter are not answers.
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

// Limits on the text of a window, in characters and in lines: its buttons must stay on the screen.
const (
	maxDialog      = 2000
	maxDialogLines = 30
)

// dialogText returns the text of a window, or "" if the question is too long for one: a person must
// not approve a call that they saw only in part.
func dialogText(q *question.Question) string {
	var b strings.Builder
	Show(&b, q)
	b.WriteString("\nApprove this call once?")
	text := strings.TrimSpace(b.String())
	if q.Cut > 0 || utf8.RuneCountInString(text) > maxDialog || strings.Count(text, "\n") >= maxDialogLines {
		return ""
	}
	return text
}
