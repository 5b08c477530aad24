package journeys

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/rogpeppe/go-internal/testscript"
)

// page is a tab of a browser.
type page struct {
	ctx context.Context
	ts  *testscript.TestScript
}

// openPage opens an address in a browser of its own, or in the one of that name.
func openPage(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 2, "page NAME [WIDTHxHEIGHT] URL")
	p, old := of(ts).views[args[0]].(*page)
	if !old {
		w, h := 1100, 900
		if len(args) > 2 {
			w, h = size(ts, args[1])
		}
		p = newPage(ts, w, h)
		of(ts).views[args[0]] = p
	}
	p.run(chromedp.Navigate(args[len(args)-1]))
}

func newPage(ts *testscript.TestScript, w, h int) *page {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && path == "" {
			path = p
		}
	}
	if path == "" {
		ts.Fatalf("no chromium: run scripts/chromium.sh")
	}
	dir, err := os.MkdirTemp("", "umpire-journey-")
	ts.Check(err)
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.Env("HOME="+dir),
		chromedp.WSURLReadTimeout(2*limit), chromedp.WindowSize(w, h))
	if os.Getuid() == 0 {
		opts = append(opts, chromedp.NoSandbox)
	}
	alloc, endAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, end := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {})) // it does not know all events
	ts.Defer(func() {
		_ = chromedp.Cancel(ctx)
		end()
		endAlloc()
		removeWithin(dir)
	})
	p := &page{ctx, ts}
	p.run(chromedp.EmulateViewport(int64(w), int64(h)))
	return p
}

// removeWithin removes a browser's folder, into which its last processes may still write.
func removeWithin(dir string) {
	for end := time.Now().Add(limit); os.RemoveAll(dir) != nil && time.Now().Before(end); {
		<-time.After(50 * time.Millisecond)
	}
}

func (p *page) run(actions ...chromedp.Action) {
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.ts.Fatalf("the page: %v\n%s", err, p.screen())
	}
}

// until waits for a condition of the page's, also across a change of pages.
func (p *page) until(what, js string) {
	for end := time.Now().Add(limit); ; {
		err := chromedp.Run(p.ctx, chromedp.Poll(js, nil, chromedp.WithPollingTimeout(time.Until(end)), chromedp.WithPollingInterval(20*time.Millisecond)))
		if err == nil {
			return
		}
		if time.Now().After(end) || !strings.Contains(err.Error(), "navigated") && !strings.Contains(err.Error(), "context") {
			p.ts.Fatalf("%s: %v\n%s", what, err, p.screen())
		}
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}

func (p *page) see(texts ...string) string {
	for _, t := range texts {
		p.until("not on the page: "+t, `document.body && document.body.innerText.includes(`+quote(t)+`)`)
	}
	return ""
}

func (p *page) gone(text string) {
	p.until("still on the page: "+text, `document.body && !document.body.innerText.includes(`+quote(text)+`)`)
}

func (p *page) press(keys ...string) {
	for _, k := range keys {
		if k == "Enter" {
			k = kb.Enter
		}
		p.run(chromedp.KeyEvent(k))
	}
}

func (p *page) screen() (text string) {
	_ = chromedp.Run(p.ctx, chromedp.Evaluate(`document.body ? document.body.innerText.slice(0, 4000) : ""`, &text))
	return text
}

func pageOf(ts *testscript.TestScript, name string) *page {
	p, ok := viewOf(ts, name).(*page)
	if !ok {
		ts.Fatalf("%s is a terminal, and this needs a page", name)
	}
	return p
}

// visible is what finds the elements that a person could click on.
const visible = `[...document.querySelectorAll("button, a, summary, input[type=submit], label")].filter(e => e.getClientRects().length && !e.closest("[inert]"))`

// click clicks on the button or link with a text, below the element that has another text if
// one is given: click PAGE Approve 'npm install'.
func click(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 2, "click PAGE TEXT [NEAR]")
	p := pageOf(ts, args[0])
	near := ""
	if len(args) > 2 {
		near = args[2]
	}
	find := fmt.Sprintf(`%s.find(e => e.innerText.trim().startsWith(%s) && (%s === "" || (e.closest("article, tr, li, section")?.innerText ?? "").includes(%[3]s)))`, visible, quote(args[1]), quote(near))
	p.until("nothing to click on says "+args[1], find+" !== undefined")
	p.run(chromedp.Evaluate(find+".click()", nil))
}

// fill types into the field with a label, a name or a placeholder.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 3, "fill PAGE FIELD TEXT")
	p := pageOf(ts, args[0])
	find := fmt.Sprintf(`[...document.querySelectorAll("input, textarea, select")].find(e => e.getClientRects().length && (e.name === %[1]s || e.placeholder === %[1]s || [...(e.labels ?? [])].some(l => l.innerText.trim().startsWith(%[1]s))))`, quote(args[1]))
	p.until("no field is called "+args[1], find+" !== undefined")
	p.run(chromedp.Evaluate(find+`.focus()`, nil), chromedp.Evaluate(find+`.value = ""`, nil), chromedp.KeyEvent(args[2]))
}
