package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// doAWS reads "aws SERVICE VERB-NOUN". The verbs are regular, so a verb that is not known to read
// counts as a change.
func doAWS(c *Call) {
	c.addsContext()
	ops := c.Operands
	if len(ops) < 2 || HasText(c.Args, "--no-execute-changeset") || strings.EqualFold(ops[len(ops)-1].Text, "help") {
		return
	}
	service, verb := strings.ToLower(ops[0].Text), strings.ToLower(ops[1].Text)
	rest := ops[2:]
	if service == "configure" || service == "sso" || service == "login" || service == "logout" {
		c.awsLogin(verb, rest)
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
	noun := wording.Split(verb)
	if len(noun) == 0 {
		return
	}
	v := noun[0]
	i := 1
	if (v == "batch" || v == "bulk" || v == "admin" || v == "force" || v == "schedule") && len(noun) > 1 {
		v, i = noun[1], 2
	}
	res := append([]string{service}, noun[min(i, len(noun)):]...)
	if c.awsSpecial(service, verb, res) {
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
	if i := slices.IndexFunc(c.Args, func(w Word) bool { return w.Text == "--function-name" }); verb == "invoke" && i >= 0 && i+1 < len(c.Args) && c.forDevelopment(c.Args[i+1]) {
		return
	}
	if wording.DeedOf(v) != wording.Destroys {
		c.infra(v, res, rest, c.awsChange(service, verb, v, noun))
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

// awsSpecial reads calls that do more than their verb suggests, and reports whether this is one.
func (c *Call) awsSpecial(service, verb string, res []string) bool {
	switch service + " " + verb {
	case "secretsmanager get-secret-value", "secretsmanager batch-get-secret-value", "sts get-session-token", "sts assume-role", "sts assume-role-with-saml", "sts assume-role-with-web-identity", "sts get-federation-token",
		"iam create-access-key", "iam create-login-profile", "iam create-service-specific-credential", "ec2 get-password-data", "kms decrypt", "kms generate-data-key", "ec2 create-key-pair",
		"codeartifact get-authorization-token", "lightsail download-default-key-pair", "rds generate-db-auth-token", "redshift get-cluster-credentials", "cognito-idp admin-set-user-password":
		c.Taints(FromSecret)
		c.infra("reveal", res, nil, umpire.CarriesSecret)
	case "ssm get-parameter", "ssm get-parameters", "ssm get-parameters-by-path":
		if c.Has("--with-decryption") {
			c.Taints(FromSecret)
			c.infra("reveal", res, nil, umpire.CarriesSecret)
		}
	case "ssm send-command":
		c.remoteCommands()
		c.infra("run", []string{"ssm", "command"}, nil, umpire.Mutate)
	case "kms schedule-key-deletion", "kms disable-key":
		c.infra("delete", []string{"kms", "key"}, nil, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	default:
		return false
	}
	return true
}

// awsChange returns the traits of a call that changes something without destroying it.
func (c *Call) awsChange(service, verb, v string, noun []string) umpire.Trait {
	t := umpire.Mutate
	t |= When(opensToAll(c.Args), umpire.PublicAccess)
	t |= When(adminGrant(c.Args) && (service == "iam" || grants(noun)), umpire.Loosened|umpire.Bulk)
	t |= When(verb == "stop-logging" || verb == "stop-configuration-recorder" || strings.HasPrefix(verb, "disable-security-hub") || verb == "put-event-selectors", umpire.AuditTamper)
	t |= When(verb == "put-bucket-lifecycle-configuration" || verb == "put-lifecycle-configuration", umpire.DataStore)
	t |= When(service == "payment" || verb == "purchase-reserved-instances-offering" || v == "purchase", umpire.Payment)
	return t
}

// awsLogin reads changes and output of the client's own settings, which hold credentials and can
// name a pager.
func (c *Call) awsLogin(verb string, rest []Word) {
	if verb == "get" && len(rest) > 0 && (strings.Contains(rest[0].Text, "secret") || strings.Contains(rest[0].Text, "key") || strings.Contains(rest[0].Text, "token")) || verb == "export-credentials" {
		c.Taints(FromSecret)
		c.infra("reveal", []string{"credentials"}, rest, umpire.CarriesSecret)
	}
	if verb == "set" && len(rest) > 1 && anyof.HasSuffix(rest[0].Text, "cli_pager", "credential_process") {
		c.Shell(rest[1], Run{Traits: HelperTraits(rest[1])})
	}
}

// awsLasting reports whether a resource of AWS keeps data or holds other resources. The last noun
// decides: most resources of a service are settings, even if the service keeps data.
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
		return anyof.Equal(last, "instance", "volume", "snapshot", "fleet", "vpc")
	}
	if anyof.Equal(service, "rds", "dynamodb", "docdb", "neptune", "redshift", "eks", "cloudformation", "organizations", "efs", "fsx", "elasticache", "glacier", "backup", "timestream-write", "keyspaces", "memorydb",
		"dax", "qldb", "lightsail", "elasticbeanstalk", "kafka", "emr", "s3api", "s3control", "opensearch", "es", "workspaces", "cloudhsmv2", "storagegateway", "kinesis", "ecr", "codecommit", "athena", "glue", "cognito-idp", "amplify", "directory-service", "ds", "account", "lakeformation", "redshift-serverless", "dms") {
		if service == "s3api" {
			return last == "bucket" || last == "object" && slices.Contains(noun, "objects")
		}
		return true
	}
	return slices.ContainsFunc(noun, wording.KeepsData) && last != "domain"
}
