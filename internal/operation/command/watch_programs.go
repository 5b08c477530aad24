// Code generated from programs/watch.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var watchModels = []Model{
	{Names: "watch viddy hwatch", Opts: "-n,--interval=_ -b,--beep -c,--color -C,--no-color -e,--errexit -g,--chgexit -p,--precise -t,--no-title -w,--no-wrap -r,--no-rerun -d,--differences?=_ -q,--equexit=_ -x,--exec -s,--shotsdir=_", Style: Strict, Do: doWatch},
	{Names: "entr", Opts: "-a -c -d -n -p -r -s -x -z", Style: Strict, Do: doEntr},
	{Names: "watchexec", Opts: "-w,--watch=_ -e,--exts=_ -f,--filter=_ -i,--ignore=_ -s,--signal=_ -d,--debounce=_ --shell=_ -n --project-origin=_ --workdir=_ -E,--env=_ --stop-signal=_ --on-busy-update,-o=_", Style: Strict, Do: doWatchexec},
	{Names: "hyperfine", Opts: "-w,--warmup=_ -m,--min-runs=_ -M,--max-runs=_ -r,--runs=_ -s,--setup=c -p,--prepare=c -c,--cleanup=c -C,--conclude=c -P,--parameter-scan=_ -D,--parameter-step-size=_ -L,--parameter-list=_ -S,--shell=_ -u,--time-unit=_ --style=_ --sort=_ --export-json=w --export-csv=w --export-markdown=w --export-asciidoc=w --export-orgmode=w -n,--command-name=_ --output=_ --input=_", Args: "c*"},
	{Names: "flock", Opts: "-e,-x,--exclusive -s,--shared -n,--nb,--nonblock -u,--unlock -o,--close -F,--no-fork --verbose -w,--wait,--timeout=_ -E,--conflict-exit-code=_ -c,--command=c", Style: Strict, Do: doFlock},
	{Names: "lckdo setlock", Args: "_ C", Style: Strict},
	{Names: "retry", Opts: "-t,--times,--max-tries,-r=_ -d,--delay,-m,--min=_ -x,--max,--until,--while=_", Args: "C", Style: Strict},
}
