package sandbox

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

func question(t testing.TB, name string, kind dnsmessage.Type) []byte {
	t.Helper()
	m := dnsmessage.Message{Header: dnsmessage.Header{ID: 7, RecursionDesired: true}, Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName(name), Type: kind, Class: dnsmessage.ClassINET}}}
	b, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNames(t *testing.T) {
	n := &names{six: true}
	var asked []string
	for _, tt := range []struct {
		name string
		kind dnsmessage.Type
		want string
	}{
		{"a.example.", dnsmessage.TypeA, "198.18.0.1"},
		{"b.example.", dnsmessage.TypeA, "198.18.0.2"},
		{"A.Example.", dnsmessage.TypeA, "198.18.0.1"},
		{"a.example.", dnsmessage.TypeAAAA, "fd75:6d70:6972:6500::1"},
		{"localhost.", dnsmessage.TypeA, "127.0.0.1"},
		{"x.localhost.", dnsmessage.TypeAAAA, "::1"},
		{"umpire.", dnsmessage.TypeA, "127.0.0.1"},
		{"a.example.", 65, "RCodeSuccess"},
		{"secret.example.", dnsmessage.TypeTXT, "RCodeNotImplemented"},
		{"a.example.", dnsmessage.TypeMX, "RCodeNotImplemented"},
		{"1.0.18.198.in-addr.arpa.", dnsmessage.TypePTR, "RCodeNameError"},
		{"a\r\nX-Header.example.", dnsmessage.TypeA, "RCodeNameError"},
		{"a b.example.", dnsmessage.TypeA, "RCodeNameError"},
		{"a:80.example.", dnsmessage.TypeA, "RCodeNameError"},
		{"127.0.0.1.", dnsmessage.TypeA, "RCodeNameError"},
		{".", dnsmessage.TypeA, "RCodeNameError"},
	} {
		var m dnsmessage.Message
		if err := m.Unpack(n.answer(question(t, tt.name, tt.kind), func(what, name string) { asked = append(asked, what+" "+name) })); err != nil {
			t.Fatal(tt.name, err)
		}
		got := m.RCode.String()
		if len(m.Answers) == 1 {
			switch r := m.Answers[0].Body.(type) {
			case *dnsmessage.AResource:
				got = netip.AddrFrom4(r.A).String()
			case *dnsmessage.AAAAResource:
				got = netip.AddrFrom16(r.AAAA).String()
			}
		}
		if got != tt.want || m.ID != 7 || !m.Response {
			t.Errorf("%q %s: %s, want %s", tt.name, tt.kind, got, tt.want)
		}
	}
	if want := "a question for TXT of a name secret.example."; len(asked) != 2 || asked[0] != want {
		t.Errorf("told %q", asked)
	}
	for a, want := range map[string]string{"198.18.0.2": "b.example", "fd75:6d70:6972:6500::1": "a.example", "192.0.2.1": "192.0.2.1", "198.18.0.0": "", "198.18.0.3": "", "198.19.255.255": "", "fd75:6d70:6972:6500:1::1": "", "fd75:6d70:6972:6500::": ""} {
		if got, ok := n.of(netip.MustParseAddr(a)); got != want || ok != (want != "") {
			t.Errorf("%s stands for %q, %v", a, got, ok)
		}
	}
	n.six = false
	var m dnsmessage.Message
	if err := m.Unpack(n.answer(question(t, "a.example.", dnsmessage.TypeAAAA), nil)); err != nil || len(m.Answers) != 0 || m.RCode != 0 {
		t.Errorf("without IPv6: %v, %v", m, err)
	}
}

// An address is never given to a second name: a box that asks for too many gets no more.
func TestNamesHaveAnEnd(t *testing.T) {
	n := new(names)
	for i := range maxNames {
		if _, ok := n.number(fmt.Sprintf("n%d.example", i)); !ok {
			t.Fatal(i)
		}
	}
	var m dnsmessage.Message
	told := ""
	if err := m.Unpack(n.answer(question(t, "more.example.", dnsmessage.TypeA), func(what, _ string) { told = what })); err != nil || m.RCode != dnsmessage.RCodeServerFailure || told == "" {
		t.Errorf("%v, %v, %q", m, err, told)
	}
	if got, _ := n.of(netip.AddrFrom4(four(maxNames - 1))); got != fmt.Sprintf("n%d.example", maxNames-1) {
		t.Errorf("the last is %q", got)
	}
	if _, ok := n.number("n5.example"); !ok {
		t.Error("a name that was there is gone")
	}
}

// Whatever is asked, an answer is a message to the same question, and a name that is led to
// the proxy can be part of a request.
func FuzzNames(f *testing.F) {
	f.Add(question(f, "a.example.", dnsmessage.TypeA))
	f.Add(question(f, "a.example.", dnsmessage.TypeTXT))
	f.Add([]byte{0, 7, 0, 0, 0, 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		n := &names{six: true}
		out := n.answer(b, func(string, string) {})
		if out == nil {
			return
		}
		var m dnsmessage.Message
		if err := m.Unpack(out); err != nil || !m.Response || out[0] != b[0] || out[1] != b[1] {
			t.Fatalf("%x: %v", out, err)
		}
		if len(out) > len(b)+64 {
			t.Fatalf("an answer of %d bytes to %d", len(out), len(b))
		}
		for _, name := range n.list {
			if strings.ContainsAny(name, " \r\n\t:/@[]\x00") {
				t.Fatalf("%q", name)
			}
		}
	})
}

func TestLed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // nobody waits for the time that a connection is given
		var l redirects
		from, to := netip.MustParseAddrPort("127.0.0.1:5000"), netip.MustParseAddrPort("192.0.2.1:443")
		l.put(from, to)
		if got, ok := l.take(from); !ok || got != to {
			t.Errorf("led before it was accepted: got %v, %v, want %v", got, ok, to)
		}
		done := make(chan netip.AddrPort)
		go func() {
			got, _ := l.take(from)
			done <- got
		}()
		synctest.Wait()
		l.put(from, to)
		if got := <-done; got != to {
			t.Errorf("accepted before it was led: got %v, want %v", got, to)
		}
		l.put(from, to)
		time.Sleep(time.Minute) // of the bubble's clock
		begun := time.Now()
		if got, ok := l.take(from); ok || time.Since(begun) != redirectTime {
			t.Errorf("led a minute ago: got %v, %v after %v, want none after %v", got, ok, time.Since(begun), redirectTime)
		}
		if len(l.known)+len(l.wait) > 0 {
			t.Errorf("%d targets and %d connections are left, want none", len(l.known), len(l.wait))
		}
	})
}

// A program cannot fill memory by what it is refused.
func TestTally(t *testing.T) {
	var told []Event
	tally := newTally(func(e Event) { told = append(told, e) })
	for i := range 10_000 {
		tally.add(Event{Kind: Call, What: "ptrace", Program: fmt.Sprint(i)})
		tally.addOf(Event{Kind: Network, What: "udp", Target: fmt.Sprint(i)})
	}
	tally.add(Event{Kind: Call, What: "mount", Target: strings.Repeat("x", 100_000)})
	tally.close()
	if n := len(told); n > maxEvents+10 {
		t.Errorf("%d told", n)
	}
	udp := 0
	for _, e := range told {
		if e.What == "udp" {
			udp = e.Times
			if e.Target != "0" {
				t.Errorf("%v", e)
			}
		}
	}
	if udp != 10_000 {
		t.Errorf("%d packets", udp)
	}
	if got := (Event{What: "mount", Target: "/x", Program: "sh", Times: 3, Why: "no"}).String(); got != "mount /x (by sh, 3 times): no" {
		t.Error(got)
	}
}

func TestBytes(t *testing.T) {
	for s, want := range map[string]uint64{"1": 1, "512M": 512 << 20, "4G": 4 << 30, "1K": 1 << 10, "2T": 2 << 40, "": 0, "M": 0, "-1": 0, "0G": 0, "1g": 0, "1 G": 0, "1GG": 0, "01": 0, "99999999999T": 0} {
		got, err := ParseBytes(s)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", s, got, err)
		}
		if want > 0 && s != "2T" && Bytes(got) != s {
			t.Errorf("%q is written %q", s, Bytes(got))
		}
	}
}
