package bounded_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/bounded"
)

func TestCall(t *testing.T) {
	own := errors.New("its own")
	never := make(chan struct{})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		limit time.Duration
		f     func(context.Context) (int, error)
		want  int
		err   string
	}{
		{"an answer", t.Context(), time.Minute, func(context.Context) (int, error) { return 7, nil }, 7, ""},
		{"an error", t.Context(), time.Minute, func(context.Context) (int, error) { return 0, own }, 0, "its own"},
		{"a panic", t.Context(), time.Minute, func(context.Context) (int, error) { panic("oops") }, 0, "panic: oops"},
		{"deaf", t.Context(), time.Millisecond, func(context.Context) (int, error) { <-never; return 7, nil }, 0, "deadline"},
		{"it hears", t.Context(), time.Millisecond, func(ctx context.Context) (int, error) { <-ctx.Done(); return 7, ctx.Err() }, -1, "deadline"},
		{"canceled", canceled, time.Minute, func(context.Context) (int, error) { <-never; return 7, nil }, 0, "canceled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bounded.Call(tt.ctx, tt.limit, tt.f)
			if tt.want >= 0 && got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
}

// Whatever way the bytes come, only the first are kept.
func TestBuffer(t *testing.T) {
	for most := range 5 {
		for _, pieces := range [][]string{nil, {""}, {"a"}, {"abc"}, {"abcd"}, {"a", "b", "", "c", "d", "e"}, {"ab", "cde", "f"}} {
			whole := strings.Join(pieces, "")
			want := whole[:min(len(whole), most)]
			b := bounded.Buffer{Most: most}
			for _, p := range pieces {
				if n, err := io.WriteString(&b, p); n != len(p) || err != nil {
					t.Errorf("%d of %q are taken, %v", n, p, err)
				}
			}
			copied := bounded.Buffer{Most: most}
			if n, err := io.Copy(&copied, io.MultiReader(strings.NewReader(whole))); n != int64(len(whole)) || err != nil {
				t.Errorf("%d bytes of %q are copied, %v", n, whole, err)
			}
			for _, got := range []*bounded.Buffer{&b, &copied} {
				if got.String() != want || string(got.Bytes()) != want || got.Over != (len(whole) > most) {
					t.Errorf("%q with room for %d: %q is kept, over: %v; want %q", pieces, most, got, got.Over, want)
				}
			}
		}
	}
}
