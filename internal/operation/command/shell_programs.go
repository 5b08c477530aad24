// Code generated from programs/shell.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var shellModels = []Model{
	{Names: "sh bash dash ash zsh ksh mksh oksh lksh pdksh yash rbash rzsh rksh posh bosh hush osh brush loksh nologin umpire-sh", Opts: "-o=_ -O=_ --rcfile,--init-file=_ --emulate=_ -n+inert --dump-strings --dump-po-strings -a -b -c -e -f -h -i -k -l,--login -m -p -r,--restricted -s -t -u -v,--verbose -x -B -C -D -E -F -G -H -I -P -T -X -Y --norc --noprofile --posix --noediting --debugger --wordexp --no-rcs", Style: Strict, Do: doShell},
	{Names: "fish", Opts: "-c,--command=_ -C,--init-command=_ -d,--debug=_ -o,--debug-output=w -f,--features=_ -n,--no-execute+inert --profile=w --profile-startup=w", Style: Strict, Do: doFish},
	{Names: "csh tcsh", Opts: "-n+inert", Style: Strict, Do: doShell},
	{Names: "nu nushell elvish xonsh", Opts: "-c,--commands=c -e,--execute=c --config=_ --env-config=_", Style: Strict, Do: doOtherShell},
}
