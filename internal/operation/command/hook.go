package command

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
