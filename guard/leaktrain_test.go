package guard

import (
	"bufio"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "train the model of leakage again")

// A leakRow is an answer to learn from.
type leakRow struct {
	features []uint16
	leak     bool
	weight   float64
}

func leakFeatures(text string) []uint16 {
	var f []uint16
	r := &senseReader{emit: func(i uint16) { f = append(f, i) }}
	w := words{word: r.word}
	marks := false
	for _, c := range text {
		w.rune(c)
		if ends, m := sentenceEnds(c, marks); ends {
			w.end()
			r.sentence()
			marks = m
		} else {
			marks = m
		}
	}
	w.end()
	return f
}

// leakRows are what the model learns from.
func leakRows(t *testing.T) []leakRow {
	var rows []leakRow
	add := func(text string, leak bool, weight float64) {
		rows = append(rows, leakRow{leakFeatures(text), leak, weight})
	}
	b, err := os.ReadFile("testdata/leak-train.txt")
	if err != nil {
		t.Fatal(err)
	}
	type part struct{ lang, text string }
	parts := map[string][]part{}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		lang, text, _ := strings.Cut(rest, " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		parts[kind] = append(parts[kind], part{lang, text})
		if kind == "leak" || kind == "benign" {
			add(text, kind == "leak", 1)
		}
	}
	for _, body := range parts["body"] {
		for _, frames := range []string{"leakframe", "benignframe"} {
			n := 0
			for _, f := range parts[frames] {
				if f.lang == body.lang {
					n++
				}
			}
			for _, f := range parts[frames] {
				if f.lang == body.lang {
					add(strings.Replace(f.text, "%s", body.text, 1), frames == "leakframe", 2/float64(n))
				}
			}
		}
		if body.lang != "en" {
			add(body.text, true, 0.5)
		}
	}
	f, err := os.Open("testdata/leak.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r struct{ ID, Label, Text, System string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.System == "" && r.ID[0] < '5' { // those of 5 are there to be counted
			add(r.Text, r.Label == "leak", 1)
		}
	}
	clean, err := os.Open("testdata/leak-benign.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer clean.Close()
	for lines = bufio.NewScanner(clean); lines.Scan(); {
		var r struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		add(r.Text, false, 0.7)
	}
	return rows
}

// leakTrain fits a logistic regression. The same rows give the same weights.
func leakTrain(rows []leakRow) ([]float64, float64) {
	const (
		epochs = 20
		decay  = 2e-3
	)
	w, bias := make([]float64, leakBuckets), 0.0
	rnd := rand.New(rand.NewPCG(1, 2))
	order := rnd.Perm(len(rows))
	var of [2]float64
	for _, r := range rows {
		of[leakBit(r.leak)] += r.weight
	}
	for e := range epochs {
		rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := 0.5 / (1 + float64(e)/5)
		for _, i := range order {
			r := &rows[i]
			norm := 1 / math.Sqrt(float64(len(r.features))+20)
			z := bias
			for _, f := range r.features {
				z += w[f] * norm
			}
			g := 1/(1+math.Exp(-z)) - float64(leakBit(r.leak))
			// Leaks count as much as harmless answers, however many there are.
			g *= r.weight * (of[0] + of[1]) / (2 * of[leakBit(r.leak)])
			bias -= rate * 0.1 * g
			for _, f := range r.features {
				w[f] -= rate * (g*norm + decay*w[f])
			}
		}
	}
	return w, bias
}

func leakBit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func leakModelOf(w []float64, bias float64) []byte {
	most := 0.0
	for _, x := range w {
		most = max(most, math.Abs(x))
	}
	scale := math.Ceil(most/127*1000) / 1000
	head := func(x float64) []byte { v := uint16(int16(math.Round(x * 1000))); return []byte{byte(v >> 8), byte(v)} }
	m := append(head(bias), head(scale)...)
	for _, x := range w {
		m = append(m, byte(int8(math.Round(x/scale))))
	}
	return m
}

// The model that ships is the one that its rows give: -update trains it again.
func TestLeakModel(t *testing.T) {
	w, bias := leakTrain(leakRows(t))
	got := leakModelOf(w, bias)
	if *update {
		if err := os.WriteFile("leak.model", got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(got) != len(leakModel) {
		t.Fatalf("%d bytes, want %d", len(leakModel), len(got))
	}
	for i := leakHeader; i < len(got); i++ { // machines may round a sum otherwise
		if d := int(int8(got[i])) - int(int8(leakModel[i])); d < -1 || d > 1 {
			t.Fatalf("weight %d is %d, and %d if it is trained again: go test ./guard -run LeakModel -update", i-leakHeader, int8(leakModel[i]), int8(got[i]))
		}
	}
}
