// Code generated from programs/backup.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var backupModels = []Model{
	{Names: "restic rustic", Opts: "-n,--dry-run+inert -r,--repo=_ -p,--password-file=_ --password-command=c -o=_ --tag=_ --host=_ --keep-last=_ --keep-daily=_ --keep-weekly=_ --keep-monthly=_ --keep-yearly=_ --keep-hourly=_ --keep-within=_ --target,-t=_ --include=_ --exclude=_ --path=_", Do: doBackup},
	{Names: "borg borgmatic kopia duplicity rdiff-backup bup tarsnap duplicacy zbackup attic pgbackrest wal-g barman xtrabackup tmutil timeshift snapper timeshift-cli btrbk sanoid", Opts: "-n,--dry-run+inert --repo=_ -a,--glob-archives=_ --prefix=_ --keep-daily=_ --keep-weekly=_ --keep-monthly=_ --keep-last=_ --rsh=P --stanza=_ --exclude=_ -e=_ --list --stats", Do: doBackup},
}
