package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Config selects the stages. Its fields are the keys of the configuration file. The zero value
// turns on normalization, rate limit, validation and injection detection, and turns off the other
// stages.
type Config struct {
	Enabled                *bool                        `json:"enabled,omitempty"` // true if absent
	Mode                   string                       `json:"mode,omitempty"`    // default mode of the stages; Enforce if empty
	Stages                 map[string]StageConfig       `json:"stages,omitempty"`
	Exceptions             []Exception                  `json:"exceptions,omitempty"`
	Messages               map[string]map[string]string `json:"messages,omitempty"` // texts for people, by category or subject ("self_harm", "default"), then by language or "default"
	Context                *ContextConfig               `json:"context,omitempty"`
	Tenants                map[string]TenantConfig      `json:"tenants,omitempty"` // overrides for single tenants
	RateLimit              *RateLimitConfig             `json:"rateLimit,omitempty"`
	InputValidation        *ValidationConfig            `json:"inputValidation,omitempty"`
	UnicodeNormalization   *bool                        `json:"unicodeNormalization,omitempty"` // true if absent
	InjectionDetection     *bool                        `json:"injectionDetection,omitempty"`   // true if absent
	InjectionJudge         bool                         `json:"injectionJudge,omitempty"`       // requires Parts.Judge
	Classifier             *ClassifierConfig            `json:"classifier,omitempty"`           // requires Parts.Classifier
	Classification         ClassificationConfig         `json:"classification,omitzero"`
	TopicDrift             DriftConfig                  `json:"topicDrift,omitzero"`
	Canary                 CanaryConfig                 `json:"canary,omitzero"`
	SystemPromptLeakage    bool                         `json:"systemPromptLeakage,omitempty"`    // works with and without a canary
	ToolOutputSanitization *bool                        `json:"toolOutputSanitization,omitempty"` // for programs that run tools; FromConfig makes no Sanitizer
	PII                    PIIConfig                    `json:"pii,omitzero"`
	Patterns               []Rule                       `json:"patterns,omitempty"`
	DynamicRules           *bool                        `json:"dynamicRules,omitempty"` // true if absent and Parts.Rules is set
	Users                  UsersConfig                  `json:"users,omitzero"`         // for the model proxy; FromConfig does not read it
	Audit                  *bool                        `json:"audit,omitempty"`        // true if absent
}

// UsersConfig is the key users of a Config. It says where a request to the model proxy names its
// user and its tenant.
type UsersConfig struct {
	Header       string       `json:"header,omitempty"`       // name of the header that contains the user
	TenantHeader string       `json:"tenantHeader,omitempty"` // name of the header that contains the tenant
	Body         bool         `json:"body,omitempty"`         // read "user", or "user_id" of "metadata", from the body
	Token        *TokenConfig `json:"token,omitempty"`
}

// TokenConfig is the key token of a UsersConfig. It describes a JSON Web Token, signed with HS256,
// that names the user.
type TokenConfig struct {
	Header      string `json:"header"`              // name of the header that contains the token
	Secret      string `json:"secret"`              // the signing secret, or "env:NAME"
	UserClaim   string `json:"userClaim,omitempty"` // "sub" if empty
	TenantClaim string `json:"tenantClaim,omitempty"`
}

// RateLimitConfig is the key rateLimit of a Config.
type RateLimitConfig struct {
	Enabled *bool `json:"enabled,omitempty"` // true if absent
	Limits  `yaml:",inline"`
	Tenants map[string]Limits `json:"tenants,omitempty"` // limits of single tenants, instead of Limits
}

// ValidationConfig is the key inputValidation of a Config.
type ValidationConfig struct {
	Enabled   *bool `json:"enabled,omitempty"`   // true if absent
	MinLength int   `json:"minLength,omitempty"` // visible characters; 1 if zero
	MaxLength int   `json:"maxLength,omitempty"` // characters; 10,000 if zero
}

// ClassificationConfig is the key classification of a Config.
type ClassificationConfig struct {
	Enabled           bool                       `json:"enabled"`
	Model             bool                       `json:"model,omitempty"`             // ask Parts.Model about texts that the rules accept
	BlockedCategories []string                   `json:"blockedCategories,omitempty"` // DefaultBlocked if empty
	Categories        map[string]BlockedCategory `json:"categories,omitempty"`        // added to the built-in ones; one with the same name replaces it
}

// DriftConfig is the key topicDrift of a Config.
type DriftConfig struct {
	Enabled  bool    `json:"enabled"`
	MaxScore float64 `json:"maxScore,omitempty"` // score, 0 to 1, above which a turn is rejected; 0.7 if zero
}

// CanaryConfig is the key canary of a Config.
type CanaryConfig struct {
	Enabled bool   `json:"enabled"`
	Seed    string `json:"seed,omitempty"` // a secret text, or "env:NAME"
}

// PIIConfig is the key pii of a Config.
type PIIConfig struct {
	Enabled bool     `json:"enabled"`
	Kinds   []string `json:"kinds,omitempty"`   // as in PIIOptions
	Also    []string `json:"also,omitempty"`    // "name" and "address": kinds that are off by default
	Regions []string `json:"regions,omitempty"` // as in PIIOptions
}

// Parts are the inputs of FromConfig that a configuration file cannot express. All are optional.
type Parts struct {
	Stages       []Stage                                                             // additional input stages
	OutputStages []OutputStage                                                       // additional output stages
	Rules        *Rules                                                              // dynamic rules
	Model        func(ctx context.Context, text string) (category string, err error) // for Classification
	Judge        func(ctx context.Context, text string) (score float64, err error)   // for Injection and TopicDrift
	Classifier   func(ctx context.Context, text string) (Opinion, error)             // for Injection
	ModelFailed  func(error)                                                         // called for each failure of Model or Classifier that did not reject the text
	Observer     Observer                                                            // receives every event, unless audit is off
	Spans        Spans                                                               // likewise
	Getenv       func(string) string                                                 // os.Getenv if nil
}

// FromConfig returns the pipelines of a Config. It returns an error if the Config needs a part that
// is missing, because a missing check must not look like a working one. A stage of Parts with the
// name UnicodeNormalization or InjectionDetection replaces the built-in one. If Enabled is false,
// both pipelines allow everything.
func FromConfig(c Config, p Parts) (*Input, *Output, error) {
	if !isOn(c.Enabled) {
		return NewInput(nil), NewOutput(nil), nil
	}
	k := &stageSettings{mode: c.Mode, stages: c.Stages, exceptions: c.Exceptions, messages: c.Messages}
	if c.Context != nil && len(c.Context.Languages) > 0 {
		k.language = c.Context.Languages[0]
	}
	in, inErr := c.inputStages(p)
	out, outErr := c.outputStages(p)
	if err := errors.Join(append(slices.Concat(k.faults(), c.Context.faults()), inErr, outErr)...); err != nil {
		// Report the faults of the tenants too. Merged with c, each would repeat the faults above.
		alone := Config{Tenants: c.Tenants}
		return nil, nil, errors.Join(err, alone.tenants(Parts{Model: p.Model}, new(Input), new(Output)))
	}
	if c.Mode != "" || len(c.Stages) > 0 || len(c.Exceptions) > 0 {
		in, out = k.input(in), k.output(out)
	}
	var opts []Option
	if isOn(c.Audit) {
		opts = append(opts, WithObserver(p.Observer), WithSpans(p.Spans))
	}
	input, output := NewInput(in, opts...), NewOutput(out, opts...)
	input.message, output.message = k.message, k.message
	input.about = c.Context.about()
	if err := c.tenants(p, input, output); err != nil {
		return nil, nil, err
	}
	return input, output, nil
}

func isOn(b *bool) bool { return b == nil || *b }

func (c *Config) inputStages(p Parts) ([]Stage, error) {
	var stages []Stage
	var faults []error
	for _, s := range p.Stages {
		if s.Name == stageNormalization && !isOn(c.UnicodeNormalization) || s.Name == stageInjection && !isOn(c.InjectionDetection) {
			continue
		}
		stages = append(stages, s)
	}
	brought := func(name string) bool {
		return slices.ContainsFunc(p.Stages, func(s Stage) bool { return s.Name == name })
	}
	if isOn(c.UnicodeNormalization) && !brought(stageNormalization) {
		stages = append(stages, Normalization(NormalizationOptions{}))
	}
	if c.InjectionJudge && !isOn(c.InjectionDetection) {
		faults = append(faults, errors.New("injectionJudge: needs injectionDetection: turn both on or both off"))
	}
	if c.InjectionJudge && p.Judge == nil {
		faults = append(faults, errors.New("injectionJudge: no model is available: set one up, or turn it off"))
	}
	injection := InjectionOptions{Context: c.Context, Judge: p.Judge, Threshold: c.Stages["injectionDetection"].Threshold}
	if cl := c.Classifier; cl != nil {
		faults = append(faults, cl.faults()...)
		switch {
		case !isOn(c.InjectionDetection):
			faults = append(faults, errors.New("classifier: needs injectionDetection: turn both on or both off"))
		case c.InjectionJudge:
			faults = append(faults, errors.New("classifier: injectionJudge checks the same texts: turn one of them off"))
		case p.Classifier == nil:
			faults = append(faults, errors.New("classifier is set and unused: set Parts.Classifier, or remove it"))
		}
		injection.Classifier = &ClassifierOptions{Ask: p.Classifier, Always: cl.asksAlways(), Open: cl.Failure == "open", Threshold: cl.Threshold, Failed: p.ModelFailed}
	}
	if isOn(c.InjectionDetection) && !brought(stageInjection) {
		stages = append(stages, Injection(injection))
	}
	if r := c.RateLimit; r == nil {
		stages = append(stages, RateLimit(RateLimitOptions{}))
	} else if isOn(r.Enabled) {
		stages = append(stages, RateLimit(RateLimitOptions{Limits: r.Limits, Tenants: r.Tenants}))
	}
	if v := c.InputValidation; v == nil {
		stages = append(stages, Validation(ValidationOptions{}))
	} else if isOn(v.Enabled) {
		if most := cmp.Or(v.MaxLength, 10_000); v.MinLength > most {
			faults = append(faults, fmt.Errorf("inputValidation.minLength: %d is more than maxLength, %d: no text would pass", v.MinLength, most))
		}
		stages = append(stages, Validation(ValidationOptions{MinLength: v.MinLength, MaxLength: v.MaxLength}))
	}
	if cl := c.Classification; cl.Enabled {
		o := ClassificationOptions{Blocked: cl.BlockedCategories, Categories: cl.Categories, Failed: p.ModelFailed}
		if cl.Model {
			if o.Model = p.Model; o.Model == nil {
				faults = append(faults, errors.New("classification.model: it is on, and there is no model: set one up, or turn it off"))
			}
		}
		s, err := Classification(o)
		if err != nil {
			faults = append(faults, fmt.Errorf("classification: %w", err))
		} else {
			stages = append(stages, s.Stage())
		}
	}
	if d := c.TopicDrift; d.Enabled {
		if d.MaxScore < 0 || d.MaxScore > 1 {
			faults = append(faults, fmt.Errorf("topicDrift.maxScore: %v is not between 0 and 1", d.MaxScore))
		}
		stages = append(stages, TopicDrift(DriftOptions{MaxScore: d.MaxScore, Judge: p.Judge}))
	}
	return stages, errors.Join(faults...)
}

// The names of the built-in stages that a stage of Parts can replace.
const (
	stageNormalization = "UnicodeNormalization"
	stageInjection     = "InjectionDetection"
)

func (c *Config) outputStages(p Parts) ([]OutputStage, error) {
	stages := slices.Clone(p.OutputStages)
	var faults []error
	if c.Canary.Enabled || c.SystemPromptLeakage {
		var o LeakageOptions
		if c.Canary.Enabled {
			canary, err := c.NewCanary(p.Getenv)
			if err != nil {
				faults = append(faults, err)
			}
			o.Canary = canary
		}
		stages = append(stages, SystemPromptLeakage(o))
	}
	if c.PII.Enabled {
		s, err := PII(PIIOptions{Kinds: c.PII.Kinds, Also: c.PII.Also, Regions: c.PII.Regions})
		if err != nil {
			faults = append(faults, under("pii.", err)...)
		}
		stages = append(stages, s)
	}
	if p.Rules != nil && isOn(c.DynamicRules) {
		stages = append(stages, p.Rules.Stage())
	}
	if len(c.Patterns) > 0 {
		s, err := Patterns(c.Patterns)
		if err != nil {
			faults = append(faults, under("patterns: ", err)...)
		}
		stages = append(stages, s)
	}
	return stages, errors.Join(faults...)
}

// NewCanary returns the canary of the configuration. Pass the system prompt through its Prompt. If
// getenv is nil, NewCanary uses os.Getenv.
func (c *Config) NewCanary(getenv func(string) string) (Canary, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	seed := c.Canary.Seed
	if name, ok := strings.CutPrefix(seed, "env:"); ok {
		if seed = getenv(name); seed == "" {
			return Canary{}, fmt.Errorf("canary.seed: the environment has no %s: set it, or turn the canary off", name)
		}
	}
	canary, err := NewCanary(seed)
	if err != nil {
		return Canary{}, fmt.Errorf("canary.seed: %w", err)
	}
	return canary, nil
}
