package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// clientCalls are methods of database clients, matched by name on any receiver.
var clientCalls = table{rows: []row{
	{"execute executescript executemany query exec raw rawQuery execSQL mysqli_query unsafe $executeRawUnsafe $queryRawUnsafe exec_query execute_sql pg_query run do prepare multi_query text", clientSQL, "", "", 0},
	{"flushall flushdb flushAll flushDb", clientRedis, "", "", umpire.DataStore},
	{"dropDatabase drop_database", clientMongo, "0", "dropDatabase", 0},
	{"dropCollection drop_collection", clientMongo, "0", "dropCollection", 0},
	{"deleteMany delete_many", clientMongo, "0", "deleteMany", 0},
	{"drop_all dropAllTables drop_table dropTable dropSchema dropAllSchemas dropTableIfExists drop_schema", clientDrop, "0", "", 0},
}}

// client reads calls of client libraries by their method names: client.deleteIndex("prod"),
// s3.delete_bucket(Bucket="x"), redis.flushall().
func (m *machine) client(c *call) bool {
	if c.recv.isNil() && !strings.Contains(c.ref, ".") {
		return false
	}
	if r := m.clients.row(c.method()); r != nil {
		_, ok := r.does(m, c, r)
		return ok
	}
	return m.cloud(c)
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

// cloudNouns name stored resources of services. A method without such a noun does not count:
// removeChild and delete_column belong to data structures.
var cloudNouns = []string{
	"index", "bucket", "database", "db", "cluster", "instance", "stack", "volume", "snapshot", "table", "namespace", "project", "repo", "repository", "user", "key", "secret", "queue", "topic", "function", "hostedzone",
	"zone", "domain", "account", "customer", "collection", "vault", "backup", "app", "droplet", "server", "object", "objects", "deployment", "org", "organization", "team", "record", "alias", "filesystem", "file_system",
}

// cloud reads a call of a cloud client that destroys: delete_bucket, terminateInstances.
func (m *machine) cloud(c *call) bool {
	noun := destroyedNoun(c.method())
	if noun == "" || c.recv.isNil() || c.recv.seq || len(c.recv.alts) > 0 {
		return false
	}
	if len(c.args) > 0 && len(c.args[0].alts) > 0 {
		noun += " " + c.args[0].text()
	} else if len(c.kw.list) > 0 {
		noun += " " + c.kw.list[0].text()
	}
	m.effect(Effect{Kind: Infra, Arg: command.Lit(noun), Traits: umpire.Destroy | umpire.Mutate})
	return true
}

// destroyedNoun returns the resource that a method destroys according to its name: bucket for
// delete_bucket, or "" if the method destroys no stored resource.
func destroyedNoun(method string) string {
	for _, verb := range []string{"delete", "terminate", "destroy", "purge", "remove", "drop"} {
		rest, ok := strings.CutPrefix(method, verb)
		if !ok || rest == "" || rest[0] != '_' && (rest[0] < 'A' || rest[0] > 'Z') {
			continue
		}
		noun := strings.ToLower(strings.Trim(rest, "_"))
		if slices.ContainsFunc(cloudNouns, func(n string) bool {
			one := strings.TrimSuffix(noun, "s")
			return noun == n || one == n || strings.HasSuffix(noun, "_"+n) || strings.HasSuffix(one, "_"+n) || len(n) > 4 && strings.HasSuffix(noun, n)
		}) {
			return noun
		}
	}
	return ""
}
