package gateway

import (
	"path/filepath"
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

// openBuildFiles opens the build files of the programs that operations run in a folder. The reader
// of operations follows what those of make and npm run.
func (g *Gateway) openBuildFiles(ops []umpire.Operation, dir string, open func(path string) ([]byte, bool)) {
	for _, op := range ops {
		words := strings.Fields(op.Resource)
		if op.Kind != umpire.Exec || op.Traits&(umpire.Remote|umpire.Container) != 0 || len(words) == 0 {
			continue
		}
		for _, name := range buildFiles[filepath.Base(words[0])] {
			for at := dir; ; at = filepath.Dir(at) {
				if path := filepath.Join(at, name); exists(path) {
					open(path)
				}
				if at == g.root || len(at) <= len(g.root) {
					break
				}
			}
		}
	}
}
