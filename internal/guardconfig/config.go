// Package guardconfig reads the guard's configuration file and builds the guards from it. It
// reports every fault of the file at once.
package guardconfig

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/guardmodel"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/modelproxy"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/wire"
)

// File is the configuration file of umpire guard serve and scan.
type File struct {
	Guard guard.Config `json:"guard"`

	places faultFinder // positions of its keys
}

// fault adds the position of a key to an error that begins with the path of the key, such as
// "classifier.key: ...".
func (f *File) fault(err error) error {
	return f.places.located(err)
}

// MinToken is the minimum length of a token: a shorter one can be guessed.
const MinToken = 16

// Read reads a file strictly. An empty name means the default configuration.
func Read(path string) (*File, error) {
	c := &File{}
	if path == "" {
		return c, nil
	}
	b, err := atomicfile.ReadSmall(path)
	if err != nil {
		return nil, err
	}
	if err := decodeGuardConfig(path, b, c); err != nil {
		return nil, err
	}
	return c, nil
}

// IsOn reports whether a switch is on. It is on by default.
func IsOn(b *bool) bool { return b == nil || *b }

// observed returns a configuration whose pipelines report everything: metrics count the same events
// as the audit log, which is filtered when it is written.
func observed(c guard.Config) guard.Config {
	c.Audit = nil
	return c
}

// Proxied returns a configuration for texts that pass the model proxy. Requests are counted
// separately, because one of them has many texts.
func Proxied(c guard.Config) guard.Config {
	return Uncounted(observed(c))
}

// Uncounted returns a configuration without limits per sender.
func Uncounted(c guard.Config) guard.Config {
	off := false
	c.RateLimit = &guard.RateLimitConfig{Enabled: &off}
	return c
}

// Identity returns the places in a request to the model proxy that name its user. The error
// contains every fault, with its position in the file.
func (f *File) Identity(getenv func(string) string) (modelproxy.Identity, error) {
	c := f.Guard.Users
	out := modelproxy.Identity{UserHeader: c.Header, TenantHeader: c.TenantHeader, Body: c.Body}
	var faults []error
	fault := func(key, format string, args ...any) {
		faults = append(faults, f.fault(fmt.Errorf("users."+key+": "+format, args...)))
	}
	headers := map[string]string{"header": c.Header, "tenantHeader": c.TenantHeader}
	if t := c.Token; t != nil {
		secret := t.Secret
		if name, ok := strings.CutPrefix(secret, "env:"); ok {
			secret = getenv(name)
		}
		headers["token.header"] = t.Header
		if t.Header == "" {
			fault("token.header", "name the header that has the token")
		}
		if len(secret) < MinToken {
			fault("token.secret", "must have at least %d characters; check that its variable is set", MinToken)
		}
		if c.Header != "" || c.TenantHeader != "" || c.Body {
			fault("token", "remove header, tenantHeader and body: the token identifies the user")
		}
		out.TokenHeader, out.TokenKey, out.UserClaim, out.TenantClaim = t.Header, []byte(secret), t.UserClaim, t.TenantClaim
	}
	for _, key := range slices.Sorted(maps.Keys(headers)) {
		if h := headers[key]; strings.ContainsFunc(h, func(r rune) bool {
			return r != '-' && r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		}) {
			fault(key, "%q cannot be the name of a header: use letters, digits and dashes", h)
		}
	}
	return out, errors.Join(faults...)
}

// Admission returns the pipeline that only counts requests, or nil if the settings name no limits:
// agents make many requests for one prompt, and the default limits would stop them.
func Admission(c guard.Config, observer guard.Observer) (*guard.Input, error) {
	r := c.RateLimit
	if r == nil || !IsOn(r.Enabled) || !IsOn(c.Enabled) {
		return nil, nil
	}
	off := false
	tenants := map[string]guard.TenantConfig{}
	for name, t := range c.Tenants {
		tenants[name] = guard.TenantConfig{Mode: t.Mode, Stages: t.Stages, Exceptions: t.Exceptions, Messages: t.Messages}
	}
	in, _, err := guard.FromConfig(guard.Config{
		Tenants: tenants, Mode: c.Mode, Stages: c.Stages, Exceptions: c.Exceptions, Messages: c.Messages, RateLimit: r,
		UnicodeNormalization: &off, InjectionDetection: &off, InputValidation: &guard.ValidationConfig{Enabled: &off},
	}, guard.Parts{Observer: observer})
	if err != nil {
		return nil, err
	}
	return in, nil
}

// shown returns the settings without secrets, for the API.
func (f File) shown() File {
	f.Guard.Canary.Seed = ""
	if t := f.Guard.Users.Token; t != nil {
		hidden := *t
		hidden.Secret = ""
		f.Guard.Users.Token = &hidden
	}
	return f
}

// AskModels adds the models that the settings require to the parts: the models of the judge in the
// user's policy, which need not be enabled there, and the classifier. It reports an unavailable
// model as a fault of the file.
func AskModels(f *File, p *guard.Parts) (*guardmodel.Classifier, error) {
	c := &f.Guard
	var asks []string
	blocked := map[string]bool{}
	classifies := func(path string, cl guard.ClassificationConfig) {
		if !cl.Enabled || !cl.Model {
			return
		}
		asks = append(asks, path+"classification.model")
		names := cl.BlockedCategories
		if len(names) == 0 {
			names = guard.DefaultBlocked()
		}
		for _, name := range names {
			blocked[name] = true
		}
	}
	classifies("", c.Classification)
	for _, name := range slices.Sorted(maps.Keys(c.Tenants)) {
		if t := c.Tenants[name]; t.Classification != nil {
			classifies("tenants."+name+".", *t.Classification)
		}
	}
	if c.InjectionJudge {
		asks = append(asks, "injectionJudge")
	}
	if !IsOn(c.Enabled) || len(asks) == 0 && c.Classifier == nil {
		return nil, nil
	}
	at, err := project.At("")
	if err != nil {
		return nil, err
	}
	var faults []error
	var classifier *guardmodel.Classifier
	if c.Classifier != nil {
		classifier, err = guardmodel.NewClassifier(*c.Classifier, judgeconfig.Dir(at.Home), os.Getenv)
		if err != nil {
			faults = append(faults, f.fault(err))
		} else {
			p.Classifier = func(ctx context.Context, text string) (guard.Opinion, error) {
				op, err := classifier.Ask(ctx, text)
				return op, modelCause(err)
			}
		}
	}
	if len(asks) == 0 {
		return classifier, errors.Join(faults...)
	}
	settings, err := judgeconfig.Settings(at.Home, at.Workspace)
	if err != nil {
		return nil, err
	}
	chain := judgeconfig.Chain(settings, at.Home)
	if !chain.Ready() {
		for _, key := range asks {
			faults = append(faults, f.fault(fmt.Errorf("%s: %w", key, errNoModel)))
		}
		return nil, errors.Join(faults...)
	}
	m := &guardmodel.Model{Asker: chain, Timeout: settings.Timeout}
	if len(blocked) > 0 { // each tenant's stage uses its own list
		names := slices.Sorted(maps.Keys(blocked))
		p.Model = func(ctx context.Context, text string) (string, error) {
			name, err := m.Category(ctx, text, names)
			return name, modelCause(err)
		}
	}
	if c.InjectionJudge {
		p.Judge = func(ctx context.Context, text string) (float64, error) {
			score, err := m.Injection(ctx, text)
			return score, modelCause(err)
		}
	}
	return classifier, errors.Join(faults...)
}

var errNoModel = errors.New("a model is needed, but none is available: set a key for one of the judge's providers " +
	"(`umpire judge providers` lists them), or turn the setting off")

// modelCause returns the reason why a model failed in umpire's words, because a model's answer may
// quote the text.
func modelCause(err error) error {
	var f *wire.Fault
	if errors.As(err, &f) {
		return guard.Cause(f.Error())
	}
	for _, known := range []error{guardmodel.ErrTooLong, model.ErrBudget, model.ErrAnswer, model.ErrNone} {
		if errors.Is(err, known) {
			return guard.Cause(known.Error())
		}
	}
	return err
}
