// Package sql reads database statements: which objects they drop, empty, change or
// hand out, and which files and commands their client touches on the way.
//
// It tokenises instead of searching, so a string or comment that mentions a statement
// is data, and a statement cut up by comments or hidden in a MySQL /*! comment is still
// a statement. An adversary relies on the one difference between what a filter and
// what the engine takes for a comment.
package sql
