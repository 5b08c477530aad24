package web

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// axe-core finds no fault in any page, in light and in dark, by the system and by the switch.
func TestBrowserAccessible(t *testing.T) {
	w := newWorld(t)
	w.seed()
	w.put("a", "a")
	long := w.write("b", strings.Repeat("long ", 300))
	call := w.submit(gateway.Submission{Call: &gateway.Call{Platform: "claude", Tool: "Bash", Input: []byte(`{"command":"sudo make install"}`), Dir: "/p", Home: "/h"}, Reason: "why not", Session: "s-17", Ask: true, Description: "words"})
	done := w.submit(gateway.Submission{Category: approval.Exec, Action: "make done"})
	w.settle(done, false, gateway.Reply{Note: "no"})
	f, err := os.Open(filepath.Join("testdata", "axe-core-4.11.0.min.js.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	axe, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	b := w.browser(gateway.Admin)
	looked := append(paths, "/?id="+long.ID, "/?id="+call.ID, "/request/"+done.ID, "/rules?category=exec&try=make", "/policy?q=force", "/history?q=none", "/login?code=x")
	for _, scheme := range []string{"light", "dark"} {
		b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
		for _, path := range looked {
			b.run(chromedp.Navigate(w.url + path))
			if !strings.HasPrefix(path, "/login") {
				b.until(`document.querySelector("#state").textContent === "live"`)
			}
			b.run(chromedp.Evaluate(`for (const d of document.querySelectorAll("details")) d.open = true`, nil))
			if path == "/" {
				b.press("d") // an answer that is held
				b.until(`document.querySelector("#held").childElementCount === 1 && document.querySelector(".card:not([inert])")`)
			}
			b.until(`document.getAnimations().every((a) => a.playState === "finished")`) // colors of a fade are no colors of the page
			var found string
			b.run(chromedp.Evaluate(string(axe), nil), chromedp.Evaluate(`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 150) + " " + n.any.concat(n.all).map((a) => a.message).join()).join("\n  ")).join("\n"))`, &found,
				func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
			if found != "" {
				t.Errorf("%s, %s: %s", path, scheme, found)
			}
			if path == "/" {
				b.press("u")
			}
		}
	}
}

// What a person does on the other pages: from the overview to what waits longest, through the
// history by links, testing and adding a rule, ending a session, checking the record.
func TestBrowserPages(t *testing.T) {
	w := newWorld(t)
	w.seed()
	b := w.browser(gateway.Admin)
	on := func(path string) {
		t.Helper()
		b.until(`location.pathname === "` + path + `" && document.querySelector("#state")?.textContent === "live"`)
	}
	// In one step: a page that changes in between would lose the element.
	click := func(sel string) {
		t.Helper()
		b.until(`document.querySelector(` + "`" + sel + "`" + `)`)
		b.run(chromedp.Evaluate(`document.querySelector(`+"`"+sel+"`"+`).click()`, nil))
	}
	set := func(sel, value string) {
		t.Helper()
		b.until(`document.querySelector(` + "`" + sel + "`" + `)`)
		b.run(chromedp.Evaluate(`document.querySelector(`+"`"+sel+"`"+`).value = "`+value+`"`, nil))
	}

	// The overview follows what happens.
	click(`nav a[href="/overview"]`)
	on("/overview")
	waits := b.value(`document.querySelector(".tiles dd").textContent`)
	more := w.network("live.example")
	b.until(`document.querySelector(".tiles dd").textContent !== "` + waits + `"`)
	b.run(chromedp.Evaluate(`[...document.querySelectorAll(".plain .row")].find((r) => r.textContent.includes("Edit src/config.go")).click()`, nil))
	on("/")
	b.until(`document.querySelector(".card .action").textContent === "Edit src/config.go" && document.querySelector(".diff .add").textContent.includes("+const Retries = 10")`)
	b.run(chromedp.Navigate(w.url + "/?id=" + more.ID))
	on("/")

	// The history is filtered by links, and each filter is taken away again.
	click(`nav a[href="/history"]`)
	on("/history")
	click(`td a[href="/history?status=denied"]`)
	on("/history")
	b.until(`new Set([...document.querySelectorAll("tbody .st")].map((e) => e.textContent)).size === 1`)
	b.run(chromedp.Evaluate(`[...document.querySelectorAll("td a")].find((a) => a.textContent === "docs-writer").click()`, nil))
	b.until(`document.querySelectorAll(".chips li").length === 3 && document.querySelectorAll("table.wide tbody tr").length === 1`)
	click("table.wide a.action")
	b.until(`location.pathname.startsWith("/request/") && document.querySelector(".steps")?.textContent.includes("denied by ada: use the wiki instead")`)

	// A rule is tested before it is added, and can be tested afterwards.
	click(`nav a[href="/rules"]`)
	on("/rules")
	set("textarea[name=rule]", "network(*.example.net)")
	click(`form[action="/rules/test"] button:not([formaction])`)
	b.until(`document.querySelector("#test")?.textContent.includes("This would have allowed 3 of the last") && document.querySelector("#test").textContent.includes("1 denied")`)
	if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) != 4 {
		t.Errorf("a test stored a rule: %v %v", rules, err)
	}
	set("select[name=end]", "8h")
	click(`button[formaction="/rules/add"]`)
	b.until(`!document.querySelector("#test") && document.body.textContent.includes("network(*.example.net)")`)
	set("textarea[name=rule]", "netwrok(x)")
	click(`form[action="/rules/test"] button:not([formaction])`)
	b.until(`document.querySelector("#test .warn")`)
	b.run(chromedp.Evaluate(`[...document.querySelectorAll("tr")].find((r) => r.textContent.includes("api.example.com")).querySelector(".acts a").click()`, nil))
	b.until(`document.querySelector("#test")?.textContent.includes("This would have allowed 4 of the last")`)

	// A session ends with all that was allowed in it.
	click(`nav a[href="/agents"]`)
	on("/agents")
	b.until(`document.body.textContent.includes("exec(make lint)")`)
	click(`button[aria-label="End session s-17"]`)
	b.until(`location.pathname === "/agents" && document.querySelectorAll(".agent").length === 3`)

	// The policy by layers.
	click(`nav a[href="/policy"]`)
	on("/policy")
	b.until(`document.querySelector(".diff .add")?.textContent.includes("api.example.com")`)
	click(`.chips a[href="/policy?layer=git#rules"]`)
	b.until(`document.querySelectorAll("#rules tbody tr").length > 10`)

	// The record is searched, and checked.
	click(`nav a[href="/record"]`)
	on("/record")
	live := w.network("event.example")
	b.until(`document.querySelector("#log tr").textContent.includes("event.example") && document.querySelector('#log tr a[href="/request/` + live.ID + `"]')`)
	click(`form[action="/record/verify"] button`)
	b.until(`document.querySelector("#verified")?.textContent.includes("The record is whole")`)
	set("input[name=q]", "paste.example.net")
	click("form.search button")
	b.until(`location.search.includes("paste") && document.querySelectorAll("tbody tr").length === 2`)
}
