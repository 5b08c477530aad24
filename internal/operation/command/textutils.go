package command

// textModels are the programs that show, filter and compare text, one description a
// program: a letter that takes a value in one is a flag in the next, and a flag must not
// swallow the file behind it.
var textModels = []Model{
	// Whole files.
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

	// Lines and columns.
	{Names: "sort gsort", Opts: "-o,--output=w --compress-program=P --files0-from=r --random-source=_ -k,--key=_ -t,--field-separator=_ -T,--temporary-directory=_ -S,--buffer-size=_ --batch-size=_ --parallel=_ --sort=_", Args: "r*", Do: doSortLike},
	{Names: "comm gcomm", Opts: "--output-delimiter=_", Args: "r*", Do: doSortLike},
	{Names: "join gjoin", Opts: "-a=_ -e=_ -j=_ -o=_ -t=_ -v=_ -1=_ -2=_", Args: "r*", Do: doSortLike},
	{Names: "fmt gfmt", Opts: "-w,--width=_ -g,--goal=_ -p,--prefix=_", Args: "r*", Do: doSortLike},
	{Names: "expand gexpand unexpand gunexpand", Opts: "-t,--tabs=_", Args: "r*", Do: doSortLike},
	{Names: "pr gpr", Opts: "-D,--date-format=_ -e,--expand-tabs?=_ -h,--header=_ -i,--output-tabs?=_ -l,--length=_ -n,--number-lines?=_ -N,--first-line-number=_ -o,--indent=_ -s,--separator?=_ -S,--sep-string?=_ -w,--width=_ -W,--page-width=_", Args: "r*", Do: doSortLike},
	{Names: "nkf", Args: "r*", Do: doSortLike},
	{Names: "iconv", Opts: "-f,--from-code=_ -t,--to-code=_ -o,--output=w", Args: "r*", Do: doSortLike},
	{Names: "dos2unix unix2dos mac2unix unix2mac", Opts: "-c,--convmode=_ -i,--info?=_ -D,--display-enc=_", Args: "o*"},
	{Names: "look", Opts: "-t,--terminate=_", Args: "_ r", Do: doSortLike},
	{Names: "tsort gtsort", Args: "r*", Do: doSortLike},
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

	// Bytes.
	{Names: "od god", Opts: "-A,--address-radix=_ -N,--read-bytes=_ -j,--skip-bytes=_ -t,--format=_ -S,--strings?=_ -w,--width?=_ --endian=_", Args: "r*"},
	{Names: "hexdump hd", Opts: "-e,--format=_ -f,--format-file=r -n,--length=_ -s,--skip=_ -L,--color?=_", Args: "r*"},
	{Names: "xxhash xxhsum", Args: "r*"},
	{Names: "strings gstrings", Opts: "-n,--bytes=_ -t,--radix=_ -e,--encoding=_ -T,--target=_ -s,--output-separator=_ -U,--unicode=_", Args: "r*"},
	{Names: "cmp", Opts: "-i,--ignore-initial=_ -n,--bytes=_", Do: doDiff},
	{Names: "base64 gbase64", Opts: "-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage,--input=r -o,--output=w -b,--break=_", Args: "r", Do: doBase64},
	{Names: "base32 gbase32 basenc gbasenc", Opts: "-d,-D,--decode -w,--wrap=_", Args: "r", Do: doBase64},
	{Names: "xxd", Opts: "-r,-revert -p,-ps,-plain,-postscript -c,-cols=_ -g,-groupsize=_ -l,-len=_ -n,-name=_ -s,-seek=_ -o=_ -R=_", Style: LongDash, Args: "r w", Do: doXxd},
	{Names: "uudecode", Opts: "-o=w", Args: "r", Do: doDecoder}, {Names: "uuencode", Args: "r _"},
	{Names: "gunzip uncompress", Opts: "-S,--suffix=_ -c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "bunzip2 funzip lz4cat unlz4", Opts: "-c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "unxz unlzma", Opts: "-F,--format=_ -M,--memlimit=_ -S,--suffix=_ -T,--threads=_ -c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "unzstd", Opts: "-D=r -o=w -c,--stdout", Args: "r*", Do: doDecoder},
	{Names: "unpigz", Opts: "-S,--suffix=_ -p,--processes=_ -b,--blocksize=_ -c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "unbrotli", Opts: "-o,--output=w -S,--suffix=_ -c,--stdout", Args: "r*", Do: doDecoder},
	{Names: "gzip ggzip compress", Opts: "-d,--decompress,--uncompress -S,--suffix=_ -b=_ -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "bzip2 lz4", Opts: "-d,--decompress -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "xz lzma", Opts: "-d,--decompress,--uncompress -F,--format=_ -C,--check=_ -M,--memlimit,--memory=_ -S,--suffix=_ -T,--threads=_ --block-size=_ --files?=r --files0?=r -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "zstd", Opts: "-d,--decompress,--uncompress -D=r -o=w --output-dir-flat=_ --output-dir-mirror=_ --filelist=r --patch-from=r -c,--stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "pigz", Opts: "-d,--decompress,--uncompress -S,--suffix=_ -b,--blocksize=_ -p,--processes=_ -A,--alias=_ -C,--comment=_ -I,--iterations=_ -J,--maxsplits=_ -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "brotli", Opts: "-d,--decompress -o,--output=w -q,--quality=_ -w,--lgwin=_ --large_window=_ -S,--suffix=_ -D,--dictionary=r -c,--stdout -k,--keep -t,--test -l,--list", Do: doCompress},

	// Search. What prints names and counts alone is named by its long option in each.
	{Names: "grep ggrep egrep fgrep zgrep", Opts: grepOpts + " -d,--directories=_ -D,--devices=_ --include=_ --exclude=_ --exclude-from=r --exclude-dir=_ --label=_ --binary-files=_ --color,--colour?=_ --files-without-match,-L --count,-c --quiet,-q,--silent", Do: doGrep},
	{Names: "pcregrep pcre2grep", Opts: grepOpts + " -d,--directories=_ -D,--devices=_ -N,--newline=_ --include=_ --exclude=_ --exclude-dir=_ --include-dir=_ --file-list=r --label=_ --match-limit=_ --depth-limit=_ --buffer-size=_ --color,--colour?=_ --files-without-match,-L --count,-c --quiet,-q", Do: doGrep},
	{Names: "ugrep ug", Opts: grepOpts + " -d,--directories=_ -D,--devices=_ -g,--glob=_ --iglob=_ -t,--file-type=_ -O,--file-extension=_ -M,--file-magic=_ -N,--neg-regexp=_ -J,--jobs=_ -K,--range=_ --include=_ --exclude=_ --exclude-dir=_ --exclude-from=r --include-from=r --ignore-files?=_ --filter=P --pager?=P --view?=P --format=_ --replace=_ --separator?=_ --tabs?=_ --sort?=_ --color,--colour?=_ --files-without-match,-L --count,-c --quiet,-q", Do: doGrep},
	{Names: "rg ripgrep", Opts: grepOpts + " --pre=P --pre-glob=_ --hostname-bin=P -E,--encoding=_ --engine=_ -g,--glob=_ --iglob=_ --ignore-file=r -d,--max-depth,--maxdepth=_ --max-filesize=_ -M,--max-columns=_ -r,--replace=_ --sort=_ --sortr=_ -t,--type=_ -T,--type-not=_ --type-add=_ --type-clear=_ -j,--threads=_ --color=_ --colors=_ --context-separator=_ --field-context-separator=_ --field-match-separator=_ --dfa-size-limit=_ --regex-size-limit=_ --path-separator=_ --hyperlink-format=_ --generate=_ -L,--follow --files-without-match --count,-c --count-matches --quiet,-q --files", Do: doGrep},
	{Names: "ag", Opts: "-A,--after?=_ -B,--before?=_ -C,--context?=_ --depth=_ -G,--file-search-regex=_ --ignore=_ --ignore-dir=_ -m,--max-count=_ -p,--path-to-ignore=r --pager=P -W,--width=_ --workers=_ --color-line-number=_ --color-match=_ --color-path=_ --files-with-matches,-l --files-without-match,--files-without-matches,-L --count,-c --files,-g", Do: doGrep},
	{Names: "ack", Opts: "-A,--after-context=_ -B,--before-context=_ -C,--context?=_ --match=_ -m,--max-count=_ --ignore-dir=_ --noignore-dir=_ --ignore-file=_ --type=_ -t=_ -T=_ --type-add=_ --type-set=_ --type-del=_ --output=_ --pager?=P --ackrc=_ --files-from=r --color-match=_ --color-filename=_ --color-lineno=_ --files-with-matches,-l --files-without-match,--files-without-matches,-L --count,-c --files,-f,-g", Do: doGrep},
	{Names: "diff gdiff colordiff", Opts: "--diff-program=P --from-file=r --to-file=r -I,--ignore-matching-lines=_ -x,--exclude=_ -X,--exclude-from=r -U,--unified=_ -C,--context=_ -S,--starting-file=_ -W,--width=_ -D,--ifdef=_ -F,--show-function-line=_ -L,--label=_ --horizon-lines=_ --tabsize=_ --palette=_ --color?=_ --difftype=_ --old-line-format=_ --new-line-format=_ --unchanged-line-format=_ --line-format=_ --old-group-format=_ --new-group-format=_ --unchanged-group-format=_ --changed-group-format=_", Do: doDiff},
	{Names: "sdiff", Opts: "-o,--output=w -I,--ignore-matching-lines=_ -w,--width=_ --diff-program=P --tabsize=_", Do: doDiff},
	{Names: "diff3", Opts: "-L,--label=_ --diff-program=P", Do: doDiff},
	{Names: "wdiff", Opts: "-w,--start-delete=_ -x,--end-delete=_ -y,--start-insert=_ -z,--end-insert=_", Do: doDiff},
	{Names: "delta", Opts: "--features=_ --syntax-theme=_ --paging=_ --pager=P --config=r --width,-w=_ --tabs=_ --max-line-length=_ --diff-args,-@=_ --default-language=_ --true-color=_", Do: doDiff},
	{Names: "difft", Opts: "--context=_ --width=_ --tab-width=_ --display=_ --color=_ --background=_ --syntax-highlight=_ --language=_ --override=_ --byte-limit=_ --graph-limit=_ --parse-error-limit=_ --sort-paths=_", Do: doDiff},

	// Programs of their own.
	{Names: "sed gsed", Opts: "-e,--expression=_ -f,--file=r -i,-I,--in-place?=_ -l,--line-length=_ -n,--quiet,--silent -E,-r -s,--separate -z", Do: doSed},
	{Names: "awk gawk mawk nawk goawk", Opts: "-f,--file=x -F,--field-separator=_ -v,--assign=_ -i,--include=x -e,--source=e -E,--exec=x -l,--load=_ -o?=_ -p?=_ -d?=_ -b -c -C -g -h -k -M -n -N -O -P -r -s -S -t -V --posix --traditional --sandbox --re-interval --lint?=_ --csv", Style: Strict, Lang: "awk", Do: doAwk},
	{Names: "jq gojq jaq", Style: NoOptions, Do: doJq},
	{Names: "yq xq tomlq", Opts: "--arg=_ --argjson=_ --slurpfile=_ --rawfile=_ -f,--from-file=r -L=_ --indent,-I=_ -o,--output-format=_ -i,--inplace -p,--input-format=_ -s,--split-exp=_ --split-exp-file=r --front-matter=_ --xml-attribute-prefix=_", Args: "_ r*"},
	{Names: "dasel", Opts: "-f,--file=r -s,--selector=_ -r,--read=_ -w,--write=_ -o,--out=w -v,--value=_ -t,--type=_ --indent=_ -i=_", Args: "_ r*"},
	{Names: "fx", Args: "r*"}, // a file, or expressions, which name no file
	{Names: "man", Opts: "-H,--html?=_ -P,--pager=_ -C,--config-file=_ -M,--manpath=_ -S,-s,--sections=_ -L,--locale=_ -m,--systems=_ -e,--extension=_ -R,--recode=_ -E,--encoding=_ -p,--preprocessor=_ -r,--prompt=_ -T,--troff-device?=_ -X,--gxditview?=_", Do: doMan},

	// Names of files.
	{Names: "ls gls dir gdir vdir gvdir", Opts: "-I,--ignore=_ -w,--width=_ -T,--tabsize=_ --color?=_ --sort=_ --time=_ --time-style=_ --hide=_ --block-size=_ --format=_ --indicator-style=_ --quoting-style=_ -d,--directory", Do: doLs},
	{Names: "exa eza", Opts: "-I,--ignore-glob=_ -L,--level=_ -s,--sort=_ -t,--time=_ -w,--width=_ --time-style=_ --color,--colour?=_ --icons?=_ -d,--list-dirs", Do: doLs},
	{Names: "lsd", Opts: "-I,--ignore-glob=_ --depth=_ --sort=_ --color=_ --icon=_ --icon-theme=_ --size=_ --blocks=_ --date=_ --permission=_ --group-dirs=_ --config-file=r -d,--directory-only", Do: doLs},

	// Editors. What they are given is read and written.
	{Names: "ed", Opts: "-p,--prompt=_ -s", Args: "o", Lang: "ed", Do: doEditor},
	{Names: "ex", Opts: "-c,--cmd=_ -u=x -S=x -s -t=_ -w=_", Args: "o", Lang: "ed", Do: doEditor},
	{Names: "emacs", Opts: "--eval,-eval,--execute,-execute,-e=e -l,-load,--load,-script,--script,-x=x -f,-funcall,--funcall=_ -d,--display=_ --directory,-L=_ --insert,-insert=r -chdir,--chdir=D -u,-user,--user=_ -t,--terminal=_ -init-directory,--init-directory=_ -g,-geometry,--geometry=_ -fn,--font=_ -name,--name=_ -title,-T,--title=_", Style: LongDash, Lang: "lisp", Args: "r*"},
	{Names: "emacsclient", Opts: "-e,--eval=e -a,--alternate-editor=P -s,--socket-name=_ -f,--server-file=_ -d,--display=_ -F,--frame-parameters=_ -T,--tramp=_ --parent-id=_", Lang: "lisp", Args: "r*"},
	{Names: "vim vi view vimdiff rvim gvim", Opts: "-c,--cmd=_ -u=x -U=x -S=x -s=_ -w=_ -W=_ -T=_ -i=_ -t=_ -q=r --servername=_ --startuptime=w", Style: LongDash, Lang: "vim", Do: doEditor},
	{Names: "nvim", Opts: "-c,--cmd=_ -u=x -S=x -s=_ -w=_ -W=_ -i=_ -t=_ -q=r -l=x -L=x --listen=_ --server=_ --startuptime=w --remote-expr=_ --remote-send=_", Style: LongDash, Lang: "vim", Do: doEditor},
	{Names: "nano pico rnano", Opts: "-f,--rcfile=r -C,--backupdir=_ -J,--guidestripe=_ -o,--operatingdir=_ -Q,--quotestr=_ -r,--fill=_ -s,--speller=P -T,--tabsize=_ -X,--wordchars=_ -Y,--syntax=_", Do: doEditor},
	{Names: "micro", Opts: "-config-dir=_ -startpos=_ -colorscheme=_ -filetype=_ -plugin=_", Style: LongDash, Do: doEditor},
	{Names: "helix hx", Opts: "-c,--config=r --log=w -w,--working-dir=D -g,--grammar=_", Do: doEditor},
	{Names: "joe", Opts: "-tab=_ -lmargin=_ -rmargin=_ -encoding=_", Style: LongDash, Do: doEditor},
	{Names: "kak", Opts: "-e=_ -E=_ -f=_ -s=_ -c=_ -p=_ -i=_ -ui=_ -debug=_", Style: LongDash, Do: doEditor},
}

// grepOpts are the options that all programs like grep share.
const grepOpts = "-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive"
