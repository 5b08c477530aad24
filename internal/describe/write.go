package describe

import (
	"fmt"
	"io"
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// Names that policy files accept; the text may contain anything.
var (
	sureOption  = lazy.Regexp(`^-{1,2}[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	sureCommand = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9._:+-]{0,63}$`)
	sureProgram = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}$`)
	sureText    = lazy.Regexp(`[^A-Za-z0-9 ,.()'/_-]`)
)

// Known reports whether a policy file can name a program like this.
func Known(name string) bool { return sureProgram().MatchString(name) }

// Write writes a draft as a policy file that umpire policy check accepts.
func (d *Draft) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# A draft. Compare it with the manual: umpire guessed the roles of values and operands from\n" +
		"# their names, and the effects of commands from their verbs. docs/programs.md lists the words.\n" +
		"version: 1\nprograms:\n")
	fmt.Fprintf(&b, "  - names: %s\n", d.Name)
	writeOptions(&b, "    ", d.Options)
	writeOperands(&b, "    ", d.Operands)
	var hits, misses []string
	if len(d.Commands) > 0 {
		b.WriteString("    commands:\n")
	}
	for _, c := range d.Commands {
		if !sureCommand().MatchString(c.Name) {
			continue
		}
		fmt.Fprintf(&b, "      - names: %s", c.Name)
		if about := comment(c.About); about != "" {
			b.WriteString(" # " + about)
		}
		b.WriteByte('\n')
		switch {
		case c.Effect != "":
			fmt.Fprintf(&b, "        effects: %s # guessed\n", c.Effect)
			hits = append(hits, d.Name+" "+c.Name+" x")
		case c.Guessed:
			b.WriteString("        # effects: say what it does, if it does more than read\n")
		default:
			misses = append(misses, d.Name+" "+c.Name)
		}
		writeOptions(&b, "        ", c.Options)
		writeOperands(&b, "        ", c.Operands)
	}
	if len(d.Commands) == 0 {
		hits, misses = d.examples()
	}
	writeExamples(&b, "hits", hits)
	writeExamples(&b, "misses", misses)
	_, err := io.WriteString(w, b.String())
	return err
}

// examples returns a command of a program without sub-commands that uses a file or a host, and one
// that does not.
func (d *Draft) examples() (hits, misses []string) {
	for _, o := range d.Options {
		name := o.Names[0]
		if !sureOption().MatchString(name) {
			continue
		}
		if example, ok := exampleOf[o.Value]; ok && !o.Attached && len(hits) == 0 {
			hits = append(hits, d.Name+" "+name+" "+example)
		}
		if o.Value == "" && len(misses) == 0 {
			misses = append(misses, d.Name+" "+name)
		}
	}
	if len(d.Operands) > 0 && len(hits) == 0 {
		if example, ok := exampleOf[strings.TrimSuffix(d.Operands[0], "...")]; ok {
			hits = append(hits, d.Name+" "+example)
		}
	}
	return hits, misses
}

// exampleOf has a value for each role that is a separate operation.
var exampleOf = map[string]string{
	"read": "notes.txt", "write": "out.txt", "folder": "out", "url": "https://example.com/", "host": "example.com", "shell": "'rm -r out'",
}

func writeOptions(b *strings.Builder, indent string, options []Option) {
	first := true
	seen := map[string]bool{}
	for _, o := range options {
		var names []string
		for _, n := range o.Names {
			if sureOption().MatchString(n) && !seen[n] {
				seen[n] = true
				names = append(names, n)
			}
		}
		if len(names) == 0 {
			continue
		}
		if first {
			b.WriteString(indent + "options:\n")
			first = false
		}
		fmt.Fprintf(b, "%s  - {names: [%s]", indent, strings.Join(names, ", "))
		if o.Value != "" {
			b.WriteString(", value: " + o.Value)
		}
		if o.Attached {
			b.WriteString(", attached: true")
		}
		if o.Tries {
			b.WriteString(", tries: true")
		}
		b.WriteString("}\n")
	}
}

func writeOperands(b *strings.Builder, indent string, roles []string) {
	if len(roles) > 0 {
		fmt.Fprintf(b, "%soperands: [%s]\n", indent, strings.Join(roles, ", "))
	}
}

// writeExamples writes at most three examples, which umpire policy test runs.
func writeExamples(b *strings.Builder, key string, examples []string) {
	if len(examples) == 0 {
		return
	}
	fmt.Fprintf(b, "    %s:\n", key)
	for _, e := range examples[:min(3, len(examples))] {
		fmt.Fprintf(b, "      - %s\n", e)
	}
}

// comment turns untrusted text into one harmless line.
func comment(s string) string {
	s = strings.Join(strings.Fields(sureText().ReplaceAllString(s, " ")), " ")
	if len(s) > 70 {
		s = s[:70]
	}
	return strings.TrimSpace(s)
}
