package wire

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		name, stream string
		want         []string
		err          error
	}{
		{"one each", "data: a\n\ndata: b\n\n", []string{"a", "b"}, nil},
		{"lines of one event", "data: a\ndata:b\n\n", []string{"a\nb"}, nil},
		{"carriage returns", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}, nil},
		{"other fields and comments", ": ping\nevent: x\nid: 7\nretry: 1\ndata: a\n\nevent: y\n\n", []string{"a"}, nil},
		{"cut", "data: a\n\ndata: b\n", []string{"a"}, nil},
		{"no stream", "<html>\n\n", nil, nil},
		{"a line too long", "data: a\n\ndata: " + strings.Repeat("x", 100) + "\n\n", []string{"a"}, bufio.ErrTooLong},
		{"broken", "", nil, io.ErrUnexpectedEOF},
	} {
		var r io.Reader = strings.NewReader(tt.stream)
		if tt.stream == "" {
			r = io.MultiReader(strings.NewReader("data: a"), &failing{tt.err})
		}
		var got []string
		var failed error
		for data, err := range Events(r, 64) {
			if err != nil {
				failed = err
				break
			}
			got = append(got, string(data))
		}
		if !slices.Equal(got, tt.want) || !errors.Is(failed, tt.err) {
			t.Errorf("%s: %q and %v, want %q and %v", tt.name, got, failed, tt.want, tt.err)
		}
	}
	n := 0
	for range Events(strings.NewReader("data: a\n\ndata: b\n\n"), 64) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d events after the reader left", n)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

func TestPost(t *testing.T) {
	var path, kind, key string
	var doc map[string]string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, kind, key = r.URL.Path, r.Header.Get("Content-Type"), r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&doc); err != nil {
			t.Error(err)
		}
	}))
	defer s.Close()
	c := &Client{Key: Plain("k")}
	for _, base := range []string{s.URL + "/v1", s.URL + "/v1/"} {
		resp, err := c.Post(t.Context(), base, "chat/completions", map[string]string{"a": "b"})
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
		if path != "/v1/chat/completions" || kind != "application/json" || key != "Bearer k" || doc["a"] != "b" {
			t.Errorf("%s: %s %s %s %v", base, path, kind, key, doc)
		}
	}
	if _, err := c.Post(t.Context(), "http://[", "x", nil); err == nil { //nolint:bodyclose // there is no response
		t.Error("a broken address was taken")
	}
	if _, err := c.Post(t.Context(), s.URL, "x", func() {}); err == nil { //nolint:bodyclose // there is no response
		t.Error("what is no document was sent")
	}
}
