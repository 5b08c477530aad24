package model

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Chain asks its providers in order until one answers.
type Chain struct {
	Providers []Provider
	Getenv    func(string) string
	Dir       string  // folder for failures; "" means none
	Budget    *Budget // optional

	now   func() time.Time // for tests
	clock *wire.Clock      // for tests
}

// providerRequest is one request to one provider.
type providerRequest struct {
	known
	req     Request
	key     string
	keyFrom string // source of the key, for errors
	mode    int    // form of structured output to request
}

// reply is a provider's response.
type reply struct {
	text  string // the answer
	used  wire.Tokens
	cost  Cost // reported by the provider; 0 if unknown
	whole bool // the model finished its answer
}

// fault is a provider's failure.
type fault struct {
	provider string
	text     string
	status   int           // HTTP status; 0 without a response
	retry    time.Duration // pause that the provider asked for
	err      error
}

func (f *fault) Error() string { return f.provider + ": " + f.text }
func (f *fault) Unwrap() error { return f.err }

// errBody means that a response violates the API.
var errBody = errors.New("the response does not match the API")

// tries is the number of attempts with the last provider. The others get one quick retry only: the
// next provider is the better second attempt.
const tries = 3

// retry controls retries. A person waits for the answer.
func (c *Chain) retry(others int) wire.Retry {
	r := wire.Retry{Tries: tries, First: 200 * time.Millisecond, Most: 2 * time.Second, After: 10 * time.Second, Clock: c.clock}
	if others > 0 {
		r.Tries, r.After = 2, time.Second
	}
	return r
}

// String names the possible sources of an answer: providers, models and URLs, in order.
func (c *Chain) String() string {
	var b strings.Builder
	for _, p := range c.Providers {
		k, _ := p.complete()
		fmt.Fprintf(&b, "%s %s %s\n", k.Name, k.Model, k.BaseURL)
	}
	return b.String()
}

// Ready reports whether a provider has complete settings and a key.
func (c *Chain) Ready() bool {
	return slices.ContainsFunc(c.Providers, func(p Provider) bool {
		k, err := p.complete()
		return err == nil && (k.host.KeyVar == "" || len(k.KeyCommand) > 0 || k.source.Set(c.Getenv))
	})
}

func (c *Chain) breaker() *breaker {
	b := &breaker{c.Dir, c.now}
	if b.now == nil {
		b.now = time.Now
	}
	return b
}

// Ask implements Asker. The deadline is the context's.
func (c *Chain) Ask(ctx context.Context, r Request) (Response, error) {
	if r.MaxTokens <= 0 {
		r.MaxTokens = 1024
	}
	b := c.breaker()
	records := b.load()
	type candidate struct {
		known
		id string
	}
	var open []candidate
	var faults []error
	for _, p := range c.Providers {
		k, err := p.complete()
		if err == nil && k.host.KeyVar != "" && len(k.KeyCommand) == 0 && !k.source.Set(c.Getenv) {
			continue // not set up, which is not a fault
		}
		id := k.id(c.Getenv)
		if wait := records[id].Until.Sub(b.now()); err == nil && wait > 0 {
			err = leftAlone(wait, records[id].Why)
		}
		if err != nil {
			faults = append(faults, &fault{provider: p.Name, text: err.Error(), err: err})
			continue
		}
		open = append(open, candidate{k, id})
	}
	for i, k := range open {
		if ctx.Err() != nil {
			break
		}
		share, cancel := shareOf(ctx, len(open)-i-1)
		a, err := c.try(share, b, k.known, k.id, records[k.id], r, len(open)-i-1)
		cancel()
		if err == nil || errors.Is(err, ErrAnswer) {
			return a, err
		}
		faults = append(faults, err)
	}
	if ctx.Err() != nil {
		faults = append(faults, errors.New("out of time"))
	}
	if len(faults) == 0 {
		return Response{}, ErrNone
	}
	return Response{}, fmt.Errorf("%w: %w", ErrNone, joined(faults))
}

// shareOf returns a time limit that leaves time for the providers after one that hangs.
func shareOf(ctx context.Context, others int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || others == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)*6/10)
}

// try asks one provider.
func (c *Chain) try(ctx context.Context, b *breaker, k known, id string, old record, r Request, others int) (Response, error) {
	unavailable := func(err error) (Response, error) {
		return Response{}, &fault{provider: k.Name, text: err.Error(), err: err}
	}
	key, err := k.source.Key(ctx, c.Getenv)
	if err != nil {
		return unavailable(err)
	}
	if k.Name == "ollama" {
		if k.Model, err = k.local(ctx); err != nil {
			return unavailable(err)
		}
	}
	for mode := min(old.Mode, k.modes-1); ; mode++ {
		cl := &providerRequest{known: k, req: r, key: key, keyFrom: k.source.From(c.Getenv), mode: mode}
		// A token has more than two bytes, in any language of commands.
		most := costOf(&k, wire.Tokens{In: int64(len(r.System)+len(r.User))/2 + 500, Out: int64(r.MaxTokens)})
		settle := func(Cost) {}
		var got reply
		err := c.retry(others).Do(ctx, func(ctx context.Context) (err error) {
			if c.Budget != nil { // each request counts
				if settle, err = c.Budget.Spend(ctx, most); err != nil {
					return err
				}
			}
			got, err = k.send(ctx, cl)
			var f *wire.Fault
			if errors.As(err, &f) && !f.Billed() {
				settle(0)
			}
			return err
		})
		if err != nil && errors.Is(ctx.Err(), context.Canceled) {
			return unavailable(ctx.Err()) // the caller has given up: not the provider's fault
		}
		if err != nil {
			if errors.Is(err, ErrBudget) {
				return unavailable(err)
			}
			f := cl.fault(ctx, err)
			if mode+1 < k.modes && (f.status == 400 || f.status == 422 || f.status == 404 && k.Name == "openrouter") {
				continue
			}
			b.failed(id, f)
			return Response{}, f
		}
		a := Response{Provider: k.Name, Model: k.Model, InputTokens: got.used.In, OutputTokens: got.used.Out, Cost: got.cost}
		if a.Cost <= 0 {
			a.Cost = costOf(&k, got.used)
		}
		settle(a.Cost)
		b.worked(id, old, mode)
		if !got.whole {
			return a, fmt.Errorf("%w: it was cut short or refused", ErrAnswer)
		}
		a.JSON = []byte(strings.TrimSpace(got.text))
		return a, r.Schema.Check(a.JSON)
	}
}

// costOf returns the cost of tokens. A model without a known price counts as expensive.
func costOf(k *known, t wire.Tokens) Cost {
	if k.Name == "ollama" {
		return 0
	}
	p, ok := wire.PriceOf(k.Model)
	if !ok {
		p = wire.Expensive
	}
	return p.Of(t)
}

// fault describes a failure, with the provider's message: the text is for the owner of the key.
func (c *providerRequest) fault(ctx context.Context, err error) *fault {
	f := &fault{provider: c.Name, err: err}
	var w *wire.Fault
	if !errors.As(err, &w) {
		if f.text = errBody.Error(); ctx.Err() != nil {
			f.text = "no answer in time"
		}
		return f
	}
	if f.status, f.retry = w.Status, min(w.After, retryMost); f.status < 400 {
		f.status = 0
	}
	switch w.Kind {
	case wire.KeyRefused:
		f.text = "the key was refused (" + strconv.Itoa(f.status) + "): look at " + c.keyFrom
	case wire.Redirected:
		f.text = "it redirects elsewhere: put the final address into baseURL"
	case wire.TooLarge:
		f.text = fmt.Sprintf("the response is larger than %d bytes", maxBody)
	case wire.Cut, wire.Malformed:
		f.text = errBody.Error()
	case wire.Silent:
		f.text = "no answer in time"
	case wire.Unreachable, wire.Untrusted, wire.Reset:
		f.text = visible.Clip(redact.String(fmt.Sprint(w.Err)), 200) + ": look at its baseURL in your policy, and whether a server is there"
	default:
		f.text = strings.TrimSpace(strconv.Itoa(f.status) + " " + http.StatusText(f.status))
		if w.Said != "" {
			f.text += ": " + visible.Clip(w.Said, 200)
		}
		if w.Kind == wire.NotFound {
			f.text += ": look at its model and baseURL in your policy"
		}
	}
	return f
}

// joined formats several errors on one line.
type joined []error

func (j joined) Error() string {
	s := make([]string, len(j))
	for i, err := range j {
		s[i] = err.Error()
	}
	return strings.Join(s, "; ")
}

func (j joined) Unwrap() []error { return j }

// Status describes whether a provider would be asked now, and why not.
type Status struct {
	Name      string    `json:"name"`
	Model     string    `json:"model,omitempty"`
	BaseURL   string    `json:"baseURL,omitempty"`
	Available bool      `json:"available"`
	Why       string    `json:"why,omitempty"`
	Until     time.Time `json:"until,omitzero"` // it is skipped until then
}

// Status reports the state of every provider, in order, without sending a request.
func (c *Chain) Status(ctx context.Context) (out []Status) {
	b := c.breaker()
	records := b.load()
	for _, p := range c.Providers {
		k, err := p.complete()
		s := Status{Name: p.Name, Model: k.Model, BaseURL: k.BaseURL}
		if err == nil {
			_, err = k.source.Key(ctx, c.Getenv)
		}
		if err == nil && k.Name == "ollama" {
			s.Model, err = k.local(ctx)
		}
		if r := records[k.id(c.Getenv)]; err == nil && r.Until.After(b.now()) {
			s.Until = r.Until
			err = errors.New("paused after: " + r.Why)
		}
		if s.Available = err == nil; err != nil {
			s.Why = err.Error()
		}
		out = append(out, s)
	}
	return out
}

// Local looks for an Ollama server: at the address in $OLLAMA_HOST, as Ollama reads it, or at its
// default address.
func Local(ctx context.Context, getenv func(string) string) Status {
	p := Provider{Name: "ollama", BaseURL: ollamaHost(getenv("OLLAMA_HOST"))}
	k, err := p.complete()
	s := Status{Name: p.Name, BaseURL: k.BaseURL}
	if err == nil {
		s.Model, err = k.local(ctx)
	}
	if s.Available = err == nil; err != nil {
		s.Why = err.Error()
	}
	return s
}

// Moved reports whether an address differs from the provider's default.
func (s *Status) Moved() bool {
	p, err := wire.Find(s.Name)
	return err == nil && s.BaseURL != p.Base
}

// ollamaHost converts $OLLAMA_HOST to a URL: it may be a host, a port or a URL. A server that
// listens on all addresses is asked on this machine.
func ollamaHost(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil {
		return s // complete reports the fault
	}
	host, port := u.Hostname(), u.Port()
	if anyof.Equal(host, "", "0.0.0.0", "::") {
		host = "127.0.0.1"
	}
	if port == "" {
		if port = "11434"; u.Scheme == "https" {
			port = "443"
		}
	}
	u.Host = net.JoinHostPort(host, port)
	return u.String()
}
