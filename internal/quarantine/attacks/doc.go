// Package attacks has the tests that play a malicious model against the real program.
//
// Each is named for an attack: AS-001 to AS-011. Those that travel inside a report are
// tested where reports are written.
package attacks
