package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/file"
)

// Options configure the tools.
type Options struct {
	// Protected are umpire's files and folders: configuration, policy, audit log and sessions. No
	// tool writes them, and the sandbox hides them.
	Protected []string
	// State is a folder of umpire for long outputs and for sandboxes.
	State string
	// Home is the user's home folder, which is empty in the sandbox.
	Home string
	// ReadOnly and Writable are host paths that the sandbox shows besides the system and the
	// workspace; missing paths are ignored.
	ReadOnly, Writable []string
	// Env names variables that commands get although they look like secrets.
	Env []string
	// Jobs keeps commands running that exceed their time limit; if nil, they are stopped.
	Jobs *Jobs
	// Changes gets every change of a file; may be nil.
	Changes Changes
}

// Changes is notified of files that tools write, so that they can be undone.
type Changes interface {
	// Touched gets the content of a file before it is changed. An error prevents the change.
	Touched(path string, before []byte, mode fs.FileMode, exists bool) error
	// Wrote gets the content after the change.
	Wrote(path string, after []byte)
}

type set struct{ Options }

// New returns the tools.
func New(o Options) []agent.Tool {
	s := &set{o}
	list := []agent.Tool{s.readFile(), s.glob(), s.grep(), s.tree(), s.writeFile(), s.editFile(), s.multiEdit(), s.bash(), todo()}
	if o.Jobs != nil {
		list = append(list, o.Jobs.tools()...)
	}
	return list
}

// define makes a tool from a function. The Go type of its input is its schema.
func define[In any](t agent.Tool, adjust func(*jsonschema.Schema), run func(context.Context, *In, *agent.Env) (agent.Result, error)) agent.Tool {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", t.Name, err)) // fails at every start or never
	}
	if adjust != nil {
		adjust(schema)
	}
	if t.Schema, err = json.Marshal(schema); err != nil {
		panic(fmt.Sprintf("schema of %s: %v", t.Name, err))
	}
	t.Run = func(ctx context.Context, input json.RawMessage, env *agent.Env) (r agent.Result) {
		defer func() {
			if p := recover(); p != nil {
				r = agent.Failed(fmt.Sprintf("%s failed: %v", t.Name, p))
			}
		}()
		in, err := decode[In](input)
		if err != nil {
			return agent.Failed(err.Error())
		}
		if r, err = run(ctx, in, env); err != nil {
			r.Success, r.Error = false, err.Error()
		}
		return r
	}
	return t
}

func decode[In any](input json.RawMessage) (*In, error) {
	in := new(In)
	d := json.NewDecoder(bytes.NewReader(input))
	d.DisallowUnknownFields()
	err := d.Decode(in)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more than one value")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the input does not fit: %w", err)
	}
	return in, nil
}

func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// resolving returns a Resolve function for tools with these paths in their input.
func resolving[In any](paths func(*In) []*string) func(json.RawMessage, *agent.Env) (json.RawMessage, error) {
	return func(input json.RawMessage, env *agent.Env) (json.RawMessage, error) {
		in, err := decode[In](input)
		if err != nil {
			return nil, err
		}
		for _, p := range paths(in) {
			if *p, err = file.Resolve(env.Dir, *p); err != nil {
				return nil, err
			}
		}
		return encode(in)
	}
}

// where returns the resolved path of an input field.
func where(path string, env *agent.Env) (string, error) {
	if env.Resolved && filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return file.Resolve(env.Dir, path)
}

// folder returns the resolved folder that a tool searches, by default the working directory.
func folder(path string, env *agent.Env) (string, error) {
	if path == "" {
		path = env.Dir
		if env.Resolved {
			return file.Resolve("", path)
		}
	}
	return where(path, env)
}

// named returns a path for display: relative to the working directory, if below it.
func named(path string, env *agent.Env) string {
	dir, err := file.Resolve("", env.Dir)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

func outside(path string, env *agent.Env) bool {
	space := cmp.Or(env.Workspace, env.Dir)
	dir, err := file.Resolve("", space)
	if err != nil {
		return true
	}
	rel, err := filepath.Rel(dir, path)
	return err != nil || !filepath.IsLocal(rel)
}

// origin labels a tool's output by its name and one of its inputs.
func origin(tool, field string) func(json.RawMessage) string {
	return func(input json.RawMessage) string {
		var m map[string]any
		_ = json.Unmarshal(input, &m) // already validated; without it the name is enough
		s, _ := m[field].(string)
		return strings.TrimSpace(tool + " " + s)
	}
}
