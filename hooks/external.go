package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/jsonfault"
)

// maxAnswer limits the answer of an external hook, in bytes.
const maxAnswer = 1 << 20

// External is a hook that is a program or a web service, as written in configuration.
//
// It gets one JSON document with the event, the run and its metadata, and the data of the
// event. It answers {"result": "continue" | "reject" | "modify" | "pending"} with "reason",
// "params", or "id" and "message".
//
// A program can also exit with 0 and no output to continue, or with 2 to reject with its
// standard error as the reason. Any other status is a failure. A service can also answer 204
// to continue. Any status other than 200 and 204 is a failure.
type External struct {
	Name        string            `json:"name"`
	Event       string            `json:"event"`             // beforeAgentStart, beforeToolCall, afterToolCall or afterAgentComplete
	Command     []string          `json:"command,omitempty"` // a program and its arguments, run without a shell
	URL         string            `json:"url,omitempty"`     // or the URL to POST to
	Headers     map[string]string `json:"headers,omitempty"`
	Order       int               `json:"order,omitempty"`
	Enabled     *bool             `json:"enabled,omitempty"` // nil means true
	FailOnError bool              `json:"failOnError,omitempty"`
	Timeout     Duration          `json:"timeout,omitempty"` // 10 s if zero
	Secrets     bool              `json:"secrets,omitempty"` // send parameters and metadata unmasked; the hook can only modify them if set
}

// Duration is a time.Duration that JSON writes as "1m30s" or as a number of seconds.
type Duration time.Duration

// MarshalJSON implements json.Marshaler.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Duration) UnmarshalJSON(b []byte) error {
	text, err := strconv.Unquote(string(b))
	if err != nil {
		text = string(b) + "s"
	}
	v, err := time.ParseDuration(text)
	if err != nil || v < 0 {
		return fmt.Errorf("%s is not a duration: write it as \"5s\", or as a number of seconds", b)
	}
	*d = Duration(v)
	return nil
}

// message is the input of an external hook.
type message struct {
	Event   string          `json:"event"`
	Run     runMessage      `json:"run"`
	Call    *callMessage    `json:"call,omitempty"`
	Result  *resultMessage  `json:"result,omitempty"`
	Outcome *outcomeMessage `json:"outcome,omitempty"`
}

type runMessage struct {
	ID       string         `json:"id"`
	User     string         `json:"user"`
	Email    string         `json:"email,omitempty"`
	Prompt   string         `json:"prompt"`
	Channel  string         `json:"channel,omitempty"`
	Start    time.Time      `json:"start"`
	Tools    []string       `json:"tools,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type callMessage struct {
	Tool   string         `json:"tool"`
	Params map[string]any `json:"params,omitempty"`
	Index  int            `json:"index"`
}

type resultMessage struct {
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
	Millis int64  `json:"durationMs"`
}

type outcomeMessage struct {
	Response string `json:"response,omitempty"`
	Error    string `json:"error,omitempty"`
	Canceled bool   `json:"canceled,omitempty"`
}

// reply is its answer.
type reply struct {
	Result  string         `json:"result"`
	Reason  string         `json:"reason"`
	Params  map[string]any `json:"params"`
	ID      string         `json:"id"`
	Message string         `json:"message"`
}

// Add adds a hook from configuration.
func (e *Executor) Add(x External) error {
	if err := x.check(); err != nil {
		return fmt.Errorf("hook %q: %w", x.Name, err)
	}
	off := x.Enabled != nil && !*x.Enabled
	limit := time.Duration(x.Timeout)
	runOf := func(r *Run) runMessage {
		return runMessage{r.ID, r.User, r.Email, r.Prompt, r.Channel, r.Start, r.Tools(), x.metadata(r)}
	}
	callOf := func(c *ToolCall) *callMessage {
		m := &callMessage{c.Tool, c.Params, c.Index}
		if !x.Secrets {
			m.Params = c.MaskedParams()
		}
		return m
	}
	switch x.Event {
	case "beforeAgentStart":
		e.BeforeStart(BeforeStart{x.Name, x.Order, off, x.FailOnError, limit, func(ctx context.Context, r *Run) (Result, error) {
			return x.ask(ctx, message{Event: x.Event, Run: runOf(r)})
		}})
	case "beforeToolCall":
		e.BeforeTool(BeforeTool{x.Name, x.Order, off, x.FailOnError, limit, func(ctx context.Context, c *ToolCall) (Result, error) {
			return x.ask(ctx, message{Event: x.Event, Run: runOf(c.Run), Call: callOf(c)})
		}})
	case "afterToolCall":
		e.AfterTool(AfterTool{x.Name, x.Order, off, x.FailOnError, limit, func(ctx context.Context, c *ToolCall, out *ToolResult) error {
			m := &resultMessage{Output: out.Output, Millis: out.Took.Milliseconds()}
			if out.Err != nil {
				m.Error = out.Err.Error()
			}
			_, err := x.ask(ctx, message{Event: x.Event, Run: runOf(c.Run), Call: callOf(c), Result: m})
			return err
		}})
	default:
		e.AfterComplete(AfterComplete{x.Name, x.Order, off, x.FailOnError, limit, func(ctx context.Context, r *Run, out Outcome) error {
			m := &outcomeMessage{Response: out.Response, Canceled: errors.Is(out.Err, context.Canceled)}
			if out.Err != nil {
				m.Error = out.Err.Error()
			}
			_, err := x.ask(ctx, message{Event: x.Event, Run: runOf(r), Outcome: m})
			return err
		}})
	}
	return nil
}

// metadata returns the values stored in a run, masked like parameters. Values that JSON cannot
// encode are always masked: one hook's channel must not make another hook fail.
func (x *External) metadata(r *Run) map[string]any {
	m := r.Metadata()
	for k, v := range m {
		switch _, err := json.Marshal(v); {
		case err != nil, !x.Secrets && secret(k):
			m[k] = "***"
		case !x.Secrets:
			m[k] = masked(v, 1)
		}
	}
	return m
}

func (x *External) check() error {
	switch x.Event {
	case "beforeAgentStart", "beforeToolCall", "afterToolCall", "afterAgentComplete":
	default:
		return fmt.Errorf("unknown event %q: use beforeAgentStart, beforeToolCall, afterToolCall or afterAgentComplete", x.Event)
	}
	switch {
	case x.Name == "":
		return errors.New("it has no name")
	case (len(x.Command) == 0) == (x.URL == ""):
		return errors.New("name either a command or a url")
	case len(x.Command) > 0 && x.Command[0] == "":
		return errors.New("the command is empty")
	}
	if x.URL != "" {
		u, err := url.Parse(x.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("%q is not an http or https URL", x.URL)
		}
	}
	return nil
}

// ask sends a message to the hook and returns its reply.
func (x *External) ask(ctx context.Context, m message) (Result, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return Result{}, err
	}
	if x.URL != "" {
		return x.post(ctx, body)
	}
	return x.run(ctx, body)
}

func (x *External) run(ctx context.Context, body []byte) (Result, error) {
	cmd := exec.CommandContext(ctx, x.Command[0], x.Command[1:]...)
	cmd.Stdin = bytes.NewReader(body)
	out, errs := bounded.Buffer{Most: maxAnswer}, bounded.Buffer{Most: maxAnswer}
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second // do not wait for a child process that keeps the pipes open
	group(cmd)
	err := cmd.Run()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		reason := strings.TrimSpace(errs.String())
		if reason == "" {
			reason = "rejected by " + x.Command[0]
		}
		return Reject(reason), nil
	case err != nil:
		return Result{}, err
	case out.Over:
		return Result{}, fmt.Errorf("its answer is larger than %d bytes", maxAnswer)
	case len(bytes.TrimSpace(out.Bytes())) == 0:
		return Continue(), nil
	}
	return x.parse(out.Bytes())
}

// client follows no redirects: the data of a run goes to the named host only.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (x *External) post(ctx context.Context, body []byte) (Result, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.URL, bytes.NewReader(body))
	if err != nil {
		return Result{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	for k, v := range x.Headers {
		req.Header.Set(k, v)
	}
	res, err := client.Do(req)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = res.Body.Close() }()
	switch res.StatusCode {
	case http.StatusNoContent:
		return Continue(), nil
	case http.StatusOK:
	default:
		return Result{}, fmt.Errorf("%s answered %s", req.URL.Host, res.Status)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return Result{}, err
	}
	if len(data) > maxAnswer {
		return Result{}, fmt.Errorf("its answer is larger than %d bytes", maxAnswer)
	}
	return x.parse(data)
}

// parse reads an answer strictly: a misspelled one must not pass for a Continue.
func (x *External) parse(data []byte) (Result, error) {
	var r reply
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return Result{}, fmt.Errorf("its answer is not the expected JSON: %w", jsonfault.Words(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Result{}, errors.New("its answer is more than one JSON document")
	}
	switch r.Result {
	case "continue":
		return Continue(), nil
	case "reject":
		return Reject(r.Reason), nil
	case "pending":
		return PendingApproval(r.ID, r.Message), nil
	case "modify":
		if !x.Secrets {
			return Result{}, errors.New("it modifies parameters that it got masked: set secrets for it")
		}
		return Modify(r.Params), nil
	}
	return Result{}, fmt.Errorf("its answer has the unknown result %q", r.Result)
}
