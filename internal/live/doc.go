// Package live proves that a coding agent calls umpire: it starts the real client in a
// temporary home, with a scripted model on the loopback address, and checks the effects of the
// client's tool calls.
//
// The model asks for a harmless call, which must run, and a destructive one, which must not.
// The audit log of that home shows whether umpire decided. Only the client, its settings and
// umpire are real.
package live
