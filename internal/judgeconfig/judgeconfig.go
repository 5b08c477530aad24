// Package judgeconfig builds the judge and its chain of models from the settings of a policy.
package judgeconfig

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire/internal/home"
	modeljudge "github.com/umpire-dev/umpire/internal/judge"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
)

// ErrNone means that the policy does not enable a judge.
var ErrNone = errors.New("your policy has no judge: turn one on with `umpire judge use PROVIDER`; `umpire judge providers` lists them")

// Settings reads the administrator's and the user's settings for the judge. It ignores the
// project's file, because the settings name programs to run and hosts that get keys.
func Settings(home, workspace string) (policyfile.Judge, error) {
	loaded, err := project.OwnSettings(home, workspace)
	if err != nil {
		return policyfile.Judge{}, err
	}
	return loaded.Judge, nil
}

// New returns the judge of the settings. Its cache is in Dir, which the self pack protects.
func New(s policyfile.Judge, home string) *modeljudge.Judge {
	chain := Chain(s, home)
	j := &modeljudge.Judge{Model: chain, Chain: chain.String(), Timeout: s.Timeout, MinConfidence: s.MinConfidence}
	if dir := Dir(home); dir != "" {
		j.Cache = &modeljudge.Cache{Dir: filepath.Join(dir, "answers"), Age: orElse(s.Cache, modeljudge.DefaultAge)}
	}
	return j
}

// Chain returns the models of the settings, in the order of use.
func Chain(s policyfile.Judge, home string) *model.Chain {
	c := &model.Chain{Getenv: os.Getenv}
	names := s.Providers
	if len(names) == 0 {
		// Not ollama: if it does not run, any program can listen in its place, even one of the
		// agent.
		names = []string{"anthropic", "github-models", "openai", "openrouter"}
	}
	for _, n := range names {
		p := model.Provider{Name: n}
		set := map[string]*policyfile.Provider{"anthropic": s.Anthropic, "github-models": s.GitHubModels, "openai": s.OpenAI, "openrouter": s.OpenRouter, "ollama": s.Ollama}[n]
		if set != nil {
			p.Model, p.BaseURL, p.KeyCommand = set.Model, set.BaseURL, set.APIKeyCommand
		}
		c.Providers = append(c.Providers, p)
	}
	c.Budget = &model.Budget{Calls: orElse(s.CallsPerDay, modeljudge.DefaultCalls), Most: model.Cost(orElse(s.CentsPerDay, modeljudge.DefaultCents)) * model.Cent}
	if c.Dir = Dir(home); c.Dir != "" {
		c.Budget.Path = filepath.Join(c.Dir, "budget.json")
	}
	return c
}

// Dir returns the folder of answers, failures and the budget, or "" without a home. It ignores
// XDG_CACHE_HOME: a project's settings can set that variable for the agent and its hooks, and the
// self pack protects only this folder.
func Dir(dir string) string {
	if own := home.Own(); own != "" {
		dir = own
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, home.Cache, "judge")
}

func orElse[T int | time.Duration](v, otherwise T) T {
	if v <= 0 {
		return otherwise
	}
	return v
}
