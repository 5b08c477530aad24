package guard

import (
	"fmt"
	"strings"
)

var hiddenNames = [...]string{"keep", "show", "remove"}

// String returns "keep", "show" or "remove".
func (h HiddenText) String() string {
	if int(h) < len(hiddenNames) {
		return hiddenNames[h]
	}
	return "unknown"
}

// MarshalText implements encoding.TextMarshaler.
func (h HiddenText) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. An empty text means keep.
func (h *HiddenText) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*h = KeepHidden
		return nil
	}
	for i, n := range hiddenNames {
		if n == string(b) {
			*h = HiddenText(i)
			return nil
		}
	}
	return fmt.Errorf("unknown treatment of hidden text %q: use %s", b, strings.Join(hiddenNames[:], ", "))
}
