package command_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// Migrating a Django app to one of its migrations reverts the later ones. One is everyday work.
func TestEarlierMigration(t *testing.T) {
	env := shell.Env{
		Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj"},
		ReadDir: func(path string) []string {
			if path != "/home/dev/proj/shop/migrations" {
				return nil
			}
			return []string{"0001_initial.py", "0002_price.py", "0003_stock.py", "__init__.py"}
		},
	}
	for line, loses := range map[string]bool{
		"manage.py migrate shop 0003": false,
		"manage.py migrate shop 0002": false,
		"manage.py migrate shop 0001": true,
		"manage.py migrate shop $TO":  true,
		"manage.py migrate shop zero": true,
		"manage.py migrate other 001": false,
	} {
		got := false
		for _, op := range shell.Read(line, env) {
			got = got || op.Kind == umpire.Database && op.Traits&umpire.Destroy != 0
		}
		if got != loses {
			t.Errorf("%s: loses data: %v, want %v", line, got, loses)
		}
	}
}
