package box

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/regular"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits on questions from a sandbox, whose program can write as many as it likes.
const (
	maxRelayed  = 64
	maxAskedBox = 1 << 20 // bytes
	relayLook   = 500 * time.Millisecond
)

// relayQuestions sends questions of the hook in a sandbox to the people at the gateway, as requests
// of the run, and writes their answers into the sandbox, until it is stopped.
//
// The program could have forged the files in the sandbox's folder. So umpire never adds them to the
// questions of this machine, where an approval could apply to a call outside: each stays a request
// of the run, and its answer counts only in this sandbox. All paths are below a handle of the
// folder, so a link in it cannot lead elsewhere.
func relayQuestions(ctx context.Context, errs io.Writer, r *Run, server, token string) (stop func()) {
	root, err := os.OpenRoot(filepath.Join(r.Config.State, "record"))
	if err != nil {
		return func() {} // without a profile there is no hook
	}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	relay := questionRelay{root: root, run: r, server: server, token: token}
	all.Go(func() { relay.watch(ctx, &all, errs) })
	return func() {
		cancel()
		all.Wait()
		_ = root.Close()
	}
}

// questionRelay sends the questions in a folder of the sandbox to a gateway.
type questionRelay struct {
	root          *os.Root
	run           *Run
	server, token string
}

// watch sends each question once, in a goroutine of all, until ctx ends.
func (r *questionRelay) watch(ctx context.Context, all *sync.WaitGroup, errs io.Writer) {
	seen := map[string]bool{}
	tick := time.NewTicker(relayLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, name := range pendingIn(r.root) {
			q, err := questionIn(r.root, name)
			key := q.Digest + q.Asked.String()
			if err != nil || seen[key] || len(seen) >= maxRelayed {
				continue
			}
			seen[key] = true
			all.Go(func() {
				if err := r.send(ctx, q); err != nil && ctx.Err() == nil {
					fmt.Fprintf(errs, "umpire: a question from the sandbox is still open: %s\r\n", visible.Line(err.Error()))
				}
			})
		}
	}
}

const pendingFolder = "questions/" + string(question.Pending)

func pendingIn(root *os.Root) []string {
	dir, err := root.OpenFile(pendingFolder, regular.Flags, 0)
	if err != nil {
		return nil // nothing was asked
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(2 * maxRelayed) // any further questions come after these are answered
	return slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, ".") || path.Ext(n) != ".json" })
}

func questionIn(root *os.Root, name string) (q question.Question, err error) {
	f, info, err := regular.Opened(root.OpenFile(pendingFolder+"/"+name, regular.Flags, 0))
	if err != nil {
		return q, err
	}
	defer func() { _ = f.Close() }()
	if info.Size() > maxAskedBox {
		return q, fmt.Errorf("%q is not the ID of a question", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxAskedBox))
	if err != nil {
		return q, err
	}
	if err := json.Unmarshal(data, &q); err != nil {
		return q, err
	}
	if q.ID == "" || q.ID+".json" != name || strings.Trim(q.ID, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return q, fmt.Errorf("%q is not the ID of a question", name)
	}
	return q, nil
}

// send makes a request of a question, waits for its answer, and writes it into the sandbox.
func (r *questionRelay) send(ctx context.Context, q question.Question) error {
	input := json.RawMessage(q.Input)
	if !json.Valid(input) || len(input) == 0 || input[0] != '{' { // an incomplete file
		var err error
		if input, err = json.Marshal(map[string]string{"input": q.Input}); err != nil {
			return err
		}
	}
	client := &http.Client{CheckRedirect: gatewayclient.NoRedirect}
	base := gatewayclient.URL(r.server) + "/api/queue"
	in := map[string]any{
		"call": map[string]any{"platform": q.Who.Platform, "tool": q.Tool, "input": input, "dir": q.Dir, "workspace": r.run.Config.Dir, "home": r.run.Config.Home},
		"ask":  true, "session": r.run.ID, "reason": answer.Reasons(&q), "key": q.Digest + ":" + fmt.Sprint(q.Asked.UnixNano()),
	}
	var a struct {
		ID     string `json:"id"`
		Status string `json:"status"`
		Note   string `json:"note"`
	}
	if err := gatewayclient.Call(ctx, client, http.MethodPost, base, r.token, in, &a); err != nil {
		return err
	}
	for a.Status == "pending" {
		if err := gatewayclient.Call(ctx, client, http.MethodGet, base+"/"+url.PathEscape(a.ID)+"?wait="+answer.LookTime.String(), r.token, nil, &a); err != nil {
			if !errors.Is(err, gatewayclient.ErrUnreachable) || ctx.Err() != nil {
				return err
			}
			select {
			case <-time.After(answer.RetryPause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	state := map[string]question.State{"approved": question.Approved, "denied": question.Denied}[a.Status]
	if state == "" {
		return fmt.Errorf("it is %s", a.Status)
	}
	q.Answered, q.By, q.Note = time.Now(), "a person at the gateway", a.Note
	return answerIn(r.root, q, state)
}

// answerIn writes an answer where the hook in the sandbox looks for it.
func answerIn(root *os.Root, q question.Question, s question.State) error {
	data, err := json.Marshal(q)
	if err != nil {
		return err
	}
	dir := "questions/" + string(s)
	part := dir + "/.answer-" + q.ID
	if err := root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := root.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := root.Rename(part, dir+"/"+q.ID+".json"); err != nil {
		return err
	}
	if err := root.Remove(pendingFolder + "/" + q.ID + ".json"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
