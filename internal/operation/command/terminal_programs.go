// Code generated from programs/terminal.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var terminalModels = []Model{
	{Names: "script", Opts: "-a,--append -e,--return -f,--flush -F -k -q,--quiet -r -d -I,--log-in=w -O,--log-out=w -B,--log-io=w -T,--log-timing=w -m,--logging-format=_ -c,--command=_ -E,--echo=_ -o,--output-limit=_ --timing?=_", Style: Strict, Do: doScript},
	{Names: "asciinema", Sub: terminalCommands1},
	{Names: "expect", Opts: "-c=_ -f=_ -d -b", Style: Strict, Do: doExpect},
	{Names: "tmux", Opts: "-2 -8 -C -D -l -N -u -U -v -V -c=c -f=_ -L=_ -S=_ -T=_", Style: Strict, Do: doTmux},
	{Names: "byobu", Style: Strict, Do: doTmux},
	{Names: "screen", Opts: "-a -A -d -D -i -l -ls -L -m -O -q -R -U -v -wipe -S=_ -c=_ -e=_ -h=_ -p=_ -s=_ -t=_ -T=_ -r?=_ -x -X", Style: Strict, Do: doScreen},
	{Names: "zellij", Sub: terminalCommands2},
	{Names: "dtach abduco", Opts: "-e=_ -r=_", Args: "_ C", Style: Strict},
	{Names: "xterm rxvt urxvt st foot alacritty konsole gnome-terminal xfce4-terminal mate-terminal lxterminal qterminal terminator tilix ptyxis kgx ghostty x-terminal-emulator uxterm cool-retro-term termite deepin-terminal", Opts: "-T,--title=_ -title=_ -geometry=_ --geometry=_ -fn=_ -fa=_ -fs=_ -bg=_ -fg=_ -name=_ -class=_ --class=_ --profile=_ --window-with-profile=_ --working-directory=_ --workdir=_ -d=_ -o,--option=_ --config-file=_ -t=_ -p=_", Style: NoOptions, Do: doTerminalWindow},
	{Names: "kitty", Style: NoOptions, Do: doKitty},
	{Names: "wezterm", Style: NoOptions, Do: doWezterm},
	{Names: "xdotool ydotool wtype dotool xvkbd", Style: NoOptions, Do: doTyped},
	{Names: "faketty winpty ptyrun conpty", Args: "C", Style: Strict},
	{Names: "ttyrec", Opts: "-a -u -e=c"},
	{Names: "empty", Style: NoOptions, Do: doEmpty},
}

var terminalCommands1 = []Model{
	{Names: "rec record", Opts: "-c,--command=c -t,--title=_ -i,--idle-time-limit=_ -e,--env=_", Args: "w"},
}

var terminalCommands2 = []Model{
	{Names: "run", Opts: "-n,--name=_ -d,--direction=_ --cwd=_", Args: "C", Style: Strict},
	{Names: "action", Style: NoOptions, Do: doZellijAction},
}
