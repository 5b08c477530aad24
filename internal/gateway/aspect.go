package gateway

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// aspects are the single things that operations are about: each branch that is pushed and each
// package that is installed. git(BRANCH), packages(NAME) and packages(npm install NAME) speak
// about these.
func aspects(ops []umpire.Operation) (out []umpire.Operation) {
	for _, op := range ops {
		words := strings.Fields(op.Resource)
		add := func(resources ...string) {
			for _, r := range resources {
				if r != "" && r != op.Resource {
					one := op
					one.Resource = r
					out = append(out, one)
				}
			}
		}
		switch {
		case op.Kind == umpire.Git && len(words) > 2 && words[0] == "push":
			rest := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
			for _, w := range rest[min(1, len(rest)):] { // the first is the remote
				_, to, ok := strings.Cut(w, ":")
				if !ok {
					to = w
				}
				add(strings.TrimPrefix(strings.TrimPrefix(to, "+"), "refs/heads/"))
			}
		case op.Kind == umpire.Packages && len(words) > 2:
			for _, w := range words[2:] {
				if strings.HasPrefix(w, "-") {
					continue
				}
				add(w, words[0]+" "+words[1]+" "+w)
				if bare := plainName(w); bare != w {
					add(bare, words[0]+" "+words[1]+" "+bare)
				}
			}
		}
	}
	return out
}

// plainName is a package without its version.
func plainName(name string) string {
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	if i := strings.IndexAny(name, "=<>~![;"); i > 0 {
		name = name[:i]
	}
	return name
}

// byAspects decides by rules about single branches and packages: one that denies any of them
// denies the request, and where every one is allowed, so is the request.
func byAspects(plan Plan, a *umpire.Action, ops []umpire.Operation, d umpire.Decision, pol *policy.Policy) umpire.Decision {
	list := aspects(ops)
	for i := range list {
		if one := pol.Decide(a, list[i:i+1]); one.Explicit && one.Effect == umpire.Deny {
			return one
		}
	}
	q, ok := plan.(parted)
	if d.Explicit || d.Effect == umpire.Deny || !ok {
		return d
	}
	each := q.parts()
	if len(each) == 0 {
		return d
	}
	all := umpire.Decision{Effect: umpire.Allow, Explicit: true}
	for _, name := range each {
		i := slices.IndexFunc(list, func(op umpire.Operation) bool {
			if plain := plainName(name); op.Resource != name && op.Resource != plain && !strings.HasSuffix(op.Resource, " "+name) && !strings.HasSuffix(op.Resource, " "+plain) {
				return false
			}
			one := pol.Decide(a, []umpire.Operation{op})
			if one.Explicit && one.Effect == umpire.Allow {
				all.Reasons = append(all.Reasons, one.Reasons...)
				return true
			}
			return false
		})
		if i < 0 {
			return d
		}
	}
	return all
}

// runsCode reports whether programs run code from a file of this name, or agents obey it,
// as soon as somebody works in its folder.
func runsCode(file string) bool {
	low := strings.ToLower(path.Clean(file))
	base := path.Base(low)
	for _, dir := range []string{".github", ".gitlab", ".circleci", ".buildkite", ".vscode", ".idea", ".devcontainer", ".husky", ".cargo", ".cursor", ".claude", ".codex", ".gemini", ".bundle", ".mvn", ".yarn", ".zed", ".fleet", ".direnv"} {
		if slices.Contains(strings.Split(path.Dir(low), "/"), dir) {
			return true
		}
	}
	if codeNames()[base] {
		return true
	}
	for _, p := range []string{"*.config.js", "*.config.ts", "*.config.mjs", "*.config.cjs", "*.config.mts", "*.mk", "*.pth", ".eslintrc*", ".babelrc*", ".prettierrc*", ".stylelintrc*", ".mocharc*", ".lintstagedrc*",
		"dockerfile*", "*.dockerfile", "makefile.*", "docker-compose*", "compose.y*ml", ".gitlab-ci*", "jenkinsfile*", "*.gradle", "*.gradle.kts", "*.gemspec", "*.podspec", "*.csproj", "*.vbproj", "*.fsproj", "*.props", "*.targets", "*.sln", "tsconfig*.json",
		"gulpfile.*", "gruntfile.*", "rollup.*", "webpack.*", ".goreleaser*", "*.code-workspace", "*.nix", "*.cmake", "*.bazel", "*.bzl", ".env", ".env.*", "noxfile*", "*.tf", "*.plist", "*.service", "*.desktop"} {
		if ok, _ := path.Match(p, base); ok {
			return true
		}
	}
	return false
}

// codeNames are names of files that runsCode knows, in lower case.
var codeNames = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, list := range buildFiles {
		for _, name := range list {
			out[strings.ToLower(path.Base(name))] = true
		}
	}
	for _, name := range strings.Fields(`.envrc .gitattributes .gitmodules .gitconfig .npmrc .yarnrc .pypirc .condarc .curlrc .wgetrc .netrc .inputrc .vimrc .exrc .nvimrc .gdbinit .lldbinit .pryrc .irbrc .rspec .rubocop.yml
		.bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .tmux.conf .tool-versions .mise.toml .nvmrc .node-version .python-version .ruby-version
		claude.md agents.md gemini.md agent.md codex.md .cursorrules .windsurfrules .clinerules .goosehints .aider.conf.yml copilot-instructions.md .mcp.json mcp.json
		sitecustomize.py usercustomize.py conftest.py setup.py setup.cfg manage.py tasks.py fabfile.py wscript sconstruct sconscript
		.pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .overcommit.yml .lintstagedrc gradlew gradlew.bat mvnw mvnw.cmd configure configure.ac bootstrap autogen.sh .travis.yml appveyor.yml azure-pipelines.yml
		bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml .drone.yml wercker.yml procfile app.json vercel.json netlify.toml fly.toml skaffold.yaml tiltfile brewfile cargo.toml build.rs rust-toolchain rust-toolchain.toml .rustfmt.toml
		go.mod go.work package.swift project.clj deps.edn build.boot dune-project rebar.config mix.exs stack.yaml cabal.project build.sbt composer.json gemfile podfile pubspec.yaml deno.json deno.jsonc bunfig.toml .swcrc lerna.json
		.editorconfig .luarc.json .dir-locals.el .emacs.d init.lua global.json nuget.config directory.build.props directory.build.targets meson.build build.zig`) {
		out[name] = true
	}
	return out
})

// onlyWide reports whether a change to a file that programs run or agents obey is let through
// by a rule or mode that does not name it: a stranger of the same folder would pass as well.
func (g *Gateway) onlyWide(a *umpire.Action, ops []umpire.Operation, pol *policy.Policy) (file string) {
	for _, op := range ops {
		if op.Kind != umpire.Write && op.Kind != umpire.Delete || !runsCode(strings.TrimPrefix(op.Resource, g.root+"/")) {
			continue
		}
		stranger := op
		stranger.Resource, stranger.Places, stranger.Source = path.Join(path.Dir(op.Resource), "no-such-name.x7q"), op.Places&umpire.PlaceInWorkspace, ""
		d := pol.Decide(a, []umpire.Operation{stranger})
		if named := pol.Decide(a, []umpire.Operation{op}); d.Explicit && d.Effect == umpire.Allow && len(d.Reasons) >= len(named.Reasons) || !named.Explicit {
			return op.Resource
		}
	}
	return ""
}
