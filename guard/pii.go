package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/pii"
)

// PIIOptions are the options of PII. The zero value masks all kinds.
type PIIOptions struct {
	// Kinds lists the kinds to mask: "credit_card", "iban", "ssn", "phone", "email", "ip", "nhs",
	// "national_id" (numbers of 40 countries, and of passports), "crypto" and "token" (keys and
	// tokens of services). Empty means all.
	Kinds []string
	// Also adds the kinds "name" and "address". They have no format to validate: the stage finds
	// them by words such as "Mr" or "Street", with some false matches.
	Also []string
	// Regions lists the countries whose national phone numbers are masked, such as "GB". Empty
	// means the larger ones. Numbers with a country code need no region.
	Regions []string
}

// PII returns the stage that masks personal data in answers: an email address becomes [EMAIL]. If
// the Answer has a Vault, it becomes [EMAIL_1], and the Vault can restore it.
func PII(o PIIOptions) (OutputStage, error) {
	m, err := NewMasker(o)
	if err != nil {
		return OutputStage{}, err
	}
	return OutputStage{
		ours: true,
		Name: "PIIMasking", Order: OrderPII, Quick: true, Reach: pii.Before,
		Check: func(_ context.Context, text string, a *Answer) (Result, error) {
			masked, findings := m.Mask(text, a.Vault)
			if len(findings) == 0 {
				return Allow(), nil
			}
			return Result{Verdict: Modified, Text: masked, Reason: "personal data was masked", Findings: findings}, nil
		},
		scanner: func(a *Answer) scanner { return &piiScanner{m, a.Vault} },
	}, nil
}

// Masker masks personal data outside of a pipeline. The zero value masks all kinds of
// PIIOptions.Kinds.
type Masker struct{ finder *pii.Finder }

var allKinds = sync.OnceValue(func() *pii.Finder { return pii.New(nil, nil) })

func (m *Masker) find() *pii.Finder {
	if m.finder == nil {
		return allKinds()
	}
	return m.finder
}

// NewMasker returns a Masker. The error names every unknown kind and region.
func NewMasker(o PIIOptions) (*Masker, error) {
	var kinds []pii.Kind
	var faults []error
	all := slices.Concat(pii.Kinds, pii.Optional)
	for i, k := range slices.Concat(o.Kinds, o.Also) {
		if !slices.Contains(all, pii.Kind(k)) {
			key := "kinds"
			if i >= len(o.Kinds) {
				key = "also"
			}
			faults = append(faults, fmt.Errorf("%s: unknown kind of personal data %q: use one of %s", key, k, strings.Trim(fmt.Sprint(all), "[]")))
		}
		kinds = append(kinds, pii.Kind(k))
	}
	if len(o.Kinds) == 0 {
		kinds = slices.Concat(pii.Kinds, kinds)
	}
	for _, r := range o.Regions {
		if !pii.KnownRegion(r) {
			faults = append(faults, fmt.Errorf("regions: unknown region %q: use %s", r, knownRegion(r)))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return &Masker{pii.New(kinds, o.Regions)}, nil
}

// knownRegion returns the region that an unknown one means, or an example.
func knownRegion(r string) string {
	if code := strings.ToUpper(strings.TrimSpace(r)); pii.KnownRegion(code) {
		return strconv.Quote(code)
	}
	return `a code of two capital letters, such as "GB"`
}

// Mask returns the text with masks, and the findings with positions in bytes of the original. The
// vault may be nil.
func (m *Masker) Mask(text string, v *Vault) (string, []umpire.Finding) {
	spans := m.find().Find(text)
	if len(spans) == 0 {
		return text, nil
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		b.WriteString(v.mask(string(s.Kind), text[s.Start:s.End]))
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String(), findings(spans)
}

func findings(spans []pii.Span) []umpire.Finding {
	out := make([]umpire.Finding, len(spans))
	for i, s := range spans {
		out[i] = umpire.Finding{Type: string(s.Kind), Start: s.Start, End: s.End, Score: 1}
	}
	return out
}

type piiScanner struct {
	m *Masker
	v *Vault
}

func (p *piiScanner) behind() int { return pii.Before }

func (p *piiScanner) scan(text string, from int, first, last bool) ([]edit, int, Result, error) {
	spans, settled := p.m.find().Scan(text, from, first, last)
	if len(spans) == 0 {
		return nil, settled, Allow(), nil
	}
	edits := make([]edit, len(spans))
	for i, s := range spans {
		edits[i] = edit{s.Start, s.End, p.v.mask(string(s.Kind), text[s.Start:s.End])}
	}
	return edits, settled, Result{Verdict: Modified, Reason: "personal data was masked", Findings: findings(spans)}, nil
}

// Vault holds the values behind the masks of one conversation, in memory. Use one for each
// conversation: anyone with it can undo the masks. The zero value is empty and ready to use. A
// Vault is safe for concurrent use.
type Vault struct {
	mu     sync.Mutex
	masks  map[string]string // value -> mask
	values map[string]string // mask -> value
	count  map[string]int
}

// NewVault returns an empty Vault.
func NewVault() *Vault { return new(Vault) }

// maxVault is the limit of values in a Vault; later masks cannot be undone.
const maxVault = 10_000

func (v *Vault) mask(kind, value string) string {
	name := strings.ToUpper(kind)
	if v == nil {
		return "[" + name + "]"
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.masks == nil {
		v.masks, v.values, v.count = map[string]string{}, map[string]string{}, map[string]int{}
	}
	key := kind + ":" + value
	if m, ok := v.masks[key]; ok {
		return m
	}
	if len(v.masks) >= maxVault {
		return "[" + name + "]"
	}
	v.count[name]++
	m := fmt.Sprintf("[%s_%d]", name, v.count[name])
	v.masks[key], v.values[m] = m, value
	return m
}

// Masks returns the values in the vault, by mask.
func (v *Vault) Masks() map[string]string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.values)
}

// Unmask returns the text with the masks of this vault replaced by their values.
func (v *Vault) Unmask(text string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i:]
		n := strings.IndexByte(text[:min(len(text), 32)], ']') + 1
		if value, ok := v.values[text[:n]]; ok {
			b.WriteString(value)
			text = text[n:]
			continue
		}
		b.WriteByte('[')
		text = text[1:]
	}
}
