package project

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/regular"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// ReadPolicyFile reads a policy file. A missing file is empty.
func ReadPolicyFile(path string) ([]byte, error) {
	b, err := atomicfile.ReadSmall(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// Trust marks the project's file at path, with its present content, as trusted.
func Trust(layers policyfile.Paths, path string) error {
	data, err := regular.Read(path, policyfile.MaxFile)
	if err != nil {
		return err
	}
	return policyfile.Trust(layers.Trust, path, data)
}

// AnswerPatterns returns, for each rule that a person's answer added, the effect and the pattern
// as the end of a line.
func (p Project) AnswerPatterns() map[string]string {
	out := map[string]string{}
	_, l, err := p.Policy("")
	if err != nil {
		return out
	}
	for i := range l.Source.Rules {
		if r := &l.Source.Rules[i]; strings.HasPrefix(r.ID, "always-") && len(r.Match) > 0 {
			out[r.ID] = ": " + r.Effect.String() + " " + visible.Line(r.Match[0].String())
		}
	}
	return out
}

// Revoke removes the rule of a person's answer from the user's policy, or from the project's
// file, which stays trusted if it was. It returns the IDs of the removed rules and their file.
func Revoke(at Project, id string) (taken []string, path string, err error) {
	layers := snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv)
	taken, err = policyfile.Revoke(layers.User, id)
	if err == nil {
		return taken, layers.User, nil
	}
	before, readErr := ReadPolicyFile(layers.Project)
	if readErr == nil && len(before) > 0 {
		trusted, trustErr := policyfile.Trusted(layers.Trust, layers.Project, before)
		if trustErr != nil {
			return nil, "", errors.Join(err, trustErr)
		}
		taken, inProject := policyfile.Revoke(layers.Project, id)
		if inProject == nil && trusted {
			return taken, layers.Project, Trust(layers, layers.Project)
		}
		if inProject == nil {
			return taken, layers.Project, nil
		}
		if errors.Is(err, policyfile.ErrNoAnswer) && !errors.Is(inProject, policyfile.ErrNoAnswer) {
			err = inProject
		}
	}
	if errors.Is(err, policyfile.ErrNoAnswer) {
		err = at.noAnswer(id, layers)
	}
	return nil, "", err
}

// noAnswer returns the error for an ID that no answer has, with the ID that was probably meant.
func (p Project) noAnswer(id string, layers policyfile.Paths) error {
	if _, l, err := p.Policy(""); err == nil {
		for i := range l.Source.Rules {
			switch r := &l.Source.Rules[i]; {
			case r.ID != id:
			case r.Layer == policy.Builtin:
				return fmt.Errorf("%s is a built-in rule: to turn it off, add it to disable: in your policy", id)
			default:
				return fmt.Errorf("%s was written by hand: remove it from %s yourself", id, visible.Line(r.Pos.String()))
			}
		}
	}
	if near := nearest.Word(id, append(policyfile.Answers(layers.User), policyfile.Answers(layers.Project)...)); near != "" {
		return fmt.Errorf("there is no rule %s; did you mean %s?", id, near)
	}
	return fmt.Errorf("there is no rule %s; umpire policy list shows all", id)
}
