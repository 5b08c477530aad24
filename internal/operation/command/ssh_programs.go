// Code generated from programs/ssh.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var sshModels = []Model{
	{Names: "ssh slogin autossh dbclient mosh et sshpass-ssh tsh", Opts: "-B=_ -b=_ -c=_ -D=_ -E=w -e=_ -F=_ -I=_ -i=_ -J=_ -L=_ -l=_ -m=_ -O=_ -o=_ -P=_ -p=_ -Q=_ -R=_ -S=_ -W=_ -w=_ -V+inert -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -v -X -x -Y -y --ssh=P --server=_ -M=_", Style: Strict, Do: doSSH},
	{Names: "sshpass", Opts: "-p=_ -f=_ -d=_ -P=_", Args: "C", Style: Strict},
	{Names: "scp pscp", Opts: "-c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -S=P -X=_ -h+inert -V+inert", Do: doScp},
	{Names: "rsync grsync", Opts: "-e,--rsh=_ --rsync-path=_ -B,--block-size=_ -f,--filter=_ -T,--temp-dir=_ -M,--remote-option=_ --backup-dir=_ --suffix=_ --bwlimit=_ --chmod=_ --chown=_ --compare-dest=_ --copy-dest=_ --link-dest=_ --compress-level=_ --contimeout=_ --timeout=_ --exclude=_ --exclude-from=_ --include=_ --include-from=_ --files-from=_ --iconv=_ --info=_ --debug=_ --log-file=w --log-file-format=_ --max-delete=_ --max-size=_ --min-size=_ --modify-window=_ --out-format=_ --partial-dir=_ --password-file=_ --port=_ --protocol=_ --skip-compress=_ --sockopts=_ --usermap=_ --groupmap=_ --write-batch=w --only-write-batch=w --read-batch=_ --address=_ --checksum-choice=_ --compress-choice=_ --stop-after=_ -n,--dry-run+inert -h+inert --list-only", Do: doRsync},
	{Names: "sftp psftp", Opts: "-B=_ -b=_ -c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -R=_ -S=P -s=_ -X=_", Do: doSftp},
	{Names: "ssh-copy-id", Opts: "-i=_ -p=_ -o=_ -F=_ -n+inert", Do: doSSHCopyID},
	{Names: "ssh-keyscan", Opts: "-f=r -p=_ -t=_ -T=_", Args: "h*"},
	{Names: "sshd", Opts: "-p=_ -f=_ -o=_ -h=_ -E=w -C=_ -c=_ -g=_ -u=_ -t+inert -T+inert -G+inert -V+inert", Do: doSshd},
}
