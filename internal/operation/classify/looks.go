package classify

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
	"github.com/umpire-dev/umpire/internal/redact"
)

// maxAsked limits the bytes of arguments to a program without a description, because it may send
// them anywhere.
const maxAsked = 300

// OnlyLooks reports whether the arguments of a program without a description only ask for its
// version or help, or contain a verb that reads. The adversary makes a program act, print a secret
// or send a text with words that sound like a question. So OnlyLooks returns false for any other
// verb, a noun for a secret, an option that names code, or input through a pipe.
func (c Call) OnlyLooks() bool {
	if len(c.Args) == 0 || c.Stdin.Pipe || c.Stdin.Seen || !c.Known() || !c.asksLittle() || wording.GraveName(c.Program) {
		return false
	}
	if last := c.Args[len(c.Args)-1].Text; last == "--help" || last == "--version" && len(c.Args) == 1 || last == "help" && len(c.Args) == 1 {
		return c.asksForHelp()
	}
	verb := false
	for i, w := range c.Operands {
		low := strings.ToLower(w.Text)
		switch {
		case i > 3 || verb && i > 0 && !command.PlainWord(w):
			return verb
		case !command.PlainWord(w):
			return false
		}
		if slices.ContainsFunc(wording.Parts(w.Text), wording.ShowsSecrets) {
			return false
		}
		switch {
		case wording.Looks(low) || !verb && wording.Looks(wording.First(low)):
			verb = true
		case wording.Doing(low) || wording.Doing(wording.First(low)):
			return false
		case verb:
			return true // the object of the question
		}
	}
	return verb
}

// asksLittle reports whether the arguments are few plain words, without an address, a file to
// send, a secret, or an option that names code or a place to write.
func (c Call) asksLittle() bool {
	n := 0
	for _, w := range c.Args {
		t := w.Text
		if n += len(t); n > maxAsked || w.Taint != 0 || t == "--" || strings.Contains(t, "://") || strings.HasPrefix(t, "@") || strings.ContainsAny(t, "\n\r;|&`$<>") || redact.Contains(t) {
			return false
		}
		if len(t) < 2 || t[0] != '-' {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(t, "-"), "=")
		if t[1] != '-' && strings.ContainsAny(name, "cexrEXR") && len(name) < 3 {
			return false
		}
		for _, part := range wording.Parts(name) {
			if wording.Doing(part) || wording.ShowsSecrets(part) || anyof.Equal(part, "output", "out", "outfile", "config", "conf", "plugin", "plugins", "module", "require", "load", "loader", "hook", "hooks", "script", "code", "command", "cmd", "shell", "pager", "editor", "preload", "server", "host", "endpoint", "url", "registry", "proxy", "log", "logfile", "profile") {
				return false
			}
		}
	}
	return true
}

// asksForHelp reports whether all arguments before the last, which asks for help, may be names of
// sub-commands.
func (c Call) asksForHelp() bool {
	return !slices.ContainsFunc(c.Args[:len(c.Args)-1], func(w command.Word) bool { return !command.PlainWord(w) })
}
