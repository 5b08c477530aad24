package web

import (
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// note types a note for a request that is shown.
func (b *browser) note(r approval.Request, text string) {
	b.w.t.Helper()
	b.shows(r)
	b.run(chromedp.SendKeys(sel(r, "[name=note]"), text, chromedp.ByQuery), chromedp.Evaluate(`document.activeElement.blur()`, nil))
}

// What a person types into a request is there again when they come back to it, and after undo.
func TestBrowserDrafts(t *testing.T) {
	w := newWorld(t)
	one, two := w.network("a.example"), w.network("b.example")
	b := w.browser(gateway.Admin)
	b.note(one, "aduk?")
	b.press("j")
	b.shows(two)
	b.press("k")
	b.shows(one)
	if got := b.value(`document.querySelector("` + sel(one, "[name=note]") + `").value`); got != "aduk?" {
		t.Errorf("after another request: %q", got)
	}
	b.press("d")
	b.shows(two)
	b.press("u")
	b.shows(one)
	if got := b.value(`document.querySelector("` + sel(one, "[name=note]") + `").value`); got != "aduk?" {
		t.Errorf("after undo: %q", got)
	}
}

// An answer that comes too late, since another person answered first, says so with its note.
func TestBrowserAnsweredElsewhere(t *testing.T) {
	w := newWorld(t)
	one := w.network("a.example")
	b := w.browser(gateway.Approver)
	b.note(one, "aduk?")
	b.press("d")
	b.until(`document.querySelector("#held").childElementCount === 1`)
	if ok, err := w.g.Answer(t.Context(), gateway.Principal{Kind: gateway.Operator, Name: "other", Role: gateway.Admin}, one.ID, true, gateway.Reply{Digest: one.Digest}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	b.hurry()
	b.until(`document.querySelector("#held .unsent")?.textContent.includes("You typed: aduk?")`)
	b.until(`document.querySelector("#held .unsent").textContent.includes("it was already settled")`)
	b.run(chromedp.Click("#held .unsent button", chromedp.ByQuery))
	b.until(`document.querySelector("#held").childElementCount === 0`)
}

// A session that ends under an open page loses no text: answers say that they were not sent, and
// forms answer with what was typed.
func TestBrowserSessionEnds(t *testing.T) {
	w := newWorld(t)
	one := w.network("a.example")
	b, c := w.browser(gateway.Admin), w.browser(gateway.Admin)
	b.note(one, "aduk?")
	c.run(chromedp.Navigate(w.url+"/rules"), chromedp.SendKeys("[name=rule]", "network(typed.example)", chromedp.ByQuery))
	w.late.Add(int64(1000 * time.Hour))
	b.press("d")
	b.hurry()
	b.until(`document.querySelector("#held .unsent")?.textContent.includes("You typed: aduk?")`)
	b.until(`document.querySelector("#held .unsent").textContent.includes("logged out")`)
	w.srv.CloseClientConnections()
	b.until(`document.querySelector("#state").textContent === "logged out"`)
	c.run(chromedp.Click(`button[formaction="/rules/add"]`, chromedp.ByQuery))
	c.until(`document.querySelector("main pre")?.textContent === "network(typed.example)" && document.querySelector("main a").getAttribute("href") === "/rules"`)
	if got := c.value(`document.querySelector("[role=alert]").textContent`); got != "you are logged out: log in again, also in another tab" {
		t.Error(got)
	}
	if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) != 0 {
		t.Errorf("%v %v", rules, err)
	}
}

// A card whose successor cannot be fetched can still be answered.
func TestBrowserFailedStep(t *testing.T) {
	w := newWorld(t)
	one, two := w.network("a.example"), w.network("b.example")
	fails := make(chan bool, 1)
	handler := w.srv.Config.Handler
	w.srv.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ui/card/"+two.ID {
			select {
			case <-fails:
				http.Error(rw, "broken", http.StatusServiceUnavailable)
				return
			default:
			}
		}
		handler.ServeHTTP(rw, r)
	})
	b := w.browser(gateway.Admin)
	b.shows(one)
	fails <- true
	b.press("j")
	b.until(`document.querySelector("#say").textContent === "broken"`)
	b.shows(one)
	b.press("j")
	b.shows(two)
}
