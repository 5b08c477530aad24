package main

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// release lays out a folder dist as goreleaser does, with texts for programs.
func release(t *testing.T, version string) (dist string) {
	t.Helper()
	root := t.TempDir()
	dist = filepath.Join(root, "dist")
	type artifact struct {
		Path   string `json:"path"`
		Goos   string `json:"goos"`
		Goarch string `json:"goarch"`
		Type   string `json:"type"`
	}
	list := []artifact{{"dist/umpire.deb", "linux", "amd64", "Linux Package"}}
	for _, platform := range []string{"linux/arm64", "linux/amd64", "windows/amd64"} {
		system, processor, _ := strings.Cut(platform, "/")
		for _, program := range []string{"umpire", "umpire-hook"} {
			path := filepath.Join("dist", program+"_"+system+"_"+processor, program)
			write(t, filepath.Join(root, path), program+" for "+platform)
			date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			if err := os.Chtimes(filepath.Join(root, path), date, date); err != nil {
				t.Fatal(err)
			}
			list = append(list, artifact{filepath.ToSlash(path), system, processor, "Binary"})
		}
	}
	for file, content := range map[string]any{"artifacts.json": list, "metadata.json": map[string]string{"version": version, "commit": "c0ffee"}} {
		text, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dist, file), string(text))
	}
	return dist
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// push builds the image of a release, sends it to a registry of the test, and returns the
// registry's address.
func push(t *testing.T, version string) (repository string) {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	repository = strings.TrimPrefix(server.URL, "http://") + "/umpire"
	folder := filepath.Join(t.TempDir(), "image")
	for _, args := range [][]string{{"image", release(t, version), folder}, {"push", folder, repository}} {
		if err := run(args); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
	}
	return repository
}

func pull(t *testing.T, reference string) v1.ImageIndex {
	t.Helper()
	ref, err := name.ParseReference(reference)
	if err != nil {
		t.Fatal(err)
	}
	index, err := remote.Index(ref)
	if err != nil {
		t.Fatal(err)
	}
	return index
}

func TestImage(t *testing.T) {
	repository := push(t, "1.2.3")
	index := pull(t, repository+":1.2.3")
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, m := range manifest.Manifests {
		platforms = append(platforms, m.Platform.String())
	}
	if want := []string{"linux/amd64", "linux/arm64"}; !slices.Equal(platforms, want) {
		t.Errorf("platforms %q, want %q", platforms, want)
	}
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if c := config.Config; c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/usr/bin/umpire"}) || c.Labels["org.opencontainers.image.revision"] != "c0ffee" {
			t.Errorf("%s: user %q, entry point %q, labels %q", m.Platform, c.User, c.Entrypoint, c.Labels)
		}
		files := map[string]*tar.Header{}
		contents := map[string]string{}
		flat := mutate.Extract(image)
		for r := tar.NewReader(flat); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			files[h.Name], contents[h.Name] = h, string(text)
		}
		if err := flat.Close(); err != nil {
			t.Error(err)
		}
		for _, program := range []string{"umpire", "umpire-hook"} {
			if got, want := contents["usr/bin/"+program], program+" for "+m.Platform.String(); got != want {
				t.Errorf("%s: /usr/bin/%s is %q, want %q", m.Platform, program, got, want)
			}
		}
		if n := strings.Count(contents["etc/ssl/certs/ca-certificates.crt"], "BEGIN CERTIFICATE"); n < 100 {
			t.Errorf("%s: %d root certificates", m.Platform, n)
		}
		for path, h := range files {
			// Only the home is the user's. All else is root's, and nobody may write to it.
			switch mine := path == "home/umpire" || path == "home/umpire/"; {
			case mine != (h.Uid == user), h.Uid != h.Gid, strings.Contains(path, "/sh"):
				t.Errorf("%s: %s belongs to %d:%d", m.Platform, path, h.Uid, h.Gid)
			case h.Mode&0o022 != 0 && strings.TrimSuffix(path, "/") != "tmp", h.Mode&0o6000 != 0:
				t.Errorf("%s: %s has mode %o", m.Platform, path, h.Mode)
			}
		}
	}
}

func TestImageTags(t *testing.T) {
	digest := func(reference string) string {
		d, err := pull(t, reference).Digest()
		if err != nil {
			t.Fatal(err)
		}
		return d.String()
	}
	one, two := push(t, "1.2.3"), push(t, "1.2.3")
	if a, b := digest(one+":1.2.3"), digest(two+":1.2.3"); a != b {
		t.Errorf("two builds have the digests %s and %s", a, b)
	}
	if a, b := digest(one+":1.2.3"), digest(one+":latest"); a != b {
		t.Errorf("1.2.3 is %s, latest is %s", a, b)
	}
	trial := push(t, "1.2.4-rc.1")
	digest(trial + ":1.2.4-rc.1")
	ref, err := name.ParseReference(trial + ":latest")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := remote.Index(ref); err == nil {
		t.Error("a version for trial became the latest")
	}
}

func TestImageNeedsARelease(t *testing.T) {
	for name, change := range map[string]func(dist string) error{
		"nothing built":    os.RemoveAll,
		"damaged metadata": func(dist string) error { return os.WriteFile(filepath.Join(dist, "metadata.json"), []byte("{"), 0o644) },
		"damaged artifacts": func(dist string) error {
			return os.WriteFile(filepath.Join(dist, "artifacts.json"), []byte("[]x"), 0o644)
		},
		"no programs": func(dist string) error {
			return os.WriteFile(filepath.Join(dist, "artifacts.json"), []byte("[]"), 0o644)
		},
		"a program is gone": func(dist string) error { return os.RemoveAll(filepath.Join(dist, "umpire_linux_arm64")) },
	} {
		t.Run(name, func(t *testing.T) {
			dist, folder := release(t, "1.2.3"), filepath.Join(t.TempDir(), "image")
			if err := change(dist); err != nil {
				t.Fatal(err)
			}
			if err := run([]string{"image", dist, folder}); err == nil {
				t.Error("an image was made")
			}
			if _, err := os.Stat(folder); err == nil {
				t.Error("a folder was made")
			}
		})
	}
}
