package gateway

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// runsCode reports whether programs run code from a file of this name, or agents obey it, as soon
// as someone works in its folder.
func runsCode(file string) bool {
	low := strings.ToLower(path.Clean(file))
	base := path.Base(low)
	for _, dir := range []string{".github", ".gitlab", ".circleci", ".buildkite", ".vscode", ".idea", ".devcontainer", ".husky", ".cargo", ".cursor", ".claude", ".codex", ".gemini", ".bundle", ".mvn", ".yarn", ".zed", ".fleet", ".direnv", ".hg", ".jj"} {
		if slices.Contains(strings.Split(path.Dir(low), "/"), dir) {
			return true
		}
	}
	if codeNames()[base] {
		return true
	}
	return slices.ContainsFunc([]string{"*.config.js", "*.config.ts", "*.config.mjs", "*.config.cjs", "*.config.mts", "*.mk", "*.pth", ".eslintrc*", ".babelrc*", ".prettierrc*", ".stylelintrc*", ".mocharc*", ".lintstagedrc*",
		"dockerfile*", "*.dockerfile", "makefile.*", "docker-compose*", "compose.y*ml", ".gitlab-ci*", "jenkinsfile*", "*.gradle", "*.gradle.kts", "*.gemspec", "*.podspec", "*.csproj", "*.vbproj", "*.fsproj", "*.props", "*.targets", "*.sln", "tsconfig*.json",
		"gulpfile.*", "gruntfile.*", "rollup.*", "webpack.*", ".goreleaser*", "*.code-workspace", "*.nix", "*.cmake", "*.bazel", "*.bzl", ".env", ".env.*", "noxfile*", "*.tf", "*.plist", "*.service", "*.desktop"}, func(p string) bool {
		ok, _ := path.Match(p, base)
		return ok
	})
}

// codeNames returns the file names, in lower case, for which runsCode reports true.
var codeNames = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`gnumakefile makefile package.json .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml turbo.json nx.json config.toml config justfile .justfile taskfile.yml taskfile.yaml
		rakefile rakefile.rb magefile.go pyproject.toml tox.ini pytest.ini noxfile.py uv.toml gradle.properties gradle-wrapper.properties pom.xml jvm.config maven.config extensions.xml build.xml plugins.sbt
		cmakelists.txt cmakepresets.json build.ninja build build.bazel workspace workspace.bazel module.bazel .bazelrc dockerfile containerfile docker-bake.hcl earthfile vagrantfile packer.json mise.toml ansible.cfg
		.envrc .gitattributes .gitmodules .gitconfig .npmrc .yarnrc .pypirc .condarc .curlrc .wgetrc .netrc .inputrc .vimrc .exrc .nvimrc .gdbinit .lldbinit .rprofile .perlcriticrc .pryrc .irbrc .rspec .rubocop.yml
		.bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .tmux.conf .tool-versions .mise.toml .nvmrc .node-version .python-version .ruby-version
		claude.md agents.md gemini.md agent.md codex.md .cursorrules .windsurfrules .clinerules .goosehints .aider.conf.yml copilot-instructions.md .mcp.json mcp.json
		sitecustomize.py usercustomize.py conftest.py setup.py setup.cfg manage.py tasks.py fabfile.py dodo.py wscript sconstruct sconscript
		.pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .overcommit.yml .lintstagedrc gradlew gradlew.bat mvnw mvnw.cmd configure configure.ac bootstrap autogen.sh .travis.yml appveyor.yml azure-pipelines.yml
		bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml .drone.yml wercker.yml procfile app.json vercel.json netlify.toml fly.toml skaffold.yaml tiltfile brewfile cargo.toml build.rs rust-toolchain rust-toolchain.toml .rustfmt.toml
		go.mod go.work package.swift project.clj deps.edn build.boot dune-project rebar.config mix.exs stack.yaml cabal.project build.sbt composer.json gemfile podfile pubspec.yaml deno.json deno.jsonc bunfig.toml .swcrc lerna.json
		.editorconfig .golangci.yml .sops.yaml environment.yml poetry.toml .luarc.json .dir-locals.el .emacs.d init.lua global.json nuget.config directory.build.props directory.build.targets meson.build build.zig`) {
		out[name] = true
	}
	return out
})

// onlyWide returns a file that programs run or agents obey, if the change to it passes only by a
// rule or mode that does not name it. The adversary adds such a file to the ones that the person
// meant. It returns "" if there is none.
func (g *Gateway) onlyWide(a *umpire.Action, ops []umpire.Operation, pol *policy.Policy) (file string) {
	for _, op := range ops {
		if op.Kind != umpire.Write && op.Kind != umpire.Delete || !runsCode(strings.TrimPrefix(op.Resource, g.root+"/")) {
			continue
		}
		sibling := op
		sibling.Resource, sibling.Places, sibling.Source = path.Join(path.Dir(op.Resource), "no-such-name.x7q"), op.Places&umpire.PlaceInWorkspace, ""
		d := pol.Decide(a, []umpire.Operation{sibling})
		if named := pol.Decide(a, []umpire.Operation{op}); d.Explicit && d.Effect == umpire.Allow && len(d.Reasons) >= len(named.Reasons) || !named.Explicit {
			return op.Resource
		}
	}
	return ""
}
