package powershell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// calls is a Host that keeps the commands that run and whether unseen code is reported.
type calls struct {
	run    []string
	unseen bool
}

func (c *calls) Run(args []command.Word, in command.Stream) command.Stream {
	c.run = append(c.run, command.Quote("", args))
	return command.Unseen(0)
}
func (c *calls) Script(_ string, s command.Stream)                          { c.unseen = c.unseen || !s.Seen }
func (c *calls) Write(command.Word, command.Stream, bool)                   {}
func (c *calls) Read(command.Word) command.Stream                           { return command.Stream{} }
func (c *calls) Delete(command.Word, bool)                                  {}
func (c *calls) Fetch(command.Word, command.Taint, bool) (_ command.Stream) { return }
func (c *calls) Connect(command.Word, bool)                                 {}
func (c *calls) Var(string) (_ command.Word, ok bool)                       { return }
func (c *calls) SetVar(string, command.Word)                                {}
func (c *calls) ran(what string) bool                                       { return strings.Contains(strings.Join(c.run, "\n"), what) }

// Each bound of the reading is reached by n of something before a command. Just below it, the
// command is read and nothing is reported; above it, the host hears of code that nobody saw.
func TestBounds(t *testing.T) {
	after := "\nprog last"
	read := func(text string, h Host) { Read(text, h) }
	for _, tt := range []struct {
		name string
		read func(string, Host)
		text func(n int) string
		most int // with which the command is still read
	}{
		{"bytes", read, func(n int) string { return strings.Repeat("#", n-len(after)) + after }, maxText},
		{"bytes of cmd", ReadCmd, func(n int) string { return "rem " + strings.Repeat("x", n-len(after)-4) + after }, maxText},
		{"statements", read, func(n int) string { return strings.Repeat("exit\n", n) + "prog last" }, maxSteps - 3},
		{"lines of cmd", ReadCmd, func(n int) string { return strings.Repeat("x\n", n) + "prog last" }, maxSteps - 1},
		{"operators", read, func(n int) string { return "1" + strings.Repeat(",1", n) + after }, (maxSteps - 5) / 2},
		{"blocks", read, func(n int) string { return strings.Repeat("if(1){", n) + "prog last" + strings.Repeat("}", n) }, maxDepth - 2},
		{"brackets of cmd", ReadCmd, func(n int) string { return strings.Repeat("(", n) + "prog last" + strings.Repeat(")", n) }, maxDepth},
		{"operands", read, func(n int) string { return "prog" + strings.Repeat(" x", n-1) + " last" }, maxList},
		{"variables", read, func(n int) string { return assignments("$v%d=1\n", n) + "prog last" }, maxVars},
		{"variables of cmd", ReadCmd, func(n int) string { return assignments("set v%d=1\n", n) + "prog last" }, maxVars},
	} {
		for _, n := range []int{tt.most, tt.most + 1} {
			var c calls
			tt.read(tt.text(n), &c)
			if within := n == tt.most; c.unseen == within || within && !c.ran("last") {
				t.Errorf("%s: with %d, prog is read: %v, unseen code is reported: %v; want %v, %v", tt.name, n, c.ran("last"), c.unseen, within, !within)
			}
		}
	}
}

// A variable that is set stays right, however many there are.
func TestManyVariables(t *testing.T) {
	text := "set p=old\n"
	for i := range maxVars + 1 {
		text += fmt.Sprintf("set v%d=1\n", i)
	}
	var c calls
	ReadCmd(text+"set p=new\nprog %p%", &c)
	if got := strings.Join(c.run, "\n"); strings.Contains(got, "old") || !strings.Contains(got, "new") {
		t.Errorf("ran %q, want the value that was set last", got)
	}
}

// assignments sets n variables.
func assignments(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// An adversary nests texts that run inside texts: reading them takes linear time, or this test does
// not end. A text without an end is code that nobody saw.
func TestNestedTexts(t *testing.T) {
	for _, unit := range []string{`"$(`, `"$("`, `"$("$( `, `"$({`} {
		var c calls
		Read(strings.Repeat(unit, maxText/len(unit)), &c)
		if !c.unseen {
			t.Errorf("many %s: no unseen code is reported, want some", unit)
		}
	}
}
