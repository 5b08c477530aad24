package classify

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// inlineCode reports whether code on the command line, in a language other than Python, does no
// more than a script of the project may. Nothing parses these languages: any name that could reach
// further makes it false, even in a string or a comment.
func (c Call) inlineCode() bool {
	if !c.Known() || c.Stdin.Taint != 0 {
		return false
	}
	switch c.Program {
	case "node", "nodejs":
		return c.inlineNode()
	case "Rscript", "R":
		return c.inlineR()
	case "ruby":
		return c.inlineRuby()
	case "perl":
		return c.inlinePerl()
	}
	return false
}

// plainNames reports whether no name in a text is in the list banned, and no string is a path
// outside of the project. It is false for a text that is too long or has unknown parts.
func (c Call) plainNames(text, banned string) bool {
	if len(text) > maxInline || strings.Contains(text, "\u27e8?\u27e9") {
		return false
	}
	for i := 0; i < len(text); {
		n := nameLen(text[i:])
		if n == 0 {
			if q := text[i]; q == '"' || q == '\'' {
				body, size := pyString(text[i:])
				if size > 0 && c.farText(body) {
					return false
				}
			}
			i++
			continue
		}
		if anyof.Listed(banned, text[i:i+n]) {
			return false
		}
		i += n
	}
	return true
}

// codeOptions splits arguments into the code in the options of the list code, and the words after
// the options. ok is false if there is no such option, or an option is in neither list: it may
// change what the code does.
func codeOptions(args []command.Word, code, plain string) (text string, rest []command.Word, ok bool) {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case anyof.Listed(code, t):
			if i++; i == len(args) {
				return "", nil, false
			}
			text += args[i].Text + "\n"
			ok = true
		case anyof.Listed(plain, t):
		case strings.HasPrefix(t, "-") && t != "-":
			return "", nil, false
		default:
			return text, args[i:], ok
		}
	}
	return text, nil, ok
}

// nodeFar are names in JavaScript that run code or programs, reach hosts or the environment, or
// call others by a computed name.
const nodeFar = `eval Function constructor prototype __proto__ child_process vm module globalThis global binding mainModule Reflect Proxy fetch http https http2 net dgram tls dns cluster worker_threads inspector repl v8 wasi WebAssembly XMLHttpRequest WebSocket axios got request superagent undici execSync exec execFile execFileSync spawn spawnSync fork env kill dlopen createRequire registerHooks unlinkSync unlink rmSync rm rmdir rmdirSync renameSync rename chmod chmodSync chown chownSync symlink symlinkSync link linkSync truncate truncateSync cpSync cp createWriteStream openSync open promises aws puppeteer ssh2 nodemailer pg mysql mysql2 mongodb mongoose ioredis redis dotenv with Deno Bun setuid setgid umask chdir abort`

// inlineNode reports whether code for Node uses only names that umpire follows or that cannot reach
// further than the project.
func (c Call) inlineNode() bool {
	text, rest, ok := codeOptions(c.Args, "-e --eval -p --print -pe", "--input-type=module --input-type=commonjs --no-warnings --experimental-vm-modules --trace-warnings --experimental-strip-types")
	if !ok && (len(c.Args) == 0 || rest != nil && rest[0].Text == "-") && c.Stdin.Seen {
		text, ok = c.Stdin.Text, true
	}
	if !ok || strings.Contains(text, `\u`) || strings.Contains(text, `\x`) || !c.plainNames(text, nodeFar) {
		return false
	}
	fs := false
	for i := 0; i < len(text); {
		n := nameLen(text[i:])
		if n == 0 {
			i++
			continue
		}
		name, rest := text[i:i+n], strings.TrimLeft(text[i+n:], " \n\t")
		before := strings.TrimRight(text[:i], " \n\t")
		switch name {
		case "require", "import", "from":
			arg := rest
			if name != "from" && strings.HasPrefix(arg, "(") {
				arg = arg[1:]
			} else if name == "require" {
				return false
			}
			if arg == "" || arg[0] != '"' && arg[0] != '\'' {
				if name == "require" || strings.HasPrefix(rest, "(") || name == "from" && strings.HasPrefix(before, "import") {
					return false
				}
				break // the import of import x from "y", or Array.from
			}
			body, size := pyString(arg)
			if size == 0 || !c.ownModuleJS(body) || name != "from" && strings.HasPrefix(rest, "(") && !strings.HasPrefix(arg[size:], ")") {
				return false
			}
			if body == "fs" || body == "node:fs" {
				after := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(arg[size:], " "), ")"), " ")
				if !bindsFS(before, after) {
					return false
				}
				fs = true
			}
		case "process":
			if !strings.HasPrefix(rest, ".") || !anyof.Listed("argv cwd version versions platform arch exit stdout stderr stdin memoryUsage hrtime uptime pid exitCode nextTick on", rest[1:1+nameLen(rest[1:])]) {
				return false
			}
		case "fs":
			if anyof.HasSuffix(before, "\"", "'", ":") { // the module's name
				break
			}
			if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "from") {
				break
			}
			if !strings.HasPrefix(rest, ".") || !anyof.Listed(fsFollowed, rest[1:1+nameLen(rest[1:])]) {
				return false
			}
		}
		i += n
	}
	if fs { // a member with a computed name
		if anyof.Contains(text, "fs[", "fs [", "fs)[", "fs')[", "fs\")[") {
			return false
		}
	}
	return true
}

// fsFollowed are the file functions of Node whose effects umpire reads from the code.
const fsFollowed = `readFileSync existsSync readdirSync statSync lstatSync writeFileSync appendFileSync mkdirSync readlinkSync accessSync`

// bindsFS reports whether code binds the module fs to its usual name, or takes only functions of
// fsFollowed from it. before and after are the texts around the import.
func bindsFS(before, after string) bool {
	if strings.HasPrefix(after, ".") && anyof.Listed(fsFollowed, after[1:1+nameLen(after[1:])]) {
		return true
	}
	head := strings.TrimRight(strings.TrimSuffix(before, "="), " ")
	if strings.HasSuffix(head, "}") {
		names := head[strings.LastIndexByte(head, '{')+1 : len(head)-1]
		for n := range strings.SplitSeq(names, ",") {
			if n = strings.TrimSpace(n); n != "" && !anyof.Listed(fsFollowed, n) {
				return false
			}
		}
		return true
	}
	return strings.HasSuffix(head, " fs") && (after == "" || strings.IndexByte(";,\n", after[0]) >= 0)
}

// ownModuleJS reports whether a module is harmless: a module of Node that only computes or whose
// calls umpire reads, a file of the project, or one of its libraries.
func (c Call) ownModuleJS(m string) bool {
	if anyof.Equal(strings.TrimPrefix(m, "node:"), "fs", "path", "url", "util", "assert", "crypto", "os", "events", "stream", "buffer", "querystring", "string_decoder", "zlib", "perf_hooks", "timers", "assert/strict", "readline") {
		return true
	}
	if strings.HasPrefix(m, "node:") || strings.Contains(m, ":") || strings.HasPrefix(m, "data") {
		return false
	}
	if strings.HasPrefix(m, ".") || strings.HasPrefix(m, "/") {
		return !c.elsewhere(m) && !strings.Contains(m, "..") || c.ownFolder(m)
	}
	return m != "" && !strings.Contains(m, "..") && !anyof.Listed(nodeFar, m)
}

// rFar are names in R that run code or programs, remove files, or call a function by a computed
// name. In R a dot is part of a name; the list has _ for it.
const rFar = `system system2 shell shell_exec eval evalq parse expression source sys_source download_file download_packages install_packages install_github remotes pak BiocManager update_packages unlink file_remove file_rename url curl httr httr2 RCurl socketConnection serverSocket pipe Sys Sys_setenv Sys_getenv do_call match_fun match_call get mget assign getFromNamespace getExportedValue Call External dyn_load library_dynam file_symlink file_link file_chmod processx callr sys reticulate DBI dbConnect RPostgres keyring save_image unserialize delayedAssign makeActiveBinding trace browser fifo rstudioapi usethis release submit_cran`

func (c Call) inlineR() bool {
	text, rest, ok := codeOptions(c.Args, "-e", "--vanilla --no-save --no-restore --quiet -q -s --slave --no-echo --no-init-file")
	if !ok && (len(c.Args) == 0 || c.Program == "R" || rest != nil && rest[0].Text == "-") && c.Stdin.Seen {
		text, ok = c.Stdin.Text, true
	}
	if !ok || anyof.Contains(text, "`", ":::", `\x`, `\u`, `\U`) {
		return false
	}
	return c.plainNames(text, "") && c.plainNames(strings.ReplaceAll(strings.ReplaceAll(text, ".", "_"), "Sys_time", ""), rFar)
}

// rubyFar are the names in Ruby that reach further, like nodeFar.
const rubyFar = `system exec spawn fork popen popen2 popen2e popen3 IO Open3 Kernel send public_send __send__ eval instance_eval class_eval module_eval instance_exec class_exec const_get method define_method instance_method binding FileUtils unlink delete rename chmod chown symlink link truncate rmdir rm rm_rf mkfifo load relative_ autoload open Net socket Socket TCPSocket UDPSocket URI OpenURI ENV ObjectSpace Process syscall trap Marshal Fiddle DL Gem Bundler Etc PTY WIN32OLE at_exit set_trace_func TracePoint RubyVM DRb Faraday HTTParty Excon Typhoeus ssh Aws x`

func (c Call) inlineRuby() bool {
	text, rest, ok := codeOptions(c.Args, "-e", "-W0 -w -ryaml -rjson -rset -rdate -rtime -rcsv -rpp -rdigest -rerb")
	if !ok || strings.ContainsAny(text, "`&") && strings.Contains(text, "`") || !c.plainNames(text, rubyFar) || anyof.Contains(text, "|-", `\x`, `\u`) {
		return false
	}
	for _, w := range rest { // no operation names a file that the code reads from its arguments
		if c.elsewhere(w.Text) {
			return false
		}
	}
	for i := 0; i < len(text); {
		n := nameLen(text[i:])
		if n == 0 {
			i++
			continue
		}
		if name := text[i : i+n]; name == "require" || name == "require_relative" {
			arg := strings.TrimLeft(text[i+n:], " (")
			if arg == "" || arg[0] != '"' && arg[0] != '\'' {
				return false
			}
			body, size := pyString(arg)
			if size == 0 || c.elsewhere(body) || name == "require" && !anyof.Listed("json yaml set date time csv pp stringio erb digest securerandom optparse psych bigdecimal ostruct forwardable strscan", body) && !strings.HasPrefix(body, "./") {
				return false
			}
		}
		i += n
	}
	return true
}

// perlFar are the names in Perl that reach further, like nodeFar.
const perlFar = `system exec qx eval do require use no open opendir sysopen unlink rename rmdir mkdir link symlink chmod chown utime kill fork socket connect bind listen accept syscall glob readpipe dbmopen truncate CORE GLOBAL ENV INC ARGV BEGIN END INIT CHECK UNITCHECK AUTOLOAD DESTROY sub local tie bless package __DATA__ fcntl ioctl pipe wait waitpid setpgrp dump chroot chdir select format write ee`

// inlinePerl reports whether a call is a harmless filter over files of the project, such as perl
// -ne, -pe, -pi -e and -lane.
func (c Call) inlinePerl() bool {
	text, loop := "", false
	rest := c.Args
options:
	for len(rest) > 0 && len(rest[0].Text) > 1 && rest[0].Text[0] == '-' {
		t := rest[0].Text[1:]
		rest = rest[1:]
		for i := 0; i < len(t); i++ {
			switch t[i] {
			case 'n', 'p':
				loop = true
			case 'w', 'l', 'a', 's', 'C', 'S':
				if t[i] == 's' || t[i] == 'S' {
					return false
				}
			case '0':
				i += len(t[i+1:]) - len(strings.TrimLeft(t[i+1:], "0123456789"))
			case 'i':
				if rest := t[i+1:]; rest != "" && strings.Trim(strings.ToLower(rest), ".abcdefghijklmnopqrstuvwxyz") != "" {
					return false
				} else if strings.HasSuffix(rest, "e") || strings.HasPrefix(rest, "p") || strings.HasPrefix(rest, "n") {
					return false // a slip: -pie keeps a copy with the ending e, and has no code
				}
				continue options
			case 'F':
				if strings.ContainsAny(t[i+1:], "{@$") {
					return false
				}
				continue options
			case 'e':
				if i+1 < len(t) || len(rest) == 0 {
					return false
				}
				text += rest[0].Text + "\n"
				rest = rest[1:]
				continue options
			default:
				return false
			}
		}
	}
	if text == "" || strings.ContainsAny(text, "`\\") && strings.Contains(text, "`") || anyof.Contains(text, "(?{", "(??{", "->", "*{") || strings.Contains(text, "&") && !strings.Contains(text, "&&") || strings.Contains(text, "<") && strings.Contains(text, ">") && strings.Contains(text, "<$") || anyof.Contains(text, "@{[", "${", `\x`) {
		return false
	}
	if !c.plainNames(text, perlFar) || runsReplacement(text) {
		return false
	}
	for _, w := range rest { // perl runs a name with | as a program, and writes a name with >
		t := w.Text
		if w.Found || strings.ContainsAny(t, "|<>&") || strings.HasPrefix(t, "-") || w.Glob && (strings.IndexByte("*?[", t[0]) >= 0 || strings.IndexByte("*?]", t[len(t)-1]) >= 0) || c.elsewhere(t) {
			return false
		}
	}
	return loop || len(rest) == 0
}

// runsReplacement reports whether a text may have a substitution with the flag e, whose replacement
// is code. Any sign may delimit a substitution, so letters after a sign may be its flags.
func runsReplacement(text string) bool {
	for i := 1; i < len(text); i++ {
		if p := text[i-1]; p|0x20 >= 'a' && p|0x20 <= 'z' || p >= '0' && p <= '9' || p == '_' || p == ' ' || p == '$' || p == '(' || p == '{' && i > 1 && text[i-2] == '(' {
			continue
		}
		n := nameLen(text[i:])
		if n > 0 && strings.Trim(text[i:i+n], "msixpodualngcer") == "" && strings.Contains(text[i:i+n], "e") {
			return true
		}
	}
	return false
}
