package policyfile

import (
	"reflect"
	"regexp"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/policy"
)

// builtins is a file of built-in descriptions: one family of programs.
type builtins struct {
	Family   text          `yaml:"family" doc:"what the programs have in common" required:"true"`
	Programs []builtinNode `yaml:"programs" doc:"the programs" required:"true"`
}

// builtinNode describes a program or, below commands, one of its commands. Keys that users'
// programs also have mean the same.
type builtinNode struct {
	Names     texts         `yaml:"names" doc:"the name and its aliases" required:"true"`
	Like      text          `yaml:"like" doc:"the program or command of this file, such as docker run, whose description holds for this one as well"`
	Reads     text          `yaml:"reads" doc:"the function of Go that computes what the command does"`
	Style     texts         `yaml:"style" doc:"how the command reads its words"`
	Language  text          `yaml:"language" doc:"the language of scripts, code and statements, sh if absent"`
	Options   []optionNode  `yaml:"options" doc:"options of the program that come before a command, or of the command"`
	Operands  texts         `yaml:"operands" doc:"what each operand is for; unknown if absent"`
	Effects   texts         `yaml:"effects" doc:"what the command does"`
	System    []systemNode  `yaml:"system" doc:"changes of the machine; the first that the arguments mean counts"`
	Commands  []builtinNode `yaml:"commands" doc:"its sub-commands"`
	Complete  text          `yaml:"complete" doc:"the operations are all that the program does: whatever its words are (always), if no unknown word may be an option (options), or if every word is known (words)"`
	Looks     texts         `yaml:"looks" doc:"commands that only look, and at no secret; a * at the end stands for more words"`
	Project   texts         `yaml:"project" doc:"first words by which a tool only builds, checks, formats or previews the project; any for all"`
	Elsewhere texts         `yaml:"elsewhere" doc:"options that end complete, looks and project: they bring code, settings or a host from elsewhere; a * at the end stands for any ending"`
	Hits      []exampleNode `yaml:"hits" doc:"commands that do more than run the program"`
	Misses    []exampleNode `yaml:"misses" doc:"commands that only run the program or read"`
	Pos       policy.Pos
}

// systemNode describes a change of the machine.
type systemNode struct {
	When     texts `yaml:"when" doc:"options and first operands that mean the change: -f, -e 0, set-*; * is any operand, and without any the call always means it"`
	Is       text  `yaml:"is" doc:"the resource of the operation, such as log clear; % is the program, %1 and %2 the first operands, and without it nothing happens"`
	Traits   texts `yaml:"traits" doc:"traits of the operation"`
	Operands bool  `yaml:"operands" doc:"the resource ends with the operands"`
}

// Builtin is a built-in program, or a command of one.
type Builtin struct {
	Names, Style []string
	Like, Reads  string
	Language     string
	Options      []command.Option
	Operands     []string
	Effects      []string
	System       []command.SystemOp
	Commands     []Builtin
	Claims
	Hits, Misses []policy.Example
	Pos          policy.Pos
}

// Claims describes a program as a whole, as command.Claims does.
type Claims struct {
	Complete                  string
	Looks, Project, Elsewhere []string
}

// maxBuiltinOptions is the limit of options of a built-in command: curl has 170.
const maxBuiltinOptions = 300

var (
	builtinName   = lazy.Regexp(`^[^\s,"\\]{1,64}$`)
	builtinOption = lazy.Regexp(`^[-/+@:%!.A-Za-z][^\s,=?+"\\]{0,63}$`)
	goFunction    = lazy.Regexp(`^((projectfile\.)?do[A-Z0-9][A-Za-z0-9]*)?$`)
	completeness  = lazy.Regexp(`^(always|options|words)?$`)
	phrase        = lazy.Regexp(`^[A-Za-z0-9:./_-]+( [A-Za-z0-9:./_-]+)*( \*)?$`)
	systemWhen    = lazy.Regexp(`^[^\s,;=|"]+( [^\s,;=|"]+)?$`)
	systemIs      = lazy.Regexp(`^[a-z% -]*(%[12])?$`)
	elsewhere     = lazy.Regexp(`^-{1,2}/?[A-Za-z][A-Za-z0-9._-]*\*?$|^-/[a-z]+$`)
	language      = lazy.Regexp(`^([a-z0-9-]{1,32})?$`)
)

// ParseBuiltins reads a file of built-in programs. The error is of type Errors.
func ParseBuiltins(path string, data []byte) ([]Builtin, error) {
	d := &decoder{file: path}
	var doc builtins
	n := d.parse(data)
	if err := d.err(); err != nil {
		return nil, err
	}
	d.value(n, reflect.ValueOf(&doc).Elem(), "the file", 0)
	out := d.builtins(doc.Programs)
	return out, d.err()
}

func (d *decoder) builtins(nodes []builtinNode) (out []Builtin) {
	for i := range nodes {
		n := &nodes[i]
		b := Builtin{Pos: n.Pos, Like: n.Like.s, Style: plainTexts(n.Style), Language: d.match(n.Language, language(), "a language"),
			Reads:    d.match(n.Reads, goFunction(), "the name of a function, such as doCat"),
			Names:    d.names(n.Names, builtinName(), "a name"),
			Options:  d.options(n.Options, builtinOption(), maxBuiltinOptions),
			Operands: d.roles(n.Operands), Effects: d.effects(n.Effects), System: d.system(n.System), Commands: d.builtins(n.Commands),
			Claims: Claims{d.match(n.Complete, completeness(), "always, options or words"), d.matches(n.Looks, phrase(), "a command"),
				d.matches(n.Project, phrase(), "a word"), d.matches(n.Elsewhere, elsewhere(), "the name of an option")},
			Hits: d.examples(n.Hits), Misses: d.examples(n.Misses)}
		if b.Like != "" && (b.Reads != "" || len(b.Language)+len(b.Options)+len(b.Operands)+len(b.Effects)+len(b.System)+len(b.Commands) > 0) {
			d.fail(n.Like.pos, "copy the description and change it", "a description with like: may have only names, style, examples and what it says of the program as a whole")
		}
		out = append(out, b)
	}
	return out
}

func (d *decoder) system(nodes []systemNode) (out []command.SystemOp) {
	for _, n := range nodes {
		o := command.SystemOp{When: d.matches(n.When, systemWhen(), "an option or operand"), Is: d.match(n.Is, systemIs(), "words"), Operands: n.Operands}
		for _, w := range n.Traits {
			t, err := umpire.ParseTrait(w.s)
			if err != nil {
				d.fail(w.pos, "", "%v", err)
			}
			o.Traits |= t
		}
		out = append(out, o)
	}
	return out
}

func (d *decoder) matches(list texts, valid *regexp.Regexp, what string) []string {
	for _, t := range list {
		d.match(t, valid, what)
	}
	return plainTexts(list)
}

func (d *decoder) match(t text, valid *regexp.Regexp, what string) string {
	if !valid.MatchString(t.s) {
		d.fail(t.pos, "", "%q is not %s", t.s, what)
	}
	return t.s
}
