package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const value = "s3cr3t-of-the-test"

var key = bytes.Repeat([]byte("k"), 32)

func load(t *testing.T, text string) (*Set, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secrets")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(t.Context(), path, key)
}

func set(t *testing.T) *Set {
	t.Helper()
	s, err := load(t, "version: 1\nsecrets:\n  - {name: git, env: TOKEN, hosts: [api.example.com, '*.git.example.com', 'alt.example.com:8443'], value: "+value+"}\n  - {name: key, hosts: [api.example.com], headers: [x-api-key], value: another-"+value+"}\n")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReveal(t *testing.T) {
	s := set(t)
	mine := s.Placeholders("a", "s1")
	git, own := mine[0].Text, mine[1].Text
	other := s.Placeholders("a", "s2")[0].Text
	basic := func(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }
	for _, tt := range []struct {
		name, host, port, url, header, text string
		plain                               bool
		want                                string // the header; empty: refused
		says                                string
	}{
		{name: "bearer", host: "api.example.com", header: "Authorization", text: "Bearer " + git, want: "Bearer " + value},
		{name: "alone", host: "api.example.com", header: "X-Api-Key", text: own, want: "another-" + value},
		{name: "basic", host: "api.example.com", header: "Authorization", text: basic("x:" + git), want: basic("x:" + value)},
		{name: "basic without padding", host: "api.example.com", header: "Authorization", text: strings.TrimRight(basic("xy:"+git), "="), want: basic("xy:" + value)},
		{name: "another host, basic without padding", host: "evil.example", header: "Authorization", text: strings.TrimRight(basic("xy:"+git), "="), says: "not for evil.example"},
		{name: "basic, the user", host: "api.example.com", header: "Authorization", text: basic(git + ":"), want: basic(value + ":")},
		{name: "below the domain", host: "a.git.example.com", header: "Authorization", text: git, want: value},
		{name: "the domain", host: "git.example.com", header: "Authorization", text: git, want: value},
		{name: "a port that is named", host: "alt.example.com", port: "8443", header: "Authorization", text: git, want: value},
		{name: "none to its host", host: "api.example.com", header: "Authorization", text: "Bearer other", want: "Bearer other"},
		{name: "none", host: "evil.example", header: "Authorization", text: "Bearer other", want: "Bearer other"},
		{name: "what looks a little like one", host: "evil.example", header: "X", text: "umpire:git:short umpire::x", want: "umpire:git:short umpire::x"},

		{name: "another host", host: "evil.example", header: "Authorization", text: git, says: "not for evil.example"},
		{name: "another host, basic", host: "evil.example", header: "Authorization", text: basic("x:" + git), says: "not for evil.example"},
		{name: "another host, a cookie", host: "evil.example", header: "Cookie", text: "a=" + git, says: "not for evil.example"},
		{name: "a host that ends alike", host: "evilgit.example.com", header: "Authorization", text: git, says: "not for"},
		{name: "a host that begins alike", host: "api.example.com.evil.example", header: "Authorization", text: git, says: "not for"},
		{name: "another port", host: "api.example.com", port: "8443", header: "Authorization", text: git, says: "not for"},
		{name: "a port that is not named", host: "alt.example.com", header: "Authorization", text: git, says: "not for"},
		{name: "without TLS", host: "api.example.com", header: "Authorization", text: git, plain: true, says: "only in TLS"},
		{name: "another header", host: "api.example.com", header: "X-Debug", text: git, says: "belongs in Authorization"},
		{name: "a cookie", host: "api.example.com", header: "Cookie", text: "a=" + git, says: "belongs in Authorization"},
		{name: "in the address", host: "api.example.com", url: "/?q=" + git, header: "A", text: "b", says: "address"},
		{name: "in the address, escaped", host: "api.example.com", url: "/" + strings.ReplaceAll(git, ":", "%3A"), header: "A", text: "b", says: "address"},
		{name: "another session's", host: "api.example.com", header: "Authorization", text: other, says: "belongs to another session"},
		{name: "one that nobody made", host: "api.example.com", header: "Authorization", text: "umpire:git:" + strings.Repeat("a", 26), says: "belongs to another session"},
		{name: "of a secret that is none", host: "api.example.com", header: "Authorization", text: "umpire:no:" + strings.Repeat("a", 26), says: "belongs to another session"},
		{name: "one good and one bad", host: "api.example.com", header: "Authorization", text: git + " " + own, says: "belongs in X-Api-Key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.port == "" {
				tt.port = "443"
			}
			in := http.Header{tt.header: {tt.text}, "Accept": {"a"}}
			h, mask, err := s.Reveal(&OutgoingRequest{Agent: "a", Session: "s1", Secure: !tt.plain, Host: tt.host, Port: tt.port, URL: tt.url, Header: in})
			if in.Get(tt.header) != tt.text {
				t.Error("the agent's own header was changed")
			}
			var misuse *MisuseError
			switch {
			case tt.want == "":
				if !errors.As(err, &misuse) || !strings.Contains(err.Error(), tt.says) || h != nil || strings.Contains(err.Error(), value) {
					t.Errorf("header %v, error %v; want no header, and a misuse that says %q without the credential", h, err, tt.says)
				}
			case err != nil || h.Get(tt.header) != tt.want || h.Get("Accept") != "a":
				t.Errorf("header %v, error %v; want %s: %q and Accept: a", h, err, tt.header, tt.want)
			case slices.Contains(mask, value) == (tt.host == "evil.example"):
				t.Errorf("among %d texts to mask the credential is %t, want it for every host but evil.example", len(mask), slices.Contains(mask, value))
			}
		})
	}
}

// However a server spells what it was sent, hardly anything of it is left to be read.
func TestVariants(t *testing.T) {
	const v = `k/+e"y&<\\é of-the-test/x==`
	quoted, err := json.Marshal("a " + v + " b")
	if err != nil {
		t.Fatal(err)
	}
	for name, echo := range map[string]string{
		"itself": "a " + v, "JSON": string(quoted), "JSON as PHP has it": strings.ReplaceAll(string(quoted), "/", `\/`), "HTML": html.EscapeString("x " + v),
		"JSON of Gson": `"k/+e\"y\u0026\u003c\\\\é of-the-test/x\u003d\u003d"`, "HTML of Python": "k/+e&quot;y&amp;&lt;\\\\é of-the-test/x==", "HTML of Handlebars": "k/+e&quot;y&amp;&lt;\\\\é of-the-test/x&#x3D;&#x3D;",
		"HTML of OWASP's encoder": "k&#x2F;+e&quot;y&amp;&lt;\\\\é of-the-test&#x2F;x==", "a query of .NET": lowerEscapes(url.QueryEscape(v)), "UTF-16": "\x00x\x00" + wide(v, 1)[1:] + "\x00x", "UTF-16, the other way": wide(v, 0), "a query": url.QueryEscape(v), "a path": url.PathEscape(v),
		"hex": hex.EncodeToString([]byte("a" + v)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(v))),
		"base64": base64.StdEncoding.EncodeToString([]byte(v)), "base64 of more": base64.StdEncoding.EncodeToString([]byte("x:" + v + ":y")), "base64 for URLs": base64.RawURLEncoding.EncodeToString([]byte("u" + v)),
	} {
		left := echo
		for _, text := range variants([]string{v}) {
			left = strings.ReplaceAll(left, text, strings.Repeat("*", len(text)))
		}
		if strings.Count(left, "*") < len(v)*8/6-3 && !strings.Contains(left, strings.Repeat("*", len(v))) {
			t.Errorf("%s: of %s is left %s, want all of it masked", name, echo, left)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	s := set(t)
	seen := map[string]bool{}
	for _, who := range [][2]string{{"a", "s1"}, {"a", "s2"}, {"b", "s1"}, {"a", ""}, {"as", "1"}} {
		for _, p := range s.Placeholders(who[0], who[1]) {
			if seen[p.Text] || !strings.HasPrefix(p.Text, "umpire:"+p.Name+":") {
				t.Errorf("the placeholder of %v is %s, want a new one that begins with umpire:%s:", who, p.Text, p.Name)
			}
			seen[p.Text] = true
		}
	}
	if got, want := s.Hosts(), []string{"*.git.example.com", "alt.example.com:8443", "api.example.com"}; !slices.Equal(got, want) {
		t.Errorf("the secrets are for %v, want each host once: %v", got, want)
	}
	if again := set(t).Placeholders("a", "s1"); !reflect.DeepEqual(again, s.Placeholders("a", "s1")) {
		t.Error("a gateway that starts anew knows its own placeholders no more")
	}
}

// However a set is printed, no credential is.
func TestNothingPrints(t *testing.T) {
	s := set(t)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "set", s, "secret", s.list[0], "list", s.list)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "set", s, "secret", s.list[0], "list", s.list)
	j, err := json.Marshal(s.list)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%v %+v %#v %s %v %+v %#v %s %s", s, s, s, s, s.list, s.list[0], s.list, j, log.String())
	if strings.Contains(text, value) {
		t.Errorf("printed: %s; want no credential in it", text)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file, open := filepath.Join(dir, "value"), filepath.Join(dir, "open")
	for path, mode := range map[string]os.FileMode{file: 0o600, open: 0o644} {
		if err := os.WriteFile(path, []byte(value+"\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("UMPIRE_TEST_SECRET", value)
	for _, tt := range []struct{ name, entry, says string }{
		{"a value", "name: a, hosts: [a.example], value: " + value, ""},
		{"a variable", "name: a, hosts: [a.example], fromEnv: UMPIRE_TEST_SECRET", ""},
		{"a file", "name: a, hosts: [a.example], file: " + file, ""},
		{"a command", "name: a, hosts: [a.example], command: [cat, " + file + "]", ""},
		{"a command that fails", "name: a, hosts: [a.example], command: [sh, -c, 'echo " + value + " >&2; exit 3']", "exit status 3"},
		{"a variable that is not set", "name: a, hosts: [a.example], fromEnv: UMPIRE_TEST_NONE", "the credential is missing"},
		{"a file that others read", "name: a, hosts: [a.example], file: " + open, "chmod 600"},
		{"two places", "name: a, hosts: [a.example], value: " + value + ", file: " + file, "one of value"},
		{"no place", "name: a, hosts: [a.example]", "one of value"},
		{"no host", "name: a, value: " + value, "name the hosts"},
		{"every host", "name: a, hosts: ['*'], value: " + value, "is not a host"},
		{"a whole top-level domain", "name: a, hosts: ['*.com'], value: " + value, "is not a host"},
		{"everybody's pages", "name: a, hosts: ['*.github.io'], value: " + value, "anyone can register"},
		{"everybody's names", "name: a, hosts: ['*.co.uk'], value: " + value, "anyone can register"},
		{"everybody's buckets", "name: a, hosts: [a.example, '*.s3.amazonaws.com:443'], value: " + value, "anyone can register"},
		{"one's own pages", "name: a, hosts: [me.github.io, '*.me.github.io'], value: " + value, ""},
		{"an address with a path", "name: a, hosts: [a.example/x], value: " + value, "is not a host"},
		{"a name with a colon", "name: 'a:b', hosts: [a.example], value: " + value, "lower-case letters"},
		{"the Host header", "name: a, hosts: [a.example], headers: [host], value: " + value, "is not a header"},
		{"a header of two lines", "name: a, hosts: [a.example], headers: [\"a\\nb\"], value: " + value, "is not a header"},
		{"a value of two lines", "name: a, hosts: [a.example], value: \"" + value + "\\nX: y\"", "no header can have"},
		{"a variable that is no name", "name: a, hosts: [a.example], env: 'A B', value: " + value, "the name of a variable"},
		{"a folder", "name: a, hosts: [a.example], file: " + dir, "not a regular file"},
		{"a file that is missing", "name: a, hosts: [a.example], file: " + dir + "/none", "no such file"},
		{"a command that is missing", "name: a, hosts: [a.example], command: [" + dir + "/none]", "no such file"},
		{"a short value", "name: a, hosts: [a.example], value: abc", "shorter than 8"},
		{"a field that is none", "name: a, hosts: [a.example], valeu: " + value, "line 3"},
		{"a value of another type", "name: a, hosts: [a.example], value: {" + value + ": 1}", "line 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := load(t, "version: 1\nsecrets:\n  - {"+tt.entry+"}\n")
			switch {
			case tt.says == "" && (err != nil || s.list[0].Value != value):
				t.Errorf("loaded %v, error %v; want the credential", s, err)
			case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
				t.Errorf("error %v, want one with %q", err, tt.says)
			case err != nil && strings.Contains(err.Error(), value):
				t.Errorf("the error has the credential: %v", err)
			}
		})
	}
	for text, says := range map[string]string{"": "version: 1", "secrets: []\n": "version: 1", "version: 2\n": "version: 1", "version: [\n": "YAML|malformed", "- a\n": "YAML|malformed", "version: 1\n": ""} {
		if s, err := load(t, text); (err == nil) != (says == "") || err != nil && !slices.ContainsFunc(strings.Split(says, "|"), func(one string) bool { return strings.Contains(err.Error(), one) }) {
			t.Errorf("%q: loaded %v, error %v; want one with %q", text, s, err, says)
		}
	}
	if _, err := Load(t.Context(), open, key); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file of secrets that others read: error %v, want one with chmod 600", err)
	}
}

// A name and a variable are one secret's: a placeholder that may be of two would go to the hosts
// of either.
func TestTwoSecrets(t *testing.T) {
	for _, tt := range []struct{ one, two, says string }{
		{"name: a, env: A", "name: b, env: B", ""},
		{"name: a", "name: b", ""},
		{"name: a, env: b", "name: b", ""},
		{"name: a, env: A", "name: a, env: B", "two secrets"},
		{"name: a", "name: a", "two secrets"},
		{"name: a, env: A", "name: b, env: A", "two secrets"},
	} {
		const rest = ", hosts: [a.example], value: " + value + "}\n"
		_, err := load(t, "version: 1\nsecrets:\n  - {"+tt.one+rest+"  - {"+tt.two+rest)
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("{%s} and {%s}: error %v, want one with %q", tt.one, tt.two, err, tt.says)
		}
	}
}

// Each limit counts what it names: as much is read, and one more is an error.
func TestLimits(t *testing.T) {
	name := func(n int) string { return strings.Repeat("n", n) }
	file := func(n int) string {
		path := filepath.Join(t.TempDir(), "value")
		if err := os.WriteFile(path, bytes.Repeat([]byte("v"), n), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := func(name, source string) string {
		return "version: 1\nsecrets:\n  - {name: " + name + ", hosts: [a.example], " + source + "}\n"
	}
	for _, tt := range []struct {
		what  string
		limit int
		text  func(n int) string
	}{
		{"secrets", maxSecrets, func(n int) string {
			var b strings.Builder
			b.WriteString("version: 1\nsecrets:\n")
			for i := range n {
				fmt.Fprintf(&b, "  - {name: a%d, hosts: [a.example], value: %s}\n", i, value)
			}
			return b.String()
		}},
		{"letters of a name", 40, func(n int) string { return one(name(n), "value: "+value) }},
		{"bytes of a value", maxValue, func(n int) string { return one("a", "value: "+name(n)) }},
		{"bytes of a value in a file", maxValue, func(n int) string { return one("a", "file: "+file(n)) }},
		{"bytes of the file", maxFile, func(n int) string {
			text := one("a", "value: "+value)
			return text + "#" + name(n-len(text)-1)
		}},
	} {
		if _, err := load(t, tt.text(tt.limit)); err != nil {
			t.Errorf("%d %s: error %v, want none", tt.limit, tt.what, err)
		}
		if _, err := load(t, tt.text(tt.limit+1)); err == nil {
			t.Errorf("%d %s: no error, want one", tt.limit+1, tt.what)
		}
	}
	if _, err := load(t, one("a", "value: "+name(minValue))); err != nil {
		t.Errorf("a value of %d characters: error %v, want none", minValue, err)
	}
	for n, want := range map[int]bool{31: false, 32: true} {
		if _, err := newSet(nil, bytes.Repeat([]byte("k"), n)); (err == nil) != want {
			t.Errorf("a key of %d bytes: error %v, want it to be taken: %t", n, err, want)
		}
	}
}

// find sees every placeholder that an agent can be given, wherever it is in a text: one that it
// missed would be sent as it is, and its misuse would not be an error.
func TestFind(t *testing.T) {
	end := ":" + strings.Repeat("a", random)
	for _, tt := range []struct{ name, before, placeholder, after string }{
		{"alone", "", "umpire:a" + end, ""},
		{"in a text", "x ", "umpire:git-1" + end, " y"},
		{"the longest name", "", "umpire:" + strings.Repeat("n", 40) + end, ""},
		{"a longer name", "", "", "umpire:" + strings.Repeat("n", 41) + end},
		{"no name", "", "", "umpire:" + end},
		{"a name that none has", "", "", "umpire:A" + end},
		{"a short end", "", "", "umpire:a:" + strings.Repeat("a", random-1)},
		{"an end of other letters", "", "", "umpire:a:" + strings.Repeat("1", random)},
		{"after what is none", "umpire:A:umpire:b:x ", "umpire:c" + end, ""},
		{"right after the prefix", "umpire:", "umpire:c" + end, ""},
		{"two", "", "umpire:a" + end, "umpire:b" + end},
	} {
		start, stop, ok := find(tt.before + tt.placeholder + tt.after)
		if want := tt.placeholder != ""; ok != want || ok && (start != len(tt.before) || stop != len(tt.before+tt.placeholder)) {
			t.Errorf("%s: found %t at %d to %d, want %t at %d to %d", tt.name, ok, start, stop, want, len(tt.before), len(tt.before+tt.placeholder))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("version: 1\nsecrets:\n  - {name: a, hosts: [a.example], value: abcdefgh}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := parse(b)
		for _, s := range list {
			if err == nil && (s.Name == "" || len(s.Hosts) == 0 || len(s.Headers) == 0) {
				t.Fatalf("parse(%q) = %v, want a name, hosts and headers", b, s)
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("umpire:a:" + strings.Repeat("b", 26))
	f.Fuzz(func(t *testing.T, s string) {
		if start, end, ok := find(s); ok && (!strings.HasPrefix(s[start:end], prefix) || strings.Count(s[start:end], ":") != 2) {
			t.Fatalf("find(%q) is %q, want umpire:NAME:CODE", s, s[start:end])
		}
	})
}
