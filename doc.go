// Package umpire names the nouns of the referee for AI coding agents: who wants
// what (Principal, Action), what it would do (Operation), and what was decided
// (Effect, Verdict, Decision).
//
// The package has no I/O. Reading an Action into Operations is the work of
// internal/operation, weighing Operations against rules that of package policy.
package umpire
