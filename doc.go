// Package umpire names the nouns of the referee for AI coding agents: who wants
// what (Principal, Action), what it would do (Operation), and what was decided
// (Effect, Verdict, Decision).
//
// The package has no I/O. Package reader reads an Action into Operations, package policy
// decides about Operations by rules, and package decision does both. Packages enforce,
// hooks and guard are for agents written in Go.
package umpire
