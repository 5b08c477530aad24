package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Class is the class of an address: public, or a reason not to connect to it.
type Class string

// Public is the class of addresses to which every client may connect.
const Public Class = ""

// metadata is the class of addresses that hand out a machine's credentials.
const metadata Class = "cloud metadata"

// special lists the networks outside the public internet, narrower ones first: IANA's registries of
// special-purpose addresses, and the metadata services of clouds.
var special = []struct {
	prefix netip.Prefix
	class  Class
}{
	{netip.MustParsePrefix("169.254.169.254/32"), metadata},
	{netip.MustParsePrefix("169.254.170.2/32"), metadata},   // container credentials
	{netip.MustParsePrefix("169.254.170.23/32"), metadata},  // pod credentials
	{netip.MustParsePrefix("100.100.100.200/32"), metadata}, // Alibaba
	{netip.MustParsePrefix("168.63.129.16/32"), metadata},   // Azure; looks like a public address
	{netip.MustParsePrefix("192.0.0.192/32"), metadata},     // Oracle
	{netip.MustParsePrefix("fd00:ec2::/32"), metadata},

	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "shared by carriers"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "reserved"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},

	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("::/128"), "this network"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "private"},
	{netip.MustParsePrefix("2001::/23"), "reserved"}, // includes Teredo, with an embedded IPv4 address
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("2002::/16"), "reserved"}, // 6to4, likewise
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
	{netip.MustParsePrefix("fc00::/7"), "private"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("fec0::/10"), "private"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
}

var (
	translated = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address in the last four bytes
	global     = netip.MustParsePrefix("2000::/3")
)

// plain returns the IPv4 address that an address leads to, or itself.
func plain(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if translated.Contains(a) {
		b := a.As16()
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return a
}

// classify returns the class of an address.
func classify(a netip.Addr) Class {
	a = plain(a.WithZone(""))
	if !a.IsValid() {
		return "no address"
	}
	for _, s := range special {
		if s.prefix.Contains(a) {
			return s.class
		}
	}
	if a.Is6() {
		if !global.Contains(a) {
			return "reserved"
		}
		// An ISATAP address embeds an IPv4 address after this mark, and routers may extract it.
		if b := a.As16(); b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe {
			return classify(netip.AddrFrom4([4]byte(b[12:])))
		}
	}
	return Public
}

// RefusedError means that every address of a host needs approval first.
type RefusedError struct {
	Host  string
	Addr  netip.Addr
	Class Class
}

func (e *RefusedError) Error() string {
	what := "host or address"
	if e.Class == metadata {
		what = "address, and use it"
	}
	return fmt.Sprintf("%s is at %s (%s): to reach it, add an allow rule that names this %s", e.Host, e.Addr, e.Class, what)
}

// errSelf means that umpire itself listens on the address.
var errSelf = errors.New("this is umpire's address: no rule opens it to agents")

// Resolver looks up the addresses of a name.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Limits of establishing a connection.
const (
	resolveTime  = 5 * time.Second
	connectTime  = 10 * time.Second
	maxAddresses = 16 // of one name
)

// dialer connects to hosts by the addresses that it checked.
type dialer struct {
	resolver Resolver
	private  []netip.Prefix          // private networks that may be reached
	own      func() []netip.AddrPort // addresses that this program listens on

	mu      sync.Mutex
	machine []netip.Addr // this machine's addresses
	asked   time.Time
}

// deniedError means that a rule denies an address of a host that another rule allows by its name.
type deniedError struct {
	why    string
	inside bool // the rule denies only some requests
}

func (e *deniedError) Error() string { return e.why }

// denies returns why a connection to an address must not be used, or nil.
func (v *Decision) denies(at netip.Addr) *deniedError {
	if v.Denies == nil {
		return nil
	}
	why, inside := v.Denies(at)
	if why == "" {
		return nil
	}
	return &deniedError{why, inside}
}

// dial connects to a target as a Decision allows. It resolves the host once.
func (d *dialer) dial(ctx context.Context, t *Target, v *Decision) (net.Conn, error) {
	addrs, err := d.addresses(ctx, t)
	if err != nil {
		return nil, err
	}
	p, err := strconv.ParseUint(t.Port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("%q is not a port", t.Port)
	}
	var refused error
	var may []netip.AddrPort
	for _, a := range addrs {
		ap := netip.AddrPortFrom(a.Unmap().WithZone(""), uint16(p))
		err := d.check(ap, t.Host, v.Named)
		if err == nil {
			if denied := v.denies(ap.Addr()); denied != nil {
				err = denied
			}
		}
		switch {
		case err == nil:
			may = append(may, ap)
		case refused == nil:
			refused = err
		}
	}
	if len(may) == 0 {
		return nil, refused
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	var all error
	for i, ap := range may {
		// Each address gets a share of the time: one that never answers must not use all of it.
		deadline, _ := ctx.Deadline()
		dial := net.Dialer{Timeout: time.Until(deadline) / time.Duration(len(may)-i), ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			if got, err := netip.ParseAddrPort(address); err != nil || got != ap {
				return fmt.Errorf("checked %s, but the dialer uses %s", ap, address)
			}
			return nil
		}}
		c, err := dial.DialContext(ctx, "tcp", ap.String())
		if err == nil {
			return c, nil
		}
		all = errors.Join(all, err)
	}
	return nil, all
}

// addresses resolves a fully qualified host, without this machine's search list.
func (d *dialer) addresses(ctx context.Context, t *Target) ([]netip.Addr, error) {
	if a, ok := t.literal(); ok {
		return []netip.Addr{a}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	addrs, err := d.resolver.LookupNetIP(ctx, "ip", t.Host+".")
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, fmt.Errorf("%s has no address", t.Host)
	}
	return addrs[:min(len(addrs), maxAddresses)], nil
}

// check returns the reason why an address is closed. named is Decision.Named.
func (d *dialer) check(ap netip.AddrPort, host string, named bool) error {
	class, mine := classify(ap.Addr()), d.here(ap.Addr())
	if (mine || class == "loopback" || class == "this network") && slices.ContainsFunc(d.own(), func(own netip.AddrPort) bool { return own.Port() == ap.Port() }) {
		return errSelf
	}
	if mine && class == Public {
		class = "this machine"
	}
	if class == metadata { // a name that someone approved may lead there at its next look-up
		a, err := netip.ParseAddr(host)
		named = named && err == nil && plain(a) == plain(ap.Addr())
	}
	if class == Public || named || slices.ContainsFunc(d.private, func(p netip.Prefix) bool { return p.Contains(ap.Addr()) }) {
		return nil
	}
	return &RefusedError{Host: host, Addr: ap.Addr(), Class: class}
}

// self reports whether a target is umpire itself, judging by its host.
func (d *dialer) self(t *Target) bool {
	a, ok := t.literal()
	if !ok && (t.Host == "localhost" || strings.HasSuffix(t.Host, ".localhost")) {
		a, ok = netip.IPv6Loopback(), true
	}
	p, err := strconv.ParseUint(t.Port, 10, 16)
	return ok && err == nil && errors.Is(d.check(netip.AddrPortFrom(a, uint16(p)), t.Host, true), errSelf)
}

// here reports whether an address belongs to this machine.
func (d *dialer) here(a netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Since(d.asked) > 5*time.Second {
		d.asked, d.machine = time.Now(), nil
		list, _ := net.InterfaceAddrs() // on failure, the address classes still apply
		for _, n := range list {
			if p, err := netip.ParsePrefix(n.String()); err == nil {
				d.machine = append(d.machine, p.Addr().Unmap().WithZone(""))
			}
		}
	}
	return slices.Contains(d.machine, a.Unmap().WithZone(""))
}
