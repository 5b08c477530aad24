// Code generated from programs/database-admin.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var databaseAdminModels = []Model{
	{Names: "mysqladmin mariadb-admin", Opts: "-u,--user=_ -h,--host=_ -p,--password?=_ -P,--port=_ -S,--socket=_ -f,--force", Do: doMysqladmin},
	{Names: "dropdb", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ --maintenance-db=_ -f,--force -i,--interactive -V+inert -?+inert", Do: doDropdb},
	{Names: "dropuser droprole", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -V+inert -?+inert", Do: doDropuser},
	{Names: "createdb createuser vacuumdb reindexdb clusterdb pg_isready pgbench", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -d=_", Do: doNothing},
	{Names: "pg_dump pg_dumpall mysqldump mariadb-dump mydumper sqlite3_dump mongoexport pg_basebackup", Opts: "-f,--file=w -r,--result-file=w -o,--out=w -h,--host=_ -p?=_ -U,--username=_ -u,--user=_ -d,--dbname,--db=_ -t,--table=_ -n,--schema=_ -F,--format=_ -j,--jobs=_ -D,--pgdata=_ -P=_ -c,--clean -V+inert -?+inert --uri=_ --collection=_", Do: doDump},
	{Names: "pg_restore mysqlimport mongorestore mongoimport myloader", Opts: "-c,--clean --drop -d,--dbname,--db=_ -h,--host=_ -p=_ -U,--username=_ -u=_ -F,--format=_ -j,--jobs=_ -t,--table=_ -n,--schema=_ -f,--file=_ -l,--list+inert --uri=_ --collection=_ --archive=_ --dryRun+inert -V+inert -?+inert --create,-C -o,--overwrite-tables --nsInclude=_ --nsFrom=_ --nsTo=_", Do: doRestore},
	{Names: "pg_resetwal pg_resetxlog pg_dropcluster initdb pg_ctl pg_ctlcluster pg_upgrade mysqld_safe", Opts: "-n,--dry-run+inert -D=_ --stop -m=_", Do: doPgServer},
}
