package audit

import (
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
			t.Errorf("%s: %d records, %v", name, len(got), err)
		}
	}
	if got, err := Last(dir, Query{Rule: "remote-code"}, 5); err != nil || len(got) != 5 || got[4].Seq <= got[0].Seq || got[4].Note != "Needle" {
		t.Errorf("last five: %d, %v", len(got), err)
	}
	s, err := Count(dir, Query{Kind: Decision})
	if err != nil || s.Events != 31 || s.Effects["deny"] != 30 || s.Rules["remote-code"] != 31 || s.Failures != 1 {
		t.Errorf("%+v %v", s, err)
	}
}
