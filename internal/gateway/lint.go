package gateway

import (
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/visible"
)

// lint returns an error for a line of a stored rule that can never match.
func lint(line string) error {
	for _, r := range line {
		if one := string(r); visible.Line(one) != one {
			return bad("the rule has the invisible character U+%04X: remove it, or write ? for it", r)
		}
	}
	p, err := parseRule(line)
	if err != nil {
		return bad("%v", err)
	}
	switch p.Kind {
	case umpire.Network:
		return lintHost(p.Text)
	case umpire.Filesystem, umpire.Read, umpire.Write, umpire.Delete:
		text := p.Text
		if rel, ok := strings.CutPrefix(text, "!"); ok {
			text = rel
		}
		verb, rest, _ := strings.Cut(text, " ")
		switch {
		case p.Kind == umpire.Filesystem && rest != "" && anyof.Equal(verb, "sync", "write", "delete", "move", "chmod", "link", "mkdir"):
			return bad("a rule has the path alone, without %q: write filesystem(%s), or ? for the space of a name", verb, visible.Clip(rest, 80))
		case strings.Contains(text, "//"), strings.HasPrefix(text, "./"), strings.HasSuffix(text, "/") && text != "/":
			return bad("no request has a path in this form: write %s(%s)", p.Kind, strings.TrimPrefix(path.Clean(text), "./"))
		case p.Kind == umpire.Filesystem && path.IsAbs(text) && strings.HasPrefix(text, "/etc/"):
			return bad("the gateway changes only files of the project: write a path below its folder, such as filesystem(src/**)")
		case strings.Contains(text, "\\") && strings.IndexFunc(text[strings.IndexByte(text, '\\')+1:], unicode.IsLetter) == 0:
			return bad("a path has / between folders, and no \\: write %s(%s)", p.Kind, strings.ReplaceAll(text, "\\", "/"))
		}
	case umpire.Packages:
		name, rest, ok := strings.Cut(p.Text, ":")
		if anyof.Equal(strings.ToLower(name), "npm", "pnpm", "yarn", "bun", "pip", "pip3", "pypi", "uv", "cargo", "crates", "go", "gem", "rubygems") {
			if ok {
				return bad("no request has a registry before the name of a package, so the rule could never match: write packages(%s)", visible.Clip(rest, 80))
			}
		}
	case umpire.Git:
		if words := strings.Fields(p.Text); len(words) == 1 && !strings.Contains(p.Text, "*") && !goodBranch(p.Text) {
			return bad("%q is not a branch name", visible.Clip(p.Text, 80))
		}
	}
	return nil
}

// lintTyped returns an error for a rule that a person typed as a card shows a push of a branch:
// git(push main) is about a remote of that name. Answers to git push heroku make such rules.
func lintTyped(text string) error {
	p, err := parseRule(text)
	words := strings.Fields(p.Text)
	if err == nil && p.Kind == umpire.Git && len(words) == 2 && words[0] == "push" && words[1] != "origin" && goodBranch(strings.ReplaceAll(words[1], "*", "x")) && words[1] != "*" {
		return bad("git(push %[1]s) is about a remote of that name: write git(%[1]s) for the branch, or git(push %[1]s *) for the remote", visible.Clip(words[1], 80))
	}
	return nil
}

// lintHost returns an error for a network pattern with a host or port that no request can have.
func lintHost(text string) error {
	for _, alt := range braces(text) {
		if method, rest, ok := strings.Cut(alt, " "); ok && method != "" && strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*") == "" {
			alt = strings.TrimSpace(rest)
		}
		host, rest, _ := strings.Cut(alt, "/")
		for part := range strings.SplitSeq(rest, "/") {
			if part == "." || part == ".." {
				return bad("no request has %q in its path, so the rule could never match", part)
			}
		}
		_, noPrefix := netip.ParsePrefix(alt)
		if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || noPrefix == nil {
			continue
		}
		if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
			port := host[i+1:]
			if n, err := strconv.Atoi(port); port != "*" && (err != nil || n < 1 || n > 65535) {
				return bad("%q is not a port: use a number from 1 to 65535, or *", visible.Clip(port, 40))
			}
			host = host[:i]
		}
		if host == "" || host == "*" || host == "**" {
			continue
		}
		// A star matches any name; the rest must be a valid name.
		plain := strings.NewReplacer("**", "x", "*", "x", "?", "x").Replace(strings.Trim(host, "[]"))
		plain = strings.TrimPrefix(plain, "!")
		if last := plain[strings.LastIndexByte(plain, '.')+1:]; strings.HasSuffix(host, "*") && strings.Trim(last, "0123456789x") == "" {
			continue // addresses such as 10.0.*
		}
		if strings.ContainsAny(plain, "()[]{}<>|\\ \"'`,;@&=+$#%!^~") || strings.Contains(plain, "..") || strings.HasPrefix(plain, ".") || strings.HasPrefix(plain, "-") || strings.HasSuffix(host, "*.") {
			return bad("%q is not a host name, so the rule could never match: write host, *.domain, host:port or an address", visible.Clip(host, 80))
		}
		if _, err := egress.Host(plain); err != nil && !strings.ContainsAny(host, "_") {
			return bad("%q is not a host name, so the rule could never match", visible.Clip(host, 80))
		}
	}
	return nil
}

// braces expands one set of braces. lint needs no more.
func braces(text string) []string {
	from, to := strings.IndexByte(text, '{'), strings.IndexByte(text, '}')
	if from < 0 || to < from {
		return []string{text}
	}
	var out []string
	for part := range strings.SplitSeq(text[from+1:to], ",") {
		out = append(out, text[:from]+part+text[to+1:])
	}
	return slices.Compact(out)
}
