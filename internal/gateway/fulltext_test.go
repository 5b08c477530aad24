package gateway

import (
	"strings"
	"testing"
)

// allOf is what somebody gets when they want all of a request.
func (w *world) allOf(who, id string) (status int, text string) {
	w.t.Helper()
	return w.text(who, "/api/queue/"+id+"/whole")
}

const isAll = "\numpire: this is all of it\n"

// A person can see all that their answer is bound to, however long it is.
func TestWhole(t *testing.T) {
	w := newWorld(t, "")
	key := "AKIA" + "IOSFODNN7EXAMPLQ"
	long := strings.Repeat("a line of it\n", 120_000) + "key = " + key + "\nthe last\u202eline\n"
	w.put("old", strings.Repeat("what was\n", 150_000))
	id := w.change(object{"op": "write", "path": "new", "content": long}, object{"op": "delete", "path": "old"})["id"].(string)
	if _, r := w.call("viewer", "GET", "/api/queue/"+id, nil); strings.Contains(r["metadata"].(object)["diff"].(string), "last") || !strings.Contains(r["metadata"].(object)["diff"].(string), fullTextHint) {
		t.Errorf("%.500v", r)
	}
	look := func(when string) {
		t.Helper()
		status, text := w.allOf("viewer", id)
		if status != 200 || !strings.Contains(text, `+the last\u202eline`) || strings.Count(text, "a line of it\n") != 120_000 || !strings.HasSuffix(text, isAll) {
			t.Errorf("%s: %d %.300s ... %s", when, status, text, text[max(0, len(text)-300):])
		}
		if strings.Contains(text, key) || !strings.Contains(text, "[masked:") || strings.Contains(text, "\u202e") {
			t.Errorf("%s: the secret is shown, or what hides in a line", when)
		}
	}
	look("before")
	if _, text := w.allOf("viewer", id); strings.Count(text, "-what was\n") != 150_000 {
		t.Error("what is deleted is not whole")
	}
	for _, who := range []string{"agent", "other", "nobody"} {
		if status, text := w.allOf(who, id); status < 400 || strings.Contains(text, "line") {
			t.Errorf("%s: %d %.200s", who, status, text)
		}
	}
	if status, got := w.approve(id); status != 200 {
		t.Fatal(status, got)
	}
	w.until("files", id, "completed")
	look("when it is written")

	run := w.ask("exec", "", object{"command": "echo " + strings.Repeat("x", 3000)})
	if status, text := w.allOf("approver", run["id"].(string)); status != 200 || !strings.Contains(text, strings.Repeat("x", 3000)) || !strings.HasSuffix(text, isAll) {
		t.Errorf("a command: %d %s", status, text)
	}
	if status, _ := w.allOf("viewer", "none"); status != 404 {
		t.Errorf("none: %d", status)
	}
}

func TestWholePush(t *testing.T) {
	f := newForge(t, "")
	commit(t, f.clone, "long.txt", strings.Repeat("a line of it\n", 30_000)+"key = AKIA"+"IOSFODNN7EXAMPLQ\nthe last\n")
	done := f.push("HEAD:refs/heads/feature/x")
	r := f.open()
	if strings.Contains(string(r.Metadata), "the last") || !strings.Contains(string(r.Metadata), "is not shown: "+fullTextHint) {
		t.Errorf("%.500s", r.Metadata)
	}
	status, text := f.allOf("viewer", r.ID)
	if status != 200 || strings.Count(text, "+a line of it\n") != 30_000 || !strings.Contains(text, "+the last\n") || strings.Contains(text, "IOSFODNN7") || !strings.HasSuffix(text, isAll) {
		t.Errorf("%d %.300s ... %s", status, text, text[max(0, len(text)-300):])
	}
	f.call("approver", "POST", "/api/queue/"+r.ID+"/deny", nil)
	<-done
}
