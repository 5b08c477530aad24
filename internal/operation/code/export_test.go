package code

import "strings"

// Tables are the tables of calls by the name of their file of examples: the names of each row.
func Tables() map[string][][]string {
	out := map[string][][]string{"clients": {{"cloud"}}}
	for name, t := range callTables() {
		for _, r := range t.rows {
			out[name] = append(out[name], strings.Fields(r.names))
		}
	}
	return out
}

func callTables() map[string]*table {
	return map[string]*table{
		"python": &pythonCalls, "js": &jsCalls, "perl": &perlCalls, "ruby": &rubyCalls, "php": &phpCalls, "lua": &luaCalls,
		"r": &rCalls, "groovy": &groovyCalls, "julia": &juliaCalls, "go": &goCalls, "rust": &rustCalls, "awk": &awkCalls,
		"lisp": &lispCalls, "vim": &vimFunctions, "values": &valueCalls, "texts": &textCalls, "clients": &clientCalls, "names": &namedCalls, "libraries": &libraryCalls,
	}
}

// Column is a column of a row that is not empty.
type Column struct {
	Table, Row, Name string
	blank            func() (restore func())
}

// Blanked calls f while the column is empty.
func (c Column) Blanked(f func()) {
	defer c.blank()()
	f()
}

// Columns are the columns that say which arguments and which traits an effect has.
func Columns() (out []Column) {
	for name, t := range callTables() {
		for i := range t.rows {
			r := &t.rows[i]
			first, _, _ := strings.Cut(r.names, " ")
			param := func(column string, p *param) {
				if *p != "" {
					out = append(out, Column{name, first, column, func() func() {
						was := *p
						*p = ""
						return func() { *p = was }
					}})
				}
			}
			param("first", &r.first)
			param("second", &r.second)
			if r.traits != 0 {
				out = append(out, Column{name, first, "traits", func() func() {
					was := r.traits
					r.traits = 0
					return func() { r.traits = was }
				}})
			}
		}
	}
	return out
}

// Twice are the names that two rows of one table have: the second would never be found.
func Twice() (twice []string) {
	for _, t := range callTables() {
		seen := map[string]bool{}
		for _, r := range t.rows {
			for n := range strings.FieldsSeq(r.names) {
				if seen[n] {
					twice = append(twice, n)
				}
				seen[n] = true
			}
		}
	}
	return twice
}

// Statements that change a variable in place.
const (
	SetsArguments = setsArguments
	Changers      = changers
)

// Named are, for each first name of a row, the names by which its arguments can be passed, by
// their places. A place that can only be passed as such has an empty name.
func Named(lang string) map[string]map[int][]string {
	out := map[string]map[int][]string{}
	for _, r := range map[string]*table{"python": &pythonCalls, "r": &rCalls}[lang].rows {
		first, _, _ := strings.Cut(r.names, " ")
		for _, p := range []param{r.first, r.second} {
			at, names, _ := strings.Cut(string(p), " ")
			if at == "" || at[0] < '0' || at[0] > '9' || strings.Trim(at[1:], ".") != "" {
				continue // not a place
			}
			for i, name := range append(strings.Fields(names), "") {
				if out[first] == nil {
					out[first] = map[int][]string{}
				}
				place := int(at[0] - '0')
				if strings.HasSuffix(at, "..") { // each name is of the next place
					place += i
				}
				if name != "" || i == 0 {
					out[first][place] = append(out[first][place], name)
				}
			}
		}
	}
	return out
}
