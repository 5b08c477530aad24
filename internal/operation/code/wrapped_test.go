package code_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// A call is read wherever the grammar of a language allows one, and so is the statement after
// it. In the forms, § stands for a call.
func TestWrapped(t *testing.T) {
	for _, l := range []struct {
		lang, before, call, after string
		forms                     []string
	}{
		{"python", "import os", `os.remove("/srv/a")`, `os.remove("/srv/b")`, []string{
			"§", "§;", "x = 1; §", "§ # b", "if x: §", "if x:\n    §", "if x:\n    pass\nelif y:\n    §", "if x:\n    pass\nelse:\n    §", "if x:\n  if y:\n    §\n  else:\n    pass",
			"if (x and\n    y):\n  §", "for i in y:\n    §", "for i, j in y: §", "for i in y:\n  pass\nelse:\n  §", "while x:\n    §\n    break", "while True:\n  if x: continue\n  §",
			"try:\n    §\nexcept E as e:\n    pass", "try:\n    x\nexcept (A, B):\n    §", "try:\n    x\nfinally:\n    §", "try:\n  x\nexcept* A:\n  §\nelse:\n  pass", "with open(x) as f:\n    §",
			"with a() as b, c() as d: §", "with (a() as b,\n      c()):\n    §", "async def f():\n    §\nawait f()", "def f():\n    §\nf()", "def f(a, *b, c=1, **d) -> int:\n    '''text'''\n    §\nf(1)",
			"def f(): return §\nf()", "class A:\n    §", "class A(B, metaclass=C):\n    def m(self):\n        §\nA().m()", "@d\ndef f():\n    §\nf()", "match x:\n    case 1:\n        §",
			"match x:\n    case [a, *b] if a:\n        §\n    case _:\n        pass", "x = §", "x: int = §", "x = y = §", "x, y = §, 1", "x += §", "x = (\n  §\n)", "x = [§]", "x = [1, §, 2]", "x = {§}",
			"x = {1: §, **y}", "x = (§,)", "x = y[§]", "x = y[1:§]", "f(§)", "f(1, §)", "f(a=§)", "f(*§)", "f(**§)", "f(g(h(§)))", "f(§).g", "x = § if y else 1", "x = 1 if § else 2", "x = 1 if y else §",
			"x = not §", "x = -§", "x = y or §", "x = § and y", "x = 1 + § * 2", "x = y < § <= z", "x = y in §", "x = (lambda: §)()", "x = (lambda a, b=1: §)(1)", "x = [§ for i in y]", "x = [i for i in §]",
			"x = [i for i in y if §]", "x = {i: § for i in y}", "x = list(§ for i in y)", "x = f'{§}'", "x = f'a{§!r:>10}b'", `x = f"""{'a'}{§}"""`, "print(§)", "assert §", "assert x, §", "raise X(§)",
			"del x[§]", "if §:\n    pass", "while §:\n    break", "for i in §:\n    pass", "with § as f:\n    pass", "if (y := §):\n    pass", "yield §", "global x\n§", "x = \\\n  §", "\"\"\"text\"\"\"\n§",
			"'a' 'b'\n§", "x = r'\\'\n§", "x = '''it's \"q\"'''\n§", "x = b'\\x41'\n§", "x = 'a\\'b'\n§", `x = "#"; §`, "# 'x\n§", "x = 1_000; §", "x = 0x1f\n§", "x = 1e-5\n§", "x = ...\n§",
			"x = a if b else c; §",
		}},
		{"js", `const fs = require("fs")`, `fs.unlinkSync("/srv/a")`, `fs.unlinkSync("/srv/b")`, []string{
			"§", "§;", "x = 1; §", "§ // b", "/* a */ §", "if (x) §", "if (x) { § }", "if (x) {} else §", "if (x) {} else if (y) { § } else {}", "for (const a of b) §", "for (let i = 0; i < 3; i++) { § }",
			"for (const a in b) { § }", "for (;;) { §; break }", "while (x) { §; break }", "do { § } while (x)", "do §; while (x)", "try { § } catch (e) {}", "try { x() } catch { § }",
			"try { x() } finally { § }", "switch (x) { case 1: §; break; default: y() }", "switch (x) { default: § }", "a: { § }", "a: for (const x of y) { §; continue a }", "{ § }",
			"function f() { § }\nf()", "function f(a, b = 1, ...c) { return § }\nf()", "const f = () => §\nf()", "const f = a => { § }\nf(1)", "const f = async ({a, b: [c]}) => { await § }\nf()",
			"(() => { § })()", "(function () { § })()", "!function () { § }()", "void §", "new (class { constructor() { § } })()", "class A { m() { § } }\nnew A().m()", "class A { static { § } }",
			"class A extends B { static m = § }", "const o = { f() { § } }\no.f()", "const o = { f: () => { § } }\no.f()", "const o = { get f() { § } }\no.f", "x = §", "let x = §, y = 1", "const { a } = §",
			"const [a, ...b] = [§]", "x += §", "x ??= §", "x = [§]", "x = [1, § , ...y]", "x = { a: § }", "x = { [§]: 1 }", "x = { ...§ }", "f(§)", "f(1, §)", "f(...§)", "f(g(h(§)))", "x = y ? § : 1",
			"x = § ? 1 : 2", "x = y ? 1 : §", "x = !§", "x = -§", "x = typeof §", "x = y || §", "x = y && §", "x = y ?? §", "x = 1 + § * 2", "x = (1, §)", "x = y[§]", "x = y?.[§]", "x = y?.(§)",
			"x = `a${§}b`", "x = tag`${§}`", "x = `${`${§}`}`", "await §", "throw §", "return §", "yield §", "y.then(() => §)", "y.map(a => §)", "y.forEach(function (a) { § })", "setTimeout(() => { § }, 1)",
			"process.on('exit', () => §)", `x = 'a\'b'; §`, `x = "it's"; §`, `x = /[/'"]/g; §`, "x = a / b / c; §", "x = `'`; §", "// 'x\n§", "/* ' */ §", "x = 1_000n; §", "x = 0x1f; §", "x = .5\n§",
			"x = a\n§", "x++\n§", "if (x) y()\n§", "'use strict'\n§", "export default §", "export const z = §", "import a from 'b'\n§", "§",
		}},
		{"ruby", `require "fileutils"`, `File.delete("/srv/a")`, `File.delete("/srv/b")`, []string{
			"§", "§;", "x = 1; §", "§ # b", "if x then § end", "if x\n  §\nend", "if x\n  y\nelsif z\n  §\nend", "if x\n  y\nelse\n  §\nend", "unless x\n  §\nend", "§ if x", "§ unless x", "§ while x",
			"while x do\n  §\nend", "until x\n  §\nend", "for a in b do § end", "loop do\n  §\n  break\nend", "begin\n  §\nend while x", "x.each do |a|\n  §\nend", "x.each { |a, b| § }", "3.times { § }",
			"case x\nwhen 1, 2\n  §\nend", "case x\nwhen 1 then y\nelse §\nend", "case x\nin {a:}\n  §\nend", "begin\n  §\nrescue => e\nend", "begin\n  x\nrescue A, B => e\n  §\nend",
			"begin\n  x\nensure\n  §\nend", "def f\n  §\nend\nf", "def f(a, b = 1, *c, d:, **e, &g)\n  §\nend\nf(1)", "def f = §\nf", "def self.f; §; end\nself.f", "class A\n  §\nend",
			"class A < B\n  def m\n    §\n  end\nend\nA.new.m", "module M\n  §\nend", "f = ->(a) { § }\nf.call(1)", "f = lambda do |a| § end\nf.(1)", "f = proc { § }\nf[1]", "BEGIN { § }", "END { § }",
			"at_exit { § }", "x = §", "x, y = §, 1", "x += §", "x ||= §", "x = [§]", "x = { a: § }", "x = { 1 => § }", "f(§)", "f §", "f 1, §", "f a: §", "f(*§)", "f(g(h(§)))", "x = y ? § : 1",
			"x = § ? 1 : 2", "x = !§", "x = not(§)", "x = y || §", "x = y && §", "y and §", "y or §", "x = 1 + § * 2", "x = y[§]", "x = (§)", `x = "a#{§}b"`, `x = "#{"#{§}"}"`, "x = %Q(a#{§})",
			"x = %W[a#{§}]", "puts §", "p(§)", "return §", "yield §", "raise X, §", "x = y.map { |a| § }", "x = y&.z(§)", "x = §.to_s", "x = <<~A\n  it's\nA\n§", "x = 'it''s'\n§", "x = %q(it's)\n§",
			"x = ?a\n§", "x = :\"it's\"\n§", "x = /it's/\n§", "=begin\nit's\n=end\n§", "x = 1_000\n§",
		}},
		{"perl", "use strict;", `unlink("/srv/a")`, `unlink("/srv/b");`, []string{
			"§;", "my $x = 1; §;", "§; # b", "if ($x) { §; }", "if ($x) { } elsif ($y) { §; }", "if ($x) { } else { § }", "unless ($x) { §; }", "§ if $x;", "§ unless $x;", "§ for @x;", "§ while $x;",
			"while ($x) { §; last; }", "until ($x) { § }", "for (my $i = 0; $i < 3; $i++) { §; }", "for my $a (@b) { §; }", "foreach (1..3) { §; }", "do { §; } while ($x);", "{ §; }", "L: { §; next L; }",
			"sub f { §; }\nf();", "sub f($a) { return §; }\nf(1);", "my $f = sub { § };\n$f->();", "BEGIN { §; }", "END { §; }", "eval { §; };", "eval { x(); 1 } or do { §; };", "package A; §;", "my $x = §;",
			"my ($x, $y) = (§, 1);", "$x .= §;", "$x ||= §;", "my @x = (§);", "my %x = (a => §);", "my $x = [§];", "my $x = { a => § };", "f(§);", "f(1, §);", "f(g(h(§)));", "print §;", "print STDERR §;",
			"return §;", "die §;", "my $x = $y ? § : 1;", "my $x = $y ? 1 : §;", "my $x = !§;", "$y or §;", "$y and §;", "$y || §;", "$y && §;", "my $x = 1 + § * 2;", "my $x = $y[§];", "my $x = $y->{§};",
			"map { § } @x;", "grep { § } @x;", `my $x = "@{[§]}";`, `my $x = 'it\'s'; §;`, "my $x = q(it's); §;", `my $x = "it's"; §;`, "$x =~ s/it's/a/; §;", "$x =~ m{it's}; §;", "$x =~ tr/'/a/; §;",
			"my @x = qw(it's); §;", "my $x = <<'A';\nit's\nA\n§;", "my $x = $#y; §;", "my $x = $y / 2 / 3; §;", "=pod\n\nit's\n\n=cut\n\n§;",
		}},
		{"php", "", `unlink("/srv/a")`, `unlink("/srv/b");`, []string{
			"§;", "$x = 1; §;", "§; // b", "§; # b", "/* ' */ §;", "if ($x) §;", "if ($x) { §; }", "if ($x) { } elseif ($y) { §; }", "if ($x) { } else { §; }", "if ($x): §; endif;",
			"while ($x) { §; break; }", "do { §; } while ($x);", "for ($i = 0; $i < 3; $i++) { §; }", "foreach ($x as $k => $v) { §; }", "foreach ($x as $v): §; endforeach;",
			"switch ($x) { case 1: §; break; default: }", "try { §; } catch (E $e) { }", "try { x(); } catch (A | B $e) { §; }", "try { x(); } finally { §; }",
			"function f($a, &$b = 1, ...$c): int { §; }\nf(1);", "$f = function () use ($x) { §; };\n$f();", "$f = fn($a) => §;\n$f(1);", "class A { function m() { §; } }\n(new A)->m();",
			"class A { public static function m() { §; } }\nA::m();", "namespace A; §;", "declare(strict_types=1); §;", "$x = §;", "$x .= §;", "$x ??= §;", "$x = [§];", "$x = ['a' => §];",
			"$x = array(1, §);", "[$a, $b] = [§, 1];", "f(§);", "f(1, §);", "f(a: §);", "f(...§);", "f(g(h(§)));", "echo §;", "print §;", "return §;", "exit(§);", "throw §;", "$x = $y ? § : 1;",
			"$x = $y ?: §;", "$x = $y ? 1 : §;", "$x = !§;", "$x = @§;", "$x = (int) §;", "$x = $y || §;", "$x = $y and §;", "$x = 1 + § * 2;", "$x = $y[§];", "$x = $y->z(§);", "$x = $y?->z(§);",
			"$x = match(true) { 1 => §, default => 2 };", `$x = "it's"; §;`, `$x = 'it\'s'; §;`, "$x = <<<A\nit's\nA;\n§;", "$x = <<<'A'\nit's\nA;\n§;", "?>it's<?php §;",
			"$x = new class { function m() { §; } };\n$x->m();", "array_map(fn($a) => §, $x);",
		}},
		{"lua", "", `os.remove("/srv/a")`, `os.remove("/srv/b")`, []string{
			"§", "§;", "x = 1; §", "§ -- b", "--[[ ' ]] §", "--[==[ ]] ' ]==] §", "if x then § end", "if x then elseif y then § end", "if x then else § end", "while x do § break end", "repeat § until x",
			"for i = 1, 3 do § end", "for k, v in pairs(x) do § end", "do § end", "function f() § end\nf()", "local function f(a, ...) return § end\nf()", "local f = function() § end\nf()",
			"function M.f() § end\nM.f()", "function M:f() § end\nM:f()", "(function() § end)()", "goto a\n::a::\n§", "x = §", "local x <const> = §", "local x, y = §, 1", "x = {§}", "x = {a = §}",
			"x = {[§] = 1}", "f(§)", "f(1, §)", "f(g(h(§)))", "x = y and § or z", "x = not §", "x = #§", "x = -§", "x = 1 + § * 2", `x = "a" .. §`, "x = y[§]", "x = (§)", "print(§)", "return §",
			"pcall(function() § end)", "x = \"it's\"\n§", "x = 'it\\'s'\n§", "x = [[it's]]\n§", "x = [==[it's ]] ]==]\n§", "x = 0x1f\n§",
		}},
		{"r", "", `unlink("/srv/a")`, `unlink("/srv/b")`, []string{
			"§", "§;", "x <- 1; §", "§ # b", "if (x) §", "if (x) { § }", "if (x) { } else { § }", "if (x) y else §", "for (i in y) §", "for (i in y) { § }", "while (x) { §; break }", "repeat { §; break }",
			"{ § }", "f <- function() { § }\nf()", "f <- function(a, b = 1, ...) §\nf()", "(function() §)()", `(\(a) §)(1)`, "sapply(x, function(a) §)", `lapply(x, \(a) { § })`,
			"tryCatch({ § }, error = function(e) 1)", "tryCatch(x, finally = §)", "local({ § })", "suppressWarnings(§)", "invisible(§)", "switch(x, a = §)", "x <- §", "x = §", "§ -> x", "x <<- §",
			"x <- c(§)", "x <- list(a = §)", "f(§)", "f(1, §)", "f(a = §)", "f(g(h(§)))", "x <- !§", "x <- -§", "x <- y || §", "x <- y && §", "x <- 1 + § * 2", "x <- y[§]", "x <- y[[§]]", "x <- y %in% §",
			"y |> f(§)", "return(§)", "print(§)", "x <- \"it's\"\n§", "x <- 'it\\'s'\n§", "x <- r\"(it's)\"\n§", "`a b` <- 1\n§", "x <- 1e-5L\n§",
		}},
		{"awk", "", `system("rm /srv/a")`, `BEGIN { system("rm /srv/b") }`, []string{
			"BEGIN { § }", "END { § }", "{ § }", "/x/ { § }", `$1 == "a" { § }`, "NR > 1, NR < 3 { § }", "!x { § }", "BEGIN { x = 1; § }", "BEGIN { § # b\n}", "BEGIN { if (x) § }",
			"BEGIN { if (x) { § } else { y = 1 } }", "BEGIN { if (x) y = 1; else § }", "BEGIN { while (x) { §; break } }", "BEGIN { do { § } while (x) }", "BEGIN { for (i = 0; i < 3; i++) § }",
			"BEGIN { for (k in a) { § } }", "BEGIN { { § } }", "function f(a) { § }\nBEGIN { f(1) }", "function f(a) { return § }\nBEGIN { f(1) }", "BEGIN { x = § }", "BEGIN { x[1] = § }", "BEGIN { x += § }",
			"BEGIN { print § }", `BEGIN { printf "%d", § }`, "BEGIN { x = y ? § : 1 }", "BEGIN { x = !§ }", "BEGIN { y || § }", "BEGIN { y && § }", "BEGIN { x = 1 + § * 2 }", "BEGIN { x = y[§] }",
			"BEGIN { f(§) }", "BEGIN { x = (§) }", `BEGIN { x = "it's"; § }`, `BEGIN { x = "a\"b"; § }`, `BEGIN { if (x ~ /it's\/"/) y = 1; § }`, "BEGIN { x = a / b / c; § }",
			`BEGIN { while ((getline line < "x") > 0) § }`, "BEGIN { exit § }", "BEGIN { switch (x) { case 1: §; break } }", `BEGIN { print "a" > "/dev/stderr"; § }`,
		}},
		{"julia", "", `rm("/srv/a")`, `rm("/srv/b")`, []string{
			"§", "§;", "x = 1; §", "§ # b", "#= ' =# §", "if x\n  §\nend", "if x § end", "if x\n  y\nelseif z\n  §\nend", "if x\n  y\nelse\n  §\nend", "for i in 1:3\n  §\nend", "for i = 1:3 § end",
			"while x\n  §\n  break\nend", "begin\n  §\nend", "let x = 1\n  §\nend", "try\n  §\ncatch e\nend", "try\n  x\ncatch\n  §\nend", "try\n  x\nfinally\n  §\nend",
			"function f(a, b=1; c=2)\n  §\nend\nf(1)", "f() = §\nf()", "f = () -> §\nf()", "map(a -> §, x)", "foreach(x) do a\n  §\nend", "x && §", "x || §", "x = §", "x = [§]", "x = (§, 1)",
			"x = Dict(1 => §)", "f(§)", "f(1, §)", "f(; a=§)", "x = y ? § : 1", "x = !§", "x = 1 + § * 2", "x = y[§]", `x = "a$(§)b"`, "println(§)", "return §", "x = [§ for i in y]", "x = \"it's\"\n§",
			"x = \"\"\"it's \"q\" \"\"\"\n§", "x = 'a'\n§", "x = y'\n§", "module M\n§\nend", "@time §", "@async begin § end",
		}},
		{"groovy", "", `new File("/srv/a").delete()`, `new File("/srv/b").delete()`, []string{
			"§", "§;", "def x = 1; §", "§ // b", "/* ' */ §", "if (x) §", "if (x) { § }", "if (x) { } else { § }", "for (a in b) { § }", "for (int i = 0; i < 3; i++) { § }", "while (x) { §; break }",
			"x.each { § }", "x.each { a -> § }", "3.times { § }", "switch (x) { case 1: §; break }", "try { § } catch (e) { }", "try { x() } catch (A e) { § }", "try { x() } finally { § }",
			"def f() { § }\nf()", "def f = { § }\nf()", "class A { def m() { § } }\nnew A().m()", "static void main(String[] a) { § }\nmain()", "def x = §", "x = [§]", "x = [a: §]", "f(§)", "f(1, §)",
			"println §", "println(§)", "x = y ? § : 1", "x = y ?: §", "x = !§", "x = y || §", "x = y && §", "x = y[§]", `x = "a${§}b"`, "return §", "assert §", `x = 'it\'s'; §`, "x = '''it's'''; §",
			`x = "it's"; §`, "x = /it's/; §",
		}},
	} {
		for _, form := range l.forms {
			text := l.before + "\n" + strings.ReplaceAll(form, "§", l.call) + "\n" + l.after
			deleted := map[string]bool{}
			for _, o := range readCode(l.lang, text) {
				if o.Kind == umpire.Delete {
					deleted[o.Resource] = true
				}
			}
			if !deleted["/srv/a"] {
				t.Errorf("%s: the call is not read in\n%s", l.lang, text)
			}
			if !deleted["/srv/b"] {
				t.Errorf("%s: the statement after it is not read in\n%s", l.lang, text)
			}
		}
	}
}
