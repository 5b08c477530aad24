package replay

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"html/template"
	"os"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/visible"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"grouped": Grouped,
		"shown":   visible.Line,
		"day":     func(t time.Time) string { return t.Local().Format(time.DateOnly) },
	}).Parse(pageText))
})

// bar is one day of the chart, or one rule of it: lengths in the units of the drawing.
type bar struct {
	X, W, Asked, Denied, AskedY, DeniedY, Y float64
	Label                                   string
	Count                                   int
}

// chart has the geometry of the two drawings.
type chart struct {
	Days   []bar
	Rules  []bar
	Most   int // questions and denials of one day
	Height int // of the drawing of rules
}

const (
	chartWidth  = 720.0
	chartHeight = 160.0
	barRow      = 26
)

func newChart(r *Report) (c chart) {
	days := r.ByDay[max(0, len(r.ByDay)-120):]
	for _, d := range days {
		c.Most = max(c.Most, d.Asked+d.Denied)
	}
	step := chartWidth / float64(max(len(days), 1))
	for i, d := range days {
		scale := chartHeight / float64(max(c.Most, 1))
		asked, denied := float64(d.Asked)*scale, float64(d.Denied)*scale
		c.Days = append(c.Days, bar{X: float64(i) * step, W: min(step*0.8, 40), Asked: asked, Denied: denied,
			AskedY: chartHeight - asked, DeniedY: chartHeight - asked - denied, Label: d.Day, Count: d.Asked + d.Denied})
	}
	rules := r.Rules[:min(12, len(r.Rules))]
	most := 1
	for _, rr := range rules {
		most = max(most, rr.Asked+rr.Denied)
	}
	for i, rr := range rules {
		scale := (chartWidth - 320) / float64(most)
		c.Rules = append(c.Rules, bar{Y: float64(i * barRow), Asked: float64(rr.Asked) * scale, Denied: float64(rr.Denied) * scale,
			X: 260 + float64(rr.Asked)*scale, Label: visible.Clip(rr.Rule, 36), Count: rr.Asked + rr.Denied})
	}
	c.Height = len(rules)*barRow + 4
	return c
}

// WritePage writes the report as one page without external resources or scripts. The template
// escapes the text of the transcripts.
func WritePage(path string, r *Report) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return errors.New("--html names something that is not a regular file")
	}
	sum := sha256.Sum256([]byte(pageStyle))
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, struct {
		*Report
		Chart chart
		Notes []string
		CSP   string
		Style template.CSS
	}{r, newChart(r), r.Notes(), "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'", template.CSS(pageStyle)}) //nolint:gosec // our own style sheet
	if err != nil {
		return err
	}
	return atomicfile.Write(path, b.Bytes(), 0o600)
}
