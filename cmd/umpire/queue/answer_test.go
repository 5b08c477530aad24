package queue

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/terminal"
)

// confirming is a person who reads what is shown and says yes.
type confirming struct {
	terminal.Person
	strings.Builder
}

func (c *confirming) Write(b []byte) (int, error) { return c.Builder.Write(b) }

func (c *confirming) Ask(question string) (string, error) {
	c.WriteString(question)
	return "y", nil
}

func (c *confirming) Close() error { return nil }

// Who approves all requests of a category sees what each of them does, in a limited form that says how
// much is left out, and approves the states that were shown.
func TestApproveAllShowsEach(t *testing.T) {
	t.Setenv("UMPIRE_TOKEN", "token")
	long := strings.Repeat("+harmless\n", 200) + "+evil\n"
	for _, tt := range []struct {
		name string
		diff string // of r1
		want []string
		not  string
	}{
		{"short", "--- a/go.mod\n+++ /dev/null\n-module\tx\n", []string{"-module\tx\n", "Approve these 2? "}, "in part"},
		{"long", long, []string{"+harmless\n", "all 203 lines: umpire queue show r1 --full", "Approve these 2, 1 of them shown in part? "}, "evil"},
		{"wide", "+" + strings.Repeat("x", 300) + "evil\n", []string{"xx…\n", "Approve these 2, 1 of them shown in part? "}, "evil"},
		{"escapes", "+\x1b[2K\u202e\n", []string{`+\x1b[2K\u202e`}, "\x1b"},
	} {
		var sent string
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			one := func(id, category, status, diff string) string {
				b, _ := json.Marshal(map[string]any{"id": id, "category": category, "status": status, "digest": "new-" + id, "action": "change " + id, "metadata": map[string]any{"diff": diff}})
				return string(b)
			}
			switch {
			case r.Method == http.MethodPost:
				body, _ := io.ReadAll(r.Body)
				sent = string(body)
				fmt.Fprint(w, `{"count":2}`)
			case r.URL.Path == "/api/queue":
				fmt.Fprint(w, `{"pending":[{"id":"r1","category":"filesystem","digest":"old"},{"id":"r2","category":"filesystem"},{"id":"r3","category":"filesystem"},{"id":"r4","category":"git"}]}`)
			case r.URL.Path == "/api/queue/r1":
				fmt.Fprint(w, one("r1", "filesystem", "pending", tt.diff))
			case r.URL.Path == "/api/queue/r2":
				fmt.Fprint(w, one("r2", "filesystem", "pending", ""))
			default: // settled in the meantime
				fmt.Fprint(w, one("r3", "filesystem", "denied", ""))
			}
		}))
		person := &confirming{}
		c := New(func() (terminal.Person, error) { return person, nil })
		c.SetOut(io.Discard)
		c.SetArgs([]string{"--server", srv.URL, "approve", "--all", "filesystem"})
		if err := c.Execute(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(person.String(), want) {
				t.Errorf("%s: shows %q, want %q in it", tt.name, person.String(), want)
			}
		}
		if strings.Contains(person.String(), tt.not) {
			t.Errorf("%s: shows %q, want no %q in it", tt.name, person.String(), tt.not)
		}
		if want := `"seen":[{"digest":"new-r1","id":"r1"},{"digest":"new-r2","id":"r2"}]`; !strings.Contains(sent, want) {
			t.Errorf("%s: sends %s, want %s in it", tt.name, sent, want)
		}
		srv.Close()
	}
}
