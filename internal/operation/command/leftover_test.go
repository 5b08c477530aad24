package command

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// reads returns what a command line does in all of its readings, leftovers included.
func reads(line string) []string {
	words := strings.Fields(line)
	m := Lookup(words[0])
	h := &fakeHost{}
	said := func(text, abs string) bool {
		for _, op := range h.ops {
			if strings.Contains(op, text) {
				return true
			}
		}
		return false
	}
	c := NewCall(h, m, words[0], Lits(words[1:]...), Stream{})
	if m != nil {
		c.Perform()
	}
	c.Leftovers(said)
	return h.ops
}

func names(ops []string, file string) bool {
	for _, op := range ops {
		if strings.Contains(op, file) {
			return true
		}
	}
	return false
}

// asksOnly are flags after which a program only says what it has: a test or a listing.
var asksOnly = map[string]bool{
	"-t gzip": true, "-l gzip": true, "-t bzip2": true, "-l bzip2": true, "-t xz": true, "-l xz": true, "-t zstd": true, "-l zstd": true, // of an archive
	"-l pkill": true, "-q rpm": true,
}

// No flag hides a file, whether it is known or not, and however it is written: where a
// program with a file does something with it, the program with the flag and the file does.
func TestFlagsHideNoFile(t *testing.T) {
	lines := 0
	eachModel(func(words string, m *Model) {
		if m.Style&(NoOptions|CaseFold|Windows) != 0 {
			return
		}
		for _, file := range []string{"/home/dev/.ssh/id_rsa", "notes/plan.txt"} {
			if !names(reads(words+" "+file), file) {
				continue
			}
			forms := []string{"--unheard-of " + file, "--unheard-of=" + file}
			if _, listed := m.option("-Z"); !listed {
				forms = append(forms, "-Z "+file, "-Z"+file)
			}
			for o := range strings.FieldsSeq(m.Opts) {
				if g := parseOption(o); g.role == 0 && g.traits&umpire.Inert == 0 {
					if !asksOnly[g.name+" "+strings.Fields(m.Names)[0]] && !aboutItself(g.name) {
						forms = append(forms, g.name+" "+file)
					}
				}
			}
			for _, form := range forms {
				lines++
				if line := words + " " + form; !names(reads(line), file) {
					t.Errorf("%s hides the file", line)
				}
			}
		}
	})
	if lines < 4000 {
		t.Errorf("only %d lines", lines)
	}
}

// An option that takes a file shows it, and an option that takes a value only where it is
// attached leaves the next word, a file, to the operands.
func TestValuesShowTheirFile(t *testing.T) {
	const file = "/home/dev/.ssh/id_rsa"
	lines := 0
	eachModel(func(words string, m *Model) {
		if m.Style&(NoOptions|CaseFold|Windows|KeyVal) != 0 {
			return
		}
		operand := names(reads(words+" "+file), file)
		for o := range strings.FieldsSeq(m.Opts) {
			g := parseOption(o)
			if g.traits&umpire.Inert != 0 {
				continue
			}
			var forms []string
			switch given, _ := splitOption(o); {
			case strings.IndexByte("rwaxdmio", g.role) >= 0 && !g.attach:
				for n := range strings.SplitSeq(given, ",") {
					forms = append(forms, n+" "+file)
				}
			case strings.IndexByte("rwaxdmio", g.role) >= 0 && strings.HasPrefix(g.name, "--"):
				forms = []string{g.name + "=" + file}
			case g.role != 0 && g.attach && operand:
				forms = []string{g.name + " " + file}
			}
			for _, form := range forms {
				lines++
				if line := words + " " + form; !names(reads(line), file) {
					t.Errorf("%s hides the file", line)
				}
			}
		}
	})
	if lines < 400 {
		t.Errorf("only %d lines", lines)
	}
}

// Many files cost no more than they are worth, and hide no key behind them.
func TestLeftoversAreBounded(t *testing.T) {
	line := "frobctl" + strings.Repeat(" notes/plan.txt", 50_000) + strings.Repeat(" a/b.md c/d.md", 20_000) + " /home/dev/.ssh/id_rsa"
	ops := reads(line)
	if !names(ops, "read(/home/dev/.ssh/id_rsa)") || len(ops) > 2*maxLeftovers {
		t.Errorf("%d operations", len(ops))
	}
}
