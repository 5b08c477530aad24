package code

import (
	"slices"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
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
		{"r", `sapply(list.files("/x", full.names = TRUE), unlink)`, "unlink /x/" + command.Entry},
		{"r", `file.remove(dir("/x", full.names = TRUE))`, "unlink /x/" + command.Entry},
		{"r", `print(list.files("/x", full.names = TRUE))`, ""},
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

// A request that deletes says so, by its function, by its options or by a request that was made before.
// The method of another value that is called delete is no request.
func TestRequestsThatDelete(t *testing.T) {
	for _, c := range []struct {
		lang, text string
		deletes    bool
	}{
		{"js", `require('http').request('http://a.example/x', {method: 'DELETE'}).end()`, true},
		{"js", `require('https').request({host: 'a.example', method: 'delete'}).end()`, true},
		{"js", `fetch('http://a.example/x', {method: 'DELETE'})`, true},
		{"js", `fetch(new Request('http://a.example/x', {method: 'DELETE'}))`, true},
		{"js", `axios.delete('http://a.example/x')`, true},
		{"js", `axios.create({baseURL: 'http://a.example'}).delete('/x')`, true},
		{"js", `fetch('http://a.example/x', {method: 'GET'}); new Map().delete('x'); axios.create({}).get('http://a.example')`, false},
		{"python", `import http.client; http.client.HTTPConnection("a.example").request("DELETE", "/x")`, true},
		{"python", `import requests; requests.Session().request("DELETE", "http://a.example/x")`, true},
		{"python", `import requests; requests.Session().request("GET", "http://a.example/x"); session.execute("x"); {}.delete()`, false},
		{"perl", `LWP::UserAgent->new->delete("http://a.example/x")`, true},
		{"perl", `LWP::UserAgent->new->request(HTTP::Request->new(DELETE => "http://a.example/x"))`, true},
		{"perl", `HTTP::Tiny->new->request("GET", "http://a.example/x"); delete $h{x}`, false},
		{"ruby", `HTTParty.delete("http://a.example/x")`, true},
		{"ruby", `RestClient::Request.execute(method: :delete, url: "http://a.example/x")`, true},
		{"ruby", `RestClient.get("http://a.example/x"); [1].delete(1)`, false},
		{"php", `Http::delete("http://a.example/x");`, true},
		{"php", `$c = curl_init("http://a.example/x"); curl_setopt($c, CURLOPT_CUSTOMREQUEST, "DELETE");`, true},
		{"php", `Http::get("http://a.example/x"); $list->delete("x");`, false},
	} {
		r := Read(c.lang, c.text, testEnv())
		got := slices.ContainsFunc(r.Effects, func(e Effect) bool { return e.Kind == Network && e.Traits&umpire.Destroy != 0 })
		if got != c.deletes {
			t.Errorf("%s %s: deletes = %v, want %v: %s", c.lang, c.text, got, c.deletes, show(r))
		}
	}
}

// The condition of a deletion is read as SQL, because every row may meet it.
func TestDeletedRows(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"ruby", `User.where("1=1").destroy_all`, "sql delete from rows where 1=1"},
		{"ruby", `User.where("1 = 1").order(:id).delete_all()`, "sql delete from rows where 1 = 1"},
		{"ruby", `User.where("id=1").delete_all()`, "sql delete from rows where id=1"},
		{"ruby", `User.delete_all()`, "mongo db.rows.deleteMany({})"},
		{"ruby", `User.where(active: false).destroy_all`, "mongo db.rows.deleteMany({a:1})"},
		{"elixir", `MyApp.Repo.delete_all(User)`, "mongo db.rows.deleteMany({})"},
		{"elixir", `MyApp.Repo.delete_all(query)`, "mongo db.rows.deleteMany({a:1})"},
		{"elixir", `query |> MyApp.Repo.delete_all()`, "mongo db.rows.deleteMany({a:1})"},
	} {
		if got := show(Read(c.lang, c.text, testEnv())); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.lang, c.text, got, c.want)
		}
	}
}
