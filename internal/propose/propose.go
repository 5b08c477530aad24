// Package propose writes what was asked about as patterns that could allow its like.
package propose

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Grave are the traits of operations that nobody should allow once and for all because
// they were asked about often.
const Grave = umpire.RemoteCode | umpire.DecodedCode | umpire.UnseenCode | umpire.Exfiltration | umpire.RemoteShell | umpire.SelfTamper | umpire.Obfuscated |
	umpire.HiddenText | umpire.Irreversible | umpire.Destroy | umpire.Privilege | umpire.CarriesSecret | umpire.Payment | umpire.Production | umpire.AuditTamper |
	umpire.BypassFlags | umpire.PublicAccess | umpire.Unknown | umpire.Setuid | umpire.WorldWritable

// Riskier are the traits that an answer for longer than one call never covers, unless the
// operation that was shown had them.
const Riskier = Grave | umpire.Force | umpire.Bulk | umpire.SkipsCheck | umpire.ProtectedBranch | umpire.RunsProgram | umpire.LoadsCode | umpire.Persistence |
	umpire.UntrustedSource | umpire.Global

// Pattern writes an operation as a pattern that holds for its like: the program with its
// sub-command, the host, the very path. It is empty for what no pattern should allow.
func Pattern(op umpire.Operation) string {
	if op.Traits&Grave != 0 || strings.Contains(op.Resource, umpire.Hole) || strings.Contains(op.Resource, "[masked:") {
		return ""
	}
	res := op.Resource
	switch op.Kind {
	case umpire.Network:
		if i := strings.LastIndexByte(res, ' '); i >= 0 { // METHOD host:port/path
			res = res[i+1:]
		}
		res, _, _ = strings.Cut(res, "/")
	case umpire.Exec, umpire.Packages, umpire.Git, umpire.Infra, umpire.Database, umpire.System:
		if strings.ContainsAny(res, "'\"\\*?[{\n") {
			return "" // what has to be quoted is no habit
		}
		words := strings.Fields(res)
		keep := 2
		if op.Kind == umpire.Packages || op.Kind == umpire.Infra || op.Kind == umpire.System {
			keep = 3
		}
		if len(words) < 2 && (op.Kind == umpire.Exec || op.Kind == umpire.Packages) {
			keep = 1
		}
		if len(words) > keep {
			words = append(words[:keep:keep], "*")
		}
		res = strings.Join(words, " ")
	case umpire.Read, umpire.Write, umpire.Delete, umpire.Tool:
		if strings.ContainsAny(res, "*?[{\\\n") {
			return ""
		}
	default:
		return ""
	}
	return op.Kind.String() + "(" + res + ")"
}

// Scope writes operations as the patterns that a person is offered for longer than one
// call: programs with their sub-commands, hosts, and for changes of files the project.
// It is nil if any of the operations should be asked about each time. exact keeps to the
// very resources: what a rule asked about is answered no wider.
func Scope(ops []umpire.Operation, workspace string, exact bool) (list []string) {
	for _, op := range ops {
		if op.Traits&umpire.Inert != 0 {
			continue
		}
		if op.Idle() { // of a whole command line it names the first word
			return nil
		}
		p := Pattern(op)
		if p == "" {
			return nil
		}
		switch {
		case exact && strings.ContainsAny(op.Resource, "'\"\\*?[{\n"):
			return nil
		case exact:
			p = op.Kind.String() + "(" + op.Resource + ")"
		case (op.Kind == umpire.Write || op.Kind == umpire.Delete || op.Kind == umpire.Read) && op.Places.Has(umpire.PlaceInWorkspace):
			p = op.Kind.String() + "(" + workspace + "/**)"
			if strings.ContainsAny(workspace, "*?[{\\\n()") {
				return nil
			}
		case op.Kind == umpire.Delete: // elsewhere, one by one
			return nil
		}
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}
