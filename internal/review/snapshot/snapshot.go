// Package snapshot freezes the material of a review: it copies a directory, a file, a diff, a
// range of commits or a pull request into one of umpire's folders, from which reviewers read.
//
// The author of the material is the adversary. Umpire never runs or follows it: symbolic links
// are stored as text, only plain files are read, and names in the material never become names
// on disk. If something could not be copied exactly, there is a Fault.
package snapshot

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of a snapshot.
const (
	maxFiles    = 20_000
	maxBytes    = 200 << 20
	maxReadable = 2 << 20 // bytes of a file that are read at once; larger files are read in ranges
	maxListed   = 50_000  // number of files to list among those that the limits excluded
	maxFaults   = 2_000
	maxPart     = 255
	maxPath     = 4096
	maxDepth    = 100
)

// Target is the material of a snapshot.
type Target struct {
	Kind   string `json:"kind"` // directory, file, diff, range, pull-request
	Name   string `json:"name"` // as typed by the user
	Digest string `json:"digest"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	Base   string `json:"base,omitempty"` // commits of a range or a pull request
	Head   string `json:"head,omitempty"`
}

// FileKind is the type of a file in the material.
type FileKind string

// The kinds.
const (
	Regular FileKind = "file"
	Symlink FileKind = "symlink" // its content is the target of the link
	Text    FileKind = "text"    // a text of the change, stored as a file: title, message, name
	Change  FileKind = "diff"    // the change itself; added text is in the other files, too
)

// Span is a range of lines, including both ends.
type Span struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// File is one file of a snapshot. A file that was not copied has no digest, and Why gives the
// reason.
type File struct {
	Path       string   `json:"path"` // relative, with slashes, valid UTF-8; otherwise untrusted
	Digest     string   `json:"digest,omitempty"`
	Size       int64    `json:"size"`
	Lines      int      `json:"lines"`
	Kind       FileKind `json:"kind"`
	Executable bool     `json:"executable,omitempty"`
	Binary     bool     `json:"binary,omitempty"`
	Why        string   `json:"why,omitempty"` // reason for leaving it out

	// Changed has the lines that a change touched. It is set only with Partial.
	Changed []Span `json:"changed,omitempty"`
	// Partial limits the review to Changed: the rest was there before.
	Partial bool `json:"partial,omitempty"`

	Offset int64 `json:"offset"`
}

// Moved is the reason for a missing file if a diff only renames it.
const Moved = "it was renamed or copied, and its content is not in the diff"

// Name returns the path for display.
func (f *File) Name() string { return visible.Name(f.Path) }

// Large reports whether the file cannot be read at once.
func (f *File) Large() bool { return f.Size > maxReadable }

// Touched reports whether the change touched a line. Line 0 stands for the complete file, which
// always counts as touched.
func (f *File) Touched(line int) bool {
	return !f.Partial || line == 0 || slices.ContainsFunc(f.Changed, func(s Span) bool { return s.First <= line && line <= s.Last })
}

// Fault is an irregularity that umpire found while copying the material.
type Fault struct {
	Kind   string `json:"kind"`
	Path   string `json:"path"`
	Detail string `json:"detail,omitempty"`
}

// The kinds of faults.
const (
	BadName       = "bad-name"       // not UTF-8, too long, or the name of another file on Windows
	CaseTwin      = "case-twin"      // differs from another name only by case or Unicode composition
	SpecialFile   = "special-file"   // device, socket, FIFO
	SetID         = "set-id"         // a set-user-ID or set-group-ID file
	NestedGit     = "nested-git"     // a repository inside the material
	Changing      = "changing"       // it changed while it was read
	Unreadable    = "unreadable"     //
	TooDeep       = "too-deep"       //
	OverLimit     = "over-limit"     // files were left out
	DiffEscape    = "diff-escape"    // a diff names a path outside the tree
	DiffDevice    = "diff-device"    // a diff names a device
	DiffMalformed = "diff-malformed" // a diff that git would read differently or reject
	DiffMismatch  = "diff-mismatch"  // the diff does not fit the base
	NewSymlink    = "new-symlink"    // a change adds a symbolic link
	Submodule     = "submodule"      // a change points to another repository
)

// Snapshot is frozen material. Close it.
type Snapshot struct {
	Target     Target   `json:"target"`
	Files      []File   `json:"files"`
	Faults     []Fault  `json:"faults,omitempty"`
	Incomplete []string `json:"incomplete,omitempty"` // why files are missing

	dir   string
	owner bool
	pack  *os.File

	shownOnce sync.Once
	shown     map[string]int // files with undisplayable names, by their displayed names

	mu   sync.Mutex
	good map[string]bool // large files with a verified digest
	at   map[string]int
}

const (
	packName  = "pack"
	indexName = "index.json"
	maxIndex  = 64 << 20
)

// ErrChanged means that content does not match its digest.
var ErrChanged = errors.New("the snapshot changed after it was made: review again")

// errNone means that the snapshot does not contain the digest.
var errNone = errors.New("the snapshot has no such file")

// Dir returns the folder of the snapshot: an index and one file with all content.
func (s *Snapshot) Dir() string { return s.dir }

// Load opens a snapshot that another process created. Closing it keeps the folder.
func Load(dir string) (*Snapshot, error) {
	f, err := os.Open(filepath.Join(dir, indexName))
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxIndex+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(b) > maxIndex {
		return nil, errors.New("the snapshot's index is too large")
	}
	s := &Snapshot{dir: dir}
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("cannot read the snapshot's index: %w", err)
	}
	if s.pack, err = os.Open(filepath.Join(dir, packName)); err != nil {
		return nil, err
	}
	s.index()
	return s, nil
}

// Close closes the snapshot. The process that created the snapshot also removes it.
func (s *Snapshot) Close() error {
	err := s.pack.Close()
	if !s.owner {
		return err
	}
	// A read-only folder cannot be emptied.
	return errors.Join(err, os.Chmod(s.dir, 0o700), os.RemoveAll(s.dir))
}

func (s *Snapshot) index() {
	s.good, s.at = map[string]bool{}, make(map[string]int, len(s.Files))
	for i := range s.Files {
		if d := s.Files[i].Digest; d != "" {
			s.at[d] = i
		}
	}
}

// Empty reports whether there is nothing to review: no file, no change, and no fault in either.
// Texts around a change, such as a title, are not a change.
func (s *Snapshot) Empty() bool {
	return len(s.Faults) == 0 && len(s.Incomplete) == 0 && !slices.ContainsFunc(s.Files, func(f File) bool {
		return f.Kind != Text && (f.Kind != Change || f.Size > 0)
	})
}

// File returns the file with a path, in its original or displayed form.
func (s *Snapshot) File(path string) (*File, bool) {
	i := sort.Search(len(s.Files), func(i int) bool { return s.Files[i].Path >= path })
	if i < len(s.Files) && s.Files[i].Path == path {
		return &s.Files[i], true
	}
	s.shownOnce.Do(func() {
		s.shown = map[string]int{}
		for i := range s.Files {
			if name := s.Files[i].Name(); name != s.Files[i].Path {
				s.shown[name] = i
			}
		}
	})
	if i, ok := s.shown[path]; ok {
		return &s.Files[i], true
	}
	return nil, false
}

// Open returns the content with a digest. If the content has changed on disk, it returns
// ErrChanged.
func (s *Snapshot) Open(digest string) (*io.SectionReader, error) {
	i, ok := s.at[digest]
	if !ok {
		return nil, errNone
	}
	f := &s.Files[i]
	r := io.NewSectionReader(s.pack, f.Offset, f.Size)
	if !f.Large() {
		b, err := s.read(f)
		return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.good[digest] {
		return r, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return nil, err
	}
	if hex.EncodeToString(h.Sum(nil)) != digest {
		return nil, ErrChanged
	}
	s.good[digest] = true
	return io.NewSectionReader(s.pack, f.Offset, f.Size), nil
}

// Read returns the complete content of a file, or the first maxReadable bytes of a Large one.
func (s *Snapshot) Read(f *File) ([]byte, error) {
	if f.Digest == "" {
		return nil, errNone
	}
	if !f.Large() {
		return s.read(f)
	}
	r, err := s.Open(f.Digest)
	if err != nil {
		return nil, err
	}
	b := make([]byte, maxReadable)
	_, err = io.ReadFull(r, b)
	return b, err
}

func (s *Snapshot) read(f *File) ([]byte, error) {
	b := make([]byte, f.Size)
	if _, err := s.pack.ReadAt(b, f.Offset); err != nil && !(errors.Is(err, io.EOF) && f.Size == 0) {
		return nil, errors.Join(ErrChanged, err)
	}
	if digestOf(b) != f.Digest {
		return nil, ErrChanged
	}
	return b, nil
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// builder creates a snapshot.
type builder struct {
	s     *Snapshot
	out   *bufio.Writer
	at    int64
	known map[string]int64    // offsets by digest
	names map[string]struct{} // paths in use
	fold  map[string]string   // one spelling of each path and folder, by its folded form
	told  map[string]bool     // folders with a fault already
	left  int                 // number of files left out
	limit struct {            // smaller in tests
		files int
		bytes int64
	}
}

func build(parent string, t Target) (*builder, error) {
	dir, err := os.MkdirTemp(parent, "umpire-review-")
	if err != nil {
		return nil, err
	}
	pack, err := os.OpenFile(filepath.Join(dir, packName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	b := &builder{s: &Snapshot{Target: t, dir: dir, owner: true, pack: pack}, out: bufio.NewWriterSize(pack, 256<<10),
		known: map[string]int64{}, names: map[string]struct{}{}, fold: map[string]string{}, told: map[string]bool{}}
	b.limit.files, b.limit.bytes = maxFiles, maxBytes
	return b, nil
}

// abandon removes an unfinished snapshot.
func (b *builder) abandon(err error) error { return errors.Join(err, b.s.Close()) }

func (b *builder) fault(kind, path, detail string) {
	switch n := len(b.s.Faults); {
	case n < maxFaults:
		b.s.Faults = append(b.s.Faults, Fault{kind, path, detail})
	case n == maxFaults:
		b.s.Faults = append(b.s.Faults, Fault{OverLimit, "", fmt.Sprintf("more than %d remarks about the material", maxFaults)})
		b.incomplete("the material has more faults than listed here")
	}
}

func (b *builder) incomplete(why string) {
	if !slices.Contains(b.s.Incomplete, why) {
		b.s.Incomplete = append(b.s.Incomplete, why)
	}
}

// claim turns a path into one for the snapshot, and records its faults.
func (b *builder) claim(path string) string {
	was := path
	if !utf8.ValidString(path) || strings.ContainsRune(path, 0) {
		path = visible.Line(path)
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if len(p) > maxPart {
			parts[i] = bounded.Clip(p, maxPart-20, "") + "-" + digestOf([]byte(p))[:16]
		}
	}
	if path = strings.Join(parts, "/"); len(path) > maxPath {
		path = bounded.Clip(path, maxPath-100, "") + "/" + digestOf([]byte(path))[:16]
	}
	if path != was {
		b.fault(BadName, path, "")
	}
	for i := 2; ; i++ { // the changes above can map two names to one
		if _, taken := b.names[path]; !taken {
			break
		}
		path = fmt.Sprintf("%s-%d", strings.TrimSuffix(path, fmt.Sprintf("-%d", i-1)), i)
	}
	b.names[path] = struct{}{}
	b.named(path)
	return path
}

// skip records a file that is left out.
func (b *builder) skip(path, why string, size int64) {
	b.incomplete("not every file was reviewed: " + why)
	if b.left++; b.left <= maxListed {
		b.s.Files = append(b.s.Files, File{Path: b.claim(path), Kind: Regular, Size: size, Why: why})
	} else if b.left == maxListed+1 {
		b.fault(OverLimit, "", fmt.Sprintf("more than %d files were left out, and are not listed", maxListed))
	}
}

// add copies a file. If it does not fit, add records it and leaves it out.
func (b *builder) add(f File, from io.Reader) error {
	if b.s.Target.Files >= b.limit.files {
		b.skip(f.Path, fmt.Sprintf("a review has at most %d files", b.limit.files), f.Size)
		return nil
	}
	room := b.limit.bytes - b.at
	tooMuch := fmt.Sprintf("a review has at most %d MiB", b.limit.bytes>>20)
	if f.Size > room {
		b.skip(f.Path, tooMuch, f.Size)
		return nil
	}
	start := b.at
	c := counter{first: true}
	n, err := io.Copy(io.MultiWriter(b.out, &c), io.LimitReader(from, room+1))
	b.at += n
	switch {
	case err != nil && !isSource(err):
		return err // the disk is full, for example
	case err != nil:
		if err := b.rewind(start); err != nil {
			return err
		}
		b.fault(Unreadable, f.Path, "")
		b.skip(f.Path, "it could not be read", f.Size)
		return nil
	case n > room:
		if err := b.rewind(start); err != nil {
			return err
		}
		b.skip(f.Path, tooMuch, n)
		return nil
	}
	f.Size, f.Digest, f.Lines, f.Binary, f.Offset = n, c.digest(), c.lines(), c.binary, start
	if at, twice := b.known[f.Digest]; twice {
		if err := b.rewind(start); err != nil {
			return err
		}
		f.Offset = at
	}
	b.known[f.Digest] = f.Offset
	f.Path = b.claim(f.Path)
	b.s.Files = append(b.s.Files, f)
	if !strings.HasPrefix(f.Path, around+"/") { // the change itself does not count as one of its files
		b.s.Target.Files++
	}
	return nil
}

// sourceError is an error in reading the material, as opposed to writing the copy.
type sourceError struct{ error }

func (e sourceError) Unwrap() error { return e.error }

func isSource(err error) bool {
	var s sourceError
	return errors.As(err, &s)
}

// source wraps the errors of a reader.
type source struct{ io.Reader }

func (s source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = sourceError{err}
	}
	return n, err
}

// rewind discards the data written since at.
func (b *builder) rewind(at int64) error {
	if err := b.out.Flush(); err != nil {
		return err
	}
	if err := b.s.pack.Truncate(at); err != nil {
		return err
	}
	_, err := b.s.pack.Seek(at, io.SeekStart)
	b.at = at
	return err
}

// text adds a text of the change as a file.
func (b *builder) text(name, content string) error {
	if content == "" {
		return nil
	}
	return b.add(File{Path: name, Kind: Text, Size: int64(len(content))}, strings.NewReader(content))
}

// finish makes the snapshot read-only.
func (b *builder) finish() (*Snapshot, error) {
	s := b.s
	if err := b.out.Flush(); err != nil {
		return nil, b.abandon(err)
	}
	slices.SortFunc(s.Files, func(x, y File) int { return strings.Compare(x.Path, y.Path) })
	slices.SortStableFunc(s.Faults, func(x, y Fault) int {
		return strings.Compare(x.Path+"\x00"+x.Kind, y.Path+"\x00"+y.Kind)
	})
	h := sha256.New()
	for i := range s.Files {
		f := &s.Files[i]
		s.Target.Bytes += f.Size
		fmt.Fprintf(h, "%d %s %s %d %t %s\n", len(f.Path), f.Path, f.Kind, f.Size, f.Executable, f.Digest)
	}
	s.Target.Digest = hex.EncodeToString(h.Sum(nil))
	index, err := json.Marshal(s)
	if err == nil && len(index) > maxIndex {
		err = errors.New("the list of files is too large: review a part of the material")
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, indexName), index, 0o400)
	}
	if err = errors.Join(err, s.pack.Close()); err == nil {
		s.pack, err = os.Open(filepath.Join(s.dir, packName))
	}
	if err == nil {
		err = errors.Join(os.Chmod(filepath.Join(s.dir, packName), 0o400), os.Chmod(s.dir, 0o500))
	}
	if err != nil {
		return nil, b.abandon(err)
	}
	s.index()
	return s, nil
}
