package sandbox

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
)

// names gives each name that a sandbox resolves a separate address, which leads only to the proxy.
// No query leaves the sandbox. An address is never reused for a second name.
type names struct {
	six bool // IPv6 is available

	mu   sync.Mutex // guards the fields below
	list []string
	by   map[string]uint32
}

// maxNames limits the names of a sandbox: further queries get no answer.
const maxNames = 1 << 16

// Unused addresses: a range for benchmarks, and a local one.
var (
	names4 = netip.MustParsePrefix("198.18.0.0/15")
	names6 = netip.MustParsePrefix("fd75:6d70:6972:6500::/64")
)

// lifetime is the TTL of an answer, in seconds. Answers never expire.
const lifetime = 600

// number returns the index of a name, and adds it if it is new.
func (n *names) number(name string) (uint32, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	i, ok := n.by[name]
	if ok {
		return i, true
	}
	if len(n.list) >= maxNames {
		return 0, false
	}
	if n.by == nil {
		n.by = map[string]uint32{}
	}
	i = uint32(len(n.list))
	n.by[name] = i
	n.list = append(n.list, name)
	return i, true
}

// of returns the name of an address, or the address itself. It returns false for an unassigned
// address of the range.
func (n *names) of(a netip.Addr) (host string, ok bool) {
	var i uint32
	switch {
	case names4.Contains(a):
		b, first := a.As4(), names4.Addr().As4()
		i = binary.BigEndian.Uint32(b[:]) - binary.BigEndian.Uint32(first[:])
	case names6.Contains(a):
		b := a.As16()
		if binary.BigEndian.Uint32(b[8:]) != 0 {
			return "", false
		}
		i = binary.BigEndian.Uint32(b[12:])
	default:
		return a.WithZone("").String(), true
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if i == 0 || i > uint32(len(n.list)) { // the first one is the network's address
		return "", false
	}
	return n.list[i-1], true
}

func four(i uint32) [4]byte {
	a := names4.Addr().As4()
	binary.BigEndian.PutUint32(a[:], binary.BigEndian.Uint32(a[:])+i+1)
	return a
}

func six(i uint32) [16]byte {
	a := names6.Addr().As16()
	binary.BigEndian.PutUint32(a[12:], i+1)
	return a
}

// hostName returns the canonical spelling of a name in a query. It becomes part of a request to the
// proxy, so only letters, digits, - and _ are valid.
func hostName(name string) (string, bool) {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if name == "" || len(name) > 253 {
		return "", false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", false
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	return name, strings.Trim(last, "0123456789") != "" // otherwise it looks like an address
}

// answer answers a DNS query. asked is called for queries without an answer here: a TXT query, for
// example, may smuggle data out. A malformed message gets no answer.
func (n *names) answer(message []byte, asked func(what, name string)) []byte {
	var p dnsmessage.Parser
	h, err := p.Start(message)
	if err != nil || h.Response {
		return nil
	}
	q, err := p.Question()
	out := dnsmessage.Header{ID: h.ID, Response: true, OpCode: h.OpCode, RecursionDesired: h.RecursionDesired, RecursionAvailable: true}
	fail := func(code dnsmessage.RCode) []byte {
		out.RCode = code
		m := dnsmessage.Message{Header: out}
		if err == nil {
			m.Questions = []dnsmessage.Question{q}
		}
		b, _ := m.Pack()
		return b
	}
	if err != nil {
		return fail(dnsmessage.RCodeFormatError)
	}
	if _, more := p.Question(); more == nil || q.Class != dnsmessage.ClassINET {
		return fail(dnsmessage.RCodeFormatError)
	}
	if h.OpCode != 0 {
		return fail(dnsmessage.RCodeNotImplemented)
	}
	name, ok := hostName(q.Name.String())
	here := name == "localhost" || strings.HasSuffix(name, ".localhost") || name == boxName
	m := dnsmessage.Message{Header: out, Questions: []dnsmessage.Question{q}}
	give := func(body dnsmessage.ResourceBody) {
		m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: lifetime}, Body: body}}
	}
	switch q.Type {
	case dnsmessage.TypeA, dnsmessage.TypeAAAA:
		if !ok {
			return fail(dnsmessage.RCodeNameError)
		}
		v6 := q.Type == dnsmessage.TypeAAAA
		if v6 && !n.six {
			break // the name exists, without such an address
		}
		if here {
			if v6 {
				give(&dnsmessage.AAAAResource{AAAA: netip.IPv6Loopback().As16()})
			} else {
				give(&dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}})
			}
			break
		}
		i, ok := n.number(name)
		if !ok {
			asked("more names than the sandbox has addresses", name)
			return fail(dnsmessage.RCodeServerFailure)
		}
		if v6 {
			give(&dnsmessage.AAAAResource{AAAA: six(i)})
		} else {
			give(&dnsmessage.AResource{A: four(i)})
		}
	case 64, 65: // SVCB and HTTPS: clients send these as well, and do without an answer
		if !ok {
			return fail(dnsmessage.RCodeNameError)
		}
	case dnsmessage.TypePTR, dnsmessage.TypeSOA, dnsmessage.TypeNS:
		return fail(dnsmessage.RCodeNameError)
	default:
		asked("a question for "+strings.TrimPrefix(q.Type.String(), "Type")+" of a name", q.Name.String())
		return fail(dnsmessage.RCodeNotImplemented)
	}
	b, err := m.Pack()
	if err != nil {
		return nil
	}
	return b
}

// boxName is the host name of a sandbox.
const boxName = "umpire"
