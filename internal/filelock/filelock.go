// Package filelock holds files against other processes. The system drops a lock with the
// file that it was taken by, or with the process.
package filelock
