package policyfile

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
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
	if p.Kind != umpire.Packages || len(words) == 0 || len(words) < 2 && !strings.HasPrefix(words[0], "-") || strings.ContainsAny(words[0], meta) {
		return ""
	}
	if strings.HasPrefix(words[0], "-") {
		return fmt.Sprintf("%s can never match: no package has such a name; to match an option, write exec(PROGRAM COMMAND %s *)", p, words[0])
	}
	name := path.Base(words[0])
	own := slices.ContainsFunc(l.Files, func(f *File) bool {
		return slices.ContainsFunc(f.Programs, func(d Program) bool { return slices.Contains(d.Names, name) })
	})
	switch {
	case own:
		return ""
	case command.Lookup(name) != nil:
		return otherReading(p, name, words)
	}
	return fmt.Sprintf("%s can never match: umpire does not know the program %q; write packages(NAME) for one package, or packages(PROGRAM COMMAND NAME)", p, words[0])
}

// meta lists the characters that make a word of a pattern stand for more than itself.
const meta = "*?[{\\'\""

// otherReading returns why a packages pattern cannot match although its program is known, or "" if
// it may. Operations have one verb for all spellings of a command, and no options of an
// installation. So packages(yarn add x) and packages(npm install -g *) would match nothing.
func otherReading(p policy.Pattern, program string, words []string) string {
	if strings.ContainsAny(words[1], meta) {
		return ""
	}
	argv, _ := json.Marshal(map[string][]string{"command": words}) // texts always marshal
	for _, op := range operation.Read(&umpire.Action{Tool: "Bash", Dir: "/", Workspace: "/", Input: argv}, operation.Env{}) {
		read := strings.Fields(op.Resource)
		if op.Kind != umpire.Packages || len(read) < 2 || read[0] != program {
			continue
		}
		if read[1] != words[1] {
			return fmt.Sprintf("%s can never match: umpire calls this command %s; write packages(%s)", p, read[1], strings.Join(slices.Replace(words, 1, 2, read[1]), " "))
		}
		for _, w := range words[2:] {
			if strings.HasPrefix(w, "-") && !slices.Contains(read, w) {
				return fmt.Sprintf("%s can never match: packages operations have no option %s; write exec(%s)", p, w, strings.Join(words, " "))
			}
		}
	}
	return ""
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
