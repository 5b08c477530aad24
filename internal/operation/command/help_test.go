package command_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/shell"
	"github.com/umpire-dev/umpire/internal/policyfile"
)

// acts are the lines that look like a question and act: the words are flags or commands there.
var acts = map[string]bool{
	"time -h": true, "time --help": true, "time --version": true, // a keyword of the shell's: it runs programs of these names
	"shutdown -h": true, "poweroff -h": true, "reboot -h": true, "halt -h": true, "systemctl-reboot -h": true, "Stop-Computer -h": true,
	"airodump-ng -h": true, "aircrack-ng -h": true,
}

// A program or sub-command that is asked for its help or version, and for nothing else, does
// nothing else.
func TestHelpDoesNothing(t *testing.T) {
	paths, err := filepath.Glob("programs/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d families, %v", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs, err := policyfile.ParseBuiltins(path, data)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			for i := range programs {
				askHelp(t, programs[i].Names[0], &programs[i])
			}
		})
	}
}

// askHelp asks a program and its sub-commands. Cmdlets and what takes every word for an
// operand know no such options.
func askHelp(t *testing.T, line string, p *policyfile.Builtin) {
	asks := []string{"-h", "--help", "--version"}
	if len(p.Commands) > 0 || slices.Contains(p.Style, "help-word") || slices.Contains(p.Style, "verb") {
		asks = append(asks, "help", "version")
	}
	if m := command.Lookup(strings.Fields(line)[0]); m == nil || m.Style&(command.NoOptions|command.CaseFold|command.Windows|command.NoInert) != 0 {
		return
	}
	for _, ask := range asks {
		line := line + " " + ask
		for _, o := range shell.Read(line, readingEnv) {
			if o.Traits&umpire.Inert == 0 && !acts[line] && !(o.Kind == umpire.Exec && strings.HasPrefix(o.Resource, line)) {
				t.Errorf("%s does %s", line, o)
			}
		}
	}
	for i := range p.Commands {
		askHelp(t, line+" "+p.Commands[i].Names[0], &p.Commands[i])
	}
}
