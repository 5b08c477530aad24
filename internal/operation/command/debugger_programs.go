// Code generated from programs/debugger.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var debuggerModels = []Model{
	{Names: "strace", Opts: "-A -c -C -d -D -f -ff -F -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z --follow-forks --summary-only --summary -e,--trace=_ -E,--env=E -p,--attach=_ -u,--user=_ -b,--detach-on=_ -I,--interruptible=_ -P,--trace-path=_ -a,--columns=_ -o,--output=_ -s,--string-limit=_ -X,--const-print-style=_ -O,--summary-syscall-overhead=_ -S,--summary-sort-by=_ -U,--summary-columns=_", Style: Strict, Do: doStrace},
	{Names: "gdb lldb cgdb rust-gdb rust-lldb gdb-multiarch", Style: NoOptions, Do: doGdb},
}
