package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// A developer's cluster on this machine is for experiments: no one else uses the resources that a
// client changes or deletes there.

// localCluster reports whether an option, or the current context that this command line selected,
// directs a client of Kubernetes to such a cluster. The adversary makes the same option reach
// another cluster: by an address, by their own settings, or by a local name for a production
// cluster. So umpire asks before a call gives a context a local name.
func (c *Call) localCluster(t umpire.Trait) bool {
	switch c.Program {
	case "kubectl", "k", "oc", "kubecolor", "helm", "helm3", "helmfile", "skaffold", "flux", "istioctl", "linkerd", "cilium", "kapp":
	default:
		return false
	}
	if t&(umpire.HostAccess|umpire.PlainHTTP|umpire.UntrustedSource|umpire.Remote) != 0 {
		return false
	}
	if w, ok := c.Var("KUBECONFIG"); ok && w.Text != "" {
		return false
	}
	found := ""
	for i, w := range c.Args {
		if w.Text == "--" {
			break
		}
		name, value, _ := ValueAt(c.Args, i)
		switch name {
		case "--context", "--kube-context":
			if !testContext(value) && len(c.Defined(madeContext+value)) == 0 {
				return false
			}
			found = value
		case "--kubeconfig", "--server", "-s", "--cluster", "--user", "--token", "--kube-apiserver", "--kube-token", "--kube-as-user", "--as":
			return false
		}
	}
	switch {
	case found != "" && len(c.Defined(madeContext+found)) > 0:
		return true
	case found == "":
		return len(c.Defined(localContext)) > 0 && len(c.Defined(otherContext)) == 0
	}
	return containedCluster(found) || !c.bringsWorkload()
}

// Keys under which a command line remembers contexts of kubectl: one that it made, and that the
// current context is one of a contained cluster, or of another.
const (
	madeContext  = Made + "context "
	localContext = Made + "current context"
	otherContext = "other context"
)

// selectsContext remembers that a command makes a context the current one.
func (c *Call) selectsContext(name Word) {
	if containedCluster(name.Text) && name.Known() {
		c.Define(localContext, name)
	} else {
		c.Define(otherContext, name)
	}
}

func doKubectx(c *Call) { c.selectsContext(c.Arg(0)) }

// addsContext remembers that a client of a cloud makes the context of a cluster the current one.
func (c *Call) addsContext() {
	if slices.ContainsFunc(c.Operands, func(w Word) bool { return anyof.Equal(w.Text, "get-credentials", "update-kubeconfig", "kubeconfig") }) {
		c.Define(otherContext, Lit(c.Program))
	}
}

// startsCluster remembers the context of a cluster that a client of local clusters starts. The
// client makes it the current one.
func (c *Call) startsCluster() {
	name, _ := c.clusterName()
	prefix := c.Program + "-"
	switch first, second := c.Arg(0).Text, c.Arg(1).Text; {
	case c.Program == "kind" && first == "create" && second == "cluster":
		name.Text = cmp.Or(name.Text, "kind")
	case c.Program == "k3d" && first == "cluster" && second == "create":
		name = c.Arg(2).With(cmp.Or(c.Arg(2).Text, "k3s-default"))
	case c.Program == "minikube" && first == "start":
		name.Text, prefix = cmp.Or(name.Text, "minikube"), ""
	default:
		return
	}
	if (name.Known() || Numbered(name)) && !production(name.Text) && !c.Has("--keep-context") {
		c.Define(madeContext+prefix+name.Text, name)
		c.Define(localContext, name)
	}
}

// testContext reports whether a tool gives this context name to a cluster on this machine.
func testContext(name string) bool {
	return anyof.Equal(name, "docker-desktop", "rancher-desktop", "orbstack", "colima") || containedCluster(name)
}

// containedCluster reports whether the nodes of a context's cluster do not see the files of this
// machine, so that its workloads cannot.
func containedCluster(name string) bool {
	return !strings.Contains(name, umpire.Hole) && !production(name) && !strings.ContainsAny(name, "./:@") &&
		(name == "minikube" || strings.HasPrefix(name, "kind-") || strings.HasPrefix(name, "k3d-"))
}

// bringsWorkload reports whether a call may start pods that its arguments do not describe.
func (c *Call) bringsWorkload() bool {
	verb := strings.ToLower(c.Arg(0).Text)
	return !slices.Contains([]string{"delete", "rollout", "scale", "exec", "get", "label", "annotate", "cordon", "uncordon", "drain", "uninstall", "rollback", "wait", "autoscale", "port-forward", "logs"}, verb)
}

// renamesContext reports whether a call gives a context the name of a cluster on this machine.
func (c *Call) renamesContext(rest []Word) bool {
	if len(rest) < 2 || !slices.Contains([]string{"set-context", "rename-context", "set"}, rest[0].Text) {
		return false
	}
	return slices.ContainsFunc(rest[1:], func(w Word) bool {
		name := strings.TrimPrefix(w.Text, "contexts.")
		name, _, _ = strings.Cut(name, ".")
		return testContext(name) || !w.Known()
	})
}

// clusterName returns the name that an option gives a local cluster.
func (c *Call) clusterName() (name Word, ok bool) {
	if name, ok = c.Opt("--name"); !ok {
		name, ok = c.Opt("--profile")
	}
	for i, w := range c.Args {
		if w.Text == "-p" && i+1 < len(c.Args) {
			name, ok = c.Args[i+1], true
		}
	}
	return name, ok
}

// throwaway reports whether a client of local clusters deletes a single one that tests recreate.
func (c *Call) throwaway(p phrase) bool {
	if c.Has("--all", "-a", "--purge", "-A") || !slices.Contains(p.words, "delete") && !slices.Contains(p.words, "rm") {
		return false
	}
	name, named := c.clusterName()
	switch c.Program {
	case "kind":
		if len(p.rest) > 1 && p.rest[0].Text == "clusters" {
			return !slices.ContainsFunc(p.rest, func(w Word) bool { return !w.Known() || production(w.Text) })
		}
		return (slices.Contains(p.words, "cluster") || len(p.rest) > 0 && p.rest[0].Text == "cluster") && (name.Known() || Numbered(name)) && !production(name.Text)
	case "k3d":
		return slices.Contains(p.words, "cluster") && len(p.rest) < 2 && (len(p.rest) == 0 || (p.rest[0].Known() || Numbered(p.rest[0])) && !production(p.rest[0].Text))
	case "minikube":
		return named && name.Known() && name.Text != "minikube" && !production(name.Text)
	}
	return false
}
