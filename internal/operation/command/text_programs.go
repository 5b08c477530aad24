// Code generated from programs/text.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var textModels = []Model{
	{Names: "cat gcat bzcat", Args: "r*", Do: doCat},
	{Names: "zcat gzcat", Opts: "-S,--suffix=_", Args: "r*", Do: doCat},
	{Names: "xzcat", Opts: "-F,--format=_ -M,--memlimit=_ -S,--suffix=_ -T,--threads=_", Args: "r*", Do: doCat},
	{Names: "zstdcat", Opts: "-D=r", Args: "r*", Do: doCat},
	{Names: "tac gtac", Opts: "-s,--separator=_", Args: "r*", Do: doCat},
	{Names: "less", Opts: "-b,--buffers=_ -D,--color=_ -h,--max-back-scroll=_ -j,--jump-target=_ -k,--lesskey-file=r --lesskey-src=r --lesskey-content=_ -o,--log-file=w -O,--LOG-FILE=w -p,--pattern=_ -P,--prompt=_ -t,--tag=_ -T,--tag-file=r -x,--tabs=_ -y,--max-forw-scroll=_ -z,--window=_ -#,--shift=_ --rscroll=_ --mouse-lines,--wheel-lines=_ --header=_ --line-num-width=_ --status-col-width=_ --modelines=_", Args: "r*", Do: doCat},
	{Names: "more", Opts: "-n,--lines=_", Args: "r*", Do: doCat},
	{Names: "most", Opts: "-c=_", Args: "r*", Do: doCat},
	{Names: "bat batcat", Opts: "-l,--language=_ --style=_ --theme=_ --theme-dark=_ --theme-light=_ --paging=_ --pager=P --color=_ --decorations=_ --italic-text=_ --tabs=_ --wrap=_ --terminal-width=_ -H,--highlight-line=_ -r,--line-range=_ -m,--map-syntax=_ --file-name=_ --ignored-suffix=_ --squeeze-limit=_ --strip-ansi=_ --nonprintable-notation=_ --diff-context=_ --binary=_ --completion=_", Args: "r*", Do: doCat},
	{Names: "nl gnl", Opts: "-b,--body-numbering=_ -d,--section-delimiter=_ -f,--footer-numbering=_ -h,--header-numbering=_ -i,--line-increment=_ -l,--join-blank-lines=_ -n,--number-format=_ -s,--number-separator=_ -v,--starting-line-number=_ -w,--number-width=_", Args: "r*", Do: doCat},
	{Names: "pv", Opts: "-B,--buffer-size=_ -D,--delay-start=_ -E,--skip-errors?=_ -F,--format=_ -H,--height=_ -i,--interval=_ -L,--rate-limit=_ -N,--name=_ -o,--output=w -P,--pidfile=w -d,--watchfd=_ -R,--remote=_ -s,--size=_ -w,--width=_ -m,--average-rate-window=_ -x,--extra-display=_ -Q,--query=_", Args: "r*", Do: doCat},
	{Names: "head ghead", Opts: "-n,--lines=_ -c,--bytes=_", Args: "r*", Do: doCat},
	{Names: "tail gtail", Opts: "-n,--lines=_ -c,--bytes=_ -s,--sleep-interval=_ --pid=_ --max-unchanged-stats=_", Args: "r*", Do: doCat},
	{Names: "sort gsort", Opts: "-o,--output=w --compress-program=P --files0-from=r --random-source=_ -k,--key=_ -t,--field-separator=_ -T,--temporary-directory=_ -S,--buffer-size=_ --batch-size=_ --parallel=_ --sort=_", Args: "r*", Do: doSortLike},
	{Names: "comm gcomm", Opts: "--output-delimiter=_", Args: "r*", Do: doSortLike},
	{Names: "join gjoin", Opts: "-a=_ -e=_ -j=_ -o=_ -t=_ -v=_ -1=_ -2=_", Args: "r*", Do: doSortLike},
	{Names: "fmt gfmt", Opts: "-w,--width=_ -g,--goal=_ -p,--prefix=_", Args: "r*", Do: doSortLike},
	{Names: "expand gexpand unexpand gunexpand", Opts: "-t,--tabs=_", Args: "r*", Do: doSortLike},
	{Names: "pr gpr", Opts: "-D,--date-format=_ -e,--expand-tabs?=_ -h,--header=_ -i,--output-tabs?=_ -l,--length=_ -n,--number-lines?=_ -N,--first-line-number=_ -o,--indent=_ -s,--separator?=_ -S,--sep-string?=_ -w,--width=_ -W,--page-width=_", Args: "r*", Do: doSortLike},
	{Names: "nkf tsort gtsort", Args: "r*", Do: doSortLike},
	{Names: "iconv", Opts: "-f,--from-code=_ -t,--to-code=_ -o,--output=w", Args: "r*", Do: doSortLike},
	{Names: "dos2unix unix2dos mac2unix unix2mac", Opts: "-c,--convmode=_ -i,--info?=_ -D,--display-enc=_", Args: "o*"},
	{Names: "look", Opts: "-t,--terminate=_", Args: "_ r", Do: doSortLike},
	{Names: "ptx gptx", Opts: "-F,--flag-truncation=_ -M,--macro-name=_ -S,--sentence-regexp=_ -W,--word-regexp=_ -b,--break-file=r -g,--gap-size=_ -i,--ignore-file=r -o,--only-file=r -w,--width=_", Args: "r*", Do: doSortLike},
	{Names: "numfmt gnumfmt", Opts: "-d,--delimiter=_ --field=_ --format=_ --from=_ --from-unit=_ --invalid=_ --padding=_ --round=_ --suffix=_ --to=_ --to-unit=_ --header?=_", Do: doSortLike},
	{Names: "factor gfactor", Do: doSortLike},
	{Names: "uniq guniq", Opts: "-f,--skip-fields=_ -s,--skip-chars=_ -w,--check-chars=_", Args: "r w", Do: doSortLike},
	{Names: "column", Opts: "-s,--separator=_ -o,--output-separator=_ -c,--output-width=_ -C,--table-column=_ -N,--table-columns=_ -l,--table-columns-limit=_ -R,--table-right=_ -H,--table-hide=_ -W,--table-wrap=_ -O,--table-order=_ -E,--table-noextreme=_ -T,--table-truncate=_ -n,--table-name=_ -r,--tree=_ -i,--tree-id=_ -p,--tree-parent=_", Args: "r*"},
	{Names: "paste gpaste", Opts: "-d,--delimiters=_", Args: "r*", Do: doSortLike},
	{Names: "fold gfold", Opts: "-w,--width=_", Args: "r*", Do: doSortLike},
	{Names: "cut gcut", Opts: "-d,--delimiter=_ -f,--fields=_ -c,--characters=_ -b,--bytes=_ --output-delimiter=_", Do: doCut},
	{Names: "tr gtr", Opts: "-d,--delete -s,--squeeze-repeats -c,-C,--complement", Do: doTr},
	{Names: "rev", Args: "r*", Do: doRev},
}
