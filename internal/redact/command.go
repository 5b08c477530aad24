package redact

import (
	"slices"
	"strings"
)

// A takesSecret is a program whose short option, or first operand, is a secret.
type takesSecret struct {
	program string
	option  string // "-p", or "" for the operand after verb
	verb    string // a word that must stand before the option
	joined  bool   // only the form -pVALUE; a separate value means something else
	pair    bool   // user:password, of which the user is kept
	kind    string
}

var secretOptions = [...]takesSecret{
	{program: "mysql", option: "-p", joined: true, kind: kindPassword},
	{program: "mysqldump", option: "-p", joined: true, kind: kindPassword},
	{program: "mysqladmin", option: "-p", joined: true, kind: kindPassword},
	{program: "mariadb", option: "-p", joined: true, kind: kindPassword},
	{program: "mariadb-dump", option: "-p", joined: true, kind: kindPassword},
	{program: "sshpass", option: "-p", kind: kindPassword},
	{program: "docker", verb: "login", option: "-p", kind: kindPassword},
	{program: "podman", verb: "login", option: "-p", kind: kindPassword},
	{program: "nerdctl", verb: "login", option: "-p", kind: kindPassword},
	{program: "helm", verb: "login", option: "-p", kind: kindPassword},
	{program: "az", verb: "login", option: "-p", kind: kindPassword},
	{program: "oc", verb: "login", option: "-p", kind: kindPassword},
	{program: "curl", option: "-u", pair: true, kind: kindPassword},
	{program: "curl", option: "--user", pair: true, kind: kindPassword},
	{program: "curl", option: "--proxy-user", pair: true, kind: kindPassword},
	{program: "curl", option: "-U", pair: true, kind: kindPassword},
	{program: "redis-cli", option: "-a", kind: kindPassword},
	{program: "mongosh", option: "-p", kind: kindPassword},
	{program: "mongo", option: "-p", kind: kindPassword},
	{program: "mongodump", option: "-p", kind: kindPassword},
	{program: "sqlcmd", option: "-P", kind: kindPassword},
	{program: "bcp", option: "-P", kind: kindPassword},
	{program: "ldapsearch", option: "-w", kind: kindPassword},
	{program: "ldapmodify", option: "-w", kind: kindPassword},
	{program: "ldapadd", option: "-w", kind: kindPassword},
	{program: "mosquitto_pub", option: "-P", kind: kindPassword},
	{program: "mosquitto_sub", option: "-P", kind: kindPassword},
	{program: "openssl", option: "-k", kind: kindPassword},
	{program: "openssl", option: "-K", kind: kindSecret},
	{program: "zip", option: "-P", kind: kindPassword},
	{program: "unzip", option: "-P", kind: kindPassword},
	{program: "7z", option: "-p", joined: true, kind: kindPassword},
	{program: "vault", verb: "login", kind: kindToken},
	{program: "aws", verb: "aws_secret_access_key", kind: kindSecret},
	{program: "aws", verb: "aws_session_token", kind: kindToken},
	{program: "npm", verb: "_authToken", kind: kindToken},
}

// Command is String for a command line: it also masks secrets in short options, as in mysql
// -pSECRET, inside any wrapper.
func Command(s string) string { return command(s, false) }

// ReadableCommand is to Command as Readable is to String.
func ReadableCommand(s string) string { return command(s, true) }

func command(s string, reading bool) string {
	s = mask(s, reading)
	for range maxPasses {
		masked := commandPass(s, reading)
		if len(masked) == len(s) && masked == s {
			break
		}
		s = mask(masked, reading)
	}
	return s
}

func commandPass(s string, reading bool) string {
	var b strings.Builder
	done := 0
	commands(s, 0, 0, func(start, end int, kind string) {
		if start < done || reading && acts(s[start:end]) {
			return
		}
		b.WriteString(s[done:start])
		writeMask(&b, kind)
		done = end
	})
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// commands scans the words of s from left to right and yields the positions of secrets. A program
// counts wherever its name is, so that sudo, env, ssh and docker exec hide nothing; quoted words
// with spaces are scripts and scanned as well.
func commands(s string, base, depth int, yield func(start, end int, kind string)) {
	x := walk{pending: -1}
	for i := 0; i < len(s); {
		c := s[i]
		if x.typed && strings.HasPrefix(s[i:], "<<") {
			from, to, next := hereText(s, i)
			if from < to && !placeholder(s[from:to]) {
				yield(base+from, base+to, kindPassword)
			}
			i, x.typed = next, false
			continue
		}
		if c <= ' ' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')' {
			if c == ';' || c == '|' || c == '&' || c == '\n' || c == '(' {
				x = walk{pending: -1}
			}
			i++
			continue
		}
		start, end, next := bareWord(s, i)
		i = next
		w := s[start:end]
		if w == "" {
			continue
		}
		if x.handsOver(s, start, end, next) {
			yield(base+start, base+end, kindPassword)
			continue
		}
		x.typed = x.typed || slices.Contains(typedOptions, w)
		if depth < 4 && strings.IndexByte(w, ' ') > 0 && x.pending < 0 {
			commands(w, base+start, depth+1, yield)
		}
		if from, kind := x.option(w); from >= 0 {
			yield(base+start+from, base+end, kind)
			continue
		}
		x.program(w[strings.LastIndexByte(w, '/')+1:])
		x.options(w, func(from int, kind string) { yield(base+start+from, base+end, kind) })
		if w == "login" {
			x.verb = w
		}
	}
}

// maxPrograms limits the program names that apply to a word.
const maxPrograms = 4

// walk is the state of the scan before a word.
type walk struct {
	live       [maxPrograms]string // programs whose options count
	programs   int
	verb       string
	pending    int    // the secret option that expects its value, or -1
	said       string // the word before, in lower case
	identified bool   // IDENTIFIED ... BY
	typed      bool   // a secret comes by standard input
}

// handsOver reports whether the word s[start:end] is a secret in its context: a password in SQL, or
// text that echo pipes into a program that reads a secret.
func (x *walk) handsOver(s string, start, end, next int) bool {
	w := s[start:end]
	quoted := start > 0 && (s[start-1] == '\'' || s[start-1] == '"')
	sql := quoted && (x.said == "by" && x.identified || x.said == "password")
	prints := x.said == "echo" || x.said == "printf"
	piped := prints && w[0] != '-' && pipedSecret(s[next:])
	if !prints || w[0] != '-' { // echo -n SECRET
		x.said = strings.ToLower(w)
	}
	x.identified = x.identified || x.said == "identified"
	return (sql || piped) && !placeholder(w)
}

// option returns where the secret begins in w, the value of an option before it, or -1.
func (x *walk) option(w string) (from int, kind string) {
	if x.pending < 0 || secretOptions[x.pending].option == "" && w[0] == '-' {
		return -1, ""
	}
	o := &secretOptions[x.pending]
	x.pending = -1
	return secretPart(w, o.pair), o.kind
}

// program records a program with secret options.
func (x *walk) program(name string) {
	for k := range secretOptions {
		if secretOptions[k].program == name && x.programs < maxPrograms && (x.programs == 0 || x.live[x.programs-1] != name) {
			x.live[x.programs] = name
			x.programs++
		}
	}
}

// options looks for options of the programs in w: one that waits for its value, or one with
// the secret behind it.
func (x *walk) options(w string, found func(from int, kind string)) {
	for k := range secretOptions {
		o := &secretOptions[k]
		if !slices.Contains(x.live[:x.programs], o.program) || o.verb != "" && x.verb != o.verb && (o.option != "" || !strings.HasSuffix(w, o.verb)) {
			continue
		}
		switch {
		case o.option == "":
			if strings.HasSuffix(w, o.verb) { // of one profile or registry: //host/:_authToken
				x.pending = k
			}
		case w == o.option:
			if !o.joined {
				x.pending = k
			}
		case len(o.option) == 2 && strings.HasPrefix(w, o.option):
			if from := secretPart(w[2:], o.pair); from >= 0 {
				found(2+from, o.kind)
			}
		}
		if x.pending == k {
			break
		}
	}
}

// typedOptions say that a program reads a secret from standard input.
var typedOptions = []string{"--password-stdin", "--with-token", "--token-stdin", "--passphrase-fd"}

// maxPiped bounds how far pipedSecret looks, in bytes: it looks once for each word that is printed.
const maxPiped = 512

// pipedSecret reports whether what is printed goes to a program that takes it for a secret.
func pipedSecret(rest string) bool {
	rest = rest[:min(len(rest), maxPiped)]
	i := strings.IndexAny(rest, "|;\n")
	if i < 0 || rest[i] != '|' {
		return false
	}
	to := rest[i+1:]
	if k := strings.IndexAny(to, ";\n"); k >= 0 {
		to = to[:k]
	}
	for _, w := range strings.Fields(to) {
		if slices.Contains(typedOptions, w) {
			return true
		}
	}
	return strings.Contains(to, "sudo -S") || strings.Contains(to, "chpasswd")
}

// hereText returns the text of a here-string or here-document that begins at i, and where to
// go on.
func hereText(s string, i int) (from, to, next int) {
	if rest := s[i:]; strings.HasPrefix(rest, "<<<") {
		for i += 3; i < len(s) && s[i] == ' '; {
			i++
		}
		if i == len(s) {
			return i, i, i
		}
		return bareWord(s, i)
	}
	line := strings.IndexByte(s[i:], '\n')
	if line < 0 {
		return i, i, len(s)
	}
	tag := strings.Trim(strings.Fields(s[i+2:i+line] + " x")[0], "-'\"")
	from = i + line + 1
	end := strings.Index(s[from-1:], "\n"+tag)
	if end < 0 || tag == "" {
		return from, len(s), len(s)
	}
	to = from - 1 + end
	return from, max(from, to), max(from, to)
}

// secretPart returns where the secret begins in an option's value, or -1.
func secretPart(v string, pair bool) int {
	from := 0
	if pair {
		k := strings.IndexByte(v, ':')
		if k < 0 {
			return -1
		}
		from = k + 1
	}
	if from >= len(v) || placeholder(v[from:]) {
		return -1
	}
	return from
}

// bareWord returns the word at i without its outer quotes, and where to go on.
func bareWord(s string, i int) (start, end, next int) {
	if q := s[i]; q == '"' || q == '\'' {
		if k := strings.IndexByte(s[i+1:], q); k >= 0 {
			return i + 1, i + 1 + k, i + 2 + k
		}
		return i + 1, len(s), len(s)
	}
	end = i
	for end < len(s) {
		switch c := s[end]; {
		case c <= ' ' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')':
			return i, end, end
		case (c == '"' || c == '\'') && end > i:
			if k := strings.IndexByte(s[end+1:], c); k >= 0 { // a quoted part inside the word
				end += k + 2
				continue
			}
		}
		end++
	}
	return i, end, end
}
