package code

// luaCalls are functions of Lua's library and of Neovim.
var luaCalls = table{rows: []row{
	{"os.execute vim.fn.system vim.fn.systemlist vim.cmd.terminal io.popen", shells, "0", "", 0},
	{"vim.loop.spawn vim.system", execsWithList, "0", "- args", 0},
	{"vim.cmd vim.api.nvim_command vim.api.nvim_exec", runsVim, "0", "", 0},
	{"os.remove lfs.rmdir vim.uv.fs_unlink vim.loop.fs_unlink vim.uv.fs_rmdir vim.loop.fs_rmdir", removes, "0", "", 0},
	{"vim.fs.rm", removesMaybeTree, "0", "- recursive", 0},
	{"vim.fn.delete", vimDelete, "0", "1", 0},
	{"vim.uv.os_homedir vim.loop.os_homedir", homeFolder, "", "", 0},
	{"os.rename", renames, "0", "1", 0},
	{"os.getenv", fromEnvironment, "0", "", 0},
	{"io.open", opens, "0", "1", 0},
	{"io.lines", fromLines, "0", "", 0},
	{"io.input", reads, "0", "", 0},
	{"io.output", opensToWrite, "0", "", 0},
	{"io.read", fromLine, "", "", 0},
	{"print", prints, "0..", "\n", 0},
	{"io.write", prints, "0..", "", 0},
	{"load loadstring dostring", makesFunction, "0", "", 0},
	{"dofile loadfile", sources, "0", "", 0},
	{"pcall xpcall", calls, "", "", 0},
	{"ipairs pairs", luaPairs, "0", "", 0},
	{"assert coroutine.wrap select tostring", yieldsArgument, "0", "", 0},
	{"require", imports, "0", "", 0},
	{"string.char", luaChars, "0..", "", 0},
	{"string.rep string.reverse string.lower string.upper string.gsub", luaText, "0", "", 0},
	{"string.sub", yieldsTaint, "0", "", 0},
	{"table.concat", luaConcat, "0", "1", 0},
	{"socket.http.request http.request", fetches, "0", "1", 0},
	{"socket.tcp socket.connect socket.udp", luaSocket, "0..", "", 0},
	// Vim's expressions are read as Lua.
	{"expand fnamemodify glob vim.fn.expand", luaExpand, "0", "", 0},
}}

// luaPairs returns the values of a loop: unknown keys with the elements.
func luaPairs(_ *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if !v.seq {
		return v, true
	}
	var rows []value
	for _, x := range v.list {
		rows = append(rows, listOf([]value{unknown(), x}))
	}
	return listOf(rows), true
}

func luaChars(_ *machine, c *call, r *row) (value, bool) { return chars(c.all(r.first)), true }

// luaText turns a function of text into the method that it is in other languages.
func luaText(m *machine, c *call, r *row) (value, bool) {
	return m.text(&call{ref: "." + c.method(), recv: c.get(r.first), args: c.args[min(1, len(c.args)):]})
}

func luaConcat(m *machine, c *call, r *row) (value, bool) {
	separator := c.get(r.second)
	if separator.isNil() {
		separator = lit("")
	}
	return m.text(&call{ref: ".join", recv: c.get(r.first), args: []value{separator}})
}

func luaSocket(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) < 2 {
		return value{ref: refSock}, true
	}
	return connects(m, c, r)
}

// luaExpand returns a path with ~ and $HOME expanded.
func luaExpand(m *machine, c *call, r *row) (value, bool) {
	return m.expandUser(m.expandVars(c.get(r.first))), true
}
