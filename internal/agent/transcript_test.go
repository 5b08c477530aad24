package agent

import "testing"

// The model that summarizes reads every text, call and result, with its source.
func TestTranscript(t *testing.T) {
	got := transcript([]Message{
		{Role: User, Parts: []Part{{Text: "fix it"}, {Text: "soon"}}},
		{Role: Assistant, Parts: []Part{{Text: "I look"}, {Call: &Call{Name: "read", Input: []byte(`{"path":"a"}`)}}}},
		{Role: User, Parts: []Part{{Result: &Returned{Name: "read", Text: "own"}}, {Result: &Returned{Name: "fetch", Text: "theirs", Origin: "h.example"}}}},
	})
	const want = "user: fix it\n\nuser: soon\n\nassistant: I look\n\ncall read {\"path\":\"a\"}\n\n" +
		"result of read (umpire): own\n\nresult of fetch (untrusted, from h.example): theirs\n\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A history that cannot be compacted stays as it is, and the reason is reported once.
func TestFoldFails(t *testing.T) {
	short := []Message{{Role: User, Parts: []Part{{Text: "hello"}}}}
	for name, must := range map[string]bool{"below the limit": false, "too short": true} {
		t.Run(name, func(t *testing.T) {
			var failed []error
			c := &Compactor{Window: 1000, Last: 1, Failed: func(err error) { failed = append(failed, err) }}
			now, folded := c.fold(t.Context(), short, must)
			if folded || len(now) != 1 || (len(failed) == 1) != must {
				t.Errorf("folded %v to %d messages, reported %v; want the old history, reported: %v", folded, len(now), failed, must)
			}
		})
	}
}
