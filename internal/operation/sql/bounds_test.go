package sql

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Up to each bound all is read; above it a statement stands for what is not.
func TestBounds(t *testing.T) {
	const last = "drop table last"
	queries := func(text string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, text, i)
		}
		return b.String()
	}
	sql := func(text string) []Statement { return Read("postgres", text) }
	for _, tt := range []struct {
		name string
		read func(string) []Statement
		text func(n int) string
		most int
	}{
		{"bytes", sql, func(n int) string { return strings.Repeat(" ", n-len(last)) + last }, maxText},
		{"bytes of mongo", Mongo, func(n int) string { return strings.Repeat(" ", n-len("db.last.drop()")) + "db.last.drop()" }, maxText},
		{"statements", sql, func(n int) string { return queries("use t%d;", n-1) + last }, maxStatements - 1},
		{"statements of mongo", Mongo, func(n int) string { return queries("db.t%d.find();", n-1) + "db.last.drop()" }, maxStatements - 1},
		{"tokens", sql, func(n int) string { return strings.Repeat(";", n-3) + last }, maxTokens - 1},
		{"nesting", sql, func(n int) string { return strings.Repeat("begin ", n-2) + last }, maxDepth},
	} {
		for _, n := range []int{tt.most, tt.most + 1} {
			got := tt.read(tt.text(n))
			open := slices.ContainsFunc(got, func(s Statement) bool { return s.Verb == unread.Verb && s.Traits == unread.Traits })
			read := slices.ContainsFunc(got, func(s Statement) bool { return s.Object == "last" })
			if within := n == tt.most; open == within || within && !read {
				t.Errorf("%s: of %d, the last is read: %v, and some is said to be unread: %v", tt.name, n, read, open)
			}
		}
	}
	same := Read("postgres", strings.Repeat("insert into t values (1);", 3*maxStatements)+last)
	if len(same) != 2 {
		t.Errorf("the same statement many times, and another: %d statements, want 2", len(same))
	}
	deep := strings.Repeat("(a = 1 or ", maxDepth+2) + "1 = 1" + strings.Repeat(")", maxDepth+2)
	if got := Read("postgres", "delete from t where "+deep); got[0].Traits&gone != gone {
		t.Errorf("a condition that nests too deep: %v, want the loss of every row", got[0].Traits)
	}
}
