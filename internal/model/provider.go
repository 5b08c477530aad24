package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/visible"
)

// Provider is somebody who runs models, and how they are reached. What is empty is as
// the provider's documentation says.
type Provider struct {
	Name       string   // one of Names
	Model      string   // the model's name
	BaseURL    string   // where the API is
	KeyCommand []string // a program and its arguments that print the key
}

// kind is what is known of the providers of a name.
type kind struct {
	name   string
	keyVar string // environment variable with the key; "" if there is none
	base   string
	model  string
	modes  int // forms of structured output to try, the best first
	send   func(context.Context, *call) (reply, error)
}

// Base URLs come from the policy alone. The SDKs would take them from the environment,
// which a project's settings can change for the agent and its hooks.
var kinds = []kind{
	{"anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com", "claude-haiku-5-5", anthropicModes, sendAnthropic},
	{"github-models", "GITHUB_TOKEN", "https://models.github.ai/inference", "openai/gpt-4.1-mini", openAIModes, sendOpenAI},
	{"openai", "OPENAI_API_KEY", "https://api.openai.com/v1", "gpt-6-luna", openAIModes, sendOpenAI},
	{"openrouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", "openai/gpt-6-luna", openAIModes, sendOpenAI},
	{"ollama", "", "http://127.0.0.1:11434", "", openAIModes, sendOpenAI},
}

// Names returns the providers that there are.
func Names() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// known is a provider with everything filled in.
type known struct {
	Provider
	*kind
}

// complete fills in what is left out. The provider is usable only without an error.
func (p Provider) complete() (known, error) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == p.Name })
	if i < 0 {
		return known{p, &kind{name: p.Name}}, fmt.Errorf("it is not known: use %s", strings.Join(Names(), ", "))
	}
	k := known{p, &kinds[i]}
	if k.Model == "" {
		k.Model = k.model
	}
	if k.BaseURL == "" {
		k.BaseURL = k.base
	}
	k.BaseURL = strings.TrimSuffix(k.BaseURL, "/")
	if p.Name == "ollama" {
		k.BaseURL = strings.TrimSuffix(k.BaseURL, "/v1")
	}
	u, err := url.Parse(k.BaseURL)
	switch {
	case err != nil || u.Host == "":
		return k, errors.New("its baseURL is not a URL: write one such as https://host/path")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return k, errors.New("its baseURL has more than host and path: put the key into an environment variable or apiKeyCommand")
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
	case u.Scheme == "http" && k.keyVar == "" && len(p.KeyCommand) == 0: // there is no key to steal
	default:
		return k, errors.New("its baseURL would send the key unencrypted: use https")
	}
	return k, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// id names what a failure is about: with another key, model or address it is another
// thing that is tried.
func (k *known) id(getenv func(string) string) string {
	h := sha256.New()
	for _, s := range append([]string{k.name, k.BaseURL, k.Model, k.envKey(getenv)}, k.KeyCommand...) {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return k.name + "-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// Limits of a program that prints a key, and of a key.
const (
	keyTime = 3 * time.Second
	maxKey  = 4 << 10
)

// envKey returns the key in the environment, "" if there is none or none is needed.
func (k *known) envKey(getenv func(string) string) string {
	if k.keyVar == "" {
		return ""
	}
	return strings.TrimSpace(getenv(k.keyVar))
}

// hasKey reports whether a key is set up, or none is needed.
func (k *known) hasKey(getenv func(string) string) bool {
	return k.keyVar == "" || k.envKey(getenv) != "" || len(k.KeyCommand) > 0
}

// key returns the key, "" if none is needed, and says in words where it is from: the
// environment goes before apiKeyCommand.
func (k *known) key(ctx context.Context, getenv func(string) string) (key, from string, err error) {
	key = k.envKey(getenv)
	switch {
	case key != "":
		from = "$" + k.keyVar
	case len(k.KeyCommand) > 0:
		from = "what its apiKeyCommand prints"
		if key, err = runKey(ctx, k.KeyCommand); err != nil {
			return "", from, fmt.Errorf("its apiKeyCommand %w", err)
		}
	case k.keyVar == "":
		return "", "its server, which wants one", nil
	default:
		return "", "", fmt.Errorf("$%s is not set", k.keyVar)
	}
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", from, fmt.Errorf("%s is no key: it must be one word", from)
	}
	return key, from, nil
}

// runKey runs a program without a shell. What it says besides the key is not kept: it
// may be the key.
func runKey(ctx context.Context, argv []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = os.TempDir()
	if home, err := os.UserHomeDir(); err == nil {
		cmd.Dir = home // never the project: the agent can put programs there
	}
	cmd.WaitDelay = 100 * time.Millisecond // a child of it may hold the pipe
	var out limited
	cmd.Stdout = &out
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", errors.New("took too long")
	case out.full:
		return "", errors.New("printed too much")
	case err != nil:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return "", fmt.Errorf("failed: %s", exit.ProcessState)
		}
		return "", errors.New("could not be started: name its program by an absolute path")
	}
	return strings.TrimSpace(string(out.text)), nil
}

// limited keeps the beginning of what is written to it.
type limited struct {
	text []byte
	full bool
}

func (l *limited) Write(b []byte) (int, error) {
	if len(l.text)+len(b) > maxKey {
		l.full = true
	} else {
		l.text = append(l.text, b...)
	}
	return len(b), nil
}

// tagsTime is how long a local server may take to say which models it has.
const tagsTime = 400 * time.Millisecond

// local asks an Ollama which models it has, and returns the one to use.
func (k *known) local(ctx context.Context) (model string, err error) {
	ctx, cancel := context.WithTimeout(ctx, tagsTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.BaseURL+"/api/tags", nil)
	if err != nil {
		return "", errors.New("its baseURL is not a URL")
	}
	w := newWire()
	resp, err := w.client.Do(req)
	if err != nil {
		return "", errors.New("nothing answers at " + k.BaseURL)
	}
	defer func() { _ = resp.Body.Close() }()
	var tags struct {
		Models []struct{ Name, Model string }
	}
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&tags) != nil {
		return "", errors.New("what answers at " + k.BaseURL + " is no Ollama")
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
		return "", errors.New("it has no model: run `ollama pull` for one")
	}
	return "", errors.New("it has no model " + visible.Clip(k.Model, 80) + ": run `ollama pull` for it")
}

// wire is the way to a provider for one request, and what was seen on it.
type wire struct {
	client *http.Client
	status int
	header http.Header
}

// maxBody bounds what is read of a response, in bytes.
const maxBody = 1 << 20

var errHuge = fmt.Errorf("the response is larger than %d bytes", maxBody)
var errRedirect = errors.New("it redirects elsewhere: put the final address into baseURL")

func newWire() *wire {
	w := &wire{}
	w.client = &http.Client{
		Transport: w,
		// A key goes to the host that it is for. The header of one SDK would even follow.
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	return w
}

var transport = &http.Transport{
	Proxy:                  http.ProxyFromEnvironment,
	DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
	TLSHandshakeTimeout:    10 * time.Second,
	MaxResponseHeaderBytes: 64 << 10,
	IdleConnTimeout:        30 * time.Second,
	ForceAttemptHTTP2:      true,
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	w.status, w.header = resp.StatusCode, resp.Header
	resp.Body = &bounded{resp.Body, maxBody}
	return resp, nil
}

// bounded is a body that fails when it is too long.
type bounded struct {
	body interface {
		Read([]byte) (int, error)
		Close() error
	}
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errHuge
	}
	if len(p) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.body.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errHuge
	}
	return n, err
}

func (b *bounded) Close() error { return b.body.Close() }

// Endpoint is where a provider's models are, for callers that speak to it themselves.
type Endpoint struct {
	Anthropic bool   // it speaks Anthropic's Messages, otherwise OpenAI's Chat Completions
	Base      string // the address that those of requests begin with
	Chat      string // the address that requests go to
	Model     string
	KeyVar    string // the usual variable with the key, "" if none is needed
}

// Endpoint fills in what is left out, and refuses an address that would send a key
// unencrypted.
func (p Provider) Endpoint() (Endpoint, error) {
	k, err := p.complete()
	if err != nil {
		return Endpoint{}, fmt.Errorf("provider %s: %w", p.Name, err)
	}
	if k.Model == "" {
		return Endpoint{}, fmt.Errorf("provider %s: name a model", p.Name)
	}
	e := Endpoint{Anthropic: p.Name == "anthropic", Base: k.BaseURL, Model: k.Model, KeyVar: k.keyVar}
	if e.Anthropic || p.Name == "ollama" {
		e.Base += "/v1"
	}
	if e.Chat = e.Base + "/chat/completions"; e.Anthropic {
		e.Chat = e.Base + "/messages"
	}
	return e, nil
}
