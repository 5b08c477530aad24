package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Bounds on an address that counts as plain reading. An address carries data to its host: an
// adversary who steers the agent can make it send text from its context. The bounds limit that to a
// few words per call.
const (
	maxAddress = 200 // bytes of the whole address
	maxQuery   = 80
	maxHost    = 60
	maxEscapes = 4  // %20 and the like
	maxToken   = 24 // letters and digits in a row, if both occur or many letters are upper case
	maxWord    = 40 // letters in a row
)

// WebRead returns the trait PlainRead if a request for an address only reads the public web: https,
// a host with a plain public name, and no more text than a person would type. Otherwise it returns
// 0.
func WebRead(url string) umpire.Trait {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok || len(url) > maxAddress || redact.Contains(url) {
		return 0
	}
	for i := range len(rest) {
		// Braces and brackets are patterns for curl, @ follows a user, and some clients read a
		// backslash as a slash.
		if c := rest[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`\{}[]@<>"'`+"`^|$", c) >= 0 {
			return 0
		}
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	host = strings.TrimSuffix(host, ":443")
	if !publicName(host) || place.Parse(url).Class != 0 {
		return 0
	}
	_, query, _ := strings.Cut(path, "?")
	if len(query) > maxQuery || strings.Count(path, "%") > maxEscapes || !plainTokens(path) {
		return 0
	}
	return umpire.PlainRead
}

// SearchRead returns the trait PlainRead if a person would type such a query to a search engine,
// and otherwise 0.
func SearchRead(query string) umpire.Trait {
	if query == "" || len(query) > maxAddress || redact.Contains(query) || strings.Contains(query, umpire.Hole) || !plainTokens(query) {
		return 0
	}
	return umpire.PlainRead
}

// publicName reports whether a host is a name of the public DNS that carries no data.
func publicName(host string) bool {
	if len(host) > maxHost || strings.Count(host, ".") > 3 || !plainTokens(host) {
		return false
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || strings.Trim(strings.ToLower(l), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	top := strings.ToLower(labels[len(labels)-1])
	if len(labels) < 2 || strings.Trim(top, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	if anyof.Equal(top, "local", "localhost", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "onion", "test", "invalid", "host") {
		return false
	}
	for _, l := range labels { // anyone can get a name below these and point it anywhere
		if anyof.Equal(strings.ToLower(l), "nip", "sslip", "xip", "localtest", "lvh", "vcap", "metadata", "burpcollaborator", "oastify", "oast", "interact", "requestbin", "ngrok", "ngrok-free", "trycloudflare", "webhook", "pipedream", "hookbin", "beeceptor", "requestcatcher", "canarytokens", "dnslog") {
			return false
		}
	}
	return true
}

// plainTokens reports whether a text contains nothing that looks like encoded data: a long run of
// mixed letters and digits, or a word of more than maxWord letters.
func plainTokens(s string) bool {
	for len(s) > 0 {
		letters, digits, upper, n := 0, 0, 0, 0
		for n < len(s) {
			c := s[n]
			if c >= '0' && c <= '9' {
				digits++
			} else if c|0x20 >= 'a' && c|0x20 <= 'z' {
				letters++
				if c < 'a' {
					upper++
				}
			} else {
				break
			}
			n++
		}
		if n > maxWord || n > maxToken && (digits > 0 && letters > 0 || upper > n/3) || digits > 16 {
			return false
		}
		s = s[min(len(s), n+1):]
	}
	return true
}

// plainGet reports whether curl's options only choose how it reads and shows addresses. Another
// party chooses the target of a redirect, so an option that follows redirects does not count.
func (c *Call) plainGet() bool {
	for i := range c.opts {
		o := &c.opts[i]
		switch o.name {
		case "-s", "-S", "-f", "-v", "-i", "-I", "-m", "--connect-timeout", "-o", "-O", "-w", "--compressed", "--http1.1", "--http2", "--retry", "--retry-delay", "--fail", "--silent", "--show-error", "-#", "--progress-bar", "--max-filesize":
		case "-A":
			if len(o.value.Text) > 120 || !plainTokens(o.value.Text) || !o.value.Known() {
				return false
			}
		case "-H":
			name, v, _ := strings.Cut(o.value.Text, ":")
			switch strings.ToLower(name) {
			case "accept", "accept-language", "user-agent":
				if len(v) > 120 || !plainTokens(v) || !o.value.Known() {
					return false
				}
			default:
				return false
			}
		case "-X":
			if o.value.Text != "GET" && o.value.Text != "HEAD" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
