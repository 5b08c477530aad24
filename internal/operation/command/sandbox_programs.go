// Code generated from programs/sandbox.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var sandboxModels = []Model{
	{Names: "chroot", Opts: "--userspec=_ --groups=_ -u=_ -g=_ -G=_", Style: Strict, Do: doChroot},
	{Names: "proot", Opts: "-r,--rootfs,-R,-S=_ -b,--bind,-m=_ -w,--pwd,--cwd=_ -q,--qemu=_ -k=_ -i=_ -v=_", Style: Strict, Do: doProot},
	{Names: "systemd-nspawn", Opts: "-D,--directory=_ -M,--machine=_ -u,--user=_ -i,--image=_ --bind=_ --bind-ro=_ -E,--setenv=_ --chdir=_", Style: Strict, Do: doProot},
	{Names: "unshare", Opts: "-m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -U,--user?=_ -C,--cgroup?=_ -T,--time?=_ --map-user=_ --map-group=_ --map-users=_ --map-groups=_ --kill-child?=_ --mount-proc?=_ --mount-binfmt?=_ -R,--root=_ -w,--wd=_ -S,--setuid=_ -G,--setgid=_ --propagation=_ --setgroups=_ --monotonic=_ --boottime=_", Style: Strict, Do: doUnshare},
	{Names: "nsenter", Opts: "-t,--target=_ -m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -C,--cgroup?=_ -U,--user?=_ -T,--time?=_ -S,--setuid=_ -G,--setgid=_ -r,--root?=_ -w,--wd?=_ -W,--wdns=_ -a,--all", Style: Strict, Do: doNsenter},
	{Names: "bwrap", Style: NoOptions, Do: doBwrap},
	{Names: "firejail", Args: "C", Style: Strict | NoInert},
	{Names: "sandbox-exec", Opts: "-f=_ -n=_ -p=_ -D=_", Args: "C", Style: Strict},
	{Names: "systemd-run", Opts: "-d,--same-dir -P,--pipe -t,--pty -q,--quiet -G,--collect -S,--shell -r,--remain-after-exit --scope --user --system --wait --no-block --no-ask-password --send-sighup --ignore-failure -T,--pty-late -H,--host=_ -M,--machine=_ -u,--unit=_ -p,--property=_ --description=_ --slice=_ --service-type=_ --uid=_ --gid=_ --nice=_ --working-directory=_ -E,--setenv=_ --path-property=_ --socket-property=_ --on-active=_ --on-boot=_ --on-startup=_ --on-unit-active=_ --on-unit-inactive=_ --on-calendar=_ --timer-property=_ --background=_", Style: Strict, Do: doSystemdRun},
	{Names: "start-stop-daemon", Opts: "-b,--background -m,--make-pidfile -v,--verbose -q,--quiet -o,--oknodo -C,--no-close -T,--status --remove-pidfile --notify-await -x,--exec=_ -a,--startas=_ -p,--pidfile=_ -n,--name=_ -u,--user=_ -c,--chuid=_ -d,--chdir=_ -s,--signal=_ -R,--retry=_ -N,--nicelevel=_ -P,--procsched=_ -I,--iosched=_ -k,--umask=_ -r,--chroot=_ -g,--group=_ -O,--output=_ --ppid=_ --pid=_ -S,--start -K,--stop -t,--test+inert", Style: Strict, Do: doStartStop},
	{Names: "daemonize", Opts: "-c=_ -e=_ -E=_ -o=_ -p=_ -l=_ -u=_", Args: "C", Style: Strict},
	{Names: "wsl", Opts: "-d,--distribution=_ -u,--user=_ --cd=_ -e,--exec --shell-type=_ --unregister=_", Style: Strict, Do: doWsl},
}
