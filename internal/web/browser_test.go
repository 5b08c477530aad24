package web

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// browser is a tab of a Chromium.
type browser struct {
	w    *world
	ctx  context.Context
	quit func()
}

// browser starts one in which somebody is logged in.
func (w *world) browser(role gateway.Role) *browser {
	w.t.Helper()
	b := w.launch(profile(w.t))
	b.run(chromedp.Navigate(w.url+"/login?code="+w.code(role)), chromedp.Click("button.main", chromedp.ByQuery))
	b.until(live)
	return b
}

// live is what a page that follows the gateway says of itself.
const live = `document.querySelector("#state")?.textContent === "live"`

// launch starts a browser with what it kept in a folder.
func (w *world) launch(dir string) *browser {
	w.t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && path == "" {
			path = p
		}
	}
	if path == "" {
		w.t.Fatal("no chromium: run scripts/chromium.sh")
	}
	limit, cancelLimit := context.WithTimeout(w.t.Context(), 5*time.Minute)
	// Its processes outlive it for a moment: they get no folder of the test's to write to.
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.Env("HOME="+dir),
		chromedp.WSURLReadTimeout(2*time.Minute), chromedp.WindowSize(1000, 800))
	if os.Getuid() == 0 {
		opts = append(opts, chromedp.NoSandbox)
	}
	alloc, cancelAlloc := chromedp.NewExecAllocator(limit, opts...)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {})) // it does not know all events
	quit := sync.OnceFunc(func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		cancelAlloc()
		cancelLimit()
	})
	w.t.Cleanup(quit)
	return (&browser{w, ctx, quit}).holding()
}

// holding adds hurry to each page that the tab will load.
func (b *browser) holding() *browser {
	b.w.t.Helper()
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(holds).Do(ctx)
		return err
	}))
	return b
}

// holds lets a test end the time in which an answer can be taken back: hurry() sends what is held.
const holds = `(() => {
	const set = window.setTimeout.bind(window), clear = window.clearTimeout.bind(window), held = new Map();
	window.setTimeout = (f, ms, ...args) => {
		const id = set(() => { held.delete(id); f(...args); }, ms);
		if (ms === 5000) held.set(id, () => f(...args));
		return id;
	};
	window.clearTimeout = (id) => { held.delete(id); clear(id); };
	window.hurry = () => { for (const [id, f] of [...held]) { held.delete(id); clear(id); f(); } };
})()`

// state sends the answers that the page holds, and returns the request once it is settled.
func (b *browser) state(r approval.Request) approval.Request {
	b.w.t.Helper()
	b.hurry()
	return b.w.state(r)
}

func (b *browser) hurry() {
	b.w.t.Helper()
	b.run(chromedp.Evaluate(`hurry()`, nil))
}

// tab opens another tab.
func (b *browser) tab() *browser {
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.w.t.Cleanup(cancel)
	return (&browser{b.w, ctx, cancel}).holding()
}

// approves answers a request by a click on a page of the console at an address.
func (b *browser) approves(at string, r approval.Request) {
	b.w.t.Helper()
	b.run(chromedp.Navigate(at+"/?id="+r.ID), chromedp.WaitVisible(sel(r, "button.approve"), chromedp.ByQuery), chromedp.Click(sel(r, "button.approve"), chromedp.ByQuery))
	if got := b.state(r); got.State != approval.Approved {
		b.w.t.Errorf("%s: %+v", r.Action, got)
	}
}

func (b *browser) run(actions ...chromedp.Action) {
	b.w.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.w.t.Fatal(err)
	}
}

// until waits for a condition of the page's, also across a change of pages.
func (b *browser) until(js string) {
	b.w.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		err := chromedp.Run(b.ctx, chromedp.Poll(js, nil, chromedp.WithPollingTimeout(time.Until(end)), chromedp.WithPollingInterval(20*time.Millisecond)))
		if err == nil {
			return
		}
		if b.ctx.Err() != nil || time.Now().After(end) || !strings.Contains(err.Error(), "navigated") && !strings.Contains(err.Error(), "context") {
			var text string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`document.body.innerText.slice(0, 2000)`, &text))
			b.w.t.Fatalf("%s: %v\n%s", js, err, text)
		}
	}
}

func (b *browser) value(js string) (out string) {
	b.w.t.Helper()
	b.run(chromedp.Evaluate(`String(`+js+`)`, &out))
	return out
}

// state waits until a request is settled, and returns how.
func (w *world) state(r approval.Request) approval.Request {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		changed, stop := w.s.Changed(r.ID)
		got := w.get(r.ID)
		if got.State.Final() || time.Now().After(end) {
			stop()
			return got
		}
		select {
		case <-changed:
		case <-time.After(time.Until(end)):
		}
		stop()
	}
}

func sel(r approval.Request, rest string) string { return "#r-" + r.ID + " " + rest }

// profile returns a folder for a browser. Its processes write for a moment after the
// browser is gone, so that it is not removed at the first try.
func profile(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "umpire-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeWithin(t, dir, time.Minute) })
	return dir
}

// removeWithin removes a folder that processes which nobody can wait for still write to.
func removeWithin(t testing.TB, dir string, limit time.Duration) {
	t.Helper()
	late, again := time.After(limit), time.NewTicker(50*time.Millisecond)
	defer again.Stop()
	for {
		err := os.RemoveAll(dir)
		if err == nil {
			return
		}
		select {
		case <-again.C:
		case <-late:
			t.Error(err)
			return
		}
	}
}
