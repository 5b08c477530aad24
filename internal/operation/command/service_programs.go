// Code generated from programs/service.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var serviceModels = []Model{
	{Names: "kill", Style: NoOptions, Do: doKill},
	{Names: "pkill killall killall5 skill xkill taskkill tskill", Opts: "-u,-U,--user,--euid,--uid=_ -s,--signal=_ -g=_ -P=_ -t=_ -f,--full -l,--list -o=_ -y=_ -n -e,--exact -w,--wait", Do: doPkill},
	{Names: "shutdown poweroff reboot halt telinit init systemctl-reboot Stop-Computer", Opts: "-c -k --wtmp-only -t=_ --no-wall", Do: doPower},
	{Names: "loginctl", Do: doLoginctl},
	{Names: "pmset systemsetup", Do: doQuietSystem},
	{Names: "systemctl", Opts: "--image=_ --image-policy=_ --job-mode=_ --kill-who,--kill-whom=_ --kill-value=_ --preset-mode=_ --boot-loader-menu=_ --boot-loader-entry=_ --firmware-setup --message=_ --timestamp=_ --reboot-argument=_ --legend=_ --when=_ --what=_ -P=_ -C,--capsule=_ -H,--host=_ -M,--machine=_ -t,--type=_ -p,--property=_ -n,--lines=_ -o,--output=_ --state=_ -s,--signal=_ --root=_ --user --now --no-pager -a,--all -l,--full -q", Style: Verb, Do: doSystemctl},
	{Names: "service rc-service invoke-rc.d", Do: doService},
	{Names: "sv svc s6-svc supervisorctl monit pm2-system", Do: doSv},
	{Names: "launchctl", Do: doLaunchctl},
	{Names: "update-rc.d chkconfig rc-update insserv", Do: doServiceEnable},
	{Names: "crontab", Opts: "-u=_ -r -l -e -i", Do: doCrontab},
	{Names: "at batch", Opts: "-f=_ -q=_ -t=_ -l -c=_ -d,-r", Do: doAt},
	{Names: "atrm", Do: doAtrm},
	{Names: "anacron atq cronnext rsyslogd syslogd auditd last lastlog who w uptime ps top htop free vmstat iostat ss netstat groups uname lscpu lsblk lsusb lspci df blkid findmnt sensors dmidecode hostid nproc arch-info getconf locale tty pstree"},
	{Names: "journalctl", Opts: "--vacuum-size=_ --vacuum-time=_ --vacuum-files=_ --rotate --flush -u,--unit=_ -n,--lines=_ -S,--since=_ -U,--until=_ -p=_ -o=_ -t=_ -g=_ -D=_ -b?=_", Do: doJournal},
	{Names: "auditctl augenrules", Opts: "-D -e=_ -l -s -w=_ -a=_ -d=_ -k=_ -p=_ -W=_ -R=_", Do: doAuditctl},
	{Names: "wevtutil", Do: doWevtutil},
	{Names: "logrotate", Opts: "-f,--force -s,--state=_ -d,--debug+inert -l,--log=_ -m,--mail=_", Do: doLogrotate},
	{Names: "dmesg", Opts: "-C,--clear -c,--read-clear", Do: doDmesg},
}
