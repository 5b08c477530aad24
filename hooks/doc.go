// Package hooks runs what else should happen at four moments of an agent's run: before
// it starts, before and after each tool call, and when it is complete.
//
// Hooks before a moment can stop it, change a call's parameters, or have a person asked;
// hooks after one only observe. One that fails is passed over, unless it says
// FailOnError: guards belong into package guard, which fails closed, or set it.
//
// Hooks run by their Order, lowest first. A hook of the critical range fails closed, and no
// hook that may fail open runs before one of that range: with an Order below 1, and so with
// the default of 0, it runs right after the range, unless it sets FailOnError. After a tool
// call hooks only observe, so the number alone counts; a hook that replaces the output after
// the critical range has that range look at it again.
//
// The caller has an Executor, tells it of a Run with Start and Complete, and of each tool
// call with Call and Called.
package hooks
