// Command score counts the findings of the checks without a model in trees of honest code:
//
//	go run ./internal/review/score ~/go/pkg/mod/*/*
//
// For each rule, it prints the number of findings per 1,000 files. SHOW=WORD in the environment
// prints the places of findings whose severity and rule contain the word. An argument that ends
// in .jsonl is a corpus of attacks, with the fields id, text and kind: for it, score prints the
// number of attacks with findings.
package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/review/snapshot"
	"github.com/umpire-dev/umpire/internal/review/static"
)

func main() {
	var total tally
	total.rules = map[string]int{}
	for _, dir := range os.Args[1:] {
		count := total.add
		if strings.HasSuffix(dir, ".jsonl") {
			count = recall
		}
		if err := count(dir); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", dir, err)
			os.Exit(1)
		}
	}
	if total.files > 0 {
		total.print()
	}
}

// tally counts the findings of all trees.
type tally struct {
	files, binary, left int
	bytes               int64
	copying, checking   time.Duration
	peak                uint64
	rules               map[string]int // by severity and rule
}

func (t *tally) add(dir string) error {
	start := time.Now()
	s, err := snapshot.FromPath(context.Background(), "", dir)
	if err != nil {
		return err
	}
	defer func() {
		if err := s.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	t.copying += time.Since(start)
	start = time.Now()
	list, err := static.Check(context.Background(), s)
	if err != nil {
		return err
	}
	t.checking += time.Since(start)
	t.files += s.Target.Files
	t.left += len(s.Files) - s.Target.Files
	t.bytes += s.Target.Bytes
	for i := range s.Files {
		if s.Files[i].Binary {
			t.binary++
		}
	}
	for i := range list {
		r := &list[i]
		key := fmt.Sprintf("%-8s %s", r.Severity, r.Rule)
		if t.rules[key]++; t.rules[key] <= 1000 && os.Getenv("SHOW") != "" && strings.Contains(key, os.Getenv("SHOW")) {
			_, detail, _ := strings.Cut(r.Description, " Found: ")
			fmt.Printf("%s %s/%q %q\n", key, dir, r.Place(), detail)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.peak = max(t.peak, m.Sys)
	return nil
}

func (t *tally) print() {
	per := func(n int) float64 { return float64(n) * 1000 / float64(max(1, t.files)) }
	fmt.Printf("%d files (%d binary, %d left out), %d MB, copied in %s, checked in %s, %d MB of memory at most\n", t.files, t.binary, t.left, t.bytes/1e6, t.copying.Round(time.Millisecond), t.checking.Round(time.Millisecond), t.peak/1e6)
	groups := map[string]int{}
	for _, key := range slices.SortedFunc(maps.Keys(t.rules), func(a, b string) int { return cmp.Compare(t.rules[b], t.rules[a]) }) {
		fmt.Printf("%7d %8.2f  %s\n", t.rules[key], per(t.rules[key]), key)
		severity, rule, _ := strings.Cut(key, " ")
		kind := "says that someone means harm"
		if rule = strings.TrimSpace(rule); strings.HasPrefix(rule, "umpire/tree/") || strings.HasPrefix(rule, "umpire/agent-surface/") && !strings.HasSuffix(rule, "starts-program") {
			kind = "says what is there"
		}
		groups[severity+", "+kind] += t.rules[key]
	}
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		fmt.Printf("%7d %8.2f  %s\n", groups[g], per(groups[g]), g)
	}
}
