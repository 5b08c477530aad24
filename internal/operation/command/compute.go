package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// doScancel reads scancel. The user's own jobs, or jobs by number, are everyday work; other filters
// can end the jobs of other people.
func doScancel(c *Call) {
	if len(c.Operands) > 0 || c.Has("--me") {
		return
	}
	for i := range c.opts {
		o := &c.opts[i]
		if !o.has || o.name == "-s" || o.name == "--signal" {
			continue
		}
		if me, ok := c.Var("USER"); ok && (o.raw == "-u" || o.raw == "--user") && o.value.Text == me.Text {
			return
		}
	}
	c.infra("cancel", []string{"jobs"}, c.Args, umpire.Destroy|umpire.Mutate|umpire.Bulk)
}

// doDvc reads dvc gc, which removes data that no kept revision refers to. With --cloud it removes
// the shared copy.
func doDvc(c *Call) {
	if c.Arg(0).Text != "gc" || c.Inert() || c.Has("--dry") {
		return
	}
	t := umpire.Destroy | umpire.Mutate
	if c.Has("-c", "--cloud") {
		t |= umpire.Irreversible | umpire.DataStore
	}
	if c.Has("-f", "--force") || t&umpire.DataStore != 0 {
		c.infra("gc", nil, c.Operands[1:], t)
	}
}

// doDbt reads dbt run-operation, which runs a macro of the project. Its name suggests what it does.
func doDbt(c *Call) {
	if c.Arg(0).Text != "run-operation" {
		return
	}
	if verb, _ := wording.DestroyingPart(wording.Parts(c.Arg(1).Text)); verb != "" {
		c.infra(verb, nil, c.Operands[1:], umpire.Destroy|umpire.Mutate)
	}
}

// doJupyter reads the address on which a notebook server listens. Anyone who reaches it can run
// code.
func doJupyter(c *Call) {
	for i, w := range c.Args {
		name, at, ok := strings.Cut(w.Text, "=")
		if !ok && i+1 < len(c.Args) {
			at = c.Args[i+1].Text
		}
		name = strings.TrimLeft(name, "-")
		if name != "ip" && !strings.HasSuffix(name, "App.ip") {
			continue
		}
		switch strings.Trim(at, `'"`) {
		case "localhost", "127.0.0.1", "::1":
		default:
			c.Net(Lit("0.0.0.0:8888"), umpire.Listen|umpire.HostAccess, 0)
		}
	}
}

// doHdfs reads hdfs dfs and hadoop fs, whose commands are like those of a shell, but work on the
// files of the cluster.
func doHdfs(c *Call) {
	if len(c.Operands) == 0 || c.Operands[0].Text != "dfs" && c.Operands[0].Text != "fs" {
		if c.Arg(0).Text == "namenode" && slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "-format" }) {
			c.infra("format", nil, nil, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
		}
		return
	}
	ws := c.Following()
	if len(ws) == 0 {
		return
	}
	switch ws[0].Text {
	case "-rm", "-rmr", "-expunge", "-truncate":
		t := umpire.Destroy | umpire.Mutate
		for _, w := range ws {
			if anyof.Equal(w.Text, "-r", "-R", "-skipTrash", "-expunge", "-rmr") {
				t |= umpire.Irreversible | umpire.DataStore
			}
		}
		c.infra("delete", nil, ws[1:], t)
	case "-chmod", "-chown", "-setrep", "-mv":
		c.infra(strings.TrimPrefix(ws[0].Text, "-"), nil, ws[1:], umpire.Mutate)
	}
}
