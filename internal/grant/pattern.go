package grant

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Exact returns the narrowest pattern that covers an operation, or "" if there is none.
func Exact(op umpire.Operation) string {
	res := op.Resource
	if res == "" || strings.ContainsAny(res, "\n\r\x00") || strings.Contains(res, umpire.Hole) {
		return ""
	}
	switch op.Kind {
	case umpire.Exec, umpire.Packages, umpire.Git, umpire.Infra, umpire.Database, umpire.System:
		var words []string
		for _, w := range split(res) {
			words = append(words, word(w))
		}
		res = strings.Join(words, " ")
	case umpire.Read, umpire.Write, umpire.Delete:
		// The shell may expand a name with glob characters: only a * covers it.
		segs := strings.Split(res, "/")
		for i, seg := range segs {
			switch {
			case !loose(seg):
				segs[i] = escape(seg)
			case op.Kind == umpire.Delete || seg[0] == '.':
				return ""
			default:
				segs[i] = "*"
			}
		}
		res = strings.Join(segs, "/")
	case umpire.Network:
		if i := strings.IndexByte(res, '/'); i >= 0 {
			res = res[:i] + escape(res[i:])
		}
	case umpire.Tool:
		res = escape(res)
	default:
		return ""
	}
	return op.Kind.String() + "(" + res + ")"
}

// loose reports whether a path may stand for several: its name has an unquoted glob.
func loose(p string) bool {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		}
	}
	return false
}

// special are the characters with a meaning in patterns.
const special = `\*?[]{},`

// escape returns a pattern that matches s only.
func escape(s string) string {
	if !strings.ContainsAny(s, special) {
		return s
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(special, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// word formats one word of a command as a pattern.
func word(w string) string {
	switch e := escape(w); {
	case w == "":
		return "''"
	case !strings.ContainsAny(w, " \t'\""):
		return e
	case !strings.Contains(w, "'"):
		return "'" + e + "'"
	default:
		return strings.NewReplacer(" ", `\ `, "\t", "\\\t", "'", `\'`, `"`, `\"`).Replace(e)
	}
}

// split splits a command in the shell's quoting into words.
func split(s string) (words []string) {
	var b strings.Builder
	quoted, begun := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			quoted, begun = !quoted, true
		case c == '\\' && !quoted && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			begun = true
		case c == ' ' && !quoted:
			if begun {
				words = append(words, b.String())
			}
			b.Reset()
			begun = false
		default:
			b.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, b.String())
	}
	return words
}

// Like returns a pattern for similar operations: the program with its sub-command, the host, or
// the exact path. It returns "" for operations that no pattern should allow.
func Like(op umpire.Operation) string {
	if op.Traits&Grave != 0 || strings.Contains(op.Resource, umpire.Hole) || strings.Contains(op.Resource, "[masked:") {
		return ""
	}
	res := op.Resource
	switch op.Kind {
	case umpire.Network:
		return "network(" + Host(res) + ")"
	case umpire.Exec, umpire.Packages, umpire.Git, umpire.Infra, umpire.Database, umpire.System:
		if strings.ContainsAny(res, "'\"\\*?[{\n") {
			return "" // a word that needs quotes is not routine
		}
		words := strings.Fields(res)
		keep := 2
		if op.Kind == umpire.Packages || op.Kind == umpire.Infra || op.Kind == umpire.System {
			keep = 3
		}
		if len(words) > keep {
			words = append(words[:keep:keep], "*")
		}
		res = strings.Join(words, " ")
	case umpire.Read, umpire.Write, umpire.Delete, umpire.Tool:
		return Exact(op)
	default:
		return ""
	}
	return op.Kind.String() + "(" + res + ")"
}

// Host returns the host and port of a network operation's resource, without method and path.
func Host(res string) string {
	if method, rest, ok := strings.Cut(res, " "); ok && method == strings.ToUpper(method) {
		res = rest
	}
	res, _, _ = strings.Cut(res, "/")
	return res
}

// Wider returns a PendingCall's Wider for an agent that works in a folder: programs with their
// sub-commands, hosts, the folder of a file, and the whole project.
func Wider(workspace string) func(umpire.Operation) []string {
	return func(op umpire.Operation) []string {
		switch op.Kind {
		case umpire.Read, umpire.Write, umpire.Delete:
			if !op.Places.Has(umpire.PlaceInWorkspace) || loose(op.Resource) || workspace == "" || workspace == "/" {
				return nil // elsewhere, one by one
			}
			return []string{op.Kind.String() + "(" + escape(path.Dir(op.Resource)) + "/*)", op.Kind.String() + "(" + escape(workspace) + "/**)"}
		default:
			if p := Like(op); p != "" && p != Exact(op) {
				return []string{p}
			}
			return nil
		}
	}
}
