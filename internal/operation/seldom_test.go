package operation_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/operation/code"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// A script that is too long to interpret is searched for calls that matter. Where people write
// code, it also counts as unseen: an adversary can pad one.
func TestLongScripts(t *testing.T) {
	padding := strings.Repeat("let a = 1;\n", code.MaxText/11+1)
	text := padding + `require("child_process").execSync("rm -rf /srv/data");` + "\n" + padding
	for file, unseen := range map[string]bool{"src/app.js": true, "src/app.min.js": false, ".yarn/releases/yarn.cjs": false} {
		input, err := json.Marshal(map[string]string{"command": "node " + file})
		if err != nil {
			t.Fatal(err)
		}
		a := &umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev"}
		deletes, hidden := false, false
		for _, o := range operation.Read(a, operation.Env{ReadFile: func(path string) ([]byte, bool) { return []byte(text), strings.HasSuffix(path, file) }}) {
			deletes = deletes || o.Kind == umpire.Delete && o.Resource == "/srv/data"
			hidden = hidden || o.Traits.Has(umpire.UnseenCode)
		}
		if !deletes || hidden != unseen {
			t.Errorf("%s: deletes %v, unseen %v", file, deletes, hidden)
		}
	}
}

// A program with the name of a system program in another folder is an impostor.
func TestImpostor(t *testing.T) {
	at := place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj"}
	for source, want := range map[string]string{"make check": "", "/usr/bin/make check": "", "./make check": "./make", "'/tmp/make' check": "/tmp/make"} {
		op := umpire.Operation{Kind: umpire.Exec, Resource: "make check", Source: source}
		if got := operation.Impostor(op, at, maps.Keys(map[string]bool{}), func(string) bool { return false }); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	if !operation.LoadsCode("LD_PRELOAD") || operation.LoadsCode("LANG") {
		t.Error("LD_PRELOAD loads code, LANG does not")
	}
}
