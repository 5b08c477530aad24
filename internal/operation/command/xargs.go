package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// lines returns the arguments that a program reads from its input. After 64 it returns a hole for
// the rest.
func lines(s Stream, byLine bool) []Word {
	if !s.Seen {
		return []Word{{Text: umpire.Hole, Taint: s.Taint}}
	}
	var out []Word
	fields := strings.Fields(s.Text)
	if byLine {
		fields = strings.FieldsFunc(s.Text, func(r rune) bool { return r == '\n' || r == 0 })
	}
	for _, f := range fields {
		if len(out) >= 64 {
			return append(out, Word{Text: umpire.Hole, Taint: s.Taint})
		}
		out = append(out, Word{Text: f, Taint: s.Taint, Marks: Marks{Glob: strings.Contains(f, umpire.Hole), Found: s.Found, Bare: s.Bare}})
	}
	return out
}

func doXargs(c *Call) {
	in := c.Stdin
	if f, ok := c.Opt("-a"); ok {
		in = c.File(f)
	}
	if len(c.Operands) == 0 {
		return
	}
	mark := ""
	switch {
	case c.Has("-I"):
		if v, ok := c.Opt("-I"); ok {
			mark = v.Text
		}
	case c.Has("-i"):
		mark = "{}"
		if v, ok := c.Opt("-i"); ok && v.Text != "" {
			mark = v.Text
		}
	case c.Has("-J"):
		if v, ok := c.Opt("-J"); ok {
			mark = v.Text
		}
	}
	args := lines(in, mark != "" || c.Has("-0") || c.Has("-d"))
	if mark == "" {
		c.Exec(append(append([]Word(nil), c.Operands...), args...), Run{Via: "xargs", Stdin: &Stream{}, Out: true})
		return
	}
	for _, a := range args {
		c.Exec(substitute(c.Operands, mark, a), Run{Via: "xargs", Stdin: &Stream{}, Out: true})
	}
}

func substitute(cmd []Word, mark string, a Word) []Word {
	out := make([]Word, len(cmd))
	for i, w := range cmd {
		out[i] = w
		if mark != "" && strings.Contains(w.Text, mark) {
			out[i] = Word{Text: strings.ReplaceAll(w.Text, mark, a.Text), Taint: w.Taint | a.Taint, Marks: Marks{Glob: w.Glob || a.Glob, Found: a.Found && w.Text == mark, Bare: a.Bare && strings.HasPrefix(w.Text, mark)}}
		}
	}
	return out
}

func doParallel(c *Call) {
	args := c.Args
	if len(args) == 1 && anyof.Equal(args[0].Text, "--help", "-h", "--version", "-V", "--citation", "--number-of-cores", "--number-of-cpus") {
		return
	}
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-j", "--jobs", "-P", "-N", "-n", "-I", "-a", "--arg-file", "--delay", "--timeout", "--retries", "--colsep", "-C", "--joblog", "--results", "-S", "--sshlogin", "--tmpdir", "-d", "--delimiter", "--wd", "--workdir", "--load", "--memfree", "--halt", "-L", "-X", "--tag-string", "--tagstring", "--basefile", "--env", "--block", "--recstart", "--recend", "-s", "--max-replace-args":
			args = args[min(2, len(args)):]
		default:
			args = args[1:]
		}
	}
	var cmd, given []Word
	sep := ""
	for _, w := range args {
		switch {
		case strings.HasPrefix(w.Text, ":::"):
			sep = w.Text
		case sep == "":
			cmd = append(cmd, w)
		case strings.HasPrefix(sep, "::::"): // a file of arguments
			given = append(given, Word{Text: umpire.Hole, Taint: w.Taint})
		default:
			given = append(given, w)
		}
	}
	if len(cmd) == 0 && sep == "" && !c.Stdin.Pipe && !c.Stdin.Seen && c.Stdin.Taint == 0 && !c.starts("-a") && !c.starts("--arg") {
		return // parallel waits for commands on a terminal
	}
	if sep == "" && slices.ContainsFunc(c.Args, func(w Word) bool { return anyof.Equal(w.Text, "--pipe", "--pipepart", "--spreadstdin") }) {
		c.Shell(joined(cmd), Run{Via: "parallel", Out: true})
		return
	}
	if sep == "" {
		given = lines(c.Stdin, true)
	}
	if len(given) > 64 {
		given = append(given[:64:64], Word{Text: umpire.Hole})
	}
	for _, a := range given {
		if len(cmd) == 0 { // each line is a command
			c.Shell(a, Run{Via: "parallel", Out: true})
			continue
		}
		var full []Word
		seen := false
		for _, w := range cmd {
			seen = seen || strings.Contains(w.Text, "{")
		}
		if seen {
			full = substitute(cmd, "{}", a)
			full = substitute(full, "{1}", a)
		} else {
			full = append(append([]Word(nil), cmd...), a)
		}
		// parallel joins its words and gives them to a shell.
		if len(full) >= 3 && full[1].Text == "-c" || a.Found && !slices.ContainsFunc(full, func(w Word) bool { return strings.ContainsAny(w.Text, " \t\n;&|<>()$`\\\"'{}#~") }) {
			c.Exec(full, Run{Via: "parallel", Out: true})
		} else {
			var text []string
			var t Taint
			for _, w := range full {
				text, t = append(text, w.Text), t|w.Taint
			}
			c.Shell(Word{Text: strings.Join(text, " "), Taint: t}, Run{Via: "parallel", Out: true})
		}
	}
}
