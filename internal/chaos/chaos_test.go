//go:build unix

package chaos

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// settleWithin is how long agents may take to hear their last answers once nothing is killed
// any more. Who has none by then hangs.
const settleWithin = 2 * time.Minute

// duration is how long things are killed.
func duration(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("CHAOS")
	if text == "" {
		return 6 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("CHAOS: %v", err)
	}
	return d
}

// world is gateways on one store, and all that is known of what they were told and said.
type world struct {
	t        *testing.T
	dir, bin string
	effects  string // the file to which every approved command adds its own line
	nodes    []*node
	database *storetest.Postgres // nil for SQLite
	where    string              // for the store, afterwards
	agent    string
	people   []string // tokens

	mu       sync.Mutex
	asked    map[string]*asked // by the request's ID
	said     map[string][]said // by the request's ID: answers of people that were acknowledged
	unheard  map[string]int    // answers of people of which nobody knows
	commands map[string]error  // commands that the client had run, by their lines, and what it said
	hooks    map[string]bool   // calls that the hook asked about, and whether it let them pass
	waits    []waited
	kills    map[string]int
}

// asked is a question that was acknowledged, and what its asker heard in the end.
type asked struct {
	by     string
	line   string // that the command would write
	status string
	ran    string // for commands: completed, failed or unknown
}

// waited is how long an agent was busy with one question.
type waited struct {
	name string
	took time.Duration
}

type said struct {
	who     string
	approve bool
}

func newWorld(t *testing.T, bin string, gateways int, database *storetest.Postgres) *world {
	t.Helper()
	w := &world{t: t, bin: bin, dir: t.TempDir(), database: database, asked: map[string]*asked{}, said: map[string][]said{}, unheard: map[string]int{}, commands: map[string]error{}, hooks: map[string]bool{}, kills: map[string]int{}}
	root := filepath.Join(w.dir, "project")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	w.effects = filepath.Join(root, "effects")
	for i := range gateways {
		n := &node{url: fmt.Sprint("127.0.0.1:", storetest.Port(t)), home: filepath.Join(w.dir, fmt.Sprint("home", i))}
		config := filepath.Join(n.home, ".config", "umpire")
		if err := os.MkdirAll(config, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(config, "policy.yaml"), []byte("version: 1\nrules:\n  - allow: network(free.example)\n  - deny: network(bad.example)\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"serve", "--listen", n.url, "-C", root}
		if database != nil {
			args = append(args, "--database", database.URL)
		}
		n.cmd = func(ctx context.Context) *exec.Cmd {
			cmd := exec.CommandContext(ctx, filepath.Join(bin, "umpire"), args...)
			cmd.Dir, cmd.Env = root, []string{"HOME=" + n.home, "PATH=" + os.Getenv("PATH")}
			return cmd
		}
		n.url = "http://" + n.url
		w.nodes = append(w.nodes, n)
	}
	w.where = filepath.Join(w.nodes[0].home, ".local", "state", "umpire", "gateway")
	if database != nil {
		w.where = database.URL
	}
	for i, n := range w.nodes {
		n.run(t)
		t.Cleanup(n.halt)
		if i == 0 { // it makes the first token
			w.ready()
		}
	}
	w.ready()
	admin, err := os.ReadFile(filepath.Join(w.nodes[0].home, ".local", "state", "umpire", "operator.token"))
	if err != nil {
		t.Fatal(err)
	}
	token := func(in map[string]any) string {
		t.Helper()
		var out struct{ Token string }
		if status, err := newAPI(w.urls(), strings.TrimSpace(string(admin))).until(t.Context(), 0, http.MethodPost, "/api/tokens", in, &out); err != nil || status != http.StatusCreated {
			t.Fatal(status, err)
		}
		return out.Token
	}
	w.agent = token(map[string]any{"kind": "agent", "name": "chaos"})
	for i := range 3 {
		w.people = append(w.people, token(map[string]any{"kind": "operator", "name": fmt.Sprint("person", i), "role": "approver"}))
	}
	return w
}

func (w *world) urls() (out []string) {
	for _, n := range w.nodes {
		out = append(out, n.url)
	}
	return out
}

// ready waits until all gateways that were started are.
func (w *world) ready() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), settleWithin)
	defer cancel()
	for _, n := range w.nodes {
		if !n.wanted {
			continue
		}
		if status, err := newAPI([]string{n.url}, "").until(ctx, 0, http.MethodGet, "/readyz", nil, nil); err != nil || status != http.StatusOK {
			w.t.Fatalf("%s does not become ready: %d %v\n%s", n.url, status, err, n.tail())
		}
	}
}

// storm kills gateways and the database at random until the time is over. It runs in the
// test's own goroutine: the database's functions want that.
func (w *world) storm(d time.Duration) {
	end := time.Now().Add(d)
	for time.Now().Before(end) {
		time.Sleep(min(200*time.Millisecond+rand.N(1500*time.Millisecond), max(time.Until(end), 0)))
		switch k := rand.IntN(10); {
		case k < 2 && w.database != nil:
			w.database.Kill()
			time.Sleep(rand.N(700 * time.Millisecond)) // away for a moment
			w.database.Start()
			w.kills["database"]++
		case k < 3: // stands still for a while, as a machine does that is paused
			n := w.nodes[rand.IntN(len(w.nodes))]
			n.signal(syscall.SIGSTOP)
			time.Sleep(rand.N(1500 * time.Millisecond))
			n.signal(syscall.SIGCONT)
			w.kills["paused"]++
		default:
			w.nodes[rand.IntN(len(w.nodes))].signal(syscall.SIGKILL)
			w.kills["gateway"]++
		}
	}
}

// campaign runs all agents and people through a storm, and looks what came of it.
func (w *world) campaign(d time.Duration) {
	t := w.t
	asking, stopAsking := context.WithCancel(t.Context())
	patience, stopWaiting := context.WithCancel(t.Context())
	answering, stopAnswering := context.WithCancel(t.Context())
	defer stopAsking()
	defer stopWaiting()
	defer stopAnswering()
	var agents, people sync.WaitGroup
	for i := range w.people {
		people.Go(func() { w.answer(answering, i) })
	}
	for kind, act := range w.actors() {
		for i := range 3 {
			agents.Go(func() {
				for n := 0; asking.Err() == nil; n++ {
					begin := time.Now()
					name := fmt.Sprintf("%s-%d-%d", kind, i, n)
					act(patience, name)
					w.mu.Lock()
					w.waits = append(w.waits, waited{name, time.Since(begin)})
					w.mu.Unlock()
				}
			})
		}
	}
	w.storm(d)
	stopAsking()
	calm := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		agents.Wait()
	}()
	hang := time.NewTimer(settleWithin)
	defer hang.Stop()
	select {
	case <-done:
	case <-hang.C:
		t.Error("an agent still waits for its answer")
		for _, n := range w.nodes {
			t.Logf("%s\n%s", n.url, n.tail())
		}
		stopWaiting()
		<-done
	}
	t.Logf("the last agent had its answer %v after the last kill", time.Since(calm).Round(100*time.Millisecond))
	w.ready()
	w.drain()
	stopAnswering()
	people.Wait()
	w.logs()
	for _, n := range w.nodes {
		n.halt()
	}
	w.judge()
}

// drain waits until nothing is pending: what agents gave up is answered or ends as well.
func (w *world) drain() {
	ctx, cancel := context.WithTimeout(w.t.Context(), settleWithin)
	defer cancel()
	a := newAPI(w.urls(), w.people[0])
	for {
		var out struct{ Pending []json.RawMessage }
		_, err := a.until(ctx, 0, http.MethodGet, "/api/queue", nil, &out)
		if err == nil && len(out.Pending) == 0 {
			return
		}
		if err != nil || !lookAgain(ctx) {
			w.t.Errorf("there is still something pending: %d, %v", len(out.Pending), err)
			return
		}
	}
}

// logs waits until each gateway's audit log has the last answer.
func (w *world) logs() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), settleWithin)
	defer cancel()
	var out struct {
		Requests []struct{ ID string }
	}
	if _, err := newAPI(w.urls(), w.people[0]).until(ctx, 0, http.MethodGet, "/api/history?limit=1000", nil, &out); err != nil {
		w.t.Fatal(err)
	}
	for _, n := range w.nodes {
		for {
			have := map[string]bool{}
			for rec, err := range audit.Read(n.state(), audit.Query{Kind: audit.Approval}) {
				if errors.Is(err, audit.ErrBusy) { // it is being written, to a slow disk
					break
				}
				if err != nil {
					w.t.Fatal(err)
				}
				have[rec.Data["request"]] = true
			}
			missing := 0
			for _, r := range out.Requests {
				if !have[r.ID] {
					missing++
				}
			}
			if missing == 0 {
				break
			}
			if !lookAgain(ctx) {
				w.t.Errorf("the audit log of %s lacks %d of the last requests", n.url, missing)
				break
			}
		}
	}
}

func (n *node) state() string { return filepath.Join(n.home, ".local", "state", "umpire") }

// judge looks at the store, the audit logs and what commands left behind.
func (w *world) judge() {
	t := w.t
	ctx := t.Context()
	s, err := store.Open(ctx, w.where)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	events, err := s.Verify(ctx)
	if err != nil {
		t.Errorf("the chain: %v", err)
	}
	resolved := map[string]int{}
	for after := int64(0); ; {
		list, err := s.Events(ctx, after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			break
		}
		for _, e := range list {
			after = e.Seq
			var said struct{ Status approval.State }
			if err := json.Unmarshal(e.Data, &said); err != nil {
				t.Errorf("event %d: %v", e.Seq, err)
			}
			if e.Kind == "resolve" || e.Kind == "request" && said.Status != approval.Pending { // by people, or by rules
				resolved[e.Request]++
			}
		}
	}
	lines := w.effectLines()
	for line, err := range w.commands {
		if n := lines[line]; n > 1 || err == nil && n != 1 {
			t.Errorf("%s ran %d times, and its asker heard %v", line, n, err)
		}
	}
	w.judgeHooks(s)
	states := map[approval.State]int{}
	ran := map[string]int{}
	for id, q := range w.asked {
		r, err := s.Get(ctx, id)
		if err != nil {
			t.Errorf("%s of %s was acknowledged, and is gone: %v", id, q.by, err)
			continue
		}
		states[r.State]++
		ran[q.ran]++
		switch {
		case !r.State.Final():
			t.Errorf("%s of %s has no answer", id, q.by)
		case q.status != "" && q.status != string(r.State):
			t.Errorf("%s of %s is %s, and its asker heard %s", id, q.by, r.State, q.status)
		}
		if resolved[id] != 1 {
			t.Errorf("%s of %s has %d answers in the record", id, q.by, resolved[id])
		}
		w.judgeAnswers(r)
		w.judgeCommand(q, r, lines)
	}
	for id, n := range resolved {
		if n != 1 {
			t.Errorf("%s was answered %d times", id, n)
		}
	}
	for i, n := range w.nodes {
		w.judgeLog(n, resolved, i)
	}
	slices.SortFunc(w.waits, func(a, b waited) int { return cmp.Compare(a.took, b.took) })
	t.Logf("%d questions acknowledged %v, %d events, commands %v, killed %v, %d answers of people of which nobody heard; a question took %v, p99 %v, at most %v (%s)",
		len(w.asked), states, events, ran, w.kills, len(w.unheard), quantile(w.waits, 0.5), quantile(w.waits, 0.99), quantile(w.waits, 1), w.waits[len(w.waits)-1].name)
}

func quantile(d []waited, q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	return d[min(len(d)-1, int(q*float64(len(d))))].took.Round(time.Millisecond)
}

// judgeHooks looks whether a hook let a call pass exactly when somebody approved it. The other
// way round it may have waited no longer.
func (w *world) judgeHooks(s *store.Store) {
	approved, asked := map[string]int{}, map[string]int{}
	before := ""
	for {
		list, err := s.List(w.t.Context(), approval.Filter{Before: before, Limit: 1000})
		if err != nil {
			w.t.Fatal(err)
		}
		if len(list) == 0 {
			break
		}
		for _, r := range list {
			before = r.ID
			if !r.State.Final() {
				w.t.Errorf("%s (%s) has no answer", r.ID, r.Action)
			}
			if name, ok := strings.CutPrefix(r.Action, "Bash: make deploy "); ok {
				if asked[name]++; r.State == approval.Approved {
					approved[name]++
				}
			}
		}
	}
	passed := 0
	for name, pass := range w.hooks {
		if pass {
			passed++
		}
		if asked[name] > 1 || pass && approved[name] != 1 {
			w.t.Errorf("%s was asked %d times and approved %d times; it passed: %v", name, asked[name], approved[name], pass)
		}
	}
	w.t.Logf("of %d calls that hooks asked about, gateways took %d, and %d passed", len(w.hooks), len(asked), passed)
}

// judgeAnswers looks whether a request is settled as the one person was told whose answer
// counted.
func (w *world) judgeAnswers(r approval.Request) {
	said := w.said[r.ID]
	if len(said) > 1 {
		w.t.Errorf("%s: %d people were told that their answer counts: %v", r.ID, len(said), said)
	}
	for _, a := range said {
		if r.Operator != a.who || (r.State == approval.Approved) != a.approve {
			w.t.Errorf("%s is %s by %q, and %s was told that %v counts", r.ID, r.State, r.Operator, a.who, a.approve)
		}
	}
	if r.Operator != "" && len(said) == 0 && w.unheard[r.ID] == 0 {
		w.t.Errorf("%s is %s by %s, who did not answer it", r.ID, r.State, r.Operator)
	}
}

func (w *world) effectLines() map[string]int {
	out := map[string]int{}
	data, err := os.ReadFile(w.effects)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		out[strings.TrimSpace(line)]++
	}
	return out
}

// judgeCommand looks whether a command ran as often as it should: once when it was approved
// and its end is known, never when it was not.
func (w *world) judgeCommand(q *asked, r approval.Request, lines map[string]int) {
	if q.line == "" {
		return
	}
	n := lines[q.line]
	switch {
	case n > 1:
		w.t.Errorf("%s ran %d times", q.line, n)
	case r.State != approval.Approved && n > 0:
		w.t.Errorf("%s ran, and is %s", q.line, r.State)
	case q.ran == "completed" && n != 1:
		w.t.Errorf("%s ran %d times, and is completed", q.line, n)
	}
}

// judgeLog looks whether a gateway's audit log is whole and has each answer once.
func (w *world) judgeLog(n *node, resolved map[string]int, i int) {
	if _, err := audit.Verify(n.state()); err != nil {
		w.t.Errorf("the audit log of gateway %d: %v", i, err)
	}
	have := map[string]int{}
	for rec, err := range audit.Read(n.state(), audit.Query{Kind: audit.Approval}) {
		if err != nil {
			w.t.Fatal(err)
		}
		have[rec.Data["request"]]++
	}
	for id := range resolved {
		if have[id] != 1 {
			w.t.Errorf("the audit log of gateway %d has %d lines of the answer to %s", i, have[id], id)
		}
	}
	if len(have) != len(resolved) {
		w.t.Errorf("the audit log of gateway %d has %d answers, and there were %d", i, len(have), len(resolved))
	}
}

func TestChaos(t *testing.T) {
	d := duration(t)
	bin := t.TempDir()
	programs.Build(t, bin, "", "cmd/umpire", "cmd/umpire-hook")
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		newWorld(t, bin, 1, nil).campaign(d)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		newWorld(t, bin, 3, storetest.StartPostgres(t)).campaign(d)
	})
}
