package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
)

// world is a home folder with a policy and sessions.
type world struct{ home, policy string }

func (w world) put(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(w.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

func newWorld(t *testing.T) world {
	t.Helper()
	w := world{home: t.TempDir()}
	t.Setenv("HOME", w.home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(w.home, ".config"))
	t.Chdir(w.home)
	w.policy = w.put(t, "policy.yaml", `version: 1
packs: []
defaultAction: ask
rules:
  - {id: looks, allow: "exec(ls *)"}
  - {id: no-frob, deny: "exec(frob *)", reason: not here}
  - {id: no-home, deny: "delete(~/**)", reason: it is yours}
`)
	return w
}

// recorded is a session in Claude Code's format: a call for each command, on the given day of March.
func recorded(day int, dir string, commands ...string) string {
	var b strings.Builder
	for _, c := range commands {
		input, _ := json.Marshal(map[string]any{"command": c}) //nolint:errchkjson // a text
		date := ""
		if day > 0 {
			date = fmt.Sprintf(`"timestamp":"2026-03-%02dT12:00:00Z",`, day)
		}
		fmt.Fprintf(&b, `{"sessionId":"s%d","cwd":%q,%s"message":{"content":[{"type":"tool_use","name":"Bash","input":%s}]}}`+"\n", day, dir, date, input)
	}
	return b.String()
}

// The report counts each call once, by its first rule, day and client, and shows the most frequent
// and the riskiest.
func TestReport(t *testing.T) {
	w := newWorld(t)
	w.put(t, "sessions/a.jsonl", recorded(1, "/home/dev/shop", "ls x", "frob a", "frob a", "frob b", "frob c", "frob d && rm -rf ~/x")+recorded(2, "/home/dev/shop", "frob a", "git push --force"))
	w.put(t, "sessions/b.jsonl", recorded(4, "", "ls y")+"{cut\n")
	var each []string
	var progress bytes.Buffer
	r, err := New(w.policy, "/home/dev")
	if err != nil {
		t.Fatal(err)
	}
	r.Progress = &progress
	r.Each = func(j *Judged) error {
		each = append(each, j.Decision.Effect.String()+" "+j.Call.Action.Workspace+" "+j.Call.Action.Home)
		return nil
	}
	if err := r.Run(t.Context(), nil, []string{"sessions"}); err != nil {
		t.Fatal(err)
	}
	r.Report.Finish()
	var b bytes.Buffer
	r.Report.Print(&b)
	const want = `
9 calls: 2 allowed, 1 asked, 6 denied
2026-03-01 to 2026-03-04, 3 days with calls, 3 sessions
0.3 questions per day, 111.1 per 1,000 calls

no-frob: 0 asked, 6 denied: not here
      3 ×  frob a
      1 ×  frob d && rm -rf ~/x
      1 ×  frob b
  riskiest  frob d && rm -rf ~/x (force)

defaultAction exec(git *): 1 asked, 0 denied: no rule settles it
      1 ×  git push --force
  riskiest  git push --force (force, protected-branch)

1 call has no folder: replay assumes a project in your home folder.
Replay uses today's policy and not the files of that time, so it cannot tell what scripts did.
`
	if got := b.String(); got != want {
		t.Errorf("the report is\n%s\nand not\n%s", got, want)
	}
	if want := "allow /home/dev/shop /home/dev"; len(each) != 9 || each[0] != want {
		t.Errorf("each call is %q, want 9 of which the first is %q", each, want)
	}
	if got := progress.String(); !strings.HasPrefix(got, "\r\x1b[K1 call in ") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("the progress is %q, want a line that is cleared at the end", got)
	}
	if s := r.Report.Read; s.Files != 2 || s.Skipped != 1 {
		t.Errorf("read %+v, want 2 files and 1 skipped line", s)
	}
	c := newChart(r.Report)
	var days, rules []string
	for _, d := range c.Days {
		days = append(days, fmt.Sprintf("%s at %.0f, %.0f wide: asked %.0f from %.0f, denied %.0f from %.0f, %d", d.Label, d.X, d.W, d.Asked, d.AskedY, d.Denied, d.DeniedY, d.Count))
	}
	for _, d := range c.Rules {
		rules = append(rules, fmt.Sprintf("%s at %.0f: asked %.0f, denied %.0f from %.0f, %d", d.Label, d.Y, d.Asked, d.Denied, d.X, d.Count))
	}
	if want := []string{"2026-03-01 at 0, 40 wide: asked 0 from 160, denied 160 from 0, 5", "2026-03-02 at 240, 40 wide: asked 32 from 128, denied 32 from 96, 2", "2026-03-04 at 480, 40 wide: asked 0 from 160, denied 0 from 160, 0"}; !slices.Equal(days, want) {
		t.Errorf("the days are drawn as %q, want %q", days, want)
	}
	if want := []string{"no-frob at 0: asked 0, denied 400 from 260, 6", "defaultAction exec(git *) at 26: asked 67, denied 0 from 327, 1"}; !slices.Equal(rules, want) || c.Most != 5 || c.Height != 56 {
		t.Errorf("the rules are drawn as %q, most %d, height %d, want %q, 5, 56", rules, c.Most, c.Height, want)
	}
	page := filepath.Join(w.home, "page.html")
	if err := WritePage(page, r.Report); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil || !bytes.Contains(text, []byte("frob a")) || !bytes.Contains(text, []byte("default-src &#39;none&#39;; style-src &#39;sha256-")) {
		t.Errorf("the page is %s, %v", text, err)
	}
	if err := WritePage(w.home, r.Report); err == nil {
		t.Error("WritePage over a folder: got no error")
	}
	if err := WritePage(filepath.Join(w.policy, "below"), r.Report); err == nil {
		t.Error("WritePage below a file: got no error")
	}
}

// Without calls there is nothing to show, and with many the report is bounded.
func TestReportBounds(t *testing.T) {
	r := newReport()
	r.Finish()
	var b bytes.Buffer
	r.Print(&b)
	if got := b.String(); got != "\n0 calls: 0 allowed, 0 asked, 0 denied\n" {
		t.Errorf("an empty report is %q", got)
	}
	for i := range 25 {
		rr := entry(r.rules, fmt.Sprintf("r%02d", i))
		rr.Rule, rr.Asked = fmt.Sprintf("r%02d", i), 1200-i
	}
	for i := range 130 {
		entry(r.days, fmt.Sprintf("2026-%03d", i)).Asked = i
	}
	for _, name := range []string{"claude", "codex"} {
		entry(r.clients, name).Calls = 1
	}
	r.Calls, r.Stopped, r.Undated, r.Unplaced, r.From, r.To = 9, true, 2, 2, time.Unix(0, 0), time.Unix(0, 0)
	r.Read.Clipped, r.Read.Unread, r.Read.Copies, r.Read.Faults = true, 1, 2, 3
	r.Finish()
	b.Reset()
	r.Print(&b)
	for _, want := range []string{
		"\n5 more rules: see --json or --html\n", "r19: 1,181 asked", "  client  calls  asked  denied\n", "  claude      1      0       0\n",
		"Replay stopped early: there are more calls.\nReplay reached a limit: there are more calls.\n2 calls have no date: replay uses the date of their file.\n2 calls have no folder: replay assumes a project in your home folder.\n1 call has no input in the transcript and was skipped.\n2 calls are copies of earlier calls and do not count.\n3 files or folders could not be read.\nReplay uses",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "r20:") {
		t.Errorf("more than %d rules are printed", shownRules)
	}
	if c := newChart(r); len(c.Days) != 120 || c.Days[0].Label != "2026-010" || len(c.Rules) != 12 {
		t.Errorf("the chart has %d days and %d rules, want the last 120 and the first 12", len(c.Days), len(c.Rules))
	}
}

// A replay ends with what went wrong, and reports what it read until a person or a limit stops it.
func TestRunEnds(t *testing.T) {
	w := newWorld(t)
	session := w.put(t, "s.jsonl", recorded(1, "/home/dev/shop", "ls x", "frob a"))
	text := w.put(t, "notes.txt", "hello\n")
	empty := filepath.Join(w.home, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("the screen is gone")
	for name, tt := range map[string]struct {
		args    []string
		in      string
		set     func(r *Replayer)
		cancel  bool
		err     string
		calls   int
		stopped bool
	}{
		"a file":                {args: []string{session}, calls: 2},
		"standard input":        {args: []string{"-"}, in: recorded(1, "/x", "ls"), calls: 1},
		"empty standard input":  {args: []string{"-"}},
		"text on the input":     {args: []string{"-"}, in: "hello\n", err: "standard input is not a transcript"},
		"nothing to read":       {args: []string{empty}, err: "no transcripts in"},
		"a text":                {args: []string{text}, err: "is not a transcript"},
		"no file":               {args: []string{filepath.Join(w.home, "none")}, err: "none"},
		"no sessions":           {err: "no transcripts on this machine"},
		"canceled":              {args: []string{session}, cancel: true, stopped: true},
		"out of time":           {args: []string{session}, set: func(r *Replayer) { r.Budget = 1 }, stopped: true},
		"a call is not taken":   {args: []string{session}, set: func(r *Replayer) { r.Each = func(*Judged) error { return failed } }, err: failed.Error(), calls: 1},
		"older calls":           {args: []string{"-"}, in: recorded(1, "/x", "ls") + recorded(9, "/x", "ls a"), set: func(r *Replayer) { r.Since = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) }, calls: 1},
		"older files":           {args: []string{w.home}, set: func(r *Replayer) { r.Since = time.Now().Add(time.Hour) }},
		"a faulty input":        {args: []string{"-"}, in: "fails", err: "the pipe broke"},
		"a file, then no file":  {args: []string{session, filepath.Join(w.home, "none")}, err: "none", calls: 2},
		"without a known place": {args: []string{"-"}, in: recorded(0, "/root/x", "ls"), calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := New(w.policy, "")
			if err != nil {
				t.Fatal(err)
			}
			if tt.set != nil {
				tt.set(r)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.cancel {
				cancel()
			}
			var in io.Reader = strings.NewReader(tt.in)
			if tt.in == "fails" {
				in = brokenPipe{}
			}
			err = r.Run(ctx, in, tt.args)
			if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) || r.Report.Calls != tt.calls || r.Report.Stopped != tt.stopped {
				t.Errorf("got %v, %d calls, stopped %v, want %q, %d, %v", err, r.Report.Calls, r.Report.Stopped, tt.err, tt.calls, tt.stopped)
			}
		})
	}
	if r, err := New(filepath.Join(w.home, "none.yaml"), ""); err == nil {
		t.Errorf("New with a policy that is not there: got %+v, want an error", r)
	}
	if r, err := New(w.put(t, "broken.yaml", "rules: ["), ""); err == nil {
		t.Errorf("New with a broken policy: got %+v, want an error", r)
	}
}

type brokenPipe struct{}

func (brokenPipe) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

// A call is judged by the policy of its project, and by the user's where that has a fault.
func TestPolicyOfEachProject(t *testing.T) {
	w := newWorld(t)
	strict := filepath.Dir(w.put(t, "strict/.umpire.yaml", "version: 1\nrules:\n  - {id: no-ls, deny: \"exec(ls *)\", reason: not here}\n"))
	faulty := filepath.Dir(w.put(t, "faulty/.umpire.yaml", "rules: ["))
	r, err := New("", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context(), strings.NewReader(recorded(1, strict, "ls a", "ls b")+recorded(1, faulty, "ls c", "ls d")+recorded(1, filepath.Join(w.home, "gone"), "ls e")), []string{"-"}); err != nil {
		t.Fatal(err)
	}
	if got := r.Report; got.Calls != 5 || got.Denied != 2 || got.Allowed != 3 {
		t.Errorf("%d calls, %d denied, %d allowed, want 5, 2, 3", got.Calls, got.Denied, got.Allowed)
	}
}

func TestSmallParts(t *testing.T) {
	for dir, want := range map[string]string{"/home/ada/x/y": "/home/ada", "/Users/ada": "/Users/ada", "/root": "/root", "/root/x": "/root", "/srv/x": "", "": "", "/home": "", "C:\\x": ""} {
		if got := homeOf(dir); got != want {
			t.Errorf("homeOf(%q) = %q, want %q", dir, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for input, want := range map[string]string{
		`{"command":"ls"}`: "ls", `{"command":"","cmd":"x"}`: "x", `{"command":["git","push"]}`: "git push", `{"commands":["a",1,"b"]}`: "a b", `{"file_path":"/x"}`: "/x",
		`{"url":"https://h"}`: "https://h", `{"filePath":"/x"}`: "/x", `{"path":"/x"}`: "/x", `{"notebook_path":"/x"}`: "/x", `{"query":"q"}`: "q", `{"pattern":"p"}`: "p", `{"description":"d"}`: "d", `"text"`: `"text"`, `{ "x": [1, "b"] }`: `{"x":[1,"b"]}`, `{"commands":[1]}`: `{"commands":[1]}`,
	} {
		if got := Asked(&umpire.Action{Input: json.RawMessage(input)}); got != want {
			t.Errorf("Asked(%s) = %q, want %q", input, got, want)
		}
	}
	force := []umpire.Operation{{Traits: umpire.Force}}
	risks := []int{Risk(umpire.Ask, nil), Risk(umpire.Ask, make([]umpire.Operation, 1)), Risk(umpire.Ask, make([]umpire.Operation, 99)), Risk(umpire.Ask, force), Risk(umpire.Deny, nil), Risk(umpire.Deny, force)}
	if !slices.IsSorted(risks) || risks[0] == risks[1] || risks[2] == risks[3] || risks[3] == risks[4] {
		t.Errorf("the risks are %v, want each above the one before", risks)
	}
	for want, op := range map[string]umpire.Operation{
		"network(h.example:443)": {Kind: umpire.Network, Resource: "POST h.example:443/x"}, "tool(x y)": {Kind: umpire.Tool, Resource: "x y"}, "exec(x *)": {Kind: umpire.Exec, Resource: "x y"}, "exec(x)": {Kind: umpire.Exec, Resource: "x"},
		"read(home)": {Kind: umpire.Read, Resource: "/x", Places: umpire.PlaceHome},
	} {
		if got := about(&op); got != want {
			t.Errorf("about(%v) = %q, want %q", op, got, want)
		}
	}
}
