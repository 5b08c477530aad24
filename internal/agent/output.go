package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// ModelView is Data with text for the model that a Result has no field for. People see the text as
// Output, and the model needs it, too.
type ModelView interface{ ForModel() any }

// forModel returns the part of a Result for the model: its Data if there is any, otherwise all of
// it.
func forModel(r Result) string {
	v := modelData(r.Data)
	if v == nil {
		v = r
	}
	b, err := marshal(v)
	if err != nil {
		return `{"success":false,"error":"the result cannot be written as JSON"}`
	}
	return string(b)
}

func modelData(data any) any {
	if t, ok := data.(ModelView); ok {
		return t.ForModel()
	}
	return data
}

// clean sanitizes untrusted text for the model: without instructions, without hidden text, and
// between markers that say it is data.
func (c *Caller) clean(ctx context.Context, tool string, res *Result) (text string, tainted bool, notes []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the guard failed: %v", r)
		}
	}()
	// Check the text line by line, before JSON escapes it, and then all values together, in case an
	// attack is spread over several.
	within := c.Guard
	within.Unmarked = true
	findings := 0
	cleanText := func(s string) (string, error) {
		if len(s) < 16 {
			return s, nil
		}
		out, err := within.Sanitize(ctx, tool, s)
		tainted = tainted || out.Tainted
		findings += len(out.Findings)
		return out.Text, err
	}
	v, err := generic(res)
	if err != nil {
		return "", false, nil, err
	}
	if v, err = walk(v, cleanText); err != nil {
		return "", false, nil, err
	}
	b, err := marshal(v)
	if err != nil {
		return "", false, nil, err
	}
	whole, err := c.Guard.Sanitize(ctx, tool, Clip(string(b), maxToModel))
	if err != nil {
		return "", false, nil, err
	}
	findings += len(whole.Findings)
	tainted = tainted || whole.Tainted
	if tainted {
		notes = append(notes, "umpire: replaced instructions to the model in this output; stricter rules apply from now on")
	} else if findings > 0 {
		notes = append(notes, fmt.Sprintf("umpire: %d passages were cleaned before the model saw them", findings))
	}
	return whole.Text, tainted, notes, nil
}

// generic converts the result of forModel to maps, slices and strings.
func generic(res *Result) (v any, err error) {
	err = json.Unmarshal([]byte(forModel(*res)), &v)
	return v, err
}

func walk(v any, f func(string) (string, error)) (_ any, err error) {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			if v[i], err = walk(v[i], f); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = walk(v[k], f); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// Clip removes the middle of a text that is too long, and marks the gap.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := s[:n*2/3], s[len(s)-n/3:]
	for len(head) > 0 && !utf8.RuneStart(s[len(head)]) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, len(s)-len(head)-len(tail), tail)
}
