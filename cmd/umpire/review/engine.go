package review

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	isolation "github.com/umpire-dev/umpire/internal/quarantine/cell"
	"github.com/umpire-dev/umpire/internal/quarantine/engine"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
)

func (f *reviewFlags) engineFlags(c *cobra.Command) {
	o := c.Flags()
	f.ofModel = pflag.NewFlagSet("", pflag.ContinueOnError)
	m := f.ofModel
	o.StringVar(&f.engine, "engine", "builtin", "the reviewer: builtin, "+strings.Join(engine.Clients(), ", ")+", or none (no model)")
	m.StringVar(&f.provider, "provider", "", "the provider: "+strings.Join(wire.Names(), ", ")+", gemini with its engine (default: the engine's, anthropic for builtin)")
	m.StringVar(&f.baseURL, "base-url", "", "URL of the provider's API; environment variables have no effect")
	m.StringVar(&f.model, "model", "", "the model")
	m.StringVar(&f.keyEnv, "api-key-env", "", "environment variable with the API key")
	cli.DurationVar(m, &f.timeout, "timeout", 5*time.Minute, "time limit per reviewer")
	cli.DurationVar(m, &f.refTTL, "ref-ttl", time.Hour, "lifetime of a file reference")
	m.IntVar(&f.rate, "rate", 100, "calls per minute and reviewer")
	m.IntVar(&f.agents, "max-agents", 5, "reviewers in parallel")
	m.IntVar(&f.turns, "max-turns", 50, "turns per reviewer")
	m.StringVar(&f.audit, "audit", "", "file for security events")
	m.StringVar(&f.instructions, "instructions", "", "file with instructions for the reviewer")
	m.StringVar(&f.isolate, "isolate", "auto", "isolation of the reviewer: auto, require or off")
	m.BoolVar(&f.once, "one-time-refs", false, "allow each file reference and range only once")
	o.BoolVar(&f.taint, "taint-check", false, "ask a second model whether findings try to steer their reader")
	o.StringVar(&f.taintProvider, "taint-provider", "", "second model's provider (default: the first's)")
	o.StringVar(&f.taintModel, "taint-model", "", "second model")
	o.StringVar(&f.taintBaseURL, "taint-base-url", "", "URL of its API")
	o.StringVar(&f.taintKeyEnv, "taint-api-key-env", "", "environment variable with its API key")
	m.BoolVar(&f.confirm, "confirm", false, "ask a second reviewer to confirm severe findings")
	o.AddFlagSet(m)
}

// newEngine returns the reviewer, or nil if there is none.
func (f *reviewFlags) newEngine(stderr io.Writer, say func(string)) (review.Engine, error) {
	wishes, err := f.wishes()
	if err != nil {
		return nil, err
	}
	if f.engine == "none" {
		return nil, nil //nolint:nilnil // nobody reads
	}
	c, err := f.engineConfig(wishes, stderr, say)
	if err != nil {
		return nil, err
	}
	if f.engine == "builtin" {
		return engine.NewBuiltin(c)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return engine.NewExternalAgent(c, f.engine, "", self)
}

// maxInstructions limits the user's additions to the prompt, in bytes.
const maxInstructions = 64 << 10

func (f *reviewFlags) engineConfig(wishes string, stderr io.Writer, say func(string)) (engine.Config, error) {
	state, err := audit.DefaultDir()
	if err != nil {
		return engine.Config{}, err
	}
	c := engine.Defaults(state)
	c.Model = engine.Model{Provider: f.provider, Name: f.model, BaseURL: f.baseURL}
	switch {
	case f.provider != "":
	case f.engine == "gemini":
		c.Model.Provider = "gemini"
	default:
		c.Model.Provider = "anthropic"
		if f.engine == "codex" || f.engine != "claude" && os.Getenv("ANTHROPIC_API_KEY") == "" && os.Getenv("OPENAI_API_KEY") != "" {
			c.Model.Provider = "openai"
		}
	}
	f.warnIgnored(stderr, c.Model)
	c.KeyVar, c.Getenv = f.keyEnv, os.Getenv
	c.Isolation, c.MaxTurns, c.Once, c.Confirm = isolation.Isolation(f.isolate), f.turns, f.once, f.confirm
	c.Timeout, c.ReferenceTTL, c.Rate, c.MaxAgents = f.timeout, f.refTTL, f.rate, f.agents
	c.Stderr, c.Progress = stderr, say
	if f.audit != "" {
		c.AuditPath = f.audit
	}
	c.Instructions = wishes
	return c, nil
}

// warnIgnored warns once about a variable with an address, which has no effect. The code under
// review, or an agent that works on it, could set one. It would then receive the key and write the
// review.
func (f *reviewFlags) warnIgnored(stderr io.Writer, m engine.Model) {
	p, err := wire.Find(m.Provider)
	if err != nil || m.BaseURL != "" || p.BaseVar == "" || os.Getenv(p.BaseVar) == "" || f.ignored[p.BaseVar] {
		return
	}
	fmt.Fprintf(stderr, "umpire: umpire review ignores %s, since the code under review could set it: pass --base-url\n", p.BaseVar)
	f.ignored[p.BaseVar] = true
}

// taintCheck returns the second model. Unset options default to those of the first, unless its
// provider differs.
func (f *reviewFlags) taintCheck(stderr io.Writer) (*engine.TaintCheck, error) {
	g := *f
	if f.taintProvider != "" && f.taintProvider != f.provider {
		g.provider, g.model, g.baseURL, g.keyEnv = f.taintProvider, "", "", ""
	}
	for from, to := range map[*string]*string{&f.taintModel: &g.model, &f.taintBaseURL: &g.baseURL, &f.taintKeyEnv: &g.keyEnv} {
		if *from != "" {
			*to = *from
		}
	}
	c, err := g.engineConfig("", stderr, nil)
	if err != nil {
		return nil, err
	}
	if c.Model.Provider == "gemini" {
		return nil, errors.New("the provider gemini works only with --engine gemini: set --taint-provider for the second model")
	}
	return engine.NewTaintCheck(c)
}

// wishes reads the user's additions to the prompt.
func (f *reviewFlags) wishes() (string, error) {
	if f.instructions == "" {
		return "", nil
	}
	b, err := atomicfile.ReadSmall(f.instructions)
	if err == nil && len(b) > maxInstructions {
		err = fmt.Errorf("%s: longer than %d KiB", visible.Clip(f.instructions, 200), maxInstructions>>10)
	}
	if err != nil {
		return "", fmt.Errorf("--instructions: %w", err)
	}
	return string(b), nil
}

// isolationMissing reports whether a review was refused because the sandbox is not available.
func isolationMissing(err error) bool { return errors.Is(err, engine.ErrIsolation) }
