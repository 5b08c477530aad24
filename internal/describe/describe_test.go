package describe_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/describe"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

const cobraHelp = `Manage tenants of Acme.

Usage:
  acmectl [command]

Available Commands:
  backup      Write a backup
  completion  Generate completions
  delete      Delete a tenant and its data
  frob        Frob the tenant
  help        Help about any command
  get NAME    Get a tenant
  list        List

Flags:
  -c, --config string   config file (default "~/.acme.yaml")
      --dry-run         change nothing
  -h, --help            help for acmectl
  -o, --output FILE     write the result to FILE
      --color[=WHEN]    colour the output
`

const gnuHelp = "Usage: frobnicate [OPTION]... SOURCE... DEST\n" +
	"Frobnicate SOURCE into DEST.\n\n" +
	"  -C,  --directory=DIR       change to directory DIR\n" +
	"  -e CMD, --exec=CMD         run CMD for each file\n" +
	"  \x1b[1m-q\x1b[0m, --quiet                say nothing\n" +
	"      --target-url=URL       send there\n" +
	"      --level=N              how much\n" +
	"  --[no-]verify              check first\n"

const manual = `.TH FROB 1
.SH NAME
frob \- do it
.SH SYNOPSIS
.B frob
[\fIoptions\fR] \fIfile\fR
.SH OPTIONS
.TP
\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR
Write to FILE.
.TP
.BR \-v , \ \-\-verbose
Say more.
`

const fish = `# completions
complete -c acme -s q -l quiet -d 'Say nothing'
complete -c acme -s f -l file -r -d 'read from file'
complete -c acme -n __fish_use_subcommand -a 'purge' -d 'Remove all'
complete -c acme -n '__fish_seen_subcommand_from purge' -l all
`

func TestDraft(t *testing.T) {
	for _, c := range []struct{ name, program, text, want string }{
		{"cobra", "acmectl", cobraHelp, `
  - names: acmectl
    options:
      - {names: [-c, --config], value: data}
      - {names: [--dry-run], tries: true}
      - {names: [-h, --help]}
      - {names: [-o, --output], value: write}
      - {names: [--color], value: data, attached: true}
    commands:
      - names: backup # Write a backup
        # effects: say what it does, if it does more than read
      - names: completion # Generate completions
      - names: delete # Delete a tenant and its data
        effects: destroys-data # guessed
      - names: frob # Frob the tenant
        # effects: say what it does, if it does more than read
      - names: get # Get a tenant
      - names: list # List
    hits:
      - acmectl delete x
    misses:
      - acmectl completion
      - acmectl get
      - acmectl list
`},
		{"GNU", "frobnicate", gnuHelp, `
  - names: frobnicate
    options:
      - {names: [-C, --directory], value: directory}
      - {names: [-e, --exec], value: shell}
      - {names: [-q, --quiet]}
      - {names: [--target-url], value: url}
      - {names: [--level], value: data}
      - {names: [--verify]}
    operands: [read..., write]
    hits:
      - frobnicate -e 'rm -r out'
    misses:
      - frobnicate -q
`},
		{"manual page", "frob", manual, `
  - names: frob
    options:
      - {names: [-o, --output], value: write}
      - {names: [-v, --verbose]}
    operands: [read]
    hits:
      - frob -o out.txt
    misses:
      - frob -v
`},
		{"fish", "acme", fish, `
  - names: acme
    options:
      - {names: [-q, --quiet]}
      - {names: [-f, --file], value: read}
    commands:
      - names: purge # Remove all
        effects: destroys # guessed
    hits:
      - acme purge x
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, _ := strings.Cut(draft(t, c.program, c.text), "programs:")
			if strings.TrimSpace(got) != strings.TrimSpace(c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func draft(t testing.TB, program, text string) string {
	t.Helper()
	var b strings.Builder
	if err := describe.From(program, text).Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever a program prints, the draft is a policy file without a fault but one: that examples
// are missing, which a person is to add.
func FuzzDraft(f *testing.F) {
	for _, s := range []string{cobraHelp, gnuHelp, manual, fish, "Commands:\n  a: {b\n  -x", "usage: x [a] \x1b[31m<b>...", "  --a=[b]|--c  \"", ".TP\n.B \\-\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := draft(t, "acme", text)
		_, err := policyfile.Parse("draft.yaml", []byte(file), policy.User)
		var faults policyfile.Errors
		if err == nil {
			return
		}
		if !errors.As(err, &faults) {
			t.Fatalf("%v\n%s", err, file)
		}
		for _, e := range faults {
			if !strings.Contains(e.Error(), "examples") {
				t.Fatalf("%v\n%s", e, file)
			}
		}
	})
}
