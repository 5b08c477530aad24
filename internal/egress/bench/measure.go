//go:build unix

package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// rate returns the number of 1 KiB responses per second.
func (s *setup) rate(ctx context.Context, p *proxy, address string, fresh bool) (float64, error) {
	c := s.client(p, fresh)
	defer c.CloseIdleConnections()
	return s.each(ctx, func(ctx context.Context) error {
		_, err := fetch(ctx, c, address+"/")
		return err
	})
}

// bulk returns the throughput of one tunnel in megabytes per second, without TLS, which would hide
// the speed of the relay.
func (s *setup) bulk(ctx context.Context, p *proxy) (float64, error) {
	begun, total := time.Now(), 0.0
	buf := make([]byte, 1<<20)
	for ctx.Err() == nil {
		c, r, err := s.tunnel(p, strings.TrimPrefix(s.secure, "https://"))
		if err != nil {
			return 0, err
		}
		if r.Buffered() > 0 {
			return 0, errNone
		}
		secure := tls.Client(c, &tls.Config{RootCAs: s.roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12})
		if _, err := fmt.Fprintf(secure, "GET /bulk HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			return 0, err
		}
		got := 0
		for got < bulkSize {
			n, err := secure.Read(buf)
			if err != nil {
				return 0, err
			}
			got += n
		}
		_ = c.Close() // all data has arrived
		total += float64(got) / 1e6
	}
	return total / time.Since(begun).Seconds(), nil
}

// tunnel opens a connection to an address, through a proxy or directly.
func (s *setup) tunnel(p *proxy, to string) (net.Conn, *bufio.Reader, error) {
	addr := cmp.Or(p.addr, to)
	c, err := net.DialTimeout("tcp", addr, 10*time.Second) //nolint:noctx // on this machine
	if err != nil {
		return nil, nil, err
	}
	r := bufio.NewReader(c)
	if p.addr == "" {
		return c, r, nil
	}
	auth := ""
	if p.user != nil {
		password, _ := p.user.Password()
		auth = "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(p.user.Username()+":"+password)) + "\r\n"
	}
	if _, err := fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", to, to, auth); err != nil {
		return nil, nil, err
	}
	resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect}) //nolint:bodyclose // it has none
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("CONNECT: %s", resp.Status)
	}
	return c, r, err
}

// latency returns the median response time at a fixed rate of requests, which does not wait for
// responses.
func (s *setup) latency(p *proxy, address string, rate int, long time.Duration) (time.Duration, error) {
	c := s.client(p, false)
	defer c.CloseIdleConnections()
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	var all sync.WaitGroup
	for n := range int(long.Seconds() * float64(rate)) {
		<-tick.C
		all.Go(func() {
			begun := time.Now()
			_, err := fetch(context.Background(), c, address+"/")
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
			} else if n > rate/4 { // all connections are open by now
				took = append(took, time.Since(begun))
			}
		})
	}
	all.Wait()
	if failed != nil || len(took) == 0 {
		return 0, failed
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// memory returns the additional memory of the gateway's process per idle tunnel, in KB.
func (s *setup) memory() (kb float64, n int, err error) {
	p := *s.proxies["umpire"]
	before, err := resident(p.pid)
	if err != nil {
		return 0, 0, err
	}
	var open []net.Conn
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	for _, token := range s.tokens {
		if token == s.tokens[0] { // some of its slots may still be in use
			continue
		}
		by := p
		by.user = userOf(token)
		for range 250 {
			c, _, err := s.tunnel(&by, strings.TrimPrefix(s.secure, "https://"))
			if err != nil {
				return 0, 0, err
			}
			open = append(open, c)
			secure := tls.Client(c, &tls.Config{RootCAs: s.roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12})
			if _, err := fmt.Fprintf(secure, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				return 0, 0, err
			}
			if _, err := secure.Read(make([]byte, 4096)); err != nil {
				return 0, 0, err
			}
		}
	}
	time.Sleep(3 * time.Second)
	after, err := resident(p.pid)
	return float64(after-before) / float64(len(open)), len(open), err
}

// resident returns the memory of a process, in KB.
func resident(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
		}
	}
	return 0, errNone
}

// processor returns the processor time that a process has used.
func processor(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64) // the kernel always writes numbers
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * (time.Second / 100)
}
