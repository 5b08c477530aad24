// Package attacks has the tests that play a malicious model against the real program.
//
// Each is named for an attack: AS-001 to AS-013. SECURITY.md says what each is.
package attacks
