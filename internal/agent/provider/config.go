package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Config selects a model. An empty field means the provider's default.
type Config struct {
	Provider string // one of wire.Names
	Model    string
	BaseURL  string
	Key      string

	Secret wire.Key      // used instead of Key, for a key in locked memory
	Retry  wire.Retry    // five times if zero
	Idle   time.Duration // how long a server may send nothing; the default of package wire if 0

	keyVar, baseVar string // names of the variables for Key and BaseURL, for error messages
}

// ErrNoKey means that a Config lacks only the key.
var ErrNoKey = errors.New("there is no key")

// FromEnv completes a Config from PROVIDER, MODEL_ID and the provider's variables. The error names
// the wrong or missing setting.
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
	p, err := wire.Find(c.Provider)
	if err != nil {
		return c, fmt.Errorf("PROVIDER, or --provider: %w", err)
	}
	c.keyVar, c.baseVar = p.KeyVar, p.BaseVar
	if c.Model = first(c.Model, getenv("MODEL_ID"), p.Model); c.Model == "" {
		return c, fmt.Errorf("provider %s: name a model with MODEL_ID or --model", p.Name)
	}
	own := ""
	if p.BaseVar != "" {
		own = getenv(p.BaseVar)
	}
	source := wire.Source{Var: p.KeyVar}
	if c.Key == "" && source.Set(getenv) {
		if c.Key, err = source.Key(context.Background(), getenv); err != nil {
			return c, err
		}
	}
	if c.BaseURL, err = p.Address(first(c.BaseURL, own), c.Key != ""); err != nil {
		return c, fmt.Errorf("provider %s: base address %q: %w; set it by %s", p.Name, c.BaseURL, err, c.baseFrom())
	}
	if c.Key == "" && p.KeyNeeded(c.BaseURL) {
		return c, doclink.Wrap(fmt.Errorf("%w for the provider %s: set %s, or choose another by --provider or PROVIDER (%s)", ErrNoKey, c.Provider, p.KeyVar, strings.Join(wire.Names(), ", ")), doclink.Key)
	}
	return c, nil
}

// baseFrom describes where the URL was set.
func (c *Config) baseFrom() string {
	if c.baseVar == "" {
		return "--base-url"
	}
	return c.baseVar + " or --base-url"
}

// New returns the model of a Config that FromEnv completed.
func New(c Config) (agent.Model, error) {
	p, err := wire.Find(c.Provider)
	if err != nil {
		return nil, err
	}
	if p.Anthropic {
		return &messages{c}, nil
	}
	return &chat{c}, nil
}

// client returns the HTTP client for the provider.
func (c *Config) client() *wire.Client {
	w := &wire.Client{Anthropic: c.Provider == "anthropic", Key: c.Secret, Idle: c.Idle, Line: maxLine, Most: maxStream}
	if w.Key == nil && c.Key != "" {
		w.Key = wire.Plain(c.Key)
	}
	return w
}

// maxModels limits a provider's list of models.
const maxModels = 2000

// Models returns the names of the models that a provider has.
func Models(ctx context.Context, c Config) (names []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	address := c.BaseURL + "/models"
	if c.Provider == "anthropic" {
		address = c.BaseURL + "/v1/models?limit=1000"
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	w := c.client()
	w.Buffer, w.Most = true, maxLine
	err = wire.Retry{Tries: 3}.Do(ctx, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		if err != nil {
			return err
		}
		answer, err := w.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = answer.Body.Close() }()
		b, err := io.ReadAll(answer.Body)
		if err == nil {
			if e := json.Unmarshal(b, &list); e != nil {
				return fmt.Errorf("the model's server did not list its models: %s", visible.Clip(e.Error(), 200))
			}
		}
		return err
	})
	if err != nil {
		return nil, advised(c, err)
	}
	for _, m := range list.Data[:min(len(list.Data), maxModels)] {
		names = append(names, visible.Line(m.ID))
	}
	slices.Sort(names)
	return names, nil
}
