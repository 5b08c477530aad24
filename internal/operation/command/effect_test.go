package command

import (
	"slices"
	"strings"
	"testing"
)

// The effects of a built-in program are said under the first of its names, whatever it is called.
func TestEffectsOfBuiltins(t *testing.T) {
	m := &Model{Names: "acmectl acme", Opts: "-e=_ --push+uploads", Effects: EffectOf("changes"), Sub: []Model{
		{Names: "tenant", Sub: []Model{{Names: "delete rm", Opts: "-n+inert --wipe+force+destroys-data", Effects: EffectOf("destroys")}}},
		{Names: "show"},
		{Names: "add", Effects: EffectOf("installs")},
	}}
	for line, want := range map[string][]string{
		"acme":                          {"infra(acmectl)"},
		"acme -e x tenant rm t":         {"infra(acmectl tenant delete t)"},
		"acmectl tenant rm --wipe t":    {"infra(acmectl tenant delete t)", "infra(acmectl tenant delete t)"},
		"acmectl tenant rm -n t":        nil,
		"acmectl show":                  nil,
		"acmectl --push show":           {"infra(acmectl show)"},
		"acmectl --push=false show":     nil,
		"acmectl add left-pad":          {"packages(acmectl install left-pad)"},
		"acmectl tenant delete t --zzz": {"infra(acmectl tenant delete t)"},
	} {
		words := strings.Fields(line)
		h := &fakeHost{}
		NewCall(h, m, words[0], Lits(words[1:]...), Stream{}).Perform()
		if !slices.Equal(h.ops, want) {
			t.Errorf("%s does %q, not %q", line, h.ops, want)
		}
	}
}
