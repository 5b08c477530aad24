// Package review assembles a review: it runs the checks without a model and an engine over one
// snapshot, sanitizes all returned text, and merges and grades the findings. An engine cannot
// remove findings of the checks, and the grade is computed here.
package review

import (
	"context"

	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// Engine lets a model read a snapshot. Its results are sanitized before anyone sees them.
type Engine interface {
	// Review returns the findings. If some of the material was not reviewed, Incomplete gives the
	// reasons. An error, such as ErrIsolation, means that the review could not begin.
	Review(ctx context.Context, s *snapshot.Snapshot) (*EngineResult, error)
}

// EngineResult is the result of an engine.
type EngineResult struct {
	Findings   []Found
	Actions    []string // recommended actions
	Agents     []Agent
	Security   map[string]int // events by their type
	Read       map[string]Coverage
	Isolation  []Layer
	Incomplete []string // why the review is incomplete; fixed sentences, never a model's text
}

// Found is a finding as the model returned it.
type Found struct {
	finding.Finding
	Agent     string
	Confirmed *bool // opinion of a second agent, if there is one
}

// Agent describes one run of a reviewer, as umpire measured it.
type Agent struct {
	ID          string `json:"id"`
	Model       string `json:"model"`
	ToolCalls   int    `json:"toolCalls"`
	DeniedCalls int    `json:"deniedCalls"`
	Tokens      int64  `json:"tokens"`
	// CachedTokens is the part of Tokens that the provider read from its cache.
	CachedTokens int64  `json:"cachedTokens,omitempty"`
	Duration     int64  `json:"duration"` // milliseconds
	Exit         string `json:"exit"`     // normal, timeout, error, limit
}

// Layer is a layer of isolation and its state.
type Layer struct {
	Name  string `json:"name"`
	State string `json:"state"` // on, missing, off
	Why   string `json:"why,omitempty"`
}

// Reviewed is the part of a file that a reviewer read.
type Reviewed string

// The amounts.
const (
	Full    Reviewed = "full"
	Partial Reviewed = "partial"
	None    Reviewed = "none"
)

// Coverage is the reviewed part of each file, by its path in the snapshot.
type Coverage struct {
	Reviewed Reviewed
	Why      string
}
