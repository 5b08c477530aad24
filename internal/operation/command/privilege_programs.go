// Code generated from programs/privilege.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var privilegeModels = []Model{
	{Names: "sudo", Opts: "-u,--user=_ -g,--group=_ -h,--host=_ -p,--prompt=_ -C,--close-from=_ -D,--chdir=_ -R,--chroot=_ -r,--role=_ -t,--type=_ -T,--command-timeout=_ -U,--other-user=_ -a,--auth-type=_ -c,--login-class=_ -l,--list+inert -v,--validate+inert -V,--version+inert -k,--reset-timestamp -K,--remove-timestamp -e,--edit -s,--shell -i,--login --preserve-env?=_ -n,--non-interactive -E -H,--set-home -S,--stdin -A,--askpass -b,--background -B,--bell -N,--no-update -P,--preserve-groups", Style: Strict, Do: doSudo},
	{Names: "doas", Opts: "-u=_ -C=_ -a=_ -s -n -L", Style: Strict, Do: doDoas},
	{Names: "run0", Opts: "-u,--user=_ -g,--group=_ -D,--chdir=_ --setenv=_ --unit=_ --property=_ --description=_ --slice=_ --nice=_ --machine=_ --background=_", Style: Strict, Do: doDoas},
	{Names: "pkexec gksudo gksu kdesudo kdesu beesu lxsudo", Opts: "-u,--user=_ -m=_", Style: Strict, Do: doDoas},
	{Names: "su", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -w,--whitelist-environment=_ -l,--login", Do: doSu},
	{Names: "runuser", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -u,--user=_ -w,--whitelist-environment=_ -l,--login", Style: Strict, Do: doRunuser},
	{Names: "sg", Style: Strict, Do: doSg},
	{Names: "newgrp", Do: doNewgrp},
	{Names: "capsh", Style: NoOptions, Do: doCapsh},
	{Names: "machinectl", Opts: "-M,--machine=_ --uid=_ -E,--setenv=_", Sub: privilegeCommands1},
}

var privilegeCommands1 = []Model{
	{Names: "shell", Opts: "--uid=_ -E,--setenv=_ -M,--machine=_", Style: Strict, Do: doMachineShell},
}
