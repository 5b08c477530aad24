// Code generated from programs/sql.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var sqlModels = []Model{
	{Names: "psql pgcli vsql cockroach-sql edb-psql", Opts: "-c,--command=q -f,--file=_ -d,--dbname=_ -h,--host=_ -p,--port=_ -U,--username=_ -v,--set,--variable=_ -o,--output=w -L,--log-file=w -F,--field-separator=_ -P,--pset=_ -R,--record-separator=_ -T,--table-attr=_ -V+inert -?+inert", Lang: "postgres", Do: doSQLClient},
	{Names: "mysql mariadb mycli mysqlsh tidb-client", Opts: "-e,--execute=q -h,--host=_ -u,--user=_ -p,--password?=_ -P,--port=_ -D,--database=_ -S,--socket=_ --defaults-file=_ --defaults-extra-file=_ --init-command=q --tee=w --pager=P --ssl-ca=_ --default-character-set=_ --protocol=_ --delimiter=_ --sql -f,--file=_ -V+inert -?+inert", Lang: "mysql", Do: doSQLClient},
	{Names: "sqlite3 sqlite litecli sqlite-utils sqlcipher", Opts: "-cmd=q -init=_ -separator=_ -nullvalue=_ -newline=_ -mmap=_ -vfs=_ -header -csv -json -line -list -html -batch -bail -readonly", Style: LongDash, Lang: "sqlite", Do: doSQLite},
	{Names: "duckdb", Opts: "-c=q -s=q -f=_ -init=_ -cmd=q -separator=_ -nullvalue=_", Style: LongDash, Lang: "duckdb", Do: doSQLite},
	{Names: "sqlcmd osql tsql mssql-cli", Opts: "-Q=q -q=q --query=q -i,--input-file=_ -o=w -S=_ -U=_ -P=_ -d=_ -v=_ -H=_ -D=_ -h=_ -s=_ -l=_ -t=_ -w=_", Lang: "mssql", Do: doSQLClient},
	{Names: "sqlplus sqlcl sql rman", Opts: "-s,-S,-silent -L -V,-v+inert", Lang: "oracle", Do: doOracle},
	{Names: "cqlsh cqlsh-astra", Opts: "-e,--execute=q -f,--file=_ -u=_ -p=_ -k,--keyspace=_ --cqlversion=_ --request-timeout=_", Lang: "cql", Do: doSQLClient},
	{Names: "clickhouse-client clickhouse clickhouse-local chc", Opts: "-q,--query=q --queries-file=_ -h,--host=_ --port=_ -u,--user=_ --password=_ -d,--database=_ --format=_", Lang: "clickhouse", Do: doSQLClient},
	{Names: "snowsql snow-sql bteq trino presto trino-cli presto-cli hive beeline impala-shell spark-sql ksql databricks-sql vertica-sql ysqlsh db2 isql isql-fb nzsql dbaccess ij monetdb mclient crash questdb h2 jdbcsql usql dbcli rsql ydb surreal edgedb gel dgraph materialize rqlite", Opts: "-q,-e,-Q,--query,--execute,--command,-c=q -f,--filename,--file=_ -o=_ -u,-n=_ -p=_ -d,--database,--dbname=_ -h,--host,--server=_ -a=_ -w=_ -r=_ -s=_ --catalog=_ --schema=_", Lang: "snowflake", Do: doSQLClient},
	{Names: "cockroach", Opts: "-e,--execute=q -f,--file=_ --url=_ --host=_ --database,-d=_ -u,--user=_ --certs-dir=_", Lang: "postgres", Do: doSQLClient},
	{Names: "influx influxd", Opts: "-execute=q -database=_ -host=_ -port=_ -username=_ -password=_ --org,-o=_ --bucket,-b=_ --token,-t=_ --start=_ --stop=_ --id,-i=_", Style: LongDash, Lang: "influx", Do: doInflux},
	{Names: "cypher-shell", Opts: "-a,--address,--uri=_ -u,--username=_ -p,--password=_ -d,--database=_ -f,--file=_ --format=_ -P,--param=_", Do: doCypher},
}
