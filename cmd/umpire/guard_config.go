package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/umpire-dev/umpire/guard"
)

// guardConfig is the file of umpire guard serve.
type guardConfig struct {
	Guard guardSettings `yaml:"guard" json:"guard"`
}

type guardSettings struct {
	Enabled                *bool               `yaml:"enabled" json:"enabled,omitempty"` // true if absent
	RateLimit              *rateSettings       `yaml:"rateLimit" json:"rateLimit,omitempty"`
	UnicodeNormalization   *bool               `yaml:"unicodeNormalization" json:"unicodeNormalization,omitempty"` // true if absent
	InputValidation        *validationSettings `yaml:"inputValidation" json:"inputValidation,omitempty"`
	InjectionDetection     *bool               `yaml:"injectionDetection" json:"injectionDetection,omitempty"` // true if absent
	Classification         classSettings       `yaml:"classification" json:"classification"`
	TopicDrift             driftSettings       `yaml:"topicDrift" json:"topicDrift"`
	Canary                 canarySettings      `yaml:"canary" json:"canary"`
	Leakage                bool                `yaml:"systemPromptLeakage" json:"systemPromptLeakage"`
	ToolOutputSanitization *bool               `yaml:"toolOutputSanitization" json:"toolOutputSanitization,omitempty"` // of the model proxy; true if absent
	PII                    piiSettings         `yaml:"pii" json:"pii"`
	Patterns               []patternSettings   `yaml:"patterns" json:"patterns,omitempty"`
	DynamicRules           *bool               `yaml:"dynamicRules" json:"dynamicRules,omitempty"` // true if absent
	Audit                  *bool               `yaml:"audit" json:"audit,omitempty"`               // true if absent
}

type rateSettings struct {
	PerMinute int                     `yaml:"perMinute" json:"perMinute,omitempty"`
	PerHour   int                     `yaml:"perHour" json:"perHour,omitempty"`
	Tenants   map[string]limitsOfRate `yaml:"tenants" json:"tenants,omitempty"`
}

type limitsOfRate struct {
	PerMinute int `yaml:"perMinute" json:"perMinute,omitempty"`
	PerHour   int `yaml:"perHour" json:"perHour,omitempty"`
}

type validationSettings struct {
	MinLength int `yaml:"minLength" json:"minLength,omitempty"`
	MaxLength int `yaml:"maxLength" json:"maxLength,omitempty"`
}

type classSettings struct {
	Enabled           bool     `yaml:"enabled" json:"enabled"`
	Model             bool     `yaml:"model" json:"model"`
	BlockedCategories []string `yaml:"blockedCategories" json:"blockedCategories,omitempty"`
}

type driftSettings struct {
	Enabled  bool    `yaml:"enabled" json:"enabled"`
	MaxScore float64 `yaml:"maxScore" json:"maxScore,omitempty"`
}

type canarySettings struct {
	Enabled bool   `yaml:"enabled" json:"enabled"`
	Seed    string `yaml:"seed" json:"-"` // a secret, or env:NAME
}

type piiSettings struct {
	Enabled bool     `yaml:"enabled" json:"enabled"`
	Kinds   []string `yaml:"kinds" json:"kinds,omitempty"`
	Regions []string `yaml:"regions" json:"regions,omitempty"`
}

type patternSettings struct {
	ID          string   `yaml:"id" json:"id"`
	Title       string   `yaml:"title" json:"title,omitempty"`
	Action      string   `yaml:"action" json:"action"`
	Pattern     string   `yaml:"pattern" json:"pattern,omitempty"`
	Literals    []string `yaml:"literals" json:"literals,omitempty"`
	IgnoreCase  bool     `yaml:"ignoreCase" json:"ignoreCase,omitempty"`
	Replacement string   `yaml:"replacement" json:"replacement,omitempty"`
}

// maxGuardConfig bounds the file, in bytes.
const maxGuardConfig = 1 << 20

// readGuardConfig reads a file strictly; without a name all is as it is by default.
func readGuardConfig(path string) (*guardConfig, error) {
	c := &guardConfig{}
	if path == "" {
		return c, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxGuardConfig+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(b) > maxGuardConfig {
		return nil, fmt.Errorf("%s has more than %d bytes: it is no configuration", path, maxGuardConfig)
	}
	if err := yaml.NewDecoder(bytes.NewReader(b), yaml.Strict()).Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %s", path, yaml.FormatError(err, false, true))
	}
	return c, nil
}

// isOn is a switch that is on unless it says otherwise.
func isOn(b *bool) bool { return b == nil || *b }

func (g *guardSettings) rateLimit() guard.Stage {
	var o guard.RateLimitOptions
	if r := g.RateLimit; r != nil {
		o.Limits = guard.Limits{PerMinute: r.PerMinute, PerHour: r.PerHour}
		o.Tenants = map[string]guard.Limits{}
		for name, l := range r.Tenants {
			o.Tenants[name] = guard.Limits{PerMinute: l.PerMinute, PerHour: l.PerHour}
		}
	}
	return guard.RateLimit(o)
}

// inputStages are the checks of a text, but for the limit of how many there are.
func (g *guardSettings) inputStages(maxLength int) []guard.Stage {
	if !isOn(g.Enabled) {
		return nil
	}
	v := guard.ValidationOptions{MaxLength: maxLength}
	if g.InputValidation != nil {
		v.MinLength = g.InputValidation.MinLength
		if g.InputValidation.MaxLength > 0 {
			v.MaxLength = g.InputValidation.MaxLength
		}
	}
	return []guard.Stage{guard.Validation(v)}
}

// outputStages are the checks of an answer. rules may be nil.
func (g *guardSettings) outputStages(rules *guard.Rules) ([]guard.OutputStage, error) {
	var stages []guard.OutputStage
	if !isOn(g.Enabled) {
		return nil, nil
	}
	if g.Leakage || g.Canary.Enabled {
		var o guard.LeakageOptions
		if g.Canary.Enabled {
			c, err := g.Canary.token()
			if err != nil {
				return nil, err
			}
			o.Canary = c
		}
		stages = append(stages, guard.SystemPromptLeakage(o))
	}
	if g.PII.Enabled {
		s, err := guard.PII(guard.PIIOptions{Kinds: g.PII.Kinds, Regions: g.PII.Regions})
		if err != nil {
			return nil, fmt.Errorf("guard.pii: %w", err)
		}
		stages = append(stages, s)
	}
	if rules != nil {
		stages = append(stages, rules.Stage())
	}
	if len(g.Patterns) > 0 {
		var list []guard.Rule
		for _, p := range g.Patterns {
			list = append(list, guard.Rule{ID: p.ID, Title: p.Title, Action: guard.RuleAction(p.Action), Pattern: p.Pattern, Literals: p.Literals, IgnoreCase: p.IgnoreCase, Replacement: p.Replacement})
		}
		s, err := guard.Patterns(list)
		if err != nil {
			return nil, fmt.Errorf("guard.patterns: %w", err)
		}
		stages = append(stages, s)
	}
	return stages, nil
}

func (c *canarySettings) token() (guard.Canary, error) {
	seed := c.Seed
	if name, ok := strings.CutPrefix(seed, "env:"); ok {
		if seed = os.Getenv(name); seed == "" {
			return guard.Canary{}, fmt.Errorf("guard.canary.seed: the environment has no %s: set it, or turn the canary off", name)
		}
	}
	t, err := guard.NewCanary(seed)
	if err != nil {
		return guard.Canary{}, fmt.Errorf("guard.canary.seed: %w", err)
	}
	return t, nil
}
