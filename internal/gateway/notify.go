package gateway

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Webhook is an address that receives a message when a request waits for people, and when it is
// settled. Only the operator of the gateway can configure it.
type Webhook struct {
	URL    string
	Secret string // key of the signature; unsigned if empty
	Slack  bool   // the body has the form of Slack's incoming webhooks

	pause time.Duration // before the second try; doubled before each further one
}

// Limits and times of notifications.
const (
	webhookRecord = "webhook"
	hookTries     = 6
	hookWithin    = 10 * time.Second // timeout of one try
	hookPause     = time.Second
	hookOld       = time.Hour        // age after which an event is not sent
	hookLease     = time.Minute      // longer than one try with the longest pause
	hookLook      = 10 * time.Second // how often other gateways check whether the sender is gone
)

// ParseWebhook parses an address. The prefix "slack+" selects the form of Slack's webhooks.
func ParseWebhook(text, secret string) (Webhook, error) {
	rest, slack := strings.CutPrefix(text, "slack+")
	u, err := url.Parse(rest)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return Webhook{}, fmt.Errorf("%q is not an address for notifications: use https://, or slack+https://", visible.Line(text))
	}
	return Webhook{URL: rest, Secret: secret, Slack: slack}, nil
}

// progress is the last event that a webhook received. The gateway that holds the lease sends. After
// the lease expires, another one continues from the same event, so that each event is sent at least
// once.
type progress struct {
	Told  int64  `json:"told"` // the last event that was handled
	Node  string `json:"node"`
	Until int64  `json:"until"` // milliseconds
}

// notify sends events to a webhook until ctx ends. Of several gateways on one store only one sends.
// It retries for a while if the receiver does not answer.
func (g *Gateway) notify(ctx context.Context, h Webhook) {
	h.pause = cmp.Or(h.pause, hookPause)
	id := hashToken(h.URL)[:16]
	// Follow no redirect: it would lead to an address that the operator did not choose.
	client := &http.Client{Timeout: hookWithin, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		changed, stop := g.store.Changed("")
		more, err := g.tellHook(ctx, h, id, client)
		if err != nil && !errors.Is(err, errUnchanged) && ctx.Err() == nil {
			g.log.Error("notifications wait for the database", "error", err)
		}
		if err == nil && more {
			stop()
			continue
		}
		select {
		case <-changed:
		case <-time.After(hookLook):
		case <-ctx.Done():
		}
		stop()
	}
}

// tellHook sends the next events, if this gateway holds the webhook.
func (g *Gateway) tellHook(ctx context.Context, h Webhook, id string, client *http.Client) (more bool, err error) {
	p := progress{Told: g.head}
	rec, err := g.store.Record(ctx, webhookRecord, id)
	if err == nil {
		err = json.Unmarshal(rec.Body, &p)
	}
	if err != nil && !errors.Is(err, store.ErrNoRecord) {
		return false, err
	}
	events, err := g.store.Events(ctx, p.Told, 100)
	if err != nil || len(events) == 0 {
		return false, err // do not write to the store: that would wake this up again
	}
	after, err := g.holdHook(ctx, id, p.Told)
	if errors.Is(err, errUnchanged) {
		return false, nil // another gateway sends
	}
	if err != nil || after != p.Told {
		return err == nil, err
	}
	for _, e := range events {
		body := g.notice(ctx, h, e)
		if body != nil {
			sent := h.send(ctx, client, e.Seq, body, func() bool {
				_, err := g.holdHook(ctx, id, 0)
				return !errors.Is(err, errUnchanged)
			})
			if ctx.Err() != nil || errors.Is(sent, errUnchanged) {
				return false, sent // the gateway that continues will send it
			}
			g.metrics.notices.WithLabelValues(map[bool]string{true: "delivered", false: "failed"}[sent == nil]).Inc()
			if sent != nil {
				g.log.Warn("a notification could not be delivered", "host", hostOf(h.URL), "event", e.Seq, "error", sent)
			}
		}
		if body == nil && e.Seq != events[len(events)-1].Seq {
			continue
		}
		if _, err := g.holdHook(ctx, id, e.Seq); err != nil {
			if errors.Is(err, errUnchanged) {
				err = nil
			}
			return false, err
		}
	}
	return true, nil
}

// holdHook takes or renews the lease of a webhook, and returns its last event. It returns
// errUnchanged if another gateway has the lease.
func (g *Gateway) holdHook(ctx context.Context, id string, told int64) (after int64, err error) {
	err = g.store.Transact(ctx, func(t *store.Tx) error {
		old, err := t.Get(webhookRecord, id)
		if err != nil {
			return err
		}
		p := progress{Told: g.head}
		if old != nil {
			if err := json.Unmarshal(old, &p); err != nil {
				return err
			}
		}
		if p.Node != g.node && g.shared && t.Now().UnixMilli() < p.Until {
			return errUnchanged
		}
		p.Told, p.Node, p.Until = max(p.Told, told), g.node, t.Now().Add(hookLease).UnixMilli()
		after = p.Told
		body := encode(p)
		return t.Put(webhookRecord, id, body)
	})
	return after, err
}

// hostOf returns the host of a webhook's address. The log must not have more: the path is often its
// secret.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// notice returns the message to a webhook about an event, or nil: it tells only of requests that
// people had to decide. It masks secrets in the agent's words.
func (g *Gateway) notice(ctx context.Context, h Webhook, e approval.ChainEvent) []byte {
	if e.Kind != "request" && e.Kind != "resolve" && e.Kind != "vote" || g.now().Sub(e.At) > hookOld {
		return nil
	}
	r, err := g.store.Get(ctx, e.Request)
	var then struct { // the status at that time: the request may be settled by now
		Status approval.State `json:"status"`
	}
	if err == nil {
		err = json.Unmarshal(e.Data, &then)
	}
	if err != nil || e.Kind == "request" && then.Status != approval.Pending || e.Kind == "resolve" && r.Resolved.Equal(r.Created) {
		return nil
	}
	mask := func(s string, n int) string { return visible.Clip(redact.Command(s), n) }
	var out any
	if h.Slack {
		text := fmt.Sprintf("req-%d waits: %s: %s", r.Seq, r.Category, mask(r.Action, 300))
		if e.Kind != "request" {
			text = fmt.Sprintf("req-%d is %s: %s: %s", r.Seq, r.State, r.Category, mask(r.Action, 300))
			if r.Operator != "" {
				text += " (by " + mask(r.Operator, 80) + ")"
			}
		}
		// The agent wrote this text, and in Slack these three characters make links and mention
		// people.
		out = map[string]string{"text": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)}
	} else {
		out = map[string]any{"type": e.Kind, "event": e.Seq, "at": e.At.UnixMilli(), "request": map[string]any{
			"id": r.ID, "seq": r.Seq, "category": r.Category, "action": mask(r.Action, 1000), "description": mask(r.Description, 1000), "reason": mask(r.Reason, 1000),
			"status": r.State, "agent": r.Agent, "operator": r.Operator, "resolvedBy": r.ResolvedBy, "createdAt": r.Created.UnixMilli(), "expiresAt": r.Expires.UnixMilli(),
		}}
	}
	body := encode(out)
	return body
}

// errGivenUp means that another try would not help.
var errGivenUp = errors.New("the receiver refuses it")

// send delivers a body, with growing pauses between the tries. It returns errUnchanged if mine
// reports that another gateway has the lease by then.
func (h Webhook) send(ctx context.Context, client *http.Client, seq int64, body []byte, mine func() bool) error {
	var err error
	for i := range hookTries {
		if i > 0 {
			select {
			case <-time.After(h.pause << (i - 1)):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if i > 0 && !mine() {
			return errUnchanged
		}
		if err = h.try(ctx, client, seq, body); err == nil || errors.Is(err, errGivenUp) {
			return err
		}
	}
	return err
}

func (h Webhook) try(ctx context.Context, client *http.Client, seq int64, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return errors.Join(errGivenUp, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "umpire")
	req.Header.Set("Umpire-Event", strconv.FormatInt(seq, 10))
	if h.Secret != "" {
		at := strconv.FormatInt(time.Now().Unix(), 10)
		req.Header.Set("Umpire-Timestamp", at)
		req.Header.Set("Umpire-Signature", "v1="+signPayload(h.Secret, at, body))
	}
	res, err := client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) { // it contains the complete address
			err = u.Err
		}
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // so that the connection can be reused
	_ = res.Body.Close()
	switch {
	case res.StatusCode < 300:
		return nil
	case res.StatusCode >= 500, res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusRequestTimeout:
		return errors.New(res.Status)
	}
	return fmt.Errorf("%w: %s", errGivenUp, res.Status)
}

// signPayload returns the signature of a notification: HMAC-SHA-256 over its time and its body, in hex.
func signPayload(secret, at string, body []byte) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(at + "."))
	m.Write(body)
	return hex.EncodeToString(m.Sum(nil))
}
