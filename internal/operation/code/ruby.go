package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func rubyCall(m *machine, c *call) (value, bool) {
	name := c.method()
	switch c.ref {
	case "system", "exec", "spawn", "Process.spawn", "Process.exec", "Open3.capture2", "Open3.capture2e", "Open3.capture3", "Open3.popen3", "Open3.popen2", "Open3.popen2e", "PTY.spawn", "PTY.getpty", "Open3.pipeline":
		args := c.args
		for len(args) > 0 && args[0].keys != nil {
			args = args[1:]
		}
		if m.socket != "" {
			for _, k := range c.kw.list {
				if k.ref == refSock {
					m.netfd = true
				}
			}
		}
		return m.run(args, false, c.option("stdin_data")), true
	case "IO.popen", "popen":
		return m.run(c.args[:min(1, len(c.args))], false, value{}), true
	case "`", "Kernel.`":
		return m.shell(c.arg(0), value{}), true
	case "open", "File.open", "File.new", "IO.open", "URI.open", "IO.sysopen":
		p := c.arg(0)
		if c.ref == "open" || c.ref == "URI.open" {
			if cmd, ok := strings.CutPrefix(p.text(), "|"); ok {
				return m.shell(value{alts: []string{cmd}, taint: p.taint}, value{}), true
			}
			if strings.Contains(p.text(), "://") || c.ref == "URI.open" {
				return m.net(p, value{}, 0), true
			}
		}
		return m.open(p, c.arg(1).text(), false), true
	case "eval", "instance_eval", "class_eval", "module_eval", "binding.eval", "TOPLEVEL_BINDING.eval", "RubyVM.InstructionSequence.compile", "RubyVM.InstructionSequence.new", "ERB.new", "class_exec":
		if len(c.args) == 0 {
			return unknown(), true
		}
		if c.ref == "ERB.new" {
			return value{taint: c.arg(0).taint}, true
		}
		return m.eval(c.arg(0)), true
	case "load", "require_relative":
		m.source(c.arg(0))
		return unknown(), true
	case "send", "public_send", "__send__":
		if len(c.args) > 0 {
			return m.call(value{ref: m.canonical(c.args[0].text())}, c.args[1:], c.kw), true
		}
	case "puts", "print", "p", "pp", "$stdout.puts", "$stdout.write", "$stdout.print", "STDOUT.puts", "STDOUT.write", "printf", "putc":
		how := "puts"
		if c.ref == "printf" {
			how = c.ref
		}
		return m.say(c.args, value{}, false, how), true
	case "FileUtils.rm_rf", "FileUtils.rm_r", "FileUtils.rmtree", "FileUtils.remove_dir", "FileUtils.remove_entry", "FileUtils.remove_entry_secure", "rm_rf", "rm_r", "FileUtils.remove", "FileUtils.safe_unlink", "FileUtils.rm", "FileUtils.rm_f", "FileUtils.rmdir", "rm_f", "rm":
		t := umpire.Recursive
		switch name {
		case "rm", "rm_f", "rmdir", "safe_unlink", "remove":
			t = 0
		}
		if c.option("noop").truthy() {
			return unknown(), true
		}
		return m.del(c.arg(0), t), true
	case "File.delete", "File.unlink", "Dir.delete", "Dir.rmdir", "Dir.unlink":
		for _, a := range c.args {
			m.del(a, 0)
		}
		return unknown(), true
	case "File.write", "IO.write", "File.binwrite", "IO.binwrite":
		t := umpire.Truncate
		if strings.HasPrefix(c.option("mode").text(), "a") {
			t = umpire.Append
		}
		return m.write(c.arg(0), c.arg(1), t), true
	case "File.read", "IO.read", "File.readlines", "IO.readlines", "File.binread", "File.foreach", "IO.foreach", "IO.binread":
		if p := c.arg(0).text(); strings.HasPrefix(p, "|") && strings.HasPrefix(c.ref, "IO.") {
			return m.shell(lit(p[1:]), value{}), true
		}
		return m.read(c.arg(0)), true
	case "File.rename", "FileUtils.mv", "FileUtils.move", "mv":
		return m.rename(c.arg(0), c.arg(1)), true
	case "FileUtils.cp", "FileUtils.cp_r", "FileUtils.copy", "FileUtils.copy_file", "FileUtils.install", "File.link", "IO.copy_stream":
		v := m.read(c.arg(0))
		return m.write(c.arg(1), v, umpire.Overwrite), true
	case "File.symlink", "FileUtils.ln_s", "FileUtils.ln_sf", "FileUtils.ln":
		m.link(c.arg(1), c.arg(0))
		return m.write(c.arg(1), unknown(), umpire.Overwrite), true
	case "File.truncate":
		return m.write(c.arg(0), lit(""), umpire.Truncate), true
	case "File.chmod", "FileUtils.chmod", "FileUtils.chmod_R", "File.chown", "FileUtils.chown", "FileUtils.chown_R":
		for _, a := range c.args[min(1, len(c.args)):] {
			if !a.isNil() {
				m.chmod(a, c.arg(0), strings.Contains(name, "chown"))
			}
		}
		return unknown(), true
	case "FileUtils.mkdir_p", "FileUtils.mkdir", "FileUtils.touch", "Dir.mkdir", "FileUtils.mkpath":
		return m.write(c.arg(0), unknown(), 0), true
	case "File.join":
		return joinPath(c.args...), true
	case "File.expand_path", "File.absolute_path", "File.realpath":
		v := m.expandUser(c.arg(0))
		if d := c.arg(1); !d.isNil() {
			v = joinPath(m.expandUser(d), v)
		}
		return v, true
	case "File.dirname":
		return c.arg(0).mapText(dirOf), true
	case "Dir.home":
		return m.home(), true
	case "Dir.tmpdir":
		return lit("/tmp"), true
	case "Dir.mktmpdir":
		return lit("/tmp/d" + umpire.Hole), true
	case "Dir.pwd", "Dir.getwd":
		return lit("."), true
	case "Dir.glob", "Dir":
		return listOf([]value{c.arg(0)}), true
	case "Find.find":
		return listOf([]value{joinPath(c.arg(0), lit(umpire.Hole))}), true
	case "Dir.entries", "Dir.children", "Dir.each_child":
		return unknown(), true
	case "Dir.chdir":
		m.effect(Effect{Kind: Chdir, Arg: c.arg(0).word()})
		return unknown(), true
	case "Pathname", "Pathname.new":
		v := c.arg(0)
		v.ref = refPath
		return v, true
	case "Process.kill":
		for _, a := range c.args[min(1, len(c.args)):] {
			m.signal(a, c.arg(0))
		}
		return unknown(), true
	case "fork", "Process.fork":
		return m.fork(), true
	case "TCPSocket.new", "TCPSocket.open", "Socket.tcp", "TCPSocket", "UDPSocket.new", "OpenSSL.SSL.SSLSocket.new":
		if len(c.args) == 0 {
			return value{ref: refSock}, true
		}
		return m.connect(listOf(c.args)), true
	case "TCPServer.new", "TCPServer.open", "WEBrick.HTTPServer.new":
		m.effect(Effect{Kind: Listen})
		return value{ref: refSock}, true
	case "URI", "URI.parse", "URI.join":
		return c.arg(0), true
	case "Net.HTTP.get", "Net.HTTP.get_response", "Net.HTTP.get_print", "Net.HTTP.start", "Net.HTTP.new", "HTTParty.get", "Faraday.get", "RestClient.get", "Excon.get", "HTTP.get":
		v := m.net(c.arg(0), value{}, 0)
		u := c.arg(0)
		v.recv = &u
		return v, true
	case "Net.HTTP.post", "Net.HTTP.post_form", "HTTParty.post", "Faraday.post", "RestClient.post", "Excon.post", "HTTP.post":
		d := c.arg(1)
		if v := c.option("body", "form", "json"); !v.isNil() {
			d = v
		}
		return m.net(c.arg(0), either(d, unknown()), umpire.Upload), true
	case "Marshal.load", "YAML.load", "YAML.unsafe_load":
		return value{taint: c.arg(0).taint | map[bool]command.Taint{true: command.FromDecoder}[name == "load" && strings.HasPrefix(c.ref, "Marshal")]}, true
	case "ENV.fetch":
		return either(m.getenv(c.arg(0).text()), c.arg(1)), true
	case "gets", "STDIN.read", "$stdin.read", "ARGF.read", "STDIN.gets":
		return m.stdin(), true
	case "require", "puts.", "sleep", "exit", "raise", "attr_accessor":
		return unknown(), true
	}
	if name == "send" || name == "public_send" || name == "__send__" || name == "method" {
		if recv := c.recv; recv.ref != "" && len(c.args) > 0 && !strings.HasPrefix(recv.ref, "$") {
			f := m.member(recv, c.args[0].text())
			if name == "method" {
				return f, true
			}
			return m.call(f, c.args[1:], c.kw), true
		}
	}
	if name == "new" && strings.HasPrefix(c.ref, "Net.HTTP") {
		return value{ref: refNet, recv: &c.recv}, true
	}
	switch c.recv.ref {
	case refPath:
		return m.pathMethod(c, name)
	case refFile:
		if name == "each_line" || name == "each" {
			return value{alts: c.recv.alts, taint: c.recv.taint}, true
		}
		return m.fileMethod(c, name), true
	case refSock:
		return m.sockMethod(c, name), true
	case refProc:
		return m.procMethod(c, name)
	case refNet:
		if name == "post" || name == "put" || name == "request" {
			if c.recv.recv != nil {
				return m.net(*c.recv.recv, c.arg(1), umpire.Upload), true
			}
		}
		return m.netMethod(c, name)
	case refIn:
		return m.stdin(), true
	}
	return value{}, false
}

func phpCall(m *machine, c *call) (value, bool) {
	name := c.method()
	if !strings.Contains(c.ref, ".") {
		switch name {
		case "exec", "shell_exec", "system", "passthru", "popen", "proc_open", "pcntl_exec":
			if name == "pcntl_exec" || c.arg(0).seq {
				return m.exec(c.args[:min(2, len(c.args))], value{}), true
			}
			v := m.shell(c.arg(0), value{})
			if name == "system" || name == "passthru" {
				m.print(value{alts: v.alts, taint: v.taint}, false)
			}
			return v, true
		case "unlink", "rmdir":
			return m.del(c.arg(0), 0), true
		case "rename":
			return m.rename(c.arg(0), c.arg(1)), true
		case "copy", "symlink", "link", "move_uploaded_file":
			src := c.arg(0)
			if strings.HasSuffix(c.ref, "link") {
				m.link(c.arg(1), src)
			}
			var v value
			if strings.Contains(src.text(), "://") {
				v = m.net(src, value{}, umpire.Download)
			} else {
				v = m.read(src)
			}
			return m.write(c.arg(1), v, umpire.Overwrite), true
		case "file_put_contents":
			return m.write(c.arg(0), c.arg(1), umpire.Truncate), true
		case "file_get_contents", "file", "readfile", "fopen", "show_source", "highlight_file", "simplexml_load_file":
			p := c.arg(0)
			s := p.text()
			switch {
			case s == "php://stdin":
				return m.stdin(), true
			case strings.HasPrefix(s, "php://stdout") || strings.HasPrefix(s, "php://output") || strings.HasPrefix(s, "php://memory"):
				return unknown(), true
			case strings.Contains(s, "://") && !strings.HasPrefix(s, "file://") && !strings.HasPrefix(s, "php://"):
				return m.net(p, c.arg(2), 0), true
			case name == "fopen":
				return m.open(p, c.arg(1).text(), false), true
			}
			v := m.read(p)
			if name == "readfile" || name == "show_source" || name == "highlight_file" {
				m.print(v, false)
			}
			return v, true
		case "fwrite", "fputs", "fprintf":
			m.writeTo(c.arg(0), c.arg(1))
			return unknown(), true
		case "fread", "fgets", "stream_get_contents", "fgetc", "fpassthru":
			h := c.arg(0)
			return value{alts: h.alts, taint: h.taint}, true
		case "ftruncate":
			return m.write(c.arg(0), lit(""), umpire.Truncate), true
		case "chmod", "chown", "chgrp":
			return m.chmod(c.arg(0), c.arg(1), name != "chmod"), true
		case "mkdir", "touch":
			return m.write(c.arg(0), unknown(), 0), true
		case "chdir":
			m.effect(Effect{Kind: Chdir, Arg: c.arg(0).word()})
			return unknown(), true
		case "fsockopen", "pfsockopen", "stream_socket_client", "socket_connect":
			a := c.args
			if name == "socket_connect" && len(a) > 0 {
				a = a[1:]
			}
			return m.connect(listOf(a[:min(2, len(a))])), true
		case "curl_init":
			u := c.arg(0)
			return value{ref: "$curl", recv: &u}, true
		case "curl_setopt":
			if o := c.arg(1).ref; strings.EqualFold(o, "curlopt_url") || strings.EqualFold(o, "curlopt_postfields") {
				return m.net(c.arg(2), value{}, 0), strings.EqualFold(o, "curlopt_url")
			}
			return unknown(), true
		case "curl_exec":
			if h := c.arg(0); h.recv != nil {
				return m.net(*h.recv, value{}, 0), true
			}
			return value{taint: command.FromNetwork}, true
		case "mail":
			m.net(lit("mail"), c.arg(2), umpire.Message)
			return unknown(), true
		case "eval", "assert", "create_function", "preg_replace_callback":
			if name == "create_function" {
				return value{fn: &function{toks: lex(m.l, c.arg(1).text())}}, true
			}
			if name == "preg_replace_callback" {
				return unknown(), true
			}
			if name == "assert" && len(c.arg(0).alts) == 0 {
				return unknown(), true
			}
			return m.eval(c.arg(0)), true
		case "call_user_func", "call_user_func_array", "array_map", "array_walk", "usort", "register_shutdown_function", "array_filter":
			f, args := c.arg(0), c.args[min(1, len(c.args)):]
			if name == "array_walk" || name == "array_filter" || name == "usort" {
				f, args = c.arg(1), c.args[:min(1, len(c.args))]
			}
			if len(args) == 1 && args[0].seq && name != "call_user_func" {
				args = args[0].list
				if name != "call_user_func_array" {
					args = []value{listOf(args).each()}
				}
			}
			if f.fn == nil && len(f.alts) > 0 {
				f = value{ref: strings.ToLower(f.text())}
				if fn, ok := m.funcs[f.ref]; ok {
					f = value{fn: fn}
				}
			}
			return m.call(f, args, value{}), true
		case "posix_kill":
			return m.signal(c.arg(0), c.arg(1)), true
		case "pcntl_fork":
			return m.fork(), true
		case "getenv":
			if len(c.args) == 0 {
				return value{ref: refEnv}, true
			}
			return m.getenv(c.arg(0).text()), true
		case "phpinfo":
			return m.envDump(), true
		case "glob":
			return listOf([]value{c.arg(0)}), true
		case "print_r", "var_dump", "echo", "print", "var_export", "printf":
			for _, a := range c.args {
				m.print(a, false)
			}
			return unknown(), true
		case "strtolower", "strtoupper":
			return m.text(c)
		case "sys_get_temp_dir":
			return lit("/tmp"), true
		case "getcwd":
			return lit("."), true
		case "realpath":
			return c.arg(0), true
		case "dirname":
			return c.arg(0).mapText(dirOf), true
		case "mysqli_query", "pg_query", "mysql_query":
			m.sql(c.args[len(c.args)-1])
			return unknown(), true
		}
	}
	// "sys"."tem" called as a function.
	if c.ref == "" || strings.HasPrefix(c.ref, "$") {
		if len(c.recv.alts) > 0 {
			return phpCall(m, &call{ref: strings.ToLower(c.recv.text()), args: c.args, kw: c.kw})
		}
	}
	switch c.recv.ref {
	case refFile:
		return m.fileMethod(c, name), true
	case refSock:
		return m.sockMethod(c, name), true
	}
	return value{}, false
}

func (m *machine) envDump() value {
	m.effect(Effect{Kind: EnvDump})
	m.outT |= command.FromEnv
	return value{ref: refEnv}
}
