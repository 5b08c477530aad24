package static

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

var (
	privilegedCheckout = &Rule{
		ID: "umpire/workflow/privileged-checkout", Severity: finding.High, CWE: "CWE-829",
		Title:  "A privileged workflow checks out a stranger's code",
		Text:   "The workflow runs with the repository's secrets and rights for pull requests of anybody, and takes their code. Whatever it then builds or runs has those rights. ",
		Remedy: "Use the pull_request trigger, or do not check out the head.",
		Hits:   []Example{{".github/workflows/x.yml", "on:\n  pull_request_target:\njobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n      with:\n        ref: ${{ github.event.pull_request.head.sha }}\n    - run: make\n"}},
		Misses: []Example{{".github/workflows/x.yml", "on: pull_request\njobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n      with:\n        ref: ${{ github.event.pull_request.head.sha }}\n"}, {"docs/x.yml", "on:\n  pull_request_target:\n  ref: ${{ github.event.pull_request.head.sha }}\n"}},
	}
	privilegedTrigger = &Rule{
		ID: "umpire/workflow/privileged-trigger", Severity: finding.Low, CWE: "CWE-250",
		Title:  "A workflow runs with full rights on events of strangers",
		Text:   "The trigger gives the workflow the repository's secrets and rights for events that anybody can cause. ",
		Remedy: "Use the pull_request trigger, or give the workflow no rights.",
		Hits:   []Example{{".github/workflows/x.yml", "on: [push, pull_request_target]\njobs: {}\n"}, {".github/workflows/x.yaml", "\"on\":\n  workflow_run:\n    workflows: [a]\njobs: {}\n"}},
		Misses: []Example{{".github/workflows/x.yml", "on: [push, pull_request]\n# not pull_request_target\njobs: {}\n"}},
	}
	scriptInjection = &Rule{
		ID: "umpire/workflow/script-injection", Severity: finding.High, CWE: "CWE-78",
		Title:  "A stranger's text becomes part of a script",
		Text:   "The expression is put into the script before it runs: a title, a branch name or a comment can hold commands. ",
		Remedy: "Pass the value by an environment variable, and quote it.",
		Hits:   []Example{{".github/workflows/x.yml", "on: issues\njobs:\n  a:\n    steps:\n    - run: |\n        echo \"${{ github.event.issue.title }}\"\n"}, {".github/workflows/x.yml", "on: pull_request\njobs:\n  a:\n    steps:\n    - run: git checkout ${{ github.head_ref }}\n"}},
		Misses: []Example{{".github/workflows/x.yml", "on: issues\njobs:\n  a:\n    steps:\n    - env:\n        TITLE: ${{ github.event.issue.title }}\n      run: echo \"$TITLE\"\n"}, {".github/workflows/x.yml", "jobs:\n  a:\n    steps:\n    - run: echo ${{ github.sha }}\n"}},
	}
	writeAll = &Rule{
		ID: "umpire/workflow/write-all", Severity: finding.Medium, CWE: "CWE-250",
		Title:  "A workflow with all rights",
		Text:   "The workflow's token may write everything in the repository. ",
		Remedy: "Name the rights that it needs.",
		Hits:   []Example{{".github/workflows/x.yml", "permissions: write-all\n"}},
		Misses: []Example{{".github/workflows/x.yml", "permissions: read-all\n"}},
	}
	workflowRules = []*Rule{privilegedCheckout, privilegedTrigger, scriptInjection, writeAll}
)

var (
	privileged = lazily(`\b(?:pull_request_target|workflow_run|issue_comment)\b`)
	headRef    = lazily(`^\s*(?:-\s+)?(?:ref|repository)\s*:.*(?:github\.event\.pull_request\.head\.|github\.head_ref|github\.event\.workflow_run\.head_|refs/pull/)`)
	theirs     = lazily(`\$\{\{[^}]*(?:github\.head_ref|github\.event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review\.body|review_comment\.body|discussion\.(?:title|body)|pages|head_commit\.(?:message|author)|commits|workflow_run\.(?:head_branch|display_title|head_commit)))`)
	runLine    = lazily(`^(\s*)(?:-\s+)?(?:run|script)\s*:\s*(.*)$`)
)

// workflow looks at what a hosting service runs.
func (f *file) workflow() {
	p := "/" + strings.ToLower(f.path)
	if !strings.Contains(p, "/.github/workflows/") && f.base != "action.yml" && f.base != "action.yaml" || !strings.HasSuffix(p, ".yml") && !strings.HasSuffix(p, ".yaml") {
		return
	}
	trigger := f.trigger()
	if trigger > 0 {
		s := privilegedTrigger.Severity
		if f.change() {
			s = finding.Medium
		}
		f.on(privilegedTrigger, s, trigger, "")
	}
	indent := -1 // of the script that is being read
	for n, l := range f.numbered() {
		trimmed := strings.TrimSpace(l)
		if trimmed == "" {
			continue
		}
		depth := len(l) - len(strings.TrimLeft(l, " "))
		if indent >= 0 && depth <= indent {
			indent = -1
		}
		script := ""
		if indent >= 0 {
			script = l
		} else if m := runLine().FindStringSubmatch(l); m != nil {
			indent = len(m[1])
			if strings.HasPrefix(strings.TrimSpace(l), "- ") {
				indent += 2
			}
			script = m[2]
		} else if strings.HasPrefix(trimmed, "#") {
			continue
		}
		switch {
		case script != "":
			if theirs().MatchString(script) {
				f.on(scriptInjection, scriptInjection.Severity, n, "")
			}
			if slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(script, h) }) {
				f.fetches(n, expression().ReplaceAllString(script, "$$UNKNOWN"))
			}
		case trigger > 0 && headRef().MatchString(l):
			f.on(privilegedCheckout, privilegedCheckout.Severity, n, "")
		case strings.HasPrefix(trimmed, "permissions:") && strings.Contains(trimmed, "write-all"):
			f.on(writeAll, writeAll.Severity, n, "")
		}
	}
}

var expression = lazily(`\$\{\{[^}]*\}\}`)

// trigger is the line of a trigger with full rights, 0 without one.
func (f *file) trigger() int {
	in := false
	for n, l := range f.numbered() {
		if i := strings.Index(l, " #"); i >= 0 {
			l = l[:i]
		}
		trimmed := strings.TrimSpace(l)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		if l[0] != ' ' && l[0] != '-' {
			key, _, _ := strings.Cut(l, ":")
			key = strings.Trim(strings.TrimSpace(key), `"'`)
			in = key == "on" || key == "true"
		}
		if in && privileged().MatchString(l) {
			return n
		}
	}
	return 0
}
