package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/umpire-dev/umpire/internal/tools/poll"
)

// Each division of a text is read as whole characters, and no byte is lost, also where the text is no
// UTF-8 or ends early.
func TestWholeCharacters(t *testing.T) {
	for _, text := range []string{"a世é👋z", "\x1b[200~世界\x1b[201~", "\xff\xe4a", "end \xf0\x9f"} {
		for at := range len(text) {
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r := &wholeCharacters{File: in}
			var got []string
			b := make([]byte, 64)
			for _, part := range []string{text[:at], text[at:], "\n"} {
				if part == "" {
					continue
				}
				if _, err := out.WriteString(part); err != nil {
					t.Fatal(err)
				}
				n, err := r.Read(b)
				if err != nil {
					t.Fatalf("%q divided at %d: %v", text, at, err)
				}
				got = append(got, string(b[:n]))
			}
			if strings.Join(got, "") != text+"\n" {
				t.Errorf("%q divided at %d: read %q", text, at, got)
			}
			if utf8.ValidString(text) && slices.ContainsFunc(got, func(s string) bool { return !utf8.ValidString(s) }) {
				t.Errorf("%q divided at %d: %q has a part of a character", text, at, got)
			}
			_, _ = in.Close(), out.Close()
		}
	}
}

// A connection that stalls within a character, for longer than Bubble Tea waits, loses none of a
// pasted text.
func TestSlowPaste(t *testing.T) {
	in, terminal, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	screen, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _, _ = in.Close(), terminal.Close(), screen.Close() }()
	s := newScripted()
	f, ended := newScreen(Options{In: in, Out: screen, Env: []string{"TERM=xterm-256color"}}), make(chan error, 1)
	go func() { ended <- f.run(t.Context(), s) }()
	<-f.ready
	f.prog.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, part := range []string{"\x1b[200~a \xe4", "\xb8\x96 z\x1b[201~", "\r"} {
		if _, err := terminal.WriteString(part); err != nil {
			t.Fatal(err)
		}
		time.Sleep(150 * time.Millisecond) // the connection stalls
	}
	poll.Until(t, func() (bool, string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.Equal(s.sent, []string{"a 世 z"}), fmt.Sprintf("sent %q", s.sent)
	})
	f.prog.Quit()
	<-ended
}
