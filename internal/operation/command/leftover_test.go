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
	said := func(text, abs string, _ bool) bool {
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
	c.Leftovers(said, false)
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

// asksOnly are flags after which the words are no files: names of processes.
var asksOnly = map[string]bool{"-l pkill": true}

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
				if g := parseOption(o); g.role == 0 && !(g.traits&umpire.Inert != 0 && strings.HasPrefix(m.Args, "_")) {
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

// The word after an undescribed option may be its value, whatever the operands of the program are.
// Converters write the last of their files, and the name of an option says that it is written.
func TestFilesOfOptions(t *testing.T) {
	for line, want := range map[string]string{
		"iostat -M /srv/core":                        "read(/srv/core)",
		"php --unheard-of /srv/php.ini":              "read(/srv/php.ini)",
		"gdb -core /srv/core.1":                      "read(/srv/core.1)",
		"xterm -icon /srv/i.png":                     "read(/srv/i.png)",
		"gzip -l /srv/a.gz":                          "read(/srv/a.gz)",
		"rpm -qpl /srv/x.rpm":                        "read(/srv/x.rpm)",
		"find -newer /srv/a.txt":                     "read(/srv/a.txt)",
		"mktemp -p /srv/a.d":                         "read(/srv/a.d)",
		"links -dump /srv/a.html":                    "read(/srv/a.html)",
		"frobctl --state-out /srv/a.json":            "write(/srv/a.json)",
		"frobctl --log-config /srv/a.json":           "read(/srv/a.json)",
		"frobctl --export-filename=/srv/a.png a.svg": "write(/srv/a.png)",
		"sops -d a.yaml --output /srv/a.yaml":        "write(/srv/a.yaml)",
		"ffmpeg -i a.mp4 -c copy /srv/b.mp4":         "write(/srv/b.mp4)",
		"ffmpeg -i a.mp4 -i /srv/b.mp4 -f null -":    "read(/srv/b.mp4)",
		"gm identify a.png /srv/b.png":               "read(/srv/b.png)",
		"black /srv/a.py":                            "write(/srv/a.py)",
		"black --check /srv/a.py":                    "read(/srv/a.py)",
	} {
		if got := strings.Join(reads(line), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: %q lacks %s", line, got, want)
		}
	}
}
