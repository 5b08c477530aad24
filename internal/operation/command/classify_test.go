package command_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/classify"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// workspace is a folder of a project, in which everything with a relative path lies.
type workspace struct{ command.FakeHost }

func (h *workspace) Path(w command.Word) (string, umpire.Place) {
	switch {
	case w.Text == ".":
		return "/w", umpire.PlaceWorkspace
	case strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "~") || strings.HasPrefix(w.Text, ".."):
		return w.Text, umpire.PlaceOutside
	case w.Text == ".env":
		return "/w/.env", umpire.PlaceInWorkspace | umpire.PlaceEnvFile
	}
	return "/w/" + w.Text, umpire.PlaceInWorkspace
}

func natureOf(line string) umpire.Trait {
	words := strings.Fields(line)
	return classify.Of(command.NewCall(&workspace{}, command.Lookup(words[0]), words[0], command.Lits(words[1:]...), command.Stream{})).Traits(false)
}

// What a row says of its program as a whole holds for the words that it lists, and an option
// that leads elsewhere ends it. A path out of the project and a file of secrets end it as well.
func TestClassify(t *testing.T) {
	said := map[string]int{}
	command.EachRow(func(m *command.Model) {
		n := m.Claims
		for name := range strings.FieldsSeq(m.Names) {
			var lines []string
			want := umpire.Described
			switch {
			case n.Project != "":
				want = umpire.ProjectCode
				first, _, _ := strings.Cut(n.Project, " ")
				lines = append(lines, name+" "+strings.Replace(first, "any", "src/part.x", 1))
				said["project"]++
			case n.Looks != "":
				for phrase := range strings.SplitSeq(n.Looks, ",") {
					lines = append(lines, name+" "+strings.Replace(phrase, "*", "part", 1))
				}
				said["looks"]++
			case n.Complete != "":
				lines = append(lines, name+" notes.txt")
				said["complete"]++
			}
			for _, line := range lines {
				got := natureOf(line)
				if got == 0 && n.Complete == "" || got != want && got != 0 && got != umpire.Described {
					t.Errorf("%s is %s, want %s", line, got, want)
				}
				ends := []string{}
				if n.Complete == "" {
					ends = append(ends, "/etc/x", "../x/y")
				}
				for o := range strings.FieldsSeq(n.Elsewhere) {
					o = strings.TrimSuffix(o, "*")
					ends = append(ends, o+"=x", o+" x")
				}
				for _, end := range ends {
					if got := natureOf(line + " " + end); got != 0 {
						t.Errorf("%s %s is %s", line, end, got)
					}
				}
			}
		}
	})
	if said["project"] < 170 || said["looks"] < 40 || said["complete"] < 150 {
		t.Errorf("too few rows say something: %v", said)
	}
}

// A row that only says by which words a tool stays in the project leaves the reading to guess.
func TestGuessedRows(t *testing.T) {
	for _, name := range []string{"ffmpeg", "gcc", "gcc-13", "seq", "rustup"} {
		if command.Lookup(name) != nil {
			t.Errorf("%s counts as described", name)
		}
	}
	for _, name := range command.Matching(func(name string) bool { return name == "ffmpeg" || name == "sort" }, 9) {
		if name == "ffmpeg" {
			t.Error("a pattern matches ffmpeg as a described program")
		}
	}
	for line, want := range map[string]umpire.Trait{
		"ffmpeg -i a.mov b.mp4": umpire.ProjectCode, "ffmpeg -i a.mov .env": 0, "rustup toolchain list": umpire.Described, "rustup toolchain link x": 0,
		"ggrep -r .* .": 0, "ggrep -rl part .": umpire.Described, "god .": 0, "tar -tf a.tgz": umpire.Described, "tar --to-command=x -xf a": 0, "tar --to-comm=x -xf a": 0,
	} {
		if got := natureOf(line); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}
