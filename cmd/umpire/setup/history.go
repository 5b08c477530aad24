package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/replay"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/transcript"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

const (
	historyDays   = 30
	historyBudget = time.Minute
	historyGroups = 6
	maxDecided    = 5000 // number of questions of one rule to decide again
	maxRules      = 40   // number of rules that one answer may write
)

// history shows a person the decisions that umpire would have made, and reads their answers.
type history struct {
	at     project.Project
	person terminal.Person
	groups map[string][]*replay.Judged // the questions of each rule
}

// OfferHistory replays the transcripts on this machine. asked means that the person requested it.
func OfferHistory(ctx context.Context, t terminal.Person, asked bool) error {
	at, err := project.At("")
	if err != nil {
		return err
	}
	if len(transcript.Places(at.Home, at.Workspace, os.Getenv)) == 0 {
		if asked {
			fmt.Fprintln(t, "No sessions of agents are recorded on this machine yet: run umpire replay later.")
		}
		return nil
	}
	if !asked {
		said, err := t.Ask(fmt.Sprintf("\nReplay your agents' sessions of the last %d days? Nothing leaves this machine. [y/N] ", historyDays))
		if err != nil || !terminal.Yes(said) {
			return err
		}
	}
	h := &history{at: at, person: t, groups: map[string][]*replay.Judged{}}
	return h.run(ctx)
}

func (h *history) run(ctx context.Context) error {
	r, err := replay.New("", "")
	if err != nil {
		return err
	}
	r.Since, r.Budget, r.Progress = time.Now().Add(-historyDays*24*time.Hour), historyBudget, h.person
	r.Each = func(j *replay.Judged) error {
		if j.Decision.Effect == umpire.Ask {
			if name, _ := replay.FirstRule(j); len(h.groups[name]) < maxDecided {
				h.groups[name] = append(h.groups[name], j)
			}
		}
		return nil
	}
	if err := r.Run(ctx, nil, nil); err != nil {
		return err
	}
	r.Report.Finish()
	rep := r.Report
	rules := slices.DeleteFunc(slices.Clone(rep.Rules), func(rr *replay.RuleReport) bool { return rr.Asked == 0 })
	slices.SortStableFunc(rules, func(a, b *replay.RuleReport) int { return b.Asked - a.Asked })
	rules = rules[:min(historyGroups, len(rules))]
	fmt.Fprintf(h.person, "In your last %d days umpire would have denied %s, and asked %s, in %s.\n", historyDays, replay.Grouped(rep.Denied), replay.Counted(rep.Asked, "time"), replay.Counted(rep.Calls, "call"))
	for _, n := range rep.Notes() {
		fmt.Fprintln(h.person, n)
	}
	if len(rules) == 0 {
		return nil
	}
	fmt.Fprintln(h.person, "These rules ask most.")
	for i, rr := range rules {
		_, saved, _, err := h.narrowestRules(rr.Rule, "") // before the person sees the group, and types
		if err != nil {
			return err
		}
		fmt.Fprintf(h.person, "\n%d of %d: %s asks %s: %s\n", i+1, len(rules), visible.Line(rr.Rule), replay.Counted(rr.Asked, "time"), visible.Clip(rr.Text, 100))
		rr.Print(h.person)
		more, err := h.answer(rr.Rule, saved > 0)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// answer asks what to do about a rule's questions, until the answer is valid. Without allowed, no rule
// can allow the calls.
func (h *history) answer(rule string, allowed bool) (more bool, err error) {
	folders := h.projects(rule)
	allow := "a allow these always, "
	switch {
	case !allowed:
		allow = ""
		fmt.Fprintln(h.person, errNotAllowed.Error()+".")
	case len(folders) == 1:
		allow = "p allow these in " + visible.Clip(folders[0].path, 60) + ", " + allow
	case len(folders) > 1:
		allow = fmt.Sprintf("p allow these in some of %s, ", replay.Counted(len(folders), "project")) + allow
	}
	for {
		said, err := h.person.Ask("k keep asking, " + allow + "l only log, q quit [k] ")
		if err != nil {
			return false, err
		}
		var done bool
		switch strings.ToLower(said) {
		case "", "k":
			return true, nil
		case "q":
			return false, nil
		case "p":
			done, err = h.allowIn(rule, folders)
		case "a":
			done, err = h.allow(rule, "")
		case "l":
			done, err = h.log(rule)
		default:
			continue
		}
		if err != nil {
			fmt.Fprintf(h.person, "error: %s\n", visible.Line(err.Error()))
		}
		if done {
			return true, nil
		}
	}
}

// asking is a project with its number of questions.
type asking struct {
	path string
	n    int
}

// maxProjects limits how many projects of a rule are shown.
const maxProjects = 9

// projects returns the workspaces with questions of a rule, most questions first. It omits folders
// that are not on this machine: a transcript can name any folder.
func (h *history) projects(rule string) (list []asking) {
	count := map[string]int{}
	for _, j := range h.groups[rule] {
		count[j.Call.Workspace]++
	}
	for path, n := range count {
		if isDir(path) {
			list = append(list, asking{path, n})
		}
	}
	slices.SortFunc(list, func(a, b asking) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.path, b.path)) })
	return list[:min(len(list), maxProjects)]
}

// allowIn allows the calls of a rule in the projects that the person selects.
func (h *history) allowIn(rule string, folders []asking) (done bool, err error) {
	if len(folders) > 1 {
		for i, f := range folders {
			fmt.Fprintf(h.person, "  %d  %s (%s)\n", i+1, visible.Clip(f.path, 80), replay.Counted(f.n, "question"))
		}
		said, err := h.person.Ask("Which projects? Numbers, or a for all of them [none] ")
		if err != nil {
			return false, err
		}
		if folders, err = picked(said, folders); err != nil {
			return false, err
		}
	}
	for _, f := range folders {
		written, err := h.allow(rule, f.path)
		if err != nil {
			return done, fmt.Errorf("%s: %w", f.path, err)
		}
		done = done || written
	}
	return done, nil
}

// picked returns the projects whose numbers the person typed.
func picked(said string, folders []asking) (list []asking, err error) {
	if strings.EqualFold(strings.TrimSpace(said), "a") {
		return folders, nil
	}
	for _, word := range strings.FieldsFunc(said, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(folders) {
			return nil, fmt.Errorf("%q is not a number from 1 to %d", word, len(folders))
		}
		if !slices.Contains(list, folders[n-1]) {
			list = append(list, folders[n-1])
		}
	}
	return list, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// narrowestRules returns the narrowest rules that cover the questions of a rule, in one folder or
// anywhere, and how many questions they save.
func (h *history) narrowestRules(rule, folder string) (rules []policyfile.AllowRule, saved, of int, err error) {
	reason := fmt.Sprintf("allowed by %s after a replay, %s", terminal.UserName(), time.Now().Format(time.DateOnly))
	type key struct{ pattern, platform string }
	count := map[key]int{}
	var calls []*replay.Judged
	for _, j := range h.groups[rule] {
		if folder != "" && j.Call.Workspace != folder {
			continue
		}
		calls = append(calls, j)
		req := grant.PendingCall{Action: &j.Call.Action, Operations: j.Ops, Decision: j.Decision, Policy: j.Policy, Passing: grant.Grave}
		o := req.Offer()
		if o.NotKept != "" || len(o.Choices) == 0 {
			continue
		}
		for _, p := range o.Choices[0].Parts {
			k := key{p.Pattern, j.Call.Principal.Platform}
			if count[k]++; count[k] == 1 {
				rules = append(rules, policyfile.AllowRule{Pattern: p.Pattern, Platform: k.platform, Foreign: !p.Clean, Without: p.Without, Reason: reason})
			}
		}
	}
	slices.SortStableFunc(rules, func(a, b policyfile.AllowRule) int {
		return count[key{b.Pattern, b.Platform}] - count[key{a.Pattern, a.Platform}]
	})
	rules = rules[:min(len(rules), maxRules)]
	layer := policy.User
	if folder != "" {
		layer = policy.ProjectTrusted
	}
	at := h.at
	if folder != "" {
		at.Workspace = folder
	}
	_, l, err := at.Policy("")
	if err != nil {
		return nil, 0, 0, err
	}
	if saved, err = savedBy(l.Source, rules, calls, layer); err != nil || saved == 0 {
		return nil, 0, len(calls), err
	}
	for i := 0; i < len(rules) && len(rules) > 1; { // do not write a rule that saves nothing
		fewer := slices.Delete(slices.Clone(rules), i, i+1)
		n, err := savedBy(l.Source, fewer, calls, layer)
		if err != nil {
			return nil, 0, 0, err
		}
		if n == saved {
			rules = fewer
		} else {
			i++
		}
	}
	return rules, saved, len(calls), nil
}

// savedBy decides the calls again with the rules, and counts those that pass.
func savedBy(src policy.Source, rules []policyfile.AllowRule, calls []*replay.Judged, layer policy.Layer) (saved int, err error) {
	src.Rules = slices.Clip(src.Rules)
	clean := false
	for i, r := range rules {
		p, err := policy.ParsePattern(r.Pattern)
		if err != nil {
			return 0, err
		}
		rule := policy.Rule{ID: fmt.Sprintf("proposed-%d", i), Effect: umpire.Allow, Match: []policy.Pattern{p}, Layer: layer,
			When: policy.Condition{Platforms: []string{r.Platform}, Without: r.Without}}
		if !r.Foreign {
			rule.When.Tainted = &clean
		}
		src.Rules = append(src.Rules, rule)
	}
	with, err := policy.Compile(src)
	if err != nil {
		return 0, err
	}
	for _, j := range calls {
		if with.Decide(&j.Call.Action, j.Ops).Effect == umpire.Allow {
			saved++
		}
	}
	return saved, nil
}

var errNotAllowed = errors.New("umpire always asks about these calls: no rule can allow them")

// allow writes rules for exactly the calls in question. folder "" means everywhere.
func (h *history) allow(rule, folder string) (done bool, err error) {
	rules, saved, of, err := h.narrowestRules(rule, folder)
	if err != nil {
		return false, err
	}
	if saved == 0 {
		return false, errNotAllowed
	}
	layers := snapshot.DefaultLayers(h.at.Home, h.at.Workspace, os.Getenv)
	path := layers.User
	if folder != "" {
		layers = snapshot.DefaultLayers(h.at.Home, folder, os.Getenv)
		path = layers.Project
	}
	if path == "" {
		return false, errors.New("cannot store rules: HOME is not set")
	}
	before, err := project.ReadPolicyFile(path)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(h.person, "These rules save %s of %s. They go into %s:\n", replay.Grouped(saved), replay.Counted(of, "question"), visible.Line(path))
	shown := map[string][]string{} // agents by pattern
	var order []string
	for _, r := range rules {
		if shown[r.Pattern] == nil {
			order = append(order, r.Pattern)
		}
		shown[r.Pattern] = append(shown[r.Pattern], r.Platform)
	}
	for _, pattern := range order {
		fmt.Fprintf(h.person, "  allow: %s (%s)\n", visible.Line(pattern), visible.Line(strings.Join(shown[pattern], ", ")))
	}
	if slices.ContainsFunc(rules, func(r policyfile.AllowRule) bool { return r.Without != 0 }) {
		fmt.Fprintln(h.person, "A call that matches but has a risk that these calls did not have still asks.")
	}
	question := "Write them? [y/N] "
	if folder != "" {
		// The file takes effect as a whole, so the user must trust its current content, too.
		if len(before) > 0 {
			fmt.Fprintf(h.person, "The file already contains these rules. Your answer trusts all of them:\n%s\n", visible.Block(string(before)))
		}
		question = "Write the rules and trust the resulting file? [y/N] "
	}
	said, err := h.person.Ask(question)
	if err != nil || !terminal.Yes(said) {
		return false, err
	}
	now, err := project.ReadPolicyFile(path)
	if err != nil {
		return false, err
	}
	if string(now) != string(before) {
		return false, fmt.Errorf("%s changed in the meantime: nothing was written", path)
	}
	ids, err := policyfile.Add(path, rules...)
	if err != nil {
		return false, err
	}
	if folder != "" {
		if err := project.Trust(layers, path); err != nil {
			return false, err
		}
		if err := answer.RecordChange("terminal", answer.Change{What: "trust", Names: "the whole file", Path: path}); err != nil {
			return false, err
		}
	}
	var names []string
	for i, r := range rules {
		names = append(names, ids[i]+": allow "+r.Pattern)
	}
	if err := answer.RecordChange("terminal", answer.Change{What: "policy", Names: strings.Join(names, ", "), Path: path}); err != nil {
		return false, err
	}
	where := ""
	if folder != "" {
		where = ", in " + visible.Line(folder)
	}
	fmt.Fprintf(h.person, "Written. To undo%s:\n  umpire policy revoke %s\n", where, ids[0])
	return true, nil
}

// log makes a rule record without enforcing.
func (h *history) log(rule string) (bool, error) {
	path := snapshot.DefaultLayers(h.at.Home, h.at.Workspace, os.Getenv).User
	if path == "" || strings.HasPrefix(rule, replay.DefaultAction) {
		return false, errors.New("this rule cannot be set to log only")
	}
	fmt.Fprintf(h.person, "This goes into %s:\n  observe:\n    - %s\nCalls that match the rule then run, and the audit log records what it would have done.\n", visible.Line(path), visible.Line(rule))
	said, err := h.person.Ask("Write it? [y/N] ")
	if err != nil || !terminal.Yes(said) {
		return false, err
	}
	if err := policyfile.ObserveRule(path, rule); err != nil {
		return false, err
	}
	if err := answer.RecordChange("terminal", answer.Change{What: "policy", Names: "observe: " + rule, Path: path}); err != nil {
		return false, err
	}
	fmt.Fprintf(h.person, "Written. To undo:\n  umpire policy revoke %s\n", visible.Line(rule))
	return true, nil
}
