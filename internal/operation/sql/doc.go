// Package sql reads database statements: the objects that they drop, empty, change or hand
// out, and the files and commands that their client uses.
//
// It cuts the text into tokens, because an adversary relies on the difference between a
// filter's comments and the engine's. A string or comment that mentions a statement is data; a
// statement cut up by comments or hidden in a MySQL /*! comment is still a statement.
package sql
