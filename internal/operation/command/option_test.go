package command

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// eachModel calls f for every description of a program and of its sub-commands, with the
// words that lead to it.
func eachModel(f func(words string, m *Model)) {
	var walk func(words string, m *Model)
	walk = func(words string, m *Model) {
		f(words, m)
		for rest := m.commands; rest != ""; {
			var row string
			row, rest = cutRow(rest)
			sub := decode(row)
			walk(words+" "+strings.Fields(sub.Names)[0], sub)
		}
	}
	eachRow(func(m *Model) {
		for name := range strings.FieldsSeq(m.Names) {
			walk(name, m)
		}
	})
}

// eachRow calls f for every description of a program.
func eachRow(f func(*Model)) {
	for row := range strings.SplitSeq(strings.TrimPrefix(programs, "|"), "|") {
		if line, _, _ := strings.Cut(row, "\n"); !strings.Contains(line, "\t>") {
			f(decode(row))
		}
	}
}

// fakeHost records operations and what is run.
type fakeHost struct {
	Host
	ops []string
}

func (h *fakeHost) Emit(o umpire.Operation) { h.ops = append(h.ops, o.String()) }
func (h *fakeHost) Path(w Word) (string, umpire.Place) {
	if strings.Contains(w.Text, "id_rsa") {
		return w.Text, umpire.PlaceCredentials
	}
	return w.Text, 0
}
func (h *fakeHost) Run(args []Word, _ Run) { h.ops = append(h.ops, "run"+Quote("", args)) }
func (h *fakeHost) Tasks(string, *Call)    {}
func (h *fakeHost) Script(_ string, s Stream, _ Run) {
	h.ops = append(h.ops, "script "+s.Text)
}
func (h *fakeHost) File(Word) Stream            { return Stream{} }
func (h *fakeHost) Store(Word, Stream)          {}
func (h *fakeHost) Wrote(Word) bool             { return false }
func (h *fakeHost) Starts(Word) Stream          { return Stream{} }
func (h *fakeHost) Names(Word) []string         { return nil }
func (h *fakeHost) SomeNames(Word) []string     { return nil }
func (h *fakeHost) ScriptAt(Word) Stream        { return Stream{} }
func (h *fakeHost) Exists(Word) bool            { return false }
func (h *fakeHost) Unchanged(Word, string) bool { return false }
func (h *fakeHost) Brings(Word, string, string) {}
func (h *fakeHost) Link(Word, Word)             {}
func (h *fakeHost) Moved(Word, Word)            {}
func (h *fakeHost) Copied(Word, Word)           {}
func (h *fakeHost) Follow(w Word) Word          { return w }
func (h *fakeHost) Var(string) (Word, bool)     { return Word{}, false }
func (h *fakeHost) Assigned(string) bool        { return false }
func (h *fakeHost) SetVar(string, Word)         {}
func (h *fakeHost) Define(string, Word)         {}
func (h *fakeHost) Defined(string) []Word       { return nil }
func (h *fakeHost) Chdir(Word)                  {}
func (h *fakeHost) Model(name string) *Model    { return Lookup(name) }

// performed returns what a command line does, in all of its readings.
func performed(line string) string {
	words := strings.Fields(line)
	m := Lookup(words[0])
	h := &fakeHost{}
	c := NewCall(h, m, words[0], Lits(words[1:]...), Stream{})
	c.Perform()
	for _, args := range c.Readings() {
		NewCall(h, m, words[0], args, Stream{}).Perform()
	}
	return strings.Join(h.ops, "\n")
}

// No option, whether it is listed or not, hides a key from a program that prints files.
func TestOptionsHideNoKey(t *testing.T) {
	programs := 0
	eachModel(func(words string, m *Model) {
		if m.Args != "r*" || m.Style&NoOptions != 0 {
			return
		}
		programs++
		options := []string{"--unheard-of", "--zz"}
		for c := 'a'; c <= 'z'; c++ {
			options = append(options, "-"+string(c), "-"+strings.ToUpper(string(c)))
		}
		for o := range strings.FieldsSeq(m.Opts) {
			names, _ := splitOption(o)
			options = append(options, strings.Split(names, ",")...)
		}
		for _, o := range options {
			if g, _ := m.option(o); g.role != 0 && g.role != '_' || g.traits&umpire.Inert != 0 {
				continue // it takes the file for another purpose, which shows as well
			}
			line := words + " " + o + " /home/dev/.ssh/id_rsa"
			if got := performed(line); !strings.Contains(got, "read(/home/dev/.ssh/id_rsa)") {
				t.Errorf("%s\n\tdoes %q", line, got)
			}
		}
	})
	if programs < 50 {
		t.Errorf("only %d programs that print files", programs)
	}
}

// An option that nobody described hides no command from a wrapper, whether it takes the
// next word or not.
func TestOptionsHideNoCommand(t *testing.T) {
	programs := 0
	eachModel(func(words string, m *Model) {
		if m.Style&Strict == 0 || m.Style&LongDash != 0 || m.Args != "C" && m.Args != "_ C" {
			return
		}
		programs++
		given := strings.TrimSuffix(m.Args, "C")
		for _, option := range []string{"--unheard-of", "--unheard-of value", "--unheard-of cat", "--a --b value --c"} {
			line := words + " " + option + " " + strings.ReplaceAll(given, "_", "1") + "rm -rf /home/dev"
			if got := performed(line); !strings.Contains(got, "run rm -rf /home/dev") {
				t.Errorf("%s\n\tdoes %q", line, got)
			}
		}
	})
	if programs < 60 {
		t.Errorf("only %d wrappers", programs)
	}
}

// An option before a sub-command hides the sub-command neither.
func TestOptionsHideNoSubCommand(t *testing.T) {
	for line, want := range map[string]string{
		"git --unheard-of value reset --hard":               "git(reset --hard)",
		"git --unheard-of reset --hard":                     "git(reset --hard)",
		"kubectl --unheard-of value delete ns prod":         "infra(kubectl delete ns prod)",
		"kubectl --unheard-of delete ns prod":               "infra(kubectl delete ns prod)",
		"docker --unheard-of value rm -f db":                "infra(docker remove container db)",
		"docker --unheard-of value compose down -v":         "infra(docker",
		"helm --unheard-of value uninstall app":             "infra(helm uninstall",
		"systemctl --unheard-of value stop sshd":            "system(service stop sshd)",
		"npm --unheard-of value publish":                    "packages(npm publish)",
		"cargo --unheard-of value publish":                  "packages(cargo publish)",
		"apt-get --unheard-of value remove libc6":           "packages(apt-get remove libc6)",
		"hg --unheard-of value strip tip":                   "git(hg strip tip)",
		"hg -R value --cwd sub strip tip":                   "git(hg strip tip)",
		"svn --username me delete https://h/r":              "git(svn delete https://h/r)",
		"jj -R repo git push":                               "git(jj git push)",
		"gcloud compute instances --unheard-of delete vm-1": "infra(gcloud delete compute instances vm-1)",
		"aws s3 --unheard-of rb s3://b":                     "infra(aws delete bucket s3://b)",
		"pip install --pre ./x.whl":                         "packages(pip install ./x.whl)",
	} {
		if got := performed(line); !strings.Contains(got, want) {
			t.Errorf("%s\n\tlacks %s\n\tdoes %q", line, want, got)
		}
	}
}

// An option of a program is not its sub-command's option of the same name.
func TestOptionsOfTheProgram(t *testing.T) {
	for line, want := range map[string]bool{
		"-C sub branch":               false,
		"-c user.name=x branch":       false,
		"-C sub branch -C a b":        true,
		"-C sub -c a=b branch -M a b": true,
	} {
		m := Lookup("git")
		c := NewCall(&fakeHost{}, m, "git", Lits(strings.Fields(line)...), Stream{})
		if got := c.Has("-M", "-C", "-c"); got != want {
			t.Errorf("git %s: copies or moves a branch: %v", line, got)
		}
	}
	c := NewCall(&fakeHost{}, Lookup("git"), "git", Lits("-c", "a=b", "commit", "-c", "HEAD"), Stream{})
	if got := c.Global("-c"); len(got) != 1 || got[0].Text != "a=b" {
		t.Errorf("settings given to git: %v", got)
	}
}

// A description that borrows options of another program, or reads a flag as the abbreviation
// of an option with a value, hides the word that follows.
func TestOwnOptions(t *testing.T) {
	for line, takes := range map[string]bool{
		"lsblk -s": false, "lsblk -t": false, "findmnt -n": false, "findmnt -F": true, "netstat -n": false, "blkid -s": true,
		"mkfs.ext4 -S": false, "mkfs.xfs -N": false, "sgdisk -f": false, "userdel -f": false, "chage -l": false, "vipw -s": false,
		"zypper -t": false, "smbget -R": false, "mosh -o": false, "ping -C": false, "tcpdump -e": false, "zstd -T": false, "du -l": false,
		"rsync --group": false, "ncat --ssl": false, "s3cmd --ssl": false, "ncat --output": true, "tar --index-file": true,
		"gpg --log-file": true, "gpg --agent-program": true, "iptables --modprobe": true, "dump -F": true, "vim -W": true,
	} {
		program, name, _ := strings.Cut(line, " ")
		listed, next := Lookup(program).Takes(name)
		if !listed && takes || next != takes {
			t.Errorf("%s is listed: %v, and takes the next word: %v", line, listed, next)
		}
	}
}

// A version that is named after a verb is what the verb is about. One that nothing follows asks
// for the program's own.
func TestVersionOfWhat(t *testing.T) {
	for line, inert := range map[string]bool{
		"gcloud app instances delete i1 --version live": false,
		"gem yank shop --version latest":                false,
		"gcloud --version":                              true,
		"gcloud app --version":                          true,
		"kubectl delete --help pods":                    true,
	} {
		words := strings.Fields(line)
		if got := NewCall(&silent{}, Lookup(words[0]), words[0], Lits(words[1:]...), Stream{}).Inert(); got != inert {
			t.Errorf("%s only asks: %v, want %v", line, got, inert)
		}
	}
}

// A machine keeps what it holds: what is lost there is not made again from an image.
func TestMachinesKeepWhatTheyHold(t *testing.T) {
	for _, line := range []string{
		"limactl shell default rm -rf /srv", "incus exec web -- rm -rf /srv", "machinectl shell root@web rm -rf /srv", "systemd-run -M web rm -rf /srv",
		"podman machine ssh rm -rf /srv", "tailscale ssh ada@web rm -rf /srv",
	} {
		words := strings.Fields(line)
		h := &runs{}
		NewCall(h, Lookup(words[0]), words[0], Lits(words[1:]...), Stream{}).Perform()
		if h.traits&umpire.Remote == 0 {
			t.Errorf("%s runs it with %v", line, h.traits)
		}
	}
}

// runs keeps the traits of what a call runs.
type runs struct {
	silent
	traits umpire.Trait
}

func (h *runs) Run(_ []Word, r Run)              { h.traits |= r.Traits }
func (h *runs) Tasks(string, *Call)              {}
func (h *runs) Script(_ string, _ Stream, r Run) { h.traits |= r.Traits }
