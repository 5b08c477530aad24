package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLicencesAreCurrent fails when a linked module changed and THIRD_PARTY.md did not.
func TestLicencesAreCurrent(t *testing.T) {
	want, err := licences(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("THIRD_PARTY.md is not current: run make licences")
	}
}

func TestKindOf(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted, free\nof charge, to any person":               "MIT",
		"Redistribution and use in source and binary forms\n... Neither the name of": "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with or without":         "BSD-2-Clause",
		"Apache License\n   Version 2.0":                                             "Apache-2.0",
		"All rights reserved.":                                                       "",
	} {
		if got := kindOf(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// The test's own program stands for a release's: it has modules, and no version.
func TestSBOM(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "document")
	if err := run([]string{"sbom", program, out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	again, err := sbom(program)
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("the same program has two documents: %v", err)
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Format != "CycloneDX" || !strings.HasPrefix(doc.Serial, "urn:uuid:") || len(doc.Metadata.Component.Hashes) != 1 {
		t.Errorf("%s", text)
	}
	if !slices.ContainsFunc(doc.Components, func(c component) bool { return c.Name == "std" && strings.HasPrefix(c.PURL, "pkg:golang/std@1.") }) {
		t.Errorf("the standard library is missing: %s", text)
	}
	if len(doc.Dependencies) != 1 || len(doc.Dependencies[0].DependsOn) != len(doc.Components) {
		t.Errorf("%d components, %v", len(doc.Components), doc.Dependencies)
	}
}

func TestArguments(t *testing.T) {
	if err := run([]string{"nonsense"}); err == nil || !strings.Contains(err.Error(), "usage:") {
		t.Error(err)
	}
}
