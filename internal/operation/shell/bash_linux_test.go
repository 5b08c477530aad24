package shell

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
)

var (
	bashSeed    = flag.Uint64("bash.seed", 1, "seed of the scripts that TestReadsAllThatBashRuns makes")
	bashScripts = flag.Int("bash.scripts", 100, "how many scripts TestReadsAllThatBashRuns makes")
)

// scripts makes texts that are nearly shell scripts. Each command in one that has an effect
// is "touch" of a file of its own, m0, m1 ...
type scripts struct {
	*rand.Rand
	marks int
	docs  []string // bodies and ends of here-documents that the line has begun
}

func (s *scripts) of(list ...string) string { return list[s.IntN(len(list))] }

func (s *scripts) mark() string {
	s.marks++
	m := fmt.Sprintf("m%d", s.marks-1)
	return s.of("touch "+m, "touch "+m, ": >"+m, "t''ouch "+m, `tou\ch `+m, ">>"+m, "command touch "+m, "touch -- "+m, "cat <<<x >"+m)
}

// end returns how a here-document's end is written after << and how it is written below.
func (s *scripts) end() (word, line string) {
	e := s.of("X", "EOF", "X")
	switch s.IntN(16) {
	case 0:
		return "'" + e + "'", e
	case 1:
		return `"` + e + `"`, e
	case 2:
		return `\` + e, e
	case 3:
		return "$" + e, "$" + e
	case 4:
		return "${" + e + "}", "${" + e + "}"
	case 5:
		return "`" + e + "`", "`" + e + "`"
	case 6:
		return "$(" + e + ")", "$(" + e + ")"
	case 7:
		return "$'" + e + `\x41'`, e + "A"
	case 8:
		return e + `"Y Z"`, e + "Y Z"
	case 9:
		return e + `\ Y`, e + " Y"
	case 10:
		return "'" + e + "`Y'", e + "`Y"
	case 11:
		return `$"` + e + `"`, e
	case 12:
		return e[:1] + "\\\n" + e[1:], e
	case 13:
		return `"$` + e + `"`, "$" + e
	}
	return e, e
}

func (s *scripts) doc() string {
	word, line := s.end()
	op, tabs := "<<", ""
	if s.IntN(4) == 0 {
		op, tabs = "<<-", s.of("", "\t", "\t\t")
	}
	body := ""
	for range s.IntN(3) {
		body += s.of("text", "it's", "$(echo a)", "\"", "`echo a`", "# x", "$(touch "+fmt.Sprintf("m%d", s.marks)+")", `a\`, "(", "EOF ", " X", "X;", "${x}", "))") + "\n"
		s.marks++
	}
	if s.IntN(12) > 0 {
		body += tabs + line + s.of("", "", "", "", "", " ", "\r", ")") + "\n"
	}
	s.docs = append(s.docs, body)
	return op + s.of("", "", " ") + word
}

func (s *scripts) word() string {
	return s.of("a", "'a b'", `"a b"`, `a\ b`, "$'a\\'b'", `"$x"`, "${x:-a}", "${x#'}'}", `"${x:-"a b"}"`, "$((1+1))", "$[1+1]", "{a,b}", "~", "a#b", "$#", "${#x}", "@(a|b)", `"it's"`, `'"'`, `\"`, "\\\n", "$x", "\"`echo a`\"", "--", "a=b", "$$", "'a\nb'", "`echo \\`echo a\\``", `"$(echo ")")"`, "$(echo a # b\n)", "${x/\\//a}", "=~", "!", "[a", "*", "$'\\''", `"\$("`, "'$('", "\\`", "\\$(", "<(echo a)")
}

func (s *scripts) simple() string {
	switch s.IntN(14) {
	case 0:
		return "echo " + s.word() + " " + s.word()
	case 1:
		return "cat " + s.doc()
	case 2:
		return "cat " + s.doc() + " " + s.doc()
	case 3:
		return s.mark() + " " + s.doc()
	case 4:
		return "x=" + s.word()
	case 5:
		return "[[ a == " + s.of("a", "*", "'a b'", "@(a|b)", "$x") + " ]]"
	case 6:
		return s.of("((x=1))", "((1<<2))", "let x=1", "a=(a b)", "declare -a a=(a 'b c')", "a[1]=2", ": $((1<<2))", "x+=(a)")
	}
	return s.mark()
}

func (s *scripts) stmt(depth int) string {
	if depth <= 0 {
		return s.simple()
	}
	d := depth - 1
	switch s.IntN(30) {
	case 0:
		return "{ " + s.list(d) + "; }"
	case 1:
		return "(" + s.list(d) + ")"
	case 2:
		return "if " + s.simple() + "; then\n" + s.list(d) + "\nfi"
	case 3:
		return "if true; then " + s.list(d) + "; else " + s.list(d) + "; fi"
	case 4:
		return "for x in a; do " + s.list(d) + "; done"
	case 5:
		return "case " + s.word() + " in " + s.of("a)", "(a)", "*)", "a|b)", "'a b')") + " " + s.list(d) + ";; *) " + s.list(d) + s.of(";;", "", ";&", ";;&") + " esac"
	case 6:
		return "f() { " + s.list(d) + "; }; f"
	case 7:
		return "x=$(" + s.list(d) + ")"
	case 8:
		return `echo "$(` + s.list(d) + `)"`
	case 9:
		return "echo `" + s.mark() + "`"
	case 10:
		return "eval '" + s.mark() + "'"
	case 11:
		return "cat <(" + s.list(d) + ")"
	case 12:
		return "bash -c '" + s.mark() + "'"
	case 13:
		_, end := s.end()
		s.docs = append(s.docs, s.mark()+"\n"+end+"\n")
		return "bash <<'" + strings.ReplaceAll(end, "'", "") + "'"
	case 14:
		return "bash <<<'" + s.mark() + "'"
	case 15:
		return s.stmt(d) + s.of(" && ", " || ", " | ", " & ", " |& ", "&&\n") + s.stmt(d)
	case 16:
		return s.of("! ", "time ", "time -p ", "coproc ", "") + s.stmt(d)
	case 17:
		return "while " + s.mark() + "; do " + s.list(d) + "; break; done"
	case 18:
		return s.simple() + s.of(" # it's", " #\"", "#a", " # $(", "; # `") + "\n" + s.stmt(d)
	case 19:
		return "echo \"${x:-$(" + s.list(d) + ")}\""
	case 20:
		return "((" + s.of("1", "1<<2", "x") + ")) ; " + s.stmt(d)
	case 21:
		return "((" + s.list(d) + "); " + s.mark() + ")"
	case 22:
		return "echo $((" + s.list(d) + "); " + s.mark() + ")"
	case 23:
		return "function f { " + s.list(d) + "; }\nf"
	case 24:
		return "until " + s.mark() + "; do " + s.simple() + "; done"
	case 25:
		return "[[ a && " + s.of("b", "-n $("+s.mark()+")") + " ]] && " + s.stmt(d)
	case 26:
		return "for ((i=0;i<1;i++)); do " + s.list(d) + "; done"
	}
	return s.simple()
}

func (s *scripts) flush() (text string) {
	if len(s.docs) > 0 {
		text = "\n" + strings.Join(s.docs, "")
		s.docs = nil
	}
	return text
}

func (s *scripts) list(depth int) string {
	var b strings.Builder
	for i := range 1 + s.IntN(2) {
		if i > 0 {
			b.WriteString(s.of("; ", "\n", "\n", "\n\n", " & "))
		}
		b.WriteString(s.stmt(depth))
		if len(s.docs) > 0 && s.IntN(6) > 0 {
			b.WriteString(s.flush())
		}
	}
	return b.String()
}

var oddities = []string{`"`, "'", "`", "$(", ")", "}", "{", ";;", "\\", "<<X", "<<-X", "<<'X'", "<<$X", "#", " #", "\n", "((", "))", "[[", "]]", "$'", "${", "&", "|", "&>", ">|", "esac", "fi", "done", "then", "do", "!", "\r", "<(", "$((", "<<<", "\\\n", "case", "in", ";", "\t", "$", "=(", "function", "X\n", "EOF\n", "\nX\n", "~", "@(", "?(", "if", "else", "elif", "while", "time", "coproc", "select", "\x00", "\x01", "\v", "\f", "\u00a0"}

func (s *scripts) script() string {
	s.marks, s.docs = 0, nil
	var b strings.Builder
	for range 1 + s.IntN(3) {
		b.WriteString(s.list(s.IntN(4)))
		b.WriteString(s.flush())
		b.WriteString("\n")
	}
	b.WriteString(s.mark())
	text := b.String()
	for range s.IntN(3) {
		switch i := s.IntN(len(text)); s.IntN(3) {
		case 0:
			text = text[:i] + text[min(len(text), i+1+s.IntN(3)):]
		default:
			text = text[:i] + s.of(oddities...) + text[i:]
		}
		if text == "" {
			break
		}
	}
	return text
}

// Whatever bash runs of a text, well-formed or not, is read: bash runs each script in an empty
// folder, and each file that it makes there must be in an operation. A text that hits a bound of
// the reader must say so, which asks.
func TestReadsAllThatBashRuns(t *testing.T) {
	bin := t.TempDir() // of all that a script can run, besides what bash has built in
	for _, prog := range []string{"bash", "cat", "touch"} {
		file, err := exec.LookPath(prog)
		if err == nil {
			err = os.Symlink(file, filepath.Join(bin, prog))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := &scripts{Rand: rand.New(rand.NewPCG(*bashSeed, 0))}
	for n := range *bashScripts {
		text := s.script()
		ops := Read(text, testEnv)
		for _, name := range madeByBash(t, bin, text) {
			if !slices.ContainsFunc(ops, func(o umpire.Operation) bool {
				beyond := o.Resource == umpire.Hole && o.Traits&umpire.UnseenCode != 0 // a bound was hit
				return beyond || o.Kind == umpire.Write && strings.HasSuffix(o.Resource, "/"+name)
			}) {
				t.Errorf("script %d: bash made %s, and no operation writes it:\n%s\n%q", n, name, text, text)
				break
			}
		}
	}
}

// madeByBash returns the files m0, m1 ... that a script makes. One that does not end is stopped.
func madeByBash(t *testing.T, bin, text string) (names []string) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "bash"), "--norc", "-c", text)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, []string{"PATH=" + bin, "HOME=" + dir}, 100*time.Millisecond
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	_ = cmd.Run() // most of them end with an error
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what runs in the background, maybe for ever
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if number, ok := strings.CutPrefix(f.Name(), "m"); ok && number != "" && strings.Trim(number, "0123456789") == "" {
			names = append(names, f.Name())
		}
	}
	return names
}
