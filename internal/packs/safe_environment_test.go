//go:build !windows

package packs_test

import (
	"os"
	"slices"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation"
)

// activate is what the module venv of Python writes, without its comments.
const activate = `deactivate () {
    if [ -n "${_OLD_VIRTUAL_PATH:-}" ] ; then
        PATH="${_OLD_VIRTUAL_PATH:-}"
        export PATH
        unset _OLD_VIRTUAL_PATH
    fi
    if [ -n "${_OLD_VIRTUAL_PYTHONHOME:-}" ] ; then
        PYTHONHOME="${_OLD_VIRTUAL_PYTHONHOME:-}"
        export PYTHONHOME
        unset _OLD_VIRTUAL_PYTHONHOME
    fi
    hash -r 2> /dev/null
    unset VIRTUAL_ENV
    if [ ! "${1:-}" = "nondestructive" ] ; then
        unset -f deactivate
    fi
}
deactivate nondestructive
VIRTUAL_ENV="/home/dev/proj/.venv"
export VIRTUAL_ENV
_OLD_VIRTUAL_PATH="$PATH"
PATH="$VIRTUAL_ENV/bin:$PATH"
export PATH
if [ -n "${PYTHONHOME:-}" ] ; then
    _OLD_VIRTUAL_PYTHONHOME="${PYTHONHOME:-}"
    unset PYTHONHOME
fi
hash -r 2> /dev/null
`

// The tools of a virtual environment are the project's. A file in it with the name of a program of
// the system is not that program, and a folder that comes first in PATH may not hide one.
func TestSafeVirtualEnvironment(t *testing.T) {
	m := newMachine(t, `
/usr/bin/python3.11
/usr/bin/git
/home/dev/.local/share/uv/python/cpython-3.12/bin/python3.12
/home/dev/miniconda3/envs/a/bin/python3
/home/dev/Downloads/evil/bin/python3
/tmp/evil/bin/python3
/tmp/evil/git
.venv/bin/activate
.venv/bin/pytest
.venv/bin/git
.venv/bin/python3 -> /usr/bin/python3.11
.venv/bin/python -> python3
.venv/bin/ruby -> /usr/bin/python3.11
scripts/report.py
tests/
web/.venv/bin/python -> /home/dev/.local/share/uv/python/cpython-3.12/bin/python3.12
lib/.venv/bin/python -> /tmp/evil/bin/python3
api/.venv/bin/python -> /home/dev/miniconda3/envs/a/bin/python3
ml/.venv/bin/python -> /home/dev/Downloads/evil/bin/python3
`)
	binary := "\x7fELF\x00"
	for name, content := range map[string]string{
		"/home/dev/proj/.venv/bin/activate": activate, "/home/dev/proj/.venv/bin/git": "#!/bin/sh\n./x\n", "/home/dev/proj/.venv/bin/pytest": binary,
		"/usr/bin/python3.11": binary, "/home/dev/.local/share/uv/python/cpython-3.12/bin/python3.12": binary, "/tmp/evil/bin/python3": binary,
		"/home/dev/miniconda3/envs/a/bin/python3": binary, "/home/dev/Downloads/evil/bin/python3": binary,
	} {
		if err := os.WriteFile(m.root+name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := denyRest(t)
	env := operation.Env{Disk: disk.Below(m.root, "/home/dev", m.workspace, ""), ReadFile: m.readFile, ReadDir: m.readDir, Getenv: func(name string) (string, bool) { return "/usr/bin:/bin", name == "PATH" }}
	for want, commands := range map[umpire.Effect][]string{
		umpire.Allow: {
			"source .venv/bin/activate", "source .venv/bin/activate && pytest -q", ". .venv/bin/activate && python -m pytest tests", "source .venv/bin/activate; ls src; python scripts/report.py",
			".venv/bin/python -m pytest tests", ".venv/bin/python3 scripts/report.py", ".venv/bin/pytest", ".venv/bin/pip list", "web/.venv/bin/python -m pytest", "api/.venv/bin/python -m pytest", "PATH=.venv/bin:$PATH pytest", "export PATH=$PWD/node_modules/.bin:$PATH && eslint src",
		},
		umpire.Deny: {
			"source .venv/bin/activate && git status", "source .venv/bin/activate && pip install x", "source .venv/bin/activate && rm -rf src", ".venv/bin/ruby -v", "lib/.venv/bin/python -m pytest", "ml/.venv/bin/python -m pytest", "PATH=.:$PATH git status", "PATH=src:$PATH git status", "PATH=/tmp/evil:$PATH git status", `PATH=.venv/bin:$X ls`, "PATH=.git/hooks:$PATH git status",
			"source /tmp/evil/bin/activate && ls", "source ../other/.venv/bin/activate && pytest", "PYTHONHOME=/tmp/evil .venv/bin/python -m pytest",
		},
	} {
		for _, c := range commands {
			a := m.act(t, c)
			if ops := operation.Read(a, env); (p.Decide(a, ops).Effect == umpire.Allow) != (want == umpire.Allow) {
				t.Errorf("%s: %v %v", c, p.Decide(a, ops), ops)
			}
		}
	}
}

// A link in the project with the name of one program may lead to another: both are read.
func TestLinkToAnotherProgram(t *testing.T) {
	m := newMachine(t, `
/usr/bin/rm
.venv/bin/python -> /usr/bin/rm
node_modules/.bin/eslint -> /usr/bin/rm
src/a
`)
	env := operation.Env{Disk: disk.Below(m.root, "/home/dev", m.workspace, ""), ReadFile: m.readFile, ReadDir: m.readDir}
	for _, c := range []string{".venv/bin/python -rf src", "PATH=node_modules/.bin:$PATH eslint -rf src", "npx eslint -rf src"} {
		ops := operation.Read(m.act(t, c), env)
		if !slices.ContainsFunc(ops, func(op umpire.Operation) bool { return op.Kind == umpire.Delete && op.Resource == m.workspace+"/src" }) {
			t.Errorf("%s: got %v, want a delete of src", c, ops)
		}
	}
}
