package doctor

import (
	"context"
	"errors"
	"testing"
)

// What the box lacks is told, and is no failure: hooks do without it.
func TestBox(t *testing.T) {
	var got []Finding
	d := &Doctor{Found: func(f Finding) { got = append(got, f) }}
	d.box(t.Context())
	d.Box = func(context.Context) ([]Layer, error) {
		return []Layer{{"namespaces", true, true, "fine"}, {"overlay", false, true, "no such device"}, {"seccomp", false, false, "not tried"}}, nil
	}
	d.box(t.Context())
	d.Box = func(context.Context) ([]Layer, error) { return nil, errors.New("not Linux") }
	d.box(t.Context())
	want := []Status{OK, Warn, Warn, Warn}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, f := range got {
		if f.Status != want[i] || f.About != "box" || (f.Next != "") != (i == 1) {
			t.Errorf("%+v", f)
		}
	}
}
