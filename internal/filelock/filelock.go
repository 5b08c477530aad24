// Package filelock locks files against other processes. The system releases a lock when the
// process ends or closes the file.
package filelock
