package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// httpModels are the programs that speak HTTP and its relatives. What they print or save
// came from another host, and what they send may be somebody's secret.
var httpModels = []Model{
	{Names: "curl", Opts: curlOpts, Do: doCurl},
	{Names: "curlie", Opts: curlOpts, Do: doCurl},
	{Names: "wget wget2", Opts: "-e,--execute=_ -o,--output-file=w -a,--append-output=a --report-speed=_ -i,--input-file=_ -B,--base=_ --config=_ --rejected-log=w -t,--tries=_ --retry-on-http-error=_ -O,--output-document=_ --start-pos=_ --progress=_ -T,--timeout=_ --dns-timeout=_ --connect-timeout=_ --read-timeout=_ -w,--wait=_ --waitretry=_ -Q,--quota=_ --bind-address=_ --limit-rate=_ --restrict-file-names=_ --prefer-family=_ --user=_ --password=_ --use-askpass=P --local-encoding=_ --remote-encoding=_ -P,--directory-prefix=_ --cut-dirs=_ --http-user=_ --http-password=_ --default-page=_ --header=_ --compression=_ --max-redirect=_ --proxy-user=_ --proxy-password=_ --referer=_ -U,--user-agent=_ --load-cookies=_ --save-cookies=w --post-data=_ --post-file=_ --method=_ --body-data=_ --body-file=_ --secure-protocol=_ --certificate=_ --certificate-type=_ --private-key=_ --private-key-type=_ --ca-certificate=_ --ca-directory=_ --crl-file=_ --pinnedpubkey=_ --ciphers=_ --random-file=_ --ftp-user=_ --ftp-password=_ --warc-file=w --warc-header=_ --warc-max-size=_ --warc-dedup=_ --warc-tempdir=_ -l,--level=_ --backups?=_ -A,--accept=_ -R,--reject=_ --accept-regex=_ --reject-regex=_ --regex-type=_ -D,--domains=_ --exclude-domains=_ --follow-tags=_ --ignore-tags=_ -I,--include-directories=_ -X,--exclude-directories=_ --hsts-file=_ -V,--version+inert -h,--help+inert --spider", Do: doWget},
	{Names: "http https xh xhs httpie ht", Opts: "-o,--output=_ -d,--download -b,--body -h,--headers -p,--print=_ -P,--history-print=_ -s,--style=_ --pretty=_ --format-options=_ -a,--auth=_ -A,--auth-type=_ --session=_ --session-read-only=_ --proxy=_ --max-redirects=_ --timeout=_ --verify=_ --ssl=_ --cert=_ --cert-key=_ --cert-key-pass=_ --raw=_ --boundary=_ --default-scheme=_ --response-charset=_ --response-mime=_ --ciphers=_ --offline+inert --unix-socket=_ --resolve=_ --interface=_", Do: doHttpie},
	{Names: "aria2c", Opts: "-d,--dir=_ -o,--out=_ -i,--input-file=_ -l,--log=w -s,--split=_ -x,--max-connection-per-server=_ -j,--max-concurrent-downloads=_ -k,--min-split-size=_ -T,--torrent-file=_ --on-download-complete=P --on-download-start=P --on-download-error=P --on-bt-download-complete=P --on-download-stop=P --on-download-pause=P --conf-path=_ --header=_ --load-cookies=_ --save-cookies=w --checksum=_ -U,--user-agent=_ --referer=_ -m,--max-tries=_ -t,--timeout=_", Do: doFetch},
	{Names: "axel", Opts: "-o,--output=_ -s,--max-speed=_ -n,--num-connections=_ -H,--header=_ -U,--user-agent=_ -T,--timeout=_", Do: doFetch},
	{Names: "lwp-download", Do: doFetch},
	{Names: "lwp-request GET HEAD POST", Opts: "-m=_ -H=_ -c=_ -C=_ -p=_ -t=_ -i=_ -b=_ -o=_", Args: "u*"},
	{Names: "fetch ftp-fetch", Opts: "-o=_ -T=_ -w=_ -S=_ -B=_", Do: doFetch},
	{Names: "lynx links elinks w3m links2 browsh", Opts: "-cfg=_ -post_data -dump -source -o=_ -T=_ -cols=_ -width=_", Style: LongDash, Args: "u*", Do: doBrowser},
	{Names: "youtube-dl yt-dlp gallery-dl you-get", Opts: "-o,--output=_ -f,--format=_ --exec=P --exec-before-download=P --downloader,--external-downloader=_ -P,--paths=_ -a,--batch-file=r --config-locations=_ --cookies=_ --cookies-from-browser=_ -u,--username=_ -p,--password=_ --postprocessor-args,--ppa=_ --proxy=_ -r,--limit-rate=_", Args: "u*"},
	{Names: "grpcurl evans", Opts: "-d=_ -H=_ -proto=_ -import-path=_ -protoset=_ -cert=_ -key=_ -cacert=_", Style: LongDash, Args: "h"},
	{Names: "websocat wscat", Opts: "-c,--connect=_ -l,--listen=_ -H,--header=_ -x,--execute=_ --exec=_ -p=_", Do: doWebsocat},
	{Names: "ab wrk hey bombardier vegeta siege oha autocannon k6 locust slowhttptest", Opts: "-n=_ -c=_ -t=_ -d=_ -s=_ -p=_ -H=_ -m=_ -T=_ -u=_ -r=_ -q=_ -z=_", Do: doLoad},
	{Names: "transfer.sh-cli wormhole croc magic-wormhole ffsend send-cli transfersh portal qrcp sendme dropbear-send", Style: Strict, Do: doSendFile},
	{Names: "pastebinit gist sprunge ix nopaste wgetpaste pbincli termbin dpaste", Do: doPaste},
}

const curlOpts = "--abstract-unix-socket=_ --alt-svc=_ --aws-sigv4=_ --cacert=_ --capath=_ -E,--cert=_ --cert-type=_ --ciphers=_ -K,--config=_ --connect-timeout=_ --connect-to=_ -C,--continue-at=_ -b,--cookie=_ -c,--cookie-jar=w --create-file-mode=_ --crlfile=_ --curves=_ -d,--data,--data-ascii=_ --data-binary=_ --data-raw=_ --data-urlencode=_ --delegation=_ --dns-interface=_ --dns-ipv4-addr=_ --dns-ipv6-addr=_ --dns-servers=_ --doh-url=_ -D,--dump-header=w --ech=_ --egd-file=_ --engine=_ --etag-compare=_ --etag-save=w --expect100-timeout=_ -F,--form=_ --form-string=_ --ftp-account=_ --ftp-alternative-to-user=_ --ftp-method=_ -P,--ftp-port=_ --ftp-ssl-ccc-mode=_ --happy-eyeballs-timeout-ms=_ --haproxy-clientip=_ -H,--header=_ --hostpubmd5=_ --hostpubsha256=_ --hsts=_ --interface=_ --ip-tos=_ --ipfs-gateway=_ --json=_ --keepalive-time=_ --keepalive-cnt=_ --key=_ --key-type=_ --krb=_ --libcurl=w --limit-rate=_ --local-port=_ --login-options=_ --mail-auth=_ --mail-from=_ --mail-rcpt=_ --max-filesize=_ --max-redirs=_ -m,--max-time=_ --netrc-file=_ --noproxy=_ --oauth2-bearer=_ -o,--output=_ --output-dir=_ --parallel-max=_ --parallel-max-host=_ --pass=_ --pinnedpubkey=_ --preproxy=_ --proto=_ --proto-default=_ --proto-redir=_ -x,--proxy=_ --proxy-cacert=_ --proxy-capath=_ --proxy-cert=_ --proxy-cert-type=_ --proxy-ciphers=_ --proxy-crlfile=_ --proxy-header=_ --proxy-key=_ --proxy-key-type=_ --proxy-pass=_ --proxy-pinnedpubkey=_ --proxy-service-name=_ --proxy-tls13-ciphers=_ --proxy-tlsauthtype=_ --proxy-tlspassword=_ --proxy-tlsuser=_ -U,--proxy-user=_ --proxy1.0=_ --pubkey=_ -Q,--quote=_ --random-file=_ -r,--range=_ --rate=_ -e,--referer=_ -X,--request=_ --request-target=_ --resolve=_ --retry=_ --retry-delay=_ --retry-max-time=_ --sasl-authzid=_ --service-name=_ --sigalgs=_ --socks4=_ --socks4a=_ --socks5=_ --socks5-gssapi-service=_ --socks5-hostname=_ -Y,--speed-limit=_ -y,--speed-time=_ --stderr=w -t,--telnet-option=_ --tftp-blksize=_ -z,--time-cond=_ --tls-max=_ --tls13-ciphers=_ --tlsauthtype=_ --tlspassword=_ --tlsuser=_ --trace=w --trace-ascii=w --trace-config=_ --unix-socket=_ -T,--upload-file=_ --url=_ --url-query=_ -u,--user=_ -A,--user-agent=_ --variable=_ --vlan-priority=_ -w,--write-out=_ -O,--remote-name --remote-name-all -G,--get -I,--head -h,--help+inert -M,--manual+inert -V,--version+inert -J,--remote-header-name"

// A request is one HTTP exchange.
type request struct {
	method string
	url    Word
	body   string // as far as it is known
	sent   Taint  // of body, files and headers
	traits umpire.Trait
	socket string // path of a Unix socket instead of the host
}

// request records an HTTP exchange: to whom, how, what the method and the path do there.
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
		more |= umpire.PlainHTTP // curl takes http:// where nothing is said
	}
	t := r.traits | more | restTraits(r.method, a, r.body)
	if secretShaped(a.Path) || secretShaped(r.body) {
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
	if r.sent&FromShell != 0 {
		t |= umpire.RemoteShell
	}
	if r.sent&FromUnseen != 0 || r.traits&umpire.Upload != 0 {
		t |= umpire.Upload
	}
	if a.local() {
		t &^= umpire.Upload // this machine's own services are where tests send files
	}
	if !r.url.Known() {
		t |= umpire.Unknown
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

// restTraits tells what a request does by its method and the words of its path.
func restTraits(method string, a address, body string) (t umpire.Trait) {
	path, _, _ := strings.Cut(a.Path, "?")
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "":
		return 0
	case "DELETE", "PURGE", "BAN":
		t |= umpire.Destroy | umpire.Mutate
		last := strings.Trim(path[strings.LastIndexByte(path, '/')+1:], "/")
		if last == "_all" || strings.Contains(path, "*") || last == "" && strings.Trim(path, "/") == "" {
			t |= umpire.Bulk
		}
		return t
	}
	t |= umpire.Mutate
	for seg := range strings.SplitSeq(strings.ToLower(path), "/") {
		for w := range strings.FieldsFuncSeq(seg, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ':' }) {
			switch w {
			case "delete", "purge", "destroy", "remove", "wipe", "reset", "drop", "truncate", "terminate", "shutdown", "close", "revoke", "uninstall", "flush", "clear", "disable", "deactivate", "cancel", "archive", "kill", "suspend", "erase", "expire", "decommission", "rollback", "drain", "evict", "shrink", "forcemerge", "reroute":
				t |= umpire.Destroy
			case "cluster", "settings":
				if strings.HasPrefix(seg, "_") || seg == "settings" {
					t |= umpire.Destroy // a setting of the whole service
				}
			case "charges", "payouts", "refunds", "transfers", "payments", "invoices", "subscriptions", "orders", "checkout", "refund", "charge", "payout":
				if payHost(a.Host) {
					t |= umpire.Payment
				}
			}
		}
	}
	if strings.Contains(path, "payment_intents") && payHost(a.Host) {
		t |= umpire.Payment
	}
	if messageHost(a) {
		t |= umpire.Message
	}
	if strings.Contains(path, "_delete_by_query") && (strings.Contains(body, "match_all") || body == "") {
		t |= umpire.Bulk
	}
	return t
}

func payHost(h string) bool {
	for _, s := range []string{"stripe.com", "paypal.com", "squareup.com", "square.com", "braintreegateway.com", "adyen.com", "coinbase.com", "wise.com", "plaid.com", "razorpay.com", "mollie.com", "checkout.com", "shopify.com", "myshopify.com", "binance.com", "kraken.com"} {
		if h == s || strings.HasSuffix(h, "."+s) {
			return true
		}
	}
	return false
}

// messageHost reports whether a POST there speaks to people.
func messageHost(a address) bool {
	p := strings.ToLower(a.Path)
	switch {
	case a.Host == "hooks.slack.com", strings.HasSuffix(a.Host, "webhook.office.com"), a.Host == "chat.googleapis.com", a.Host == "ntfy.sh", a.Host == "api.pushover.net", a.Host == "maker.ifttt.com", a.Host == "hooks.zapier.com":
		return true
	case a.Host == "slack.com" && strings.HasPrefix(p, "/api/chat."), a.Host == "slack.com" && strings.HasPrefix(p, "/api/files."):
		return true
	case (a.Host == "discord.com" || a.Host == "discordapp.com") && strings.Contains(p, "/webhooks/"):
		return true
	case a.Host == "api.telegram.org" && strings.Contains(p, "/send"):
		return true
	case a.Host == "api.twilio.com" && (strings.Contains(p, "/messages") || strings.Contains(p, "/calls")):
		return true
	case a.Host == "api.sendgrid.com" && strings.Contains(p, "/mail/send"), a.Host == "api.postmarkapp.com" && strings.HasPrefix(p, "/email"), a.Host == "api.mailgun.net" && strings.HasSuffix(p, "/messages"), a.Host == "api.resend.com" && strings.HasPrefix(p, "/emails"):
		return true
	case (a.Host == "api.twitter.com" || a.Host == "api.x.com") && strings.Contains(p, "/tweets"):
		return true
	}
	return false
}

// restOps says what a request to a well-known service does in the words that rules for
// its own client use, so that curl is no way around them.
func (c *Call) restOps(r request, a address) {
	path, _, _ := strings.Cut(a.Path, "?")
	seg := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	switch {
	case len(seg) > 1 && (seg[0] == "api" && seg[1] == "v1" || seg[0] == "apis") && r.method == "DELETE":
		i := 2
		if seg[0] == "apis" {
			i = 3
		}
		if i >= len(seg) {
			return
		}
		if seg[i] == "namespaces" && len(seg) > i+2 {
			i += 2
		}
		t := umpire.Destroy | umpire.Mutate
		if len(seg) == i+1 {
			t |= umpire.Bulk
		}
		switch seg[i] {
		case "namespaces", "persistentvolumes", "persistentvolumeclaims", "nodes", "customresourcedefinitions", "statefulsets":
			t |= umpire.DataStore | umpire.Irreversible
		case "pods", "services", "deployments", "configmaps", "secrets", "jobs", "cronjobs", "ingresses", "replicasets", "daemonsets", "serviceaccounts", "endpoints":
		default:
			return // not Kubernetes, but another service with such paths
		}
		kind := strings.TrimSuffix(seg[i], "s")
		c.Op(umpire.Infra, strings.TrimSpace("kubectl delete "+kind+" "+strings.Join(seg[i+1:], "/")), t)
	case a.Port == "9200" || strings.Contains(a.Host, "elastic") || strings.Contains(a.Host, "opensearch"):
		if len(seg) == 0 {
			if r.method == "DELETE" {
				c.Op(umpire.Database, "drop-index *", umpire.Bulk|umpire.DataStore|umpire.Destroy)
			}
			return
		}
		switch {
		case r.method == "DELETE" && len(seg) == 1:
			t := umpire.Destroy
			if seg[0] == "_all" || strings.Contains(seg[0], "*") {
				t |= umpire.Bulk | umpire.DataStore
			}
			c.Op(umpire.Database, "drop-index "+seg[0], t)
		case strings.HasSuffix(path, "/_delete_by_query") && strings.Contains(r.body, "match_all"):
			c.Op(umpire.Database, "delete "+seg[0], umpire.NoWhere|umpire.Destroy)
		case r.method == "DELETE" && seg[0] == "_snapshot":
			c.Op(umpire.Database, "drop-snapshot "+strings.Join(seg[1:], "/"), umpire.Destroy|umpire.DataStore)
		}
	case a.Host == "api.github.com" && len(seg) == 3 && seg[0] == "repos" && r.method == "DELETE":
		c.Op(umpire.Infra, "github delete repo "+seg[1]+"/"+seg[2], umpire.Destroy|umpire.DataStore|umpire.Irreversible)
	case strings.Contains(a.Host, "gitlab") && len(seg) == 4 && seg[2] == "projects" && r.method == "DELETE":
		c.Op(umpire.Infra, "gitlab delete project "+seg[3], umpire.Destroy|umpire.DataStore|umpire.Irreversible)
	}
}

// dockerAPI reads a request to the container daemon's socket, which is root on the host.
func (c *Call) dockerAPI(r request, a address) {
	s := r.socket
	if !strings.Contains(s, "docker") && !strings.Contains(s, "podman") && !strings.Contains(s, "containerd") && !strings.Contains(s, "crio") {
		return
	}
	if r.method == "GET" || r.method == "HEAD" {
		return
	}
	t := umpire.Mutate
	if r.method == "DELETE" {
		t |= umpire.Destroy
		if strings.Contains(a.Path, "/volumes") {
			t |= umpire.DataStore
		}
	}
	body := strings.ReplaceAll(r.body, " ", "")
	if strings.Contains(body, `"Privileged":true`) || strings.Contains(body, `"/:/`) || strings.Contains(body, "docker.sock") || strings.Contains(body, `"Source":"/"`) || strings.Contains(body, `"PidMode":"host"`) {
		t |= umpire.HostAccess | umpire.Privilege
	}
	if strings.Contains(a.Path, "/prune") {
		t |= umpire.Destroy | umpire.Bulk
		if strings.Contains(a.Path, "/volumes") {
			t |= umpire.DataStore
		}
	}
	c.Op(umpire.Infra, strings.ToLower("docker "+r.method)+" "+a.Path, t)
}

// secretShaped reports whether text holds something with the shape of a live key.
func secretShaped(s string) bool {
	if len(s) < 16 {
		return false
	}
	for _, k := range []struct {
		prefix string
		n      int // characters of the key that must follow
	}{
		{"ghp_", 30}, {"gho_", 30}, {"ghu_", 30}, {"ghs_", 30}, {"github_pat_", 30}, {"glpat-", 18}, {"AKIA", 16}, {"ASIA", 16}, {"sk_live_", 16}, {"rk_live_", 16},
		{"sk-ant-", 20}, {"sk-proj-", 20}, {"xoxb-", 20}, {"xoxp-", 20}, {"xoxa-", 20}, {"AIza", 35}, {"npm_", 36}, {"hf_", 30}, {"dop_v1_", 60}, {"SG.", 40}, {"pypi-AgE", 30}, {"-----BEGIN ", 4}, {"eyJhbGciOi", 30}, {"shpat_", 30},
	} {
		for rest := s; ; {
			i := strings.Index(rest, k.prefix)
			if i < 0 {
				break
			}
			rest = rest[i+len(k.prefix):]
			n := 0
			for n < len(rest) && (rest[n] == '_' || rest[n] == '-' || rest[n] == '.' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || rest[n] >= '0' && rest[n] <= '9') {
				n++
			}
			if n >= k.n {
				return true
			}
		}
	}
	return false
}

// payload is what a program was told to send.
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
	if w.Text == "-" || w.Text == "." || w.Text == "/dev/stdin" {
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

func doCurl(c *Call) {
	if c.Inert() {
		return
	}
	var p payload
	form := false
	for i := range c.opts {
		o := &c.opts[i]
		if !o.has {
			continue
		}
		w := o.value
		switch o.name {
		case "-d", "--data-binary", "--json":
			if f, ok := strings.CutPrefix(w.Text, "@"); ok {
				p.from(c, w.With(f))
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
			form = true
			_, v, _ := strings.Cut(w.Text, "=")
			if v != "" && (v[0] == '@' || v[0] == '<') {
				curlForm(c, &p, w.With(v[1:]))
			} else {
				p.literal(w)
			}
		case "-T":
			curlUpload(c, &p, w)
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
	method := "GET"
	upload := len(c.All("-T")) > 0
	switch x, ok := c.Opt("-X"); {
	case ok:
		method = strings.ToUpper(x.Text)
	case c.Has("-I"):
		method = "HEAD"
	case upload:
		method = "PUT"
	case c.Has("-G"):
	case p.any || form:
		method = "POST"
	}
	urls := append(c.All("--url"), c.Operands...)
	socket, _ := c.Opt("--unix-socket")
	outs := c.All("-o")
	names := 0 // how many URLs are saved under their own name
	for i := range c.opts {
		if c.opts[i].name == "-O" {
			names++
		}
	}
	if c.Has("--remote-name-all") {
		names = len(urls)
	}
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
			c.request(request{method: method, url: u, body: p.text.String(), sent: p.taint, traits: p.traits() | downloads(i < len(outs) || names > 0), socket: socket.Text})
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

// ReadFileTaint records the reading of a file and tells the taint of its content.
func (c *Call) ReadFileTaint(w Word) Taint {
	t := placeTaint(c.ReadFile(w)) | c.File(w).Taint | w.Taint
	if keyFolder(w.Text) {
		t |= FromTree
	}
	return t
}

func downloads(yes bool) umpire.Trait {
	if yes {
		return umpire.Download
	}
	return 0
}

// curlForm reads the files of -F 'f=@a,b;type=x'.
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
			p.from(c, w.With(f))
		}
	}
}

// curlUpload reads the files of -T '{a,b}'.
func curlUpload(c *Call, p *payload, w Word) {
	if s, ok := strings.CutPrefix(w.Text, "{"); ok && strings.HasSuffix(s, "}") {
		for f := range strings.SplitSeq(strings.TrimSuffix(s, "}"), ",") {
			p.from(c, w.With(f))
		}
		return
	}
	p.from(c, w)
}

// curlConfig runs a configuration file, which is a command line in another spelling.
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
	args := Lits("curl")
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
	c.Exec(args, Run{Out: true})
}

// localURL tells the file that a file:// URL names.
func localURL(u Word) (Word, bool) {
	if len(u.Text) < 7 || !strings.EqualFold(u.Text[:7], "file://") {
		return u, false
	}
	p := u.Text[7:]
	p = strings.TrimPrefix(p, "localhost")
	return u.With(p), true
}

// urlBase is the name under which a URL is saved.
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

func inDir(dir, file Word) Word {
	if dir.Text == "" || strings.HasPrefix(file.Text, "/") {
		return file
	}
	return Word{Text: strings.TrimSuffix(dir.Text, "/") + "/" + file.Text, Taint: dir.Taint | file.Taint}
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
	for _, w := range c.All("-e") { // a line of .wgetrc
		name, v, _ := strings.Cut(w.Text, "=")
		switch strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name)) {
		case "useaskpass":
			c.Shell(w.With(strings.TrimSpace(v)), Run{Traits: umpire.RunsProgram})
		case "postfile", "bodyfile":
			p.from(c, w.With(strings.TrimSpace(v)))
		case "outputdocument":
			c.WriteFile(w.With(strings.TrimSpace(v)), umpire.Truncate|umpire.Download, Unseen(FromNetwork))
		case "httpproxy", "httpsproxy":
			c.Net(w.With(strings.TrimSpace(v)), 0, 0)
		}
	}
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

// doHttpie reads [METHOD] URL [ITEM...], where an item says by its separator where it goes.
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
	switch strings.ToUpper(s) {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PURGE":
		return true
	}
	return false
}

// doFetch reads programs that save URLs under their own or a given name.
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

// doLoad reads load generators: many requests to the one URL they are given.
func doLoad(c *Call) {
	for _, w := range c.Operands {
		if strings.Contains(w.Text, "://") || strings.Contains(w.Text, ".") && strings.Contains(w.Text, "/") && !isPathWord(w.Text) && !scriptName(w.Text) {
			a := parseAddress(w.Text)
			t := umpire.Trait(0)
			if !a.local() {
				t |= umpire.Bulk
			}
			c.Net(w, t, 0)
		}
	}
}

// doSendFile reads the programs that hand files to whoever knows a code word.
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

// doPaste reads the programs that publish text on a paste service.
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

// address is what a program was told to contact.
type address struct{ place.Location }

func parseAddress(text string) address {
	l := place.Parse(text)
	l.Path, _, _ = strings.Cut(l.Path, "#")
	return address{l}
}

// local reports whether the host is this machine.
func (a address) local() bool {
	return a.Class&place.Loopback != 0 || a.Host == "0.0.0.0" || a.Host == "host.docker.internal"
}

// hostport is the resource of a plain connection.
func (a address) hostport() string {
	h := a.Host
	if strings.Contains(h, ":") {
		h = "[" + h + "]"
	}
	if a.Port != "" {
		h += ":" + a.Port
	}
	return h
}
