package audit

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const chaosDir = "UMPIRE_AUDIT_CHAOS_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(chaosDir); dir != "" {
		chaosChild(dir)
		return
	}
	os.Exit(m.Run())
}

// chaosChild appends and says what it was told, until it is done or killed.
func chaosChild(dir string) {
	n, _ := strconv.Atoi(os.Getenv("UMPIRE_AUDIT_CHAOS_N"))
	for i := range n {
		e := sample()
		e.Action = fmt.Sprintf("%d-%d", os.Getpid(), i)
		if err := Append(dir, e); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println("ok", e.Action) // not buffered
	}
}

// 64 processes append to one log at once, and every fourth is killed in the middle:
// nothing that was acknowledged may be lost or recorded twice, and the chain holds.
func TestKilledWriters(t *testing.T) {
	const children, each = 64, 40
	dir := t.TempDir()
	fill(t, dir, 1, Options{})
	var mu sync.Mutex
	told := map[string]bool{}
	var wg sync.WaitGroup
	for i := range children {
		wg.Go(func() {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), chaosDir+"="+dir, fmt.Sprintf("UMPIRE_AUDIT_CHAOS_N=%d", each))
			out, err := c.StdoutPipe()
			if err != nil {
				t.Error(err)
				return
			}
			if err := c.Start(); err != nil {
				t.Error(err)
				return
			}
			seen := 0
			for lines := bufio.NewScanner(out); lines.Scan(); {
				id, ok := strings.CutPrefix(lines.Text(), "ok ")
				if !ok {
					t.Errorf("a child says: %s", lines.Text())
					continue
				}
				mu.Lock()
				told[id] = true
				mu.Unlock()
				if seen++; i%4 == 0 && seen == 5+i/2 {
					_ = c.Process.Kill() // it may be done already
				}
			}
			_ = c.Wait() // killed ones report that
		})
	}
	wg.Wait()
	for { // take over what was spilled last
		fill(t, dir, 1, Options{})
		r := verify(t, dir)
		if !r.OK() {
			t.Fatal(r.Faults)
		}
		if r.Spills == 0 {
			t.Logf("%d events, %d acknowledged, %d torn", r.Events, len(told), r.Torn)
			break
		}
	}
	times := map[string]int{}
	spilled := 0
	for r, err := range Read(dir, Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		times[r.Action]++
		if bytes.Contains(r.Raw, []byte(spillKey)) {
			spilled++
		}
	}
	t.Logf("%d were spilled first", spilled)
	for id := range told {
		if times[id] != 1 {
			t.Errorf("%s was acknowledged and is on record %d times", id, times[id])
		}
	}
	if len(told) < children*each/2 {
		t.Errorf("only %d appends were acknowledged", len(told))
	}
}
