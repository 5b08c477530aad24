package policy

import (
	"net/netip"
	"net/url"
	slash "path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/hostname"
)

// target is a parsed network resource: [METHOD ]host[:port][/path].
type target struct {
	method, host, port, path string
	letters                  string     // the host in the form that people read, if that differs
	served                   string     // the path as servers read it, if that differs
	addr                     netip.Addr // set if the host is an address
}

// splitHostPort removes the port, and the brackets around an address. It spells the host as
// hostname.ASCII does.
func splitHostPort(s string) (host, port string) {
	switch {
	case strings.HasPrefix(s, "["):
		if end := strings.IndexByte(s, ']'); end > 0 {
			host, port = s[1:end], strings.TrimPrefix(s[end+1:], ":")
			break
		}
		host = s
	case strings.Count(s, ":") > 1: // an address without brackets
		host = s
	default:
		host, port, _ = strings.Cut(s, ":")
	}
	return hostname.ASCII(host), port
}

// parseTarget reads a network resource. It tolerates a scheme and a user: a reader that left them
// in must not bypass a deny rule.
func parseTarget(s string) target {
	var t target
	if method, rest, ok := strings.Cut(s, " "); ok && method == strings.ToUpper(method) {
		t.method, s = method, rest
	}
	if i := strings.Index(s, "://"); i >= 0 {
		if t.port == "" {
			switch strings.ToLower(s[:i]) {
			case "http", "ws":
				t.port = "80"
			case "https", "wss":
				t.port = "443"
			}
		}
		s = s[i+3:]
	}
	s, t.path = cutPath(s)
	t.served = servedPath(t.path)
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	host, port := splitHostPort(s)
	t.host = host
	if strings.Contains(host, "xn--") {
		t.letters = hostname.Unicode(host)
	}
	if port != "" {
		t.port = port
	}
	if numeric(host) {
		if a, err := netip.ParseAddr(host); err == nil {
			t.addr = a.Unmap().WithZone("")
		}
	}
	return t
}

// numeric reports whether a host may be an address. It avoids the error that netip allocates for
// each name.
func numeric(host string) bool {
	if host == "" {
		return false
	}
	c := host[len(host)-1]
	return c >= '0' && c <= '9' || strings.IndexByte(host, ':') >= 0
}

// cutPath splits before the path, query or fragment, whichever comes first. It skips the question
// mark inside a Hole.
func cutPath(s string) (host, path string) {
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], umpire.Hole):
			i += len(umpire.Hole) - 1
		case s[i] == '/', s[i] == '?', s[i] == '#':
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// servedPath returns the path as most servers read it: decoded once, without empty and dot segments.
// It returns "" if the path is in that form. The query stays as it is.
func servedPath(path string) string {
	if !strings.Contains(path, "%") && !strings.Contains(path, "//") && !strings.Contains(path, "/.") {
		return ""
	}
	end := len(path)
	if i := strings.IndexAny(strings.ReplaceAll(path, umpire.Hole, strings.Repeat("x", len(umpire.Hole))), "?#"); i >= 0 {
		end = i
	}
	decoded, err := url.PathUnescape(path[:end])
	if err != nil {
		decoded = path[:end]
	}
	clean := slash.Clean("/" + decoded)
	if strings.HasSuffix(decoded, "/") && clean != "/" {
		clean += "/"
	}
	return clean + path[end:]
}

// hostPattern is a network pattern as stored in a record.
type hostPattern struct {
	method, host, port, path string
	net                      netip.Prefix // valid for formNet
}

// Inside returns patterns for the hosts and ports in a network pattern that names a method or
// path. Use them where only the connection is visible.
func (p Pattern) Inside() (hosts []Pattern) {
	if p.Kind != umpire.Network {
		return nil
	}
	alts, _ := p.alternatives() // a pattern without a host has no alternatives
	for _, a := range alts {
		if a.method == "" && a.path == "" {
			continue
		}
		text := a.host
		switch {
		case a.form == formAny:
			text = "*"
		case a.form == formNet && a.host == "":
			text = a.net.String()
		case strings.Contains(text, ":"):
			text = "[" + text + "]"
		}
		if a.port != "" && a.host != "" {
			text += ":" + a.port
		}
		hosts = append(hosts, Pattern{umpire.Network, text})
	}
	return hosts
}

// match matches a deny or ask pattern.
func (p hostPattern) match(t target) match {
	m := p.matchHost(t.host, t.addr)
	// Match the wildcards of a rule against the Unicode form, too.
	if m == no && t.letters != "" && glob(p.host, t.letters, true) {
		m = sure
	}
	if m == no {
		return no
	}
	if p.port != "" && p.port != "*" {
		m = min(m, part(p.port, t.port))
	}
	if p.method != "" && m != no {
		m = min(m, part(p.method, t.method))
	}
	if p.path != "" && m != no {
		path := part(p.path, t.path)
		if t.served != "" {
			path = max(path, part(p.path, t.served))
		}
		m = min(m, path)
	}
	return m
}

func (p hostPattern) matchHost(host string, addr netip.Addr) match {
	hole := strings.Contains(host, umpire.Hole)
	switch {
	case p.net.IsValid() && addr.IsValid():
		if p.net.Contains(addr) {
			return sure
		}
		return no
	case p.net.IsValid():
		if hole && !knownTail(host) {
			return could
		}
		return no
	case hole:
		if strings.Contains(p.host, "xn--") || strings.Contains(host, "xn--") {
			host = widened(host)
		}
		if intersects(p.host, host) || intersects(p.domain(), host) {
			return could
		}
		return no
	case glob(p.host, host, true) || glob(p.domain(), host, true):
		return sure
	}
	return no
}

// widened replaces each label that contains a Hole by a Hole: a non-ASCII letter in it changes the
// spelling of the whole label.
func widened(host string) string {
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if strings.Contains(l, umpire.Hole) {
			labels[i] = umpire.Hole
		}
	}
	return strings.Join(labels, ".")
}

// domain returns the domain that *.example.com also matches, and the pattern itself for other
// forms.
func (p hostPattern) domain() string { return strings.TrimPrefix(p.host, "*.") }

// knownTail reports whether the text after the last Hole of a host names a domain, so that the host
// cannot be an address.
func knownTail(host string) bool {
	tail := host[strings.LastIndex(host, umpire.Hole)+len(umpire.Hole):]
	for i := range len(tail) {
		if c := tail[i]; c >= 'a' && c <= 'z' {
			return true
		}
	}
	return false
}

// part matches a port, method or path. The resource may omit it.
func part(pattern, s string) match {
	switch {
	case s == "":
		return could
	case strings.Contains(s, umpire.Hole):
		if intersects(pattern, s) {
			return could
		}
		return no
	case glob(pattern, s, false):
		return sure
	}
	return no
}

// covers matches an allow pattern: everything that it names must be known and match.
func (p hostPattern) covers(t target) bool {
	if strings.Contains(t.host, umpire.Hole) || t.host == "" || p.port == "*" && t.port == "" {
		return false
	}
	// A path with ".." may lead outside its prefix.
	if p.path != "" && (strings.Contains(t.path, "/..") || strings.Contains(strings.ToLower(t.path), "%2e")) {
		return false
	}
	t.letters, t.served = "", "" // an allow rule matches only the exact spelling
	return p.match(t) == sure
}
