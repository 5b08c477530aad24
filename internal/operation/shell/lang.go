package shell

// sql, code and windows hand text in other languages to the packages that read it.

func (sh *shell) sql(engine, text string)   {}
func (sh *shell) code(lang, text string)    {}
func (sh *shell) windows(lang, text string) {}
