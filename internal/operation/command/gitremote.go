package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// gitAddress reports whether git takes a text for the address of a repository on another
// machine, or for one that a remote helper reaches, and not for a path or the name of a remote:
// a URL, HELPER::TEXT, or [USER@]HOST:PATH with no slash before the colon (git-fetch(1),
// GIT URLS). Git for Windows opens //HOST/SHARE, in a file URL too, on that host.
func gitAddress(s string) bool {
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		return !strings.EqualFold(scheme, "file") || shareHost("//"+rest) != ""
	}
	if shareHost(s) != "" {
		return true
	}
	colon := strings.IndexByte(s, ':')
	if colon <= 1 { // C:\REPO is a path
		return false
	}
	slash := strings.IndexByte(s, '/')
	return slash < 0 || colon < slash
}

// shareHost returns the host of a network share as Windows spells it, \\HOST\SHARE.
func shareHost(s string) string {
	host, ok := strings.CutPrefix(strings.ReplaceAll(s, `\`, "/"), "//")
	if host, _, _ = strings.Cut(host, "/"); !ok || host == "localhost" {
		return ""
	}
	return host
}

// gitRemote reads an address that git talks to: helpers and the options of ssh run programs.
// Names of remotes and paths are none.
func gitRemote(c *Call, w Word) {
	head, rest, helper := strings.Cut(w.Text, "::")
	switch {
	case helper && head == "ext":
		words := extWords(rest)
		for i := range words {
			words[i].Taint = w.Taint
		}
		c.Exec(words, Run{Traits: umpire.RunsProgram})
	case helper && gitAddress(w.Text) && !strings.ContainsAny(head, "@[/."): // git-remote-NAME reads the rest
		c.Exec(append(Lits("git-remote-"+head), w.With(rest)), Run{})
		gitRemote(c, w.With(rest))
	case strings.Contains(w.Text, "://-") || strings.HasPrefix(w.Text, "-"):
		c.Op(umpire.Exec, Quote("ssh", []Word{w}), umpire.RunsProgram|umpire.Obfuscated)
	case gitAddress(w.Text) && shareHost(strings.TrimPrefix(strings.ToLower(w.Text), "file:")) != "":
		c.Net(w.With(shareHost(strings.TrimPrefix(strings.ToLower(w.Text), "file:"))), 0, w.Taint)
	case strings.Contains(w.Text, "://") && gitAddress(w.Text):
		c.Net(w, 0, w.Taint)
	case gitAddress(w.Text):
		host, _, _ := strings.Cut(w.Text, ":")
		if user, inner, ok := strings.Cut(w.Text, "["); ok && len(user) < len(host) { // [HOST:PORT]:PATH
			host, _, _ = strings.Cut(inner, "]")
		}
		c.Net(w.With(host), 0, w.Taint)
	}
}

// extWords returns the command of an ext:: URL, which no shell reads: % keeps the next
// character.
func extWords(cmd string) []Word {
	words := strings.Fields(strings.NewReplacer("%%", "%", "% ", "\x00").Replace(cmd))
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "\x00", " ")
	}
	return Lits(words...)
}

// remoteURL returns the remote whose address a setting is, as git's configuration names it. The
// name is empty for a setting that says where a push goes that names no remote.
func remoteURL(key string) (name string, ok bool) {
	section, rest, _ := strings.Cut(key, ".")
	switch {
	case section == "branch":
		return "", strings.HasSuffix(rest, ".remote") || strings.HasSuffix(rest, ".pushremote")
	case section != "remote":
		return "", false
	case rest == "pushdefault":
		return "", true
	}
	if short, ok := strings.CutSuffix(rest, ".pushurl"); ok {
		return short, true
	}
	return strings.CutSuffix(rest, ".url")
}

// sameRepository compares two addresses without the name of the user and what git leaves out.
func sameRepository(a, b string) bool { return plainAddress(a) == plainAddress(b) }

func plainAddress(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		scheme, rest = "", s
	}
	if i := strings.IndexByte(rest, '@'); i >= 0 && !strings.ContainsAny(rest[:i], "/:") { // with a password it is another
		rest = rest[i+1:]
	}
	return scheme + "://" + strings.TrimSuffix(strings.TrimSuffix(rest, "/"), ".git")
}

// remotesSet is the key under which a command line remembers the addresses that it gave to
// remotes: SETTING=ADDRESS.
const remotesSet = "git remote"

// setsRemote remembers an address that a command gives to a remote.
func setsRemote(c *Call, name, address Word) {
	c.Define(remotesSet, address.With("remote."+name.Text+".url="+address.Text))
}

func doGitRemote(c *Call) {
	switch c.Arg(0).Text {
	case "add", "set-url":
		if len(c.Operands) >= 3 {
			gitRemote(c, c.Operands[2])
			setsRemote(c, c.Operands[1], c.Operands[2])
			git(c, umpire.UntrustedSource)
			return
		}
	case "remove", "rm":
		git(c, umpire.Mutate)
		return
	}
	git(c, 0)
}

func doGitFetch(c *Call) {
	gitRemote(c, c.Arg(0))
	t := umpire.Trait(0)
	for _, w := range c.Operands {
		if _, dst, ok := strings.Cut(w.Text, ":"); ok && strings.HasPrefix(w.Text, "+") && !strings.HasPrefix(dst, "refs/remotes/") {
			t |= umpire.Force // a branch of one's own is replaced
		}
	}
	git(c, t)
	c.Taints(FromNetwork)
	if strings.HasSuffix(c.Name, "clone") && len(c.Operands) > 0 {
		dir := c.Arg(1)
		if len(c.Operands) < 2 {
			dir = c.Operands[0].With(strings.TrimSuffix(lastName(c.Operands[0].Text), ".git"))
		}
		if dir.Text != "" {
			c.WriteFile(dir, umpire.Recursive, Unseen(FromNetwork))
			c.makes(dir)
			abs, _ := c.Path(dir)
			c.Define(clones, Lit(abs))
		}
	}
}
