package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The layout of a compiled policy. All fixed numbers are little-endian.
//
//	header   magic, sizes, defaults, digest, and a checksum over all of these
//	buckets  one offset each; a bucket has (key hash, rule numbers) entries
//	offsets  one for each rule
//	records  rules, buckets and lists, each with its own checksum
//
// A checksum covers data that is read together, and is seeded with the lookup key. So a read
// of damaged data detects the damage, and other reads pay nothing for it.
const (
	magic       = "umpirep\x01"
	headerSize  = 96
	maxBlob     = 1 << 30
	maxRules    = 20_000
	listBucket  = 1 << 32 // seeds of records that are neither bucket nor rule
	ruleSeed    = 2 << 32
	listsSeed   = 3 << 32
	programSeed = 5 << 32
	headerSeed  = 4 << 32
	recordStart = 12 // checksum and length
)

// offsets of the header's fields
const (
	atLength   = 8
	atFlags    = 12
	atRules    = 16
	atBuckets  = 20
	atBucketAt = 24
	atRuleAt   = 28
	atListAt   = 32
	atAudit    = 36 // two bytes each: MaxSize, Keep
	atModes    = 40 // one byte a kind
	atPrograms = 52 // offset of the record with the descriptions of programs, or 0
	atDigest   = 56 // 32 bytes
	atSum      = 88
)

// flags of the header
const (
	flagDefault     = 3 // mask
	flagAutoApprove = 4
	flagToolRules   = 8
	flagTextRules   = 16
	flagObserve     = 32
	flagAmbiguous   = 64
	flagWait        = 128
	flagScope       = 3 << 8 // mask
	scopeShift      = 8
	flagToolOutput  = 3 << 10 // mask
	toolOutputShift = 10
	flagPrompts     = 1 << 12
	flagAskFirst    = 1 << 13
)

// ErrCorrupt means that the string given to Open is not a compiled policy, or is damaged.
var ErrCorrupt = errors.New("compiled policy is damaged: compile it again with `umpire policy compile`")

func get32(s string, at int) uint32 {
	_ = s[at+3]
	return uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24
}

func get64(s string, at int) uint64 { return uint64(get32(s, at)) | uint64(get32(s, at+4))<<32 }

// sum64 is a checksum. Each step is a bijection of the state, so damage to a single word always
// shows. It is no defence against anyone who can write the file.
func sum64(seed uint64, s string) uint64 {
	const prime = 0x9E3779B97F4A7C15
	h := (seed + uint64(len(s))) * prime
	for len(s) >= 8 {
		h = (h ^ get64(s, 0)) * prime
		h ^= h >> 32
		s = s[8:]
	}
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
		h ^= h >> 32
	}
	return h
}

// Key hashes of the index: a kind of key, an operation kind and up to two words.
func keyHash(space uint8, kind uint8, a, b string) uint32 {
	const prime = 0x100000001B3
	h := uint64(0xCBF29CE484222325) ^ uint64(space)<<8 ^ uint64(kind)
	h *= prime
	for i := range len(a) {
		h = (h ^ uint64(lowerByte(a[i]))) * prime
	}
	h = (h ^ 0x1F) * prime
	for i := range len(b) {
		h = (h ^ uint64(lowerByte(b[i]))) * prime
	}
	return uint32(h ^ h>>32)
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// record returns the body of the record at an offset, after checking it.
func (p *Policy) record(at uint32, seed uint64) (string, error) {
	s := p.blob
	if uint64(at)+recordStart > uint64(len(s)) {
		return "", ErrCorrupt
	}
	n := get32(s, int(at)+8)
	if uint64(at)+recordStart+uint64(n) > uint64(len(s)) {
		return "", ErrCorrupt
	}
	body := s[int(at)+recordStart : int(at)+recordStart+int(n)]
	if sum64(seed, body) != get64(s, int(at)) {
		return "", ErrCorrupt
	}
	return body, nil
}

// Open returns the Policy with these Bytes. It validates only the header. Other damage is
// detected on use, and denies.
func Open(blob string) (*Policy, error) {
	if len(blob) < headerSize || blob[:len(magic)] != magic {
		return nil, fmt.Errorf("no compiled policy of this version: %w", ErrCorrupt)
	}
	if sum64(headerSeed, blob[:atSum]) != get64(blob, atSum) || int(get32(blob, atLength)) != len(blob) {
		return nil, ErrCorrupt
	}
	p := &Policy{blob: blob, flags: get32(blob, atFlags), rules: get32(blob, atRules), buckets: get32(blob, atBuckets),
		bucketAt: get32(blob, atBucketAt), ruleAt: get32(blob, atRuleAt), listAt: get32(blob, atListAt)}
	end := uint64(len(blob))
	if p.rules > maxRules || p.buckets == 0 || p.buckets&(p.buckets-1) != 0 ||
		uint64(p.bucketAt)+4*uint64(p.buckets) > end || uint64(p.ruleAt)+4*uint64(p.rules) > end || uint64(p.listAt) > end {
		return nil, ErrCorrupt
	}
	if at := get32(blob, atPrograms); at != 0 {
		var err error
		if p.programs, err = p.record(at, programSeed); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Intact validates the whole policy, which Open does not.
func (p *Policy) Intact() bool {
	if p.empty() {
		return false
	}
	h := sha256.New()
	for _, s := range []string{p.blob[:atDigest], string(make([]byte, headerSize-atDigest)), p.blob[headerSize:]} {
		_, _ = io.WriteString(h, s) // a hash accepts every write
	}
	return string(h.Sum(nil)) == p.blob[atDigest:atSum]
}

// Bytes returns the compiled policy in the form that Open accepts.
func (p *Policy) Bytes() string {
	if p.empty() {
		return ""
	}
	return p.blob
}

// Hash returns a hash of everything that Decide uses. Equal rules give equal hashes. It is empty
// for a Policy without rules.
func (p *Policy) Hash() string {
	if p.empty() {
		return ""
	}
	return fmt.Sprintf("%x", p.blob[atDigest:atSum])
}

// Len returns the number of rules.
func (p *Policy) Len() int {
	if p.empty() {
		return 0
	}
	return int(p.rules)
}

// writer builds a blob.
type writer struct{ b []byte }

func (w *writer) uint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }

func (w *writer) string(s string) {
	w.uint(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) strings(ss []string) {
	w.uint(uint64(len(ss)))
	for _, s := range ss {
		w.string(s)
	}
}

// record appends a checked record and returns its offset.
func (w *writer) record(seed uint64, body []byte) uint32 {
	at := uint32(len(w.b))
	w.b = binary.LittleEndian.AppendUint64(w.b, sum64(seed, string(body)))
	w.b = binary.LittleEndian.AppendUint32(w.b, uint32(len(body)))
	w.b = append(w.b, body...)
	return at
}

// reader takes a record apart without copying. After the first fault it returns only zero values,
// and bad is set.
type reader struct {
	s   string
	bad bool
}

func (r *reader) uint() uint64 {
	var v uint64
	for i := 0; i < len(r.s) && i < 10; i++ {
		c := r.s[i]
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.s = r.s[i+1:]
			return v
		}
	}
	r.bad, r.s = true, ""
	return 0
}

func (r *reader) byte() uint8 {
	if r.s == "" {
		r.bad = true
		return 0
	}
	c := r.s[0]
	r.s = r.s[1:]
	return c
}

func (r *reader) string() string {
	n := r.uint()
	if n > uint64(len(r.s)) {
		r.bad, r.s = true, ""
		return ""
	}
	s := r.s[:n]
	r.s = r.s[n:]
	return s
}

// count reads the number of items in a list. Each item takes at least one byte, which bounds the
// number.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.s)) {
		r.bad, r.s = true, ""
		return 0
	}
	return int(n)
}

func (r *reader) strings() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]string, 0, n)
	for range n {
		out = append(out, r.string())
	}
	return out
}
