package inject

import "testing"

// An automaton takes as many states as its patterns have beginnings: a table of more would cost
// every process that judges a text.
func TestAutomatonIsExact(t *testing.T) {
	for name, pats := range map[string][]pattern{
		"nothing": nil, "one": {{text: "ab"}}, "repeated": {{text: "ab"}, {text: "ab"}}, "a beginning": {{text: "abc"}, {text: "ab"}}, "forked": {{text: "abc"}, {text: "abd"}, {text: "b"}},
		"the lexicon": lexicon(lexiconText, conceptNames[:]),
	} {
		beginnings := map[string]bool{"": true}
		for _, p := range pats {
			for i := range len(p.text) {
				beginnings[p.text[:i+1]] = true
			}
		}
		if a := build(pats); len(a.out) != len(beginnings) || len(a.next) != len(beginnings)*a.classes {
			t.Errorf("%s: got %d states and %d transitions of %d classes, want %d states", name, len(a.out), len(a.next), a.classes, len(beginnings))
		}
	}
}
