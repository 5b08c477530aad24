package redact

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// The kinds of secret that have no entry in shapes.
const (
	kindPassword   = "password"
	kindSecret     = "secret"
	kindToken      = "token"
	kindAPIKey     = "api-key"
	kindCookie     = "cookie"
	kindCredential = "credential"
	kindPrivateKey = "private-key"
	kindJWT        = "jwt"
	kindBearer     = "bearer-token"
	kindBasic      = "basic-auth"
	kindAWSKey     = "aws-key-id"
	kindGoogleKey  = "google-api-key"
	kindTelegram   = "telegram-token"
	kindWebhook    = "webhook-url"
	kindTwilio     = "twilio-key"
)

// isKind reports whether k is a type that a mask can name.
func isKind(k string) bool {
	switch k {
	case kindPassword, kindSecret, kindToken, kindAPIKey, kindCookie, kindCredential, kindPrivateKey, kindJWT,
		kindBearer, kindBasic, kindAWSKey, kindGoogleKey, kindTelegram, kindWebhook, kindTwilio:
		return true
	}
	for i := range shapes {
		if shapes[i].kind == k {
			return true
		}
	}
	return false
}

// A shape is a credential known by what it starts with.
type shape struct {
	prefix string // ends with a byte that is rare in text, on which the scanner stops
	kind   string
	min    int  // bytes that must follow the prefix
	weak   bool // the prefix also occurs in ordinary words: ask for a boundary before it and for randomness after it
	dots   bool // the token goes on over full stops
}

// shapes is searched from the top: a longer prefix stands before its own ending.
var shapes = [...]shape{
	{prefix: "github_pat_", kind: "github-token", min: 22},
	{prefix: "ghp_", kind: "github-token", min: 20},
	{prefix: "gho_", kind: "github-token", min: 20},
	{prefix: "ghu_", kind: "github-token", min: 20},
	{prefix: "ghs_", kind: "github-token", min: 20, dots: true},
	{prefix: "ghr_", kind: "github-token", min: 20},
	{prefix: "glpat-", kind: "gitlab-token", min: 16, dots: true},
	{prefix: "gldt-", kind: "gitlab-token", min: 16, dots: true},
	{prefix: "glrt-", kind: "gitlab-token", min: 16, dots: true},
	{prefix: "glcbt-", kind: "gitlab-token", min: 16, dots: true},
	{prefix: "glptt-", kind: "gitlab-token", min: 16, dots: true},
	{prefix: "glsoat-", kind: "gitlab-token", min: 16, dots: true},
	{prefix: "sk-ant-", kind: "anthropic-key", min: 16},
	{prefix: "sk-proj-", kind: "openai-key", min: 16},
	{prefix: "sk-svcacct-", kind: "openai-key", min: 16},
	{prefix: "sk-admin-", kind: "openai-key", min: 16},
	{prefix: "sk-or-", kind: "openrouter-key", min: 16},
	{prefix: "sk-", kind: "secret-key", min: 20, weak: true},
	{prefix: "xoxa-", kind: "slack-token", min: 10},
	{prefix: "xoxb-", kind: "slack-token", min: 10},
	{prefix: "xoxc-", kind: "slack-token", min: 10},
	{prefix: "xoxd-", kind: "slack-token", min: 10},
	{prefix: "xoxe-", kind: "slack-token", min: 10},
	{prefix: "xoxe.", kind: "slack-token", min: 10},
	{prefix: "xoxo-", kind: "slack-token", min: 10},
	{prefix: "xoxp-", kind: "slack-token", min: 10},
	{prefix: "xoxr-", kind: "slack-token", min: 10},
	{prefix: "xoxs-", kind: "slack-token", min: 10},
	{prefix: "xapp-", kind: "slack-token", min: 10},
	{prefix: "npm_", kind: "npm-token", min: 30, weak: true},
	{prefix: "pypi-", kind: "pypi-token", min: 30, weak: true},
	{prefix: "rubygems_", kind: "rubygems-key", min: 32},
	{prefix: "dckr_pat_", kind: "docker-token", min: 16},
	{prefix: "SG.", kind: "sendgrid-key", min: 30, weak: true, dots: true},
	{prefix: "sk_live_", kind: "stripe-key", min: 10},
	{prefix: "rk_live_", kind: "stripe-key", min: 10},
	{prefix: "sk_test_", kind: "stripe-key", min: 10},
	{prefix: "rk_test_", kind: "stripe-key", min: 10},
	{prefix: "whsec_", kind: "stripe-key", min: 16},
	{prefix: "shpat_", kind: "shopify-token", min: 20},
	{prefix: "shpss_", kind: "shopify-token", min: 20},
	{prefix: "shpca_", kind: "shopify-token", min: 20},
	{prefix: "shppa_", kind: "shopify-token", min: 20},
	{prefix: "sq0atp-", kind: "square-token", min: 16},
	{prefix: "sq0csp-", kind: "square-token", min: 16},
	{prefix: "dop_v1_", kind: "digitalocean-token", min: 32},
	{prefix: "doo_v1_", kind: "digitalocean-token", min: 32},
	{prefix: "dor_v1_", kind: "digitalocean-token", min: 32},
	{prefix: "hf_", kind: "huggingface-token", min: 24, weak: true},
	{prefix: "gsk_", kind: "groq-key", min: 24, weak: true},
	{prefix: "xai-", kind: "xai-key", min: 24, weak: true},
	{prefix: "pplx-", kind: "perplexity-key", min: 24, weak: true},
	{prefix: "r8_", kind: "replicate-token", min: 24, weak: true},
	{prefix: "hvs.", kind: "vault-token", min: 20, weak: true},
	{prefix: "hvb.", kind: "vault-token", min: 20, weak: true},
	{prefix: "hvr.", kind: "vault-token", min: 20, weak: true},
	{prefix: ".atlasv1.", kind: "terraform-token", min: 24},
	{prefix: "lin_api_", kind: "linear-key", min: 24},
	{prefix: "ntn_", kind: "notion-token", min: 24, weak: true},
	{prefix: "sb_secret_", kind: "supabase-key", min: 20},
	{prefix: "secret_", kind: "notion-token", min: 40, weak: true},
	{prefix: "dp.pt.", kind: "doppler-token", min: 24},
	{prefix: "dp.st.", kind: "doppler-token", min: 24, dots: true},
	{prefix: "glsa_", kind: "grafana-token", min: 24},
	{prefix: "glc_", kind: "grafana-token", min: 24, weak: true},
	{prefix: "sbp_", kind: "supabase-key", min: 24, weak: true},
	{prefix: "pscale_tkn_", kind: "planetscale-token", min: 20},
	{prefix: "pscale_pw_", kind: "planetscale-token", min: 20},
	{prefix: "sntrys_", kind: "sentry-token", min: 24},
	{prefix: "sntryu_", kind: "sentry-token", min: 24},
	{prefix: "figd_", kind: "figma-token", min: 20},
	{prefix: "bkua_", kind: "buildkite-token", min: 24},
	{prefix: "PMAK-", kind: "postman-key", min: 24},
	{prefix: "NRAK-", kind: "newrelic-key", min: 20},
	{prefix: "ATATT3xFfGF0", kind: "atlassian-token", min: 20},
	{prefix: "AGE-SECRET-KEY-", kind: "age-key", min: 40},
	{prefix: "ops_eyJ", kind: "onepassword-token", min: 40},
	{prefix: "ya29.", kind: "google-token", min: 20, dots: true},
	{prefix: "GOCSPX-", kind: "google-secret", min: 20},
	{prefix: "key-", kind: "mailgun-key", min: 32, weak: true},
}

// shapeAt looks for a shape whose prefix ends at i and returns it with the place of its token.
func shapeAt(s string, i int) (m match, ok bool) {
	// Most stops are in snake_case names and options: too little follows them.
	if i+10 >= len(s) || !isToken(s[i+1]) || !isToken(s[i+5]) || !isToken(s[i+9]) {
		return m, false
	}
	for k := range shapes {
		p := &shapes[k]
		n := len(p.prefix)
		if n > i+1 || p.prefix[n-1] != s[i] || (n > 1 && p.prefix[n-2] != s[i-1]) || s[i+1-n:i+1] != p.prefix {
			continue
		}
		start, end := i+1-n, i+1
		for end < len(s) && (isToken(s[end]) || p.dots && s[end] == '.' && end+1 < len(s) && isToken(s[end+1])) {
			end++
		}
		if end-i-1 < p.min || p.weak && (!startsWord(s, start) || !hasRandomRun(s[i+1:end])) {
			continue
		}
		if p.prefix[0] == '.' { // the account's part stands before it
			for start > 0 && isAlnum(s[start-1]) && i-start < 64 {
				start--
			}
		}
		kind := p.kind
		for q := range shapes { // sk- also starts sk-ant-, which says more
			if o := &shapes[q]; p.weak && len(o.prefix) > n && strings.HasPrefix(s[start:], o.prefix) {
				kind = o.kind
				break
			}
		}
		return match{start: start, end: end, kind: kind, strong: true}, true
	}
	return m, false
}

// hasRandomRun reports whether s holds sixteen letters and digits in a row, with some of both.
func hasRandomRun(s string) bool {
	run, letters, digits := 0, false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isDigit(c):
			digits = true
		case isLetter(c):
			letters = true
		default:
			run, letters, digits = 0, false, false
			continue
		}
		if run++; run >= 16 && letters && digits {
			return true
		}
	}
	return false
}

// looksRandom reports whether a value could hardly be a word: long, and of mixed characters.
func looksRandom(s string) bool {
	if len(s) < 16 {
		return false
	}
	var seen [4]uint64
	distinct, upper, lower, digit, changes := 0, 0, 0, 0, 0
	class := byte(0)
	for i := 0; i < len(s) && i < 256; i++ {
		c := s[i]
		if c <= ' ' {
			return false
		}
		if seen[c>>6]&(1<<(c&63)) == 0 {
			seen[c>>6] |= 1 << (c & 63)
			distinct++
		}
		k := byte(3)
		switch {
		case isDigit(c):
			digit++
			k = 0
		case isLower(c):
			lower++
			k = 1
		case isLetter(c):
			upper++
			k = 2
		}
		if i > 0 && k != class {
			changes++
		}
		class = k
	}
	if distinct < 8 || digit == 0 && (upper < 3 || lower < 3) || upper+lower == 0 {
		return false
	}
	return changes >= min(len(s), 256)/6
}

// isExample reports whether s is what documentation writes in the place of a secret.
func isExample(s string) bool {
	if anyof.Contains(s, "EXAMPLE", "example", "xxxxxx", "XXXXXX", "000000000000", "placeholder", "redacted", "REDACTED", "****") {
		return true
	}
	return strings.HasPrefix(s, "your") || strings.HasPrefix(s, "YOUR") || strings.Contains(s, "-your-") || strings.Contains(s, "_your_")
}

func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c | 0x20) }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool  { return isLetter(c) || isDigit(c) }
func isToken(c byte) bool  { return isAlnum(c) || c == '_' || c == '-' }
func isSpace(c byte) bool  { return c == ' ' || c == '\t' }
func isBase64(c byte) bool { return isToken(c) || c == '+' || c == '/' || c == '=' }

// startsWord reports whether a word starts at i. A letter after a backslash is an
// escape (\n, \t) in text that is quoted once more, so it ends the word before.
func startsWord(s string, i int) bool {
	return i == 0 || !isAlnum(s[i-1]) || i > 1 && s[i-2] == '\\'
}
