package sandbox

import (
	"context"
	"os"
	"testing"
	"time"
)

func TestLayers(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	list, err := Layers(ctx, dir)
	if err != nil || len(list) != 7 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, l := range list {
		if !l.OK || !l.Tried || l.Text == "" {
			t.Errorf("%+v", l)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
