package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/static"
)

// Kept replaces text that only people may read.
const Kept = "The text is kept for people: umpire review show ID, at a terminal."

// Closed returns the report for an agent: types, severities, positions by file number, flags and
// counts. It contains no text that others chose, except paths that are too plain to carry a
// message.
func (r *Report) Closed() *Report {
	c := *r
	number, told := map[string]int{}, map[string]string{}
	c.Files = slices.Clone(r.Files)
	for i := range c.Files {
		number[c.Files[i].Path] = i + 1
		if harmlessPath(c.Files[i].Path) {
			c.Files[i].Name = c.Files[i].Path
			told[c.Files[i].Path] = c.Files[i].Path
		}
		c.Files[i].Path = fmt.Sprintf("file-%d", i+1)
		if c.Files[i].Why != "" {
			c.Files[i].Why = "see the report that people get"
		}
	}
	c.Target.Name = ""
	c.RecommendedActions = []string{}
	c.Findings = slices.Clone(r.Findings)
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Flags = append(slices.Clone(f.Flags), finding.TextWithheld)
		if f.Location != nil {
			l := *f.Location
			l.Path = told[l.File]
			l.File = fmt.Sprintf("file-%d", number[l.File]) // 0 for a file outside the snapshot
			f.Location = &l
		}
		if rule := static.RuleOf(f.Rule); f.Source == finding.Static && rule != nil {
			f.Title, f.Description, f.Remediation = rule.Title, strings.TrimSpace(rule.Text), rule.Remedy
			continue
		}
		f.Title, f.Description, f.Remediation = "", Kept, ""
		if f.Source == finding.Import || f.Rule != f.CWE && !strings.HasPrefix(f.Rule, "umpire/model/") {
			f.Rule = "umpire/import/other"
		}
	}
	c.Agents = slices.Clone(r.Agents)
	for i := range c.Agents {
		c.Agents[i].Model = ""
	}
	return &c
}
