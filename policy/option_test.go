package policy_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// Deny and ask rules match an option by each of its names. Allow rules and exceptions match the word
// that is written, so that a name never widens them.
func TestNamesOfAnOption(t *testing.T) {
	for _, tc := range []struct {
		rule    string
		spelled []string
		want    umpire.Effect
	}{
		{"deny exec(git push --force *)", []string{"git", "push", "-f", "--force", "origin"}, umpire.Deny},
		{"deny exec(git push -f *)", []string{"git", "push", "-f", "--force", "origin"}, umpire.Deny},
		{"deny exec(git push --force *)", []string{"git", "push", "-u", "--set-upstream", "origin"}, umpire.Ask},
		{"deny exec(git push --force *)", []string{"git", "push", "--force" + umpire.Hole, "origin"}, umpire.Ask},
		{"deny exec(git push --repo=a *)", []string{"git", "push", "--repo=a", "a", "origin"}, umpire.Deny},
		{"deny exec(git push --repo a)", []string{"git", "push", "--repo=a", "a", "origin"}, umpire.Deny},
		{"deny exec(git push --repo b)", []string{"git", "push", "--repo=a", "a", "origin"}, umpire.Ask},
		{"deny exec(git push -fu)", []string{"git", "push", "-u", "--set-upstream", "-f", "--force"}, umpire.Deny},
		{"deny exec(git push -fu)", []string{"git", "push", "-u", "--set-upstream", "-f" + umpire.Hole}, umpire.Ask},
		{"deny exec(git push -fu)", []string{"git", "push", "-u", "--set-upstream"}, umpire.Ask},
		{"deny exec(git push --force)", []string{"git", "push", "--", "--force"}, umpire.Ask},
		{"deny exec(* --force)", []string{"git", "push", "-f", "--force"}, umpire.Deny},
		{"allow exec(git push --force *)", []string{"git", "push", "-f", "--force", "origin"}, umpire.Ask},
		{"deny exec(git *) unless exec(git push --force *)", []string{"git", "push", "-f", "--force", "origin"}, umpire.Deny},
	} {
		src := policy.Source{Default: umpire.Ask, Rules: []policy.Rule{rule(t, "r", tc.rule)}}
		o := umpire.Operation{Kind: umpire.Exec, Resource: "git push -x origin", Spelled: tc.spelled}
		if got := compile(t, src).Decide(action(), []umpire.Operation{o}).Effect; got != tc.want {
			t.Errorf("%s, %q: %v, want %v", tc.rule, tc.spelled, got, tc.want)
		}
	}
}

// In a deny or ask rule, an option and the value after it match anywhere, however the value is
// attached. In an allow rule they must stand where the rule has them.
func TestValueOfAnOption(t *testing.T) {
	for _, tc := range []struct {
		rule, command string
		spelled       []string
		want          umpire.Effect
	}{
		{"deny exec(aws --profile prod *)", "aws s3 ls --profile prod", nil, umpire.Deny},
		{"deny exec(aws --profile prod *)", "aws s3 ls --profile=prod", nil, umpire.Deny},
		{"deny exec(aws --profile prod *)", "aws --profile prod s3 ls", nil, umpire.Deny},
		{"deny exec(aws --profile prod*)", "aws s3 ls --profile production", nil, umpire.Deny},
		{"deny exec(aws --profile prod *)", "aws s3 ls --profile dev", nil, umpire.Ask},
		{"deny exec(aws --profile prod *)", "aws s3 ls prod --profile dev", nil, umpire.Ask},
		{"deny exec(aws --profile prod *)", "aws s3 ls -- --profile prod", nil, umpire.Ask},
		{"deny exec(aws --profile prod *)", "gcloud s3 ls --profile prod", nil, umpire.Ask},
		{"deny exec(psql -h prod-db *)", "psql mydb -hprod-db", nil, umpire.Deny},
		{"deny exec(psql -h prod-db *)", "psql mydb --host prod-db", []string{"psql", "mydb", "-h=prod-db", "--host=prod-db", "prod-db"}, umpire.Deny},
		{"deny exec(curl -X DELETE *)", "curl http://a.example -XDELETE", nil, umpire.Deny},
		{"deny exec(helm upgrade * --namespace prod)", "helm upgrade r c --namespace prod", nil, umpire.Deny},
		{"deny exec(kubectl --context prod -n web delete *)", "kubectl delete -n=web pod x --context prod", nil, umpire.Deny},
		{"deny exec(kubectl --context prod -n web delete *)", "kubectl get -n=web pod x --context prod", nil, umpire.Ask},
		{"deny exec(* --profile prod)", "aws s3 ls --profile=prod", nil, umpire.Deny},
		{"deny exec(git push --force origin)", "git push --force -q origin", nil, umpire.Deny},
		{"allow exec(aws --profile prod *)", "aws s3 ls --profile prod", nil, umpire.Ask},
		{"allow exec(aws --profile prod *)", "aws --profile prod s3 ls", nil, umpire.Allow},
		{"deny exec(aws *) unless exec(aws --profile prod *)", "aws s3 ls --profile prod", nil, umpire.Deny},
	} {
		src := policy.Source{Default: umpire.Ask, Rules: []policy.Rule{rule(t, "r", tc.rule)}}
		o := umpire.Operation{Kind: umpire.Exec, Resource: tc.command, Spelled: tc.spelled}
		if got := compile(t, src).Decide(action(), []umpire.Operation{o}).Effect; got != tc.want {
			t.Errorf("%s, %s: %v, want %v", tc.rule, tc.command, got, tc.want)
		}
	}
	src := policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule(t, "r", "deny exec(aws --profile prod *)")}}
	for _, unknown := range []string{"aws s3 ls --profile " + umpire.Hole, "aws s3 ls --profile=" + umpire.Hole, "aws s3 ls " + umpire.Hole} {
		if got := compile(t, src).Decide(action(), []umpire.Operation{{Kind: umpire.Exec, Resource: unknown}}).Effect; got != umpire.Ask {
			t.Errorf("%q: %v, want a question", unknown, got)
		}
	}
}

// A rule about an option of a push to a branch matches it by each of its names.
func TestNamesOfAnOptionOfAPush(t *testing.T) {
	o := umpire.Operation{Kind: umpire.Git, Resource: "push -f origin HEAD:main", Spelled: []string{"push", "-f", "--force", "origin", "HEAD:main"}}
	src := policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule(t, "r", "deny git(push --force origin main)")}}
	if got := compile(t, src).Decide(action(), []umpire.Operation{o}).Effect; got != umpire.Deny {
		t.Errorf("%v, want a denial", got)
	}
}
