package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/regular"
	"github.com/umpire-dev/umpire/internal/snapshot"
)

// Times of a question at a gateway.
const (
	OfferTime     = 5 * time.Second        // limits one attempt to submit the question
	WithdrawTime  = 3 * time.Second        // limits its withdrawal: less than margin
	LookTime      = 50 * time.Second       // one wait for the answer
	gatewayRetry  = 200 * time.Millisecond // pause before the next attempt while the gateway does not answer
	RetryPause    = time.Second            // between attempts while the gateway does not answer
	gatewayExpiry = time.Hour              // lifetime of the question there: a person may answer before the agent retries
)

// AskGateway asks the people at a gateway, and stores their answer as if it was given on this
// machine. It returns nil when the question is answered, here or there. It returns an error if
// no one there can be asked: the question then stays open here, and nothing is allowed.
//
// The URL and the token file come only from the user's and the machine's policy. A project can
// set neither, by its policy file or by a variable.
func AskGateway(ctx context.Context, box question.Box, dir string, g *policyfile.Gateway, a *umpire.Action, q question.Question) error {
	secret, err := agentToken(g, a)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(g.URL, "/") + "/api/queue"
	client := gatewayClient()
	defer client.CloseIdleConnections()
	type request struct {
		ID       string `json:"id"`
		Status   string `json:"status"`
		Note     string `json:"note"`
		By       string `json:"resolvedBy"`
		Resolved int64  `json:"resolvedAt"`
	}
	var r request
	for n := 0; ; n++ {
		in := map[string]any{
			"call":    map[string]any{"platform": a.Principal.Platform, "agent": a.Principal.Agent, "tool": a.Tool, "input": redact.ReadableJSON(a.Input), "dir": a.Dir, "workspace": a.Workspace, "home": a.Home},
			"ask":     true,
			"session": q.Who.Session, "reason": Reasons(&q), "expiresIn": gatewayExpiry.Milliseconds(),
			// The same question is the same request, even if the agent retries later.
			"key": fmt.Sprintf("%s:%d:%d", q.Digest, q.Asked.UnixNano(), n),
		}
		offering, stop := context.WithTimeout(ctx, OfferTime)
		// An answer here must not cancel this call: to withdraw the question, umpire must know that
		// the gateway has it.
		first, cancel := context.WithTimeout(context.WithoutCancel(ctx), OfferTime)
		r = request{}
		err := submitted(offering, func() error { return gatewayclient.Call(first, client, http.MethodPost, base, secret, in, &r) })
		cancel()
		stop()
		if err != nil {
			return err
		}
		stale := r.Status == "approved" && time.Since(time.UnixMilli(r.Resolved)) > question.Validity
		if r.Status == "pending" || r.Status == "denied" || r.Status == "approved" && !stale || n == 3 {
			break
		}
	}
	for r.Status == "pending" {
		err := gatewayclient.Call(ctx, client, http.MethodGet, base+"/"+url.PathEscape(r.ID)+"?wait="+LookTime.String(), secret, nil, &r)
		if ctx.Err() != nil {
			if now, err := box.Find(q.ID); err == nil && now.State == question.Pending {
				return nil // it stays open there as well: the answer counts when the agent retries
			}
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), WithdrawTime)
			defer cancel()
			return gatewayclient.Call(end, client, http.MethodDelete, base+"/"+url.PathEscape(r.ID), secret, nil, nil) // answered here
		}
		if err != nil { // the gateway may be restarting
			select {
			case <-time.After(RetryPause):
			case <-ctx.Done():
			}
		}
	}
	var state question.State
	switch r.Status {
	case "approved":
		state = question.Approved
	case "denied":
		state = question.Denied
	default:
		return fmt.Errorf("the request is %s", r.Status)
	}
	by := "a person at the gateway"
	if r.By == "auto" {
		by = "the gateway's rules"
	}
	answered, err := box.Answer(q, state, by, r.Note)
	if errors.Is(err, question.ErrNone) {
		return nil // someone here answered first
	}
	if err != nil {
		return err
	}
	return auditAnswer(dir, answered, audit.Gateway)
}

// gatewayClient ignores the variables for proxies: a project could set them.
func gatewayClient() *http.Client {
	return &http.Client{CheckRedirect: gatewayclient.NoRedirect, Transport: &http.Transport{ForceAttemptHTTP2: true}}
}

// CheckGateway returns an error if AskGateway could not ask anyone now: the gateway does not
// answer, or the token is missing or unknown there.
func CheckGateway(ctx context.Context, g *policyfile.Gateway, home, workspace string) error {
	secret, err := agentToken(g, &umpire.Action{Home: home, Workspace: workspace})
	if err != nil {
		return err
	}
	client := gatewayClient()
	defer client.CloseIdleConnections()
	return gatewayclient.Call(ctx, client, http.MethodGet, strings.TrimSuffix(g.URL, "/")+"/api/queue", secret, nil, nil)
}

// submitted retries while the gateway restarts, until ctx ends. It does not repeat a request that
// the gateway refused. It returns the first error, because the last one only reports the timeout.
func submitted(ctx context.Context, try func() error) error {
	first := try()
	for err := first; err != nil; err = try() {
		if !errors.Is(err, gatewayclient.ErrUnreachable) {
			return err
		}
		select {
		case <-time.After(gatewayRetry):
		case <-ctx.Done():
			return first
		}
	}
	return nil
}

// Reasons formats the reasons of this machine's rules for the people at the gateway. They see it as
// the agent's text, because it arrives with the agent's token.
func Reasons(q *question.Question) string {
	var list []string
	for _, r := range q.Reasons[:min(len(q.Reasons), 3)] {
		list = append(list, r.Text+" ("+r.Rule+")")
	}
	return strings.Join(list, "; ")
}

// maxToken limits the size of a token file, in bytes.
const maxToken = 4 << 10

// agentToken reads the token that this machine uses at its gateway.
func agentToken(g *policyfile.Gateway, a *umpire.Action) (string, error) {
	path := g.TokenFile
	switch rest, ofHome := strings.CutPrefix(path, "~/"); {
	case path == "":
		user := snapshot.DefaultLayers(a.Home, a.Workspace, os.Getenv).User
		if user == "" {
			return "", errors.New("cannot find the agent token, because HOME is not set: set approval.gateway.tokenFile")
		}
		path = filepath.Join(filepath.Dir(user), "gateway.token")
	case ofHome:
		dir := cmp.Or(home.Own(), a.Home)
		path = filepath.Join(dir, rest)
	}
	f, info, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", noToken(path)
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("other users can read %s: run chmod 600 on it", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxToken))
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", noToken(path)
	}
	return token, nil
}

func noToken(path string) error {
	return doclink.Wrap(fmt.Errorf("there is no token in %s: create one with `umpire token add --agent NAME > %s`", path, path), doclink.Token)
}
