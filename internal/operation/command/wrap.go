package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// wrapperModels are the programs that run another program named by their operands. An
// attacker puts them before a command because guards look at the first word, so each
// needs its option grammar: a wrong arity makes an option's value the program.
var wrapperModels = []Model{
	// Plain prefixes: options, then the command.
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
	{Names: "taskset", Opts: "-a,--all-tasks -c,--cpu-list -p,--pid", Style: Strict, Args: "_ C"},
	{Names: "numactl", Opts: "-C,--physcpubind=_ -N,--cpunodebind=_ -m,--membind=_ -i,--interleave=_ -p,--preferred=_ -l", Args: "C", Style: Strict},
	{Names: "prlimit", Opts: "-p,--pid=_ -o,--output=_", Args: "C", Style: Strict},
	{Names: "cpulimit", Opts: "-l,--limit=_ -p,--pid=_ -e,--exe=_ -P,--path=_", Args: "C", Style: Strict},
	{Names: "trickle", Opts: "-u=_ -d=_ -w=_ -t=_ -l=_ -n=_ -p=_ -L=_", Args: "C", Style: Strict},
	{Names: "setarch", Do: doSetarch, Style: NoOptions},
	{Names: "arch", Opts: "-arch=_ -d=_ -e=E", Args: "C", Style: Strict | LongDash},
	{Names: "setpriv", Opts: "--ambient-caps=_ --inh-caps=_ --bounding-set=_ --ruid=_ --euid=_ --rgid=_ --egid=_ --reuid=_ --regid=_ --groups=_ --securebits=_ --pdeathsig=_ --selinux-label=_ --apparmor-profile=_", Args: "C", Style: Strict},
	{Names: "tini", Opts: "-p=_ -e=_", Args: "C", Style: Strict},
	{Names: "gosu su-exec setuidgid s6-setuidgid s6-applyuidgid", Style: Strict, Do: doAsUser},
	{Names: "envdir s6-envdir faketime", Opts: "-f=_ -m -p=_", Args: "_ C", Style: Strict},
	{Names: "envuidgid", Args: "_ C", Style: Strict},
	{Names: "softlimit", Opts: "-a=_ -c=_ -d=_ -f=_ -l=_ -m=_ -o=_ -p=_ -r=_ -s=_ -t=_", Args: "C", Style: Strict},
	{Names: "chpst", Opts: "-u=_ -U=_ -b=_ -e=_ -/=_ -n=_ -l=_ -L=_ -m=_ -d=_ -o=_ -p=_ -f=_ -c=_ -C=_", Args: "C", Style: Strict},
	{Names: "valgrind heaptrack memusage ltrace uftrace rr samply hotspot vtune kcov bcov",
		Opts: "-e=_ -o,--output=w -p=_ -n=_ -s=_ -l,--library=_ -F=_ -x=_ -a=_ -u=_ -c=_ -A=_ -D=_ --event=_ --freq=_", Style: Strict, Do: doProfiler},
	{Names: "perf", Sub: []Model{
		{Names: "stat record trace top mem lock sched c2c kmem", Opts: "-e,--event=_ -o,--output=w -p,--pid=_ -t,--tid=_ -C,--cpu=_ -F,--freq=_ -c,--count=_ -r,--repeat=_ -I,--interval-print=_ -x=_ -G,--cgroup=_ -D,--delay=_ -m,--mmap-pages=_ -u,--uid=_ -j,--branch-filter=_ --call-graph=_", Args: "C", Style: Strict},
	}},
	{Names: "ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld-linux-armhf.so.3 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld.so",
		Opts: "--library-path=_ --preload=_ --audit=_ --inhibit-rpath=_ --argv0=_ --glibc-hwcaps-prepend=_ --glibc-hwcaps-mask=_", Args: "C", Style: Strict},
	{Names: "busybox toybox", Style: NoOptions, Do: doApplet},
	{Names: "command_not_found_handle", Args: "C", Style: NoOptions},

	// Another user.
	{Names: "sudo", Opts: "-u,--user=_ -g,--group=_ -h,--host=_ -p,--prompt=_ -C,--close-from=_ -D,--chdir=_ -R,--chroot=_ -r,--role=_ -t,--type=_ -T,--command-timeout=_ -U,--other-user=_ -a,--auth-type=_ -c,--login-class=_ -l,--list+inert -v,--validate+inert -V,--version+inert -k,--reset-timestamp -K,--remove-timestamp -e,--edit -s,--shell -i,--login --preserve-env?=_ -n,--non-interactive -E -H,--set-home -S,--stdin -A,--askpass -b,--background -B,--bell -N,--no-update -P,--preserve-groups",
		Style: Strict, Do: doSudo},
	{Names: "doas", Opts: "-u=_ -C=_ -a=_ -s -n -L", Style: Strict, Do: doDoas},
	{Names: "run0", Opts: "-u,--user=_ -g,--group=_ -D,--chdir=_ --setenv=_ --unit=_ --property=_ --description=_ --slice=_ --nice=_ --machine=_ --background=_", Style: Strict, Do: doDoas},
	{Names: "pkexec gksudo gksu kdesudo kdesu beesu lxsudo", Opts: "-u,--user=_ -m=_", Style: Strict, Do: doDoas},
	{Names: "su", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -w,--whitelist-environment=_ -l,--login", Do: doSu},
	{Names: "runuser", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -u,--user=_ -w,--whitelist-environment=_ -l,--login", Style: Strict, Do: doRunuser},
	{Names: "sg", Style: Strict, Do: doSg}, {Names: "newgrp", Do: doNewgrp},
	{Names: "capsh", Opts: "", Style: NoOptions, Do: doCapsh},
	{Names: "machinectl", Opts: "-M,--machine=_ --uid=_ -E,--setenv=_", Sub: []Model{
		{Names: "shell", Opts: "--uid=_ -E,--setenv=_ -M,--machine=_", Style: Strict, Do: doMachineShell},
	}},

	// Another environment.
	{Names: "env genv", Opts: "-u,--unset=_ -C,--chdir=_ -S,--split-string=_ -P=_ -L=_ -U=_ -i,--ignore-environment -0,--null -v,--debug --list-signal-handling --block-signal?=_ --default-signal?=_ --ignore-signal?=_",
		Style: Strict, Do: doEnv},
	{Names: "cross-env cross-env-shell env-cmd", Opts: "-f,--file=_ -e,--environments=_ -r,--rc-file=_", Style: Strict, Do: doEnvPrefix},
	{Names: "dotenv dotenvx dotenv-vault dotenv-cli", Opts: "-f,-e,--env-file,--file=_ -q,--quote=_ -p=_ -v=_ -fv=_ --convention=_ -c", Style: Strict, Do: doDotenv},
	{Names: "direnv", Sub: []Model{{Names: "exec", Args: "_ C", Style: Strict, Do: doDirenvExec}, {Names: "allow permit grant reload", Do: doDirenvAllow}}},
	{Names: "mise rtx", Opts: "-C,--cd=_ -E,--env=_ -j,--jobs=_ -P,--profile=_", Sub: []Model{
		{Names: "exec x", Opts: "-c,--command=c -j,--jobs=_ -C,--cd=_", Style: Strict, Do: doAfterDash},
	}},
	{Names: "asdf rbenv pyenv nodenv goenv jenv plenv phpenv tfenv swiftenv", Sub: []Model{{Names: "exec", Args: "C", Style: Strict}}},
	{Names: "nvm", Sub: []Model{{Names: "exec run", Opts: "--silent", Args: "_ C", Style: Strict}}},
	{Names: "fnm", Sub: []Model{{Names: "exec", Opts: "--using=_", Args: "C", Style: Strict}}},
	{Names: "volta", Sub: []Model{{Names: "run", Opts: "--node=_ --npm=_ --yarn=_ --pnpm=_ --env=E", Args: "C", Style: Strict}}},
	{Names: "rvm", Sub: []Model{{Names: "do exec", Args: "C", Style: Strict}}, Do: doRvm},
	{Names: "chamber", Sub: []Model{{Names: "exec", Style: Strict, Do: doAfterDash}}},
	{Names: "aws-vault aws-okta saml2aws", Opts: "-d,--duration=_ -a,--idp-account=_", Sub: []Model{{Names: "exec", Opts: "-d,--duration=_ -m,--mfa-token=_ --region=_ --exec-profile=_", Style: Strict, Do: doAfterDash}}},
	{Names: "doppler infisical teller phase berglas", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --scope=_", Sub: []Model{{Names: "run exec", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --command=c --env=_ --path=_ --projectId=_", Style: Strict, Do: doAfterDash}}, Do: doCloud},
	{Names: "envchain", Args: "_ C", Style: Strict},

	// Another root, container or machine's edge.
	{Names: "chroot", Opts: "--userspec=_ --groups=_ -u=_ -g=_ -G=_", Style: Strict, Do: doChroot},
	{Names: "proot", Opts: "-r,--rootfs,-R,-S=_ -b,--bind,-m=_ -w,--pwd,--cwd=_ -q,--qemu=_ -k=_ -i=_ -v=_", Style: Strict, Do: doProot},
	{Names: "systemd-nspawn", Opts: "-D,--directory=_ -M,--machine=_ -u,--user=_ -i,--image=_ --bind=_ --bind-ro=_ -E,--setenv=_ --chdir=_", Style: Strict, Do: doProot},
	{Names: "unshare", Opts: "-m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -U,--user?=_ -C,--cgroup?=_ -T,--time?=_ --map-user=_ --map-group=_ --map-users=_ --map-groups=_ --kill-child?=_ --mount-proc?=_ --mount-binfmt?=_ -R,--root=_ -w,--wd=_ -S,--setuid=_ -G,--setgid=_ --propagation=_ --setgroups=_ --monotonic=_ --boottime=_",
		Style: Strict, Do: doUnshare},
	{Names: "nsenter", Opts: "-t,--target=_ -m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -C,--cgroup?=_ -U,--user?=_ -T,--time?=_ -S,--setuid=_ -G,--setgid=_ -r,--root?=_ -w,--wd?=_ -W,--wdns=_ -a,--all", Style: Strict, Do: doNsenter},
	{Names: "bwrap", Style: NoOptions, Do: doBwrap},
	{Names: "firejail", Style: Strict | NoInert, Args: "C"},
	{Names: "sandbox-exec", Opts: "-f=_ -n=_ -p=_ -D=_", Args: "C", Style: Strict},
	{Names: "systemd-run", Opts: "-d,--same-dir -P,--pipe -t,--pty -q,--quiet -G,--collect -S,--shell -r,--remain-after-exit --scope --user --system --wait --no-block --no-ask-password --send-sighup --ignore-failure -T,--pty-late -H,--host=_ -M,--machine=_ -u,--unit=_ -p,--property=_ --description=_ --slice=_ --service-type=_ --uid=_ --gid=_ --nice=_ --working-directory=_ -E,--setenv=_ --path-property=_ --socket-property=_ --on-active=_ --on-boot=_ --on-startup=_ --on-unit-active=_ --on-unit-inactive=_ --on-calendar=_ --timer-property=_ --background=_",
		Style: Strict, Do: doSystemdRun},
	{Names: "start-stop-daemon", Opts: "-b,--background -m,--make-pidfile -v,--verbose -q,--quiet -o,--oknodo -C,--no-close -T,--status --remove-pidfile --notify-await -x,--exec=_ -a,--startas=_ -p,--pidfile=_ -n,--name=_ -u,--user=_ -c,--chuid=_ -d,--chdir=_ -s,--signal=_ -R,--retry=_ -N,--nicelevel=_ -P,--procsched=_ -I,--iosched=_ -k,--umask=_ -r,--chroot=_ -g,--group=_ -O,--output=_ --ppid=_ --pid=_ -S,--start -K,--stop -t,--test+inert", Style: Strict, Do: doStartStop},
	{Names: "daemonize", Opts: "-c=_ -e=_ -E=_ -o=_ -p=_ -l=_ -u=_", Args: "C", Style: Strict},
	{Names: "wsl", Opts: "-d,--distribution=_ -u,--user=_ --cd=_ -e,--exec --shell-type=_ --unregister=_", Style: Strict, Do: doWsl},

	// Terminals and recorders.
	{Names: "script", Opts: "-a,--append -e,--return -f,--flush -F -k -q,--quiet -r -d -I,--log-in=w -O,--log-out=w -B,--log-io=w -T,--log-timing=w -m,--logging-format=_ -c,--command=_ -E,--echo=_ -o,--output-limit=_ --timing?=_", Style: Strict, Do: doScript},
	{Names: "asciinema", Sub: []Model{{Names: "rec record", Opts: "-c,--command=c -t,--title=_ -i,--idle-time-limit=_ -e,--env=_", Args: "w"}}},
	{Names: "expect", Opts: "-c=_ -f=_ -d -b", Style: Strict, Do: doExpect},
	{Names: "tmux", Opts: "-2 -8 -C -D -l -N -u -U -v -V -c=c -f=_ -L=_ -S=_ -T=_", Style: Strict, Do: doTmux},
	{Names: "byobu", Style: Strict, Do: doTmux},
	{Names: "screen", Opts: "-a -A -d -D -i -l -ls -L -m -O -q -R -U -v -wipe -S=_ -c=_ -e=_ -h=_ -p=_ -s=_ -t=_ -T=_ -r?=_ -x -X", Style: Strict, Do: doScreen},
	{Names: "zellij", Sub: []Model{{Names: "run", Opts: "-n,--name=_ -d,--direction=_ --cwd=_", Args: "C", Style: Strict}, {Names: "action", Style: NoOptions, Do: func(c *Call) { remoteWindow(c, c.Operands) }}}},
	{Names: "dtach abduco", Opts: "-e=_ -r=_", Style: Strict, Args: "_ C"},

	// Repeaters and watchers.
	{Names: "watch viddy hwatch", Opts: "-n,--interval=_ -b,--beep -c,--color -C,--no-color -e,--errexit -g,--chgexit -p,--precise -t,--no-title -w,--no-wrap -r,--no-rerun -d,--differences?=_ -q,--equexit=_ -x,--exec -s,--shotsdir=_", Style: Strict, Do: doWatch},
	{Names: "entr", Opts: "-a -c -d -n -p -r -s -x -z", Style: Strict, Do: doEntr},
	{Names: "watchexec", Opts: "-w,--watch=_ -e,--exts=_ -f,--filter=_ -i,--ignore=_ -s,--signal=_ -d,--debounce=_ --shell=_ -n --project-origin=_ --workdir=_ -E,--env=_ --stop-signal=_ --on-busy-update,-o=_", Style: Strict, Do: doWatchexec},
	{Names: "hyperfine", Opts: "-w,--warmup=_ -m,--min-runs=_ -M,--max-runs=_ -r,--runs=_ -s,--setup=c -p,--prepare=c -c,--cleanup=c -C,--conclude=c -P,--parameter-scan=_ -D,--parameter-step-size=_ -L,--parameter-list=_ -S,--shell=_ -u,--time-unit=_ --style=_ --sort=_ --export-json=w --export-csv=w --export-markdown=w --export-asciidoc=w --export-orgmode=w -n,--command-name=_ --output=_ --input=_", Args: "c*"},
	{Names: "flock", Opts: "-e,-x,--exclusive -s,--shared -n,--nb,--nonblock -u,--unlock -o,--close -F,--no-fork --verbose -w,--wait,--timeout=_ -E,--conflict-exit-code=_ -c,--command=c", Style: Strict, Do: doFlock},
	{Names: "lckdo setlock", Args: "_ C", Style: Strict},
	{Names: "retry", Opts: "-t,--times,--max-tries,-r=_ -d,--delay,-m,--min=_ -x,--max,--until,--while=_", Args: "C", Style: Strict},

	// Debuggers.
	{Names: "strace", Opts: "-A -c -C -d -D -f -ff -F -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z --follow-forks --summary-only --summary -e,--trace=_ -E,--env=E -p,--attach=_ -u,--user=_ -b,--detach-on=_ -I,--interruptible=_ -P,--trace-path=_ -a,--columns=_ -o,--output=_ -s,--string-limit=_ -X,--const-print-style=_ -O,--summary-syscall-overhead=_ -S,--summary-sort-by=_ -U,--summary-columns=_", Style: Strict, Do: doStrace},
	{Names: "gdb lldb cgdb rust-gdb rust-lldb gdb-multiarch", Style: NoOptions, Do: doGdb},
}

// doApplet runs an applet of a multi-call program.
func doApplet(c *Call) {
	if len(c.Operands) == 0 || strings.HasPrefix(c.Operands[0].Text, "-") {
		return
	}
	c.Exec(c.Operands, Run{Out: true})
}

// doProfiler runs what is traced; perf and its like have a sub-command in between.
func doProfiler(c *Call) {
	ws := c.Operands
	if len(ws) > 1 {
		switch ws[0].Text {
		case "record", "stat", "trace", "run", "top", "mem", "lock", "sched", "c2c", "kmem":
			ws = skipOptions(ws[1:])
		case "report", "annotate", "list", "script", "diff", "replay", "dump", "ps":
			return
		}
	}
	c.Exec(ws, Run{Out: true})
}

// doSetarch reads setarch [ARCH] [OPTION...] COMMAND.
func doSetarch(c *Call) {
	ws := c.Operands
	if len(ws) > 0 && !strings.HasPrefix(ws[0].Text, "-") {
		ws = ws[1:]
	}
	c.Exec(skipOptions(ws), Run{Out: true})
}

// skipOptions passes over options whose arity is not known: those attached to their
// value or without one.
func skipOptions(ws []Word) []Word {
	for i, w := range ws {
		if w.Text == "--" {
			return ws[i+1:]
		}
		if !strings.HasPrefix(w.Text, "-") {
			return ws[i:]
		}
	}
	return nil
}

// skipAssigns splits leading NAME=VALUE words off.
func skipAssigns(ws []Word) (env, rest []Word) {
	for i, w := range ws {
		if !isAssign(w.Text) {
			return ws[:i], ws[i:]
		}
	}
	return ws, nil
}

func isAssign(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/- \t\"'") && (name[0] < '0' || name[0] > '9')
}

// joined makes one shell text of words the way "sh -c" wrappers do: with blanks between.
func joined(ws []Word) (w Word) {
	for i, x := range ws {
		if i > 0 {
			w.Text += " "
		}
		w.Text += x.Text
		w.Taint |= x.Taint
	}
	return w
}

// dirOf makes an option's value the folder of a run.
func dirOf(c *Call, name string) *Word {
	if w, ok := c.Opt(name); ok {
		return &w
	}
	return nil
}

// stdinShell runs what a shell started without operands reads.
func stdinShell(c *Call, r Run) {
	if c.Inert() || !c.Stdin.Pipe && !c.Stdin.Seen && c.Stdin.Taint == 0 {
		return
	}
	if r.Via == "" {
		r.Via = c.Program
	}
	c.Script("sh", c.Stdin, r)
}

func doWatch(c *Call) {
	if c.Has("-x") {
		c.Exec(c.Operands, Run{Out: true})
		return
	}
	c.Shell(joined(c.Operands), Run{Out: true})
	if len(c.Operands) > 2 { // the shell sees fewer words than were written, and people mean those
		c.Exec(c.Operands, Run{Out: true})
	}
}

func doEntr(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	none := Stream{}
	if c.Has("-s") {
		c.Shell(c.Operands[0], Run{Out: true, Stdin: &none})
		return
	}
	ws := make([]Word, len(c.Operands))
	for i, w := range c.Operands {
		if w.Text == "/_" {
			w = Word{Text: umpire.Hole, Taint: c.Stdin.Taint}
		}
		ws[i] = w
	}
	c.Exec(ws, Run{Out: true, Stdin: &none})
}

func doWatchexec(c *Call) {
	if c.Has("-n") {
		c.Exec(c.Operands, Run{Out: true})
		return
	}
	c.Shell(joined(c.Operands), Run{Out: true})
}

// doFlock reads flock FILE COMMAND..., flock FILE -c TEXT and flock FD.
func doFlock(c *Call) {
	ws := c.Operands
	if len(ws) < 2 {
		return
	}
	ws = ws[1:]
	if len(ws) > 1 && (ws[0].Text == "-c" || ws[0].Text == "--command") {
		c.Shell(ws[1], Run{Out: true})
		return
	}
	c.Exec(ws, Run{Out: true})
}

// splitWords splits text into words as env -S and desktop entries do: quotes and
// backslashes count, nothing is expanded.
func splitWords(w Word) (ws []Word) {
	var b strings.Builder
	in, quote := false, byte(0)
	flush := func() {
		if in {
			ws = append(ws, w.With(b.String()))
			b.Reset()
			in = false
		}
	}
	s := w.Text
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case ch == '\\' && quote != '\'' && i+1 < len(s):
			i++
			in = true
			b.WriteByte(s[i])
		case quote != 0:
			b.WriteByte(ch)
		case ch == '\'' || ch == '"':
			quote, in = ch, true
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
			flush()
		default:
			in = true
			b.WriteByte(ch)
		}
	}
	flush()
	return ws
}
