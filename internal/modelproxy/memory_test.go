package modelproxy

import (
	"slices"
	"strings"
	"testing"
)

// The cache keeps what was used last, in at most its number of bytes, and counts what it drops.
func TestKnown(t *testing.T) {
	key := func(i byte) digest { return keyed(nil, string(i)) }
	has := func(k *known) (out []byte) {
		for i := range byte(9) {
			if _, ok := k.byKey[key(i)]; ok {
				out = append(out, i)
			}
		}
		return out
	}
	const cost = 256 + 44 // of a text of 44 bytes
	k := newKnown(4 * cost)
	text := strings.Repeat("a", 44)
	for i := range byte(4) {
		k.put(outcome{key: key(i), text: text, changed: i == 2})
	}
	k.put(outcome{key: key(3), text: "twice"})
	k.put(outcome{key: key(8), text: text + "a"}) // more than a quarter
	if o, ok := k.get(key(0)); !ok || o.text != text || o.changed {
		t.Errorf("the first: got %+v and %t, want the text as it was put", o, ok)
	}
	if _, ok := k.get(key(7)); ok {
		t.Error("a text that was not put is known")
	}
	k.put(outcome{key: key(4), text: text})
	k.put(outcome{key: key(5), text: text})
	if got, want := has(k), []byte{0, 3, 4, 5}; !slices.Equal(got, want) || k.size != 4*cost || k.order.Len() != 4 {
		t.Errorf("got %v, %d bytes and %d in order, want %v (1 and 2 were used longest ago), %d and 4", got, k.size, k.order.Len(), want, 4*cost)
	}
	if o, _ := k.get(key(3)); o.text != text {
		t.Errorf("a text put twice: got %q, want the first one", o.text)
	}
}
