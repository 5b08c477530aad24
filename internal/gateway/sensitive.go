package gateway

import (
	"os"
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/visible"
)

// SensitivePlacesAt returns the places of a path that its name does not show. A file HEAD turns a folder of
// any name into a git repository, whose configuration runs programs as soon as someone enters the
// folder. A link may replace such a folder or lead to one.
func SensitivePlacesAt(m place.Map, at string, link bool, target string) (p umpire.Place) {
	if target != "" { // a later write through the link goes there
		to := path.Join(path.Dir(at), target)
		_, q := m.Resolve(to)
		p |= q&SensitivePlaces | SensitivePlacesAt(m, to+"/x", false, "")
	}
	if path.Base(at) == "HEAD" {
		p |= umpire.PlaceGitHooks
	}
	for dir := at; strings.HasPrefix(dir, m.Workspace+"/"); {
		if dir = path.Dir(dir); isRepository(dir) {
			p |= umpire.PlaceGitDir | umpire.PlaceGitHooks
		}
	}
	if link {
		p |= m.Below(at) & SensitivePlaces
	}
	return p
}

// isRepository reports whether git would take a folder for a repository's.
func isRepository(dir string) bool {
	there := func(name string) bool {
		_, err := os.Lstat(path.Join(dir, name))
		return err == nil
	}
	return there("HEAD") && (there("objects") || there("commondir"))
}

// SensitivePlaces is the set of places whose files make programs run, or that agents and umpire obey. A mode
// is not enough to change them: a rule has to name them.
const SensitivePlaces = guardedPlaces | umpire.PlaceAgentRules | umpire.PlaceStartup | umpire.PlaceLogin | umpire.PlaceLoader | umpire.PlacePackageConfig | umpire.PlaceEditorConfig | umpire.PlaceCI

// guardedPlaces is the set of places for which no rule is enough: a person looks at each change.
const guardedPlaces = umpire.PlaceGitDir | umpire.PlaceGitHooks | umpire.PlaceAgentConfig | umpire.PlaceMCP | umpire.PlaceUmpire

// askIfSensitive asks a person about a change that rules or a mode would allow, if other programs or
// agents obey the file, or if its name passes for another.
func askIfSensitive(d *umpire.Decision, ops []umpire.Operation) {
	if d.Effect != umpire.Allow {
		return
	}
	for i, op := range ops {
		if op.Kind != umpire.Read && visible.Line(op.Resource) != op.Resource {
			d.Add(umpire.Reason{Rule: "hidden-name", Effect: umpire.Ask, Op: i, Text: "the name of this file has invisible characters, so no rule can cover it"})
			return
		}
	}
	not := SensitivePlaces
	if d.Explicit {
		not = guardedPlaces
	}
	for i, op := range ops {
		if op.Kind == umpire.Write && op.Traits&umpire.WorldWritable != 0 {
			d.Add(umpire.Reason{Rule: "permissions-open", Effect: umpire.Ask, Op: i, Text: "every user of the machine could then write to this file"})
			return
		}
		if op.Places&not != 0 && op.Kind != umpire.Read {
			d.Add(umpire.Reason{Rule: "file-others-obey", Effect: umpire.Ask, Op: i, Text: "programs, agents or umpire act on this file: a person must review each change"})
			return
		}
	}
}
