package changes

import (
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire/internal/host"
)

// Box describes a sandbox run to the code that reads its changes.
type Box struct {
	ID      string
	Dir     string    // the project
	State   string    // the program does not know later changes in the project
	Started time.Time // the program does not know changes in the project since then

	seen map[string]seen // compared contents, while the program runs
	step func(string)    // called at every step, for tests that kill the process there
}

// Upper is the overlay's folder with the program's changes.
func (b *Box) Upper() string { return filepath.Join(b.State, "upper") }

func (b *Box) at(step string) {
	if b.step != nil {
		b.step(step)
	}
}

// A What is the kind of a change.
type What string

// The kinds of changes.
const (
	Created What = "created"
	Changed What = "changed"
	Deleted What = "deleted"
	Renamed What = "renamed"
	Mode    What = "mode" // only the permissions changed
)

// Limits on reading changes.
const (
	maxPaths    = 1_000_000 // of one run
	maxFileSize = 64 << 20  // bytes of a file that is written to the project
	maxDepth    = 200       // folders in folders
	maxHashed   = 256 << 20 // bytes to read for detecting renames
)

// ChangedPath is one path that the program changed.
type ChangedPath struct {
	Path   string        `json:"path"`
	What   What          `json:"change"`
	From   string        `json:"from,omitempty"` // source of a rename
	Kind   host.FileKind `json:"kind"`           // the kind now; for a deletion, the kind before
	Mode   uint32        `json:"mode,omitempty"` // permissions of a file
	Was    uint32        `json:"was,omitempty"`  // the project's permissions, if the program changed them
	Size   int64         `json:"size,omitempty"`
	Target string        `json:"target,omitempty"`   // of a symbolic link
	In     string        `json:"in,omitempty"`       // the deleted folder that contained it
	Not    string        `json:"not,omitempty"`      // why it is never written
	Clash  bool          `json:"conflict,omitempty"` // the project's version also changed since the run began

	up, low stat
	first   bool // a deletion that makes room for something of another kind
	instead bool // takes the place of such a deletion, or is below it
}

// stat is the metadata of a file.
type stat struct {
	kind         host.FileKind
	gone         bool // the overlay's whiteout
	mode         uint32
	size         int64
	mtime, ctime int64 // in nanoseconds
	ino          uint64
}

// seen is a pair of compared files.
type seen struct {
	up, low stat
	same    bool
}

// since reports whether a file of the project was changed after the run began. Its change time
// counts as well, because programs can set its modification time.
func (s *stat) since(t time.Time) bool {
	at := t.UnixNano()
	return s.mtime > at || s.ctime > at
}
