package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// doGcloud reads gcloud. The group storage moves files, and compute ssh runs commands.
func doGcloud(c *Call) {
	ops := c.Operands
	for len(ops) > 0 && (ops[0].Text == "alpha" || ops[0].Text == "beta" || ops[0].Text == "preview") {
		ops = ops[1:]
	}
	if len(ops) < 2 {
		return
	}
	switch ops[0].Text {
	case "storage":
		v := ops[1].Text
		if v == "rm" || v == "cp" || v == "mv" || v == "rsync" || v == "cat" {
			if v == "rsync" && c.Has("--delete-unmatched-destination-objects") {
				c.infra("delete", []string{"object"}, ops[2:], umpire.Destroy|umpire.Mutate|umpire.Bulk|umpire.Irreversible|umpire.DataStore)
			}
			c.objects(v, ops[2:], "gs://")
			return
		}
		if len(ops) > 2 && (v == "objects" || v == "folders") && ops[2].Text == "delete" {
			c.objects("rm", ops[3:], "gs://")
			return
		}
	case "compute":
		if ops[1].Text == "ssh" {
			for i, a := range c.Args {
				if v, ok := strings.CutPrefix(a.Text, "--command="); ok {
					c.Shell(a.With(v), Run{Traits: umpire.Remote, Out: true})
				} else if a.Text == "--command" && i+1 < len(c.Args) {
					c.Shell(c.Args[i+1], Run{Traits: umpire.Remote, Out: true})
				} else if a.Text == "--" && i+1 < len(c.Args) {
					c.Exec(c.Args[i+1:], Run{Traits: umpire.Remote, Out: true})
				}
			}
			return
		}
		if ops[1].Text == "scp" {
			for _, w := range ops[2:] {
				if !strings.Contains(w.Text, ":") && !c.copiesOut(ops[2:]) {
					c.sendFile(w)
				}
			}
			return
		}
	case "iam":
		if len(ops) > 2 && ops[2].Text == "create-cred-config" { // writes a file here, without a key
			return
		}
	case "sql":
		if len(ops) > 2 && ops[1].Text == "export" {
			return
		}
	}
	// In other clients the names of these groups are verbs.
	if w := ops[0].Text; w == "deploy" || w == "run" {
		ops = append([]Word{Lit(w + "s")}, ops[1:]...)
	}
	c.cloud(ops)
}

// doGsutil reads gsutil by its verb.
func doGsutil(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	verb, ops := c.Operands[0].Text, c.Operands[1:]
	switch verb {
	case "acl", "defacl", "iam":
		if len(ops) > 0 && ops[0].Text != "get" {
			t := umpire.Mutate
			if opensToAll(c.Args) {
				t |= umpire.PublicAccess
			}
			c.infra(ops[0].Text, []string{verb}, ops[1:], t)
		}
	case "rsync":
		if c.Has("-d") {
			c.infra("delete", []string{"object"}, ops, umpire.Destroy|umpire.Mutate|umpire.Bulk|umpire.Irreversible|umpire.DataStore)
		}
		c.objects(verb, ops, "gs://", "s3://")
	case "setmeta", "rewrite", "compose", "lifecycle", "retention", "versioning", "web", "kms", "cors", "label", "notification", "requesterpays", "ubla", "hmac", "logging":
		if len(ops) > 0 && ops[0].Text != "get" && ops[0].Text != "list" {
			c.infra(verb, []string{"bucket"}, ops, umpire.Mutate)
		}
	default:
		c.objects(verb, ops, "gs://", "s3://")
	}
}

// doBq reads the client of BigQuery: the SQL of query, removals and changes.
func doBq(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	ops := c.Operands[1:]
	switch c.Operands[0].Text {
	case "query":
		for _, w := range ops {
			c.Code("sql:bigquery", w, Run{})
		}
		if len(ops) == 0 && c.Stdin.Pipe {
			c.Script("sql:bigquery", c.Stdin, Run{Via: c.Program, Traits: c.Traits})
		}
	case "rm":
		c.infra("delete", []string{"bigquery"}, ops, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	case "load", "cp", "mk", "update", "insert", "import", "truncate", "undelete", "add-iam-policy-binding", "set-iam-policy":
		t := umpire.Mutate
		if c.Has("--replace") || c.Operands[0].Text == "truncate" {
			t |= umpire.Destroy | umpire.DataStore | umpire.Irreversible
		}
		if opensToAll(c.Args) {
			t |= umpire.PublicAccess
		}
		c.infra(c.Operands[0].Text, []string{"bigquery"}, ops, t)
	}
}
