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
	switch {
	case p.Kind == umpire.Network && len(words) > 0:
		return noHost(p, words[len(words)-1])
	case p.Kind == umpire.Exec:
		return otherProgram(p)
	case p.Kind == umpire.Git && len(words) > 1 && !strings.ContainsAny(words[0], meta) && !slices.ContainsFunc(operationsOf(append([]string{"git"}, words...)), func(op umpire.Operation) bool { return op.Kind == umpire.Git }):
		return fmt.Sprintf("%s can never match: git has no command %s; write git(BRANCH) for pushes of a branch, or git(COMMAND *)", p, words[0])
	}
	if p.Kind != umpire.Packages || len(words) == 0 || len(words) < 2 && !strings.HasPrefix(words[0], "-") {
		return ""
	}
	if strings.ContainsAny(words[0], meta) {
		if len(words) == 2 && !strings.ContainsAny(words[1], meta) && !slices.Contains(verbs, words[1]) {
			return fmt.Sprintf("%s can never match: a command is between the program and the names; write packages(%s)", p, words[1])
		}
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
	none := true
	for _, op := range operationsOf(words) {
		if op.Kind != umpire.Packages {
			continue
		}
		none = false
		read := strings.Fields(op.Resource)
		if len(read) > 1 && read[0] != program && !strings.ContainsAny(p.Text, meta) { // bun hands its work to npm
			return fmt.Sprintf("%s can never match: umpire reads this as packages(%s)", p, op.Resource)
		}
		if len(read) < 2 || read[0] != program {
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
	if none && !slices.Contains(verbs, words[1]) {
		return fmt.Sprintf("%s can never match: %s has no such command for packages; write packages(NAME) for one package, or packages(%s install NAME)", p, program, program)
	}
	return ""
}

// verbs lists the commands of packages operations that some programs spell in another way, such as
// apk add.
var verbs = []string{"install", "remove", "publish", "unpublish", "upgrade", "owner", "config", "create", "run"}

// operationsOf returns the operations of a command line, or of a program with its arguments.
func operationsOf(command any) []umpire.Operation {
	in, _ := json.Marshal(map[string]any{"command": command}) // texts always marshal
	return operation.Read(&umpire.Action{Tool: "Bash", Dir: "/project", Workspace: "/project", Input: in}, operation.Env{})
}

// otherProgram returns why an exec pattern cannot match the command line that it spells, or "" if it
// may. An operation is one program by its name, without operators, redirections and variables. So
// exec(make a && make b), exec(make > log), exec(CC=cc make) and exec(/usr/bin/make) match nothing.
func otherProgram(p policy.Pattern) string {
	text, open := strings.CutSuffix(p.Text, " *")
	if strings.ContainsAny(text, "*?[{") || !strings.ContainsAny(text, "&|;<>$`#!()=~/\\\"'") {
		return ""
	}
	own, err := policy.Compile(policy.Source{Rules: []policy.Rule{{ID: "own", Effect: umpire.Deny, Match: []policy.Pattern{p}}}})
	if err != nil {
		return ""
	}
	var read []string
	ops := operationsOf(text)
	for _, op := range ops {
		if op.Kind != umpire.Exec || strings.Contains(op.Resource, umpire.Hole) {
			continue
		}
		if len(ops) == 1 && op.Idle() || own.Decide(&umpire.Action{}, []umpire.Operation{op}).Explicit {
			return ""
		}
		program := "exec(" + op.Resource
		if open {
			program += " *"
		}
		read = append(read, program+")")
	}
	if len(read) == 0 {
		return ""
	}
	return fmt.Sprintf("%s can never match: a rule names one program and its arguments; write %s", p, strings.Join(read, " and "))
}

// noHost returns why no request can have the host or the port of a pattern, or "" if one can.
func noHost(p policy.Pattern, text string) string {
	if strings.HasPrefix(p.Text, "CONNECT ") || slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT"}, text) { // operations of tunnels have no method
		return fmt.Sprintf("%s can never match: write network(HOST:PORT) for tunnels, or network(METHOD HOST)", p)
	}
	host, path, _ := strings.Cut(text, "/")
	if _, query, ok := strings.Cut(path, "?"); ok && strings.Contains(query, "=") {
		return fmt.Sprintf("%s can never match: rules do not match queries; write the address without it", p)
	}
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
