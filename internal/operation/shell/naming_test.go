package shell

import "testing"

// A name that a shell finds at run time, or that this call defined before, is the program
// behind it.
func TestNamesAtRunTime(t *testing.T) {
	for _, text := range []string{
		"$(command -v rm) -rf /data", "$(which rm) -rf /data", "$(type -P rm) -rf /data", "`which -a rm | head -1` -rf /data", "$(ls /bin/rm) -rf /data", "=rm -rf /data",
		"hash -p /bin/rm foo; foo -rf /data", "zsh -c 'hash k=/bin/rm; k -rf /data'", "BASH_CMDS[ls]=/bin/rm; ls -rf /data",
		"alias k='rm -rf'; k /data", "BASH_ALIASES[k]='rm -rf'; k /data", "aliases[k]='rm -rf'; k /data", `fish -c 'alias k "rm -rf"; k /data'`,
		"command_not_found_handle() { rm -rf /data; }; nosuchprogram", "git config alias.z '!rm -rf /data'; git z", "git -c alias.z='!rm -rf /data' z",
		"env -S 'rm -rf' /data", "busybox rm -rf /data", "exec -a ls rm -rf /data", "$BASH -c 'rm -rf /data'", "${0} -c 'rm -rf /data'",
	} {
		found := false
		for _, op := range Read(text, testEnv) {
			found = found || op.String() == "delete(/data)"
		}
		if !found {
			t.Errorf("%s\n\tdoes not delete: %v", text, Read(text, testEnv))
		}
	}
}
