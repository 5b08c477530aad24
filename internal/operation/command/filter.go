package command

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/redact"
)

func doSortLike(c *Call) {
	if in := c.listing(); in.Lists() {
		for _, w := range c.Operands {
			in.Seen = in.Seen && (w.Text == "-" || c.written(w).Seen) // another file may hold any line
		}
		c.SetOut(in)
	} else if len(c.Operands) == 0 && c.Stdin.Seen && strings.Count(c.Stdin.Text, "\n") <= 1 {
		c.SetOut(c.Stdin)
	}
}

// doTr applies tr to known input, because it can hide a command from a reader and hand it to a
// shell: echo ez -es ~ | tr a-z n-za-m | sh. The complement of a set (-c) is not computed.
func doTr(c *Call) {
	from, known := trSet(c.Arg(0).Text)
	to, too := trSet(c.Arg(1).Text)
	s := c.Stdin
	known = known && too
	s.Seen = s.Seen && known
	computed := s.Seen && !c.Has("-c") && (c.Has("-d") || len(c.Operands) < 2)
	if both := from + to; !known || !computed && strings.Trim(both, " \t\r\n") != "" || c.Has("-c") || c.Has("-d") && !s.Seen && both != "\r" {
		s.Taint |= FromDecoder // other white space spells nothing out
	}
	if !s.Seen || c.Has("-c") {
		if s.Seen = false; s.Pipe {
			c.SetOut(s)
		}
		return
	}
	if c.Has("-s") { // tr squeezes the characters of the last set at the end
		set := from
		if len(c.Operands) > 1 {
			set = to
		}
		defer func() {
			if s := c.Out; s.Seen {
				s.Text = squeezed(s.Text, set)
				c.SetOut(s)
			}
		}()
	}
	if c.Has("-d") {
		s.Text = strings.Map(func(r rune) rune {
			if strings.ContainsRune(from, r) {
				return -1
			}
			return r
		}, s.Text)
	} else if to := []rune(to); len(to) > 0 {
		set := []rune(from)
		s.Text = strings.Map(func(r rune) rune {
			for i, f := range set {
				if f == r {
					return to[min(i, len(to)-1)]
				}
			}
			return r
		}, s.Text)
	}
	c.SetOut(s)
}

// squeezed replaces each run of the same character of a set by one.
func squeezed(s, set string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range s {
		if r != last || !strings.ContainsRune(set, r) {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// trSet expands the ranges, classes and escapes in a set of tr, and reports whether it knows them all.
func trSet(s string) (set string, known bool) {
	known = !strings.ContainsAny(s, "\x01"+umpire.Hole)
	for _, k := range [...][2]string{{`\\`, "\x01"}, {"[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}, {"[:lower:]", "abcdefghijklmnopqrstuvwxyz"}, {"[:digit:]", "0123456789"}, {"[:space:]", " \t\n\r\v\f"}, {"[:blank:]", " \t"}, {`\n`, "\n"}, {`\t`, "\t"}, {`\r`, "\r"}, {`\000`, "\x00"}, {`\012`, "\n"}, {`\015`, "\r"}, {`\0`, "\x00"}} {
		s = strings.ReplaceAll(s, k[0], k[1])
	}
	// After \0, which is known now, a digit goes on with another character: \033.
	known = known && !anyof.Contains(s, `\`, "[:", "[=", "\x000", "\x001", "\x002", "\x003", "\x004", "\x005", "\x006", "\x007")
	s = strings.ReplaceAll(s, "\x01", `\`)
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
	return b.String(), known
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

// input returns the input of a filter that takes at most one file.
func input(c *Call) Stream {
	files := append(c.All("-i"), c.Operands...) // base64 -i FILE; where -i is a flag, it has no value
	if len(files) == 0 || files[0].Text == "-" {
		return c.Stdin
	}
	s := c.File(files[0])
	s.Taint |= c.Out.Taint
	return s
}

// doEncode reads a program that prints its input in another form.
func doEncode(c *Call) { c.SetOut(encoded(input(c))) }

// encoded returns a stream in another form. A credential stays one, because the reader turns it back.
func encoded(s Stream) Stream {
	if s.Seen = s.Seen && s.Taint&FromKey != 0; s.Seen {
		s.Text = umpire.Hole + "\n"
	}
	return s
}

// keyed returns out, the output of a filter that umpire does not follow. If the input is a
// credential, the output is one as well: a reader turns back what the filter does.
func (c *Call) keyed(out Stream) Stream {
	if key := encoded(c.Stdin); key.Seen && !out.Seen && (len(c.Operands) < max(1, len(strings.Fields(c.Model.Args))) || c.filters()) {
		return key
	}
	return out
}

// passKey sets the output as keyed does, if the input is a credential.
func (c *Call) passKey() {
	if out := c.keyed(Stream{}); out.Seen {
		c.SetOut(out)
	}
}

func doBase64(c *Call) {
	s := input(c)
	if !c.Has("-d") {
		c.SetOut(encoded(s))
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
		s.Text, s.Seen = Plain(string(b)), err == nil
	}
	c.SetOut(s)
}

func doXxd(c *Call) {
	s := input(c)
	if !c.Has("-r", "-rp", "-pr") {
		c.SetOut(encoded(s))
		return
	}
	s.Taint |= FromDecoder
	if s.Seen {
		b, err := hex.DecodeString(strings.Join(strings.Fields(s.Text), ""))
		s.Text, s.Seen = Plain(string(b)), err == nil
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
	c.unpacksFiles()
}

// unpacksFiles records the files that a decoder such as gunzip writes from downloads, so that the
// result counts as downloaded too.
func (c *Call) unpacksFiles() {
	if c.Inert() || c.Has("-c", "--stdout", "-t", "--test", "-l", "--list") {
		return
	}
	for _, w := range c.Operands {
		ext := path.Ext(w.Text)
		if !anyof.Listed(".gz .tgz .Z .bz2 .xz .lzma .zst .lz4 .br .lz", ext) {
			continue
		}
		if s := c.File(w); s.Taint&(FromNetwork|Fetched) != 0 {
			c.WriteFile(w.With(strings.TrimSuffix(w.Text, ext)), umpire.Truncate, Unseen(s.Taint&(FromNetwork|Fetched)))
		}
	}
}

// readsFiles reads the files that a filter prints parts of: all of them, or only names of variables.
func (c *Call) readsFiles(files []Word, names bool) {
	for _, w := range files {
		switch {
		case w.Text == "-":
		case names:
			c.readNames(w)
		default:
			c.ReadFile(w)
		}
	}
}

// matchesName reports whether the match of a pattern ends before the value of a variable.
func matchesName(pattern Word) bool {
	name := strings.NewReplacer("(?==)", "", `\w`, "").Replace(pattern.Text)
	return pattern.Known() && !strings.ContainsAny(name, `=.\`) && (strings.HasPrefix(name, "^") || !matchesMost(name))
}

// matchesMost reports whether a pattern may match nearly any variable, because one of its branches
// requires no two letters, or one after the start of the line. Brackets and escapes stand for many
// characters, and what ? and * follow is optional.
func matchesMost(pattern string) bool {
	if anyof.Contains(pattern, ")?", ")*", "){") {
		return true
	}
	return slices.ContainsFunc(branches(pattern), func(branch string) bool {
		letters, class, counted := 0, false, false
		if strings.HasPrefix(branch, "^") {
			letters++
		}
		for i := 0; i < len(branch); i++ {
			c, optional := branch[i], counted
			counted = false
			switch {
			case class:
				class = c != ']' || branch[i-1] == '['
			case c == '[':
				class = true
			case c == '\\':
				i++
			case (c == '?' || c == '*' || c == '{') && optional:
				letters--
			case unicode.IsLetter(rune(c)) || c == '_':
				letters, counted = letters+1, true
			}
		}
		return letters < 2
	})
}

// printsMatching sets the output to the names of the files that a search of their content finds.
func (c *Call) printsMatching(roots, patterns []Word, inverted bool) {
	narrow := When(!inverted && !allMatch(patterns) || c.Has("--include", "-g", "--iglob", "-t", "-T", "--max-depth"), umpire.Filtered)
	if !inverted && slices.ContainsFunc(roots, c.holdsKeys) && slices.ContainsFunc(patterns, func(w Word) bool { return SeeksSecret(w.Text) }) {
		roots = c.withTargets(roots, "id_rsa") // it stands for all files with keys
	}
	c.printsFound(roots, c.All("--include"), narrow)
}

// withTargets returns folders, and the files in them that a pattern of names selects.
func (c *Call) withTargets(roots []Word, pattern string) []Word {
	if len(roots) == 0 {
		roots = Lits(".")
	}
	for _, r := range roots {
		roots = append(slices.Clip(roots), c.findTarget(r, Lits(pattern)))
	}
	return roots
}

// picksListed sets the output to the names of a listing that patterns pick. A name stays as it is if
// a pattern matches every name, or may match any.
func (c *Call) picksListed(in Stream, patterns []Word) {
	var globs []string
	for _, p := range patterns[:min(len(patterns), maxGlobs)] {
		globs = append(globs, alternatives(p.Text)...)
	}
	if len(patterns) > maxGlobs || len(globs) > maxGlobs {
		globs = []string{""}
	}
	out := in
	unclear := slices.Contains(globs, "")
	out.Text, out.Taint, out.Seen = "", in.Taint|Picked, in.Seen && !unclear
	var names []string
	for _, w := range lines(in, true) {
		for _, glob := range globs {
			at := w
			if w.Known() {
				at.Text = c.findTarget(w, Lits(glob)).Text
			}
			switch _, q := c.Path(w); {
			case glob == "" && q&umpire.PlaceWorkspace != 0: // some files of the project, not the whole
			case glob == "", at.Known(), !unclear && strings.Contains(w.Text+"/", strings.Trim(glob, "*")):
				at, out.Taint = w, in.Taint
			}
			names = append(names, at.Listed())
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > maxGlobs { // readers of lines take no more
		out.Text, out.Taint = in.Text, in.Taint
	} else {
		out.Text = strings.Join(names, "\n") + "\n"
	}
	c.SetOut(out)
}

// maxGlobs bounds the work for patterns of many alternatives.
const maxGlobs = 64

// alternatives returns a glob for each alternative of a regular expression, or "" for one that may
// match any name. A single letter matches nearly all names, so it gets both.
func alternatives(pattern string) (globs []string) {
	if strings.Count(pattern, "|") >= maxGlobs {
		return []string{""}
	}
	for _, p := range branches(pattern) {
		p, ends := strings.CutSuffix(strings.TrimPrefix(p, "^"), "$")
		plain := strings.NewReplacer(`\.`, "", `\/`, "", `\-`, "", ".*", "", ".+", "", "[^/]*", "", "[^/]+", "").Replace(p)
		p = strings.NewReplacer(`\.`, ".", `\/`, "/", `\-`, "-", ".*", "*", ".+", "*", "[^/]*", "*", "[^/]+", "*", ".", "?").Replace(p)
		switch {
		case strings.ContainsAny(plain, `\^$*?+[](){}|`), strings.Trim(p, "*?") == "":
			p = ""
		case len(p) < 2 && !ends:
			globs = append(globs, "")
			p = "*" + p + "*"
		case ends:
			p = "*" + p
		default:
			p = "*" + p + "*"
		}
		globs = append(globs, p)
	}
	return globs
}

// branches returns the alternatives of a regular expression, each with what surrounds their group.
func branches(pattern string) (out []string) {
	pattern = strings.NewReplacer(`\|`, "|", `\(`, "(", `\)`, ")").Replace(pattern)
	before, after := "", ""
	if i, j := strings.IndexByte(pattern, '('), strings.LastIndexByte(pattern, ')'); 0 <= i && i < j {
		before, pattern, after = pattern[:i], strings.TrimPrefix(pattern[i+1:j], "?:"), pattern[j+1:]
	}
	for p := range strings.SplitSeq(pattern, "|") {
		out = append(out, before+p+after)
	}
	return out
}

// holdsKeys reports whether a folder is a home or above one, where people keep their keys.
func (c *Call) holdsKeys(dir Word) bool {
	_, p := c.Path(dir)
	return p&(umpire.PlaceHome|umpire.PlaceParent) != 0 && p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace) == 0
}

// SeeksSecret reports whether a pattern of a search has the shape of a key or names a secret.
func SeeksSecret(pattern string) bool {
	return redact.NamesKey(pattern) || anyof.Contains(pattern, "-----BEGIN ", "PRIVATE KEY", "_authToken", "secret_access_key")
}

// foundSecrets returns the word for the files below a folder that a glob or a regular expression
// selects by their names, if they hold secrets.
func (c *Call) foundSecrets(dir, name Word) (Word, bool) {
	if !name.Known() || strings.HasPrefix(name.Text, "!") {
		return Word{}, false
	}
	w := c.findTarget(dir, []Word{name.With(strings.NewReplacer(`\`, "", "^", "", "$", "").Replace(name.Text))})
	w.Found = true
	_, p := c.Path(w)
	return w, p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0
}

// doMan reads the options of man that name a program to show the page.
func doMan(c *Call) {
	for _, o := range []string{"-H", "-P"} {
		if w, ok := c.Opt(o); ok && w.Text != "" && w.Text != "cat" {
			c.Shell(w, Run{Traits: umpire.RunsProgram})
		}
	}
	for _, w := range c.Operands {
		if strings.ContainsAny(w.Text, "/.") { // a file, which man formats and prints
			c.ReadFile(w)
		}
	}
}

// doDiff reads programs that print the differences of files, which may be a whole file. Those that
// only print whether files differ, and at which byte, show no content.
func doDiff(c *Call) {
	silent := c.Name == "cmp" && !c.Has("-l", "--verbose", "-b", "--print-bytes", "-lb", "-bl") || (c.Name == "diff" || c.Name == "gdiff") && c.Has("-q", "--brief", "-rq", "-qr")
	for _, w := range c.Operands {
		switch {
		case w.Text == "-":
		case silent:
			c.readUnshown(w)
		case c.Has("-r"):
			c.ReadTree(w, 0)
		default:
			c.ReadFile(w)
		}
	}
}

func doCut(c *Call) {
	names := c.namesOnly()
	if len(c.Operands) == 0 && c.Stdin.Seen && !c.Stdin.Lists() {
		cutFields(c)
	}
	if names {
		c.picked()
	}
	c.readsFiles(c.Operands, names)
}

// envFile reports whether a known path is an environment file, and no other place of credentials.
func envFile(c *Call, w Word) bool {
	_, p := c.Path(w)
	return w.Known() && p&umpire.PlaceEnvFile != 0 && p&umpire.PlaceCredentials == 0
}

// cutFields sets the output to one field of each input line. The call must have no operands.
func cutFields(c *Call) {
	f, ok := c.Opt("-f")
	n, err := strconv.Atoi(f.Text)
	if !ok || err != nil || n < 1 {
		if c.Stdin.Taint&FromKey != 0 {
			c.SetOut(encoded(c.Stdin))
		}
		return
	}
	sep := "\t"
	if d, ok := c.Opt("-d"); ok {
		if sep = d.Text; sep == "" {
			sep = "=" // the parser took the = of -d= for the separator of a value
		}
	}
	out := c.Stdin
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(out.Text, "\n"), "\n") {
		fields := strings.Split(line, sep)
		switch {
		case strings.Contains(line, umpire.Hole): // may hold any number of separators
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

// someLines returns the part of a text that head or tail prints, or the lines in the order of tac.
// A text with unknown parts may have any number of lines, so it is returned whole.
func (c *Call) someLines(s Stream) Stream {
	if !s.Seen || strings.Contains(s.Text, umpire.Hole) || s.Lists() {
		return s
	}
	lines := strings.SplitAfter(strings.TrimSuffix(s.Text, "\n"), "\n")
	switch strings.TrimPrefix(c.Program, "g") {
	case "tac":
		lines[len(lines)-1] += "\n"
		slices.Reverse(lines)
		s.Text = strings.Join(lines, "")
	case "head":
		if n, bytes, ok := c.amount(); ok && bytes {
			s.Text = s.Text[:upTo(n, len(s.Text))]
		} else if ok {
			s.Text = strings.Join(lines[:upTo(n, len(lines))], "")
		}
	case "tail":
		n, bytes, ok := c.amount()
		size := len(lines)
		if bytes {
			size = len(s.Text)
		}
		from := size - min(max(n, -n), size)
		if w, _ := c.Opt("-n"); strings.HasPrefix(w.Text, "+") {
			from = upTo(n-1, size)
		} else if w, _ := c.Opt("-c"); strings.HasPrefix(w.Text, "+") {
			from = upTo(n-1, size)
		}
		if ok && bytes {
			s.Text = s.Text[from:]
		} else if ok {
			s.Text = strings.Join(lines[from:], "")
		}
	}
	return s
}

// amount returns how many lines or bytes head or tail prints. ok is false if that is unknown.
func (c *Call) amount() (n int, bytes, ok bool) {
	if w, has := c.Opt("-c"); has {
		n, err := strconv.Atoi(w.Text)
		return n, true, err == nil
	}
	if w, has := c.Opt("-n"); has {
		n, err := strconv.Atoi(w.Text)
		return n, false, err == nil
	}
	for _, w := range c.Args {
		if n, err := strconv.Atoi(w.Text); err == nil && (w.Text[0] == '-' || w.Text[0] == '+') {
			return max(n, -n), false, w.Text[0] == '-'
		}
		if strings.HasPrefix(w.Text, "-") && len(w.Text) > 1 {
			return 0, false, false
		}
	}
	return 10, false, true
}

// upTo returns the end of the first n of size things, or, if n is negative, of all but the last -n.
func upTo(n, size int) int {
	if n < 0 {
		n += size
	}
	return min(max(n, 0), size)
}

// doEdited reads a filter that changes files in place with -i: all operands except the first, which
// is its program. The program of yq may load other files: load_str("x").
func doEdited(c *Call) {
	for _, part := range strings.Split(c.Arg(0).Text, "load")[1:] {
		if _, file, ok := strings.Cut(part, `("`); ok {
			file, _, _ = strings.Cut(file, `"`)
			c.ReadFile(c.Arg(0).With(file))
		}
	}
	if c.Has("-i") {
		for _, w := range WordsAfter(c, 1) {
			c.WriteFile(w, 0, Unseen(c.Out.Taint))
		}
	}
}
