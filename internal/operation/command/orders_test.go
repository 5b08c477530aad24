package command

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// otherPurpose are the options of a program after which an address is no address, or the program
// only lists what it has: the path of a socket, a message to a running client, code on the
// command line.
var otherPurpose = map[string]string{
	"-U": "nc netcat", "-O": "ssh slogin autossh", "-l": "crontab brotli lz4 pigz nc netcat ncat pnetcat cryptcat sbd", "-e": "crontab", "-r": "crontab", "-t": "brotli lz4 pigz",
	"-c": "fish", "-f": "expect", "--wrap": "sbatch", "--recv-keys": "gpg gpg2",
}

// No order of options hides a file or an address. Each description gets random command lines:
// known and unknown options, abbreviated, combined and with attached values, "--", and among
// them a marker. Where the bare program does something with the marker, the line shows it too.
func TestOrdersHideNoFile(t *testing.T) {
	const each = 8
	random := rand.New(rand.NewPCG(17, 1))
	lines := 0
	eachModel(func(words string, m *Model) {
		if m.Style&(NoOptions|CaseFold|Windows) != 0 || strings.HasSuffix(words, " exec") || strings.HasSuffix(words, " inspect") { // of a container
			return
		}
		if strings.HasPrefix(words, "php") || m.Lang != "" {
			return // an option may bring the code, and the marker is an argument of it
		}
		for _, marker := range []string{"notes/marker.txt", "/home/dev/.ssh/id_rsa", "https://marker.example/x"} {
			if !slices.ContainsFunc(reads(words+" "+marker), func(op string) bool {
				kind, resource, _ := strings.Cut(op, "(")
				return strings.Contains(resource, marker) && anyof.Equal(kind, "read", "write", "delete") || kind == "network" && strings.Contains(resource, "marker.example")
			}) {
				continue
			}
			shown := strings.TrimSuffix(strings.TrimPrefix(marker, "https://"), "/x")
			for range each {
				lines++
				line := words + " " + strings.Join(randomOrder(random, m, marker), " ")
				if !names(reads(line), shown) {
					t.Errorf("%s hides the marker", line)
				}
			}
		}
	})
	if lines < 4000 {
		t.Errorf("only %d lines", lines)
	}
}

// randomOrder returns up to four options of a description, spelled in some way, with the
// marker somewhere among them as an operand.
func randomOrder(random *rand.Rand, m *Model, marker string) []string {
	program := strings.Fields(m.Names)[0]
	var known []option
	for o := range strings.FieldsSeq(m.Opts) {
		if g := parseOption(o); !(g.traits&umpire.Inert != 0 && strings.Contains(marker, "://")) && !asksOnly[g.name+" "+program] && !aboutItself(g.name) && strings.IndexByte("ceCxPq", g.role) < 0 && !(strings.Contains(marker, "://") && anyof.Listed(otherPurpose[g.name], program)) {
			known = append(known, g)
		}
	}
	n := 1 + random.IntN(4)
	at, dashed := random.IntN(n+1), false
	var line []string
	for i := range n + 1 {
		if i == at {
			if m.Style&LongDash == 0 && random.IntN(6) == 0 {
				line, dashed = append(line, "--"), true
			}
			line = append(line, marker)
		}
		if i == n || dashed {
			continue
		}
		if len(known) == 0 || random.IntN(3) == 0 {
			line = append(line, []string{"--unheard-of", "--unheard-of=v1", "--zz"}[random.IntN(3)])
			continue
		}
		line = append(line, spelled(random, known[random.IntN(len(known))])...)
	}
	return line
}

// spelled returns one way to write an option.
func spelled(random *rand.Rand, o option) []string {
	long := strings.HasPrefix(o.name, "--")
	switch {
	case o.role == 0 && long && len(o.name) > 8 && random.IntN(3) == 0 && o.name != "--workspaces": // --workspace takes a value
		return []string{o.name[:len(o.name)-1]}
	case o.role == 0 && !long && len(o.name) == 2 && random.IntN(3) == 0:
		return []string{o.name + o.name[1:]}
	case o.role == 0:
		return []string{o.name}
	case long && (o.attach || random.IntN(2) == 0):
		return []string{o.name + "=1"}
	case o.attach:
		return []string{o.name}
	}
	return []string{o.name, "1"}
}
