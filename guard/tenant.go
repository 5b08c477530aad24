package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/lazy"
)

// ContextConfig is the key context of a Config. It describes the application. It does not change a
// threshold.
type ContextConfig struct {
	About     string   `json:"about,omitempty"`     // purpose of the application, for the models that judge texts
	Words     []string `json:"words,omitempty"`     // product names, such as "Prompt Library", which do not count as words of an attack
	Languages []string `json:"languages,omitempty"` // languages of the users, such as "de" or "pt-BR"; the first is the default for messages
}

// Limits of a ContextConfig.
const (
	maxAbout    = 2000 // bytes
	maxOwnWords = 200
	maxOwnWord  = 80 // bytes
)

var languageTag = lazy.Regexp(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// faults returns every fault, each with the path of its key.
func (c *ContextConfig) faults() []error {
	if c == nil {
		return nil
	}
	var out []error
	if len(c.About) > maxAbout {
		out = append(out, fmt.Errorf("context.about: it has more than %d bytes", maxAbout))
	}
	if len(c.Words) > maxOwnWords {
		out = append(out, fmt.Errorf("context.words: there are more than %d", maxOwnWords))
	}
	for i, w := range c.Words {
		switch {
		case utf8.RuneCountInString(w) < 2 || len(w) > maxOwnWord:
			out = append(out, fmt.Errorf("context.words[%d]: a name has from 2 characters to %d bytes", i, maxOwnWord))
		case !isName(w):
			out = append(out, fmt.Errorf("context.words[%d]: %q occurs in attacks: add a word that makes it a name, as in Prompt Library", i, w))
		}
	}
	for i, l := range c.Languages {
		if !languageTag().MatchString(l) {
			out = append(out, fmt.Errorf("context.languages[%d]: %q is not a language such as de or pt-BR", i, l))
		}
	}
	return out
}

// isName reports whether w has a word that carries meaning and is not typical of attacks.
func isName(w string) bool {
	return slices.ContainsFunc(wordsOf(w), func(word string) bool {
		return utf8.RuneCountInString(word) > 2 && !common()[word] && inject.Names(word)
	}) && inject.Names(w)
}

// ownWords returns a pattern that matches the names of an application, or nil if it has none.
func (c *ContextConfig) ownWords() *regexp.Regexp {
	if c == nil || len(c.Words) == 0 {
		return nil
	}
	words := slices.Clone(c.Words)
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) }) // the pattern prefers the longest name
	for i, w := range words {
		words[i] = strings.Join(strings.Fields(regexp.QuoteMeta(w)), `\s+`)
	}
	return regexp.MustCompile(`(?i)(^|[^\pL\pN_])(?:` + strings.Join(words, "|") + `)($|[^\pL\pN_])`)
}

// aName replaces the names of the application in a text that is judged.
const aName = "Acme"

// neutral returns a text with a neutral name in place of the names of the application.
func neutral(words *regexp.Regexp, text string) string {
	for range 2 { // a match consumes the space before the next name
		text = words.ReplaceAllString(text, "${1}"+aName+"${2}")
	}
	return text
}

type aboutKey struct{}

// About returns the purpose of the application from the configuration, or "". Call it in a Model,
// Judge or Classifier of Parts, with the ctx of that call.
func About(ctx context.Context) string {
	s, _ := ctx.Value(aboutKey{}).(string)
	return s
}

// about returns the description of the application for models.
func (c *ContextConfig) about() string {
	if c == nil {
		return ""
	}
	s := c.About
	if len(c.Languages) > 0 {
		s = strings.TrimSpace(s + " Its users write in: " + strings.Join(c.Languages, ", ") + ".")
	}
	return s
}

// TenantConfig overrides settings of a Config for one tenant. A field that is not set keeps the
// setting of the Config.
type TenantConfig struct {
	Mode           string                       `json:"mode,omitempty"`
	Stages         map[string]StageConfig       `json:"stages,omitempty"`     // replaces the entries with the same names
	Exceptions     []Exception                  `json:"exceptions,omitempty"` // added to those for all tenants
	Messages       map[string]map[string]string `json:"messages,omitempty"`   // replaces the messages of the same category
	Context        *ContextConfig               `json:"context,omitempty"`
	Classification *ClassificationConfig        `json:"classification,omitempty"`
	PII            *PIIConfig                   `json:"pii,omitempty"`
	Patterns       []Rule                       `json:"patterns,omitempty"` // added to those for all tenants
}

// of returns the configuration of a tenant: c with the tenant's settings. The tenant's own entries
// of lists come first, so that an index in an error refers to the tenant's own list.
func (t TenantConfig) of(c Config) Config {
	c.Tenants = nil
	if t.Mode != "" {
		c.Mode = t.Mode
	}
	c.Stages = overlaid(c.Stages, t.Stages)
	c.Messages = overlaid(c.Messages, t.Messages)
	c.Exceptions = slices.Concat(t.Exceptions, c.Exceptions)
	c.Patterns = slices.Concat(t.Patterns, c.Patterns)
	if t.Context != nil {
		c.Context = t.Context
	}
	if t.Classification != nil {
		c.Classification = *t.Classification
	}
	if t.PII != nil {
		c.PII = *t.PII
	}
	return c
}

func overlaid[V any](all, own map[string]V) map[string]V {
	if len(own) == 0 {
		return all
	}
	out := map[string]V{}
	maps.Copy(out, all)
	maps.Copy(out, own)
	return out
}

// tenants adds the pipelines of the tenants to in and out.
func (c *Config) tenants(p Parts, in *Input, out *Output) error {
	var faults []error
	in.tenants, out.tenants = map[string]*Input{}, map[string]*Output{}
	for _, name := range slices.Sorted(maps.Keys(c.Tenants)) {
		tenantIn, tenantOut, err := FromConfig(c.Tenants[name].of(*c), p)
		faults = append(faults, under("tenants."+name+".", err)...)
		in.tenants[name], out.tenants[name] = tenantIn, tenantOut
	}
	return errors.Join(faults...)
}

// under adds a path to the front of each joined error.
func under(path string, err error) []error {
	if err == nil {
		return nil
	}
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{fmt.Errorf("%s%w", path, err)}
	}
	var out []error
	for _, e := range many.Unwrap() {
		out = append(out, under(path, e)...)
	}
	return out
}
