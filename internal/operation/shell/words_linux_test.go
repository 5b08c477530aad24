package shell

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// What TestWordsAreThoseOfBash makes its lines of: values with expansions of them, and the rest alone.
var (
	values = []string{`a.b/c.d`, `aXbXc`, `'a  b '`, `''`, `ÄxÖ`, `'a\b*c'`, `-5`, `"it's"`, `~/y`, `'~/y'`, `'{a,b}'`, `'x\ty'`}

	expansions = []string{
		`$x`, `"$x"`, `${x}z`, `${#x}`, `"${x-d}"`, `${x:-d}`, `${x:+d}`, `${x+d}`, `${y:-$x}`, `"${y-}"`, `${y:=$x}$y`,
		`"${x#*.}"`, `"${x##*.}"`, `"${x%.*}"`, `"${x%%.*}"`, `"${x#a}"`, `"${x%c}"`, `"${x#?}"`, `"${x%?}"`, `"${x##*/}"`, `"${x%/*}"`, `"${x#[a-b]}"`, `"${x#"$x"}"`, `"${x%"${x#?}"}"`,
		`"${x/X/-}"`, `"${x//X/-}"`, `"${x/X}"`, `"${x//X}"`, `"${x/#a/-}"`, `"${x/%c/-}"`, `"${x/#X/-}"`, `"${x//[Xb]/-}"`, `"${x/X*/-}"`, `"${x//?/-}"`, `"${x/#/-}"`, `"${x/%/-}"`, `"${x//\//-}"`, `"${x/a/&&}"`, `"${x/./}"`, `"${x//*/y}"`,
		`"${x:0}"`, `"${x:1}"`, `"${x:2:2}"`, `"${x: -1}"`, `"${x: -2:1}"`, `"${x:1:-1}"`, `"${x:0:0}"`, `"${x:9}"`, `"${x:1+1:x0+1}"`, `"${x:0:99}"`,
		`"${x^}"`, `"${x^^}"`, `"${x,}"`, `"${x,,}"`, `"${x^^[b]}"`, `"${x^b}"`, `"${x,,[X]}"`, `"${x@U}"`, `"${x@u}"`, `"${x@L}"`, `"${x@Q}"`, `"${x@E}"`, `"${x@A}"`, `"${x@K}"`,
		`$(echo "$x")`, `"$(printf '%s' "$x")"`, "`echo \"$x\"`", `"$(cat <<<"$x")"`, `$x$x`, `a"$x"b`, `'$x'`, `\$x`, `"\$x"`, `$'$x\n'`, `{$x,z}`, `"${x}"{1,2}`,
	}

	sums = []string{
		`1+2*3`, `(1+2)*3`, `7/2`, `-7/2`, `7%3`, `-7%3`, `2**3`, `2**0`, `1<<4`, `-8>>1`, `5&3`, `5|3`, `5^3`, `~5`, `!5`, `!0`, `-n`, `+n`, `- -n`,
		`n`, `$n`, `n+1`, `n==3`, `n!=3`, `n<3`, `n<=3`, `n>3`, `n>=3`, `n&&0`, `0||n`, `n?1:2`, `0?1:2`, `n==3?n:0`, `1,2`, `0x1F`, `017`, `2#101`, `36#Z`, `64#_`, `62#A`, `16#fF`, `unset_n+1`,
		`n++`, `n--`, `++n`, `--n`, `n=5`, `n+=2`, `n-=2`, `n*=2`, `n/=2`, `n%=2`, `n<<=1`, `n>>=1`, `n&=1`, `n|=4`, `n^=1`, `m=n=4`, `n++ + n`, `n=n+1,n*2`, `a[1]`, `a[n-2]`, `a[1]=7`, `expr`, `9-3-2`, `2*3%4`, `1<2==1`, `1|2^3&4`, `2**-0`, `2**3**2`, `-2**2`, `1 ? 0 ? 3 : 4 : 5`, `0 && (n=9)`, `1 || (n=9)`, `1 ? 2 : (n=9)`, `!n++`, `'n'`, `"n" + 1`,
	}

	formats = []string{
		`'%s' a`, `'%s-%s,' a b c`, `%d 10`, `%d 0x10`, `%d 010`, `%03d 7`, `%5d 7`, `'%-5d|' 7`, `%+d 7`, `%x 255`, `%X 255`, `%o 8`, `%#x 255`, `%c abc`, `%5s ab`, `'%-5s|' ab`, `%.2s abc`, `%5.1s abc`, `'%*s' 4 ab`, `'%.*s' 1 ab`, `%% x`, `'%b' 'a\tb'`, `'a\tb\x41\101'`, `'\\'`, `'%s\n' a b`, `'%q' 'a b'`, `%s`, `a`, `-- %s a`, `%i 5`, `%u 5`, `'%d' "'A"`, `'%s %d\n' a 1 b 2`, `'%e' x`, `%08.3f 3.14159`, `%f 1`, `%g 2`, `'%(%Y)T' 0`, `'\u00e9'`, `'a\cb'`, `'%b' 'a\cb' z`, `%s%%%s a b`,
	}

	lines = []string{
		`x=a:~/y; prog $x`, `x=~:~; prog $x`, `x=~/a:~/b:c; prog $x`, `x='~':~; prog $x`, `x=a:"~"; prog $x`, `x=a:\~/y; prog $x`, `x=a:~"/y"; prog $x`, `prog x=~/y`, `prog x=a:~/y`, `prog a:~/y`, `prog --dir=~/y`, `export x=a:~/y; prog $x`, `declare x=a:~; prog $x`, `x=$HOME:~/y; prog $x`, `x+=:~; prog $x`, `a=(~ b:~); prog "${a[@]}"`, `a[0]=b:~; prog "${a[@]}"`, `x=b prog ~/z`, `local_x=~root; prog ~/../x`, `prog ~+ ~-`, `x=a=~; prog $x`, `prog ${y:-~/d} "${y:-~/d}" ${y:-a:~}`,
		`set -- a 'b c' d; prog "$@"`, `set -- a 'b c' d; prog $@`, `set -- a 'b c' d; prog "$*"`, `set -- a 'b c' d; IFS=,; prog "$*"`, `set -- a b c d; prog "${@:2:2}" "${@: -1}"`, `set -- a b c; shift 2; prog "$@" $#`, `set -- a b; prog "x$@y"`, `set --; prog "$@" "$*" end`, `set -- a b; for i; do :; done; prog $i`, `set -- {1..12}; prog $10 ${10}`, `set -- a b; prog "${@/a/z}" "${@#a}" "${@^}"`, `set -- a b; prog "${!#}"`,
		`a=(a 'b c' d); prog "${a[@]}"`, `a=(a 'b c' d); prog ${a[@]}`, `a=(a 'b c' d); prog "${a[*]}"`, `a=(a b c); prog "${a[@]:1}" "${a[@]:0:2}" "${a[@]: -1}"`, `a=(a b c); prog $a ${a[0]} ${a[-1]} ${a[1+1]} ${#a[@]} ${#a}`, `a=(a b); a+=(c d); prog "${a[@]}"`, `a=([2]=c [0]=a); prog "${a[@]}" "${!a[@]}"`, `declare -A m=([k]=v [j]=w); prog "${m[k]}" "${m[j]}"`, `declare -A m; m[k]=v; i=k; prog "${m[$i]}"`, `a=(b c); a[0]=z; prog "${a[@]}"`, `a=(b c); unset 'a[0]'; prog "${a[@]}" ${#a[@]}`, `a=(x.a y.a); prog "${a[@]%.a}" "${a[@]/x/q}" "${a[@]^^}"`, `a=(); prog "${a[@]}" end`, `a=(1 2); ((a[1]++)); prog ${a[1]}`, `read -ra a <<<'x y z'; prog "${a[1]}"`, `a=(a b); b=("${a[@]}" c); prog "${b[@]}"`, `mapfile -t a <<<$'x\ny'; prog "${a[1]}"`,
		`prog {a,b}c`, `prog {1..3} {3..1} {1..7..3} {a..e..2} {01..03} {-1..1}`, `prog x{,y} {a,{b,c}} {a,b}{1,2} a{b}c {a,b`, `prog {a..c}{1..2}`, `prog "{a,b}" {'a',"b"} \{a,b}`, `prog {$HOME,x}`, `prog {1..$HOME}`, `prog a{,}b`, `prog {a,}`, `prog {}`, `prog {1..2}.{txt,md}`, `prog {A..C} {z..x}`, `prog {3..1..2} {1..3..-1}`,
		`x=1; f() { x=2; }; f; prog $x`, `f() { local x=2; prog $x; }; x=1; f`, `f() { echo "$1-$#"; }; prog "$(f a b)"`, `f() { set -- z; }; set -- a; f; prog $1`, `x=a; (x=b); prog $x`, `x=a; x=b true; prog $x`, `x=a; { x=b; }; prog $x`, `x=a; x=b; unset x; prog ${x-none}`, `x=a; y=$x$x; x=b; prog $y`, `x=y; y=z; prog ${!x}`, `declare -n r=x; x=v; prog $r; r=w`, `declare -i i=2+3; prog $i`, `declare -u u=abc; prog $u`, `declare -l l=ABC; prog $l`, `readonly r=v; prog $r`, `x=v; eval 'prog $x'`, `x=prog; $x a`, `x='prog a'; $x b`, `eval "prog 'a b'"`, `IFS=:; x=a:b::c; prog $x`, `IFS=' :'; x='a : b:c '; prog $x`, `IFS=; x='a b'; prog $x`, `unset IFS; x=$'a\tb\nc'; prog $x`, `IFS=,; x=,a,; prog $x`,
		`read x y <<<'a b c'; prog "$x" "$y"`, `IFS=: read x y <<<'a:b c'; prog "$x" "$y"`, `read -r x <<<'a\b'; prog "$x"`, `read x <<<'a\b'; prog "$x"`, `while read x; do prog "$x"; break; done <<<'a b'`, `printf -v x %03d 7; prog $x`, `printf -v x '%s-' a b; prog $x`, `printf -v 'a[1]' %s b; prog "${a[1]}"`, `x=$(($(echo 2)+1)); prog $x`, `let x=2+3 y=x*2; prog $x $y`, `((x=4)); prog $x`, `for ((i=0;i<3;i++)); do :; done; prog $i`, `for x in a b; do :; done; prog $x`, `case ab in a*) x=1;; *) x=2;; esac; prog $x`, `[[ abc =~ b(.) ]]; prog "${BASH_REMATCH[0]}" "${BASH_REMATCH[1]}"`, `x=$'a\nb'; prog $x "$x"`, `x=$(printf 'a\n\n'); prog "$x"`, `x=abc; prog "${x:$((1)):1}"`, `prog $'a\'b\e\cG\x{41}\0end'`, `prog $'\u0041\U00000042\1012' $'\xg' $'\8'`, `prog "a\
b" a\
b`, `prog 'a\
b'`, `prog a#b '#' \# "$#"`, `prog a\ b a"b c"d e'f g'h`, `prog $"loc"`, `prog -- -n "" ''`, `x=; prog $x "$x" end`, `prog [z] [!z] z? 'z*'`, `x='z*'; prog $x "$x"`, `set -f; prog *`, `prog !x "a!b"`, `prog a=b c+=d`, `x=a; prog "$x"'$x'"$x"`, `prog ${x-"a b"} ${x-a b} "${x-a b}"`, `prog "${x-'a'}" ${x-'a'}`, `x=abc; prog ${x#"a"} ${x#'a'} ${x#\a}`, `x='*a'; prog "${x#\*}" "${x#'*'}" "${x#"*"}"`, `x=aab; prog "${x##a*(a)}"`, `y=b; x=abc; prog "${x/$y/$y$y}" "${x%$y*}"`,
	}
)

func wordLines() []string {
	out := slices.Clone(lines)
	for _, v := range values {
		for _, e := range expansions {
			out = append(out, "x="+v+"; prog "+e)
		}
	}
	for _, s := range sums {
		out = append(out, "n=3; expr=n+1; a=(5 6); prog $(("+s+")) $n")
	}
	for _, f := range formats {
		out = append(out, "printf -v x "+f+"; prog \"$x\"", "prog \"$(printf "+f+")\"")
	}
	return out
}

// Words become what bash makes of them. One may stay unknown, which is judged as any word; one
// that is read as another word would be judged as another word.
func TestWordsAreThoseOfBash(t *testing.T) {
	all := wordLines()
	unknown := 0
	for i, want := range wordsOfBash(t, all) {
		if want == "" {
			continue // an error of bash: it runs nothing
		}
		var got []string
		for _, o := range Read(all[i], testEnv) {
			if o.Kind == umpire.Exec && strings.HasPrefix(o.Resource, "prog") {
				got = append(got, o.Resource)
			}
		}
		switch {
		case slices.Contains(got, want):
		case slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, umpire.Hole) }):
			unknown++
		default:
			t.Errorf("%s: got %q, want %s", all[i], got, want)
		}
	}
	if most := len(all) / 20; unknown > most {
		t.Errorf("%d lines have a word that is not known, want %d at most", unknown, most)
	}
}

// wordsOfBash returns the first call of prog that bash makes in each line, quoted.
func wordsOfBash(t *testing.T, all []string) []string {
	t.Helper()
	var script bytes.Buffer
	script.WriteString("prog() { for a do printf '%s\\0' \"$a\"; done >&3; printf '\\1' >&3; }\n")
	for _, line := range all {
		fmt.Fprintf(&script, "( eval %s ) 3>&1 >&2; printf '\\2'\n", "'"+strings.ReplaceAll(line, "'", `'\''`)+"'")
	}
	cmd := exec.CommandContext(t.Context(), "bash", "--norc")
	cmd.Dir, cmd.Stdin = t.TempDir(), &script
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=/home/dev", "LC_ALL=C.UTF-8", "PWD=/home/dev/proj"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	runs := strings.Split(string(out), "\x02")
	if len(runs) != len(all)+1 {
		t.Fatalf("bash ran %d lines, want %d", len(runs)-1, len(all))
	}
	calls := make([]string, len(all))
	for i, run := range runs[:len(all)] {
		first, _, ok := strings.Cut(run, "\x01")
		if !ok {
			continue
		}
		var words []command.Word
		for w := range strings.SplitSeq(first, "\x00") {
			words = append(words, command.Lit(w))
		}
		words = words[:len(words)-1]
		calls[i] = command.Quote("prog", words)
	}
	return calls
}
