package gateway

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// buildFiles lists, by program, the files from which it takes commands. They are in its folder or
// in a parent folder.
var buildFiles = map[string][]string{
	"make": {"GNUmakefile", "makefile", "Makefile"}, "gmake": {"GNUmakefile", "makefile", "Makefile"},
	"npm": nodeFiles, "npx": nodeFiles, "yarn": nodeFiles, "pnpm": nodeFiles, "bun": nodeFiles, "bunx": nodeFiles, "corepack": nodeFiles, "node": {"package.json"},
	"cargo": {"Cargo.toml", "build.rs", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml"}, "just": {"justfile", "Justfile", ".justfile"},
	"task": {"Taskfile.yml", "Taskfile.yaml", "taskfile.yml"}, "rake": {"Rakefile", "rakefile", "Rakefile.rb"}, "mage": {"magefile.go"},
	"tox": pythonFiles, "nox": {"noxfile.py"}, "pytest": pythonFiles, "py.test": pythonFiles, "pip": pythonFiles, "pip3": pythonFiles, "uv": pythonFiles, "poetry": pythonFiles,
	"hatch": pythonFiles, "pdm": pythonFiles, "invoke": {"tasks.py"}, "inv": {"tasks.py"}, "fab": {"fabfile.py"}, "scons": {"SConstruct", "Sconstruct"}, "waf": {"wscript"},
	"gradle": gradleFiles, "gradlew": gradleFiles, "mvn": mavenFiles, "mvnw": mavenFiles, "ant": {"build.xml"}, "sbt": {"build.sbt", "project/plugins.sbt"},
	"cmake": {"CMakeLists.txt", "CMakePresets.json"}, "ctest": {"CTestTestfile.cmake"}, "ninja": {"build.ninja"}, "meson": {"meson.build"}, "bazel": bazelFiles, "bazelisk": bazelFiles,
	"docker": dockerFiles, "podman": dockerFiles, "docker-compose": dockerFiles, "buildah": dockerFiles, "earthly": {"Earthfile"}, "vagrant": {"Vagrantfile"}, "packer": {"packer.json"},
	"bundle": {"Gemfile", ".bundle/config"}, "composer": {"composer.json"}, "mix": {"mix.exs"}, "rebar3": {"rebar.config"}, "lein": {"project.clj"},
	"pre-commit": {".pre-commit-config.yaml"}, "lefthook": {"lefthook.yml"}, "nix": nixFiles, "nix-build": nixFiles, "nix-shell": nixFiles, "direnv": {".envrc"}, "mise": {"mise.toml", ".mise.toml", ".tool-versions"},
	"jest": nodeFiles, "vitest": nodeFiles, "vite": nodeFiles, "eslint": nodeFiles, "webpack": nodeFiles, "gulp": nodeFiles, "grunt": nodeFiles, "turbo": nodeFiles, "nx": nodeFiles, "lerna": nodeFiles,
	"ansible-playbook": {"ansible.cfg"}, "goreleaser": {".goreleaser.yaml", ".goreleaser.yml"}, "go": {"go.mod", "go.work"}, "git": nil,
}

var (
	nodeFiles = []string{"package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml", "turbo.json", "nx.json",
		"gulpfile.js", "Gruntfile.js", "webpack.config.js", "vite.config.js", "vite.config.ts", "vitest.config.ts", "jest.config.js", "jest.config.ts", "eslint.config.js", "eslint.config.mjs", ".eslintrc.js"}
	pythonFiles = []string{"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "conftest.py", "uv.toml"}
	gradleFiles = []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "gradlew", "gradle/wrapper/gradle-wrapper.properties"}
	mavenFiles  = []string{"pom.xml", ".mvn/jvm.config", ".mvn/maven.config", ".mvn/extensions.xml", "mvnw"}
	bazelFiles  = []string{"BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", ".bazelrc"}
	dockerFiles = []string{"Dockerfile", "Containerfile", "compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml", "docker-bake.hcl"}
	nixFiles    = []string{"flake.nix", "default.nix", "shell.nix"}
)

// maxFollowed is the limit of build files that are followed, and of folders with them.
const maxFollowed = 100

// follower collects the build files from which programs take commands.
type follower struct {
	root string
	read func(command, dir string) []umpire.Operation // also records the files that it opens
	open func(path string) ([]byte, bool)
	seen map[string]bool

	builds bool // a program takes commands from build files
	chosen bool // which one, only the run tells
	full   bool // there are too many
}

// follow adds the build files of the programs that operations run in a folder, and those of the
// programs that the build files run.
func (f *follower) follow(ops []umpire.Operation, dir string) {
	for _, op := range ops {
		if op.Kind != umpire.Exec || op.Traits&(umpire.Remote|umpire.Container) != 0 {
			continue
		}
		words := strings.Fields(op.Resource)
		if len(words) == 0 {
			continue
		}
		names := buildFiles[filepath.Base(words[0])]
		f.builds = f.builds || len(names) > 0
		f.chosen = f.chosen || len(names) > 0 && strings.Contains(op.Resource, umpire.Hole)
		for _, name := range names {
			for at := dir; ; at = filepath.Dir(at) {
				path := filepath.Join(at, name)
				if exists(path) {
					f.file(path, words)
				}
				if at == f.root || len(at) <= len(f.root) {
					break
				}
			}
		}
		if p := filepath.Base(words[0]); p == "make" || p == "gmake" {
			for i, w := range words {
				if (w == "-f" || w == "--file") && i+1 < len(words) {
					f.file(filepath.Join(dir, words[i+1]), words)
				}
			}
		}
	}
}

// file records a build file, and follows the commands in it.
func (f *follower) file(path string, words []string) {
	f.full = f.full || len(f.seen) >= maxFollowed
	if f.seen[path] || f.full {
		return
	}
	f.seen[path] = true
	data, ok := f.open(path)
	if !ok {
		return
	}
	dir := filepath.Dir(path)
	var text string
	switch base := filepath.Base(path); {
	case base == "package.json":
		text = nodeScripts(data, words)
	case strings.EqualFold(filepath.Ext(path), ".mk"), strings.Contains(strings.ToLower(base), "makefile"):
		var lines []string
		for line := range strings.SplitSeq(string(data), "\n") {
			if recipe, ok := strings.CutPrefix(line, "\t"); ok {
				lines = append(lines, strings.TrimLeft(recipe, "@-+ \t"))
			} else if rest, ok := strings.CutPrefix(strings.TrimLeft(line, "-s"), "include "); ok {
				for _, name := range strings.Fields(rest) {
					if !strings.ContainsAny(name, "$*?") {
						f.file(filepath.Join(dir, name), words)
					}
				}
			}
		}
		text = strings.Join(lines, "\n")
	}
	if text != "" {
		f.follow(f.read(text, dir), dir)
	}
}

// nodeScripts returns the scripts of a package.json that a command names, with those that run
// before and after them.
func nodeScripts(data []byte, words []string) string {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(data, &p) != nil {
		return ""
	}
	var lines []string
	names := append(slices.Clone(words[1:]), "prepare")
	if len(words) == 1 { // yarn without arguments installs
		names = append(names, "install")
	}
	for _, name := range names {
		for _, n := range []string{"pre" + name, name, "post" + name} {
			if s := p.Scripts[n]; s != "" {
				lines = append(lines, s)
			}
		}
	}
	return strings.Join(lines, "\n")
}
