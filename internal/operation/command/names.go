package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// An environment, or a file that contains one, has one NAME=VALUE per line. A filter that shows
// only the names, or whether two such files differ, shows no secret.

// NamesOnly reports whether a command shows nothing of such lines after the first equals sign.
func NamesOnly(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	args := argv[1:]
	switch argv[0] {
	case "cut", "gcut":
		return cutsNames(args)
	case "awk", "gawk", "mawk", "nawk":
		return awksNames(args)
	case "sed", "gsed":
		return sedsNames(args)
	case "grep", "egrep", "ggrep", "rg":
		return grepsNames(args)
	}
	return false
}

// takeOption removes an option from a list of arguments and returns its value, from the same word
// or the next.
func takeOption(args []string, names ...string) (value string, rest []string, ok bool) {
	for i, a := range args {
		for _, n := range names {
			switch {
			case a == n && i+1 < len(args):
				return args[i+1], slices.Concat(args[:i], args[i+2:]), true
			case strings.HasPrefix(n, "--") && strings.HasPrefix(a, n+"="), !strings.HasPrefix(n, "--") && strings.HasPrefix(a, n) && len(a) > len(n):
				return strings.TrimPrefix(a[len(n):], map[bool]string{true: "="}[strings.HasPrefix(n, "--")]), slices.Concat(args[:i], args[i+1:]), true
			}
		}
	}
	return "", args, false
}

// plainOperands reports whether a list has no options except the known ones.
func plainOperands(args []string, known ...string) bool {
	return !slices.ContainsFunc(args, func(a string) bool { return len(a) > 1 && a[0] == '-' && !slices.Contains(known, a) })
}

func cutsNames(args []string) bool {
	sep, args, ok := takeOption(args, "-d", "--delimiter")
	field, args, ok2 := takeOption(args, "-f", "--fields")
	return ok && ok2 && sep == "=" && field == "1" && plainOperands(args, "-s", "--only-delimited")
}

// awksNames reports whether an awk program prints only the first field, for all lines or some.
func awksNames(args []string) bool {
	sep, args, ok := takeOption(args, "-F", "--field-separator")
	if !ok || sep != "=" || len(args) == 0 || !plainOperands(args) {
		return false
	}
	pattern, print, ok := strings.Cut(strings.ReplaceAll(args[0], " ", ""), "{")
	print, prints := strings.CutPrefix(print, "print")
	print, ends := strings.CutSuffix(print, "}")
	if !ok || !prints || !ends || strings.ContainsAny(pattern, "{}()|;=") {
		return false
	}
	for i, part := range strings.Split(print, `"`) { // print $1 "=***"
		if rest := strings.Trim(strings.NewReplacer("length($2)", "", "$1", "").Replace(part), "(),;"); i%2 == 0 && rest != "" {
			return false
		}
	}
	return strings.Contains(print, "$1") && strings.Count(print, `"`)%2 == 0
}

// sedsNames reports whether a sed script replaces everything from the equals sign on.
func sedsNames(args []string) bool {
	if script, rest, ok := takeOption(args, "-e", "--expression"); ok {
		args = append([]string{script}, rest...)
	}
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-E" || a == "-r" || a == "-n" || a == "-En" || a == "-nE" })
	if len(args) == 0 || !plainOperands(args) || len(args[0]) < 4 || args[0][0] != 's' {
		return false
	}
	part := strings.Split(args[0][2:], args[0][1:2])
	if len(part) != 3 || part[2] != "" && part[2] != "g" && part[2] != "p" && part[2] != "gp" || strings.Contains(part[1], "&") {
		return false
	}
	part[0] = strings.NewReplacer("(=)", "=", `\(=\)`, "=").Replace(part[0])
	before, found := strings.CutSuffix(strings.TrimSuffix(part[0], "$"), "=.*")
	if !found {
		before, found = strings.CutSuffix(strings.TrimSuffix(part[0], "$"), "=.+")
	}
	return found && !strings.Contains(strings.ReplaceAll(before, "[^=]", ""), "=") && !strings.Contains(before, ".")
}

// grepsNames reports whether a search prints only the match, and the match begins the line and ends
// before the equals sign or with it.
func grepsNames(args []string) bool {
	only, pattern := false, ""
	for _, a := range args {
		switch {
		case a == "": // an empty pattern matches every line
			return false
		case a == "--only-matching" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Trim(a[1:], "oEiwh") == "" && strings.Contains(a, "o"):
			only = true
		case len(a) > 1 && a[0] == '-' && strings.Trim(a[1:], "Eihwe") != "":
			return false
		case pattern == "" && a[0] != '-':
			pattern = a
		}
	}
	p, anchored := strings.CutPrefix(strings.ReplaceAll(pattern, "[^=]", ""), "^")
	for _, r := range [...]string{"A-Z", "a-z", "0-9"} {
		p = strings.ReplaceAll(p, r, "a")
	}
	p = strings.TrimSuffix(p, "=")
	return only && anchored && strings.Trim(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_[]()*+?{},") == ""
}

// FullName reports whether a pattern is specific enough to match the name of one variable, and that
// name is not one of a secret: SHOP_MAIL_ENABLED, ^PORT=.
func FullName(pattern string) bool {
	name, anchored := strings.CutPrefix(pattern, "^")
	name, ended := strings.CutSuffix(name, "=")
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" || secretName(name) {
		return false
	}
	if anyof.Contains(name, "KEY", "URL", "DSN", "PASS") {
		return false
	}
	return anchored && ended && name != "" || strings.Count(strings.Trim(name, "_"), "_") >= 2
}

// picksNames reports whether a search prints only the lines of variables that it names in full.
func (c *Call) picksNames(patterns []Word) bool {
	return len(patterns) > 0 && !slices.ContainsFunc(c.Args, func(w Word) bool {
		return len(w.Text) > 1 && w.Text[0] == '-' && strings.Trim(w.Text[1:], "EewnhsF") != ""
	}) && !slices.ContainsFunc(patterns, func(w Word) bool {
		text, list := w.Text, strings.HasPrefix(w.Text, "^(") && strings.HasSuffix(w.Text, ")=")
		if list {
			text = text[2 : len(text)-2]
		}
		for name := range strings.SplitSeq(text, "|") {
			if list {
				name = "^" + name + "="
			}
			if !w.Known() || name[:min(1, len(name))] != "^" || !FullName(name) {
				return true
			}
		}
		return false
	})
}

// namesOnly is NamesOnly for the words of a call.
func (c *Call) namesOnly() bool {
	argv := []string{c.Name}
	for _, w := range c.Args {
		if !w.Known() {
			return false
		}
		argv = append(argv, w.Text)
	}
	return NamesOnly(argv)
}

// readNames reads a file and shows only the names of its variables.
func (c *Call) readNames(w Word) {
	if envFile(c, w) {
		c.path(umpire.Read, w, umpire.Inert)
		return
	}
	c.ReadFile(w)
}

// readUnshown reads a file and shows only names, counts, or whether it equals another.
func (c *Call) readUnshown(w Word) {
	t := When(w.Found, umpire.Filtered)
	if _, p := c.Path(w); p&(umpire.PlaceCredentials|umpire.PlacePrivate|umpire.PlaceEnvFile) != 0 {
		t |= umpire.Inert
	}
	c.path(umpire.Read, w, t)
}

// picked records which part of an environment a filter shows: only names, or the variables that a
// pattern picks by a word for a secret. The latter is the same as printenv TOKEN.
func (c *Call) picked(patterns ...Word) {
	switch {
	case c.Stdin.Taint&(FromEnv|FromKey) == 0:
	case c.namesOnly():
		c.SetOut(Unseen(0))
	case c.Stdin.Taint&FromEnv != 0 && slices.ContainsFunc(patterns, func(w Word) bool { return picksSecret(w.Text) }):
		c.SetOut(Stream{Text: umpire.Hole + "\n", Seen: true, Taint: FromSecret | FromKey})
	}
}

// picksSecret reports whether a pattern picks variables by a word for a secret, or by a vendor whose
// variables have a key among them: AWS_.
func picksSecret(pattern string) bool {
	if secretName(pattern) {
		return true
	}
	for part := range strings.FieldsFuncSeq(strings.ToUpper(pattern), func(r rune) bool { return strings.ContainsRune(`|()\^$.*+=/[]`, r) }) {
		if anyof.Equal(strings.Trim(part, "_"), "KEY", "KEYS", "PASS", "CRED", "CREDS", "AWS", "OPENAI", "ANTHROPIC", "STRIPE", "TWILIO", "SENDGRID") {
			return true
		}
	}
	return false
}
