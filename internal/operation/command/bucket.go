package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// objects reads the verbs of clients for object stores: cp, mv, sync, rm, rb and the like. A word
// with one of the schemes names an object; any other word is a local file.
func (c *Call) objects(verb string, ops []Word, schemes ...string) {
	far := func(w Word) bool {
		return anyof.HasPrefix(w.Text, schemes...)
	}
	whole := c.Has("--recursive", "-r", "-R", "--delete", "-a")
	switch verb {
	case "rb", "remove-bucket":
		c.infra("delete", []string{"bucket"}, ops, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	case "rm", "del", "delete", "remove":
		t := umpire.Destroy | umpire.Mutate
		for _, w := range ops {
			if strings.Contains(w.Text, "*") {
				whole = true
			}
		}
		if whole {
			t |= umpire.Irreversible | umpire.Bulk | umpire.DataStore
		}
		c.infra("delete", []string{"object"}, ops, t)
	case "mb", "make-bucket":
		t := umpire.Mutate
		if opensToAll(c.Args) {
			t |= umpire.PublicAccess
		}
		c.infra("create", []string{"bucket"}, ops, t)
	case "cp", "copy", "mv", "move", "sync", "rsync", "put", "upload", "moveto", "copyto", "rcat":
		if len(ops) == 0 {
			return
		}
		dst := ops[len(ops)-1]
		srcs := ops[:len(ops)-1]
		toFar := far(dst)
		for _, s := range srcs {
			switch {
			case far(s):
				if verb == "mv" || verb == "move" {
					c.infra("move", []string{"object"}, []Word{s}, umpire.Mutate)
				}
			case s.Text == "-":
				c.Net(dst, umpire.Upload, c.Stdin.Taint)
			default:
				p := c.ReadFile(s)
				c.Net(dst, umpire.Upload, c.File(s).Taint|placeTaint(p)|treeTaint(p))
				if verb == "mv" || verb == "move" {
					c.Delete(s, 0)
				}
			}
		}
		if toFar {
			t := umpire.Mutate | umpire.Overwrite
			if c.Has("--delete", "--delete-excluded", "--delete-removed", "-d") && verb != "cp" {
				t |= umpire.Destroy | umpire.Bulk
			}
			if opensToAll(c.Args) || c.Has("-P") {
				t |= umpire.PublicAccess
			}
			c.infra("upload", []string{"object"}, []Word{dst}, t)
			return
		}
		if len(srcs) > 0 && dst.Text != "-" {
			if verb == "sync" && c.Has("--delete", "--delete-removed") {
				c.Delete(dst, umpire.Recursive)
			}
			c.WriteFile(dst, 0, Unseen(FromNetwork))
		}
		c.Taints(FromNetwork)
	case "cat", "get", "download":
		c.Taints(FromNetwork)
	}
}

// doTransfer reads clients of object stores by their verb.
func doTransfer(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	verb, ops := c.Operands[0].Text, c.Operands[1:]
	switch verb {
	case "copy", "copyto", "sync", "bisync", "move", "moveto", "cp", "mv", "mirror", "put", "upload", "rcat", "copyurl", "dedupe":
		c.transfer(verb, ops)
	case "purge", "rb":
		c.infra("delete", []string{"bucket"}, ops, wipes)
	case "delete", "rm", "remove", "del", "deletefile", "rmdir", "rmdirs", "cleanup":
		t := umpire.Destroy | umpire.Mutate
		star := slices.ContainsFunc(ops, func(w Word) bool { return strings.Contains(w.Text, "*") })
		if c.Program == "rclone" && verb == "delete" || c.Has("--recursive", "-r", "--dangerous") || c.given("--recursive") || star {
			t = wipes
		}
		if c.Program == "rclone" {
			for _, w := range ops {
				if !c.far(w) {
					c.Delete(w, umpire.Recursive)
				}
			}
		}
		c.infra("delete", []string{"object"}, ops, t)
	case "cat", "get", "download":
		c.Taints(FromNetwork)
	case "config":
		if len(ops) > 0 && (ops[0].Text == "show" || ops[0].Text == "dump") {
			c.Taints(FromSecret)
			c.infra("reveal", []string{"config"}, nil, umpire.CarriesSecret)
		}
	case "serve":
		c.Op(umpire.Network, "localhost", umpire.Listen)
	case "website", "setacl", "setpolicy", "setlifecycle", "dellifecycle", "delpolicy", "accesslog":
		t := umpire.Mutate
		if opensToAll(c.Args) || c.Has("--acl-public", "-P") {
			t |= umpire.PublicAccess
		}
		c.infra(verb, []string{"bucket"}, ops, t)
	case "anonymous", "policy", "share":
		if opensToAll(c.Args) || slices.ContainsFunc(ops, func(w Word) bool { return w.Text == "public" || w.Text == "download" || w.Text == "upload" }) && len(ops) > 0 && ops[0].Text == "set" {
			c.infra("open", []string{"bucket"}, ops, umpire.Mutate|umpire.PublicAccess)
		}
	case "link":
		c.infra("open", []string{"object"}, ops, umpire.Mutate|umpire.PublicAccess)
	default:
		c.cloud(c.Operands)
	}
}

// transfer reads a copy or move among stores and this machine. The last operand is the destination.
func (c *Call) transfer(verb string, ops []Word) {
	if len(ops) == 0 {
		return
	}
	dst := ops[len(ops)-1]
	for _, s := range ops[:len(ops)-1] {
		if c.far(s) {
			if strings.HasPrefix(verb, "m") && verb != "mirror" { // move, mv: the source loses the object
				c.infra("move", []string{"object"}, []Word{s}, umpire.Mutate)
			}
			continue
		}
		if strings.HasPrefix(s.Text, "-") {
			continue
		}
		p := c.ReadFile(s)
		c.Net(dst, umpire.Upload, c.File(s).Taint|placeTaint(p)|treeTaint(p))
		if verb == "move" || verb == "moveto" || verb == "mv" {
			c.Delete(s, umpire.Recursive)
		}
	}
	if verb == "rcat" {
		c.Net(dst, umpire.Upload, c.Stdin.Taint)
	}
	t := umpire.Mutate | umpire.Overwrite
	if c.Has("--remove", "--delete-removed", "--delete") || c.given("--delete-destination") {
		t |= wipes
	}
	if c.Has("--acl-public", "-P") || opensToAll(c.Args) {
		t |= umpire.PublicAccess
	}
	switch {
	case c.far(dst) || verb == "dedupe":
		c.infra(verb, []string{"object"}, ops, t)
	case c.Program == "rclone" && (verb == "sync" || verb == "move" || verb == "bisync"):
		c.Delete(dst, umpire.Recursive)
		c.WriteFile(dst, 0, Unseen(FromNetwork))
	default:
		c.WriteFile(dst, 0, Unseen(FromNetwork))
	}
}

// wipes are the traits of removing everything in a store.
const wipes = umpire.Destroy | umpire.Mutate | umpire.Irreversible | umpire.DataStore | umpire.Bulk

// far reports whether a word names something in a store.
func (c *Call) far(w Word) bool {
	t := w.Text
	if strings.Contains(t, "://") {
		return true
	}
	switch c.Program {
	case "mc", "mcli", "minio-client":
		return !strings.HasPrefix(t, "/") && !strings.HasPrefix(t, ".") && !strings.HasPrefix(t, "~") && strings.Contains(t, "/")
	case "rclone":
		return strings.Contains(t, ":")
	}
	return false
}

// doSwift reads two programs with one name: the front end of the language Swift, and the client of
// an object store.
func doSwift(c *Call) {
	switch c.Arg(0).Text {
	case "build", "test", "run", "package", "repl", "":
	case "delete", "upload", "download", "post", "copy", "list", "stat":
		doTransfer(c)
	default:
		doScriptFile(c)
	}
}
