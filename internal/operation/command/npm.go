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
	args := WordsAfter(c, 1)
	if c.Program == "pnpm" && verb == "recursive" || c.Program == "pnpm" && verb == "multi" {
		verb, args = c.Arg(1).Text, WordsAfter(c, 2)
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
		Packages(c, "remove", args, 0)
	case "publish", "pub":
		if w, ok := c.Opt("--registry"); ok && parseAddress(w.Text).local() {
			return
		}
		Packages(c, "publish", args, umpire.Upload|umpire.Mutate|t)
		if !c.Has("--ignore-scripts") {
			PackageScripts(c, "package.json", nil, "prepublishOnly", "pack", "prepare", "publish")
		}
	case "unpublish":
		Packages(c, "unpublish", args, umpire.Destroy|umpire.Irreversible)
	case "deprecate", "undeprecate", "owner", "access", "dist-tag", "team", "org", "hook", "token", "profile", "adduser", "star", "tag":
		npmAccount(c, verb, args)
	case "exec", "x", "dlx":
		npmExec(c, args)
	case "run", "run-script", "rum", "urn":
		if len(args) > 0 {
			PackageScripts(c, "package.json", afterDashes(args[1:]), args[0].Text)
		}
	case "pack", "version", "rebuild":
		if verb == "rebuild" {
			verb = "install"
		}
		PackageScripts(c, "package.json", nil, verb, "prepare")
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
			Packages(c, "create", args, t)
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
	if text, ok := ConfigValue(c, "-c", "--call"); ok && c.Program == "npm" {
		c.Shell(Lit(text), Run{Out: true, Env: Binaries(c, ".")})
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
		PackageScripts(c, "package.json", nil, "stop", "start")
	}
	PackageScripts(c, "package.json", afterDashes(args), verb)
	if verb == "start" && c.Program == "npm" { // npm's default for start
		if f, ok := c.StartedFile("package.json"); ok && f.Tree(datafile.JSON).Get("scripts", "start") == nil {
			StartsFile(c, "js", "server.js")
		}
	}
}

// npmAccount reads verbs that change a package or an account at the registry.
func npmAccount(c *Call, verb string, args []Word) {
	if len(args) == 0 || verb == "deprecate" || verb == "undeprecate" {
		if verb == "deprecate" || verb == "undeprecate" {
			Packages(c, verb, args, umpire.Mutate)
		}
		return
	}
	switch args[0].Text {
	case "ls", "list", "get":
	default:
		Packages(c, verb, args, umpire.Mutate)
	}
}

// npmWorkspaces reads verbs that run scripts in some cases, and otherwise lead to no operation.
func npmWorkspaces(c *Call, verb string, args []Word) {
	if verb == "workspace" && len(args) > 1 {
		if args[1].Text == "run" && len(args) > 2 {
			args = args[1:]
		}
		PackageScripts(c, "package.json", args[2:], args[1].Text)
		c.Exec(append(Lits(c.Program), args[1:]...), Run{})
	}
	if verb == "workspaces" && len(args) > 0 {
		if args[0].Text == "foreach" { // it runs yarn in each of them
			c.Exec(append(Lits(c.Program), c.wordsFrom(2)...), Run{})
		}
		PackageScripts(c, "package.json", nil, args[len(args)-1].Text)
	}
	if verb == "" && c.Program == "yarn" { // yarn without a verb installs
		PackageScripts(c, "package.json", nil, "install", "prepare")
		localPackages(c)
	}
}

// npmInstall reads an installation, and the scripts of the project that it starts.
func npmInstall(c *Call, verb string, args []Word, t umpire.Trait) {
	Packages(c, "install", args, t)
	if !c.Has("--ignore-scripts") && !c.Has("-g") {
		if verb != "update" && verb != "up" && len(args) == 0 {
			PackageScripts(c, "package.json", nil, "install", "prepublish", "prepare")
			localPackages(c)
		}
		if verb == "install-test" || verb == "it" {
			PackageScripts(c, "package.json", nil, "test")
		}
		StartsFile(c, "js", ".pnpmfile.cjs")
		gypCommands(c)
	}
}

// afterDashes removes a "--" before arguments of another program.
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
			if strings.Contains(v, "registry.npmjs.org") || HasText(args, "https://registry.npmjs.org/") || HasText(args, "https://registry.npmjs.org") {
				t = 0
			}
			Packages(c, "config", args, t|umpire.Mutate)
			return
		}
	}
}

// runPackage runs a package's program, as npx does: npx fetches the package if it is missing.
func runPackage(c *Call, args []Word) {
	t := fromRegistry(c, "--registry", "-i", "--index-url", "--default-index", "--index")
	names := args[:1:1]
	for _, o := range []string{"-p", "--package", "--from", "--with"} {
		for _, w := range c.All(o) {
			for name := range strings.SplitSeq(w.Text, ",") {
				names = append(names, w.With(name))
			}
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
	Packages(c, "run", names, t)
	if installed {
		run.Env = Binaries(c, ".")
	} else if f, ok := c.StartedFile("package.json"); ok && strings.Contains(f.Text, `"bin"`) { // the project's own program comes first
		t := f.Tree(datafile.JSON)
		if file := cmp.Or(t.Str("bin", name.Text), t.Str("bin")); file != "" && (t.Str("bin", name.Text) != "" || LastName(t.Str("name")) == name.Text) {
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
		Packages(c, "install", WordsAfter(c, 1), 0)
	case "config":
		for i, w := range c.Operands[:max(len(c.Operands)-1, 0)] { // bundle config set editor vim
			if NamesCommand(w.Text) {
				c.Shell(c.Operands[i+1], Run{})
			}
		}
		if strings.Contains(Quote("", c.Args), "mirror") {
			Packages(c, "config", WordsAfter(c, 1), umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

// npmScript reads a verb that npm does not define: yarn, pnpm and bun run the script or program of
// that name.
func npmScript(c *Call, verb string, args []Word) {
	if c.Program != "yarn" && c.Program != "pnpm" && c.Program != "bun" {
		return
	}
	PackageScripts(c, "package.json", afterDashes(args), verb)
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
	f, _ := c.StartedFile("binding.gyp")
	n := 0
	for line := range strings.Lines(f.Text) {
		n++
		for _, part := range strings.Split(strings.ReplaceAll(line, "<!@(", "<!("), "<!(")[1:] {
			f.Run(n, part[:Closing(part)], Run{})
		}
		for _, key := range [...]string{`"action"`, "'action'"} {
			if _, action, ok := strings.Cut(line, key); ok {
				f.Exec(n, QuotedWords(strings.TrimLeft(action, ": ")), Run{})
			}
		}
	}
}
