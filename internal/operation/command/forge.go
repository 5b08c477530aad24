package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// verbClass returns the traits of a verb of a forge's client: 0 for a verb that reads, and Mutate
// for an unknown one.
func verbClass(v string) umpire.Trait {
	v = strings.ToLower(v)
	if anyof.Equal(v, "list", "ls", "view", "show", "get", "status", "describe", "diff", "checks", "watch", "search", "browse", "download", "clone", "checkout", "log", "logs", "top", "trace", "completion", "help", "version", "config", "auth", "alias", "extension", "read", "info", "inspect", "events", "explain", "wait", "tail", "history", "export", "print", "validate", "plan", "preview", "lint", "fmt", "format", "init", "login", "whoami", "current", "use", "outputs", "output", "graph", "test", "check", "ps", "stat", "exists", "find", "query", "count", "monitor", "open", "docs", "verify", "ports", "trusted-root", "licenses", "gitignore", "limits", "item-list", "field-list") {
		return 0
	}
	for _, p := range []string{"describe", "list", "get", "show", "view", "search", "lookup", "batch-get", "head", "estimate", "simulate", "filter", "check", "validate", "preview"} {
		if strings.HasPrefix(v, p+"-") {
			return 0
		}
	}
	for _, d := range []string{"delete", "destroy", "remove", "purge", "terminate", "drop", "wipe", "uninstall", "deregister", "nuke", "erase", "rm", "rb", "del", "unpublish", "teardown", "decommission", "deprovision", "prune", "obliterate", "flush", "empty", "truncate"} {
		if v == d || strings.HasPrefix(v, d+"-") || strings.HasSuffix(v, "-"+d) || strings.HasSuffix(v, ":"+d) || strings.HasPrefix(v, d+":") {
			return umpire.Destroy | umpire.Mutate
		}
	}
	return umpire.Mutate
}

func doForge(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	noun := c.Operands[0].Text
	if defined(c, c.Program, noun, c.Following()) {
		return
	}
	verb := c.Arg(1).Text
	rest := c.Operands[min(2, len(c.Operands)):]
	if c.Inert() {
		return
	}
	if noun == "repo" && verb == "deploy-key" && len(rest) > 0 {
		noun, verb, rest = verb, rest[0].Text, rest[1:]
	}
	switch noun {
	case "api":
		forgeRequest(c)
		return
	case "auth":
		if verb == "token" || verb == "status" && c.Has("--show-token", "-t") {
			c.Emit(umpire.Operation{Kind: umpire.Read, Resource: c.Program + "-token", Places: umpire.PlaceCredentials, Traits: c.Traits})
			c.Taints(FromSecret)
		}
		return
	case "repo":
		if verb == "clone" {
			if len(rest) > 1 && strings.HasPrefix(rest[1].Text, "-") { // options for git
				rest = rest[:1]
			}
			c.checksOut(rest)
		}
	case "alias":
		forgeAlias(c, verb, rest)
		return
	case "extension", "ext":
		if verb == "install" || verb == "upgrade" || verb == "exec" {
			c.Op(umpire.Packages, Quote(c.Program+" extension "+verb, rest), umpire.UntrustedSource)
		}
		return
	case "codespace", "cs":
		if verb == "ssh" && c.onMachine() {
			return
		}
	case "browse", "status", "completion", "config", "search", "sync": // hub sync moves branches here forward
		return
	}
	defer forgeBody(c)
	t := verbClass(verb)
	if t == 0 {
		return
	}
	switch verb {
	case "create", "new", "edit", "set", "comment", "close", "reopen", "ready", "review", "update", "develop", "pin", "unpin", "lock", "unlock", "fork", "add", "sync", "set-default", "note", "subscribe", "rebase", "approve", "upload", "link", "unlink", "checkout", "generate-notes", "enable", "clone", "retry", "run", "rerun", "cancel", "mark", "field-create", "item-add", "item-edit", "revoke", "todo":
		if verb == "close" && (noun == "pr" || noun == "mr" || slices.ContainsFunc(rest, func(w Word) bool { return !w.Known() })) {
			break // closes the proposal of someone, or any number of issues
		}
		if verb == "approve" || verb == "review" && c.Has("-a", "--approve") {
			break // the user vouches for the change
		}
		if noun != "repo" && noun != "secret" && noun != "variable" && noun != "workflow" && noun != "release" && noun != "ssh-key" && noun != "gpg-key" && noun != "gist" && noun != "ruleset" && noun != "deploy-key" {
			return // everyday collaboration
		}
	}
	if noun == "repo" || noun == "project" && c.Program == "glab" {
		more, change := forgeProject(c, verb, rest)
		if !change {
			return
		}
		t |= more
	}
	if noun == "gist" || noun == "snippet" {
		for _, w := range slices.Concat(rest, c.All("-p"), c.All("-w")) { // -p and -w are flags here, so these are files; a gist is public or guessable
			if verb == "create" || verb == "new" {
				t |= sentFile(c, w)
			}
		}
	}
	c.Op(umpire.Infra, Quote(c.Program+" "+verb+" "+noun, rest), t)
}

// forgeProject returns the further traits of a change to a project. change is false for a change
// that is not recorded.
func forgeProject(c *Call, verb string, rest []Word) (t umpire.Trait, change bool) {
	if verb == "sync" && c.Has("--force") { // a hard reset of the branch on the forge
		c.Op(umpire.Infra, Quote(c.Program+" reset repo", rest), umpire.Destroy|umpire.Mutate)
	}
	if verb == "delete" {
		t |= umpire.DataStore | umpire.Irreversible
	}
	if v, ok := c.Opt("--visibility"); ok && v.Text == "public" {
		t |= umpire.PublicAccess
	}
	if verb == "create" && c.Has("--public") && c.Has("--source", "-s", "--push") {
		return umpire.PublicAccess, true // publishes the project
	}
	if verb == "create" || verb == "fork" || verb == "sync" || verb == "set-default" {
		return 0, false
	}
	if verb == "edit" {
		if _, ok := c.Opt("--visibility"); !ok {
			return 0, false
		}
	}
	return t, true
}

// forgeAlias remembers an alias, which later commands may run, and runs its shell command.
func forgeAlias(c *Call, verb string, rest []Word) {
	if verb == "set" && len(rest) > 1 {
		text := rest[1]
		if c.Has("--shell") || c.Has("-s") {
			text.Text = "!" + strings.TrimPrefix(text.Text, "!")
		}
		c.Define(aliasKey(c.Program, rest[0].Text), text)
		if sh, ok := strings.CutPrefix(text.Text, "!"); ok {
			c.Shell(text.With(sh), Run{})
		}
	}
}

// forgeRequest reads gh api and the like: the fields that it sends, its method and its path.
func forgeRequest(c *Call) {
	method := "GET"
	if m, ok := c.Opt("-X"); ok {
		method = strings.ToUpper(m.Text)
	} else if c.Has("-f") || c.Has("--input") {
		method = "POST"
	}
	if t := sentFields(c); t != 0 {
		c.Net(Lit(forgeHost(c.Program)), umpire.Upload|t, 0)
	}
	forgeAPI(c, method, c.Arg(1))
}

// forgeBody records the secrets in the text of issues, comments and releases, which everyone with
// access to the project can read.
func forgeBody(c *Call) {
	t := umpire.Trait(0)
	for i := range c.opts {
		o := &c.opts[i]
		if !o.has {
			continue
		}
		switch o.raw {
		case "-F", "--body-file", "--notes-file", "--description-file":
			if o.value.Text == "-" {
				t |= secretTraits(c.Stdin.Taint)
			} else {
				t |= sentFile(c, o.value)
			}
		case "-b", "--body", "-n", "--notes", "-t", "--title", "-d", "--description", "-m", "--message":
			t |= secretTraits(o.value.Taint)
		}
	}
	if c.Operands[0].Text == "release" {
		for _, w := range c.Operands[min(3, len(c.Operands)):] {
			t |= sentFile(c, w)
		}
	}
	if t != 0 {
		c.Net(Lit(forgeHost(c.Program)), umpire.Upload|t, 0)
	}
}

func forgeHost(program string) string {
	if program == "glab" {
		return "gitlab.com"
	}
	return "github.com"
}

// secretTraits returns the traits of sending data with a taint: those of exfiltration for secrets,
// or 0.
func secretTraits(t Taint) umpire.Trait {
	if t&(FromSecret|FromEnv) != 0 {
		return umpire.Exfiltration | umpire.CarriesSecret
	}
	return 0
}

// sentFile records the read of a file, and returns the traits of sending its content to a host.
func sentFile(c *Call, w Word) umpire.Trait {
	return secretTraits(c.File(w).Taint | placeTaint(c.ReadFile(w)))
}

// sentFields returns the traits of sending the fields of a request and the files in them: -F
// body=@notes.txt, --input body.json.
func sentFields(c *Call) umpire.Trait {
	t := umpire.Trait(0)
	for _, w := range c.All("-f") {
		t |= secretTraits(w.Taint)
		if _, f, ok := strings.Cut(w.Text, "=@"); ok && f != "-" {
			t |= sentFile(c, w.With(f))
		} else if ok {
			t |= secretTraits(c.Stdin.Taint)
		}
	}
	for _, w := range c.All("--input") {
		if w.Text == "-" {
			t |= secretTraits(c.Stdin.Taint)
		} else {
			t |= secretTraits(w.Taint) | sentFile(c, w)
		}
	}
	return t
}

// forgeAPI records the change that a request to a forge's API makes.
func forgeAPI(c *Call, method string, path Word) {
	if path.Text == "graphql" {
		t := umpire.Trait(0)
		for _, w := range c.All("-f") {
			if strings.Contains(w.Text, "mutation") {
				t = umpire.Mutate
				if low := strings.ToLower(w.Text); strings.Contains(low, "delete") || strings.Contains(low, "remove") {
					t |= umpire.Destroy
				}
			}
		}
		if t != 0 {
			c.Op(umpire.Infra, c.Program+" api graphql", t)
		}
		return
	}
	if method == "GET" || method == "HEAD" {
		return
	}
	if method == "POST" || method == "PATCH" {
		last := path.Text[strings.LastIndexByte(strings.TrimSuffix(path.Text, "/"), '/')+1:]
		if anyof.Equal(strings.TrimSuffix(last, "/"), "comments", "replies", "reactions", "labels", "reviews", "assignees", "requested_reviewers", "notes", "discussions", "issues") {
			if !slices.ContainsFunc(c.All("-f"), func(w Word) bool { return w.Text == "event=APPROVE" }) {
				return // everyday collaboration; sentFields finds secrets in it
			}
		}
	}
	t := umpire.Mutate
	if method == "DELETE" {
		t |= umpire.Destroy
		p := strings.Split(strings.Trim(path.Text, "/"), "/")
		// Paths such as repos/OWNER/NAME and projects/ID delete a whole repository or organization.
		if p[0] == "repos" && len(p) <= 3 || p[0] == "projects" && len(p) <= 2 || p[0] == "orgs" && len(p) <= 2 || p[0] == "groups" && len(p) <= 2 {
			t |= umpire.DataStore | umpire.Irreversible
		}
	}
	c.Op(umpire.Infra, Quote(c.Program+" api "+method, []Word{path}), t)
}
