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
	// What may be installed is written to the letter.
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{{ID: "r", Effect: umpire.Allow, Match: []policy.Pattern{policy.MustParse("packages(pip install flask)")}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"pip install flask six", "pip install flask==0.1", "pip install Flask"} {
		if d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Packages, Resource: s}}); d.Explicit {
			t.Errorf("an allow rule for flask settles %q", s)
		}
	}
}

// A rule for a branch is about each branch that a push names, in every spelling. A push that names
// none may be about it.
func TestRuleForABranch(t *testing.T) {
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{
		{ID: "main", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("git(push origin main)")}},
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
