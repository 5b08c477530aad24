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

	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Chain asks one provider after the other until one answers.
type Chain struct {
	Providers []Provider
	Getenv    func(string) string
	Dir       string  // where failures are remembered; "" nowhere
	Budget    *Budget // nil for none

	now func() time.Time // for tests
}

// call is one request to one provider.
type call struct {
	known
	req     Request
	key     string
	keyFrom string // in words, for errors
	mode    int    // which form of structured output is asked for
	wire    *wire
}

// reply is what a provider said.
type reply struct {
	text    string // the answer
	in, out int64  // tokens
	cost    Cost   // as the provider says it; 0 if it does not
	whole   bool   // the model said all that it wanted
}

// fault is a provider's failure.
type fault struct {
	provider string
	text     string
	status   int           // of HTTP; 0 if it did not come so far
	retry    time.Duration // what the provider asked to wait
	err      error
}

func (f *fault) Error() string { return f.provider + ": " + f.text }
func (f *fault) Unwrap() error { return f.err }

// errBody is returned for a response that is not what the API promises.
var errBody = errors.New("the response is not what its API promises")

// String names who may answer: providers, models and addresses in order.
func (c *Chain) String() string {
	var b strings.Builder
	for _, p := range c.Providers {
		k, _ := p.complete()
		fmt.Fprintf(&b, "%s %s %s\n", k.Name, k.Model, k.BaseURL)
	}
	return b.String()
}

func (c *Chain) breaker() *breaker {
	b := &breaker{c.Dir, c.now}
	if b.now == nil {
		b.now = time.Now
	}
	return b
}

// Ask implements Asker. The deadline is the context's.
func (c *Chain) Ask(ctx context.Context, r Request) (Answer, error) {
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
		if err == nil && !k.hasKey(c.Getenv) {
			continue // not set up, which is no fault
		}
		id := k.id(c.Getenv)
		if wait := records[id].Until.Sub(b.now()); err == nil && wait > 0 {
			err = fmt.Errorf("it is left alone for %s after: %s", wait.Round(time.Second), records[id].Why)
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
		a, err := c.try(share, b, k.known, k.id, records[k.id], r)
		cancel()
		if err == nil || errors.Is(err, ErrAnswer) {
			return a, err
		}
		faults = append(faults, err)
	}
	if ctx.Err() != nil {
		faults = append(faults, errors.New("no time is left"))
	}
	if len(faults) == 0 {
		return Answer{}, ErrNone
	}
	return Answer{}, fmt.Errorf("%w: %w", ErrNone, joined(faults))
}

// shareOf leaves time for those who come after a provider that hangs.
func shareOf(ctx context.Context, others int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || others == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)*6/10)
}

// try asks one provider.
func (c *Chain) try(ctx context.Context, b *breaker, k known, id string, old record, r Request) (Answer, error) {
	unavailable := func(err error) (Answer, error) {
		return Answer{}, &fault{provider: k.name, text: err.Error(), err: err}
	}
	key, from, err := k.key(ctx, c.Getenv)
	if err != nil {
		return unavailable(err)
	}
	if k.name == "ollama" {
		if k.Model, err = k.local(ctx); err != nil {
			return unavailable(err)
		}
	}
	for mode := min(old.Mode, k.modes-1); ; mode++ {
		cl := &call{known: k, req: r, key: key, keyFrom: from, mode: mode, wire: newWire()}
		// A token has more than two bytes, in any language that a command is written in.
		most := costOf(k.name, k.Model, int64(len(r.System)+len(r.User))/2+500, int64(r.MaxTokens))
		settle := func(Cost) {}
		if c.Budget != nil {
			if settle, err = c.Budget.Spend(ctx, most); err != nil {
				return unavailable(err)
			}
		}
		got, err := k.send(ctx, cl)
		if err != nil && errors.Is(ctx.Err(), context.Canceled) {
			return unavailable(ctx.Err()) // nobody waits any more: that is not the provider's fault
		}
		if err != nil {
			f := cl.fault(ctx, err)
			if f.status >= 400 {
				settle(0) // what is refused is not paid for
			}
			if mode+1 < k.modes && (f.status == 400 || f.status == 422 || f.status == 404 && k.name == "openrouter") {
				continue
			}
			b.failed(id, f)
			return Answer{}, f
		}
		a := Answer{Provider: k.name, Model: k.Model, InputTokens: got.in, OutputTokens: got.out, Cost: got.cost}
		if a.Cost <= 0 {
			a.Cost = costOf(k.name, k.Model, got.in, got.out)
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

// fault tells what went wrong. A server that is not what it seems may put anything into
// its error, the key that it was sent among it.
func (c *call) fault(ctx context.Context, err error) *fault {
	f := &fault{provider: c.name, status: c.wire.status, err: err}
	if f.status < 400 {
		f.status = 0
	}
	if f.status != 0 {
		f.retry = retryAfter(c.wire.header, time.Now())
	}
	var u *url.Error
	switch {
	case f.status == 401 || f.status == 403:
		f.text = "the key was refused (" + strconv.Itoa(f.status) + "): look at " + c.keyFrom
	case f.status != 0:
		f.text = strings.TrimSpace(strconv.Itoa(f.status) + " " + http.StatusText(f.status))
		if said := c.said(err); said != "" {
			f.text += ": " + said
		}
		if f.status == 404 {
			f.text += ": look at its model and baseURL in your policy"
		}
	case ctx.Err() != nil:
		f.text = "no answer in time"
	case errors.Is(err, errRedirect):
		f.text = errRedirect.Error()
	case errors.Is(err, errHuge):
		f.text = errHuge.Error()
	case c.wire.status != 0:
		f.text = errBody.Error()
	case errors.As(err, &u):
		f.text = c.masked(u.Err.Error()) + ": look at its baseURL in your policy, and whether a server is there"
	default:
		f.text = c.masked(err.Error())
	}
	return f
}

func (c *call) masked(s string) string {
	if c.key != "" {
		s = strings.ReplaceAll(s, c.key, "[masked]")
	}
	return visible.Clip(redact.String(s), 200)
}

// retryAfter reads how long a provider asks to be left alone.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if n, err := strconv.ParseFloat(v, 64); err == nil && n > 0 {
		return time.Duration(min(n, retryMost.Seconds()) * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return min(t.Sub(now), retryMost)
	}
	return 0
}

// joined is several errors on one line.
type joined []error

func (j joined) Error() string {
	s := make([]string, len(j))
	for i, err := range j {
		s[i] = err.Error()
	}
	return strings.Join(s, "; ")
}

func (j joined) Unwrap() []error { return j }

// Status is whether a provider would be asked now, and why not.
type Status struct {
	Name      string    `json:"name"`
	Model     string    `json:"model,omitempty"`
	BaseURL   string    `json:"baseURL,omitempty"`
	Available bool      `json:"available"`
	Why       string    `json:"why,omitempty"`
	Until     time.Time `json:"until,omitzero"` // it is left alone before
}

// Status looks at every provider, in order. It asks none of them for an answer.
func (c *Chain) Status(ctx context.Context) (out []Status) {
	b := c.breaker()
	records := b.load()
	for _, p := range c.Providers {
		k, err := p.complete()
		s := Status{Name: p.Name, Model: k.Model, BaseURL: k.BaseURL}
		if err == nil {
			_, _, err = k.key(ctx, c.Getenv)
		}
		if err == nil && k.name == "ollama" {
			s.Model, err = k.local(ctx)
		}
		if r := records[k.id(c.Getenv)]; err == nil && r.Until.After(b.now()) {
			s.Until = r.Until
			err = errors.New("it is left alone for a while after: " + r.Why)
		}
		if s.Available = err == nil; err != nil {
			s.Why = err.Error()
		}
		out = append(out, s)
	}
	return out
}

// Local looks for an Ollama: at the address that $OLLAMA_HOST names, as Ollama's own
// programs read it, or at its default address.
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

// Moved reports whether an address is another than the provider's own.
func (s *Status) Moved() bool {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == s.Name })
	return i >= 0 && s.BaseURL != kinds[i].base
}

// ollamaHost makes an address of what $OLLAMA_HOST says: a host, a port or a URL. A server
// that listens everywhere is asked on this machine.
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
		return s // complete says what is wrong with it
	}
	host, port := u.Hostname(), u.Port()
	switch host {
	case "", "0.0.0.0", "::":
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
