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
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/regular"
)

// Limits of a configuration.
const (
	maxConfig      = 1 << 20 // bytes
	maxServers     = 32
	defaultTimeout = 2 * time.Minute
	maxTimeout     = 30 * time.Minute
)

// Server describes how to reach a server: by a command or by a URL.
type Server struct {
	Name    string            `json:"-"`
	Type    string            `json:"type,omitempty"` // "stdio" or "http" (default: derived from the other fields)
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"` // ${NAME} expands to a variable of umpire's environment
	Dir     string            `json:"cwd,omitempty"` // (default the working directory)
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"` // expanded like Env
	Sandbox bool              `json:"sandbox,omitempty"` // run the command in the sandbox
	Timeout int               `json:"timeout,omitempty"` // time limit of a call in seconds (default 120)
	Off     bool              `json:"disabled,omitempty"`
}

func (s *Server) timeout() time.Duration {
	if s.Timeout == 0 {
		return defaultTimeout
	}
	return time.Duration(s.Timeout) * time.Second
}

// identity distinguishes servers of the same name: pins apply to one identity only.
func (s *Server) identity() string {
	b, err := json.Marshal([]any{s.Command, s.Args, s.URL})
	if err != nil {
		return ""
	}
	return string(b)
}

// Compiled on first use: most runs of umpire connect to no server.
var serverName = lazy.Regexp(`^[A-Za-z0-9](-?[A-Za-z0-9_]){0,30}$`)

// Load reads a list of servers, {"mcpServers": {"name": {...}}}. A missing file is an empty list.
// getenv is os.Getenv. Load reports all faults at once.
func Load(path string, getenv func(string) string) ([]Server, error) {
	data, err := regular.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := Parse(data, getenv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// Parse is like Load, for a text.
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
	if !serverName().MatchString(s.Name) || strings.Contains(s.Name, "__") || strings.HasSuffix(s.Name, "_") { // the names of its tools begin with the server's name and __
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

// expand expands variables, so that the file need not contain secrets.
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
