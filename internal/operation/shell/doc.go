// Package shell reads shell commands into operations by walking their syntax tree with
// an abstract interpreter. It knows the values of variables, the working folder,
// functions, pipes and the files written on the way, and runs nothing.
//
// Parts that only the real shell can know stay a hole in a value (umpire.Hole). Where a value
// has several known possibilities, the command is read once for each.
package shell
