package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// doLookup reads name look-ups. The name itself goes to the server of its zone, so a secret before
// an adversary's domain leaves as surely as by a POST.
func doLookup(c *Call) {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+") {
			continue
		}
		lookup(c, w.With(strings.TrimPrefix(w.Text, "@")))
	}
	if c.Has("-f") {
		for i, w := range c.Args {
			if w.Text == "-f" && i+1 < len(c.Args) {
				c.ReadFile(c.Args[i+1])
			}
		}
	}
	c.SetOut(Unseen(FromNetwork))
}

func lookup(c *Call, w Word) {
	if !strings.ContainsAny(w.Text, ".:") {
		return
	}
	t := umpire.Trait(0)
	if head, tail, ok := strings.Cut(w.Text, umpire.Hole); ok && !strings.Contains(head, ".") && strings.Count(tail, ".") >= 2 && !strings.Contains(tail, umpire.Hole) {
		t |= umpire.Upload // $(id).evil.example
	}
	if w.Taint&FromHost != 0 && strings.Count(w.Text, ".") >= 2 {
		t |= umpire.Upload
	}
	if label, _, _ := strings.Cut(w.Text, "."); len(label) > 40 || SecretShaped(w.Text) {
		t |= umpire.Upload
	}
	if t == 0 && w.Known() && w.Taint == 0 {
		t = WebRead("https://" + w.Text)
	}
	c.Net(w, t, w.Taint)
}

func doPing(c *Call) {
	var t Taint
	for _, o := range []string{"-p", "--data", "--data-string", "-d", "-E"} {
		for _, w := range c.All(o) {
			t |= w.Taint
		}
	}
	for _, w := range c.Operands {
		if strings.ContainsAny(w.Text, ".") {
			lookup(c, w)
		} else {
			c.Net(w, 0, 0)
		}
		if t&(FromSecret|FromEnv) != 0 {
			c.Net(w, 0, t)
		}
	}
	if c.Program == "hping3" && c.Has("--flood") || c.Program == "ping" && c.Has("-f") {
		c.Op(umpire.Network, "flood", umpire.Bulk)
	}
}

// doScan records port scans of other machines.
func doScan(c *Call) {
	if c.Inert() {
		return
	}
	if s, ok := c.Opt("--script"); ok && (strings.HasPrefix(s.Text, "/") || strings.HasPrefix(s.Text, ".")) {
		c.RunFile("lua", s, Run{})
	}
	for _, w := range c.Operands {
		a := parseAddress(w.Text)
		t := umpire.Bulk
		if a.local() && a.Host != "0.0.0.0" { // 0.0.0.0/0 is the whole internet
			t = 0
		}
		c.Emit(umpire.Operation{Kind: umpire.Network, Resource: a.Host, Traits: t | c.Traits})
	}
}

// doIntrusion records tools whose only use against another machine is to attack it.
func doIntrusion(c *Call) {
	if c.Inert() {
		return
	}
	for _, w := range append(c.Args, Lit(umpire.Hole)) {
		if strings.Trim(w.Text, "0123456789") == "" {
			continue // a count, which would also parse as an address: -t 40
		}
		a := parseAddress(w.Text)
		if strings.Contains(w.Text, "://") || strings.Count(a.Host, ".") >= 1 && !isPathWord(w.Text) || w.Text == umpire.Hole {
			t := umpire.Bulk
			if a.local() {
				t = 0
			}
			c.Emit(umpire.Operation{Kind: umpire.Network, Resource: a.hostport(), Traits: t | c.Traits})
			return
		}
	}
}

func doCapture(c *Call) {
	if w, ok := c.Opt("-z"); ok && c.Program == "tcpdump" {
		c.Exec([]Word{w, Lit(umpire.Hole)}, Run{Traits: umpire.RunsProgram})
	}
}
