package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// libraryCalls are calls of libraries that do what a program does. They are read as the command
// line of that program, so that its description and its rules apply to them, too.
var libraryCalls = table{rows: []row{
	{"fabric/run fabric/sudo paramiko/exec_command asyncssh/run ssh2/exec node-ssh/execCommand", runsProgram, "0 command cmd", "ssh " + umpire.Hole, 0},
	{"git/* simple-git/*", gitRuns, "", "", 0},
	{"docker/run docker/create", dockerRuns, "0 image", "1 command", 0},
	{"slack_sdk/chat_postMessage slack_sdk/files_upload_v2 @slack/web-api/postMessage", messages, "", "slack.com:443", umpire.Message},
	{"twilio/create", messages, "", "api.twilio.com:443", umpire.Message},
	{"sendgrid/send @sendgrid/mail/send", messages, "", "api.sendgrid.com:443", umpire.Message},
	{"nodemailer/sendMail", messages, "", "smtp:25", umpire.Message},
	{"boto3/send_email boto3/send_raw_email", messages, "", "email.amazonaws.com:443", umpire.Message},
	{"hvac/read_secret hvac/read_secret_version hvac/read_configuration hvac/read", runsProgram, "0 path", "vault kv get", 0},
	{"hvac/delete hvac/delete_secret hvac/delete_latest_version_of_secret", runsProgram, "0 path", "vault kv delete", 0},
	{"hvac/delete_metadata_and_all_versions hvac/destroy_secret_versions hvac/delete_secret_versions", runsProgram, "0 path", "vault kv metadata delete", 0},
	{"google/access_secret_version @google-cloud/secret-manager/accessSecretVersion", runsProgram, "0 name", "gcloud secrets versions access latest --secret", 0},
	{"azure/get_secret @azure/keyvault-secrets/getSecret", runsProgram, "0 name", "az keyvault secret show --name", 0},
	{"django/call_command */call_command", runsProgram, "0", "manage.py", 0},
	{"stripe/create", pays, "", "api.stripe.com:443", umpire.Payment},
}}

// runsProgram runs the program in the row with an argument of the call.
func runsProgram(m *machine, c *call, r *row) (value, bool) {
	var args []value
	for w := range strings.FieldsSeq(string(r.second)) {
		args = append(args, lit(w))
	}
	return m.exec(append(args, c.get(r.first)), value{}), true
}

// gitRuns runs git: GitPython's repo.git.push("--force") and remote.push(force=True), and
// simple-git's git.push(["--force"]).
func gitRuns(m *machine, c *call, _ *row) (value, bool) {
	method := c.method()
	proxy := library(c.ref) == "simple-git" && strings.Contains(c.ref, ".") && !strings.EqualFold(method, "simpleGit") || strings.Contains(c.ref, ".git.")
	if !proxy && (method != "push" || !strings.Contains(c.ref, ".remote")) {
		return unknown(), false
	}
	args := []value{lit("git")}
	if method != "raw" {
		args = append(args, lit(strings.ReplaceAll(method, "_", "-")))
	}
	for _, options := range append([]value{c.kw}, c.args...) {
		for i, key := range options.keys {
			switch {
			case i < len(options.list) && options.list[i].ref == "False":
			case strings.HasPrefix(key, "-"):
				args = append(args, lit(key))
			default:
				args = append(args, lit(strings.Repeat("-", min(len(key), 2))+strings.ReplaceAll(key, "_", "-")))
			}
		}
		if options.keys == nil {
			args = append(args, options)
		}
	}
	return m.exec(args, value{}), true
}

// dockerRuns starts a container: client.containers.run("alpine", "ls", volumes={"/": {"bind": "/h"}}).
func dockerRuns(m *machine, c *call, r *row) (value, bool) {
	if !strings.Contains(c.ref, "containers.") {
		return unknown(), false
	}
	args := []value{lit("docker"), lit("run")}
	for i, key := range c.kw.keys {
		v := c.kw.list[i]
		switch key {
		case "volumes":
			for j, x := range v.list {
				if v.keys != nil {
					bind, _ := x.get("bind")
					x = concat(lit(v.keys[j]+":"), bind)
				}
				args = append(args, lit("-v"), x)
			}
		case "privileged":
			if v.ref != "False" {
				args = append(args, lit("--privileged"))
			}
		case "pid_mode", "network_mode":
			args = append(args, lit("--"+strings.TrimSuffix(key, "_mode")), v)
		case "cap_add", "devices":
			for _, x := range v.items() {
				args = append(args, lit("--"+strings.TrimSuffix(strings.ReplaceAll(key, "_", "-"), "s")), x)
			}
		}
	}
	args = append(args, c.get(r.first))
	if cmd := c.get(r.second); cmd.seq {
		args = append(args, cmd)
	} else if len(cmd.alts) > 0 {
		args = append(args, lit("sh"), lit("-c"), cmd)
	}
	return m.exec(args, value{}), true
}

// messages sends a message to people by the service that the row names.
func messages(m *machine, _ *call, r *row) (value, bool) {
	m.effect(Effect{Kind: Network, Arg: command.Lit(string(r.second)), Traits: r.traits})
	return unknown(), true
}

// pays moves money: stripe.Refund.create, stripe.charges.create.
func pays(m *machine, c *call, r *row) (value, bool) {
	ref := strings.ToLower(c.ref)
	if !anyof.Contains(ref, "refund", "charge", "payout", "transfer", "paymentintent", "invoice", "subscription") {
		return unknown(), false
	}
	return messages(m, c, r)
}

// deletesRows reads the deletion of rows by a mapper of objects: User.objects.all().delete() of
// Django, User.destroy({where: {}}) of Sequelize, knex("users").del().
func (m *machine) deletesRows(c *call) bool {
	ref, method := strings.ReplaceAll(c.ref, "::", "."), c.method()
	where := anyof.Contains(ref, ".filter()", ".filter_by()", ".where()", ".get()", ".first()", ".find()", ".eq()", ".match()", ".in_()")
	switch method {
	case "delete_all", "destroy_all": // of Rails, and Repo.delete_all of Ecto
		where = where || strings.Contains(ref, ".where") || len(c.kw.keys) > 0
		if m.l.is("julia") { // Repo.delete_all(User) of Ecto; a query has more arguments, or comes from a pipe
			table := c.arg(0).ref
			where = len(c.args) != 1 || table == "" || table[0] < 'A' || table[0] > 'Z'
		}
	case "find_each", "each", "in_batches", "each_entry": // User.find_each(&:destroy)
		if !anyof.Equal(strings.Trim(c.arg(0).text(), ":&"), "destroy", "destroy!", "delete") {
			return false
		}
	case "delete", "del", "truncate":
		if m.l.is("php") && anyof.Contains(ref, ".all().each", ".query().") {
			break
		}
		if !anyof.Contains(ref, ".objects.", ".query.", ".query().") && library(ref) != "knex" && !(m.l.is("php") && method == "truncate") && !strings.HasPrefix(strings.ToLower(ref), "db.table().") {
			return false
		}
	case "execute", "neq", "gt", "gte": // User.delete().execute() of peewee; .delete().neq("id", 0) deletes all rows in Supabase
		if !strings.Contains(ref, ".delete()") || ofService(ref) {
			return false
		}
	case "destroy":
		options := c.arg(0)
		filter, given := options.get("where")
		all, _ := options.get("truncate")
		if !given && all.ref != "True" {
			return false
		}
		where = all.ref != "True" && !(filter.keys != nil && len(filter.keys) == 0)
	case "sync", "synchronize":
		if force, _ := c.arg(0).get("force"); force.ref != "True" && (method == "sync" || c.arg(0).ref != "True") {
			return false
		}
		m.effect(Effect{Kind: SQL, Arg: command.Lit("drop table all")})
		return true
	default:
		return false
	}
	query := c.recv
	for query.recv != nil && len(query.list) == 0 {
		query = *query.recv
	}
	if len(query.list) == 1 && strings.Contains(ref, ".where") { // every row may meet the condition: 1=1
		m.effect(Effect{Kind: SQL, Arg: concat(lit("delete from rows where "), query.list[0]).word()})
		return true
	}
	filter := "{}"
	if where {
		filter = "{a:1}"
	}
	m.effect(Effect{Kind: Mongo, Arg: command.Lit("db.rows.deleteMany(" + filter + ")")})
	return true
}
