package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doJq reads the arguments of jq itself, since some of its options take two values.
func doJq(c *Call) {
	defer c.jqShowsKey()
	program, shows := false, umpire.Trait(0)
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		switch t := w.Text; {
		case t == "--arg" || t == "--argjson":
			i += 2
		case t == "--rawfile" || t == "--slurpfile" || t == "--argfile":
			if i += 2; i < len(c.Args) {
				c.ReadFile(c.Args[i])
			}
		case t == "-f" || t == "--from-file":
			if i++; i < len(c.Args) {
				c.ReadFile(c.Args[i])
				program = true
			}
		case t == "-L" || t == "--indent" || t == "--stream-errors":
			i++
		case t == "--args" || t == "--jsonargs":
			return
		case len(t) > 1 && t[0] == '-':
		case !program:
			program = true
			if JqPrintsNames(t) {
				shows = umpire.Inert
			}
			if jqPrintsEnvironment(t) {
				c.Taints(FromEnv)
				of, ok := strings.CutPrefix(strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(t), "$"), " ", ""), "env")
				switch name := strings.TrimPrefix(of, "."); {
				case ok && nameOf(name) && picksSecret(name):
					c.SetOut(Stream{Text: umpire.Hole + "\n", Seen: true, Taint: FromSecret | FromKey})
				case ok && (of == "|keys" || of == "|length" || nameOf(name)):
					c.Taints(Picked)
				}
			}
		case shows != 0:
			c.path(umpire.Read, w, shows)
		default:
			c.ReadFile(w)
		}
	}
}

// jqShowsKey records that jq prints a credential that is its input, or that a variable holds.
func (c *Call) jqShowsKey() {
	programs := slices.DeleteFunc(slices.Clone(c.Args), func(w Word) bool { return strings.HasPrefix(w.Text, "-") })
	if slices.ContainsFunc(programs, func(w Word) bool { return jqMeasures(w.Text) || JqPrintsNames(w.Text) }) {
		return
	}
	if !c.Has("-n", "--null-input", "-e", "--exit-status") {
		c.passKey()
	}
	for i, w := range c.Args {
		if w.Text == "--arg" && i+2 < len(c.Args) && c.Args[i+2].Taint&FromKey != 0 &&
			slices.ContainsFunc(programs, func(p Word) bool {
				return strings.Contains(p.Text, "$"+c.Args[i+1].Text) || strings.Contains(p.Text, "$ARGS")
			}) {
			c.SetOut(Stream{Text: umpire.Hole + "\n", Seen: true, Taint: FromKey})
		}
	}
}

// jqMeasures reports whether a program of jq ends in a filter that prints a number, a type, or whether
// a text matches.
func jqMeasures(program string) bool {
	last := strings.TrimSpace(program[strings.LastIndexByte(program, '|')+1:])
	name, _, _ := strings.Cut(last, "(")
	return anyof.Equal(name, "length", "utf8bytelength", "type", "startswith", "endswith", "test") &&
		(name == last || strings.IndexByte(last, ')') == len(last)-1) && !anyof.Contains(program, "debug", "error", "stderr", "input")
}

// jqNames lists fields that hold a name or a kind, in plans of Terraform, objects of a cluster and
// lists of secrets.
const jqNames = "address module_address type name namespace kind mode index actions action_reason provider_name creationTimestamp terraform_version format_version Name ARN"

// JqPrintsNames reports whether a program of jq prints only the names of what it reads, or their
// number: .auths | keys, .resource_changes[].address. Any other field may be a secret.
func JqPrintsNames(program string) bool {
	if strings.Trim(program, ".abcdefghijklmnopqrstuvwxyz") == "" && strings.Count(program, ".") == 1 && program[0] == '.' {
		return false // .type, which an output of Terraform may be called
	}
	return len(program) < 1000 && !anyof.Contains(program, "$", "debug", "error", "stderr", "input", "..", "#", "entries", "explode", "json", "base", "def ", "env") && jqShowsNames(program, false)
}

// jqShowsNames reads a pipeline of jq. named reports whether its input consists of names.
func jqShowsNames(pipeline string, named bool) bool {
	stages := jqParts(pipeline, '|')
	for i, s := range stages {
		s = strings.TrimSpace(s)
		if anyof.Equal(s, "keys", "keys[]", "length", "keys_unsorted") { // of what the input has, and not of what a stage computes
			named = named || !slices.ContainsFunc(stages[:i], func(s string) bool {
				return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]? ") != ""
			})
			continue
		}
		named = jqStage(s, named)
	}
	return named && len(stages) > 0
}

func jqStage(s string, named bool) bool {
	if s == "" {
		return false
	}
	word, arg, called := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	word = strings.TrimSpace(word)
	switch {
	case anyof.Equal(s, "sort", "unique", "add", "flatten", "reverse", "first", "last", "@tsv", "@csv", "@text", "tostring", "not"),
		called && anyof.Equal(word, "select", "sort_by", "group_by", "unique_by", "join", "index") && !strings.ContainsAny(arg, "|@"):
		return named
	}
	parts := jqParts(s, ',')
	if len(parts) == 1 {
		parts = jqParts(s, '+')
	}
	switch body := s[1 : len(s)-min(1, len(s)-1)]; {
	case len(parts) != 1:
	case called && (word == "map" || word == ""):
		return jqShowsNames(arg, named)
	case s[0] == '[' && s[len(s)-1] == ']':
		return jqShowsNames(body, named)
	case s[0] == '{' && s[len(s)-1] == '}':
		parts = jqFields(body)
	case s[0] == '"':
		parts = jqInterpolated(s)
	default:
		path := strings.NewReplacer("[]", "", "[0]", "", "?", "").Replace(s)
		field := path[strings.LastIndexByte(path, '.')+1:]
		return path != "" && path[0] == '.' && strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.") == "" && (named || anyof.Listed(jqNames, field) && !anyof.Contains(path, "data.", "Data.", "value", "outputs", "variables", "auths", "before", "after"))
	}
	return parts != nil && !slices.ContainsFunc(parts, func(p string) bool { return !jqShowsNames(p, named) })
}

// jqFields returns what the fields of an object hold, and its computed names: {address, a: .b, (.c): 1}.
func jqFields(object string) (out []string) {
	for _, f := range jqParts(object, ',') {
		f = strings.TrimSpace(f)
		switch kv := jqParts(f, ':'); {
		case len(kv) == 1:
			out = append(out, "."+f)
		case strings.HasPrefix(f, "("):
			out = append(out, kv...)
		default:
			out = append(out, kv[1:]...)
		}
	}
	return out
}

// jqInterpolated returns the programs in a text, or nil if it is not one text.
func jqInterpolated(s string) []string {
	out := []string{}
	for i := 1; i < len(s)-1; i++ {
		switch {
		case s[i] == '"':
			return nil
		case s[i] == '\\' && s[i+1] == '(':
			end := jqSkip(s, i+1)
			out = append(out, s[i+2:min(end, len(s))-1])
			i = end - 1
		case s[i] == '\\':
			i++
		}
	}
	return out
}

// jqParts splits a program at a separator outside texts and brackets. It returns nil if a bracket
// or a text does not end.
func jqParts(s string, sep byte) (out []string) {
	from, i := 0, 0
	for i < len(s) {
		switch s[i] {
		case '"', '(', '[', '{':
			i = jqSkip(s, i)
			continue
		case ')', ']', '}':
			return nil
		case sep:
			out, from = append(out, s[from:i]), i+1
		}
		i++
	}
	if i > len(s) {
		return nil
	}
	return append(out, s[from:])
}

// jqSkip returns the index after the text or the brackets that begin at i, or len(s)+1 if they do
// not end.
func jqSkip(s string, i int) int {
	text := s[i] == '"'
	for i++; i < len(s); i++ {
		switch c := s[i]; {
		case text && c == '"', !text && strings.IndexByte(")]}", c) >= 0:
			return i + 1
		case text && c == '\\' && i+1 < len(s) && s[i+1] == '(', !text && strings.IndexByte(`"([{`, c) >= 0:
			if text {
				i++
			}
			i = jqSkip(s, i) - 1
		case text && c == '\\':
			i++
		}
	}
	return len(s) + 1
}

// nameOf reports whether a text is one lower-case name.
func nameOf(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// jqPrintsEnvironment reports whether a program of jq reads the environment: it has $ENV or the
// filter env. A field such as .env does not count.
func jqPrintsEnvironment(program string) bool {
	if strings.Contains(program, "$ENV") {
		return true
	}
	inName := func(c byte) bool {
		return c == '_' || c == '.' || c == '$' || c == '"' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for at := 0; ; {
		i := strings.Index(program[at:], "env")
		if i < 0 {
			return false
		}
		i += at
		at = i + len("env")
		if (i == 0 || !inName(program[i-1])) && (at == len(program) || program[at] == '.' || !inName(program[at]) && program[at] != ':') {
			return true
		}
	}
}
