package box

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// fakeGateway answers each request by its method and path, and fails the nth.
type fakeGateway struct {
	answers map[string]string
	nth     int
	broken  string // what the nth request gets; an error of the server if empty
	seen    []string
}

func (g *fakeGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	what := r.Method + " " + r.URL.RequestURI()
	g.seen = append(g.seen, strings.TrimSpace(what+" "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+" "+string(body)))
	answer, ok := g.answers[what]
	switch {
	case len(g.seen) == g.nth && g.broken != "":
		_, _ = io.WriteString(w, g.broken)
	case len(g.seen) == g.nth || !ok:
		http.Error(w, `{"error":"the disk is full"}`, http.StatusInternalServerError)
	default:
		_, _ = io.WriteString(w, answer)
	}
}

func serve(t *testing.T, g *fakeGateway) {
	t.Helper()
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	t.Setenv("UMPIRE_SERVER", s.URL)
	t.Setenv("UMPIRE_TOKEN", "operator")
}

// Each request that a run makes to its gateway fails, or gets an answer that is cut off. Nothing is
// taken for granted, and the error says what the gateway said.
func TestEveryRequestFails(t *testing.T) {
	run := func() *Run {
		r := &Run{ID: "run-1", Config: sandbox.Config{Dir: "/srv/p", Env: []string{"TOKEN=secret", "TOKEN_2=x"}}}
		r.Sync.remote, r.Sync.pushTo = "https://h.example/p.git", "../p.git"
		return r
	}
	judge := &gatewayApprover{run: "run-1", token: "agent"}
	set := []*changes.Change{{Step: host.Change{Op: host.Delete, Path: "a", Base: host.FileState{Kind: host.File, Sum: "5"}}}}
	const wire = `{"op":"delete","path":"a","was":"5"}`
	for name, tt := range map[string]struct {
		answers map[string]string
		do      func(ctx context.Context) (any, error)
		want    string
		seen    []string
	}{
		"a token": {
			map[string]string{"POST /api/tokens": `{"token":"t","about":{"id":"7"}}`, "DELETE /api/tokens/7": `{}`},
			func(ctx context.Context) (any, error) {
				var said bytes.Buffer
				token, id, err := agentToken(ctx, "", "run run-1")
				if err != nil {
					return token, err
				}
				if keepToken(ctx, &said, "", id, "")(); said.Len() > 0 {
					err = errors.New(said.String())
				}
				return token, err
			},
			"t", []string{`POST /api/tokens operator {"kind":"agent","lease":300000,"name":"run run-1"}`, "DELETE /api/tokens/7 operator"},
		},
		"placeholders": {
			map[string]string{"GET /api/secrets?session=run-1": `{"secrets":[{"env":"TOKEN","placeholder":"p"},{"placeholder":"none"}]}`},
			func(ctx context.Context) (any, error) {
				r := run()
				env, err := placeholders(ctx, "", "agent", r)
				return fmt.Sprint(env, r.Config.Env), err
			},
			"[TOKEN=p] [TOKEN_2=x]", []string{"GET /api/secrets?session=run-1 agent"},
		},
		"git": {
			map[string]string{"GET /api/project": `{"root":"/srv/p","pushTo":"../p.git"}`},
			func(ctx context.Context) (any, error) {
				env, err := run().Sync.gitEnv(ctx, "", "agent")
				return strings.Join(env, "\n"), err
			},
			`GIT_CONFIG_COUNT=5
GIT_CONFIG_KEY_0=url.http://127.0.0.1:3700/git/project.git.insteadOf
GIT_CONFIG_VALUE_0=https://h.example/p.git
GIT_CONFIG_KEY_1=http.http://127.0.0.1:3700/git/project.git.extraHeader
GIT_CONFIG_VALUE_1=Authorization: Basic ` + base64.StdEncoding.EncodeToString([]byte("umpire:agent")) + `
GIT_CONFIG_KEY_2=http.http://127.0.0.1:3700/git/project.git.proxy
GIT_CONFIG_VALUE_2=
GIT_CONFIG_KEY_3=credential.http://127.0.0.1:3700/git/project.git.helper
GIT_CONFIG_VALUE_3=
GIT_CONFIG_KEY_4=url.http://127.0.0.1:3700/git/project.git.insteadOf
GIT_CONFIG_VALUE_4=../p.git`, []string{"GET /api/project operator"},
		},
		"check": {
			map[string]string{"POST /api/check": `{"effect":"allow"}`},
			func(ctx context.Context) (any, error) { return judge.Check(ctx, set) },
			fmt.Sprint(changes.Written), []string{`POST /api/check agent {"category":"filesystem","metadata":{"changes":[` + wire + `]}}`},
		},
		"ask": {
			map[string]string{"POST /api/files": `{"id":"req-1"}`},
			func(ctx context.Context) (any, error) { return judge.Ask(ctx, set) },
			"req-1", []string{`POST /api/files agent {"changes":[` + wire + `],"reason":"run run-1","session":"run-1"}`},
		},
		"answers": {
			map[string]string{"GET /api/queue": `{"pending":[{"id":"1"}]}`, "GET /api/files/2?wait=5s": `{"status":"completed"}`},
			func(ctx context.Context) (any, error) { return judge.Answers(ctx, []string{"1", "2"}) },
			fmt.Sprintf("map[2:%d]", changes.Written), []string{"GET /api/queue agent", "GET /api/files/2?wait=5s agent"},
		},
		"cancel": {
			map[string]string{"DELETE /api/queue/a%2Fb": ``},
			func(ctx context.Context) (any, error) { return nil, judge.Cancel(ctx, "a/b") },
			"<nil>", []string{"DELETE /api/queue/a%2Fb agent"},
		},
	} {
		for _, broken := range []string{"", `{"`} {
			for n := 1; ; n++ {
				g := &fakeGateway{answers: tt.answers, nth: n, broken: broken}
				serve(t, g)
				got, err := tt.do(t.Context())
				switch {
				case n > len(tt.seen):
					if err != nil || fmt.Sprint(got) != tt.want || !slices.Equal(g.seen, tt.seen) {
						t.Errorf("%s: got %v, %v after %q, want %s after %q", name, got, err, g.seen, tt.want, tt.seen)
					}
				case strings.HasPrefix(tt.seen[n-1], "DELETE") && broken != "": // nothing is read of these answers
				case err == nil || !strings.Contains(err.Error(), cmp.Or(map[string]string{`{"`: "unexpected end of JSON"}[broken], "the disk is full")):
					t.Errorf("%s, request %d fails with %q: got %v, %v, want an error that says so", name, n, broken, got, err)
				}
				if n > len(tt.seen) || len(g.seen) == 0 {
					break
				}
			}
		}
	}
	serve(t, &fakeGateway{answers: map[string]string{"GET /api/project": `{"pushTo":"elsewhere","root":"/srv/q"}`}})
	if _, err := run().Sync.gitEnv(t.Context(), "", ""); err == nil || !strings.Contains(err.Error(), `pushes to "elsewhere"`) {
		t.Errorf("a gateway that pushes elsewhere: got %v, want an error", err)
	}
	r := run()
	r.Sync.Apply = ApplyRules
	if _, err := startSync(t.Context(), t.Output(), r, ""); err == nil || !strings.Contains(err.Error(), "serves another project, /srv/q") {
		t.Errorf("a gateway of another project: got %v, want an error", err)
	}
}

// Only an answer that says so lets a change through, and a set that the gateway never accepts is not
// sent again.
func TestOutcomes(t *testing.T) {
	judge := &gatewayApprover{}
	for effect, want := range map[string]changes.Outcome{"allow": changes.Written, "deny": changes.Refused, "ask": changes.Open, "": changes.Open, "new": changes.Open} {
		serve(t, &fakeGateway{answers: map[string]string{"POST /api/check": `{"effect":"` + effect + `"}`}})
		if got, err := judge.Check(t.Context(), nil); got != want || err != nil {
			t.Errorf("effect %q: got %v, %v, want %v", effect, got, err, want)
		}
	}
	for status, want := range map[string]string{
		"completed": fmt.Sprint(changes.Written), "denied": fmt.Sprint(changes.Refused), "pending": "none", "approved": "none", "running": "none", "queued": "none",
		"conflict": fmt.Sprint(changes.Lapsed), "superseded": fmt.Sprint(changes.Lapsed), "": fmt.Sprint(changes.Lapsed),
	} {
		serve(t, &fakeGateway{answers: map[string]string{"GET /api/queue": `{}`, "GET /api/files/1?wait=5s": `{"status":"` + status + `"}`}})
		got, err := judge.Answers(t.Context(), []string{"1"})
		if o, ok := got["1"]; err != nil || ok == (want == "none") || ok && fmt.Sprint(o) != want {
			t.Errorf("status %q: got %v, %v, want %s", status, got, err, want)
		}
	}
	for status, clash := range map[int]bool{http.StatusConflict: true, http.StatusBadRequest: true, http.StatusForbidden: false, http.StatusInternalServerError: false} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Setenv("UMPIRE_SERVER", s.URL)
		if _, err := judge.Ask(t.Context(), nil); err == nil || errors.Is(err, changes.ErrClash) != clash {
			t.Errorf("status %d: got %v, want a clash: %v", status, err, clash)
		}
		s.Close()
	}
}

// A change names the version that it was made from, so that the gateway never overwrites another.
func TestWireChanges(t *testing.T) {
	content, old := []byte("x"), host.FileState{Kind: host.File, Sum: "5", Mode: 0o755}
	for _, tt := range []struct {
		step host.Change
		want wireChange
	}{
		{host.Change{Op: host.Write, Path: "a", Content: content, Mode: 0o644}, wireChange{Op: host.Write, Path: "a", Base64: &content, Was: host.WasAbsent}},
		{host.Change{Op: host.Write, Path: "a", Content: content, Mode: 0o600}, wireChange{Op: host.Write, Path: "a", Base64: &content, Was: host.WasAbsent, Mode: "600"}},
		{host.Change{Op: host.Write, Path: "a", Content: content, Mode: 0o755, Base: old}, wireChange{Op: host.Write, Path: "a", Base64: &content, Was: "5"}},
		{host.Change{Op: host.Move, Path: "b", From: "a", Source: old, Base: host.FileState{Kind: host.File, Sum: "6"}}, wireChange{Op: host.Move, Path: "b", From: "a", Was: "5"}},
		{host.Change{Op: host.Chmod, Path: "a", Mode: 0o755, Base: old}, wireChange{Op: host.Chmod, Path: "a", Mode: "755", Was: "5"}},
		{host.Change{Op: host.Link, Path: "a", Target: "b", Base: host.FileState{Kind: host.Folder}}, wireChange{Op: host.Link, Path: "a", Target: "b"}},
	} {
		got := wireChanges([]*changes.Change{{Step: tt.step}})[0]
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%+v: got %+v, want %+v", tt.step, got, tt.want)
		}
	}
}

// A question from a sandbox is read as a file of its name below the folder, and as nothing else: the
// program inside can put a link, a pipe or any other text there.
func TestQuestionsOfTheSandbox(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	pending := filepath.Join(dir, pendingFolder)
	if names := pendingIn(root); names != nil {
		t.Errorf("without a folder: got %q, want none", names)
	}
	const good = `{"id":"abc","tool":"Bash","input":"{\"command\":\"ls\"}","digest":"d","principal":{"platform":"claude"},"reasons":[{"rule":"r","text":"why"}]}`
	files := map[string]string{"abc.json": good, "abd.json": good, "b.json": `{"id":"b"`, ".c.json": good, "d.txt": good, "UP.json": `{"id":"UP"}`, ".json": `{"id":""}`,
		"big.json": `{"id":"big","note":"` + strings.Repeat("x", maxAskedBox) + `"}`}
	if err := os.MkdirAll(filepath.Join(pending, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(pending, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "link.json")
	if err := errors.Join(os.WriteFile(outside, []byte(`{"id":"link"}`), 0o600), os.Symlink(outside, filepath.Join(pending, "link.json"))); err != nil {
		t.Fatal(err)
	}
	names := pendingIn(root)
	if slices.Sort(names); strings.Join(names, " ") != "UP.json abc.json abd.json b.json big.json folder.json link.json" {
		t.Errorf("the pending ones are %q", names)
	}
	for _, name := range append(names, ".json", "none.json") {
		if q, err := questionIn(root, name); (err == nil) != (name == "abc.json") {
			t.Errorf("%s: got %+v, %v", name, q, err)
		}
	}
	q, err := questionIn(root, "abc.json")
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{ID: "run-1", Config: sandbox.Config{Dir: "/srv/p", Home: "/home/dev"}}
	const asked, looked = "POST /api/queue", "GET /api/queue/req-1?wait=50s"
	for _, tt := range []struct {
		input   string
		answers map[string]string
		state   question.State
		err     string
	}{
		{q.Input, map[string]string{asked: `{"id":"req-1","status":"pending"}`, looked: `{"id":"req-1","status":"approved","note":"go"}`}, question.Approved, ""},
		{"not JSON", map[string]string{asked: `{"id":"req-1","status":"denied"}`}, question.Denied, ""},
		{`[1]`, map[string]string{asked: `{"id":"req-1","status":"expired"}`}, "", "it is expired"},
		{``, map[string]string{asked: `{`}, "", "unexpected end"},
		{`{}`, nil, "", "the disk is full"},
		{`{}`, map[string]string{asked: `{"id":"req-1","status":"pending"}`, looked: `{`}, "", "unexpected end"},
	} {
		g := &fakeGateway{answers: tt.answers}
		serve(t, g)
		q.Input = tt.input
		q.Asked = time.Unix(1, 2)
		err := (&questionRelay{root: root, run: r, token: "agent"}).send(t.Context(), q)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: got %v, want %q", tt.input, err, tt.err)
		}
		input := tt.input
		if !strings.HasPrefix(input, "{") {
			input = fmt.Sprintf(`{"input":%q}`, input)
		}
		want := `POST /api/queue agent {"ask":true,"call":{"dir":"","home":"/home/dev","input":` + input + `,"platform":"claude","tool":"Bash","workspace":"/srv/p"},"key":"d:1000000002","reason":"why (r)","session":"run-1"}`
		if g.seen[0] != want {
			t.Errorf("%q: asked\n%s\nwant\n%s", tt.input, g.seen[0], want)
		}
		for _, s := range []question.State{question.Approved, question.Denied} {
			data, err := os.ReadFile(filepath.Join(dir, "questions", string(s), "abc.json"))
			if (err == nil) != (s == tt.state) || err == nil && (!strings.Contains(string(data), `"by":"a person at the gateway"`) || strings.Contains(string(data), `"note":"go"`) != (s == question.Approved)) {
				t.Errorf("%q: %s is %s, %v", tt.input, s, data, err)
			}
			if err := os.RemoveAll(filepath.Join(dir, "questions", string(s))); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(filepath.Join(pending, "abc.json")); (err == nil) == (tt.state == question.Approved) && tt.err == "" && tt.state == question.Approved {
			t.Errorf("%q: the question is still pending", tt.input)
		}
	}
}

// The person hears of each refusal of the sandbox once, and of missing parts at once. The audit log has all of them.
func TestReport(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var out bytes.Buffer
	b := report{run: &Run{ID: "run-1", Config: sandbox.Config{Dir: "/srv/p"}}, out: &out}
	if err := b.close(); err != nil || out.Len() > 0 {
		t.Errorf("without events: %v, %q", err, out.String())
	}
	b.event(sandbox.Event{Kind: sandbox.Missing, What: "landlock", Times: 1})
	if got := out.String(); got != "umpire: THE SANDBOX IS WITHOUT landlock\n" {
		t.Errorf("at once it says %q", got)
	}
	for times := range 3 {
		b.event(sandbox.Event{Kind: sandbox.Network, What: "connect", Target: "h\x1b.example", Times: times + 1})
	}
	b.event(sandbox.Event{Kind: sandbox.Limit, What: "memory", Times: 1})
	for i := range maxSaidEvents + 3 {
		b.event(sandbox.Event{Kind: sandbox.Call, What: fmt.Sprint("call-", i), Times: 1})
	}
	out.Reset()
	if err := b.close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != maxSaidEvents+2 || !strings.HasPrefix(lines[0], "umpire: refused in the sandbox: connect h") || strings.Contains(lines[0], "\x1b") || !strings.HasSuffix(lines[0], "(3 times)") ||
		lines[1] != "umpire: stopped at a limit: memory" || !strings.Contains(lines[len(lines)-1], "more was refused") {
		t.Errorf("it says\n%s", out.String())
	}
	kinds := map[string]int{}
	for e := range recorded(t) {
		kinds[fmt.Sprint(e.Kind, " ", e.Point, " ", e.Tool, " ", e.Effect, " ", e.Principal.Session, " ", e.Data["run"], " ", e.Data["times"], " ", e.Dir)]++
	}
	want := map[string]int{"error box missing  run-1 run-1 1 /srv/p": 1, "decision box network deny run-1 run-1 3 /srv/p": 1, "result box limit  run-1 run-1 1 /srv/p": 1, "decision box call deny run-1 run-1 1 /srv/p": maxSaidEvents + 3}
	if fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("recorded are %v, want %v", kinds, want)
	}
}

// recorded returns the events in the user's audit log.
func recorded(t *testing.T) iter.Seq[*audit.Event] {
	t.Helper()
	return func(yield func(*audit.Event) bool) {
		dir, err := audit.DefaultDir()
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range audit.Read(dir, audit.Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			if rec.Chain == nil && !yield(&rec.Event) {
				return
			}
		}
	}
}
