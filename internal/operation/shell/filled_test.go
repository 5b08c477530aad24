package shell

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

// rm -rf "$X"/* deletes everything if X is empty. Only what rules that out may say so.
func TestEmptyVariables(t *testing.T) {
	for _, tt := range []struct {
		line  string
		empty bool
	}{
		{`rm -rf "$X"/*`, true},
		{`rm -rf "${X:?}"/*`, false},
		{`rm -rf ${X:?}/*`, true}, // X may be a blank
		{`rm -rf "${X?}"/*`, true},
		{`rm -rf "$Y${X:?}"/*`, true},
		{`rm -rf "${X:-dist}"/*`, false},
		{`rm -rf "${X-dist}"/*`, true},
		{`OUT=${1:-dist}; rm -rf "$OUT"/*`, false},
		{`Y="${X:?}"; rm -rf "${Y#a}"/*`, true},
		{`Y="${X:?}"; rm -rf "${Y:1}"/*`, true},
		{`Y="${X:?}"; rm -rf "${Y/a}"/*`, true},
		{`Y="${X:?}"; Y=$(cmd); rm -rf "$Y"/*`, true},
		{`: "${X:?}"; rm -rf "$X"/*`, false},
		{`: "${X:?}" | cat; rm -rf "$X"/*`, true},
		{`false && : "${X:?}"; rm -rf "$X"/*`, true},
		{`if a; then : "${X:?}"; fi; rm -rf "$X"/*`, true},
		{`f(){ return; : "${X:?}"; }; f; rm -rf "$X"/*`, true},
		{`X=$(cmd); f(){ return; : "${X:?}"; }; f; rm -rf "$X"/*`, true},
		{`[ -n "$X" ] && rm -rf "$X"/*`, false},
		{`[ -n $X ] && rm -rf "$X"/*`, true},
		{`[[ -n $X ]] && rm -rf "$X"/*`, false},
		{`[[ ! -n $X ]] && rm -rf "$X"/*`, true},
		{`! [ -n "$X" ] && rm -rf "$X"/*`, true},
		{`[ -d "$X" ] && rm -rf "$X"/*`, false},
		{`[ -n "$X" ]; rm -rf "$X"/*`, true},
		{`[ -n "$X" ] || rm -rf "$X"/*`, true},
		{`[ -z "$X" ] || rm -rf "$X"/*`, false},
		{`[ -z "$X" ] && exit 1; rm -rf "$X"/*`, false},
		{`[ -n "${X:-}" ] || exit; rm -rf "$X"/*`, false},
		{`[ -n "$X" ] || exit; . ./other; rm -rf "$X"/*`, true},
		{`[ -n "$X" ] || exit; read X; rm -rf "$X"/*`, true},
		{`[ -n "$X" ] || exit; X=$_OLD_VIRTUAL_X; rm -rf "$X"/*`, true},
		{`[ -n "$X" ] || exit; bash -c 'rm -rf "$X"/*'`, true},
		{`[ -n "$X" ] && X=$(cmd) || exit; rm -rf "$X"/*`, true},
		{`f(){ [ -n "$X" ] || return; }; f; rm -rf "$X"/*`, true},
		{`([ -n "$X" ] || exit); rm -rf "$X"/*`, true},
		{`test(){ true; }; test -n "$X" && rm -rf "$X"/*`, true},
		{`trap 'rm -rf "$X"/*' EXIT; [ -n "$X" ] || exit`, true},
		{`X=$(cmd); [ -n "$X" ] || exit; rm -rf "$X"/*`, false},
		{`[ -n "$X" ] || X=dist; rm -rf "$X"/*`, false},
		{`[ -n "$X" ] || X=$(cmd); rm -rf "$X"/*`, true},
		{`if [ -z "$X" ]; then exit; fi; rm -rf "$X"/*`, false},
		{`if [ -z "$X" ]; then exit; else X=$(cmd); fi; rm -rf "$X"/*`, true},
		{`if [ -z "$X" ]; then echo; else rm -rf "$X"/*; fi`, false},
		{`if [ -z "$X" ]; then echo; elif X=$(cmd); then rm -rf "$X"/*; fi`, true},
		{`if [ -n "$X" ] && X=$(cmd); then rm -rf "$X"/*; fi`, true},
	} {
		empty, unknown := false, false
		for _, op := range Read(tt.line, Env{}) {
			if op.Kind == umpire.Delete {
				empty = empty || op.Traits&umpire.WholeTree != 0 || op.Resource == "/*"
				unknown = unknown || op.Traits&umpire.Unknown != 0
			}
		}
		if empty != tt.empty || !unknown {
			t.Errorf("%s: the variable may be empty: %v, want %v; unknown: %v", tt.line, empty, tt.empty, unknown)
		}
	}
}
