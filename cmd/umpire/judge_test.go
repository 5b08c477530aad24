package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// fakeModel is a provider that answers in Anthropic's format.
type fakeModel struct {
	*httptest.Server
	asked atomic.Int64
}

func newFakeModel(t testing.TB, f http.HandlerFunc) *fakeModel {
	t.Helper()
	s := &fakeModel{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		f(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func modelSays(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(w, `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":{"input_tokens":900,"output_tokens":50}}`, quoted)
	}
}

func modelOpinion(effect, risk string) string {
	return fmt.Sprintf(`{"data_gives_instructions":false,"reason":"because","risk":%q,"effect":%q,"confidence":90}`, risk, effect)
}

// judgedHome is a home with a project, a policy and both programs.
type judgedHome struct {
	t         testing.TB
	bin       string
	home, dir string
	env       []string
}

func newJudged(t testing.TB, bin, policy string) *judgedHome {
	t.Helper()
	home := t.TempDir()
	j := &judgedHome{t: t, bin: bin, home: home, dir: filepath.Join(home, "proj")}
	j.env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "ANTHROPIC_API_KEY=test-key-1"}
	if err := os.MkdirAll(filepath.Join(j.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	j.write(".config/umpire/policy.yaml", policy)
	return j
}

func (j *judgedHome) write(name, text string) {
	j.t.Helper()
	p := filepath.Join(j.home, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		j.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		j.t.Fatal(err)
	}
}

// call runs the hook on a command and returns what it answers, "" if nothing, and the
// reason.
func (j *judgedHome) call(command string) (decision, reason string) {
	j.t.Helper()
	payload, err := json.Marshal(map[string]any{"session_id": "s", "cwd": j.dir, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]string{"command": command}, "tool_use_id": "t1"})
	if err != nil {
		j.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(j.bin, "umpire-hook"), "claude")
	cmd.Env, cmd.Dir, cmd.Stdin = j.env, j.dir, bytes.NewReader(payload)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		j.t.Fatal(err)
	}
	if len(out) == 0 {
		return "", ""
	}
	var doc struct {
		Out struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		j.t.Fatalf("output is no JSON: %q: %v", out, err)
	}
	return doc.Out.Decision, doc.Out.Reason
}

func (j *judgedHome) last() audit.Record {
	j.t.Helper()
	rs, err := audit.Last(filepath.Join(j.home, ".local", "state", "umpire"), audit.Query{}, 1)
	if err != nil || len(rs) != 1 {
		j.t.Fatalf("%d records, %v", len(rs), err)
	}
	return rs[0]
}

func policyFor(url, more string) string {
	return "version: 1\njudge:\n  enabled: true\n  timeout: 20s\n  providers: [anthropic]\n  anthropic: {model: m, baseURL: " + url + "}\n" + more
}

const openCall = "curl -o page.html https://example.org/page"

// The whole way: a client's payload, the hook, umpire, a provider, and back.
func TestJudgeEndToEnd(t *testing.T) {
	bin := programs.Dir(t)
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for _, tt := range []struct {
		name, command string
		answer        http.HandlerFunc
		more          string
		want, reason  string
		asked         int64
		failed        string // part of what the record says went wrong
	}{
		{"it allows", openCall, modelSays(modelOpinion("allow", "low")), "", "", "", 1, ""},
		{"it denies", openCall, modelSays(modelOpinion("deny", "high")), "", "deny", "because", 1, ""},
		{"it asks", openCall, modelSays(modelOpinion("ask", "medium")), "", "ask", "because", 1, ""},
		{"it allows where the default denies", openCall, modelSays(modelOpinion("allow", "low")), "defaultAction: deny\n", "", "", 1, ""},
		{"it contradicts itself", openCall, modelSays(modelOpinion("allow", "critical")), "", "ask", "contradicts", 1, ""},
		{"it says something else", openCall, modelSays("Sure, go ahead!"), "", "ask", "no clear answer", 1, ""},
		{"it answers garbage", openCall, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("\x00garbage")) }, "", "", "", 1, "does not match the API"},
		{"it answers garbage where the default denies", openCall, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }, "defaultAction: deny\n", "deny", "default", 1, "does not match the API"},
		{"it fails, three times, where the default asks", openCall, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "defaultAction: ask\n", "ask", "default", 3, "500"},
		{"its key is refused", openCall, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, "", "", "", 1, "the key was refused"},
		{"rules deny", "rm -rf ~", modelSays(modelOpinion("allow", "low")), "", "deny", "", 0, ""},
		{"rules ask", "make x", modelSays(modelOpinion("allow", "low")), "rules:\n  - ask: exec(make *)\n", "ask", "", 0, ""},
		{"rules allow", openCall, modelSays(modelOpinion("deny", "high")), "rules:\n  - allow: network(example.org)\n  - allow: exec(curl *)\n  - allow: write(**)\n", "", "", 0, ""},
		{"it is harmless", "ls", modelSays(modelOpinion("deny", "high")), "", "", "", 0, ""},
		{"it is only observed", openCall, modelSays(modelOpinion("deny", "high")), "mode: observe\n", "", "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newFakeModel(t, tt.answer)
			j := newJudged(t, bin, policyFor(p.URL, tt.more))
			got, reason := j.call(tt.command)
			if got != tt.want || !strings.Contains(reason, tt.reason) || p.asked.Load() != tt.asked {
				t.Errorf("got %q, %q with %d requests", got, reason, p.asked.Load())
			}
			r := j.last()
			if (r.Failure != "") != (tt.failed != "") || !strings.Contains(r.Failure, tt.failed) {
				t.Errorf("the record has the failure %q", r.Failure)
			}
			if strings.Contains(fmt.Sprint(r), "test-key-1") {
				t.Errorf("the record has the key: %+v", r)
			}
			if tt.want == "deny" && tt.asked == 1 && tt.failed == "" && (r.Data["judge"] != "anthropic" || r.Data["judge_effect"] != "deny" || r.Data["judge_usage"] != "900+50" || r.Data["judge_confidence"] != "90") {
				t.Errorf("the record has %v", r.Data)
			}
		})
	}
	t.Run("it is slow", func(t *testing.T) {
		p := newFakeModel(t, hang)
		j := newJudged(t, bin, strings.Replace(policyFor(p.URL, ""), "20s", "300ms", 1))
		if got, _ := j.call(openCall); got != "" || p.asked.Load() > 1 { // on a slow machine it may be late itself
			t.Errorf("got %q with %d requests", got, p.asked.Load())
		}
		if r := j.last(); !strings.Contains(r.Failure, "no answer in time") {
			t.Errorf("the record has the failure %q", r.Failure)
		}
	})
	t.Run("it is down", func(t *testing.T) {
		p := newFakeModel(t, hang)
		p.Close()
		j := newJudged(t, bin, policyFor(p.URL, "defaultAction: ask\n"))
		if got, _ := j.call(openCall); got != "ask" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("the next one answers", func(t *testing.T) {
		down := newFakeModel(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
		up := newFakeModel(t, func(w http.ResponseWriter, r *http.Request) {
			quoted, _ := json.Marshal(modelOpinion("deny", "high"))
			fmt.Fprintf(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`, quoted)
		})
		j := newJudged(t, bin, strings.Replace(policyFor(down.URL, ""), "[anthropic]", "[anthropic, openai]\n  openai: {baseURL: "+up.URL+"/v1, apiKeyCommand: [echo, printed-key]}", 1))
		if got, _ := j.call(openCall); got != "deny" {
			t.Errorf("got %q", got)
		}
		if r := j.last(); r.Data["judge"] != "openai" {
			t.Errorf("the record has %v", r.Data)
		}
	})
	t.Run("it is remembered", func(t *testing.T) {
		p := newFakeModel(t, modelSays(modelOpinion("deny", "high")))
		j := newJudged(t, bin, policyFor(p.URL, ""))
		// A project's settings may set this for the agent and its hooks. It moves nothing.
		j.env = append(j.env, "XDG_CACHE_HOME="+t.TempDir())
		for i := range 2 {
			if got, _ := j.call(openCall); got != "deny" {
				t.Errorf("got %q", got)
			}
			if r := j.last(); r.Data["judge_cached"] != fmt.Sprint(i > 0) {
				t.Errorf("round %d: the record has %v", i, r.Data)
			}
		}
		kept, err := filepath.Glob(filepath.Join(j.home, ".cache/umpire/judge/answers/*.json"))
		if p.asked.Load() != 1 || err != nil || len(kept) != 1 {
			t.Errorf("%d requests, kept %v, %v", p.asked.Load(), kept, err)
		}
	})
	t.Run("a project has no say", func(t *testing.T) {
		mine, theirs := newFakeModel(t, modelSays(modelOpinion("deny", "high"))), newFakeModel(t, modelSays(modelOpinion("allow", "low")))
		j := newJudged(t, bin, policyFor(mine.URL, ""))
		j.env = append(j.env, "ANTHROPIC_BASE_URL="+theirs.URL)
		j.write("proj/.umpire.yaml", policyFor(theirs.URL, ""))
		if got, _ := j.call(openCall); got != "deny" || theirs.asked.Load() != 0 {
			t.Errorf("got %q, theirs was asked %d times", got, theirs.asked.Load())
		}
	})
	t.Run("the day's budget", func(t *testing.T) {
		p := newFakeModel(t, modelSays(modelOpinion("deny", "high")))
		j := newJudged(t, bin, strings.Replace(policyFor(p.URL, ""), "enabled: true", "enabled: true\n  callsPerDay: 1", 1))
		if got, _ := j.call(openCall); got != "deny" {
			t.Errorf("got %q", got)
		}
		if got, _ := j.call(openCall + "/2"); got != "" || p.asked.Load() != 1 {
			t.Errorf("over the budget: got %q, %d requests", got, p.asked.Load())
		}
		if r := j.last(); !strings.Contains(r.Failure, "budget") {
			t.Errorf("the record has the failure %q", r.Failure)
		}
	})
}

// Not even a project that the user trusts configures the judge: it names programs to run.
func TestJudgeSettings(t *testing.T) {
	dir := newProject(t)
	if err := os.WriteFile(filepath.Join(dir, ".umpire.yaml"), []byte(policyFor("https://models.example", "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := trust(t, dir, "y"); err != nil {
		t.Fatal(err)
	}
	if s, err := judgeconfig.Settings(os.Getenv("HOME"), dir); err != nil || s.Enabled || s.Anthropic != nil {
		t.Errorf("settings of the judge: got %+v, %v, want a judge that is off", s, err)
	}
}

// BenchmarkSlowPath compares, in one run and in turn, the hook that answers by rules with
// the way to a model and back: hook, umpire, a provider on this machine that answers at
// once. What a real provider takes comes on top.
func BenchmarkSlowPath(b *testing.B) {
	bin := programs.Dir(b)
	p := newFakeModel(b, modelSays(modelOpinion("allow", "low")))
	j := newJudged(b, bin, strings.Replace(policyFor(p.URL, ""), "enabled: true", "enabled: true\n  callsPerDay: 1000000\n  centsPerDay: 100000000", 1))
	j.call("ls") // compiles the policy
	took := map[string][]time.Duration{}
	n := 0
	for b.Loop() {
		for name, command := range map[string]string{"rules": "ls", "model": fmt.Sprint(openCall, n), "kept": openCall} {
			start := time.Now()
			if got, _ := j.call(command); got != "" {
				b.Fatalf("%s: got output %q, want none", command, got)
			}
			took[name] = append(took[name], time.Since(start))
		}
		n++
	}
	p50 := func(name string) float64 {
		slices.Sort(took[name])
		return took[name][len(took[name])/2].Seconds() * 1000
	}
	for _, name := range []string{"rules", "model", "kept"} {
		b.ReportMetric(p50(name), name+"-ms")
	}
	b.ReportMetric(p50("model")/p50("rules"), "model/rules")
	b.ReportMetric(p50("kept")/p50("rules"), "kept/rules")
	b.ReportMetric(0, "ns/op")
}

func TestJudgeCommand(t *testing.T) {
	dir := newProject(t)
	home := os.Getenv("HOME")
	for _, n := range []string{"ANTHROPIC_API_KEY", "GITHUB_TOKEN", "OPENAI_API_KEY", "OPENROUTER_API_KEY"} {
		t.Setenv(n, "")
	}
	out, exit := runUmpire(t, dir, "", "judge", openCall)
	if exit != cli.ExitFailure || !strings.Contains(out, "umpire judge use") {
		t.Errorf("without a judge: exit %d: %s", exit, out)
	}
	out, exit = runUmpire(t, dir, "", "judge", "--prompt", openCall+" # \x1b[31m\nEND")
	if exit != 0 || !strings.Contains(out, "example.org/page # \\u001b[31m\\nEND") || strings.Contains(out, "\x1b") {
		t.Errorf("the prompt: exit %d: %s", exit, out)
	}
	out, exit = runUmpire(t, dir, "", "judge", "providers")
	if exit != 0 || !strings.Contains(out, "The judge is off") || !strings.Contains(out, "$OPENAI_API_KEY is not set") || strings.Contains(out, "ollama") {
		t.Errorf("providers: exit %d: %s", exit, out)
	}
	p := newFakeModel(t, modelSays(modelOpinion("deny", "high")))
	if err := os.MkdirAll(filepath.Join(home, ".config", "umpire"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".config", "umpire", "policy.yaml"), []byte(policyFor(p.URL, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ANTHROPIC_API_KEY", "test-key-1")
	for _, want := range []string{"900 + 50 tokens", "from the cache"} {
		out, exit = runUmpire(t, dir, "", "judge", openCall)
		if exit != cli.ExitDeny || !strings.Contains(out, "deny: a model judges it deny, risk high: because (judge)") || !strings.Contains(out, want) {
			t.Errorf("exit %d: %s", exit, out)
		}
	}
	out, exit = runUmpire(t, dir, "", "judge", "--json", openCall)
	var doc struct {
		Effect string
		Asked  bool
		Report map[string]string
	}
	if err := json.Unmarshal([]byte(out[:strings.LastIndexByte(out, '}')+1]), &doc); err != nil || exit != cli.ExitDeny || doc.Effect != "deny" || !doc.Asked || doc.Report["judge"] != "anthropic" {
		t.Errorf("exit %d: %s: %v", exit, out, err)
	}
	if out, exit = runUmpire(t, dir, "", "judge", "ls"); exit != 0 || !strings.Contains(out, "settled without the model") {
		t.Errorf("exit %d: %s", exit, out)
	}
	out, exit = runUmpire(t, dir, "", "judge", "providers", "--json")
	if exit != 0 || !strings.Contains(out, `"available": true`) || !strings.Contains(out, `"callsToday": 1`) || strings.Contains(out, "test-key-1") {
		t.Errorf("providers: exit %d: %s", exit, out)
	}
}
