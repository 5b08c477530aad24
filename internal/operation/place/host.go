package place

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/hostname"
)

// HostClass is the class of a host.
type HostClass uint8

// The classes of hosts.
const (
	Loopback  HostClass = 1 << iota
	Private             // in a private network
	LinkLocal           // reachable only on the local link
	Metadata            // a cloud's metadata service, which hands out credentials
	RawIP               // given as a number
	Deceptive           // spelled to look like another host
)

// Location is the target of a URL or another spelling of a host.
type Location struct {
	Scheme string // lower-case; empty if the text had none
	User   string // the part before the @
	Host   string // as hostname.ASCII spells it; numbers in canonical form
	Port   string // as given, or the default port of the scheme
	Path   string // begins with a slash, or is empty
	Class  HostClass
}

// Parse reads a URL, host, host:port or user@host:path. It never fails: a text that it cannot split
// becomes the Host. Each part has a separate limit, because an adversary may write a long user to
// push the host beyond a common limit.
func Parse(s string) (l Location) {
	s = strings.TrimSpace(s)
	if i := strings.Index(s, "://"); i > 0 && i < 16 {
		l.Scheme, s = strings.ToLower(s[:i]), s[i+3:]
		s = strings.TrimLeft(s, "/") // as browsers and curl do
	} else {
		s = strings.TrimPrefix(s, "//")
	}
	// Most programs that fetch treat backslashes as slashes: http://good\@evil
	if l.Scheme != "" {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	if i := pathStart(s); i >= 0 {
		s, l.Path = s[:i], s[i:min(len(s), i+maxPath)]
		if l.Path[0] != '/' {
			l.Path = "/" + l.Path
		}
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		l.User, s = s[:min(i, maxPath)], s[i+1:]
		if strings.Contains(l.User, ".") && l.Scheme != "" {
			l.Class |= Deceptive // http://bank.example@evil.example
		}
	}
	if len(s) > maxPath {
		s = umpire.Hole // no name is that long, and a name cut after localhost would be another host
	}
	host := s
	switch {
	case strings.HasPrefix(s, "["):
		if i := strings.IndexByte(s, ']'); i > 0 {
			host = s[1:i]
			l.Port = strings.TrimPrefix(s[i+1:], ":")
		}
	case strings.Count(s, ":") == 1:
		host, l.Port, _ = strings.Cut(s, ":")
		if l.Scheme == "" && strings.Trim(l.Port, "0123456789") != "" { // scp's host:path
			l.Path, l.Port = l.Port, ""
		}
	}
	l.Host = hostname.ASCII(host)
	if lower := strings.ToLower(strings.TrimSuffix(host, ".")); lower != l.Host && !strings.Contains(lower, ":") {
		l.Class |= Deceptive // other letters, or an encoding
	}
	if l.Port == "" {
		l.Port = defaultPort(l.Scheme)
	}
	l.classify()
	return l
}

// pathStart returns the index of the first slash, question mark or hash outside a Hole.
func pathStart(s string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], umpire.Hole):
			i += len(umpire.Hole) - 1
		case s[i] == '/' || s[i] == '?' || s[i] == '#':
			return i
		}
	}
	return -1
}

func defaultPort(scheme string) string {
	switch scheme {
	case "https", "wss":
		return "443"
	case "http", "ws":
		return "80"
	case "ssh", "sftp", "scp", "git+ssh":
		return "22"
	case "ftp":
		return "21"
	case "git":
		return "9418"
	}
	return ""
}

// classify adds the classes of the host.
func (l *Location) classify() {
	switch l.Host {
	case "localhost", "ip6-localhost", "localhost.localdomain", "host.docker.internal":
		l.Class |= Loopback
		return
	case "metadata.google.internal", "metadata", "instance-data", "metadata.goog", "metadata.azure.internal", "metadata.tencentyun.com":
		l.Class |= Metadata
		return
	}
	if strings.HasSuffix(l.Host, ".localhost") {
		l.Class |= Loopback
		return
	}
	if strings.HasPrefix(l.Host, "xn--") || strings.Contains(l.Host, ".xn--") {
		l.Class |= Deceptive
	}
	ip, ok := number(l.Host)
	if !ok {
		// Names that resolve to any number in them: 169.254.169.254.nip.io
		for _, suffix := range [...]string{".nip.io", ".sslip.io", ".xip.io"} {
			if n, cut := strings.CutSuffix(l.Host, suffix); cut {
				f := strings.FieldsFunc(n, func(r rune) bool { return r == '.' || r == '-' })
				if len(f) >= 4 {
					if ip, ok = number(strings.Join(f[len(f)-4:], ".")); ok {
						l.Class |= addressClass(ip) | Deceptive
					}
				}
			}
		}
		return
	}
	l.Host = ip.String()
	l.Class |= RawIP | addressClass(ip)
}

func addressClass(ip netip.Addr) (c HostClass) {
	switch {
	case ip == netip.AddrFrom4([4]byte{169, 254, 169, 254}), ip == netip.AddrFrom4([4]byte{169, 254, 170, 2}), ip == netip.AddrFrom4([4]byte{100, 100, 100, 200}), ip == netip.AddrFrom4([4]byte{192, 0, 0, 192}), ip.String() == "fd00:ec2::254":
		return Metadata | LinkLocal
	case ip.IsLoopback(), ip.IsUnspecified():
		return Loopback
	case ip.IsPrivate(), netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64, 0, 0}), 10).Contains(ip):
		return Private
	case ip.IsLinkLocalUnicast(), ip.IsLinkLocalMulticast():
		return LinkLocal
	}
	return 0
}

// number reads an address in every form that inet_aton accepts, such as 2130706433, 0x7f.1 and
// 0177.0.0.1, and in IPv6, including IPv4-mapped addresses.
func number(s string) (netip.Addr, bool) {
	if ip, err := netip.ParseAddr(strings.SplitN(s, "%", 2)[0]); err == nil {
		return ip.Unmap(), true
	}
	parts := strings.Split(s, ".")
	if len(parts) > 4 || s == "" {
		return netip.Addr{}, false
	}
	var v uint64
	for i, p := range parts {
		if p == "" || p[0] < '0' || p[0] > '9' || strings.Contains(p, "_") {
			return netip.Addr{}, false
		}
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			rest := 8 * uint(5-len(parts))
			if n >= 1<<rest {
				return netip.Addr{}, false
			}
			v = v<<rest | n
			break
		}
		if n > 255 {
			return netip.Addr{}, false
		}
		v = v<<8 | n
	}
	return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}), true
}
