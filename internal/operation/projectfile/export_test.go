package projectfile

// LoadedFiles returns the rows of files with code: programs, language and files.
func LoadedFiles() (rows [][3]string) {
	for _, l := range loads {
		rows = append(rows, [3]string{l.programs, l.lang, l.files})
	}
	return rows
}

// LoadedSettings returns the rows of settings that run something: programs, files, keys and what
// a value is.
func LoadedSettings() (rows [][4]string) {
	for _, s := range runSettings {
		rows = append(rows, [4]string{s.programs, s.files, s.keys, s.is})
	}
	return rows
}
