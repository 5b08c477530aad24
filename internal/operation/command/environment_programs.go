// Code generated from programs/environment.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var environmentModels = []Model{
	{Names: "env genv", Opts: "-u,--unset=_ -C,--chdir=_ -S,--split-string=_ -P=_ -L=_ -U=_ -i,--ignore-environment -0,--null -v,--debug --list-signal-handling --block-signal?=_ --default-signal?=_ --ignore-signal?=_", Style: Strict, Do: doEnv},
	{Names: "cross-env cross-env-shell env-cmd", Opts: "-f,--file=_ -e,--environments=_ -r,--rc-file=_", Style: Strict, Do: doEnvPrefix},
	{Names: "dotenv dotenvx dotenv-vault dotenv-cli", Opts: "-f,-e,--env-file,--file=_ -q,--quote=_ -p=_ -v=_ -fv=_ --convention=_ -c", Style: Strict, Do: doDotenv},
	{Names: "direnv", Sub: environmentCommands1},
	{Names: "mise rtx", Opts: "-C,--cd=_ -E,--env=_ -j,--jobs=_ -P,--profile=_", Sub: environmentCommands2},
	{Names: "asdf rbenv pyenv nodenv goenv jenv plenv phpenv tfenv swiftenv", Sub: environmentCommands3},
	{Names: "nvm", Sub: environmentCommands4},
	{Names: "fnm", Sub: environmentCommands5},
	{Names: "volta", Sub: environmentCommands6},
	{Names: "rvm", Sub: environmentCommands7, Do: doRvm},
	{Names: "chamber", Sub: environmentCommands8},
	{Names: "aws-vault aws-okta saml2aws", Opts: "-d,--duration=_ -a,--idp-account=_", Sub: environmentCommands9},
	{Names: "doppler infisical teller phase berglas", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --scope=_", Sub: environmentCommands10, Do: doCloud},
	{Names: "envchain", Args: "_ C", Style: Strict},
}

var environmentCommands1 = []Model{
	{Names: "exec", Args: "_ C", Style: Strict, Do: doDirenvExec},
	{Names: "allow permit grant reload", Do: doDirenvAllow},
}

var environmentCommands2 = []Model{
	{Names: "exec x", Opts: "-c,--command=c -j,--jobs=_ -C,--cd=_", Style: Strict, Do: doAfterDash},
}

var environmentCommands3 = []Model{
	{Names: "exec", Args: "C", Style: Strict},
}

var environmentCommands4 = []Model{
	{Names: "exec run", Opts: "--silent", Args: "_ C", Style: Strict},
}

var environmentCommands5 = []Model{
	{Names: "exec", Opts: "--using=_", Args: "C", Style: Strict},
}

var environmentCommands6 = []Model{
	{Names: "run", Opts: "--node=_ --npm=_ --yarn=_ --pnpm=_ --env=E", Args: "C", Style: Strict},
}

var environmentCommands7 = []Model{
	{Names: "do exec", Args: "C", Style: Strict},
}

var environmentCommands8 = []Model{
	{Names: "exec", Style: Strict, Do: doAfterDash},
}

var environmentCommands9 = []Model{
	{Names: "exec", Opts: "-d,--duration=_ -m,--mfa-token=_ --region=_ --exec-profile=_", Style: Strict, Do: doAfterDash},
}

var environmentCommands10 = []Model{
	{Names: "run exec", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --command=c --env=_ --path=_ --projectId=_", Style: Strict, Do: doAfterDash},
}
