package command_test

import (
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// startingCommands are commands that read files by themselves.
var startingCommands = []string{
	"make", "make -f x y", "npm run x", "npm install", "pnpm -r x", "just", "just x y", "task", "tox", "nox", "invoke x", "rake", "mage x", "poe x", "hatch run a:x", "composer x", "deno task x",
	"gradle build", "mvn package", "ant", "docker compose up", "devcontainer up", "pre-commit run", "lefthook run pre-commit", "git x", "git commit", "git pull", "direnv allow", "pytest", "pip install -e .",
	"jest", "eslint .", "pylint x", "lint-staged", "cargo build", "./x.sh", "python x.py", "node x.js", "ruby x.rb", "gdb x", "npx x",
}

// Every file of a folder may come from an adversary: none may end the reading.
func FuzzStarted(f *testing.F) {
	for i, s := range []string{"all: b\n\trm $(A)\nA := $(shell x)\n-include *.mk\n", `{"scripts":{"x":"npm run y","y":"rm z"},"workspaces":["a/*"]}`, "tasks:\n  default:\n    deps: [x]\n    cmds: [{cmd: y}]\n", "[alias]\n x = !y\n[core]\n hooksPath = h\n",
		"x a='b': y\n  {{a}}\n", "[testenv]\ncommands = a\n", "task :x => [:y] do\n  sh 'z'\nend\n", "$(call $(words a b),$(1))\n$(word 0,a):\n$(foreach x,$(x),$(if ,))", "import os\nfrom . import x\n", "task a(type: Exec) { commandLine 'x', 'y' }\n", "services:\n  a: {image: b, volumes: [/:/h], command: [c]}\n"} {
		f.Add(i, s)
	}
	f.Fuzz(func(t *testing.T, n int, text string) {
		if len(text) > 8<<10 {
			return
		}
		env := readingEnv
		env.ReadFile = func(string) ([]byte, bool) { return []byte(text), true }
		env.ReadDir = func(string) []string { return []string{"a", "b.mk"} }
		begun := time.Now()
		shell.Read(startingCommands[uint(n)%uint(len(startingCommands))], env)
		if took := time.Since(begun); took > 3*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// A workspace that the project does not have ends no reading.
func TestUnknownWorkspace(t *testing.T) {
	for _, line := range []string{"npm install -w nosuch", "npm i --workspace=nosuch left-pad", "yarn --filter nosuch", "pnpm -F nosuch install"} {
		for _, o := range shell.Read(line, readingEnv) {
			if o.Traits&umpire.UnseenCode != 0 {
				t.Errorf("%s is read as %s", line, o)
			}
		}
	}
}
