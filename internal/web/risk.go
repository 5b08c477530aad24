package web

import (
	"slices"
	"strings"
)

// risk is a trait of an operation in words. Grave ones cannot be undone or reach beyond the
// project.
type risk struct {
	Trait, Words string
	Grave        bool
}

// risks lists the risks in the order in which people should read them. Other traits are not risks.
var risks = []risk{
	{"destroy", "destroys a remote resource", true},
	{"irreversible", "cannot be undone", true},
	{"exfiltration", "sends private data to another host", true},
	{"carries-secret", "carries a secret", true},
	{"remote-code", "runs code from the network", true},
	{"decoded-code", "runs code that was encoded", true},
	{"unseen-code", "runs code that umpire cannot see", true},
	{"remote-shell", "connects a shell with another host", true},
	{"obfuscated", "hides what it does", true},
	{"hidden-text", "has hidden characters", true},
	{"self-tamper", "weakens umpire or the agent's guards", true},
	{"audit-tamper", "erases records", true},
	{"bypass-flags", "starts an agent without its guards", true},
	{"privilege", "runs with another user's rights", true},
	{"setuid", "gives a program its owner's rights", true},
	{"persistence", "outlives the task", true},
	{"production", "names a production environment", true},
	{"payment", "moves money", true},
	{"public-access", "opens access to everyone", true},
	{"resource-bomb", "can exhaust the machine", true},
	{"metadata", "reads the cloud's metadata service", true},
	{"data-store", "affects a database, bucket, backup or key", false},
	{"uncommitted", "loses work that is not committed", false},
	{"protected-branch", "changes a protected branch", false},
	{"no-where", "changes every row", false},
	{"whole-tree", "affects everything in the folder", false},
	{"recursive", "affects a whole folder", false},
	{"bulk", "affects many resources", false},
	{"force", "skips confirmation", false},
	{"skips-check", "skips checks", false},
	{"truncate", "replaces the file if it exists", false},
	{"overwrite", "replaces an existing file", false},
	{"format", "formats a disk", true},
	{"world-writable", "lets everybody write", false},
	{"loosened", "loosens permissions", false},
	{"ownership", "changes the owner", false},
	{"untrusted-source", "comes from an unusual source", false},
	{"from-network", "uses data from the network", false},
	{"upload", "uploads data", false},
	{"mutate", "changes a remote resource", false},
	{"message", "sends a message to people", false},
	{"remote", "runs on another machine", false},
	{"host-access", "gives access to the host", true},
	{"tunnel", "opens a tunnel", false},
	{"listen", "accepts connections", false},
	{"env-dump", "shows all environment variables", false},
	{"nested-agent", "starts another agent", false},
	{"runs-program", "names a program that will run", false},
	{"loads-code", "loads code into programs", false},
	{"global", "affects the whole machine or user", false},
	{"plain-http", "is not encrypted", false},
	{"raw-ip", "names a host by its address", false},
	{"unknown", "is only partly known", false},
}

// operation is one operation in the metadata of a request.
type operation struct {
	Kind     string   `json:"kind"`
	Resource string   `json:"resource"`
	Traits   string   `json:"traits"`
	Via      []string `json:"via"`
	Origin   string   `json:"origin"`
}

// Risks returns the risks of an operation.
func (o operation) Risks() (out []risk) {
	traits := strings.FieldsFunc(o.Traits, func(r rune) bool { return r == ',' || r == ' ' })
	for _, r := range risks {
		if slices.Contains(traits, r.Trait) {
			out = append(out, r)
		}
	}
	return out
}

// Dry reports whether an operation changes nothing: help, a version, a dry run.
func (o operation) Dry() bool {
	return slices.Contains(strings.Split(o.Traits, ","), "inert")
}

// branch is a program with its operations. Program is nil for operations without a program.
type branch struct {
	Program *operation
	Does    []operation
}

// tree groups operations by the program that does them. A program's operations follow it in the
// list.
func tree(ops []operation) (out []branch) {
	for i := range ops {
		if ops[i].Kind == "exec" {
			out = append(out, branch{Program: &ops[i]})
			continue
		}
		if len(out) == 0 {
			out = append(out, branch{})
		}
		last := &out[len(out)-1]
		last.Does = append(last.Does, ops[i])
	}
	return out
}

// allRisks returns the risks of operations, gravest first, each once.
func allRisks(ops []operation) (out []risk) {
	has := map[string]bool{}
	for _, o := range ops {
		for _, r := range o.Risks() {
			has[r.Trait] = true
		}
	}
	for _, grave := range []bool{true, false} {
		for _, r := range risks {
			if has[r.Trait] && r.Grave == grave {
				out = append(out, r)
			}
		}
	}
	return out
}
