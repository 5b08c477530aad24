package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// The parts of CycloneDX 1.6 that a Go program fills.
type (
	document struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Serial       string       `json:"serialNumber"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// sbom reads from a built program what was linked into it. The same program gives the same
// document: there is no time in it, and the serial number is of the program's digest.
func sbom(program string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	root := component{Type: "application", Ref: info.Path, Name: filepath.Base(program), Version: versionIn(info), Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
		Properties: []property{{"go:version", info.GoVersion}}}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" {
			root.Properties = append(root.Properties, property{"go:" + strings.ToLower(s.Key), s.Value})
		}
	}
	doc := document{Format: "CycloneDX", Spec: "1.6", Serial: serial(sum), Version: 1, Metadata: metadata{root}}
	all := dependency{Ref: root.Ref}
	add := func(path, version, sum string) {
		c := component{Type: "library", Name: path, Version: version, PURL: "pkg:golang/" + strings.ReplaceAll(url.PathEscape(path), "%2F", "/") + "@" + url.PathEscape(version)}
		c.Ref = c.PURL
		if sum != "" {
			c.Properties = []property{{"go:sum", sum}} // a hash of a list of hashes, which is none of CycloneDX's
		}
		doc.Components = append(doc.Components, c)
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	add("std", strings.TrimPrefix(info.GoVersion, "go"), "")
	for _, m := range info.Deps {
		for m.Replace != nil {
			m = m.Replace
		}
		add(m.Path, m.Version, m.Sum)
	}
	doc.Dependencies = []dependency{all}
	text, err := json.MarshalIndent(doc, "", "  ")
	return append(text, '\n'), err
}

// versionIn is the version that a release set, or the module's.
func versionIn(info *debug.BuildInfo) string {
	for _, s := range info.Settings {
		if s.Key != "-ldflags" {
			continue
		}
		for _, word := range strings.Fields(s.Value) {
			if v, ok := strings.CutPrefix(word, "github.com/umpire-dev/umpire/internal/version.releaseVersion="); ok {
				return v
			}
		}
	}
	return info.Main.Version
}

// serial is a UUID (version 8) made of a digest.
func serial(sum [32]byte) string {
	id := [16]byte(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
