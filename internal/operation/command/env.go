package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

func doEnv(c *Call) {
	ws := c.Operands
	if s, ok := c.Opt("-S"); ok {
		ws = append(SplitWords(s), ws...)
		if len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
			// The text may begin with options: env -S '-i rm x'.
			c.Exec(append(Lits("env"), ws...), Run{Out: true})
			return
		}
	}
	if len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	env, ws := skipAssigns(ws)
	if len(ws) == 0 {
		if !c.Inert() {
			c.SetOut(Unseen(FromEnv))
		}
		return
	}
	c.Exec(ws, Run{Env: env, Dir: dirOf(c, "-C"), Out: true})
}

func doEnvPrefix(c *Call) {
	env, ws := skipAssigns(c.Operands)
	if len(ws) == 0 {
		return
	}
	if c.Program == "cross-env-shell" || len(ws) == 1 && strings.Contains(ws[0].Text, " ") {
		c.Shell(joined(ws), Run{Env: env, Out: true})
		return
	}
	c.Exec(ws, Run{Env: env, Out: true})
}

func doDotenv(c *Call) {
	ws := c.Operands
	if len(ws) > 0 {
		switch ws[0].Text {
		case "run":
			ws = skipEnvFile(ws[1:])
		case "list", "get", "decrypt", "keypair":
			f, ok := c.Opt("-f")
			if !ok {
				f = Lit(".env")
			}
			c.ReadFile(f)
			return
		case "set", "unset", "encrypt", "rotate":
			f, ok := c.Opt("-f")
			if !ok {
				f = Lit(".env")
			}
			c.WriteFile(f, 0, Unseen(0))
			return
		}
	}
	c.Exec(ws, Run{Out: true, Env: variablesOf(c)})
}

// variablesOf returns those variables of the file that dotenv reads which can change what programs
// run.
func variablesOf(c *Call) (env []Word) {
	name := ".env"
	for _, o := range [...]string{"-f", "-e", "--env-file"} {
		if w, ok := c.Opt(o); ok && w.Known() {
			name = w.Text
		}
	}
	f := c.Host.Starts(Lit(name))
	for line := range strings.Lines(f.Text) {
		key, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if ok && len(env) < 64 && Influential(key, true) {
			env = append(env, Word{Text: key + "=" + strings.Trim(value, `"'`), Taint: f.Taint})
		}
	}
	return env
}

// skipEnvFile skips the options of "dotenv run", some of which take a value.
func skipEnvFile(ws []Word) []Word {
	for i := 0; i < len(ws); i++ {
		switch t := ws[i].Text; {
		case t == "--":
			return ws[i+1:]
		case t == "-f" || t == "--env-file" || t == "-e" || t == "--env" || t == "-fv" || t == "--env-vault-file":
			i++
		case strings.HasPrefix(t, "-"):
		default:
			return ws[i:]
		}
	}
	return nil
}

// doAfterDash runs the words after "--". Without "--" it runs the operands; for some programs the
// first is not part of the command.
func doAfterDash(c *Call) {
	for i, w := range c.Args {
		if w.Text == "--" {
			c.Exec(c.Args[i+1:], Run{Out: true})
			return
		}
	}
	ws := c.Operands
	if (c.Program == "mise" || c.Program == "rtx" || c.Program == "chamber" || strings.HasPrefix(c.Program, "aws-")) && len(ws) > 0 {
		ws = ws[1:]
	}
	c.Exec(ws, Run{Out: true})
}

func doRvm(c *Call) {
	for i, w := range c.Operands {
		if w.Text == "do" || w.Text == "exec" {
			c.Exec(c.Operands[i+1:], Run{Out: true})
			return
		}
	}
}

// direnvWords defines the functions that direnv adds to the shell and that run other files.
const direnvWords = `source_env() { . "$1"; }; source_env_if_exists() { . "$1"; }; dotenv() { . "${1:-.env}"; }; dotenv_if_exists() { . "${1:-.env}"; }; `

// startsEnvrc runs the .envrc of a folder.
func startsEnvrc(c *Call, dir string) {
	if f, ok := c.StartedFile(path.Join(dir, ".envrc")); ok {
		if anyof.Contains(f.Text, "source_env", "dotenv") {
			f.Text = direnvWords + f.Text
		}
		f.RunAs("sh", Run{})
	}
}

// doDirenvExec runs the .envrc of a folder, as direnv exec does before the command.
func doDirenvExec(c *Call) {
	if c.Arg(0).Known() {
		startsEnvrc(c, c.Arg(0).Text)
	}
}

// doDirenvAllow runs the .envrc that the call allows: from now on, direnv runs it in this folder.
func doDirenvAllow(c *Call) { startsEnvrc(c, ".") }

// Influential reports whether a variable of this name may change which programs run or where they
// look for their settings. For an exported one, weaker signs count.
func Influential(name string, exported bool) bool {
	if anyof.Equal(name, "LANG", "LANGUAGE", "TZ", "TERM", "COLUMNS", "LINES", "CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "DEBUG", "VERBOSE", "V", "NODE_ENV", "RUST_LOG", "RUST_BACKTRACE", "GOOS", "GOARCH", "GOMAXPROCS",
		"GOARM", "CGO_ENABLED", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONHASHSEED", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "PORT", "HOST", "LOG_LEVEL", "PGPASSWORD", "DATABASE_URL", "APP_ENV", "RAILS_ENV", "RACK_ENV", "TMPDIR", "OLDPWD", "PWD", "IFS", "POSIXLY_CORRECT", "REPLY", "OPTIND", "OPTARG", "TURBO_TELEMETRY_DISABLED", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "PGUSER", "PGDATABASE") {
		return false
	}
	if strings.HasPrefix(name, "LC_") {
		return false
	}
	if exported {
		upper := strings.ToUpper(name) // http_proxy
		for _, p := range []string{"PATH", "FLAGS", "OPTS", "OPTIONS", "WRAPPER", "PRELOAD", "CONFIG", "CONF", "EDITOR", "PAGER", "BROWSER", "SHELL", "RC", "LOADER", "LINKER", "COMPILER", "LAUNCHER", "RUNNER", "COMMAND", "CMD", "PROGRAM", "EXEC", "HOOK", "PLUGIN",
			"STARTUP", "ASKPASS", "PROXY", "REGISTRY", "INDEX", "HOME", "CC", "CXX", "BIN", "MODULE", "REQUIRE", "IMPORT", "INIT", "RSH", "SSH", "TOOL", "HELPER", "SCRIPT", "JAR", "AGENT", "COMPLET", "PREFIX", "ROOT"} {
			if strings.Contains(upper, p) {
				return true
			}
		}
	}
	if anyof.Equal(name, "PATH", "CDPATH", "ENV", "SHELL", "EDITOR", "VISUAL", "PAGER", "BROWSER", "HOME", "TAPE", "CC", "CXX", "LD", "AR") {
		return true
	}
	return anyof.HasPrefix(name,
		"LD_", "DYLD_", "GIT_", "GO", "PYTHON", "NODE_", "NPM_", "npm_", "YARN_", "PNPM_", "BUN_", "CARGO_", "RUST", "JAVA", "_JAVA", "JDK_", "MAVEN_", "GRADLE_", "MAKE", "GNUMAKE", "RUBY", "BUNDLE_", "PERL", "BASH_", "LESS", "RIPGREP_", "GREP_", "TAR_",
		"AWK", "PHP", "DOTNET_", "MSBUILD", "CMAKE_", "PIP_", "UV_", "PYTEST_", "FZF_", "FD_", "XDG_", "MAN", "GCONV", "R_", "LUA_", "CURL_", "SSL", "JQ_", "COMPOSER_", "DOCKER_", "COMPOSE_", "BUILDKIT", "BUILDX", "CONTAINER", "KUBE", "TF_", "TOFU_", "PG", "MYSQL", "REDISCLI_", "SQLITE", "AWS_", "CLOUDSDK_", "GOOGLE_", "AZURE_", "HELM_", "GH_", "HOMEBREW_", "ANDROID_")
}

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
