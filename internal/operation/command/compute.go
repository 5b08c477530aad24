package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// doScancel reads which jobs are ended: by number, or all of one's own, or other people's.
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

// doDvc reads dvc gc, which removes data that no kept revision names. With --cloud it is the
// copy that others use.
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

// doDbt reads run-operation: a macro of the project, whose name says what it does.
func doDbt(c *Call) {
	if c.Arg(0).Text != "run-operation" {
		return
	}
	if verb, _ := destroyingPart(nameWords(c.Arg(1).Text)); verb != "" {
		c.infra(verb, nil, c.Operands[1:], umpire.Destroy|umpire.Mutate)
	}
}

// doJupyter reads the address that a notebook server listens at: whoever reaches it runs code.
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

// doHdfs reads hdfs dfs and hadoop fs, whose commands look like those of a shell and reach the
// cluster's files.
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
			switch w.Text {
			case "-r", "-R", "-skipTrash", "-expunge", "-rmr":
				t |= umpire.Irreversible | umpire.DataStore
			}
		}
		c.infra("delete", nil, ws[1:], t)
	case "-chmod", "-chown", "-setrep", "-mv":
		c.infra(strings.TrimPrefix(ws[0].Text, "-"), nil, ws[1:], umpire.Mutate)
	}
}
