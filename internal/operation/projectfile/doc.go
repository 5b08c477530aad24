// Package projectfile reads the files of a project that programs take commands from: makefiles,
// justfiles, build scripts, settings that name a plug-in or a hook.
//
// A program comes here in two ways. Its description names a function of this package, because its
// arguments say what to run: make clean, just test ([Tasks]). Or it loads files without being told to,
// whatever its arguments are: jest reads jest.config.js ([Load]); the tables loads and runSettings list
// such files, and the sort of code in them.
//
// The adversary may have written the files: an unpacked archive brings its own. So a file that is too
// long or cannot be read counts as unseen code, and every loop has a bound.
package projectfile

import "github.com/umpire-dev/umpire/internal/operation/command"

// Tasks reads a call by the function with that name, as descriptions of programs give it.
func Tasks(reader string, c *command.Call) {
	map[string]func(*command.Call){ // a variable would cost each start of the hook
		"doBuild": doBuild, "doCmake": doCmake, "doEditorExtension": doEditorExtension, "doMake": doMake, "doTask": doTask, "doTestRunner": doTestRunner,
	}[reader](c)
}
