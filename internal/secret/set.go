package secret

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Set holds the secrets of one gateway. It is immutable.
type Set struct {
	key  []byte
	list []Secret
}

// Placeholder is the public form of a secret, which an agent sees.
type Placeholder struct {
	Name     string   `json:"name"`
	Variable string   `json:"env,omitempty"`
	Text     string   `json:"placeholder"`
	Hosts    []string `json:"hosts"`
	Headers  []string `json:"headers"`
}

func newSet(list []Secret, key []byte) (*Set, error) {
	if len(key) < 32 {
		return nil, errors.New("placeholders need a key of 32 bytes")
	}
	return &Set{key, list}, nil
}

// String contains no credential, so that no log can print one.
func (s *Set) String() string { return fmt.Sprintf("%d secrets", len(s.list)) }

// GoString is the same for %#v.
func (s *Set) GoString() string { return s.String() }

// Hosts returns the permitted hosts of all secrets, as rule patterns.
func (s *Set) Hosts() (out []string) {
	for i := range s.list {
		out = append(out, s.list[i].Hosts...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Placeholders returns the placeholders of an agent's session. They are unpredictable, and
// differ for each session and agent.
func (s *Set) Placeholders(agent, session string) []Placeholder {
	out := []Placeholder{}
	for i := range s.list {
		one := &s.list[i]
		out = append(out, Placeholder{one.Name, one.Variable, s.text(one.Name, agent, session), slices.Clone(one.Hosts), slices.Clone(one.Headers)})
	}
	return out
}

const (
	prefix = "umpire:"
	random = 26 // characters of base32, 130 bits
)

var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func (s *Set) text(name, agent, session string) string {
	h := hmac.New(sha256.New, s.key)
	for _, part := range []string{name, agent, session} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part) // a hash takes everything
	}
	return prefix + name + ":" + encoding.EncodeToString(h.Sum(nil))[:random]
}

// find returns the position of the first placeholder of any session in a text.
func find(text string) (start, end int, ok bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], prefix)
		if i < 0 {
			return 0, 0, false
		}
		start = from + i
		from = start + len(prefix)
		n := strings.IndexByte(text[from:], ':')
		if n <= 0 || n > 40 || strings.Trim(text[from:from+n], lower) != "" {
			continue
		}
		end = from + n + 1 + random
		if end <= len(text) && strings.Trim(text[end-random:end], "abcdefghijklmnopqrstuvwxyz234567") == "" {
			return start, end, true
		}
	}
}

// OutgoingRequest holds the parts of a request that Reveal needs.
type OutgoingRequest struct {
	Agent, Session string
	Secure         bool   // inside inspected TLS
	Host, Port     string // destination
	URL            string // its path and query
	Header         http.Header
}

// MisuseError means that a placeholder is where its secret must not go.
type MisuseError struct {
	Name string // the secret's, as the placeholder has it
	Why  string
}

func (e *MisuseError) Error() string {
	return fmt.Sprintf("the placeholder of the secret %s %s: umpire does not send it", e.Name, e.Why)
}

// Reveal returns the header of a request with credentials in place of placeholders, and the texts
// to mask in the response: the secrets of that host. A request without placeholders keeps its
// header. If a placeholder is where its secret must not go, nothing may be sent, and the error is a
// MisuseError.
func (s *Set) Reveal(r *OutgoingRequest) (h http.Header, mask []string, err error) {
	h = r.Header
	changed := false
	unescaped, _ := url.PathUnescape(r.URL) // "" for an invalid one
	for _, text := range []string{r.URL, unescaped} {
		if start, end, ok := find(text); ok {
			return nil, nil, &MisuseError{nameOf(text[start:end]), "is in an address, but belongs in a header"}
		}
	}
	for name, values := range r.Header {
		for i, v := range values {
			shown, scheme, basic := decodeBasic(v)
			if _, _, ok := find(shown); !ok {
				if _, _, ok := find(v); !ok {
					continue
				}
				shown, basic = v, false
			}
			clear, used, err := s.put(shown, name, r)
			if err != nil {
				return nil, nil, err
			}
			mask = append(mask, used...)
			if basic {
				encoded := base64.StdEncoding.EncodeToString([]byte(clear))
				mask = append(mask, encoded)
				clear = scheme + " " + encoded
			}
			if !changed {
				h, changed = r.Header.Clone(), true
			}
			h[name][i] = clear
		}
	}
	// Even without a placeholder: a server may later repeat an earlier credential.
	for i := range s.list {
		if r.Secure && s.list[i].isFor(r.Host, r.Port) {
			mask = append(mask, s.list[i].Value)
		}
	}
	return h, variants(mask), nil
}

// put replaces the placeholders in a header's value.
func (s *Set) put(v, header string, r *OutgoingRequest) (clear string, used []string, err error) {
	var b strings.Builder
	for {
		start, end, ok := find(v)
		if !ok {
			b.WriteString(v)
			return b.String(), used, nil
		}
		text := v[start:end]
		name := nameOf(text)
		i := slices.IndexFunc(s.list, func(one Secret) bool { return one.Name == name })
		switch {
		case i < 0 || !hmac.Equal([]byte(s.text(name, r.Agent, r.Session)), []byte(text)):
			return "", nil, &MisuseError{name, "belongs to another session"}
		case !s.list[i].isFor(r.Host, r.Port):
			return "", nil, &MisuseError{name, "is not for " + r.Host}
		case !r.Secure:
			return "", nil, &MisuseError{name, "works only in TLS that umpire inspects"}
		case !slices.Contains(s.list[i].Headers, header):
			return "", nil, &MisuseError{name, "belongs in " + strings.Join(s.list[i].Headers, " or ") + ", not in " + header}
		}
		b.WriteString(v[:start])
		b.WriteString(s.list[i].Value)
		used = append(used, s.list[i].Value)
		v = v[end:]
	}
}

// isFor reports whether a secret is for a host. Without a port it is for 443.
func (s *Secret) isFor(host, port string) bool {
	return slices.ContainsFunc(s.Hosts, func(h string) bool {
		name, p, ok := strings.Cut(h, ":")
		if !ok {
			p = "443"
		}
		if p != port {
			return false
		}
		domain, below := strings.CutPrefix(name, "*.")
		return host == domain || below && strings.HasSuffix(host, "."+domain)
	})
}

func nameOf(placeholder string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(placeholder, prefix), ":")
	return name
}

// decodeBasic reads the user and password of Basic authentication.
func decodeBasic(v string) (text, scheme string, ok bool) {
	scheme, rest, found := strings.Cut(v, " ")
	if !found || !strings.EqualFold(scheme, "Basic") {
		return "", "", false
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest))
	if err != nil {
		b, err = base64.RawStdEncoding.DecodeString(strings.TrimSpace(rest))
	}
	return string(b), scheme, err == nil
}

// gson writes what is in a text of JSON already as Java's Gson does.
var gson = strings.NewReplacer("=", `\u003d`, "'", `\u0027`, "&", `\u0026`, "<", `\u003c`, ">", `\u003e`)

// pages write a text into HTML as Python and Django, PHP, Handlebars and OWASP's encoder do.
var pages = []*strings.Replacer{
	strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;"),
	strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#039;"),
	strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", "`", "&#x60;", "=", "&#x3D;"),
	strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", "/", "&#x2F;"),
}

// lowerEscapes writes the escapes of a URL as .NET does.
func lowerEscapes(v string) string {
	b := []byte(v)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}

// wide is a text in UTF-16, with the byte that says something first or second.
func wide(v string, second int) string {
	b := make([]byte, 2*len(v))
	for i := range len(v) {
		b[2*i+second] = v[i]
	}
	return string(b)
}

// variants adds the spellings in which programs echo their input, alone or within a longer text.
func variants(list []string) (out []string) {
	for _, v := range list {
		quoted, _ := json.Marshal(v) // texts always marshal
		inJSON := string(quoted[1 : len(quoted)-1])
		escaped := strings.ReplaceAll(strings.ReplaceAll(v, `\`, `\\`), `"`, `\"`)
		out = append(out, v, url.QueryEscape(v), url.PathEscape(v), html.EscapeString(v), inJSON, escaped, strings.ReplaceAll(inJSON, "/", `\/`), strings.ReplaceAll(escaped, "/", `\/`),
			hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))),
			lowerEscapes(url.QueryEscape(v)), lowerEscapes(url.PathEscape(v)), gson.Replace(escaped), wide(v, 0), wide(v, 1))
		for _, r := range pages {
			out = append(out, r.Replace(v))
		}
		// In base64, the preceding bytes determine the alignment.
		for before, skip := range []int{0, 2, 3} {
			text := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), v...))
			text = text[skip : (before+len(v))*8/6]
			out = append(out, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
