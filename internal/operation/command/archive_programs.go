// Code generated from programs/archive.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var archiveModels = []Model{
	{Names: "find gfind fdfind-legacy", Style: NoOptions, Do: doFind},
	{Names: "fd fdfind", Opts: "-e,--extension=_ -t,--type=_ -E,--exclude=_ -d,--max-depth=_ --min-depth=_ -S,--size=_ --changed-within=_ --changed-before=_ -c,--color=_ -j=_ --base-directory=D -o,--owner=_ --search-path=_", Do: doFd},
	{Names: "xargs gxargs", Opts: "-I=_ -i,--replace?=_ -J=_ -n,--max-args=_ -P,--max-procs=_ -L=_ -l,--max-lines?=_ -d,--delimiter=_ -a,--arg-file=r -E=_ -e,--eof?=_ -s,--max-chars=_ --process-slot-var=_ -R=_ -S=_ -0,--null -r,--no-run-if-empty -t,--verbose -p,--interactive", Style: Strict, Do: doXargs},
	{Names: "parallel", Style: NoOptions, Do: doParallel},
	{Names: "tar gtar bsdtar", Opts: "-f,--file=_ -C,--directory=D -x,--extract,--get -c,--create -t,--list -r,--append -u,--update --delete -T,--files-from=r -X,--exclude-from=r --exclude=_ -I,--use-compress-program=_ --to-command=P --checkpoint-action=_ --checkpoint?=_ -F,--info-script,--new-volume-script=P --rsh-command=P --rmt-command=P --transform,--xform=_ --strip-components=_ --owner=_ --group=_ --mode=_ -b=_ -H,--format=_ -K=_ -N=_ -V,--label=_ -g,--listed-incremental=_ --remove-files -O,--to-stdout -P,--absolute-names --overwrite", Style: Bundled, Do: doTar},
	{Names: "zip", Opts: "-b=_ -x=_ -i=_ -n=_ -P=_ -t=_ -tt=_ -O=w -TT,--unzip-command=P -m,--move -d,--delete -r,--recurse-paths", Args: "w r*", Do: doZip},
	{Names: "unzip", Opts: "-d=_ -x=_ -P=_ -l -v -t -p -Z", Do: doUnzip},
	{Names: "7z 7za 7zr p7zip unrar rar", Do: doSevenZip},
	{Names: "cpio", Opts: "-i,--extract -o,--create -p,--pass-through -F,--file=r -D,--directory=D -I=r -O=w --rsh-command=P"},
	{Names: "ar", Args: "w r*", Style: Bundled},
	{Names: "rename prename perl-rename", Opts: "-e=_ -n,--nono,--no-act,--dry-run+inert", Args: "_ o*"},
	{Names: "ncdu rmlint fdupes jdupes", Opts: "-d,--delete", Do: doFdupes},
}
