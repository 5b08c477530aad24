package operation_test

import (
	"encoding/json"
	"testing"

	"github.com/umpire-dev/umpire"
)

// Some clients ask no hook about what is typed into a program that runs already. What
// opens one has to say so, and what gets its text at once must not.
func TestInteractive(t *testing.T) {
	for command, want := range map[string]bool{
		"bash": true, "bash -i": true, "bash --login": true, "sh -s": true, "env -i zsh": true, "exec fish": true, "nohup bash &": true, "bash -c bash": true,
		"python3": true, "python3 -i x.py": true, "python3 -m code": true, "python3 -m pdb x.py": true, "node": true, "irb": true, "perl": true, "php -a": true, "ghci": true,
		"sudo -i": true, "sudo -s": true, "su -": true, "su - root": true, "ssh host": true, "ssh -t host": true, "docker exec -it c bash": true,
		"kubectl exec -it p -- sh": true, "psql": true, "mysql -u root": true, "sqlite3 x.db": true, "gdb ./a": true, "vim x": true, "tmux": true, "script x": true,
		"source /dev/stdin": true, ". /dev/tty": true, "nsenter -t 1": true, "unshare -r": true, "pwsh": true, "nix-shell -p git": true,

		"echo ls | source /dev/stdin": false, "bash x.sh": false, "bash -c ls": false, "bash <<< ls": false, "echo ls | sh": false, "bash --version": false, "python3 x.py": false,
		"python3 -c 'print(1)'": false, "python3 -m pytest -q": false, "node x.js": false, "sudo ls": false, "sudo -v": false, "su -c ls": false,
		"ssh host ls": false, "ssh -N -L 1:a:2 host": false, "psql -c 'select 1'": false, "psql < x.sql": false, "mysql -e 'select 1'": false,
		"sqlite3 x.db 'select 1'": false, "gdb -batch ./a": false, "tmux ls": false, "nix-shell --run make": false, "docker exec c ls": false,
	} {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		got := false
		for _, o := range read("Bash", string(input)) {
			got = got || o.Traits.Has(umpire.Interactive)
		}
		if got != want {
			t.Errorf("%s: interactive is %v", command, got)
		}
	}
}
