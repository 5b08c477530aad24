package egress

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// The addresses that stand for this machine are umpire's own as well, whoever names them.
func TestOwnByNoAddress(t *testing.T) {
	d := dialer{own: func() []netip.AddrPort { return []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:3700")} }}
	for _, at := range []string{"0.0.0.0:3700", "[::]:3700", "[::1]:3700", "127.0.0.2:3700", "[::ffff:0.0.0.0]:3700"} {
		if err := d.check(netip.MustParseAddrPort(at), at, true); !errors.Is(err, errSelf) {
			t.Errorf("%s: got %v, want umpire's own address refused", at, err)
		}
	}
}

// The owner of a name can point it anywhere. The proxy resolves it once, and checks and dials that
// address.
func TestRebinding(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the inside") }))
	defer up.Close()
	port := portOf(t, up.URL)
	n := &names{of: map[string][]string{
		"inside.example": {"127.0.0.1"},
		"mixed.example":  {"192.0.2.1 127.0.0.1 10.0.0.1"},
		"mapped.example": {"::ffff:127.0.0.1"},
		"nat64.example":  {"64:ff9b::7f00:1"},
		"meta.example":   {"169.254.169.254"},
		"named.example":  {"127.0.0.1"},
	}}
	c := client(t, open(t, Options{Resolver: n, Gate: &gate{say: func(t Target) Decision {
		return Decision{Allowed: true, Named: t.Host == "named.example"}
	}}}), nil)
	for _, host := range []string{"inside.example", "mixed.example", "mapped.example", "nat64.example", "meta.example", "127.0.0.1", "[::1]", "[::ffff:7f00:1]"} {
		if status, body := get(t, c, "http://"+host+":"+port+"/"); status != 403 || !strings.Contains(body, "an allow rule that names") {
			t.Errorf("%s: got %d %s, want it refused until a rule names it", host, status, body)
		}
	}
	if status, body := get(t, c, "http://named.example:"+port+"/"); status != 200 || body != "the inside" {
		t.Errorf("a host that a rule names: %d %s", status, body)
	}
	if status, body := get(t, c, "http://nowhere.example/"); status != 502 || !strings.Contains(body, "cannot be resolved") {
		t.Errorf("an unknown name: got %d %s, want 502 that says so", status, body)
	}
}

// No rule opens umpire itself to agents.
func TestOwnAddress(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "umpire") }))
	defer up.Close()
	own := netip.MustParseAddrPort(strings.TrimPrefix(up.URL, "http://"))
	c := client(t, open(t, Options{Private: loopback, Own: func() []netip.AddrPort { return []netip.AddrPort{own} },
		Resolver: &names{of: map[string][]string{"me.example": {"127.0.0.1"}}}, Gate: &gate{say: func(t Target) Decision {
			if t.Host != "me.example" {
				panic("a question that no answer would open")
			}
			return Decision{Allowed: true, Named: true}
		}}}), nil)
	for _, host := range []string{"127.0.0.1", "127.0.0.2", "me.example"} {
		if status, body := get(t, c, "http://"+host+":"+portOf(t, up.URL)+"/"); status != 403 || !strings.Contains(body, "umpire's address") {
			t.Errorf("%s: got %d %s, want umpire's own address refused", host, status, body)
		}
	}
}

// An address that hands out credentials needs a client that names the address itself: a name that a
// person approved may lead there at its next look-up.
func TestNamesDoNotOpenMetadata(t *testing.T) {
	for host, want := range map[string]bool{"approved.example": false, "169.254.169.253": false, "169.254.169.254": true, "::ffff:169.254.169.254": true} {
		d := dialer{own: func() []netip.AddrPort { return nil }}
		if err := d.check(netip.MustParseAddrPort("169.254.169.254:80"), host, true); (err == nil) != want {
			t.Errorf("%s, which leads to the metadata service: got %v, want allowed %v", host, err, want)
		}
		d.private = []netip.Prefix{netip.MustParsePrefix("169.254.0.0/16")}
		if err := d.check(netip.MustParseAddrPort("169.254.169.254:80"), host, false); err != nil {
			t.Errorf("%s, in a private network that is open: got %v, want allowed", host, err)
		}
	}
}

func TestClassify(t *testing.T) {
	for addr, want := range map[string]Class{
		"8.8.8.8": Public, "2606:4700::1111": Public, "64:ff9b::808:808": Public,
		"127.0.0.1": "loopback", "127.255.0.9": "loopback", "::1": "loopback", "::ffff:127.0.0.1": "loopback", "64:ff9b::7f00:1": "loopback", "0.0.0.0": "this network", "::": "this network",
		"10.1.2.3": "private", "172.31.0.1": "private", "172.32.0.1": Public, "192.168.9.9": "private", "fd12::1": "private", "fec0::1": "private", "64:ff9b:1::1": "private",
		"100.64.0.1": "shared by carriers", "169.254.7.7": "link-local", "fe80::1": "link-local",
		"169.254.169.254": "cloud metadata", "::ffff:169.254.169.254": "cloud metadata", "64:ff9b::a9fe:a9fe": "cloud metadata", "fd00:ec2::254": "cloud metadata", "168.63.129.16": "cloud metadata",
		"2002:7f00:1::": "reserved", "2001:0:1::1": "reserved", "::7f00:1": "reserved", "224.0.0.1": "multicast", "255.255.255.255": "reserved", "ff02::1": "multicast",
		"2606:4700::5efe:7f00:1": "loopback", "2606:4700::200:5efe:a00:1": "private", "198.18.0.1": "benchmarking", "192.0.2.1": "documentation",
	} {
		if got := classify(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s is %q, want %q", addr, got, want)
		}
	}
}

func TestHost(t *testing.T) {
	for in, want := range map[string]string{
		"Example.COM": "example.com", "example.com.": "example.com", "bücher.example": "xn--bcher-kva.example", "[::1]": "::1", "::FFFF:1.2.3.4": "1.2.3.4", "64:ff9b::102:304": "1.2.3.4", "1.2.3.4": "1.2.3.4",
		"": "", "1.2.3": "", "0x7f.1": "", "2130706433": "", "fe80::1%eth0": "", "a b": "", "a/b": "", "exa\u200bmple.com": "example.com", "..": "", "a..b": "", ".a": "",
		strings.Repeat("a.", 126) + "b": strings.Repeat("a.", 126) + "b", strings.Repeat("a.", 126) + "bc": "",
	} {
		if got, err := Host(in); got != want || (err == nil) != (want != "") {
			t.Errorf("Host(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
}

// The canonical spelling of a host stays the same, and the resolver accepts no address that umpire
// rejects.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"a.example", "127.1", "[::1]", "0x7f000001", "ａ.example", "xn--a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := Host(s)
		if err != nil {
			return
		}
		if again, err := Host(h); err != nil || again != h {
			t.Fatalf("Host(%q) is %q, and of that %q, %v, want the same", s, h, again, err)
		}
		last := h[strings.LastIndexByte(h, '.')+1:]
		if _, err := netip.ParseAddr(h); err != nil && last[0] >= '0' && last[0] <= '9' { // inet_aton of C
			t.Fatalf("%q may be an address to others", h)
		}
	})
}
