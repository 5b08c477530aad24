package code

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

// A function that is passed as a value, or named by text, is called with the elements of a list.
func TestPassedFunctions(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"r", `sapply(c("id", "rm -rf ~"), system)`, "sh id; sh rm -rf ~"},
		{"r", `lapply(FUN = "system", X = "rm -rf ~")`, "sh rm -rf ~"},
		{"r", `Map(system, "rm -rf ~")`, "sh rm -rf ~"},
		{"r", `purrr::walk(c("/x"), unlink)`, "unlink /x"},
		{"r", `do.call(what = "system", args = list("rm -rf ~"))`, "sh rm -rf ~"},
		{"r", `sapply(x, mean)`, ""},
		{"groovy", `['rm -rf ~'].each { it.execute() }`, "sh rm -rf ~"},
		{"groovy", `['rm -rf ~'].each { c -> c.execute() }`, "sh rm -rf ~"},
		{"groovy", `['a', 'b'].each { println it }`, ""},
		{"ruby", `['rm -rf ~'].each(&method(:system))`, "sh rm -rf ~"},
		{"ruby", `['a'].each(&method(:puts))`, ""},
		{"js", `const {execSync} = require('child_process'); ['rm -rf ~'].forEach(execSync)`, "sh rm -rf ~"},
		{"python", `import os; list(map(os.system, ["rm -rf ~"]))`, "sh rm -rf ~"},
		{"php", `array_map("system", ["rm -rf ~"]); call_user_func("system", "id");`, "sh rm -rf ~; sh id"},
		{"lua", `pcall(os.execute, "rm -rf ~")`, "sh rm -rf ~"},
		{"lisp", `(funcall 'shell-command "rm -rf ~")`, "sh rm -rf ~"},
		{"lisp", `(mapcar #'delete-file '("/x" "/y"))`, "unlink /x; unlink /y"},
		{"lisp", `(apply 'call-process "rm" nil nil nil '("-rf" "/x"))`, "exec rm -rf /x"},
		{"lisp", `(apply '+ '(1 2))`, ""},
	} {
		if got := show(Read(c.lang, c.text, testEnv())); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.lang, c.text, got, c.want)
		}
	}
	for _, c := range []struct{ lang, text string }{
		{"r", `lapply(x, system)`},
		{"lisp", `(mapcar #'delete-file files)`},
		{"ruby", `xs.each(&method(:system))`},
		{"js", `const {execSync} = require('child_process'); xs.map(execSync)`},
		{"python", `import os; list(map(os.system, xs))`},
	} {
		if r := Read(c.lang, c.text, testEnv()); len(r.Effects) == 0 {
			t.Errorf("%s %s has no effect", c.lang, c.text)
		}
	}
}

// A request that deletes says so, by its function or its options.
func TestRequestsThatDelete(t *testing.T) {
	for _, text := range []string{
		`require('http').request('http://a.example/x', {method: 'DELETE'}).end()`,
		`require('https').request({host: 'a.example', method: 'delete'}).end()`,
		`fetch('http://a.example/x', {method: 'DELETE'})`,
		`axios.delete('http://a.example/x')`,
	} {
		r := Read("js", text, testEnv())
		if len(r.Effects) == 0 || r.Effects[0].Traits&umpire.Mutate == 0 {
			t.Errorf("%s: %+v", text, r.Effects)
		}
	}
}
