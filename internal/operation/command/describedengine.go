package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// describedCluster reports whether the client of a cluster only reads objects without secrets, from
// the cluster that the user's settings name.
func (c *Call) describedCluster() bool {
	words := make([]string, 0, 4)
	for i := 0; i < len(c.Args); i++ {
		switch t := c.Args[i].Text; {
		case t == "-n" || t == "--namespace" || t == "-l" || t == "--selector" || t == "--tail" || t == "--since" || t == "-c" || t == "--container" || t == "--sort-by":
			i++
		case t == "-o" || t == "--output":
			if i++; i == len(c.Args) || c.Args[i].Text != "wide" && c.Args[i].Text != "name" {
				return false
			}
		case (t == "-f" || t == "--follow" || t == "--timestamps" || t == "--all-containers") && len(words) > 0 && words[0] == "logs":
		case t == "-f" && len(words) == 1 && words[0] == "diff" && i+1 < len(c.Args) && c.ownFiles():
			i++
		case strings.HasPrefix(t, "--field-selector="):
		case t == "-A" || t == "--all-namespaces" || t == "-owide" || t == "-oname" || t == "--no-headers" || t == "--show-labels" || t == "-p" || t == "--previous" || t == "--client" || anyof.HasPrefix(t, "--tail=", "--namespace=", "--since="):
		case strings.HasPrefix(t, "-"):
			return false
		default:
			words = append(words, t)
		}
	}
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "version", "api-resources", "api-versions", "explain", "logs", "top", "diff":
		return true
	case "config":
		return len(words) == 2 && anyof.Equal(words[1], "get-contexts", "current-context", "get-clusters")
	case "rollout":
		return len(words) > 1 && (words[1] == "status" || words[1] == "history")
	case "get", "describe": // they show environment variables by the name of their secret, or from the manifest
		if len(words) == 1 {
			return false
		}
		for kind := range strings.SplitSeq(words[1], ",") {
			kind, _, _ = strings.Cut(kind, "/")
			switch kind {
			case "pod", "pods", "po", "deploy", "deployment", "deployments", "service", "services", "svc", "node", "nodes", "no", "ns", "namespace", "namespaces", "event", "events", "ev", "job", "jobs", "cronjob", "cronjobs", "cj", "ingress", "ingresses", "ing", "rs", "replicasets", "sts", "statefulsets", "ds", "daemonsets", "pvc", "pv", "hpa", "endpoints", "ep", "sc", "storageclass", "crd", "crds":
			default:
				return false
			}
		}
		return true
	}
	return false
}

// describedEngine reports whether a container engine only shows its objects without their
// environment, starts, stops or restarts existing containers as the user made them, or runs a
// command in one.
func describedEngine(c *Call) bool {
	compose := c.Program == "docker-compose"
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		switch w.Text {
		case "compose":
			compose = true
		case "-f", "--file", "-p", "--project-name", "--profile", "--env-file":
			if i++; !compose || c.outside() {
				return false
			}
		case "ps", "images", "logs", "version", "info", "stats", "top", "port", "history", "diff", "ls", "list":
			return true
		case "start", "stop", "restart", "pause", "unpause":
			if slices.ContainsFunc(c.Args[i+1:], func(o Word) bool { return strings.HasPrefix(o.Text, "-") && o.Text != "-t" && o.Text != "--time" }) {
				return false // start -ai takes over the terminal
			}
			return len(c.Args) > i+1 || compose
		case "exec": // the command in the container is read separately
			rest := c.Args[i+1:]
			for len(rest) > 0 && anyof.Equal(rest[0].Text, "-i", "-t", "-it", "-ti", "-T") {
				rest = rest[1:]
			}
			return len(rest) > 1 && !strings.HasPrefix(rest[0].Text, "-")
		case "config": // compose prints the values of .env, except with these options
			return compose && !c.outside() && slices.ContainsFunc(c.Args[i+1:], func(o Word) bool {
				return anyof.Equal(o.Text, "-q", "--quiet", "--services", "--images", "--volumes", "--profiles")
			})
		case "inspect":
			if i > 0 && anyof.Equal(c.Args[i-1].Text, "network", "volume") {
				return true // networks and volumes have no environment
			}
			f, ok := c.Opt("-f")
			if !ok {
				f, ok = c.Opt("--format")
			}
			return ok && f.Text != "" && !strings.Contains(f.Text, "Env") && !strings.Contains(f.Text, "json") && !strings.Contains(f.Text, "{{.}}") && !strings.Contains(f.Text, ".Config}}") && !strings.Contains(f.Text, "$") && !strings.Contains(f.Text, "range .Config") && !strings.Contains(f.Text, "Args") && !strings.Contains(f.Text, "Cmd")
		case "container", "image", "network", "volume", "context", "system", "df":
		default:
			if !strings.HasPrefix(w.Text, "-") {
				return false
			}
		}
	}
	return false
}
