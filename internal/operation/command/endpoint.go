package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// endpoint returns the resource of a network operation for a target (URL, host, host:port,
// user@host:path): host:port, or the host if the port is not known. t has the risks of the target.
func endpoint(text string) (resource string, t umpire.Trait) {
	l := place.Parse(text)
	resource = l.Host
	if strings.Contains(resource, ":") {
		resource = "[" + resource + "]"
	}
	if l.Port != "" {
		resource += ":" + l.Port
	}
	near := l.Class&(place.Loopback|place.Metadata) != 0
	switch {
	case l.Scheme == "http" || l.Scheme == "ftp" || l.Scheme == "ws" || l.Scheme == "telnet":
		if !near {
			t |= umpire.PlainHTTP
		}
	}
	if l.Class&place.RawIP != 0 && !near {
		t |= umpire.RawIP
	}
	if l.Class&place.Metadata != 0 {
		t |= umpire.Metadata
	}
	if l.Class&place.Deceptive != 0 {
		t |= umpire.Obfuscated
	}
	return resource, t
}

// address is a parsed target that a program contacts.
type address struct{ place.Location }

// parseAddress parses a target, and drops the fragment of a URL.
func parseAddress(text string) address {
	l := place.Parse(text)
	l.Path, _, _ = strings.Cut(l.Path, "#")
	return address{l}
}

// local reports whether the host is this machine, also as a container sees it.
func (a address) local() bool {
	return a.Class&place.Loopback != 0 || a.Host == "0.0.0.0" || a.Host == "host.docker.internal"
}

// hostport returns the resource of a plain connection: the host, and the port if it is known.
func (a address) hostport() string {
	h := a.Host
	if strings.Contains(h, ":") {
		h = "[" + h + "]"
	}
	if a.Port != "" {
		h += ":" + a.Port
	}
	return h
}

// developed reports whether a service is probably under development here: it is on this machine,
// at a port that web frameworks use, and not at that of a database.
func (a address) developed() bool {
	if !a.local() {
		return false
	}
	return anyof.Equal(a.Port, "3000", "3001", "3002", "3003", "4000", "4200", "4321", "5000", "5001", "5173", "5174", "8000", "8080", "8787", "8888")
}
