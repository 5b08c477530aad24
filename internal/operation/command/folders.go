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

// settings reports whether a call prints variables and functions for the shell to evaluate, as in
// eval "$(ssh-agent -s)". The text is unknown, but as trusted as the program, which the user
// installed.
func (c *Call) settings() bool {
	switch c.Program {
	case "ssh-agent", "dircolors", "gdircolors", "resize", "tset", "lesspipe", "lesspipe.sh", "keychain", "gnome-keyring-daemon", "dbus-launch",
		"register-python-argcomplete", "path_helper":
		return true
	case "direnv", "pyenv", "rbenv", "nodenv", "goenv", "jenv", "phpenv", "plenv", "tfenv", "swiftenv", "fnm", "mise", "rtx", "asdf", "volta",
		"starship", "zoxide", "atuin", "mcfly", "thefuck", "oh-my-posh", "fzf", "navi", "carapace", "broot", "brew", "opam", "ghcup", "conda", "mamba",
		"micromamba", "minikube", "docker-machine", "kubectl", "helm", "gh", "hub", "npm", "pnpm", "pip", "pipx", "poetry", "pdm", "hatch", "uv", "rustup", "luarocks",
		"perlbrew", "rakubrew", "plx", "juliaup", "kind", "k3d", "flux", "argocd", "stern", "just", "task", "chezmoi", "rclone", "restic", "bw", "op", "devbox", "flox":
	default:
		return false
	}
	for _, w := range c.Args {
		switch w.Text {
		case "init", "hook", "activate", "env", "shellenv", "shell.bash", "shell.zsh", "shell.posix", "shell.fish", "shell.hook", "shell", "docker-env", "podman-env",
			"completion", "completions", "generate-shell-completion", "alias", "--alias", "-a", "path", "--bash", "--zsh", "-", "env-hook", "shell-hook":
			return true
		case "export": // variables of an .envrc that the user allowed
			return c.Program == "direnv"
		}
	}
	return false
}
