package gateway

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Agents push to a repository of the gateway with git's own protocol. Each branch of a push is a
// request, and git's client waits for its answer: a push that the client reports as done is at the
// remote.
const (
	gitPath   = "/git/project.git"
	maxRefs   = 10              // branches of one push
	maxTaken  = 2               // pushes of one agent at a time: each runs a git that may need much memory
	holdFor   = 5 * time.Minute // limit of the client's wait for its answers; the requests stay open
	aliveTick = 15 * time.Second
	freshFor  = 5 * time.Second // time after which the remote is fetched again
	maxWants  = 16 << 20        // limit of the body of a fetch, in bytes
	maxBuffer = 2 * 256 << 20   // limit of an unpacked body, and of a discarded rest, in bytes
)

func (g *Gateway) mountGit(mux *http.ServeMux) {
	if g.staging == nil {
		return
	}
	mux.Handle("GET "+gitPath+"/info/refs", g.gitSide(g.gitRefs))
	mux.Handle("POST "+gitPath+"/git-upload-pack", g.gitSide(g.gitFetch))
	mux.Handle("POST "+gitPath+"/git-receive-pack", g.gitSide(g.gitPush))
}

// gitSide authenticates an agent by the password that git's client sends.
func (g *Gateway) gitSide(h func(http.ResponseWriter, *http.Request, Principal) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, ok := r.BasicAuth(); ok {
			r.Header.Set("Authorization", "Bearer "+password)
		}
		p, err := g.who(r)
		switch {
		case errors.Is(err, errNobody):
			if r.Header.Get("Authorization") != "" {
				g.tried("wrong token", r, "")
			}
			w.Header().Set("WWW-Authenticate", `Basic realm="umpire: an agent's token is the password"`)
			http.Error(w, "an agent's token is needed as the password", http.StatusUnauthorized)
			return
		case err == nil && p.Kind != Agent:
			g.log.Warn("a credential of the wrong kind was used", "side", Agent, "token", p.ID, "path", r.URL.Path)
			err = fault{http.StatusForbidden, "wrong kind of credential: agents and operators use different routes"}
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if err == nil {
			// A pack may take long to send: the body has a later deadline than other requests.
			_ = http.NewResponseController(w).SetReadDeadline(g.now().Add(15 * time.Minute))
			ctx, done := g.Channel(r.Context(), func(ctx context.Context) error {
				_, err := g.still(r.WithContext(ctx), Agent, "")
				return err
			})
			defer done()
			r := r.WithContext(ctx)
			g.checkAfter(r, Agent, "")
			err = h(w, r, p)
		}
		if err != nil && r.Context().Err() == nil {
			status, msg := Status(err)
			if errors.Is(err, errLapsed) {
				w.Header().Set("Retry-After", "1")
			}
			if status == http.StatusInternalServerError {
				g.log.Error("git's side failed", "path", r.URL.Path, "error", err)
			}
			http.Error(w, msg, status)
		}
	})
}

func pkt(format string, args ...any) string {
	line := fmt.Sprintf(format, args...)
	return fmt.Sprintf("%04x%s", len(line)+4, line)
}

// refresh fetches the remote's refs. If that fails, the known refs stay in use: that is safe,
// because the remote itself refuses a push to a branch that has moved.
func (g *Gateway) refresh(ctx context.Context, within time.Duration) {
	if err := g.staging.Fetch(ctx, within); err != nil && ctx.Err() == nil {
		g.log.Warn("cannot fetch from the remote now", "error", err)
	}
}

func (g *Gateway) gitRefs(w http.ResponseWriter, r *http.Request, _ Principal) error {
	service := r.URL.Query().Get("service")
	if service != "git-upload-pack" && service != "git-receive-pack" {
		return bad("this server speaks git's smart protocol only")
	}
	g.refresh(r.Context(), freshFor)
	head := pkt("# service=%s\n", service) + "0000"
	w.Header().Set("Content-Type", "application/x-"+service+"-advertisement")
	if service == "git-upload-pack" {
		if _, err := io.WriteString(w, head); err != nil {
			return err
		}
		return g.staging.UploadPack(r.Context(), true, nil, w)
	}
	refs, err := g.staging.Refs(r.Context())
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(head)
	caps := "\x00report-status delete-refs side-band-64k ofs-delta push-options object-format=sha1 agent=umpire"
	if len(refs) == 0 {
		b.WriteString(pkt("%040d capabilities^{}%s\n", 0, caps))
	}
	for _, ref := range refs {
		b.WriteString(pkt("%s %s%s\n", ref.Commit, ref.Name, caps))
		caps = ""
	}
	b.WriteString("0000")
	_, err = io.WriteString(w, b.String())
	return err
}

// body returns the body of a request of git's client, decompressed.
func body(r *http.Request) (io.Reader, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return r.Body, nil
	}
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, bad("the body must be gzip")
	}
	return io.LimitReader(z, maxBuffer), nil
}

func (g *Gateway) gitFetch(w http.ResponseWriter, r *http.Request, _ Principal) error {
	in, err := body(r)
	if err != nil {
		return err
	}
	wants, err := io.ReadAll(io.LimitReader(in, maxWants+1)) // whole, for checkAfter
	switch {
	case errors.As(err, new(fault)):
		return err
	case err != nil || len(wants) > maxWants:
		return bad("the body ends too early, or is larger than %d bytes", maxWants)
	}
	w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
	return g.staging.UploadPack(r.Context(), false, bytes.NewReader(wants), w)
}

// pushed is the update of one branch in a push.
type pushed struct {
	host.Update
	fault string // why it is refused
	id    string // ID of its request
}

// readPush parses the head of a push, up to the pack.
func readPush(in *bufio.Reader) (list []*pushed, caps []string, options map[string]string, err error) {
	p := host.NewPktReader(in)
	for {
		line, err := p.Next()
		if err != nil {
			return nil, nil, nil, bad("%v", err)
		}
		if line == nil {
			break
		}
		text, more, first := strings.Cut(strings.TrimSuffix(string(line), "\n"), "\x00")
		if first && len(list) == 0 {
			caps = strings.Fields(more)
		}
		if strings.HasPrefix(text, "shallow ") {
			return nil, nil, nil, bad("push from a repository that has its whole history: git fetch --unshallow")
		}
		part := strings.SplitN(text, " ", 3)
		if len(part) != 3 || len(list) == maxRefs {
			return nil, nil, nil, bad("a push must change 1 to %d branches", maxRefs)
		}
		for i := range 2 {
			if part[i] = strings.TrimLeft(part[i], "0"); part[i] != "" {
				part[i] = strings.SplitN(text, " ", 3)[i]
			}
		}
		u := &pushed{Update: host.Update{Ref: part[2], Old: part[0], New: part[1]}}
		if err := u.Check(); err != nil {
			u.fault = err.Error()
		}
		if slices.ContainsFunc(list, func(o *pushed) bool { return o.Ref == u.Ref }) {
			u.fault = "the push names it twice"
		}
		list = append(list, u)
	}
	options = map[string]string{}
	if slices.Contains(caps, "push-options") {
		for n := 0; ; n++ {
			line, err := p.Next()
			if err != nil || n > 10 || len(line) > approval.MaxText {
				return nil, nil, nil, bad("the options of the push are invalid")
			}
			if line == nil {
				break
			}
			name, value, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), "=")
			if name != "reason" && name != "session" {
				return nil, nil, nil, bad("a push takes the options reason=... and session=...")
			}
			options[name] = value
		}
	}
	return list, caps, options, nil
}

// gitPush handles a push: it stores the objects, asks for each branch, and waits for the answers.
func (g *Gateway) gitPush(w http.ResponseWriter, r *http.Request, p Principal) error {
	from, err := body(r)
	if err != nil {
		return err
	}
	in := bufio.NewReader(from)
	w.Header().Set("Content-Type", "application/x-git-receive-pack-result")
	list, caps, options, err := readPush(in)
	if err != nil {
		return err
	}
	if len(list) == 0 { // git's client checks whether it is authorized
		w.WriteHeader(http.StatusOK)
		return nil
	}
	rep := &report{w: w, side: slices.Contains(caps, "side-band-64k")}
	if !g.pushing.enter(p.ID) {
		return fault{http.StatusTooManyRequests, "other pushes with this credential are still running: try again later"}
	}
	unpack := "ok"
	err = g.takePush(r.Context(), p, list, options, in)
	g.pushing.leave(p.ID)
	if err != nil {
		if r.Context().Err() != nil {
			return err
		}
		unpack = visible.Clip(agentError(err), 300)
		g.log.Info("refused a push", "agent", p.Name, "error", err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(in, maxBuffer)) // the client reads the report only after it has sent everything
	for _, u := range list {
		if unpack != "ok" && u.fault == "" {
			u.fault = unpack
		}
	}
	g.hold(r.Context(), rep, list)
	return rep.end(unpack, list)
}

// pushSlots counts the pushes that are taken at a time, by agent.
type pushSlots struct {
	mu sync.Mutex
	by map[string]int
}

func (t *pushSlots) enter(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by[id] >= maxTaken {
		return false
	}
	if t.by == nil {
		t.by = map[string]int{}
	}
	t.by[id]++
	return true
}

func (t *pushSlots) leave(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by[id]--; t.by[id] <= 0 {
		delete(t.by, id)
	}
}

// takePush stores the objects of a push and submits a request for each branch.
func (g *Gateway) takePush(ctx context.Context, p Principal, list []*pushed, options map[string]string, pack io.Reader) error {
	g.refresh(ctx, 0)
	refs, err := g.staging.Refs(ctx)
	if err != nil {
		return err
	}
	at := map[string]string{}
	for _, ref := range refs {
		at[ref.Name] = ref.Commit
	}
	var commits []string
	for _, u := range list {
		if u.fault == "" && at[u.Ref] != u.Old {
			u.fault = "the remote has moved: fetch first"
		}
		if host.GoodCommit(u.New) {
			commits = append(commits, u.New)
		}
	}
	id := approval.NewID(g.now())
	if len(commits) > 0 {
		if err := g.staging.Receive(ctx, id, commits, pack); err != nil {
			return err
		}
		defer func() { _ = g.staging.Forget(context.WithoutCancel(ctx), id) }() // the objects stay for days
	}
	for _, u := range list {
		if u.fault != "" {
			continue
		}
		if u.id, err = g.offerPush(ctx, p, &u.Update, options); err != nil { // other branches may have an open request
			u.fault = visible.Clip(agentError(err), 300)
			g.log.Info("refused a push", "agent", p.Name, "branch", u.Ref, "error", err)
		}
	}
	return nil
}

// offerPush submits the request for one branch, and returns its ID.
func (g *Gateway) offerPush(ctx context.Context, p Principal, u *host.Update, options map[string]string) (id string, err error) {
	shown, err := g.staging.Look(ctx, u, fullTextHint)
	if errors.Is(err, host.ErrConflict) {
		return "", errors.New("the remote has moved: fetch first")
	}
	if err != nil {
		return "", err
	}
	said, err := g.reviewPush(ctx, u)
	if err != nil {
		return "", err
	}
	req, err := g.askPush(ctx, p, u, options, said+shown)
	if err == nil && u.New != "" {
		// Protects the commits from git's garbage collection while the request is open. Without it they
		// stay for days, so the push can go on.
		if err := g.staging.Keep(ctx, req.ID, u.New); err != nil {
			g.log.Error("cannot protect the commits of a push", "request", req.ID, "error", err)
		}
	}
	return req.ID, err
}

// askPush submits the request for one branch. A repeated push gets the open request.
func (g *Gateway) askPush(ctx context.Context, p Principal, u *host.Update, options map[string]string, shown string) (approval.Request, error) {
	plan := &PushPlan{Branch: u.Name(), Push: u}
	open, err := g.store.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Category: approval.Git, Agent: p.ID, Limit: 1000})
	if err != nil {
		return approval.Request{}, err
	}
	digest := digestOf(plan)
	for _, r := range open {
		if r.Digest == digest {
			return r, nil
		}
	}
	return g.submit(ctx, p, Submission{Category: approval.Git, Reason: options["reason"], Session: options["session"]}, plan, shown)
}

// hold waits until each request is answered and carried out, but at most holdFor.
func (g *Gateway) hold(ctx context.Context, rep *report, list []*pushed) {
	ctx, cancel := context.WithTimeout(ctx, g.holdFor)
	defer cancel()
	for _, u := range list {
		if u.id == "" {
			continue
		}
		rep.say("umpire: request %s: %s", u.id, u.title())
		done := make(chan string, 1)
		go func() { done <- g.pushOutcome(ctx, u.id) }()
		tick := time.NewTicker(aliveTick)
		for waiting := true; waiting; {
			select {
			case u.fault = <-done:
				waiting = false
			case <-tick.C:
				rep.alive()
			}
		}
		tick.Stop()
	}
}

// pushOutcome waits for the end of a push and returns why it failed, or "".
func (g *Gateway) pushOutcome(ctx context.Context, id string) string {
	open := "it waits for a person: request " + id + " is pushed when it is approved"
	r, err := g.queue.Wait(ctx, id)
	if err != nil {
		return open
	}
	if r.State != approval.Approved {
		text := "the request is " + string(r.State)
		if r.Note != "" {
			text += ": " + r.Note
		}
		return text
	}
	x, err := g.waitExecution(ctx, id)
	switch {
	case err != nil:
		return "it is approved, and not pushed yet: request " + id
	case x.Status != "completed":
		return x.Status + ": " + x.Result.Stderr
	}
	return ""
}

func (u *pushed) title() string { return pushTitle(&u.Update) }

// pushOut pushes an approved update to the remote.
func (g *Gateway) pushOut(ctx context.Context, r *approval.Request, u *host.Update) (status, problem string) {
	if g.staging == nil {
		return "failed", "this gateway no longer has a remote: start it with --push-to"
	}
	err := g.staging.Push(ctx, *u)
	g.at("pushed")
	if ctx.Err() == nil {
		_ = g.staging.Forget(ctx, r.ID)
	}
	g.at("forgotten")
	switch {
	case err == nil:
		return "completed", ""
	case errors.Is(err, host.ErrConflict):
		return "conflict", err.Error() + ": fetch, and push again"
	}
	return "failed", err.Error()
}

// report writes the answer to a push in git's protocol.
type report struct {
	w    http.ResponseWriter
	side bool
}

func (r *report) send(band byte, text string) {
	if !r.side && band != 1 {
		return
	}
	if r.side {
		text = pkt("%c%s", band, text)
	}
	_, _ = io.WriteString(r.w, text) // a client that has gone needs no answer
	_ = http.NewResponseController(r.w).Flush()
}

func (r *report) say(format string, args ...any) {
	r.send(2, visible.Clip(fmt.Sprintf(format, args...), 1000)+"\n")
}

func (r *report) alive() { r.send(2, "") }

func (r *report) end(unpack string, list []*pushed) error {
	var b strings.Builder
	b.WriteString(pkt("unpack %s\n", unpack))
	for _, u := range list {
		if u.fault == "" {
			b.WriteString(pkt("ok %s\n", u.Ref))
			continue
		}
		b.WriteString(pkt("ng %s %s\n", u.Ref, visible.Clip(u.fault, 500)))
	}
	b.WriteString("0000")
	r.send(1, b.String())
	if !r.side {
		return nil
	}
	_, err := io.WriteString(r.w, "0000")
	return err
}
