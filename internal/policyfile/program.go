package policyfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/policy"
)

// Limits on the programs of one file.
const (
	maxPrograms = 100
	maxCommands = 200 // of one program
	maxOptions  = 100 // of one command
	maxOperands = 16
	maxEncoded  = 256 << 10 // bytes
)

// programNode describes one program.
type programNode struct {
	Names    texts         `yaml:"names" doc:"the program's name and its aliases" required:"true"`
	Options  []optionNode  `yaml:"options" doc:"options of the program, which may also come after a command"`
	Operands texts         `yaml:"operands" doc:"use of each operand; the last one, or one that ends in ..., applies to any number (default data)"`
	Language text          `yaml:"language" doc:"language of scripts, code and statements, such as python or postgres (default sh)"`
	Effects  texts         `yaml:"effects" doc:"effects of the program without a command"`
	Commands []commandNode `yaml:"commands" doc:"sub-commands"`
	Complete bool          `yaml:"complete" doc:"the description is complete, so the safe pack may allow the program; only user and managed files can set this"`
	Hits     []exampleNode `yaml:"hits" doc:"commands with effects"`
	Misses   []exampleNode `yaml:"misses" doc:"commands without effects"`
	Pos      policy.Pos
}

type commandNode struct {
	Names    texts        `yaml:"names" doc:"the command and its aliases; several words for a nested command" required:"true"`
	Options  []optionNode `yaml:"options" doc:"options of the command"`
	Operands texts        `yaml:"operands" doc:"use of each operand; the last one, or one that ends in ..., applies to any number (default data)"`
	Language text         `yaml:"language" doc:"language of scripts, code and statements (default sh)"`
	Effects  texts        `yaml:"effects" doc:"effects of the command: changes, destroys, destroys-data, installs, messages, pays, prints-secret, uploads"`
	Pos      policy.Pos
}

type optionNode struct {
	Names    texts   `yaml:"names" doc:"names of the option, with their dashes"`
	Each     []texts `yaml:"each" doc:"instead of names: several options that mean the same, each by its name or the list of its names"`
	Value    text    `yaml:"value" doc:"use of its value: append, code, command, data, delete, directory, environment, folder, host, inspect, modify, move, package, program, read, script, shell, sql, upload, url, write (default: the option is a flag)"`
	Attached bool    `yaml:"attached" doc:"the option takes a value only in the same word, as in --color=auto"`
	Traits   texts   `yaml:"traits" doc:"traits that the option adds to the command: bulk, force, global, irreversible, recursive, runs-program, skips-check"`
	Effects  texts   `yaml:"effects" doc:"effects of the command with this option"`
	Tries    bool    `yaml:"tries" doc:"the program changes nothing with this option, as with --dry-run"`
	Pos      policy.Pos
}

// Program is a program that a policy file describes.
type Program struct {
	command.Description
	Hits, Misses []policy.Example
	Pos          policy.Pos
}

var (
	programName = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}$`)
	commandName = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9._:+-]{0,63}( [A-Za-z0-9_][A-Za-z0-9._:+-]{0,63}){0,4}$`)
	optionName  = lazy.Regexp(`^-{1,2}[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// programs converts the descriptions of a file.
func (d *decoder) programs(nodes []programNode, layer policy.Layer) (out []Program) {
	if len(nodes) > maxPrograms {
		d.fail(nodes[maxPrograms].Pos, "split the file", "it describes more than %d programs", maxPrograms)
		return nil
	}
	size := 0
	for i := range nodes {
		n := &nodes[i]
		p := Program{Pos: n.Pos, Hits: d.examples(n.Hits), Misses: d.examples(n.Misses)}
		p.Names = d.names(n.Names, programName(), "the name of a program, without a folder")
		p.Command = command.Command{Options: d.options(n.Options, optionName(), maxOptions), Operands: d.roles(n.Operands), Language: d.match(n.Language, language(), "a language"), Effects: d.effects(n.Effects)}
		p.Project = layer == policy.Project || layer == policy.ProjectTrusted
		p.Complete = n.Complete
		if p.Complete && p.Project {
			d.fail(n.Pos, "put the description into your own policy file", "a project's file cannot say that a description is complete")
		}
		if len(n.Commands) > maxCommands {
			d.fail(n.Commands[maxCommands].Pos, "leave some out", "the program has more than %d commands", maxCommands)
			continue
		}
		for _, c := range n.Commands {
			p.Commands = append(p.Commands, command.Command{Words: d.names(c.Names, commandName(), "the name of a command"), Options: d.options(c.Options, optionName(), maxOptions), Operands: d.roles(c.Operands), Language: d.match(c.Language, language(), "a language"), Effects: d.effects(c.Effects)})
		}
		if len(p.Hits)+len(p.Misses) == 0 {
			d.fail(n.Pos, "add hits: with a command that does something and misses: with one that does not", "the program has no examples")
		}
		if size += len(command.Encode([]command.Description{p.Description})); size > maxEncoded {
			d.fail(n.Pos, "shorten them", "the descriptions are larger than %d bytes", maxEncoded)
			return nil
		}
		out = append(out, p)
	}
	return out
}

func (d *decoder) names(ts texts, valid *regexp.Regexp, what string) []string {
	for _, t := range ts {
		if !valid.MatchString(t.s) {
			d.fail(t.pos, "", "%q is not %s", t.s, what)
		}
	}
	return plainTexts(ts)
}

// options returns the options of a command: one for each row with names, and several for a row with
// each.
func (d *decoder) options(nodes []optionNode, valid *regexp.Regexp, most int) (out []command.Option) {
	for _, n := range nodes {
		rows := n.Each
		if len(n.Names) > 0 {
			rows = append(rows, n.Names)
		}
		if len(rows) == 0 || len(n.Names)*len(n.Each) > 0 {
			d.fail(n.Pos, "add names: for one option, or each: for several", "a row of options must have either names or each")
		}
		if len(out)+len(rows) > most {
			d.fail(n.Pos, "leave some out", "more than %d options", most)
			return nil
		}
		for _, t := range n.Traits {
			d.word(t, command.OptionTraits(), "trait")
		}
		if n.Value.s != "" {
			d.word(n.Value, command.Roles(), "role")
		}
		effects := d.effects(n.Effects)
		for _, names := range rows {
			out = append(out, command.Option{Names: d.names(names, valid, "the name of an option, such as -f or --file"),
				Value: n.Value.s, Attached: n.Attached, Traits: plainTexts(n.Traits), Effects: effects, Tries: n.Tries})
		}
	}
	return out
}

func (d *decoder) roles(ts texts) []string {
	if len(ts) > maxOperands {
		d.fail(ts[maxOperands].pos, "the last role holds for all that follow", "more than %d operands", maxOperands)
		return nil
	}
	for i, t := range ts {
		if t.s == command.UnknownOperands && i == len(ts)-1 {
			continue
		}
		word, _ := strings.CutSuffix(t.s, "...")
		d.word(text{word, t.pos}, command.Roles(), "role")
	}
	return plainTexts(ts)
}

func (d *decoder) effects(ts texts) []string {
	for _, t := range ts {
		d.word(t, command.Effects(), "effect")
	}
	return plainTexts(ts)
}

// word reports an unknown word.
func (d *decoder) word(t text, known []string, what string) {
	if slices.Contains(known, t.s) {
		return
	}
	hint := didYouMean(t.s, known)
	if hint == "" {
		hint = "use one of " + strings.Join(known, ", ")
	}
	d.fail(t.pos, hint, "%s", fmt.Sprintf("unknown %s %q", what, t.s))
}

func encodePrograms(ps []Program) string {
	ds := make([]command.Description, len(ps))
	for i := range ps {
		ds[i] = ps[i].Description
	}
	return command.Encode(ds)
}
