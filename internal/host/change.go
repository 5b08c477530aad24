package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/visible"
)

// Op is the operation of a Change.
type Op string

// The operations.
const (
	Write  Op = "write"  // gives a file this content, and makes the folders above it
	Delete Op = "delete" // removes a file, a symbolic link or an empty folder
	Move   Op = "move"   // renames From to Path
	Chmod  Op = "chmod"  // changes a file's permissions
	Link   Op = "link"   // makes a symbolic link to Target
	Mkdir  Op = "mkdir"  // makes a folder, and those above it
)

// Kind is the type of a file.
type Kind string

// The kinds.
const (
	Absent  Kind = ""
	File    Kind = "file"
	Folder  Kind = "folder"
	Symlink Kind = "link"
	Other   Kind = "other" // a device, a pipe, a socket
)

// State is the state of a path to which a change is bound.
type State struct {
	Kind   Kind   `json:"kind,omitempty"`
	Mode   uint32 `json:"mode,omitempty"`   // of a file: its permissions
	Sum    string `json:"sha256,omitempty"` // of a file
	Size   int64  `json:"size,omitempty"`
	Target string `json:"target,omitempty"` // of a symbolic link
}

// Change is one step of a set. Paths are below the root, clean and with slashes.
type Change struct {
	Op      Op     `json:"op"`
	Path    string `json:"path"`
	From    string `json:"from,omitempty"`
	Content []byte `json:"content,omitempty"`
	Mode    uint32 `json:"mode,omitempty"` // of Write and Chmod; 0 keeps it, and is 0644 of a new file
	Target  string `json:"target,omitempty"`
	Base    State  `json:"base"`             // Path as it was when the change was made
	Source  State  `json:"source,omitempty"` // From likewise
	Was     string `json:"-"`                // SHA-256 of the requester's version of the file; any version if empty
}

// WasAbsent is the Was of a path at which no file existed.
const WasAbsent = "absent"

// Bounds on a set of changes.
const (
	MaxChanges = 500
	MaxContent = 2 << 20  // bytes, of all files together
	maxRead    = 64 << 20 // bytes of a file on the host
	maxPath    = 4096
)

// ErrConflict is in the error of a set that does not fit the present files. Nothing of the set
// was written.
var ErrConflict = errors.New("it changed after the request")

// ErrHalf is in the error of a set of which a part is in force, since it could not be taken
// back. Apply with the same name continues it.
var ErrHalf = errors.New("part of the set was applied, and stays")

// ErrLeft is in the error of a set that is in force whole, where the folder with what it replaced
// could not be removed.
var ErrLeft = errors.New("all changes are made")

// CleanPath brings a path below the root into its one spelling. A path
// that leaves the root, or that only git or umpire may write, is an error.
func CleanPath(p string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(p, "\\", "/"))
	switch {
	case p == "" || path.IsAbs(clean) || clean == "." || clean == ".." || strings.HasPrefix(clean, "../"),
		len(clean) > maxPath || !utf8.ValidString(clean) || strings.ContainsFunc(clean, unicode.IsControl),
		len(clean) > 1 && clean[1] == ':':
		return "", fmt.Errorf("%q is not a path of a file below the project's root", visible.Clip(p, 200))
	}
	for _, name := range strings.Split(clean, "/") {
		if len(name) > 255 {
			return "", fmt.Errorf("the name %q is too long", visible.Clip(name, 80))
		}
		if reserved(name) {
			return "", fmt.Errorf("%q belongs to git or umpire and cannot be changed", visible.Clip(p, 200))
		}
	}
	return clean, nil
}

// reserved reports whether a name is git's or umpire's own, on any file system: some
// ignore letter case, final dots and spaces, and characters that nobody sees, and some
// give a folder a short name besides.
func reserved(name string) bool {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	name, _, _ = strings.Cut(name, ":") // a stream of the file's
	name = strings.TrimRight(name, ". ")
	return name == ".git" || name == "git~1" || strings.HasPrefix(name, ".umpire")
}

// Check checks a set by itself, without the files of the host, and makes its paths canonical.
func Check(set []Change) error {
	if len(set) == 0 || len(set) > MaxChanges {
		return fmt.Errorf("a set has between 1 and %d changes", MaxChanges)
	}
	size, seen := 0, map[string]bool{}
	for i := range set {
		c := &set[i]
		var err error
		if c.Path, err = CleanPath(c.Path); err != nil {
			return err
		}
		paths := []string{c.Path}
		if c.Op == Move {
			if c.From, err = CleanPath(c.From); err != nil {
				return err
			}
			paths = append(paths, c.From)
		}
		for _, p := range paths {
			if seen[p] {
				return fmt.Errorf("%q is named twice: send the changes one after the other", visible.Clip(p, 200))
			}
			seen[p] = true
		}
		size += len(c.Content)
		if err := c.check(); err != nil {
			return err
		}
	}
	if size > MaxContent {
		return fmt.Errorf("the contents are larger than %d bytes together", MaxContent)
	}
	return nil
}

func (c *Change) check() error {
	switch {
	case c.Mode&^0o777 != 0:
		return fmt.Errorf("%#o is not a mode of 9 bits", c.Mode)
	case c.Op != Write && len(c.Content) > 0, c.Op != Move && c.From != "", c.Op != Link && c.Target != "", c.Op != Write && c.Op != Chmod && c.Mode != 0:
		return fmt.Errorf("%s has a field of another operation", c.Op)
	}
	switch c.Op {
	case Write, Delete, Mkdir:
	case Move:
		if strings.HasPrefix(c.Path+"/", c.From+"/") {
			return errors.New("cannot move a folder into itself")
		}
	case Chmod:
		if c.Mode == 0 {
			return errors.New("chmod needs a mode, such as 493 for rwxr-xr-x")
		}
	case Link:
		return leads(c.Path, c.Target)
	default:
		return fmt.Errorf("unknown change %q: use write, delete, move, chmod, link or mkdir", visible.Clip(string(c.Op), 40))
	}
	return nil
}

// leads returns the fault of a symbolic link's target. It refuses ".." after a name: the name may
// be a link itself, so the text does not show where ".." leads.
func leads(at, target string) error {
	plain := strings.ReplaceAll(target, "\\", "/")
	to := path.Join(path.Dir(at), plain)
	named, climbs := false, false
	for _, name := range strings.Split(plain, "/") {
		climbs = climbs || named && name == ".."
		named = named || name != ".." && name != "." && name != ""
	}
	switch {
	case target == "" || len(target) > maxPath || path.IsAbs(plain) || strings.HasPrefix(to, "../") || to == ".." || strings.ContainsFunc(target, unicode.IsControl) || len(plain) > 1 && plain[1] == ':':
		return fmt.Errorf("%q leads out of the project: links must stay in it", visible.Clip(target, 200))
	case climbs:
		return fmt.Errorf("%q goes up behind a name, which may be a link: say where it leads without that", visible.Clip(target, 200))
	case slices.ContainsFunc(strings.Split(to, "/"), reserved):
		return fmt.Errorf("%q leads to a file of git or umpire", visible.Clip(target, 200))
	}
	return nil
}

// sum names a content.
func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// After returns the state of Path after a bound change.
func (c *Change) After() State {
	switch c.Op {
	case Write:
		return State{Kind: File, Mode: c.mode(), Sum: sum(c.Content), Size: int64(len(c.Content))}
	case Move:
		return c.Source
	case Chmod:
		s := c.Base
		s.Mode = c.Mode
		return s
	case Link:
		return State{Kind: Symlink, Target: c.Target}
	case Mkdir:
		return State{Kind: Folder}
	}
	return State{}
}

func (c *Change) mode() uint32 {
	switch {
	case c.Mode != 0:
		return c.Mode
	case c.Base.Kind == File:
		return c.Base.Mode & 0o777 // rights of an owner do not pass to another content
	}
	return 0o644
}
