package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/bounded"
)

// Provider is a service that runs models, and its URL.
type Provider struct {
	Name      string
	KeyVar    string // the environment variable with the key; may be empty
	BaseVar   string // the environment variable with the URL; may be empty
	Base      string // documented URL of the API; "" if there is no default
	Model     string // the model of the agent, "" if it must be named
	Small     string // the model of the judge
	Anthropic bool   // uses Anthropic's Messages; otherwise OpenAI's Chat Completions
}

// Compatible is the name for a server with OpenAI's Chat Completions: your own, or a provider
// that is not listed.
const Compatible = "openai-compatible"

var providers = []Provider{
	{Name: "openrouter", KeyVar: "OPENROUTER_API_KEY", Base: "https://openrouter.ai/api/v1", Model: "anthropic/claude-sonnet-4-20250514", Small: "openai/gpt-6-luna"},
	{Name: "anthropic", KeyVar: "ANTHROPIC_API_KEY", BaseVar: "ANTHROPIC_BASE_URL", Base: "https://api.anthropic.com", Model: "claude-sonnet-5-5", Small: "claude-haiku-5-5", Anthropic: true},
	{Name: "openai", KeyVar: "OPENAI_API_KEY", BaseVar: "OPENAI_BASE_URL", Base: "https://api.openai.com/v1", Model: "gpt-6-luna", Small: "gpt-6-luna"},
	{Name: Compatible, KeyVar: "OPENAI_API_KEY", BaseVar: "OPENAI_BASE_URL"},
	{Name: "github-models", KeyVar: "GITHUB_TOKEN", Base: "https://models.github.ai/inference", Model: "openai/gpt-4.1-mini", Small: "openai/gpt-4.1-mini"},
	{Name: "ollama", BaseVar: "OLLAMA_BASE_URL", Base: "http://127.0.0.1:11434/v1", Model: "qwen3-coder-next"},
}

// Names returns the names of the providers.
func Names() (names []string) {
	for i := range providers {
		names = append(names, providers[i].Name)
	}
	return names
}

// Find returns the provider of a name.
func Find(name string) (Provider, error) {
	for i := range providers {
		if providers[i].Name == name {
			return providers[i], nil
		}
	}
	return Provider{}, fmt.Errorf("unknown provider %q: use %s", name, strings.Join(Names(), ", "))
}

// KeyNeeded reports whether requests to an address need a key. Your
// own servers may need none.
func (p *Provider) KeyNeeded(base string) bool {
	return p.KeyVar != "" && p.Name != Compatible && strings.TrimSuffix(base, "/") == p.Base
}

// Errors of addresses.
var (
	errNoAddress = errors.New("this provider has no default address: set one, such as https://host/v1")
	errAddress   = errors.New("the address is not a URL: write one such as https://host/path")
	errMore      = errors.New("the address has more than host and path: put the key into an environment variable")
	errPlain     = errors.New("the address would send the key unencrypted: use https")
)

// Address checks a URL and returns it without a trailing slash; an empty one means the provider's
// default. A key is sent unencrypted only to this machine.
func (p *Provider) Address(base string, keyed bool) (string, error) {
	base = cmp.Or(base, p.Base)
	if base == "" {
		return "", errNoAddress
	}
	base = strings.TrimSuffix(base, "/")
	switch { // both forms are in use
	case p.Anthropic:
		base = strings.TrimSuffix(base, "/v1")
	case p.Name == "ollama" && !strings.HasSuffix(base, "/v1"):
		base += "/v1"
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return base, errAddress
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return base, errMore
	case u.Scheme == "http" && keyed && !loopback(u.Hostname()):
		return base, errPlain
	}
	return base, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// Source is the origin of a key: an environment variable first, then a program.
type Source struct {
	Var     string   // optional
	Command []string // a program and its arguments that print the key
}

// None reports whether no key is needed.
func (s Source) None() bool { return s.Var == "" && len(s.Command) == 0 }

// Set reports whether the variable is not empty.
func (s Source) Set(getenv func(string) string) bool {
	return s.Var != "" && strings.TrimSpace(getenv(s.Var)) != ""
}

// From names the source of the key.
func (s Source) From(getenv func(string) string) string {
	switch {
	case s.None():
		return "its server, which wants a key"
	case s.Set(getenv) || len(s.Command) == 0:
		return "$" + s.Var
	}
	return "what apiKeyCommand prints"
}

// Limits of a program that prints a key, and of a key.
const (
	keyTime = 3 * time.Second
	maxKey  = 4 << 10
)

// Key returns the key; "" if none is needed.
func (s Source) Key(ctx context.Context, getenv func(string) string) (string, error) {
	if s.None() {
		return "", nil
	}
	if s.Set(getenv) {
		return word(strings.TrimSpace(getenv(s.Var)), "$"+s.Var)
	}
	if len(s.Command) == 0 {
		return "", fmt.Errorf("$%s is not set", s.Var)
	}
	out, err := runKey(ctx, s.Command)
	if err != nil {
		return "", fmt.Errorf("its apiKeyCommand %w", err)
	}
	return word(out, "the output of its apiKeyCommand")
}

// word checks that a key is one word.
func word(key, from string) (string, error) {
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s is not a key: it must be one word", from)
	}
	return key, nil
}

// runKey runs a program without a shell. It does not store other output, which may contain the key.
func runKey(ctx context.Context, argv []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = os.TempDir()
	if home, err := os.UserHomeDir(); err == nil {
		cmd.Dir = home // never the project: the agent can put programs there
	}
	cmd.WaitDelay = 100 * time.Millisecond // a child process may hold the pipe
	out := bounded.Buffer{Most: maxKey}
	cmd.Stdout = &out
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", errors.New("took too long")
	case out.Over:
		return "", errors.New("printed too much")
	case err != nil:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return "", fmt.Errorf("failed: %s", exit.ProcessState)
		}
		return "", errors.New("could not be started: use the absolute path of its program")
	}
	return strings.TrimSpace(out.String()), nil
}
