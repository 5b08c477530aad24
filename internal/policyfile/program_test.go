package policyfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

const acme = `version: 1
programs:
  - names: [acmectl, acme]
    options:
      - {names: [-n, --dry-run], tries: true}
    commands:
      - names: [tenant delete]
        effects: destroys-data
        operands: [data, read]
    hits: [acmectl tenant delete t]
    misses: [acmectl status]
`

func TestPrograms(t *testing.T) {
	f, err := policyfile.Parse("p.yaml", []byte(acme), policy.User)
	if err != nil || len(f.Programs) != 1 {
		t.Fatalf("file %v, error %v; want one program", f, err)
	}
	p := &f.Programs[0]
	if p.Project || p.Pos.Line != 3 || len(p.Hits) != 1 || len(p.Misses) != 1 || p.Commands[0].Operands[1] != "read" {
		t.Errorf("program %+v, want the user's of line 3 with one hit, one miss and the operands of its command", p)
	}
	if f, err = policyfile.Parse("p.yaml", []byte(acme), policy.Project); err != nil || !f.Programs[0].Project {
		t.Errorf("a project's program: %v, %v", f, err)
	}
}

// Each fault has its line and column.
func TestProgramFaults(t *testing.T) {
	for text, want := range map[string]string{
		"names: [../x]":                                                     `p.yaml:3:13: "../x" is not the name of a program`,
		"names: x\n    operands: reed":                                      `p.yaml:4:15: unknown role "reed"`,
		"names: x\n    effects: [destroy]":                                  `p.yaml:4:15: unknown effect "destroy"`,
		"names: x\n    comands: []":                                         `p.yaml:4:5: unknown key "comands"`,
		"operands: read":                                                    `p.yaml:3:5: programs has no names`,
		"names: x\n    misses: [x]\n    options: [{names: [f]}]":            `p.yaml:5:24: "f" is not the name of an option`,
		"names: x\n    misses: [x]\n    options: [{names: ['-f=r']}]":       `p.yaml:5:24: "-f=r" is not the name of an option`,
		"names: x\n    misses: [x]\n    commands: [{names: 'a  b'}]":        `p.yaml:5:24: "a  b" is not the name of a command`,
		"names: x\n    misses: [x]\n    options: [{value: read}]":           `p.yaml:5:15: a row of options must have either names or each`,
		"names: x\n    misses: [x]\n    options: [{names: -f, each: [-g]}]": `p.yaml:5:15: a row of options must have either names or each`,
		"names: x\n    misses: [x]\n    options: [{each: [-f, [-g, h]]}]":   `p.yaml:5:32: "h" is not the name of an option`,
		"names: x": `p.yaml:3:5: the program has no examples`,
		"names: x\n    misses: [x]\n    complete: true": `p.yaml:3:5: a project's file cannot say`,
	} {
		_, err := policyfile.Parse("p.yaml", []byte("version: 1\nprograms:\n  - "+text+"\n"), policy.Project)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n\tlacks %s\n\tis %v", text, want, err)
		}
	}
}

// A row with each describes the same options as a row for each of them.
func TestOptionsThatMeanTheSame(t *testing.T) {
	var encoded [2]string
	for i, options := range []string{"{each: [[-o, --output], --log], value: write, traits: force}",
		"{names: [-o, --output], value: write, traits: force}, {names: --log, value: write, traits: force}"} {
		f, err := policyfile.Parse("p.yaml", []byte("version: 1\nprograms:\n  - {names: x, misses: [x], options: ["+options+"]}\n"), policy.User)
		if err != nil {
			t.Fatal(err)
		}
		encoded[i] = command.Encode([]command.Description{f.Programs[0].Description})
	}
	if encoded[0] != encoded[1] {
		t.Errorf("each: %s\nnames: %s", encoded[0], encoded[1])
	}
}

// A file cannot grow the compiled policy without bounds.
func TestProgramsAreBounded(t *testing.T) {
	var many, long strings.Builder
	for i := range 101 {
		fmt.Fprintf(&many, "  - {names: p%d, misses: [p]}\n", i)
	}
	for range 100 {
		long.WriteString("  - {names: p, misses: [p], commands: [")
		for i := range 100 {
			fmt.Fprintf(&long, "{names: [%s%d]}, ", strings.Repeat("c", 50), i)
		}
		long.WriteString("{names: x}]}\n")
	}
	options := "  - {names: p, misses: [p], options: [{each: [-a" + strings.Repeat(", -a", 100) + "]}]}\n"
	for _, text := range []string{many.String(), long.String(), options} {
		var es policyfile.Errors
		if _, err := policyfile.Parse("p.yaml", []byte("version: 1\nprograms:\n"+text), policy.Project); !errors.As(err, &es) || es[0].Line == 0 {
			t.Errorf("%.60s...: error %v, want one with a line", text, err)
		}
	}
}

// The layers add up, the user's before the project's.
func TestProgramsOfLayers(t *testing.T) {
	dir := t.TempDir()
	paths := policyfile.Paths{User: dir + "/user.yaml", Project: dir + "/project.yaml"}
	write(t, paths.User, acme)
	write(t, paths.Project, strings.ReplaceAll(acme, "acmectl, acme", "acmectl"))
	l, err := policyfile.Load(paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Compile(l.Source)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(p.Programs()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "acmectl acme\t") || strings.Contains(lines[0], `"project"`) || !strings.Contains(lines[1], `"project":true`) {
		t.Errorf("lines %q, want the user's acmectl and the project's", lines)
	}
}

// The words that built-in programs needed mean the same for those of users.
func TestProgramWords(t *testing.T) {
	text := `version: 1
programs:
  - names: acmectl
    language: python
    options:
      - {names: [-f, --force], traits: force}
      - {names: --color, value: data, attached: true}
    operands: [read..., write]
    commands:
      - {names: eval, operands: code, language: js}
      - {names: fix, operands: [modify, unknown]}
    misses: [acmectl]
`
	f, err := policyfile.Parse("p.yaml", []byte(text), policy.User)
	if err != nil {
		t.Fatal(err)
	}
	p := &f.Programs[0]
	if o := p.Options; p.Language != "python" || o[0].Traits[0] != "force" || !o[1].Attached || p.Operands[0] != "read..." || p.Commands[0].Language != "js" || p.Commands[1].Operands[1] != "unknown" {
		t.Errorf("program %+v, want every key of the text", p)
	}
	for _, c := range []struct{ old, bad, want string }{
		{"traits: force", "traits: inert", `unknown trait "inert"`},
		{"language: python", "language: Py thon", `"Py thon" is not a language`},
		{"[read..., write]", "[unknown, write]", `unknown role "unknown"`},
	} {
		if _, err := policyfile.Parse("p.yaml", []byte(strings.Replace(text, c.old, c.bad, 1)), policy.User); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.bad, err, c.want)
		}
	}
}

func FuzzBuiltins(f *testing.F) {
	f.Add("family: x\nprograms:\n  - {names: [a, b], operands: [read..., write], style: strict}\n  - {names: c, like: a}\n")
	f.Add("family: x\nprograms:\n  - names: a\n    commands: [{names: x, options: [{names: -f, traits: force}], hits: [a x]}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		programs, err := policyfile.ParseBuiltins("x.yaml", []byte(text))
		if err == nil {
			for _, p := range programs {
				if len(p.Names) == 0 {
					t.Error("a program has no name")
				}
			}
		}
	})
}
