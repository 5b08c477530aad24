package guard

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/guardconfig"
	"github.com/umpire-dev/umpire/internal/guardmodel"
	"github.com/umpire-dev/umpire/internal/guardserver"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

// maxScanLine bounds one line of JSON, and a whole text, in bytes.
const maxScanLine = 16 << 20

// scanIn is one line of input.
type scanIn struct {
	ID     guardserver.ID `json:"id"`
	Kind   string         `json:"kind"` // input, tool_output, conversation, output or pii
	Text   *string        `json:"text"`
	Turns  []string       `json:"turns"`  // conversation: the user's messages, in order
	System string         `json:"system"` // output: the system prompt, which must stay secret
	Canary string         `json:"canary"` // output: a canary token in the system prompt
	Tool   string         `json:"tool"`   // tool_output: name of the tool
	Hidden *string        `json:"hidden"` // tool_output: as --hidden
	Defang *bool          `json:"defang"` // tool_output: as --defang

	UserID   string         `json:"userId"` // input and output: the sender, for exceptions and tenants
	TenantID string         `json:"tenantId"`
	Metadata map[string]any `json:"metadata"`
}

// span is a place in the text, in characters (code points) from 0.
type span struct {
	Type  string `json:"type"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// scanOut is the answer to one line.
type scanOut struct {
	ID       guardserver.ID   `json:"id"`
	Verdict  guard.Verdict    `json:"verdict"`
	Score    float64          `json:"score"`
	Text     string           `json:"text"` // the text that may pass
	Spans    []span           `json:"spans"`
	Findings []umpire.Finding `json:"findings"` // findings with scores; offsets in bytes
	Category guard.Category   `json:"category,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Why      []string         `json:"why,omitempty"`      // the words that led to the verdict
	Message  string           `json:"message,omitempty"`  // message for the person
	Observed []guard.Observed `json:"observed,omitempty"` // verdicts of stages that only observe
	Error    string           `json:"error,omitempty"`    // why the line could not be judged
}

// scanFlags are the flags of `umpire guard scan`.
type scanFlags struct {
	kind, system, canary, config, hidden, user, tenant string
	lines, asJSON, defang                              bool
}

func newGuardScan() *cobra.Command {
	var f scanFlags
	cmd := &cobra.Command{
		Use:   "scan [flags] [FILE | -]",
		Short: "Check a text, or many as JSON Lines",
		Long: `Check a text as the guard would. For tool_output and pii, umpire prints the cleaned text and
writes the verdict to standard error. Exit status: 0 allow, 1 failure, 2 reject, 3 modify.

With --jsonl each line is an object {"id", "kind", "text"}. Kinds and their extra fields:

  input         "userId", "tenantId" (default)
  output        "system", "canary", "userId", "tenantId"
  tool_output   "tool", "hidden", "defang"
  conversation  "turns" instead of "text": does the user escalate?
  pii

The answer to a line is {"id", "verdict", "score", "text", "spans", "findings"}; spans count
characters, findings bytes. A line that cannot be checked is rejected, with an "error"; the exit status is then 1.`,
		Example: `  umpire guard scan --kind tool_output --hidden remove --defang page.html > clean.html
  umpire guard scan --jsonl < rows.jsonl > answers.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	o := cmd.Flags()
	o.StringVarP(&f.kind, "kind", "k", "input", "kind of text: input, tool_output, output or pii")
	o.StringVar(&f.system, "system", "", "with --kind output: system prompt that must not leak")
	o.StringVar(&f.config, "config", "", "configuration file (default: injections in input, leaks in output)")
	o.StringVar(&f.canary, "canary", "", "with --kind output: canary token in the system prompt")
	o.StringVar(&f.hidden, "hidden", "keep", "with --kind tool_output: keep, show or remove invisible text")
	o.BoolVar(&f.defang, "defang", false, "with --kind tool_output: disarm links and images")
	o.StringVar(&f.user, "user", "", "sender of the text, for the exceptions of the configuration")
	o.StringVar(&f.tenant, "tenant", "", "tenant of the sender, for the settings of the configuration")
	o.BoolVar(&f.lines, "jsonl", false, "read and answer JSON Lines")
	o.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// run checks the file or standard input: line by line with --jsonl, otherwise as one text.
func (f *scanFlags) run(cmd *cobra.Command, args []string) error {
	if err := cli.Requires(cmd, f.kind == "output" && !f.lines, "--kind output", "system", "canary"); err != nil {
		return err
	}
	if err := cli.Requires(cmd, f.kind == "tool_output" || f.lines, "--kind tool_output", "hidden", "defang"); err != nil {
		return err
	}
	if err := cli.Requires(cmd, !f.lines, "one text: with --jsonl, each line has its own", "user", "tenant"); err != nil {
		return err
	}
	in := cmd.InOrStdin()
	if len(args) == 1 && args[0] != "-" {
		file, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // opened for reading only
		in = file
	}
	s, err := newScanner(f.config)
	if err != nil {
		return err
	}
	if err := s.tools.Hidden.UnmarshalText([]byte(f.hidden)); err != nil {
		return cli.Usage(err)
	}
	s.tools.Defang = f.defang
	if f.lines {
		return s.lines(cmd.Context(), in, cmd.OutOrStdout())
	}
	data, err := io.ReadAll(io.LimitReader(in, maxScanLine+1))
	if err != nil {
		return err
	}
	if len(data) > maxScanLine {
		return fmt.Errorf("the text is larger than %d bytes", maxScanLine)
	}
	text := string(data)
	out := s.judge(cmd.Context(), scanIn{Kind: f.kind, Text: &text, System: f.system, Canary: f.canary, UserID: f.user, TenantID: f.tenant})
	if out.Error != "" {
		return cli.Usage(errors.New(out.Error))
	}
	if !f.asJSON && (f.kind == "pii" || f.kind == guardserver.ToolKind) {
		if err := printText(cmd.OutOrStdout(), out.Text); err != nil {
			return err
		}
		return out.print(cmd.ErrOrStderr(), text, false)
	}
	return out.print(cmd.OutOrStdout(), text, f.asJSON)
}

// printText prints a text byte for byte. At a terminal it escapes control characters.
func printText(w io.Writer, text string) error {
	if cli.OnTerminal(w) {
		text = visible.Block(text) + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// print prints the verdict for people, and returns it as the exit status.
func (o *scanOut) print(w io.Writer, text string, asJSON bool) error {
	if asJSON {
		if err := cli.PrintLine(w, o); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(w, "%s (score %.2f)", o.Verdict, o.Score)
		if o.Reason != "" {
			fmt.Fprintf(w, ": %s", visible.Line(o.Reason))
		}
		fmt.Fprintln(w)
		if len(o.Why) > 0 {
			fmt.Fprintf(w, "  decided by: %s\n", visible.Clip(strings.Join(o.Why, " "), 160))
		}
		for _, f := range o.Findings {
			if f.Start >= 0 && f.End <= len(text) && f.Start <= f.End {
				fmt.Fprintf(w, "  %s: %s\n", visible.Line(f.Type), visible.Clip(text[f.Start:f.End], 160))
			}
		}
	}
	switch o.Verdict {
	case guard.Rejected:
		return cli.ExitError(cli.ExitDeny)
	case guard.Modified:
		return cli.ExitError(cli.ExitAsk)
	}
	return nil
}

// scanner has a pipeline for each kind of text. It omits limits on rates and lengths, which apply
// to senders.
type scanner struct {
	input, turns *guard.Input
	output, pii  *guard.Output
	tools        guard.Sanitizer

	classifier *guardmodel.Classifier // optional
	asked      atomic.Int64           // number of model calls
	failed     atomic.Int64           // number of failed model calls; the text was judged without the model
}

func newScanner(config string) (*scanner, error) {
	pii, err := guard.PII(guard.PIIOptions{})
	if err != nil {
		return nil, err
	}
	s := &scanner{
		input:  guard.NewInput([]guard.Stage{guard.Normalization(guard.NormalizationOptions{}), guard.Injection(guard.InjectionOptions{})}),
		turns:  escalation(0),
		output: guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{})}),
		pii:    guard.NewOutput([]guard.OutputStage{pii}),
		tools:  guard.Sanitizer{Unmarked: true},
	}
	if config == "" {
		return s, nil
	}
	c, err := guardconfig.Read(config)
	if err != nil {
		return nil, err
	}
	parts := guard.Parts{ModelFailed: func(error) { s.failed.Add(1) }}
	if s.classifier, err = guardconfig.AskModels(c, &parts); err != nil {
		return nil, err
	}
	parts.Model, parts.Judge, parts.Classifier = counting(parts.Model, &s.asked), counting(parts.Judge, &s.asked), counting(parts.Classifier, &s.asked)
	s.turns = escalation(c.Guard.TopicDrift.MaxScore)
	if pii, err = guard.PII(guard.PIIOptions{Kinds: c.Guard.PII.Kinds, Also: c.Guard.PII.Also, Regions: c.Guard.PII.Regions}); err != nil {
		return nil, fmt.Errorf("guard: pii: %w", err)
	}
	s.pii = guard.NewOutput([]guard.OutputStage{pii})
	c.Guard.SystemPromptLeakage = true // a line with a system prompt requests this check
	if s.input, s.output, err = guard.FromConfig(guardconfig.Uncounted(c.Guard), parts); err != nil {
		return nil, fmt.Errorf("guard: %w", err)
	}
	return s, nil
}

// counting counts the calls of a model, which may be nil.
func counting[T any](ask func(context.Context, string) (T, error), n *atomic.Int64) func(context.Context, string) (T, error) {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, text string) (T, error) {
		n.Add(1)
		return ask(ctx, text)
	}
}

// escalation scores how a conversation escalates; the stage decides without another model.
func escalation(most float64) *guard.Input {
	return guard.NewInput([]guard.Stage{guard.TopicDrift(guard.DriftOptions{MaxScore: most})}, guard.WithThreshold(2))
}

func (s *scanner) judge(ctx context.Context, in scanIn) scanOut {
	fault := func(msg string) scanOut {
		return scanOut{ID: in.ID, Spans: []span{}, Findings: []umpire.Finding{}, Error: msg}
	}
	// Reject a line without a text: its sender would take the verdict for one about the text.
	switch in.Kind {
	case "", "input", "output", "pii", "tool_output":
		if in.Text == nil {
			return fault(`the line has no "text"`)
		}
	case "conversation":
		if in.Turns == nil {
			return fault(`the line has no "turns": a conversation is a list of what the user said`)
		}
		in.Text = new(string)
	default:
		return fault(fmt.Sprintf("unknown kind %q: use input, tool_output, conversation, output or pii", in.Kind))
	}
	text := *in.Text
	var r guard.Result
	switch in.Kind {
	case "conversation":
		r = s.conversation(ctx, in.Turns)
	case "output":
		r = s.output.Check(ctx, text, guard.Answer{System: in.System, Canary: in.Canary, UserID: in.UserID, TenantID: in.TenantID})
	case "pii":
		r = s.pii.Check(ctx, text, guard.Answer{})
	case "tool_output":
		tools := s.tools
		if in.Hidden != nil {
			if err := tools.Hidden.UnmarshalText([]byte(*in.Hidden)); err != nil {
				return fault("hidden: " + err.Error())
			}
		}
		if in.Defang != nil {
			tools.Defang = *in.Defang
		}
		out, err := tools.Sanitize(ctx, in.Tool, text)
		if err != nil {
			return fault("the sanitizer failed: " + guard.CauseOf(err))
		}
		r = guard.Result{Verdict: guard.Allowed, Text: out.Text, Score: out.Score, Findings: out.Findings}
		if out.Text != text {
			r.Verdict = guard.Modified
		}
	default:
		r = s.input.Check(ctx, guard.Request{Text: text, UserID: in.UserID, TenantID: in.TenantID, Metadata: in.Metadata})
	}
	out := scanOut{ID: in.ID, Verdict: r.Verdict, Score: r.Score, Text: r.Text, Category: r.Category, Reason: r.Reason, Why: r.Why, Message: r.Message, Observed: r.Observed, Spans: []span{}, Findings: []umpire.Finding{}}
	out.Findings = append(out.Findings, r.Findings...)
	for _, f := range r.Findings {
		out.Spans = append(out.Spans, spanOf(text, f))
	}
	return out
}

// conversation judges each turn together with the earlier ones, and returns the first rejection.
func (s *scanner) conversation(ctx context.Context, turns []string) (r guard.Result) {
	r = guard.Result{Verdict: guard.Allowed}
	session := guard.NewSession()
	var worst float64
	for i, turn := range turns {
		r = s.turns.Check(ctx, guard.Request{Text: turn, Metadata: map[string]any{guard.HistoryKey: turns[:i], guard.SessionKey: session}})
		worst = max(worst, r.Score)
		if r.Verdict == guard.Rejected {
			break
		}
	}
	r.Score = worst
	return r
}

// spanOf converts byte offsets to characters.
func spanOf(text string, f umpire.Finding) span {
	start, end := min(max(f.Start, 0), len(text)), min(max(f.End, 0), len(text))
	at := utf8.RuneCountInString(text[:start])
	return span{f.Type, at, at + utf8.RuneCountInString(text[start:max(start, end)])}
}

// lines answers JSON Lines in order. Each answer follows as soon as the earlier ones are written.
func (s *scanner) lines(ctx context.Context, in io.Reader, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan scanOut, 4*runtime.GOMAXPROCS(0))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var readErr error
	go func() {
		defer close(queue)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			line, err := readLine(r)
			if len(bytes.TrimSpace(line)) > 0 || errors.Is(err, errLong) {
				answer := make(chan scanOut, 1)
				select {
				case queue <- answer:
				case <-ctx.Done():
					return
				}
				slots <- struct{}{}
				go func() {
					defer func() { <-slots }()
					answer <- s.line(ctx, line, err)
				}()
			}
			if err != nil && !errors.Is(err, errLong) {
				if !errors.Is(err, io.EOF) {
					readErr = err
				}
				return
			}
		}
	}()
	bad := 0
	for answer := range queue {
		out := <-answer
		if out.Error != "" {
			bad++
		}
		if err := cli.PrintLine(w, out); err != nil {
			return err
		}
	}
	if readErr != nil {
		return readErr
	}
	if bad > 0 {
		return fmt.Errorf("could not check %s: see the errors in the answers", plural.Count(bad, "line"))
	}
	return nil
}

func (s *scanner) line(ctx context.Context, line []byte, err error) scanOut {
	var in scanIn
	if !errors.Is(err, errLong) {
		if err = decodeLine(line, &in); err == nil {
			return s.judge(ctx, in)
		}
	}
	return scanOut{ID: idOf(line), Spans: []span{}, Findings: []umpire.Finding{}, Error: err.Error()}
}

// decodeLine decodes a line of JSON. An error describes the fault in the line.
func decodeLine(line []byte, v any) error {
	if err := json.Unmarshal(line, v); err != nil {
		return fmt.Errorf("the line is not the expected JSON: %w", jsonfault.Words(err))
	}
	return jsonfault.Ambiguous(line)
}

// idOf returns the id of a broken line if it comes before the fault, so that the sender can find
// the line.
func idOf(line []byte) (id guardserver.ID) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		var value json.RawMessage
		name, err := dec.Token()
		if err != nil || dec.Decode(&value) != nil {
			return nil
		}
		if name == "id" && json.Unmarshal(value, &id) == nil {
			return id
		}
	}
	return nil
}

var errLong = fmt.Errorf("the line is longer than %d bytes", maxScanLine)

// readLine reads one line. It keeps only the beginning of a line that is too long.
func readLine(r *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			if line = append(line, part...); len(line) > maxScanLine {
				line, long = slices.Clone(line[:4096]), true
			}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long:
			return line, errLong
		}
		return line, err
	}
}
