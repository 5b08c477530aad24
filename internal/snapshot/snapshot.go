package snapshot

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/policy"
)

// ErrStale means that a source changed since, or that another build of umpire wrote the
// snapshot. Compile the policy again, then Write.
var ErrStale = errors.New("the compiled policy is older than its sources: run `umpire policy compile`")

// ErrCorrupt means that a file is not a snapshot.
var ErrCorrupt = errors.New("the compiled policy is damaged: run `umpire policy compile`")

// ErrUnsafe means that another user could have written the file.
var ErrUnsafe = errors.New("other users can change the compiled policy: remove it and run `umpire policy compile`")

// Source is the state of a file that a policy depends on. A missing file is a source, too,
// because someone could create it.
type Source struct {
	Path   string
	Exists bool
	Size   int64
	Mod    int64 // nanoseconds
	Change int64 // change time of the inode in nanoseconds; cannot be set back like Mod
	Inode  uint64
}

// Stat returns the current state of a file. An unreadable file differs from a readable one and from
// a missing one.
func Stat(path string) Source {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Source{Path: path}
	}
	if err != nil {
		return Source{Path: path, Size: -1}
	}
	s := Source{Path: path, Exists: true, Size: info.Size(), Mod: info.ModTime().UnixNano()}
	s.Change, s.Inode = inode(info)
	return s
}

// StatAll reads the state of all sources. Call it before reading them: a change in between then
// makes the snapshot stale, not wrong.
func StatAll(paths []string) []Source {
	out := make([]Source, len(paths))
	for i, p := range paths {
		out[i] = Stat(p)
	}
	return out
}

// Snapshot is a compiled policy and the state of its sources.
type Snapshot struct {
	Policy  *policy.Policy
	Build   string
	Written time.Time
	Sources []Source
	Fault   string    // why the sources could not be compiled; Policy is then the last valid one
	Valid   time.Time // with a Fault: when Policy was compiled; zero for the built-in one
}

// Fresh reports whether every source is unchanged. stat is Stat, or a test's.
func (s *Snapshot) Fresh(stat func(path string) Source) bool {
	return !slices.ContainsFunc(s.Sources, func(was Source) bool { return stat(was.Path) != was || was.racy(s.Written.UnixNano()) })
}

// racy reports whether a source changed so shortly before the snapshot was written that a later
// change might have the same time.
func (s Source) racy(written int64) bool {
	if !s.Exists {
		return false
	}
	at := s.Change
	if at == 0 { // the system does not provide it
		at = s.Mod // which anyone can set, even to the future
	}
	tick := int64(20 * time.Millisecond)
	if at%int64(time.Second) == 0 {
		tick = int64(2 * time.Second) // the file system may not store finer ones
	}
	return at > written-tick
}

// The file: magic, length of the head, checksum of the head, head, policy.
const (
	magic      = "umpsnap\x03"
	headAt     = len(magic) + 4 + sha256.Size
	maxHead    = 1 << 20
	maxFault   = 4 << 10
	maxSources = 1000
	maxFile    = 1 << 30
)

// Encode returns the content of a snapshot file.
func Encode(s *Snapshot) []byte {
	head := binary.AppendVarint(nil, s.Written.UnixNano())
	head = appendString(head, s.Build)
	head = appendString(head, s.Fault[:min(len(s.Fault), maxFault)])
	valid := int64(0)
	if !s.Valid.IsZero() {
		valid = s.Valid.UnixNano()
	}
	head = binary.AppendVarint(head, valid)
	head = binary.AppendUvarint(head, uint64(len(s.Sources)))
	for _, src := range s.Sources {
		head = appendString(head, src.Path)
		exists := byte(0)
		if src.Exists {
			exists = 1
		}
		head = append(head, exists)
		for _, v := range []int64{src.Size, src.Mod, src.Change, int64(src.Inode)} {
			head = binary.AppendVarint(head, v)
		}
	}
	sum := sha256.Sum256(head)
	out := append([]byte(magic), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(out[len(magic):], uint32(len(head)))
	out = append(out, sum[:]...)
	out = append(out, head...)
	return append(out, s.Policy.Bytes()...)
}

// Decode reads the output of Encode. It compares it with nothing; Open does.
func Decode(b []byte) (*Snapshot, error) {
	if len(b) < headAt || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("no snapshot of this version: %w", ErrCorrupt)
	}
	n := binary.LittleEndian.Uint32(b[len(magic):])
	if n > maxHead || int(n) > len(b)-headAt {
		return nil, ErrCorrupt
	}
	head := b[headAt : headAt+int(n)]
	if sha256.Sum256(head) != [sha256.Size]byte(b[len(magic)+4:headAt]) {
		return nil, ErrCorrupt
	}
	r := reader{b: head}
	s := &Snapshot{Written: time.Unix(0, r.int()), Build: r.string(), Fault: r.string()}
	if valid := r.int(); valid != 0 {
		s.Valid = time.Unix(0, valid)
	}
	count := r.uint()
	if count > maxSources {
		return nil, ErrCorrupt
	}
	for range count {
		src := Source{Path: r.string(), Exists: r.byte() != 0}
		src.Size, src.Mod, src.Change, src.Inode = r.int(), r.int(), r.int(), uint64(r.int())
		s.Sources = append(s.Sources, src)
	}
	if r.bad || len(r.b) != 0 {
		return nil, ErrCorrupt
	}
	p, err := policy.Open(view(b[headAt+int(n):]))
	if err != nil {
		return nil, errors.Join(ErrCorrupt, err)
	}
	s.Policy = p
	return s, nil
}

// ErrForeign means that a snapshot depends on other files.
var ErrForeign = errors.New("the compiled policy belongs to other files: run `umpire policy compile`")

// Of returns ErrForeign unless the snapshot depends on every file of these layers. A forger
// would need the state of the user's files.
func (s *Snapshot) Of(l Layers) error {
	for _, f := range l.Files() {
		if !slices.ContainsFunc(s.Sources, func(src Source) bool { return src.Path == f }) {
			return ErrForeign
		}
	}
	return nil
}

// Open returns the snapshot at path if it is safe, of this build, and not older than its
// sources. stat is Stat, or a test's.
func Open(path, build string, stat func(path string) Source) (*Snapshot, error) {
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	s, err := Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Build != build || !s.Fresh(stat) {
		return nil, ErrStale
	}
	return s, nil
}

// Last returns the snapshot at path even if its sources have changed: the last valid policy, for
// when they cannot be compiled.
func Last(path string) (*Snapshot, error) {
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	return Decode(b)
}

// read returns the content of a file that only its owner, the user or root, can write.
func read(path string) ([]byte, error) {
	// An ordinary open would block on an adversary's pipe.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat() // of the open file, which no one can replace
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular(), !owned(info):
		return nil, fmt.Errorf("%s: %w", path, ErrUnsafe)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: %w", path, ErrCorrupt)
	}
	return load(f, int(info.Size()))
}

// Write writes a snapshot to a file, completely or not at all.
func Write(path string, s *Snapshot) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// Anyone who can write to the folder could replace the file.
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !owned(info) {
		return errors.Join(fmt.Errorf("%s: %w", dir, ErrUnsafe), err)
	}
	// Another process may have mapped the old file, which stays intact without its name.
	return atomicfile.Write(path, Encode(s), 0o600)
}

// Path returns the path of the snapshot for a workspace and a user's policy file.
func Path(cacheDir, workspace, userFile string) string {
	sum := sha256.Sum256([]byte(workspace + "\x00" + userFile))
	return filepath.Join(cacheDir, "policy-"+hex.EncodeToString(sum[:12])+".snapshot")
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// reader parses a head. After the first fault it returns only zero values.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) advance(n int) {
	if n <= 0 {
		r.bad, r.b = true, nil
		return
	}
	r.b = r.b[n:]
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	r.advance(n)
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	r.advance(n)
	return v
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) string() string {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}
