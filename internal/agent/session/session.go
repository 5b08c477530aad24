// Package session stores the agent's conversations as files of JSON lines.
//
// A file only grows: each line is one entry and names its parent entry. A crash loses at most
// the line in progress. Undo returns to an earlier entry, and the conversation branches there.
package session

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/filelock"
	"github.com/umpire-dev/umpire/internal/regular"
)

// version is the version of the file format.
const version = 1

// Kept is the number of newest sessions that are stored.
const Kept = 20

// Limits of a file.
const (
	maxFile = 512 << 20 // bytes
	maxLine = 64 << 20
	maxName = 200
)

// Metadata describes a session.
type Metadata struct {
	ID           string    `json:"id"`
	Name         string    `json:"name"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	ModelID      string    `json:"modelId"`
	MessageCount int       `json:"messageCount"`
	Cwd          string    `json:"cwd"`
	File         string    `json:"-"` // the file's name within the folder
}

// entry is one line. Type determines which other fields are set.
type entry struct {
	Type    string         `json:"type"` // session, message, card, usage, model, name, fold, back
	ID      string         `json:"id,omitempty"`
	Parent  string         `json:"parent,omitempty"`
	Time    time.Time      `json:"time"`
	Version int            `json:"version,omitempty"` // session
	Name    string         `json:"name,omitempty"`    // session, name
	Cwd     string         `json:"cwd,omitempty"`     // session
	ModelID string         `json:"modelId,omitempty"` // session, model
	Message *agent.Message `json:"message,omitempty"` // message; for fold, the message that replaces others
	Count   int            `json:"count,omitempty"`   // fold: the number of messages that it replaces
	CallID  string         `json:"callId,omitempty"`  // card
	Result  *agent.Result  `json:"result,omitempty"`  // card: the display on the screen
	Usage   *agent.Usage   `json:"usage,omitempty"`   // usage
	Cost    float64        `json:"cost,omitempty"`    // usage: US dollars
	Cached  int64          `json:"cached,omitempty"`  // usage: input tokens read from the provider's cache
	Written int64          `json:"written,omitempty"` // usage: input tokens written to it
	Aside   bool           `json:"aside,omitempty"`   // usage: for a request outside the conversation
	To      string         `json:"to,omitempty"`      // back: the message that becomes the last one; empty for none
}

// State is the current state of a conversation.
type State struct {
	Messages []agent.Message // the messages that the model gets
	Shown    []agent.Message // all messages of this branch, including folded ones
	Cards    map[string]agent.Result
	Usage    agent.Usage
	Last     agent.Usage // usage of the last answer
}

// Session is an open session file. It is safe for concurrent use.
type Session struct {
	mu    sync.Mutex
	dir   string
	file  *os.File // nil until there is something to store
	size  int64    // size of its complete lines
	torn  bool     // an incomplete line at the end could not be removed
	meta  Metadata
	state State
	nodes map[string]*node
	head  string // ID of the last message of this branch
	ids   int
}

// node is a message with its parent: the conversation is a tree.
type node struct {
	parent string
	msg    agent.Message
	fold   int // number of earlier messages that the message replaces
}

// ErrNone means that the session does not exist.
var ErrNone = errors.New("there is no such session; `umpire agent sessions` lists them")

// ErrOpen means that another process has the session open.
var ErrOpen = errors.New("the session is open in another agent: leave it there, or begin a new one here")

// New begins a session. It stays in memory until the first message, so empty sessions are not
// stored.
func New(dir, cwd, model string) *Session {
	now := time.Now()
	id := rand.Text()[:12]
	return &Session{dir: dir, nodes: map[string]*node{}, state: State{Cards: map[string]agent.Result{}},
		meta: Metadata{ID: id, CreatedAt: now, UpdatedAt: now, ModelID: model, Cwd: cwd, File: now.UTC().Format("20060102-150405.000") + "-" + id + ".jsonl"}}
}

// Open opens a session to continue it. name is the name of a file in dir; a name with a path is an
// error. Open removes an incomplete last line.
func Open(dir, name string) (*Session, error) {
	if !valid(name) {
		return nil, fmt.Errorf("%q is not a session of %s", name, dir)
	}
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|noFollow, 0)
	if err != nil {
		return nil, err
	}
	s := &Session{dir: dir, file: f, nodes: map[string]*node{}, state: State{Cards: map[string]agent.Result{}}}
	if err := s.load(f, name); err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return s, nil
}

func (s *Session) load(f *os.File, name string) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", name)
	case info.Size() > maxFile:
		return fmt.Errorf("%s has %d bytes: the limit is %d", name, info.Size(), maxFile)
	}
	if free, err := filelock.Try(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	} else if !free {
		return fmt.Errorf("%s: %w", name, ErrOpen)
	}
	s.meta.File = name
	whole, err := s.read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if whole < info.Size() { // the next line must not continue an incomplete one
		if err := f.Truncate(whole); err != nil {
			return err
		}
	}
	s.size = whole
	s.branch()
	return nil
}

// read applies all entries, and returns the offset after the last complete one.
func (s *Session) read(r io.Reader) (whole int64, err error) {
	b := bufio.NewReaderSize(r, 1<<16)
	for n := 0; ; n++ {
		line, err := readLine(b)
		if errors.Is(err, io.EOF) {
			if n == 0 {
				return 0, errors.New("it is empty")
			}
			return whole, nil // an incomplete line
		}
		if err != nil {
			return 0, err
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return 0, fmt.Errorf("line %d is damaged: %w", n+1, err)
		}
		if n == 0 && (e.Type != "session" || e.ID == "") {
			return 0, errors.New("it is not a session file")
		}
		if n == 0 && e.Version != version {
			return 0, fmt.Errorf("it has version %d, and this program reads %d", e.Version, version)
		}
		if err := s.apply(&e); err != nil {
			return 0, fmt.Errorf("line %d: %w", n+1, err)
		}
		whole += int64(len(line)) + 1
	}
}

// readLine returns a line without its newline, or io.EOF if there is no complete one.
func readLine(b *bufio.Reader) (line []byte, err error) {
	for {
		part, err := b.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > maxLine:
			return nil, fmt.Errorf("a line has more than %d bytes", maxLine)
		}
	}
}

// apply applies one entry to the state.
func (s *Session) apply(e *entry) error {
	if e.Time.After(s.meta.UpdatedAt) {
		s.meta.UpdatedAt = e.Time
	}
	switch e.Type {
	case "session":
		if s.meta.ID != "" && s.meta.ID != e.ID {
			return errors.New("the file contains a second session")
		}
		s.meta.ID, s.meta.Name, s.meta.CreatedAt, s.meta.ModelID, s.meta.Cwd = e.ID, e.Name, e.Time, e.ModelID, e.Cwd
	case "message", "fold":
		if e.Message == nil || e.ID == "" || s.nodes[e.ID] != nil || e.Parent != "" && s.nodes[e.Parent] == nil {
			return errors.New("a message is out of order")
		}
		s.nodes[e.ID] = &node{parent: e.Parent, msg: *e.Message, fold: max(0, e.Count)}
		s.head = e.ID
		s.ids++
	case "card":
		if e.Result != nil {
			s.state.Cards[e.CallID] = *e.Result
		}
	case "usage":
		if e.Usage != nil {
			u := *e.Usage
			u.Cost, u.Priced, u.CachedTokens, u.WrittenTokens = e.Cost, e.Cost > 0, e.Cached, e.Written
			s.state.Usage.Add(u)
			if !e.Aside {
				s.state.Last = u
			}
		}
	case "model":
		s.meta.ModelID = e.ModelID
	case "name":
		s.meta.Name = e.Name
	case "back":
		if e.To != "" && s.nodes[e.To] == nil {
			return errors.New("it goes back to an unknown message")
		}
		s.head = e.To
	}
	return nil // ignore entries of a later version of this program
}

// branch lists the messages from the root to the head.
func (s *Session) branch() {
	var path []*node
	for n := s.nodes[s.head]; n != nil; n = s.nodes[n.parent] {
		path = append(path, n)
	}
	slices.Reverse(path)
	s.state.Shown, s.state.Messages = nil, nil
	for _, n := range path {
		if n.fold > 0 {
			k := min(n.fold, len(s.state.Messages))
			s.state.Messages = append([]agent.Message{n.msg}, s.state.Messages[k:]...)
			continue
		}
		s.state.Shown = append(s.state.Shown, n.msg)
		s.state.Messages = append(s.state.Messages, n.msg)
	}
	s.meta.MessageCount = len(s.state.Shown)
}

// write appends one line in a single write.
func (s *Session) write(e entry) error {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	if s.file == nil {
		if e.Type != "message" {
			return s.apply(&e) // the first line does so
		}
		if err := s.create(); err != nil {
			return err
		}
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if len(b) > maxLine {
		return fmt.Errorf("a message has more than %d bytes", maxLine)
	}
	if err := s.line(b); err != nil {
		return fmt.Errorf("cannot store the session: %w", err)
	}
	return s.apply(&e)
}

// line appends a line, or nothing. After an incomplete line, as a full disk leaves it, the next
// line would damage both.
func (s *Session) line(b []byte) error {
	if s.torn {
		if err := s.file.Truncate(s.size); err != nil {
			return err
		}
		s.torn = false
	}
	_, err := s.file.Write(append(b, '\n'))
	if err != nil {
		s.torn = true
		if terr := s.file.Truncate(s.size); terr != nil {
			return errors.Join(err, terr)
		}
		s.torn = false
		return err
	}
	s.size += int64(len(b)) + 1
	return nil
}

func (s *Session) create() error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(s.dir, s.meta.File), os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return err
	}
	if _, err := filelock.Try(f); err != nil {
		return errors.Join(err, f.Close())
	}
	b, err := json.Marshal(entry{Type: "session", ID: s.meta.ID, Time: s.meta.CreatedAt, Version: version, Name: s.meta.Name, Cwd: s.meta.Cwd, ModelID: s.meta.ModelID})
	s.file, s.size, s.torn = f, 0, false
	if err == nil {
		err = s.line(b)
	}
	if err != nil { // retry later: the name must be free then
		s.file = nil
		return errors.Join(fmt.Errorf("cannot store the session: %w", err), os.Remove(f.Name()), f.Close())
	}
	tidy(s.dir, s.meta.File)
	return nil
}

// Append stores a message.
func (s *Session) Append(m agent.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.write(entry{Type: "message", ID: s.id(), Parent: s.head, Message: &m}); err != nil {
		return err
	}
	s.state.Messages = append(s.state.Messages, m)
	s.state.Shown = append(s.state.Shown, m)
	s.meta.MessageCount = len(s.state.Shown)
	return nil
}

// id returns an unused ID, even in a file with entries from another program.
func (s *Session) id() string {
	for s.nodes[fmt.Sprintf("m%d", s.ids+1)] != nil {
		s.ids++
	}
	return fmt.Sprintf("m%d", s.ids+1)
}

// Fold stores a message that replaces the first n messages for the model.
func (s *Session) Fold(n int, m agent.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n <= 0 || n > len(s.state.Messages) {
		return fmt.Errorf("cannot summarize %d messages: there are fewer", n)
	}
	if err := s.write(entry{Type: "fold", ID: s.id(), Parent: s.head, Message: &m, Count: n}); err != nil {
		return err
	}
	s.branch()
	return nil
}

// AddUsage stores the usage of a response.
func (s *Session) AddUsage(u agent.Usage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(entry{Type: "usage", Usage: &u, Cost: u.Cost, Cached: u.CachedTokens, Written: u.WrittenTokens})
}

// AddSideUsage is AddUsage for requests outside the conversation itself, such as a summary.
func (s *Session) AddSideUsage(u agent.Usage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(entry{Type: "usage", Usage: &u, Cost: u.Cost, Cached: u.CachedTokens, Written: u.WrittenTokens, Aside: true})
}

// SetModel stores the model that continues the session.
func (s *Session) SetModel(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(entry{Type: "model", ModelID: id})
}

// SetName names the session.
func (s *Session) SetName(name string) error {
	name = strings.TrimSpace(strings.ToValidUTF8(name, ""))
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(entry{Type: "name", Name: name})
}

// Mark returns the current position in the conversation, for Back. It is empty at the start.
func (s *Session) Mark() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.head
}

// Back returns to a position from Mark. Later entries stay in the file, and the conversation
// continues as another branch.
func (s *Session) Back(mark string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if mark != "" && s.nodes[mark] == nil {
		return errors.New("the conversation is unknown")
	}
	if err := s.write(entry{Type: "back", To: mark}); err != nil {
		return err
	}
	s.branch()
	return nil
}

// State returns the current state of the conversation. Its slices are copies.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state
	st.Messages, st.Shown = slices.Clone(st.Messages), slices.Clone(st.Shown)
	st.Cards = map[string]agent.Result{}
	maps.Copy(st.Cards, s.state.Cards)
	return st
}

// Usage returns the usage of the session, and of its last response.
func (s *Session) Usage() (all, last agent.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Usage, s.state.Last
}

// Metadata returns the description of the session.
func (s *Session) Metadata() Metadata {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meta
}

// Sync flushes the session to disk, so that it survives a power failure.
func (s *Session) Sync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	return s.file.Sync()
}

// Close closes the file.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := errors.Join(s.file.Sync(), s.file.Close())
	s.file = nil
	return err
}

// valid reports whether a name is a session's file name without a path.
func valid(name string) bool {
	if strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".jsonl") || len(name) > 128 {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

// List returns the sessions of a folder, the newest first. warn gets files that cannot be read.
func List(dir string, warn func(error)) ([]Metadata, error) {
	names, err := names(dir)
	if err != nil {
		return nil, err
	}
	var list []Metadata
	for _, n := range names[:min(len(names), 2*Kept)] {
		m, err := peek(dir, n)
		if err != nil {
			if warn != nil {
				warn(fmt.Errorf("skipped session %s: %w", n, err))
			}
			continue
		}
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b Metadata) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return list, nil
}

// names lists the session files, the most recently written first.
func names(dir string) (list []string, err error) {
	all, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	at := map[string]time.Time{}
	for _, e := range all {
		if !e.Type().IsRegular() || !valid(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil { // otherwise it was removed
			at[e.Name()] = info.ModTime()
			list = append(list, e.Name())
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if d := at[b].Compare(at[a]); d != 0 {
			return d
		}
		return strings.Compare(b, a)
	})
	return list, err
}

// peek reads the description of a session without its messages.
func peek(dir, name string) (Metadata, error) {
	f, info, err := regular.Opened(os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|noFollow, 0))
	if err != nil {
		return Metadata{}, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	if info.Size() > maxFile {
		return Metadata{}, fmt.Errorf("%s is %w %d bytes", name, regular.ErrLarge, maxFile)
	}
	s := &Session{nodes: map[string]*node{}, state: State{Cards: map[string]agent.Result{}}}
	if _, err := s.read(f); err != nil {
		return Metadata{}, err
	}
	s.branch()
	s.meta.File = name
	return s.meta, nil
}

// tidy removes the oldest sessions, except open ones and the new one.
func tidy(dir, keep string) {
	list, err := names(dir)
	if err != nil {
		return // retry at the next start
	}
	for _, n := range list[min(len(list), Kept):] {
		path := filepath.Join(dir, n)
		f, err := os.OpenFile(path, os.O_RDWR|noFollow, 0)
		if err != nil || n == keep {
			continue
		}
		if free, err := filelock.Try(f); err == nil && free {
			_ = os.Remove(path) // retry at the next start
		}
		_ = f.Close()
	}
}
