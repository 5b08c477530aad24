package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/replay"
	"github.com/umpire-dev/umpire/internal/terminal"
)

// typing is a person whose answers are seen, as a terminal shows them.
type typing struct{ scripted }

const typedFrom, typedTo = "\x01", "\x02"

func (p *typing) Ask(question string) (string, error) {
	said, err := p.scripted.Ask(question)
	p.WriteString(typedFrom + said + typedTo + "\n")
	return said, err
}

// The picture in the README is what umpire init prints over a month of invented sessions.
// UPDATE_SCREENSHOTS=1 draws it anew.
func TestInitPicture(t *testing.T) {
	path, err := filepath.Abs(filepath.Join("..", "..", "docs", "screenshots", "init.svg"))
	if err != nil {
		t.Fatal(err)
	}
	newProject(t)
	home := os.Getenv("HOME")
	dir := filepath.Join(home, "shop")
	t.Setenv("PATH", t.TempDir()) // which agents are installed here is no matter
	for _, d := range []string{dir, filepath.Join(home, ".claude"), filepath.Join(home, ".codex")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const calls = 4120
	madeHistory(t, home, calls, 2000, time.Now())
	by := person()
	hook := []string{"--hook", filepath.Join(home, "umpire-hook"), "--force"}
	if err := os.WriteFile(hook[1], []byte("#!/bin/sh\n"), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	if out, exit := runUmpireBy(t, by, dir, "", append([]string{"init", "--yes", "--no-history", "--trust"}, hook...)...); exit != 0 {
		t.Fatalf("init: got exit status %d:\n%s", exit, out)
	}
	p := &typing{scripted{lines: []string{"y", "k", "a", "y", "q"}}}
	by.Terminal = func() (terminal.Person, error) { return p, nil }
	start := time.Now()
	out, exit := runUmpireBy(t, by, dir, "", append([]string{"init"}, hook...)...)
	if exit != 0 || time.Since(start) > time.Minute {
		t.Fatalf("exit %d after %s: %s%s", exit, time.Since(start), out, p.String())
	}
	if !strings.Contains(p.String(), replay.Grouped(calls)+" calls") {
		t.Errorf("not all of the history was read: %s", p.String())
	}
	said := regexp.MustCompile(`(?m)^.*\r\x1b\[K`).ReplaceAllString(p.String(), "") // what a terminal wipes
	said = "$ " + typedFrom + "umpire init" + typedTo + "\n" + out + said
	said = strings.ReplaceAll(said, home, "/home/dev")
	picture := drawn(said)
	if os.Getenv("UPDATE_SCREENSHOTS") != "" {
		if err := os.WriteFile(path, picture, 0o644); err != nil { //nolint:gosec // a picture for everybody
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, picture) {
		t.Errorf("%s is not what umpire init prints (%v): draw it anew with UPDATE_SCREENSHOTS=1. It prints\n%s", path, err, said)
	}
}

// drawn draws what a terminal of 110 columns shows, as SVG. It moves as the session did: lines
// come one after another, and the person takes a while to answer. A viewer that does not move
// pictures, or whose user wants none to move, shows the end.
func drawn(text string) []byte {
	const columns, width, height, left, top = 110, 8.5, 19, 16, 40
	var rows []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		row, n := "", 0
		for _, r := range line {
			if r != 1 && r != 2 {
				if n == columns {
					rows, row, n = append(rows, row), "", 0
				}
				n++
			}
			row += string(r)
		}
		rows = append(rows, row)
	}
	var b bytes.Buffer
	w, h := int(columns*width)+2*left, top+len(rows)*height+left
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="umpire init replays a month of sessions and asks what becomes of the questions">`+"\n", w, h, w, h)
	fmt.Fprintln(&b, `<style>@keyframes show{from{opacity:0}}text,tspan{animation:show 1ms backwards}@media (prefers-reduced-motion){text,tspan{animation:none}}</style>`)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="#1b1f27"/><circle cx="20" cy="18" r="6" fill="#e5695e"/><circle cx="40" cy="18" r="6" fill="#e0b04c"/><circle cx="60" cy="18" r="6" fill="#6cbf5f"/>`+"\n", w, h)
	fmt.Fprintln(&b, `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#d7dbe2">`)
	at := 0 // milliseconds
	for i, row := range rows {
		shown := at
		row = strings.ReplaceAll(html.EscapeString(row), " ", "\u00a0") // viewers join plain spaces
		if strings.Contains(row, typedFrom) {
			at += 1200
			row = strings.NewReplacer(typedFrom, fmt.Sprintf(`<tspan fill="#7fd1a0" font-weight="bold" style="animation-delay:%dms">`, at), typedTo, `</tspan>`).Replace(row)
			at += 400
		}
		at += 40
		fmt.Fprintf(&b, `<text x="%d" y="%d" style="animation-delay:%dms">%s</text>`+"\n", left, top+i*height+14, shown, row)
	}
	fmt.Fprintln(&b, "</g>\n</svg>")
	return b.Bytes()
}
