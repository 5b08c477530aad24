package egress

import (
	"errors"
	"net/netip"
	"testing"
)

// The addresses that stand for this machine are umpire's own as well, whoever names them.
func TestOwnByNoAddress(t *testing.T) {
	d := dialer{own: func() []netip.AddrPort { return []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:3700")} }}
	for _, at := range []string{"0.0.0.0:3700", "[::]:3700", "[::1]:3700", "127.0.0.2:3700", "[::ffff:0.0.0.0]:3700"} {
		if err := d.check(netip.MustParseAddrPort(at), at, true); !errors.Is(err, ErrSelf) {
			t.Errorf("%s: %v", at, err)
		}
	}
}
