package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// restTraits returns the traits of a request according to its method, host and path.
func restTraits(method string, a address, body string) (t umpire.Trait) {
	path, _, _ := strings.Cut(a.Path, "?")
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "":
		return 0
	case "DELETE", "PURGE", "BAN":
		t |= umpire.Mutate
		if !a.developed() && !a.testData() {
			t |= umpire.Destroy
		}
		last := strings.Trim(path[strings.LastIndexByte(path, '/')+1:], "/")
		if last == "_all" || strings.Contains(path, "*") || last == "" && strings.Trim(path, "/") == "" {
			t |= umpire.Bulk | umpire.Destroy
		}
		return t
	}
	t |= umpire.Mutate
	if (method == "PUT" || method == "PATCH") && !a.local() && strings.Contains(a.Host, ".") {
		t |= umpire.Overwrite
	}
	for seg := range strings.SplitSeq(strings.ToLower(path), "/") {
		for w := range strings.FieldsFuncSeq(seg, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ':' }) {
			switch w {
			case "delete", "purge", "destroy", "remove", "wipe", "reset", "drop", "truncate", "terminate", "shutdown", "close", "revoke", "uninstall", "flush", "clear", "disable", "deactivate", "cancel", "archive", "kill", "suspend", "erase", "expire", "decommission", "rollback", "drain", "evict", "shrink", "forcemerge", "reroute":
				if !a.developed() {
					t |= umpire.Destroy
				}
			case "cluster", "settings":
				if strings.HasPrefix(seg, "_") || seg == "settings" {
					t |= umpire.Destroy // a setting of the whole service
				}
			case "charges", "payouts", "refunds", "transfers", "payments", "invoices", "subscriptions", "orders", "checkout", "refund", "charge", "payout":
				if payHost(a.Host) {
					t |= umpire.Payment
				}
			}
		}
	}
	if strings.Contains(path, "payment_intents") && payHost(a.Host) {
		t |= umpire.Payment
	}
	if messageHost(a) {
		t |= umpire.Message
	}
	if strings.Contains(path, "_delete_by_query") && a.testData() {
		return t &^ umpire.Destroy
	}
	if strings.Contains(path, "_delete_by_query") && (strings.Contains(body, "match_all") || body == "") {
		t |= umpire.Bulk
	}
	return t
}

// testData reports whether an address leads to a test index or collection of a service on this
// machine.
func (a address) testData() bool {
	path, _, _ := strings.Cut(a.Path, "?")
	name := strings.TrimSuffix(strings.Trim(path, "/"), "/_delete_by_query")
	return a.local() && !strings.Contains(name, "/") && TestName(name)
}

func payHost(h string) bool {
	return slices.ContainsFunc([]string{"stripe.com", "paypal.com", "squareup.com", "square.com", "braintreegateway.com", "adyen.com", "coinbase.com", "wise.com", "plaid.com", "razorpay.com", "mollie.com", "checkout.com", "shopify.com", "myshopify.com", "binance.com", "kraken.com"}, func(s string) bool {
		return h == s || strings.HasSuffix(h, "."+s)
	})
}

// messageHost reports whether a POST to this host sends a message to people.
func messageHost(a address) bool {
	p := strings.ToLower(a.Path)
	switch {
	case a.Host == "hooks.slack.com", strings.HasSuffix(a.Host, "webhook.office.com"), a.Host == "chat.googleapis.com", a.Host == "ntfy.sh", a.Host == "api.pushover.net", a.Host == "maker.ifttt.com", a.Host == "hooks.zapier.com":
		return true
	case a.Host == "slack.com" && strings.HasPrefix(p, "/api/chat."), a.Host == "slack.com" && strings.HasPrefix(p, "/api/files."):
		return true
	case (a.Host == "discord.com" || a.Host == "discordapp.com") && strings.Contains(p, "/webhooks/"):
		return true
	case a.Host == "api.telegram.org" && strings.Contains(p, "/send"):
		return true
	case a.Host == "api.twilio.com" && (strings.Contains(p, "/messages") || strings.Contains(p, "/calls")):
		return true
	case a.Host == "api.sendgrid.com" && strings.Contains(p, "/mail/send"), a.Host == "api.postmarkapp.com" && strings.HasPrefix(p, "/email"), a.Host == "api.mailgun.net" && strings.HasSuffix(p, "/messages"), a.Host == "api.resend.com" && strings.HasPrefix(p, "/emails"):
		return true
	case (a.Host == "api.twitter.com" || a.Host == "api.x.com") && strings.Contains(p, "/tweets"):
		return true
	}
	return false
}

// restOps records the operations of a request to a well-known service, in the form that its own
// client would have, so that curl does not bypass the rules for that client.
func (c *Call) restOps(r request, a address) {
	path, _, _ := strings.Cut(a.Path, "?")
	seg := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	switch {
	case len(seg) > 1 && (seg[0] == "api" && seg[1] == "v1" || seg[0] == "apis") && r.method == "DELETE":
		i := 2
		if seg[0] == "apis" {
			i = 3
		}
		if i >= len(seg) {
			return
		}
		if seg[i] == "namespaces" && len(seg) > i+2 {
			i += 2
		}
		t := umpire.Destroy | umpire.Mutate
		if len(seg) == i+1 {
			t |= umpire.Bulk
		}
		switch seg[i] {
		case "namespaces", "persistentvolumes", "persistentvolumeclaims", "nodes", "customresourcedefinitions", "statefulsets":
			t |= umpire.DataStore | umpire.Irreversible
		case "pods", "services", "deployments", "configmaps", "secrets", "jobs", "cronjobs", "ingresses", "replicasets", "daemonsets", "serviceaccounts", "endpoints":
		default:
			return // another service with similar paths
		}
		kind := strings.TrimSuffix(seg[i], "s")
		c.Op(umpire.Infra, strings.TrimSpace("kubectl delete "+kind+" "+strings.Join(seg[i+1:], "/")), t)
	case c.madeAddress(a):
	case a.Port == "9200" || strings.Contains(a.Host, "elastic") || strings.Contains(a.Host, "opensearch"):
		if len(seg) == 0 {
			if r.method == "DELETE" {
				c.Op(umpire.Database, "drop-index *", umpire.Bulk|umpire.DataStore|umpire.Destroy)
			}
			return
		}
		switch {
		case a.testData():
		case r.method == "DELETE" && len(seg) == 1:
			t := umpire.Destroy
			if seg[0] == "_all" || strings.Contains(seg[0], "*") {
				t |= umpire.Bulk | umpire.DataStore
			}
			c.Op(umpire.Database, "drop-index "+seg[0], t)
		case strings.HasSuffix(path, "/_delete_by_query") && strings.Contains(r.body, "match_all"):
			c.Op(umpire.Database, "delete "+seg[0], umpire.NoWhere|umpire.Destroy)
		case r.method == "DELETE" && seg[0] == "_snapshot":
			c.Op(umpire.Database, "drop-snapshot "+strings.Join(seg[1:], "/"), umpire.Destroy|umpire.DataStore)
		}
	case a.Host == "api.github.com" && len(seg) == 3 && seg[0] == "repos" && r.method == "DELETE":
		c.Op(umpire.Infra, "github delete repo "+seg[1]+"/"+seg[2], umpire.Destroy|umpire.DataStore|umpire.Irreversible)
	case strings.Contains(a.Host, "gitlab") && len(seg) == 4 && seg[2] == "projects" && r.method == "DELETE":
		c.Op(umpire.Infra, "gitlab delete project "+seg[3], umpire.Destroy|umpire.DataStore|umpire.Irreversible)
	}
}

// dockerAPI reads a request to a container daemon's socket. Access to the socket is as good as root
// on the host.
func (c *Call) dockerAPI(r request, a address) {
	s := r.socket
	if !strings.Contains(s, "docker") && !strings.Contains(s, "podman") && !strings.Contains(s, "containerd") && !strings.Contains(s, "crio") {
		return
	}
	if r.method == "GET" || r.method == "HEAD" {
		return
	}
	t := umpire.Mutate
	if r.method == "DELETE" {
		t |= umpire.Destroy
		if strings.Contains(a.Path, "/volumes") {
			t |= umpire.DataStore
		}
	}
	body := strings.ReplaceAll(r.body, " ", "")
	if anyof.Contains(body, `"Privileged":true`, `"/:/`, "docker.sock", `"Source":"/"`, `"PidMode":"host"`) {
		t |= umpire.HostAccess | umpire.Privilege
	}
	if strings.Contains(a.Path, "/prune") {
		t |= umpire.Destroy | umpire.Bulk
		if strings.Contains(a.Path, "/volumes") {
			t |= umpire.DataStore
		}
	}
	c.Op(umpire.Infra, strings.ToLower("docker "+r.method)+" "+a.Path, t)
}
