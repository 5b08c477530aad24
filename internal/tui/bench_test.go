package tui

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/umpire-dev/umpire/internal/agent"
)

// benchModel is a screen of 120 by 40 that shows a long session.
func benchModel(b *testing.B, messages int) *model {
	b.Helper()
	m := newModel(b.Context(), newScripted(), Options{Entries: longConversation(messages)})
	m.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.View()
	return m
}

// From a key that was pressed to the frame that has it.
func BenchmarkKeyToFrame(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := benchModel(b, n)
			x, del := tea.KeyPressMsg{Code: 'x', Text: "x"}, tea.KeyPressMsg{Code: tea.KeyBackspace}
			b.ReportAllocs()
			for b.Loop() {
				m.Update(x)
				m.View()
				m.Update(del)
				m.View()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/key")
		})
	}
}

// From a key that is written to the program's input to what it writes to its output, frames
// being drawn 60 times a second at most.
func BenchmarkKeyThroughProgram(b *testing.B) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	o := Options{Entries: longConversation(10_000), In: inR, Out: outW, Env: []string{"TERM=xterm-256color"}}
	ctx, stop := context.WithCancel(b.Context())
	f, ended := newScreen(o), make(chan error, 1)
	go func() { ended <- f.run(ctx, newScripted()) }()
	wrote := make(chan struct{}, 1000)
	go func() {
		buf := make([]byte, 64<<10)
		for {
			if _, err := outR.Read(buf); err != nil {
				return
			}
			wrote <- struct{}{}
		}
	}()
	<-f.ready
	f.prog.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	for first := true; first; { // the first frames, until none follows
		select {
		case <-wrote:
		case <-time.After(time.Second):
			first = false
		}
	}
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		if _, err := inW.WriteString("x"); err != nil {
			b.Fatal(err)
		}
		<-wrote
		took = append(took, time.Since(began))
		time.Sleep(5 * time.Millisecond) // nobody types faster
		for len(wrote) > 0 {
			<-wrote
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/key-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms/key-p99")
	stop()
	if err := <-ended; err != nil {
		b.Log(err)
	}
	for _, f := range []*os.File{inR, inW, outR, outW} {
		_ = f.Close()
	}
}

// From a saved session of 10,000 messages to the first frame.
func BenchmarkFirstFrame(b *testing.B) {
	list := longConversation(10_000)
	b.ReportAllocs()
	for b.Loop() {
		m := newModel(b.Context(), newScripted(), Options{Entries: list})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		m.View()
	}
}

// A page up in the middle of 10,000 messages: none of what comes was drawn before.
func BenchmarkPageUp(b *testing.B) {
	m := benchModel(b, 10_000)
	up := tea.KeyPressMsg{Code: tea.KeyPgUp}
	for b.Loop() {
		m.Update(up)
		m.View()
		if m.view.top.entry < 100 {
			m.view.follow = true
		}
	}
}

// A resize of a session of 10,000 messages.
func BenchmarkResize(b *testing.B) {
	m := benchModel(b, 10_000)
	w := 60
	for b.Loop() {
		w = 200 - w
		m.Update(tea.WindowSizeMsg{Width: w, Height: 40})
		m.View()
	}
}

// A piece of an answer that has 100 KB already.
func BenchmarkStreamedPiece(b *testing.B) {
	m := benchModel(b, 100)
	m.update(worked{agent.TextDelta{Text: strings.Repeat("A paragraph of `code` and **text**.\n\n- one\n- two\n\n", 2000)}})
	m.flush()
	m.View()
	b.ReportAllocs()
	for b.Loop() {
		m.update(worked{agent.TextDelta{Text: "some more words"}})
		m.flush()
		m.View()
	}
}

func BenchmarkPaste100KB(b *testing.B) {
	m := benchModel(b, 100)
	text := strings.Repeat("0123456789 世界 0123456789\n", 3600)
	for b.Loop() {
		m.Update(tea.PasteMsg{Content: text})
		m.View()
		m.ed.set("")
	}
}

// What an hour leaves in memory: a turn every three seconds, each with an answer of 2 KB and
// two calls that print 64 KB.
func BenchmarkHourOfWork(b *testing.B) {
	heap := func() float64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc) / 1e6
	}
	answer, out := strings.Repeat("A paragraph of `code` and **text**.\n\n", 55), strings.Repeat("a line that a command prints\n", 2200)
	for b.Loop() {
		m := benchModel(b, 0)
		before := heap()
		for i := range 1200 {
			m.update(worked{agent.TurnStart{Turn: 1, MaxTurns: 40}})
			for p := 0; p < len(answer); p += 20 {
				m.update(worked{agent.TextDelta{Text: answer[p:min(p+20, len(answer))]}})
			}
			for c := range 2 {
				id := fmt.Sprint(i, c)
				m.update(worked{agent.ToolCall{ToolName: "bash", ToolCallID: id, Input: []byte(`{"command":"make"}`)}})
				m.update(output{id, out})
				m.update(worked{agent.ToolResult{ToolName: "bash", ToolCallID: id, Result: agent.Result{Success: true, Output: strings.Clone(out), Data: strings.Clone(out)}}})
				m.View()
			}
		}
		b.ReportMetric(heap()-before, "MB")
		runtime.KeepAlive(m)
	}
}
