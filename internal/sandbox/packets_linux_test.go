//go:build amd64 || arm64

package sandbox

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What came before the end is looked at, however long whoever looks takes to go on.
func TestSettleWaits(t *testing.T) {
	near, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	far, err := net.DialUDP("udp4", nil, near.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	const sent = 3
	begun, taken := make(chan struct{}), 0
	w := new(ways)
	if err := w.read(near, func(s int) error {
		if _, _, err := unix.Recvfrom(s, make([]byte, 1), unix.MSG_DONTWAIT); err != nil {
			return err
		}
		if taken++; taken == 1 {
			close(begun)
			time.Sleep(1500 * time.Millisecond) // the pause is what is tested
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for range sent {
		if _, err := far.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	<-begun
	w.reportUnanswered()
	if taken != sent {
		t.Errorf("%d packets of %d", taken, sent)
	}
}
