package sql

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// client reads a line that the client program itself executes.
func (r *reader) client(line string) {
	line = strings.TrimSuffix(strings.TrimSpace(line), ";")
	head, rest, _ := strings.Cut(line, " ")
	head, rest = dotCommand(strings.ToLower(head)), strings.TrimSpace(rest)
	s := Statement{Verb: "client", Object: head}
	cmd, ok := bang(line)
	if parts := strings.Split(line, "`"); strings.HasPrefix(line, `\`) && !ok && len(parts) > 2 { // \set x `prog`: psql runs it
		cmd, ok = parts[1], true
	}
	if ok {
		if s.Verb, s.Runs = "shell", cmd; cmd != "" { // or else it is an interactive shell
			r.add(s)
		}
		return
	}
	arg := unquote(rest)
	switch head {
	case ".shell", ".system", "system", "host":
		s.Verb, s.Runs = "shell", rest
	case `\i`, `\ir`, `\include`, `\.`, "source", ".read", ":r", "start":
		r.fileOrPipe(&s, arg, true)
		s.Verb, s.Script = "script", s.Runs == ""
	case ".import":
		r.fileOrPipe(&s, firstArg(rest), true)
	case ".output", ".once", ".excel", ".log", ".trace", `\o`, `\out`, `\w`, `\g`, `\gx`, "tee", `\t`, "spool", ":out", ":error":
		if head == `\t` && !strings.HasPrefix(line, `\T`) {
			return // psql: tuples only
		}
		if strings.EqualFold(arg, "off") || strings.EqualFold(arg, "stdout") || arg == "" {
			return
		}
		r.fileOrPipe(&s, arg, false)
	case `\lo_export`, `\s`:
		s.Writes = []string{lastArg(rest)}
	case `\lo_import`:
		s.Reads = []string{firstArg(rest)}
	case ".dump":
	case ".save", ".backup", ".clone":
		s.Writes = fileOf(lastArg(rest))
	case ".restore":
		s.Verb, s.Traits, s.Reads = "restore", umpire.Mutate|umpire.Overwrite, []string{lastArg(rest)}
	case ".open":
		if strings.Contains(rest, "-new") {
			s.Writes, s.Traits = []string{lastArg(rest)}, umpire.Truncate
		}
	case ".load":
		s.Traits, s.Reads = umpire.LoadsCode, []string{arg}
	case ".archive":
		s.Reads = []string{arg}
	case "pager", `\p`:
		if head == `\p` && !strings.HasPrefix(line, `\P`) || rest == "" {
			return
		}
		s.Runs = rest
	case `\copy`:
		r.backslashCopy(&s, rest)
	case `\gexec`:
		s.Traits = umpire.UnseenCode // the client runs the output of the query
	default:
		if strings.HasPrefix(head, "@") {
			s.Verb, s.Reads, s.Script = "script", []string{strings.TrimLeft(line, "@ ")}, true
			break
		}
		if strings.HasPrefix(line, `\o`) || strings.HasPrefix(line, `\g`) {
			if a := strings.TrimSpace(line[2:]); strings.HasPrefix(a, "|") {
				r.fileOrPipe(&s, a, false)
				break
			}
		}
		return
	}
	r.add(s)
}

// dotCommand returns the full name of a command of sqlite3: .sh is .shell. If several names begin
// with head, it returns the gravest.
func dotCommand(head string) string {
	if len(head) < 2 || head[0] != '.' {
		return head
	}
	for _, full := range [...]string{".shell", ".system", ".output", ".once", ".read", ".load", ".import", ".restore", ".save", ".backup", ".clone", ".open", ".excel", ".log", ".trace", ".archive"} {
		if strings.HasPrefix(full, head) {
			return full
		}
	}
	return head
}

func bang(line string) (string, bool) {
	for _, p := range []string{`\!`, ":!!", "!!", "!"} {
		if c, ok := strings.CutPrefix(line, p); ok {
			return strings.TrimSpace(c), true
		}
	}
	return "", false
}

func (r *reader) fileOrPipe(s *Statement, arg string, in bool) {
	if cmd, ok := strings.CutPrefix(arg, "|"); ok {
		s.Runs = strings.TrimSpace(cmd)
		return
	}
	if in {
		s.Reads = []string{arg}
	} else {
		s.Writes = []string{arg}
	}
}

// backslashCopy reads \copy of psql, which reads or writes a file, or runs a program, on this
// machine.
func (r *reader) backslashCopy(s *Statement, rest string) {
	s.Verb = "copy"
	toks := lex(r.d, rest)
	i := index(toks, "from", "to")
	if i < 0 || i+1 >= len(toks) {
		return
	}
	s.Object = name(toks)
	if toks[i+1].is("program") {
		s.Verb, s.Runs = "copy-program", firstString(toks[i+1:])
		return
	}
	if toks[i+1].is("stdin", "stdout", "pstdin", "pstdout") {
		return
	}
	// An unquoted file name is split into tokens; take it from the text.
	for _, w := range []string{" from ", " to "} {
		if j := strings.Index(strings.ToLower(rest), w); j >= 0 {
			f := firstArg(rest[j+len(w):])
			if w == " from " {
				s.Reads = []string{f}
			} else {
				s.Writes = []string{f}
			}
			return
		}
	}
}

func unquote(s string) string {
	if len(s) > 1 && (s[0] == '\'' || s[0] == '"') {
		if j := strings.IndexByte(s[1:], s[0]); j >= 0 {
			return s[1 : 1+j]
		}
	}
	return s
}

func firstArg(s string) string {
	s = strings.TrimSpace(s)
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		return unquote(s)
	}
	for strings.HasPrefix(s, "-") { // .import --csv f
		_, s, _ = strings.Cut(s, " ")
		s = strings.TrimSpace(s)
	}
	if strings.HasPrefix(s, "|") {
		return s
	}
	a, _, _ := strings.Cut(s, " ")
	return a
}

func lastArg(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		s = s[i+1:]
	}
	return unquote(s)
}
