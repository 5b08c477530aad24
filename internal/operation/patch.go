package operation

import (
	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/patch"
)

// patch reads the effects of a patch on files.
func (r *reader) patch(text string) {
	files, whole := patch.Read(text)
	for _, f := range files {
		switch f.Verb {
		case patch.Add:
			r.Write(f.Path, f.Added, umpire.Truncate)
		case patch.Update:
			r.Write(f.Path, f.Added, 0)
			r.Edit(f.Path, []string{f.Gone}, []string{f.Added})
		case patch.Delete:
			r.Delete(f.Path, 0)
		case patch.Move:
			r.Delete(f.Path, 0)
			r.Write(f.To, f.Added, 0)
		}
	}
	if !whole {
		r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: umpire.Unknown})
	}
}
