package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// programs are what a release ships.
var programs = []string{"github.com/umpire-dev/umpire/cmd/umpire", "github.com/umpire-dev/umpire/cmd/umpire-hook"}

// systems are those that a release is built for. Modules differ by system, not by processor.
var systems = []string{"linux", "darwin", "windows"}

// legal are the names of files that must accompany a module's code.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-_.].*)?$`)

// module is a module that is linked into a program.
type module struct {
	path, version, dir string
	texts              []legalText
}

type legalText struct{ file, text string }

// licences returns THIRD_PARTY.md: a table of all linked modules, and the texts. Modules
// with the same text share it.
func licences(ctx context.Context) ([]byte, error) {
	list, err := linked(ctx)
	if err != nil {
		return nil, err
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find the standard library: %w", err)
	}
	std := &module{path: "Go standard library", version: "the release's", dir: strings.TrimSpace(string(root))}
	list = append([]*module{std}, list...)
	var b bytes.Buffer
	b.WriteString("# Third-party software\n\nThe programs `umpire` and `umpire-hook` contain these modules. `make licences` writes this file.\n\n| module | version | licence |\n| --- | --- | --- |\n")
	holders := map[string][]string{}
	var order []string
	for _, m := range list {
		if err := m.read(); err != nil {
			return nil, err
		}
		var kinds []string
		for _, t := range m.texts {
			if kind := kindOf(t.text); kind != "" && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			if holders[t.text] == nil {
				order = append(order, t.text)
			}
			holders[t.text] = append(holders[t.text], m.path)
		}
		if len(kinds) == 0 {
			return nil, fmt.Errorf("no known licence in %s: look at its files, and teach kindOf the text", m.path)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, m.version, strings.Join(kinds, ", "))
	}
	for _, text := range order {
		fmt.Fprintf(&b, "\n## %s\n\n````text\n%s\n````\n", strings.Join(holders[text], ", "), text)
	}
	return b.Bytes(), nil
}

// linked returns the modules of all programs on all systems, sorted by path.
func linked(ctx context.Context) ([]*module, error) {
	found := map[string]*module{}
	for _, system := range systems {
		c := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"}, programs...)...)
		c.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("list the modules for %s: %w", system, err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
				found[f[0]] = &module{path: f[0], version: f[1], dir: f[2]}
			}
		}
	}
	list := make([]*module, 0, len(found))
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return cmp.Compare(a.path, b.path) })
	return list, nil
}

// read reads the module's legal files.
func (m *module) read() error {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !legal.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.dir, e.Name()))
		if err != nil {
			return err
		}
		m.texts = append(m.texts, legalText{e.Name(), strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))})
	}
	if len(m.texts) == 0 {
		return fmt.Errorf("%s has no licence file in %s", m.path, m.dir)
	}
	return nil
}

// kindOf returns the SPDX identifier of a licence, or "" if it is unknown.
func kindOf(text string) string {
	words := strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(words, s) }
	switch {
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case has("Mozilla Public License") && has("2.0"):
		return "MPL-2.0"
	case has("Permission is hereby granted, free of charge"):
		return "MIT"
	case has("Permission to use, copy, modify, and distribute this software") || has("Permission to use, copy, modify, and/or distribute this software"):
		return "ISC"
	case has("Redistribution and use in source and binary forms") && (has("Neither the name") || has("nor the names")):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	}
	return ""
}
