package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"golang.org/x/net/publicsuffix"

	"github.com/umpire-dev/umpire/internal/regular"
)

// Limits on what is read.
const (
	maxFile     = 256 << 10
	maxSecrets  = 100
	maxValue    = 16 << 10
	minValue    = 8 // a shorter one would occur everywhere in responses
	commandTime = 30 * time.Second
)

// Secret is a credential as a file declares it.
type Secret struct {
	Name     string   `yaml:"name"`
	Variable string   `yaml:"env"`     // variable with the placeholder
	Hosts    []string `yaml:"hosts"`   // permitted hosts: api.example.com, *.example.com, host:8443
	Headers  []string `yaml:"headers"` // the headers that may carry it; Authorization if empty

	// Source of the credential; one of these is set.
	Value   string   `yaml:"value"`
	FromEnv string   `yaml:"fromEnv"`
	File    string   `yaml:"file"`
	Command []string `yaml:"command"`
}

// String contains no credential, so that no log can print one.
func (s Secret) String() string { return "secret " + s.Name }

// GoString is the same for %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalJSON is the same for JSON.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Load reads a file of secrets, and their sources. The key derives the placeholders. A file that
// others may read is an error.
func Load(ctx context.Context, path string, key []byte) (*Set, error) {
	text, err := readPrivate(path, maxFile)
	if err != nil {
		return nil, err
	}
	list, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range list {
		if err := list[i].find(ctx); err != nil {
			return nil, fmt.Errorf("%s: secret %s: %w", path, list[i].Name, err)
		}
	}
	return newSet(list, key)
}

func parse(text []byte) ([]Secret, error) {
	var f struct {
		Version int      `yaml:"version"`
		Secrets []Secret `yaml:"secrets"`
	}
	err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&f)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(place(err))
	}
	if f.Version != 1 {
		return nil, errors.New("it must begin with version: 1")
	}
	if len(f.Secrets) > maxSecrets {
		return nil, fmt.Errorf("there are more than %d secrets", maxSecrets)
	}
	seen := map[string]bool{}
	for i := range f.Secrets {
		s := &f.Secrets[i]
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("secret %d: %w", i+1, err)
		}
		if seen[s.Name] || s.Variable != "" && seen["$"+s.Variable] {
			return nil, fmt.Errorf("two secrets have the name or the variable of %s", s.Name)
		}
		seen[s.Name], seen["$"+s.Variable] = true, true
	}
	return f.Secrets, nil
}

// place describes the position of a fault without quoting the file, which may contain a credential.
func place(err error) string {
	var ye yaml.Error
	if errors.As(err, &ye) && ye.GetToken() != nil && ye.GetToken().Position != nil {
		return fmt.Sprintf("line %d is malformed: a secret has name, env, hosts, headers, and one of value, fromEnv, file, command", ye.GetToken().Position.Line)
	}
	return "it is not valid YAML for secrets"
}

const lower = "abcdefghijklmnopqrstuvwxyz0123456789-"

func (s *Secret) check() error {
	if s.Name == "" || len(s.Name) > 40 || strings.Trim(s.Name, lower) != "" {
		return errors.New("its name must have lower-case letters, digits and hyphens, at most 40")
	}
	if strings.Trim(strings.ToUpper(s.Variable), "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return fmt.Errorf("%s: env must be the name of a variable", s.Name)
	}
	if len(s.Hosts) == 0 {
		return fmt.Errorf("%s: name the hosts that it is for", s.Name)
	}
	for _, h := range s.Hosts {
		name, port, _ := strings.Cut(h, ":")
		bare := strings.TrimPrefix(name, "*.")
		if bare == "" || !strings.Contains(bare, ".") || strings.Trim(bare, lower+".") != "" || strings.Trim(port, "0123456789") != "" {
			return fmt.Errorf("%s: %q is not a host for a secret: write api.example.com, *.example.com or api.example.com:8443", s.Name, h)
		}
	}
	for _, h := range s.Hosts {
		name, _, _ := strings.Cut(h, ":")
		if domain, below := strings.CutPrefix(name, "*."); below {
			if suffix, _ := publicsuffix.PublicSuffix(domain); suffix == domain { // anyone may register a name there
				return fmt.Errorf("%s: anyone can register a host under %s: name your host", s.Name, domain)
			}
		}
	}
	if len(s.Headers) == 0 {
		s.Headers = []string{"Authorization"}
	}
	for i, h := range s.Headers {
		s.Headers[i] = http.CanonicalHeaderKey(h)
		if h == "" || strings.Trim(strings.ToLower(h), lower) != "" || s.Headers[i] == "Host" {
			return fmt.Errorf("%s: %q is not a header", s.Name, h)
		}
	}
	n := 0
	for _, given := range []bool{s.Value != "", s.FromEnv != "", s.File != "", len(s.Command) > 0} {
		if given {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("%s: set one of value, fromEnv, file and command", s.Name)
	}
	return nil
}

func (s *Secret) find(ctx context.Context) error {
	switch {
	case s.FromEnv != "":
		s.Value = os.Getenv(s.FromEnv)
	case s.File != "":
		text, err := readPrivate(s.File, maxValue)
		if err != nil {
			return err
		}
		s.Value = string(text)
	case len(s.Command) > 0:
		ctx, cancel := context.WithTimeout(ctx, commandTime)
		defer cancel()
		cmd := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...)
		cmd.WaitDelay = time.Second
		out, err := cmd.Output() // the command's other output may quote the credential
		if err != nil {
			return fmt.Errorf("its command ends with an error: %w", plain(err))
		}
		s.Value = string(out)
	}
	s.Value = strings.TrimRight(s.Value, "\r\n")
	switch {
	case len(s.Value) < minValue:
		return fmt.Errorf("the credential is missing or shorter than %d characters", minValue)
	case len(s.Value) > maxValue:
		return fmt.Errorf("it is longer than %d bytes", maxValue)
	case strings.ContainsFunc(s.Value, func(c rune) bool { return c < ' ' || c > '~' }):
		return errors.New("it has characters that no header can have")
	}
	return nil
}

// plain returns the error of a command without its output.
func plain(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return errors.New(exit.ProcessState.String())
	}
	return err
}

// readPrivate reads a file that only its user may read.
func readPrivate(path string, limit int64) ([]byte, error) {
	f, info, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if private && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others can read %s (%v): run chmod 600 on it", path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s has more than %d bytes", path, limit)
	}
	return text, err
}
