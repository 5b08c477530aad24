package policyfile

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/policy"
)

// JudgeChange is a change of the judge in a policy file, to be shown and then written.
type JudgeChange struct {
	Path          string
	Before, After []byte // Before is empty if there is no file
}

// PlanJudge enables the judge in a policy file: first the named provider, then those that the
// file already has. set contains settings that the file lacks. The rest of the file stays
// unchanged.
func PlanJudge(path, provider string, set Provider) (JudgeChange, error) {
	c, old, err := openJudge(path)
	if err != nil {
		return c, err
	}
	want := Judge{}
	if old.Judge != nil {
		want = *old.Judge
	}
	want.Enabled = true
	want.Providers = append([]string{provider}, slices.DeleteFunc(slices.Clone(want.Providers), func(n string) bool { return n == provider })...)
	keys := []string{"enabled: true", "providers: [" + strings.Join(want.Providers, ", ") + "]"}
	if !reflect.DeepEqual(set, Provider{}) {
		at := want.provider(provider)
		switch {
		case at == nil:
			return c, fmt.Errorf("unknown provider %q", provider)
		case *at == nil:
			*at = &set
			keys = append(keys, provider+": "+set.text())
		case !reflect.DeepEqual(**at, set):
			return c, fmt.Errorf("%s already has settings in %q: change them there", path, "judge: "+provider)
		}
	}
	err = c.plan(old, want, keys)
	return c, err
}

// PlanNoJudge turns the judge off in a policy file. Its settings stay for later.
func PlanNoJudge(path string) (JudgeChange, error) {
	c, old, err := openJudge(path)
	if err != nil || old.Judge == nil || !old.Judge.Enabled {
		c.After = c.Before
		return c, err
	}
	want := *old.Judge
	want.Enabled = false
	keys := []string{"enabled: false"}
	if len(want.Providers) > 0 {
		keys = append(keys, "providers: ["+strings.Join(want.Providers, ", ")+"]")
	}
	err = c.plan(old, want, keys)
	return c, err
}

// openJudge reads a policy file to change it.
func openJudge(path string) (c JudgeChange, old *File, err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	c, old = JudgeChange{Path: path}, &File{}
	if c.Before, err = readFile(path); err == nil && len(c.Before) > 0 {
		old, err = Parse(path, c.Before, policy.User)
	}
	return c, old, err
}

// plan writes the keys of the judge, and checks that the result means what is wanted.
func (c *JudgeChange) plan(old *File, want Judge, keys []string) (err error) {
	path := c.Path
	if c.After, err = withJudge(c.Before, old.Judge != nil, keys); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	now, err := Parse(path, c.After, policy.User)
	if err != nil || now.Judge == nil || !reflect.DeepEqual(*now.Judge, want) || len(now.Rules) != len(old.Rules) {
		return fmt.Errorf("%s: %w", path, errJudgeForm(keys))
	}
	return nil
}

// Apply writes the change, if the file is unchanged since the plan.
func (c *JudgeChange) Apply() error {
	return edit(c.Path, func(old []byte) ([]byte, error) {
		if !bytes.Equal(old, c.Before) {
			return nil, errors.New(c.Path + " changed in the meantime: try again")
		}
		return c.After, nil
	})
}

func errJudgeForm(keys []string) error {
	return errors.New("umpire cannot edit its judge in this form: write " + strconv.Quote(strings.Join(keys, ", ")) + " into it")
}

// provider returns the position of a provider's settings, or nil.
func (j *Judge) provider(name string) **Provider {
	return map[string]**Provider{"anthropic": &j.Anthropic, "github-models": &j.GitHubModels, "openai": &j.OpenAI, "openrouter": &j.OpenRouter, "ollama": &j.Ollama}[name]
}

func (p *Provider) text() string {
	var parts []string
	if p.Model != "" {
		parts = append(parts, "model: "+strconv.Quote(p.Model))
	}
	if p.BaseURL != "" {
		parts = append(parts, "baseURL: "+strconv.Quote(p.BaseURL))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

var (
	judgeBlock = lazy.Regexp(`(?m)^judge:[ \t]*(?:#.*)?\n((?:(?:[ \t]+\S.*|[ \t]*#.*|[ \t]*)\n)*)`)
	judgeFlow  = lazy.Regexp(`(?m)^judge:[ \t]*\{(.*)\}[ \t]*(#.*)?$`)
)

// withJudge replaces or adds keys of the judge in a policy. The caller must check that the result
// means what is wanted.
func withJudge(old []byte, has bool, keys []string) ([]byte, error) {
	text := strings.TrimRight(strings.ReplaceAll(string(old), "\r\n", "\n"), "\n") + "\n"
	if len(old) == 0 {
		text = "version: 1\n"
	}
	if !has {
		return []byte(text + "judge:\n  " + strings.Join(keys, "\n  ") + "\n"), nil
	}
	if m := judgeFlow().FindStringSubmatchIndex(text); m != nil {
		inside := oldKey().ReplaceAllString(text[m[2]:m[3]], "")
		inside = strings.Trim(inside, ", \t")
		if inside != "" {
			inside = ", " + inside
		}
		return []byte(text[:m[2]] + strings.Join(keys, ", ") + inside + text[m[3]:]), nil
	}
	m := judgeBlock().FindStringSubmatchIndex(text)
	if m == nil {
		return nil, errJudgeForm(keys)
	}
	body := text[m[2]:m[3]]
	first := strings.TrimLeft(body, "\n")
	indent := first[:len(first)-len(strings.TrimLeft(first, " "))]
	if indent == "" {
		return nil, errJudgeForm(keys)
	}
	var kept strings.Builder
	drop := false
	for line := range strings.Lines(body) {
		rest, own := strings.CutPrefix(line, indent)
		switch {
		case own && strings.TrimLeft(rest, " \t\n") != rest || own && drop && strings.HasPrefix(rest, "-"): // belongs to the key above
		case own:
			drop = strings.HasPrefix(rest, "enabled:") || strings.HasPrefix(rest, "providers:")
		default:
			drop = false
		}
		if !drop {
			kept.WriteString(line)
		}
	}
	return []byte(text[:m[2]] + indent + strings.Join(keys, "\n"+indent) + "\n" + kept.String() + text[m[3]:]), nil
}

// oldKey matches a key in a judge on one line.
var oldKey = lazy.Regexp(`\b(?:enabled:[ \t]*\w+|providers:[ \t]*\[[^\]]*\])[ \t]*,?`)
