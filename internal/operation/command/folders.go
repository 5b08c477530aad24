package command

import "strings"

// folderQueries are calls that print a folder of their program: the value of a variable if it is
// set, or else a default.
var folderQueries = [...]struct{ call, variable, folder string }{
	{"go env GOCACHE", "GOCACHE", "~/.cache/go-build"},
	{"go env GOMODCACHE", "GOMODCACHE", "~/go/pkg/mod"},
	{"go env GOPATH", "GOPATH", "~/go"},
	{"npm config get cache", "npm_config_cache", "~/.npm"},
	{"npm root", "", "node_modules"},
	{"pnpm root", "", "node_modules"},
	{"npm prefix", "", "."},
	{"yarn cache dir", "YARN_CACHE_FOLDER", "~/.cache/yarn"},
	{"pnpm store path", "", "~/.local/share/pnpm/store/v3"},
	{"bun pm cache", "BUN_INSTALL_CACHE_DIR", "~/.bun/install/cache"},
	{"pip cache dir", "PIP_CACHE_DIR", "~/.cache/pip"},
	{"pip3 cache dir", "PIP_CACHE_DIR", "~/.cache/pip"},
	{"uv cache dir", "UV_CACHE_DIR", "~/.cache/uv"},
	{"poetry config cache-dir", "POETRY_CACHE_DIR", "~/.cache/pypoetry"},
	{"composer config cache-dir", "COMPOSER_CACHE_DIR", "~/.cache/composer"},
	{"composer global config cache-dir", "COMPOSER_CACHE_DIR", "~/.cache/composer"},
	{"brew --cache", "HOMEBREW_CACHE", "~/Library/Caches/Homebrew"},
	{"ccache --get-config cache_dir", "CCACHE_DIR", "~/.cache/ccache"},
}

// printsFolder returns the folder that the call prints, or "" if the call is no such query or the
// home folder is unknown.
func (c *Call) printsFolder() string {
	if len(c.Args) == 0 || len(c.Args) > 3 {
		return ""
	}
	call := c.Program
	for _, w := range c.Args {
		call += " " + w.Text
	}
	for i := range folderQueries {
		q := &folderQueries[i]
		if q.call != call {
			continue
		}
		if q.variable != "" {
			if w, ok := c.Var(q.variable); ok {
				return w.Text
			}
		}
		if rest, ok := strings.CutPrefix(q.folder, "~/"); ok {
			home, ok := c.Var("HOME")
			if !ok || !home.Known() {
				return ""
			}
			return home.Text + "/" + rest
		}
		return q.folder
	}
	return ""
}
