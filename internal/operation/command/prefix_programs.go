// Code generated from programs/prefix.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var prefixModels = []Model{
	{Names: "setsid", Opts: "-c,--ctty -f,--fork -w,--wait", Args: "C", Style: Strict},
	{Names: "systemd-inhibit", Opts: "--what=_ --who=_ --why=_ --mode=_ --list+inert --no-pager --no-legend --no-ask-password", Args: "C", Style: Strict},
	{Names: "systemd-cat", Opts: "-t,--identifier=_ -p,--priority=_ --stderr-priority=_ --level-prefix=_ --namespace=_", Args: "C", Style: Strict},
	{Names: "nohup unbuffer eatmydata chronic catchsegv dbus-launch dbus-run-session primusrun prime-run linux32 linux64 i386 x86_64 please rtk noti with-contenv ifne detach nocache chayang", Args: "C", Style: Strict},
	{Names: "time gtime", Opts: "-f,--format=_ -o,--output=w -a,--append -p,--portability -v,--verbose -q,--quiet -l -h", Args: "C", Style: Strict},
	{Names: "caffeinate", Opts: "-t=_ -w=_ -d -i -m -s -u", Args: "C", Style: Strict},
	{Names: "fakeroot", Opts: "-l,--lib=_ --faked=_ -s=_ -i=_ -b=_", Args: "C", Style: Strict},
	{Names: "dumb-init", Opts: "-r,--rewrite=_", Args: "C", Style: Strict},
	{Names: "torsocks torify proxychains proxychains4 proxychains-ng tsocks", Opts: "-f=_ -u,--user=_ -p,--pass=_ -a=_ -P,--port=_", Args: "C", Style: Strict},
	{Names: "rlwrap", Opts: "-b,--break-chars=_ -f,--file=_ -H,--history-filename=_ -s,--histsize=_ -C,--command-name=_ -l,--logfile=w -q=_ -S=_ -t=_ -z,--filter=_ -e=_ -M=_ -m?=_ -p?=_ -P=_ -D=_ -g=_", Args: "C", Style: Strict},
	{Names: "xvfb-run", Opts: "-a,--auto-servernum -l,--listen-tcp -e,--error-file=w -f,--auth-file=_ -n,--server-num=_ -p,--xauth-protocol=_ -s,--server-args=_ -w,--wait=_", Args: "C", Style: Strict},
	{Names: "optirun", Opts: "-b,--backend=_ -C,--config=_", Args: "C", Style: Strict},
	{Names: "cgexec", Opts: "-g=_ --sticky", Args: "C", Style: Strict},
	{Names: "choom", Opts: "-n,--adjust=_ -p,--pid=_", Args: "C", Style: Strict},
	{Names: "nice", Opts: "-n,--adjustment=_", Args: "C", Style: Strict},
	{Names: "ionice", Opts: "-c,--class=_ -n,--classdata=_ -p,--pid=_ -P,--pgid=_ -u,--uid=_ -t,--ignore", Args: "C", Style: Strict},
	{Names: "stdbuf", Opts: "-i,--input=_ -o,--output=_ -e,--error=_", Args: "C", Style: Strict},
	{Names: "timeout gtimeout", Opts: "-s,--signal=_ -k,--kill-after=_ -f,--foreground -p,--preserve-status -v,--verbose", Args: "_ C", Style: Strict},
	{Names: "timelimit", Opts: "-t=_ -T=_ -s=_ -S=_", Args: "C", Style: Strict},
	{Names: "chrt", Opts: "-b,--batch -d,--deadline -f,--fifo -i,--idle -o,--other -r,--rr -a,--all-tasks -R,--reset-on-fork -v,--verbose -T,--sched-runtime=_ -P,--sched-period=_ -D,--sched-deadline=_", Args: "_ C", Style: Strict},
	{Names: "taskset", Opts: "-a,--all-tasks -c,--cpu-list -p,--pid", Args: "_ C", Style: Strict},
	{Names: "numactl", Opts: "-C,--physcpubind=_ -N,--cpunodebind=_ -m,--membind=_ -i,--interleave=_ -p,--preferred=_ -l", Args: "C", Style: Strict},
	{Names: "prlimit", Opts: "-p,--pid=_ -o,--output=_", Args: "C", Style: Strict},
	{Names: "cpulimit", Opts: "-l,--limit=_ -p,--pid=_ -e,--exe=_ -P,--path=_", Args: "C", Style: Strict},
	{Names: "trickle", Opts: "-u=_ -d=_ -w=_ -t=_ -l=_ -n=_ -p=_ -L=_", Args: "C", Style: Strict},
	{Names: "setarch", Style: NoOptions, Do: doSetarch},
	{Names: "arch", Opts: "-arch=_ -d=_ -e=E", Args: "C", Style: Strict | LongDash},
	{Names: "setpriv", Opts: "--ambient-caps=_ --inh-caps=_ --bounding-set=_ --ruid=_ --euid=_ --rgid=_ --egid=_ --reuid=_ --regid=_ --groups=_ --securebits=_ --pdeathsig=_ --selinux-label=_ --apparmor-profile=_", Args: "C", Style: Strict},
	{Names: "tini", Opts: "-p=_ -e=_", Args: "C", Style: Strict},
	{Names: "gosu su-exec setuidgid s6-setuidgid s6-applyuidgid", Style: Strict, Do: doAsUser},
	{Names: "envdir s6-envdir faketime", Opts: "-f=_ -m -p=_", Args: "_ C", Style: Strict},
	{Names: "envuidgid", Args: "_ C", Style: Strict},
	{Names: "softlimit", Opts: "-a=_ -c=_ -d=_ -f=_ -l=_ -m=_ -o=_ -p=_ -r=_ -s=_ -t=_", Args: "C", Style: Strict},
	{Names: "chpst", Opts: "-u=_ -U=_ -b=_ -e=_ -/=_ -n=_ -l=_ -L=_ -m=_ -d=_ -o=_ -p=_ -f=_ -c=_ -C=_", Args: "C", Style: Strict},
	{Names: "valgrind heaptrack memusage ltrace uftrace rr samply hotspot vtune kcov bcov", Opts: "-e=_ -o,--output=w -p=_ -n=_ -s=_ -l,--library=_ -F=_ -x=_ -a=_ -u=_ -c=_ -A=_ -D=_ --event=_ --freq=_", Style: Strict, Do: doProfiler},
	{Names: "perf", Sub: prefixCommands1},
	{Names: "ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld-linux-armhf.so.3 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld.so", Opts: "--library-path=_ --preload=_ --audit=_ --inhibit-rpath=_ --argv0=_ --glibc-hwcaps-prepend=_ --glibc-hwcaps-mask=_", Args: "C", Style: Strict},
	{Names: "busybox toybox", Style: NoOptions, Do: doApplet},
	{Names: "command_not_found_handle", Args: "C", Style: NoOptions},
}

var prefixCommands1 = []Model{
	{Names: "stat record trace top mem lock sched c2c kmem", Opts: "-e,--event=_ -o,--output=w -p,--pid=_ -t,--tid=_ -C,--cpu=_ -F,--freq=_ -c,--count=_ -r,--repeat=_ -I,--interval-print=_ -x=_ -G,--cgroup=_ -D,--delay=_ -m,--mmap-pages=_ -u,--uid=_ -j,--branch-filter=_ --call-graph=_", Args: "C", Style: Strict},
}
