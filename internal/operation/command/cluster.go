package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// dryRun reports whether --dry-run is given, and its value is neither none nor false.
func dryRun(c *Call) bool {
	if !c.Has("--dry-run") {
		return false
	}
	v, ok := c.Opt("--dry-run")
	return !ok || v.Text != "none" && v.Text != "false"
}

// doKubectl reads kubectl by its verb and the kinds of objects that it names.
func doKubectl(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	verb, rest := strings.ToLower(ops[0].Text), ops[1:]
	dry := dryRun(c)
	if dry {
		if c.Has("-o") { // prints the object, with the files in it
			for _, w := range c.All("--from-file") {
				c.ReadFile(w.With(w.Text[strings.IndexByte(w.Text, '=')+1:]))
			}
		}
		return
	}
	c.manifests(verb)
	kind := ""
	if len(rest) > 0 {
		kind, _, _ = strings.Cut(strings.ToLower(rest[0].Text), "/")
		kind, _, _ = strings.Cut(kind, ".")
	}
	switch verb {
	case "delete", "del", "rm":
		c.deletesObjects(kind, rest)
	case "drain", "cordon", "uncordon", "taint", "evict":
		t := umpire.Mutate
		if c.Has("--all") || c.Has("-l") && verb == "drain" {
			t |= umpire.Bulk
		}
		c.infra(verb, []string{"node"}, rest, t)
	case "scale", "patch", "edit", "replace", "set", "autoscale", "expose", "apply", "create", "run", "annotate", "label", "new-app", "new-project", "start-build", "import-image", "tag", "process", "debug", "cp", "rsync", "certificate", "deploy", "rolling-update", "attach":
		c.changesObjects(verb, kind, rest)
	case "rollout":
		if len(rest) > 0 && (rest[0].Text == "undo" || rest[0].Text == "restart" || rest[0].Text == "pause" || rest[0].Text == "resume") {
			if rest[0].Text == "restart" && len(rest) == 2 && rest[1].Known() && strings.Contains(rest[1].Text, "/") || rest[0].Text == "restart" && len(rest) > 2 {
				if !slices.ContainsFunc(c.Args, func(w Word) bool { return !w.Known() || production(strings.ReplaceAll(w.Text, "/", "-")) }) {
					return // a rolling restart of named objects: no outage
				}
			}
			c.infra("rollout", []string{rest[0].Text}, rest[1:], umpire.Mutate)
		}
	case "exec", "rsh":
		t := umpire.Mutate
		if c.looksInside() {
			t = 0
		}
		c.infra(verb, []string{"pod"}, rest[:min(1, len(rest))], t)
		if !c.afterDashes(umpire.Container|umpire.Remote) && len(rest) > 1 {
			c.Exec(c.wordsFrom(len(c.Operands)-len(rest)+1), Run{Traits: umpire.Container | umpire.Remote, Out: true})
		}
	case "get", "describe":
		c.showsObjects(verb, kind, rest)
	case "config":
		if len(rest) > 1 && rest[0].Text == "use-context" {
			c.selectsContext(rest[1])
		}
		if c.renamesContext(rest) {
			c.infra("rename", []string{"context"}, rest[1:], umpire.Mutate)
		}
		if len(rest) > 0 && rest[0].Text == "view" && c.Has("--raw", "--flatten") {
			c.Taints(FromSecret)
			c.infra("reveal", []string{"kubeconfig"}, nil, umpire.CarriesSecret)
		}
	case "proxy":
		if a, ok := c.Opt("--address"); ok && (a.Text == "0.0.0.0" || a.Text == "::") {
			c.Op(umpire.Network, a.Text, umpire.Listen)
		}
	case "adm":
		c.cloud(rest)
	case "logs", "top", "explain", "wait", "port-forward", "diff", "auth", "events", "kustomize", "api-resources":
	default: // a plugin: kubectl node-shell n1 -- rm -rf /var, kubectl ctx prod
		c.Define(otherContext, ops[0])
		c.onMachineAfter(slices.IndexFunc(c.Args, func(w Word) bool { return w.Text == ops[0].Text }))
	}
}

// showsObjects reads the verbs that print objects, which may be secrets.
func (c *Call) showsObjects(verb, kind string, rest []Word) {
	o, _ := c.Opt("-o")
	template, _ := ConfigValue(c, "--template")
	level, _ := ConfigValue(c, "-v", "--v") // from 8, kubectl prints what the server answers
	logs := anyof.Equal(level, "8", "9", "10") || strings.Contains(strings.ReplaceAll(template, "metadata", ""), "data")
	if verb == "get" && (logs || o.Text != "" && o.Text != "name" && o.Text != "wide" && !onlyMetadata(o.Text)) {
		for k := range strings.SplitSeq(kind, ",") {
			if k == "secret" || k == "secrets" {
				c.Taints(FromSecret)
				c.infra("reveal", []string{"secret"}, rest[1:], umpire.CarriesSecret)
			}
		}
	}
	if raw, ok := c.Opt("--raw"); ok && strings.Contains(raw.Text, "/secrets") {
		c.Taints(FromSecret)
		c.infra("reveal", []string{"secret"}, nil, umpire.CarriesSecret)
	}
}

// changesObjects reads the verbs that create or change objects.
func (c *Call) changesObjects(verb, kind string, rest []Word) {
	if verb == "process" || verb == "apply" && len(rest) > 0 && rest[0].Text == "view-last-applied" {
		return
	}
	if verb == "create" && len(rest) > 0 && rest[0].Text == "token" {
		c.Taints(FromSecret)
		c.infra("reveal", []string{"token"}, nil, umpire.CarriesSecret)
		return
	}
	if verb == "cp" || verb == "rsync" {
		if len(rest) > 1 && inContainer(rest[0]) && !inContainer(rest[1]) {
			if hasSecrets(rest[0].Text) {
				c.Taints(FromSecret)
				c.infra("reveal", []string{"secret"}, rest[:1], umpire.CarriesSecret)
				c.WriteFile(rest[1], 0, Unseen(FromSecret))
				return
			}
			c.WriteFile(rest[1], 0, Unseen(0))
			return // nothing changes in the cluster
		}
		if len(rest) > 1 && !inContainer(rest[0]) {
			c.sendFile(rest[0])
		}
	}
	t := c.grantedRights()
	c.infra(verb, []string{kind}, rest[min(1, len(rest)):], t)
	if verb == "run" || verb == "debug" {
		c.afterDashes(umpire.Container | umpire.Remote)
	}
}

// hasSecrets reports whether the path of a file in a pod, after a colon, names a folder or a file of
// secrets.
func hasSecrets(text string) bool {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '/' || r == ':' }) {
		if anyof.Equal(part, "secrets", "token", ".ssh", ".aws", ".kube") || anyof.HasPrefix(part, ".env", "credentials") {
			return true
		}
	}
	return false
}

// grantedRights returns the traits of a change, with those of the rights that its options grant: an
// admin role, or access to the node.
func (c *Call) grantedRights() umpire.Trait {
	t := umpire.Mutate
	if v, ok := c.Opt("--clusterrole"); ok && v.Text == "cluster-admin" {
		t |= umpire.Loosened
		for _, a := range c.Args {
			if anyof.Contains(a.Text, "system:anonymous", "system:unauthenticated", "system:authenticated") || strings.HasSuffix(a.Text, ":default") || strings.Contains(a.Text, "system:serviceaccounts") {
				t |= umpire.Bulk | umpire.PublicAccess
			}
		}
	}
	for _, o := range []string{"--overrides", "-p"} {
		v, _ := c.Opt(o)
		flat := strings.ReplaceAll(strings.ReplaceAll(v.Text, " ", ""), `\`, "")
		if anyof.Contains(flat, `"hostPath"`, `"hostPID":true`, `"privileged":true`) {
			t |= umpire.HostAccess
		}
	}
	return t
}

// deletesObjects reads kubectl delete. Some kinds contain others, or hold data that is then lost.
func (c *Call) deletesObjects(kind string, rest []Word) {
	t := umpire.Destroy | umpire.Mutate
	for k := range strings.SplitSeq(kind, ",") {
		if anyof.Equal(k, "ns", "namespace", "namespaces", "pv", "pvs", "persistentvolume", "persistentvolumes", "pvc", "pvcs", "persistentvolumeclaim", "persistentvolumeclaims", "crd", "crds", "customresourcedefinition", "customresourcedefinitions",
			"node", "nodes", "no", "project", "projects", "storageclass", "sc", "all", "cluster", "clusters", "volumesnapshot", "volumesnapshots", "etcd", "statefulset", "statefulsets", "sts") {
			if k != "statefulset" && k != "statefulsets" && k != "sts" && k != "storageclass" && k != "sc" {
				t |= umpire.Irreversible | umpire.DataStore
			}
		}
	}
	if c.Has("--all", "-A") {
		t |= umpire.Bulk | umpire.Irreversible
	}
	c.infra("delete", []string{kind}, rest[min(1, len(rest)):], t)
}

// manifests reads the manifests of a call, which are files or URLs.
func (c *Call) manifests(verb string) {
	for _, w := range append(c.All("-f"), c.All("-k")...) {
		if strings.Contains(w.Text, "://") {
			c.Net(w, umpire.Download, 0)
			if verb == "apply" || verb == "create" || verb == "replace" {
				t := umpire.Mutate | umpire.UntrustedSource
				if strings.HasPrefix(w.Text, "http://") {
					t |= umpire.PlainHTTP
				}
				c.infra(verb, []string{"manifest"}, []Word{w}, t)
			}
		} else if w.Text != "-" {
			c.ReadFile(w)
		}
	}
}

// onlyMetadata reports whether an output template prints only the type, the kind and metadata
// without annotations. Only annotations can hold a copy of a secret.
func onlyMetadata(template string) bool {
	_, paths, ok := strings.Cut(template, "jsonpath=")
	if columns, is := strings.CutPrefix(template, "custom-columns="); is { // NAME:.metadata.name,TYPE:.type
		paths, ok = strings.NewReplacer(":", "{", ",", "}").Replace(columns)+"}", true
	}
	if !ok || !strings.Contains(paths, "{") {
		return false
	}
	for part := range strings.SplitSeq(paths, "{") {
		path, _, ok := strings.Cut(part, "}")
		of := strings.TrimPrefix(path, ".items[*]")
		if ok && !strings.HasPrefix(of, ".metadata.") && of != ".type" && of != ".kind" && of != `.data.tls\.crt` && of != `.data.ca\.crt` || anyof.Contains(of, "annotations", "..", "*") {
			return false
		}
	}
	return true
}

// afterDashes runs the words after "--", and reports whether there are any.
func (c *Call) afterDashes(t umpire.Trait) bool {
	for i, a := range c.Args {
		if a.Text == "--" && i+1 < len(c.Args) {
			c.Exec(c.Args[i+1:], Run{Traits: t, Out: true})
			return true
		}
	}
	return false
}

// looksInside reports whether the command after "--" only looks around in a container. What it
// reads there is judged separately.
func (c *Call) looksInside() bool {
	for i, a := range c.Args {
		if a.Text == "--" && i+1 < len(c.Args) {
			if anyof.Equal(c.Args[i+1].Text, "sh", "bash", "ash", "/bin/sh", "/bin/bash") {
				return i+4 == len(c.Args) && c.Args[i+2].Text == "-c" && looksOnly(c.Args[i+3])
			}
			return lookProgram(c.Args[i+1].Text)
		}
	}
	return false
}

// lookProgram reports whether a program only looks around.
func lookProgram(name string) bool {
	return anyof.Listed("ls cat head tail grep wc stat ps df du free env printenv id whoami pwd hostname date uname uptime nslookup getent pg_isready sort uniq cut test [ true echo", name)
}

// looksOnly reports whether a shell command only calls programs of lookProgram, without variables,
// redirections or substitutions.
func looksOnly(w Word) bool {
	if !w.Known() || strings.ContainsAny(w.Text, "$`(){}<\\\n") {
		return false
	}
	text := strings.NewReplacer("2>&1", "", "2>/dev/null", "").Replace(w.Text)
	if strings.Contains(text, ">") {
		return false
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '|' || r == '&' }) {
		if f := strings.Fields(part); len(f) > 0 && !lookProgram(f[0]) {
			return false
		}
	}
	return true
}

// doHelm reads Helm and helmfile by their verb.
func doHelm(c *Call) {
	if len(c.Operands) == 0 || dryRun(c) {
		return
	}
	rest := c.Operands[1:]
	switch v := c.Operands[0].Text; v {
	case "uninstall", "delete", "del", "un", "destroy":
		t := umpire.Destroy | umpire.Mutate
		if len(rest) > 2 || manyContainers(rest) || v == "destroy" {
			t |= umpire.Irreversible | umpire.Bulk
		}
		c.infra("uninstall", []string{"release"}, rest, t)
	case "install", "upgrade", "rollback", "apply", "sync", "push", "test":
		if v == "test" {
			return
		}
		t := umpire.Mutate
		for _, w := range rest {
			if strings.HasPrefix(w.Text, "http://") {
				t |= umpire.PlainHTTP | umpire.UntrustedSource
			}
		}
		c.infra(v, []string{"release"}, rest, t)
	case "get":
		if len(rest) > 0 && rest[0].Text == "values" {
			c.Taints(FromUnseen)
		}
	case "plugin":
		c.Exec(append(Lits("helm-plugin"), rest...), Run{})
	}
}

// copiesOut reads the operands of a copy between machines, and reports whether it comes from
// another one, as in web:/srv/x: then it writes the last operand here.
func (c *Call) copiesOut(ws []Word) bool {
	n := len(ws) - 1
	if n < 1 || inContainer(ws[n]) || ws[0].Text != "pull" && !slices.ContainsFunc(ws[:n], inContainer) {
		return false
	}
	c.WriteFile(ws[n], 0, Unseen(0))
	return true
}
