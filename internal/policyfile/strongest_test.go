package policyfile_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/policyfile"
)

// settled returns what two layers settle together.
func settled(t *testing.T, managed, user string) *policyfile.Loaded {
	t.Helper()
	dir := t.TempDir()
	p := policyfile.Paths{Managed: filepath.Join(dir, "managed.yaml"), User: filepath.Join(dir, "user.yaml")}
	for path, text := range map[string]string{p.Managed: managed, p.User: user} {
		if err := os.WriteFile(path, []byte("version: 1\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, l, err := policyfile.Compile(p, nil)
	if err != nil {
		t.Fatalf("%q over %q: %v", managed, user, err)
	}
	l.Files, l.Looked, l.Warnings = nil, nil, nil
	return l
}

// For each setting the strongest layer that says something wins, whole, and a layer that says
// nothing leaves it to the next one.
func TestStrongestLayerWins(t *testing.T) {
	for key, values := range map[string][2]string{
		"defaultAction": {"ask", "deny"}, "autoApprove": {"true", "false"}, "mode": {"observe", "enforce"}, "modes": {"{network: deny-all}", "{network: approve-each}"},
		"judge": {"{enabled: true, timeout: 2s}", "{enabled: true, timeout: 3s, mayAllow: [ambiguous]}"}, "audit": {"{keep: 3}", "{maxSize: 5}"},
		"approval": {"{cannotAsk: wait}", "{cannotAsk: deny}"}, "guard": {"{prompts: true}", "{prompts: false}"},
	} {
		first, second := key+": "+values[0]+"\n", key+": "+values[1]+"\n"
		strong, weak, none := settled(t, first, ""), settled(t, "", first), settled(t, "", "")
		if got := settled(t, first, second); !reflect.DeepEqual(got, strong) {
			t.Errorf("%s over %s: got %+v\nwant %+v", first, second, got, strong)
		}
		if got, want := settled(t, second, first), settled(t, second, ""); !reflect.DeepEqual(got, want) {
			t.Errorf("%s over %s: got %+v\nwant %+v", second, first, got, want)
		}
		if !reflect.DeepEqual(strong, weak) {
			t.Errorf("%s: the user's is %+v\nthe administrator's %+v", first, weak, strong)
		}
		if reflect.DeepEqual(strong, none) || reflect.DeepEqual(settled(t, first, second), settled(t, second, first)) {
			t.Errorf("%s and %s make no difference: the test sees nothing", first, second)
		}
	}
	if got, want := settled(t, "modes: {network: deny-all}\n", "modes: {database: deny-all}\n"), settled(t, "modes: {network: deny-all, database: deny-all}\n", ""); !reflect.DeepEqual(got.Source.Modes, want.Source.Modes) {
		t.Errorf("modes of two kinds: got %v, want %v", got.Source.Modes, want.Source.Modes)
	}
}

// The limits of a sandbox are the least of all layers, each by itself.
func TestLeastLimitOfABox(t *testing.T) {
	var empty policyfile.Box
	kind := reflect.TypeOf(empty)
	for i := range kind.NumField() {
		key := kind.Field(i).Tag.Get("yaml")
		low, high := "100", "200"
		if kind.Field(i).Type == reflect.TypeFor[time.Duration]() {
			low, high = "100ns", "200ns"
		}
		say := func(v string) string { return "box: {" + key + ": " + v + "}\n" }
		for _, tt := range []struct {
			managed, user string
			want          int64
		}{
			{say(low), say(high), 100}, {say(high), say(low), 100}, {say(high), "", 200}, {"", say(high), 200}, {"", "", 0}, {say(low), say(low), 100},
		} {
			box := settled(t, tt.managed, tt.user).Box
			for j := range kind.NumField() {
				want := int64(0)
				if j == i {
					want = tt.want
				}
				if got := reflect.ValueOf(box).Field(j).Int(); got != want {
					t.Errorf("%q over %q: %s is %d, want %d", tt.managed, tt.user, kind.Field(j).Name, got, want)
				}
			}
		}
	}
}

// A rule that is switched off stays off only as far as a pack or a layer has it.
func TestDisabledRulesOfPacks(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"packs: [git]\ndisable: [core-wipe, git-force-push-protected, gone]\n", []string{"git-force-push-protected", "gone"}},
		{"disable: [core-wipe, git-force-push-protected]\n", []string{"core-wipe", "git-force-push-protected"}},
		{"packs: []\ndisable: [core-wipe]\n", nil},
	} {
		path := filepath.Join(t.TempDir(), "user.yaml")
		if err := os.WriteFile(path, []byte("version: 1\n"+tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := policyfile.Load(policyfile.Paths{User: path}, packs(t))
		if err != nil {
			t.Fatalf("%q: %v", tt.text, err)
		}
		var got []string
		for _, d := range l.Source.Disabled {
			got = append(got, d.Rule)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q are off, want %q", tt.text, got, tt.want)
		}
	}
}
