package operation_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// left is what is left to do in each family: how many programs have no examples, and how many
// have no description of their own but one by like:. These counts only shrink. Whoever writes
// examples or a description lowers them.
var left = map[string]struct{ withoutExamples, like int }{
	"agent":              {0, 55},
	"backup":             {0, 0},
	"build":              {0, 59},
	"cloud":              {0, 10},
	"cluster":            {0, 13},
	"container":          {0, 7},
	"database-admin":     {0, 4},
	"debugger":           {0, 5},
	"disk":               {0, 63},
	"editor":             {0, 1},
	"environment":        {0, 20},
	"forge":              {0, 4},
	"git":                {0, 0},
	"http":               {0, 15},
	"interpreter":        {0, 51},
	"language-packages":  {0, 16},
	"lookup":             {0, 1},
	"mail":               {0, 30},
	"migration":          {0, 52},
	"node-packages":      {0, 8},
	"platform":           {0, 237},
	"powershell":         {0, 23},
	"powershell-machine": {0, 65},
	"prefix":             {0, 18},
	"privilege":          {0, 1},
	"probe":              {0, 3},
	"provision":          {0, 52},
	"python-packages":    {0, 8},
	"remote":             {0, 29},
	"saas":               {0, 26},
	"secret":             {0, 57},
	"service":            {0, 12},
	"shell":              {0, 24},
	"sql":                {0, 54},
	"ssh":                {0, 6},
	"store":              {0, 26},
	"system":             {0, 47},
	"system-packages":    {0, 35},
	"terminal":           {0, 27},
	"tunnel":             {0, 43},
	"virtual-machine":    {0, 2},
	"windows":            {0, 23},
}

// builtins returns the built-in programs of each family.
func builtins(t *testing.T) map[string][]policyfile.Builtin {
	t.Helper()
	paths, err := filepath.Glob("command/programs/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d families, %v", len(paths), err)
	}
	all := map[string][]policyfile.Builtin{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if all[filepath.Base(path)], err = policyfile.ParseBuiltins(path, data); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Every hit of a built-in program does something, and no miss does.
func TestExamplesOfPrograms(t *testing.T) {
	var try func(t *testing.T, names []string, p *policyfile.Builtin)
	try = func(t *testing.T, names []string, p *policyfile.Builtin) {
		policyfile.TryProgram(p.Hits, p.Misses, func(a *umpire.Action) []umpire.Operation { return operation.Read(a, operation.Env{}) }, func(e policy.Example, says string) {
			t.Errorf("%s: %s %s: %s", e.Pos, names[0], says, e.Command)
		})
		for _, e := range slices.Concat(p.Hits, p.Misses) {
			if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(strings.ToLower(e.Command), strings.ToLower(n)) }) {
				t.Errorf("%s: the example does not run %s: %s", e.Pos, names[0], e.Command)
			}
		}
		for i := range p.Commands {
			try(t, names, &p.Commands[i])
		}
	}
	for file, programs := range builtins(t) {
		t.Run(strings.TrimSuffix(file, ".yaml"), func(t *testing.T) {
			for i := range programs {
				try(t, programs[i].Names, &programs[i])
			}
		})
	}
}

// A program has examples and a description of its own, except for as many as are left.
func TestProgramsHaveExamples(t *testing.T) {
	all := builtins(t)
	for file, programs := range all {
		family := strings.TrimSuffix(file, ".yaml")
		found := left[family]
		found.withoutExamples, found.like = 0, 0
		for _, p := range programs {
			if len(p.Hits)+len(p.Misses) == 0 {
				found.withoutExamples++
			}
			if p.Like != "" {
				found.like++
			}
		}
		if found != left[family] {
			t.Errorf("%s: %+v, and left has %+v", family, found, left[family])
		}
	}
	if len(left) > len(all) {
		t.Errorf("left has %d families, and there are %d", len(left), len(all))
	}
}

// A program that is like another one borrows no dry run silently: -n of cap only tries, and -n of
// fab is a number of attempts, after which fab deploys. A miss shows each short option that tries.
func TestBorrowedDryRuns(t *testing.T) {
	for file, programs := range builtins(t) {
		byName := map[string]*policyfile.Builtin{}
		for i := range programs {
			for _, n := range programs[i].Names {
				byName[n] = &programs[i]
			}
		}
		for _, p := range programs {
			like := byName[p.Like]
			if like == nil {
				continue
			}
			for _, o := range like.Options {
				short := slices.IndexFunc(o.Names, func(n string) bool {
					return len(n) == 2 && n != "--" && !strings.Contains("-h -V -v -M", n) // these ask the program about itself
				})
				if o.Tries && short >= 0 && !slices.ContainsFunc(p.Misses, func(e policy.Example) bool {
					return slices.ContainsFunc(strings.Fields(e.Command), func(w string) bool {
						return w[0] == '-' && w[:min(2, len(w))] != "--" && slices.ContainsFunc(o.Names, func(n string) bool { return len(n) == 2 && strings.Contains(w, n[1:]) })
					})
				}) {
					t.Errorf("%s: %s borrows %s from %s, and no miss shows that it only tries: describe it, or add the miss", file, p.Names[0], o.Names[short], p.Like)
				}
			}
		}
	}
}
