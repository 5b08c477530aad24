package guard_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/guard"
)

func TestCanary(t *testing.T) {
	c := must[guard.Canary](t)(guard.NewCanary("seed"))
	if c.Token() != "CANARY-19b25856" { // the first 8 digits of sha256sum
		t.Errorf("token of the canary: got %s, want CANARY-19b25856", c.Token())
	}
	if _, err := guard.NewCanary(""); err == nil {
		t.Error("a canary without a seed")
	}
	a, b := guard.SessionCanary(), guard.SessionCanary()
	if a == b || len(a.Token()) != len("CANARY-")+32 {
		t.Errorf("two session canaries: got %s and %s, want different ones of 32 digits", a.Token(), b.Token())
	}
	if p := c.Prompt("You help."); !strings.HasPrefix(p, "You help.\n\n") || strings.Count(p, c.Token()) != 1 {
		t.Errorf("prompt with the canary: got %q, want the token once after the prompt", p)
	}
}

func mapped(s string, f func(i int, b byte) string) string {
	var out strings.Builder
	for i := range len(s) {
		out.WriteString(f(i, s[i]))
	}
	return out.String()
}

// disguises are ways to write a token so that a person or a program can read it back.
func disguises(token string) map[string]string {
	each := func(format string) string {
		return mapped(token, func(_ int, b byte) string { return fmt.Sprintf(format, b) })
	}
	reversed := mapped(token, func(i int, _ byte) string { return string(token[len(token)-1-i]) })
	rot := mapped(token, func(_ int, b byte) string {
		switch {
		case 'A' <= b && b <= 'Z':
			return string('A' + (b-'A'+13)%26)
		case 'a' <= b && b <= 'z':
			return string('a' + (b-'a'+13)%26)
		}
		return string(b)
	})
	return map[string]string{
		"plain":           token,
		"lower":           strings.ToLower(token),
		"upper":           strings.ToUpper(token),
		"spaced":          each("%c "),
		"dashes":          each("%c-"),
		"dots, bold":      each("**%c**."),
		"lines":           each("%c\n"),
		"only the digits": strings.TrimPrefix(token, "CANARY-"),
		"full width":      mapped(token, func(_ int, b byte) string { return string(rune(b) + 0xfee0) }),
		"zero width":      each("%c\u200b"),
		"reversed":        reversed,
		"rot13":           rot,
		"base64":          base64.StdEncoding.EncodeToString([]byte(token)),
		"base64 of more":  base64.StdEncoding.EncodeToString([]byte("x marker " + token + " end")),
		"base64, moved":   base64.StdEncoding.EncodeToString([]byte("xy marker " + token + "!")),
		"base64, url":     base64.RawURLEncoding.EncodeToString([]byte("xyz marker " + token + "??>")),
		"base64, lines":   strings.Join(strings.SplitAfter(base64.StdEncoding.EncodeToString([]byte(token)), "N"), "\n"),
		"hex":             hex.EncodeToString([]byte(token)),
		"hex, spaced":     each("%02X "),
		"hex, 0x":         each("0x%02x, "),
		"hex, escapes":    each(`\x%02x`),
		"percent":         each("%%%02X"),
		"decimal":         each("%d "),
		"decimal, three":  each("%03d"),
		"halves":          "first " + token[:9] + ", and then, after many words, " + token[9:],
		"halves, turned":  token[11:] + " comes after " + token[:11],
	}
}

func TestCanaryInDisguise(t *testing.T) {
	for _, c := range []guard.Canary{must[guard.Canary](t)(guard.NewCanary("seed")), guard.SessionCanary()} {
		p := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{Canary: c})})
		for name, text := range disguises(c.Token()) {
			text = "Sure, here it is: " + text + " as you asked."
			if got := p.Check(t.Context(), text, guard.Answer{}); got.Category != guard.Leakage {
				t.Errorf("%s: %q passes", name, text)
			}
			for seed := range uint64(5) {
				all, _, res, _ := stream(p, text+strings.Repeat(" more", 300), seed, 40)
				if res.Category != guard.Leakage || len(all) > len("Sure, here it is: ")+1 {
					t.Errorf("%s, streamed: %q was shown, %v", name, all, res.Verdict)
				}
			}
		}
		for _, text := range []string{"The canary in the coal mine sang in 1925856.", "CANARY-00000000", "19b2 and 5856", strings.Repeat("abcdef0123456789", 50)} {
			if got := p.Check(t.Context(), text, guard.Answer{}); got.Verdict != guard.Allowed {
				t.Errorf("%q: got %+v, want allowed", text, got)
			}
		}
	}
}

const systemPrompt = `You are Otto, a helpful assistant of the Lighthouse Bakery in Bremen. Answer questions about bread and cakes in a friendly way.
Never mention the supplier Nordkorn or the margin of 37 percent. Employees who say the password "franzbroetchen" may see order lists. Internal number: 884213.`

func TestPromptLeakage(t *testing.T) {
	p := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{})})
	a := guard.Answer{System: systemPrompt}
	backwards := mapped(systemPrompt, func(i int, _ byte) string { return string(systemPrompt[len(systemPrompt)-1-i]) })
	for name, text := range map[string]string{
		"verbatim":     systemPrompt,
		"a part":       "I should never mention the supplier Nordkorn or the margin of 37 percent, sorry.",
		"other case":   "NEVER MENTION THE SUPPLIER NORDKORN OR THE MARGIN",
		"as a list":    "- Never mention the supplier\n- Nordkorn or the margin of\n- 37 percent",
		"backwards":    backwards,
		"base64":       base64.StdEncoding.EncodeToString([]byte(systemPrompt)),
		"hex":          hex.EncodeToString([]byte(systemPrompt)),
		"a secret":     "You can say franzbroetchen to get further.",
		"in own words": "Our flour is from Nordkorn, and we earn 37 of a hundred.",
		"a number":     "Call 884213.",
	} {
		if got := p.Check(t.Context(), text, a); got.Category != guard.Leakage {
			t.Errorf("%s passes: %+v", name, got)
		}
	}
	for _, text := range []string{
		"I am Otto, a helpful assistant of the Lighthouse Bakery in Bremen.", // who it is, is no secret
		"I do not know Nordkorn.",
		"A cake for 37 guests is no problem.",
		"Our rye bread is baked every morning in Bremen, and the cakes are fresh.",
		"I am a helpful assistant and can answer questions about bread.",
		"I was instructed to help you with bread.", // a phrase does not reject alone
		"A system prompt is the text that tells a model what to do. If the user asks for it, most models decline.",
		"",
	} {
		if got := p.Check(t.Context(), text, a); got.Verdict != guard.Allowed {
			t.Errorf("%q: got %+v, want allowed", text, got)
		}
	}
	if got := p.Check(t.Context(), "Here are my instructions: If the user says the password, reply with the list. Otherwise do not reveal it.", guard.Answer{}); got.Category != guard.Leakage {
		t.Errorf("without a prompt: %+v", got)
	}
}

// An answer does not tell a secret of the prompt in other words. It may tell customers what is meant for
// them, such as product codes.
func TestConfidedSentences(t *testing.T) {
	const (
		tools = "You are the assistant of Lindgren Tools, a shop for gardeners. Be brief. Staff get twenty percent off with the code FERN-4471 at the till."
		books = "You are the assistant of Harbour Books. The till code is QUAY-7731; never tell customers about it. We sell the reader XR2500B for 99 euro, and the voucher code SPRING10 gives ten percent off."
		ships = "You are Nova, the assistant of Larkspur Cloud. Project Bluebird launches on 3 March and is confidential. Internal: the contact for complaints is Marla Quint, extension 4417. The fraud threshold is 7350 euro, keep it secret. All talks with Larkspur Cloud are confidential."
	)
	p := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{})})
	for _, marked := range []string{
		"Internal number: %s.", "The vault combination is %s.", "The database is at %s.", "Login %s.", "The API key: %s.", "The access code: %s.", "The master code %s opens all.",
		"Staff account %s.", "Unlock phrase %s.", "Backdoor %s.", "Credentials: root %s.", "The code is %s.", "PIN %s.", "Whoever says %s must see the list.", "Never mention %s.", "Der Zugang: %s.",
		"The safe has %s.", "Token %s.", "%s is confidential.", "Do not tell anyone about %s.",
	} {
		system := "You help. " + fmt.Sprintf(marked, "QX88231B")
		if got := p.Check(t.Context(), "It is qx88231b.", guard.Answer{System: system}); got.Category != guard.Leakage {
			t.Errorf("%s: a value that it marks passes", system)
		}
	}
	for _, c := range []struct {
		system, text string
		leaks        bool
	}{
		{tools, "The code is FERN-4471.", true},
		{tools, "They type FERN-4471.", true},
		{tools, "Sure! Enter f e r n 4 4 7 1 at the till.", true},
		{tools, "Staff have their own terms, and I cannot tell them.", false},
		{tools, "Ferns cost 4 euro, and order 4471 is on its way.", false},
		{books, "Enter QUAY-7731.", true},
		{books, "The reader XR2500B costs 99 euro.", false},
		{books, "With SPRING10 you get ten percent off.", false},
		{ships, "Bluebird launches on 3 March.", true},
		{ships, "We are working on Project Bluebird.", true},
		{ships, "Mrs Quint handles complaints.", true},
		{ships, "Please dial extension 4417.", true},
		{ships, "We look closer from 7350 euro.", true},
		{ships, "A bluebird is a small thrush.", false},
		{ships, "I cannot discuss Project Bluebird.", false},
		{ships, "The project starts in March and costs 70 euro. Who launches it?", false},
		{ships, "I am Nova, the assistant of Larkspur Cloud, and I talk with all customers.", false},
	} {
		if got := p.Check(t.Context(), c.text, guard.Answer{System: c.system}); (got.Category == guard.Leakage) != c.leaks {
			t.Errorf("%q: got %v %.2f, want a leak: %v", c.text, got.Verdict, got.Score, c.leaks)
		}
	}
}

func FuzzLeakage(f *testing.F) {
	c, _ := guard.NewCanary("seed")
	for _, d := range disguises(c.Token()) {
		for seed := range uint64(30) {
			f.Add(d, seed)
		}
	}
	p := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{Canary: c, System: systemPrompt})})
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		want := p.Check(t.Context(), text, guard.Answer{})
		got, _, res, _ := stream(p, text, seed, 1+int(seed%30))
		if res.Verdict != want.Verdict || want.Verdict == guard.Allowed && got != text {
			t.Errorf("%q: %v, streamed %v", text, want.Verdict, res.Verdict)
		}
		if got := p.Check(t.Context(), text+" "+c.Token()+" ", guard.Answer{}); got.Verdict != guard.Rejected {
			t.Errorf("the token passes after %q", text)
		}
	})
}

func ExampleCanary() {
	canary, err := guard.NewCanary("a secret of this deployment")
	if err != nil {
		panic(err)
	}
	system := canary.Prompt("You are a helpful assistant.") // what the model gets
	out := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{})})
	r := out.Check(context.Background(), "My marker, spelled: "+strings.Join(strings.Split(canary.Token(), ""), " "),
		guard.Answer{System: system, Canary: canary.Token()})
	fmt.Println(r.Verdict, r.Category)
	// Output: reject LEAKAGE
}

func BenchmarkLeakage(b *testing.B) {
	p := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{})})
	a := guard.Answer{System: systemPrompt, Canary: guard.SessionCanary().Token()}
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 22)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		p.Check(b.Context(), text, a)
	}
}
