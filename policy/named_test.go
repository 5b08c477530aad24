package policy_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// A rule for a package is about each package that an operation names, in every spelling that
// installs it.
func TestRuleForAPackage(t *testing.T) {
	for pattern, rows := range map[string]struct{ hits, misses []string }{
		"packages(pip install flask)": {
			hits:   []string{"pip install flask", "pip install six flask", "pip install -q six Flask==2.0", "pip install flask[async]>=2", "pip install 'flask @ https://x.example/f.whl'", "pip install FLASK;python_version<'4'", "pip install six -r r.txt flask"},
			misses: []string{"pip install flask-login", "pip install flas", "pip download flask", "npm install flask", "pip install", "pip install six"},
		},
		"packages(flask)": {
			hits:   []string{"uv install flask", "pipx run Flask", "npm install flask@1", "pip install six flask"},
			misses: []string{"pip install flask-login", "npm install @x/flask"},
		},
		"packages(pip *)": {
			hits:   []string{"pip install six"},
			misses: []string{"apt install pip"},
		},
		"packages(pip install Zope.Interface)": {
			hits:   []string{"pip install zope-interface", "pip install zope__interface==1", "pip install ZOPE.INTERFACE"},
			misses: []string{"pip install zopeinterface"},
		},
		"packages(npm install left-pad)": {
			hits:   []string{"npm install left-pad@1.0.0", "npm install a left-pad@^1 b", "npm install x@npm:left-pad@1", "npm install left-pad@npm:right-pad", "npm install -D Left-Pad"},
			misses: []string{"npm install @x/left-pad", "npm install left_pad", "npm run left-pad"},
		},
		"packages(* install @evil/*)": {
			hits:   []string{"npm install @evil/x@1", "pnpm install a @evil/y"},
			misses: []string{"npm install evil", "npm install @good/x"},
		},
		"packages(npm install -g left-pad)": {
			hits:   []string{"npm install -g a left-pad@1"},
			misses: []string{"npm install a left-pad@1"},
		},
		"packages({apt,pacman,conda} install nginx)": {
			hits:   []string{"apt install nginx/stable", "apt install vim nginx=1.2", "pacman install extra/nginx", "conda install conda-forge::nginx=1"},
			misses: []string{"apt install nginx-light"},
		},
	} {
		for _, effect := range []umpire.Effect{umpire.Deny, umpire.Ask} {
			p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{{ID: "r", Effect: effect, Match: []policy.Pattern{policy.MustParse(pattern)}}}})
			if err != nil {
				t.Fatal(pattern, err)
			}
			decide := func(resource string) umpire.Effect {
				return p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Packages, Resource: resource}}).Effect
			}
			for _, s := range rows.hits {
				if got := decide(s); got != effect {
					t.Errorf("%v %s on %q: got %v, want %v", effect, pattern, s, got, effect)
				}
			}
			for _, s := range rows.misses {
				if got := decide(s); got != umpire.Allow {
					t.Errorf("%v %s on %q: got %v, want allow", effect, pattern, s, got)
				}
			}
		}
	}
}

// An allow rule of one word is about every version of a package, and a longer one is to the letter.
// A rule that allows each package allows a call with all of them.
func TestAllowedPackages(t *testing.T) {
	for patterns, rows := range map[string]struct{ hits, misses []string }{
		"packages(pip install flask)": {
			hits:   []string{"pip install flask"},
			misses: []string{"pip install flask six", "pip install flask==0.1", "pip install Flask"},
		},
		"packages(left-pad)": {
			hits: []string{"npm install left-pad", "npm install left-pad@1.2.3", "npm remove left-pad", "yarn install left-pad@^1", "pip install left-pad[x]>=1,<2", "npm install left-pad left-pad@2"},
			misses: []string{"npm install", "npm install left-pad other", "npm install ./left-pad", "npm install left-pad@npm:evil", "npm install left-pad@evil/left-pad", "npm install left-pad@x.tgz", "npm install left-pad@../x",
				"pip install 'left-pad @ https://x.example/f.whl'", "pip install left-pad.whl", "npm install -g left-pad", "npx run left-pad", "npm install left-pad ⟨?⟩", "npm install LEFT-PAD", "npm publish left-pad"},
		},
		"packages(@ours/*)": {
			hits:   []string{"npm install @ours/a @ours/b@1"},
			misses: []string{"npm install @ours/../evil", "npm install @ours/a.tgz", "npm install @ours/a evil"},
		},
		"packages(a) packages(npm install {b,c@1})": {
			hits:   []string{"npm install a b", "npm install a@3 b c@1"},
			misses: []string{"npm install a b d", "npm install a c@2", "npm install -g a b", "pnpm install a b"},
		},
	} {
		p := allowing(t, patterns)
		for _, s := range rows.hits {
			if d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Packages, Resource: s}}); !d.Explicit || d.Effect != umpire.Allow {
				t.Errorf("%s does not allow %q: %v", patterns, s, d)
			}
			for _, trait := range []umpire.Trait{umpire.UntrustedSource, umpire.PlainHTTP} {
				if d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Packages, Resource: s, Traits: trait}}); d.Explicit && !strings.Contains(patterns, "install") {
					t.Errorf("%s allows %q from elsewhere: %v", patterns, s, trait)
				}
			}
		}
		for _, s := range rows.misses {
			if d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Packages, Resource: s}}); d.Explicit {
				t.Errorf("%s settles %q with %v, want that no rule does", patterns, s, d)
			}
		}
	}
}

// allowing returns a policy with an allow rule for each pattern.
func allowing(t *testing.T, patterns string) *policy.Policy {
	t.Helper()
	var rules []policy.Rule
	for i, text := range strings.SplitAfter(patterns, ")") {
		if text = strings.TrimSpace(text); text != "" {
			rules = append(rules, policy.Rule{ID: string(rune('a' + i)), Layer: policy.User, Effect: umpire.Allow, Match: []policy.Pattern{policy.MustParse(text)}})
		}
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// An allow rule for a branch covers pushes to it at origin that add to it.
func TestAllowedBranches(t *testing.T) {
	p := allowing(t, "git(feature/*) git(push up release)")
	for _, s := range []string{"push origin feature/x", "push -u origin feature/x", "push origin main:feature/x", "push origin HEAD:refs/heads/feature/x feature/y", "push up release"} {
		if d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Git, Resource: s}}); !d.Explicit || d.Effect != umpire.Allow {
			t.Errorf("%q is not allowed: %v", s, d)
		}
	}
	for _, s := range []string{"push", "push origin", "push origin feature/x main", "push origin +feature/x", "push origin :feature/x", "push --delete origin feature/x", "push --force origin feature/x", "push -f origin feature/x",
		"push evil feature/x", "push https://evil.example/x feature/x", "push origin feature/x:main", "push origin feature/*", "push origin refs/tags/feature/x", "push --all origin feature/x", "push --mirror origin feature/x", "push origin ⟨?⟩",
		"push origin feature/⟨?⟩", "push -o x origin feature/x", "push up feature/x release", "branch feature/x", "checkout feature/x"} {
		if d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Git, Resource: s}}); d.Explicit {
			t.Errorf("%q is settled: %v", s, d)
		}
	}
}

// A rule for a branch is about each branch that a push names, in every spelling. A push that names
// none may be about it.
func TestRuleForABranch(t *testing.T) {
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{
		{ID: "main", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("git(push origin main)")}},
		{ID: "prod", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("git(prod*)")}},
		{ID: "live", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("git(live)")}},
		{ID: "release", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("git(push * release/*)")}},
		{ID: "forced", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("git(push --force origin mine)")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for effect, list := range map[umpire.Effect]string{
		umpire.Deny: `push origin main
			push origin HEAD:main
			push origin +feature:refs/heads/main
			push origin feature main
			push -u origin feature refs/heads/main
			push -o ci.skip origin feature:main
			push origin :main
			push --delete origin main
			push up x:release/1
			push up x:production
			push up +a:refs/heads/live b
			push -o live --delete https://git.example/x.git live
			push --force origin a HEAD:mine`,
		umpire.Ask: `push
			push origin
			push origin HEAD
			push -o ci.skip origin
			push --all origin
			push origin feature --mirror
			push https://git.example/x.git a:main
			push git@git.example:x.git main
			push origin refs/heads/*:refs/heads/*`,
		umpire.Allow: `push origin feature
			push origin main:feature
			push up main
			push -o live origin feature
			push origin live:alive
			push live feature
			commit live
			push -o ci.skip origin feature
			push --force origin feature
			push --force-with-lease -u origin feature
			push origin HEAD:mine
			push https://git.example/x.git feature
			commit main
			fetch origin main`,
	} {
		for s := range strings.Lines(list) {
			s = strings.TrimSpace(s)
			if got := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Git, Resource: s}}).Effect; got != effect {
				t.Errorf("%q: got %v, want %v", s, got, effect)
			}
		}
	}
}

// A rule of one word that is a command of git's is not about pushes that name no branch.
func TestRuleForACommandOfGit(t *testing.T) {
	for pattern, want := range map[string]umpire.Effect{"git(stash)": umpire.Allow, "git(worktree)": umpire.Allow, "git(stage)": umpire.Ask} {
		p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{{ID: "r", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse(pattern)}}}})
		if err != nil {
			t.Fatal(err)
		}
		if d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Git, Resource: "push"}}); d.Effect != want {
			t.Errorf("%s on a push that names no branch: %v, want %v", pattern, d.Effect, want)
		}
	}
}
