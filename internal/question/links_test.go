package question_test

import (
	"reflect"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/question"
)

// An approval is for where links lead: once one is swapped, it is another call.
func TestFilesBindsLinks(t *testing.T) {
	a := &umpire.Action{Dir: "/home/dev/proj"}
	ops := func(to, link string) []umpire.Operation {
		plain := umpire.Operation{Kind: umpire.Delete, Resource: "/home/dev/proj/x/a"}
		if to == "" {
			return []umpire.Operation{plain}
		}
		return []umpire.Operation{plain, {Kind: umpire.Delete, Resource: to, Via: []string{"sh", link}}}
	}
	first := question.Files(a, ops("/home/dev/proj/y/a", "link /home/dev/proj/x -> y"), nil)
	again := question.Files(a, ops("/home/dev/proj/y/a", "link /home/dev/proj/x -> y"), nil)
	if len(first) != 1 || !reflect.DeepEqual(first, again) {
		t.Errorf("links %v, then %v; want one, and the same again", first, again)
	}
	for _, other := range [][]umpire.Operation{ops("", ""), ops("/home/dev/a", "link /home/dev/proj/x -> /home/dev"), ops("/home/dev/proj/y/a", "link /home/dev/proj/x -> z")} {
		if got := question.Files(a, other, nil); reflect.DeepEqual(first, got) {
			t.Errorf("%v is the same call as %v", other, first)
		}
	}
}
