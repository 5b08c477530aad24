// Package shell reads shell commands into operations by walking their syntax tree with
// an abstract interpreter: it knows the values of variables, the working folder,
// functions, pipes and the files written on the way, and runs nothing.
//
// What only the real shell can know stays a hole in a value (umpire.Hole). Where a value
// has several known possibilities, the command is read once for each.
package shell
