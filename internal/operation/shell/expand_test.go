package shell

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Words become what bash 5.2 makes of them: each of these lines was run by it. A word may stay
// unknown; one that is read as another word is judged as another word.
func TestExpansionsAreBash(t *testing.T) {
	unknown := 0
	for _, tt := range []struct {
		line string
		want []string // the arguments of prog
	}{
		{`x=aXbXc; prog ${x/X/-}`, []string{"a-bXc"}},
		{`x=aXbXc; prog ${x//X/-}`, []string{"a-b-c"}},
		{`x=aXbXc; prog ${x/X}`, []string{"abXc"}},
		{`x=aXbXc; prog ${x//X}`, []string{"abc"}},
		{`x=aXbXc; prog ${x/#a/-}`, []string{"-XbXc"}},
		{`x=aXbXc; prog ${x/#X/-}`, []string{"aXbXc"}},
		{`x=aXbXc; prog ${x/%c/-}`, []string{"aXbX-"}},
		{`x=aXbXc; prog ${x/%X/-}`, []string{"aXbXc"}},
		{`x=aXbXc; prog ${x/[Xb]/-}`, []string{"a-bXc"}},
		{`x=aXbXc; prog ${x//[Xb]/-}`, []string{"a---c"}},
		{`x=aXbXc; prog ${x/X*/-}`, []string{"a-"}},
		{`x=aXbXc; prog ${x/?/-}`, []string{"-XbXc"}},
		{`x=a.b.c; prog ${x#*.} ${x##*.} ${x%.*} ${x%%.*}`, []string{"b.c", "c", "a.b", "a"}},
		{`x=a.b.c; prog ${x#a} ${x#b} ${x%c} ${x%b}`, []string{".b.c", "a.b.c", "a.b.", "a.b.c"}},
		{`x=abcdef; prog ${x:2} ${x:2:2} ${x: -2} ${x: -3:2} ${x:1:-1} ${x:9} ${x:0:0}end`, []string{"cdef", "cd", "ef", "de", "bcde", "end"}},
		{`x=abc; prog ${#x}`, []string{"3"}},
		{`x=(a bb c); prog ${#x[@]} ${#x[1]} ${x[-1]} ${x[@]:1} ${x[@]:1:1}`, []string{"3", "2", "c", "bb", "c", "bb"}},
		{`x=(a b); x+=(c); prog "${x[@]}"`, []string{"a", "b", "c"}},
		{`x=(a b); prog "${x[*]}"`, []string{"a b"}},
		{`x=ab; x+=c; prog $x`, []string{"abc"}},
		{`x=aBc; prog ${x^} ${x^^} ${x,} ${x,,}`, []string{"ABc", "ABC", "aBc", "abc"}},
		{`unset x; prog ${x:-d} ${x-d} ${x:+d}end`, []string{"d", "d", "end"}},
		{`x=; prog ${x:-d} ${x-d}end ${x:+d}end ${x+d}`, []string{"d", "end", "end", "d"}},
		{`x=v; prog ${x:-d} ${x-d} ${x:+d} ${x+d}`, []string{"v", "v", "d", "d"}},
		{`unset x; prog ${x:=d} $x`, []string{"d", "d"}},
		{`x=v; y=x; prog ${!y}`, []string{"v"}},
		{`x='a b'; prog $x "$x"`, []string{"a", "b", "a b"}},
		{`x='a  b '; prog $x.`, []string{"a", "b", "."}},
		{`IFS=:; x=a:b; prog $x`, []string{"a", "b"}},
		{`prog {a,b}c {1..3} {3..1} {a..c} x{,y} {a,{b,c}}`, []string{"ac", "bc", "1", "2", "3", "3", "2", "1", "a", "b", "c", "x", "xy", "a", "b", "c"}},
		{`prog '{a,b}' "{a,b}" {a}`, []string{"{a,b}", "{a,b}", "{a}"}},
		{`prog ~ ~/x "~" a~`, []string{"/home/dev", "/home/dev/x", "~", "a~"}},
		{`x=~/y; prog $x`, []string{"/home/dev/y"}},
		{`x=~; prog $x`, []string{"/home/dev"}},
		{`x="~/y"; prog $x`, []string{"~/y"}},
		{`x=~/a$HOME; prog $x`, []string{"/home/dev/a/home/dev"}},
		{`prog $((1+2*3)) $((7/2)) $((2**3)) $((5%3)) $((1<<4)) $((0x10))`, []string{"7", "3", "8", "2", "16", "16"}},
		{`set -- a b c; prog $1 $# "$@" ${@:2} ${*:1:1}`, []string{"a", "3", "a", "b", "c", "b", "c", "a"}},
		{`set -- a b c; shift; prog $1`, []string{"b"}},
		{`prog $'a\tb' $'\x41' $'\101' $'\u00e9' $'it\'s'`, []string{"a\tb", "A", "A", "é", "it's"}},
		{`prog "a\"b" "a\$b" "a\\b" "a\nb"`, []string{"a\"b", "a$b", "a\\b", "a\\nb"}},
		{`prog a\ b a\b 'a\b'`, []string{"a b", "ab", "a\\b"}},
		{`x=5; until [ $x = 5 ]; do :; done; prog $x`, []string{"5"}},
		{`prog "$(echo a b)" $(echo a b)`, []string{"a b", "a", "b"}},
		{"prog `echo a`", []string{"a"}},
		{`read x <<< "a b"; prog $x`, []string{"a", "b"}},
		{`x=$(printf '%s-%s' a b); prog $x`, []string{"a-b"}},
		{`x=a; x=${x}b; prog $x`, []string{"ab"}},
	} {
		var words []command.Word
		for _, w := range tt.want {
			words = append(words, command.Lit(w))
		}
		want := "exec(" + command.Quote("prog", words) + ")"
		got := read(t, tt.line)
		switch {
		case len(got) > 0 && strings.Contains(got[0], umpire.Hole):
			unknown++
		case len(got) == 0 || got[0] != want: // what follows are the files that the words may name
			t.Errorf("%s: got %q, want %q first", tt.line, got, want)
		}
	}
	if unknown > 3 {
		t.Errorf("%d lines have a word that is not known, want 3 at most", unknown)
	}
}

// A name that a search prints keeps standing for the files below a folder, however its text flows.
// The mark of such a name has no meaning in what the adversary writes.
func TestListingFlows(t *testing.T) {
	for _, tt := range []struct {
		line string
		tree bool
	}{
		{`find src -type f | sort | head -3 | xargs rm`, true},
		{`find src -type f | grep -v a | xargs rm`, true},
		{`find src -type f | awk '{print $1}' | xargs rm`, true},
		{`F=$(find src -type f); echo "$F" > list; rm $(cat list)`, true},
		{`read -ra a < <(find src -type f); rm "${a[@]}"`, true},
		{`while read -r f; do rm "$f"; done <<< "$(find src -type f)"`, true},
		{`find src -type f -printf 'rm %p\n' | sh`, true},
		{`find src -type f | xargs -I{} sh -c 'echo a; rm {}'`, true},
		{`find src -type f | xargs dirname | xargs rm`, true},
		{`find src -type f | xargs basename -a | xargs rm`, false},
		{`find src -type f | wc -l | xargs rm`, false},
		{`find src -type f | tail -n +2 | xargs rm`, true},
		{`find src -type f | awk 'NR>1' | xargs rm`, true},
		{`find src -type f | perl -ne print | xargs rm`, true},
		{`find src -type f | python3 -c 'import sys; print(sys.stdin.read())' | xargs rm`, true},
		{`find src -type f | some-filter | xargs rm`, true},
		{`find src -type f | gzip -c | gunzip -c | xargs rm`, true},
		{`find src -type f | timeout 5 awk NF | xargs rm`, true},
		{`find src -type f | grep -E '[a-z]+' | xargs rm`, true},
		{`find src -type f | grep src/ | xargs rm`, true},
		{`find src -type f | grep -E '\.(pyc|pyo)$' | xargs rm`, false},
		{`comm -23 <(find src -type f | sort) keep | xargs rm`, true},
		{`ls src/* | xargs rm`, true},
		{`find src -type f | while read -r f; do printf '%q\n' "$f"; done | xargs rm`, true},
		{`F="$(find src -type f) x"; rm $F`, true},
		{`rm -f $(find src -type f)x`, true},
		{`F=$(find src -type f); rm ${F//x/y}`, true},
		{`find src -type f | sha256sum | xargs rm`, false},
		{`find src -type f | xargs cat | xargs rm`, false},
		{`find src -type f | while read -r f; do some-report; done | xargs rm`, false},
		{`mv src /tmp/t-$$ && rm -rf /tmp/t-$$`, true},
		{`mv src /tmp/old && rm -rf /tmp/o*`, true},
		{"rm 'src" + command.ListMark + "'", false},
		{`rm $'src\ufdd0'`, false},
		{`rm $(echo c3Jj77eQ | base64 -d)`, false},
	} {
		ops := readHome(tt.line)
		if got := slices.ContainsFunc(ops, func(op umpire.Operation) bool {
			return op.Kind == umpire.Delete && op.Traits&umpire.Recursive != 0 && strings.HasSuffix(op.Resource, "/src")
		}); got != tt.tree {
			t.Errorf("%s: deletes the tree src: got %v, want %v, in %v", tt.line, got, tt.tree, ops)
		}
	}
}

// A file that a search finds has the places of the paths where a file of that name has a meaning.
func TestFoundPlaces(t *testing.T) {
	for _, tt := range []struct {
		line  string
		kind  umpire.Kind
		place umpire.Place
		want  bool
	}{
		{`cat $(find / -name shadow)`, umpire.Read, umpire.PlaceCredentials, true},
		{`find ~ -name credentials | xargs cat`, umpire.Read, umpire.PlaceCredentials, true},
		{`for f in $(find ~ -name credentials); do cat < $f; done`, umpire.Read, umpire.PlaceCredentials, true},
		{`locate id_rsa | head -1 | xargs cat`, umpire.Read, umpire.PlaceCredentials, true},
		{`fd -H id_rsa ~ | xargs cat`, umpire.Read, umpire.PlaceCredentials, true},
		{`grep -rl 'PRIVATE KEY' ~ | xargs cat`, umpire.Read, umpire.PlaceCredentials, true},
		{`find ~ -name .bashrc | xargs -I{} sh -c 'echo x >> {}'`, umpire.Write, umpire.PlaceStartup, true},
		{`find ~ -name go.mod | xargs cat`, umpire.Read, umpire.PlaceCredentials, false},
		{`find ~/work -name credentials | xargs cat`, umpire.Read, umpire.PlaceCredentials, false},
		{`locate stdio.h | xargs cat`, umpire.Read, umpire.PlaceCredentials, false},
		{`grep -rl TODO ~ | xargs cat`, umpire.Read, umpire.PlaceCredentials, false},
		{`grep -rl 'PRIVATE KEY' . | xargs cat`, umpire.Read, umpire.PlaceCredentials, false},
	} {
		ops := readHome(tt.line)
		if got := slices.ContainsFunc(ops, func(op umpire.Operation) bool { return op.Kind == tt.kind && op.Places&tt.place != 0 }); got != tt.want {
			t.Errorf("%s: %v at %v: got %v, want %v, in %v", tt.line, tt.kind, tt.place, got, tt.want, ops)
		}
	}
}

// A redirection to many files empties them if the command is known to print nothing.
func TestEmptiesMany(t *testing.T) {
	for command, want := range map[string]bool{
		":": true, "command true": true, "builtin :": true, "{ :; }": true, "(:)": true, "echo -n": true, "printf ''": true, "cat /dev/null": true, "cat </dev/null": true,
		"eval :": true, "echo a": false, "curl -s localhost": false, "$tool": false, "{ :; some-program; }": false, `eval "$code"`: false,
	} {
		line := `for f in src/*.go; do ` + command + ` > "$f"; done`
		ops := readHome(line)
		if got := slices.ContainsFunc(ops, func(op umpire.Operation) bool { return op.Kind == umpire.Write && op.Traits&umpire.Bulk != 0 }); got != want {
			t.Errorf("%s: empties many files: got %v, want %v, in %v", line, got, want, ops)
		}
	}
}

// Each line hides from a reader what a listing names, or that a file is emptied. The operation that
// harms must stay with its trait or place.
func TestListingKeeps(t *testing.T) {
	const secret, keeps = umpire.PlaceCredentials, "/home/dev/.ssh"
	for _, tt := range []struct {
		line     string
		kind     umpire.Kind
		resource string
		trait    umpire.Trait
		place    umpire.Place
	}{
		{`ls /* | xargs rm -rf`, umpire.Delete, "/", umpire.Recursive, umpire.PlaceRoot},
		{`rm -rf $(ls -d /*)`, umpire.Delete, "/*", umpire.Recursive, umpire.PlaceRoot},
		{`ls /* | xargs -I{} mv {} /tmp/x`, umpire.Delete, "/", 0, umpire.PlaceRoot},
		{`ls /etc/* | xargs cat`, umpire.Read, "/etc/*", 0, secret},
		{`for f in $(ls /etc/* | tr '\n' '\0'); do cat <$f; done`, umpire.Read, "/etc/*", 0, secret},
		{`for f in $(ls ~/.ssh/* | tr '\n' '\0'); do cat <$f; done`, umpire.Read, keeps, 0, secret},
		{`find ~/.ssh | { read h; grep -v x; } | xargs cat`, umpire.Read, keeps, 0, secret},
		{`find ~/.ssh | { read h; some-filter; } | xargs cat`, umpire.Read, keeps, 0, secret},
		{`find ~/.ssh | while read h; do grep -v x; done | xargs cat`, umpire.Read, keeps, 0, secret},
		{`find ~/.ssh | grep -v "$(find x)" | xargs cat`, umpire.Read, keeps, 0, secret},
		{`find ~/.ssh | sed s/$(find a)/b/ | xargs cat`, umpire.Read, keeps, 0, secret},
		{`grep -rL 'PRIVATE KEY' / | xargs truncate -s0`, umpire.Write, "/", umpire.Truncate, umpire.PlaceRoot},
		{`grep -rlv 'PRIVATE KEY' / | xargs rm -f`, umpire.Delete, "/", 0, umpire.PlaceRoot},
		{`grep -rl 'PRIVATE KEY' / | xargs rm -f`, umpire.Delete, "/", 0, umpire.PlaceRoot},
		{`find /etc | grep -w a | xargs cat`, umpire.Read, "/etc/" + umpire.Hole + "/*a*", 0, secret},
		{`cp -rT dotfiles ~`, umpire.Write, "/home/dev", 0, umpire.PlaceHome},
		{`cp -r x/ ~`, umpire.Write, "/home/dev", 0, umpire.PlaceHome},
		{`cp -r "$X" ~`, umpire.Write, "/home/dev", 0, umpire.PlaceHome},
		{`for f in ~/*; do cp /dev/null $f; done`, umpire.Write, "/home/dev/*", umpire.Truncate | umpire.Bulk, 0},
		{`for f in src/*; do : 2> $f; done`, umpire.Write, "/home/dev/proj/src/*", umpire.Bulk, 0},
		{`for f in src/*; do : {fd}> $f; done`, umpire.Write, "/home/dev/proj/src/*", umpire.Bulk, 0},
		{`for f in src/*; do tool > $f > /dev/null; done`, umpire.Write, "/home/dev/proj/src/*", umpire.Bulk, 0},
		{`find . | sort - payload.txt | sh`, umpire.Exec, "sh", umpire.UnseenCode, 0},
		{`find /etc | grep -E 'a|b' | sh`, umpire.Exec, "sh", umpire.UnseenCode, 0},
		{`sh -c "$PAYLOAD $(find src)"`, umpire.Exec, "sh " + umpire.Hole, umpire.UnseenCode, 0},
		{`fd '^src$' | xargs rm -rf`, umpire.Delete, "/home/dev/proj", umpire.Recursive, umpire.PlaceWorkspace},
		{`frob export --src ~/.bash_history`, umpire.Read, "/home/dev/.bash_history", 0, umpire.PlaceHistory},
		{`frob export --src ~/.bash_history`, umpire.Write, "/home/dev/.bash_history", 0, umpire.PlaceHistory},
	} {
		if got := readHome(tt.line); !slices.ContainsFunc(got, func(op umpire.Operation) bool {
			return op.Kind == tt.kind && op.Resource == tt.resource && op.Traits&tt.trait == tt.trait && op.Places&tt.place == tt.place
		}) {
			t.Errorf("%s: got %v, want %v of %s with traits %v at %v", tt.line, got, tt.kind, tt.resource, tt.trait, tt.place)
		}
	}
}

// A filter that prints a part of each line does not narrow the whole project, and no filter narrows
// what is outside of it.
func TestListingNarrows(t *testing.T) {
	for line, want := range map[string]bool{
		`find . | awk '{print $1}' | xargs rm -rf`:        false,
		`find . | cut -f1 | xargs rm -rf`:                 false,
		`find . | shuf | xargs rm -rf`:                    false,
		`find . /srv/x | some-filter | xargs rm -rf`:      false,
		`find . | some-filter | xargs rm -rf`:             true,
		`find . | awk '{if (NR > 1) print}' | xargs rm`:   true,
		`find src | some-filter | xargs rm -rf`:           false,
		`find . | grep -E '[a-z]+x' | xargs rm -rf`:       true,
		`find . | grep -E 'a' | grep -v b | xargs rm -rf`: true,
	} {
		ops := readHome(line)
		if got := slices.ContainsFunc(ops, func(op umpire.Operation) bool { return op.Kind == umpire.Delete && op.Traits&umpire.Filtered != 0 }); got != want {
			t.Errorf("%s: deletes a part of the names: got %v, want %v, in %v", line, got, want, ops)
		}
	}
}

// An adversary doubles a listing again and again, or searches for thousands of alternatives, so that
// the reader runs out of memory or time. The names still stand for everything then.
func TestListingGrows(t *testing.T) {
	double := func(program string) string {
		var b strings.Builder
		b.WriteString("find ~ > l0; find src > m0; ")
		for i := range 12 {
			fmt.Fprintf(&b, "%[1]s l%[2]d l%[2]d m%[2]d l%[2]d > l%[3]d; %[1]s m%[2]d l%[2]d m%[2]d > m%[3]d; ", program, i, i+1)
		}
		return b.String() + "xargs rm -rf < l12"
	}
	many := strings.Repeat("a|", 20_000) + "b"
	for name, line := range map[string]string{
		"sort":         double("sort"),
		"cat":          double("cat"),
		"alternatives": "find ~" + strings.Repeat(" | grep -E '"+many+"'", 3) + " | xargs rm -rf",
		"patterns":     "find ~ | grep" + strings.Repeat(" -e ab -e cd", 5_000) + " | xargs rm -rf",
	} {
		start, before := time.Now(), allocated()
		ops := readHome(line)
		if mb := (allocated() - before) >> 20; mb > 200 || time.Since(start) > 5*time.Second {
			t.Errorf("%s: reading took %d MB and %v, want at most 200 MB and 5 s", name, mb, time.Since(start))
		}
		if !slices.ContainsFunc(ops, func(op umpire.Operation) bool {
			return op.Kind == umpire.Delete && op.Places&(umpire.PlaceHome|umpire.PlaceRoot) != 0 && op.Traits&umpire.Recursive != 0
		}) {
			t.Errorf("%s: got no deletion of the home folder or of all files, want one", name)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
