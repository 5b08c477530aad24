//go:build amd64 || arm64

package sandbox

import (
	"sync"
	"testing"
)

// Whether a program runs can be asked by many at a time, and asking keeps none from starting.
func TestRunning(t *testing.T) {
	c := Config{State: t.TempDir()}
	release, err := hold(&c)
	if err != nil {
		t.Fatal(err)
	}
	if !Running(&c) {
		t.Error("it is taken for one that has ended")
	}
	if _, err := hold(&c); err == nil {
		t.Error("it is started twice")
	}
	release()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 2000 {
				if Running(&c) {
					t.Error("another who asks is taken for the program")
					return
				}
			}
		})
	}
	all.Wait()
	stop := make(chan struct{})
	for range 2 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					Running(&c)
				}
			}
		})
	}
	for range 200 {
		release, err := hold(&c)
		if err != nil {
			t.Error(err)
			break
		}
		release()
	}
	close(stop)
	all.Wait()
}
