package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/provider"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/regular"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/wire"
)

type flags struct {
	print, output, resume            string
	cont, acp, inline, lines, box    bool
	wait, noContext                  bool
	provider, model, baseURL, effort string
	small                            string
	maxTurns                         int
	maxCost                          float64
	costSet                          bool // if false, agent.json decides
	timeout                          time.Duration
	dir                              string // working directory of the agent; the current one if empty
	by                               cli.Invoker
}

// New returns `umpire agent`. Only a person may trust a folder.
func New(by cli.Invoker) *cobra.Command {
	f := flags{by: by}
	c := &cobra.Command{
		Use:   "agent [flags] [MESSAGE]",
		Short: "Work with a coding agent that has umpire built in",
		Long: `Work with a coding agent in this folder. Umpire checks each tool call against the policy, asks
you if needed, and sanitizes tool output before the model sees it.

Choose a model with flags, or with PROVIDER, MODEL_ID and the provider's key, such as
ANTHROPIC_API_KEY. Permanent settings are in agent.json beside your policy.

With -p, standard input is added to the message, and umpire refuses calls that need approval,
unless you set --wait.

Exit status: 0 done, 1 error, 3 stopped by the policy, 4 limit reached, 64 usage error,
130 interrupted.`,
		Example: `  umpire agent --continue
  git diff | umpire agent -p "review this" --output json`,
		Args: message,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args)
		},
	}
	fl := c.Flags()
	fl.StringVarP(&f.print, "print", "p", "", "print the answer to this `message`, without a screen; - is standard input")
	fl.StringVar(&f.output, "output", "text", "with -p: text, json (one object) or stream-json (one event a line)")
	fl.BoolVarP(&f.cont, "continue", "c", false, "continue the newest session in this folder")
	fl.StringVarP(&f.resume, "resume", "r", "", "continue this `session`, an ID or a file; without a value, choose one")
	fl.Lookup("resume").NoOptDefVal = chooseSession
	fl.BoolVar(&f.acp, "acp", false, "speak the Agent Client Protocol, for editors")
	fl.BoolVar(&f.inline, "inline", false, "keep finished output in the terminal's scrollback")
	fl.BoolVar(&f.lines, "lines", false, "print plain lines and never move the cursor")
	fl.BoolVar(&f.box, "sandbox", false, "run commands in a sandbox: this folder writable, no network, no secrets")
	fl.BoolVar(&f.wait, "wait", false, "with -p: wait for umpire approve, or the gateway")
	fl.BoolVar(&f.noContext, "no-context", false, "do not read AGENTS.md and other context files")
	fl.StringVar(&f.provider, "provider", "", "the provider: "+strings.Join(wire.Names(), ", ")+" (PROVIDER)")
	fl.StringVar(&f.model, "model", "", "the model's `name` (MODEL_ID)")
	fl.StringVar(&f.baseURL, "base-url", "", "the provider's `address`")
	fl.StringVar(&f.small, "small-model", "", "a `model` for titles and summaries")
	fl.StringVar(&f.effort, "effort", "", "reasoning effort of the model: "+strings.Join(agent.Efforts, ", "))
	fl.IntVar(&f.maxTurns, "max-turns", 0, fmt.Sprintf("turns per message (default %d)", agent.DefaultTurns))
	fl.Float64Var(&f.maxCost, "max-cost", 0, "cost limit of a session, in US `dollars`; 0 means no limit")
	cli.DurationVar(fl, &f.timeout, "timeout", 0, "with -p: time limit")
	c.AddCommand(newTrust(by.Terminal), newSessions())
	return c
}

// message takes any words, but not a misspelled subcommand alone, which would start a conversation.
func message(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || cmd.ArgsLenAtDash() == 0 {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		if c.Name() != "help" { // hello is a message
			known = append(known, c.Name())
		}
	}
	if near := nearest.Word(args[0], known); near != "" {
		return cli.Usagef("umpire agent has no command %q; did you mean %s? To send it as a message, use umpire agent -- %s", args[0], near, args[0])
	}
	return nil
}

// chooseSession is the value of --resume without a session.
const chooseSession = "list"

// maxSettings limits agent.json, in bytes.
const maxSettings = 1 << 20

// config is agent.json: the user's permanent settings.
type config struct {
	Provider   string             `json:"provider"`
	Model      string             `json:"model"`
	SmallModel string             `json:"smallModel"`
	BaseURL    string             `json:"baseURL"`
	Effort     string             `json:"effort"`
	MaxTurns   jsonfault.Positive `json:"maxTurns"`
	MaxCost    jsonfault.Amount   `json:"maxCost"`
	Window     jsonfault.Positive `json:"window"`
	Sandbox    bool               `json:"sandbox"`
	Env        []string           `json:"env"`      // variables passed to commands although they look like secrets
	ReadOnly   []string           `json:"readOnly"` // further host folders that the sandbox shows
	Writable   []string           `json:"writable"`
	Hooks      []hooks.External   `json:"hooks"`
}

func readConfig(path string) (c config, err error) {
	data, err := regular.Read(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("%s: %w", path, jsonfault.Words(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return c, fmt.Errorf("%s: want one JSON object", path)
	}
	for _, fault := range []error{oneOf("effort", c.Effort, agent.Efforts), oneOf("provider", c.Provider, wire.Names())} {
		if fault != nil {
			return c, fmt.Errorf("%s: %w", path, fault)
		}
	}
	return c, nil
}

// readSettings reads a user's agent.json, which is in the folder of the policy.
func readSettings(home string) (folder string, c config, err error) {
	folder = filepath.Dir(snapshot.DefaultLayers(home, "", os.Getenv).User)
	c, err = readConfig(filepath.Join(folder, "agent.json"))
	return folder, c, err
}

// provides returns the configuration of the model's provider.
func (f *flags) provides(settings config, getenv func(string) string) (provider.Config, error) {
	c := provider.Config{Provider: f.provider, Model: f.model, BaseURL: f.baseURL}
	if c.Provider == "" && getenv("PROVIDER") == "" {
		c.Provider, c.BaseURL = settings.Provider, cmp.Or(c.BaseURL, settings.BaseURL)
	}
	if c.Model == "" && getenv("MODEL_ID") == "" {
		c.Model = settings.Model
	}
	if err := oneOf("PROVIDER", strings.TrimSpace(getenv("PROVIDER")), wire.Names()); c.Provider == "" && err != nil {
		return c, cli.Usage(err)
	}
	return provider.FromEnv(c, getenv)
}

// oneOf returns an error for a word of the settings that is not in a list. An empty word is valid.
func oneOf(name, word string, list []string) error {
	if word == "" || slices.Contains(list, word) {
		return nil
	}
	return fmt.Errorf("%s is %q: must be one of %s", name, word, strings.Join(list, ", "))
}

// check checks the flags before anything starts. given reports whether a flag was set.
func (f *flags) check(given func(string) bool, args []string) error {
	for _, name := range []string{"output", "timeout", "wait"} {
		if given(name) && !given("print") {
			return fmt.Errorf("--%s requires -p", name)
		}
	}
	switch {
	case given("print") && f.print == "":
		return errors.New("-p needs a message")
	case f.acp && (given("print") || given("continue") || given("resume") || len(args) > 0):
		return errors.New("--acp takes the session and the messages from the editor: remove the other flags")
	case f.cont && given("resume"):
		return errors.New("use --continue or --resume, not both")
	case f.resume == chooseSession && given("print"):
		return errors.New("name the session to continue: `umpire agent sessions` lists them")
	case given("print") && len(args) > 0:
		return errors.New("with -p, the message is the value of the flag: remove the argument")
	}
	return nil
}

func (f *flags) run(cmd *cobra.Command, args []string) error {
	if f.resume == chooseSession && len(args) > 0 { // the flag's value may be a separate argument
		f.resume, args = args[0], args[1:]
	}
	if err := f.check(cmd.Flags().Changed, args); err != nil {
		return cli.Usagef("%w; see %s --help", err, cmd.CommandPath())
	}
	f.costSet = cmd.Flags().Changed("max-cost")
	switch {
	case f.acp:
		return f.runACP(cmd)
	case f.print != "":
		return f.runPrint(cmd)
	}
	return f.runTerminal(cmd, strings.Join(args, " "))
}
