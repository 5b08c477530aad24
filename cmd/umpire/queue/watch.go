package queue

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/visible"
)

const watchHelp = "a ID: approve; d ID: deny; aa ID: approve always; A or D CATEGORY: approve or deny all listed requests of a category; l: list; q: quit"

// requestList is the state of `umpire queue watch`: the requests on display.
type requestList struct {
	f    *gatewayFlags
	out  io.Writer
	open []Request
}

// newQueueWatch returns `umpire queue watch`.
func newQueueWatch(f *gatewayFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "watch",
		Short: "Show requests as they arrive, and answer them",
		Long:  "Show requests as they arrive and as they are settled. Type an answer and Enter:\n" + watchHelp + ".\n\nWith --json, each change is a line of JSON. The command fails when the gateway shuts down.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			secret, err := gatewayclient.OperatorToken()
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			dial, stop := context.WithTimeout(ctx, 30*time.Second)
			defer stop()
			c, res, err := websocket.Dial(dial, gatewayclient.URL(f.server)+"/ws", &websocket.DialOptions{HTTPClient: gatewayclient.OperatorClient(secret), HTTPHeader: http.Header{"Authorization": {"Bearer " + secret}}})
			if res != nil && res.Body != nil {
				defer func() { _ = res.Body.Close() }()
			}
			if err != nil {
				return gatewayclient.Unreachable(err)
			}
			defer func() { _ = c.CloseNow() }()
			c.SetReadLimit(gatewayclient.MaxAnswer)
			messages, gone := make(chan []byte), make(chan error, 1)
			go func() {
				for {
					_, data, err := c.Read(ctx)
					if err != nil {
						gone <- err
						return
					}
					select {
					case messages <- data:
					case <-ctx.Done():
						return
					}
				}
			}()
			lines := make(chan string)
			go func() {
				in := bufio.NewScanner(cmd.InOrStdin())
				for in.Scan() {
					select {
					case lines <- in.Text():
					case <-ctx.Done():
						return
					}
				} // at the end of the input, only show the requests
			}()
			w := &requestList{f: f, out: cmd.OutOrStdout()}
			for {
				select {
				case data := <-messages:
					if f.json {
						fmt.Fprintf(w.out, "%s\n", data)
					}
					if err := w.update(data); err != nil {
						return err
					}
				case line := <-lines:
					if strings.TrimSpace(line) == "q" {
						return nil
					}
					if err := w.runCommand(ctx, strings.Fields(line)); err != nil {
						fmt.Fprintln(cmd.ErrOrStderr(), visible.Line(err.Error()))
					}
				case <-gone:
					return errors.New("lost the connection to the gateway")
				case <-ctx.Done():
					return nil
				}
			}
		},
	}
}

// update handles one message of the gateway.
func (w *requestList) update(data []byte) error {
	var m struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	var list []Request
	switch m.Type {
	case "init":
		var init struct {
			Pending []Request `json:"pending"`
		}
		if err := json.Unmarshal(m.Data, &init); err != nil {
			return err
		}
		list = init.Pending
	case "request", "resolve":
		var q Request
		if err := json.Unmarshal(m.Data, &q); err != nil {
			return err
		}
		list = []Request{q}
	}
	for _, q := range list {
		w.remove(q.ID)
		if q.Status == "pending" {
			w.open = append(w.open, q)
		}
		if !w.f.json {
			q.print(w.out)
		}
	}
	return nil
}

func (w *requestList) remove(id string) {
	for i := range w.open {
		if w.open[i].ID == id {
			w.open = append(w.open[:i], w.open[i+1:]...)
			return
		}
	}
}

// runCommand answers the displayed request by its digest, so that the answer cannot apply to another.
func (w *requestList) runCommand(ctx context.Context, words []string) error {
	if len(words) == 1 && words[0] == "l" {
		for i := range w.open {
			w.open[i].print(w.out)
		}
		return nil
	}
	if len(words) != 2 {
		return errors.New(watchHelp)
	}
	verb, scope := "approve", "once"
	switch words[0] {
	case "A", "D":
		seen := []map[string]string{}
		for _, q := range w.open {
			if q.Category == words[1] {
				seen = append(seen, map[string]string{"id": q.ID, "digest": q.Digest})
			}
		}
		status := map[string]string{"A": "approved", "D": "denied"}[words[0]]
		return gatewayclient.AsOperator(ctx, w.f.server, http.MethodPost, "/api/queue/bulk", map[string]any{"category": words[1], "status": status, "resolvedBy": "cli", "seen": seen}, nil)
	case "a", "approve":
	case "aa":
		scope = "always"
	case "d", "deny":
		verb = "deny"
	default:
		return errors.New(watchHelp)
	}
	for _, q := range w.open {
		if q.ID == words[1] || fmt.Sprintf("req-%d", q.Seq) == words[1] {
			in := map[string]any{"resolvedBy": "cli", "digest": q.Digest, "scope": scope}
			if scope == "always" {
				rule, err := w.f.narrowest(ctx, q.ID, scope)
				if err != nil {
					return err
				}
				in["rule"] = rule
				fmt.Fprintf(w.out, "stores the rule (%s)\n%s\n", lasts[scope], visible.Block(rule))
			}
			return gatewayclient.AsOperator(ctx, w.f.server, http.MethodPost, "/api/queue/"+url.PathEscape(q.ID)+"/"+verb, in, nil)
		}
	}
	return fmt.Errorf("%s is not pending", words[1])
}
