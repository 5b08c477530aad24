package serve

import (
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
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
				t.Errorf("got %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

// A value that is not one of a variable is an error that names it.
func TestAddressesOfTheEnvironment(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"UMPIRE_SERVER_PORT", "abc", `UMPIRE_SERVER_PORT is "127.0.0.1:abc": must be HOST:PORT`},
		{"UMPIRE_PROXY_PORT", "0.0.0.0:x", "UMPIRE_PROXY_PORT"},
		{"UMPIRE_PROXY_INLINE", "maybe", `UMPIRE_PROXY_INLINE is "maybe": must be true or false`},
		{"UMPIRE_PROXY_INLINE", "false", ""},
		{"UMPIRE_SERVER_PORT", "4000", ""},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			t.Setenv(tt.name, tt.value)
			f := serveFlags{listen: "127.0.0.1:3700"}
			err := f.addresses(func(string) bool { return false })
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %q (empty: none)", err, tt.want)
			}
		})
	}
}

// The file of secrets that a flag names is missing, and not a CA.
func TestSecretsThatAreMissing(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	f := proxyFlags{secrets: "/there/is/none"}
	if err := f.options(t.Context(), &gateway.Options{}, slog.Default()); err == nil || !strings.Contains(err.Error(), "--secrets: stat /there/is/none") {
		t.Error(err)
	}
}
