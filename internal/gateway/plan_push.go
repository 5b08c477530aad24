package gateway

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/operation"
)

// PushPlan changes a branch or tag of the remote. Without an update that was pushed to this
// gateway, it only asks a question.
type PushPlan struct {
	Branch string       `json:"branch,omitempty"`
	Push   *host.Update `json:"push,omitempty"`
}

func readBranch(s *Submission) (Plan, error) {
	if _, err := metadata[extra](s); err != nil {
		return nil, err
	}
	branch, ok := strings.CutPrefix(s.Action, "push ")
	hidden := func(r rune) bool { return !unicode.IsGraphic(r) } // invisible to people
	if !ok || !goodBranch(branch) || strings.ContainsFunc(branch, hidden) {
		return nil, bad("the action of git must be \"push BRANCH\", with the name of a branch")
	}
	return &PushPlan{Branch: branch}, nil
}

// goodBranch reports whether a name is a valid branch name by git check-ref-format, and does not
// begin with a hyphen or with the + of a forced push.
func goodBranch(b string) bool {
	// Names that git does not read as a branch's.
	if anyof.HasPrefix(b, "refs/", "heads/", "tags/", "remotes/") || strings.ToUpper(b) == b && (b == "HEAD" || strings.HasSuffix(b, "_HEAD")) ||
		len(b) >= 40 && strings.Trim(b, "0123456789abcdef") == "" {
		return false
	}
	if b == "" || len(b) > 250 || b == "@" || strings.ContainsRune("-+/", rune(b[0])) || strings.HasSuffix(b, "/") || strings.HasSuffix(b, ".") ||
		anyof.Contains(b, "..", "//", "@{") || strings.ContainsAny(b, " ~^:?*[\\") || strings.ContainsFunc(b, unicode.IsControl) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(b, "/"), func(p string) bool { return strings.HasPrefix(p, ".") || strings.HasSuffix(p, ".lock") })
}

func (q *PushPlan) category() approval.Category { return approval.Git }

func (q *PushPlan) title() string {
	if q.Push != nil {
		return pushTitle(q.Push)
	}
	return "push " + q.Branch
}

// pushTitle returns a push as one line.
func pushTitle(u *host.Update) string {
	what, name := "branch ", u.Name()
	if u.Tag() {
		what = "tag "
	}
	switch {
	case u.New == "":
		return "delete " + what + name
	case u.Force:
		return "force push " + what + name + " to " + u.New[:12]
	case u.Tag():
		return "push tag " + name + " at " + u.New[:12]
	}
	return "push " + name + " at " + u.New[:12]
}

func (q *PushPlan) action(root string) *umpire.Action {
	return local(root, "Bash", argv(append([]string{"git"}, q.arguments()...)...))
}

// arguments returns the arguments with which git would do the same.
func (q *PushPlan) arguments() []string {
	u := q.Push
	if u == nil {
		return []string{"push", "origin", q.Branch}
	}
	name := u.Name()
	if u.Tag() {
		name = u.Ref
	}
	switch {
	case u.New == "":
		return []string{"push", "origin", "--delete", name}
	case u.Force:
		return []string{"push", "--force", "origin", name}
	}
	return []string{"push", "origin", name}
}

func (q *PushPlan) operations(a *umpire.Action, env operation.Env) []umpire.Operation {
	return operation.Read(a, env)
}

func (q *PushPlan) target() string {
	if q.Push == nil {
		return ""
	}
	return q.Push.Ref
}

func (q *PushPlan) oneByOne() string {
	if q.Push != nil && (q.Push.Force || q.Push.Tag()) {
		return "answer pushes that rewrite or delete, and tags, one by one"
	}
	return ""
}

// restrict denies a push that rewrites or deletes unless a rule allows it, and then asks a person.
// It also asks about doubts, and about the remote's default branch.
func (q *PushPlan) restrict(d *umpire.Decision, _ *judgment) {
	u := q.Push
	if u == nil {
		return
	}
	ask := func(rule, text string) {
		d.Add(umpire.Reason{Rule: rule, Effect: umpire.Ask, Text: text, Op: -1})
	}
	allowed := d.Effect == umpire.Allow
	switch {
	case u.Force && !(allowed && d.Explicit):
		if d.Effect != umpire.Deny {
			d.Add(umpire.Reason{Rule: "push-rewrites", Effect: umpire.Deny, Op: -1,
				Text:    "the push rewrites or deletes what the remote has, and no rule allows that",
				Suggest: "ask the user for the rule `allow: git(" + strings.Join(q.arguments(), " ") + ")`"})
		}
	case u.Force:
		ask("push-rewrites", "the push rewrites or deletes what the remote has")
	case allowed && slices.ContainsFunc(u.Doubts, func(s string) bool { return strings.Contains(s, "secret") }):
		ask("push-secret", "the push may contain a secret, or could not be searched completely")
	case allowed && !d.Explicit && u.Main:
		ask("push-default-branch", "it is the remote's default branch")
	case allowed && !d.Explicit && len(u.Doubts) > 0:
		ask("push-doubts", u.Doubts[0])
	}
}

func (q *PushPlan) runs() bool { return q.Push != nil }

func (q *PushPlan) again() bool { return true }

// here reports whether this gateway has the commit. Only the gateway that received the push has it. If
// git cannot say so, the other gateways have time to begin the push. After that it begins here and
// fails with the reason, because a push that no gateway begins waits forever.
func (q *PushPlan) here(ctx context.Context, g *Gateway) bool {
	if q.Push == nil || g.staging == nil || q.Push.New == "" {
		return q.Push == nil || g.staging != nil
	}
	for range 5 {
		if has, err := g.staging.Has(ctx, q.Push.New); err == nil {
			return has
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (q *PushPlan) carryOut(ctx context.Context, g *Gateway, r *approval.Request) (status string, result host.CommandResult) {
	result.ExitCode = host.ExitNotStarted
	status, result.Stderr = g.pushOut(ctx, r, q.Push)
	return status, result
}

func (q *PushPlan) writeFullText(ctx context.Context, g *Gateway, put func(string) error) error {
	if q.Push == nil {
		return putPlan(q, put)
	}
	if g.staging == nil {
		return fault{404, "this gateway accepts no pushes"}
	}
	return g.staging.Whole(ctx, q.Push, put)
}
