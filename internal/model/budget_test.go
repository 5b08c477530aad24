package model

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Twenty at once, and no call too many.
func TestBudgetAtOnce(t *testing.T) {
	b := Budget{Path: filepath.Join(t.TempDir(), "new", "budget.json"), Calls: 30, Most: 100 * Cent}
	var granted atomic.Int64
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for range 3 {
				settle, err := b.Spend(t.Context(), Cent)
				if err == nil {
					granted.Add(1)
					settle(Cent / 2)
				} else if !errors.Is(err, ErrBudget) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	calls, cost, err := b.Spent()
	if granted.Load() != 30 || calls != 30 || cost != 15*Cent || err != nil {
		t.Errorf("%d granted, %d calls, %.2f cents, %v", granted.Load(), calls, cost.Cents(), err)
	}
}

// The same between processes.
func TestBudgetProcesses(t *testing.T) {
	if path := os.Getenv("UMPIRE_TEST_BUDGET"); path != "" {
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // all start at once
		b := Budget{Path: path, Calls: 1000, Most: 10 * Cent}
		for range 3 {
			if _, err := b.Spend(t.Context(), Cent); err == nil {
				fmt.Println("granted")
			}
		}
		return
	}
	path := filepath.Join(t.TempDir(), "budget.json")
	var cmds []*exec.Cmd
	var outs []*strings.Builder
	var starts []func()
	for range 20 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestBudgetProcesses$")
		cmd.Env = append(os.Environ(), "UMPIRE_TEST_BUDGET="+path)
		out := &strings.Builder{}
		cmd.Stdout = out
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds, outs, starts = append(cmds, cmd), append(outs, out), append(starts, func() { fmt.Fprintln(in) })
	}
	for _, start := range starts {
		start()
	}
	granted := 0
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		granted += strings.Count(outs[i].String(), "granted")
	}
	b := Budget{Path: path}
	if calls, cost, err := b.Spent(); granted != 10 || calls != 10 || cost != 10*Cent || err != nil {
		t.Errorf("%d granted, %d calls, %.2f cents, %v", granted, calls, cost.Cents(), err)
	}
}

func TestBudgetDay(t *testing.T) {
	now := time.Date(2026, 11, 21, 23, 59, 0, 0, time.Local)
	b := Budget{Path: filepath.Join(t.TempDir(), "budget.json"), Calls: 1, Most: Cent, now: func() time.Time { return now }}
	settle, err := b.Spend(t.Context(), Cent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Spend(t.Context(), 0); !errors.Is(err, ErrBudget) {
		t.Errorf("a second call: %v", err)
	}
	now = now.Add(time.Hour)
	settle(0) // of yesterday's money, nothing comes back today
	if _, err := b.Spend(t.Context(), Cent); err != nil {
		t.Errorf("the next day: %v", err)
	}
	if _, cost, _ := b.Spent(); cost != Cent {
		t.Errorf("%.2f cents", cost.Cents())
	}
}

// What cannot be counted is not spent.
func TestBudgetFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "budget.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	asked := false
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		asked = true
		say(rw, 200, anthropicText(good, "end_turn"))
	}))
	defer srv.Close()
	c := chainTo(t, srv.URL, "anthropic", "ANTHROPIC_API_KEY")
	c.Budget = &Budget{Path: path, Calls: 10, Most: Cent}
	if _, err := c.Ask(t.Context(), ask); err == nil || asked {
		t.Errorf("a damaged file: asked %v, %v", asked, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.Ask(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
	}
	calls, cost, err := c.Budget.Spent()
	if calls != 2 || cost != 2*wires[0].cost || err != nil {
		t.Errorf("%d calls, %d, %v", calls, cost, err)
	}
	asked = false
	c.Budget.Calls = 2
	if _, err := c.Ask(t.Context(), ask); !errors.Is(err, ErrBudget) || !errors.Is(err, ErrNone) || asked {
		t.Errorf("over the budget: asked %v, %v", asked, err)
	}
}
