package normal

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// Bounds on text whose words are run together. Names in code are shorter, or have words that are
// not common.
const (
	fewestApart = 20  // letters
	longestRun  = 400 // letters
	longestWord = 14  // letters of a common word
	wordsApart  = 4
)

// splitWords writes a space between the words of a text without spaces, such as
// "ignoreallpreviousinstructions". It reports false unless the text is made of common words.
func splitWords(run string) (string, bool) {
	if len(run) < fewestApart || len(run) > longestRun {
		return "", false
	}
	low := strings.ToLower(run)
	var cost, from [longestRun + 1]int // of the best reading up to each letter; the start of its last word
	known := plainWords()
	last := 0 // the last letter that a reading reaches
	for end := 1; end <= len(low); end++ {
		if end > last+longestWord {
			return "", false
		}
		cost[end] = -1
		for start := max(0, end-longestWord); start < end; start++ {
			if cost[start] < 0 || !known[low[start:end]] {
				continue
			}
			if c := cost[start] + 1; cost[end] < 0 || c < cost[end] {
				cost[end], from[end], last = c, start, end
			}
		}
	}
	if cost[len(low)] < wordsApart || len(low) < 3*cost[len(low)] {
		return "", false
	}
	out := ""
	for end := len(low); end > 0; end = from[end] {
		out = run[from[end]:end] + " " + out
	}
	return strings.TrimSpace(out), true
}

// plainWords are frequent words of English, and those in which people speak to an assistant about
// its orders.
var plainWords = lazy.Words(strings.Join([]string{
	"a about above access according account act action after again against all allow allowed already also always am an and answer any anything are as ask asked assistant at be",
	"because been before being below best between both but by bypass can cannot card change chat code command commands company complete confidential configuration content context continue conversation credit customer customers",
	"data database debug decode delete details developer different directly disable disregard do does dont down drop each email end enter even every everything exact exactly example false few file files",
	"filter filters first follow following for forget free from full further game get give given go good guideline guidelines had harmful has have he her here hidden hide him his",
	"how however i if ignore ignored in information initial instead instruct instruction instructions internal into is it its itself just keep key know last left let like limit limits list",
	"long look make many may me message messages might mode model more most must my name need never new next no none not nothing now number numbers obey of off",
	"old on one only open or order orders other our out output over override own password passwords people person personal place play please policies policy possible pretend previous previously print",
	"prior private prompt prompts protocol provide put question quote read refuse remember repeat reply report request requests respond response rest restrictions return reveal role rule rules run safe safety said",
	"same say secret secrets secure security see send sensitive sentence set she should show since skip so some speak start state still stop story such system take task tasks tell",
	"test testing text than that the their them then there these they thing things think this those time to told token tokens translate true truth try turn two under unfiltered",
	"unless unlimited unrestricted until up us use used user users very want warning was way we well were what when where which while who whole why will with without word",
	"words work would write you your yours yourself",
}, " "))
