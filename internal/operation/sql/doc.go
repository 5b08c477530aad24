// Package sql reads database statements: the objects that they drop, empty, change or hand
// out, and the files and commands that their client uses.
//
// It splits the text into tokens, because an adversary exploits differences between the comments of
// a filter and those of the engine. A statement inside a string or comment is data; a statement
// that comments interrupt, or inside a MySQL /*! comment, is still a statement.
package sql
