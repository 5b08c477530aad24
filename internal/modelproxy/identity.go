package modelproxy

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

// Identity configures where a request names its user and tenant. The proxy trusts the request: name
// only fields that one of your programs writes, and use claims if others write the requests. Limits
// and sessions are per user within a credential, so no user can act as a user of another
// credential.
type Identity struct {
	UserHeader   string // such as "X-User-Id"; not passed on
	TenantHeader string
	Body         bool   // the body's "user", or its "metadata" with "user_id"
	TokenHeader  string // a JSON Web Token, signed with HS256; a request without a valid one is refused
	TokenKey     []byte
	UserClaim    string // "sub" if empty
	TenantClaim  string
}

// maxCredentials bounds the credentials of a request: a limit counts each.
const maxCredentials = 3

var errCredentials = &fault{http.StatusBadRequest, "invalid_request_error", "invalid_credentials", "the request has more than 3 credentials: send one", 0}

// maxName bounds the name of a user or a tenant, in bytes.
const maxName = 256

var errIdentity = &fault{http.StatusUnauthorized, "authentication_error", "invalid_user_token", "the token that names the user is missing, expired or not valid: send a new one", 0}

// asker identifies the sender of a request by an ID for each of its credentials. The IDs are keyed hashes,
// so that logs do not reveal the name. Only exceptions use the name.
type asker struct {
	ids          []string
	name, tenant string
}

// metadata returns the facts about the user that the guard gets in addition to the ID.
func (a *asker) metadata() map[string]any {
	if a.name == "" {
		return nil
	}
	return map[string]any{guard.UserKey: a.name}
}

// identity returns the sender of a request.
func (p *Proxy) identity(r *http.Request, body []byte) (asker, *fault) {
	ids := p.credentials(r)
	if len(ids) > maxCredentials {
		return asker{}, errCredentials
	}
	o := p.o.Identity
	name, tenant := "", ""
	switch {
	case o.TokenHeader != "":
		claims, ok := o.claims(r.Header.Get(o.TokenHeader), time.Now())
		if !ok {
			return asker{}, errIdentity
		}
		claim := cmp.Or(o.UserClaim, "sub")
		name, _ = claims[claim].(string)
		tenant, _ = claims[o.TenantClaim].(string)
		if name == "" || o.TenantClaim != "" && tenant == "" {
			return asker{}, errIdentity
		}
	case severalNames(r.Header, o.UserHeader) || severalNames(r.Header, o.TenantHeader):
		return asker{}, errTwoNames
	default:
		if o.UserHeader != "" {
			name = r.Header.Get(o.UserHeader)
		}
		if o.TenantHeader != "" {
			tenant = r.Header.Get(o.TenantHeader)
		}
		if name == "" && o.Body {
			var err error
			if name, err = named(body); err != nil {
				return asker{}, asFault(err, errTwoNames)
			}
		}
	}
	if len(name) > maxName || len(tenant) > maxName {
		return asker{}, &fault{http.StatusBadRequest, "invalid_request_error", "invalid_user", "the name of the user or tenant is too long: 256 bytes are allowed", 0}
	}
	if name == "" {
		return asker{ids: ids, tenant: tenant}, nil
	}
	for i, id := range ids {
		d := keyed(p.o.Key, "named user", id, tenant, name)
		ids[i] = "user-" + hex.EncodeToString(d[:8])
	}
	return asker{ids, name, tenant}, nil
}

// severalNames reports whether a header has more than one value: a server in front may have added
// its value to the client's, and it is unknown which is whose.
func severalNames(h http.Header, name string) bool { return name != "" && len(h.Values(name)) > 1 }

var errTwoNames = &fault{http.StatusBadRequest, "invalid_request_error", "invalid_user", "the request names the user or the tenant twice: name each once", 0}

// named is the user that a body names.
func named(body []byte) (string, error) {
	d, root, err := parse(body)
	if err != nil {
		return "", err
	}
	r := &reader{doc: d}
	f := r.fields(root, "user", "metadata")
	if r.kind(f[0]) == '"' {
		return r.str(f[0]), r.err
	}
	if id := r.field(f[1], "user_id"); r.kind(id) == '"' {
		return r.str(id), r.err
	}
	return "", r.err
}

// claims returns the claims of a token with a valid signature that has not expired.
func (o *Identity) claims(token string, now time.Time) (map[string]any, bool) {
	token = strings.TrimPrefix(token, "Bearer ")
	signed, sum, ok := cutLast(token, '.')
	head, payload, ok2 := strings.Cut(signed, ".")
	if !ok || !ok2 || len(token) > 16<<10 || len(o.TokenKey) == 0 {
		return nil, false
	}
	given, err := base64.RawURLEncoding.DecodeString(sum)
	mac := hmac.New(sha256.New, o.TokenKey)
	mac.Write([]byte(signed))
	if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
		return nil, false
	}
	var h struct {
		Alg string `json:"alg"`
	}
	var c map[string]any
	if unpack(head, &h) != nil || h.Alg != "HS256" || unpack(payload, &c) != nil {
		return nil, false
	}
	exp, ok := c["exp"].(float64)
	if !ok || now.Unix() >= int64(exp) { // a token without an expiry would be valid forever
		return nil, false
	}
	if from, ok := c["nbf"].(float64); ok && now.Unix() < int64(from) {
		return nil, false
	}
	return c, true
}

func unpack(s string, v any) error {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

func cutLast(s string, c byte) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, c)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
