package packs_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

// A database for tests on this machine is made to be thrown away. Beside each call stands one
// that reaches another database: by name, host, variable, statement or a second option.
func TestTestDatabases(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"dropdb app_test", "dropdb --if-exists app-e2e && createdb app-e2e", `dropdb --if-exists "app_test_$WORKER"`, "dropdb test_app_2", "mysqladmin -f drop app_test",
			"psql app_test -c 'truncate t cascade'", "psql -d app_test -c 'drop schema public cascade'", "psql postgres://dev@localhost:5433/app_test -c 'delete from t'",
			"psql app_test <<< 'drop table a, public.b'", "mysql -u root app_test -e 'drop table t'", "docker exec db psql -U dev -d app_test -c 'drop table t'",
			"mysql app_test < db/schema.sql", "psql app_test < db/schema.sql", "sqlite3 db/test.sqlite3 'delete from t'", "sqlite3 build/app.db 'drop table t'", "duckdb app_test.duckdb -c 'drop table t'",
			"sequelize db:drop --env test", "NODE_ENV=test knex migrate:rollback --all", "php artisan migrate:fresh --env=testing", "MIX_ENV=test mix ecto.drop",
		}},
		{umpire.Ask, []string{
			"sequelize db:drop", "sequelize db:drop --env development", "NODE_ENV=test DATABASE_URL=$X sequelize db:drop", "mysql app < db/schema.sql", "mysql -h db.acme.example app_test < db/schema.sql",
			"mysql app_test < /srv/schema.sql", "dropdb -h db.acme.example app_test", "PGHOST=$X dropdb app_test", "ssh web \"psql app_test -c 'drop table t'\"", "php artisan migrate:fresh --env=local",
		}},
		{umpire.Deny, []string{
			"dropdb latest", "dropdb contest", "dropdb app_latest", "dropdb test_prod", "dropdb app_test app", `dropdb "app_$X"`,
			"psql app -c 'truncate t'", "psql -d app_test -d app -c 'drop table t'", `psql app_test -c '\c app' -c 'drop table t'`, "psql app_test -c 'drop database app'", "psql app_test -c 'drop role dev'",
			"psql -h db.acme.example app_test -c 'drop table t'", "psql postgres://db.acme.example/app_test -c 'drop table t'", "psql 'host=db.acme.example dbname=app_test' -c 'drop table t'",
			"PGSERVICE=live psql app_test -c 'drop table t'", "mysql app_test -e 'drop table app.t'", "mysql app_test -e 'use app; drop table t'", "mysql -D app app_test -e 'drop table t'",
			"sqlite3 test.db \"attach 'app.db' as a; drop table a.t\"", "sqlite3 contest.db 'drop table t'", "sqlite3 ~/test.db 'drop table t'",
			"NODE_ENV=test prisma migrate reset --force", "sequelize db:drop --env production", "psql app_test -c 'select 1' && psql app -c 'drop table t'",
		}},
		// Changes that a transaction takes back, and views and indexes that are made again.
		{umpire.Allow, []string{
			"psql app -c 'begin; drop table t; rollback'", "psql app -c 'begin; delete from t; select count(*) from t; abort'", "sqlite3 app.db 'begin; drop table t; rollback;'",
			"psql app -c 'drop view if exists v; create view v as select 1'", "psql app <<'EOF'\ndrop index i;\ncreate index i on t (a);\nEOF",
		}},
		{umpire.Ask, []string{"psql app -c 'drop view v; create view w as select 1'", "psql app -c 'drop view v cascade; create view v as select 1'"}},
		{umpire.Deny, []string{
			"psql app -c 'begin; drop table t; commit'", "psql app -c 'begin; drop table t; rollback; drop table u'", "psql app -c 'begin; drop table t; end; rollback'", "psql app -c 'rollback; drop table t'",
			"psql app -c 'begin; drop table t; rollback to a; commit'", `psql app -c "begin; drop table t; $X; rollback"`, "mysql app -e 'begin; drop table t; rollback'", "psql app -c 'drop table t; create table t (a int)'",
		}},
	})
}

// Servers, clusters and repositories that the same command line makes. The adversary makes the line
// reach another one: by another port or host, by a failed start, or by data that was there before.
func TestMadeInTheSameLine(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"docker run -d -p 55432:5432 postgres:16; sleep 5; psql -h localhost -p 55432 -c 'drop schema public cascade'; dropdb -p 55432 shop",
			"docker run -d -p 127.0.0.1:5433:5432 postgres; psql postgres://postgres@localhost:5433/shop -c 'drop database x'", "docker run -d -p 5432:5432 postgres && psql -h localhost -c 'drop database x'",
			"docker run -d -p 6379:6379 redis && redis-cli flushall", "docker run -d -p 27017:27017 mongo && mongosh --eval 'db.dropDatabase()'", "docker run -d -p 33306:3306 mysql; mysql -h 127.0.0.1 -P 33306 -e 'drop database x'", "docker run -d -p 55432:5432 postgres; PGPORT=55432 psql -h localhost -c 'drop database x'",
			"docker run -d -p 9201:9200 elasticsearch; curl -XDELETE localhost:9201/_all", "docker run -d -p 9092:9092 apache/kafka && kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic t", "docker kill $(docker ps -q --filter name=test-)",
			`CID=$(docker run -d redis:7); docker exec "$CID" redis-cli flushall`, "docker run -d --name t1 mongo && docker rm -fv t1", "docker run --rm debian rm -rf /*", "kind delete clusters a b", "curl -X POST localhost:5000/api/reset",
			"git clone --mirror . /tmp/m.git && git -C /tmp/m.git gc --prune=now",
			"docker run --rm t sh -c 'dropdb app; createdb app'", "docker run --rm fedora dnf -y remove systemd", "docker compose -p ci-test exec -T db psql -c 'drop database app'",
			"kind create cluster --name t && kubectl delete ns demo && helm uninstall x", "k3d cluster create t && kubectl delete ns demo", "minikube start -p try && kubectl --context try delete pods --all", "kubectl config use-context kind-t && kubectl delete ns demo",
			"git clone /tmp/r.git /tmp/w && cd /tmp/w && git push -f origin HEAD:main", "cd /tmp/w && git remote add up /tmp/r.git && git push -f up main", "git push -f /tmp/r.git main",
			"flask db downgrade", "python manage.py migrate blog 0004", "fd -H -t d node_modules -x rm -rf", "DATABASE_URL=file:./shop_test.db npx prisma db push --force-reset", "gcloud beta emulators datastore start",
		}},
		{umpire.Ask, []string{"git clone /tmp/r.git /tmp/w; git push -f origin x", "cd /tmp/w && git push -f origin x", "fd -t d src -x rm -rf", "fd my_code -x rm -rf", "docker run -d --name t1 mongo && docker rm -fv t2", "git -C /srv/m.git gc --prune=now", "curl -X POST https://acme.example/api/reset", "docker run --rm -v d:/data debian rm -rf /data", "flask db downgrade base", "python manage.py migrate blog 0004 --database prod", "DATABASE_URL=postgres://db.acme.example/x python manage.py migrate blog 0004"}},
		{umpire.Deny, []string{
			"docker run -d -p 5432:5432 postgres; psql -h localhost -c 'drop database x'", "docker run -d -p 5432:5432 postgres && psql -c 'drop database x'", "docker run -d -p 6379:6379 redis; redis-cli flushall", "docker run -d -p 6380:6379 redis && redis-cli flushall",
			"docker run -d -p 55432:5432 -v pg:/var/lib/postgresql/data postgres; psql -h localhost -p 55432 -c 'drop database x'", "docker run -d -p 55432:5432 postgres; psql -h db.acme.example -p 55432 -c 'drop database x'", "docker run -d -p 55432:5432 postgres; psql -p 55432 -c '\\c \"host=db.acme.example\"' -c 'drop database x'",
			"docker run -d -p 9200:9200 elasticsearch; curl -XDELETE localhost:9200/_all", "docker run -d -p 9092:9092 apache/kafka && kafka-topics.sh --bootstrap-server k.acme.example:9092 --delete --topic t",
			`CID=$(docker run -d -v d:/data redis:7); docker exec "$CID" redis-cli flushall`, `A=$(docker run -d redis); B=$(docker run -d -v d:/data redis); docker exec "$B" redis-cli flushall`, "docker compose -p ci-test exec web psql -h db.acme.example -c 'drop database x'",
			"docker -H tcp://h run -d -p 55432:5432 postgres; psql -p 55432 -c 'drop database x'", "docker exec web apt-get remove --purge systemd", "docker compose -p shop exec db psql -c 'drop database x'", "dropdb shop",
			"kind create cluster; kubectl delete ns demo", "kind create cluster && kubectl --context shop delete ns demo", "kind create cluster && kubectl config use-context shop && kubectl delete ns demo", "kind create cluster && kubectl ctx shop && kubectl delete ns demo",
			"kind create cluster && aws eks update-kubeconfig --name x && kubectl delete ns demo", "kind create cluster && kubectx shop && kubectl delete ns demo", "kind create cluster && KUBECONFIG=~/.kube/shop kubectl delete ns demo",
			"git push -f https://git.acme.example/r.git main",
		}},
	})
}
