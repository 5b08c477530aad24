package command

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
)

func doSortLike(c *Call) {
	if len(c.Operands) == 0 && c.Stdin.Seen && strings.Count(c.Stdin.Text, "\n") <= 1 {
		c.SetOut(c.Stdin)
	}
}

func doTr(c *Call) {
	if !c.Stdin.Seen || c.Has("-c") {
		s := c.Stdin
		s.Seen = false
		s.Taint |= FromDecoder
		if !c.Stdin.Pipe {
			return
		}
		c.SetOut(s)
		return
	}
	from := trSet(c.Arg(0).Text)
	s := c.Stdin
	if c.Has("-d") {
		s.Text = strings.Map(func(r rune) rune {
			if strings.ContainsRune(from, r) {
				return -1
			}
			return r
		}, s.Text)
	} else if to := []rune(trSet(c.Arg(1).Text)); len(to) > 0 {
		set := []rune(from)
		s.Text = strings.Map(func(r rune) rune {
			for i, f := range set {
				if f == r {
					return to[min(i, len(to)-1)]
				}
			}
			return r
		}, s.Text)
		s.Taint |= FromDecoder
	}
	c.SetOut(s)
}

// trSet expands ranges and classes of tr.
func trSet(s string) string {
	for _, k := range [...][2]string{{"[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}, {"[:lower:]", "abcdefghijklmnopqrstuvwxyz"}, {"[:digit:]", "0123456789"}, {"[:space:]", " \t\n\r\v\f"}, {"[:blank:]", " \t"}, {`\n`, "\n"}, {`\t`, "\t"}, {`\\`, `\`}} {
		s = strings.ReplaceAll(s, k[0], k[1])
	}
	var b strings.Builder
	r := []rune(s)
	for i := 0; i < len(r); i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i] < r[i+2] && r[i+2]-r[i] < 256 {
			for x := r[i]; x <= r[i+2]; x++ {
				b.WriteRune(x)
			}
			i += 2
			continue
		}
		b.WriteRune(r[i])
	}
	return b.String()
}

func doRev(c *Call) {
	s := c.Stdin
	s.Taint |= FromDecoder
	if s.Seen {
		lines := strings.Split(s.Text, "\n")
		for i, l := range lines {
			r := []rune(l)
			for a, z := 0, len(r)-1; a < z; a, z = a+1, z-1 {
				r[a], r[z] = r[z], r[a]
			}
			lines[i] = string(r)
		}
		s.Text = strings.Join(lines, "\n")
	}
	c.SetOut(s)
}

// input is what a filter with at most one file operand reads.
func input(c *Call) Stream {
	files := append(c.All("-i"), c.Operands...) // base64 -i FILE, where -i is no flag
	if len(files) == 0 || files[0].Text == "-" {
		return c.Stdin
	}
	s := c.File(files[0])
	s.Taint |= c.Out.Taint
	return s
}

func doBase64(c *Call) {
	s := input(c)
	if !c.Has("-d") {
		s.Seen = false
		c.SetOut(s)
		return
	}
	s.Taint |= FromDecoder
	if s.Seen {
		text := strings.Map(func(r rune) rune {
			if r == '\n' || r == ' ' || r == '\r' {
				return -1
			}
			return r
		}, s.Text)
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			b, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
		}
		s.Text, s.Seen = string(b), err == nil
	}
	c.SetOut(s)
}

func doXxd(c *Call) {
	s := input(c)
	if !c.Has("-r", "-rp", "-pr") {
		s.Seen = false
		c.SetOut(s)
		return
	}
	s.Taint |= FromDecoder
	if s.Seen {
		b, err := hex.DecodeString(strings.Join(strings.Fields(s.Text), ""))
		s.Text, s.Seen = string(b), err == nil
	}
	c.SetOut(s)
}

func doDecoder(c *Call) {
	s := input(c)
	s.Taint |= FromDecoder
	s.Seen = false
	if s.Pipe || len(c.Operands) > 0 {
		c.SetOut(s)
	}
}

func doGrep(c *Call) {
	files := c.Operands
	if c.Stdin.Pipe { // ps | grep NAME
		for _, w := range append(c.All("-e"), files[:min(1, len(files))]...) {
			c.Taints(processOf(w.Text) &^ OfSystem)
		}
	}
	if len(files) > 0 && !c.Has("--regexp", "--match", "--files") && len(c.All("-e"))+len(c.All("-f")) == 0 {
		files = files[1:] // the pattern
	}
	if c.Has("--files-with-matches", "--files-without-match", "--count", "--count-matches", "--quiet", "--files") {
		for _, w := range files { // names and counts: nobody sees a secret
			if w.Text == "-" {
				continue
			}
			var t umpire.Trait
			if _, p := c.Path(w); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
				t = umpire.Inert
			}
			c.path(umpire.Read, w, t)
		}
		return
	}
	for _, w := range files {
		if w.Text != "-" {
			c.ReadFile(w)
		}
	}
	if c.Stdin.Taint&FromEnv != 0 && !c.Has("-c", "-q", "-v", "-l", "-L", "--silent", "--invert-match") && picksSecret(c) { // printenv TOKEN in other words
		c.SetOut(Stream{Text: umpire.Hole + "\n", Seen: true, Taint: FromSecret | FromKey})
	}
}

// picksSecret reports whether a pattern of grep's picks variables by the name of a secret.
func picksSecret(c *Call) bool {
	patterns := c.All("-e")
	if len(patterns) == 0 {
		patterns = c.Operands[:min(1, len(c.Operands))]
	}
	only := c.Has("-o", "--only-matching") // the part that matches: a name, unless the pattern goes on
	return slices.ContainsFunc(patterns, func(w Word) bool { return secretName(w.Text) && (!only || strings.ContainsAny(w.Text, "=.")) })
}

// doJq reads jq's command line, in which some options take two words.
func doJq(c *Call) {
	program := false
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
			if strings.Contains(t, "$ENV") || strings.TrimSpace(t) == "env" || strings.HasPrefix(t, "env|") || strings.HasPrefix(t, "env |") {
				c.Taints(FromEnv)
			}
		default:
			c.ReadFile(w)
		}
	}
}

// doMan reads man, whose options name the programs that show a page.
func doMan(c *Call) {
	for _, o := range []string{"-H", "-P"} {
		if w, ok := c.Opt(o); ok && w.Text != "" {
			c.Shell(w, Run{Traits: umpire.RunsProgram})
		}
	}
}

// doCut reads cut; the part before the = of an .env file is names, and no secret.
func doCut(c *Call) {
	f, _ := c.Opt("-f")
	switch {
	case len(c.Operands) == 0 && c.Stdin.Taint&(FromEnv|FromKey) != 0 && equals(c, "-d") && f.Text == "1":
		c.SetOut(Unseen(0)) // the names of variables
	case len(c.Operands) == 0 && c.Stdin.Seen:
		cutFields(c)
	}
	for _, w := range c.Operands {
		if w.Text != "-" && !(equals(c, "-d") && f.Text == "1" && envFile(c, w)) {
			c.ReadFile(w)
		}
	}
}

// equals reports whether an option's value is the sign =, which -d= has lost in parsing.
func equals(c *Call, option string) bool {
	w, ok := c.Opt(option)
	return ok && (w.Text == "=" || w.Text == "")
}

func envFile(c *Call, w Word) bool {
	_, p := c.Path(w)
	return w.Known() && p&umpire.PlaceEnvFile != 0 && p&umpire.PlaceCredentials == 0
}

// cutFields prints one field of each line that is known.
func cutFields(c *Call) {
	f, ok := c.Opt("-f")
	n, err := strconv.Atoi(f.Text)
	if !ok || err != nil || n < 1 {
		return
	}
	sep := "\t"
	if d, ok := c.Opt("-d"); ok {
		if sep = d.Text; sep == "" {
			sep = "=" // -d= has lost it in parsing
		}
	}
	out := c.Stdin
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(out.Text, "\n"), "\n") {
		fields := strings.Split(line, sep)
		switch {
		case strings.Contains(line, umpire.Hole): // which may hold any number of separators
			lines = append(lines, umpire.Hole)
		case len(fields) == 1:
			lines = append(lines, line)
		case n <= len(fields):
			lines = append(lines, fields[n-1])
		default:
			lines = append(lines, "")
		}
	}
	out.Text = strings.Join(lines, "\n") + "\n"
	c.SetOut(out)
}
