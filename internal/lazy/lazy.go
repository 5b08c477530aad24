// Package lazy initializes values at their first use. At its start, a program pays for all package
// variables that it links, and one run needs few of them.
package lazy

import (
	"regexp"
	"strings"
	"sync"
)

// Regexp returns a function that compiles expr once. The function panics if expr is invalid.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Words returns a function that splits list at spaces into a set, once.
func Words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
		return set
	})
}
