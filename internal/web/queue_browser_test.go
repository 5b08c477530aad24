package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// shows waits until a request is beside the list and can be answered.
func (b *browser) shows(r approval.Request) {
	b.w.t.Helper()
	b.until(`document.querySelector("#r-` + r.ID + `") && !document.querySelector("#r-` + r.ID + `").inert && document.querySelector(".row[aria-current]")?.dataset.id === "` + r.ID + `"`)
}

func (b *browser) press(keys ...string) {
	b.w.t.Helper()
	for _, k := range keys {
		b.run(chromedp.KeyEvent(k))
	}
}

// letter presses a letter as a keyboard does: in one event, whose default would type it.
func (b *browser) letter(k string) {
	b.w.t.Helper()
	b.run(input.DispatchKeyEvent(input.KeyDown).WithKey(k).WithText(k), input.DispatchKeyEvent(input.KeyUp).WithKey(k))
}

// still reports whether a request waits.
func (w *world) still(r approval.Request) bool { return w.get(r.ID).State == approval.Pending }

// A person answers by mouse and by key what was there and what comes while they look.
func TestBrowser(t *testing.T) {
	w := newWorld(t)
	first := w.network("a.example")
	b := w.browser(gateway.Admin)
	b.run(chromedp.Click(sel(first, "button.approve"), chromedp.ByQuery))
	b.until(`document.querySelector("#held").textContent.includes("Approve: CONNECT a.example:443")`)
	if !w.still(first) {
		t.Error("the answer was not held")
	}
	if got := w.state(first); got.State != approval.Approved || got.Operator != "ada" {
		t.Errorf("approve: %+v", got)
	}
	// What comes is put into the list, and shown if nothing is.
	second, third, fourth := w.network("b.example"), w.network("c.other.example"), w.network("d.example")
	b.shows(second)
	b.until(`document.querySelectorAll(".row").length === 3 && document.querySelector("#count").textContent === "3"`)
	b.press("j")
	b.shows(third)
	b.press("j", "k")
	b.shows(third)
	b.press("k")
	b.shows(second)
	b.press("d")
	b.shows(third) // the next one is at hand
	if got := b.state(second); got.State != approval.Denied {
		t.Errorf("d: %+v", got)
	}
	// A opens its rule, which is shown before it is stored.
	b.letter("A")
	b.until(`document.activeElement.name === "rule"`)
	if got := b.value(`document.activeElement.value`); got != "network(c.other.example:443)" {
		t.Errorf("the rule is %s", got)
	}
	b.run(chromedp.SetValue(sel(third, "select[name=rule]"), "network(c.other.example)", chromedp.ByQuery), chromedp.Click(sel(third, "button[value=approve-always]"), chromedp.ByQuery))
	if got := w.state(third); got.State != approval.Approved || got.Rule != "network(c.other.example)" || got.Scope != approval.Always {
		t.Errorf("always: %+v", got)
	}
	b.shows(fourth)
	b.until(`document.querySelector("#held").childElementCount === 0`) // the page hears of the answer later than the store
	b.letter("n")
	b.until(`document.activeElement.name === "note"`)
	b.run(chromedp.SendKeys(sel(fourth, "[name=note]"), "aduk?", chromedp.ByQuery))
	b.press(kb.Enter) // which would press the first button
	if got := b.value(`document.querySelector("#held").childElementCount`); got != "0" || !w.still(fourth) {
		t.Errorf("Enter in the note holds %s answers", got)
	}
	b.press(kb.Escape, "?")
	b.until(`document.querySelector("#help").open`)
	b.press(kb.Escape)
	b.until(`!document.querySelector("#help").open`)
	b.press("d")
	if got := b.state(fourth); got.State != approval.Denied || got.Note != "aduk?" {
		t.Errorf("with a note: %+v", got)
	}
}

// An answer can be taken back for five seconds. Whoever leaves the page has decided.
func TestBrowserUndo(t *testing.T) {
	w := newWorld(t)
	one, two, three := w.network("a.example"), w.network("b.example"), w.network("c.example")
	b := w.browser(gateway.Approver)
	b.shows(one)
	b.press("a")
	b.shows(two)
	b.until(`document.querySelector("#row-` + one.ID + `").classList.contains("held")`)
	b.press("u")
	b.shows(one)
	b.until(`document.querySelector("#held").childElementCount === 0`)
	if !w.still(one) {
		t.Fatal("it was answered before the time")
	}
	// The key was for the request that was shown, and not for the one that took its place: twice
	// a at once answers one.
	b.run(chromedp.Evaluate(`(async () => {
		const key = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
		Object.defineProperty(KeyboardEvent.prototype, "target", { get: () => document.body });
		key(); key();
		while (document.querySelector(".card")?.dataset.id !== "`+two.ID+`") await new Promise((f) => requestAnimationFrame(f));
		key();
		window.twice = document.querySelector("#held").childElementCount;
	})()`, nil))
	b.until(`window.twice !== undefined`)
	if got := b.value(`window.twice`); got != "1" {
		t.Errorf("one key twice holds %s answers", got)
	}
	if got := b.state(one); got.State != approval.Approved || !w.still(two) {
		t.Errorf("%+v", got)
	}
	b.shows(two)
	b.run(chromedp.Click(sel(two, "button.deny"), chromedp.ByQuery))
	b.shows(three)
	b.run(chromedp.Navigate(w.url + "/history"))
	if got := w.state(two); got.State != approval.Denied {
		t.Errorf("the page was left: %+v", got)
	}
	// Logging out does not overtake an answer.
	b.run(chromedp.Navigate(w.url + "/"))
	b.shows(three)
	b.press("d")
	b.until(`document.querySelector("#held").childElementCount === 1`)
	b.run(chromedp.Click(`form[action="/logout"] button`, chromedp.ByQuery))
	if got := w.state(three); got.State != approval.Denied {
		t.Errorf("logged out: %+v", got)
	}
}

// Several requests are answered at once only where the list shows all that they would do.
func TestBrowserSeveral(t *testing.T) {
	w := newWorld(t)
	x, y := w.network("x.example"), w.network("y.example")
	f, g := w.write("f.txt", "one"), w.write("g.txt", "two")
	e := w.submit(gateway.Submission{Category: approval.Exec, Action: "make all"})
	b := w.browser(gateway.Admin)
	if got := b.value(`[...document.querySelectorAll(".bulk button")].map((e) => e.closest(".bulk").dataset.category + " " + e.textContent)`); got != "network Approve 2,network Deny 2,filesystem Deny 2" {
		t.Errorf("buttons: %s", got)
	}
	b.run(chromedp.Click(".bulks summary", chromedp.ByQuery), chromedp.Click(`.bulk[data-category=filesystem] button.deny`, chromedp.ByQuery), chromedp.Click(`.bulk[data-category=network] button.approve`, chromedp.ByQuery))
	if b.state(x).State != approval.Approved || w.state(y).State != approval.Approved || w.state(f).State != approval.Denied || w.state(g).State != approval.Denied || !w.still(e) {
		t.Error("not what the buttons say")
	}
}

// A newer write of the same file ends the older question while it is looked at, and the page
// says so before it goes on.
func TestBrowserSuperseded(t *testing.T) {
	w := newWorld(t)
	old := w.write("f.txt", "one")
	b := w.browser(gateway.Admin)
	b.shows(old)
	b.run(chromedp.Evaluate(`new MutationObserver(() => {
		const c = document.getElementById("r-`+old.ID+`");
		if (c && c.querySelector(".fault").textContent === "superseded" && c.querySelector("button.approve").disabled) window.ended = true;
	}).observe(document.body, { subtree: true, childList: true, attributes: true })`, nil))
	newer := w.write("f.txt", "two")
	b.until(`window.ended`)
	b.shows(newer)
	if !w.still(newer) {
		t.Error("the newer one does not wait")
	}
}

// The page says that the gateway is gone, and goes on when it is back.
func TestBrowserReconnects(t *testing.T) {
	w := newWorld(t)
	var gone atomic.Bool // it breaks all off, and keeps its port, which others could take meanwhile
	handler := w.srv.Config.Handler
	w.srv.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(rw, r)
	})
	b := w.browser(gateway.Approver)
	gone.Store(true)
	w.srv.CloseClientConnections()
	b.until(`document.querySelector("#state").textContent === "disconnected"`)
	missed := w.network("missed.example")
	gone.Store(false)
	b.until(`document.querySelector("#state").textContent === "live"`)
	b.shows(missed)
	b.run(chromedp.Click(sel(missed, "button.approve"), chromedp.ByQuery))
	if got := b.state(missed); got.State != approval.Approved {
		t.Errorf("%+v", got)
	}
}

func TestBrowserPayloadsDoNotRun(t *testing.T) {
	w := newWorld(t)
	b := w.browser(gateway.Admin)
	w.poison() // through live updates
	b.until(`document.querySelectorAll(".row").length >= 20`)
	list, err := w.s.List(t.Context(), approval.Filter{Limit: 1000, States: []approval.State{approval.Pending}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list[:min(len(list), 12)] {
		b.until(`((row) => row !== null && (row.click(), true))(document.querySelector("#row-` + list[i].ID + `"))`) // an update may draw the rows anew just now
		b.shows(list[i])
	}
	for _, path := range append([]string{""}, paths...) {
		if path != "" {
			b.run(chromedp.Navigate(w.url + path))
			b.until(`document.querySelector("#state").textContent === "live"`)
		}
		if got := b.value(`[window.hit, document.querySelectorAll("main img, main script, main svg[onload], main [onfocus]").length]`); got != ",0" {
			t.Errorf("%q: %s", path, got)
		}
	}
}

// many has one agent ask a lot.
func (w *world) many(n int) {
	w.t.Helper()
	done := make(chan error, 64)
	for i := range cap(done) {
		go func() {
			var err error
			for k := i; k < n && err == nil; k += cap(done) {
				_, err = w.g.Submit(w.t.Context(), w.agent, gateway.Submission{Category: approval.Network, Action: fmt.Sprintf("CONNECT h%05d.example:443", k), Reason: strings.Repeat("long", 30)})
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			w.t.Fatal(err)
		}
	}
}

// One agent's 10,000 requests do not hide another's five, also on a telephone, and the queue is
// one small page.
func TestBrowserManyOnAPhone(t *testing.T) {
	w := newWorld(t)
	w.many(10_000)
	other := w.as("other")
	for i := range 5 {
		w.submitAs(other, gateway.Submission{Category: approval.Network, Action: fmt.Sprintf("CONNECT few%d.example:443", i)})
	}
	b := w.browser(gateway.Admin)
	b.run(emulation.SetDeviceMetricsOverride(390, 844, 2, true))
	start := time.Now()
	b.run(chromedp.Navigate(w.url + "/"))
	b.until(`document.querySelector("#state").textContent === "live"`)
	t.Logf("10,005 wait: the page took %v", time.Since(start))
	if got := b.value(`[document.querySelectorAll(".row").length, document.querySelector("#count").textContent, [...document.querySelectorAll(".group .n")].map((n) => n.textContent).join("+")]`); got != "13,10005,10000+5" {
		t.Errorf("shown: %s", got)
	}
	b.run(emulation.SetDeviceMetricsOverride(1024, 900, 1, false))
	if got := b.value(`[...document.querySelectorAll(".row")].filter((r) => r.textContent.includes("few") && r.getBoundingClientRect().bottom < innerHeight).length`); got != "5" {
		t.Errorf("%s of the other agent's are on the first screen", got)
	}
	b.run(emulation.SetDeviceMetricsOverride(390, 844, 2, true))
	b.run(chromedp.Evaluate(`document.querySelector(".group .all").click()`, nil))
	b.until(`document.querySelectorAll(".row").length === 60 && document.querySelector("h1").textContent.includes("builder")`)
	b.run(chromedp.Evaluate(`document.querySelector("#more").click()`, nil))
	b.until(`location.search.includes("after=60") && document.querySelectorAll(".row").length === 60`)
	long := w.submitAs(other, gateway.Submission{Category: approval.Exec, Action: "mkdir build && echo done > build/a-file-with-quite-a-long-name.txt"})
	for _, path := range append(paths, "/rules?category=exec&try=make", "/?id="+long.ID) {
		b.run(chromedp.Navigate(w.url+path), chromedp.Evaluate(`document.querySelectorAll("details.always").forEach((d) => { d.open = true })`, nil))
		if got := b.value(`document.documentElement.scrollWidth <= 390`); got != "true" {
			t.Errorf("%s is wider than a phone: %s", path, b.value(`[...document.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > 390).map((e) => e.tagName + "." + e.className).slice(0, 8).join(" ")`))
		}
	}
	// The buttons follow what they answer and never lie over it, and no button breaks its text.
	if got := b.value(`getComputedStyle(document.querySelector(".buttons")).position`); got != "static" {
		t.Errorf("the buttons lie over the card: %s", got)
	}
	b.run(chromedp.Evaluate(`document.querySelectorAll("details.always").forEach((d) => { d.open = false })`, nil))
	if got := b.value(`getComputedStyle(document.querySelector(".buttons")).position`); got != "static" {
		t.Errorf("the closed buttons lie over the card: %s", got)
	}
	b.run(chromedp.Evaluate(`document.querySelectorAll("details.always").forEach((d) => { d.open = true })`, nil))
	if got := b.value(`[...document.querySelectorAll(".always button")].filter((e) => e.getBoundingClientRect().height > 60 || e.getBoundingClientRect().width < 200).map((e) => e.innerText).join()`); got != "" {
		t.Errorf("squeezed: %s", got)
	}
}

// Without a script people choose, read, answer, and change the colors. The first view is small.
func TestBrowserWithoutScript(t *testing.T) {
	w := newWorld(t)
	w.seed()
	b := w.browser(gateway.Admin)
	b.run(emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(w.url+"/login?code="+w.code(gateway.Admin)), chromedp.Click("button.main", chromedp.ByQuery),
		chromedp.WaitVisible(`form[action="/ui/unlock"]`, chromedp.ByQuery), chromedp.Click("button.main", chromedp.ByQuery), chromedp.WaitVisible("nav", chromedp.ByQuery))
	r := w.network("plain.example")
	var sent int64
	chromedp.ListenTarget(b.ctx, func(e any) {
		if done, ok := e.(*network.EventLoadingFinished); ok {
			atomic.AddInt64(&sent, int64(done.EncodedDataLength))
		}
	})
	b.run(network.Enable(), network.SetCacheDisabled(true), chromedp.Navigate(w.url+"/"))
	if n := atomic.LoadInt64(&sent); n == 0 || n > 100_000 {
		t.Errorf("the first view has %d bytes", n)
	}
	b.run(chromedp.Click(`#row-`+r.ID, chromedp.ByQuery), chromedp.WaitVisible(sel(r, "button.approve"), chromedp.ByQuery), chromedp.Click(sel(r, "button.approve"), chromedp.ByQuery))
	if got := w.state(r); got.State != approval.Approved {
		t.Errorf("%+v", got)
	}
	b.run(chromedp.WaitVisible(`form[action="/ui/theme"] button[value=dark]`, chromedp.ByQuery), chromedp.Click(`form[action="/ui/theme"] button`, chromedp.ByQuery), chromedp.WaitVisible(`html[data-theme=dark] form[action="/ui/theme"] button[value=light]`, chromedp.ByQuery))
	var color string
	b.run(chromedp.Click(`nav a[href="/overview"]`, chromedp.ByQuery), chromedp.WaitVisible(`html[data-theme=dark] .plot svg rect`, chromedp.ByQuery))
	b.run(emulation.SetScriptExecutionDisabled(false), chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &color))
	if color != "rgb(14, 17, 22)" {
		t.Errorf("dark is %s", color)
	}
}

// A browser sends the cookie of the console to the servers of agents on other ports of its host. The
// cookie alone decides nothing, and does not unlock the session; the browser's own forms work on.
func TestBrowserCookieAloneDecidesNothing(t *testing.T) {
	w := newWorld(t)
	r := w.network("a.example")
	b := w.browser(gateway.Admin)
	taken := make(chan string, 10)
	agent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { taken <- r.Header.Get("Cookie") }))
	defer agent.Close()
	b.run(chromedp.Navigate(agent.URL))
	thief := &person{w: w, cookie: <-taken}
	_, page := thief.do(http.MethodGet, "/", nil)
	_, thief.csrf, _ = strings.Cut(page, `data-csrf="`)
	thief.csrf, _, _ = strings.Cut(thief.csrf, `"`)
	if len(thief.csrf) != 64 {
		t.Fatalf("the cookie %q opens no page", thief.cookie)
	}
	key := strings.Repeat("0", 64)
	for _, form := range [][]string{{"/ui/unlock"}, {"/ui/unlock", "key", key}, {"/ui/answer"}, {"/ui/answer", "key", key}, {"/rules/add", "type", "allow", "rule", "exec(make x)"}, {"/agents/add", "name", "x", "role", "admin"}} {
		if status, text := thief.post(form[0], append(form[1:], "id", r.ID, "digest", r.Digest, "do", "approve")...); status != http.StatusForbidden {
			t.Errorf("%s with the cookie alone: %d %s", form, status, text)
		}
	}
	if !w.still(r) {
		t.Error("the cookie alone answered")
	}
	b.run(chromedp.Navigate(w.url))
	b.shows(r)
	b.run(chromedp.Click(sel(r, "button.approve"), chromedp.ByQuery))
	if got := w.state(r); got.State != approval.Approved {
		t.Errorf("the browser's own form: %+v", got)
	}
	b.run(chromedp.Navigate(w.url+"/overview"), chromedp.Submit("form[action='/logout']", chromedp.ByQuery))
	b.until(`location.pathname === "/login"`)
}
