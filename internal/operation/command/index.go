package command

import "strings"

// Index returns the description with that name, or nil. Descriptions are kept as one text: a
// process decodes only a few, and Models would take three times the space in the binary.
func Index(name string) *Model {
	row, _ := find(programs, name)
	if line, _, _ := strings.Cut(row, "\n"); row != "" && strings.HasPrefix(line, name+"\t>") {
		row, _ = find(programs, line[len(name)+2:])
	}
	if row == "" {
		return nil
	}
	return decode(row)
}

// find looks a row up by its key, with a binary search in a sorted list. A | precedes each row. It
// returns the row without its |, and the byte offset of that | in the list, or "" and 0.
func find(list, key string) (row string, at int) {
	for list != "" {
		start, end, n := len(list), len(list), -1
		for n < 0 { // a search backward would be many times slower in a long row
			start /= 2
			n = strings.IndexByte(list[start:], '|')
		}
		start += n
		if n := strings.IndexByte(list[start+1:], '|'); n >= 0 {
			end = start + 1 + n
		}
		row := list[start+1 : end]
		switch own := keyOf(row); {
		case key < own:
			list = list[:start]
		case key > own:
			list, at = list[end:], at+end
		default:
			return row, at + start
		}
	}
	return "", 0
}

// keyOf returns the text before the first blank, tab or line end.
func keyOf(row string) string {
	for i := range len(row) {
		if row[i] <= ' ' {
			return row[:i]
		}
	}
	return row
}

// cutRow splits a text after its first row: a line, and the lines below it with a deeper indent.
func cutRow(text string) (row, after string) {
	indent := len(text) - len(strings.TrimLeft(text, "\t"))
	for end := 0; ; {
		n := strings.IndexByte(text[end:], '\n')
		if end += n + 1; n < 0 || end == len(text) {
			return text, ""
		}
		if rest := text[end:]; len(rest)-len(strings.TrimLeft(rest, "\t")) <= indent {
			return text[:end], rest
		}
	}
}

// decode returns the Model of a row: its fields, separated by tabs, and below them the rows of its
// sub-commands, which stay encoded.
func decode(row string) *Model {
	line, commands, _ := strings.Cut(strings.TrimLeft(row, "\t"), "\n")
	var f [12]string
	for i := range f {
		f[i], line, _ = strings.Cut(line, "\t")
	}
	return &Model{
		Names: f[0], Opts: f[1], Args: f[2], Style: Style(number(f[3])), Effects: Effect(number(f[4])), Lang: f[5], Do: reader(f[6]),
		Claims: Claims{Complete: f[7], Looks: f[8], Project: f[9], Elsewhere: f[10]}, System: f[11], commands: commands,
	}
}

// number returns the value of decimal digits, or 0 for an empty text. The table has no other text
// there.
func number(digits string) (n uint64) {
	for i := range len(digits) {
		n = n*10 + uint64(digits[i]-'0')
	}
	return n
}

// readers is readerTable. init sets it, because functions in the table look up descriptions, which
// would be an initialization cycle.
var readers []func(*Call)

func init() { readers = readerTable[:] }

// reader returns the function with that name, or nil. Package projectfile has some of them.
func reader(name string) func(*Call) {
	if _, name, ok := strings.Cut(name, "projectfile."); ok {
		return func(c *Call) { c.Tasks(name, c) }
	}
	if row, at := find(readerNames, name); row != "" {
		return readers[strings.Count(readerNames[:at], "|")]
	}
	return nil
}

// Lookup returns the Model of a program by its base name, or nil if there is none. It finds
// versioned names of interpreters, such as python3.12, under the name without the version.
func Lookup(name string) *Model {
	m := Index(name)
	if m == nil {
		switch base := strings.TrimRight(name, "0123456789.-"); base {
		case "python", "pypy", "ipython", "pip", "perl", "ruby", "gem", "irb", "php", "lua", "luajit", "node", "nodejs", "tclsh", "wish", "guile", "bash", "ksh", "zsh",
			"java", "groovy", "scala", "swift", "julia", "Rscript", "psql", "pg_dump", "pg_restore", "mysql", "mongo", "go", "vim", "emacs", "osascript":
			m = Index(base)
		}
	}
	if sub, ok := strings.CutPrefix(name, "git-"); ok && m == nil && Index("git").sub(sub) != nil { // /usr/lib/git-core/git-push
		return &Model{Style: NoOptions, Do: func(c *Call) { c.Exec(append(Lits("git", sub), c.Args...), Run{Out: true}) }}
	}
	if m == nil || m.guessed() {
		return nil
	}
	return m
}

// guessed reports whether a description has only claims about a program and which files it writes,
// and not how it reads its arguments.
func (m *Model) guessed() bool {
	const writes = Converts | InPlace
	return (m.Claims != Claims{} || m.Style&writes != 0) && m.Opts == "" && m.Args == "" && m.Style&^writes == 0 && m.Effects == 0 && m.System == "" && m.Do == nil && !m.leads()
}

// Matching returns at most n names of described programs that ok accepts, sorted.
func Matching(ok func(name string) bool, n int) (names []string) {
	for row := range strings.SplitSeq(strings.TrimPrefix(programs, "|"), "|") {
		if name := keyOf(row); ok(name) && Lookup(name) != nil {
			if names = append(names, name); len(names) == n {
				break
			}
		}
	}
	return names
}
