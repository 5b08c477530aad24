package quarantine

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
)

// Config has the limits of a review. DefaultConfig returns the usual ones.
type Config struct {
	Enabled      bool          // if false, no review runs, because reviews must be guarded
	AllowedTools []string      // exact names
	KeySize      int           // bytes of a session's key
	ReferenceTTL time.Duration // in seconds
	Rate         int           // calls of an agent per minute
	MaxAgents    int           // concurrent agents
	Timeout      time.Duration // time limit of one agent
	AuditPath    string        // file for events
	AuditMust    bool          // stop the review if events cannot be written
}

// minKey is the minimum length of a session's key, in bytes.
const minKey = 32

// DefaultConfig returns the usual limits, with events written to a path.
func DefaultConfig(auditPath string) Config {
	return Config{
		Enabled:      true,
		AllowedTools: []string{Read, Grep, Glob},
		KeySize:      minKey,
		ReferenceTTL: time.Hour,
		Rate:         100,
		MaxAgents:    5,
		Timeout:      5 * time.Minute,
		AuditPath:    auditPath,
	}
}

// Check returns all faults of a configuration. A review requires one without faults.
func (c *Config) Check() error {
	var faults []error
	bad := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if !c.Enabled {
		bad("enabled: reviews are switched off; switch them on, there is no review without guards")
	}
	if len(c.AllowedTools) == 0 {
		bad("allowedTools: it is empty; list %s, %s, %s or some of them", Read, Grep, Glob)
	}
	for i, name := range c.AllowedTools {
		if t := classify(name); t.Denied {
			bad("allowedTools[%d]: %q is never allowed in a review (%s risk)", i, name, t.Risk)
		}
		if name == "" {
			bad("allowedTools[%d]: it is empty; remove it", i)
		}
		if slices.Index(c.AllowedTools, name) < i {
			bad("allowedTools[%d]: %q is listed twice", i, name)
		}
	}
	if c.KeySize < minKey || c.KeySize > 1024 {
		bad("hmacKeySize: %d bytes; use %d to 1024", c.KeySize, minKey)
	}
	if c.ReferenceTTL <= 0 || c.ReferenceTTL%time.Second != 0 {
		bad("typedReferenceTTL: %s; use a positive number of whole seconds", plural.Duration(c.ReferenceTTL))
	}
	if c.Rate <= 0 {
		bad("toolRateLimitPerMinute: %d; use 1 or more", c.Rate)
	}
	if c.MaxAgents <= 0 {
		bad("maxConcurrentQuarantineAgents: %d; use 1 or more", c.MaxAgents)
	}
	if c.Timeout <= 0 {
		bad("quarantineAgentTimeout: %s; use a positive time", plural.Duration(c.Timeout))
	}
	if c.AuditPath == "" {
		bad("auditLogPath: it is empty; name a file")
	}
	return errors.Join(faults...)
}
