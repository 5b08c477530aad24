package command

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// secretRead records that a secret store prints a secret.
func secretRead(c *Call, store string, what Word) {
	if c.Inert() {
		return
	}
	c.Op(umpire.System, strings.TrimSpace(Quote("secret read "+store, []Word{what})), umpire.CarriesSecret)
	c.SetOut(Unseen(FromSecret))
}

// secretDelete records that a store deletes a secret for good.
func secretDelete(c *Call, store string, what Word) {
	c.Op(umpire.System, strings.TrimSpace(Quote("secret delete "+store, []Word{what})), umpire.Destroy|umpire.Irreversible)
}

func doPrintenv(c *Call) {
	if c.Inert() || c.Has("-h", "--version") {
		return
	}
	if len(c.Operands) == 0 {
		c.SetOut(Unseen(FromEnv))
		return
	}
	if slices.ContainsFunc(c.Operands, func(w Word) bool { return secretName(w.Text) || KeyName(w.Text) }) {
		c.SetOut(Stream{Text: umpire.Hole + "\n", Seen: true, Taint: FromSecret | FromKey})
		return
	}
}

// SecretName reports whether a variable's name says that it contains a secret.
func SecretName(n string) bool { return secretName(n) }

// secretName reports whether a variable's name says that it contains a secret.
func secretName(n string) bool {
	n = strings.ToUpper(n)
	return anyof.Contains(n, "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PRIVATE_KEY", "API_KEY", "APIKEY", "ACCESS_KEY", "CREDENTIAL", "_PAT", "_PWD")
}

// NameTaint returns the taints that follow from the name of a variable whose value is unknown.
func NameTaint(name string) (t Taint) {
	if production(name) {
		t |= FromProduction
	}
	if strings.Contains(strings.ToUpper(name), "WEBHOOK") {
		t |= FromWebhook
	}
	return t
}

// AddressName reports whether a variable's name says that it contains the address of a data store,
// which often includes the password: DATABASE_URL, MONGODB_URI, SENTRY_DSN.
func AddressName(name string) bool {
	parts := wording.Split(name)
	if len(parts) == 0 {
		return false
	}
	kind, name := strings.ToUpper(parts[len(parts)-1]), strings.ToUpper(name)
	switch kind {
	case "URL", "URI":
		for _, s := range [...]string{"DATABASE", "DB", "SQL", "POSTGRES", "MONGO", "REDIS", "AMQP", "RABBIT", "BROKER", "CLICKHOUSE", "ELASTIC", "CONNECTION"} {
			if strings.Contains(name, s) {
				return true
			}
		}
	case "DSN":
		return true
	}
	return kind == "STRING" && strings.Contains(name, "CONNECTION")
}

// KeyName reports whether a variable's name says that it is a credential for a vendor's service.
// TOKEN alone does not: it may be for any service.
func KeyName(name string) bool {
	vendor, rest, ok := strings.Cut(name, "_")
	if anyof.Equal(vendor, "ACCESS", "AUTH", "API", "BEARER", "CSRF", "MY", "TEST", "USER", "CLIENT") {
		return false
	}
	if !ok {
		return name == "PGPASSWORD" || name == "SSHPASS"
	}
	for _, s := range [...]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PRIVATE_KEY", "ACCESS_KEY", "API_KEY", "CREDENTIAL", "_PAT"} {
		if strings.Contains("_"+rest, s) {
			return true
		}
	}
	for _, s := range [...]string{"PUBLIC", "PUB", "PRIMARY", "FOREIGN", "CACHE", "SORT", "GROUP", "PARTITION", "OBJECT", "S3", "INDEX", "LOCK", "HOST"} { // keys that are not credentials
		if strings.HasSuffix(name, s+"_KEY") {
			return false
		}
	}
	return strings.HasSuffix(name, "_KEY")
}

func doGpg(c *Call) {
	if c.Inert() {
		return
	}
	out, toFile := c.Opt("-o")
	switch {
	case c.Has("--export-secret-keys", "--export-secret-subkeys", "--export-secret-key"):
		c.ReadFile(Lit("~/.gnupg/private-keys-v1.d"))
		c.SetOut(Unseen(FromSecret))
	case c.Has("--delete-secret-keys", "--delete-secret-key", "--delete-secret-and-public-keys", "--delete-secret-and-public-key"):
		secretDelete(c, "gpg", c.Arg(0))
	case c.Has("--delete-keys", "--delete-key"):
		c.Op(umpire.System, Quote("key delete", c.Operands), umpire.Destroy)
	case c.Has("-d", "--decrypt"):
		for _, w := range c.Operands {
			c.ReadFile(w)
		}
		c.SetOut(Unseen(FromSecret | FromDecoder | c.Out.Taint | c.Stdin.Taint))
	case c.Has("--recv-keys", "--search-keys", "--refresh-keys", "--send-keys"):
		ks, ok := c.Opt("--keyserver")
		if !ok {
			ks = Lit("keys.openpgp.org:443")
		}
		c.Net(ks, 0, 0)
		return
	case c.Has("--list-keys", "--list-secret-keys", "-k", "-K", "--fingerprint", "--version", "--verify", "--import", "--export", "--gen-key", "--full-generate-key", "--quick-generate-key", "--edit-key", "--card-status", "--list-packets", "--show-keys"):
	default: // encrypts or signs
		for _, w := range c.Operands {
			c.ReadFile(w)
			if !toFile && c.Has("-c", "--symmetric", "-e", "--encrypt", "-s", "--sign") {
				ext := ".gpg"
				if c.Has("-a", "--armor") {
					ext = ".asc"
				}
				c.WriteFile(w.With(w.Text+ext), umpire.Truncate, Unseen(c.Out.Taint))
			}
		}
		c.SetOut(Unseen(c.Out.Taint | c.Stdin.Taint))
	}
	if toFile && out.Text != "-" {
		c.WriteFile(out, umpire.Truncate, Unseen(c.Out.Taint))
	}
}

func doDecrypter(c *Call) {
	for _, w := range c.Operands {
		c.ReadFile(w)
	}
	t := c.Out.Taint | c.Stdin.Taint
	if c.Has("-d") {
		t |= FromDecoder | FromSecret
	}
	if out, ok := c.Opt("-o"); ok && out.Text != "-" {
		c.WriteFile(out, umpire.Truncate, Unseen(t))
		return
	}
	c.SetOut(Unseen(t))
}

func doSops(c *Call) {
	ws := c.Operands
	first := c.Arg(0).Text
	switch first {
	case "exec-env", "exec-file":
		if len(ws) > 2 {
			c.Shell(ws[2], Run{Out: true})
		}
		return
	case "decrypt", "-d":
		ws = ws[1:]
	case "edit", "encrypt", "updatekeys", "rotate", "groups", "publish", "keyservice", "filestatus":
		return
	default:
		if !c.Has("-d", "--extract") {
			return
		}
	}
	if len(ws) > 0 {
		secretRead(c, "sops", ws[0])
	}
}

func doAnsibleVault(c *Call) {
	switch c.Arg(0).Text {
	case "view", "decrypt":
		secretRead(c, "ansible-vault", c.Arg(1))
	case "encrypt", "rekey", "edit", "create":
		if len(c.Operands) > 1 {
			c.WriteFile(c.Operands[1], 0, Unseen(0))
		}
	}
}

func doPass(c *Call) {
	if c.Inert() || len(c.Operands) == 0 {
		return
	}
	switch v := c.Operands[0].Text; v {
	case "ls", "list", "find", "search", "git", "help", "version", "init", "generate", "insert", "add", "edit", "mv", "rename", "cp", "copy", "sync", "setup", "config", "completion", "audit":
	case "rm", "remove", "delete":
		secretDelete(c, c.Program, c.Arg(1))
	case "show", "otp", "cat", "grep", "env", "get":
		secretRead(c, c.Program, c.Arg(1))
	default:
		secretRead(c, c.Program, c.Operands[0])
	}
}

func doOnePassword(c *Call) {
	if c.Inert() || len(c.Operands) == 0 {
		return
	}
	a, b := c.Operands[0].Text, c.Arg(1).Text
	switch {
	case a == "run":
		c.Exec(c.wordsFrom(1), Run{Out: true})
	case a == "read" || a == "inject":
		secretRead(c, "op", c.Arg(1))
	case (a == "item" || a == "document" || a == "service-account" || a == "connect") && (b == "get" || b == "create" && a != "item" && a != "document" || b == "share"):
		secretRead(c, "op", c.Arg(2))
	case a == "get":
		secretRead(c, "op", c.Arg(2))
	case a == "vault" && b == "delete":
		secretDelete(c, "op", c.Arg(2))
	case b == "delete" || a == "delete" || c.Arg(2).Text == "delete": // 1Password keeps it for a month, or in the archive
		c.Op(umpire.System, Quote("secret forget op", c.Operands), umpire.Destroy)
	}
}

// doVaultClient reads password managers by the first known verb among the operands.
func doVaultClient(c *Call) {
	if c.Inert() {
		return
	}
	for i, w := range c.Operands {
		next := Word{}
		if i+1 < len(c.Operands) {
			next = c.Operands[i+1]
		}
		if c.Program == "secret-tool" && w.Text == "search" { // prints the matches
			secretRead(c, c.Program, next)
			return
		}
		switch w.Text {
		case "get", "show", "lookup", "export", "getall", "cat", "read", "code", "receive", "dump", "clip", "password", "p":
			secretRead(c, c.Program, next)
			return
		case "list", "search", "ls", "status", "sync", "unlock", "login", "lock", "generate", "help", "locate", "version", "put", "set", "store", "create", "edit", "add":
			if w.Text == "list" && c.Program == "bw" && next.Text == "items" {
				secretRead(c, c.Program, next)
			}
			return
		case "delete", "rm", "remove", "clear", "purge", "del", "wipe":
			secretDelete(c, c.Program, next)
			return
		}
	}
	if c.Program == "kwallet-query" && c.Has("-r") {
		w, _ := c.Opt("-r")
		secretRead(c, c.Program, w)
	}
}

// doKeyctl reads the kernel's key rings.
func doKeyctl(c *Call) {
	switch c.Arg(0).Text {
	case "print", "pipe", "read":
		secretRead(c, "keyctl", c.Arg(1))
	case "clear", "purge", "revoke", "invalidate", "unlink":
		secretDelete(c, "keyctl", c.Arg(1))
	}
}

// doSecurity reads macOS's keychain tool, whose verb comes first.
func doSecurity(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	v := c.Operands[0].Text
	args := c.Operands[1:]
	prints := false
	for _, w := range args {
		prints = prints || len(w.Text) > 1 && w.Text[0] == '-' && strings.ContainsAny(w.Text, "wgd") // -wa NAME is -w -a NAME
	}
	switch v {
	case "find-generic-password", "find-internet-password":
		if prints {
			secretRead(c, "keychain", joined(args))
		}
	case "find-certificate", "find-identity": // certificates are public
		for _, w := range args {
			if _, p := c.Path(w); p&umpire.PlaceCredentials != 0 {
				c.path(umpire.Read, w, umpire.Inert)
			}
		}
	case "dump-keychain", "export":
		c.ReadFile(Lit("~/Library/Keychains/login.keychain-db"))
		c.SetOut(Unseen(FromSecret))
	case "delete-generic-password", "delete-internet-password", "delete-keychain", "delete-certificate", "delete-identity":
		secretDelete(c, "keychain", joined(args))
	case "add-trusted-cert":
		c.Op(umpire.System, Quote("trust add", args), umpire.Persistence|umpire.SkipsCheck)
	case "unlock-keychain", "set-keychain-settings", "set-key-partition-list":
		c.Op(umpire.System, Quote("keychain unlock", args), umpire.Loosened)
	case "authorizationdb":
		if len(args) > 0 && args[0].Text == "write" {
			c.Op(umpire.System, Quote("authorization write", args), umpire.Persistence|umpire.Privilege)
		}
	}
}

func doCredentialHelper(c *Call) {
	switch c.Arg(0).Text {
	case "get", "fill":
		secretRead(c, c.Program, Word{})
	case "erase", "reject":
		secretDelete(c, c.Program, Word{})
	}
}

func doSSHAdd(c *Call) {
	switch {
	case c.Inert():
	case c.Has("-D"):
		c.Op(umpire.System, "secret forget ssh-agent", umpire.Destroy|umpire.Bulk)
	case c.Has("-d"):
		c.Op(umpire.System, Quote("secret forget ssh-agent", c.Operands), umpire.Destroy)
	case c.Has("-s"):
		w, _ := c.Opt("-s")
		c.Op(umpire.Exec, Quote("ssh-add -s", []Word{w}), umpire.LoadsCode)
	}
}

func doSSHKeygen(c *Call) {
	if w, ok := c.Opt("-D"); ok {
		c.Op(umpire.Exec, Quote("ssh-keygen -D", []Word{w}), umpire.LoadsCode)
	}
	if w, ok := c.Opt("-R"); ok {
		c.Op(umpire.System, Quote("known-host delete", []Word{w}), umpire.Destroy)
	}
	if c.Has("-p") && !c.Has("-y") {
		f, _ := c.Opt("-f")
		c.Op(umpire.System, Quote("key passphrase", []Word{f}), umpire.Mutate)
	}
	makesKey(c)
}

// makesKey records the creation of a key pair among the user's own keys, or over an existing key.
func makesKey(c *Call) {
	if c.Inert() || c.Has("-l", "-y", "-p", "-e", "-i", "-c", "-B", "-A", "-H", "-k", "-L", "-Q", "-U") {
		return
	}
	for _, o := range []string{"-F", "-R", "-r", "-D", "-s", "-Y", "-M", "-I"} {
		if _, ok := c.Opt(o); ok {
			return
		}
	}
	f, ok := c.Opt("-f")
	if !ok {
		return // ssh-keygen asks for the name, and again before it overwrites a key
	}
	c.keyAt(f)
}

// keyAt records a new private key that replaces another or joins the user's own.
func (c *Call) keyAt(f Word) {
	_, p := c.Path(f)
	switch {
	case c.Exists(f):
		c.Op(umpire.System, Quote("key overwrite", []Word{f}), umpire.Destroy|umpire.Irreversible)
	case p&umpire.PlaceCredentials != 0 && p&umpire.PlaceInHome != 0 && p&(umpire.PlaceInWorkspace|umpire.PlaceTemp) == 0:
		c.Op(umpire.System, Quote("key create", []Word{f}), umpire.Mutate)
	}
}

// newKey records that a generator writes a private key to a file without a question. A new key in
// the project is everyday work, although its name is that of a credential.
func (c *Call) newKey(f Word) {
	_, p := c.Path(f)
	if !f.Known() || p&umpire.PlaceCredentials == 0 || p&(umpire.PlaceInHome|umpire.PlaceInWorkspace|umpire.PlaceTemp) == 0 || p&umpire.PlaceUmpire != 0 {
		if p&umpire.PlaceNull == 0 {
			c.keyAt(f)
		}
		c.WriteFile(f, umpire.Truncate, Unseen(0))
		return
	}
	c.keyAt(f)
	c.Store(f, Unseen(FromSecret))
}

// doKeygen reads generators that name the key's file with -o or -s.
func doKeygen(c *Call) {
	if c.Inert() || c.Program == "minisign" && !c.Has("-G") || c.Program == "age-keygen" && c.Has("-y") {
		return
	}
	for _, o := range []string{"-o", "-s"} {
		for _, f := range c.All(o) {
			if f.Text != "-" {
				c.newKey(f)
			}
		}
	}
}

func doStealer(c *Call) {
	if c.Inert() {
		return
	}
	c.ReadFile(Lit("~/.ssh/id_rsa"))
	c.Op(umpire.System, "secret dump "+c.Program, umpire.CarriesSecret|umpire.Bulk)
	c.SetOut(Unseen(FromSecret))
}

// doClipboard reads the clipboard, which may contain anything that a person copied.
func doClipboard(c *Call) {
	if c.Program == "pbpaste" || c.Program == "wl-paste" || c.Has("-o") {
		c.SetOut(Unseen(FromUnseen))
	}
}

func doOpenssl(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	sub := c.Operands[0].Text
	for _, o := range []string{"-engine", "-provider", "-provider-path"} {
		if w, ok := c.Opt(o); ok && isPathWord(w.Text) {
			c.Op(umpire.Exec, Quote("openssl", c.Args), umpire.LoadsCode)
		}
	}
	out, toFile := c.Opt("-out")
	t := c.Stdin.Taint
	in, hasIn := c.Opt("-in")
	if !hasIn && (sub == "dgst" || strings.HasPrefix(sub, "sha") || sub == "md5") {
		// A digest reveals nothing about its input.
		c.SetOut(Unseen(0))
		return
	}
	switch sub {
	case "s_client", "s_time":
		opensslClient(c)
		return
	case "s_server":
		c.Op(umpire.Network, "0.0.0.0", umpire.Listen)
		c.SetOut(Unseen(FromNetwork))
		return
	case "ocsp":
		if u, ok := c.Opt("-url"); ok {
			c.Net(u, 0, 0)
		}
		return
	case "enc", "base64", "aes-256-cbc", "aes-128-cbc", "des3", "bf", "rc4", "chacha20", "smime", "cms", "rsautl", "pkeyutl", "zlib":
		if hasIn {
			t |= c.ReadFileTaint(in)
		}
		if c.Has("-d", "-decrypt") {
			t |= FromDecoder
			if c.Stdin.Seen && (sub == "base64" || c.Has("-a", "-base64") && !strings.Contains(sub, "aes")) && !toFile {
				if s, ok := decode64(c.Stdin.Text); ok {
					c.SetOut(Stream{Text: s, Seen: true, Taint: t})
					return
				}
			}
		} else if !hasIn && !toFile && (sub == "base64" || c.Has("-a", "-base64")) {
			c.SetOut(encoded(c.Stdin))
			return
		}
	case "rsa", "pkey", "ec", "dsa", "pkcs8", "pkcs12":
		if hasIn {
			if c.Has("-pubout", "-pubin", "-check", "-noout") && !c.Has("-text") {
				c.SetOut(Unseen(0))
			} else {
				t |= c.ReadFileTaint(in) | FromSecret
			}
		}
	case "x509", "req", "verify", "crl", "version", "ciphers", "rand", "genrsa", "genpkey", "ecparam", "dhparam", "passwd", "speed", "list", "asn1parse", "prime", "gendsa":
		t = 0
		if k, ok := c.Opt("-keyout"); ok {
			c.newKey(k)
		}
		switch {
		case !toFile:
		case sub == "genrsa", sub == "genpkey" && !c.Has("-genparam"), sub == "gendsa", sub == "ecparam" && c.Has("-genkey"):
			c.newKey(out)
			return
		}
	default:
		if hasIn {
			t |= c.ReadFileTaint(in)
		}
	}
	if toFile {
		c.WriteFile(out, umpire.Truncate, Unseen(t))
		return
	}
	if !c.Answered() {
		c.SetOut(Unseen(t))
	}
}

// opensslClient records a connection, which sends standard input and prints the answer.
func opensslClient(c *Call) {
	host, ok := c.Opt("-connect")
	if !ok {
		host, ok = c.Opt("-host")
		if p, has := c.Opt("-port"); ok && has {
			host.Text += ":" + p.Text
		}
	}
	if !ok && len(c.Operands) > 1 {
		host = c.Operands[1]
	}
	up := When(c.Stdin.Pipe && !c.Stdin.Seen, umpire.Upload)
	c.Net(host, up, c.Stdin.Taint)
	c.SetOut(Unseen(FromNetwork))
}

// decode64 decodes base64 in any of its alphabets, as leniently as the programs do.
func decode64(s string) (string, bool) {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r == '\n' || r == '\r' || r == ' ' || r == '\t' || r == '=':
			return -1
		}
		return r
	}, s)
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil && len(b) == 0 {
		return "", false
	}
	return string(b), true
}

func doDecodeFile(c *Call) {
	t := c.Stdin.Taint | FromDecoder
	for _, w := range c.Operands {
		t |= c.ReadFileTaint(w)
	}
	c.SetOut(Unseen(t))
}

// doVault reads HashiCorp Vault: engines, audit devices, secrets.
func doVault(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	all := strings.ToLower(strings.Join(lowers(ops[:min(2, len(ops))]), " "))
	names := ops[min(2, len(ops)):]
	switch {
	case all == "secrets disable", all == "auth disable", all == "namespace delete", all == "kv metadata" && len(ops) > 2 && ops[2].Text == "delete", all == "operator raft", all == "operator migrate":
		if all == "operator raft" && len(ops) > 2 && ops[2].Text != "remove-peer" && ops[2].Text != "snapshot" {
			return
		}
		if all == "operator raft" && len(ops) > 3 && ops[3].Text == "save" {
			return
		}
		c.infra("delete", []string{ops[0].Text}, names, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	case all == "audit disable":
		c.infra("disable", []string{"audit"}, names, umpire.Destroy|umpire.Mutate|umpire.AuditTamper)
	case all == "kv get", strings.HasPrefix(all, "read "), all == "print token", strings.HasPrefix(all, "unwrap"), all == "token create", all == "operator init", all == "operator generate-root":
		if p := strings.ToLower(ops[len(ops)-1].Text); strings.HasPrefix(all, "read ") && (strings.HasPrefix(p, "sys/") && !strings.Contains(p, "raw") || strings.HasPrefix(p, "auth/token/lookup")) {
			return
		}
		c.Taints(FromSecret)
		c.infra("reveal", []string{"secret"}, ops[1:], umpire.CarriesSecret)
	case all == "operator seal", all == "operator rekey", all == "operator rotate", all == "operator step-down", all == "lease revoke", all == "token revoke":
		t := umpire.Destroy | umpire.Mutate
		if c.Has("-prefix", "-force") || all == "operator seal" {
			t |= umpire.Bulk | umpire.Irreversible
		}
		c.infra(ops[1].Text, []string{ops[0].Text}, names, t)
	case ops[0].Text == "write", all == "kv put", all == "kv patch", all == "policy write":
		c.dataArgs()
		c.infra("write", []string{"secret"}, ops[1:], umpire.Mutate)
	case ops[0].Text == "login", ops[0].Text == "status", ops[0].Text == "server", ops[0].Text == "agent", all == "token renew", all == "lease renew":
	default:
		p := readPhrase(ops)
		if p.deed == wording.Destroys || p.deed == wording.Changes {
			c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, p.deed.Traits())
		}
	}
}
