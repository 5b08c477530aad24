// Package describe drafts the description of a program from its --help text, manual page or
// fish completions.
//
// A person edits the draft. It lists what the text says and marks guesses about operands and
// commands. The text is untrusted: at worst, it names things wrongly.
package describe

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// Limits on the texts and the size of a draft.
const (
	MaxText     = 1 << 20
	maxCommands = 200
	maxOptions  = 100
)

// Draft is a description drafted from help texts.
type Draft struct {
	Name     string
	Options  []Option
	Operands []string // roles
	Commands []Command
}

// Command is a sub-command.
type Command struct {
	Name     string
	About    string
	Options  []Option
	Operands []string
	Effect   string // "" if it only reads
	Guessed  bool   // the verb is ambiguous
}

// Option is an option with all of its names.
type Option struct {
	Names    []string
	Value    string // the role, "" for a flag
	Attached bool
	Tries    bool
}

// From parses a text: it recognizes manual pages and completions by their beginning.
func From(name, text string) *Draft {
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	d := &Draft{Name: name}
	switch {
	case fishLine().MatchString(text):
		d.fish(text)
	case strings.HasPrefix(text, ".") || strings.HasPrefix(text, `'\"`):
		d.help(plainManual(text))
	default:
		d.help(text)
	}
	return d
}

// Command adds the help text of a sub-command.
func (d *Draft) Command(name, text string) {
	sub := From(d.Name, text)
	for i := range d.Commands {
		if c := &d.Commands[i]; c.Name == name {
			c.Options, c.Operands = sub.Options, sub.Operands
		}
	}
}

var (
	// escapes matches output for terminals: colours, and letters printed twice.
	escapes = lazy.Regexp("\x1b\\[[0-9;]*[A-Za-z]|.\x08")
	heading = lazy.Regexp(`^[A-Za-z][A-Za-z0-9 /&-]*:?$`)
	gap     = lazy.Regexp(`\s{2,}|\t`)
	comma   = lazy.Regexp(`,\s+`) // wget puts two spaces after it
	// commandLine matches a line of a list of commands: its names, and a description.
	commandLine = lazy.Regexp(`^\s{1,8}([a-z][a-z0-9_:.-]*)((?:,\s*[a-z][a-z0-9_:.-]*)*)(?:\s+(?:[<\[]\S*|[A-Z][A-Z0-9_.:-]*))*(?:\s{2,}|\t|$)(.*)`)
	usage       = lazy.Regexp(`(?i)^\s*usage:?\s*(.*)`)
	// optionWord is one name of an option, with the rest of the same word.
	optionWord = lazy.Regexp(`^(-{1,2}[A-Za-z0-9?][A-Za-z0-9._-]*)(\[=[^\]]*\]|\[[^\]=]*\]|=\S+|:\S+)?,?$`)
)

// help parses the output of --help.
func (d *Draft) help(text string) {
	section, operands := "", ""
	inUsage := false
	for line := range strings.SplitSeq(escapes().ReplaceAllString(text, ""), "\n") {
		line = strings.TrimRight(line, " \t\r")
		trimmed := strings.TrimSpace(line)
		if m := usage().FindStringSubmatch(line); m != nil && operands == "" {
			operands, inUsage = m[1], m[1] == ""
			continue
		}
		if inUsage && trimmed != "" {
			operands, inUsage = trimmed, false
			continue
		}
		if line != "" && line[0] != ' ' && line[0] != '\t' && heading().MatchString(line) {
			section = strings.ToLower(line)
			continue
		}
		if strings.HasPrefix(trimmed, "-") {
			d.option(trimmed)
			continue
		}
		if strings.Contains(section, "command") {
			d.command(line)
		}
	}
	d.Operands = operandsOf(operands, len(d.Commands) > 0)
}

// option parses a line such as "-o, --output FILE where to write".
func (d *Draft) option(line string) {
	line = comma().ReplaceAllString(line, ", ")
	spec := line
	about := ""
	if at := gap().FindStringIndex(line); at != nil {
		spec, about = line[:at[0]], strings.ToLower(line[at[1]:])
	}
	var o Option
	value := ""
	for word := range strings.FieldsSeq(strings.NewReplacer(" | ", " ", "|-", " -", " / ", " ", ", ", " ").Replace(spec)) {
		m := optionWord().FindStringSubmatch(word)
		switch {
		case m != nil && m[1] != "--":
			o.Names = append(o.Names, strings.TrimSuffix(m[1], ","))
			if m[2] != "" {
				o.Attached = o.Attached || m[2][0] == '['
				value = strings.Trim(m[2], "[]=:")
			}
		case strings.HasPrefix(word, "-"): // --[no-]color, for example
			if plain := strings.NewReplacer("[no-]", "", "[", "", "]", "").Replace(word); optionWord().MatchString(plain) {
				o.Names = append(o.Names, strings.TrimSuffix(plain, ","))
			}
		case len(o.Names) > 0 && value == "":
			o.Attached = o.Attached || word[0] == '['
			value = strings.Trim(word, "<>[]=.,")
		}
	}
	if len(o.Names) == 0 || len(d.Options) >= maxOptions {
		return
	}
	if value == "" {
		o.Attached = false
	} else {
		o.Value = roleOf(value, o.Names, about)
	}
	for _, n := range o.Names {
		if bare := strings.TrimLeft(n, "-"); bare == "dry-run" || bare == "dryrun" || bare == "simulate" || bare == "what-if" || bare == "check-only" {
			o.Tries = true
		}
	}
	d.Options = append(d.Options, o)
}

// command parses a line of a list of commands.
func (d *Draft) command(line string) {
	m := commandLine().FindStringSubmatch(line)
	if m == nil || len(d.Commands) >= maxCommands {
		return
	}
	if slices.ContainsFunc(d.Commands, func(c Command) bool { return c.Name == m[1] }) {
		return
	}
	if m[1] != "help" {
		d.Commands = append(d.Commands, commandOf(m[1], strings.TrimSpace(m[3])))
	}
}

func commandOf(name, about string) Command {
	c := Command{Name: name, About: about}
	switch wording.DeedName(name) {
	case "destroys":
		c.Effect = "destroys"
		for _, noun := range []string{"database", "data", "backup", "volume", "tenant", "bucket", "table", "disk", "snapshot", "account"} {
			if strings.Contains(strings.ToLower(name+" "+about), noun) {
				c.Effect = "destroys-data"
			}
		}
	case "changes":
		c.Effect = "changes"
	case "reads":
	default:
		c.Guessed = true
	}
	return c
}

// fishLine matches a completion for fish: complete -c PROGRAM ...
var fishLine = lazy.Regexp(`(?m)^complete (-c|--command) `)

// fish parses completions for fish.
func (d *Draft) fish(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if !fishLine().MatchString(line) {
			continue
		}
		words := fishWords(line)
		var o Option
		about, taken, list, inner := "", false, "", false
		for i := 0; i < len(words); i++ {
			next := ""
			if i+1 < len(words) {
				next = words[i+1]
			}
			switch words[i] {
			case "-s", "--short-option":
				o.Names = append(o.Names, "-"+next)
				i++
			case "-l", "--long-option":
				o.Names = append(o.Names, "--"+next)
				i++
			case "-o", "--old-option":
				o.Names = append(o.Names, "-"+next)
				i++
			case "-d", "--description":
				about = next
				i++
			case "-a", "--arguments":
				list = next
				i++
			case "-n", "--condition":
				inner = inner || !strings.Contains(next, "use_subcommand") && !strings.Contains(next, "needs_command")
				i++
			case "-r", "-x", "-rF", "--require-parameter", "--exclusive":
				taken = true
			}
		}
		switch {
		case len(o.Names) > 0 && !inner && len(d.Options) < maxOptions:
			if taken {
				o.Value = roleOf("", o.Names, strings.ToLower(about))
			}
			d.Options = append(d.Options, o)
		case len(o.Names) == 0 && !inner && list != "" && !strings.ContainsAny(list, "($"):
			for name := range strings.FieldsSeq(list) {
				d.command("  " + name + "  " + about)
			}
		}
	}
}

// fishWords splits a line of fish at unquoted spaces.
func fishWords(line string) (words []string) {
	var b strings.Builder
	quote, in := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ' || r == '\t':
			if in {
				words, in = append(words, b.String()), false
				b.Reset()
			}
		default:
			b.WriteRune(r)
			in = true
		}
	}
	if in {
		words = append(words, b.String())
	}
	return words
}

var (
	fontOf  = lazy.Regexp(`\\f(?:[A-Z]|\([A-Z]{2}|\[[^\]]*\])`)
	macroOf = lazy.Regexp(`^[.'](\S+)\s*(.*)`)
)

// plainManual converts the source of a manual page to the form of a help text: headings at the
// margin, indented option names, and their descriptions after a gap.
func plainManual(text string) string {
	var b strings.Builder
	tagged := false
	for line := range strings.SplitSeq(text, "\n") {
		m := macroOf().FindStringSubmatch(line)
		if m != nil {
			line = strings.TrimSpace(strings.ReplaceAll(m[2], `"`, ""))
			switch m[1] {
			case "SH", "Sh":
				name := strings.ToLower(line)
				if name == "synopsis" {
					name = "usage"
				}
				b.WriteString("\n" + name + ":\n")
				continue
			case "TP", "It", "IP":
				tagged = true
				b.WriteByte('\n')
				if m[1] == "TP" || line == "" {
					continue
				}
			case "B", "BI", "BR", "I", "IR", "Nm", "Fl", "RB":
				if m[1] != "B" && m[1] != "I" {
					line = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(line, `\ `, "\x00"), " ", ""), "\x00", " ")
				}
			default:
				continue
			}
		}
		line = fontOf().ReplaceAllString(line, "")
		line = strings.NewReplacer(`\-`, "-", `\&`, "", `\ `, " ", `\e`, `\`).Replace(line)
		if tagged {
			b.WriteString("  " + line + "  ")
			tagged = false
			continue
		}
		b.WriteString(" " + line)
		if m == nil {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
