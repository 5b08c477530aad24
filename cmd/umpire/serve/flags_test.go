package serve

import (
	"maps"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
)

func TestPeopleNeeded(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   map[string]int
		want map[approval.Category]int // nil: refused
	}{
		{"none", nil, map[approval.Category]int{}},
		{"two categories", map[string]int{"exec": 2, "packages": 3}, map[approval.Category]int{approval.Exec: 2, approval.Packages: 3}},
		{"no category", map[string]int{"exce": 2}, nil},
		{"nobody", map[string]int{"exec": 0}, nil},
		{"a crowd", map[string]int{"exec": 11}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := peopleNeeded(tt.in)
			if (err != nil) != (tt.want == nil) || err == nil && !maps.Equal(got, tt.want) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}
