package command

// Takes reports whether a Model lists an option, and whether that takes the next word.
func (m *Model) Takes(name string) (listed, next bool) {
	o, ok := m.option(name)
	return ok, ok && o.role != 0 && !o.attach
}

// ProgramNames returns every name of a program that is described.
func ProgramNames() (names []string) {
	eachModel(func(words string, m *Model) { names = append(names, words) })
	return names
}

// Compilers returns the rows of compilers: programs, endings, the options that name the result, and
// the result without one.
func Compilers() (rows [][4]string) {
	for _, k := range compilers {
		rows = append(rows, [4]string{k.programs, k.endings, k.out, k.result})
	}
	return rows
}

// FakeHost records operations and what is run.
type FakeHost = fakeHost

// EachRow calls a function for every description of a program.
var EachRow = eachRow
