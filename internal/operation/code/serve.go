package code

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
)

// HandsToServer reports whether a JavaScript program gives each file that it reads to a TLS
// server, as its key or certificate, and does nothing else with it. A development server with
// HTTPS is such a program.
//
// The author of the program may be hostile, and could confuse a reader of tokens or values. The
// test is therefore on the bytes. It cuts out the few known forms. The rest must not contain a
// name that leads to the key, its variable, its server or a patched module. Comments and strings
// count as code, so they can only make the answer false.
func HandsToServer(text string) bool {
	f := serverForms()
	if strings.Contains(text, `\u`) || strings.Contains(text, `\x`) || strings.Contains(text, umpire.Hole) { // \u0066s is a name for fs
		return false
	}
	rest := f.imports.ReplaceAllString(f.comment.ReplaceAllString(text, ""), "\n")
	held := map[string]bool{} // variables with a file in them, or with options that have one
	rest = f.variable.ReplaceAllStringFunc(rest, func(s string) string {
		held[f.variable.FindStringSubmatch(s)[1]] = true
		return "\n"
	})
	holds := func(props string) bool { // each property is a file or a variable that holds one
		for prop := range strings.SplitSeq(f.file.ReplaceAllString(props, "FILE"), ",") {
			name, v, ok := strings.Cut(strings.TrimSpace(prop), ":")
			if v = strings.TrimSpace(v); !ok {
				v = name
			}
			if name != "" && v != "FILE" && !held[v] || name != "" && !slices.Contains(keyOptions[:], strings.TrimSpace(name)) {
				return false
			}
		}
		return true
	}
	rest = f.options.ReplaceAllStringFunc(rest, func(s string) string {
		m := f.options.FindStringSubmatch(s)
		if !holds(m[2]) {
			return s
		}
		held[m[1]] = true
		return "\n"
	})
	servers, made := map[string]bool{}, false
	take := func(re *regexp.Regexp, with string) {
		rest = re.ReplaceAllStringFunc(rest, func(s string) string {
			m := re.FindStringSubmatch(s)
			if given := strings.TrimSpace(m[2]); given[0] == '{' && !holds(given[1:len(given)-1]) || given[0] != '{' && !held[given] {
				return s
			}
			servers[m[1]], made = true, true
			return with
		})
	}
	if take(f.server, ";LISTENS("); !made {
		// A configuration is read by a tool. Without a function nothing in it can see the rest.
		if plain := f.tool.ReplaceAllString(rest, ""); strings.ContainsAny(plain, "(`") || strings.Contains(plain, "=>") {
			return false
		}
		rest = strings.ReplaceAll(rest, "server", "") // a section, with nobody there to call it
		take(f.config, "\n")
	}
	delete(servers, "")
	rest = f.harmless.ReplaceAllString(rest, " $1 $2 $3 $4 ")
	for name := range servers {
		rest = regexp.MustCompile(`(^|[^\w$.])`+regexp.QuoteMeta(name)+`\.(listen|on|once|close|address)\(`).ReplaceAllString(rest, "$1(")
	}
	for _, w := range f.word.FindAllString(rest, -1) {
		if held[w] || servers[w] || slices.Contains(reaches[:], w) {
			return false
		}
	}
	return made && !f.computed.MatchString(rest)
}

// keyOptions are the options of a TLS server that are a file.
var keyOptions = [...]string{"key", "cert", "ca", "pfx", "dhparam", "crl"}

// reaches are the names through which a program reaches a file, a module, an object that it has
// no name for, or the key of a server.
var reaches = [...]string{
	"fs", "https", "http2", "tls", "_tls_wrap", "createServer", "readFileSync", "key", "pfx", "server", "socket", "connection",
	"process", "module", "require", "createRequire", "eval", "Function", "constructor", "prototype", "__proto__", "Object", "Reflect", "Proxy",
	"globalThis", "global", "window", "self", "this", "super", "arguments", "Bun", "Deno",
	"child_process", "worker_threads", "vm", "v8", "repl", "inspector", "async_hooks", "diagnostics_channel",
}

type serverRegexps struct {
	comment, imports, file, variable, options, server, config, tool, harmless, word, computed *regexp.Regexp
}

var serverForms = sync.OnceValue(func() serverRegexps {
	const (
		text   = `(?:'[\w./@-]*'|"[\w./@-]*")`
		joined = `path\.(?:join|resolve)\(\s*(?:` + text + `|__dirname|import\.meta\.dirname|process\.cwd\(\))(?:\s*,\s*` + text + `)*\s*\)`
		file   = `(?:fs\.)?readFileSync\(\s*(?:` + text + `|` + joined + `)(?:\s*,\s*(?:'utf-?8'|"utf-?8"))?\s*\)`
		set    = `(?m)^\s*(?:const|let|var)\s+(\w+)\s*=\s*`
		props  = `(?:[\w\s:,]|` + file + `)*` // looked at one by one later
		given  = `\s*(\{` + props + `\}|\w+)\s*`
		end    = `[ \t]*;?[ \t]*$`
	)
	imports := ""
	for _, m := range [...]string{"fs", "https", "http2", "tls"} {
		from := `['"](?:node:)?` + m + `['"]`
		imports += `|import\s+(?:(?:\*\s*as\s+)?` + m + `|\{\s*(?:readFileSync|createServer)\s*\})\s+from\s+` + from + `|(?:const|let|var)\s+` + m + `\s*=\s*require\(` + from + `\)`
	}
	return serverRegexps{
		comment:  regexp.MustCompile(`(?m)^\s*//[\w \t.,:/-]*$`), // whatever surrounds it, such a line runs nothing
		imports:  regexp.MustCompile(`(?m)^\s*(?:` + imports[1:] + `)` + end),
		file:     regexp.MustCompile(file),
		variable: regexp.MustCompile(set + file + end),
		options:  regexp.MustCompile(set + `\{(` + props + `)\}` + end),
		// At the start of a statement, so that the server is no argument of another call.
		server:   regexp.MustCompile(`(?:^|[;{}]|[;{})'"]\s*\n)\s*(?:(?:const|let|var)\s+(\w+)\s*=\s*)?(?:(?:https\.|tls\.)?createServer|http2\.createSecureServer)\(` + given + `[,)]`),
		config:   regexp.MustCompile(`()\bhttps\s*:` + given),
		tool:     regexp.MustCompile(file + `|` + joined + `|\b[\w.]+\(\s*\)|\bimport\s*\{\s*defineConfig\s*\}\s*from\s*['"](?:vite|vitest/config|astro/config)['"][^(]*\b(?:export default|module\.exports =) defineConfig\(`),
		harmless: regexp.MustCompile(`https(://)|\bprocess\.(env\.\w+|exit|on|cwd|argv)\b|\brequire\(['"]([@\w./-]+)['"]\)|\bmodule\.(exports)\b`),
		word:     regexp.MustCompile(`[\w$]+`),
		computed: regexp.MustCompile("import\\s*\\(|\\[\\s*['\"`]|\\]\\s*\\["),
	}
})
