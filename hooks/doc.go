// Package hooks runs what else should happen at four moments of an agent's run: before
// it starts, before and after each tool call, and when it is complete.
//
// Hooks before a moment can stop it, change a call's parameters, or have a person asked;
// hooks after one only observe. One that fails is passed over, unless it says
// FailOnError: guards belong into package guard, which fails closed, or set it.
//
// The caller has an Executor, tells it of a Run with Start and Complete, and of each tool
// call with Call and Called.
package hooks
