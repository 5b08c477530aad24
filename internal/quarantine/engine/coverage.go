package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/quarantine/reading"
	"github.com/umpire-dev/umpire/internal/review"
)

// seen is the part of a file that reviewers were shown.
type seen struct {
	spans [][2]int64
	cut   bool
}

// show records the shown part of a file. It counts only for files that the agent was given.
func (d *reviewState) show(a *agent, list []reading.Shown) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range list {
		if a.file(s.Path) == nil {
			continue
		}
		one, ok := d.seen[s.Path]
		if !ok {
			one = &seen{}
			d.seen[s.Path] = one
		}
		one.cut = one.cut || s.Cut
		if len(one.spans) < 10_000 {
			one.spans = append(one.spans, [2]int64{s.First, s.Last})
		}
	}
}

// unsentText is a text that a foreign client got from umpire's tools and has not yet sent to its model.
type unsentText struct {
	text  string
	shown []reading.Shown
}

// addUnsent records a text for a client. Clients shorten long results before their model sees them, so a
// file counts as read only after its text was in a request that the provider answered.
func (a *agent) addUnsent(text string, shown []reading.Shown) {
	if len(shown) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.owed = append(a.owed, unsentText{text, shown})
}

// passed searches an answered request for the texts that the client owes.
func (d *reviewState) passed(a *agent, request []byte) {
	a.passing.Lock() // two concurrent requests must each see all owed texts
	defer a.passing.Unlock()
	a.mu.Lock()
	list := a.owed
	a.owed = nil
	a.mu.Unlock()
	if len(list) == 0 {
		return
	}
	list = slices.DeleteFunc(list, func(o unsentText) bool {
		if !within(request, o.text, 0) {
			return false
		}
		d.show(a, o.shown)
		return true
	})
	a.mu.Lock()
	a.owed = append(list, a.owed...)
	a.mu.Unlock()
}

// within reports whether a string in a JSON value contains a text. Some clients encode a result as
// JSON in a string again.
func within(raw []byte, text string, depth int) bool {
	var v any
	if depth > 3 || json.Unmarshal(raw, &v) != nil {
		return false
	}
	var look func(v any) bool
	look = func(v any) bool {
		switch v := v.(type) {
		case string:
			return strings.Contains(v, text) || (strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[")) && within([]byte(v), text, depth+1)
		case []any:
			return slices.ContainsFunc(v, look)
		case map[string]any:
			for _, e := range v {
				if look(e) {
					return true
				}
			}
		}
		return false
	}
	return look(v)
}

// coverage returns how much of each file reviewers saw. A model that reports nothing about files
// that it never opened has not reviewed them.
func (d *reviewState) coverage() {
	for i := range d.snap.Files {
		f := &d.snap.Files[i]
		if _, done := d.result.Read[f.Path]; done {
			continue
		}
		one, ok := d.seen[f.Path]
		if !ok {
			d.result.Read[f.Path] = review.Coverage{Reviewed: review.None, Why: d.why(f.Path, "no reviewer opened it")}
			d.incomplete("not every file was opened by a reviewer")
			continue
		}
		slices.SortFunc(one.spans, func(x, y [2]int64) int { return int(x[0] - y[0]) })
		next := int64(1)
		for _, s := range one.spans {
			if s[0] > next {
				break
			}
			next = max(next, s[1]+1)
		}
		switch {
		case next <= int64(f.Lines):
			d.result.Read[f.Path] = review.Coverage{Reviewed: review.Partial, Why: d.why(f.Path, "a reviewer read a part of it")}
			d.incomplete("not every file was read to its end")
		case one.cut:
			d.result.Read[f.Path] = review.Coverage{Reviewed: review.Partial, Why: "its long lines were shown cut"}
			d.incomplete("lines of more than 10000 characters were shown cut")
		default:
			d.result.Read[f.Path] = review.Coverage{Reviewed: review.Full}
		}
	}
}

// why returns the reason why a file was not read.
func (d *reviewState) why(path, otherwise string) string {
	if why := d.failed[path]; why != "" {
		return why
	}
	return otherwise
}
