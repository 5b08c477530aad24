package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user of umpire in the image. Images without a distribution use this number.
const user = 65532

// build describes a release in goreleaser's dist folder.
type build struct {
	version, commit string
	date            time.Time           // the commit's, as goreleaser sets it on programs: a second build has the same bytes
	programs        map[string][]string // by processor
}

// readBuild reads goreleaser's output in dist. It takes the programs for Linux.
func readBuild(dist string) (*build, error) {
	var about struct {
		Version, Commit string
	}
	var artifacts []struct{ Path, Goos, Goarch, Type string }
	for file, into := range map[string]any{"metadata.json": &about, "artifacts.json": &artifacts} {
		text, err := os.ReadFile(filepath.Join(dist, file))
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%w: run make release-snapshot first", err)
		}
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	b := &build{version: about.Version, commit: about.Commit, programs: map[string][]string{}}
	for _, a := range artifacts {
		if a.Type != "Binary" || a.Goos != "linux" {
			continue
		}
		// The paths are relative to the folder that dist is in.
		path := filepath.Join(filepath.Dir(dist), filepath.FromSlash(a.Path))
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		b.date = info.ModTime().UTC()
		b.programs[a.Goarch] = append(b.programs[a.Goarch], path)
	}
	if len(b.programs) == 0 {
		return nil, fmt.Errorf("%s has no programs for Linux", dist)
	}
	return b, nil
}

// index returns the image for all platforms.
func (b *build) index() (v1.ImageIndex, error) {
	labels := map[string]string{
		"org.opencontainers.image.title":         "umpire",
		"org.opencontainers.image.description":   "Decides on the tool calls of AI coding agents",
		"org.opencontainers.image.source":        "https://github.com/umpire-dev/umpire",
		"org.opencontainers.image.documentation": "https://umpire-dev.github.io/umpire/docs/",
		"org.opencontainers.image.licenses":      "Apache-2.0",
		"org.opencontainers.image.version":       b.version,
		"org.opencontainers.image.revision":      b.commit,
		"org.opencontainers.image.created":       b.date.Format(time.RFC3339),
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, processor := range slices.Sorted(maps.Keys(b.programs)) {
		p := v1.Platform{OS: "linux", Architecture: processor}
		image, err := b.image(p, labels)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &p}})
	}
	return mutate.Annotations(index, labels).(v1.ImageIndex), nil
}

// image returns the image for one platform: the programs, the roots of TLS, and a user without
// rights. It has no shell and no package manager for an attacker to use.
func (b *build) image(p v1.Platform, labels map[string]string) (v1.Image, error) {
	content, err := b.files(p)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.OS, p.Architecture, v1.Time{Time: b.date}
	config.Config = v1.Config{
		User:       fmt.Sprintf("%[1]d:%[1]d", user),
		Env:        []string{"PATH=/usr/bin", "HOME=/home/umpire"},
		Entrypoint: []string{"/usr/bin/umpire"},
		Cmd:        []string{"--help"},
		WorkingDir: "/home/umpire",
		Labels:     labels,
	}
	return mutate.ConfigFile(image, config)
}

// files returns the image's files as a tar archive.
func (b *build) files(p v1.Platform) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	add := func(path string, mode int64, owner int, content []byte) error {
		h := &tar.Header{Name: path, Mode: mode, Uid: owner, Gid: owner, ModTime: b.date, Size: int64(len(content)), Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if strings.HasSuffix(path, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err := w.Write(content)
		return err
	}
	for _, f := range []struct {
		path    string
		mode    int64
		owner   int
		content []byte
	}{
		{"etc/", 0o755, 0, nil},
		{"etc/group", 0o644, 0, fmt.Appendf(nil, "root:x:0:\numpire:x:%d:\n", user)},
		{"etc/passwd", 0o644, 0, fmt.Appendf(nil, "root:x:0:0:root:/root:/sbin/nologin\numpire:x:%[1]d:%[1]d:umpire:/home/umpire:/sbin/nologin\n", user)},
		{"etc/ssl/", 0o755, 0, nil},
		{"etc/ssl/certs/", 0o755, 0, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, 0, roots()},
		{"home/", 0o755, 0, nil},
		{"home/umpire/", 0o700, user, nil},
		{"tmp/", 0o1777, 0, nil},
		{"usr/", 0o755, 0, nil},
		{"usr/bin/", 0o755, 0, nil},
	} {
		if err := add(f.path, f.mode, f.owner, f.content); err != nil {
			return nil, err
		}
	}
	for _, path := range b.programs[p.Architecture] {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := add("usr/bin/"+filepath.Base(path), 0o755, 0, content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// roots returns Mozilla's root certificates, as programs look for them in a file. A root that
// Mozilla trusts only up to a date is left out: a file cannot say the date.
func roots() []byte {
	var out []byte
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})...)
	}
	return out
}

// writeImage writes the image of the release in dist as an OCI layout, which every engine loads.
func writeImage(dist, folder string) error {
	b, err := readBuild(dist)
	if err != nil {
		return err
	}
	index, err := b.index()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	return path.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": b.version}))
}

// pushImage sends the image in folder to a registry, under its version and as the latest. The
// key is the one that the machine's container tools use.
func pushImage(ctx context.Context, folder, repository string) error {
	index, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return err
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return err
	}
	if len(manifest.Manifests) != 1 {
		return fmt.Errorf("%s holds %d images, want one", folder, len(manifest.Manifests))
	}
	image, err := index.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		return err
	}
	version := manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"]
	tags := []string{version}
	if !strings.Contains(version, "-") { // a trial version is never the latest
		tags = append(tags, "latest")
	}
	for _, tag := range tags {
		ref, err := name.NewTag(repository + ":" + tag)
		if err != nil {
			return err
		}
		if err := remote.WriteIndex(ref, image, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
			return err
		}
	}
	return nil
}
