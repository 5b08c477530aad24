package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// doMoney reads clients that move money: every change may cost something.
func doMoney(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	first := strings.ToLower(ops[0].Text)
	if (first == "get" || first == "post" || first == "delete") && len(ops) > 1 {
		if first != "get" {
			d := wording.Changes
			if first == "delete" {
				d = wording.Destroys
			}
			c.infra(first, nil, ops[1:], d.Traits()|umpire.Payment)
		}
		return
	}
	if anyof.Equal(first, "trigger", "listen", "logs", "samples", "fixtures", "login", "config", "open", "serve", "help", "version", "status", "plugin") {
		return
	}
	p := readPhrase(ops)
	switch {
	case p.deed == wording.Reads:
	case p.deed != wording.Unknown:
		c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, p.deed.Traits()|umpire.Payment)
	case len(ops) > 1 && slices.Contains([]string{"confirm", "capture", "pay", "refund", "charge", "finalize", "void", "payout", "reverse", "close", "mark_uncollectible"}, strings.ToLower(ops[1].Text)):
		c.infra(ops[1].Text, []string{first}, ops[2:], umpire.Mutate|umpire.Payment)
	}
}

// doMessage reads clients that send messages to people.
func doMessage(c *Call) {
	p := readPhrase(c.Operands)
	if p.deed == wording.Unknown || p.deed == wording.Reads {
		return
	}
	c.dataArgs()
	t := p.deed.Traits()
	if p.deed == wording.Changes {
		t |= umpire.Message
	}
	c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, t)
}

// doSplitService reads the client of the feature-flag service Split, whose name is that of the
// program that splits files.
func doSplitService(c *Call) {
	if anyof.Equal(c.Arg(0).Text, "splits", "segments", "environments", "traffic-types", "workspaces") {
		c.cloud(c.Operands)
	}
}
