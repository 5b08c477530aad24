package judgeconfig

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Offer describes an Ollama server on this machine, and how to make it the judge.
func Offer(ctx context.Context, w io.Writer, s policyfile.Judge) {
	if s.Enabled && slices.Contains(s.Providers, "ollama") {
		return
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if l := model.Local(ctx, os.Getenv); l.Available {
		fmt.Fprintf(w, "Ollama is running at %s with %s. To let it judge calls that no rule settles, run umpire judge use ollama\n", visible.Line(l.BaseURL), visible.Line(l.Model))
	}
}
