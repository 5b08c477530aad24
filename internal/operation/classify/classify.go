package classify

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Call is a call with the questions that this package answers.
type Call struct{ *command.Call }

// Of returns the questions to a call.
func Of(c *command.Call) Call { return Call{c} }

// claims are what the built-in description of a program says of the program as a whole.
type claims struct{ command.Claims }

// claims returns the claims of the built-in description, or empty ones.
func (c Call) claims() claims {
	m := command.Index(c.Program)
	if m == nil {
		m = command.Lookup(c.Program) // a name with a version
	}
	if m == nil {
		return claims{}
	}
	return claims{m.Claims}
}

// complete reports whether, according to the description, the operations are all that this call
// does.
func (n claims) complete(c Call) bool {
	switch n.Complete {
	case "always":
		return !n.leads(c)
	case "options":
		return c.sureOptions() && !n.leads(c)
	case "words":
		return c.Known() && !n.leads(c)
	}
	return false
}

// looks reports whether the call is a command that only looks, and only at the workspace. A single
// argument counts as the command even if it is an option.
func (n claims) looks(c Call) bool {
	if n.Looks == "" || !c.Known() || c.sendsText() || c.outside() || n.leads(c) {
		return false
	}
	words := c.plainWords()
	if len(c.Args) == 1 {
		words = []string{c.Args[0].Text}
	}
	if slices.ContainsFunc(c.Args, func(w command.Word) bool { return c.obeyed(w.Text) }) {
		return false
	}
	return len(words) > 0 && phrased(words, strings.Split(n.Looks, ",")...)
}

// leads reports whether the call has one of the options in Elsewhere.
func (n claims) leads(c Call) bool {
	for o := range strings.FieldsSeq(n.Elsewhere) {
		if c.Has(strings.TrimSuffix(o, "*")) {
			return true
		}
	}
	return slices.ContainsFunc(c.Args, func(w command.Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		return strings.HasPrefix(name, "-") && n.leadsBy(name)
	})
}

// leadsBy reports whether an option leads elsewhere: by its name, as an abbreviation of a long
// option, or as a short option with its value attached.
func (n claims) leadsBy(name string) bool {
	for o := range strings.FieldsSeq(n.Elsewhere) {
		start, goesOn := strings.CutSuffix(o, "*")
		switch {
		case name == o || goesOn && strings.HasPrefix(name, start):
			return true
		case strings.HasPrefix(o, "--"):
			if len(name) > 3 && strings.HasPrefix(o, name) {
				return true
			}
		case len(o) == 2 && strings.HasPrefix(name, o) && name[1] != '-':
			return true
		}
	}
	return false
}

// inProject reports whether a tool only builds, checks, formats or previews the project. The tool
// then runs code and settings of the project, which the agent writes anyway. The adversary chooses
// the words, so inProject returns false for a verb that leaves the project, an option that leads
// elsewhere, or a file that other programs obey.
func (n claims) inProject(c Call) bool {
	if n.Project == "" || len(c.Args) == 0 || c.Stdin.Taint != 0 || n.Project != "any" && !anyof.Listed(n.Project, c.FirstArg()) {
		return false
	}
	coder := anyof.Equal(c.Program, "convert", "magick", "mogrify", "montage") // a prefix with a colon selects a coder, which may reach anything
	for i, w := range c.Args {
		t := w.Text
		if strings.ContainsAny(t, "`;|&<>\n@") || coder && strings.Contains(t, ":") || strings.Contains(t, "$(") || c.obeyed(t) || anyof.Contains(t, ":/", "=/", ":../") {
			return false
		}
		if t != "" && t[0] == '-' {
			name, v, _ := strings.Cut(t, "=")
			if n.leadsBy(name) || c.obeyed(v) || len(name) > 2 && name[2] >= 'A' && name[2] <= 'Z' && strings.Contains(name, ".") {
				return false
			}
			continue
		}
		if strings.ContainsAny(t, "./") || i > 0 && anyof.Listed("--configuration --tests --export-release --export-debug --export-pack --level --scheme --preset", c.Args[i-1].Text) { // the name of a part of the project, not a task
			continue
		}
		if !ownTask(t) || anyof.Listed("flash erase burn fuse login logout remote ssh exec", strings.ToLower(t)) {
			return false
		}
	}
	return true
}

// obeyed reports whether a word names a file that the agent, an editor, a forge or a package
// manager obeys, or a file with secrets. A call that may write such a file is more than a build.
func (c Call) obeyed(t string) bool {
	if t == "" || strings.HasPrefix(t, "-") {
		return false
	}
	_, p := c.Path(command.Lit(t))
	return p&(umpire.PlaceGitDir|umpire.PlaceGitHooks|umpire.PlaceCredentials|umpire.PlacePrivate|umpire.PlaceEnvFile|umpire.PlaceStartup|umpire.PlaceLogin|umpire.PlaceJobs|umpire.PlaceLoader|
		umpire.PlaceAgentConfig|umpire.PlaceAgentRules|umpire.PlaceMCP|umpire.PlaceUmpire|umpire.PlacePackageConfig|umpire.PlaceEditorConfig|umpire.PlaceCI|umpire.PlaceSocket|umpire.PlaceDevice) != 0
}
