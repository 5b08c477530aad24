package snapshot

import "unsafe"

// view returns b as a string without copying it. Nobody writes to b afterwards: it is a
// private read-only mapping, or was read for this purpose.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
