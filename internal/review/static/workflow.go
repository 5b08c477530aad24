package static

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

var (
	privilegedCheckout = &Rule{
		ID: "umpire/workflow/privileged-checkout", Severity: finding.High, CWE: "CWE-829",
		Title:  "A privileged workflow checks out untrusted code",
		Text:   "The workflow runs with the repository's secrets and rights for pull requests of anyone, and checks out their code. Everything that it builds or runs has those rights. ",
		Remedy: "Use the pull_request trigger, or do not check out the head.",
		Hits:   []Example{{".github/workflows/x.yml", "on:\n  pull_request_target:\njobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n      with:\n        ref: ${{ github.event.pull_request.head.sha }}\n    - run: make\n"}},
		Misses: []Example{{".github/workflows/x.yml", "on: pull_request\njobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n      with:\n        ref: ${{ github.event.pull_request.head.sha }}\n"}, {"docs/x.yml", "on:\n  pull_request_target:\n  ref: ${{ github.event.pull_request.head.sha }}\n"}},
	}
	privilegedTrigger = &Rule{
		ID: "umpire/workflow/privileged-trigger", Severity: finding.Low, CWE: "CWE-250",
		Title:  "A workflow runs with full rights on events that anyone can trigger",
		Text:   "The trigger gives the workflow the repository's secrets and rights. ",
		Remedy: "Use the pull_request trigger, or give the workflow no rights.",
		Hits:   []Example{{".github/workflows/x.yml", "on: [push, pull_request_target]\njobs: {}\n"}, {".github/workflows/x.yaml", "\"on\":\n  workflow_run:\n    workflows: [a]\njobs: {}\n"}},
		Misses: []Example{{".github/workflows/x.yml", "on: [push, pull_request]\n# not pull_request_target\njobs: {}\n"}},
	}
	scriptInjection = &Rule{
		ID: "umpire/workflow/script-injection", Severity: finding.High, CWE: "CWE-78",
		Title:  "Untrusted text becomes part of a script",
		Text:   "The expression becomes part of the script before it runs: a title, a branch name or a comment can contain commands. ",
		Remedy: "Pass the value by an environment variable, and quote it.",
		Hits:   []Example{{".github/workflows/x.yml", "on: issues\njobs:\n  a:\n    steps:\n    - run: |\n        echo \"${{ github.event.issue.title }}\"\n"}, {".github/workflows/x.yml", "on: pull_request\njobs:\n  a:\n    steps:\n    - run: git checkout ${{ github.head_ref }}\n"}},
		Misses: []Example{{".github/workflows/x.yml", "on: issues\njobs:\n  a:\n    steps:\n    - env:\n        TITLE: ${{ github.event.issue.title }}\n      run: echo \"$TITLE\"\n"}, {".github/workflows/x.yml", "jobs:\n  a:\n    steps:\n    - run: echo ${{ github.sha }}\n"}},
	}
	writeAll = &Rule{
		ID: "umpire/workflow/write-all", Severity: finding.Medium, CWE: "CWE-250",
		Title:  "A workflow with all rights",
		Text:   "The workflow's token may write everything in the repository. ",
		Remedy: "List the rights that it needs.",
		Hits:   []Example{{".github/workflows/x.yml", "permissions: write-all\n"}},
		Misses: []Example{{".github/workflows/x.yml", "permissions: read-all\n"}},
	}
	workflowUnread = &Rule{
		ID: "umpire/workflow/unreadable", Severity: finding.Medium, CWE: "CWE-436",
		Title:  "A workflow that cannot be read",
		Text:   "umpire cannot read the file as YAML, or it is nested too deeply. The hosting service may read it all the same. ",
		Remedy: "Write it in plain YAML.",
		Hits:   []Example{{".github/workflows/x.yml", "on: [push\njobs: {a: }}\n"}},
		Misses: []Example{{".github/workflows/x.yml", "on: {push: }\njobs: {}\n"}},
	}
	workflowRules = []*Rule{privilegedCheckout, privilegedTrigger, scriptInjection, writeAll, workflowUnread, secretLeaves}
)

var (
	expression = lazy.Regexp(`(?s)\$\{\{.*?\}\}`)
	aroundDot  = lazy.Regexp(`\s*\.\s*`)
	byIndex    = lazy.Regexp(`\[\s*['"]([\w.*-]+)['"]\s*\]`)
	envValue   = lazy.Regexp(`\benv\.([A-Za-z_][A-Za-z0-9_-]*)`)
	// headCode matches a commit, branch or repository of another author.
	headCode = lazy.Regexp(`github\.event\.pull_request\.(?:head\b|merge_commit_sha)|github\.head_ref|github\.event\.workflow_run\.(?:head_|pull_requests)|refs/pull/|\bpull/[^\s/]+/(?:head|merge)|github\.event\.(?:number|issue\.number|pull_request\.number)\b.*/(?:head|merge)`)
	// anyonesText matches values that anyone can write.
	anyonesText = lazy.Regexp(`github\.head_ref|github\.event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.(?:default_branch|description|homepage)))|comment\.body|review\.body|review_comment\.body|discussion\.(?:title|body)|pages|head_commit\.(?:message|author|committer)|commits|workflow_run\.(?:head_branch|display_title|head_commit|head_repository\.description|pull_requests))|(?:tojson|join|format)\([^)]*\bgithub(?:\.event(?:\.(?:issue|pull_request|comment|review|discussion|workflow_run))?)?\s*[,)]`)
	ownInput    = lazy.Regexp(`\binputs\.[a-z_*]|github\.event\.inputs\.`)
	// fetchesHead matches a command that checks out untrusted code.
	fetchesHead = lazy.Regexp(`(?i)\b(?:gh|hub)\s+pr\s+checkout\b|\bgit\b[^\n;|&]*\b(?:fetch|pull|clone|checkout|worktree)\b[^\n;|&]*\bpull/\S+|\bgit\b[^\n;|&]*\b(?:fetch|pull)\b[^\n;|&]*refs/pull/|/(?:pull/\S+\.(?:diff|patch))\S*[^\n]*\|\s*git\s+(?:apply|am)|\bgh\s+pr\s+diff\b[^\n]*\|\s*(?:git\s+(?:apply|am)|patch)\b`)
	gitTakes    = lazy.Regexp(`(?i)\bgit\b[^\n;|&]*\b(?:fetch|pull|clone|checkout|switch|reset|merge|worktree|cherry-pick)\b`)
)

// privileged are the triggers that run with the repository's secrets on anyone's events.
var privileged = []string{"pull_request_target", "workflow_run", "issue_comment", "issues", "discussion", "discussion_comment", "pull_request_comment", "fork", "watch", "gollum"}

// common are those of these triggers that have legitimate uses if no untrusted code is checked out.
var common = []string{"issues", "discussion", "discussion_comment", "fork", "watch", "gollum"}

// workflow checks the jobs of a hosting service.
func (f *file) workflow() {
	p := "/" + strings.ToLower(f.path)
	pipeline := pipelinePath().MatchString(p)
	if !pipeline && !workflowPath().MatchString(p) {
		return
	}
	docs, err := yamlTree(f.text)
	if err != nil {
		f.on(workflowUnread, workflowUnread.Severity, 0, "")
		return
	}
	for _, d := range docs {
		if pipeline {
			f.pipeline(d)
			continue
		}
		w := workflowCheck{f: f, root: d}
		w.triggers()
		w.permissions(d)
		env := w.environment(nil, d.get("env"))
		if jobs := d.get("jobs"); jobs != nil {
			for _, j := range jobs.pairs {
				w.job(j.value, env)
			}
		}
		if runs := d.get("runs"); runs != nil { // a composite action runs with the rights of its caller
			w.callable = true
			w.steps(runs.get("steps"), env)
		}
	}
}

var workflowPath = lazy.Regexp(`/\.(?:github|gitea|forgejo)/workflows/[^/]*\.ya?ml$|/action\.ya?ml$`)

// variable is a variable of a job's environment, with its expressions expanded.
type variable struct{ name, value string }

// pipelinePath matches the jobs of services that keep secrets in the environment.
var pipelinePath = lazy.Regexp(`/(?:[^/]*\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.drone|\.woodpecker|\.appveyor|\.cirrus)\.ya?ml$|/\.(?:circleci|gitlab|buildkite|woodpecker)/(?:.*/)?[^/]*\.ya?ml$`)

// shellKeys hold scripts; the scripts of one job run in this order, in one shell.
var shellKeys = []string{"before_install", "install", "before_script", "script", "bash", "run", "command", "commands", "after_script"}

// pipeline looks for leaks in the scripts below a node, whose secrets are variables by their names.
func (f *file) pipeline(n *node) {
	var script strings.Builder
	first := 0
	add := func(part *node) {
		if first == 0 && part.text != "" {
			first = part.line
			if part.block {
				first++
			}
		}
		script.WriteString(strings.TrimSuffix(part.text, "\n") + "\n")
	}
	for _, key := range shellKeys {
		for _, part := range n.get(key).list() {
			if len(part.pairs) == 0 {
				part.each(add)
			}
		}
	}
	f.leaks(first, script.String(), nil)
	for i := range n.pairs {
		f.pipeline(n.pairs[i].value)
	}
	for _, x := range n.items {
		f.pipeline(x)
	}
}

type workflowCheck struct {
	f          *file
	root       *node
	privileged bool
	callable   bool // other workflows call it, with their rights
}

// triggers records the workflow's triggers.
func (w *workflowCheck) triggers() {
	on := w.root.get("on")
	if on == nil {
		on = w.root.get("true") // the key "on" in YAML 1.1
	}
	if on == nil {
		return
	}
	told := false
	one := func(name string, line int) {
		name = strings.ToLower(strings.TrimSpace(name))
		w.callable = w.callable || name == "workflow_call"
		if !slices.Contains(privileged, name) {
			return
		}
		w.privileged = true
		if told || slices.Contains(common, name) {
			return
		}
		told = true
		s := privilegedTrigger.Severity
		if w.f.change() {
			s = finding.Medium
		}
		w.f.on(privilegedTrigger, s, line, "")
	}
	for _, p := range on.pairs {
		one(p.key, p.line)
	}
	if len(on.pairs) == 0 {
		for _, n := range on.list() {
			one(n.text, n.line)
			for _, p := range n.pairs {
				one(p.key, p.line)
			}
		}
	}
}

func (w *workflowCheck) permissions(n *node) {
	if p := n.get("permissions"); p != nil && strings.EqualFold(strings.TrimSpace(p.text), "write-all") {
		w.f.on(writeAll, writeAll.Severity, p.line, "")
	}
}

// environment adds variables to those of an outer scope.
func (w *workflowCheck) environment(outer map[string]variable, n *node) map[string]variable {
	env := maps.Clone(outer)
	if env == nil {
		env = map[string]variable{}
	}
	if n != nil {
		for _, p := range n.pairs {
			env[strings.ToLower(p.key)] = variable{p.key, w.expand(p.value.text, env)}
		}
	}
	return env
}

// expand normalizes expressions, and replaces variables of the workflow by their values.
func (w *workflowCheck) expand(s string, env map[string]variable) string {
	if !strings.Contains(s, "${{") {
		return s
	}
	return expression().ReplaceAllStringFunc(s, func(e string) string {
		e = strings.ToLower(byIndex().ReplaceAllString(e, ".$1"))
		e = aroundDot().ReplaceAllString(e, ".")
		for range 4 {
			next := envValue().ReplaceAllStringFunc(e, func(v string) string {
				value := env[strings.TrimPrefix(v, "env.")].value
				if len(e)+len(value) > maxCommand {
					return v
				}
				return "(" + strings.NewReplacer("${{", "", "}}", "").Replace(value) + ")"
			})
			if next == e {
				break
			}
			e = next
		}
		return e
	})
}

func (w *workflowCheck) job(j *node, outer map[string]variable) {
	w.permissions(j)
	env := w.environment(outer, j.get("env"))
	if uses := j.get("uses"); uses != nil { // another workflow, which may get the secrets
		j.get("with").each(func(v *node) {
			if headCode().MatchString(w.expand(v.text, env)) {
				w.takes(v.line, "it hands an untrusted commit to "+quoted(uses.text))
			}
		})
	}
	w.steps(j.get("steps"), env)
}

func (w *workflowCheck) steps(steps *node, outer map[string]variable) {
	for _, s := range steps.list() {
		env := w.environment(outer, s.get("env"))
		if uses := s.get("uses"); uses != nil {
			w.action(s, uses, env)
		}
		if run := s.get("run"); run != nil {
			w.script(run, env)
		}
	}
}

// action checks a step that uses an action.
func (w *workflowCheck) action(s, uses *node, env map[string]variable) {
	with := s.get("with")
	if with == nil {
		return
	}
	name, _, _ := strings.Cut(strings.ToLower(uses.text), "@")
	for _, p := range with.pairs {
		key := strings.ToLower(p.key)
		value := w.expand(p.value.text, env)
		code := key == "script" || key == "run" || key == "command" || key == "inlinescript" || key == "args" && strings.HasPrefix(name, "docker://")
		switch {
		case code:
			w.script(p.value, env)
		case key == "ref" || key == "repository" || key == "branch" || key == "commit" || key == "sha" || strings.Contains(name, "checkout"):
			if headCode().MatchString(value) {
				w.takes(p.line, "")
			}
		}
	}
}

// takes reports a checkout of untrusted code in a job with rights.
func (w *workflowCheck) takes(line int, detail string) {
	switch {
	case w.privileged:
		w.f.on(privilegedCheckout, privilegedCheckout.Severity, line, detail)
	case w.callable:
		w.f.on(privilegedCheckout, finding.Low, line, "it has the rights of the workflow that calls it")
	}
}

// script checks the script of a step.
func (w *workflowCheck) script(run *node, env map[string]variable) {
	first := run.line
	if run.block {
		first++
	}
	whole := w.expand(run.text, env) // an expression may span several lines
	if e := expression().FindString(strings.Join(matching(whole, anyonesText()), "")); e != "" {
		w.f.on(scriptInjection, scriptInjection.Severity, first+lineWith(run.text, whole, anyonesText()), "")
	} else if m := matching(whole, ownInput()); w.callable && len(m) > 0 {
		w.f.on(scriptInjection, finding.Low, first+lineWith(run.text, whole, ownInput()), "an input of the caller's becomes part of the script")
	}
	w.f.leaks(first, whole, env)
	line := first - 1
	for l := range strings.Lines(whole) {
		line++
		if fetchesHead().MatchString(l) || gitTakes().MatchString(l) && (headCode().MatchString(l) || w.variable(l, env)) {
			w.takes(line, quoted(strings.TrimSpace(l))+" fetches it")
		}
		if anyof.Contains(l, hints...) {
			w.f.fetches(line, expression().ReplaceAllString(strings.TrimSpace(l), "$$UNKNOWN"))
		}
	}
}

// variable reports whether a line of a script uses a variable with untrusted code.
func (w *workflowCheck) variable(line string, env map[string]variable) bool {
	if strings.Contains(line, "$GITHUB_HEAD_REF") || strings.Contains(line, "${GITHUB_HEAD_REF") {
		return true
	}
	lower := strings.ToLower(line)
	for name, v := range env {
		if (strings.Contains(lower, "$"+name) || strings.Contains(lower, "${"+name)) && headCode().MatchString(v.value) {
			return true
		}
	}
	return false
}

// matching returns the expressions of a text that match.
func matching(s string, re *regexp.Regexp) (found []string) {
	for _, e := range expression().FindAllString(s, -1) {
		if re.MatchString(e) {
			found = append(found, e)
		}
	}
	return found
}

// lineWith returns the line of a script, from 0, where a matching expression begins.
func lineWith(text, expanded string, re *regexp.Regexp) int {
	for _, at := range expression().FindAllStringIndex(expanded, -1) {
		if re.MatchString(expanded[at[0]:at[1]]) {
			return min(strings.Count(expanded[:at[0]], "\n"), strings.Count(text, "\n"))
		}
	}
	return 0
}
