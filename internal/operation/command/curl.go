package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/redact"
)

func doCurl(c *Call) {
	if c.Inert() {
		return
	}
	if len(c.Args) == 0 || c.Args[0].Text != "-q" && c.Args[0].Text != "--disable" {
		if f, ok := c.StartedFile("~/.curlrc"); ok {
			c.Exec(append(append(Lits("curl", "-q"), curlOptions(f.Stream)...), c.Args...), f.At(0, Run{Out: true}))
		}
	}
	var p payload
	form := false
	for i := range c.opts {
		o := &c.opts[i]
		if !o.has {
			continue
		}
		form = form || o.name == "-F"
		curlOption(c, &p, o)
	}
	method := curlMethod(c, p.any || form)
	urls := append(c.All("--url"), c.Operands...)
	socket, _ := c.Opt("--unix-socket")
	outs := c.All("-o")
	names := ownNames(c, urls)
	dir, _ := c.Opt("--output-dir")
	stdout := Stream{Text: "", Seen: true, Pipe: true}
	for i, u := range urls {
		if u.Text == "" {
			continue
		}
		res := Unseen(FromNetwork)
		if f, ok := localURL(u); ok {
			c.ReadFile(f)
			res = c.File(f)
			res.Pipe = true
			if !res.Seen {
				res.Taint |= FromUnseen
			}
		} else {
			t := p.traits() | downloads(i < len(outs) || names > 0)
			if (method == "GET" || method == "HEAD") && !p.any && !form && u.Known() && u.Taint == 0 && c.plainGet() {
				t |= WebRead(u.Text)
			}
			c.request(request{method: method, url: u, body: p.text.String(), sent: p.taint, traits: t, socket: socket.Text})
		}
		switch {
		case i < len(outs):
			if o := outs[i]; o.Text == "-" || o.Text == "/dev/stdout" {
				stdout = Stream{Taint: stdout.Taint | res.Taint, Pipe: true}
			} else {
				c.WriteFile(inDir(dir, o), umpire.Truncate|umpire.Download, res)
			}
		case i < len(outs)+names:
			c.WriteFile(inDir(dir, urlBase(u)), umpire.Truncate|umpire.Download, res)
		case len(urls) == 1 || !stdout.Seen:
			stdout = res
		default:
			stdout = Stream{Taint: stdout.Taint | res.Taint, Pipe: true}
		}
	}
	if d, ok := c.Opt("-D"); ok && d.Text == "-" {
		stdout = Unseen(stdout.Taint | FromNetwork)
	}
	if _, ok := c.Opt("-w"); ok && stdout.Seen && stdout.Text == "" {
		stdout = Unseen(0)
	}
	c.SetOut(stdout)
}

// curlMethod returns the method of a request. body says whether options give it a body.
func curlMethod(c *Call, body bool) string {
	method := "GET"
	switch x, ok := c.Opt("-X"); {
	case ok:
		method = strings.ToUpper(x.Text)
	case c.Has("-I"):
		method = "HEAD"
	case len(c.All("-T")) > 0:
		method = "PUT"
	case c.Has("-G"):
	case body:
		method = "POST"
	}
	return method
}

// curlOption reads an option with a value, and adds the data that it sends to p.
func curlOption(c *Call, p *payload, o *setOption) {
	w := o.value
	switch o.name {
	case "-d", "--data-binary", "--json":
		if f, ok := strings.CutPrefix(w.Text, "@"); ok {
			p.from(c, w.Part(f))
		} else {
			p.literal(w)
		}
	case "--data-raw", "--form-string":
		p.literal(w)
	case "--data-urlencode", "--url-query":
		head, f, ok := strings.Cut(w.Text, "@")
		if ok && !strings.Contains(head, "=") && !strings.ContainsAny(head, " /:") {
			p.from(c, w.With(f))
		} else if o.name == "--data-urlencode" {
			p.literal(w)
		} else {
			p.taint |= w.Taint
		}
	case "-F":
		_, v, _ := strings.Cut(w.Text, "=")
		if v != "" && (v[0] == '@' || v[0] == '<') {
			curlForm(c, p, w.Part(v[1:]))
		} else {
			p.literal(w)
		}
	case "-T":
		curlUpload(c, p, w)
	case "-H", "--proxy-header", "-A", "-e", "-b", "-u", "--oauth2-bearer", "-U", "--mail-from", "--mail-rcpt", "-Q":
		if f, ok := strings.CutPrefix(w.Text, "@"); ok && (o.name == "-H" || o.name == "--proxy-header") {
			p.taint |= c.File(w.With(f)).Taint | placeTaint(c.ReadFile(w.With(f)))
		}
		if o.name == "-b" && !strings.Contains(w.Text, "=") {
			p.taint |= c.ReadFileTaint(w)
		}
		p.taint |= w.Taint & (FromSecret | FromEnv)
	case "-K":
		curlConfig(c, w)
	case "--variable":
		if name, f, ok := strings.Cut(w.Text, "@"); ok && !strings.Contains(name, "=") {
			p.taint |= c.ReadFileTaint(w.With(f))
		}
	case "-w":
		if _, f, ok := strings.Cut(w.Text, "%output{"); ok {
			f, _, _ = strings.Cut(f, "}")
			c.WriteFile(w.With(strings.TrimPrefix(f, ">>")), umpire.Truncate, Unseen(FromNetwork))
		}
	case "-x", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--doh-url", "--proxy1.0":
		c.Net(w, 0, 0)
	case "--connect-to", "--resolve":
		f := strings.Split(w.Text, ":")
		if o.name == "--connect-to" && len(f) == 4 && f[2] != "" {
			c.Net(w.With(f[2]+":"+f[3]), 0, 0)
		}
		if o.name == "--resolve" && len(f) >= 3 {
			c.Net(w.With(strings.Join(f[2:], ":")), 0, 0)
		}
	}
}

// ownNames returns how many URLs curl saves under the last part of their path.
func ownNames(c *Call, urls []Word) (n int) {
	if c.Has("--remote-name-all") {
		return len(urls)
	}
	for i := range c.opts {
		if c.opts[i].name == "-O" {
			n++
		}
	}
	return n
}

// curlForm reads the files of a form field, such as a and b in -F 'f=@a,b;type=x'.
func curlForm(c *Call, p *payload, w Word) {
	text := w.Text
	for text != "" {
		var f string
		if q, ok := strings.CutPrefix(text, `"`); ok {
			f, text, _ = strings.Cut(q, `"`)
			text = strings.TrimPrefix(text, ",")
		} else {
			i := strings.IndexAny(text, ",;")
			if i < 0 {
				f, text = text, ""
			} else if text[i] == ';' {
				f = text[:i]
				_, text, _ = strings.Cut(text[i:], ",")
			} else {
				f, text = text[:i], text[i+1:]
			}
		}
		if f != "" {
			p.from(c, w.Part(f))
		}
	}
}

// curlUpload reads the files of -T a or -T '{a,b}'.
func curlUpload(c *Call, p *payload, w Word) {
	if s, ok := strings.CutPrefix(w.Text, "{"); ok && strings.HasSuffix(s, "}") {
		for f := range strings.SplitSeq(strings.TrimSuffix(s, "}"), ",") {
			p.from(c, w.With(f))
		}
		return
	}
	p.from(c, w)
}

// curlConfig runs the options in a configuration file as a command line of curl.
func curlConfig(c *Call, f Word) {
	s := c.Stdin
	if f.Text != "-" {
		c.ReadFile(f)
		s = c.File(f)
	}
	if !s.Seen {
		if s.Taint&FromNetwork != 0 {
			c.Op(umpire.Exec, "curl -K "+f.Text, umpire.RemoteCode)
		}
		return
	}
	c.Exec(append(Lits("curl", "-q"), curlOptions(s)...), Run{Out: true}) // -q: ~/.curlrc was read before
}

// curlOptions returns the first options in a configuration file, with their values as separate
// words.
func curlOptions(s Stream) (args []Word) {
	for line := range strings.SplitSeq(s.Text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value := line, ""
		if i := strings.IndexAny(line, " \t=:"); i > 0 {
			name, value = line[:i], strings.TrimLeft(line[i:], " \t=:")
		}
		if !strings.HasPrefix(name, "-") {
			name = "--" + name
		}
		args = append(args, Lit(name))
		if v, ok := strings.CutPrefix(value, `"`); ok {
			value, _, _ = strings.Cut(v, `"`)
		}
		if value != "" {
			args = append(args, Word{Text: value, Taint: s.Taint})
		}
		if len(args) > 512 {
			break
		}
	}
	return args
}

// Bounds on an address that counts as plain reading. An address carries data to its host: an
// adversary who steers the agent can make it send text from its context. The bounds limit that to a
// few words per call.
const (
	maxAddress = 200 // bytes of the whole address
	maxQuery   = 80
	maxHost    = 60
	maxEscapes = 4  // %20 and the like
	maxToken   = 24 // letters and digits in a row, if both occur or many letters are upper case
	maxWord    = 40 // letters in a row
)

// WebRead returns the trait PlainRead if a request for an address only reads the public web: https,
// a host with a plain public name, and no more text than a person would type. Otherwise it returns
// 0.
func WebRead(url string) umpire.Trait {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok || len(url) > maxAddress || redact.Exposes(url) {
		return 0
	}
	for i := range len(rest) {
		// Braces and brackets are patterns for curl, @ follows a user, and some clients read a
		// backslash as a slash.
		if c := rest[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`\{}[]@<>"'`+"`^|$", c) >= 0 {
			return 0
		}
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	host = strings.TrimSuffix(host, ":443")
	if !publicName(host) || place.Parse(url).Class != 0 {
		return 0
	}
	_, query, _ := strings.Cut(path, "?")
	if len(query) > maxQuery || strings.Count(path, "%") > maxEscapes || !plainTokens(path) {
		return 0
	}
	return umpire.PlainRead
}

// SearchRead returns the trait PlainRead if a person would type such a query to a search engine,
// and otherwise 0.
func SearchRead(query string) umpire.Trait {
	if query == "" || len(query) > maxAddress || redact.Exposes(query) || strings.Contains(query, umpire.Hole) || !plainTokens(query) {
		return 0
	}
	return umpire.PlainRead
}

// publicName reports whether a host is a name of the public DNS that carries no data.
func publicName(host string) bool {
	if len(host) > maxHost || strings.Count(host, ".") > 3 || !plainTokens(host) {
		return false
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || strings.Trim(strings.ToLower(l), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	top := strings.ToLower(labels[len(labels)-1])
	if len(labels) < 2 || strings.Trim(top, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	if anyof.Equal(top, "local", "localhost", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "onion", "test", "invalid", "host") {
		return false
	}
	for _, l := range labels { // anyone can get a name below these and point it anywhere
		if anyof.Equal(strings.ToLower(l), "nip", "sslip", "xip", "localtest", "lvh", "vcap", "metadata", "burpcollaborator", "oastify", "oast", "interact", "requestbin", "ngrok", "ngrok-free", "trycloudflare", "webhook", "pipedream", "hookbin", "beeceptor", "requestcatcher", "canarytokens", "dnslog") {
			return false
		}
	}
	return true
}

// plainTokens reports whether a text contains nothing that looks like encoded data: a long run of
// mixed letters and digits, or a word of more than maxWord letters.
func plainTokens(s string) bool {
	for len(s) > 0 {
		letters, digits, upper, n := 0, 0, 0, 0
		for n < len(s) {
			c := s[n]
			if c >= '0' && c <= '9' {
				digits++
			} else if c|0x20 >= 'a' && c|0x20 <= 'z' {
				letters++
				if c < 'a' {
					upper++
				}
			} else {
				break
			}
			n++
		}
		if n > maxWord || n > maxToken && (digits > 0 && letters > 0 || upper > n/3) || digits > 16 {
			return false
		}
		s = s[min(len(s), n+1):]
	}
	return true
}

// plainGet reports whether curl's options only choose how it reads and shows addresses. Another
// party chooses the target of a redirect, so an option that follows redirects does not count.
func (c *Call) plainGet() bool {
	for i := range c.opts {
		o := &c.opts[i]
		switch o.name {
		case "-s", "-S", "-f", "-v", "-i", "-I", "-m", "--connect-timeout", "-o", "-O", "-w", "--compressed", "--http1.1", "--http2", "--retry", "--retry-delay", "--fail", "--silent", "--show-error", "-#", "--progress-bar", "--max-filesize":
		case "-A":
			if len(o.value.Text) > 120 || !plainTokens(o.value.Text) || !o.value.Known() {
				return false
			}
		case "-H":
			name, v, _ := strings.Cut(o.value.Text, ":")
			switch strings.ToLower(name) {
			case "accept", "accept-language", "user-agent":
				if len(v) > 120 || !plainTokens(v) || !o.value.Known() {
					return false
				}
			default:
				return false
			}
		case "-X":
			if o.value.Text != "GET" && o.value.Text != "HEAD" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
