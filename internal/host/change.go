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
	Write  Op = "write"  // writes a file, and creates missing folders above it
	Delete Op = "delete" // removes a file, a symbolic link or an empty folder
	Move   Op = "move"   // renames From to Path
	Chmod  Op = "chmod"  // changes a file's permissions
	Link   Op = "link"   // creates a symbolic link to Target
	Mkdir  Op = "mkdir"  // creates a folder, and those above it
)

// FileKind is the type of a file.
type FileKind string

// The kinds.
const (
	Absent  FileKind = ""
	File    FileKind = "file"
	Folder  FileKind = "folder"
	Symlink FileKind = "link"
	Other   FileKind = "other" // a device, a pipe, a socket
)

// FileState is the state of a path to which a change is bound.
type FileState struct {
	Kind   FileKind `json:"kind,omitempty"`
	Mode   uint32   `json:"mode,omitempty"`   // permissions of a file
	Sum    string   `json:"sha256,omitempty"` // hash of a file
	Size   int64    `json:"size,omitempty"`
	Target string   `json:"target,omitempty"` // target of a symbolic link
}

// Change is one step of a set. Paths are below the root, clean and with slashes.
type Change struct {
	Op      Op        `json:"op"`
	Path    string    `json:"path"`
	From    string    `json:"from,omitempty"`
	Content []byte    `json:"content,omitempty"`
	Mode    uint32    `json:"mode,omitempty"` // for Write and Chmod; 0 keeps the mode, and means 0644 for a new file
	Target  string    `json:"target,omitempty"`
	Base    FileState `json:"base"`             // state of Path when the change was bound
	Source  FileState `json:"source,omitempty"` // state of From, likewise
	Was     string    `json:"-"`                // SHA-256 of the requester's version of the file; any version if empty
}

// WasAbsent is the Was of a path at which no file existed.
const WasAbsent = "absent"

// Limits on a set of changes.
const (
	MaxChanges = 500
	MaxContent = 2 << 20  // bytes, of all files together
	maxRead    = 64 << 20 // bytes of a file on the host
	maxPath    = 4096
)

// ErrConflict means that a set does not fit the current files. Nothing was written.
var ErrConflict = errors.New("it changed after the request")

// ErrHalf means that a set was applied partly and could not be reverted. Call Apply with the same
// ID to continue.
var ErrHalf = errors.New("part of the set was applied and remains")

// ErrLeft means that a set was applied completely, but the folder with the replaced files could not
// be removed.
var ErrLeft = errors.New("all changes are made")

// CleanPath returns the canonical spelling of a path below the root. A path outside the root, or
// one that only git or umpire may write, is an error.
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

// reserved reports whether a name belongs to git or umpire, on any file system: some ignore case,
// trailing dots and spaces, and invisible characters, and some add short names.
func reserved(name string) bool {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	name, _, _ = strings.Cut(name, ":") // a stream of the file
	name = strings.TrimRight(name, ". ")
	return name == ".git" || name == "git~1" || strings.HasPrefix(name, ".umpire")
}

// Check validates a set without the host's files, and makes its paths canonical.
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
		return linkFault(c.Path, c.Target)
	default:
		return fmt.Errorf("unknown change %q: use write, delete, move, chmod, link or mkdir", visible.Clip(string(c.Op), 40))
	}
	return nil
}

// linkFault returns the fault of a symbolic link's target. It refuses ".." after a name: the name may
// be a link itself, so the text does not show where ".." leads.
func linkFault(at, target string) error {
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
		return fmt.Errorf("%q has \"..\" after a name, which may be a link: write the target without it", visible.Clip(target, 200))
	case slices.ContainsFunc(strings.Split(to, "/"), reserved):
		return fmt.Errorf("%q leads to a file of git or umpire", visible.Clip(target, 200))
	}
	return nil
}

// sum returns the hash of a content.
func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// After returns the state of Path after a bound change.
func (c *Change) After() FileState {
	switch c.Op {
	case Write:
		return FileState{Kind: File, Mode: c.mode(), Sum: sum(c.Content), Size: int64(len(c.Content))}
	case Move:
		return c.Source
	case Chmod:
		s := c.Base
		s.Mode = c.Mode
		return s
	case Link:
		return FileState{Kind: Symlink, Target: c.Target}
	case Mkdir:
		return FileState{Kind: Folder}
	}
	return FileState{}
}

func (c *Change) mode() uint32 {
	switch {
	case c.Mode != 0:
		return c.Mode
	case c.Base.Kind == File:
		return c.Base.Mode & 0o777 // set-ID bits must not pass to another content
	}
	return 0o644
}
