package secret

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func TestMACIsHMAC(t *testing.T) {
	for _, n := range []int{1, 31, 32, 63, 64, 65, 200, 1024} {
		raw := bytes.Repeat([]byte{byte(n), 7}, n)[:n]
		k, err := Take(bytes.Clone(raw))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []string{"", "a", string(bytes.Repeat([]byte("x"), 1000))} {
			h := hmac.New(sha256.New, raw)
			h.Write([]byte(m))
			got, err := k.MAC([]byte(m))
			if err != nil || !hmac.Equal(got[:], h.Sum(nil)) {
				t.Errorf("a key of %d bytes, a message of %d: %x, %v", n, len(m), got, err)
			}
		}
		k.Wipe()
	}
}

func TestKey(t *testing.T) {
	mine := []byte("0123456789abcdef")
	k, err := Take(mine)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(mine, make([]byte, len(mine))) {
		t.Error("what was taken is still where it was")
	}
	js, err := json.Marshal(map[string]any{"key": k})
	if said := fmt.Sprintf("%v %+v %#v %s %s", k, k, k, k, js); err != nil || bytes.Contains([]byte(said), []byte("0123456789")) {
		t.Errorf("a key prints itself: %s, %v", said, err)
	}
	if err := k.Use(func(b []byte) error {
		if string(b) != "0123456789abcdef" {
			return fmt.Errorf("it is %q", b)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	k.Wipe()
	k.Wipe()
	if _, err := k.MAC(nil); !errors.Is(err, ErrWiped) || k.Len() != 0 {
		t.Errorf("a wiped key signs: %v", err)
	}
	if err := k.Use(func([]byte) error { return nil }); !errors.Is(err, ErrWiped) {
		t.Errorf("a wiped key is lent: %v", err)
	}
	if _, err := Random(0); err == nil {
		t.Error("a key of no bytes")
	}
	a, err := Random(32)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Wipe()
	b, err := Random(32)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Wipe()
	x, _ := a.MAC([]byte("m"))
	y, _ := b.MAC([]byte("m"))
	if x == y || a.Len() != 32 {
		t.Error("two random keys are the same")
	}
}
