package agent

import "sync"

// RunState is shared by the tools of one run. It holds the files that the model has read with their
// hashes at that time, the background jobs, and the to-do list. It is safe for concurrent use.
type RunState struct {
	mu   sync.Mutex
	read map[string]string // resolved path to SHA-256
	todo []Todo
}

// Todo is an entry of the model's to-do list.
type Todo struct {
	Text string `json:"text"`
	Done bool   `json:"done,omitempty"`
	Now  bool   `json:"now,omitempty"` // in progress
}

// Read records the content of a file that the model read or wrote.
func (s *RunState) Read(path, sum string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == nil {
		s.read = map[string]string{}
	}
	s.read[path] = sum
}

// WasRead returns the hash of a file when the model last saw it.
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
