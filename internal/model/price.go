package model

import "strings"

// price is what a million tokens cost, in US cents.
type price struct {
	model   string // how the name begins, without the publisher
	in, out int64
}

// prices are the list prices of models that are small enough to judge every call, the
// longer name first where one begins with another. They serve the budget and need not be
// exact: what is not here counts as dear.
var prices = []price{
	{"claude-haiku-5", 10, 50}, {"claude-haiku-4", 100, 500}, {"claude-sonnet-5-5", 200, 1000}, {"claude-sonnet", 300, 1500},
	{"gpt-6-luna", 10, 50}, {"gpt-5.6-luna", 100, 600}, {"gpt-5.4-nano", 20, 125}, {"gpt-5.4-mini", 75, 450}, {"gpt-5-mini", 25, 200}, {"gpt-5-nano", 5, 40},
	{"gpt-4.1-mini", 40, 160}, {"gpt-4.1-nano", 10, 40}, {"gpt-4o-mini", 15, 60},
}

// costOf returns what tokens cost.
func costOf(provider, model string, in, out int64) Cost {
	if provider == "ollama" {
		return 0
	}
	p := price{"", 1000, 5000}
	name := model[strings.LastIndexByte(model, '/')+1:]
	name = strings.ReplaceAll(name, "haiku-5.", "haiku-5-")
	for _, q := range prices {
		if strings.HasPrefix(name, q.model) {
			p = q
			break
		}
	}
	// A cent for a million tokens is ten billionths of a dollar for each.
	return Cost(max(in, 0)*p.in+max(out, 0)*p.out) * Cent / 1_000_000
}

// Price returns what a million tokens into and out of a model cost by its list price, in US
// dollars, if that is known.
func Price(name string) (in, out float64, ok bool) {
	name = strings.ReplaceAll(name[strings.LastIndexByte(name, '/')+1:], "haiku-5.", "haiku-5-")
	for _, q := range prices {
		if strings.HasPrefix(name, q.model) {
			return float64(q.in) / 100, float64(q.out) / 100, true
		}
	}
	return 0, 0, false
}
