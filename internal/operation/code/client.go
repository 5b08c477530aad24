package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// clientCalls are methods of database clients, matched by name on any receiver.
var clientCalls = table{rows: []row{
	{"execute executescript executemany query exec raw rawQuery execSQL mysqli_query unsafe $executeRawUnsafe $queryRawUnsafe exec_query execute_sql pg_query run do prepare multi_query text statement unprepared", clientSQL, "", "", 0},
	{"flushall flushdb flushAll flushDb", clientRedis, "", "", umpire.DataStore},
	{"load_extension loadExtension", clientLoads, "0", "", 0},
	{"dropDatabase drop_database", clientMongo, "0", "dropDatabase", 0},
	{"dropCollection drop_collection", clientMongo, "0", "dropCollection", 0},
	{"deleteMany delete_many", clientMongo, "0", "deleteMany", 0},
	{"drop", clientCollection, "0", "c.drop", 0},
	{"recursiveDelete", clientDrop, "-", "", 0},
	{"drop_all dropAllTables drop_table dropTable dropSchema dropAllSchemas dropTableIfExists dropIfExists drop_schema", clientDrop, "0", "", 0},
}}

// client reads calls of client libraries by their method names: client.deleteIndex("prod"),
// s3.delete_bucket(Bucket="x"), redis.flushall().
func (m *machine) client(c *call) bool {
	if c.recv.isNil() && !strings.Contains(c.ref, ".") {
		return false
	}
	if r := m.clients.row(c.method()); r != nil {
		if _, ok := r.does(m, c, r); ok {
			return true
		}
	}
	return m.deletesRows(c) || m.cloud(c) || m.runsAWS(c)
}

// runsAWS runs the command of the client of AWS that does what a call of an SDK does:
// boto3.client("cloudtrail").stop_logging(Name="x"), new StopLoggingCommand({Name: "x"}). Calls
// that only read, unless they reveal a secret, and those that handle data of an application do not
// count.
func (m *machine) runsAWS(c *call) bool {
	ref, method := strings.ReplaceAll(c.ref, "::", "."), c.method()
	service, ok := "", false
	for _, client := range [...]string{"boto3.client(", "@aws-sdk/client-", "Aws."} {
		if service, ok = strings.CutPrefix(ref, client); ok {
			service = strings.ToLower(service[:max(0, strings.IndexAny(service, ".)"))])
			service = strings.Replace(service, "secrets-manager", "secretsmanager", 1) // @aws-sdk/client-secrets-manager
			break
		}
	}
	operation := hyphens(strings.TrimSuffix(method, "Command"))
	verb, noun, _ := strings.Cut(operation, "-")
	reveals := anyof.Equal(operation, "send-command", "execute-command", "start-session", "get-secret-value", "batch-get-secret-value") ||
		anyof.HasPrefix(operation, "get-parameter") && c.decrypts()
	if !ok || noun == "" || !reveals && !anyof.Equal(verb, "delete", "stop", "disable", "deregister", "detach", "attach", "modify", "authorize", "reset", "put", "create", "update", "schedule", "remove") ||
		anyof.Equal(noun, "object", "item", "record", "records", "events", "metric-data", "log-events", "multipart-upload", "message", "message-batch", "session", "log-stream") {
		return false
	}
	args := []value{lit("aws"), lit(service), lit(operation)}
	if len(c.args) == 0 {
		c.args = []value{c.kw}
	}
	for _, options := range c.args {
		for i, key := range options.keys {
			option, v := "--"+hyphens(key), options.list[i]
			if v.ref == "False" || v.ref == "false" {
				option = "--no-" + hyphens(key)
			}
			args = append(args, lit(option), v)
		}
	}
	m.exec(args, value{})
	return true
}

// decrypts reports whether a call asks for the plain text of a parameter.
func (c *call) decrypts() bool {
	return slices.ContainsFunc(append([]value{c.kw}, c.args...), func(options value) bool {
		return slices.ContainsFunc(options.keys, func(key string) bool {
			plain, _ := options.get(key)
			return hyphens(key) == "with-decryption" && plain.truthy()
		})
	})
}

// hyphens returns a name in lower case, with hyphens between its words: StopLogging, stop_logging.
func hyphens(name string) string {
	var b strings.Builder
	for i, c := range []byte(name) {
		if upper := c >= 'A' && c <= 'Z'; upper && i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
			b.WriteByte('-')
		}
		b.WriteByte(c)
	}
	return strings.ToLower(strings.ReplaceAll(b.String(), "_", "-"))
}

// clientSQL runs a statement that is the last argument, or the first argument before its values.
func clientSQL(m *machine, c *call, _ *row) (value, bool) {
	n := len(c.args)
	return unknown(), n > 0 && m.sqlOn(c.recv, c.args[n-1]) || n > 1 && m.sqlOn(c.recv, c.args[0])
}

func clientRedis(m *machine, c *call, r *row) (value, bool) {
	m.effect(Effect{Kind: SQL, Arg: command.Lit(strings.ToLower(c.method())), Traits: r.traits})
	return unknown(), true
}

// clientLoads loads a library into SQLite.
func clientLoads(m *machine, c *call, r *row) (value, bool) {
	m.effect(Effect{Kind: SQL, Arg: concat(concat(lit("select load_extension('"), c.get(r.first)), lit("')")).word()})
	return unknown(), true
}

// clientMongo runs the method that the row names. Only the emptiness of a filter matters.
func clientMongo(m *machine, c *call, r *row) (value, bool) {
	arg := ""
	switch v := c.get(r.first); {
	case len(c.args) == 0:
	case v.keys == nil:
		arg = v.text()
	case len(v.keys) == 0:
		arg = "{}"
	default:
		arg = "{a:1}"
	}
	m.effect(Effect{Kind: Mongo, Arg: command.Lit("db." + string(r.second) + "(" + arg + ")")})
	return unknown(), true
}

func clientDrop(m *machine, c *call, r *row) (value, bool) {
	name := "all"
	if v := c.get(r.first); len(v.alts) > 0 {
		name = v.text()
	}
	m.effect(Effect{Kind: SQL, Arg: command.Lit("drop table " + name)})
	return unknown(), true
}

// clientCollection drops a collection. Data frames and lists also have a method called drop.
func clientCollection(m *machine, c *call, r *row) (value, bool) {
	if !anyof.Equal(library(c.ref), "pymongo", "motor", "mongodb", "mongoose") {
		return unknown(), false
	}
	return clientMongo(m, c, r)
}

// library returns the first part of the name of the library that a call comes from: @aws-sdk for
// @aws-sdk/client-s3.S3Client().send.
func library(ref string) string {
	if i := strings.IndexAny(ref, "./"); i >= 0 {
		ref = ref[:i]
	}
	return strings.TrimSuffix(ref, "()")
}

// ofService reports whether a name comes from a library whose objects stand for resources of a
// service. Such an object names its resource, and its methods are verbs alone: bucket.delete().
func ofService(ref string) bool {
	return anyof.Equal(library(ref), "boto3", "aioboto3", "boto", "@aws-sdk", "aws-sdk", "google", "googleapiclient", "@google-cloud", "azure", "@azure", "kubernetes", "@kubernetes",
		"pymongo", "motor", "mongodb", "mongoose", "elasticsearch", "opensearchpy", "@elastic", "@opensearch-project", "qdrant_client", "pinecone", "@pinecone-database", "pymilvus", "weaviate",
		"docker", "dockerode", "openstack", "digitalocean", "pydo", "hcloud", "linode_api4", "cloudflare", "github", "gitlab", "@octokit", "octokit", "stripe", "hvac", "firebase_admin", "firebase-admin", "algoliasearch")
}

// onThisMachine reports whether a call names a server of this machine by an option that its library
// obeys, or by its first argument: boto3.client("s3", endpoint_url="http://localhost:4566").
func (c *call) onThisMachine() bool {
	loopback := func(v value) bool {
		return v.written() && len(v.alts) == 1 && place.Parse(v.alts[0]).Class&place.Loopback != 0
	}
	first := anyof.Equal(library(c.ref), "pymongo", "motor", "mongodb", "elasticsearch", "opensearchpy", "qdrant_client")
	byHost := first || anyof.Equal(library(c.ref), "@elastic", "@opensearch-project", "weaviate", "pymilvus")
	for _, options := range append([]value{c.kw}, c.args...) {
		for i, key := range options.keys {
			if key = strings.ToLower(key); i < len(options.list) && (anyof.Equal(key, "endpoint_url", "endpoint") || byHost && anyof.Equal(key, "node", "nodes", "host", "hosts", "url", "uri")) && loopback(options.list[i]) {
				return true
			}
		}
	}
	return first && len(c.args) > 0 && loopback(c.args[0])
}

// cloudNouns name stored resources of services. A method without such a noun does not count:
// removeChild and delete_column belong to data structures.
var cloudNouns = []string{
	"index", "bucket", "database", "db", "cluster", "instance", "stack", "volume", "snapshot", "table", "namespace", "project", "repo", "repository", "user", "key", "secret", "queue", "topic", "function", "hostedzone",
	"zone", "domain", "account", "customer", "collection", "vault", "backup", "app", "droplet", "server", "object", "objects", "deployment", "org", "organization", "team", "record", "alias", "filesystem", "file_system",
	"indices", "dataset", "blob", "hosted_zone", "data_stream", "resource_group", "container", "versions",
}

func cloudNoun(noun string) bool {
	one := strings.TrimSuffix(noun, "s")
	return slices.ContainsFunc(cloudNouns, func(n string) bool {
		return noun == n || one == n || strings.HasSuffix(noun, "_"+n) || strings.HasSuffix(one, "_"+n) || len(n) > 4 && strings.HasSuffix(noun, n)
	})
}

// cloud reads a call of a cloud client that destroys: delete_bucket, terminateInstances.
func (m *machine) cloud(c *call) bool {
	noun := destroyedNoun(strings.TrimPrefix(c.method(), "begin_"))
	t := umpire.Destroy | umpire.Mutate
	if noun == "" && ofService(c.ref) {
		if noun = destroyedResource(c.ref); strings.HasSuffix(noun, "s") {
			t |= umpire.Bulk
		}
	}
	if noun == "" || c.recv.isNil() || c.recv.seq || len(c.recv.alts) > 0 {
		return false
	}
	if len(c.args) > 0 && len(c.args[0].alts) > 0 {
		noun += " " + c.args[0].text()
	} else if len(c.kw.list) > 0 {
		noun += " " + c.kw.list[0].text()
	}
	m.effect(Effect{Kind: Infra, Arg: command.Lit(noun), Traits: t})
	return true
}

// destroyedResource returns the resource that a method called only delete, terminate and so on
// destroys: table for boto3.resource().Table().delete, objects for Bucket().objects.all().delete.
func destroyedResource(ref string) string {
	parts := strings.Split(ref, ".")
	if !anyof.Equal(strings.TrimPrefix(parts[len(parts)-1], "begin_"), "delete", "terminate", "destroy", "purge", "remove", "drop", "prune") {
		return ""
	}
	for _, p := range slices.Backward(parts[1 : len(parts)-1]) {
		noun := strings.ToLower(strings.TrimSuffix(p, "()"))
		for _, verb := range []string{"get", "list"} {
			noun = strings.Trim(strings.TrimPrefix(noun, verb), "_")
		}
		if cloudNoun(noun) {
			return noun
		}
	}
	return ""
}

// destroyedNoun returns the resource that a method destroys according to its name: bucket for
// delete_bucket, or "" if the method destroys no stored resource. The clients of AWS send commands
// that are classes: DeleteBucketCommand.
func destroyedNoun(method string) string {
	if name, ok := strings.CutSuffix(method, "Command"); ok && name != "" {
		method = strings.ToLower(name[:1]) + name[1:]
	}
	for _, verb := range []string{"delete", "terminate", "destroy", "purge", "remove", "drop"} {
		rest, ok := strings.CutPrefix(method, verb)
		if !ok || rest == "" || rest[0] != '_' && (rest[0] < 'A' || rest[0] > 'Z') {
			continue
		}
		if noun := strings.ToLower(strings.Trim(rest, "_")); cloudNoun(noun) {
			return noun
		}
	}
	return ""
}
