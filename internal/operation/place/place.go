package place

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Map is what paths are resolved against.
type Map struct{ Home, Workspace, Dir, Temp string }

// Resolve is a stand-in until the real one lands.
func (m Map) Resolve(text string) (string, umpire.Place) {
	if text == "~" || strings.HasPrefix(text, "~/") {
		text = m.Home + text[1:]
	}
	if !strings.HasPrefix(text, "/") {
		text = path.Join(m.Dir, text)
	}
	text = path.Clean(text)
	var p umpire.Place
	if text == m.Home {
		p |= umpire.PlaceHome
	}
	return text, p
}
