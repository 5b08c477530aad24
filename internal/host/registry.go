package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/visible"
)

// Registries shows people the data of public registries about packages that an agent wants.
// After a registry failed to answer, requests skip it for a while.
type Registries struct {
	Bases  map[string]string // for npm, pypi, crates, go and rubygems; a missing one is not queried
	Within time.Duration     // time limit for all names of a request; 3 seconds if zero

	mu   sync.Mutex // guards away
	away map[string]time.Time
}

// PublicRegistries are the default registries of package managers.
func PublicRegistries() *Registries {
	return &Registries{Bases: map[string]string{"npm": "https://registry.npmjs.org", "pypi": "https://pypi.org", "crates": "https://crates.io", "go": "https://proxy.golang.org", "rubygems": "https://rubygems.org"}}
}

// Limits of queries.
const (
	lookTime   = 3 * time.Second // unless Within says otherwise
	awayTime   = 2 * time.Minute
	maxLooked  = 10       // names
	maxRecord  = 32 << 20 // bytes; npm sends all versions
	maxAboutLn = 300
)

// About describes packages, one per line. Its texts come from third parties and are escaped. It
// takes a few seconds at most.
func (r *Registries) About(ctx context.Context, name string, packages []string) string {
	m, ok := managers[name]
	if r == nil || !ok || r.Bases[m.registry] == "" {
		return ""
	}
	r.mu.Lock()
	away := time.Now().Before(r.away[m.registry])
	r.mu.Unlock()
	if away {
		return "the registry does not answer, so the age and the scripts of the packages are unknown\n"
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.Within, lookTime))
	defer cancel()
	looked := packages[:min(len(packages), maxLooked)]
	lines := make([]string, len(looked))
	var all sync.WaitGroup
	for i, p := range looked {
		all.Go(func() { lines[i] = r.about(ctx, m.registry, unversioned(name, p)) })
	}
	all.Wait()
	text := strings.Join(lines, "")
	if n := len(packages) - len(looked); n > 0 {
		text += fmt.Sprintf("and %d more, which were not looked up\n", n)
	}
	return text
}

// unversioned returns a package's name without its version.
func unversioned(manager, p string) string {
	switch managers[manager].registry {
	case "npm":
		if i := strings.LastIndexByte(p, '@'); i > 0 {
			p = p[:i]
		}
	case "rubygems":
		p, _, _ = strings.Cut(p, ":")
	default:
		if i := strings.IndexAny(p, "@[=<>~!"); i > 0 {
			p = p[:i]
		}
	}
	return strings.TrimSuffix(p, "/...")
}

var errNoPackage = errors.New("there is no such package")

func (r *Registries) about(ctx context.Context, registry, name string) string {
	text, err := describe[registry](ctx, r.Bases[registry], name)
	switch {
	case errors.Is(err, errNoPackage):
		text = "the registry has no such package"
	case err != nil:
		r.mu.Lock()
		if r.away == nil {
			r.away = map[string]time.Time{}
		}
		r.away[registry] = time.Now().Add(awayTime)
		r.mu.Unlock()
		text = "the registry does not answer"
	}
	return visible.Clip(name, 100) + ": " + visible.Clip(text, maxAboutLn) + "\n"
}

// fetch reads a record of a registry. It follows no URL in the response.
func fetch(ctx context.Context, at string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", "umpire (github.com/umpire-dev/umpire)")
	req.Header.Set("Accept", "application/json")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	switch {
	case res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone:
		return errNoPackage
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("the registry says %s", res.Status)
	}
	return json.NewDecoder(io.LimitReader(res.Body, maxRecord)).Decode(into)
}

// joinFacts joins the known facts.
func joinFacts(parts ...string) string {
	var out []string
	for i := 0; i+1 < len(parts); i += 2 {
		if v := strings.TrimSpace(parts[i+1]); v != "" {
			out = append(out, strings.TrimSpace(parts[i]+" "+v))
		}
	}
	return strings.Join(out, "; ")
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// describe queries each registry in its own format.
var describe = map[string]func(ctx context.Context, base, name string) (string, error){
	"npm": func(ctx context.Context, base, name string) (string, error) {
		var v struct {
			Description string               `json:"description"`
			License     any                  `json:"license"`
			Homepage    string               `json:"homepage"`
			Tags        map[string]string    `json:"dist-tags"`
			Time        map[string]time.Time `json:"time"`
			Versions    map[string]struct {
				Deprecated any  `json:"deprecated"`
				Scripts    bool `json:"hasInstallScript"`
			} `json:"versions"`
			Maintainers []struct {
				Name string `json:"name"`
			} `json:"maintainers"`
		}
		if err := fetch(ctx, base+"/"+url.PathEscape(name), &v); err != nil {
			return "", err
		}
		latest := v.Tags["latest"]
		license, _ := v.License.(string)
		warn := ""
		if v.Versions[latest].Scripts {
			warn = "yes"
		}
		deprecated, _ := v.Versions[latest].Deprecated.(string)
		var by []string
		for _, m := range v.Maintainers {
			by = append(by, m.Name)
		}
		return joinFacts("latest", latest, "of", day(v.Time[latest]), "first published", day(v.Time["created"]), "versions", fmt.Sprint(len(v.Versions)), "install scripts:", warn, "deprecated:", deprecated, "license", license,
			"by", strings.Join(by[:min(len(by), 5)], ", "), "", v.Description), nil
	},
	"pypi": func(ctx context.Context, base, name string) (string, error) {
		var v struct {
			Info struct {
				Version string `json:"version"`
				Summary string `json:"summary"`
				License string `json:"license"`
				Author  string `json:"author"`
				Yanked  bool   `json:"yanked"`
			} `json:"info"`
			Releases map[string]json.RawMessage `json:"releases"`
			URLs     []struct {
				At time.Time `json:"upload_time_iso_8601"`
			} `json:"urls"`
		}
		if err := fetch(ctx, base+"/pypi/"+url.PathEscape(name)+"/json", &v); err != nil {
			return "", err
		}
		var at time.Time
		if len(v.URLs) > 0 {
			at = v.URLs[0].At
		}
		yanked := ""
		if v.Info.Yanked {
			yanked = "yes"
		}
		license, _, _ := strings.Cut(v.Info.License, "\n")
		return joinFacts("latest", v.Info.Version, "of", day(at), "versions", fmt.Sprint(len(v.Releases)), "yanked:", yanked, "license", license, "by", v.Info.Author, "", v.Info.Summary), nil
	},
	"crates": func(ctx context.Context, base, name string) (string, error) {
		var v struct {
			Crate struct {
				Version     string    `json:"max_version"`
				Description string    `json:"description"`
				Repository  string    `json:"repository"`
				Downloads   int       `json:"downloads"`
				Created     time.Time `json:"created_at"`
				Updated     time.Time `json:"updated_at"`
			} `json:"crate"`
		}
		if err := fetch(ctx, base+"/api/v1/crates/"+url.PathEscape(name), &v); err != nil {
			return "", err
		}
		c := v.Crate
		return joinFacts("latest", c.Version, "of", day(c.Updated), "first published", day(c.Created), "downloads", fmt.Sprint(c.Downloads), "source", c.Repository, "", c.Description), nil
	},
	"go": func(ctx context.Context, base, name string) (string, error) {
		var v struct {
			Version string    `json:"Version"`
			Time    time.Time `json:"Time"`
			Origin  struct {
				URL string `json:"URL"`
			} `json:"Origin"`
		}
		var path strings.Builder // capitals are escaped with "!"
		for _, c := range name {
			if c >= 'A' && c <= 'Z' {
				path.WriteByte('!')
				c += 'a' - 'A'
			}
			path.WriteRune(c)
		}
		if err := fetch(ctx, base+"/"+path.String()+"/@latest", &v); err != nil {
			return "", err
		}
		return joinFacts("latest", v.Version, "of", day(v.Time), "source", v.Origin.URL), nil
	},
	"rubygems": func(ctx context.Context, base, name string) (string, error) {
		var v struct {
			Version   string    `json:"version"`
			At        time.Time `json:"version_created_at"`
			Info      string    `json:"info"`
			Authors   string    `json:"authors"`
			Downloads int       `json:"downloads"`
		}
		if err := fetch(ctx, base+"/api/v1/gems/"+url.PathEscape(name)+".json", &v); err != nil {
			return "", err
		}
		return joinFacts("latest", v.Version, "of", day(v.At), "downloads", fmt.Sprint(v.Downloads), "by", v.Authors, "", v.Info), nil
	},
}
