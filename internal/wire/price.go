package wire

import "strings"

// Tokens counts the usage of a request.
type Tokens struct {
	In      int64 // all input tokens
	Cached  int64 // those of In that were read from the provider's cache
	Written int64 // those of In that were written to it
	Out     int64
}

// Cost is an amount of money in billionths of a US dollar.
type Cost int64

// Cent is one US cent.
const Cent Cost = 10_000_000

// Cents returns the amount in US cents.
func (c Cost) Cents() float64 { return float64(c) / float64(Cent) }

// Dollars returns the amount in US dollars.
func (c Cost) Dollars() float64 { return c.Cents() / 100 }

// Price is the price of a million tokens in US cents, and that of a cached token in hundredths
// of it.
type Price struct {
	In, Out       int64
	Read, Written int64
}

// listed are list prices by prefix of a model's name without its publisher; a longer prefix
// precedes a shorter one that it begins with. They serve budgets and need not be exact.
var listed = []struct {
	model string
	Price
}{
	{"claude-haiku-5", Price{10, 50, 10, 125}},
	{"claude-haiku-4", Price{100, 500, 10, 125}},
	{"claude-sonnet-5-5", Price{200, 1000, 10, 125}},
	{"claude-sonnet", Price{300, 1500, 10, 125}},
	{"gpt-6-luna", Price{10, 50, 10, 125}},
	{"gpt-5.6-luna", Price{100, 600, 10, 125}},
	{"gpt-5.4-nano", Price{20, 125, 10, 100}},
	{"gpt-5.4-mini", Price{75, 450, 10, 100}},
	{"gpt-5-mini", Price{25, 200, 10, 100}},
	{"gpt-5-nano", Price{5, 40, 10, 100}},
	{"gpt-4.1-mini", Price{40, 160, 25, 100}},
	{"gpt-4.1-nano", Price{10, 40, 25, 100}},
	{"gpt-4o-mini", Price{15, 60, 50, 100}},
}

// Expensive is the price of a model without a known price, for budgets that must hold.
var Expensive = Price{1000, 5000, 100, 125}

// PriceOf returns the list price of a model, if it is known.
func PriceOf(model string) (Price, bool) {
	name := strings.ReplaceAll(model[strings.LastIndexByte(model, '/')+1:], "haiku-5.", "haiku-5-")
	for i := range listed {
		if strings.HasPrefix(name, listed[i].model) {
			return listed[i].Price, true
		}
	}
	return Price{}, false
}

// Of returns the price of tokens. If a server's numbers contradict each other, the higher price
// counts. It is never negative.
func (p Price) Of(t Tokens) Cost {
	in := max(t.In, 0)
	cached := min(max(t.Cached, 0), in)
	written := min(max(t.Written, 0), in-cached)
	// A cent for a million tokens is ten billionths of a dollar for each.
	hundredths := (in-cached-written)*100 + cached*p.Read + written*p.Written
	return Cost(hundredths*p.In/100+max(t.Out, 0)*p.Out) * Cent / 1_000_000
}
