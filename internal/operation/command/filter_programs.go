// Code generated from programs/filter.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var filterModels = []Model{
	{Names: "sed gsed", Opts: "-e,--expression=_ -f,--file=r -i,-I,--in-place?=_ -l,--line-length=_ -n,--quiet,--silent -E,-r -s,--separate -z", Do: doSed},
	{Names: "awk gawk mawk nawk goawk", Opts: "-f,--file=x -F,--field-separator=_ -v,--assign=_ -i,--include=x -e,--source=e -E,--exec=x -l,--load=_ -o?=_ -p?=_ -d?=_ -b -c -C -g -h -k -M -n -N -O -P -r -s -S -t -V --posix --traditional --sandbox --re-interval --lint?=_ --csv", Style: Strict, Lang: "awk", Do: doAwk},
	{Names: "jq gojq jaq", Style: NoOptions, Do: doJq},
	{Names: "yq xq tomlq", Opts: "--arg=_ --argjson=_ --slurpfile=_ --rawfile=_ -f,--from-file=r -L=_ --indent,-I=_ -o,--output-format=_ -i,--inplace -p,--input-format=_ -s,--split-exp=_ --split-exp-file=r --front-matter=_ --xml-attribute-prefix=_", Args: "_ r*"},
	{Names: "dasel", Opts: "-f,--file=r -s,--selector=_ -r,--read=_ -w,--write=_ -o,--out=w -v,--value=_ -t,--type=_ --indent=_ -i=_", Args: "_ r*"},
	{Names: "fx", Args: "r*"},
	{Names: "man", Opts: "-H,--html?=_ -P,--pager=_ -C,--config-file=_ -M,--manpath=_ -S,-s,--sections=_ -L,--locale=_ -m,--systems=_ -e,--extension=_ -R,--recode=_ -E,--encoding=_ -p,--preprocessor=_ -r,--prompt=_ -T,--troff-device?=_ -X,--gxditview?=_", Do: doMan},
	{Names: "ls gls dir gdir vdir gvdir", Opts: "-I,--ignore=_ -w,--width=_ -T,--tabsize=_ --color?=_ --sort=_ --time=_ --time-style=_ --hide=_ --block-size=_ --format=_ --indicator-style=_ --quoting-style=_ -d,--directory", Do: doLs},
	{Names: "exa eza", Opts: "-I,--ignore-glob=_ -L,--level=_ -s,--sort=_ -t,--time=_ -w,--width=_ --time-style=_ --color,--colour?=_ --icons?=_ -d,--list-dirs", Do: doLs},
	{Names: "lsd", Opts: "-I,--ignore-glob=_ --depth=_ --sort=_ --color=_ --icon=_ --icon-theme=_ --size=_ --blocks=_ --date=_ --permission=_ --group-dirs=_ --config-file=r -d,--directory-only", Do: doLs},
}
