package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// phrase is the command line of a client, split at its verb.
type phrase struct {
	words []string     // the operands up to and including the verb, in lower case
	deed  wording.Deed // of the verb
	rest  []Word       // operands after the verb
}

// readPhrase splits the operands of a client at the verb: the first word that reads or destroys, or
// else the first word that changes. The words after the verb are names.
func readPhrase(ops []Word) (p phrase) {
	change := -1
	for i, w := range ops {
		if i >= 7 {
			break
		}
		low := strings.ToLower(w.Text)
		switch d := wording.DeedIn(w.Text); d {
		case wording.Reads, wording.Destroys:
			if d == wording.Reads && change >= 0 && low != "list" && low != "ls" && low != "show" && low != "get" && low != "describe" && low != "status" {
				continue
			}
			if d == wording.Destroys && change >= 0 && i > change+1 {
				continue // in deploy service reset, reset is a name
			}
			return phrase{lowers(ops[:i+1]), d, ops[i+1:]}
		case wording.Changes:
			if change < 0 {
				change = i
			}
		}
	}
	if change < 0 {
		return phrase{words: lowers(ops)}
	}
	return phrase{lowers(ops[:change+1]), wording.Changes, ops[change+1:]}
}

func lowers(ws []Word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = strings.ToLower(w.Text)
	}
	return out
}

// lasting reports whether the phrase names a resource that keeps data or holds other resources.
func (p phrase) lasting() bool {
	for i, w := range p.words {
		if slices.ContainsFunc(wording.Split(w), wording.KeepsData) {
			return true
		}
		if d, ok := strings.CutPrefix(w, "delete"); ok && wording.KeepsData(d) {
			return true // DeleteInstance
		}
		if i == 0 && len(p.words) == 1 && len(p.rest) > 0 && wording.KeepsData(strings.ToLower(p.rest[0].Text)) {
			return true // verb first: delete cluster NAME
		}
	}
	return false
}

// infra records an operation on remote resources, such as "aws delete s3 bucket NAME", with at most
// eight names. Emulators and clusters on this machine are exempt.
func (c *Call) infra(verb string, object []string, names []Word, t umpire.Trait) {
	if c.emulated() || c.localCluster(t) {
		return
	}
	var b strings.Builder
	b.WriteString(c.Program)
	for _, w := range append([]string{verb}, object...) {
		if w != "" {
			b.WriteByte(' ')
			b.WriteString(w)
		}
	}
	if len(names) > 8 {
		names = names[:8]
	}
	if t&umpire.Destroy != 0 && manyNames(names) {
		t |= umpire.Bulk
	}
	if slices.ContainsFunc(c.Args, func(w Word) bool { return production(w.Text) }) {
		t |= umpire.Production
	}
	c.Op(umpire.Infra, Quote(b.String(), names), t)
}

// emulated reports whether a cloud client talks to an emulator on this machine. Its resources are
// temporary.
func (c *Call) emulated() bool {
	w, ok := c.Opt("--endpoint-url")
	if !ok && c.Program == "aws" {
		w, ok = c.Var("AWS_ENDPOINT_URL")
	}
	return c.Program == "awslocal" || ok && w.Known() && parseAddress(w.Text).local()
}

// production reports whether a name suggests something that real users depend on.
func production(s string) bool {
	for _, p := range wording.Split(strings.TrimLeft(s, "-")) {
		if p == "prod" || p == "production" || p == "prd" || p == "live" {
			return true
		}
	}
	_, value, ok := strings.Cut(s, "=")
	return ok && production(value)
}

// forDevelopment reports whether a name marks a resource as one for development or tests, and no
// word of the call suggests production.
func (c *Call) forDevelopment(name Word) bool {
	return name.Known() && slices.ContainsFunc(wording.Split(name.Text), func(p string) bool {
		return anyof.Equal(p, "dev", "development", "test", "testing", "e2e", "ci", "sandbox", "local")
	}) && !slices.ContainsFunc(c.Args, func(w Word) bool { return production(strings.ReplaceAll(w.Text, "/", "-")) })
}

// manyNames reports whether the operands may name any number of resources.
func manyNames(names []Word) bool {
	return slices.ContainsFunc(names, func(w Word) bool {
		return w.Text == "--all" || w.Text == "*" || strings.HasPrefix(w.Text, umpire.Hole) && w.Taint != 0
	})
}

// doCloud reads the client of a service by the class of its verb.
func doCloud(c *Call) { c.cloud(c.Operands) }

// cloud reads the operands of a service's client by the class of its verb.
func (c *Call) cloud(ops []Word) {
	if c.Program == "vercel" || c.Program == "now" {
		if len(ops) == 0 || ops[0].Text == "." {
			c.infra("deploy", nil, ops, umpire.Mutate)
			return
		}
	}
	if len(ops) == 0 || c.onMachine() {
		return
	}
	if i := strings.LastIndexAny(ops[0].Text, "-/"); i > 0 { // the noun comes first: vol-delete, vmsvc/destroy
		noun, verb := ops[0].Text[:i], ops[0].Text[i+1:]
		if wording.DeedIn(noun) == wording.Unknown && wording.DeedOf(verb) == wording.Destroys || c.Program == "virsh" && wording.DeedIn(noun) == wording.Unknown {
			ops = append([]Word{ops[0].With(verb), ops[0].With(noun)}, ops[1:]...)
		}
	}
	if len(ops) > 2 && anyof.Equal(ops[0].Text, "migration", "migrations") && anyof.Equal(ops[1].Text, "new", "create") { // the name says what it will do
		return
	}
	first := strings.ToLower(ops[0].Text)
	last := strings.ToLower(ops[len(ops)-1].Text)
	if first == "help" || last == "help" {
		return
	}
	c.startsCluster()
	c.addsContext()
	c.dataArgs()
	if c.Program == "wrangler" && c.Has("--local") && !c.Has("--remote", "--env", "-e") { // wrangler's own emulator
		return
	}
	c.statements()
	ops = unfold(ops)
	p := readPhrase(ops)
	c.secrets(p)
	if p.deed == wording.Unknown || p.deed == wording.Reads || localSettings(c.Program, first, p) {
		return
	}
	t := p.deed.Traits()
	verb := p.words[len(p.words)-1]
	if p.deed == wording.Changes && c.purges() {
		t |= umpire.Destroy | umpire.Irreversible
	}
	second := ""
	if len(p.words) > 1 {
		second = p.words[1]
	}
	if p.deed == wording.Changes && onThisMachine(c.Program, first, second) {
		return
	}
	if verb == "down" && (c.Program == "railway" || c.Program == "amplify" || c.Program == "render" || c.Program == "ecs-cli") {
		t |= umpire.Destroy | umpire.Irreversible
	}
	if p.deed == wording.Destroys && c.throwaway(p) {
		return
	}
	c.infra(verb, p.words[:len(p.words)-1], p.rest, c.cloudTraits(p, verb, t))
}

// cloudTraits adds traits to t: how much a call destroys, and who gains access by a change.
func (c *Call) cloudTraits(p phrase, verb string, t umpire.Trait) umpire.Trait {
	if p.deed == wording.Destroys {
		switch {
		case p.mild(c.Program), c.Program == "supabase" && verb == "reset" && !c.Has("--linked", "--db-url"): // resets its own emulator
		case p.lasting(), strings.HasSuffix(verb, "-batch"), c.wholeService(p):
			t |= umpire.Irreversible | umpire.DataStore
		}
		if c.Has("--all", "--recursive", "-r", "-R", "--all-namespaces") {
			t |= umpire.Bulk | umpire.Irreversible
		}
		if ownMachine(c.Program) {
			t &^= umpire.Irreversible
		}
		if p.audit() {
			t |= umpire.AuditTamper
		}
	}
	if p.deed == wording.Changes {
		t |= When(opensToAll(c.Args), umpire.PublicAccess)
		t |= When(adminGrant(c.Args) && grants(p.words), umpire.Loosened|umpire.Bulk)
		t |= When(p.stopsAudit(), umpire.AuditTamper)
	}
	return t
}

// unfold splits words such as apps:destroy and vm.destroy, in which some clients join a group and a
// verb. A name with a colon usually has a slash, a dot or a digit as well, and is left alone.
func unfold(ops []Word) (out []Word) {
	for i, w := range ops {
		if i == 0 && strings.IndexByte(w.Text, '.') > 0 && wording.DeedIn(w.Text[strings.LastIndexByte(w.Text, '.')+1:]) != wording.Unknown {
			for part := range strings.SplitSeq(w.Text, ".") { // govc vm.destroy
				out = append(out, w.With(part))
			}
			continue
		}
		if i < 3 && strings.IndexByte(w.Text, ':') > 0 && w.Known() && !strings.ContainsAny(w.Text, "/.@= 0123456789") && !strings.HasPrefix(w.Text, "arn:") {
			for part := range strings.SplitSeq(w.Text, ":") {
				out = append(out, w.With(part))
			}
			continue
		}
		out = append(out, w)
	}
	return out
}

// statements runs the SQL that a cloud client sends to a database.
func (c *Call) statements() {
	switch c.Program {
	case "wrangler", "turso", "pscale", "planetscale", "supabase", "snow", "databricks", "heroku", "neonctl", "neon", "fly", "flyctl":
	default:
		return
	}
	for i, a := range c.Args {
		name, value, attached := strings.Cut(a.Text, "=")
		switch {
		case attached && (name == "--command" || name == "--query" || name == "--sql"):
			c.Code("sql:", a.With(value), Run{})
		case i > 0 && (c.Args[i-1].Text == "--command" || c.Args[i-1].Text == "--sql" || c.Args[i-1].Text == "--query" || c.Args[i-1].Text == "-q" || c.Args[i-1].Text == "-c"),
			i > 2 && strings.Contains(a.Text, " ") && c.Program == "turso":
			c.Code("sql:", a, Run{})
		}
	}
}

// purges reports whether an option makes a milder verb delete, such as --purge or --delete-x.
func (c *Call) purges() bool {
	for _, a := range c.Args {
		name, value, _ := strings.Cut(strings.TrimLeft(a.Text, "-"), "=")
		if len(a.Text) > 2 && a.Text[0] == '-' && (name == "purge" || strings.HasPrefix(name, "delete-") || name == "delete") && value != "false" {
			return true
		}
	}
	return false
}

// onThisMachine reports whether a change concerns a cluster, emulator or virtual machine on this
// computer.
func onThisMachine(program, first, second string) bool {
	switch program {
	case "minikube", "kind", "k3d", "colima", "limactl", "lima", "orb", "multipass", "tilt", "telepresence", "microk8s", "vcluster", "lxc", "incus", "devspace":
		return true
	case "expo":
		if anyof.Equal(first, "start", "run", "run:ios", "run:android", "prebuild", "install", "doctor", "customize", "lint") {
			return true
		}
	case "supabase":
		return first == "start" || first == "stop" || first == "gen" || first == "migration" || first == "test" || first == "functions" && !strings.HasPrefix(second, "de") || first == "seed"
	case "gcloud":
		return first == "emulators" || second == "emulators"
	case "firebase":
		return first == "emulators" || first == "emulators:start" || first == "serve"
	case "skaffold", "okteto", "garden":
		return first == "dev" || first == "up"
	case "temporal", "prefect": // a server or worker in the foreground
		return strings.HasPrefix(second, "start")
	}
	return false
}

// wholeService reports whether the call concerns a whole project, worker or cluster. For most
// clients the verb then stands alone: vercel rm NAME, wrangler delete.
func (c *Call) wholeService(p phrase) bool {
	switch c.Program {
	case "fastly":
		return slices.Contains(p.words, "service")
	case "vercel", "now", "wrangler", "netlify", "railway", "surge", "koyeb", "eb", "amplify", "amp", "copilot", "convox", "gigalixir", "clever", "cf", "fly", "flyctl", "render", "heroku", "expo", "supabase", "dokku", "virsh", "qm", "pct", "eksctl", "kops", "velero", "multipass", "prlctl", "tart", "lxc", "incus":
		if len(p.words) == 1 {
			return true
		}
		return c.Program == "velero" && slices.Contains(p.words, "backup") || c.Program == "heroku" && p.words[0] == "pg"
	case "az":
		return p.words[0] == "group" || p.words[0] == "aks" || slices.Contains(p.words, "container") && p.words[0] == "storage"
	case "gcloud":
		return p.words[0] == "container" && slices.Contains(p.words, "clusters") || slices.Contains(p.words, "keys") && p.words[0] == "kms"
	case "openstack", "govc":
		return slices.Contains(p.words, "vm.destroy")
	}
	return false
}

// mild reports whether a removal loses no data, although the phrase has a word for stored data: the
// verb is mild, or the target is a setting, a rule or a deployment that can be recreated.
func (p phrase) mild(program string) bool {
	verb := p.words[len(p.words)-1]
	switch verb {
	case "detach", "disassociate", "release", "archive", "cancel", "unset", "clear", "untag", "deregister", "unregister", "unlink", "deactivate":
		return true
	case "kill", "forget", "expire":
		return program != "restic"
	}
	for _, w := range p.words {
		if anyof.Equal(strings.TrimSuffix(w, "s"), "firewall-rule", "rule", "secret", "env", "variable", "var", "tag", "label", "policy", "policie", "webhook", "user", "member", "role", "token", "key-pair", "permission",
			"route", "listener", "target", "alarm", "alert", "monitor", "dashboard", "flag", "segment", "access", "addon", "client", "logging", "config", "setting", "job",
			"certificate", "cert", "image", "function", "topic", "queue", "consumer", "document", "item", "context", "run", "object", "maintenance", "snapshot-location", "cache-policy", "ad", "pubsub", "domain-mapping") {
			return true
		}
	}
	if program == "heroku" && (p.words[0] == "container" || p.words[0] == "repo") || p.words[0] == "admin" || ownMachine(program) {
		return true
	}
	if slices.Contains(p.words, "domain") || slices.Contains(p.words, "domains") {
		return program != "linode-cli" && program != "doctl" && program != "virsh" && program != "aws"
	}
	return program == "apigeecli" && !slices.Contains(p.words, "orgs") && !slices.Contains(p.words, "organizations")
}

// ownMachine reports whether a program manages clusters and virtual machines on this computer only.
func ownMachine(program string) bool {
	return anyof.Equal(program, "minikube", "kind", "k3d", "colima", "limactl", "lima")
}

// audit reports whether the phrase names a record of actions, such as an audit trail.
func (p phrase) audit() bool {
	for _, w := range p.words {
		for _, n := range []string{"trail", "audit", "log-group", "log-stream", "diagnostic-setting", "detector", "flow-log", "configuration-recorder", "sinks", "log-profile", "activity-log", "securityhub", "logging-configuration"} {
			if strings.Contains(w, n) {
				return true
			}
		}
	}
	return slices.Contains(p.words, "logging") && slices.Contains(p.words, "logs")
}

// stopsAudit reports whether the phrase stops the recording of actions.
func (p phrase) stopsAudit() bool {
	verb := p.words[len(p.words)-1]
	return anyof.Equal(verb, "stop-logging", "stop-configuration-recorder", "disable-security-hub", "disable-macie") || strings.HasPrefix(verb, "disable") && p.audit()
}

// localSettings reports whether the call only changes the client's files on this machine, such as
// its configuration and login.
func localSettings(program, first string, p phrase) bool {
	switch first {
	case "config", "configure", "auth", "login", "logout", "completion", "init", "version", "setup", "profile", "local", "dev", "components", "update-check", "autocomplete", "extension", "telemetry", "docs", "upgrade", "update", "cache", "switch", "link", "unlink", "open", "self-update":
		if program == "circleci" && first == "context" || program == "vault" || program == "abctl" {
			return false
		}
		return len(p.words) < 4
	case "plugins", "plugin":
		return p.deed != wording.Destroys
	case "cloud":
		return program == "az" // az cloud set
	case "account":
		return program == "az" && p.words[len(p.words)-1] == "set" || program == "az" && p.words[len(p.words)-1] == "clear"
	}
	return false
}

// secrets records commands that print live credentials.
func (c *Call) secrets(p phrase) {
	all := strings.Join(p.words, " ")
	mint, read := false, false
	switch c.Program {
	case "gcloud":
		mint = anyof.Contains(all, "print-access-token", "print-identity-token", "keys create")
		read = strings.Contains(all, "secrets versions access") || strings.Contains(all, "kms decrypt")
	case "az":
		mint = anyof.Contains(all, "get-access-token", "create-for-rbac", "credential reset")
		read = anyof.Contains(all, "keyvault secret show", "keyvault secret download", "keys list", "list-keys", "credential show", "appsettings list", "get-credentials --admin")
	case "conjur":
		read = strings.HasPrefix(all, "variable get") || strings.HasPrefix(all, "variable value")
	case "doppler", "infisical", "phase", "teller", "berglas":
		read = len(p.words) > 0 && (p.words[0] == "secrets" || p.words[0] == "export" || p.words[0] == "show" || p.words[0] == "access") && p.deed != wording.Destroys && !c.Has("--only-names")
	case "heroku":
		read = len(p.words) > 0 && (p.words[0] == "config" && p.deed != wording.Destroys && p.deed != wording.Changes || all == "auth token" || strings.HasPrefix(all, "pg credentials"))
	case "vercel", "now":
		read = strings.HasPrefix(all, "env pull")
	case "fly", "flyctl":
		mint = strings.HasPrefix(all, "auth token") || strings.HasPrefix(all, "tokens create")
	case "railway":
		read = strings.HasPrefix(all, "variables")
	case "netlify", "ntl":
		read = strings.HasPrefix(all, "env get") || strings.HasPrefix(all, "env list") && c.Has("--plain", "--json") || strings.HasPrefix(all, "env clone")
	case "doctl", "linode-cli", "scw", "oci":
		mint = anyof.Contains(all, "api-key create", "auth-token create", "secret-bundle get", "access-secret")
	case "consul", "nomad":
		read = strings.HasPrefix(all, "acl token read") || strings.HasPrefix(all, "var get")
	case "gh", "eksctl", "doctl-registry":
	default:
		for _, v := range []string{"get-credentials", "get-secret", "reveal-secret", "secret get", "secret show", "secret read", "secret reveal", "secret view", "secret export", "secrets get", "secrets show", "secrets read", "secrets reveal", "secrets export", "secrets download", "secrets pull", "password show", "password get", "token show", "credentials show", "credentials get"} {
			read = read || strings.HasPrefix(all, v)
		}
	}
	if mint || read {
		c.Taints(FromSecret)
		c.infra("reveal", p.words, nil, umpire.CarriesSecret)
	}
}

// dataArgs records the files and secrets that arguments such as --body file://x send away.
func (c *Call) dataArgs() {
	for i, a := range c.Args {
		t := a.Text
		if _, f, ok := strings.Cut(t, "file://"); ok {
			c.sendFile(a.With(f))
			continue
		} else if _, f, ok := strings.Cut(t, "fileb://"); ok {
			c.sendFile(a.With(f))
			continue
		} else if len(t) > 1 && t[0] == '@' && strings.ContainsAny(t[1:], "/.") {
			c.sendFile(a.With(t[1:]))
		} else if a.Taint&(FromSecret|FromEnv) != 0 {
			c.Net(Lit(c.Program), umpire.Upload, a.Taint)
		}
		// A secret file that is not the client's login: --body ~/.ssh/id_rsa.
		name, value, attached := strings.Cut(t, "=")
		if !attached {
			value, name = t, ""
			if i > 0 {
				name = c.Args[i-1].Text
			}
		}
		if strings.HasPrefix(value, "-") || !strings.ContainsAny(value, "/~.") || strings.Contains(value, "://") || !sendsFile(name) {
			continue
		}
		if !strings.HasPrefix(name, "-") && !strings.ContainsAny(value[:1], "/~.") {
			continue // bucket/key
		}
		_, p := c.Path(a.With(value))
		before := lowers(c.Args[:i]) // the words of the command; behind an option, they may be its value
		if slices.ContainsFunc(before, func(w string) bool { return strings.HasPrefix(w, "-") && w != "-f" && w != "--env-file" }) || slices.ContainsFunc(c.Args, func(w Word) bool { return strings.Contains(w.Text, "://") }) {
			before = nil
		}
		switch {
		case p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) == 0:
		case anyof.In(before, "pull", "export", "download"): // vercel env pull .env
			c.WriteFile(a.With(value), 0, Unseen(FromNetwork))
		case p&umpire.PlaceCredentials == 0 && anyof.In(before, "secret", "secrets", "env", "variables", "vars"): // the service keeps secrets
			c.Net(Lit(c.Program), umpire.Upload, 0)
		default:
			c.sendFile(a.With(value))
		}
	}
}

// sendsFile reports whether the client may send the file that a value names: the value is an
// operand, or belongs to an option for data. Other options name resources or the client's login.
func sendsFile(option string) bool {
	if !strings.HasPrefix(option, "-") {
		return true
	}
	return !anyof.Contains(option, "env", "key", "config", "cred", "token") &&
		(anyof.Equal(option, "-f", "-d") || anyof.Contains(option, "body", "file", "source", "data", "content", "payload", "input", "from", "upload", "src"))
}

// sendFile records that a file leaves the machine; "" and "-" are the standard input.
func (c *Call) sendFile(w Word) {
	if w.Text == "" || w.Text == "-" {
		if c.Stdin.Pipe || c.Stdin.Taint != 0 {
			c.Net(Lit(c.Program), umpire.Upload, c.Stdin.Taint)
		}
		return
	}
	p := c.ReadFile(w)
	if t := c.File(w).Taint | placeTaint(p) | treeTaint(p); t != 0 {
		c.Net(Lit(c.Program), umpire.Upload, t)
	}
}

// treeTaint returns FromTree for the home, the root or the workspace as a whole, or 0.
func treeTaint(p umpire.Place) Taint {
	if p&(umpire.PlaceHome|umpire.PlaceRoot|umpire.PlaceWorkspace) != 0 {
		return FromTree
	}
	return 0
}

// remoteCommands reads the shell commands that aws ssm send-command runs on remote machines.
func (c *Call) remoteCommands() {
	for _, a := range c.Args {
		t := a.Text
		i := strings.Index(t, "commands=")
		j := strings.Index(t, `"commands"`)
		if i < 0 && j < 0 {
			continue
		}
		if i >= 0 {
			t = t[i+len("commands="):]
		} else {
			t = strings.TrimLeft(t[j+len(`"commands"`):], ": ")
		}
		t = strings.Trim(t, "[]{}' ")
		for part := range strings.SplitSeq(t, `","`) {
			part = strings.Trim(part, `"' `)
			if part != "" {
				c.Shell(a.With(part), Run{Traits: umpire.Remote})
			}
		}
	}
}

// given reports whether an option was given, and not as --option=false.
func (c *Call) given(name string) bool {
	if !c.Has(name) {
		return false
	}
	v, ok := c.Opt(name)
	return !ok || v.Text != "false" && v.Text != "0" && v.Text != "prompt"
}

// doMoney reads clients that move money: every change may cost something.
func doMoney(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	first := strings.ToLower(ops[0].Text)
	if (first == "get" || first == "post" || first == "delete") && len(ops) > 1 {
		if first != "get" {
			d := wording.Changes
			if first == "delete" {
				d = wording.Destroys
			}
			c.infra(first, nil, ops[1:], d.Traits()|umpire.Payment)
		}
		return
	}
	if anyof.Equal(first, "trigger", "listen", "logs", "samples", "fixtures", "login", "config", "open", "serve", "help", "version", "status", "plugin") {
		return
	}
	p := readPhrase(ops)
	switch {
	case p.deed == wording.Reads:
	case p.deed != wording.Unknown:
		c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, p.deed.Traits()|umpire.Payment)
	case len(ops) > 1 && slices.Contains([]string{"confirm", "capture", "pay", "refund", "charge", "finalize", "void", "payout", "reverse", "close", "mark_uncollectible"}, strings.ToLower(ops[1].Text)):
		c.infra(ops[1].Text, []string{first}, ops[2:], umpire.Mutate|umpire.Payment)
	}
}

// doMessage reads clients that send messages to people.
func doMessage(c *Call) {
	p := readPhrase(c.Operands)
	if p.deed == wording.Unknown || p.deed == wording.Reads {
		return
	}
	c.dataArgs()
	t := p.deed.Traits()
	if p.deed == wording.Changes {
		t |= umpire.Message
	}
	c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, t)
}

// doSplitService reads the client of the feature-flag service Split, whose name is that of the
// program that splits files.
func doSplitService(c *Call) {
	if anyof.Equal(c.Arg(0).Text, "splits", "segments", "environments", "traffic-types", "workspaces") {
		c.cloud(c.Operands)
	}
}

// opensToAll reports whether an argument gives everyone access to something.
func opensToAll(args []Word) bool {
	for _, a := range args {
		t := a.Text
		low := strings.ToLower(t)
		switch {
		case strings.Contains(t, "0.0.0.0/0"), strings.Contains(t, "::/0"), strings.Contains(low, "allusers"), strings.Contains(low, "allauthenticatedusers"),
			strings.Contains(low, "public-read"), strings.Contains(low, "authenticated-users"), low == "--publicly-accessible", low == "--allow-unauthenticated",
			low == "--acl-public":
			return true
		}
		if strings.Contains(low, "principal") {
			flat := strings.Map(func(r rune) rune {
				if r == ' ' || r == '"' || r == '\'' || r == '\\' {
					return -1
				}
				return r
			}, low)
			if anyof.Contains(flat, "principal:*", "principal:{aws:*", "--principal=*") {
				return true
			}
		}
	}
	for i, a := range args {
		if i > 0 && (args[i-1].Text == "--principal" && a.Text == "*" || args[i-1].Text == "--public-access" && a.Text != "off" || args[i-1].Text == "--source-address-prefixes" && (a.Text == "*" || strings.EqualFold(a.Text, "internet"))) {
			return true
		}
	}
	return false
}

// adminGrant reports whether an argument names a role or policy with rights over everything.
func adminGrant(args []Word) bool {
	for _, a := range args {
		low := strings.ToLower(a.Text)
		switch {
		case strings.Contains(low, "administratoraccess"), strings.Contains(low, "roles/owner"), strings.Contains(low, "roles/editor"), strings.Contains(low, "cluster-admin"),
			low == "owner", strings.Contains(low, "roles/iam.securityadmin"), strings.Contains(low, "poweruseraccess"), strings.Contains(low, "iamfullaccess"), low == "contributor":
			return true
		}
		if strings.Contains(low, `"action"`) && strings.Contains(strings.ReplaceAll(low, " ", ""), `"action":"*"`) {
			return true
		}
	}
	return false
}

// grants reports whether the words of a command are about access rights.
func grants(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return anyof.Contains(w, "polic", "role", "iam", "binding", "grant", "member")
	})
}
