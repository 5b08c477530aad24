package command

import (
	"strings"
	"testing"
)

// What a client runs on a machine, in a console or for what it finds is read as a command.
func TestCommandsHandedToClients(t *testing.T) {
	const want = "rm -rf /data"
	for _, line := range []string{
		"heroku run rm -rf /data", "heroku run -a shop rm -rf /data", "heroku run:detached -- rm -rf /data", "platform ssh -e main rm -rf /data",
		"minikube ssh rm -rf /data", "eb ssh web -- rm -rf /data", "xdotool exec --sync rm -rf /data", "xdotool search --name x exec --args 3 rm -rf /data",
		"podman machine ssh default rm -rf /data", "gh cs ssh -c box rm -rf /data", "tailscale ssh ada@web rm -rf /data",
		"heroku ps:exec -a shop rm -rf /data", "vmrun -gu ada runProgramInGuest web.vmx rm -rf /data", "gh cs ssh -c box -- rm -rf /data", "orb run -m ubuntu rm -rf /data", "systemd-run -M web rm -rf /data",
		"multipass exec web rm -rf /data", "multipass exec web -- rm -rf /data", "colima ssh -- rm -rf /data", "limactl shell default rm -rf /data",
		"kubectl ssh node n1 rm -rf /data", "kubectl pexec deploy web rm -rf /data", "oc node-shell n1 -- rm -rf /data", "virsh -c lxc:/// lxc-enter-namespace web rm -rf /data", "govc guest.run -vm web rm -rf /data", "etcdctl lock x rm -rf /data",
		`virsh qemu-agent-command vm {"execute":"guest-exec","arguments":{"path":"rm","arg":["-rf","/data"]}}`,
		`virsh qemu-agent-command vm --cmd {"execute":"guest-exec","arguments":{"path":"rm","arg":["-rf","/data"]}}`,
		"hg extdiff -p rm -o -rf /data", "hg extdiff --program=rm -o -rf /data",
	} {
		if got := strings.ReplaceAll(performed(line), "'", ""); !strings.Contains(got, want) {
			t.Errorf("%s\n\tdoes %q", line, got)
		}
	}
	for _, c := range []struct {
		program, option, text string
		before                []string
	}{
		{"fly", "-C", want, []string{"ssh", "console", "-a", "shop"}}, {"fly", "--command", want, []string{"ssh", "console"}},
		{"az", "--scripts", want, []string{"vm", "run-command", "invoke", "-g", "g", "-n", "vm"}}, {"az", "--exec-command", want, []string{"container", "exec", "-n", "c"}},
		{"doctl", "--ssh-command", want, []string{"compute", "ssh", "web"}}, {"eb", "-c", want, []string{"ssh", "web"}},
		{"hg", "-c", want, []string{"bisect"}}, {"vagrant", "-c", want, []string{"ssh"}}, {"copilot", "-c", want, []string{"svc", "exec", "-n", "api"}}, {"vagrant", "-c", want, []string{"winrm"}},
		{"ghci", "-e", ":! " + want, nil}, {"stack", "--ghci-options", "-e ':! " + want + "'", []string{"ghci"}},
		{"fd", "--exec-batch=rm", "-rf", []string{".", "/data"}}, {"fd", "-Xrm", "-rf", []string{".", "/data"}},
	} {
		h := &fakeHost{}
		NewCall(h, Lookup(c.program), c.program, Lits(append(c.before, c.option, c.text)...), Stream{}).Perform()
		if got := strings.Join(h.ops, "\n"); !strings.Contains(got, want) {
			t.Errorf("%s %v %s\n\tdoes %q", c.program, c.before, c.option, got)
		}
	}
	for _, line := range []string{"heroku run rails console", "fly ssh console", "gcloud run services list", "kubectl logs git -f", "copilot svc exec -c web", "hg bisect --good 12"} {
		if got := performed(line); strings.Contains(got, "script") {
			t.Errorf("%s runs %q", line, got)
		}
	}
}
