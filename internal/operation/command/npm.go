package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

func doNpm(c *Call) {
	verb := c.Arg(0).Text
	args := rest(c, 1)
	if c.Program == "pnpm" && verb == "recursive" || c.Program == "pnpm" && verb == "multi" {
		verb, args = c.Arg(1).Text, rest(c, 2)
	}
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
		npmInstall(c, verb, args, t)
	case "uninstall", "un", "remove", "rm", "r", "unlink", "prune", "dedupe":
		packages(c, "remove", args, 0)
	case "publish", "pub":
		if w, ok := c.Opt("--registry"); ok && parseAddress(w.Text).local() {
			return
		}
		packages(c, "publish", args, umpire.Upload|umpire.Mutate|t)
		if !c.Has("--ignore-scripts") {
			packageScripts(c, "package.json", nil, "prepublishOnly", "pack", "prepare", "publish")
		}
	case "unpublish":
		packages(c, "unpublish", args, umpire.Destroy|umpire.Irreversible)
	case "deprecate", "undeprecate", "owner", "access", "dist-tag", "team", "org", "hook", "token", "profile", "adduser", "star", "tag":
		npmAccount(c, verb, args)
	case "exec", "x", "dlx":
		npmExec(c, args)
	case "run", "run-script", "rum", "urn":
		if len(args) > 0 {
			packageScripts(c, "package.json", afterDashes(args[1:]), args[0].Text)
		}
	case "pack", "version", "rebuild":
		if verb == "rebuild" {
			verb = "install"
		}
		packageScripts(c, "package.json", nil, verb, "prepare")
	case "test", "t", "tst", "start", "stop", "restart", "build", "dev", "lint":
		npmLifecycle(c, verb, args)
	case "config", "c", "set":
		if len(args) > 0 && (args[0].Text == "set" || verb == "set") {
			npmConfig(c, args)
		}
		if len(args) > 1 && args[0].Text == "get" && strings.Contains(strings.ToLower(args[1].Text), "auth") {
			c.Emit(umpire.Operation{Kind: umpire.Read, Resource: c.Program + "-token", Places: umpire.PlaceCredentials, Traits: c.Traits})
			c.Taints(FromSecret)
		}
	case "create", "init", "innit":
		if len(args) > 0 {
			packages(c, "create", args, t)
		}
	case "pkg":
		if c.Arg(1).Text == "set" {
			defineScripts(c, "package.json", args[1:])
		}
	case "set-script":
		if len(args) > 1 {
			c.Define(manifestKey("package.json", args[0].Text), args[1])
		}
	case "root", "bin":
		if !c.Has("-g") {
			c.SetOut(Text(map[string]string{"root": "node_modules\n", "bin": "node_modules/.bin\n"}[verb]))
		}
	case "cache":
	case "login", "logout", "whoami", "view", "info", "show", "ls", "list", "outdated", "audit", "why", "explain", "fund", "doctor", "ping", "search", "diff", "prefix", "help", "docs", "repo", "bugs", "completion", "query", "sbom", "licenses", "store", "env", "workspace", "workspaces", "constraints", "dedup", "patch", "patch-commit", "pm", "upgrade-interactive", "plugin", "":
		npmWorkspaces(c, verb, args)
	default:
		npmScript(c, verb, args)
	}
}

// npmExec runs the command or the package that npm exec and its like name.
func npmExec(c *Call, args []Word) {
	if text, ok := configValue(c, "-c", "--call"); ok && c.Program == "npm" {
		c.Shell(Lit(text), Run{Out: true, Env: binaries(c, ".")})
		return
	}
	if c.Program != "npm" && c.Program != "cnpm" { // only npm reads options after the name as its own
		args = c.wordsFrom(len(c.Operands) - len(args))
	}
	args = afterDashes(args)
	if len(args) == 1 && strings.ContainsAny(args[0].Text, " \t") { // yarn exec "rm -rf build"
		c.Shell(args[0], Run{Out: true})
		return
	}
	if len(args) > 0 {
		runPackage(c, args)
	}
}

// npmLifecycle runs a script that has a sub-command of its own.
func npmLifecycle(c *Call, verb string, args []Word) {
	if verb == "t" || verb == "tst" {
		verb = "test"
	}
	if verb == "restart" {
		packageScripts(c, "package.json", nil, "stop", "start")
	}
	packageScripts(c, "package.json", afterDashes(args), verb)
	if verb == "start" && c.Program == "npm" { // npm's default for start
		if f, ok := c.startedFile("package.json"); ok && f.tree(datafile.JSON).Get("scripts", "start") == nil {
			startsFile(c, "js", "server.js")
		}
	}
}

// npmAccount reads verbs that change a package or an account at the registry.
func npmAccount(c *Call, verb string, args []Word) {
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
}

// npmWorkspaces reads verbs that run scripts in some cases, and otherwise lead to no operation.
func npmWorkspaces(c *Call, verb string, args []Word) {
	if verb == "workspace" && len(args) > 1 {
		if args[1].Text == "run" && len(args) > 2 {
			args = args[1:]
		}
		packageScripts(c, "package.json", args[2:], args[1].Text)
		c.Exec(append(Lits(c.Program), args[1:]...), Run{})
	}
	if verb == "workspaces" && len(args) > 0 {
		packageScripts(c, "package.json", nil, args[len(args)-1].Text)
	}
	if verb == "" && c.Program == "yarn" { // yarn without a verb installs
		packageScripts(c, "package.json", nil, "install", "prepare")
		localPackages(c)
	}
}

// npmInstall reads an installation, and the scripts of the project that it starts.
func npmInstall(c *Call, verb string, args []Word, t umpire.Trait) {
	packages(c, "install", args, t)
	if !c.Has("--ignore-scripts") && !c.Has("-g") {
		if verb != "update" && verb != "up" && len(args) == 0 {
			packageScripts(c, "package.json", nil, "install", "prepublish", "prepare")
			localPackages(c)
		}
		if verb == "install-test" || verb == "it" {
			packageScripts(c, "package.json", nil, "test")
		}
		startsFile(c, "js", ".pnpmfile.cjs")
		gypCommands(c)
	}
}

// afterDashes removes the "--" that separates a script's arguments from npm's.
func afterDashes(ws []Word) []Word {
	if len(ws) > 0 && ws[0].Text == "--" {
		return ws[1:]
	}
	return ws
}

// builtinRunner reports whether a name is a common program of node_modules, which yarn, pnpm or bun
// run by its name alone.
func builtinRunner(name string) bool {
	return anyof.Equal(name, "prisma", "sequelize", "sequelize-cli", "typeorm", "knex", "drizzle-kit", "rimraf", "del-cli", "wrangler", "vercel", "netlify", "firebase", "supabase", "shx", "cross-env", "dotenv", "lerna", "serverless", "sls", "cdk", "node", "tsx", "ts-node")
}

func npmConfig(c *Call, args []Word) {
	for _, w := range args {
		k, v, _ := strings.Cut(w.Text, "=")
		if anyof.Equal(strings.ToLower(k), "registry", "script-shell", "node-options", "git", "shell", "editor", "globalconfig", "prefix", "ignore-scripts", "strict-ssl", "proxy", "https-proxy", "npmregistryserver", "cafile") {
			if slices.ContainsFunc(args, func(w Word) bool { return parseAddress(strings.TrimPrefix(w.Text, k+"=")).local() }) && strings.HasSuffix(strings.ToLower(k), "registry") {
				return
			}
			t := umpire.UntrustedSource
			if strings.Contains(v, "registry.npmjs.org") || contains(args, "https://registry.npmjs.org/") || contains(args, "https://registry.npmjs.org") {
				t = 0
			}
			packages(c, "config", args, t|umpire.Mutate)
			return
		}
	}
}

// runPackage runs a package's program, as npx does: npx fetches the package if it is missing.
func runPackage(c *Call, args []Word) {
	t := fromRegistry(c, "--registry", "-i", "--index-url", "--default-index", "--index")
	for _, o := range []string{"-p", "--package", "--from", "--with"} {
		for _, w := range c.All(o) {
			t |= packageSource(c, w)
		}
	}
	name := args[0]
	if i := strings.LastIndexByte(name.Text, '@'); i > 0 {
		name = name.With(name.Text[:i])
	}
	if strings.HasPrefix(name.Text, "@") { // @scope/cli is run by its last part
		if i := strings.LastIndexByte(name.Text, '/'); i > 0 {
			name = name.With(name.Text[i+1:])
		}
	}
	run := Run{Out: true}
	installed := !strings.ContainsAny(name.Text, "/ ") && c.Host.Exists(Lit("node_modules/.bin/"+name.Text))
	if !installed { // it is fetched
		t |= c.registries()
	}
	packages(c, "run", args[:1], t)
	if installed {
		run.Env = binaries(c, ".")
	} else if f, ok := c.startedFile("package.json"); ok && strings.Contains(f.Text, `"bin"`) { // the project's own program comes first
		t := f.tree(datafile.JSON)
		if file := cmp.Or(t.Str("bin", name.Text), t.Str("bin")); file != "" && (t.Str("bin", name.Text) != "" || lastName(t.Str("name")) == name.Text) {
			c.RunFile("js", Lit(file), Run{Args: args[1:], Origin: "package.json", Task: true})
			return
		}
	}
	c.Exec(append([]Word{name}, args[1:]...), run)
}

func doNpx(c *Call) {
	if len(c.Operands) > 0 {
		runPackage(c, c.Operands)
	}
}

// doRunner reads tools with a verb that runs another program.
func doRunner(c *Call) {
	switch c.Arg(0).Text {
	case "exec", "run", "x":
		c.Exec(c.wordsFrom(1), Run{Out: true})
	case "install", "add", "update":
		packages(c, "install", rest(c, 1), 0)
	case "config":
		if strings.Contains(Quote("", c.Args), "mirror") {
			packages(c, "config", rest(c, 1), umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

// npmScript reads a verb that npm does not define: yarn, pnpm and bun run the script or program of
// that name.
func npmScript(c *Call, verb string, args []Word) {
	if c.Program != "yarn" && c.Program != "pnpm" && c.Program != "bun" {
		return
	}
	packageScripts(c, "package.json", afterDashes(args), verb)
	if c.Model != nil && builtinRunner(verb) {
		c.Exec(c.Operands, Run{})
	} else if c.Host.Exists(Lit("node_modules/.bin/" + verb)) {
		runBinary(c, verb, args)
	}
	if c.Program == "bun" && (strings.HasSuffix(verb, ".ts") || strings.HasSuffix(verb, ".js") || strings.HasSuffix(verb, ".tsx")) {
		c.RunFile("js", c.Operands[0], Run{})
	}
}

// gypCommands runs the commands in binding.gyp, which the build of a native module runs.
func gypCommands(c *Call) {
	f, _ := c.startedFile("binding.gyp")
	n := 0
	for line := range strings.Lines(f.Text) {
		n++
		for _, part := range strings.Split(strings.ReplaceAll(line, "<!@(", "<!("), "<!(")[1:] {
			f.run(n, part[:closing(part)], Run{})
		}
		for _, key := range [...]string{`"action"`, "'action'"} {
			if _, action, ok := strings.Cut(line, key); ok {
				f.exec(n, quotedWords(strings.TrimLeft(action, ": ")), Run{})
			}
		}
	}
}
