package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/guard"
)

func TestPII(t *testing.T) {
	p := guard.NewOutput([]guard.OutputStage{must[guard.OutputStage](t)(guard.PII(guard.PIIOptions{}))})
	got := p.Check(t.Context(), "Mail a@b.org, order 4155550132, v1.2.3.4", guard.Answer{})
	if got.Verdict != guard.Modified || got.Text != "Mail [EMAIL], order 4155550132, v1.2.3.4" || len(got.Findings) != 1 || got.Findings[0].Type != "email" || got.Findings[0].Start != 5 || got.Findings[0].End != 12 {
		t.Errorf("%+v", got)
	}
	if got := p.Check(t.Context(), "nothing", guard.Answer{}); got.Verdict != guard.Allowed || got.Text != "nothing" {
		t.Errorf("%+v", got)
	}
	only := guard.NewOutput([]guard.OutputStage{must[guard.OutputStage](t)(guard.PII(guard.PIIOptions{Kinds: []string{"ip"}}))})
	if got := only.Check(t.Context(), "a@b.org 203.0.113.1", guard.Answer{}); got.Text != "a@b.org [IP]" {
		t.Errorf("%+v", got)
	}
	if _, err := guard.PII(guard.PIIOptions{Kinds: []string{"names"}}); err == nil {
		t.Error("an unknown kind is not an error")
	}
	for region, want := range map[string]string{"Europe": `such as "GB"`, "de": `use "DE"`, " gb": `use "GB"`} {
		if _, err := guard.PII(guard.PIIOptions{Regions: []string{region}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("region %q: %v, want an error with %s", region, err, want)
		}
	}
}

func TestVault(t *testing.T) {
	p := guard.NewOutput([]guard.OutputStage{must[guard.OutputStage](t)(guard.PII(guard.PIIOptions{}))})
	v := guard.NewVault()
	text := "a@b.org and c@d.org, again a@b.org from 203.0.113.1"
	got := p.Check(t.Context(), text, guard.Answer{Vault: v})
	if got.Text != "[EMAIL_1] and [EMAIL_2], again [EMAIL_1] from [IP_1]" {
		t.Errorf("%q", got.Text)
	}
	if back := v.Unmask(got.Text); back != text {
		t.Errorf("%q", back)
	}
	if back := v.Unmask("[[EMAIL_2] [EMAIL_3] [] [EMAIL_1"); back != "[c@d.org [EMAIL_3] [] [EMAIL_1" {
		t.Errorf("%q", back)
	}
	if other := guard.NewVault().Unmask(got.Text); other != got.Text {
		t.Errorf("another vault undid it: %q", other)
	}
	s := p.Stream(t.Context(), guard.Answer{Vault: guard.NewVault()})
	var b strings.Builder
	for _, c := range text {
		safe, _ := s.Write(string(c))
		b.WriteString(safe)
	}
	if rest, _ := s.Close(); b.String()+rest != got.Text {
		t.Errorf("streamed: %q", b.String()+rest)
	}
}

func ExampleMasker() {
	m, err := guard.NewMasker(guard.PIIOptions{})
	if err != nil {
		panic(err)
	}
	v := guard.NewVault() // of this conversation
	masked, _ := m.Mask("Write to alice@example.org.", v)
	fmt.Println(masked)
	fmt.Println(v.Unmask("I wrote to [EMAIL_1]."))
	// Output:
	// Write to [EMAIL_1].
	// I wrote to alice@example.org.
}

func FuzzVault(f *testing.F) {
	f.Add("a@b.org [EMAIL_1]")
	m, err := guard.NewMasker(guard.PIIOptions{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := guard.NewVault()
		masked, findings := m.Mask(text, v)
		if len(findings) == 0 && masked != text {
			t.Errorf("%q", masked)
		}
		if back := v.Unmask(masked); back != text && !strings.Contains(text, "_") { // who writes masks gets what they stand for
			t.Errorf("%q is %q", text, back)
		}
	})
}

// The zero values mask as much as there is to mask, and undo it.
func TestZeroMasker(t *testing.T) {
	var m guard.Masker
	var v guard.Vault
	const text = "mail jane@example.com, SSN 536-90-4399"
	masked, findings := m.Mask(text, &v)
	if masked != "mail [EMAIL_1], SSN [SSN_1]" || len(findings) != 2 || v.Unmask(masked) != text {
		t.Errorf("%q %v", masked, findings)
	}
	if v = (guard.Vault{}); len(v.Masks()) != 0 || v.Unmask("[EMAIL_1]") != "[EMAIL_1]" {
		t.Error("a vault without values undoes a mask")
	}
}

func BenchmarkPII(b *testing.B) {
	p := guard.NewOutput([]guard.OutputStage{must[guard.OutputStage](b)(guard.PII(guard.PIIOptions{}))})
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, see a@b.org. ", 18)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		p.Check(b.Context(), text, guard.Answer{})
	}
}
