package gateway

import (
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire"
)

// RuleUse holds the number of uses of a stored rule and the time of the last one.
type RuleUse struct {
	N    int
	Last time.Time
}

// ruleUses counts the uses of stored rules by their IDs.
type ruleUses struct {
	mu sync.Mutex
	of map[string]RuleUse
}

func (u *ruleUses) count(ids []string, now time.Time) {
	if len(ids) == 0 {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of == nil {
		u.of = map[string]RuleUse{}
	}
	for _, id := range ids {
		u.of[id] = RuleUse{u.of[id].N + 1, now}
	}
}

// ProxyUses returns the uses of stored rules by the proxy since the start of this gateway, by the
// IDs of the rules. Requests that the proxy lets pass or refuses by a rule are not in the queue.
func (g *Gateway) ProxyUses() map[string]RuleUse {
	g.proxied.mu.Lock()
	defer g.proxied.mu.Unlock()
	return maps.Clone(g.proxied.of)
}

// storedIDs returns the IDs of the stored rules among the reasons of a decision.
func storedIDs(d *umpire.Decision) (ids []string) {
	seen := map[string]bool{}
	for _, r := range d.Reasons {
		if id, ok := strings.CutPrefix(r.Rule, storedRule); ok {
			if id, _, _ = strings.Cut(id, "-"); !seen[id] { // a rule has one for each of its patterns
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}
