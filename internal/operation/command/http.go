package command

import (
	"net/url"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/redact"
)

// request is one HTTP exchange.
type request struct {
	method string
	url    Word
	body   string // as far as it is known
	sent   Taint  // of the body, files and headers
	traits umpire.Trait
	socket string // path of a Unix socket that replaces the host
}

// Request records an HTTP exchange that a program of another language makes.
func (c *Call) Request(method string, url Word, body Stream, t umpire.Trait) {
	c.request(request{method: method, url: url, body: body.Text, sent: body.Taint, traits: t})
}

// request records an HTTP exchange: contact with the host, the data that leaves, and the effect
// that the method and the path suggest.
func (c *Call) request(r request) {
	a := parseAddress(r.url.Text)
	if a.Scheme == "" {
		a.Scheme = "http"
		if a.Port == "" && a.Host != "" {
			a.Port = "80"
		}
	}
	_, more := endpoint(r.url.Text)
	if !strings.Contains(r.url.Text, "://") && !a.local() && a.Host != "" {
		more |= umpire.PlainHTTP // curl assumes http://
	}
	t := r.traits | more | restTraits(r.method, a, r.body)
	if c.madeAddress(a) {
		t &^= umpire.Destroy | umpire.Bulk
	}
	if redact.HoldsKey(a.Host) || redact.HoldsKey(a.Path) || redact.HoldsKey(r.body) {
		r.sent |= FromSecret
	}
	if r.url.Taint&(FromSecret|FromEnv) != 0 {
		r.sent |= FromSecret
	}
	if r.sent&(FromSecret|FromEnv|FromTree) != 0 && (!a.local() || r.url.Taint&FromSecret != 0) {
		t |= umpire.Exfiltration
		if r.sent&(FromSecret|FromEnv) != 0 {
			t |= umpire.CarriesSecret
		}
	}
	in := r.url.Taint // of the query; an address that is unknown is the variable itself
	if a.Host == "" || strings.Contains(a.Host, umpire.Hole) {
		in &^= FromAddress
	}
	t |= When(credential(r.sent|in) && !a.local() && t&umpire.Exfiltration == 0, umpire.CarriesSecret)
	t |= When(r.sent&FromShell != 0, umpire.RemoteShell)
	t |= When(r.sent&FromUnseen != 0 || r.traits&umpire.Upload != 0, umpire.Upload)
	if a.local() {
		t &^= umpire.Upload // tests send files to services on this machine
	}
	if !r.url.Known() || r.url.Taint&FromHost != 0 {
		t |= umpire.Unknown
	}
	if r.url.Taint&FromWebhook != 0 && r.method != "GET" && r.method != "HEAD" {
		t |= umpire.Message
	}
	if r.socket != "" {
		c.dockerAPI(r, a)
	}
	res := r.method + " " + a.hostport() + a.Path
	if a.Scheme != "http" && a.Scheme != "https" {
		res = a.hostport()
	}
	c.Emit(umpire.Operation{Kind: umpire.Network, Resource: res, Traits: t | c.Traits})
	c.restOps(r, a)
}

// ReadFileTaint records that a file is read, and returns the taint of its content, place and name.
func (c *Call) ReadFileTaint(w Word) Taint {
	t := c.treeTaint(c.ReadFile(w)) | c.File(w).Taint | w.Taint
	if keyFolder(w.Text) {
		t |= FromTree
	}
	return t
}

// downloads returns the trait Download if yes.
func downloads(yes bool) umpire.Trait {
	if yes {
		return umpire.Download
	}
	return 0
}

// FileURL returns the path that a file URL names. file:///x, file:/x and FILE://localhost/x mean
// the same, and letters may be escaped as %78.
func FileURL(u string) (string, bool) {
	if len(u) < 6 || !strings.EqualFold(u[:5], "file:") {
		return "", false
	}
	p := u[5:]
	if rest, ok := strings.CutPrefix(p, "//"); ok {
		if p = rest; len(p) > 9 && strings.EqualFold(p[:10], "localhost/") {
			p = p[9:]
		}
	}
	if i := strings.IndexAny(p, "?#"); i >= 0 {
		p = p[:i]
	}
	if plain, err := url.PathUnescape(p); err == nil {
		p = plain
	}
	return p, p != ""
}

// localURL returns the file that a word names as a file URL, and whether it is such a URL.
func localURL(u Word) (Word, bool) {
	p, ok := FileURL(u.Text)
	return u.With(p), ok && p[0] == '/'
}

// fileWithin returns the file that a word names as a file URL, alone or within it, as in
// view-source:file:///x and {"src": "file:///x"}. In http://h/?u=file:///x another machine is asked.
func fileWithin(w Word) (Word, bool) {
	i := strings.Index(strings.ToLower(w.Text), "file:/")
	if i < 0 || strings.Contains(w.Text[:i], "://") || i > 0 && w.Text[i-1]|' ' >= 'a' && w.Text[i-1]|' ' <= 'z' { // profile:/x
		return w, false
	}
	text := w.Text[i:]
	if end := strings.IndexAny(text, "\"'`<>(){},; \t\n"); end >= 0 && i > 0 {
		text = text[:end]
	}
	return localURL(w.With(text))
}

// doDownloader reads yt-dlp, which joins the folder of -P and the name of -o. --print-to-file has
// two values, a text and a file.
func doDownloader(c *Call) {
	dir, inFolder := c.Opt("-P")
	name, named := c.Opt("-o")
	switch {
	case c.Inert():
	case named:
		for _, name := range c.destinations(name) {
			c.WriteFile(inDir(destination(dir), name), umpire.Download, Unseen(FromNetwork))
		}
	case inFolder:
		for _, dir := range c.destinations(dir) {
			unpack(c, dir, FromNetwork)
		}
	}
	for i := range c.Args[:max(0, len(c.Args)-2)] {
		if c.Args[i].Text == "--print-to-file" {
			c.WriteFile(c.Args[i+2], umpire.Append, Unseen(FromNetwork))
		}
	}
}

// urlBase returns the file name under which a download of a URL is saved.
func urlBase(u Word) Word {
	a := parseAddress(u.Text)
	path, _, _ := strings.Cut(a.Path, "?")
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case !u.Known() && (name == "" || strings.Contains(name, umpire.Hole)):
		name = umpire.Hole
	case name == "":
		name = "index.html"
	}
	return u.With(name)
}

// inDir returns the path of a file in a folder, or the file itself if its path is absolute or dir
// is empty.
func inDir(dir, file Word) Word {
	if dir.Text == "" || strings.HasPrefix(file.Text, "/") {
		return file
	}
	return Word{Text: strings.TrimSuffix(dir.Text, "/") + "/" + file.Text, Taint: dir.Taint | file.Taint}
}

// wgetSettings reads the settings file that wget loads by itself.
func (c *Call) wgetSettings(p *payload) {
	name := "~/.wgetrc"
	if w, ok := c.Var("WGETRC"); ok && w.Known() && w.Text != "" {
		name = w.Text
	}
	if w, ok := ConfigValue(c, "--config"); ok && w != "" {
		name = w
	}
	f, ok := c.StartedFile(name)
	usual, _ := c.Path(Lit("~/.wgetrc"))
	if abs, _ := c.Path(Lit(name)); !ok && abs != usual && name != "/dev/null" { // use_askpass of an unread file names a program
		c.Op(umpire.Exec, Quote("wget --config", Lits(name)), umpire.LoadsCode)
	}
	if ok && !c.Has("--no-config") {
		n := 0
		for line := range strings.Lines(f.Text) {
			if n++; !strings.HasPrefix(strings.TrimSpace(line), "#") {
				p.wgetLine(c, Word{Text: strings.TrimSpace(line), Taint: f.Taint}, f.At(n, Run{}))
			}
		}
	}
}

// wgetLine reads one setting of wget, from a file or after -e.
func (p *payload) wgetLine(c *Call, line Word, run Run) {
	name, v, _ := strings.Cut(line.Text, "=")
	value := line.With(strings.Trim(strings.TrimSpace(v), `"`))
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name)) {
	case "useaskpass":
		c.Shell(value, run)
	case "postfile", "bodyfile":
		p.from(c, value)
	case "outputdocument":
		c.WriteFile(value, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
	case "httpproxy", "httpsproxy":
		c.Net(value, 0, 0)
	}
}

func doWget(c *Call) {
	if c.Inert() {
		return
	}
	var p payload
	for _, o := range []string{"--post-file", "--body-file"} {
		for _, w := range c.All(o) {
			p.from(c, w)
		}
	}
	for _, o := range []string{"--post-data", "--body-data"} {
		for _, w := range c.All(o) {
			p.literal(w)
		}
	}
	for _, o := range []string{"--header", "-U", "--referer"} {
		for _, w := range c.All(o) {
			p.taint |= w.Taint & (FromSecret | FromEnv)
		}
	}
	for _, w := range c.All("-e") {
		p.wgetLine(c, w, Run{Traits: umpire.RunsProgram})
	}
	c.wgetSettings(&p)
	method := "GET"
	if m, ok := c.Opt("--method"); ok {
		method = strings.ToUpper(m.Text)
	} else if p.any {
		method = "POST"
	}
	spider := c.Has("--spider")
	if spider && method == "GET" {
		method = "HEAD"
	}
	urls := c.Operands
	if f, ok := c.Opt("-i"); ok {
		s := c.Stdin
		if f.Text != "-" {
			if strings.Contains(f.Text, "://") {
				urls = append(urls[:len(urls):len(urls)], f)
			} else {
				c.ReadFile(f)
				s = c.File(f)
			}
		}
		if s.Seen {
			for u := range strings.FieldsSeq(s.Text) {
				urls = append(urls[:len(urls):len(urls)], Word{Text: u, Taint: s.Taint})
			}
		}
	}
	out, toFile := c.Opt("-O")
	dir, _ := c.Opt("-P")
	t := p.traits()
	stdout := toFile && (out.Text == "-" || out.Text == "/dev/stdout")
	if !spider && !stdout {
		t |= umpire.Download
	}
	for _, u := range urls {
		c.request(request{method: method, url: u, body: p.text.String(), sent: p.taint, traits: t})
		if !spider && !toFile {
			c.WriteFile(inDir(dir, urlBase(u)), umpire.Download, Unseen(FromNetwork))
		}
	}
	switch {
	case stdout:
		c.SetOut(Unseen(FromNetwork))
	case toFile && !spider && len(urls) > 0:
		c.WriteFile(out, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
		c.SetOut(Text(""))
	default:
		c.SetOut(Text(""))
	}
}

// doHttpie reads [METHOD] URL [ITEM...]. The separator in an item decides whether it is a header, a
// field or a file.
func doHttpie(c *Call) {
	if c.Inert() {
		return
	}
	ws := c.Operands
	if len(ws) == 0 {
		return
	}
	method := ""
	if m := ws[0].Text; len(ws) > 1 && isMethod(m) {
		method = strings.ToUpper(m)
		ws = ws[1:]
	}
	u := ws[0]
	switch {
	case strings.HasPrefix(u.Text, ":/"):
		u.Text = "http://localhost" + u.Text[1:]
	case strings.HasPrefix(u.Text, ":"):
		u.Text = "http://localhost" + u.Text
	case strings.HasPrefix(u.Text, "://"):
		u.Text = "http" + u.Text
	case !strings.Contains(u.Text, "://"):
		scheme := "http://"
		if c.Program == "https" || c.Program == "xhs" {
			scheme = "https://"
		}
		u.Text = scheme + u.Text
	}
	var p payload
	for _, w := range ws[1:] {
		i := strings.IndexAny(w.Text, "=:@")
		if i < 0 {
			continue
		}
		name, rest := w.Text[:i], w.Text[i:]
		switch {
		case strings.HasPrefix(rest, "=@"), strings.HasPrefix(rest, ":=@"), strings.HasPrefix(rest, "@"), strings.HasPrefix(rest, ":@"), strings.HasPrefix(rest, "==@"):
			f := strings.TrimLeft(rest, ":=@")
			f, _, _ = strings.Cut(f, ";type=")
			p.from(c, w.With(f))
		case strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, ":="):
			p.taint |= w.Taint & (FromSecret | FromEnv)
		default:
			p.literal(w.With(name + rest))
		}
	}
	for _, w := range c.All("--raw") {
		p.literal(w)
	}
	if c.Stdin.Pipe && !c.Has("-I", "--ignore-stdin") {
		p.stream(c.Stdin)
	}
	if method == "" {
		method = "GET"
		if p.any {
			method = "POST"
		}
	}
	out, toFile := c.Opt("-o")
	c.request(request{method: method, url: u, body: p.text.String(), sent: p.taint, traits: p.traits() | downloads(toFile)})
	switch {
	case toFile:
		c.WriteFile(out, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
		c.SetOut(Text(""))
	case c.Has("-d"):
		c.WriteFile(urlBase(u), umpire.Download, Unseen(FromNetwork))
	default:
		c.SetOut(Unseen(FromNetwork))
	}
}

func isMethod(s string) bool {
	return anyof.Equal(strings.ToUpper(s), "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PURGE")
}

// doFetch reads programs that download URLs to files.
func doFetch(c *Call) {
	if c.Inert() {
		return
	}
	dir, _ := c.Opt("-d")
	out, named := c.Opt("-o")
	for i, u := range c.Operands {
		if c.Program == "lwp-download" && i > 0 {
			c.WriteFile(u, umpire.Download, Unseen(FromNetwork))
			return
		}
		c.request(request{method: "GET", url: u, traits: umpire.Download})
		if named {
			if out.Text == "-" {
				c.SetOut(Unseen(FromNetwork))
			} else {
				c.WriteFile(inDir(dir, out), umpire.Truncate|umpire.Download, Unseen(FromNetwork))
			}
		} else if c.Program != "lwp-download" || len(c.Operands) == 1 {
			c.WriteFile(inDir(dir, urlBase(u)), umpire.Download, Unseen(FromNetwork))
		}
	}
}

func doBrowser(c *Call) {
	if c.Has("-post_data", "--post_data") {
		for _, u := range c.Operands {
			c.Net(u, umpire.Upload, c.Stdin.Taint)
		}
	}
}

func doWebsocat(c *Call) {
	for _, w := range append(c.All("-c"), c.Operands...) {
		t := umpire.Trait(0)
		switch {
		case strings.HasPrefix(w.Text, "ws"):
			if c.Stdin.Pipe && !c.Stdin.Seen {
				t |= umpire.Upload
			}
			c.Net(w, t, c.Stdin.Taint)
		case strings.HasPrefix(w.Text, "cmd:"), strings.HasPrefix(w.Text, "exec:"), strings.HasPrefix(w.Text, "sh-c:"):
			_, cmd, _ := strings.Cut(w.Text, ":")
			c.Op(umpire.Network, "websocket", umpire.RemoteShell)
			in := Unseen(FromNetwork)
			c.Shell(w.With(cmd), Run{Stdin: &in})
		}
	}
	c.Out.Taint |= FromNetwork
}

// doLoad reads load generators, which send many requests to a URL.
func doLoad(c *Call) {
	for _, w := range c.Operands {
		if strings.Contains(w.Text, "://") || strings.Contains(w.Text, ".") && strings.Contains(w.Text, "/") && !isPathWord(w.Text) && !ScriptName(w.Text) {
			a := parseAddress(w.Text)
			t := When(!a.local(), umpire.Bulk)
			c.Net(w, t, 0)
		}
	}
}

// doSendFile reads programs that send files to anyone who knows a code word.
func doSendFile(c *Call) {
	ws := c.Operands
	send := c.Program != "wormhole" && c.Program != "magic-wormhole" && c.Program != "croc" && c.Program != "portal" && c.Program != "ffsend" && c.Program != "sendme"
	for _, w := range ws {
		switch w.Text {
		case "send", "upload", "tx", "up", "u":
			send = true
			continue
		case "receive", "recv", "rx", "download", "d":
			c.Out.Taint |= FromNetwork
			return
		}
		if send && !strings.HasPrefix(w.Text, "-") {
			c.Net(Lit(c.Program), umpire.Upload, c.ReadFileTaint(w))
		}
	}
	if send && c.Stdin.Pipe {
		c.Net(Lit(c.Program), umpire.Upload, c.Stdin.Taint)
	}
}

// doPaste reads programs that publish text on a paste service.
func doPaste(c *Call) {
	if c.Inert() {
		return
	}
	sent := c.Stdin.Taint
	for _, w := range c.Operands {
		sent |= c.ReadFileTaint(w)
	}
	c.Net(Lit(c.Program), umpire.Upload|umpire.Message, sent)
}

// payload collects the data that a program sends.
type payload struct {
	text  strings.Builder
	taint Taint
	any   bool
	file  bool // comes from a file, standard input or an unknown place
}

func (p *payload) literal(w Word) {
	p.any = true
	p.taint |= w.Taint
	p.text.WriteString(w.Text)
}

// from adds a file's content; "-" is standard input.
func (p *payload) from(c *Call, w Word) {
	p.any = true
	if w.Text == "-" || w.Text == "." && !w.Found || w.Text == "/dev/stdin" {
		p.stream(c.Stdin)
		return
	}
	p.file = true
	place := c.ReadFile(w)
	s := c.File(w)
	p.taint |= s.Taint | w.Taint | placeTaint(place)
	if s.Seen {
		p.text.WriteString(s.Text)
	}
}

func (p *payload) stream(s Stream) {
	p.any = true
	p.taint |= s.Taint
	if s.Seen {
		p.text.WriteString(s.Text)
	} else {
		p.file = true
	}
}

func (p *payload) traits() umpire.Trait {
	if p.file {
		return umpire.Upload
	}
	return 0
}
