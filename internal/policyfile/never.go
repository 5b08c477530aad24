package policyfile

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/policy"
)

// NeverMatches returns why a pattern cannot match any operation, or "" if it may match one. A
// packages pattern of several words begins with the program that installs them.
func (l *Loaded) NeverMatches(p policy.Pattern) (why string) {
	words := strings.Fields(p.Text)
	if p.Kind == umpire.Network && len(words) > 0 {
		return noHost(p, words[len(words)-1])
	}
	if p.Kind != umpire.Packages || len(words) < 2 || strings.ContainsAny(words[0], "*?[{\\'\"") {
		return ""
	}
	name := path.Base(words[0])
	own := slices.ContainsFunc(l.Files, func(f *File) bool {
		return slices.ContainsFunc(f.Programs, func(d Program) bool { return slices.Contains(d.Names, name) })
	})
	if own || command.Lookup(name) != nil {
		return ""
	}
	return fmt.Sprintf("%s can never match: umpire knows no program %q; write packages(NAME) for one package, or packages(PROGRAM COMMAND NAME)", p, words[0])
}

// noHost returns why no request can have the host or the port of a pattern, or "" if one can.
func noHost(p policy.Pattern, text string) string {
	host, _, _ := strings.Cut(text, "/")
	if strings.ContainsAny(host, "[]{}") { // an address, or more than one host
		return ""
	}
	host, port, _ := strings.Cut(host, ":")
	if n, err := strconv.Atoi(port); err == nil && (n < 1 || n > 65535) {
		return fmt.Sprintf("%s can never match: %s is not a port; use a number from 1 to 65535, or *", p, port)
	}
	if strings.Contains(host, "..") || strings.HasPrefix(host, ".") {
		return fmt.Sprintf("%s can never match: %q is not a host name; write host, *.domain, host:port or an address", p, host)
	}
	return ""
}

// neverMatching warns about rules with a pattern that can never match.
func (l *loader) neverMatching() {
	for _, f := range l.out.Files {
		for _, r := range f.Rules {
			for _, p := range slices.Concat(r.Match, r.Unless) {
				if why := l.out.NeverMatches(p); why != "" {
					l.warn(r.Pos, "%s", why)
				}
			}
		}
	}
}
