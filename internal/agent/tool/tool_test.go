package tool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/undo"
	"github.com/umpire-dev/umpire/internal/host"
)

var _ Changes = (*undo.Store)(nil)

func TestMain(m *testing.M) {
	host.Supervise()
	os.Exit(m.Run())
}

// world is a workspace with the tools in it.
type world struct {
	t     *testing.T
	dir   string
	tools map[string]agent.Tool
	env   agent.Env
	o     Options
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	w := &world{t: t, dir: filepath.Join(top, "home", "proj"), tools: map[string]agent.Tool{}}
	w.o = Options{State: filepath.Join(top, "state"), Home: filepath.Join(top, "home"), Protected: []string{filepath.Join(top, "state"), filepath.Join(top, "home", ".config", "umpire")}, Jobs: new(Jobs)}
	t.Cleanup(w.o.Jobs.Close)
	must(t, os.MkdirAll(w.dir, 0o755))
	w.env = agent.Env{Dir: w.dir, Workspace: w.dir, CallID: "1", Run: new(agent.RunState)}
	for name, content := range files {
		w.write(name, content)
	}
	w.use()
	return w
}

func (w *world) use() {
	for _, tool := range New(w.o) {
		w.tools[tool.Name] = tool
	}
}

func (w *world) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(w.t, os.WriteFile(path, []byte(content), 0o644))
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, name))
	must(w.t, err)
	return string(data)
}

func input(in map[string]any) json.RawMessage {
	b, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	return b
}

type args = map[string]any

func (w *world) run(name string, in args) agent.Result {
	w.t.Helper()
	env := w.env
	return w.tools[name].Run(w.t.Context(), input(in), &env)
}

// data is what the model would be given, as plain maps.
func data(t *testing.T, r agent.Result) map[string]any {
	t.Helper()
	b, err := json.Marshal(r.Data)
	must(t, err)
	var m map[string]any
	must(t, json.Unmarshal(b, &m))
	return m
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is\n%#v, not\n%#v", what, got, want)
	}
}

func ok(t *testing.T, r agent.Result) agent.Result {
	t.Helper()
	if !r.Success || r.Error != "" {
		t.Fatalf("it failed: %s (%s)", r.Error, r.Output)
	}
	return r
}

func fails(t *testing.T, r agent.Result, with string) {
	t.Helper()
	if r.Success || !strings.Contains(r.Error, with) || r.Error == "" {
		t.Errorf("the result is %v %q, not an error with %q", r.Success, r.Error, with)
	}
}

func TestDefinitions(t *testing.T) {
	dangerous := map[string]bool{"write_file": true, "edit_file": true, "multi_edit": true, "bash": true}
	accepted := map[string][]string{
		"read_file":  {`{"file_path":"a"}`, `{"file_path":"a","offset":1,"limit":2}`},
		"glob":       {`{"pattern":"*"}`, `{"pattern":"*","path":"x"}`},
		"grep":       {`{"pattern":"a"}`, `{"pattern":"a","file_pattern":"*.go","path":"x"}`},
		"tree":       {`{}`, `{"path":"x","depth":0}`},
		"write_file": {`{"file_path":"a","content":""}`},
		"edit_file":  {`{"file_path":"a","old_string":"","new_string":""}`},
		"multi_edit": {`{"edits":[{"file_path":"a","old_string":"x","new_string":""}]}`},
		"bash":       {`{"command":"x"}`, `{"command":"x","timeout":1}`},
		"todo":       {`{"items":[]}`, `{"items":[{"text":"x","done":true}]}`},
		"job_list":   {`{}`}, "job_read": {`{"id":"1"}`, `{"id":"1","wait":5}`}, "job_kill": {`{"id":"1"}`},
	}
	refused := map[string][]string{
		"read_file":  {`{}`, `{"file_path":"a","offset":0}`, `{"file_path":"a","limit":1.5}`, `{"file_path":1}`},
		"glob":       {`{}`},
		"grep":       {`{}`},
		"tree":       {`{"depth":-1}`, `{"depth":1.5}`, `{"depth":"1"}`, `{"depth":null}`},
		"write_file": {`{"file_path":"a"}`},
		"edit_file":  {`{"file_path":"a","old_string":""}`},
		"multi_edit": {`{"edits":[]}`, `{"edits":null}`, `{"edits":[{"file_path":"a","old_string":"","new_string":""}]}`, `{"edits":[{"file_path":"a","old_string":"x","new_string":"","x":1}]}`},
		"bash":       {`{}`, `{"command":"x","timeout":0}`, `{"command":"x","timeout":3600001}`},
		"todo":       {`{}`, `{"items":[{"text":""}]}`, `{"items":null}`},
		"job_list":   {}, "job_read": {`{}`}, "job_kill": {`{}`},
	}
	w := newWorld(t, nil)
	same(t, "the number of tools", len(w.tools), len(accepted))
	for name, tool := range w.tools {
		t.Run(name, func(t *testing.T) {
			same(t, "dangerous", tool.Dangerous, dangerous[name])
			same(t, "whether there is a preview", tool.Preview != nil, dangerous[name])
			var s jsonschema.Schema
			must(t, json.Unmarshal(tool.Schema, &s))
			same(t, "type", s.Type, "object")
			r, err := s.Resolve(nil)
			must(t, err)
			check := func(text string) error {
				var v any
				must(t, json.Unmarshal([]byte(text), &v))
				return r.Validate(v)
			}
			for _, text := range accepted[name] {
				if err := check(text); err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
			for _, text := range append(refused[name], strings.TrimSuffix(accepted[name][0], "}")+commaUnless(accepted[name][0])+`"unknown":1}`) {
				if check(text) == nil {
					t.Errorf("%s is accepted", text)
				}
			}
		})
	}
	w.o.Jobs = nil
	names := []string{}
	for _, tool := range New(w.o) {
		names = append(names, tool.Name)
		if strings.Contains(string(tool.Schema), "keep") {
			t.Errorf("%s offers to keep what nobody keeps: %s", tool.Name, tool.Schema)
		}
	}
	same(t, "the order", names, []string{"read_file", "glob", "grep", "tree", "write_file", "edit_file", "multi_edit", "bash", "todo"})
}

func commaUnless(s string) string {
	if s == "{}" {
		return ""
	}
	return ","
}

func TestResolve(t *testing.T) {
	w := newWorld(t, map[string]string{"real/f": "text\n"})
	must(t, os.Symlink("real", filepath.Join(w.dir, "link")))
	for _, c := range []struct {
		tool     string
		in, want args
	}{
		{"read_file", args{"file_path": "link/f"}, args{"file_path": "real/f"}},
		{"glob", args{"pattern": "*", "path": "link"}, args{"pattern": "*", "path": "real"}},
		{"glob", args{"pattern": "*"}, args{"pattern": "*"}},
		{"grep", args{"pattern": "a<b&c", "path": "./link/../link"}, args{"pattern": "a<b&c", "path": "real"}},
		{"tree", args{"path": "link", "depth": 0}, args{"path": "real", "depth": 0}},
		{"write_file", args{"file_path": "link/new", "content": "<"}, args{"file_path": "real/new", "content": "<"}},
		{"edit_file", args{"file_path": "link/f", "old_string": "", "new_string": ""}, args{"file_path": "real/f", "old_string": "", "new_string": ""}},
		{"multi_edit", args{"edits": []args{{"file_path": "link/f", "old_string": "a", "new_string": "b"}}}, args{"edits": []args{{"file_path": "real/f", "old_string": "a", "new_string": "b"}}}},
	} {
		got, err := w.tools[c.tool].Resolve(input(c.in), &w.env)
		must(t, err)
		want := strings.ReplaceAll(string(input(c.want)), `real`, w.dir+`/real`)
		var a, b any
		must(t, json.Unmarshal(got, &a))
		must(t, json.Unmarshal([]byte(want), &b))
		same(t, c.tool, a, b)
		if strings.Contains(string(got), `\u003c`) {
			t.Errorf("%s: text was escaped: %s", c.tool, got)
		}
	}
	// A link that appears after the path was judged is not followed.
	in, err := w.tools["read_file"].Resolve(input(args{"file_path": "real/f"}), &w.env)
	must(t, err)
	must(t, os.Rename(filepath.Join(w.dir, "real"), filepath.Join(w.dir, "moved")))
	must(t, os.Symlink("moved", filepath.Join(w.dir, "real")))
	env := w.env
	env.Resolved = true
	fails(t, w.tools["read_file"].Run(t.Context(), in, &env), "a link appeared")
}

func TestInputThatDoesNotFit(t *testing.T) {
	w := newWorld(t, nil)
	for name, tool := range w.tools {
		for _, text := range []string{``, `[]`, `{"unknown":1}`, `{} {}`} {
			env := w.env
			if r := tool.Run(t.Context(), json.RawMessage(text), &env); r.Success || !strings.Contains(r.Error, "does not fit") {
				t.Errorf("%s took %q: %+v", name, text, r)
			}
		}
	}
}

// A command gets no secret that is not kept for it, nothing that changes what bash runs, and in the
// sandbox nothing that leads out of it.
func TestEnviron(t *testing.T) {
	for _, c := range []struct {
		names          string
		outside, boxed bool // whether a command there gets them
		kept           bool // the same for both if the user keeps them
	}{
		{"PATH LANG PWD OLDPWD GOFLAGS MONKEY KEYBOARD AUTHOR COMPASS TOKENIZERS_PARALLELISM", true, true, true},
		{"API_KEY KEYS_FILE OPENAI_APIKEY GH_TOKEN TOKENS CLIENT_SECRET MY_SECRETS DB_PASSWORD PASSWD SSH_PASSPHRASE DB_PASS MYSQL_PW DB_PWD GITLAB_PAT CREDENTIAL AWS_CREDENTIALS COOKIE HTTP_AUTH", false, false, true},
		{"PGPASSWORD APPSECRET NODETOKEN MYAPIKEY db_password github_token", false, false, true},
		{"DISPLAY WAYLAND_DISPLAY XAUTHORITY HOME TMPDIR TEMP TMP DOCKER_HOST KUBECONFIG XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS GPG_TTY GPG_AGENT_INFO", true, false, true},
		{"SSH_AUTH_SOCK NVIM_SOCK HTTP_PROXY https_proxy SSH_CONNECTION", true, false, true},
		{"BASH_ENV ENV SHELLOPTS BASHOPTS CDPATH PS4 PROMPT_COMMAND GLOBIGNORE IFS POSIXLY_CORRECT BASH_FUNC_ls%% UMPIRE_TOKEN UMPIRE_URL", false, false, false},
	} {
		for name := range strings.FieldsSeq(c.names) {
			kv := name + "=x"
			for _, g := range []struct {
				boxed bool
				keep  []string
				want  bool
			}{{false, nil, c.outside}, {true, nil, c.boxed}, {false, []string{name}, c.kept}, {true, []string{name}, c.kept}} {
				if got := environ([]string{kv}, g.keep, g.boxed); slices.Contains(got, kv) != g.want {
					t.Errorf("%s, boxed %v, kept %q: got %q, want it there: %v", name, g.boxed, g.keep, got, g.want)
				}
			}
		}
	}
	// A command gets no secret and no malformed variable, and always the same terminal.
	same(t, "the environment", environ([]string{"URL=postgres://me:hunter22@db/x", "=C:=x", "noise", "TERM=xterm", "A="}, nil, false), []string{"A=", "TERM=dumb"})
}
