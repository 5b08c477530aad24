package gateway

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
)

// propose asks for a change of a setting.
func (w *world) propose(path string, value any) (int, object) {
	w.t.Helper()
	return w.call("agent", "POST", "/api/config/propose", object{"path": path, "value": value, "reason": "please"})
}

// settle has an administrator approve a proposal, and waits until it is applied.
func (w *world) settle(path string, value any) object {
	w.t.Helper()
	status, out := w.propose(path, value)
	if status != 201 || out["status"] != "pending" {
		w.t.Fatalf("%s: %d %v", path, status, out)
	}
	id := out["id"].(string)
	if status, got := w.call("admin", "POST", "/api/queue/"+id+"/approve", object{"digest": out["digest"]}); status != 200 || got["ok"] != true {
		w.t.Fatalf("%s: %d %v", path, status, got)
	}
	w.until("config/propose", id, "completed")
	return out
}

// What an administrator approves is in force at once, and no file is touched.
func TestProposalApplied(t *testing.T) {
	const file = "# ours: keep\nallowedEndpoints: [old.example.com] # since May\n"
	w := newWorld(t, file)
	for _, tt := range []struct {
		name, path string
		value      any
		shown      []string // to the person
		ask        object
		want       string // what then becomes of it
	}{
		{"mode", "categories.network.mode", "allow-all", []string{"- approve-each\n", "+ allow-all\n"}, object{"category": "network", "action": "CONNECT a.example.org:443"}, "approved"},
		{"mode again", "categories.network.mode", "deny-all", []string{"- allow-all\n", "+ deny-all\n"}, object{"category": "network", "action": "CONNECT a.example.org:443"}, "denied"},
		{"mode of files", "categories.filesystem.mode", "deny-all", []string{"+ deny-all\n"}, object{"category": "filesystem", "action": "sync src/a"}, "denied"},
		{"mode of pushes", "categories.git.mode", "allow-all", []string{"+ allow-all\n"}, object{"category": "git", "action": "push feature"}, "approved"},
		{"endpoints", "allowedEndpoints", []string{"old.example.com", "New.Example.com.", "*.Wide.example.com"}, []string{"  old.example.com\n", "+ new.example.com\n"}, object{"category": "network", "action": "CONNECT new.example.com:443"}, "approved"},
		{"fewer endpoints", "allowedEndpoints", []string{"new.example.com"}, []string{"- old.example.com\n"}, object{"category": "network", "action": "CONNECT old.example.com:443"}, "denied"},
		{"rules", "rules.allow", []string{"network(b.example.org)"}, []string{"+ network(b.example.org)\n"}, object{"category": "network", "action": "CONNECT b.example.org:443"}, "approved"},
		{"no rules", "rules.allow", []string{}, []string{"- network(b.example.org)\n"}, object{"category": "network", "action": "CONNECT b.example.org:443"}, "denied"},
		{"a deny", "rules.deny", []string{"exec(reboot*)"}, []string{"+ exec(reboot*)\n"}, object{"category": "exec", "action": "reboot now"}, "denied"},
	} {
		out := w.settle(tt.path, tt.value)
		_, full := w.call("viewer", "GET", "/api/queue/"+out["id"].(string), nil)
		diff, _ := full["metadata"].(object)["diff"].(string)
		for _, want := range tt.shown {
			if !strings.Contains(diff, want) {
				t.Errorf("%s: the person is not shown %q: %s", tt.name, want, diff)
			}
		}
		if status, got := w.call("agent", "POST", "/api/queue", tt.ask); status != 201 || got["status"] != tt.want {
			t.Errorf("%s: %d %v, want %s", tt.name, status, got, tt.want)
		}
	}
	_, config := w.call("viewer", "GET", "/api/config", nil)
	if got := config["allowedEndpoints"]; !reflect.DeepEqual(got, []any{"new.example.com"}) {
		t.Errorf("%v", got)
	}
	if got := config["categories"].(object)["network"].(object)["mode"]; got != "deny-all" {
		t.Errorf("got is %v, want %v", got, "deny-all")
	}
	if data, err := os.ReadFile(w.policy); err != nil || string(data) != "version: 1\n"+file {
		t.Errorf("the file was changed: %s %v", data, err)
	}
	// The file is in force again when an administrator says so.
	if status, _ := w.call("approver", "DELETE", "/api/config", object{"path": "allowedEndpoints"}); status != 403 {
		t.Errorf("by an approver: %d", status)
	}
	if status, got := w.call("admin", "DELETE", "/api/config", object{"path": "allowedEndpoints"}); status != 200 || got["removed"] != true {
		t.Errorf("%d %v", status, got)
	}
	if _, got := w.call("agent", "POST", "/api/queue", object{"category": "network", "action": "CONNECT old.example.com:443"}); got["status"] != "approved" {
		t.Errorf("%v", got)
	}
	// The record has who changed what, and the audit log gets all of the record.
	events, err := w.s.Events(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var line *audit.Event
	for i := range events {
		if strings.Contains(string(events[i].Data), `"setting":"categories.git.mode"`) {
			line = (&recorder{g: w.g}).line(&events[i])
		}
	}
	if line == nil || line.Kind != audit.Config || line.By != "ada" || line.Data["becomes"] != `"allow-all"` || line.Data["was"] != `"approve-each"` {
		t.Errorf("the record says %v", line)
	}
}

// A hardened mode, an unknown path and a value of another type are refused when proposed.
func TestProposalRefused(t *testing.T) {
	w := newWorld(t, "")
	for _, tt := range []struct {
		name, path string
		value      any
		status     int
	}{
		{"hardened exec", "categories.exec.mode", "allow-all", 400},
		{"hardened packages", "categories.packages.mode", "approve-each", 400},
		{"hardened sandbox", "categories.sandbox.mode", "allow-all", 400},
		{"unknown category", "categories.mail.mode", "allow-all", 400},
		{"unknown mode", "categories.network.mode", "allow", 400},
		{"a number", "categories.network.mode", 2, 400},
		{"null", "categories.network.mode", nil, 400},
		{"a part", "categories", object{}, 400},
		{"a deeper path", "categories.network.mode.x", "allow-all", 400},
		{"a prototype", "__proto__.polluted", true, 400},
		{"the staging repository", "gitStagingRepo", "/tmp/x", 400},
		{"a text for a list", "allowedEndpoints", "example.com", 400},
		{"no list", "allowedEndpoints", nil, 400},
		{"no host", "allowedEndpoints", []string{"https://example.com/"}, 400},
		{"every host of a domain", "allowedEndpoints", []string{"*.com"}, 400},
		{"every site of a country's domain", "allowedEndpoints", []string{"*.co.uk"}, 400},
		{"every site of a host for all", "allowedEndpoints", []string{"*.github.io"}, 400},
		{"an address with credentials", "allowedEndpoints", []string{"169.254.169.254"}, 400},
		{"a name with credentials", "allowedEndpoints", []string{"Metadata.google.internal."}, 400},
		{"every host", "allowedEndpoints", []string{"*"}, 400},
		{"all commands", "rules.allow", []string{"exec(*)"}, 400},
		{"all commands, spelled otherwise", "rules.allow", []string{"exec(**)"}, 400},
		{"a rule that is none", "rules.deny", []string{"network("}, 400},
		{"what is so already", "categories.network.mode", "approve-each", 409},
	} {
		if status, out := w.propose(tt.path, tt.value); status != tt.status || out["error"] == nil {
			t.Errorf("%s: %d %v", tt.name, status, out)
		}
	}
	_, out := w.propose("categories.network.mode", "allow-all")
	approve := "/api/queue/" + out["id"].(string) + "/approve"
	for who, body := range map[string]object{"approver": nil, "agent": nil, "admin": {"scope": "always"}} {
		if status, got := w.call(who, "POST", approve, body); status < 400 {
			t.Errorf("%s: %d %v", who, status, got)
		}
	}
}

// A deny rule speaks about proposals too, by the text that their cards show. No allow rule does.
func TestProposalByRules(t *testing.T) {
	for rule, want := range map[[2]string]string{
		{"deny", "sandbox(*)"}: "denied", {"deny", "sandbox(config change: allowedEndpoints)"}: "denied", {"deny", "sandbox"}: "denied",
		{"deny", "sandbox(config change: rules.*)"}: "pending", {"allow", "sandbox(config change: allowedEndpoints)"}: "pending",
	} {
		w := newWorld(t, "")
		if status, out := w.call("admin", "POST", "/api/rules", object{"type": rule[0], "rule": rule[1]}); status != 200 {
			t.Fatalf("%s: %d %v", rule, status, out)
		}
		if status, out := w.propose("allowedEndpoints", []string{"a.example.com"}); status != 201 || out["status"] != want {
			t.Errorf("%s: %d %v, want %s", rule, status, out, want)
		}
	}
}

// Who approves a change approves what replaces what they were shown.
func TestProposalConflict(t *testing.T) {
	w := newWorld(t, "")
	_, late := w.propose("categories.network.mode", "deny-all")
	w.settle("categories.network.mode", "allow-all")
	status, got := w.call("admin", "POST", "/api/queue/"+late["id"].(string)+"/approve", nil)
	if status != 409 || !strings.Contains(got["error"].(string), "changed in the meantime") {
		t.Errorf("%d %v", status, got)
	}
	if _, got := w.call("agent", "GET", "/api/queue/"+late["id"].(string), nil); got["status"] != "conflict" {
		t.Errorf("%v", got)
	}
	if _, config := w.call("viewer", "GET", "/api/config", nil); config["categories"].(object)["network"].(object)["mode"] != "allow-all" {
		t.Errorf("%v", config)
	}
}

// What the machine's policy sets is neither proposed away nor outlived by a setting.
func TestProposalManaged(t *testing.T) {
	managed := t.TempDir() + "/managed.yaml"
	if err := os.WriteFile(managed, []byte("version: 1\nmodes: {network: deny-all}\nallowedEndpoints: [must.example.com]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "", func(o *Options) { o.Layers.Managed = managed })
	for path, value := range map[string]any{"categories.network.mode": "allow-all", "allowedEndpoints": []string{"other.example.com"}} {
		if status, out := w.propose(path, value); status != 400 || !strings.Contains(out["error"].(string), "machine's policy") {
			t.Errorf("%s: %d %v", path, status, out)
		}
	}
	body, err := json.Marshal(Setting{Path: "categories.network.mode", Value: json.RawMessage(`"allow-all"`), By: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	// It was approved before the machine's policy said otherwise.
	if err := w.s.Update(t.Context(), settingRecord, "categories.network.mode", "rules", "ada", func(json.RawMessage) (json.RawMessage, any, error) { return body, nil, nil }); err != nil {
		t.Fatal(err)
	}
	if err := w.g.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, got := w.call("agent", "POST", "/api/queue", object{"category": "network", "action": "CONNECT a.example.org:443"}); got["status"] != "denied" {
		t.Errorf("%v", got)
	}
}

// TestProposalOnce: a gateway that died after it claimed a change left it undone, and the next
// one applies it; one that is applied is not applied again over what came after.
func TestProposalOnce(t *testing.T) {
	w := newWorld(t, "")
	_, out := w.propose("categories.network.mode", "allow-all")
	req, err := w.s.Get(t.Context(), out["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := StoredPlan(&req)
	if err != nil {
		t.Fatal(err)
	}
	w.settle("categories.network.mode", "allow-all")
	w.settle("categories.network.mode", "approve-each")
	w.settle("categories.git.mode", "allow-all")
	// The claim of a gateway that is gone, of what has been applied and undone since.
	done, err := w.s.List(t.Context(), approval.Filter{Category: approval.Sandbox, States: []approval.State{approval.Approved}, Oldest: true, Limit: 1})
	if err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	if status, problem := w.g.applySetting(context.WithoutCancel(t.Context()), &done[0], plan.(*SettingPlan)); status != "completed" || problem != "" {
		t.Errorf("%s %s", status, problem)
	}
	if _, config := w.call("viewer", "GET", "/api/config", nil); config["categories"].(object)["network"].(object)["mode"] != "approve-each" {
		t.Errorf("it was applied a second time: %v", config)
	}
}
