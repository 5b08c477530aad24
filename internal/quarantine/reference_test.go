package quarantine

import (
	"bytes"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/quarantine/secret"
)

const (
	sidA = "11111111-1111-4111-8111-111111111111"
	sidB = "22222222-2222-4222-9222-222222222222"
)

func key(t testing.TB, fill byte) *secret.Key {
	t.Helper()
	k, err := secret.Take(bytes.Repeat([]byte{fill}, 32))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Wipe)
	return k
}

// accepting checks as the session A, which may read /src/a.go.
func accepting(k *secret.Key, now int64) *checker {
	return &checker{session: sidA, key: k, ttl: time.Hour, now: func() int64 { return now },
		digest: func(p string) (string, bool) {
			if p == "/src/a.go" {
				return "d1", true
			}
			return "", false
		}}
}

func signed(t testing.TB, k *secret.Key, session, path, digest string, now int64) Reference {
	t.Helper()
	r, err := Sign(k, session, path, digest, now)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReference(t *testing.T) {
	k := key(t, 1)
	const now = 1_700_000_000
	good := signed(t, k, sidA, "/src/a.go", "d1", now)
	uri := good.String()
	mac := uri[strings.Index(uri, "hmac=")+5:][:64]
	with := func(old, new string) string {
		if !strings.Contains(uri, old) {
			t.Fatalf("%q is not in %q", old, uri)
		}
		return strings.Replace(uri, old, new, 1)
	}
	for _, tt := range []struct {
		name string
		uri  string
		code Code
	}{
		{"as it was made", uri, ""},
		{"parameters in another order", "typed://%2Fsrc%2Fa.go?sid=" + sidA + "&ts=1700000000&hmac=" + mac, ""},
		{"lower-case escapes", with("%2F", "%2f"), ""},
		{"empty", "", Malformed},
		{"a plain path", "/src/a.go", Malformed},
		{"another scheme", with("typed://", "file://"), Malformed},
		{"an upper-case scheme", with("typed", "TYPED"), Malformed},
		{"a space before it", " " + uri, Malformed},
		{"a line feed after it", uri + "\n", Malformed},
		{"no query", "typed://%2Fsrc%2Fa.go", Malformed},
		{"an empty query", "typed://%2Fsrc%2Fa.go?", Malformed},
		{"no mac", with("hmac="+mac+"&", ""), Malformed},
		{"no time", with("&ts=1700000000", ""), Malformed},
		{"no session", with("&sid="+sidA, ""), Malformed},
		{"an empty mac", with(mac, ""), Malformed},
		{"an empty time", with("1700000000", ""), Malformed},
		{"an empty session", with(sidA, ""), Malformed},
		{"a mac twice", uri + "&hmac=" + mac, Malformed},
		{"a session twice", uri + "&sid=" + sidA, Malformed},
		{"an unknown parameter", uri + "&x=1", Malformed},
		{"an empty parameter", uri + "&", Malformed},
		{"a fragment", uri + "#x", Malformed},
		{"a semicolon for an ampersand", with("&ts", ";ts"), Malformed},
		{"an upper-case mac", with(mac, strings.ToUpper(mac)), Malformed},
		{"a short mac", with(mac, mac[:63]), Malformed},
		{"a long mac", with(mac, mac+"0"), Malformed},
		{"a mac of zeros", with(mac, strings.Repeat("0", 64)), InvalidMAC},
		{"a time with a sign", with("ts=", "ts=+"), Malformed},
		{"a negative time", with("ts=", "ts=-"), Malformed},
		{"a time with a leading zero", with("ts=", "ts=0"), Malformed},
		{"a time with a space", with("ts=", "ts=%20"), Malformed},
		{"a time as a fraction", with("1700000000", "1700000000.0"), Malformed},
		{"a time that is too large", with("1700000000", "99999999999999999999"), Malformed},
		{"a time one second off", with("1700000000", "1700000001"), InvalidMAC},
		{"an old time", with("1700000000", "1"), Expired},
		{"time zero", with("1700000000", "0"), Expired},
		{"an upper-case session", strings.Replace(signed(t, k, "aaaaaaaa-1111-4111-8111-111111111111", "/src/a.go", "d1", now).String(), "sid=aaaaaaaa", "sid=AAAAAAAA", 1), Malformed},
		{"a session that is no UUID of version 4", with(sidA, "11111111-1111-1111-8111-111111111111"), Malformed},
		{"another session", signed(t, k, sidB, "/src/a.go", "d1", now).String(), SessionMismatch},
		{"another session and expired", signed(t, k, sidB, "/src/a.go", "d1", 1).String(), SessionMismatch},
		{"another session's id written over", with(sidA, sidB), SessionMismatch},
		{"another path", with("a.go", "b.go"), InvalidMAC},
		{"another key", signed(t, key(t, 2), sidA, "/src/a.go", "d1", now).String(), InvalidMAC},
		{"another digest", signed(t, k, sidA, "/src/a.go", "d2", now).String(), InvalidMAC},
		{"no digest", signed(t, k, sidA, "/src/a.go", "", now).String(), InvalidMAC},
		{"a file that was not given", signed(t, k, sidA, "/src/b.go", "", now).String(), NotInScope},
		{"a file that was not given, with a digest", signed(t, k, sidA, "/src/b.go", "d1", now).String(), InvalidMAC},
		{"a relative path", with("%2Fsrc", "src"), Malformed},
		{"home", with("%2Fsrc", "~%2Fsrc"), Malformed},
		{"a way up", with("%2Fsrc", "%2F..%2Fsrc"), Malformed},
		{"a dot", with("%2Fsrc", "%2F.%2Fsrc"), Malformed},
		{"two slashes", with("%2Fsrc", "%2F%2Fsrc"), Malformed},
		{"a slash at the end", with("a.go", "a.go%2F"), Malformed},
		{"raw slashes", with("%2Fsrc%2F", "/src/"), Malformed},
		{"encoded twice", with("%2Fsrc%2F", "%252Fsrc%252F"), Malformed},
		{"a NUL", with("a.go", "a.go%00"), Malformed},
		{"no UTF-8", with("a.go", "a.go%ff"), Malformed},
		{"a bad escape", with("a.go", "a%zz"), Malformed},
		{"a cut escape", with("a.go", "a%2"), Malformed},
		{"a raw character", with("a.go", "ä.go"), Malformed},
		{"a plus", with("a.go", "a+go"), Malformed},
		{"too long", with("a.go", strings.Repeat("a", 4096)), Malformed},
	} {
		got := accepting(k, now).check(tt.uri)
		if got.Error != tt.code || got.Valid != (tt.code == "") {
			t.Errorf("%s: %q, want %q", tt.name, got.Error, tt.code)
		}
		if strings.Contains(got.Message, "src") || strings.Contains(got.Message, sidB) || strings.Contains(got.Message, sidA) {
			t.Errorf("%s: the message tells more than the code: %q", tt.name, got.Message)
		}
	}
}

func TestReferenceTime(t *testing.T) {
	k := key(t, 1)
	const made = 1_700_000_000
	uri := signed(t, k, sidA, "/src/a.go", "d1", made).String()
	for after, want := range map[int64]Code{0: "", 3599: "", 3600: "", 3601: Expired, 1 << 40: Expired, -1: "", -30: "", -31: Expired} {
		if got := accepting(k, made+after).check(uri); got.Error != want {
			t.Errorf("%d seconds later: %q, want %q", after, got.Error, want)
		}
	}
}

func TestSignRefuses(t *testing.T) {
	k := key(t, 1)
	short, err := secret.Random(31)
	if err != nil {
		t.Fatal(err)
	}
	defer short.Wipe()
	if _, err := Sign(short, sidA, "/a", "", 1); err == nil {
		t.Error("a key of 31 bytes signs")
	}
	for _, p := range []string{"", "a", "~/a", "/a/../b", "/a/./b", "//a", "/a/", "/a\x00b", "/\xff", "/" + strings.Repeat("a", 4090)} {
		if _, err := Sign(k, sidA, p, "", 1); err == nil {
			t.Errorf("%q was signed", p)
		}
	}
	if _, err := Sign(k, "x", "/a", "", 1); err == nil {
		t.Error("a session that is no ID was signed")
	}
	// A tilde and all that is not ASCII are ordinary.
	for _, p := range []string{"/~/a", "/ä b/ü+&=?#%.go", "/a%2Fb"} {
		r := signed(t, k, sidA, p, "", 7)
		if got, ok := ParseReference(r.String()); !ok || got != r {
			t.Errorf("%q: parsed to %+v, %t; want the same reference %+v", p, got, ok, r)
		}
	}
}

// No two different references share what is signed.
func TestInputIsInjective(t *testing.T) {
	parts := []string{"", "/", "/a", "/a1", "1", "11", "/a\x00", "d", "1d"}
	seen := map[string][4]string{}
	for _, p := range parts {
		for _, s := range parts {
			for _, d := range parts {
				for _, n := range []int64{0, 1, 11} {
					r := Reference{Path: p, Time: n, Session: s}
					in := string(r.input(d))
					was := [4]string{p, s, d, string(rune('0' + n))}
					if old, ok := seen[in]; ok && old != was {
						t.Fatalf("%q and %q have the same input", old, was)
					}
					seen[in] = was
				}
			}
		}
	}
}

// Whatever one byte of a reference is changed to, the result is refused or means the same.
func TestEveryByteCounts(t *testing.T) {
	k := key(t, 1)
	const now = 1_700_000_000
	uri := signed(t, k, sidA, "/src/a.go", "d1", now).String()
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range len(uri) {
		for range 40 {
			b := []byte(uri)
			b[i] = byte(rnd.IntN(256))
			got := accepting(k, now).check(string(b))
			if r, ok := ParseReference(string(b)); got.Valid && string(b) != uri && (!ok || r.String() != uri) {
				t.Errorf("%q is valid", b)
			}
		}
	}
}

func FuzzParseReference(f *testing.F) {
	k, err := secret.Take(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		f.Fatal(err)
	}
	good, err := Sign(k, sidA, "/src/a.go", "d1", 1_700_000_000)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good.String())
	f.Add("typed://%2F..%2Fa?hmac=00&ts=1&sid=" + sidA)
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := ParseReference(s)
		if !ok {
			return
		}
		if !Canonical(r.Path) || len(s) > maxReference {
			t.Errorf("%q was parsed", s)
		}
		if again, ok := ParseReference(r.String()); ok && again != r {
			t.Errorf("%q is %+v and then %+v", s, r, again)
		}
		u, err := url.PathUnescape(s[len(scheme):strings.IndexByte(s, '?')])
		if err != nil || u != r.Path {
			t.Errorf("%q: another parser reads %q, %v", s, u, err)
		}
		if got := accepting(k, 1_700_000_000).check(s); got.Valid && r != good {
			t.Errorf("%q is valid", s)
		}
	})
}
