package model

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Provider is a service that runs models, and its URL. Empty fields have the provider's defaults.
// URLs come from here alone: a project's settings can change the environment of the agent and its
// hooks.
type Provider struct {
	Name       string   // one of wire.Names
	Model      string   // the model's name
	BaseURL    string   // URL of the API
	KeyCommand []string // a program and its arguments that print the key if the variable is not set
}

// known is a provider with all defaults applied.
type known struct {
	Provider
	host   wire.Provider
	source wire.Source
	modes  int // forms of structured output to try, best first
	send   func(context.Context, *providerRequest) (reply, error)
}

// complete applies the defaults. The provider is usable only without an error.
func (p Provider) complete() (known, error) {
	host, err := wire.Find(p.Name)
	k := known{Provider: p, host: host, source: wire.Source{Var: host.KeyVar, Command: p.KeyCommand}}
	if err != nil {
		return k, err
	}
	if k.modes, k.send = openAIModes, sendOpenAI; host.Anthropic {
		k.modes, k.send = anthropicModes, sendAnthropic
	}
	k.Model = cmp.Or(k.Model, host.Small)
	k.BaseURL, err = host.Address(p.BaseURL, !k.source.None())
	if err != nil {
		return k, fmt.Errorf("its baseURL: %w", err)
	}
	return k, nil
}

// id identifies the subject of a failure: another key, model or URL is another subject.
func (k *known) id(getenv func(string) string) string {
	key := ""
	if k.source.Set(getenv) {
		key = getenv(k.source.Var)
	}
	h := sha256.New()
	for _, s := range append([]string{k.Name, k.BaseURL, k.Model, key}, k.KeyCommand...) {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return k.Name + "-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// Limits on the size and time of a provider's response.
const (
	maxBody  = 1 << 20 // bytes
	tagsTime = 400 * time.Millisecond
)

// client returns the HTTP client for the provider. Responses are small and read completely.
func (k *known) client(key string) *wire.Client {
	c := &wire.Client{Anthropic: k.host.Anthropic, Most: maxBody, Buffer: true}
	if key != "" {
		c.Key = wire.Plain(key)
	}
	return c
}

// post sends a request and reads the response. It ignores a field of an unexpected type.
func (c *providerRequest) post(ctx context.Context, path string, doc, answer any) error {
	resp, err := c.client(c.key).Post(ctx, c.BaseURL, path, doc)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // it was read completely
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var typ *json.UnmarshalTypeError
	if err := json.Unmarshal(body, answer); err != nil && !errors.As(err, &typ) {
		return errBody
	}
	return nil
}

// local asks an Ollama server for its models, and returns the one to use.
func (k *known) local(ctx context.Context) (model string, err error) {
	ctx, cancel := context.WithTimeout(ctx, tagsTime)
	defer cancel()
	base := strings.TrimSuffix(k.BaseURL, "/v1")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/tags", http.NoBody)
	if err != nil {
		return "", errors.New("its baseURL is not a URL")
	}
	var tags struct {
		Models []struct{ Name, Model string }
	}
	resp, err := k.client("").Do(req)
	var f *wire.Fault
	switch {
	case errors.As(err, &f) && f.Status != 0:
		err = errors.New("the server at " + base + " is not Ollama")
	case err != nil:
		err = errors.New("nothing answers at " + base)
	default:
		defer func() { _ = resp.Body.Close() }()
		var b []byte
		if b, err = io.ReadAll(resp.Body); err == nil && json.Unmarshal(b, &tags) != nil {
			err = errors.New("the server at " + base + " is not Ollama")
		}
	}
	if err != nil {
		return "", err
	}
	for _, m := range tags.Models {
		switch {
		case k.Model == m.Name || k.Model+":latest" == m.Name:
			return m.Name, nil
		case k.Model == "" && !strings.Contains(m.Name, "embed"):
			return m.Name, nil
		}
	}
	if k.Model == "" {
		return "", errors.New("no model is installed: run `ollama pull MODEL`")
	}
	return "", errors.New("the model " + visible.Clip(k.Model, 80) + " is not installed: pull it with `ollama pull`")
}
