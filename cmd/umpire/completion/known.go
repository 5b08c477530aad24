package completion

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/review/kept"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/visible"
)

const (
	maxWait   = 2 * time.Second // the shell blocks until the completion returns
	maxEvents = 1000            // number of audit events to read, newest first
	maxAbout  = 60              // characters of a description
)

// candidate is a possible completion: a name, and its description in the shell.
type candidate struct{ name, about string }

// finder returns the completions of one kind. A completion reports no errors: an unreadable source
// yields nothing, so finders list what they got beside an error.
type finder func(*cobra.Command) []candidate

// known proposes the results of finders. Agents and repositories chose some of the names, so it
// skips names that a terminal would not show literally or that read as a flag.
func known(finders ...finder) source {
	return func(c *cobra.Command, _ []string, _ string) (list []string, _ cobra.ShellCompDirective) {
		for _, find := range finders {
			for _, t := range find(c) {
				if t.name == "" || strings.HasPrefix(t.name, "-") || visible.Line(t.name) != t.name {
					continue
				}
				list = append(list, cobra.CompletionWithDesc(t.name, visible.Clip(t.about, maxAbout)))
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// first completes only one argument.
func first(s source) source {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return text(c, args, typed)
		}
		return s(c, args, typed)
	}
}

// each completes every argument, without those already given.
func each(s source) source {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		list, how := s(c, args, typed)
		return slices.DeleteFunc(list, func(one string) bool {
			name, _, _ := strings.Cut(one, "\t")
			return slices.Contains(args, name)
		}), how
	}
}

// typeAnd completes the type of a stored rule, and then a rule of that type.
func typeAnd(rules func(c *cobra.Command, kind string) []candidate) source {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return words("allow", "deny")(c, args, typed)
		case len(args) == 1 && rules != nil:
			return known(func(c *cobra.Command) []candidate { return rules(c, args[0]) })(c, args, typed)
		}
		return text(c, args, typed)
	}
}

func clientNames(*cobra.Command) (list []candidate) {
	for _, a := range install.Agents() {
		list = append(list, candidate{a.Name, a.Title})
	}
	return list
}

// clientPrograms completes NAME=PATH.
func clientPrograms(_ *cobra.Command, _ []string, typed string) (list []string, _ cobra.ShellCompDirective) {
	if strings.Contains(typed, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	for _, a := range install.Agents() {
		list = append(list, a.Name+"=")
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func profiles(*cobra.Command) (list []candidate) {
	for _, p := range sandbox.Profiles() {
		list = append(list, candidate{name: p.Name})
	}
	return append(list, candidate{"none", "no profile"})
}

func variables(*cobra.Command, []string, string) (list []string, _ cobra.ShellCompDirective) {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=") // the value may be a secret
		list = append(list, name)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// programs completes the name of a program in PATH, and then files.
func programs(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || typed == "" || strings.ContainsAny(typed, `/\`) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	found := map[string]bool{}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // PATH may name missing folders
		}
		for _, e := range entries {
			if name := e.Name(); strings.HasPrefix(name, typed) && visible.Line(name) == name && executable(filepath.Join(dir, name)) {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), cobra.ShellCompDirectiveDefault
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows")
}

func shimArguments(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return folders(c, args, typed)
	}
	return programs(c, nil, typed)
}

func packs(*cobra.Command) (list []candidate) {
	all, _ := parsed.Packs()
	for _, p := range all {
		list = append(list, candidate{name: p.Name})
	}
	return list
}

// rules returns the rules of the policy in force.
func rules(*cobra.Command) (list []candidate) {
	at, err := project.At("")
	if err != nil {
		return nil
	}
	p, _, _, err := at.InForce()
	if err != nil {
		return nil
	}
	for r := range p.Rules() {
		list = append(list, candidate{r.ID, r.Reason})
	}
	return list
}

// answers returns the rules that `umpire policy revoke` removes.
func answers(*cobra.Command) (list []candidate) {
	at, err := project.At("")
	if err != nil {
		return nil
	}
	patterns, layers := at.AnswerPatterns(), snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv)
	for _, id := range append(policyfile.Answers(layers.User), policyfile.Answers(layers.Project)...) {
		list = append(list, candidate{id, strings.TrimPrefix(patterns[id], ": ")})
	}
	return list
}

func questions(*cobra.Command) (list []candidate) {
	b, _, err := answer.Questions()
	if err != nil {
		return nil
	}
	pending, _ := b.List(question.Pending)
	for i := range pending {
		list = append(list, candidate{pending[i].ID, pending[i].Tool})
	}
	return list
}

// runs returns the runs with unapplied changes.
func runs(*cobra.Command) (list []candidate) {
	all, _ := box.All()
	for _, r := range all {
		list = append(list, candidate{r.ID, r.Command})
	}
	return list
}

// changed returns the paths that the run in --run changed.
func changed(c *cobra.Command) (list []candidate) {
	id := ""
	if f := c.Flag("run"); f != nil {
		id = f.Value.String()
	}
	r, err := box.Last(id)
	if err != nil {
		return nil
	}
	entries, _ := r.Changes().List(commandContext(c))
	for i := range entries {
		list = append(list, candidate{entries[i].Path, string(entries[i].What)})
	}
	return list
}

func agentSessions(*cobra.Command) (list []candidate) {
	state, err := audit.DefaultDir()
	if err != nil {
		return nil
	}
	all, _ := session.List(filepath.Join(state, "agent", "sessions"), func(error) {})
	for _, m := range all {
		list = append(list, candidate{m.ID, m.Name})
	}
	return list
}

func findings(*cobra.Command) (list []candidate) {
	dir, err := audit.DefaultDir()
	if err != nil {
		return nil
	}
	reviews, _ := kept.Open(filepath.Join(dir, "reviews")).Reviews()
	for _, r := range reviews {
		for _, f := range r.Findings {
			list = append(list, candidate{f.ID, f.Severity.String()})
		}
	}
	return list
}

// recorded returns the values of one field in the newest audit events, each once, newest first.
func recorded(value func(*audit.Event) string) finder {
	return func(*cobra.Command) (list []candidate) {
		dir, err := audit.DefaultDir()
		if err != nil {
			return nil
		}
		events, _ := audit.Last(dir, audit.Query{}, maxEvents)
		seen := map[string]bool{}
		for _, r := range slices.Backward(events) {
			if v := value(&r.Event); !seen[v] {
				seen[v] = true
				list = append(list, candidate{v, r.Principal.Platform})
			}
		}
		return list
	}
}

var (
	recordedSessions = recorded(func(e *audit.Event) string { return e.Principal.Session })
	recordedTools    = recorded(func(e *audit.Event) string { return e.Tool })
)

func commandContext(c *cobra.Command) context.Context {
	if ctx := c.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}

// ask sends a query to the gateway that --server names. On an error, out stays empty.
func ask(c *cobra.Command, path string, out any) {
	ctx, cancel := context.WithTimeout(commandContext(c), maxWait)
	defer cancel()
	server := ""
	if f := c.Flag("server"); f != nil {
		server = f.Value.String()
	}
	_ = gatewayclient.AsOperator(ctx, server, http.MethodGet, path, nil, out)
}

// listedRequest holds the fields of a gateway request that a completion shows.
type listedRequest struct {
	ID, Action, Status, Category string
	Seq                          int64
}

func requestCandidates(list []listedRequest, keep func(listedRequest) bool) (out []candidate) {
	for _, q := range list {
		if keep(q) {
			name := q.ID
			if q.Seq > 0 {
				name = fmt.Sprintf("req-%d", q.Seq) // as the lists show it
			}
			out = append(out, candidate{name, fmt.Sprintf("%s: %s", q.Status, q.Action)})
		}
	}
	return out
}

func requests(c *cobra.Command) []candidate {
	var page struct{ Pending []listedRequest }
	ask(c, "/api/queue?limit=100", &page)
	return requestCandidates(page.Pending, func(listedRequest) bool { return true })
}

func history(c *cobra.Command, keep func(listedRequest) bool) []candidate {
	var page struct{ Requests []listedRequest }
	ask(c, "/api/history?limit=100", &page)
	return requestCandidates(page.Requests, keep)
}

func settled(c *cobra.Command) []candidate {
	return history(c, func(listedRequest) bool { return true })
}

// approved returns the requests with a running or finished command.
func approved(c *cobra.Command) []candidate {
	return history(c, func(q listedRequest) bool {
		return q.Status == "approved" && (q.Category == "exec" || q.Category == "packages")
	})
}

func storedRules(c *cobra.Command, kind string) (list []candidate) {
	var all struct{ Allow, Deny []string }
	ask(c, "/api/rules", &all)
	for _, r := range map[string][]string{"allow": all.Allow, "deny": all.Deny}[kind] {
		list = append(list, candidate{name: r})
	}
	return list
}

func tokens(c *cobra.Command) (list []candidate) {
	var all struct {
		Tokens []struct{ ID, Kind, Name string }
	}
	ask(c, "/api/tokens", &all)
	for _, t := range all.Tokens {
		list = append(list, candidate{t.ID, t.Kind + " " + t.Name})
	}
	return list
}

func browserSessions(c *cobra.Command) (list []candidate) {
	var all struct {
		Sessions []struct{ ID, Name string }
	}
	ask(c, "/api/sessions", &all)
	for _, s := range all.Sessions {
		list = append(list, candidate{s.ID, s.Name})
	}
	return list
}
