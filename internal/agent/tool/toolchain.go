package tool

import (
	"path/filepath"
	"slices"
	"strings"
)

// toolchains are folders below the home folder that hold programs and build tools, and no
// credentials.
var toolchains = []string{
	"go/bin", "go/pkg/mod", ".cargo/bin", ".cargo/registry", ".cargo/git", ".rustup", ".nvm", ".fnm", ".volta", ".bun/bin", ".bun/install", ".deno/bin", ".pyenv", ".rbenv", ".sdkman", ".asdf", ".local/bin", ".local/lib",
	".local/share/mise", ".local/share/uv", ".local/share/pnpm", ".local/share/fnm", ".npm/_cacache", ".cache/pip", ".cache/uv", ".cache/yarn", ".cache/ms-playwright", ".m2/repository", ".gradle/caches", ".gradle/wrapper", ".nuget/packages", "sdk", ".dotnet",
}

// Toolchains returns the folders below the home folder that commands in the sandbox need to build
// and test: those in PATH, and the usual ones. getenv is os.Getenv.
func Toolchains(home string, getenv func(string) string) (list []string) {
	add := func(dir string) {
		dir = filepath.Clean(dir)
		rel, err := filepath.Rel(home, dir)
		// The home folder itself, or one that contains it, would expose all of it.
		if err != nil || !filepath.IsLocal(rel) || rel == "." || rel == ".config" || rel == ".local" || rel == ".ssh" || slices.Contains(list, dir) {
			return
		}
		list = append(list, dir)
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if filepath.IsAbs(dir) && strings.HasSuffix(filepath.Clean(dir), "bin") {
			add(dir)
		}
	}
	for _, name := range []string{"GOMODCACHE", "RUSTUP_HOME", "NVM_DIR", "VIRTUAL_ENV", "PYENV_ROOT", "JAVA_HOME", "GOROOT"} {
		if dir := getenv(name); filepath.IsAbs(dir) {
			add(dir)
		}
	}
	for _, name := range toolchains {
		add(filepath.Join(home, name))
	}
	return list
}
