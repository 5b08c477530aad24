// Package classify classifies calls for allow rules. It reports whether the operations that were read
// are all that a call does ([Call.Described]), whether the call runs code of the project, and whether
// a program without a description only looks around ([Call.OnlyLooks]).
//
// The adversary chooses the words of the call. So a claim about a program counts only if someone
// checked it option by option, and an unknown word, a path out of the project or a file that other
// programs obey voids it. Code on the command line counts only if its text can do nothing else:
// inlinecode.go and pythoncode.go read such texts word by word.
package classify
