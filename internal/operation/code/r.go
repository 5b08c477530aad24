package code

import (
	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// rCalls are functions of R's base library.
var rCalls = table{rows: []row{
	{"do.call", callsWithList, "0 what", "1 args", 0},
	{"lapply sapply vapply", callsEach, "1 FUN", "0 X", 0},
	{"Map Filter mapply", callsEach, "0 f FUN", "1..", 0},
	{"purrr.map purrr.walk purrr.map_chr purrr.map_lgl purrr.map_int purrr.map_dbl map walk map_chr map_lgl map_int map_dbl", callsEach, "1 .f", "0 .x", 0},
	{"system shell base.system pipe", shells, "0 command", "", 0},
	{"system2 processx.run sys.exec_wait", rSystem2, "0 command", "1 args", 0},
	{"unlink fs.file_delete", removesMaybeTree, "0 x path", "1 recursive", 0},
	{"file.remove", removes, "0..", "", 0},
	{"fs.dir_delete", removes, "0 path", "", umpire.Recursive},
	{"source", sources, "0 file", "", 0},
	{"parse", compiles, "- text", "", 0},
	{"eval evalq", rEval, "0 expr", "", 0},
	{"file.rename", renames, "0 from", "1 to", 0},
	{"file.copy", copies, "0 from", "1 to", 0},
	{"writeLines write write.csv saveRDS dput", rWrites, "0 text x object", "1 file con", umpire.Truncate},
	{"cat", rWrites, "0", "- file con", umpire.Truncate},
	{"sink", rWrites, "-", "0 file con", umpire.Truncate},
	{"readLines read.csv readRDS scan readr.read_file file url read.table", readsOrFetches, "0 con file description", "", 0},
	{"download.file", downloads, "0 url", "1 destfile", 0},
	{"httr.DELETE DELETE", fetches, "0 url", "", umpire.Mutate | umpire.Destroy},
	{"list.files dir", rFiles, "0 path", "3 full.names", 0},
	{"list.dirs fs.dir_ls fs.dir_info", rFiles, "0 path", "", 0},
	{"Sys.glob", yieldsList, "0 paths", "", 0},
	{"tempdir", yieldsText, "/tmp/tmp.XXXXXXXX", "", 0},
	{"tempfile", rTemporary, "1 tmpdir", "/tmp/tmp.XXXXXXXX", 0},
	{"file.path", joinsPath, "0..", "", 0},
	{"path.expand normalizePath", expandsHome, "0 path", "", 0},
	{"paste", joinsText, "0..", " ", 0},
	{"paste0", joinsText, "0..", "", 0},
	{"c list", yieldsList, "0..", "", 0},
	{"Sys.setenv", setsEnvironment, "", "", 0},
	{"Sys.getenv", fromEnvironment, "0 x", "", 0},
	{"setwd", changesFolder, "0 dir", "", 0},
	{"print", prints, "0 x", " \n", 0},
}}

// rSystem2 runs a program and its arguments as one text, because R does not quote them.
func rSystem2(m *machine, c *call, r *row) (value, bool) {
	program, args := c.get(r.first), c.get(r.second)
	if args.isNil() {
		return m.exec([]value{program}, value{}), true
	}
	return m.shell(concat(concat(program, lit(" ")), args), value{}), true
}

// rFiles returns the entries of a folder: their paths, or only their names if the row has an option
// for paths that is not set.
func rFiles(m *machine, c *call, r *row) (value, bool) {
	folder := c.get(r.first)
	if folder.isNil() {
		folder = lit(".")
	}
	if r.second != "" && !c.get(r.second).truthy() {
		return yieldsNames(m, c, r)
	}
	return pathObject(m.expandUser(folder), lit(command.Entry)), true
}

// rTemporary returns the name of a new file in the folder that the row's argument names, or else the
// text in the row.
func rTemporary(_ *machine, c *call, r *row) (value, bool) {
	if c.has(r.first) {
		return joinPath(c.get(r.first), lit(umpire.Hole)), true
	}
	return lit(string(r.second)), true
}

// rEval evaluates a text that parse read. Any other expression was evaluated where it stands.
func rEval(m *machine, c *call, r *row) (value, bool) {
	if v := c.get(r.first); v.ref == refCode {
		return m.eval(v), true
	}
	return unknown(), true
}

// rWrites writes to a file if one is named, or else to standard output.
func rWrites(m *machine, c *call, r *row) (value, bool) {
	to := c.get(r.second)
	if len(to.alts) == 0 {
		m.print(c.arg(0), true)
		return unknown(), true
	}
	return m.write(to, c.get(r.first), r.traits), true
}
