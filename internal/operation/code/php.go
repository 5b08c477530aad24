package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// phpCalls are PHP's functions. Their names ignore case.
var phpCalls = table{rows: []row{
	// Commands and code.
	{"exec shell_exec popen proc_open", shellsOrExecs, "0", "", 0},
	{"system passthru", phpSystem, "0", "", 0},
	{"pcntl_exec", execsRest, "0", "1", 0},
	{"eval", evaluates, "0", "", 0},
	{"assert", phpAssert, "0", "", 0},
	{"create_function", phpFunction, "1", "", 0},
	{"call_user_func", callsNamed, "0", "", 0},
	{"call_user_func_array register_shutdown_function", callsWithList, "0", "1", 0},
	{"array_map", callsEach, "0", "1..", 0},
	{"array_walk array_filter usort", callsEach, "1", "0", 0},
	{"posix_kill", signals, "0", "1", 0},
	{"pcntl_fork", forks, "", "", 0},
	// Files.
	{"unlink rmdir", removes, "0", "", 0},
	{"rename", renames, "0", "1", 0},
	{"copy move_uploaded_file", copies, "0", "1", 0},
	{"symlink link", links, "0", "1", 0},
	{"file_put_contents", writes, "0", "1", umpire.Truncate},
	{"file_get_contents file parse_ini_file simplexml_load_file", phpReads, "0", "2", 0},
	{"readfile show_source highlight_file", phpReadsOut, "0", "2", 0},
	{"fopen", phpOpens, "0", "1", 0},
	{"fwrite fputs fprintf", writesTo, "0", "1", 0},
	{"fread fgets stream_get_contents fgetc fpassthru", yieldsContent, "0", "", 0},
	{"ftruncate", empties, "0", "", 0},
	{"chmod", changesMode, "0", "1", 0},
	{"chown chgrp", changesMode, "0", "", umpire.Ownership},
	{"mkdir touch", writes, "0", "", 0},
	{"chdir", changesFolder, "0", "", 0},
	{"glob", yieldsList, "0", "", 0},
	{"scandir readdir", yieldsNames, "", "", 0},
	{"recursivedirectoryiterator directoryiterator filesystemiterator", yieldsEntries, "0", "", 0},
	{"recursiveiteratoriterator callbackfilteriterator", yieldsArgument, "0", "", 0},
	{"$path/getPathname $path/getRealPath", yieldsArgument, ".", "", 0},
	{"sys_get_temp_dir", yieldsText, "/tmp", "", 0},
	{"getcwd", yieldsText, ".", "", 0},
	{"realpath escapeshellarg", yieldsArgument, "0", "", 0},
	{"dirname", folderOf, "0", "", 0},
	// The network and databases.
	{"fsockopen pfsockopen stream_socket_client", connects, "0..", "", 0},
	{"socket_connect", connects, "1..", "", 0},
	{"http/get guzzlehttp/get", requests, "0", "", 0},
	{"http/* guzzlehttp/*", requests, "0", "1", 0},
	{"artisan.call artisan.queue", runsProgram, "0", "php artisan", 0},
	{"curl_init", phpCurl, "0", "", 0},
	{"curl_setopt", phpCurlOption, "1", "2", 0},
	{"curl_exec", phpCurlExec, "0", "", 0},
	{"mail", phpMail, "0", "2", umpire.Message},
	{"mysqli_query pg_query mysql_query", phpQuery, "0..", "", 0},
	// Output, the environment, text.
	{"print_r var_dump echo print var_export printf", prints, "0..", "", 0},
	{"putenv apache_setenv", setsEnvironment, "0", "1", 0},
	{"getenv", fromEnvironment, "0", "", 0},
	{"phpinfo", phpInfo, "", "", 0},
	{"strtolower strtoupper", callsText, "", "", 0},
	{"preg_replace_callback", yieldsNothing, "", "", 0},
}}

// phpCall reads a call that the table describes: of a function by its name, or by text with its
// name.
func phpCall(m *machine, c *call) (value, bool) {
	if v, ok := m.described(c, c.ref); ok {
		return v, true
	}
	if (c.ref == "" || strings.HasPrefix(c.ref, "$")) && len(c.recv.alts) > 0 { // ("sys"."tem")("id")
		return phpCall(m, &call{ref: strings.ToLower(c.recv.text()), args: c.args, kw: c.kw})
	}
	return value{}, false
}

// phpSystem runs a command and prints its output.
func phpSystem(m *machine, c *call, r *row) (value, bool) {
	v, _ := shellsOrExecs(m, c, r)
	m.print(value{alts: v.alts, taint: v.taint}, false)
	return v, true
}

// phpAssert evaluates a text, as PHP did before version 8. A comparison is not text.
func phpAssert(m *machine, c *call, r *row) (value, bool) {
	if len(c.get(r.first).alts) == 0 {
		return unknown(), true
	}
	return evaluates(m, c, r)
}

func phpFunction(m *machine, c *call, r *row) (value, bool) {
	return value{fn: &function{toks: lex(m.l, c.get(r.first).text())}}, true
}

// phpCalled returns a function that is passed as a value or by its name.
func (m *machine) phpCalled(f value) value {
	if f.fn != nil || len(f.alts) == 0 {
		return f
	}
	name := strings.ToLower(f.text())
	if fn, ok := m.funcs[name]; ok {
		return value{fn: fn}
	}
	return value{ref: name}
}

func callsNamed(m *machine, c *call, r *row) (value, bool) {
	return m.call(m.phpCalled(c.get(r.first)), c.args[min(1, len(c.args)):], value{}), true
}

// callsWithList calls a function with the elements of a list.
func callsWithList(m *machine, c *call, r *row) (value, bool) {
	args := c.args[min(1, len(c.args)):]
	if v := c.get(r.second); v.seq && len(args) <= 1 {
		args = v.list
	}
	return m.call(m.phpCalled(c.get(r.first)), args, value{}), true
}

// callsEach calls a function with any element of its lists. The function is a value, or a text with
// its name.
func callsEach(m *machine, c *call, r *row) (value, bool) {
	var args []value
	for _, v := range c.all(r.second) {
		if v.seq {
			v = v.each()
		}
		args = append(args, v)
	}
	return m.call(m.phpCalled(c.get(r.first)), args, value{}), true
}

// phpReads reads a file, a URL, or one of PHP's own streams.
func phpReads(m *machine, c *call, r *row) (value, bool) {
	p := c.get(r.first)
	switch s := p.text(); {
	case s == "php://stdin":
		return m.stdin(), true
	case strings.HasPrefix(s, "php://stdout"), strings.HasPrefix(s, "php://output"), strings.HasPrefix(s, "php://memory"):
		return unknown(), true
	case strings.Contains(s, "://") && !strings.HasPrefix(s, "file://") && !strings.HasPrefix(s, "php://"):
		return m.net(p, c.get(r.second), 0), true
	}
	return m.read(p), true
}

func phpReadsOut(m *machine, c *call, r *row) (value, bool) {
	v, _ := phpReads(m, c, r)
	m.print(v, false)
	return v, true
}

// phpOpens opens a file in a mode; anything else is read.
func phpOpens(m *machine, c *call, r *row) (value, bool) {
	if s := c.get(r.first).text(); strings.Contains(s, "://") && !strings.HasPrefix(s, "file://") {
		return phpReads(m, c, &row{first: r.first}) // the mode is not data to send
	}
	return opens(m, c, r)
}

// phpCurl returns a handle that keeps its URL for curl_exec.
func phpCurl(_ *machine, c *call, r *row) (value, bool) {
	url := c.get(r.first)
	return value{ref: "$curl", recv: &url}, true
}

// phpCurlOption contacts the URL when it is set, and sends the fields.
func phpCurlOption(m *machine, c *call, r *row) (value, bool) {
	switch option := c.get(r.first).ref; {
	case strings.EqualFold(option, "curlopt_url"):
		return m.net(c.get(r.second), value{}, 0), true
	case c.arg(0).recv == nil:
	case strings.EqualFold(option, "curlopt_postfields"):
		return m.net(*c.arg(0).recv, c.get(r.second), umpire.Upload), true
	case strings.EqualFold(option, "curlopt_customrequest"):
		if t, _ := traitsOfMethod(c.get(r.second).text()); t&umpire.Destroy != 0 {
			return m.net(*c.arg(0).recv, value{}, t), true
		}
	}
	return unknown(), true
}

func phpCurlExec(m *machine, c *call, r *row) (value, bool) {
	if h := c.get(r.first); h.recv != nil {
		return m.net(*h.recv, value{}, 0), true
	}
	return value{taint: command.FromNetwork}, true
}

func phpMail(m *machine, c *call, r *row) (value, bool) {
	to := c.get(r.first)
	if !strings.Contains(to.text(), "@") {
		to = lit("mail")
	}
	m.net(to, c.get(r.second), r.traits)
	return unknown(), true
}

// phpQuery runs the statement in the last argument, which may follow the connection.
func phpQuery(m *machine, c *call, r *row) (value, bool) {
	if args := c.all(r.first); len(args) > 0 {
		m.sqlOn(value{}, args[len(args)-1])
	}
	return unknown(), true
}

func phpInfo(m *machine, _ *call, _ *row) (value, bool) {
	m.effect(Effect{Kind: EnvDump})
	m.outT |= command.FromEnv
	return value{ref: refEnv}, true
}
