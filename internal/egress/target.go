package egress

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/idna"
)

// Target is what somebody wants to reach, in its one spelling.
type Target struct {
	Method string // CONNECT for a tunnel
	Scheme string // http, https inside of TLS, or empty for a tunnel
	Host   string // lower case, ASCII, without a final dot; an address without brackets
	Port   string
	Path   string // clean and escaped
	Query  string
}

// Addr returns host:port.
func (t *Target) Addr() string { return net.JoinHostPort(t.Host, t.Port) }

var defaultPort = map[string]string{"http": "80", "https": "443"}

// String is the target as people are shown it. What is sent with a query is not for a
// title.
func (t *Target) String() string {
	if t.Scheme == "" {
		return t.Method + " " + t.Addr()
	}
	host := t.Host
	if t.Port != defaultPort[t.Scheme] || strings.Contains(host, ":") {
		host = t.Addr()
	}
	return t.Method + " " + t.Scheme + "://" + host + t.Path
}

// literal returns the address that the host is, if it is one.
func (t *Target) literal() (netip.Addr, bool) {
	a, err := netip.ParseAddr(t.Host)
	return a, err == nil
}

// Host brings the name of a host, or an address, into its one spelling. What looks like
// a number and is no address in the plain form is refused: resolvers take 0x7f.1 and
// 2130706433 for addresses.
func Host(h string) (string, error) {
	bare := strings.TrimSuffix(strings.TrimPrefix(h, "["), "]")
	if a, err := netip.ParseAddr(bare); err == nil {
		if a.Zone() != "" {
			return "", fmt.Errorf("%q has a zone", h)
		}
		return a.Unmap().String(), nil
	}
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(bare, "."))
	if err == nil { // what a second reading would read differently has no one spelling
		if again, e := idna.Lookup.ToASCII(name); e != nil || again != name {
			err = errors.Join(e, errors.New("no spelling"))
		}
	}
	if err != nil || name == "" || len(name) > 253 || name[0] == '.' || strings.Contains(name, "..") {
		return "", fmt.Errorf("%q is no name of a host", h)
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" || last[0] >= '0' && last[0] <= '9' {
		return "", fmt.Errorf("%q is no name of a host", h)
	}
	return name, nil
}

// port accepts a port in its plain form.
func port(p string) error {
	if p == "" || len(p) > 5 || p[0] == '0' || strings.Trim(p, "0123456789") != "" || len(p) == 5 && p > "65535" {
		return fmt.Errorf("%q is no port", p)
	}
	return nil
}

var errOtherHost = errors.New("a request for another host")

var errOrigin = errors.New("this is a proxy: set it as HTTP_PROXY and HTTPS_PROXY")

// targetOf reads what a request to the proxy is for: the request's own target. A Host
// field that says otherwise is not passed on (net/http puts the target's in its place), and
// refused where there is no other.
func targetOf(r *http.Request) (t Target, err error) {
	t.Method = r.Method
	if r.Method == http.MethodConnect {
		host, p, err := net.SplitHostPort(r.RequestURI)
		if err != nil {
			return t, errors.New("CONNECT needs host:port")
		}
		if t.Host, err = Host(host); err != nil {
			return t, err
		}
		t.Port = p
		return t, port(p)
	}
	if !r.URL.IsAbs() {
		return t, errOrigin
	}
	if r.URL.Scheme != "http" {
		return t, fmt.Errorf("the proxy speaks http and CONNECT: reach %s addresses by CONNECT", r.URL.Scheme)
	}
	if r.URL.User != nil {
		return t, errors.New("the address has a user in it: send Authorization instead")
	}
	if t.Host, err = Host(r.URL.Hostname()); err != nil {
		return t, err
	}
	if t.Port = r.URL.Port(); t.Port == "" {
		t.Port = "80"
	}
	if err := port(t.Port); err != nil {
		return t, err
	}
	return requestTarget(r, "http", t.Host, t.Port)
}

// requestTarget is the target of a request that went to a host. Its Host field has to say so.
func requestTarget(r *http.Request, scheme, host, port string) (Target, error) {
	t := Target{Method: r.Method, Scheme: scheme, Host: host, Port: port, Query: r.URL.RawQuery}
	if r.URL.Path != "" && r.URL.Path[0] != '/' { // *, which is no path that a rule could name
		return t, errors.New("the target has no path")
	}
	if climbs(r.URL.Path) {
		return t, errors.New("the path climbs: write it without dots for folders")
	}
	t.Path = (&url.URL{Path: path.Clean("/" + r.URL.Path)}).EscapedPath()
	return t, sameHost(r.Host, &t)
}

// climbs reports whether a path has dots for a folder in it, in any spelling that some
// server reads as such: it could be another than the one judged. Windows takes \ for a
// slash, Java servers drop what follows a semicolon, and proxies decode twice.
func climbs(p string) bool {
	for part := range strings.FieldsFuncSeq(strings.ToLower(p), func(c rune) bool { return c == '/' || c == '\\' }) {
		part, _, _ = strings.Cut(part, ";")
		for strings.Contains(part, "%2e") {
			part = strings.ReplaceAll(part, "%2e", ".")
		}
		if part == "." || part == ".." || strings.Contains(part, "%2f") && strings.Contains(part, "..") || strings.Contains(part, "%5c") && strings.Contains(part, "..") {
			return true
		}
	}
	return false
}

// sameHost reports whether a Host field names the target.
func sameHost(field string, t *Target) error {
	h, p, err := net.SplitHostPort(field)
	if err != nil {
		h, p = field, defaultPort[t.Scheme]
	}
	if h, err = Host(h); err != nil || h != t.Host || p != t.Port {
		return fmt.Errorf("%w: the Host field %q is not the target's %s", errOtherHost, field, t.Addr())
	}
	return nil
}
