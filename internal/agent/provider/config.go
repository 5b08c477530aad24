package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Config says which model answers. What is empty is the provider's default.
type Config struct {
	Provider string // one of Names
	Model    string
	BaseURL  string
	Key      string

	keyVar, baseVar string // the variables for Key and BaseURL, for advice
}

type kind struct {
	name, keyVar, baseVar, model, base string // variables that say key and address, and the defaults
	open                               func(Config) agent.Model
}

var kinds = []kind{
	{name: "openrouter", keyVar: "OPENROUTER_API_KEY", model: "anthropic/claude-sonnet-4-20250514", base: "https://openrouter.ai/api/v1", open: newOpenAI},
	{name: "anthropic", keyVar: "ANTHROPIC_API_KEY", baseVar: "ANTHROPIC_BASE_URL", model: "claude-sonnet-5-5", base: "https://api.anthropic.com", open: newAnthropic},
	{name: "openai", keyVar: "OPENAI_API_KEY", baseVar: "OPENAI_BASE_URL", model: "gpt-6-luna", base: "https://api.openai.com/v1", open: newOpenAI},
	{name: "ollama", baseVar: "OLLAMA_BASE_URL", model: "qwen3-coder-next", base: "http://localhost:11434/v1", open: newOpenAI},
}

// Names returns the providers that there are.
func Names() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// ErrNoKey is the fault of a Config that lacks nothing but the key.
var ErrNoKey = errors.New("there is no key")

// FromEnv completes a Config by PROVIDER, MODEL_ID and the provider's own variables. The
// error says what is wrong or missing.
func FromEnv(c Config, getenv func(string) string) (Config, error) {
	first := func(list ...string) string {
		for _, s := range list {
			if s = strings.TrimSpace(s); s != "" {
				return s
			}
		}
		return ""
	}
	c.Provider = first(c.Provider, getenv("PROVIDER"), "openrouter")
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == c.Provider })
	if i < 0 {
		return c, fmt.Errorf("unknown provider %q: PROVIDER, or --provider, is one of %s", c.Provider, strings.Join(Names(), ", "))
	}
	k := kinds[i]
	c.keyVar, c.baseVar = k.keyVar, k.baseVar
	c.Model = first(c.Model, getenv("MODEL_ID"), k.model)
	own := ""
	if k.baseVar != "" {
		own = getenv(k.baseVar)
	}
	c.BaseURL = strings.TrimSuffix(first(c.BaseURL, own, k.base), "/")
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		return c, fmt.Errorf("the base address %q of %s is no plain http or https address", c.BaseURL, c.Provider)
	}
	if k.keyVar != "" {
		c.Key = first(c.Key, getenv(k.keyVar))
		ip := net.ParseIP(u.Hostname())
		near := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
		switch {
		case c.Key == "" && c.BaseURL == k.base:
			return c, fmt.Errorf("%w for the provider %s: set %s, or choose another by --provider or PROVIDER (%s)", ErrNoKey, c.Provider, k.keyVar, strings.Join(Names(), ", "))
		case c.Key != "" && u.Scheme == "http" && !near:
			return c, fmt.Errorf("the key would go to %s unencrypted: use https", u.Host)
		case c.Key == "":
			c.Key = "none" // servers of one's own ignore it, and SDKs want one
		}
	} else if c.Key == "" {
		c.Key = "none"
	}
	return c, nil
}

// New returns the model of a Config that FromEnv completed.
func New(c Config) (agent.Model, error) {
	for _, k := range kinds {
		if k.name == c.Provider {
			return k.open(c), nil
		}
	}
	return nil, errors.New("there is no provider " + c.Provider)
}

// maxModels bounds a provider's list.
const maxModels = 2000

// Models returns the names of the models that a provider has.
func Models(ctx context.Context, c Config) (names []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	// The SDKs refuse JSON that a server does not call so, and small ones call it nothing.
	var answer *http.Response
	if c.Provider == "anthropic" {
		a := anthropic.Client{Options: anthropicOptions(c)}
		err = a.Get(ctx, "v1/models?limit=1000", nil, &answer)
	} else {
		o := openai.Client{Options: openaiOptions(c)}
		err = o.Get(ctx, "models", nil, &answer)
	}
	if err == nil && answer == nil {
		err = errors.New("the model's server gave no answer")
	}
	if err == nil {
		defer func() { _ = answer.Body.Close() }() // it was only read
		if err := json.NewDecoder(io.LimitReader(answer.Body, maxLine)).Decode(&list); err != nil {
			return nil, fmt.Errorf("the model's server did not tell its models: %s", shown(err.Error()))
		}
	}
	var status *statusError
	if errors.As(err, &status) {
		err = status // without what the SDK says around it
	}
	if err != nil {
		return nil, advised(c, err)
	}
	for _, m := range list.Data[:min(len(list.Data), maxModels)] {
		names = append(names, visible.Line(m.ID))
	}
	slices.Sort(names)
	return names, nil
}
