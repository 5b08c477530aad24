package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// Description is a policy file's description of one program. It is part of the compiled policy, and
// is decoded only when a call names the program.
type Description struct {
	Names    []string  `json:"names"`
	Command            // the program without a sub-command
	Commands []Command `json:"commands,omitempty"`
	Complete bool      `json:"complete,omitempty"` // its operations are all that it does
	Project  bool      `json:"project,omitempty"`  // from a project's file: may add effects, never vouches
}

// Command describes a program or one of its sub-commands.
type Command struct {
	Words    []string `json:"words,omitempty"` // of the sub-command, such as "tenant delete"; several are synonyms
	Options  []Option `json:"options,omitempty"`
	Operands []string `json:"operands,omitempty"` // roles, in the words of OperandRoles
	Language string   `json:"language,omitempty"` // of scripts, code and statements; "" is sh
	Effects  []string `json:"effects,omitempty"`
}

// Option is one option by all of its names.
type Option struct {
	Names   []string `json:"names"`
	Value   string   `json:"value,omitempty"` // role of the value, "" for a flag
	Effects []string `json:"effects,omitempty"`
	Tries   bool     `json:"tries,omitempty"` // the option makes the program change nothing, as --dry-run does

	Attached bool     `json:"attached,omitempty"` // the value must be attached: --color=x
	Traits   []string `json:"traits,omitempty"`   // of all operations of the command
}

// roleWords are the words of policy files for the roles of operands and values.
var roleWords = [...]struct {
	word string
	role Role
}{
	{"data", '_'}, {"read", 'r'}, {"write", 'w'}, {"append", 'a'}, {"delete", 'd'}, {"folder", 't'}, {"directory", 'D'}, {"script", 'x'},
	{"shell", 'c'}, {"command", 'C'}, {"host", 'h'}, {"url", 'u'}, {"upload", 'U'}, {"package", 'p'}, {"sql", 'q'}, {"environment", 'E'},
	{"code", 'e'}, {"inspect", 'i'}, {"modify", 'o'}, {"move", 'm'}, {"program", 'P'}, {"list", 'l'}, {"process", 'A'}, {"listen", 'L'}, {"address", 'R'},
}

// effectTraits are the words of policy files for the effects of a command, with their traits. The
// index of a word is its bit in an Effect.
var effectTraits = [...]struct {
	word   string
	traits umpire.Trait
}{
	{"changes", umpire.Mutate},
	{"destroys", umpire.Mutate | umpire.Destroy},
	{"destroys-data", umpire.Mutate | umpire.Destroy | umpire.Irreversible | umpire.DataStore},
	{"uploads", umpire.Mutate | umpire.Upload},
	{"messages", umpire.Mutate | umpire.Message},
	{"pays", umpire.Mutate | umpire.Payment},
	{"prints-secret", umpire.CarriesSecret},
	{"installs", 0}, // a package
	{"installs-untrusted", umpire.UntrustedSource},
}

// UnknownOperands ends a list of operands: the roles of all further operands are unknown.
const UnknownOperands = "unknown"

// OptionTraits returns the traits that an option can add to the operations of its command.
func OptionTraits() []string {
	return []string{"bulk", "force", "global", "irreversible", "recursive", "runs-program", "skips-check"}
}

// Roles returns the words for the role of a value or operand, sorted.
func Roles() (words []string) {
	for _, r := range roleWords {
		words = append(words, r.word)
	}
	slices.Sort(words)
	return words
}

// Effects returns the words for the effect of a command, sorted.
func Effects() (words []string) {
	for _, e := range effectTraits {
		words = append(words, e.word)
	}
	slices.Sort(words)
	return words
}

// roleOf returns the role with this name, or 0.
func roleOf(word string) Role {
	for _, r := range roleWords {
		if r.word == word {
			return r.role
		}
	}
	return 0
}

// traitsOf returns the traits of an effect; an unlisted effect has none.
func traitsOf(effect string) umpire.Trait {
	for _, e := range effectTraits {
		if e.word == effect {
			return e.traits
		}
	}
	return 0
}

// EffectOf returns the set with only the effect that word names, or 0 if no effect has that name.
func EffectOf(word string) Effect {
	for i := range effectTraits {
		if effectTraits[i].word == word {
			return 1 << i
		}
	}
	return 0
}

// performEffects records the effects of a built-in command. The operations have the first names of
// the program and its sub-commands, whichever the call uses.
func (c *Call) performEffects(set Effect) {
	name, _, _ := strings.Cut(c.top.Names, " ")
	m := c.top
	for _, word := range strings.Fields(strings.TrimPrefix(c.Name, c.Program)) {
		if m = m.sub(word); m == nil {
			break
		}
		first, _, _ := strings.Cut(m.Names, " ")
		name += " " + first
	}
	for i, e := range effectTraits {
		if set&(1<<i) != 0 {
			c.effect(name, e.word)
		}
	}
}

// Encode writes descriptions in the form that Describing reads: one per line, with its names first.
func Encode(ds []Description) string {
	var b strings.Builder
	for i := range ds {
		data, err := json.Marshal(&ds[i])
		if err != nil {
			panic(err) // strings, lists and booleans always marshal
		}
		fmt.Fprintf(&b, "%s\t%s\n", strings.Join(ds[i].Names, " "), data)
	}
	return b.String()
}

// Described is a program that a policy file describes.
type Described struct {
	Model    *Model
	complete bool
	project  bool
}

// Describing returns the descriptions of a program among encoded ones. It skips entries that do not
// decode: the checksum of the policy rules out damage.
func Describing(encoded, name string) (out []*Described) {
	for line := range strings.Lines(encoded) {
		names, data, _ := strings.Cut(line, "\t")
		if !anyof.Listed(names, name) {
			continue
		}
		var d Description
		if json.Unmarshal([]byte(data), &d) == nil && len(d.Names) > 0 {
			out = append(out, &Described{d.model(), d.Complete, d.Project})
		}
	}
	return out
}

// model returns the Model of a description. The options of the program may also follow a
// sub-command.
func (d *Description) model() *Model {
	m := &Model{Names: strings.Join(d.Names, " ")}
	d.fill(m, d.Names[0], nil)
	for i := range d.Commands {
		c := &d.Commands[i]
		for _, words := range c.Words { // at least one
			at := m
			for _, w := range strings.Fields(words) {
				next := at.sub(w)
				if next == nil {
					at.Sub = append(at.Sub, Model{Names: w, Opts: OptionGrammar(d.Options, false)})
					next = &at.Sub[len(at.Sub)-1]
				}
				at = next
			}
			c.fill(at, d.Names[0]+" "+c.Words[0], d.Options)
		}
	}
	return m
}

// fill sets the fields of m that describe a program or command. Its operations are recorded under
// name.
func (c *Command) fill(m *Model, name string, global []Option) {
	options := slices.Concat(c.Options, global)
	m.Opts, m.Lang = OptionGrammar(options, false), c.Language
	var wraps bool
	if m.Args, wraps = OperandRoles(c.Operands); wraps {
		m.Style |= Strict // options after the wrapped command belong to it
	}
	m.Do = func(call *Call) { call.effects(name, c.Effects, options) }
}

// OperandRoles returns the roles of operands in the form of Model.Args. A role that ends in "..."
// repeats; if none does, the last one does. wraps reports whether an operand is a command, which
// has options of its own.
func OperandRoles(words []string) (args string, wraps bool) {
	var roles []string
	many := false
	for i, w := range words {
		if w == UnknownOperands {
			break
		}
		w, repeats := strings.CutSuffix(w, "...")
		role := string(roleOf(w))
		wraps = wraps || w == "command"
		if repeats || i == len(words)-1 && !many && w != "command" {
			role, many = role+"*", true
		}
		roles = append(roles, role)
	}
	return strings.Join(roles, " "), wraps
}

// OptionGrammar returns options in the form of Model.Opts, with their effects if effects is true.
func OptionGrammar(options []Option, effects bool) string {
	list := make([]string, len(options))
	for i := range options {
		o := &options[i]
		s := strings.Join(o.Names, ",")
		if o.Attached {
			s += "?"
		}
		if o.Value != "" {
			s += "=" + string(roleOf(o.Value))
		}
		words := append([]string{s}, o.Traits...)
		if o.Tries {
			words = append(words, "inert")
		}
		if effects {
			words = append(words, o.Effects...)
		}
		list[i] = strings.Join(words, "+")
	}
	return strings.Join(list, " ")
}

// effects records the effects of a described command and of its options.
func (c *Call) effects(name string, effects []string, options []Option) {
	for _, e := range effects {
		c.effect(name, e)
	}
	for _, o := range options {
		if len(o.Effects) > 0 && c.Has(o.Names...) {
			for _, e := range o.Effects {
				c.effect(name, e)
			}
		}
	}
}

// effect records one effect of a described command as an operation named name. An argument that
// names production, or --all for a removal, makes it graver.
func (c *Call) effect(name, effect string) {
	t := traitsOf(effect)
	if strings.HasPrefix(effect, "installs") {
		program, _, _ := strings.Cut(name, " ")
		words := c.Operands
		if len(words) == 0 { // ansible-pull -U URL
			words = c.Args
		}
		c.Op(umpire.Packages, Quote(program+" install", words), t)
		return
	}
	if t&umpire.CarriesSecret != 0 {
		c.Taints(FromSecret)
	}
	for _, w := range c.Args {
		if production(w.Text) {
			t |= umpire.Production
		}
		if t&umpire.Destroy != 0 && w.Text == "--all" {
			t |= umpire.Bulk
		}
	}
	c.Op(umpire.Infra, Quote(name, c.Operands[:min(8, len(c.Operands))]), t)
}

// Top returns the Model of the program; c.Model is that of its sub-command.
func (c *Call) Top() *Model { return c.top }

// Vouches reports whether the description may replace a built-in one: it is the user's own and
// describes the sub-command of the call.
func (d *Described) Vouches(c *Call) bool {
	return !d.project && (!c.Model.leads() || len(c.Operands) == 0)
}

// Whole reports whether the description vouches for the call, claims to be complete, and lists
// every option of the call.
func (d *Described) Whole(c *Call) bool {
	if !d.complete || !d.Vouches(c) || !c.Known() || len(c.doubts) > 0 {
		return false
	}
	for i := range c.opts {
		o := &c.opts[i]
		if o.raw == "--" {
			continue
		}
		if g, ok := o.model.option(o.raw); !ok || g.short {
			return false
		}
	}
	return true
}
