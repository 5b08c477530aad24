package tui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// driver plays the part of Bubble Tea: it hands messages to a model, one after the other,
// and runs what Update returns. Time stands still unless a test moves it.
type driver struct {
	t     *testing.T
	m     *model
	s     *scripted
	msgs  chan tea.Msg
	clock time.Time
	stop  context.CancelFunc
	quit  bool
	held  []tea.Msg // messages about time that the test gives itself
	hold  bool
}

func (d *driver) run(context.Context, Session) error { return nil }

func (d *driver) send(msg any) { d.msgs <- msg }

func drive(t *testing.T, o Options, w, h int) *driver {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	d := &driver{t: t, s: newScripted(), msgs: make(chan tea.Msg), clock: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), stop: stop}
	for i := range d.s.saved {
		d.s.saved[i].Updated = d.clock.Add(-3 * time.Hour)
	}
	u := &UI{face: d, started: make(chan struct{}), done: make(chan struct{})}
	close(u.started)
	d.s.ui = u
	d.m = newModel(ctx, d.s, o)
	d.m.now = func() time.Time { return d.clock }
	d.m.post = func(msg tea.Msg) { d.msgs <- msg }
	d.m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		if _, ok := msg.(tickMsg); ok {
			return nil
		}
		return func() tea.Msg { return msg }
	}
	t.Cleanup(func() {
		stop()
		go func() {
			for range d.msgs { // whoever still posts
			}
		}()
		d.m.work.wait(time.Minute)
	})
	d.exec(d.m.Init())
	d.update(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

func (d *driver) exec(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range v.Len() { // a batch, or a sequence
				d.exec(v.Index(i).Interface().(tea.Cmd))
			}
			return
		}
		if msg != nil {
			d.msgs <- msg
		}
	}()
}

func (d *driver) update(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.quit = true
		return
	}
	_, cmd := d.m.Update(msg)
	d.exec(cmd)
	d.m.View()
}

// until takes messages until something holds.
func (d *driver) until(what string, holds func() bool) {
	d.t.Helper()
	late := time.After(time.Minute)
	for !holds() {
		select {
		case msg := <-d.msgs:
			if _, ok := msg.(settledMsg); ok && d.hold {
				d.held = append(d.held, msg)
				continue
			}
			d.update(msg)
		case <-late:
			d.t.Fatalf("never: %s\n%s", what, d.text())
		}
	}
}

func (d *driver) sent() []string {
	sent, _ := d.s.told()
	return sent
}

func (d *driver) urged() []string {
	_, urged := d.s.told()
	return urged
}

func (d *driver) idle() {
	d.t.Helper()
	d.until("the end of the work", func() bool { return !d.m.turn.on && len(d.m.asked) == 0 && !d.m.flushes })
}

func (d *driver) asked(n int) {
	d.t.Helper()
	d.until("a question", func() bool { return len(d.m.asked) == n })
	d.clock = d.clock.Add(answerDelay)
}

func (d *driver) typeText(text string) {
	for _, r := range text {
		d.update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// say types a message and sends it.
func (d *driver) say(text string) {
	d.typeText(text)
	d.press("enter")
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"tab": {Code: tea.KeyTab}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "backspace": {Code: tea.KeyBackspace},
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "delete": {Code: tea.KeyDelete},
	"alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "ctrl+end": {Code: tea.KeyEnd, Mod: tea.ModCtrl},
	"ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl}, "ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl},
}

func (d *driver) press(names ...string) {
	d.t.Helper()
	for _, name := range names {
		k, ok := named[name]
		switch {
		case ok:
		case strings.HasPrefix(name, "ctrl+"):
			k = tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
		default:
			k = tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
		}
		if k.String() != name {
			d.t.Fatalf("the key %q is %q", name, k.String())
		}
		d.update(k)
	}
}

// text is what is on the screen, without colors.
func (d *driver) text() string {
	var b strings.Builder
	for l := range strings.Lines(ansi.Strip(d.m.View().Content)) {
		b.WriteString(strings.TrimRight(strings.TrimSuffix(l, "\n"), " ") + "\n")
	}
	return b.String()
}

func (d *driver) wants(parts ...string) {
	d.t.Helper()
	text := d.text()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			d.t.Errorf("%q is not on the screen:\n%s", p, text)
		}
	}
}

func (d *driver) lacks(parts ...string) {
	d.t.Helper()
	text := d.text()
	for _, p := range parts {
		if strings.Contains(text, p) {
			d.t.Errorf("%q is on the screen:\n%s", p, text)
		}
	}
}

var rewrite = flag.Bool("golden", false, "write the golden files anew")

// golden compares with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: go test -golden writes it", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; have:\n%s\nwant:\n%s", file, got, want)
	}
}
