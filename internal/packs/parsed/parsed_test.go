package parsed_test

import (
	"reflect"
	"testing"

	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/policyfile"
)

// What is embedded is what the packs say, to the last example and line number.
func TestPacksAreFresh(t *testing.T) {
	want, err := policyfile.ParsePacks(packs.Sources)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parsed.Packs()
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d packs of %d: %v", len(got), len(want), err)
	}
	for i, p := range want {
		if got[i].Name != p.Name || got[i].Title != p.Title || len(got[i].Rules) != len(p.Rules) {
			t.Fatalf("%s: packs.gob is older than the packs: run make generate", p.Name)
		}
		for j := range p.Rules {
			if !reflect.DeepEqual(got[i].Rules[j], p.Rules[j]) {
				t.Errorf("%s: packs.gob is older than the packs, or cannot hold this: run make generate\n%+v\n%+v", p.Rules[j].ID, got[i].Rules[j], p.Rules[j])
			}
		}
	}
}

// What one caller does with its packs is nothing to the next.
func TestPacksAreTheCallers(t *testing.T) {
	a, err := parsed.Packs()
	if err != nil {
		t.Fatal(err)
	}
	a[0].Rules[0].ID = "changed"
	if b, err := parsed.Packs(); err != nil || b[0].Rules[0].ID == "changed" {
		t.Error(b[0].Rules[0].ID, err)
	}
}

func BenchmarkPacks(b *testing.B) {
	b.Run("parsed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parsed.Packs(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("yaml", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := policyfile.ParsePacks(packs.Sources); err != nil {
				b.Fatal(err)
			}
		}
	})
}
