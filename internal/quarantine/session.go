package quarantine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/quarantine/secret"
)

// Clock returns the time.
type Clock func() time.Time

// Monotonic returns a clock that starts at the wall clock and then follows elapsed time only, so
// that setting the machine's clock does not change the age of references.
func Monotonic() Clock {
	start := time.Now()
	return func() time.Time { return start.Add(time.Since(start)) }
}

// NewID returns a random UUID.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, as documented
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// isID reports whether s is a UUID of version 4, in lower case.
func isID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		case 14:
			if c != '4' {
				return false
			}
		case 19:
			if strings.IndexByte("89ab", c) < 0 {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}

// Session describes a session, without its key.
type Session struct {
	ID         string `json:"sessionId"`
	Agent      string `json:"agentId"`
	Quarantine bool   `json:"isQuarantine"`
	Created    int64  `json:"createdAt"` // Unix seconds
	ToolCalls  int    `json:"toolCallCount"`
	Active     bool   `json:"active"`
}

// Sessions holds the sessions of this process. Keys are in memory only: all references end with the
// process.
type Sessions struct {
	keySize int
	clock   Clock

	mu    sync.Mutex
	byID  map[string]*session
	order []string
}

type session struct {
	Session
	key *secret.Key
}

var (
	errSession = errors.New("there is no such session")
	errAgent   = errors.New("a session needs the ID of its agent")
)

// NewSessions returns a store with keys of keySize bytes.
func NewSessions(keySize int, clock Clock) (*Sessions, error) {
	if keySize < minKey {
		return nil, fmt.Errorf("keys of %d bytes are too short: use %d or more", keySize, minKey)
	}
	return &Sessions{keySize: keySize, clock: clock, byID: map[string]*session{}}, nil
}

// Create begins a session of an agent.
func (s *Sessions) Create(agent string, quarantine bool) (Session, error) {
	if agent == "" {
		return Session{}, errAgent
	}
	key, err := secret.Random(s.keySize)
	if err != nil {
		return Session{}, err
	}
	n := &session{Session{ID: NewID(), Agent: agent, Quarantine: quarantine, Created: s.clock().Unix(), Active: true}, key}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID[n.ID] = n
	s.order = append(s.order, n.ID)
	return n.Session, nil
}

// Get returns the description of a session.
func (s *Sessions) Get(id string) (Session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.byID[id]; ok {
		return n.Session, true
	}
	return Session{}, false
}

// Key returns the key of a session. It is wiped when the session is destroyed.
func (s *Sessions) Key(id string) (*secret.Key, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.byID[id]; ok {
		return n.key, true
	}
	return nil, false
}

// Of returns the newest session of an agent.
func (s *Sessions) Of(agent string) (Session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range slices.Backward(s.order) {
		if n := s.byID[id]; n.Agent == agent {
			return n.Session, true
		}
	}
	return Session{}, false
}

// Destroy overwrites a session's key and removes the session. It returns false if there is no
// such session.
func (s *Sessions) Destroy(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.byID[id]
	if !ok {
		return false
	}
	n.key.Wipe()
	delete(s.byID, id)
	s.order = slices.DeleteFunc(s.order, func(o string) bool { return o == id })
	return true
}

// DestroyAll destroys every session and returns their number.
func (s *Sessions) DestroyAll() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.byID)
	for _, one := range s.byID {
		one.key.Wipe()
	}
	clear(s.byID)
	s.order = nil
	return n
}

// Count counts one more tool call of a session.
func (s *Sessions) Count(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.byID[id]
	if !ok {
		return errSession
	}
	n.ToolCalls++
	return nil
}

// Deactivate ends a session without removing it. It returns false if there is no such session.
func (s *Sessions) Deactivate(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.byID[id]
	if ok {
		n.Active = false
	}
	return ok
}
