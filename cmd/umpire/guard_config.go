package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"

	"github.com/umpire-dev/umpire/guard"
)

// guardFile is the file of umpire guard serve.
type guardFile struct {
	Guard guardSettings `json:"guard"`
}

// guardSettings are a guard.Config, and what only a server has.
type guardSettings struct {
	Enabled                *bool                      `json:"enabled,omitempty"` // true if absent, as all that may be absent here
	RateLimit              *rateSettings              `json:"rateLimit,omitempty"`
	InputValidation        *guard.ValidationConfig    `json:"inputValidation,omitempty"`
	UnicodeNormalization   *bool                      `json:"unicodeNormalization,omitempty"`
	InjectionDetection     *bool                      `json:"injectionDetection,omitempty"`
	Classification         guard.ClassificationConfig `json:"classification"`
	TopicDrift             guard.DriftConfig          `json:"topicDrift"`
	Canary                 guard.CanaryConfig         `json:"canary"`
	SystemPromptLeakage    bool                       `json:"systemPromptLeakage"`
	ToolOutputSanitization *bool                      `json:"toolOutputSanitization,omitempty"` // of the model proxy
	PII                    guard.PIIConfig            `json:"pii"`
	Patterns               []guard.Rule               `json:"patterns,omitempty"`
	DynamicRules           *bool                      `json:"dynamicRules,omitempty"`
	Audit                  *bool                      `json:"audit,omitempty"`
}

// rateSettings are a guard.RateLimitConfig, whose limits the YAML parser does not find.
type rateSettings struct {
	Enabled   *bool                   `json:"enabled,omitempty"`
	PerMinute int                     `json:"perMinute,omitempty"`
	PerHour   int                     `json:"perHour,omitempty"`
	Tenants   map[string]guard.Limits `json:"tenants,omitempty"`
}

// maxGuardConfig bounds the file, in bytes.
const maxGuardConfig = 1 << 20

// readGuardConfig reads a file strictly; without a name all is as it is by default.
func readGuardConfig(path string) (*guardFile, error) {
	c := &guardFile{}
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

// config is what the settings say to package guard. Its audit is on: metrics are told of
// the same events, and the audit log is switched where it is written.
func (g *guardSettings) config() guard.Config {
	c := guard.Config{Enabled: g.Enabled, InputValidation: g.InputValidation, UnicodeNormalization: g.UnicodeNormalization, InjectionDetection: g.InjectionDetection,
		Classification: g.Classification, TopicDrift: g.TopicDrift, Canary: g.Canary, SystemPromptLeakage: g.SystemPromptLeakage, PII: g.PII, Patterns: g.Patterns}
	if r := g.RateLimit; r != nil {
		c.RateLimit = &guard.RateLimitConfig{Enabled: r.Enabled, Limits: guard.Limits{PerMinute: r.PerMinute, PerHour: r.PerHour}, Tenants: r.Tenants}
	}
	return c
}

// maxPrompt is how many characters a text to the model proxy has at most, if the settings
// do not say: people paste files.
const maxPrompt = 1_000_000

// proxied is config for texts that pass the model proxy. Requests are counted apart, since
// one of them has many texts.
func (g *guardSettings) proxied() guard.Config {
	c := g.config()
	off := false
	c.RateLimit = &guard.RateLimitConfig{Enabled: &off}
	v := guard.ValidationConfig{}
	if c.InputValidation != nil {
		v = *c.InputValidation
	}
	if v.MaxLength == 0 {
		v.MaxLength = maxPrompt
	}
	c.InputValidation = &v
	return c
}

// admission is the pipeline that only counts requests, or nil if the settings name no
// limits: agents make many requests for one prompt, and the usual ones would stop them.
func (g *guardSettings) admission(opts ...guard.Option) *guard.Input {
	c := g.config().RateLimit
	if c == nil || !isOn(c.Enabled) || !isOn(g.Enabled) {
		return nil
	}
	return guard.NewInput([]guard.Stage{guard.RateLimit(guard.RateLimitOptions{Limits: c.Limits, Tenants: c.Tenants})}, opts...)
}

// shown is what a server may tell of the settings.
func (g *guardSettings) shown() guardFile {
	s := *g
	s.Canary.Seed = ""
	return guardFile{s}
}
