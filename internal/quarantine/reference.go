package quarantine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/quarantine/secret"
)

// Code is the reason why a reference is invalid. A reviewer sees nothing else.
type Code string

// The codes, in the order of the checks.
const (
	Malformed       Code = "malformed_reference"
	SessionMismatch Code = "session_mismatch"
	Expired         Code = "expired"
	InvalidMAC      Code = "invalid_hmac"
	NotInScope      Code = "not_in_scope"
)

const (
	scheme       = "typed://"
	macLabel     = "umpire/typed-reference/v1"
	maxReference = 4096
	// maxAhead limits how far a reference's time may be in the future.
	maxAhead = 30
)

// Reference names one file that one session may read. It proves nothing until its MAC is checked.
type Reference struct {
	Path    string // absolute and canonical
	Time    int64  // time of signing, in Unix seconds
	Session string
	MAC     [sha256.Size]byte
}

// String returns the reference in the form for reviewers.
func (r Reference) String() string {
	return r.bare("hmac=" + hex.EncodeToString(r.MAC[:]) + "&")
}

// Loggable returns the reference without its MAC.
func (r Reference) Loggable() string { return r.bare("") }

func (r Reference) bare(mac string) string {
	return scheme + escape(r.Path) + "?" + mac + "ts=" + strconv.FormatInt(r.Time, 10) + "&sid=" + r.Session
}

// escape percent-encodes a path as one component.
func escape(s string) string {
	const digits = "0123456789ABCDEF"
	b := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		if c := s[i]; unreserved(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return string(b)
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// unescape decodes one component, once. An unescaped reserved character is an error: it would be
// one path to this parser and another to the next.
func unescape(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%':
			if i+2 >= len(s) {
				return "", false
			}
			v, err := hex.DecodeString(s[i+1 : i+3])
			if err != nil {
				return "", false
			}
			b = append(b, v[0])
			i += 2
		case unreserved(c) || strings.IndexByte("!$'()*,;:@", c) >= 0: // unescaped by encodeURIComponent and similar functions
			b = append(b, c)
		default:
			return "", false
		}
	}
	return string(b), true
}

// Canonical reports whether a path is absolute and in its only spelling.
func Canonical(p string) bool {
	return strings.HasPrefix(p, "/") && path.Clean(p) == p && utf8.ValidString(p) && !strings.Contains(p, "\x00")
}

// ParseReference parses a reference strictly; ok is false if it is malformed.
func ParseReference(uri string) (r Reference, ok bool) {
	rest, found := strings.CutPrefix(uri, scheme)
	if !found || len(uri) > maxReference {
		return r, false
	}
	escaped, query, found := strings.Cut(rest, "?")
	if !found {
		return r, false
	}
	if r.Path, ok = unescape(escaped); !ok || !Canonical(r.Path) {
		return Reference{}, false
	}
	seen := map[string]bool{}
	for param := range strings.SplitSeq(query, "&") {
		name, value, found := strings.Cut(param, "=")
		if !found || seen[name] {
			return Reference{}, false
		}
		seen[name] = true
		switch name {
		case "hmac":
			if len(value) != 2*sha256.Size || strings.Trim(value, "0123456789abcdef") != "" {
				return Reference{}, false
			}
			mac, err := hex.DecodeString(value)
			if err != nil {
				return Reference{}, false
			}
			copy(r.MAC[:], mac)
		case "ts":
			if value == "" || strings.Trim(value, "0123456789") != "" || value[0] == '0' && value != "0" {
				return Reference{}, false
			}
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return Reference{}, false
			}
			r.Time = n
		case "sid":
			if !isID(value) {
				return Reference{}, false
			}
			r.Session = value
		default:
			return Reference{}, false
		}
	}
	if len(seen) != 3 {
		return Reference{}, false
	}
	return r, true
}

// input returns the signed data. Each field is preceded by its length, so that no two references
// have the same input.
func (r *Reference) input(digest string) []byte {
	b := append(make([]byte, 0, 256), macLabel...)
	for _, field := range []string{r.Path, strconv.FormatInt(r.Time, 10), r.Session, digest} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(field)))
		b = append(b, field...)
	}
	return b
}

var errReference = errors.New("a reference needs an absolute, clean path of valid UTF-8 that is not too long")

// Sign returns a reference to a file with that content digest. An empty digest binds only the path.
func Sign(key *secret.Key, session, path, digest string, now int64) (Reference, error) {
	if key.Len() < minKey {
		return Reference{}, fmt.Errorf("a signing key of %d bytes is too short: use %d or more", key.Len(), minKey)
	}
	r := Reference{Path: path, Time: now, Session: session}
	if !Canonical(path) || !isID(session) || now < 0 || len(r.String()) > maxReference {
		return Reference{}, errReference
	}
	var err error
	r.MAC, err = key.MAC(r.input(digest))
	return r, err
}

// Check is the result of checking a reference.
type Check struct {
	Valid   bool   `json:"valid"`
	Error   Code   `json:"error,omitempty"`
	Message string `json:"message,omitempty"` // describes the code only

	Reference Reference     `json:"-"`
	Age       time.Duration `json:"-"`
}

var codeText = map[Code]string{
	Malformed:       "malformed_reference: pass a reference exactly as it was given",
	SessionMismatch: "session_mismatch: pass a reference of this review",
	Expired:         "expired: this reference is too old",
	InvalidMAC:      "invalid_hmac: references cannot be made or changed",
	NotInScope:      "not_in_scope: this file is not part of the review",
}

// checker has the data to check one session's references.
type checker struct {
	session string
	key     *secret.Key
	ttl     time.Duration
	digest  func(path string) (digest string, ok bool) // for the files that the session may read
	now     func() int64
}

func (c *checker) check(uri string) Check {
	no := func(r Reference, code Code) Check {
		return Check{Error: code, Message: codeText[code], Reference: r}
	}
	r, ok := ParseReference(uri)
	if !ok {
		return no(Reference{}, Malformed)
	}
	if r.Session != c.session {
		return no(r, SessionMismatch)
	}
	now := c.now()
	if r.Time > now+maxAhead || now-r.Time > int64(c.ttl/time.Second) {
		out := no(r, Expired)
		out.Age = time.Duration(max(min(now-r.Time, 1<<32), -1<<32)) * time.Second
		return out
	}
	digest, inScope := c.digest(r.Path)
	want, err := c.key.MAC(r.input(digest))
	if err != nil || !hmac.Equal(want[:], r.MAC[:]) {
		return no(r, InvalidMAC)
	}
	if !inScope {
		return no(r, NotInScope)
	}
	return Check{Valid: true, Reference: r}
}
