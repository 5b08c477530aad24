package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// cloudOpts are the options that the clients of clouds and services share.
const cloudOpts = "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert " +
	"--profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ " +
	"--namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ " +
	"--name,-n=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ " +
	"--force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json"

// cloudModels are the clients of clouds, platforms and hosted services.
var cloudModels = []Model{
	{Names: "aws awslocal", Opts: cloudOpts + " --acl=_ --exclude=_ --include=_ --ca-bundle=_ --cli-binary-format=_ --color=_ --recursive --delete --no-dry-run", Do: doAWS},
	{Names: "gcloud", Opts: cloudOpts + " --quiet --verbosity=_ --flags-file=r --recursive,-r,-R --member=_ --role=_", Do: doGcloud},
	{Names: "gsutil", Opts: "-h=_ -i=_ -u=_ -o=_ -m -q -D -n+inert", Do: doGsutil},
	{Names: "bq", Opts: "--dry_run+inert --project_id=_ --dataset_id=_ --location=_ --format=_ -r,-R,--recursive -f,--force -t,--table -d,--dataset -m,--model -n=_ --destination_table=_ --replace", Do: doBq},
	{Names: "az", Opts: cloudOpts + " --ids=_ --vault-name=_ --source,--pattern=_ --set=_", Do: doCloud},
	{Names: "azcopy", Opts: "--dry-run+inert --recursive?=_ --delete-destination?=_ --log-level=_ --from-to=_ --include-pattern=_ --exclude-pattern=_", Do: doTransfer},
	{Names: "rclone", Opts: "-n,--dry-run+inert -i,--interactive --config=_ --include=_ --exclude=_ --filter=_ --filter-from=_ --files-from=_ --transfers=_ --checkers=_ --bwlimit=_ --min-age=_ --max-age=_ --max-size=_ --min-size=_ --log-file=w --log-level=_ --backup-dir=_ --password-command=c", Do: doTransfer},
	{Names: "mc mcli minio-client", Opts: "--dry-run,--fake+inert -C,--config-dir=_ --older-than=_ --newer-than=_ --attr=_ --limit-upload=_ -r,--recursive --force --remove --dangerous", Do: doTransfer},
	{Names: "s3cmd s4cmd s5cmd", Opts: "-n,--dry-run+inert -c,--config=_ --access_key=_ --secret_key=_ --exclude=_ --include=_ --host=_ --region=_ -m=_ --endpoint-url=_ --profile=_ -r,--recursive -f,--force --delete-removed --acl-public,-P", Do: doTransfer},
	{Names: "ossutil ossutil64 obsutil coscmd coscli b2 qshell upcli gof3r s3fs-cli swift", Opts: "--dryRun,--dry-run+inert -c,--config-file=_ -e,--endpoint=_ -r,--recursive -f,--force", Do: doTransfer},
	{Names: "stripe square paypal braintree adyen plaid chargebee recurly lemonsqueezy razorpay mollie", Opts: cloudOpts + " --api-key=_ -d,--data=_ --live", Do: doMoney},
	{Names: "twilio sendgrid mailgun vonage nexmo messagebird postmark resend courier plivo signalwire", Opts: cloudOpts, Do: doMessage},
	{Names: "vault openbao bao", Opts: "-namespace,-ns=_ -address=_ -token=_ -format=_ -field=_ -mount=_ -path=_ -method=_ -ca-cert=_ -versions=_ -header=_ -policy=_ -ttl=_ -output-curl-string,-output-policy+inert", Style: LongDash, Do: doVault},
	{Names: "conjur bws tsh-secrets keyhub akeyless thycotic", Opts: cloudOpts, Do: doCloud},
	{Names: "virsh", Opts: "-c,--connect=_ --domain=_", Do: doCloud},
	{Names: "qm pct pvesm pvecm pveum vzctl", Do: doCloud},
	{Names: "lxc incus", Opts: "--project=_ -c,--config=_ -p,--profile=_ -s,--storage=_ -n,--network=_", Do: doLXC},
	{Names: "multipass limactl lima colima orb", Opts: "--working-directory,-d=_ --workdir=_ --shell=_ -c,--cpus=_ -m,--memory=_", Do: doLXC},
	{Names: "VBoxManage vboxmanage vmrun prlctl utmctl tart", Do: doCloud},
	{Names: "aliyun oci ibmcloud scw doctl linode-cli linode hcloud vultr-cli vultr exo exoscale civo upctl ovhcloud openstack govc contabo cntb tccli hcloud-cli yc jdc bce huaweicloud hwc " +
		"nova cinder glance neutron swift-cli heat magnum cloudstack cmk nutanix ncli acli esxcli vim-cmd salt-cloud cloudctl " +
		"fly flyctl heroku vercel now netlify ntl railway render supabase firebase wrangler surge koyeb dokku convox eb copilot ecs-cli amplify amp cf platform upsun clever scalingo gigalixir qovery porter deta begin arc nhost appwrite amplify-cli zeet northflank fl0 cleavr ploi forge-cli vapor envoyer kinsta pantheon terminus acli-acquia lagoon shopify expo eas " +
		"circleci drone woodpecker-cli datadog-ci newrelic pd pagerduty opsgenie sentry-cli sentry rollbar honeycomb grafana grafanactl grafana-cli amtool jenkins-cli jenkins-cli.jar jenkins-jobs jcli buildkite-agent bk travis appveyor bitrise codemagic-cli-tools azure-pipelines teamcity concourse " +
		"fastly akamai algolia apigeecli ldcli unleash flipt launchdarkly configcat statsig growthbook optimizely cloudflare cf-terraforming flarectl bunny bunnycdn gandi namecheap dnscontrol octodns route53 cli53 godaddy " +
		"pscale planetscale neonctl neon turso upstash astro databricks confluent ccloud atlas mongocli aiven avn redisctl cockroach-cloud ccloud-cli timescale tigris snow quickwit qdrant pinecone weaviate dbtcloud airbyte abctl prefect dagster temporal tctl " +
		"auth0 okta clerk workos fusionauth kcadm.sh kcadm kcadm.bat keycloak zitadel authentik boundary waypoint " +
		"velero splunk kong deck traefik gitlab-runner gitlab-rake step-ca apisix adc krakend tyk nats rabbitmqadmin pulsar-admin pulsarctl rpk kaf kcat-admin emqx_ctl emqx vernemq mosquitto_ctrl etcdadm consul-admin minikube kind k3d k0s k0sctl kops eksctl kubeadm rke rke2 talosctl clusterctl tkn argo kubectl-argo-rollouts linkerd istioctl cilium calicoctl rancher microk8s vcluster capp kapp ytt-kapp werf skaffold tilt devspace okteto garden telepresence crossplane nomad consul",
		Opts: cloudOpts, Do: doCloud},
}

// phrase is what a client's command line says: the words up to its verb, the verb's
// deed, and what follows.
type phrase struct {
	words []string // lower-case words before and including the verb
	deed  deed
	rest  []Word // operands after the verb
}

// readPhrase finds the verb of a client's command line: the first word that reads or
// destroys, or else the first that changes. What follows it are names.
func readPhrase(ops []Word) (p phrase) {
	change := -1
	for i, w := range ops {
		if i >= 7 {
			break
		}
		low := strings.ToLower(w.Text)
		switch d := deedIn(w.Text); d {
		case deedRead, deedDestroy:
			if d == deedRead && change >= 0 && low != "list" && low != "ls" && low != "show" && low != "get" && low != "describe" && low != "status" {
				continue
			}
			if d == deedDestroy && change >= 0 && i > change+1 {
				continue // deploy service reset: a name
			}
			return phrase{lowers(ops[:i+1]), d, ops[i+1:]}
		case deedChange:
			if change < 0 {
				change = i
			}
		}
	}
	if change < 0 {
		return phrase{words: lowers(ops)}
	}
	return phrase{lowers(ops[:change+1]), deedChange, ops[change+1:]}
}

func lowers(ws []Word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = strings.ToLower(w.Text)
	}
	return out
}

// lasting reports whether the phrase names something that keeps data or holds others.
func (p phrase) lasting() bool {
	for i, w := range p.words {
		for _, n := range splitName(w) {
			if keepsData(n) {
				return true
			}
		}
		if d, ok := strings.CutPrefix(w, "delete"); ok && keepsData(d) {
			return true // DeleteInstance
		}
		if i == 0 && len(p.words) == 1 && len(p.rest) > 0 && keepsData(strings.ToLower(p.rest[0].Text)) {
			return true // verb first: delete cluster NAME
		}
	}
	return false
}

// infra records an operation on remote resources: "aws delete s3 bucket NAME".
func (c *Call) infra(verb string, object []string, names []Word, t umpire.Trait) {
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
	for _, w := range c.Args {
		if production(w.Text) {
			t |= umpire.Production
			break
		}
	}
	c.Op(umpire.Infra, Quote(b.String(), names), t)
}

// production reports whether a name speaks of what real users use.
func production(s string) bool {
	for _, p := range splitName(strings.TrimLeft(s, "-")) {
		if p == "prod" || p == "production" || p == "prd" || p == "live" {
			return true
		}
	}
	return strings.HasSuffix(s, "=prod") || strings.HasSuffix(s, "=production")
}

// manyNames reports whether the operands name an unbounded number of resources.
func manyNames(names []Word) bool {
	for _, w := range names {
		if w.Text == "--all" || w.Text == "*" || strings.HasPrefix(w.Text, umpire.Hole) && w.Taint != 0 {
			return true
		}
	}
	return false
}

// doCloud reads the client of any service by the class of its verb.
func doCloud(c *Call) { c.cloud(c.Operands) }

func (c *Call) cloud(ops []Word) {
	if c.Program == "vercel" || c.Program == "now" {
		if len(ops) == 0 || ops[0].Text == "." {
			c.infra("deploy", nil, ops, umpire.Mutate)
			return
		}
	}
	if len(ops) == 0 {
		return
	}
	if len(ops) > 1 && ops[0].Text == "ssh" && ops[1].Text == "console" {
		for i, a := range c.Args {
			if i > 0 && (c.Args[i-1].Text == "-C" || c.Args[i-1].Text == "--command") {
				c.Shell(a, Run{Traits: umpire.Remote, Out: true})
			}
		}
		return
	}
	first := strings.ToLower(ops[0].Text)
	last := strings.ToLower(ops[len(ops)-1].Text)
	if first == "help" || last == "help" {
		return
	}
	c.dataArgs()
	c.statements()
	ops = unfold(ops)
	p := readPhrase(ops)
	c.secrets(p)
	if p.deed == deedUnknown || p.deed == deedRead {
		return
	}
	if localSettings(c.Program, first, p) {
		return
	}
	t := p.deed.traits()
	verb := p.words[len(p.words)-1]
	if p.deed == deedChange && c.purges() {
		t |= umpire.Destroy | umpire.Irreversible
	}
	if p.deed == deedChange && onThisMachine(c.Program, first) {
		return
	}
	if verb == "down" && (c.Program == "railway" || c.Program == "amplify" || c.Program == "render") {
		t |= umpire.Destroy | umpire.Irreversible
	}
	if p.deed == deedDestroy {
		switch {
		case p.mild(c.Program):
		case p.lasting(), strings.HasSuffix(verb, "-batch"), c.wholeService(p):
			t |= umpire.Irreversible | umpire.DataStore
		}
		if c.Has("--all", "--recursive", "-r", "-R", "--all-namespaces") {
			t |= umpire.Bulk | umpire.Irreversible
		}
		if p.audit() {
			t |= umpire.AuditTamper
		}
	}
	if p.deed == deedChange {
		if opensToAll(c.Args) {
			t |= umpire.PublicAccess
		}
		if adminGrant(c.Args) && grants(p.words) {
			t |= umpire.Loosened | umpire.Bulk
		}
		if p.stopsAudit() {
			t |= umpire.AuditTamper
		}
	}
	c.infra(verb, p.words[:len(p.words)-1], p.rest, t)
}

// unfold splits words such as apps:destroy and kv:bulk, which some clients use for groups
// and verbs. Names with a colon have other marks too, or no verb.
func unfold(ops []Word) (out []Word) {
	for i, w := range ops {
		if i == 0 && strings.IndexByte(w.Text, '.') > 0 && deedIn(w.Text[strings.LastIndexByte(w.Text, '.')+1:]) != deedUnknown {
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

// statements reads SQL that a cloud's client hands to a database there.
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

// purges reports whether an option of a milder verb deletes as well.
func (c *Call) purges() bool {
	for _, a := range c.Args {
		name, value, _ := strings.Cut(strings.TrimLeft(a.Text, "-"), "=")
		if len(a.Text) > 2 && a.Text[0] == '-' && (name == "purge" || strings.HasPrefix(name, "delete-") || name == "delete") && value != "false" {
			return true
		}
	}
	return false
}

// onThisMachine reports whether what is changed is a developer's own cluster, emulator or
// virtual machine.
func onThisMachine(program, first string) bool {
	switch program {
	case "minikube", "kind", "k3d", "colima", "limactl", "lima", "orb", "multipass", "tilt", "telepresence", "microk8s", "vcluster", "lxc", "incus", "devspace":
		return true
	case "supabase":
		return first == "start" || first == "stop" || first == "gen" || first == "migration" || first == "test" || first == "functions" || first == "seed"
	case "firebase":
		return first == "emulators" || first == "emulators:start" || first == "serve"
	case "skaffold", "okteto", "garden":
		return first == "dev" || first == "up"
	}
	return false
}

// wholeService reports whether the verb stands alone and so concerns the whole project
// or worker: vercel rm NAME, wrangler delete.
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

// mild reports whether what is destroyed is a setting, a rule or a deployment that can
// be made anew, though its name holds a word for something that keeps data.
func (p phrase) mild(program string) bool {
	verb := p.words[len(p.words)-1]
	switch verb {
	case "detach", "disassociate", "release", "archive", "cancel", "unset", "clear", "untag", "deregister", "unregister", "unlink", "deactivate":
		return true
	case "kill", "forget", "expire":
		return program != "restic"
	}
	for _, w := range p.words {
		switch strings.TrimSuffix(w, "s") {
		case "firewall-rule", "rule", "secret", "env", "variable", "var", "tag", "label", "policy", "policie", "webhook", "user", "member", "role", "token", "key-pair", "permission",
			"route", "listener", "target", "alarm", "alert", "monitor", "dashboard", "flag", "segment", "access", "addon", "client", "logging", "config", "setting", "job",
			"certificate", "cert", "image", "function", "topic", "queue", "consumer", "document", "item", "context", "run", "object", "maintenance", "snapshot-location", "cache-policy", "ad", "pubsub", "domain-mapping":
			return true
		}
	}
	if program == "heroku" && (p.words[0] == "container" || p.words[0] == "repo") || p.words[0] == "admin" {
		return true
	}
	if program == "minikube" || program == "kind" || program == "k3d" || program == "colima" || program == "limactl" || program == "lima" {
		return true // clusters of one developer's machine
	}
	if slices.Contains(p.words, "domain") || slices.Contains(p.words, "domains") {
		return program != "linode-cli" && program != "doctl" && program != "virsh" && program != "aws"
	}
	return program == "apigeecli" && !slices.Contains(p.words, "orgs") && !slices.Contains(p.words, "organizations")
}

// audit reports whether the phrase destroys the record of what was done.
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

func (p phrase) stopsAudit() bool {
	verb := p.words[len(p.words)-1]
	switch verb {
	case "stop-logging", "stop-configuration-recorder", "disable-security-hub", "disable-macie":
		return true
	}
	return strings.HasPrefix(verb, "disable") && p.audit()
}

// localSettings reports whether the phrase only changes what the client keeps on this
// machine: its own configuration and login.
func localSettings(program, first string, p phrase) bool {
	switch first {
	case "config", "configure", "auth", "login", "logout", "completion", "init", "version", "setup", "profile", "local", "dev", "components", "update-check", "autocomplete", "extension", "telemetry", "docs", "upgrade", "update", "cache", "switch", "link", "unlink", "open", "self-update":
		if program == "circleci" && first == "context" || program == "vault" {
			return false
		}
		return len(p.words) < 4
	case "plugins", "plugin":
		return p.deed != deedDestroy
	case "cloud":
		return program == "az" // az cloud set
	case "account":
		return program == "az" && p.words[len(p.words)-1] == "set" || program == "az" && p.words[len(p.words)-1] == "clear"
	}
	return false
}

// secrets recognises commands that print live credentials.
func (c *Call) secrets(p phrase) {
	all := strings.Join(p.words, " ")
	mint, read := false, false
	switch c.Program {
	case "gcloud":
		mint = strings.Contains(all, "print-access-token") || strings.Contains(all, "print-identity-token") || strings.Contains(all, "keys create")
		read = strings.Contains(all, "secrets versions access") || strings.Contains(all, "kms decrypt")
	case "az":
		mint = strings.Contains(all, "get-access-token") || strings.Contains(all, "create-for-rbac") || strings.Contains(all, "credential reset")
		read = strings.Contains(all, "keyvault secret show") || strings.Contains(all, "keyvault secret download") || strings.Contains(all, "keys list") || strings.Contains(all, "list-keys") ||
			strings.Contains(all, "credential show") || strings.Contains(all, "appsettings list") || strings.Contains(all, "get-credentials --admin")
	case "doppler", "infisical", "phase", "teller", "berglas":
		read = len(p.words) > 0 && (p.words[0] == "secrets" || p.words[0] == "export" || p.words[0] == "show" || p.words[0] == "access") && p.deed != deedDestroy
	case "heroku":
		read = len(p.words) > 0 && (p.words[0] == "config" && p.deed != deedDestroy && p.deed != deedChange || all == "auth token" || strings.HasPrefix(all, "pg credentials"))
	case "vercel", "now":
		read = strings.HasPrefix(all, "env pull")
	case "fly", "flyctl":
		mint = strings.HasPrefix(all, "auth token") || strings.HasPrefix(all, "tokens create")
	case "railway":
		read = strings.HasPrefix(all, "variables")
	case "netlify", "ntl":
		read = strings.HasPrefix(all, "env get")
	case "doctl", "linode-cli", "scw", "oci":
		mint = strings.Contains(all, "api-key create") || strings.Contains(all, "auth-token create") || strings.Contains(all, "secret-bundle get") || strings.Contains(all, "access-secret")
	case "consul", "nomad":
		read = strings.HasPrefix(all, "acl token read") || strings.HasPrefix(all, "var get")
	}
	if mint || read {
		c.Taints(FromSecret)
		c.infra("reveal", p.words, nil, umpire.CarriesSecret)
	}
}

// dataArgs reads the files that options such as --body file://x send away.
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
		// A secret file that is no login of the client's own: --body ~/.ssh/id_rsa.
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
		if _, p := c.Path(a.With(value)); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
			c.sendFile(a.With(value))
		}
	}
}

// sendsFile reports whether a value is an operand, or that of an option that names what
// is sent; other options name resources, or what the client itself logs in with.
func sendsFile(option string) bool {
	if !strings.HasPrefix(option, "-") {
		return true
	}
	if strings.Contains(option, "env") || strings.Contains(option, "key") || strings.Contains(option, "config") || strings.Contains(option, "cred") || strings.Contains(option, "token") {
		return false
	}
	for _, s := range []string{"body", "file", "source", "data", "content", "payload", "input", "from", "upload", "src"} {
		if strings.Contains(option, s) {
			return true
		}
	}
	return option == "-f" || option == "-d"
}

// sendFile records a file that leaves the machine.
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

func treeTaint(p umpire.Place) Taint {
	if p&(umpire.PlaceHome|umpire.PlaceRoot|umpire.PlaceWorkspace) != 0 {
		return FromTree
	}
	return 0
}

// opensToAll reports whether an argument opens something to everybody.
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
			if strings.Contains(flat, "principal:*") || strings.Contains(flat, "principal:{aws:*") || strings.Contains(flat, "--principal=*") {
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

// adminGrant reports whether an argument names rights over everything.
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

func grants(words []string) bool {
	for _, w := range words {
		if strings.Contains(w, "polic") || strings.Contains(w, "role") || strings.Contains(w, "iam") || strings.Contains(w, "binding") || strings.Contains(w, "grant") || strings.Contains(w, "member") {
			return true
		}
	}
	return false
}

// doAWS reads "aws SERVICE VERB-NOUN"; its verbs are regular, so that what does not
// read changes.
func doAWS(c *Call) {
	ops := c.Operands
	if len(ops) < 2 || strings.EqualFold(ops[len(ops)-1].Text, "help") {
		return
	}
	service, verb := strings.ToLower(ops[0].Text), strings.ToLower(ops[1].Text)
	rest := ops[2:]
	if service == "configure" || service == "sso" || service == "login" || service == "logout" {
		if verb == "get" && len(rest) > 0 && (strings.Contains(rest[0].Text, "secret") || strings.Contains(rest[0].Text, "key") || strings.Contains(rest[0].Text, "token")) || verb == "export-credentials" {
			c.Taints(FromSecret)
			c.infra("reveal", []string{"credentials"}, rest, umpire.CarriesSecret)
		}
		return
	}
	if service == "s3" {
		c.objects(verb, rest, "s3://")
		return
	}
	c.dataArgs()
	if verb == "wait" {
		return
	}
	noun := splitName(verb)
	if len(noun) == 0 {
		return
	}
	v := noun[0]
	i := 1
	if (v == "batch" || v == "bulk" || v == "admin" || v == "force" || v == "schedule") && len(noun) > 1 {
		v, i = noun[1], 2
	}
	res := append([]string{service}, noun[min(i, len(noun)):]...)
	switch service + " " + verb {
	case "secretsmanager get-secret-value", "secretsmanager batch-get-secret-value", "sts get-session-token", "sts assume-role", "sts assume-role-with-saml", "sts assume-role-with-web-identity", "sts get-federation-token",
		"iam create-access-key", "iam create-login-profile", "iam create-service-specific-credential", "ec2 get-password-data", "kms decrypt", "kms generate-data-key", "ec2 create-key-pair",
		"codeartifact get-authorization-token", "lightsail download-default-key-pair", "rds generate-db-auth-token", "redshift get-cluster-credentials", "cognito-idp admin-set-user-password":
		c.Taints(FromSecret)
		c.infra("reveal", res, nil, umpire.CarriesSecret)
		return
	case "ssm get-parameter", "ssm get-parameters", "ssm get-parameters-by-path":
		if c.Has("--with-decryption") {
			c.Taints(FromSecret)
			c.infra("reveal", res, nil, umpire.CarriesSecret)
		}
		return
	case "ssm send-command":
		c.remoteCommands()
		c.infra("run", []string{"ssm", "command"}, nil, umpire.Mutate)
		return
	case "kms schedule-key-deletion", "kms disable-key":
		c.infra("delete", []string{"kms", "key"}, nil, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
		return
	}
	switch v {
	case "describe", "get", "list", "head", "lookup", "search", "query", "scan", "select", "filter", "test", "validate", "preview", "estimate", "simulate", "ls", "presign", "receive", "download",
		"check", "detect", "tail", "decode", "verify", "view", "discover", "count", "compare", "is", "retrieve", "export", "login", "evaluate", "synthesize", "translate", "recognize", "analyze", "explain", "poll", "logs", "help", "wizard", "classify":
		return
	case "start":
		if len(noun) > 1 && (noun[1] == "query" || noun[1] == "session" || noun[1] == "live") {
			return
		}
	}
	d := deedOf(v)
	if d != deedDestroy {
		t := umpire.Mutate
		if opensToAll(c.Args) {
			t |= umpire.PublicAccess
		}
		if adminGrant(c.Args) && (service == "iam" || grants(noun)) {
			t |= umpire.Loosened | umpire.Bulk
		}
		if verb == "stop-logging" || verb == "stop-configuration-recorder" || strings.HasPrefix(verb, "disable-security-hub") || verb == "put-event-selectors" {
			t |= umpire.AuditTamper
		}
		if verb == "put-bucket-lifecycle-configuration" || verb == "put-lifecycle-configuration" {
			t |= umpire.DataStore
		}
		if service == "payment" || verb == "purchase-reserved-instances-offering" || v == "purchase" {
			t |= umpire.Payment
		}
		c.infra(v, res, rest, t)
		return
	}
	t := umpire.Destroy | umpire.Mutate
	switch {
	case v == "detach" || v == "disassociate" || v == "deregister" || v == "cancel" || v == "release" || v == "revoke" || v == "untag" || v == "clear":
	case verb == "delete-public-access-block":
		t |= umpire.PublicAccess
	case v == "remove" && len(noun) > 1 && (noun[1] == "permission" || noun[1] == "tags" || noun[1] == "regions"):
	case service == "ecs" || service == "iam" && noun[len(noun)-1] != "account":
	default:
		if awsLasting(service, noun[min(i, len(noun)):]) {
			t |= umpire.Irreversible | umpire.DataStore
		}
	}
	if (phrase{words: []string{service, verb}}).audit() {
		t |= umpire.AuditTamper
	}
	if verb == "terminate-instances" || verb == "delete-objects" {
		t |= umpire.Bulk
	}
	c.infra("delete", res, rest, t)
}

// awsLasting reports whether a resource of AWS keeps data or holds others. Most of a
// service's settings are not its data: the last noun decides.
func awsLasting(service string, noun []string) bool {
	if len(noun) == 0 {
		return false
	}
	last := strings.TrimSuffix(noun[len(noun)-1], "s")
	switch last {
	case "policy", "policie", "tag", "rule", "configuration", "config", "permission", "group", "route", "endpoint", "connection", "package", "association", "attachment", "listener", "set",
		"parameter", "alia", "subscription", "image", "profile", "role", "grant", "limit", "check", "webhook", "trigger", "schedule", "delegation", "pair", "key", "alarm", "authorizer",
		"model", "plan", "website", "cor", "lifecycle", "encryption", "tagging", "analytics", "filter", "job", "template", "certificate", "mapping", "selection", "access", "recorder", "balancer", "pool", "application", "topic", "queue", "service", "function":
		return last == "key" && service == "kms" || last == "set" && service == "cloudformation" || last == "pool" && strings.HasPrefix(service, "cognito") || last == "application" && service == "elasticbeanstalk" || last == "group" && service == "resource-groups" || service == "eks" && last == "nodegroup"
	case "secret":
		return service == "secretsmanager"
	}
	if service == "ec2" {
		switch last {
		case "instance", "volume", "snapshot", "fleet", "vpc":
			return true
		}
		return false
	}
	switch service {
	case "rds", "dynamodb", "docdb", "neptune", "redshift", "eks", "cloudformation", "organizations", "efs", "fsx", "elasticache", "glacier", "backup", "timestream-write", "keyspaces", "memorydb",
		"dax", "qldb", "lightsail", "elasticbeanstalk", "kafka", "emr", "s3api", "s3control", "opensearch", "es", "workspaces", "cloudhsmv2", "storagegateway", "kinesis", "ecr", "codecommit", "athena", "glue", "cognito-idp", "amplify", "directory-service", "ds", "account", "lakeformation", "redshift-serverless", "dms":
		if service == "s3api" {
			return last == "bucket" || last == "object" && slices.Contains(noun, "objects")
		}
		return true
	}
	return slices.ContainsFunc(noun, keepsData) && last != "domain"
}

// remoteCommands reads the shell commands that a cloud runs on its machines.
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

// objects reads the verbs of object stores: cp, mv, sync, rm, rb.
func (c *Call) objects(verb string, ops []Word, schemes ...string) {
	far := func(w Word) bool {
		for _, s := range schemes {
			if strings.HasPrefix(w.Text, s) {
				return true
			}
		}
		return false
	}
	whole := c.Has("--recursive", "-r", "-R", "--delete", "-a")
	switch verb {
	case "rb", "remove-bucket":
		c.infra("delete", []string{"bucket"}, ops, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	case "rm", "del", "delete", "remove":
		t := umpire.Destroy | umpire.Mutate
		for _, w := range ops {
			if strings.Contains(w.Text, "*") {
				whole = true
			}
		}
		if whole {
			t |= umpire.Irreversible | umpire.Bulk | umpire.DataStore
		}
		c.infra("delete", []string{"object"}, ops, t)
	case "mb", "make-bucket":
		t := umpire.Mutate
		if opensToAll(c.Args) {
			t |= umpire.PublicAccess
		}
		c.infra("create", []string{"bucket"}, ops, t)
	case "cp", "copy", "mv", "move", "sync", "rsync", "put", "upload", "moveto", "copyto", "rcat":
		if len(ops) == 0 {
			return
		}
		dst := ops[len(ops)-1]
		srcs := ops[:len(ops)-1]
		toFar := far(dst)
		for _, s := range srcs {
			switch {
			case far(s):
				if verb == "mv" || verb == "move" {
					c.infra("move", []string{"object"}, []Word{s}, umpire.Mutate)
				}
			case s.Text == "-":
				c.Net(dst, umpire.Upload, c.Stdin.Taint)
			default:
				p := c.ReadFile(s)
				c.Net(dst, umpire.Upload, c.File(s).Taint|placeTaint(p)|treeTaint(p))
				if verb == "mv" || verb == "move" {
					c.Delete(s, 0)
				}
			}
		}
		if toFar {
			t := umpire.Mutate | umpire.Overwrite
			if c.Has("--delete", "--delete-excluded", "--delete-removed", "-d") && verb != "cp" {
				t |= umpire.Destroy | umpire.Bulk
			}
			if opensToAll(c.Args) || c.Has("-P") {
				t |= umpire.PublicAccess
			}
			c.infra("upload", []string{"object"}, []Word{dst}, t)
			return
		}
		if len(srcs) > 0 && dst.Text != "-" {
			if verb == "sync" && c.Has("--delete", "--delete-removed") {
				c.Delete(dst, umpire.Recursive)
			}
			c.WriteFile(dst, 0, Unseen(FromNetwork))
		}
		c.Taints(FromNetwork)
	case "website", "setacl", "setpolicy", "setlifecycle", "expire", "dellifecycle", "delpolicy", "accesslog":
		t := umpire.Mutate
		if opensToAll(c.Args) || c.Has("--acl-public", "-P") {
			t |= umpire.PublicAccess
		}
		c.infra(verb, []string{"bucket"}, ops, t)
	case "cat", "get", "download":
		c.Taints(FromNetwork)
	}
}

// doGcloud reads gcloud, whose storage group moves files and whose ssh runs commands.
func doGcloud(c *Call) {
	ops := c.Operands
	for len(ops) > 0 && (ops[0].Text == "alpha" || ops[0].Text == "beta" || ops[0].Text == "preview") {
		ops = ops[1:]
	}
	if len(ops) < 2 {
		return
	}
	switch ops[0].Text {
	case "storage":
		v := ops[1].Text
		if v == "rm" || v == "cp" || v == "mv" || v == "rsync" || v == "cat" {
			if v == "rsync" && c.Has("--delete-unmatched-destination-objects") {
				c.infra("delete", []string{"object"}, ops[2:], umpire.Destroy|umpire.Mutate|umpire.Bulk|umpire.Irreversible|umpire.DataStore)
			}
			c.objects(v, ops[2:], "gs://")
			return
		}
		if len(ops) > 2 && (v == "objects" || v == "folders") && ops[2].Text == "delete" {
			c.objects("rm", ops[3:], "gs://")
			return
		}
	case "compute":
		if ops[1].Text == "ssh" {
			for i, a := range c.Args {
				if v, ok := strings.CutPrefix(a.Text, "--command="); ok {
					c.Shell(a.With(v), Run{Traits: umpire.Remote, Out: true})
				} else if a.Text == "--command" && i+1 < len(c.Args) {
					c.Shell(c.Args[i+1], Run{Traits: umpire.Remote, Out: true})
				} else if a.Text == "--" && i+1 < len(c.Args) {
					c.Exec(c.Args[i+1:], Run{Traits: umpire.Remote, Out: true})
				}
			}
			return
		}
		if ops[1].Text == "scp" {
			for _, w := range ops[2:] {
				if !strings.Contains(w.Text, ":") {
					c.sendFile(w)
				}
			}
			return
		}
	case "sql":
		if len(ops) > 2 && ops[1].Text == "export" {
			return
		}
	}
	// Groups whose names are verbs elsewhere.
	if w := ops[0].Text; w == "deploy" || w == "run" {
		ops = append([]Word{Lit(w + "s")}, ops[1:]...)
	}
	c.cloud(ops)
}

// doGsutil reads gsutil; its recursion is a flag of the verb.
func doGsutil(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	verb, ops := c.Operands[0].Text, c.Operands[1:]
	switch verb {
	case "acl", "defacl", "iam":
		if len(ops) > 0 && ops[0].Text != "get" {
			t := umpire.Mutate
			if opensToAll(c.Args) {
				t |= umpire.PublicAccess
			}
			c.infra(ops[0].Text, []string{verb}, ops[1:], t)
		}
	case "rsync":
		if c.Has("-d") {
			c.infra("delete", []string{"object"}, ops, umpire.Destroy|umpire.Mutate|umpire.Bulk|umpire.Irreversible|umpire.DataStore)
		}
		c.objects(verb, ops, "gs://", "s3://")
	case "setmeta", "rewrite", "compose", "lifecycle", "retention", "versioning", "web", "kms", "cors", "label", "notification", "requesterpays", "ubla", "hmac", "logging":
		if len(ops) > 0 && ops[0].Text != "get" && ops[0].Text != "list" {
			c.infra(verb, []string{"bucket"}, ops, umpire.Mutate)
		}
	default:
		c.objects(verb, ops, "gs://", "s3://")
	}
}

// doBq reads BigQuery's client: rm, and SQL in query.
func doBq(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	ops := c.Operands[1:]
	switch c.Operands[0].Text {
	case "query":
		for _, w := range ops {
			c.Code("sql:bigquery", w, Run{})
		}
		if len(ops) == 0 && c.Stdin.Pipe {
			c.Script("sql:bigquery", c.Stdin, Run{Via: c.Program, Traits: c.Traits})
		}
	case "rm":
		c.infra("delete", []string{"bigquery"}, ops, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	case "load", "cp", "mk", "update", "insert", "import", "truncate", "undelete", "add-iam-policy-binding", "set-iam-policy":
		t := umpire.Mutate
		if c.Has("--replace") || c.Operands[0].Text == "truncate" {
			t |= umpire.Destroy | umpire.DataStore | umpire.Irreversible
		}
		if opensToAll(c.Args) {
			t |= umpire.PublicAccess
		}
		c.infra(c.Operands[0].Text, []string{"bigquery"}, ops, t)
	}
}

// doTransfer reads programs that copy to and from object stores.
func doTransfer(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	verb, ops := c.Operands[0].Text, c.Operands[1:]
	far := func(w Word) bool {
		t := w.Text
		if strings.Contains(t, "://") {
			return true
		}
		switch c.Program {
		case "mc", "mcli", "minio-client":
			return !strings.HasPrefix(t, "/") && !strings.HasPrefix(t, ".") && !strings.HasPrefix(t, "~") && strings.Contains(t, "/")
		case "rclone":
			return strings.Contains(t, ":")
		}
		return false
	}
	gone := umpire.Destroy | umpire.Mutate | umpire.Irreversible | umpire.DataStore | umpire.Bulk
	switch verb {
	case "copy", "copyto", "sync", "bisync", "move", "moveto", "cp", "mv", "mirror", "put", "upload", "rcat", "copyurl", "dedupe":
		if len(ops) == 0 {
			return
		}
		dst := ops[len(ops)-1]
		for _, s := range ops[:len(ops)-1] {
			if far(s) {
				if strings.HasPrefix(verb, "m") && verb != "mirror" {
					c.infra("move", []string{"object"}, []Word{s}, umpire.Mutate)
				}
				continue
			}
			if strings.HasPrefix(s.Text, "-") {
				continue
			}
			p := c.ReadFile(s)
			c.Net(dst, umpire.Upload, c.File(s).Taint|placeTaint(p)|treeTaint(p))
			if verb == "move" || verb == "moveto" || verb == "mv" {
				c.Delete(s, umpire.Recursive)
			}
		}
		if verb == "rcat" {
			c.Net(dst, umpire.Upload, c.Stdin.Taint)
		}
		t := umpire.Mutate | umpire.Overwrite
		if c.Has("--remove", "--delete-removed", "--delete") || c.given("--delete-destination") {
			t |= gone
		}
		if c.Has("--acl-public", "-P") || opensToAll(c.Args) {
			t |= umpire.PublicAccess
		}
		switch {
		case far(dst) || verb == "dedupe":
			c.infra(verb, []string{"object"}, ops, t)
		case c.Program == "rclone" && (verb == "sync" || verb == "move" || verb == "bisync"):
			c.Delete(dst, umpire.Recursive)
			c.WriteFile(dst, 0, Unseen(FromNetwork))
		default:
			c.WriteFile(dst, 0, Unseen(FromNetwork))
		}
	case "purge", "rb":
		c.infra("delete", []string{"bucket"}, ops, gone)
	case "delete", "rm", "remove", "del", "deletefile", "rmdir", "rmdirs", "cleanup":
		t := umpire.Destroy | umpire.Mutate
		star := slices.ContainsFunc(ops, func(w Word) bool { return strings.Contains(w.Text, "*") })
		if c.Program == "rclone" && verb == "delete" || c.Has("--recursive", "-r", "--dangerous") || c.given("--recursive") || star {
			t = gone
		}
		if c.Program == "rclone" {
			for _, w := range ops {
				if !far(w) {
					c.Delete(w, umpire.Recursive)
				}
			}
		}
		c.infra("delete", []string{"object"}, ops, t)
	case "cat", "get", "download":
		c.Taints(FromNetwork)
	case "config":
		if len(ops) > 0 && (ops[0].Text == "show" || ops[0].Text == "dump") {
			c.Taints(FromSecret)
			c.infra("reveal", []string{"config"}, nil, umpire.CarriesSecret)
		}
	case "serve":
		c.Op(umpire.Network, "localhost", umpire.Listen)
	case "anonymous", "policy", "share":
		if opensToAll(c.Args) || slices.ContainsFunc(ops, func(w Word) bool { return w.Text == "public" || w.Text == "download" || w.Text == "upload" }) && len(ops) > 0 && ops[0].Text == "set" {
			c.infra("open", []string{"bucket"}, ops, umpire.Mutate|umpire.PublicAccess)
		}
	case "link":
		c.infra("open", []string{"object"}, ops, umpire.Mutate|umpire.PublicAccess)
	default:
		c.cloud(c.Operands)
	}
}

// given reports whether an option was given and not switched off.
func (c *Call) given(name string) bool {
	if !c.Has(name) {
		return false
	}
	v, ok := c.Opt(name)
	return !ok || v.Text != "false" && v.Text != "0" && v.Text != "prompt"
}

// doMoney reads clients that move money: whatever changes something may cost.
func doMoney(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	first := strings.ToLower(ops[0].Text)
	if (first == "get" || first == "post" || first == "delete") && len(ops) > 1 {
		if first != "get" {
			d := deedChange
			if first == "delete" {
				d = deedDestroy
			}
			c.infra(first, nil, ops[1:], d.traits()|umpire.Payment)
		}
		return
	}
	switch first {
	case "trigger", "listen", "logs", "samples", "fixtures", "login", "config", "open", "serve", "help", "version", "status", "plugin":
		return
	}
	p := readPhrase(ops)
	switch {
	case p.deed == deedRead:
	case p.deed != deedUnknown:
		c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, p.deed.traits()|umpire.Payment)
	case len(ops) > 1 && slices.Contains([]string{"confirm", "capture", "pay", "refund", "charge", "finalize", "void", "payout", "reverse", "close", "mark_uncollectible"}, strings.ToLower(ops[1].Text)):
		c.infra(ops[1].Text, []string{first}, ops[2:], umpire.Mutate|umpire.Payment)
	}
}

// doMessage reads clients that write to people.
func doMessage(c *Call) {
	p := readPhrase(c.Operands)
	if p.deed == deedUnknown || p.deed == deedRead {
		return
	}
	c.dataArgs()
	t := p.deed.traits()
	if p.deed == deedChange {
		t |= umpire.Message
	}
	c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, t)
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
		if p.deed == deedDestroy || p.deed == deedChange {
			c.infra(p.words[len(p.words)-1], p.words[:len(p.words)-1], p.rest, p.deed.traits())
		}
	}
}

// doLXC reads machine managers that also run commands inside.
func doLXC(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	switch c.Operands[0].Text {
	case "exec", "shell", "ssh", "run":
		rest := c.Operands[min(2, len(c.Operands)):]
		for len(rest) > 0 && (rest[0].Text == "--" || strings.HasPrefix(rest[0].Text, "-")) {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			c.Exec(rest, Run{Traits: umpire.Container, Out: true})
		}
		return
	case "config":
		all := strings.Join(lowers(c.Operands), " ")
		if strings.Contains(all, "security.privileged") || strings.Contains(all, "device add") && strings.Contains(all, "source=/") {
			c.infra("mount-host", nil, c.Operands, umpire.Mutate|umpire.HostAccess)
		}
		return
	case "file", "push", "transfer":
		return
	}
	c.cloud(c.Operands)
}

// doSplitService reads the client of a feature-flag service that shares its name with the
// program that cuts files.
func doSplitService(c *Call) {
	switch c.Arg(0).Text {
	case "splits", "segments", "environments", "traffic-types", "workspaces":
		c.cloud(c.Operands)
	}
}
