//go:build unix

// Command bench measures the proxy of `umpire serve` against no proxy, squid and tinyproxy, in turn
// within one run: on a noisy machine only the ratios mean something.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	bin := flag.String("umpire", "bin/umpire", "the program")
	each := flag.Duration("each", 700*time.Millisecond, "how long each is measured in each round")
	rounds := flag.Int("rounds", 9, "how often all are measured in turn")
	workers := flag.Int("workers", 16, "connections at a time")
	only := flag.String("only", "", "the one case to measure")
	flag.Parse()
	if flag.Arg(0) == "servers" { // started by setup.servers
		if err := serve(flag.Arg(1)); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*bin, *each, *rounds, *workers, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// load is a workload for a proxy, or for direct connections.
type load struct {
	name string
	by   []string // the proxies that support it
	aim  map[string]float64
	run  func(ctx context.Context, s *setup, proxy *proxy) (float64, error) // returns the rate per second
	unit string
}

func run(bin string, each time.Duration, rounds, workers int, only string) error {
	s, err := start(bin, workers)
	if err != nil {
		return err
	}
	defer s.stop()
	loads := []load{
		{"plain HTTP", []string{"umpire", "squid", "tinyproxy"}, map[string]float64{"direct": 0.22, "squid": 0.9}, func(ctx context.Context, s *setup, p *proxy) (float64, error) {
			return s.rate(ctx, p, s.plain, false)
		}, "requests/s"},
		{"blind tunnel", []string{"umpire", "squid", "tinyproxy"}, map[string]float64{"direct": 0.70}, func(ctx context.Context, s *setup, p *proxy) (float64, error) {
			return s.rate(ctx, p, s.secure, false)
		}, "requests/s"},
		{"bulk in a tunnel", []string{"umpire", "squid", "tinyproxy"}, map[string]float64{"direct": 0.65}, func(ctx context.Context, s *setup, p *proxy) (float64, error) {
			return s.bulk(ctx, p)
		}, "MB/s"},
		{"new tunnel each", []string{"umpire", "squid", "tinyproxy"}, map[string]float64{"direct": 0.30}, func(ctx context.Context, s *setup, p *proxy) (float64, error) {
			return s.rate(ctx, p, s.secure, true)
		}, "requests/s"},
		{"intercepted", []string{"umpire"}, map[string]float64{"direct": 0.20}, func(ctx context.Context, s *setup, p *proxy) (float64, error) {
			return s.rate(ctx, p, s.seen, false)
		}, "requests/s"},
	}
	for _, l := range loads {
		if only != "" && l.name != only {
			continue
		}
		if err := s.compare(l, each, rounds); err != nil {
			return err
		}
	}
	if only == "" || only == "latency" {
		if err := s.latencies(each, rounds); err != nil {
			return err
		}
	}
	if only == "" || only == "memory" {
		kb, n, err := s.memory()
		if err != nil {
			return err
		}
		fmt.Printf("%d idle tunnels: %.1f KB each, %s\n", n, kb, reached(kb <= 32, 32))
	}
	return nil
}

// compare runs a load on each proxy in turn, for several rounds, and prints the results.
func (s *setup) compare(l load, each time.Duration, rounds int) error {
	got, spent, own := map[string][]float64{}, map[string]float64{}, map[string]float64{}
	for range rounds {
		for _, name := range append([]string{"direct"}, l.by...) {
			p := s.proxies[name]
			if p == nil {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), each)
			cpu, here, begun := processor(p.pid), processor(os.Getpid())+processor(s.pid), time.Now()
			v, err := l.run(ctx, s, p)
			cancel()
			if n := v * time.Since(begun).Seconds(); n > 0 {
				spent[name] += (processor(p.pid) - cpu).Seconds() / n
				own[name] += (processor(os.Getpid()) + processor(s.pid) - here).Seconds() / n
			}
			if err != nil {
				return fmt.Errorf("%s by %s: %w", l.name, name, err)
			}
			got[name] = append(got[name], v)
		}
	}
	line := fmt.Sprintf("%-16s", l.name)
	for _, name := range append([]string{"direct"}, l.by...) {
		if len(got[name]) > 0 {
			line += fmt.Sprintf("  %s %.0f", name, median(got[name]))
			if name != "direct" {
				line += fmt.Sprintf(" (%.0f µs)", spent[name]/float64(rounds)*1e6)
			}
		}
	}
	fmt.Println(line, l.unit, "(processor time of the proxy for each)")
	if own["umpire"] > 0 { // the ratios if only processor time counted and nothing else ran
		each := own["umpire"] + spent["umpire"]
		fmt.Printf("%-16s  by processor time: %.2f of direct", "", own["direct"]/each)
		if own["squid"] > 0 {
			fmt.Printf(", %.2f of squid", (own["squid"]+spent["squid"])/each)
		}
		fmt.Println()
	}
	for against, aim := range l.aim {
		if len(got[against]) > 0 {
			var shares []float64 // per round, because the load of the machine changes
			for i, v := range got["umpire"] {
				shares = append(shares, v/got[against][i])
			}
			share := median(shares)
			fmt.Printf("%-16s  umpire is %.2f of %s, %s\n", "", share, against, reached(share >= aim, aim))
		}
	}
	return nil
}

// latencies prints the time that the proxy adds to a request at a fixed rate.
func (s *setup) latencies(each time.Duration, rounds int) error {
	for _, l := range []struct {
		name string
		url  string
		rate int
		aim  time.Duration
	}{{"plain HTTP", s.plain, 500, 600 * time.Microsecond}, {"blind tunnel", s.secure, 500, 250 * time.Microsecond}, {"intercepted", s.seen, 200, 900 * time.Microsecond}} {
		var with, without, more []float64
		for range rounds {
			for _, name := range []string{"direct", "umpire"} {
				m, err := s.latency(s.proxies[name], l.url, l.rate, max(each, time.Second))
				if err != nil {
					return fmt.Errorf("latency of %s: %w", l.name, err)
				}
				if name == "direct" {
					without = append(without, m.Seconds())
				} else {
					with = append(with, m.Seconds())
				}
			}
		}
		for i := range with {
			more = append(more, with[i]-without[i])
		}
		added := time.Duration(median(more) * 1e9)
		fmt.Printf("%-16s  %d requests/s: median %.2f ms, direct %.2f ms: %.2f ms added, %s\n", l.name, l.rate, median(with)*1e3, median(without)*1e3, added.Seconds()*1e3, reached(added <= l.aim, l.aim.Seconds()*1e3))
	}
	return nil
}

func reached(ok bool, aim any) string {
	if ok {
		return fmt.Sprintf("which reaches %v", aim)
	}
	return fmt.Sprintf("which MISSES %v", aim)
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

var errNone = errors.New("nothing came of it")

// lines returns a policy of many rules; the last one allows the servers of the benchmark.
func lines(seen string) string {
	var b strings.Builder
	b.WriteString("version: 1\nrules:\n")
	for n := range 998 {
		switch n % 3 {
		case 0:
			fmt.Fprintf(&b, "  - allow: network(api-%d.example.com)\n", n)
		case 1:
			fmt.Fprintf(&b, "  - deny: network(*.bad-%d.example.net)\n", n)
		default:
			fmt.Fprintf(&b, "  - ask: network(GET host-%d.example.org/v1/*)\n", n)
		}
	}
	fmt.Fprintf(&b, "  - allow: network(127.0.0.1:*)\n  - deny: network(DELETE %s/admin/*)\n", seen)
	return b.String()
}
