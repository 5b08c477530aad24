package code

import (
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// gravest reports whether an effect deletes the home folder, or pushes by force.
func gravest(e Effect) bool {
	words := command.Quote(e.Arg.Text, e.Args)
	return (e.Kind == Delete || e.Kind == Unlink) && e.Arg.Text == "/home/dev" ||
		strings.HasSuffix(words, "rm -rf /home/dev") || strings.HasSuffix(words, "git push --force")
}

// What a branch, a loop or a function may not have changed counts after it: an adversary hides a path
// or a function behind a harmless one that never replaces it.
func TestKeepsWhatBranchesMayNotChange(t *testing.T) {
	for _, c := range []struct{ lang, text string }{
		{"python", "import shutil,os;p=\"/home/dev\"\ndef f():\n    p='dist'\nf()\nshutil.rmtree(p)"},
		{"python", "import shutil,os;p=\"/home/dev\"\nclass A: p='dist'\nshutil.rmtree(p)"},
		{"python", "import shutil,os;p=\"/home/dev\"\nclass A:\n  p='dist'\nshutil.rmtree(p)"},
		{"python", "import os,shutil\nif os.environ.get('DRY'):\n    shutil.rmtree=print\nshutil.rmtree(\"/home/dev\")"},
		{"python", "import os,shutil\nrm=print if os.environ.get('DRY') else shutil.rmtree\nrm(\"/home/dev\")"},
		{"python", "import subprocess\ncmd=['ls']\nif 1: cmd=['rm','-rf',\"/home/dev\"]\nsubprocess.run(cmd)"},
		{"python", "import subprocess\ncmd=['rm','-rf',\"/home/dev\"]\nif 1: cmd=['ls']\nsubprocess.run(cmd)"},
		{"python", "import subprocess\ncmd=['rm','-rf',\"/home/dev\"]\nif 0: cmd.insert(0,'echo')\nsubprocess.run(cmd)"},
		{"python", "import subprocess\ncmd=['rm','-rf',\"/home/dev\"]\nif 0: cmd=['echo']+cmd\nsubprocess.run(cmd)"},
		{"python", "import subprocess\ncmd=['rm','-rf',\"/home/dev\"]\nif 0: cmd.append('--help')\nsubprocess.run(cmd)"},
		{"python", "import subprocess\ncmd=['git','push','--force']\nif 0: cmd.append('--dry-run')\nsubprocess.run(cmd)"},
		{"python", "import shutil\np=\"/home/dev\"\ntry:\n  1/0\n  p='dist'\nexcept: pass\nshutil.rmtree(p)"},
		{"python", "import shutil\ntry:\n  p=\"/home/dev\"\n  1/0\n  p='dist'\nexcept: pass\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\nwhile 0:\n  p='dist'\nshutil.rmtree(p)"},
		{"python", "import shutil\nfor x in [1]:\n  p=\"/home/dev\"\n  if x: break\n  p='dist'\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\nfor p in []: pass\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\n[p for p in ['dist']]\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\n[0 for p in ['dist'] if p]\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\n0 and (p:='dist')\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\nx=(p:='dist') if 0 else 1\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\nf=lambda: (p:='dist')\nf()\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\ndef g():\n  def f():\n    nonlocal p\n    p='x'\n  p='y'\n  f()\ng()\nshutil.rmtree(p)"},
		{"python", "import shutil\np='dist'\ndef f():\n  global p\n  p=\"/home/dev\"\nf()\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\ndef f():\n  global p\n  if 1: return\n  p='dist'\nf()\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\nmatch 3:\n  case 4:\n    p='dist'\nshutil.rmtree(p)"},
		{"python", "import shutil,contextlib\np=\"/home/dev\"\nwith contextlib.suppress(Exception):\n  1/0\n  p='dist'\nshutil.rmtree(p)"},
		{"python", "import shutil\n[print, shutil.rmtree][1](\"/home/dev\")"},
		{"python", "import shutil\n{0:print, 1:shutil.rmtree}[bool(x)](\"/home/dev\")"},
		{"python", "import shutil\nfor f in (shutil.rmtree, print): f(\"/home/dev\")"},
		{"python", "import subprocess\nfor c in (['ls'],['rm','-rf',\"/home/dev\"]): subprocess.run(c)"},
		{"python", "import subprocess\nfor c in ('dist',\"/home/dev\"): subprocess.run(['rm','-rf',c])"},
		{"python", "import subprocess\nx=[\"/home/dev\"]\nif 0: x=['dist']\nsubprocess.run(['rm','-rf',*x])"},
		{"python", "import subprocess\nx=[\"/home/dev\"]\nif 0: x=['dist']\nsubprocess.run(['rm','-rf']+x)"},
		{"python", "import subprocess\nx=[\"/home/dev\"]\nif 0: x=['dist']\nc=['rm','-rf']\nc.extend(x)\nsubprocess.run(c)"},
		{"python", "import shutil\nsetattr(shutil,'rmtree',print)\nshutil.rmtree(\"/home/dev\")"},
		{"python", "import shutil as s\nif 0: s.rmtree=print\ns.rmtree(\"/home/dev\")"},
		{"python", "import shutil\ndef clean(p): shutil.rmtree(p)\nif 0:\n  def clean(p): print(p)\nclean(\"/home/dev\")"},
		{"python", "import shutil\np=\"/home/dev\"\nif 0: from x import p\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\nif 0: del p\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\nif 0:\n    q=(\n1)\n    p='dist'\nshutil.rmtree(p)"},
		{"python", "import shutil\np=\"/home/dev\"\ndef d():\n  if 0: return \"/home/dev\"\n  return 'dist'\nshutil.rmtree(d())"},
		{"python", "import shutil\ndef d(p=\"/home/dev\"):\n  shutil.rmtree(p)\nd()"},
		{"python", "import shutil\np=\"/home/dev\"\ndef d(f=shutil.rmtree):\n  f(p)\nd()"},
		{"python", "import os\ngetattr(os,'getcwd' if 0 else 'system')('rm -rf '+\"/home/dev\")"},
		{"python", "import os\nf=os.system\nif 0: f=print\nmap(f,['rm -rf '+\"/home/dev\"])"},
		{"python", "import shutil\np=\"/home/dev\"\ndef g(p):\n  p='dist'\ng(1)\nshutil.rmtree(p)"},
		{"js", `let p="/home/dev"; {let p='dist'} fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; function f(){let p='dist'} f(); fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; function f(){let p='dist'}; f(); fs.rmSync(p,{recursive:true})`},
		{"js", `const rm=process.env.DRY?console.log:fs.rmSync; rm("/home/dev",{recursive:true})`},
		{"js", `if(process.env.DRY) fs.rmSync=console.log; fs.rmSync("/home/dev",{recursive:true})`},
		{"js", "if(process.env.DRY){ fs.rmSync=console.log }\nfs.rmSync(\"/home/dev\",{recursive:true})"},
		{"js", `Object.assign(fs,{rmSync:console.log}); fs.rmSync("/home/dev",{recursive:true})`},
		{"js", `process.env.DRY && (fs.rmSync=console.log); fs.rmSync("/home/dev",{recursive:true})`},
		{"js", `let p="/home/dev"; for(const p of ['dist']){} fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; for(let p='dist';0;){} fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; [].forEach(()=>{p='dist'}); fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; try{ x(); p='dist' }catch{} fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; switch(1){case 2: p='dist'} fs.rmSync(p,{recursive:true})`},
		{"js", `let p; switch(1){case 1: p="/home/dev"; break; case 2: p='dist'} fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; if(0) { const {p}={p:'dist'} } fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; (()=>{ let [p]=['dist'] })(); fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; (function(){ var p='dist' })(); fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; class A { p='dist' } fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; const f=()=>{ p='dist' }; process.env.X&&f(); fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; a: { break a; p='dist' } fs.rmSync(p,{recursive:true})`},
		{"js", `let p="/home/dev"; do { if(1) break; p='dist' } while(0); fs.rmSync(p,{recursive:true})`},
		{"js", `let o={p:"/home/dev"}; if(0) o.p='dist'; fs.rmSync(o.p,{recursive:true})`},
		{"js", `let a=['rm','-rf',"/home/dev"]; if(0) a=['ls']; require('child_process').spawnSync(a[0],a.slice(1))`},
		{"js", `let rm=fs.rmSync; if(0) rm=console.log; ['x'].forEach(x=>rm("/home/dev",{recursive:true}))`},
		{"js", `({a:console.log,b:fs.rmSync})[k]("/home/dev",{recursive:true})`},
		{"js", `fs[process.env.DRY?'existsSync':'rmSync']("/home/dev",{recursive:true})`},
		{"js", "let p=\"/home/dev\"\nif (0)\n  p='dist'\nfs.rmSync(p,{recursive:true})"},
		{"js", "let p=\"/home/dev\"\nfunction f(){ if(1) return; p='dist' }\nf()\nfs.rmSync(p,{recursive:true})"},
		{"js", `let p="/home/dev"; if(0){}else if(0) p='dist'; fs.rmSync(p,{recursive:true})`},
		{"js", `let f=()=>fs.rmSync("/home/dev",{recursive:true}); if(0) f=()=>{}; f()`},
		{"ruby", `p="/home/dev"; def f; p='dist'; end; f; FileUtils.rm_rf(p)`},
		{"ruby", `p="/home/dev"; p='dist' if ENV['X']; FileUtils.rm_rf(p)`},
		{"ruby", "p=\"/home/dev\"\nif ENV['X']\n p='dist'\nend\nFileUtils.rm_rf(p)"},
		{"ruby", `p="/home/dev"; [].each { p='dist' }; FileUtils.rm_rf(p)`},
		{"ruby", `p="/home/dev"; [].each do |x| p='dist' end; FileUtils.rm_rf(p)`},
		{"ruby", `p="/home/dev"; ['dist'].each { |p| p }; FileUtils.rm_rf(p)`},
		{"ruby", `p="/home/dev"; begin; raise 'x'; p='dist'; rescue; end; FileUtils.rm_rf(p)`},
		{"ruby", `p="/home/dev"; ENV['X'] && p='dist'; FileUtils.rm_rf(p)`},
		{"ruby", `p="/home/dev"; case 1 when 2 then p='dist' end; FileUtils.rm_rf(p)`},
		{"ruby", `m = ENV['X'] ? :puts : :rm_rf; FileUtils.send(m, "/home/dev")`},
		{"perl", `use File::Path; my $p="/home/dev"; {my $p='dist';} rmtree($p)`},
		{"perl", `use File::Path; my $p="/home/dev"; sub f { my $p='dist'; } f(); rmtree($p)`},
		{"perl", `use File::Path; my $p="/home/dev"; $p='dist' if $ENV{X}; rmtree($p)`},
		{"perl", `use File::Path; my $p="/home/dev"; if ($ENV{X}) { $p='dist' } rmtree($p)`},
		{"perl", `use File::Path; my $p="/home/dev"; $ENV{X} and $p='dist'; rmtree($p)`},
		{"perl", `use File::Path; my $p="/home/dev"; eval { die; $p='dist' }; rmtree($p)`},
		{"perl", `use File::Path; my $p="/home/dev"; for my $p ('dist') {} rmtree($p)`},
		{"perl", `use File::Path; my @c=('rm','-rf',"/home/dev"); unshift @c,'echo' if $ENV{X}; system(@c)`},
		{"perl", `use File::Path; our $p="/home/dev"; sub f { local $p='dist'; } f(); rmtree($p)`},
		{"php", `$p="/home/dev"; function f(){ $p='dist'; } f(); system("rm -rf $p");`},
		{"php", `$p="/home/dev"; if(getenv('X')) $p='dist'; system("rm -rf $p");`},
		{"php", `$p="/home/dev"; if(getenv('X')): $p='dist'; endif; system("rm -rf $p");`},
		{"php", `$f=getenv('X')?'strlen':'system'; $f('rm -rf '."/home/dev");`},
		{"php", `$f='system'; if(getenv('X')) $f='strlen'; $f('rm -rf '."/home/dev");`},
		{"php", `$p="/home/dev"; $f=function(){ $p='dist'; }; $f(); system("rm -rf $p");`},
		{"php", `$p="/home/dev"; try { throw new E; $p='dist'; } catch(E $e) {} system("rm -rf $p");`},
		{"lua", `local p="/home/dev"; do local p='dist' end os.execute('rm -rf '..p)`},
		{"lua", `local p="/home/dev"; if os.getenv('X') then p='dist' end os.execute('rm -rf '..p)`},
		{"lua", `local p="/home/dev"; local function f() local p='dist' end f() os.execute('rm -rf '..p)`},
		{"lua", `local p="/home/dev"; for _,p in ipairs({'dist'}) do end os.execute('rm -rf '..p)`},
		{"lua", `if os.getenv('X') then os.execute=print end os.execute('rm -rf '.."/home/dev")`},
		{"lua", `local x = os.getenv('X') and print or os.execute; x('rm -rf '.."/home/dev")`},
		{"awk", `BEGIN{p="/home/dev"; if (ENVIRON["X"]) p="dist"; system("rm -rf " p)}`},
		{"awk", `BEGIN{p="/home/dev"} {p="dist"} END{system("rm -rf " p)}`},
		{"awk", `function f(p) {p="dist"} BEGIN{p="/home/dev"; f(1); system("rm -rf " p)}`},
		{"go", "package main\nfunc main() { p := \"/home/dev\"; { p := \"dist\"; _ = p }; os.RemoveAll(p) }"},
		{"go", "package main\nfunc main() { p := \"/home/dev\"; if x() { p = \"dist\" }; os.RemoveAll(p) }"},
		{"go", "package main\nfunc main() { p := \"/home/dev\"; f := func() { p := \"dist\"; _ = p }; f(); os.RemoveAll(p) }"},
	} {
		if r := Read(c.lang, c.text, testEnv()); !slices.ContainsFunc(r.Effects, gravest) {
			t.Errorf("%s: %s\nis read as %s", c.lang, c.text, show(r))
		}
	}
}

// A value that a variable cannot have where the program uses it does not count.
func TestForgetsWhatScopesReplace(t *testing.T) {
	for _, c := range []struct{ lang, text string }{
		{"python", "import shutil\ndef a():\n  p='/home/dev'\n  print(p)\ndef b():\n  p='dist'\n  shutil.rmtree(p)\na()\nb()"},
		{"python", "import shutil\np='/home/dev'\nif x:\n  p='dist'\n  shutil.rmtree(p)"},
		{"js", "const fs=require('fs'); function a(){const p='/home/dev'; return p} function b(){const p='dist'; fs.rmSync(p)} a(); b()"},
		{"js", "const fs=require('fs'); let p='/home/dev'; { let p='dist'; fs.rmSync(p) }"},
		{"perl", "my $p='/home/dev'; for my $p ('dist') { unlink $p }"},
	} {
		if r := Read(c.lang, c.text, testEnv()); slices.ContainsFunc(r.Effects, gravest) || len(r.Effects) == 0 {
			t.Errorf("%s: %s\nis read as %s", c.lang, c.text, show(r))
		}
	}
}
