package main

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/project"
)

// However an agent gets itself a terminal, answering its own question is denied as far as
// the command can be read.
func TestAgentCannotApprove(t *testing.T) {
	t.Chdir(newProject(t))
	at, err := project.At("")
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := at.Policy("")
	if err != nil {
		t.Fatal(err)
	}
	decide := func(command string) umpire.Decision {
		a, err := cli.ReadAction(nil, []string{command}, "claude", "", "")
		if err != nil {
			t.Fatal(err)
		}
		_, d, err := project.Decide(p, a)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range strings.Split(strings.TrimSpace(`
umpire approve x
umpire deny x
umpire watch
~/.local/bin/umpire approve x
yes | umpire approve x
CLAUDECODE= umpire approve x
env -i umpire approve x
env -u CLAUDECODE setsid umpire approve x
nohup umpire approve x &
bash -ic 'umpire approve x'
bash -oc pipefail 'umpire approve x'
umpire exec -- umpire approve x
umpire exec -c 'umpire approve x'
umpire-sh -c 'umpire approve x'
script -qc 'umpire approve x'
script -q /dev/null umpire approve x
script -q /dev/null -c 'umpire approve x'
script /dev/null -qec 'umpire approve x'
script --command='umpire approve x' f
echo y | script -qc "umpire approve x" /dev/null
expect -c 'spawn umpire approve x; expect "y/N"; send "y\r"'
expect -c 'spawn -noecho sh -c {umpire approve x}'
expect <<< 'spawn umpire approve x'
unbuffer -p umpire approve x
faketty umpire approve x
winpty umpire approve x
empty -f -i in -o out umpire approve x
python3 -c "import pty; pty.spawn(['umpire','approve','x'])"
python3 -c "import os,pty; pid,fd=pty.fork(); os.execvp('umpire',['umpire','approve','x'])"
python3 -c "import pexpect; pexpect.spawn('umpire approve x')"
python3 -c "import ptyprocess; ptyprocess.PtyProcess.spawn(['umpire','approve','x'])"
ruby -e 'require "pty"; PTY.spawn("umpire approve x")'
perl -e 'use IO::Pty; exec("umpire approve x")'
node -e 'require("node-pty").spawn("umpire",["approve","x"])'
tmux send-keys 'umpire approve x' Enter
tmux send-keys -t 0 umpire Space approve Space x C-m
tmux send-keys -l 'umpire approve x'
tmux new-session -d 'umpire approve x'
tmux new-session -d -s s umpire approve x
tmux new-window 'umpire approve x'
tmux run-shell 'umpire approve x'
tmux set-buffer 'umpire approve x' \; paste-buffer
screen -X stuff 'umpire approve x\n'
screen -S a -p 0 -X stuff 'umpire approve x^M'
screen -dmS s umpire approve x
zellij run -- umpire approve x
zellij action write-chars 'umpire approve x'
wezterm cli send-text 'umpire approve x'
wezterm cli spawn -- umpire approve x
wezterm start -- umpire approve x
kitty @ send-text 'umpire approve x\n'
kitty -T title umpire approve x
xterm -T title -e umpire approve x
xterm -e 'umpire approve x'
gnome-terminal -- umpire approve x
konsole --workdir / -e umpire approve x
xdotool type --delay 1 'umpire approve x'
xdotool search --name term windowactivate type 'umpire approve x'
ydotool type 'umpire approve x'
wtype 'umpire approve x'
ssh localhost umpire approve x
ssh -tt localhost 'umpire approve x'
echo 'umpire approve x' | at now
batch <<< 'umpire approve x'
systemd-run --user --pty umpire approve x
socat - EXEC:'umpire approve x',pty,setsid,ctty
crontab - <<< '* * * * * umpire approve x'
dtach -n /tmp/s umpire approve x
osascript -e 'tell application "Terminal" to do script "umpire approve x"'
vim -es -c '!umpire approve x' -c q
mv ~/.local/state/umpire/questions/pending/x.json ~/.local/state/umpire/questions/approved/x.json
cp x.json ~/.local/state/umpire/questions/approved/`), "\n") {
		if d := decide(c); d.Effect != umpire.Deny {
			t.Errorf("%s: got effect %s, want deny", c, d.Effect)
		}
	}
	for _, c := range []string{
		"umpire check ls", "umpire status", "umpire questions", "umpire exec -- ls -l", "umpire exec --client x -c 'ls; pwd'", "umpire-sh -c 'ls -l'", "script -qc ls", "script -q log -c ls",
		"echo umpire approve x", "grep -r 'umpire approve' docs", "xterm -T approve -e ls", "xdotool key Return", "tmux send-keys ls Enter",
	} {
		if d := decide(c); d.Effect != umpire.Allow {
			t.Errorf("%s: got effect %s with reasons %+v, want allow", c, d.Effect, d.Reasons)
		}
	}
	for _, c := range []string{"umpire exec -- rm -rf ~", "umpire exec -c 'rm -rf ~'", "umpire-sh -c 'rm -rf ~'", "umpire-sh -lc 'rm -rf ~'", "xterm -e rm -rf ~"} {
		if d := decide(c); d.Effect != umpire.Deny {
			t.Errorf("%s: got effect %s, want deny", c, d.Effect)
		}
	}
}
