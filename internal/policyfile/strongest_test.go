package policyfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
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

// A project's file that nobody trusts makes each setting stricter, and never milder: the agent may
// have written it.
func TestUntrustedProjectOnlyTightens(t *testing.T) {
	type set struct {
		fallback               umpire.Effect
		output                 policy.ToolOutput
		auto, observe, prompts bool
		keep                   int
	}
	for _, tt := range []struct {
		user, project string
		want          set
		warning       string
	}{
		{"defaultAction: ask", "defaultAction: deny", set{fallback: umpire.Deny}, ""},
		{"defaultAction: ask", "defaultAction: allow", set{fallback: umpire.Ask}, "defaultAction: allow left out"},
		{"autoApprove: true", "autoApprove: false", set{fallback: umpire.Allow}, ""},
		{"autoApprove: false", "autoApprove: true", set{fallback: umpire.Allow}, "autoApprove left out"},
		{"autoApprove: true", "", set{fallback: umpire.Allow, auto: true}, ""},
		{"mode: observe", "mode: enforce", set{fallback: umpire.Allow}, ""},
		{"mode: observe", "", set{fallback: umpire.Allow, observe: true}, ""},
		{"mode: enforce", "mode: observe", set{fallback: umpire.Allow}, "mode: observe left out"},
		{"guard: {toolOutput: pass}", "guard: {toolOutput: warn}", set{fallback: umpire.Allow, output: policy.WarnOutput}, ""},
		{"guard: {toolOutput: warn}", "guard: {toolOutput: pass}", set{fallback: umpire.Allow, output: policy.WarnOutput}, "guard.toolOutput: pass left out"},
		{"guard: {prompts: false}", "guard: {prompts: true}", set{fallback: umpire.Allow, prompts: true}, ""},
		{"guard: {prompts: true}", "guard: {prompts: false}", set{fallback: umpire.Allow, prompts: true}, ""},
		{"audit: {keep: 3}", "audit: {keep: 1}", set{fallback: umpire.Allow, keep: 3}, "judge, audit and approval left out"},
		{"audit: {keep: 3}", "approval: {cannotAsk: wait}", set{fallback: umpire.Allow, keep: 3}, "judge, audit and approval left out"},
	} {
		dir := t.TempDir()
		p := policyfile.Paths{User: filepath.Join(dir, "user.yaml"), Project: filepath.Join(dir, "project.yaml"), Trust: filepath.Join(dir, "trust")}
		for path, text := range map[string]string{p.User: tt.user, p.Project: tt.project} {
			if err := os.WriteFile(path, []byte("version: 1\n"+text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		l, err := policyfile.Load(p, nil)
		if err != nil {
			t.Fatalf("%s with the project's %s: %v", tt.user, tt.project, err)
		}
		s := l.Source
		got := set{fallback: s.Default, output: s.ToolOutput, auto: s.AutoApprove, observe: s.Observe, prompts: s.Prompts, keep: s.Audit.Keep}
		if tt.want.keep == 0 {
			got.keep = 0 // the default
		}
		if got != tt.want {
			t.Errorf("%s with the project's %s: got %+v, want %+v", tt.user, tt.project, got, tt.want)
		}
		if told := fmt.Sprint(l.Warnings); !strings.Contains(told, tt.warning) || tt.warning == "" && len(l.Warnings) > 0 {
			t.Errorf("%s with the project's %s: warnings %s, want %q", tt.user, tt.project, told, tt.warning)
		}
	}
}

// A link to a file that is gone means rules that are missing, unlike no file at all.
func TestLinkToNoFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "user.yaml")
	if _, err := policyfile.Load(policyfile.Paths{User: path}, nil); err != nil {
		t.Errorf("no file: error %v, want none", err)
	}
	if err := os.Symlink(filepath.Join(dir, "gone.yaml"), path); err != nil {
		t.Fatal(err)
	}
	if _, err := policyfile.Load(policyfile.Paths{User: path}, nil); err == nil || !strings.Contains(err.Error(), "a link to a file that does not exist") {
		t.Errorf("a link to no file: error %v, want one that says so", err)
	}
}

// A path of two lines could put a line of its own into the list of trusted files.
func TestTrustOfPathWithLineBreak(t *testing.T) {
	list := filepath.Join(t.TempDir(), "trust")
	for _, path := range []string{"/work/a\n/.umpire.yaml", "/work/a\r/.umpire.yaml"} {
		if err := policyfile.Trust(list, path, nil); err == nil {
			t.Errorf("%q was trusted, want an error", path)
		}
	}
	if _, err := os.Stat(list); !os.IsNotExist(err) {
		t.Errorf("the list: error %v, want that there is none", err)
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

// A layer that cannot be read is an error that names it: without its rules, the policy is milder.
func TestUnreadableLayer(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]policyfile.Paths{
		"a folder for the user's file":          {User: dir},
		"a folder for the administrator's file": {Managed: dir},
		"a file for the administrator's folder": {ManagedDir: file},
	} {
		if _, err := policyfile.Load(p, nil); err == nil || !strings.HasPrefix(err.Error(), dir) || !strings.HasSuffix(err.Error(), "make it readable or remove it") {
			t.Errorf("%s: error %v, want one that names it, with the hint to make it readable", name, err)
		}
	}
}

// YAML reads some texts as numbers and truth values. As a text they are what was written.
func TestTextsThatLookLikeNumbers(t *testing.T) {
	for written, want := range map[string]string{"42": "42", "4.50": "4.50", "0x1F": "0x1F", "true": "true", "'42'": "42", "|-\n      because": "because"} {
		f, err := policyfile.Parse("p.yaml", []byte("version: 1\nrules:\n  - deny: exec(x)\n    reason: "+written+"\n"), policy.User)
		if err != nil || len(f.Rules) != 1 || f.Rules[0].Reason != want {
			t.Errorf("reason: %s is read as %+v, error %v; want %q", written, f, err, want)
		}
	}
}
