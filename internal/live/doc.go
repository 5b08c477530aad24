// Package live proves that a coding agent calls umpire: it starts the real client in a
// temporary home, with a scripted model on the loopback address, and looks at what the
// client's tool calls did.
//
// The model asks for two calls: a harmless one, which must happen, and one that deletes,
// which must not. That home's audit log then tells whether it was umpire that decided.
// Nothing is real but the client, its settings as `umpire init` writes them, and umpire:
// the home, the keys and the model are made up, and what would be deleted lies in there.
package live
