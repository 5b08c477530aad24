// Code generated from programs/editor.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var editorModels = []Model{
	{Names: "ed", Opts: "-p,--prompt=_ -s", Args: "o", Lang: "ed", Do: doEditor},
	{Names: "ex", Opts: "-c,--cmd=_ -u=x -S=x -s -t=_ -w=_", Args: "o", Lang: "ed", Do: doEditor},
	{Names: "emacs", Opts: "--eval,-eval,--execute,-execute,-e=e -l,-load,--load,-script,--script,-x=x -f,-funcall,--funcall=_ -d,--display=_ --directory,-L=_ --insert,-insert=r -chdir,--chdir=D -u,-user,--user=_ -t,--terminal=_ -init-directory,--init-directory=_ -g,-geometry,--geometry=_ -fn,--font=_ -name,--name=_ -title,-T,--title=_", Args: "r*", Style: LongDash, Lang: "lisp"},
	{Names: "emacsclient", Opts: "-e,--eval=e -a,--alternate-editor=P -s,--socket-name=_ -f,--server-file=_ -d,--display=_ -F,--frame-parameters=_ -T,--tramp=_ --parent-id=_", Args: "r*", Lang: "lisp"},
	{Names: "vim vi view vimdiff rvim gvim", Opts: "-c,--cmd=_ -u=x -U=x -S=x -s=_ -w=_ -W=_ -T=_ -i=_ -t=_ -q=r --servername=_ --startuptime=w", Style: LongDash, Lang: "vim", Do: doEditor},
	{Names: "nvim", Opts: "-c,--cmd=_ -u=x -S=x -s=_ -w=_ -W=_ -i=_ -t=_ -q=r -l=x -L=x --listen=_ --server=_ --startuptime=w --remote-expr=_ --remote-send=_", Style: LongDash, Lang: "vim", Do: doEditor},
	{Names: "nano rnano pico", Opts: "-f,--rcfile=r -C,--backupdir=_ -J,--guidestripe=_ -o,--operatingdir=_ -Q,--quotestr=_ -r,--fill=_ -s,--speller=P -T,--tabsize=_ -X,--wordchars=_ -Y,--syntax=_", Do: doEditor},
	{Names: "micro", Opts: "-config-dir=_ -startpos=_ -colorscheme=_ -filetype=_ -plugin=_", Style: LongDash, Do: doEditor},
	{Names: "helix hx", Opts: "-c,--config=r --log=w -w,--working-dir=D -g,--grammar=_", Do: doEditor},
	{Names: "joe", Opts: "-tab=_ -lmargin=_ -rmargin=_ -encoding=_", Style: LongDash, Do: doEditor},
	{Names: "kak", Opts: "-e=_ -E=_ -f=_ -s=_ -c=_ -p=_ -i=_ -ui=_ -debug=_", Style: LongDash, Do: doEditor},
}
