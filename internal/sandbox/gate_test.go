package sandbox

import (
	"net"
	"path/filepath"
	"testing"
	"time"
)

// A box cannot take up all that the gateway has for connections.
func TestPassOnIsBounded(t *testing.T) {
	far, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	came := make(chan net.Conn, 2*maxPassed)
	go func() {
		for {
			c, err := far.Accept()
			if err != nil {
				return
			}
			came <- c
		}
	}()
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go PassOn(t.Context(), l, "tcp", far.Addr().String())
	for range maxPassed + 1 {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first := <-came
	for range maxPassed - 1 {
		defer (<-came).Close()
	}
	select {
	case <-came:
		t.Error("there is no bound")
	case <-time.After(100 * time.Millisecond):
	}
	first.Close()
}
