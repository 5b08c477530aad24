package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// rubyCalls are functions of Ruby's Kernel, its standard library and popular gems.
var rubyCalls = table{rows: []row{
	// Commands and code.
	{"system exec spawn Process.spawn Process.exec Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen3 Open3.popen2 Open3.popen2e PTY.spawn PTY.getpty Open3.pipeline", runsOrExecs, "0..", "- stdin_data", 0},
	{"IO.popen popen", rubyPopen, "0", "", 0},
	{"` Kernel.`", shells, "0", "", 0},
	{"eval instance_eval class_eval module_eval binding.eval TOPLEVEL_BINDING.eval RubyVM.InstructionSequence.compile RubyVM.InstructionSequence.new class_exec", evaluates, "0", "", 0},
	{"ERB.new", yieldsTaint, "0", "", 0},
	{"load require_relative", sources, "0", "", 0},
	{"send public_send __send__", rubySend, "0", "", 0},
	{"*/send */public_send */__send__", rubySendTo, "0", "", 0},
	{"*/method", rubyMethod, "0", "", 0},
	{"method", rubyFunction, "0", "", 0},
	{"fork Process.fork", forks, "", "", 0},
	{"Process.kill", signals, "1..", "0", 0},
	{"Marshal.load", textUndecoded, "0", "", 0},
	{"JSON.parse", parsesData, "0", "", 0},
	{"JSON.load_file", readsData, "0", "", 0},
	{"YAML.load YAML.unsafe_load YAML.safe_load Psych.load", parsesData, "0", "yaml", 0},
	{"YAML.load_file YAML.safe_load_file YAML.unsafe_load_file", readsData, "0", "yaml", 0},
	// Output, input, the environment.
	{"puts print p pp $stdout.puts $stdout.write $stdout.print STDOUT.puts STDOUT.write printf putc", says, "", "puts", 0},
	{"gets", fromLine, "", "", 0},
	{"Dotenv.parse Dotenv.load Dotenv.overload Dotenv.load! Dotenv.overload!", loadsEnvironment, "0", "", 0},
	{"ENV.fetch", fromEnvironment, "0", "1", 0},
	{"Dir.entries Dir.children Dir.each_child Dir.foreach", yieldsNames, "0", "", 0},
	{"require sleep exit raise attr_accessor", yieldsNothing, "", "", 0},
	// Files.
	{"open URI.open", rubyOpen, "0", "1", 0},
	{"File.open File.new IO.open IO.sysopen", opens, "0", "1", 0},
	{"FileUtils.rm_rf FileUtils.rm_r FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure rm_rf rm_r", rubyRemoves, "0", "", umpire.Recursive},
	{"FileUtils.remove FileUtils.safe_unlink FileUtils.rm FileUtils.rm_f FileUtils.rmdir rm_f rm", rubyRemoves, "0", "", 0},
	{"File.delete File.unlink Dir.delete Dir.rmdir Dir.unlink", removes, "0..", "", 0},
	{"File.write IO.write File.binwrite IO.binwrite", rubyWrites, "0", "1", umpire.Truncate},
	{"IO.read IO.readlines IO.foreach IO.binread", rubyReads, "0", "", 0},
	{"File.read File.readlines File.binread File.foreach", reads, "0", "", 0},
	{"File.rename FileUtils.mv FileUtils.move mv", renames, "0", "1", 0},
	{"FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.copy_file FileUtils.install IO.copy_stream", copies, "0", "1", 0},
	{"File.link File.symlink FileUtils.ln_s FileUtils.ln_sf FileUtils.ln", links, "0", "1", 0},
	{"File.truncate", empties, "0", "", 0},
	{"File.chmod FileUtils.chmod_R FileUtils.chmod", changesMode, "1..", "0", 0},
	{"File.chown FileUtils.chown FileUtils.chown_R", changesMode, "2..", "", umpire.Ownership},
	{"FileUtils.mkdir_p FileUtils.mkdir FileUtils.touch Dir.mkdir FileUtils.mkpath", writes, "0", "", 0},
	{"Dir.chdir", changesFolder, "0", "", 0},
	// Paths.
	{"File.join", joinsPath, "0..", "", 0},
	{"File.expand_path File.absolute_path File.realpath", rubyExpandPath, "0", "1", 0},
	{"File.dirname", folderOf, "0", "", 0},
	{"Dir.home", homeFolder, "", "", 0},
	{"Dir.tmpdir", yieldsText, "/tmp", "", 0},
	{"Dir.mktmpdir", yieldsText, "/tmp/tmp.XXXXXXXX", "", 0},
	{"Dir.pwd Dir.getwd", yieldsText, ".", "", 0},
	{"Dir.glob Dir", yieldsList, "0", "", 0},
	{"Find.find", yieldsEntries, "0", "", 0},
	{"Pathname Pathname.new", joinsPathObject, "0..", "", 0},
	// The network.
	{"TCPSocket.new TCPSocket.open Socket.tcp TCPSocket UDPSocket.new OpenSSL.SSL.SSLSocket.new", connects, "0..", "", 0},
	{"TCPServer.new TCPServer.open WEBrick.HTTPServer.new", listens, "", "", 0},
	{"URI URI.parse URI.join", yieldsArgument, "0", "", 0},
	{"Net.HTTP.get Net.HTTP.get_response Net.HTTP.get_print Net.HTTP.start", rubyGet, "0", "", 0},
	{"Net.HTTP.post Net.HTTP.post_form", fetches, "0", "1 body form json", umpire.Upload},
	{"HTTParty/get Faraday/get RestClient/get Excon/get HTTP/get", requests, "0", "- body form json", 0},
	{"HTTParty/* Faraday/* RestClient/* Excon/* HTTP/*", requests, "0", "1 body form json", 0},
	{"Net/new", rubyRequest, "", "", 0},
	{"$net/post $net/put $net/request", rubySends, "1", "", umpire.Upload},
	{"Net.HTTP.new", pythonClient, "0", "1", 0},
	{"$file.each $file.each_line", yieldsContent, "$file", "", 0},
}}

// rubyPopen runs a command whose standard input and output the program holds.
func rubyPopen(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) == 0 {
		return unknown(), true
	}
	return m.run([]value{c.get(r.first)}, false, value{}), true
}

// rubySend calls the method that its first argument names.
func rubySend(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) == 0 {
		return value{}, false
	}
	return m.call(value{ref: m.canonical(c.get(r.first).text())}, c.args[1:], c.kw), true
}

// rubyMethod returns a method that a text names, and rubySendTo calls it.
func rubyMethod(m *machine, c *call, r *row) (value, bool) {
	if recv := c.recv; recv.ref == "" || len(c.args) == 0 || strings.HasPrefix(recv.ref, "$") {
		return value{}, false
	}
	return c.get(r.first).eachText(func(name value) value { return m.member(c.recv, name.text()) }), true
}

// rubyFunction returns a function of Kernel that a text names.
func rubyFunction(m *machine, c *call, r *row) (value, bool) {
	return m.phpCalled(c.get(r.first)), true
}

func rubySendTo(m *machine, c *call, r *row) (value, bool) {
	f, ok := rubyMethod(m, c, r)
	if !ok {
		return value{}, false
	}
	return m.call(f, c.args[1:], c.kw), true
}

// rubyOpen reads Kernel's open: of a command after a bar, of a URL, or of a file.
func rubyOpen(m *machine, c *call, r *row) (value, bool) {
	p := c.get(r.first)
	if cmd, ok := strings.CutPrefix(p.text(), "|"); ok {
		return m.shell(value{alts: []string{cmd}, taint: p.taint}, value{}), true
	}
	if c.ref == "URI.open" || strings.Contains(p.text(), "://") {
		return m.net(p, value{}, 0), true
	}
	return opens(m, c, r)
}

func rubyRemoves(m *machine, c *call, r *row) (value, bool) {
	if c.option("noop").truthy() {
		return unknown(), true
	}
	return removes(m, c, r)
}

func rubyWrites(m *machine, c *call, r *row) (value, bool) {
	t := r.traits
	if strings.HasPrefix(c.option("mode").text(), "a") {
		t = umpire.Append
	}
	return m.write(c.get(r.first), c.get(r.second), t), true
}

// rubyReads reads a file, or the output of a command after a bar.
func rubyReads(m *machine, c *call, r *row) (value, bool) {
	if p := c.get(r.first); strings.HasPrefix(p.text(), "|") {
		return m.shell(lit(p.text()[1:]), value{}), true
	}
	return reads(m, c, r)
}

// rubyExpandPath returns a path relative to the folder in the second argument.
func rubyExpandPath(m *machine, c *call, r *row) (value, bool) {
	v := m.expandUser(c.get(r.first))
	if dir := c.get(r.second); !dir.isNil() {
		v = joinPath(m.expandUser(dir), v)
	}
	return v, true
}

// rubyGet makes a request, or opens a client for later ones to the same host.
func rubyGet(m *machine, c *call, r *row) (value, bool) {
	url := c.get(r.first)
	v := m.net(url, value{}, 0)
	v.recv = &url
	return v, true
}

// rubyRequest returns a request that a client has not made yet: Net::HTTP::Post.new(uri).
func rubyRequest(_ *machine, c *call, _ *row) (value, bool) {
	return value{ref: refNet, recv: &c.recv}, true
}

func rubySends(m *machine, c *call, r *row) (value, bool) {
	n := c.receiver(refNet)
	if n.recv == nil {
		return value{}, false
	}
	return m.net(*n.recv, c.get(r.first), r.traits), true
}
