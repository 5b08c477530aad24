package propose_test

import (
	"slices"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/propose"
)

func TestScope(t *testing.T) {
	op := func(k umpire.Kind, res string, tr umpire.Trait, p umpire.Place) umpire.Operation {
		return umpire.Operation{Kind: k, Resource: res, Traits: tr, Places: p}
	}
	in := umpire.PlaceInWorkspace
	for name, c := range map[string]struct {
		ops         []umpire.Operation
		wide, exact []string
	}{
		"a program with its sub-command": {[]umpire.Operation{op(umpire.Exec, "go test ./...", 0, 0)}, []string{"exec(go test *)"}, []string{"exec(go test ./...)"}},
		"files of the project":           {[]umpire.Operation{op(umpire.Write, "/p/a.go", 0, in), op(umpire.Write, "/p/b/c.go", 0, in)}, []string{"write(/p/**)"}, []string{"write(/p/a.go)", "write(/p/b/c.go)"}},
		"a file elsewhere":               {[]umpire.Operation{op(umpire.Write, "/q/a.go", 0, 0)}, []string{"write(/q/a.go)"}, []string{"write(/q/a.go)"}},
		"deleting elsewhere":             {[]umpire.Operation{op(umpire.Delete, "/q/a.go", 0, 0)}, nil, []string{"delete(/q/a.go)"}},
		"one grave part":                 {[]umpire.Operation{op(umpire.Exec, "go test", 0, 0), op(umpire.Exec, "sh", umpire.RemoteCode, 0)}, nil, nil},
		"what only the shell knows":      {[]umpire.Operation{op(umpire.Delete, umpire.Hole, 0, in)}, nil, nil},
		"a name that would be a glob":    {[]umpire.Operation{op(umpire.Exec, "ls '*'", 0, 0)}, nil, nil},
	} {
		if got := propose.Scope(c.ops, "/p", false); !slices.Equal(got, c.wide) {
			t.Errorf("%s: %q, want %q", name, got, c.wide)
		}
		if got := propose.Scope(c.ops, "/p", true); !slices.Equal(got, c.exact) {
			t.Errorf("%s, exactly: %q, want %q", name, got, c.exact)
		}
	}
}
