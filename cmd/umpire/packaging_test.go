package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/umpire-dev/umpire/internal/install"
)

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Errorf("%s is no JSON: %v", path, err)
	}
}

// A plugin tells umpire of the same events as umpire init does, and stops the call where the hook
// fails.
func TestPluginHooksAreThoseOfInit(t *testing.T) {
	for agent, plugin := range map[string]struct{ hooks, root string }{
		"claude": {"../../plugins/claude-code/hooks/hooks.json", "${CLAUDE_PLUGIN_ROOT}"},
		"gemini": {"../../plugins/gemini/hooks/hooks.json", "${extensionPath}"},
	} {
		t.Run(agent, func(t *testing.T) {
			type settings struct {
				Hooks map[string][]struct {
					Matcher string
					Hooks   []struct {
						Type, Name, Command, OnFailure string
						Timeout                        int
					}
				}
			}
			home := t.TempDir()
			env := install.Env{Home: home, Dir: home, Hook: "/opt/umpire-hook", Getenv: func(string) string { return "" }, LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
			changes, err := install.Plan(env, agent, install.User, install.Options{})
			if err != nil || len(changes) != 1 {
				t.Fatalf("init would make the changes %v: %v", changes, err)
			}
			var want, got settings
			if err := json.Unmarshal(changes[0].After, &want); err != nil {
				t.Fatalf("what init writes is not JSON: %v", err)
			}
			for _, list := range want.Hooks {
				for _, e := range list {
					for i := range e.Hooks {
						e.Hooks[i].Command = `sh "` + plugin.root + `/scripts/hook.sh"`
					}
				}
			}
			readJSON(t, plugin.hooks, &got)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the plugin's hooks are %+v, want those of init, %+v", got, want)
			}
		})
	}
}

// The documentation names the releases of agents that doctor takes for tested.
func TestObservedReleases(t *testing.T) {
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatalf("read the table of clients: %v", err)
	}
	row := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| [^|]+ \\| observed, ([\\d.]+) \\|")
	told, want := map[string]string{}, map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		told[m[1]] = m[2]
	}
	for _, a := range install.Agents() {
		if a.Observed != "" {
			want[a.Name] = a.Observed
		}
	}
	if !maps.Equal(told, want) {
		t.Errorf("docs/clients.md tells of the releases %v, umpire init and doctor know %v", told, want)
	}
}

// Manifests name versions and commands that there are.
func TestManifests(t *testing.T) {
	var server struct {
		Name     string
		Packages []struct {
			Identifier       string
			PackageArguments []struct{ Value string }
		}
	}
	var npm struct{ Name, McpName string }
	readJSON(t, "../../deploy/server.json", &server)
	readJSON(t, "../../npm/umpire/package.json", &npm)
	if len(server.Packages) != 1 || server.Packages[0].Identifier != npm.Name || server.Name != npm.McpName {
		t.Errorf("the MCP manifest names %+v, the npm package is %+v", server, npm)
	}
	if c, _, err := newRoot().Find([]string{server.Packages[0].PackageArguments[0].Value}); err != nil || c.Name() != "mcp" {
		t.Errorf("the argument of the package: got command %v, %v, want mcp", c, err)
	}
	var market struct {
		Plugins []struct{ Name, Source string }
	}
	readJSON(t, "../../.claude-plugin/marketplace.json", &market)
	for _, p := range market.Plugins {
		var plugin struct{ Name string }
		readJSON(t, filepath.Join("../..", p.Source, ".claude-plugin/plugin.json"), &plugin)
		if plugin.Name != p.Name {
			t.Errorf("the marketplace calls %s %s", plugin.Name, p.Name)
		}
	}
}

var pinned = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)

// Workflows call make targets that there are, pin every action to a commit, and have no
// permission by default.
func TestWorkflows(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("workflows: got %q, %v, want some", paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var w struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				Steps []struct{ Uses, Run string }
			}
		}
		if err := yaml.Unmarshal(text, &w); err != nil {
			t.Fatalf("%s is no YAML: %v", path, err)
		}
		if w.Permissions == nil || slices.Contains(slices.Collect(maps.Values(w.Permissions)), "write") {
			t.Errorf("%s: permissions are %v for every job", path, w.Permissions)
		}
		for name, job := range w.Jobs {
			for _, s := range job.Steps {
				if s.Uses != "" && !pinned.MatchString(s.Uses) {
					t.Errorf("%s: %s uses %s, which is pinned to no commit", path, name, s.Uses)
				}
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s: %s puts a value into a script: %s", path, name, s.Run)
				}
				if _, target, ok := strings.Cut(s.Run, "make "); ok && !strings.Contains(string(makefile), "\n"+strings.TrimSpace(target)+":") {
					t.Errorf("%s: %s runs make %s, and there is no such target", path, name, target)
				}
			}
		}
	}
}

// The scheduled job of the forge updates every file that names dependencies.
func TestDependenciesAreUpdated(t *testing.T) {
	var config struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
		}
	}
	text, err := os.ReadFile("../../.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	updated := map[string]bool{}
	for _, u := range config.Updates {
		for _, dir := range append(u.Directories, u.Directory) {
			updated[u.Ecosystem+" "+dir] = true
		}
	}
	ecosystems := map[string]string{"go.mod": "gomod", "package-lock.json": "npm", "Dockerfile": "docker", "action.yml": "github-actions"}
	found := 0
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "bin", "dist", "node_modules"}, d.Name()) {
			return fs.SkipDir
		}
		ecosystem := ecosystems[d.Name()]
		if ecosystem == "" {
			return nil
		}
		found++
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../..")
		if !updated[ecosystem+" /"+strings.TrimPrefix(dir, "/")] {
			t.Errorf("no job updates %s", path)
		}
		return nil
	})
	if err != nil || found < len(ecosystems) {
		t.Errorf("%d files name dependencies: %v", found, err)
	}
}
