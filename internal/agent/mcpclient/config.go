package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// Bounds of a configuration.
const (
	maxConfig      = 1 << 20
	maxServers     = 32
	defaultTimeout = 2 * time.Minute
	maxTimeout     = 30 * time.Minute
)

// Server says how a server is reached: by a command or by an address.
type Server struct {
	Name    string            `json:"-"`
	Type    string            `json:"type,omitempty"` // "stdio" or "http" (default: by the fields that are set)
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"` // ${NAME} is a variable of umpire's environment
	Dir     string            `json:"cwd,omitempty"` // (default the working directory)
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"` // as Env
	Sandbox bool              `json:"sandbox,omitempty"` // a command runs in the box
	Timeout int               `json:"timeout,omitempty"` // seconds that a call may take (default 120)
	Off     bool              `json:"disabled,omitempty"`
}

func (s *Server) timeout() time.Duration {
	if s.Timeout == 0 {
		return defaultTimeout
	}
	return time.Duration(s.Timeout) * time.Second
}

// identity distinguishes a server from another one of the same name: its pins hold for this one
// only.
func (s *Server) identity() string {
	b, err := json.Marshal([]any{s.Command, s.Args, s.URL})
	if err != nil {
		return ""
	}
	return string(b)
}

// Expressions are compiled when they are needed: most runs of umpire connect no server.
var serverName = lazy.Regexp(`^[A-Za-z0-9](-?[A-Za-z0-9_]){0,30}$`)

// Load reads a list of servers, {"mcpServers": {"name": {...}}}, which need not be there.
// getenv is os.Getenv. It reports all faults at once.
func Load(path string, getenv func(string) string) ([]Server, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // a project can have a pipe there
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(data) > maxConfig {
		return nil, fmt.Errorf("%s has more than %d KiB", path, maxConfig>>10)
	}
	list, err := Parse(data, getenv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// Parse is Load of a text.
func Parse(data []byte, getenv func(string) string) (list []Server, err error) {
	var c struct {
		Servers map[string]*Server `json:"mcpServers"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one value")
	}
	if len(c.Servers) > maxServers {
		return nil, fmt.Errorf("there are more than %d servers", maxServers)
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(c.Servers)) {
		s := c.Servers[name]
		if s == nil {
			faults = append(faults, fmt.Errorf("server %q: the entry is empty", name))
			continue
		}
		s.Name = name
		if s.Off {
			continue
		}
		if err := s.check(getenv); err != nil {
			faults = append(faults, fmt.Errorf("server %q: %w", name, err))
			continue
		}
		list = append(list, *s)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return list, nil
}

func (s *Server) check(getenv func(string) string) error {
	if !serverName().MatchString(s.Name) || strings.Contains(s.Name, "__") || strings.HasSuffix(s.Name, "_") { // its tools' names begin with it and __
		return errors.New("the name must have letters, digits, single _ and -, at most 32, and not end in _")
	}
	if (s.Command == "") == (s.URL == "") {
		return errors.New("set either command or url")
	}
	kind := "stdio"
	if s.URL != "" {
		kind = "http"
	}
	if s.Type != "" && s.Type != kind && !(s.Type == "streamable-http" && kind == "http") {
		return fmt.Errorf("type %q is not supported: use stdio with a command, or http with a url", s.Type)
	}
	if s.Timeout < 0 || s.timeout() > maxTimeout {
		return fmt.Errorf("timeout must be between 1 and %d seconds", int(maxTimeout.Seconds()))
	}
	for _, m := range []map[string]string{s.Env, s.Headers} {
		for k, v := range m {
			v, err := expand(v, getenv)
			if err != nil {
				return err
			}
			if strings.ContainsAny(k+v, "\x00\r\n") {
				return fmt.Errorf("%s has a line break in it", k)
			}
			m[k] = v
		}
	}
	if kind == "stdio" {
		if len(s.Headers) > 0 {
			return errors.New("headers are for servers with a url")
		}
		return nil
	}
	if len(s.Args) > 0 || len(s.Env) > 0 || s.Dir != "" || s.Sandbox {
		return errors.New("args, env, cwd and sandbox are for servers with a command")
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return errors.New("url must have the form https://host/path; put names and passwords into headers")
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return errors.New("url is not encrypted, and the server is not on this machine: use https")
	}
	return nil
}

var variable = lazy.Regexp(`\$\{(\w+)\}`)

// expand puts variables in, so that no secret has to stand in the file.
func expand(s string, getenv func(string) string) (out string, err error) {
	out = variable().ReplaceAllStringFunc(s, func(m string) string {
		v := getenv(m[2 : len(m)-1])
		if v == "" && err == nil {
			err = fmt.Errorf("the variable %s is not set", m[2:len(m)-1])
		}
		return v
	})
	return out, err
}
