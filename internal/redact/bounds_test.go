package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// letters returns n characters that look like those of a credential.
func letters(n int) string {
	const mixed = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
	return strings.Repeat(mixed, n/len(mixed)+1)[:n]
}

// found returns the kind of what is found at the beginning of s, and where it ends.
func found(s string) (kind string, end int) {
	if list := Find(s, 1); len(list) == 1 && list[0].Start == 0 {
		return list[0].Kind, list[0].End
	}
	return "", 0
}

// testdata/shapes.txt lists each prefix with the least that follows it. With as much it is found,
// with one less it is not; a weak one is not found within a word, nor where no digits follow.
func TestShapes(t *testing.T) {
	list, err := os.ReadFile("testdata/shapes.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	if len(lines) != len(shapes) {
		t.Errorf("%d shapes are listed, want %d", len(lines), len(shapes))
	}
	for _, line := range lines {
		f := strings.Fields(line)
		prefix, kind := f[0], f[2]
		least, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		token := prefix + letters(least)
		if got, end := found(token + " x"); got != kind || end != len(token) {
			t.Errorf("%s and %d characters: got %q to %d, want %q to %d", prefix, least, got, end, kind, len(token))
		}
		if got, _ := found(prefix + letters(least-1) + " x"); got == kind && least > 10 {
			t.Errorf("%s and %d characters: got %q, want nothing", prefix, least-1, got)
		}
		if !isKind(kind) {
			t.Errorf("%s: no mask can name %q", prefix, kind)
		}
		if list := Find("x"+token, 1); slices.Contains(f, "weak") && len(list) > 0 && list[0].Kind == kind {
			t.Errorf("x%s: got %v within a word", prefix, list)
		}
		if got, _ := found(prefix + strings.Repeat("word", 12)); slices.Contains(f, "weak") && got == kind {
			t.Errorf("%s: got %q for words", prefix, got)
		}
		_, end := found(token + ".abc x")
		if goesOn := end == len(token)+4; goesOn != slices.Contains(f, "dots") {
			t.Errorf("%s: with a full stop the token ends at %d of %d", prefix, end, len(token)+4)
		}
	}
}

// Credentials without a prefix of their own have a least length, and some a greatest.
func TestLengths(t *testing.T) {
	upper := func(n int) string { return strings.ToUpper(letters(n)) }
	hex := func(n int) string { return strings.Repeat("0123456789abcdef", 5)[:n] }
	for _, tt := range []struct {
		name        string
		of          func(n int) string
		kind        string
		least, most int // most is 0 for no bound below 60
	}{
		{"AKIA", func(n int) string { return "AKIA" + upper(n) }, "aws-key-id", 16, 0},
		{"ASIA", func(n int) string { return "ASIA" + upper(n) }, "aws-key-id", 16, 0},
		{"AIza", func(n int) string { return "AIza" + letters(n) }, "google-api-key", 30, 0},
		{"the first part of a JWT", func(n int) string { return "eyJ" + letters(n) + "." + letters(20) + ".x" }, "jwt", 7, 0},
		{"all of a JWT", func(n int) string { return "eyJ" + letters(8) + "." + letters(n) }, "jwt", 14, 0},
		{"SK", func(n int) string { return "SK" + hex(n) }, "twilio-key", 32, 32},
		{"a bot's number", func(n int) string { return strings.Repeat("1", n) + ":" + letters(35) }, "telegram-token", 8, 10},
		{"a bot's token", func(n int) string { return "123456789:" + letters(n) }, "telegram-token", 33, 40},
		{"a webhook", func(n int) string { return "hooks.slack.com/services/" + letters(n) }, "webhook-url", 20, 0},
		{"another webhook", func(n int) string { return "discord.com/api/webhooks/" + letters(n) }, "webhook-url", 20, 0},
		{"Bearer", func(n int) string { return "Bearer " + letters(n) }, "bearer-token", 8, 0},
		{"basic", func(n int) string { return "basic " + letters(n) }, "basic-auth", 8, 0},
	} {
		for n := range 60 {
			kind := ""
			for _, f := range Find(tt.of(n), 9) {
				if f.Kind == tt.kind {
					kind = f.Kind
				}
			}
			if want := n >= tt.least && (tt.most == 0 || n <= tt.most); (kind != "") != want {
				t.Errorf("%s of %d characters, %q: found is %v, want %v", tt.name, n, tt.of(n), kind != "", want)
			}
		}
	}
}

// As many are found as are asked for, in their order, and none overlaps another.
func TestFindsInOrder(t *testing.T) {
	text := ""
	for range 5 {
		text += "ghp_" + letters(24) + " PASSWORD=hunter2x AKIA" + strings.ToUpper(letters(16)) + "\n"
	}
	for n := range 17 {
		list := Find(text, n)
		if len(list) != min(n, 15) {
			t.Errorf("asked for %d: got %d", n, len(list))
		}
		last := 0
		for i, f := range list {
			want := []struct {
				kind string
				form Form
				text string
			}{{"github-token", ByShape, "ghp_" + letters(24)}, {"password", ByWord, "hunter2x"}, {"aws-key-id", ByShape, "AKIA" + strings.ToUpper(letters(16))}}[i%3]
			if f.Start < last || f.Kind != want.kind || f.Form != want.form || text[f.Start:f.End] != want.text {
				t.Errorf("number %d: got %+v, %q, want %+v", i, f, text[f.Start:f.End], want)
			}
			last = f.End
		}
	}
	for text, form := range map[string]Form{
		"postgres://u:Hunter2x9@h/d":                 ByAddress,
		"see x and Bearer " + letters(30):            ByName,
		"api_key=" + letters(30):                     ByName,
		"password=hunter2x@h":                        ByWord,
		"see http://h/ then password=hunter2x@ more": ByWord,
	} {
		if list := Find(text, 1); len(list) != 1 || list[0].Form != form {
			t.Errorf("%s: got %+v, want the form %d", text, list, form)
		}
	}
}

// The letter of an escape is no part of the name that follows it, wherever in a text it is.
func TestEscapeBeforeAName(t *testing.T) {
	secret := letters(20)
	for _, name := range []string{"pw", "pass", "psk", "sig", "secret", "TOKEN", "api_key"} {
		for _, before := range []string{"", "x", "a b", "a=b "} {
			for _, escape := range []string{`\n`, `\r`, `\t`, "\n", "\t"} {
				text := before + escape + name + "=" + secret
				if got := String(text); strings.Contains(got, secret) || !strings.HasPrefix(got, before+escape+name+"=") {
					t.Errorf("%q became %q, want the value masked and the rest as it was", text, got)
				}
			}
		}
	}
}

// White space in JSON changes nothing, and what is masked stays JSON of the same form.
func TestJSONSpacing(t *testing.T) {
	secret := "ghp_" + letters(24)
	for _, compact := range []string{
		`{"a":"` + secret + `","b":["x","` + secret + `"],"c":{"password":"hunter2x","d":[]},"e":{}}`,
		`["--password","hunter2x","--token","` + letters(20) + `","-v","hunter2x"]`,
		`{"env":[{"name":"API_KEY","value":"` + letters(20) + `"},{"key":"x","value":"hunter2x"}]}`,
		`{"password":12345678,"token":1234567890,"token_count":12,"n":-1,"pin":[1,true,null]}`,
		`{"command":"curl -u me:hunter2x9 https://h.example","cmd":"x --password hunter2x"}`,
		`{"\u0070assword":"hunter2x","text":"password=\"hunter2x\"\n"}`,
		`"` + secret + `"`, `[[["` + secret + `"]]]`, `{"secrets":{"a":"hunter2x1","b":["hunter2x2"]}}`,
	} {
		want := string(JSON(json.RawMessage(compact)))
		if want == compact || strings.Contains(want, secret) {
			t.Errorf("%s: got %s, want its secrets masked", compact, want)
		}
		for _, indent := range []string{" ", "\t", "\r\n "} {
			var spaced, back bytes.Buffer
			if err := json.Indent(&spaced, []byte(compact), indent, indent); err != nil {
				t.Fatal(err)
			}
			text := indent + strings.ReplaceAll(spaced.String(), "\":", "\""+indent+":"+indent) + indent
			if strings.Contains(compact, "\\\"") {
				text = spaced.String()
			}
			if err := json.Compact(&back, JSON(json.RawMessage(text))); err != nil {
				t.Errorf("%s: %v", text, err)
			} else if back.String() != want {
				t.Errorf("%q: got %s, want %s", text, back.String(), want)
			}
		}
	}
}

// A password of an address is what stands between its first colon and the last @ before the path.
func TestUserinfo(t *testing.T) {
	for text, want := range map[string]string{
		"https://u:hunter2x@h/p":             "hunter2x",
		"https://u:hun@ter2x@h/p":            "hun@ter2x",
		"https://u:hun:ter2x@h/p":            "hun:ter2x",
		"https://:hunter2x@h":                "hunter2x",
		"https://u:@h":                       "",
		"https://u@h":                        "",
		"https://h/a:b@c":                    "",
		"https://h?a:b@c":                    "",
		"https://h#a:b@c":                    "",
		"https://u:$PASS@h":                  "",
		"https://u:<password>@h":             "",
		"https://u:****@h":                   "",
		"https://u:x\" y@h":                  "",
		"https://" + letters(30) + "@h":      letters(30),
		"x://u:" + letters(1022) + "@h":      "",
		"x://u:" + letters(1021) + "@h rest": letters(1021),
	} {
		got := ""
		for _, f := range Find(text, 1) {
			got = text[f.Start:f.End]
		}
		if got != want && !strings.Contains(fmt.Sprintf("%.60s", text), "example") {
			t.Errorf("%.60s: got %.60q, want %.60q", text, got, want)
		}
	}
}

// A header's value goes to the end of the quotes or of the line, less the name of its scheme.
func TestHeaders(t *testing.T) {
	value := "hunter2 x=" + letters(12)
	for _, name := range []string{"Authorization", "proxy-authorization", "Cookie", "SET-COOKIE"} {
		cookie := strings.Contains(strings.ToLower(name), "cookie")
		for scheme, kind := range map[string]string{"Bearer ": "bearer-token", "BASIC ": "basic-auth", "token ": "token", "": ""} {
			for _, quotes := range [][2]string{{"", "\n"}, {`"`, `"`}, {"'", "'"}, {`\"`, `\"`}, {"", "`"}, {"  ", "  \n"}} {
				text := name + ":" + quotes[0] + scheme + value + quotes[1] + " after"
				list := Find(text, 9)
				if len(list) == 0 || text[list[0].Start:list[0].End] != value {
					t.Errorf("%q: got %+v, want the place of %q", text, list, value)
					continue
				}
				want := kind
				if want == "" {
					want = map[bool]string{true: "cookie", false: "credential"}[cookie]
				}
				if list[0].Kind != want {
					t.Errorf("%q: got %q, want %q", text, list[0].Kind, want)
				}
			}
		}
	}
	for _, text := range []string{"Authorization: ", "Authorization: $TOKEN\n", "Cookie: <cookie>\n", "Authorized: " + value} {
		if list := Find(text, 9); len(list) > 0 && list[0].Start < 20 && !strings.HasPrefix(text, "Authorized") {
			t.Errorf("%q: got %+v, want nothing", text, list)
		}
	}
}
