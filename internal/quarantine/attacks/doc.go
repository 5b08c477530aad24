// Package attacks has tests that play a malicious model against the real program. Each is named for
// an attack in SECURITY.md, AS-001 to AS-013.
package attacks
