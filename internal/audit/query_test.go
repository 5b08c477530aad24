package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestQuery(t *testing.T) {
	dir := t.TempDir()
	l := fill(t, dir, 30, Options{MaxSize: 6000}) // several files
	e := sample()
	e.Tool, e.Effect, e.Note, e.Failure = "WebFetch", "allow", "Needle", "no policy"
	e.Time = time.Now().Add(time.Hour)
	if err := l.Append(e); err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]Query{
		"tool": {Tool: "webfetch"}, "effect": {Effect: "allow"}, "text": {Text: "needle"}, "since": {Since: time.Now().Add(time.Minute)},
	} {
		got, err := Last(dir, q, 10)
		if err != nil || len(got) != 1 || got[0].Note != "Needle" {
			t.Errorf("%s: %d records, error %v; want the one with Needle", name, len(got), err)
		}
	}
	if got, err := Last(dir, Query{Rule: "remote-code"}, 5); err != nil || len(got) != 5 || got[4].Seq <= got[0].Seq || got[4].Note != "Needle" {
		t.Errorf("last five: %d, %v", len(got), err)
	}
	s, err := Count(dir, Query{Kind: Decision})
	if err != nil || s.Events != 31 || s.Effects["deny"] != 30 || s.Rules["remote-code"] != 31 || s.Failures != 1 {
		t.Errorf("statistics %+v, error %v; want 31 events, 30 of them denied, and one failure", s, err)
	}
}

// The last lines are the same whether they are looked for from the front or from the back,
// over files, blocks and lines that are none.
func TestLastIsTheEndOfRead(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(dir, Options{MaxSize: 3 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 400 {
		e := sample()
		e.Note = strings.Repeat("n", i*97%30_000)
		e.Principal.Session = fmt.Sprint("s", i%7)
		e.Kind = []EventKind{Decision, Approval}[i%2]
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
		if i == 200 { // somebody wrote into it
			f, err := os.OpenFile(filepath.Join(dir, logName), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("\n\nnoise\n"); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
		}
	}
	for _, q := range []Query{{}, {Session: "s3"}, {Session: "s33"}, {Kind: Approval, Session: "s1"}, {Text: "NNNNN"}, {Rule: "remote-code"}, {Effect: "deny"}} {
		var all []string
		for r, err := range Read(dir, q) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(r.Raw))
		}
		for _, n := range []int{1, 2, 50, 399, 1000} {
			got, err := Last(dir, q, n)
			if err != nil {
				t.Fatal(err)
			}
			want := all[max(0, len(all)-n):]
			if len(got) != len(want) {
				t.Errorf("%+v, %d: %d and not %d", q, n, len(got), len(want))
				continue
			}
			for i := range got {
				if string(got[i].Raw) != want[i] {
					t.Errorf("%+v, %d: line %d differs", q, n, i)
					break
				}
			}
		}
	}
}
