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
