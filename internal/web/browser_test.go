package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	imagepng "image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// browser is a tab of a Chromium in which somebody is logged in.
type browser struct {
	w   *world
	ctx context.Context
}

func (w *world) browser(role gateway.Role) *browser {
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
	dir := profile(w.t)
	// Its processes outlive it for a moment: they get no folder of the test's to write to.
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.Env("HOME="+dir),
		chromedp.WSURLReadTimeout(2*time.Minute), chromedp.WindowSize(1000, 800))
	if os.Getuid() == 0 {
		opts = append(opts, chromedp.NoSandbox)
	}
	alloc, cancelAlloc := chromedp.NewExecAllocator(limit, opts...)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {})) // it does not know all events
	w.t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		cancelAlloc()
		cancelLimit()
	})
	b := &browser{w, ctx}
	b.run(chromedp.Navigate(w.url+"/login?code="+w.code(role)), chromedp.Click("button.main", chromedp.ByQuery))
	b.until(`document.querySelector("#state")?.textContent === "live"`)
	return b
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

// A person answers by mouse and by key what was there and what comes while they look.
func TestBrowser(t *testing.T) {
	w := newWorld(t)
	first := w.network("a.example")
	b := w.browser(gateway.Admin)

	b.run(chromedp.Click(sel(first, "button.approve"), chromedp.ByQuery))
	if got := w.state(first); got.State != approval.Approved || got.Operator != "ada" {
		t.Errorf("approve: %+v", got)
	}
	second, third := w.network("b.example"), w.network("c.other.example")
	b.until(`document.querySelectorAll(".card:not(.over)").length === 2 && document.querySelector("#count").textContent === "2"`)
	b.run(chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"))
	if got := b.value(`document.activeElement.id`); got != "r-"+second.ID {
		t.Errorf("j and k lead to %s", got)
	}
	b.run(chromedp.KeyEvent("d"))
	if got := w.state(second); got.State != approval.Denied {
		t.Errorf("d: %+v", got)
	}
	// The next one is at hand. A opens its rule, which is shown before it is stored.
	b.until(`document.activeElement.id === "r-` + third.ID + `"`)
	// As a keyboard does: one event, whose default would type the letter.
	b.run(input.DispatchKeyEvent(input.KeyDown).WithKey("A").WithText("A"), input.DispatchKeyEvent(input.KeyUp).WithKey("A"))
	b.until(`document.activeElement.name === "rule"`)
	if got := b.value(`document.activeElement.value`); got != "network(c.other.example:443)" {
		t.Errorf("the rule is %s", got)
	}
	b.run(chromedp.SetValue(sel(third, "select[name=rule]"), "network(c.other.example)", chromedp.ByQuery), chromedp.Click(sel(third, "button[value=approve-always]"), chromedp.ByQuery))
	if got := w.state(third); got.State != approval.Approved || got.Rule != "network(c.other.example)" || got.Scope != approval.Always {
		t.Errorf("always: %+v", got)
	}
	b.run(chromedp.KeyEvent(kb.Escape), chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("?"))
	b.until(`document.querySelector("#help").open`)
	b.run(chromedp.KeyEvent(kb.Escape))

	// In bulk, what is shown; and a command is not in any bulk.
	x, y, z := w.network("x.example"), w.network("y.example"), w.submit(gateway.Submission{Category: approval.Exec, Action: "make all"})
	b.until(`document.querySelectorAll(".card:not(.over)").length === 3`)
	b.run(chromedp.Click(`.bulk[data-category=network] button.deny`, chromedp.ByQuery))
	if w.state(x).State != approval.Denied || w.state(y).State != approval.Denied || w.get(z.ID).State != approval.Pending {
		t.Error("bulk")
	}
	// A newer write of the same file ends the older question while it is looked at.
	old := w.write("f.txt", "one")
	b.until(`document.getElementById("r-` + old.ID + `")`)
	// It says so for three seconds, in which a slow machine may not look.
	b.run(chromedp.Evaluate(`new MutationObserver(() => {
		const c = document.getElementById("r-`+old.ID+`");
		if (c && c.querySelector(".fault").textContent === "superseded" && c.querySelector("button").disabled) window.ended = true;
	}).observe(document.body, { subtree: true, childList: true, attributes: true })`, nil))
	newer := w.write("f.txt", "two")
	b.until(`document.getElementById("r-` + newer.ID + `") && window.ended`)
	if w.get(newer.ID).State != approval.Pending {
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
	b.until(`document.querySelector("#state").textContent === "live" && document.getElementById("r-` + missed.ID + `")`)
	b.run(chromedp.Click(sel(missed, "button.approve"), chromedp.ByQuery))
	if got := w.state(missed); got.State != approval.Approved {
		t.Errorf("%+v", got)
	}
}

func TestBrowserPayloadsDoNotRun(t *testing.T) {
	w := newWorld(t)
	b := w.browser(gateway.Admin)
	w.poison() // through live updates
	b.until(`document.querySelectorAll(".card").length >= 20`)
	for _, path := range []string{"", "/", "/log", "/history", "/agents"} {
		if path != "" {
			b.run(chromedp.Navigate(w.url + path))
			b.until(`document.querySelector("#state").textContent === "live"`)
		}
		if got := b.value(`[window.hit, document.querySelectorAll("main img, main script, main svg[onload], main [onfocus]").length]`); got != ",0" {
			t.Errorf("%q: %s", path, got)
		}
	}
}

func TestBrowserManyOnAPhone(t *testing.T) {
	const n = 10_000
	w := newWorld(t)
	done := make(chan error, 64)
	for i := range cap(done) {
		go func() {
			var err error
			for k := i; k < n && err == nil; k += cap(done) {
				_, err = w.g.Submit(t.Context(), w.agent, gateway.Submission{Category: approval.Network, Action: fmt.Sprintf("CONNECT h%05d.example:443", k), Reason: strings.Repeat("long", 30)})
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	b := w.browser(gateway.Admin)
	b.run(emulation.SetDeviceMetricsOverride(360, 740, 2, true))
	start := time.Now()
	b.run(chromedp.Navigate(w.url + "/"))
	b.until(`document.querySelector("#state").textContent === "live"`)
	t.Logf("%d wait: the page took %v", n, time.Since(start))
	if got := b.value(`[document.querySelectorAll(".card").length, document.querySelector("#count").textContent]`); got != "100,10000" {
		t.Errorf("shown: %s", got)
	}
	b.run(chromedp.Click("#more", chromedp.ByQuery))
	b.until(`document.querySelectorAll(".card").length === 200`)
	for _, path := range append(paths, "/rules?category=exec&try=make") {
		b.run(chromedp.Navigate(w.url + path))
		if got := b.value(`document.documentElement.scrollWidth <= 360`); got != "true" {
			t.Errorf("%s is wider than a phone: %s", path, b.value(`[...document.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > 360).map((e) => e.tagName + "." + e.className).slice(0, 8).join(" ")`))
		}
	}
}

// axe-core finds no fault in any page, in light and in dark.
func TestBrowserAccessible(t *testing.T) {
	w := newWorld(t)
	w.submit(gateway.Submission{Category: approval.Exec, Action: "rm -rf build", Reason: "why not", Session: "s", Description: "words"})
	w.put("a", "a")
	w.submit(gateway.Submission{Category: approval.Filesystem, Metadata: []byte(`{"toolName":"Edit","targetFile":"a","editContext":{"old_string":"a","new_string":"b"}}`)})
	w.write("b", strings.Repeat("long ", 300))
	r := w.network("a.example")
	admin := gateway.Principal{Kind: gateway.Operator, Name: "ada", Role: gateway.Admin}
	if _, err := w.g.Answer(t.Context(), admin, r.ID, true, gateway.Reply{Scope: approval.Always, Note: "ok"}); err != nil {
		t.Fatal(err)
	}
	w.network("b.example.org")
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
	for _, scheme := range []string{"light", "dark"} {
		b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
		for _, path := range append(paths, "/rules?category=exec&try=make", "/login?code=x") {
			b.run(chromedp.Navigate(w.url + path))
			if path == "/" {
				b.run(chromedp.Evaluate(`for (const d of document.querySelectorAll("details")) d.open = true`, nil))
			}
			var found string
			b.run(chromedp.Evaluate(string(axe), nil), chromedp.Evaluate(`axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 150) + " " + n.any.concat(n.all).map((a) => a.message).join()).join("\n  ")).join("\n"))`, &found,
				func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
			if found != "" {
				t.Errorf("%s, %s: %s", path, scheme, found)
			}
		}
	}
}

// The pictures in the docs are of pages that can be drawn. UPDATE_SCREENSHOTS=1 makes them
// anew.
func TestScreenshots(t *testing.T) {
	w := newWorld(t)
	done := w.network("registry.example.com")
	w.put("src/config.go", "package config\n\nconst retries = 3\n")
	edit := `{"toolName":"Edit","targetFile":"src/config.go","editContext":{"old_string":"const retries = 3","new_string":"const retries = 10"}}`
	w.submit(gateway.Submission{Category: approval.Exec, Action: "rm -rf build && make release", Reason: "the old build is in the way", Session: "s-17"})
	w.submit(gateway.Submission{Category: approval.Filesystem, Metadata: []byte(edit), Reason: "three are too few"})
	w.network("api.example.com")
	b := w.browser(gateway.Admin)
	if _, err := w.g.Bulk(t.Context(), gateway.Principal{Name: "ada", Role: gateway.Admin}, approval.Network, true, approval.ByWeb, []gateway.Seen{{ID: done.ID, Digest: done.Digest}}); err != nil {
		t.Fatal(err)
	}
	for _, shot := range []struct {
		name, path, scheme string
		width, height      int64
	}{{"queue", "/", "light", 900, 760}, {"queue-phone", "/", "dark", 360, 740}, {"history", "/history", "light", 900, 420}} {
		var png []byte
		b.run(emulation.SetDeviceMetricsOverride(shot.width, shot.height, 1, false),
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: shot.scheme}}),
			chromedp.Navigate(w.url+shot.path))
		b.until(`document.querySelector("#state").textContent === "live"`)
		b.run(chromedp.CaptureScreenshot(&png))
		if picture, err := imagepng.DecodeConfig(bytes.NewReader(png)); err != nil || picture.Width != int(shot.width) || picture.Height != int(shot.height) {
			t.Errorf("%s: %+v %v", shot.name, picture, err)
		}
		if os.Getenv("UPDATE_SCREENSHOTS") == "" {
			continue
		}
		path := filepath.Join("..", "..", "docs", "screenshots", shot.name+".png")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, png, 0o644); err != nil { //nolint:gosec // a picture for everybody
			t.Fatal(err)
		}
	}
}

// profile returns a folder for a browser. Its processes write for a moment after the
// browser is gone, so that it is not removed at the first try.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "umpire-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeWithin(t, dir, time.Minute) })
	return dir
}

// removeWithin removes a folder that processes which nobody can wait for still write to.
func removeWithin(t *testing.T, dir string, limit time.Duration) {
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
