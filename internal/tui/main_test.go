package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// The test binary is also a program: an agent without a model, for tests in a terminal.
func TestMain(m *testing.M) {
	if os.Getenv("UMPIRE_TUI_SCRIPT") != "" {
		if err := program(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func program() error {
	s := newScripted()
	o := Options{Inline: os.Getenv("UMPIRE_TUI_INLINE") != "", Prompt: os.Getenv("UMPIRE_TUI_PROMPT")}
	if n := os.Getenv("UMPIRE_TUI_LONG"); n != "" {
		var many int
		if _, err := fmt.Sscan(n, &many); err != nil {
			return err
		}
		o.Entries = longConversation(many)
	}
	if os.Getenv("UMPIRE_TUI_RESUME") != "" {
		o.Resume = &s.saved[0]
	}
	u := New(o)
	s.ui = u
	dir := os.Getenv("UMPIRE_TUI_DIR")
	s.log = filepath.Join(dir, "log")
	if err := os.WriteFile(filepath.Join(dir, "pid"), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return err
	}
	return u.Run(context.Background(), s)
}
