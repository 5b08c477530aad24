package comment

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

type entry struct {
	ID   int64             `json:"id"`
	Body string            `json:"body"`
	User map[string]string `json:"user"`
}

// service plays the API of a hosting service.
type service struct {
	mu       sync.Mutex
	comments []entry
	login    string // of the token, "" for a workflow's
	refuse   map[string]int
	asked    []string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.RequestURI())
	if r.Header.Get("Authorization") != "Bearer secret-token" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if code := s.refuse[r.Method]; code != 0 && r.URL.Path != "/user" {
		w.WriteHeader(code)
		return
	}
	var in struct{ Body string }
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	me := s.login
	if me == "" {
		me = actions
	}
	switch {
	case r.URL.Path == "/user" && s.login == "":
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Path == "/user":
		_ = json.NewEncoder(w).Encode(map[string]string{"login": s.login})
	case r.Method == http.MethodGet && r.URL.Path == "/repos/o/r/issues/12/comments":
		page := 1
		_, _ = fmt.Sscan(r.URL.Query().Get("page"), &page)
		from := min((page-1)*100, len(s.comments))
		_ = json.NewEncoder(w).Encode(s.comments[from:min(from+100, len(s.comments))])
	case r.Method == http.MethodPost && r.URL.Path == "/repos/o/r/issues/12/comments":
		s.comments = append(s.comments, entry{int64(len(s.comments) + 1), in.Body, map[string]string{"login": me}})
		w.WriteHeader(http.StatusCreated)
	case r.Method == http.MethodPatch:
		i := slices.IndexFunc(s.comments, func(e entry) bool { return fmt.Sprintf("/repos/o/r/issues/comments/%d", e.ID) == r.URL.Path })
		if i < 0 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		s.comments[i].Body = in.Body
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func start(t *testing.T, s *service) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func TestOneCommentIsKept(t *testing.T) {
	for _, login := range []string{"", "somebody"} {
		s := &service{login: login}
		for i := range 250 { // of others, one with the marker
			body := "hello"
			if i == 3 {
				body = Marker + "\nNo findings."
			}
			s.comments = append(s.comments, entry{int64(i + 1), body, map[string]string{"login": "mallory"}})
		}
		url := start(t, s)
		for _, body := range []string{"first", "second"} {
			if err := Put(context.Background(), "o/r#12", url, "secret-token", body); err != nil {
				t.Fatal(err)
			}
			if n := len(s.comments); n != 251 || s.comments[250].Body != Marker+"\n"+body {
				t.Errorf("%q: %d comments, the last is %q", login, n, s.comments[n-1].Body)
			}
			if !strings.Contains(s.comments[3].Body, "No findings.") {
				t.Error("another's comment was changed")
			}
		}
		if !slices.Contains(s.asked, "GET /repos/o/r/issues/12/comments?per_page=100&page=3") {
			t.Errorf("asked %q, want the third page too", s.asked)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		s     *service
		token string
		want  string
	}{
		"no token":     {&service{}, "", "needs a token"},
		"wrong token":  {&service{}, "other", "401"},
		"cannot write": {&service{refuse: map[string]int{"POST": 403}}, "secret-token", "pull-requests: write"},
		"cannot read":  {&service{refuse: map[string]int{"GET": 404}}, "secret-token", "no such pull request"},
		"redirected":   {&service{refuse: map[string]int{"POST": 307}}, "secret-token", "307"},
		"too fast":     {&service{refuse: map[string]int{"POST": 429}}, "secret-token", "429"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Put(context.Background(), "o/r#12", start(t, c.s), c.token, "x")
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret-token") {
				t.Errorf("error %v, want one with %q and no token", err, c.want)
			}
			if len(c.s.comments) > 0 {
				t.Error("a comment was written")
			}
		})
	}
	for _, target := range []string{"o/r", "o/r#x", "../../x#1", ""} {
		if err := Put(context.Background(), target, "http://127.0.0.1:1", "t", "x"); err == nil || !strings.Contains(err.Error(), "not a pull request") {
			t.Errorf("%q: error %v, want that it is not a pull request", target, err)
		}
	}
	if err := Put(context.Background(), "o/r#1", "http://api.example", "t", "x"); err == nil || !strings.Contains(err.Error(), "https") {
		t.Errorf("error %v, want one that asks for https", err)
	}
}
