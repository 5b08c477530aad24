package guard

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/guardserver"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of an evaluation.
const (
	maxEvaluated = 1_000_000 // rows
	maxConfigs   = 8
	maxBadLines  = 20 // number of bad lines to report
)

// Evaluation compares configurations on labelled texts.
type Evaluation struct {
	Data     string        `json:"data"`
	Rows     int           `json:"rows"`
	Attacks  int           `json:"attacks"`
	Harmless int           `json:"harmless"`
	BadLines int           `json:"badLines"`
	Bad      []badLine     `json:"bad,omitempty"` // the first bad lines
	Configs  []*comparison `json:"configs"`

	scanners []*scanner
	progress func(rows int, read int64)
}

// badLine is a line that was left out.
type badLine struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// comparison is the result of one configuration.
type comparison struct {
	Config      string     `json:"config"`
	Found       proportion `json:"found"`       // of the attacks
	FalseAlarms proportion `json:"falseAlarms"` // of the harmless texts
	Failed      int        `json:"failed"`      // texts on which a check failed; they are stopped and count as such
	ModelAsked  int64      `json:"modelAsked"`
	ModelFailed int64      `json:"modelFailed"` // number of failed model calls; the text was judged without the model
	Median      float64    `json:"medianMs"`
	P95         float64    `json:"p95Ms"`
	// Compared with the first configuration.
	MoreFound  int `json:"moreFound"`
	FewerFound int `json:"fewerFound"`
	MoreFalse  int `json:"moreFalseAlarms"`
	FewerFalse int `json:"fewerFalseAlarms"`

	took []time.Duration
}

// proportion is a share of texts, with its 95% Wilson interval.
type proportion struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func (p *proportion) finish() {
	if p.Low, p.High = 0, 1; p.Of == 0 {
		return
	}
	const z = 1.959964
	n, share := float64(p.Of), float64(p.Count)/float64(p.Of)
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	p.Share, p.Low, p.High = share, max(middle-half, 0), min(middle+half, 1)
}

func (p *proportion) String() string {
	if p.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%% of %d (%.1f-%.1f)", 100*p.Share, p.Of, 100*p.Low, 100*p.High)
}

func newGuardEvaluate() *cobra.Command {
	var configs []string
	var asJSON bool
	var parallel int
	cmd := &cobra.Command{
		Use:   "evaluate [flags] DATA.jsonl",
		Short: "Compare configurations of the guard on texts of your own",
		Long: `Compare configurations on labelled texts: the attacks they find, the harmless texts they stop, and
their times.

Each line, at most 1,000,000, is as for umpire guard scan --jsonl, with the label "attack" or
"harmless". A text counts as stopped if the guard rejects it, also in observe mode or because a
check failed; for tool_output and pii, also if it is changed. Intervals are Wilson's, at 95%.
With unusable lines the exit status is 1.`,
		Example: `  umpire guard evaluate traffic.jsonl --config guard.yaml --config guard-with-model.yaml`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(configs) == 0 {
				configs = []string{""}
			}
			if len(configs) > maxConfigs {
				return cli.Usagef("--config: at most %d configurations are compared", maxConfigs)
			}
			if parallel < 1 || parallel > 64 {
				return cli.Usagef("--parallel must be from 1 to 64")
			}
			e, in := &Evaluation{Data: args[0]}, cmd.InOrStdin()
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer func() { _ = f.Close() }() // opened for reading only
				in = f
			}
			for _, c := range configs {
				if err := e.add(cmd.Context(), c); err != nil {
					return err
				}
			}
			errs := cmd.ErrOrStderr()
			if cli.OnTerminal(errs) {
				e.progress = progressOn(errs, in)
			}
			if err := e.run(cmd.Context(), in, parallel); err != nil {
				return err
			}
			if e.Rows == 0 && e.BadLines == 0 {
				return fmt.Errorf("%s has no rows: write one JSON object a line", visible.Line(e.Data))
			}
			for _, b := range e.Bad {
				fmt.Fprintf(errs, "%s:%d: %s\n", visible.Line(e.Data), b.Line, visible.Line(b.Error))
			}
			var err error
			if asJSON {
				err = cli.PrintJSON(cmd.OutOrStdout(), e)
			} else {
				err = e.print(cmd.OutOrStdout())
			}
			if err == nil && e.BadLines > 0 {
				err = fmt.Errorf("left out %s of %s", plural.Count(e.BadLines, "line"), visible.Line(e.Data))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&configs, "config", nil, "configuration file; may be repeated")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	f.IntVar(&parallel, "parallel", min(4, runtime.GOMAXPROCS(0)), "texts judged in parallel")
	return cmd
}

// add adds a configuration, whose models must be available.
func (e *Evaluation) add(ctx context.Context, config string) error {
	s, err := newScanner(config)
	if err != nil {
		return err
	}
	if s.classifier != nil {
		if err := s.classifier.Check(ctx); err != nil {
			return fmt.Errorf("%s: %w", config, err)
		}
	}
	config = cmp.Or(config, "(default)")
	e.scanners = append(e.scanners, s)
	e.Configs = append(e.Configs, &comparison{Config: config})
	return nil
}

// evaluated is one row of the data.
type evaluated struct {
	scanIn
	Label string `json:"label"`
}

func (r *evaluated) fault() error {
	switch {
	case r.Label == "":
		return errors.New(`the line has no "label": use attack or harmless`)
	case r.Label != "attack" && r.Label != "harmless":
		return fmt.Errorf("unknown label %q: use attack or harmless", r.Label)
	}
	return nil
}

// outcome is the result of a scanner for a row.
type outcome struct {
	stopped, failed bool
	took            time.Duration
	err             string
}

func outcomeOf(ctx context.Context, s *scanner, r *evaluated) outcome {
	start := time.Now()
	out := s.judge(ctx, r.scanIn)
	o := outcome{took: time.Since(start), err: out.Error, failed: out.Category == guard.SystemError}
	o.stopped = out.Verdict == guard.Rejected || out.Verdict == guard.Modified && (r.Kind == "pii" || r.Kind == guardserver.ToolKind)
	for _, w := range out.Observed {
		o.stopped = o.stopped || w.Verdict == guard.Rejected && !w.Excepted
		o.failed = o.failed || w.Category == guard.SystemError
	}
	return o
}

// run judges all rows, several at a time. Each row passes through all configurations in turn.
func (e *Evaluation) run(ctx context.Context, in io.Reader, parallel int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	defer all.Wait()
	slots := make(chan struct{}, parallel)
	bad := func(n int, text string) {
		if e.BadLines++; len(e.Bad) < maxBadLines {
			e.Bad = append(e.Bad, badLine{n, text})
		}
	}
	// Warm up: the first check loads the models, which must not count as time of a text.
	guard.NewInput([]guard.Stage{guard.Injection(guard.InjectionOptions{})}).Check(ctx, guard.Request{Text: "Good morning."})
	r := bufio.NewReaderSize(in, 64<<10)
	var read int64
	for n := 1; ; n++ {
		line, err := readLine(r)
		end := err != nil && !errors.Is(err, errLong)
		if end && !errors.Is(err, io.EOF) {
			return err
		}
		read += int64(len(line))
		if len(bytes.TrimSpace(line)) > 0 {
			if n > maxEvaluated {
				return fmt.Errorf("%s has more than %d lines: split it", e.Data, maxEvaluated)
			}
			row := new(evaluated)
			if err == nil || end {
				if err = decodeLine(line, row); err == nil {
					err = row.fault()
				}
			}
			if err != nil {
				mu.Lock()
				bad(n, err.Error())
				mu.Unlock()
			} else {
				select {
				case slots <- struct{}{}:
				case <-ctx.Done():
					return ctx.Err()
				}
				all.Go(func() {
					defer func() { <-slots }()
					outcomes := make([]outcome, len(e.scanners))
					for i, s := range e.scanners {
						outcomes[i] = outcomeOf(ctx, s, row)
					}
					mu.Lock()
					defer mu.Unlock()
					if outcomes[0].err != "" {
						bad(n, outcomes[0].err)
						return
					}
					e.count(row.Label == "attack", outcomes)
					if e.progress != nil {
						e.progress(e.Rows, read)
					}
				})
			}
		}
		if end {
			break
		}
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	e.finish()
	return nil
}

func (e *Evaluation) count(attack bool, outcomes []outcome) {
	e.Rows++
	if attack {
		e.Attacks++
	} else {
		e.Harmless++
	}
	for i, o := range outcomes {
		c := e.Configs[i]
		p, more, fewer := &c.FalseAlarms, &c.MoreFalse, &c.FewerFalse
		if attack {
			p, more, fewer = &c.Found, &c.MoreFound, &c.FewerFound
		}
		p.Of++
		c.took = append(c.took, o.took)
		if o.failed {
			c.Failed++
		}
		if o.stopped {
			p.Count++
		}
		switch {
		case o.stopped && !outcomes[0].stopped:
			*more++
		case !o.stopped && outcomes[0].stopped:
			*fewer++
		}
	}
}

func (e *Evaluation) finish() {
	slices.SortFunc(e.Bad, func(a, b badLine) int { return a.Line - b.Line })
	for i, c := range e.Configs {
		c.Found.finish()
		c.FalseAlarms.finish()
		c.ModelAsked, c.ModelFailed = e.scanners[i].asked.Load(), e.scanners[i].failed.Load()
		if slices.Sort(c.took); len(c.took) > 0 {
			ms := func(part float64) float64 {
				return float64(c.took[int(part*float64(len(c.took)-1))].Microseconds()) / 1000
			}
			c.Median, c.P95 = ms(0.5), ms(0.95)
		}
	}
}

func (e *Evaluation) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %s and %d harmless\n\n", visible.Line(e.Data), plural.Count(e.Rows, "row"), plural.Count(e.Attacks, "attack"), e.Harmless)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CONFIGURATION\tFOUND\tFALSE ALARMS\tFAILED\tMODEL ASKED\tMEDIAN\t95TH")
	for _, c := range e.Configs {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%.2f ms\t%.2f ms\n", visible.Line(c.Config), &c.Found, &c.FalseAlarms, c.Failed+int(c.ModelFailed), c.ModelAsked, c.Median, c.P95)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i, c := range e.Configs[1:] {
		if i == 0 {
			fmt.Fprintln(w)
		}
		if _, err := fmt.Fprintf(w, "%s against %s: attacks found +%d -%d, false alarms +%d -%d\n", visible.Line(c.Config), visible.Line(e.Configs[0].Config), c.MoreFound, c.FewerFound, c.MoreFalse, c.FewerFalse); err != nil {
			return err
		}
	}
	return nil
}

// progressOn shows on a terminal how much of a file is read.
func progressOn(w io.Writer, in io.Reader) func(int, int64) {
	size := int64(0)
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	var last time.Time
	return func(rows int, read int64) {
		if time.Since(last) < 200*time.Millisecond && read < size {
			return
		}
		last = time.Now()
		if size > 0 {
			fmt.Fprintf(w, "\r\x1b[K%d rows, %d%%", rows, min(100*read/size, 100))
		} else {
			fmt.Fprintf(w, "\r\x1b[K%d rows", rows)
		}
		if size > 0 && read >= size {
			fmt.Fprint(w, "\r\x1b[K")
		}
	}
}
