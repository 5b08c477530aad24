package static

import (
	"math"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

const stolen = "Anyone who can read the code, or any copy or old version of it, can use it. "

var (
	keyInCode = &Rule{
		ID: "umpire/secret/private-key", Severity: finding.High, CWE: "CWE-321",
		Title:  "A private key in the code",
		Text:   "The file holds a private key. " + stolen,
		Remedy: "Revoke the key, and load a new one from a secret store.",
		Hits:   []Example{{"deploy/id.pem", "-----BEGIN RSA PRIVATE KEY-----\n" + keyBody + "-----END RSA PRIVATE KEY-----\n"}},
		Misses: []Example{{"a.go", "const begin = \"-----BEGIN PRIVATE KEY-----\"\n"}, {"a.pem", "-----BEGIN PUBLIC KEY-----\n" + keyBody + "-----END PUBLIC KEY-----\n"}},
	}
	token = &Rule{
		ID: "umpire/secret/token", Severity: finding.High, CWE: "CWE-798",
		Title:  "A token or key of a service in the code",
		Text:   "The text has the form of a credential of a known service. " + stolen,
		Remedy: "Revoke it, and read a new one from the environment or a secret store.",
		Hits:   []Example{{"a.py", "t = 'gh" + "p_Zk3vQ9xLw2Rt8YbN5mHc7PdSf4JgUa1EoXi6'\n"}},
		Misses: []Example{{"a.py", "t = 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'\n"}, {"a.py", "t = os.environ['GITHUB_TOKEN']\n"}},
	}
	connection = &Rule{
		ID: "umpire/secret/connection-string", Severity: finding.Medium, CWE: "CWE-798",
		Title:  "An address with a password in the code",
		Text:   "The address has the name and password of an account. " + stolen,
		Remedy: "Change the password, and read the address from the environment.",
		Hits:   []Example{{"a.py", "url = 'postgres://svc:q7Zp2LmX9w@db.internal.corp:5432/app'\n"}},
		Misses: []Example{{"a.py", "url = 'postgres://user:password@localhost/app'\n"}, {"a.md", "https://user:pass@example.com\n"}, {"a.go", "u := \"redis://:\" + pass + \"@\" + host\n"}},
	}
	namedSecret = &Rule{
		ID: "umpire/secret/named-value", Severity: finding.Medium, CWE: "CWE-798",
		Title:  "A value that its name calls a secret",
		Text:   "The name says that the value is a password, key or token, and the value looks random. " + stolen,
		Remedy: "If it is one, change it, and read it from the environment or a secret store.",
		Hits:   []Example{{"a.py", "API_SECRET = \"k9Xv2mQ7rT4wZ8pL1nB6yH3dF5\"\n"}},
		Misses: []Example{{"a.go", "const TokenStatus = \"FeatureDisabledForUserOfTrialToken\"\n"}, {"a.py", "API_SECRET = \"change-me\"\n"}, {"a.py", "password = getpass()\n"}, {"a.js", "const tokenUrl = 'https://auth.example.com/v2/token'\n"}, {"a.go", "tokenName := \"session.cookie.name.v2\"\n"}, {"a.py", "PUBLIC_KEY_SHA256 = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"\n"}},
	}
	secretRules = []*Rule{keyInCode, token, connection, namedSecret}
)

const keyBody = "MIIEowIBAAKCAQEAx3vQ9xLw2Rt8YbN5mHc7PdSf4JgUa1EoXi6Zk3vQ9xLw2Rt8\nYbN5mHc7PdSf4JgUa1EoXi6Zk3vQ9xLw2Rt8YbN5mHc7PdSf4JgUa1EoXi6Zk3vQ\n"

const maxSecrets = 200 // credentials to examine in a window

// secrets looks for credentials in the text.
func (f *file) secrets() {
	for _, m := range redact.Find(f.text, maxSecrets) {
		r, sure := secret(f.text, m)
		if r == nil {
			continue
		}
		severity := r.Severity
		if f.sample() {
			severity, sure = finding.Low, perhaps
		}
		if h := f.place(r, severity, m.Start, "it is "+quoted(f.masked(m))); h != nil {
			h.sure = sure
		}
	}
}

// secret returns the rule for a value that may be a credential, or nil.
func secret(text string, m redact.Found) (*Rule, float64) {
	value := text[m.Start:m.End]
	switch {
	case m.Kind == "private-key":
		if key := bodyOfKey(value); len(key) > 100 && entropy(key) > 4.5 {
			return keyInCode, certainly
		}
	case m.Form == redact.ByAddress:
		before := text[max(0, m.Start-200):m.Start]
		user := before[strings.LastIndex(before, "://")+3:]
		host, _, _ := strings.Cut(text[m.End+1:min(len(text), m.End+200)], "/")
		if realPassword(strings.TrimSuffix(user, ":"), value) && realHost(host) {
			return connection, likely
		}
	case !literal(value):
	case m.Form == redact.ByShape && m.Kind == "jwt":
		if entropy(value) > 4.5 && len(value) > 80 {
			return namedSecret, likely
		}
	case m.Form == redact.ByShape && entropy(value) > 3.4:
		return token, certainly
	case m.Form == redact.ByName && len(value) >= 16 && entropy(value) > 3.6 && digits(value) > 1 && !wordy(value) && quotedOrAlone(text, m):
		return namedSecret, likely
	}
	return nil, 0
}

// bodyOfKey returns the body of a PEM block, even if it is written as a string.
func bodyOfKey(s string) string {
	_, s, _ = strings.Cut(s, "-----BEGIN ")
	_, s, _ = strings.Cut(s, "-----")
	s, _, _ = strings.Cut(s, "-----END")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(base64Letters, r) {
			return r
		}
		return -1
	}, strings.NewReplacer(`\n`, "", `\r`, "").Replace(s))
}

// entropy returns the Shannon entropy of s in bits per byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

func digits(s string) (n int) {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

// literal reports whether a value is a literal rather than an expression.
func literal(v string) bool {
	return strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_-.~!@#%^*:") == "" && !strings.Contains(v, "...")
}

// wordy reports whether a value consists of words: member names, paths, addresses.
func wordy(v string) bool {
	parts := strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("_-./:+=@#", r) })
	words := 0
	for _, p := range parts {
		if strings.Trim(p, "0123456789") == p && strings.TrimLeft(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			words++
		}
	}
	return len(parts) > 1 && words*2 > len(parts) || strings.Count(v, "/") > 2 || strings.ContainsAny(v, "()")
}

// quotedOrAlone reports whether a value is quoted or is the complete value of a line, so that it is
// not an identifier.
func quotedOrAlone(text string, m redact.Found) bool {
	if m.Start > 0 && strings.IndexByte("\"'`", text[m.Start-1]) >= 0 {
		return true
	}
	start := strings.LastIndexByte(text[:m.Start], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[m.End:], '\n'); i >= 0 {
		end = m.End + i
	}
	head := strings.TrimSpace(text[start:m.Start])
	return strings.TrimSpace(text[m.End:end]) == "" && len(strings.Fields(strings.TrimPrefix(head, "export "))) == 1 && strings.ContainsAny(head, "=:")
}

// usualPasswords are common passwords in examples and test servers.
var usualPasswords = []string{"password", "passwd", "pass", "pwd", "secret", "user", "username", "root", "admin", "test", "tests", "testing", "guest", "postgres", "mysql", "mongo", "redis", "example", "changeme", "change-me", "token", "key", "hunter2", "foo", "bar", "baz", "foobar", "p", "pw", "s3cret", "abc", "abc123", "1234", "12345", "123456", "my-password", "mypassword", "yourpassword", "your-password", "x-oauth-basic", "pass123", "password123", "secretpassword"}

func realPassword(user, v string) bool {
	lower := strings.ToLower(v)
	if un, err := url.PathUnescape(lower); err == nil {
		lower = un
	}
	switch {
	case len(v) < 6, !literal(v), strings.EqualFold(user, v), slices.Contains(usualPasswords, strings.Trim(lower, "0123456789!_-")), slices.Contains(usualPasswords, lower):
		return false
	}
	for _, w := range []string{"password", "passwd", "secret", "example", "placeholder", "your", "xxx", "redact", "token", "pass_", "_pass"} {
		if strings.Contains(lower, w) {
			return false
		}
	}
	return entropy(v) > 2.3 && strings.ContainsAny(v, "0123456789!@#%^*")
}

func realHost(host string) bool {
	host = strings.ToLower(host)
	if i := strings.IndexAny(host, ":?\"' \t\n`,)"); i >= 0 {
		host = host[:i]
	}
	for _, end := range []string{"localhost", "127.0.0.1", "0.0.0.0", "example.com", "example.org", "example.net", ".example", ".test", ".invalid", "host", "hostname", "foo.com", "bar.com", "domain.com", "google.com"} {
		if host == strings.TrimPrefix(end, ".") || strings.HasSuffix(host, end) {
			return false
		}
	}
	return literal(host) && strings.ContainsAny(host, "abcdefghijklmnopqrstuvwxyz0123456789")
}

// sample reports whether the file belongs to tests, samples or documents, which contain made-up
// values.
func (f *file) sample() bool {
	if prose(f) && path.Ext(f.base) != "" {
		return true
	}
	p := "/" + strings.ToLower(f.path)
	return anyof.Contains(p, "test", "fixture", "mock", "example", "sample", "spec/", "/doc", "/demo", "fake", "stub", "snapshot", "golden", "corpus", "fuzz", "cassette", "/e2e", "benchmark", "httprr", "/i18n", "/locale")
}

// masked returns the line of a secret with all secrets masked.
func (f *file) masked(m redact.Found) string {
	start := max(strings.LastIndexByte(f.text[:m.Start], '\n')+1, m.Start-80)
	for start < m.Start && !utf8.RuneStart(f.text[start]) {
		start++
	}
	return strings.TrimSpace(redact.String(f.text[start:m.Start])) + "[masked:" + m.Kind + "]"
}
