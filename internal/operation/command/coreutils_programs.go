// Code generated from programs/coreutils.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var coreutilsModels = []Model{
	{Names: "rm grm", Opts: "-r,-R,--recursive+recursive -f,--force+force -i --interactive?=_", Do: doRemove},
	{Names: "rimraf del-cli", Opts: "-g,--glob -v -i,--interactive --impl=_ --tmp=_ --max-retries=_", Do: doRimraf},
	{Names: "shx", Args: "C", Style: Strict},
	{Names: "rmdir grmdir unlink", Args: "d*"},
	{Names: "srm wipe", Opts: "-r,-R,--recursive+recursive -f,--force+force", Do: doShred},
	{Names: "shred gshred", Opts: "-n,--iterations=_ -s,--size=_ --random-source=_ -u,--remove?=_ -f,--force+force", Do: doShred},
	{Names: "trash trash-put gtrash gio-trash rmtrash", Args: "m*"},
	{Names: "trash-empty trash-rm", Opts: "-f -i --all-users --trash-dir=_ --dry-run+inert", Do: doTrash},
	{Names: "gio", Sub: coreutilsCommands1},
	{Names: "mv gmv", Opts: "-t,--target-directory=_ -S,--suffix=_ -f,--force+force -T,--no-target-directory -n,--no-clobber --backup?=_", Do: doMove},
	{Names: "cp gcp", Opts: "-t,--target-directory=_ -S,--suffix=_ -r,-R,-a,--recursive,--archive+recursive -f,--force -T -n,--no-clobber --backup?=_ --preserve?=_ --no-preserve=_ --reflink?=_ --sparse=_", Do: doCopy},
	{Names: "install ginstall", Opts: "-t,--target-directory=_ -m,--mode=_ -o,--owner=_ -g,--group=_ -S,--suffix=_ -d,--directory -D", Do: doInstall},
	{Names: "ln gln", Opts: "-t,--target-directory=_ -S,--suffix=_ -s,--symbolic -f,--force -n,--no-dereference -r,--relative", Do: doLink},
	{Names: "mkdir gmkdir", Opts: "-m,--mode=_ -Z,--context?=_ -p,--parents", Do: doMkdir},
	{Names: "fallocate", Opts: "-l,--length=_ -o,--offset=_ -p,--posix -d,--dig-holes -c,--collapse-range -z,--zero-range -n,--keep-size -x", Do: doFallocate},
	{Names: "mkfifo", Opts: "-m,--mode=_ -Z,--context?=_", Args: "o*"},
	{Names: "mknod", Opts: "-m,--mode=_ -Z,--context?=_", Args: "o"},
	{Names: "touch gtouch", Opts: "-d,--date=_ -r,--reference=_ -t=_ --time=_", Args: "o*"},
	{Names: "truncate gtruncate", Opts: "-s,--size=_ -r,--reference=_", Do: doTruncate},
	{Names: "tee gtee sponge", Opts: "-a,--append --output-error?=_", Do: doTee},
	{Names: "dd gdd dcfldd dc3dd", Style: KeyVal, Do: doDD},
	{Names: "chmod gchmod", Opts: "-R,--recursive+recursive --reference=_", Style: AnyOption, Do: doChmod},
	{Names: "chown gchown chgrp", Opts: "-R,--recursive+recursive --reference=_ --from=_", Do: doChown},
	{Names: "chattr", Opts: "-R+recursive -v=_ -p=_", Do: doChattr},
	{Names: "setfacl", Opts: "-R,--recursive+recursive -m,--modify=_ -x,--remove=_ -M=r -X=r --set=_ --restore=_ -b,--remove-all -k,--remove-default -d,--default --test+inert", Do: doSetfacl},
	{Names: "setcap", Args: "_ o*", Do: doSetcap},
	{Names: "split gsplit csplit", Opts: "-b=_ -l=_ -n=_ -a=_ -C=_ --filter=c --additional-suffix=_", Args: "r t", Do: doSplitService},
	{Names: "mktemp gmktemp tempfile", Opts: "-p,--tmpdir?=_ -t --suffix=_ -d,--directory -q,--quiet -u,--dry-run", Do: doMktemp},
	{Names: "file", Opts: "-f,--files-from=r -m,--magic-file=_ -F,--separator=_ -P,--parameter=_ -e,--exclude=_", Args: "i*"},
	{Names: "stat", Opts: "-c,--format=_ --printf=_ -f -L -t -r -x", Args: "i*"},
	{Names: "tree du locate mlocate namei getfacl lsattr", Opts: "-a=_ -L=_ -I=_ -d=_ -c=_ --max-depth=_"},
	{Names: "wc cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum md5", Opts: "-a=_ --files0-from=r", Args: "i*"},
	{Names: "patch gpatch", Opts: "-i,--input=r -d,--directory=D -o,--output=w -p,--strip=_ -R --dry-run+inert -B=_ -F=_ -r=_", Args: "o r", Do: doPatch},
	{Names: "apply_patch applypatch", Do: doApplyPatch},
}

var coreutilsCommands1 = []Model{
	{Names: "trash", Opts: "--empty --list --restore", Args: "m*", Do: doTrash},
	{Names: "remove", Args: "d*"},
	{Names: "copy", Args: "r* w"},
	{Names: "move", Do: doMove},
}
