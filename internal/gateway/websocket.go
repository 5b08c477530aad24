package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits on a WebSocket.
const (
	maxMessage  = 64 << 10
	writeWithin = 10 * time.Second
	pingEvery   = 30 * time.Second
)

// websocket sends all changes to an operator's program, and receives its answers. It follows the
// store's events, so that it also sends changes by other gateways.
func (g *Gateway) websocket(w http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	// The library refuses other origins.
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return 0, nil, nil //nolint:nilerr // the library has answered
	}
	defer func() { _ = c.CloseNow() }()
	c.SetReadLimit(maxMessage)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		defer cancel()
		g.listen(ctx, c, r)
	}()
	g.sendUpdates(ctx, c, r)
	if ended(ctx) != nil {
		_ = c.Close(websocket.StatusPolicyViolation, "the token was revoked or has expired")
		return 0, nil, nil
	}
	_ = c.Close(websocket.StatusNormalClosure, "")
	return 0, nil, nil
}

// send writes one message. It gives up a client that does not accept it in time.
func send(ctx context.Context, c *websocket.Conn, kind string, data any) error {
	b, err := json.Marshal(map[string]any{"type": kind, "data": data})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	return c.Write(ctx, websocket.MessageText, visible.JSON(b))
}

// sendUpdates sends the current state, and then every change.
func (g *Gateway) sendUpdates(ctx context.Context, c *websocket.Conn, r *http.Request) {
	var after int64
	if last, err := g.store.Head(ctx); err == nil {
		after = last
	}
	pending, err := g.store.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Fair: true, Limit: pendingShown})
	if err != nil {
		return
	}
	shown, err := g.forPeople(ctx, pending...)
	if err != nil {
		return
	}
	config, err := g.Config(ctx)
	if err != nil || send(ctx, c, "init", map[string]any{"pending": shown, "config": config, "rules": config["rules"]}) != nil {
		return
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		changed, stop := g.store.Changed("")
		events, err := g.store.Events(ctx, after, 1000)
		if err != nil {
			stop()
			return
		}
		for _, e := range events {
			after = e.Seq
			if _, err := g.still(r, Operator, Viewer); err != nil || g.pass(ctx, c, e) != nil {
				stop()
				return
			}
		}
		if len(events) > 0 {
			stop()
			continue
		}
		select {
		case <-changed:
		case <-ping.C:
			stop()
			wait, cancel := context.WithTimeout(ctx, writeWithin)
			err := c.Ping(wait)
			cancel()
			if err != nil {
				return
			}
		case <-g.stopped:
			stop()
			_ = send(ctx, c, "shutdown", map[string]string{"reason": *g.reason.Load()})
			return
		case <-ctx.Done():
			stop()
			return
		}
	}
}

// pass sends one event in the form of the protocol.
func (g *Gateway) pass(ctx context.Context, c *websocket.Conn, e approval.ChainEvent) error {
	switch e.Kind {
	case "request", "resolve", "vote":
		r, err := g.store.Get(ctx, e.Request)
		if err != nil {
			return err
		}
		kind := e.Kind
		if kind == "vote" {
			kind = "request"
		}
		shown, err := g.forPeople(ctx, r)
		if err != nil {
			return err
		}
		return send(ctx, c, kind, shown[0])
	case "rules":
		body, err := g.rulesBody(ctx)
		if err != nil {
			return err
		}
		return send(ctx, c, "rules", body)
	}
	return nil
}

// listen receives answers, and skips messages that are not JSON.
func (g *Gateway) listen(ctx context.Context, c *websocket.Conn, r *http.Request) {
	for {
		_, data, err := c.Read(ctx)
		if err != nil {
			return
		}
		var m struct {
			Type string `json:"type"`
			ID   string `json:"id"`
			sentReply
		}
		if json.Unmarshal(data, &m) != nil {
			continue
		}
		p, err := g.still(r, Operator, Viewer) // check the token again for each message
		if err != nil {
			return
		}
		reply, fault := m.reply()
		reply.ResolvedBy = approval.ByWeb
		err = errForbidden
		if _, ok := g.limits.allow(p.ID); !ok {
			g.metrics.refused.Inc()
			err = errTooMany
		} else if twice := jsonfault.Ambiguous(data); twice != nil {
			err = bad("%v", twice)
		} else if fault != nil {
			err = fault
		} else if m.Type != "approve" && m.Type != "deny" {
			err = bad("unknown type %q: use approve or deny", visible.Clip(m.Type, 40))
		} else if p.Role.May(Approver) {
			_, err = g.Answer(ctx, p, m.ID, m.Type == "approve", reply)
		}
		if err != nil {
			status, msg := Status(err)
			if status >= http.StatusInternalServerError {
				g.log.Error("an answer failed", "request", m.ID, "error", err)
			}
			body, _ := json.Marshal(map[string]string{"type": "error", "id": m.ID, "error": msg})
			wait, cancel := context.WithTimeout(ctx, writeWithin)
			err = c.Write(wait, websocket.MessageText, body)
			cancel()
			if err != nil {
				return
			}
		}
	}
}
