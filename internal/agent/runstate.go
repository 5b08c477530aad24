package agent

import "sync"

// RunState is what tools of one run share: which files the model has read and how they
// were then, the jobs that go on in the background, the list of what is to be done.
// It may be used by many goroutines at once.
type RunState struct {
	mu   sync.Mutex
	read map[string]string // resolved path to SHA-256
	todo []Todo
}

// Todo is an entry of the list that the model keeps.
type Todo struct {
	Text string `json:"text"`
	Done bool   `json:"done,omitempty"`
	Now  bool   `json:"now,omitempty"` // it is being worked on
}

// Read notes what a file held when the model saw it or wrote it.
func (s *RunState) Read(path, sum string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == nil {
		s.read = map[string]string{}
	}
	s.read[path] = sum
}

// WasRead returns what a file held when the model last saw it.
func (s *RunState) WasRead(path string) (sum string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, ok = s.read[path]
	return sum, ok
}

// SetTodo replaces the list.
func (s *RunState) SetTodo(list []Todo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.todo = append([]Todo(nil), list...)
}

// Todo returns a copy of the list.
func (s *RunState) Todo() []Todo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Todo(nil), s.todo...)
}
