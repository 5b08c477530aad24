package mcpclient

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// maxPins limits the size of the pin file.
const maxPins = 4 << 20

// pins holds the approved tools: server to identity, and tool to hash.
type pins struct {
	path string

	mu sync.Mutex
}

type pinned struct {
	Identity string            `json:"identity"`
	Tools    map[string]string `json:"tools"`
}

// hash covers everything about a tool that a server sends and that reaches a model or a person.
func (i *Info) hash() string {
	b, err := json.Marshal([]any{i.Tool, i.Title, i.Description, i.Schema})
	if err != nil {
		return "" // no pin is that
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (p *pins) load() (map[string]pinned, error) {
	m := map[string]pinned{}
	fi, err := os.Stat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	if fi.Size() > maxPins {
		return nil, fmt.Errorf("%s is too large: remove it; umpire then asks about all tools again", p.path)
	}
	data, err := os.ReadFile(p.path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%s is damaged: remove it; umpire then asks about all tools again", p.path)
	}
	return m, nil
}

// of returns the pins of a server, or none if they belong to another identity.
func (p *pins) of(s *Server) (map[string]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.load()
	if err != nil {
		return nil, err
	}
	if e := m[s.Name]; e.Identity == s.identity() && e.Tools != nil {
		return e.Tools, nil
	}
	return map[string]string{}, nil
}

// add pins tools of a server in their current form.
func (p *pins) add(s *Server, tools []Info) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.load()
	if err != nil {
		return err
	}
	e := m[s.Name]
	if e.Identity != s.identity() || e.Tools == nil {
		e = pinned{s.identity(), map[string]string{}}
	}
	for i := range tools {
		e.Tools[tools[i].Tool] = tools[i].hash()
	}
	m[s.Name] = e
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(p.path, data, 0o600)
}
