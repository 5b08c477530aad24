package command

import "strings"

// index finds a Model by its name, by halves in the ordered names. They lie together, so that
// a process that looks up a handful of programs touches few pages of its own file.
func index(name string) *Model {
	if name == "" || strings.ContainsAny(name, " \n") {
		return nil
	}
	for list := programNames; list != ""; {
		start := strings.LastIndexByte(list[:len(list)/2], '\n') + 1
		line, after, _ := strings.Cut(list[start:], "\n")
		at, place, _ := strings.Cut(line, " ")
		switch {
		case name < at:
			list = list[:start]
		case name > at:
			list = after
		default:
			family, row, _ := strings.Cut(place, " ")
			return &(*families[number(family)])[number(row)]
		}
	}
	return nil
}

func number(digits string) (n int) {
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// Lookup finds the Model of a program by its base name, nil if there is none. Versioned
// names of interpreters, such as python3.12, are found under the name without the version.
func Lookup(name string) *Model {
	if m := index(name); m != nil {
		return m
	}
	base := strings.TrimRight(name, "0123456789.-")
	switch base {
	case "python", "pypy", "ipython", "pip", "perl", "ruby", "gem", "irb", "php", "lua", "luajit", "node", "nodejs", "tclsh", "wish", "guile", "bash", "ksh", "zsh",
		"java", "groovy", "scala", "swift", "julia", "Rscript", "psql", "pg_dump", "pg_restore", "mysql", "mongo", "gcc", "clang", "go", "vim", "emacs", "osascript":
		return index(base)
	}
	return nil
}

// Matching returns the names of at most n described programs that ok accepts.
func Matching(ok func(name string) bool, n int) (names []string) {
	for _, family := range families {
		for i := range *family {
			for name := range strings.FieldsSeq((*family)[i].Names) {
				if ok(name) {
					if names = append(names, name); len(names) == n {
						return names
					}
				}
			}
		}
	}
	return names
}
