// Code generated from programs/lookup.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var lookupModels = []Model{
	{Names: "which where whence", Do: doWhich},
	{Names: "whereis", Opts: "-b -m -s -u -l -g -B=_ -M=_ -S=_ -f", Do: doWhich},
	{Names: "basename gbasename", Opts: "-s,--suffix=_ -a,--multiple -z,--zero", Do: doBasename},
	{Names: "dirname gdirname", Opts: "-z,--zero", Do: doDirname},
	{Names: "realpath grealpath", Opts: "--relative-to=_ --relative-base=_ -e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet -s,--strip,--no-symlinks -z,--zero", Do: doRealpath},
	{Names: "readlink greadlink", Opts: "-f,--canonicalize,--canonicalize-existing,--canonicalize-missing -e,-m -n,--no-newline -q,--quiet,--silent -s -v,--verbose -z,--zero", Args: "i*", Do: doRealpath},
	{Names: "whoami logname", Do: doWho},
	{Names: "id", Opts: "-u,--user -g,--group -G,--groups -n,--name -r,--real -z,--zero -Z,--context", Do: doWho},
	{Names: "getent", Do: doGetent},
	{Names: "xdg-user-dir", Do: doXdgUserDir},
	{Names: "pgrep", Opts: "-d,--delimiter=_ -g,--pgroup=_ -G,--group=_ -P,--parent=_ -s,--session=_ -t,--terminal=_ -u,--euid=_ -U,--uid=_ -F,--pidfile=r -r,--runstates=_ -A,--ignore-ancestors --cgroup=_ --env=_ --ns=_ --nslist=_ -O,--older=_ --signal=_ -f,--full -a,--list-full -l,--list-name -n,--newest -o,--oldest -v,--inverse -x,--exact -i,--ignore-case -c,--count -w,--lightweight", Do: doPgrep},
	{Names: "pidof", Opts: "-o,--omit-pid=_ -S,--separator=_ -s,--single-shot -x -q -c,--check-root -w,--with-workers -t,--lightweight", Do: doPgrep},
	{Names: "lsof fuser", Do: doPgrep},
}
