package gateway

import (
	"os"
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// ObeyedAt reports what other programs would obey at a path, beyond what its name shows. A file
// HEAD turns a folder of any name into a git repository, whose configuration runs programs once
// someone enters it. A link may replace such a folder, or lead to one.
func ObeyedAt(m place.Map, at string, link bool, target string) (p umpire.Place) {
	if target != "" { // who writes through it later writes there
		to := path.Join(path.Dir(at), target)
		_, q := m.Resolve(to)
		p |= q&Obeyed | ObeyedAt(m, to+"/x", false, "")
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
		p |= m.Below(at) & Obeyed
	}
	return p
}

// isRepository reports whether a folder is one that git would take for a repository's.
func isRepository(dir string) bool {
	there := func(name string) bool {
		_, err := os.Lstat(path.Join(dir, name))
		return err == nil
	}
	return there("HEAD") && (there("objects") || there("commondir"))
}

// Obeyed are the places of files that make programs run, or that agents and umpire obey: no
// mode is enough to change them, a rule has to name them.
const Obeyed = guardedPlaces | umpire.PlaceAgentRules | umpire.PlaceStartup | umpire.PlaceLogin | umpire.PlaceLoader | umpire.PlacePackageConfig | umpire.PlaceEditorConfig | umpire.PlaceCI

// For these no rule is enough: a person looks at each change.
const guardedPlaces = umpire.PlaceGitDir | umpire.PlaceGitHooks | umpire.PlaceAgentConfig | umpire.PlaceMCP | umpire.PlaceUmpire

// careful puts a change to a person that rules or a mode would let through, where it
// touches what others obey.
func careful(d *umpire.Decision, ops []umpire.Operation) {
	if d.Effect != umpire.Allow {
		return
	}
	not := Obeyed
	if d.Explicit {
		not = guardedPlaces
	}
	for i, op := range ops {
		if op.Places&not != 0 && op.Kind != umpire.Read {
			d.Add(umpire.Reason{Rule: "file-others-obey", Effect: umpire.Ask, Op: i, Text: "programs, agents or umpire obey this file: a person looks at each change"})
			return
		}
	}
}
