package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// packageModels are package managers and build tools. What is installed, removed and
// published becomes packages(MANAGER VERB NAMES...).
var packageModels = []Model{
	{Names: "npm pnpm yarn bun ni cnpm", Opts: npmOpts + " -g,--global+global --location=_+global", Do: doNpm},
	{Names: "npx bunx pnpx pnpm-dlx yarn-dlx", Opts: "-p,--package=_ -c,--call=c --registry=_ --userconfig=_ -w,--workspace=_ --cache=_ --node-options=_ --shell=_", Style: Strict, Do: doNpx},
	{Names: "corepack", Do: doRunner},
	{Names: "pip pipenv pdm", Opts: pipOpts, Do: doPip}, {Names: "pipx", Opts: pipOpts + " --spec=_ --python=_", Style: Strict, Do: doPipx},
	{Names: "uv", Opts: pipOpts + " --with=_ --from=_ -p,--python=_ --directory=D --project=_ --default-index=_ --index=_ -m,--module=_", Style: Strict, Do: doUv},
	{Names: "uvx", Opts: pipOpts + " --with=_ --from=_ -p,--python=_ --default-index=_ --index=_", Style: Strict, Do: doNpx},
	{Names: "poetry hatch rye pixi", Opts: "-C,--directory=D -P,--project=_ --repository,-r=_ -u,--username=_ -p,--password=_ -G,--group=_ -E=_ -e,--env=_ --dry-run+inert", Style: Strict, Do: doPoetry},
	{Names: "conda mamba micromamba", Opts: "-n,--name=_ -p,--prefix=_ -c,--channel=_ -f,--file=r -d,--dry-run+inert -y,--yes --cwd=D --no-capture-output --live-stream", Style: Strict, Do: doConda},
	{Names: "twine flit", Opts: "-r,--repository=_ --repository-url=u -u=_ -p=_", Do: doUpload}, {Names: "easy_install", Do: doInstallOnly},
	{Names: "cargo", Opts: "-C=D --config=_ --manifest-path=_ --target-dir=_ -p,--package=_ --features=_ --bin=_ --example=_ --test=_ -j=_ --target=_ --git=_ --path=_ --registry=_ --index=_ --version,--vers=_ --token=_ --root=_ --profile=_ -n,--dry-run+inert --color=_ --message-format=_", Style: NoInert, Do: doCargo},
	{Names: "go", Opts: "-C=D -exec=P -toolexec=P -o=w -run=_ -bench=_ -count=_ -timeout=_ -tags=_ -ldflags=_ -gcflags=_ -mod=_ -modfile=_ -overlay=r -p=_ -coverprofile=w -cpuprofile=w -memprofile=w -fuzz=_ -fuzztime=_ -vettool=P", Style: LongDash | NoInert, Do: doGo},
	{Names: "gem", Opts: "-v,--version=_ -s,--source=_ -i,--install-dir=_ -n,--bindir=_ -k,--key=_ --host=_ -P=_ --user-install", Do: doGem}, {Names: "bundle bundler", Opts: "--gemfile=_ --path=_ -j=_ --without=_", Style: Strict, Do: doRunner},
	{Names: "composer", Opts: "-d,--working-dir=D --repository=_ --dev --no-scripts -n -q --dry-run+inert", Style: 0, Do: doComposer},
	{Names: "mvn mvnw maven", Opts: "-f,--file=_ -P=_ -pl=_ -s,--settings=_ -T=_ -D=_ -am -q -B -o -gs=_", Style: LongDash, Do: doMaven}, {Names: "gradle gradlew", Opts: "-p,--project-dir=_ -b,--build-file=_ -I,--init-script=x -x,--exclude-task=_ -P=_ -D=_ --console=_ -c=_ -m,--dry-run+inert", Do: doGradle},
	{Names: "sbt lein ant", Do: doBuildPublish}, {Names: "dotnet", Opts: "-c,--configuration=_ -f,--framework=_ -o,--output=_ -r=_ -s,--source=_ -k,--api-key=_ --project=_ -p=_ -v=_", Do: doDotnet}, {Names: "nuget", Opts: "-Source=_ -ApiKey=_ -OutputDirectory=_ -Version=_", Style: LongDash, Do: doDotnet},
	{Names: "rebar3 hex", Do: doHex}, {Names: "luarocks cpan cpanm opam cabal stack vcpkg pod carthage tlmgr julia-pkg nimble shards dub raco", Opts: "--server=_ --source=_ --only-server=_ --mirror=_ -e=_", Do: doOtherManager},
	{Names: "swift", Sub: []Model{{Names: "package build test run", Opts: "--package-path=_ -c=_"}}},
	{Names: "helm-plugin krew", Do: doOtherManager},

	{Names: "apt apt-get aptitude dnf dnf5 yum microdnf zypper apk pacman yay paru emerge xbps-install xbps-remove pkg pkg_add pkg_delete brew port snap flatpak nix nix-env nix-shell guix winget choco scoop eopkg urpmi swupd tdnf rpm-ostree", Opts: "-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_", Do: doSystemPackages},
	{Names: "dpkg rpm", Opts: "-i,--install,-U,-F,--upgrade -r,--remove,-e,--erase -P,--purge --force-all,--nodeps,--force+force --force-depends,--force-remove-essential,--force-remove-reinstreq+force -l,--list -L,--listfiles -S,--search -q,--query -a,--all -s,--status -V --import --root=_ --configure -c,--contents -I,--info -x,--extract -X --no-act,--dry-run,--simulate,--test+inert --nosignature,--nogpgcheck,--nodigest+skips-check", Do: doDpkg},
	{Names: "apt-key apt-add-repository add-apt-repository dnf-config-manager yum-config-manager rpmkeys", Do: doRepository},
	{Names: "apt-cache apt-mark apt-file dpkg-query repoquery apt-config", Do: nil},
	{Names: "installer softwareupdate mas", Opts: "-pkg=r -target=_ -i -l -a", Style: LongDash, Do: doMacInstaller},

	{Names: "make gmake bmake mingw32-make remake", Opts: "-f,--file,--makefile=_ -C,--directory=D -j,--jobs?=_ -n,--just-print,--dry-run,--recon+inert -q,--question+inert -I=_ -o=_ -W=_ -l?=_ -s -k -B -e --eval=_ -O?=_ -p,--print-data-base -t,--touch", Do: doMake},
	{Names: "cmake ctest cpack", Opts: "-S=_ -B=_ -G=_ -D=_ -P=r -E -C=_ -A=_ -T=_ --build=_ --target,-t=_ -j=_ --install=_ --preset=_ -R=_", Do: doCmake},
	{Names: "ninja meson scons waf bazel bazelisk buck2 pants just task mage rake invoke inv nox tox doit jake gulp grunt lerna nx turbo rush pre-commit lefthook husky", Opts: "-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert", Do: nil},
	{Names: "pytest py.test jest vitest mocha ava tap playwright cypress karma eslint prettier tsc ruff black mypy flake8 pylint isort rubocop golangci-lint staticcheck gofmt goimports rustfmt clippy-driver phpunit phpstan rspec shellcheck shfmt hadolint stylelint biome swc esbuild vite webpack rollup parcel next nuxt astro tsx ts-node-dev nodemon concurrently wait-on npm-run-all run-s run-p husky lint-staged", Opts: "", Do: nil},
}

const (
	npmOpts = "--prefix,-C,--dir,--cwd=_ --registry=_ -w,--workspace,--filter,-F=_ --tag=_ --otp=_ --userconfig,--globalconfig,--use-yarnrc=_ --script-shell=P --node-options=_ --cache=_ --loglevel=_ -c,--call=c --dry-run+inert --omit=_ --include=_ --access=_ --scope=_ --depth=_ -D,--save-dev -S,--save -E -O -f,--force+force --ignore-scripts --package,-p=_"
	pipOpts = "-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev"
)

// packages emits what is done with packages, and where they come from.
func packages(c *Call, verb string, names []Word, t umpire.Trait) {
	for _, w := range names {
		t |= packageSource(c, w)
	}
	c.Op(umpire.Packages, Quote(c.Program+" "+verb, names), t)
}

// packageSource tells whether a package comes from outside the registry, by the forms
// that npm, pip, cargo and go know.
func packageSource(c *Call, w Word) (t umpire.Trait) {
	s := w.Text
	if i := strings.Index(s, " @ "); i >= 0 { // pip: name @ URL
		s = strings.TrimSpace(s[i+3:])
	} else if i := strings.Index(s, "@http"); i > 0 {
		s = s[i+1:]
	} else if i := strings.Index(s, "@git+"); i > 0 {
		s = s[i+1:]
	}
	if !w.Known() {
		t |= umpire.Unknown
	}
	switch {
	case strings.HasPrefix(s, "http://"), strings.HasPrefix(s, "git://"), strings.HasPrefix(s, "git+http://"), strings.HasPrefix(s, "ftp://"):
		t |= umpire.UntrustedSource | umpire.PlainHTTP
		c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
	case strings.Contains(s, "://"), strings.HasPrefix(s, "git@"), strings.HasPrefix(s, "github:"), strings.HasPrefix(s, "gitlab:"), strings.HasPrefix(s, "bitbucket:"), strings.HasPrefix(s, "gist:"):
		if !strings.HasPrefix(s, "file://") {
			t |= umpire.UntrustedSource
			if strings.Contains(s, "://") {
				c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
			}
		}
	case strings.Count(s, "/") == 1 && s[0] != '@' && s[0] != '.' && s[0] != '/' && s[0] != '~' && (c.Program == "npm" || c.Program == "npx" || c.Program == "pnpm" || c.Program == "yarn" || c.Program == "bun"):
		t |= umpire.UntrustedSource // npm takes user/repo for GitHub
	}
	return t
}

// fromRegistry tells whether an option sends the manager to another registry.
func fromRegistry(c *Call, options ...string) (t umpire.Trait) {
	for _, o := range options {
		for _, w := range c.All(o) {
			l := strings.ToLower(w.Text)
			switch {
			case strings.HasPrefix(l, "http://") && !strings.Contains(l, "localhost") && !strings.Contains(l, "127.0.0.1"):
				t |= umpire.UntrustedSource | umpire.PlainHTTP
				c.Net(w, 0, 0)
			case strings.Contains(l, "registry.npmjs.org"), strings.Contains(l, "pypi.org"), strings.Contains(l, "pythonhosted.org"), strings.Contains(l, "download.pytorch.org"), strings.Contains(l, "rubygems.org"), strings.Contains(l, "registry.yarnpkg.com"), strings.Contains(l, "npm.pkg.github.com"), strings.Contains(l, "localhost"), strings.Contains(l, "127.0.0.1"):
			case strings.Contains(l, "://"):
				t |= umpire.UntrustedSource
				c.Net(w, 0, 0)
			}
		}
	}
	return t
}

func rest(c *Call, n int) []Word { return c.Operands[min(n, len(c.Operands)):] }

func doNpm(c *Call) {
	verb := c.Arg(0).Text
	args := rest(c, 1)
	if c.Program == "yarn" && verb == "npm" && len(args) > 0 { // yarn 2 has these below npm
		verb, args = args[0].Text, args[1:]
	}
	if verb == "global" && len(args) > 0 {
		verb, args = args[0].Text, args[1:]
		c.Traits |= umpire.Global
	}
	t := fromRegistry(c, "--registry")
	switch verb {
	case "install", "i", "in", "ins", "add", "isntall", "update", "up", "upgrade", "ci", "install-test", "it", "link", "ln":
		packages(c, "install", args, t)
	case "uninstall", "un", "remove", "rm", "r", "unlink", "prune", "dedupe":
		packages(c, "remove", args, 0)
	case "publish", "pub":
		packages(c, "publish", args, umpire.Upload|umpire.Mutate|t)
	case "unpublish":
		packages(c, "unpublish", args, umpire.Destroy|umpire.Irreversible)
	case "deprecate", "undeprecate", "owner", "access", "dist-tag", "team", "org", "hook", "token", "profile", "adduser", "star", "tag":
		if len(args) == 0 || verb == "deprecate" || verb == "undeprecate" {
			if verb == "deprecate" || verb == "undeprecate" {
				packages(c, verb, args, umpire.Mutate)
			}
			return
		}
		switch args[0].Text {
		case "ls", "list", "get":
		default:
			packages(c, verb, args, umpire.Mutate)
		}
	case "exec", "x", "dlx":
		if len(args) > 0 {
			runPackage(c, args)
		}
	case "run", "run-script", "rum", "urn", "test", "t", "tst", "start", "stop", "restart", "build", "dev", "lint":
		// The project's own scripts.
	case "config", "c", "set":
		if len(args) > 0 && (args[0].Text == "set" || verb == "set") {
			npmConfig(c, args)
		}
	case "create", "init", "innit":
		if len(args) > 0 {
			packages(c, "create", args, t)
		}
	case "cache":
	case "login", "logout", "whoami", "view", "info", "show", "ls", "list", "outdated", "audit", "why", "explain", "fund", "pack", "doctor", "ping", "search", "diff", "root", "bin", "prefix", "help", "version", "docs", "repo", "bugs", "completion", "query", "sbom", "licenses", "store", "env", "workspace", "workspaces", "constraints", "dedup", "patch", "patch-commit", "rebuild", "pm", "upgrade-interactive", "plugin", "":
		if verb == "workspace" && len(args) > 1 {
			c.Exec(append(Lits(c.Program), args[1:]...), Run{})
		}
	default:
		if c.Program == "yarn" || c.Program == "pnpm" || c.Program == "bun" { // yarn X runs the script or program X
			if c.Model != nil && builtinRunner(verb) {
				c.Exec(c.Operands, Run{})
			}
			if c.Program == "bun" && (strings.HasSuffix(verb, ".ts") || strings.HasSuffix(verb, ".js") || strings.HasSuffix(verb, ".tsx")) {
				c.RunFile("js", c.Operands[0], Run{})
			}
		}
	}
}

// builtinRunner reports whether a name is a program that yarn and its like would run from
// node_modules, and not a script of the project.
func builtinRunner(name string) bool {
	switch name {
	case "prisma", "sequelize", "sequelize-cli", "typeorm", "knex", "drizzle-kit", "rimraf", "del-cli", "wrangler", "vercel", "netlify", "firebase", "supabase", "shx", "cross-env", "dotenv", "lerna", "serverless", "sls", "cdk", "node", "tsx", "ts-node":
		return true
	}
	return false
}

func npmConfig(c *Call, args []Word) {
	for _, w := range args {
		k, v, _ := strings.Cut(w.Text, "=")
		switch strings.ToLower(k) {
		case "registry", "script-shell", "node-options", "git", "shell", "editor", "globalconfig", "prefix", "ignore-scripts", "strict-ssl", "proxy", "https-proxy", "npmregistryserver", "npmRegistryServer", "cafile":
			t := umpire.UntrustedSource
			if strings.Contains(v, "registry.npmjs.org") || contains(args, "https://registry.npmjs.org/") || contains(args, "https://registry.npmjs.org") {
				t = 0
			}
			packages(c, "config", args, t|umpire.Mutate)
			return
		}
	}
}

// runPackage runs a program of a package, fetched if it is not there.
func runPackage(c *Call, args []Word) {
	t := fromRegistry(c, "--registry", "-i", "--index-url", "--default-index", "--index")
	for _, o := range []string{"-p", "--package", "--from", "--with"} {
		for _, w := range c.All(o) {
			t |= packageSource(c, w)
		}
	}
	packages(c, "run", args[:1], t)
	name := args[0]
	if i := strings.LastIndexByte(name.Text, '@'); i > 0 {
		name = name.With(name.Text[:i])
	}
	if strings.HasPrefix(name.Text, "@") { // @scope/cli is run by its last part
		if i := strings.LastIndexByte(name.Text, '/'); i > 0 {
			name = name.With(name.Text[i+1:])
		}
	}
	c.Exec(append([]Word{name}, args[1:]...), Run{Out: true})
}

func doNpx(c *Call) {
	if len(c.Operands) > 0 {
		runPackage(c, c.Operands)
	}
}

// doRunner is for tools with one verb that runs a program.
func doRunner(c *Call) {
	switch c.Arg(0).Text {
	case "exec", "run", "x":
		c.Exec(rest(c, 1), Run{Out: true})
	case "install", "add", "update":
		packages(c, "install", rest(c, 1), 0)
	case "config":
		if strings.Contains(Quote("", c.Args), "mirror") {
			packages(c, "config", rest(c, 1), umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

func pipInstall(c *Call, args []Word) {
	t := fromRegistry(c, "-i", "--extra-index-url", "--find-links", "-f")
	if len(c.All("--trusted-host")) > 0 {
		t |= umpire.SkipsCheck
	}
	args = append(append([]Word(nil), args...), c.All("-e")...)
	for _, w := range c.All("-r") {
		if strings.Contains(w.Text, "://") {
			t |= packageSource(c, w)
		}
	}
	packages(c, "install", args, t)
}

func doPip(c *Call) {
	verb, args := c.Arg(0).Text, rest(c, 1)
	switch verb {
	case "install", "download", "wheel", "add", "update", "sync", "lock":
		if verb != "lock" && verb != "sync" || len(args) > 0 {
			pipInstall(c, args)
		}
	case "uninstall", "remove":
		packages(c, "remove", args, 0)
	case "config":
		if len(args) > 1 && args[0].Text == "set" && (strings.Contains(args[1].Text, "index") || strings.Contains(args[1].Text, "trusted")) {
			packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
		}
	case "run":
		c.Exec(args, Run{Out: true})
	case "publish":
		packages(c, "publish", args, umpire.Upload|umpire.Mutate)
	case "cache":
	}
}

func doPipx(c *Call) {
	switch c.Arg(0).Text {
	case "run":
		if a := rest(c, 1); len(a) > 0 {
			runPackage(c, a)
		}
	case "install", "upgrade", "inject", "reinstall":
		pipInstall(c, afterVerb(c, 1))
	case "uninstall", "uninstall-all":
		packages(c, "remove", rest(c, 1), 0)
	}
}

// afterVerb is the operands after n words where options stop the parser: those that are
// no options themselves.
func afterVerb(c *Call, n int) (out []Word) {
	for _, w := range rest(c, n) {
		if !strings.HasPrefix(w.Text, "-") {
			out = append(out, w)
		}
	}
	return out
}

// afterOptions drops leading options from a command vector; those in values take a word.
func afterOptions(args []Word, values ...string) []Word {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		if args[0].Text == "--" {
			return args[1:]
		}
		n := 1
		for _, v := range values {
			if args[0].Text == v {
				n = 2
			}
		}
		args = args[min(n, len(args)):]
	}
	return args
}

func doUv(c *Call) {
	verb, args := c.Arg(0).Text, rest(c, 1)
	switch verb {
	case "run":
		args = afterOptions(args, "--with", "--from", "-p", "--python", "--extra", "--group", "--directory", "--project", "--env-file", "--index", "--index-url", "--with-requirements", "--package", "-i", "--default-index", "--extra-index-url", "--with-editable")
		if len(args) > 0 && strings.HasSuffix(args[0].Text, ".py") {
			args = append(Lits("python3"), args...)
		}
		c.Exec(args, Run{Out: true})
	case "tool":
		if len(args) > 1 && args[0].Text == "run" {
			if a := afterOptions(args[1:], "--with", "--from", "-p", "--python", "--index"); len(a) > 0 {
				runPackage(c, a)
			}
		} else if len(args) > 1 && args[0].Text == "install" {
			packages(c, "install", afterOptions(args[1:]), 0)
		}
	case "pip":
		if len(args) > 0 {
			c.Exec(append(Lits("pip"), args...), Run{Out: true})
		}
	case "add", "sync", "lock":
		packages(c, "install", afterVerb(c, 1), uvIndex(args))
	case "remove":
		packages(c, "remove", afterVerb(c, 1), 0)
	case "publish":
		packages(c, "publish", nil, umpire.Upload|umpire.Mutate)
	}
}

func uvIndex(args []Word) umpire.Trait {
	for i, w := range args {
		switch w.Text {
		case "--index", "--index-url", "--default-index", "--extra-index-url", "-i":
			if i+1 < len(args) && !strings.Contains(args[i+1].Text, "pypi.org") {
				return umpire.UntrustedSource
			}
		}
	}
	return 0
}

func doPoetry(c *Call) {
	verb, args := c.Arg(0).Text, rest(c, 1)
	switch verb {
	case "run":
		c.Exec(afterOptions(args, "-e", "--env", "-P", "-C"), Run{Out: true})
	case "add", "install", "update", "sync":
		packages(c, "install", afterVerb(c, 1), 0)
	case "remove":
		packages(c, "remove", afterVerb(c, 1), 0)
	case "publish":
		if !contains(args, "--dry-run") {
			packages(c, "publish", args, umpire.Upload|umpire.Mutate)
		}
	case "config", "source":
		if strings.Contains(Quote("", args), "://") {
			packages(c, verb, args, umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

func doConda(c *Call) {
	verb, args := c.Arg(0).Text, rest(c, 1)
	switch verb {
	case "run":
		c.Exec(afterOptions(args, "-n", "--name", "-p", "--prefix", "--cwd"), Run{Out: true})
	case "install", "create", "update", "upgrade":
		packages(c, "install", afterVerb(c, 1), 0)
	case "remove", "uninstall":
		t := umpire.Trait(0)
		if contains(args, "--all") {
			t = umpire.Bulk | umpire.Destroy
		}
		packages(c, "remove", args, t)
	case "env":
		if len(args) > 0 && args[0].Text == "remove" {
			packages(c, "remove", args, umpire.Bulk|umpire.Destroy)
		}
	}
}

func doUpload(c *Call) {
	if v := c.Arg(0).Text; v == "upload" || v == "publish" {
		packages(c, "publish", rest(c, 1), umpire.Upload|umpire.Mutate)
	}
}

func doInstallOnly(c *Call) { packages(c, "install", c.Operands, 0) }

func doCargo(c *Call) {
	ops := c.Operands
	if len(ops) > 0 && strings.HasPrefix(ops[0].Text, "+") {
		ops = ops[1:]
	}
	if len(ops) == 0 {
		return
	}
	for _, w := range c.All("--config") {
		k, v, _ := strings.Cut(w.Text, "=")
		if strings.Contains(k, "runner") || strings.Contains(k, "linker") || strings.Contains(k, "rustc-wrapper") || strings.Contains(k, "credential") {
			c.Shell(w.With(strings.Trim(v, ` "'[]`)), Run{Traits: umpire.RunsProgram})
		}
	}
	switch ops[0].Text {
	case "install", "binstall", "add":
		t := fromRegistry(c, "--index")
		for _, w := range c.All("--git") {
			t |= umpire.UntrustedSource | packageSource(c, w)
		}
		packages(c, "install", ops[1:], t)
	case "uninstall", "remove", "rm":
		packages(c, "remove", ops[1:], 0)
	case "publish":
		packages(c, "publish", ops[1:], umpire.Upload|umpire.Mutate)
	case "yank":
		packages(c, "unpublish", ops[1:], umpire.Destroy|umpire.Irreversible)
	case "owner":
		if len(c.Args) > 1 && !contains(c.Args, "--list") && !contains(c.Args, "-l") {
			packages(c, "owner", ops[1:], umpire.Mutate)
		}
	}
}

func doGo(c *Call) {
	verb, args := c.Arg(0).Text, rest(c, 1)
	switch verb {
	case "install", "get":
		packages(c, "install", args, 0)
	case "run":
		if len(args) > 0 && strings.Contains(args[0].Text, "@") {
			packages(c, "run", args[:1], 0)
		}
	case "env":
		for _, w := range args {
			k, v, ok := strings.Cut(w.Text, "=")
			if !ok {
				continue
			}
			switch k {
			case "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOINSECURE", "GOFLAGS", "CC", "CXX", "GOPRIVATE", "GONOSUMCHECK":
				if v != "direct" && !strings.Contains(v, "proxy.golang.org") || k != "GOPROXY" {
					packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
				}
			}
		}
	}
}

func doGem(c *Call) {
	verb, args := c.Arg(0).Text, rest(c, 1)
	switch verb {
	case "install", "update", "fetch", "i":
		packages(c, "install", args, fromRegistry(c, "-s"))
	case "uninstall":
		packages(c, "remove", args, 0)
	case "push":
		packages(c, "publish", args, umpire.Upload|umpire.Mutate)
	case "yank":
		packages(c, "unpublish", args, umpire.Destroy|umpire.Irreversible)
	case "owner":
		packages(c, "owner", args, umpire.Mutate)
	case "sources":
		if len(args) > 0 || c.Has("-a", "--add") {
			packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

func doComposer(c *Call) {
	verb, args := c.Arg(0).Text, rest(c, 1)
	switch verb {
	case "require", "install", "update", "create-project":
		packages(c, "install", args, fromRegistry(c, "--repository"))
	case "remove":
		packages(c, "remove", args, 0)
	case "exec":
		c.Exec(args, Run{Out: true})
	case "global":
		c.Exec(append(Lits("composer"), args...), Run{Traits: umpire.Global})
	case "config":
		if strings.Contains(Quote("", args), "://") {
			packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

// publishTask tells tasks of build tools that send what was built to others.
func publishTask(s string) bool {
	s = s[strings.LastIndexByte(s, ':')+1:]
	switch s {
	case "deploy", "publish", "release", "upload", "uploadArchives", "bintrayUpload", "perform", "publishPlugins", "closeAndReleaseRepository", "publishToSonatype", "stage-release", "publishSigned", "sonatypeRelease", "dockerPush", "jib", "clojars":
		return true
	}
	return strings.HasPrefix(s, "publish") && s != "publishToMavenLocal" && s != "publishLocal" && s != "publishM2"
}

func doMaven(c *Call)  { doBuildPublish(c) }
func doGradle(c *Call) { doBuildPublish(c) }

func doBuildPublish(c *Call) {
	for _, w := range c.Operands {
		if publishTask(w.Text) {
			packages(c, "publish", []Word{w}, umpire.Upload|umpire.Mutate)
		}
		if strings.HasPrefix(w.Text, "exec:") || strings.Contains(w.Text, "exec-maven-plugin") {
			c.Op(umpire.Exec, Quote(c.Program, c.Args), umpire.RunsProgram)
		}
	}
}

func doDotnet(c *Call) {
	verb, next := c.Arg(0).Text, c.Arg(1).Text
	switch {
	case verb == "nuget" && next == "push", verb == "push":
		packages(c, "publish", rest(c, 2), umpire.Upload|umpire.Mutate)
	case verb == "nuget" && next == "delete", verb == "delete" && c.Program == "nuget":
		packages(c, "unpublish", rest(c, 2), umpire.Destroy|umpire.Irreversible)
	case verb == "add" || verb == "tool" && next == "install" || verb == "install":
		packages(c, "install", rest(c, 2), fromRegistry(c, "-s"))
	case verb == "nuget" && next == "add", verb == "sources":
		packages(c, "config", rest(c, 1), umpire.UntrustedSource|umpire.Mutate)
	case verb == "ef" && next == "database":
		if c.Arg(2).Text == "drop" {
			c.Op(umpire.Database, Quote("drop-database", rest(c, 3)), umpire.DataStore|umpire.Irreversible|umpire.Destroy)
		}
	}
}

func doHex(c *Call) {
	switch v := c.Arg(0).Text; v {
	case "hex.publish", "publish":
		packages(c, "publish", rest(c, 1), umpire.Upload|umpire.Mutate)
	case "hex.retire", "retire":
		packages(c, "unpublish", rest(c, 1), umpire.Destroy|umpire.Irreversible)
	case "ecto.drop", "ecto.reset", "ecto.rollback":
		t := umpire.DataStore | umpire.Irreversible | umpire.Destroy
		if v == "ecto.rollback" {
			t = umpire.Mutate
		}
		c.Op(umpire.Database, "drop-database "+v, t)
	case "archive.install", "escript.install":
		packages(c, "install", rest(c, 1), 0)
	}
}

func doOtherManager(c *Call) {
	switch v := c.Arg(0).Text; v {
	case "install", "add", "get", "update", "upgrade", "-i":
		packages(c, "install", rest(c, 1), fromRegistry(c, "--server", "--source"))
	case "remove", "uninstall":
		packages(c, "remove", rest(c, 1), 0)
	case "upload", "publish", "push":
		packages(c, "publish", rest(c, 1), umpire.Upload|umpire.Mutate)
	default:
		if c.Program == "cpanm" || c.Program == "cpan" {
			packages(c, "install", c.Operands, 0)
		}
		if (c.Program == "opam" || c.Program == "cabal" || c.Program == "stack") && v == "exec" {
			c.Exec(rest(c, 1), Run{Out: true})
		}
	}
}

// essential tells packages without which the system does not start or cannot be reached.
func essential(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, "=")
	switch name {
	case "libc6", "glibc", "bash", "dash", "coreutils", "systemd", "systemd-sysv", "init", "dpkg", "apt", "rpm", "dnf", "yum", "pacman", "sudo", "openssh-server", "openssh", "login", "util-linux", "base-files", "linux-base", "grub", "grub2", "grub-pc", "kernel", "filesystem", "network-manager", "NetworkManager", "ca-certificates", "python3", "perl-base", "libssl3", "musl", "busybox", "udev", "dbus", "*", "^.*", ".*":
		return true
	}
	return strings.HasPrefix(name, "linux-image") || strings.HasPrefix(name, "linux-generic") || strings.HasPrefix(name, "kernel-")
}

func doSystemPackages(c *Call) {
	verb, args := strings.ToLower(c.Arg(0).Text), rest(c, 1)
	t := umpire.Global
	switch c.Program {
	case "pacman", "yay", "paru":
		verb, args = pacmanVerb(c), c.Operands
	case "emerge":
		verb, args = "install", c.Operands
		if c.Has("-C", "--unmerge", "-c", "--depclean") {
			verb = "remove"
		} else if c.Has("-s", "--search", "-p", "--pretend") {
			return
		}
	case "pkg_add", "xbps-install", "urpmi":
		verb, args = "install", c.Operands
	case "pkg_delete", "xbps-remove":
		verb, args = "remove", c.Operands
	case "nix-env":
		args = c.Operands
		switch {
		case c.Has("-e", "--uninstall"):
			verb = "remove"
		case c.Has("-i", "--install", "-u", "--upgrade"):
			verb = "install"
		default:
			return
		}
	case "nix":
		switch verb {
		case "run", "shell", "develop":
			packages(c, "run", args, 0)
			return
		case "profile":
			if len(args) > 0 {
				verb, args = args[0].Text, args[1:]
			}
		case "store", "collect-garbage":
			return
		}
	case "brew":
		t = 0
	}
	switch verb {
	case "install", "add", "reinstall", "localinstall", "groupinstall", "build-dep", "in", "tap", "refresh", "swap", "-i", "ensure", "bundle-add", "instal":
		if verb == "tap" {
			t |= umpire.UntrustedSource
			if len(args) == 0 {
				return
			}
		}
		packages(c, "install", args, t)
	case "upgrade", "full-upgrade", "dist-upgrade", "dup", "system-upgrade", "up", "update-all", "distro-sync", "rebase", "patch":
		packages(c, "upgrade", args, t|umpire.Bulk)
	case "update", "makecache", "check-update", "ref":
		if c.Program == "brew" || strings.HasPrefix(c.Program, "apt") || c.Program == "apk" || verb != "update" {
			return
		}
		packages(c, "upgrade", args, t|umpire.Bulk)
	case "remove", "purge", "erase", "del", "uninstall", "rm", "autoremove", "autopurge", "groupremove", "delete", "zap", "deinstall":
		for _, w := range args {
			if essential(w.Text) {
				t |= umpire.Irreversible | umpire.Destroy
			}
		}
		if verb == "autoremove" {
			t |= umpire.Bulk
		}
		packages(c, "remove", args, t)
	case "addrepo", "ar", "config-manager", "copr", "remote-add", "source", "bucket", "feature", "edit-sources", "add-repository":
		if len(args) > 0 && args[0].Text != "list" {
			packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate|umpire.Global)
		}
	case "services":
		if len(args) > 0 {
			service(c, args[0].Text, rest(c, 2))
		}
	case "run":
		if c.Program == "flatpak" || c.Program == "snap" {
			packages(c, "run", args, 0)
		}
	}
}

// pacmanVerb reads pacman's verbs, which are letters.
func pacmanVerb(c *Call) string {
	for _, w := range c.Args {
		if !strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "--") {
			continue
		}
		switch w.Text[1] {
		case 'S':
			if strings.ContainsAny(w.Text[2:], "siclgp") {
				return ""
			}
			if strings.Contains(w.Text[2:], "u") {
				return "upgrade"
			}
			return "install"
		case 'U':
			return "install"
		case 'R':
			return "remove"
		}
	}
	return ""
}

func doDpkg(c *Call) {
	t := umpire.Global
	switch {
	case c.Program == "dpkg" && c.Has("-c", "-I", "-l", "-L", "-S", "-s") || c.Has("-q"):
		return
	case c.Has("-r", "-P") || c.Program == "rpm" && c.Has("-e"):
		for _, w := range c.Operands {
			if essential(w.Text) {
				t |= umpire.Irreversible | umpire.Destroy
			}
		}
		if c.Has("--force-all", "--force-depends") {
			t |= umpire.Force
		}
		packages(c, "remove", c.Operands, t)
	case c.Has("-i"):
		packages(c, "install", c.Operands, t)
	case c.Has("--import"):
		packages(c, "config", c.Operands, umpire.UntrustedSource|umpire.Mutate)
	}
}

func doRepository(c *Call) {
	if v := c.Arg(0).Text; v == "list" || v == "finger" || c.Has("-l", "--list") {
		return
	}
	packages(c, "config", c.Operands, umpire.UntrustedSource|umpire.Mutate|umpire.Global)
}

func doMacInstaller(c *Call) {
	if c.Program == "installer" || c.Arg(0).Text == "install" || c.Has("-i") {
		packages(c, "install", c.Operands, umpire.Global)
	}
}

func doMake(c *Call) {
	for _, w := range c.All("-f") {
		if w.Text == "-" || w.Text == "/dev/stdin" {
			makefile(c, c.Stdin)
			continue
		}
		if s := c.File(w); s.Seen {
			makefile(c, s)
		}
	}
	for _, w := range c.All("--eval") {
		makefile(c, Stream{Text: w.Text, Seen: w.Known(), Taint: w.Taint, Pipe: true})
	}
	for _, w := range c.Operands { // SHELL=./x make runs everything by it
		if v, ok := strings.CutPrefix(w.Text, "SHELL="); ok {
			c.Op(umpire.Exec, v, umpire.RunsProgram)
		}
	}
}

// makefile reads the recipes of a makefile, and what it runs while it is read.
func makefile(c *Call, s Stream) {
	if !s.Seen {
		if s.Pipe {
			c.Script("sh", s, Run{Via: "make"})
		}
		return
	}
	for line := range strings.SplitSeq(s.Text, "\n") {
		if i := strings.Index(line, "$(shell "); i >= 0 {
			if end := strings.LastIndexByte(line, ')'); end > i {
				c.Shell(Word{Text: line[i+len("$(shell ") : end], Taint: s.Taint}, Run{})
			}
		}
		recipe, ok := strings.CutPrefix(line, "\t")
		if !ok {
			if i := strings.IndexByte(line, ';'); i > 0 && strings.Contains(line[:i], ":") {
				recipe, ok = line[i+1:], true
			}
		}
		if ok {
			c.Shell(Word{Text: strings.ReplaceAll(strings.TrimLeft(recipe, "@-+ \t"), "$$", "$"), Taint: s.Taint}, Run{})
		}
	}
}

func doCmake(c *Call) {
	if c.Has("-E") { // cmake -E rm and its like
		ops := c.Operands
		if len(ops) == 0 {
			return
		}
		switch ops[0].Text {
		case "rm", "remove", "remove_directory":
			for _, w := range ops[1:] {
				if !strings.HasPrefix(w.Text, "-") {
					c.Delete(w, umpire.Recursive|umpire.Force)
				}
			}
		case "env", "time":
			a := ops[1:]
			for len(a) > 0 && strings.Contains(a[0].Text, "=") {
				a = a[1:]
			}
			c.Exec(a, Run{Out: true})
		case "chdir":
			if len(ops) > 2 {
				c.Exec(ops[2:], Run{Dir: &ops[1], Out: true})
			}
		}
	}
}
