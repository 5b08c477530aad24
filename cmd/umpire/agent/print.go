package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/tui"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Exit statuses of the agent without a screen.
const (
	ExitStopped     = 3
	ExitLimit       = 4
	ExitInterrupted = 130
)

// maxPiped is the limit for standard input, in bytes.
const maxPiped = 10 << 20

// RunReport is the document that `--output json` prints.
type RunReport struct {
	Result    string         `json:"result"`
	IsError   bool           `json:"is_error"`
	Error     string         `json:"error,omitempty"`
	Usage     agent.Usage    `json:"usage"`
	Cost      float64        `json:"cost"`
	Turns     int            `json:"turns"`
	SessionID string         `json:"session_id"`
	Denials   []agent.Denial `json:"denials"`

	fault  string // error of the model's server, if it ended the answer
	called bool   // whether a call followed the text in Result
}

// began is the first line of `--output stream-json`.
type began struct {
	Type      string   `json:"type"`
	SessionID string   `json:"session_id"`
	Model     string   `json:"model"`
	Cwd       string   `json:"cwd"`
	Tools     []string `json:"tools"`
}

// runPrint runs without a screen. With a JSON format, errors before the start are JSON, too.
func (f *flags) runPrint(cmd *cobra.Command) error {
	begun := false
	err := f.printRun(cmd, &begun)
	var exit cli.ExitError
	if err == nil || begun || f.output == "text" || errors.As(err, &exit) {
		return err
	}
	var v any = RunReport{IsError: true, Error: err.Error(), Denials: []agent.Denial{}}
	if f.output == "stream-json" {
		v = map[string]any{"type": "error", "error": err.Error()}
	}
	b, e := json.Marshal(v)
	if e == nil {
		_, e = cmd.OutOrStdout().Write(append(visible.JSON(b), '\n'))
	}
	return errors.Join(err, e)
}

// Piped reads standard input until ctx ends. Some programs leave a child's standard input open and
// write nothing. So Piped calls tell if it still waits after patience.
func Piped(ctx context.Context, in io.Reader, patience time.Duration, tell func(string)) ([]byte, error) {
	type got struct {
		b   []byte
		err error
	}
	read := make(chan got, 1)
	go func() { // a read cannot be cancelled: it ends with the input or the process
		b, err := io.ReadAll(io.LimitReader(in, maxPiped+1))
		read <- got{b, err}
	}()
	late := time.After(patience)
	for {
		select {
		case g := <-read:
			return g.b, g.err
		case <-late:
			tell("reading standard input, which is added to the message; to skip it, add </dev/null")
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// printRun sets begun before it prints anything.
func (f *flags) printRun(cmd *cobra.Command, begun *bool) error {
	ctx, stop := cli.UntilEnded(cmd.Context())
	defer stop()
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, f.timeout, errTimeUp)
		defer cancel()
	}
	say := func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "umpire: %s\n", visible.Line(text)) }
	message, err := f.message(ctx, cmd, say)
	if err != nil {
		return err
	}
	w, err := newWorld(*f, cmd.ErrOrStderr(), nil)
	if err != nil {
		return err
	}
	defer w.end()
	s, err := w.begin()
	if err != nil {
		return err
	}
	if f.wait || w.waits > 0 {
		e := gatewayAsker{w: w}
		if !f.wait {
			e.waits = w.waits
		}
		w.caller.Asker = e
	}
	t, err := w.talk(s, func(o *conversation.Options) {
		o.Notice, o.Warn = say, say
		o.Doing = func(text string) {
			if text != conversation.Thinking {
				say(text)
			}
		}
	})
	if err != nil {
		return err
	}
	defer w.servers(ctx, nil, say)()
	*begun = true
	out := printer{format: f.output, w: bufio.NewWriter(cmd.OutOrStdout())}
	p := RunReport{SessionID: s.Metadata().ID}
	err = out.begin(w, p.SessionID)
	var failed error
	blocked := false // whether umpire refused the calls before the last text
	if err == nil {
		before, _ := s.Usage()
		failed, err = p.follow(t.SendParts(ctx, message, nil), &blocked, out.event)
		all, _ := s.Usage()
		p.Usage = agent.Usage{InputTokens: all.InputTokens - before.InputTokens, OutputTokens: all.OutputTokens - before.OutputTokens, TotalTokens: all.TotalTokens - before.TotalTokens}
		p.Cost = all.Cost - before.Cost
	}
	if err = errors.Join(err, t.Close()); err != nil {
		return err
	}
	p.Denials = append([]agent.Denial{}, w.caller.Denials()...)
	status := p.status(ctx, failed, blocked)
	if p.Error != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "umpire: %s\n", visible.Line(p.Error))
	}
	if status == ExitStopped {
		refused(cmd.ErrOrStderr(), p.Denials)
	}
	if err := out.end(ctx, &p); err != nil {
		return err
	}
	if status != 0 {
		return cli.ExitError(status)
	}
	return nil
}

// message returns the message to the agent: that of --print, followed by standard input.
func (f *flags) message(ctx context.Context, cmd *cobra.Command, say func(string)) (string, error) {
	message := f.print
	if message == "-" {
		message = ""
	}
	if in := cmd.InOrStdin(); !cli.OnTerminal(in) {
		b, err := Piped(ctx, in, 3*time.Second, say)
		switch {
		case errors.Is(err, errTimeUp):
			say("timed out while reading standard input")
			return "", cli.ExitError(ExitLimit)
		case ctx.Err() != nil:
			return "", cli.ExitError(ExitInterrupted)
		case err != nil:
			return "", fmt.Errorf("standard input: %w", err)
		}
		if len(b) > maxPiped {
			return "", cli.Usagef("standard input has more than %d bytes; pass a file name in the message instead", maxPiped)
		}
		if s := strings.ToValidUTF8(string(b), "\uFFFD"); strings.TrimSpace(s) != "" {
			message = strings.TrimSpace(message + "\n\n" + s)
		}
	}
	if message == "" {
		return "", cli.Usagef("the message is empty; see %s --help", cmd.CommandPath())
	}
	return message, nil
}

// printer writes a run in the format of --output.
type printer struct {
	format string
	w      *bufio.Writer
}

func (o *printer) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return o.raw(b)
}

func (o *printer) raw(b []byte) error {
	_, err := o.w.Write(append(visible.JSON(b), '\n'))
	return errors.Join(err, o.w.Flush())
}

// begin writes the first line of stream-json.
func (o *printer) begin(w *world, session string) error {
	if o.format != "stream-json" {
		return nil
	}
	first := began{Type: "init", SessionID: session, Model: w.model.Name(), Cwd: w.at.Dir}
	for _, t := range w.caller.Tools() {
		first.Tools = append(first.Tools, t.Name)
	}
	return o.line(first)
}

// event writes an event as a line of stream-json.
func (o *printer) event(e agent.Event) error {
	if o.format != "stream-json" {
		return nil
	}
	b, err := agent.EncodeEvent(e)
	if err != nil {
		return err
	}
	return o.raw(b)
}

func (o *printer) end(ctx context.Context, p *RunReport) error {
	switch o.format {
	case "json":
		return o.line(p)
	case "stream-json":
		// A program that reads these lines may ignore standard error.
		if p.Error != "" && ctx.Err() == nil && p.Error != p.fault {
			return o.event(agent.Failure{Error: p.Error})
		}
	case "text":
		var err error
		if p.Result != "" {
			_, err = fmt.Fprintln(o.w, visible.Block(strings.TrimRight(p.Result, "\n")))
		}
		return errors.Join(err, o.w.Flush())
	}
	return nil
}

var errTimeUp = errors.New("timed out")

// follow reads the events of a run. The text after the last call becomes the result.
func (p *RunReport) follow(events func(func(agent.Event, error) bool), blocked *bool, tell func(agent.Event) error) (failed, err error) {
	for e, fault := range events {
		if fault != nil {
			failed = fault
			continue
		}
		switch e := e.(type) {
		case agent.TurnStart:
			if p.Turns, p.fault = e.Turn, ""; p.called { // otherwise the model continues a paused answer
				p.Result, p.called = "", false
			}
		case agent.TextDelta:
			p.Result, p.fault = p.Result+e.Text, ""
		case agent.Failure:
			p.fault = e.Error
		case agent.ToolCall:
			*blocked, p.fault, p.called = false, "", true
		case agent.ToolResult:
			*blocked = *blocked || strings.HasPrefix(e.Result.Error, agent.Blocked)
		}
		if err := tell(e); err != nil {
			return failed, err // the reader closed the pipe
		}
	}
	return failed, nil
}

// status returns the exit status, and sets the error of the result.
func (p *RunReport) status(ctx context.Context, failed error, blocked bool) int {
	var rejected *hooks.Rejected
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errTimeUp):
		p.Error = errTimeUp.Error()
	case cause != nil:
		p.Error = agent.Interrupted
	case failed != nil && p.fault != "":
		p.Error = p.fault + "; " + failed.Error()
	case failed != nil:
		p.Error = failed.Error()
	default:
		p.Error = p.fault
	}
	p.IsError = p.Error != ""
	switch {
	case errors.Is(cause, errTimeUp), errors.Is(failed, agent.ErrTurns), errors.Is(failed, agent.ErrCost), errors.Is(failed, agent.ErrLoop):
		return ExitLimit
	case cause != nil:
		return ExitInterrupted
	case errors.As(failed, &rejected):
		return ExitStopped
	case failed != nil, p.fault != "":
		return cli.ExitFailure
	case blocked:
		p.IsError, p.Error = true, tui.ErrRefused.Error()
		return ExitStopped
	}
	return 0
}

// Limits on the refused calls to print: number, and bytes of each.
const (
	maxRefused   = 5
	refusedInput = 200
	refusedWhy   = 1500
)

// refused prints the refused calls, the reasons and the next step.
func refused(w io.Writer, list []agent.Denial) {
	if n := len(list) - maxRefused; n > 0 {
		fmt.Fprintf(w, "umpire: also refused: %s; --output json lists all\n", plural.Count(n, "earlier call"))
		list = list[n:]
	}
	for _, d := range list {
		fmt.Fprintf(w, "umpire: refused: %s %s\n", visible.Line(d.ToolName), visible.Clip(string(d.Input), refusedInput))
		fmt.Fprintf(w, "umpire:   why: %s\n", visible.Clip(d.Reason, refusedWhy))
		fmt.Fprintf(w, "umpire:   next: %s\n", visible.Line(d.Advice))
	}
}
