// Package nature says of what kind a call is. The operations that were read may be all that it does
// ([Call.Described]), it may run code of the project, or a program without a description may only look
// around ([Call.OnlyLooks]). Allow rules build on these answers.
//
// The adversary chooses the words of the call. So a program has a nature only if someone checked it
// option by option, and an unknown word, a path out of the project or a file that other programs obey
// ends it. Code on the command line counts only if its text can do nothing else: inlinecode.go and
// pythoncode.go read such texts word by word.
package nature
