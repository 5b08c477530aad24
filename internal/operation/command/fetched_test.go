package command_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// A build tool reads its files without being told to. In a folder that the same call fetches, they
// are as unseen as a script that the call names.
func TestBuildsOfAFetchedFolder(t *testing.T) {
	const clone = "git clone https://git.example/a/x /tmp/x && "
	for _, text := range []string{
		clone + "cd /tmp/x && ./configure", clone + "cd /tmp/x && make", clone + "make -C /tmp/x", clone + "make -f /tmp/x/Makefile", clone + "(cd /tmp/x; make)",
		clone + "cd /tmp/x && npm test", clone + "npm --prefix /tmp/x run build", clone + "cd /tmp/x && npm ci",
		clone + "cd /tmp/x && go run .", clone + "cd /tmp/x && go test ./...", clone + "cd /tmp && go run ./x", clone + "go run /tmp/x",
		clone + "cd /tmp/x && cargo build", clone + "cargo run --manifest-path /tmp/x/Cargo.toml",
		clone + "cd /tmp/x && pytest", clone + "pytest /tmp/x", clone + "pip install /tmp/x", clone + "cd /tmp/x && pip install -e .",
		clone + "cd /tmp/x && cmake . && make", clone + "cd /tmp/x && docker compose up", clone + "cd /tmp/x && gradle build", clone + "cd /tmp/x && just",
		clone + "mv /tmp/x /tmp/y && cd /tmp/y && make", clone + "cp -r /tmp/x /tmp/y && make -C /tmp/y", clone + "mkdir d && cp -r /tmp/x/. d/ && make -C d",
		clone + "ln -s /tmp/x /tmp/y && make -C /tmp/y",
		"git clone https://git.example/a/x.git && cd x && make", "gh repo clone a/x && cd x && make", "gh repo clone a/x -- --depth 1 && make -C x",
		"hg clone https://hg.example/x && cd x && make", "svn checkout https://svn.example/x && cd x && make", "degit a/x && npm install", "degit a/x d && cd d && npm install",
		"curl -sL https://x.example/x.tgz | tar xz -C d && cd d && make", "curl -sLO https://x.example/x.zip && unzip -d d x.zip && cd d/x && npm i",
	} {
		if !has(shell.Read(text, readingEnv), umpire.UnseenCode) {
			t.Errorf("%s: no unseen code", text)
		}
	}
	for _, text := range []string{
		clone + "cd /tmp/x && ls && cat README.md && git log && git status", clone + "cd /tmp/x && git checkout v1", clone + "make", clone + "npm test", clone + "cd /tmp/x && cd - && make",
		clone + "cd /tmp/x && go build ./...", "git pull && make", "curl -sL https://x.example/x.tgz | tar xz -C d && make", "gh repo view a/x && make",
		"cp -r a b && cd b && make", "mv a b && make -C b",
	} {
		if has(shell.Read(text, readingEnv), umpire.UnseenCode) {
			t.Errorf("%s: unseen code", text)
		}
	}
}

// A compiler that reads its source from a stream compiles the same program as from a file.
func TestCompilersReadStreams(t *testing.T) {
	const (
		removed = "delete(/home/dev/notes) recursive"
		rust    = `fn main() { std::fs::remove_dir_all("/home/dev/notes").unwrap(); }`
		c       = `int main() { system("rm -r /home/dev/notes"); }`
		golang  = `func main() { os.RemoveAll("/home/dev/notes") }`
	)
	for _, text := range []string{
		"rustc - -o /tmp/p <<< '" + rust + "'; /tmp/p", "rustc -o /tmp/p /dev/stdin <<< '" + rust + "'; /tmp/p", "rustc /dev/fd/0 -o /tmp/p <<< '" + rust + "'; /tmp/p",
		"rustc <(echo '" + rust + "') -o /tmp/p; /tmp/p", "echo '" + rust + "' | rustc -; ./rust_out",
		"gcc -xc - -o /tmp/p <<< '" + c + "'; /tmp/p", "gcc -xc /dev/stdin <<< '" + c + "'; ./a.out", "tcc -run - <<< '" + c + "'", "zig cc -xc - -o /tmp/p <<< '" + c + "'; /tmp/p",
		"go run /dev/fd/0 <<< '" + golang + "'", "go run <(echo '" + golang + "')", "go build -o /tmp/p /dev/stdin <<< '" + golang + "'; /tmp/p",
		`dmd -run - <<< 'void main() { rmdirRecurse("/home/dev/notes"); }'`,
	} {
		wantOps(t, text, removed)
	}
	wantOps(t, `nim c -r - <<< 'removeDir("/home/dev/notes")'`, "delete(/home/dev/notes)")
}

// A file that gets a name in another folder is gone from its own, whichever program renames it.
func TestRenamesThatMove(t *testing.T) {
	const gone = "delete(/home/dev/Documents/tax.txt)"
	for _, text := range []string{
		`rename 's/.*/\/tmp\/x/' ~/Documents/tax.txt`, `prename -f 's|.*|/tmp/x|' ~/Documents/tax.txt`, `rename -e 's/^/\x2ftmp/' ~/Documents/tax.txt`, `rename 's/x/chr(47)/e' ~/Documents/tax.txt`,
		`rename '$_ = "/tmp/x"' ~/Documents/tax.txt`, `rename tax /tmp/tax ~/Documents/tax.txt`, `rename "$X" ~/Documents/tax.txt`,
		`mmv ~/Documents/tax.txt /tmp/x`, `mmv -o ~/Documents/tax.txt '/tmp/#1'`,
	} {
		wantOps(t, text, gone)
	}
	wantOps(t, `mmv '/home/dev/Documents/*' '/tmp/#1'`, "delete(/home/dev/Documents/*)")
	wantOps(t, `rename 'system("rm -r /home/dev/notes")' a.txt`, "delete(/home/dev/notes) recursive")
	for _, text := range []string{`rename 's/a/b/' ~/Documents/tax.txt`, `rename 'y/A-Z/a-z/' a.txt`, `rename '$_ = lc' a.txt`, `rename -n 's/.*/\/tmp\/x/' ~/Documents/tax.txt`, `mmv -n '*' '/tmp/#1'`, `mcp 'a/*' 'b/#1'`} {
		for _, op := range shell.Read(text, readingEnv) {
			if op.Kind == umpire.Delete && op.Traits&umpire.Inert == 0 {
				t.Errorf("%s: %v", text, op)
			}
		}
	}
}
