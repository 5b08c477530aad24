package gateway

import (
	"bytes"
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

// Webhook is an address that is told when a question waits for people, and when it is
// settled. It comes from whoever runs the gateway, and from nobody else.
type Webhook struct {
	URL    string
	Secret string // signs what is sent; nothing is signed if empty
	Slack  bool   // the body is what Slack's incoming webhooks take

	pause time.Duration // before the second try; doubled before each further one
}

// How notifications are sent.
const (
	webhookRecord = "webhook"
	hookTries     = 6
	hookWithin    = 10 * time.Second // one try
	hookPause     = time.Second
	hookOld       = time.Hour // what is older is news no more
)

// ParseWebhook reads an address. With "slack+" before it, the body is Slack's.
func ParseWebhook(text, secret string) (Webhook, error) {
	rest, slack := strings.CutPrefix(text, "slack+")
	u, err := url.Parse(rest)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return Webhook{}, fmt.Errorf("%q is no address for notifications: use https://, or slack+https://", visible.Line(text))
	}
	return Webhook{URL: rest, Secret: secret, Slack: slack}, nil
}

// notify tells a webhook of what happens, until ctx ends. Of several gateways that share
// a store one tells each event, and tries again for a while if nobody listens.
func (g *Gateway) notify(ctx context.Context, h Webhook) {
	if h.pause == 0 {
		h.pause = hookPause
	}
	id := hashToken(h.URL)[:16]
	// No redirect is followed: it would lead where the operator did not say.
	client := &http.Client{Timeout: hookWithin, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	after := g.from
	if head, err := g.store.Head(ctx); err == nil {
		after = head
	}
	for ctx.Err() == nil {
		changed, stop := g.store.Changed("")
		events, err := g.store.Events(ctx, after, 100)
		for _, e := range events {
			after = e.Seq
			if body := g.notice(ctx, h, e); body != nil && g.first(ctx, id, e.Seq) {
				err := h.send(ctx, client, e.Seq, body)
				g.metrics.notices.WithLabelValues(map[bool]string{true: "delivered", false: "failed"}[err == nil]).Inc()
				if err != nil && ctx.Err() == nil {
					g.log.Warn("a notification could not be delivered", "host", hostOf(h.URL), "event", e.Seq, "error", err)
				}
			}
		}
		if len(events) > 0 && err == nil {
			stop()
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
		stop()
	}
}

// hostOf is all of a webhook's address that a log may have: the path is often its secret.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// first reports whether this gateway is the one that tells an event.
func (g *Gateway) first(ctx context.Context, id string, seq int64) bool {
	err := g.store.Transact(ctx, func(t *store.Tx) error {
		old, err := t.Get(webhookRecord, id)
		if err != nil {
			return err
		}
		var told int64
		if old != nil {
			if err := json.Unmarshal(old, &told); err != nil {
				return err
			}
		}
		if told >= seq {
			return errUnchanged
		}
		return t.Put(webhookRecord, id, json.RawMessage(strconv.FormatInt(seq, 10)))
	})
	if err != nil && !errors.Is(err, errUnchanged) && ctx.Err() == nil {
		g.log.Error("a notification is left out", "error", err)
	}
	return err == nil
}

// notice is what a webhook is told of an event, nil if nothing: only what people had to
// decide. Secrets in what the agent wants are masked.
func (g *Gateway) notice(ctx context.Context, h Webhook, e approval.Event) []byte {
	if e.Kind != "request" && e.Kind != "resolve" && e.Kind != "vote" || g.now().Sub(e.At) > hookOld {
		return nil
	}
	r, err := g.store.Get(ctx, e.Request)
	if err != nil || e.Kind == "request" && r.State != approval.Pending || e.Kind == "resolve" && r.Resolved.Equal(r.Created) {
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
		// The agent wrote this: in Slack these three make links and call people.
		out = map[string]string{"text": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)}
	} else {
		out = map[string]any{"type": e.Kind, "event": e.Seq, "at": e.At.UnixMilli(), "request": map[string]any{
			"id": r.ID, "seq": r.Seq, "category": r.Category, "action": mask(r.Action, 1000), "description": mask(r.Description, 1000), "reason": mask(r.Reason, 1000),
			"status": r.State, "agent": r.Agent, "operator": r.Operator, "resolvedBy": r.ResolvedBy, "createdAt": r.Created.UnixMilli(), "expiresAt": r.Expires.UnixMilli(),
		}}
	}
	body, err := json.Marshal(out)
	if err != nil {
		return nil // texts and numbers always marshal
	}
	return body
}

// errGivenUp says that another try would not help.
var errGivenUp = errors.New("the receiver refuses it")

// send delivers a body, and tries again with growing pauses.
func (h Webhook) send(ctx context.Context, client *http.Client, seq int64, body []byte) error {
	var err error
	for i := range hookTries {
		if i > 0 {
			select {
			case <-time.After(h.pause << (i - 1)):
			case <-ctx.Done():
				return ctx.Err()
			}
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
		req.Header.Set("Umpire-Signature", "v1="+Sign(h.Secret, at, body))
	}
	res, err := client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) { // it would tell the whole address
			err = u.Err
		}
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // so that the connection is used again
	_ = res.Body.Close()
	switch {
	case res.StatusCode < 300:
		return nil
	case res.StatusCode >= 500, res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusRequestTimeout:
		return errors.New(res.Status)
	}
	return fmt.Errorf("%w: %s", errGivenUp, res.Status)
}

// Sign is the signature of a notification: HMAC-SHA-256 over its time and its body, in hex.
func Sign(secret, at string, body []byte) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(at + "."))
	m.Write(body)
	return hex.EncodeToString(m.Sum(nil))
}
