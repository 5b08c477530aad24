package static

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

func TestSecrets(t *testing.T) {
	const random = "k9Xv2mQ7rT4wZ8pL1nB6yH3dF5"
	key := "-----BEGIN EC PRIVATE KEY-----\n" + keyBody + "-----END EC PRIVATE KEY-----"
	for name, c := range map[string]struct {
		path, text, rule string
		want             finding.Severity
	}{
		"key":             {"conf/server.key", key + "\n", keyInCode.ID, finding.High},
		"key in a string": {"a.go", "var k = \"" + strings.ReplaceAll(key, "\n", `\n`) + "\"\n", keyInCode.ID, finding.High},
		"key of a test":   {"testdata/server.key", key + "\n", keyInCode.ID, finding.Low},
		"token":           {"config.yaml", "token: gh" + "p_" + random + random + "\n", token.ID, finding.High},
		"token in docs":   {"docs/use.md", "Set gh" + "p_" + random + random + " there.\n", token.ID, finding.Low},
		"minified":        {"a.min.js", strings.Repeat("f(1);", 9000) + "var t='sk_" + "live_" + random + "';\n", token.ID, finding.High},
		"address":         {".env", "DATABASE_URL=mysql://app:Xk29mQpl@db7.corp.internal/app\n", connection.ID, finding.Medium},
		"named":           {"settings.py", "SECRET_KEY = '" + random + "'\n", namedSecret.ID, finding.Medium},
		"alone on a line": {".env", "export API_TOKEN=" + random + "\n", namedSecret.ID, finding.Medium},
	} {
		t.Run(name, func(t *testing.T) {
			list := check(t, map[string]string{c.path: c.text})
			for _, r := range list {
				if strings.Contains(r.Description, random) || strings.Contains(r.Description, keyBody[:20]) || strings.Contains(r.Description, "Xk29mQpl") {
					t.Errorf("the secret is told: %s", r.Description)
				}
				if r.Rule == c.rule && r.Severity == c.want && r.Level() != "" && strings.Contains(r.Description, "[masked:") {
					return
				}
			}
			t.Errorf("%v", list)
		})
	}
	for name, text := range map[string]string{
		"variable":  "password = os.environ[\"DB_PASSWORD\"]\n",
		"reference": "token: ${{ secrets.DEPLOY_TOKEN_2024 }}\n",
		"example":   "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\n",
		"localhost": "url = 'postgres://postgres:Xk29mQpl@localhost:5432/x'\n",
		"hash":      "integrity = 'sha512-" + random + random + "'\n",
		"call":      "auth_token = client.v2.fetch_token_for_user_2fa(id)\n",
		"header":    "const KEY_BEGIN = '-----BEGIN PRIVATE KEY-----'\n",
	} {
		for _, r := range check(t, map[string]string{"a.py": text}) {
			if strings.HasPrefix(r.Rule, "umpire/secret/") {
				t.Errorf("%s: %s: %s", name, r.Rule, r.Description)
			}
		}
	}
}
