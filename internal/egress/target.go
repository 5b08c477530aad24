package egress

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Target is the canonical form of a destination.
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

// String returns the target for people. It omits the query.
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

// literal returns the host as an address, if it is one.
func (t *Target) literal() (netip.Addr, bool) {
	a, err := netip.ParseAddr(t.Host)
	return a, err == nil
}

// Host returns the canonical spelling of a host name or an address. It refuses numbers other than
// plain addresses: resolvers accept 0x7f.1 and 2130706433 as addresses.
func Host(h string) (string, error) {
	bare := strings.TrimSuffix(strings.TrimPrefix(h, "["), "]")
	if a, err := netip.ParseAddr(bare); err == nil {
		if a.Zone() != "" {
			return "", fmt.Errorf("%q has a zone", h)
		}
		return plain(a).String(), nil // a rule about an IPv4 address is one about each way to it
	}
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(bare, "."))
	if err == nil { // a name whose spelling is not stable is not canonical
		if again, e := idna.Lookup.ToASCII(name); e != nil || again != name {
			err = errors.Join(e, errors.New("no spelling"))
		}
	}
	if err != nil || name == "" || len(name) > 253 || name[0] == '.' || strings.Contains(name, "..") {
		return "", fmt.Errorf("%q is not a host name", h)
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" || last[0] >= '0' && last[0] <= '9' {
		return "", fmt.Errorf("%q is not a host name", h)
	}
	return name, nil
}

// CheckPort accepts a port in its plain form.
func CheckPort(p string) error {
	if p == "" || len(p) > 5 || p[0] == '0' || strings.Trim(p, "0123456789") != "" || len(p) == 5 && p > "65535" {
		return fmt.Errorf("%q is not a port", p)
	}
	return nil
}

var errOtherHost = errors.New("a request for another host")

var errOrigin = errors.New("this is a proxy: set it as HTTP_PROXY and HTTPS_PROXY")

// namesTarget refuses a Host field for another server than the target, which net/http hides.
func namesTarget(field, target string) error {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return nil //nolint:nilerr // targetOf refuses it with a better reason, or it is a CONNECT, whose field leads nowhere
	}
	t := Target{Scheme: u.Scheme, Port: cmp.Or(u.Port(), defaultPort[u.Scheme])}
	if t.Host, err = Host(u.Hostname()); err != nil {
		return nil //nolint:nilerr // as above
	}
	return sameHost(field, &t)
}

// targetOf returns the target of a proxy request: the one in its request line.
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
		return t, CheckPort(p)
	}
	if !r.URL.IsAbs() {
		return t, errOrigin
	}
	if r.URL.Scheme != "http" {
		return t, fmt.Errorf("the proxy takes http and CONNECT: use CONNECT for %s addresses", r.URL.Scheme)
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
	if err := CheckPort(t.Port); err != nil {
		return t, err
	}
	return requestTarget(r, "http", t.Host, t.Port)
}

// requestTarget returns the target of a request to a server. Its Host field must match.
func requestTarget(r *http.Request, scheme, host, port string) (Target, error) {
	t := Target{Method: r.Method, Scheme: scheme, Host: host, Port: port, Query: r.URL.RawQuery}
	if r.URL.Path != "" && r.URL.Path[0] != '/' { // "*", which no rule can match as a path
		return t, errors.New("the target has no path")
	}
	if climbs(r.URL.Path) {
		return t, errors.New("the path has dot segments: write it without them")
	}
	if name := overridden(r); name != "" {
		return t, fmt.Errorf("the header %s changes the method or path: send the intended request instead", name)
	}
	t.Path = (&url.URL{Path: path.Clean("/" + r.URL.Path)}).EscapedPath()
	return t, sameHost(r.Host, &t)
}

// overridden returns a header by which some servers treat a request as another one: rules match
// methods and paths. Clients send long read requests as POST.
func overridden(r *http.Request) string {
	for name, values := range r.Header {
		key := name
		if strings.Contains(key, "_") { // many servers treat it as the header with "-"
			key = http.CanonicalHeaderKey(strings.ReplaceAll(key, "_", "-"))
		}
		switch key {
		case "X-Original-Url", "X-Rewrite-Url":
			return name
		case "X-Http-Method-Override", "X-Http-Method", "X-Method-Override":
			for _, method := range values {
				if method = strings.ToUpper(strings.TrimSpace(method)); method != r.Method && method != http.MethodGet && method != http.MethodHead {
					return name
				}
			}
		}
	}
	return ""
}

// hostField returns the Host field to send: the approved host in its canonical spelling, with a
// port if the client sent one.
func hostField(field string, t *Target) string {
	if _, p, err := net.SplitHostPort(field); err == nil {
		return net.JoinHostPort(t.Host, p)
	}
	if strings.Contains(t.Host, ":") {
		return "[" + t.Host + "]"
	}
	return t.Host
}

// climbs reports whether a path contains a "." or ".." segment in any spelling that some server
// accepts, so that it could name another path than the one decided on. Windows treats \ as a slash,
// Java servers drop the part after a semicolon, C ends at a zero byte, proxies decode again, and
// old or lenient decoders accept invalid UTF-8 or wide forms.
func climbs(p string) bool {
	if !strings.ContainsAny(p, ".%") && isASCII(p) {
		return false
	}
	for levels := 0; strings.Contains(p, "%"); levels++ {
		next := decoded(p)
		if next == p {
			break
		}
		if p = next; levels > 4 {
			return true // no honest path needs that many
		}
	}
	if !isASCII(p) {
		p = spelled.Replace(p)
	}
	for part := range strings.FieldsFuncSeq(p, func(c rune) bool { return c == '/' || c == '\\' }) {
		if end := strings.IndexAny(part, ";\x00"); end >= 0 {
			part = part[:end]
		}
		if !strings.HasPrefix(strings.TrimLeftFunc(part, blank), ".") {
			continue
		}
		if part = strings.Map(func(c rune) rune {
			if blank(c) {
				return -1
			}
			return c
		}, part); part == "." || part == ".." {
			return true
		}
	}
	return false
}

func blank(c rune) bool { return c <= ' ' || c == 0x7f }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// spelled maps alternative forms of dots and slashes.
var spelled = strings.NewReplacer(
	"\xc0\xae", ".", "\xe0\x80\xae", ".", "\xf0\x80\x80\xae", ".", "\xc0\xaf", "/", "\xe0\x80\xaf", "/", "\xf0\x80\x80\xaf", "/", "\xc1\x9c", "/", "\xe0\x81\x9c", "/",
	"\uff0e", ".", "\u2024", ".", "\u2025", "..", "\uff0f", "/", "\uff3c", "/",
)

// decoded undoes one level of escapes, as far as they are valid.
func decoded(p string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(p, '%')
		if i < 0 || i+2 >= len(p) {
			b.WriteString(p)
			return b.String()
		}
		b.WriteString(p[:i])
		c, err := strconv.ParseUint(p[i+1:i+3], 16, 8)
		if err != nil {
			b.WriteByte('%')
			p = p[i+1:]
			continue
		}
		b.WriteByte(byte(c))
		p = p[i+3:]
	}
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
