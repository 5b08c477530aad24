// Code generated from programs/store.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var storeModels = []Model{
	{Names: "mongosh mongo", Opts: "--eval=_ -f,--file=_ -u,--username=_ -p,--password=_ --host=_ --port=_ --authenticationDatabase=_ -h+inert", Lang: "mongo", Do: doMongo},
	{Names: "mongodump bsondump mongostat mongotop", Opts: "-o,--out=w --archive?=w --uri=_ -d,--db=_ -c,--collection=_ -h,--host=_ -u=_ -p=_", Do: doNothing},
	{Names: "redis-cli valkey-cli keydb-cli dragonfly-cli iredis redli", Opts: "-h=_ -p=_ -s=_ -a,--pass=_ -u,--uri=_ -n=_ -r=_ -i=_ --user=_ -x -X=_ --eval=_ --cacert=_ --cert=_ --key=_ --rdb=w --pattern=_ --scan --bigkeys --stat --pipe -d=_ --sni=_ -t=_ --cluster=_ --raw --no-auth-warning --tls -c -v+inert", Style: Strict, Do: doRedis},
	{Names: "memcached-tool memccat memcrm memcflush memcstat memcping", Do: doMemcached},
	{Names: "etcdctl", Opts: "--endpoints=_ --cacert=_ --cert=_ --key=_ --user=_ --prefix --from-key --data-dir=_ -w=_", Do: doEtcd},
	{Names: "zkCli.sh zkCli zkcli", Opts: "-server=_", Style: LongDash, Do: doStoreVerb},
	{Names: "kafka-topics kafka-topics.sh kafka-delete-records kafka-delete-records.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-acls kafka-acls.sh kafka-configs kafka-configs.sh kafka-storage kafka-storage.sh kafka-reassign-partitions kafka-reassign-partitions.sh kafka-leader-election kcat kafkacat", Opts: "--bootstrap-server=_ --zookeeper=_ --topic=_ --group=_ --command-config=_ --entity-type=_ --entity-name=_ --add-config=_ --delete-config=_ --partitions=_ --config=_ --offset-json-file=r -b=_ -t=_", Do: doKafka},
	{Names: "rabbitmqctl rabbitmq-diagnostics rabbitmq-plugins", Opts: "-n,--node=_ -p,--vhost=_ -t=_ -q -l", Do: doRabbit},
	{Names: "celery", Opts: "-A,--app=_ -b,--broker=_ --workdir=_ -Q,--queues=_ -f,--force", Do: doCelery},
	{Names: "nodetool", Opts: "-h=_ -p=_ -u=_ -pw=_", Do: doStoreVerb},
}
