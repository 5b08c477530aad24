package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// certain reports whether an operation in code that is only scanned counts, and removes traits that
// are common in such code. Tests read keys of the project, send requests to their own servers and
// compute the commands that they run.
func certain(op *umpire.Operation) bool {
	hole := strings.Contains(op.Resource, umpire.Hole)
	switch {
	case op.Traits&(umpire.RemoteCode|umpire.DecodedCode|umpire.RemoteShell) != 0:
		return true
	case op.Kind == umpire.Network && op.Traits&(umpire.CarriesSecret|umpire.Exfiltration) != 0:
		server, _, _ := strings.Cut(op.Resource, "/")
		return !strings.Contains(server, umpire.Hole)
	case hole || op.Traits&(umpire.Unknown|umpire.UnseenCode) != 0:
		return false
	}
	switch op.Kind {
	case umpire.Network:
		op.Traits &^= umpire.Destroy | umpire.Message | umpire.Payment
		if op.Traits&umpire.RawIP == 0 { // tests have servers on this machine, but know others by name
			op.Traits &^= umpire.Upload
		}
	case umpire.Read, umpire.Write, umpire.Delete:
		return path.IsAbs(op.Resource) && (op.Kind != umpire.Read || op.Places&umpire.PlaceInWorkspace == 0)
	}
	return true
}

// unchanged returns a function that restores the remembered state: files that a scan seems to write
// must not count as files on the disk.
func (w *world) unchanged() func() {
	files, links, moved, defs := maps.Clone(w.files), maps.Clone(w.links), maps.Clone(w.moved), maps.Clone(w.defs)
	trees, wild, fifo, session := slices.Clip(w.trees), slices.Clip(w.wild), w.fifo, w.env.Session
	sure, absent := maps.Clone(w.made.sure), maps.Clone(w.made.absent)
	w.env.Session = nil
	return func() {
		w.files, w.links, w.moved, w.defs = files, links, moved, defs
		w.trees, w.wild, w.fifo, w.env.Session = trees, wild, fifo, session
		w.made.sure, w.made.absent = sure, absent
	}
}
