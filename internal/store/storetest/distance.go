package storetest

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Away returns the URL of a proxy to a database. It delays each round trip by the given time.
func Away(t testing.TB, database string, trip time.Duration) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	target := u.Host
	u.Host = ln.Addr().String()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var open sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		_ = ln.Close()
		open.Wait()
	})
	open.Go(func() {
		for {
			client, err := ln.Accept()
			if err != nil {
				return
			}
			server, err := new(net.Dialer).DialContext(ctx, "tcp", target)
			if err != nil {
				_ = client.Close()
				continue
			}
			stop := context.AfterFunc(ctx, func() { _, _ = client.Close(), server.Close() })
			open.Go(func() {
				defer stop()
				var both sync.WaitGroup
				both.Go(func() { late(client, server, trip/2) })
				both.Go(func() { late(server, client, trip/2) })
				both.Wait()
			})
		}
	})
	return u.String()
}

// late copies data from one connection to another, each piece after a delay.
func late(from, to net.Conn, delay time.Duration) {
	type piece struct {
		data []byte
		due  time.Time
	}
	pieces := make(chan piece, 1024)
	go func() {
		defer close(pieces)
		for {
			buf := make([]byte, 32<<10)
			n, err := from.Read(buf)
			if n > 0 {
				pieces <- piece{buf[:n], time.Now().Add(delay)}
			}
			if err != nil {
				return
			}
		}
	}()
	defer func() {
		_, _ = from.Close(), to.Close()
		for range pieces { // the reader ends with its connection
		}
	}()
	for p := range pieces {
		<-time.After(time.Until(p.due))
		if _, err := to.Write(p.data); err != nil {
			return
		}
	}
}
